package reading

import (
	"slices"
	"unicode/utf8"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language/messages"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// refused reports whether something was said of key that cannot be taken as it is.
func (h *heard) refused(key string) bool {
	return slices.ContainsFunc(h.out.Refused, func(a chat.InvalidAnswer) bool { return a.Key == key })
}

// fitOf returns how well words fit what was asked, from how sure it is that they answer
// and that they hold a value; 0 leaves the confidence as it is.
func fitOf(act, value float64) obligations.Confidence {
	p := act * (0.5 + 0.5*value)
	if p >= sureFit {
		return 0
	}
	return min(max(leastHeld, obligations.Of(p)), mostDoubtful)
}

// What is doubtful is held between these: enough to be read back, too little to count as
// known.
const (
	leastHeld    = 45
	mostDoubtful = 60
)

// sureFit is from where the fit of an answer takes nothing off its confidence. It was
// chosen by hand and is not calibrated.
const sureFit = 0.72

// reliability bounds how sure a value is that is read from free words, by its type: about as
// often as values of that type were exact in the held-out dialogs, and not below what
// counts as known. Types that are missing are read more surely than anything is rated.
var reliability = map[listening.Type]obligations.Confidence{
	listening.Choice: 74, listening.List: 72, listening.Date: 74, listening.Duration: 76, listening.Range: 74, listening.Measure: 80, listening.Count: 78,
	listening.Amount: 84, listening.YesNo: 84, listening.Text: 86, listening.Time: 84, listening.Percentage: 84, listening.Identifier: 86, listening.Address: 84,
}

// note adds a finding about key.
func (r *reader) note(key string, v valueRead, act obligations.Act, fit obligations.Confidence) bool {
	o := r.find(key)
	if o == nil || v.value == nil || o.Check(v.value) != nil {
		return false
	}
	if o.Widget == obligations.Text && act == obligations.Tell {
		v = r.withoutTail(v)
	}
	e, ok := r.quote(v.from, v.to)
	if !ok {
		return false
	}
	g := obligations.Grade{Kind: e.Kind, Hedged: v.hedged, Vague: v.vague, Loose: v.loose}
	if fit == 0 && act == obligations.Tell {
		fit = reliability[field.Kind(o.Template)]
	}
	if v.unclear && (fit == 0 || fit > mostDoubtful) {
		fit = mostDoubtful
	}
	if fit > 0 {
		g.Fit = &fit
	}
	r.add(obligations.Finding{Key: key, Act: act, Value: v.value, Evidence: e, Grade: g})
	return true
}

func (r *reader) add(f obligations.Finding) {
	if f.Source == "" {
		f.Source = "conversation"
	}
	r.out.Findings = append(r.out.Findings, f)
}

// told reports whether this message said something about key already.
func (r *reader) told(key string) bool {
	return slices.ContainsFunc(r.out.Findings, func(f obligations.Finding) bool { return f.Key == key })
}

// denied reports whether all this message says of key so far is that it is wrong.
func (r *reader) denied(key string) bool {
	return slices.ContainsFunc(r.out.Findings, func(f obligations.Finding) bool { return f.Key == key && f.Act == obligations.Deny })
}

// quote is the evidence for what was read between two bytes of the message: the person's exact
// words and where they stand.
func (r *reader) quote(start, end int) (obligations.Evidence, bool) {
	words := r.raw[start:end]
	if len(words) > maxTextBytes {
		words = words[:maxTextBytes]
		for !utf8.ValidString(words) {
			words = words[:len(words)-1]
		}
	}
	span, found, ok := obligations.Locate(r.raw, words)
	return obligations.Evidence{Kind: obligations.Stated, Message: r.scene.MessageID(), Span: &span, Quote: found, By: r.scene.Person}, ok
}

// refuse notes an answer that cannot be taken as it is.
func (r *reader) refuse(key string, v valueRead, remedy messages.Message) {
	r.out.Refused = append(r.out.Refused, chat.InvalidAnswer{Key: key, Text: field.Clip(r.raw[v.from:v.to], 200), Remedy: remedy.In(chat.MessagesOf(r.scene))})
}
