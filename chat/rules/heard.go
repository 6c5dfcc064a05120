package rules

import (
	"context"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// heard is a message divided into what it does, as it is read for one scene.
type heard struct {
	*reader

	similar func(a, b string) float64 // how close two texts are in meaning
	owners  func(*listening.Segment, *listening.Span) listening.Candidates
	said    listening.Heard
	words   []language.Word
	values  *language.Reader
	kinds   []listening.Type // of the scene's obligations, in their order
}

// hear divides the message into what each stretch of it does.
func (r *reader) hear(ctx context.Context) *heard {
	kind, wording := listening.None, ""
	asked := r.asked
	if r.purpose() == sessions.ToForm {
		asked = r.firstOpen()
	}
	if asked != nil {
		kind, wording = kindOf(asked.Template), askedWords(asked.Template)
		if r.purpose() == sessions.ToConfirm {
			kind = listening.Confirmation
		}
	}
	said, err := r.listener.Hear(ctx, kind, wording, r.u.raw)
	if err != nil {
		said.Segments = []listening.Segment{{Act: listening.Answer, To: len(r.u.raw), Sure: 1}} // the turn is over
	}
	h := &heard{reader: r, said: said, words: language.Words(r.u.raw), values: language.NewReader(r.language())}
	fields := r.fields()
	h.kinds = make([]listening.Type, len(fields))
	for i := range fields {
		h.kinds[i] = fields[i].Type
	}
	h.similar = func(a, b string) float64 { return r.listener.Similarity(ctx, a, b) }
	h.owners = func(seg *listening.Segment, s *listening.Span) listening.Candidates {
		return r.listener.Candidates(ctx, &h.said, seg, s, fields, h.language() != "en")
	}
	return h
}

// typed reports whether what was asked for has a type of its own that is cut out of the
// message, or the conversation is in a language that the tables do not know.
func (h *heard) typed() bool {
	if h.purpose() == sessions.ToForm {
		o := h.firstOpen()
		if o == nil || !h.learned(o) || h.labelled() {
			return false
		}
		if _, set := h.exact(); set {
			return false
		}
		h.asked = o
		return true
	}
	if h.asked == nil || h.purpose() != sessions.ToAsk {
		return h.language() != "en" && (h.purpose() == sessions.ToAsk || h.purpose() == "")
	}
	if _, set := h.exact(); set {
		return false
	}
	return h.learned(h.asked)
}

// learned reports whether o is read by what was learned from examples: where it says what
// type its values have, and in languages that the tables do not know.
func (r *reader) learned(o *obligations.Obligation) bool {
	return r.language() != "en" || o.ValueType != ""
}

// exact returns the set phrase that the whole message is, if it is one.
func (h *heard) exact() (mark, bool) {
	if len(h.u.words) > maxIntentWords {
		return mark{}, false
	}
	return h.u.intent(0, len(h.u.words))
}

// confirming reports whether the message answers a value that was read back, in other
// words than a set phrase.
func (h *heard) confirming() bool {
	if h.purpose() != sessions.ToConfirm || h.asked == nil || !h.learned(h.asked) {
		return false
	}
	m, ok := h.exact()
	return !ok || m.intent == chat.Disagree && len(h.u.words) > 1
}

// How sure it must be that a stretch is no answer, for the tables to leave it alone: more
// for what tables of set phrases would know. They are as low as the tests of answers that
// look like remarks allow.
const (
	surelyAside = 0.8
	surelyWants = 0.93
	fewWords    = 4
	longRemark  = 80 // bytes of a complaint that may well tell something
)

// mark cuts parts where the acts change, and marks those that the listener knows for
// something said to us.
func (h *heard) mark(parts []part) []part {
	if h.purpose() == sessions.ToForm {
		return parts
	}
	var out []part
	for _, p := range parts {
		if p.marked {
			out = append(out, p)
			continue
		}
		at := p.from
		for at < p.to {
			seg := h.segmentAt(h.u.words[at].start)
			to := at + 1
			for to < p.to && h.segmentAt(h.u.words[to].start) == seg {
				to++
			}
			q := part{clause: clause{from: at, to: to, ends: p.ends && to == p.to}}
			if n := len(out); seg != nil {
				q.mark, q.marked = h.aside(seg)
				if q.marked && seg.Act == listening.Question && !h.asksUs(at, to) {
					q.marked = false // the question is another part
				}
				if !q.marked && at > p.from && !out[n-1].marked {
					out[n-1].to, out[n-1].ends = to, q.ends // what is told is not cut
					at = to
					continue
				}
			}
			out = append(out, q)
			at = to
		}
	}
	return out
}

// asksUs reports whether words from to (excluded) have the form of a question: the mark,
// or without one anywhere, a word that opens one.
func (h *heard) asksUs(from, to int) bool {
	if strings.Contains(h.u.raw, "?") {
		return h.u.asks(to - 1)
	}
	c := h.u.body(clause{from: from, to: to})
	return interrogatives[h.u.at(c.from)] && h.u.at(c.from+1) != "not"
}

// segmentAt returns the segment that byte at is in, or nil.
func (h *heard) segmentAt(at int) *listening.Segment {
	for i := range h.said.Segments {
		if s := &h.said.Segments[i]; at >= s.From && at < s.To {
			return s
		}
	}
	return nil
}

// aside returns what a segment wants that tells nothing, where that is sure.
func (h *heard) aside(seg *listening.Segment) (mark, bool) {
	m, ok := h.intentOf(seg)
	if !ok || h.starred(seg) {
		return mark{}, false
	}
	switch seg.Act {
	case listening.Question, listening.Complaint, listening.Human, listening.Topic, listening.Shorter:
		if len(h.words) <= fewWords || seg.Act == listening.Complaint && seg.To-seg.From > longRemark {
			return m, seg.Sure >= surelyWants // most short answers look like remarks
		}
		return m, seg.Sure >= surelyAside
	case listening.SmallTalk, listening.Feeling, listening.Gibberish, listening.LookUp, listening.Delegate:
		return m, seg.Sure >= surelyWants && len(h.words) > fewWords
	case listening.Answer, listening.Fact, listening.Correction, listening.Confirm, listening.Deny, listening.Stop, listening.Unknown, listening.NoPreference, listening.Skip, listening.Later, listening.Repeat, listening.Examples:
		// the tables know the set phrases of these
	}
	return mark{}, false
}

// more reads what the tables have missed: what belongs to other obligations, and changes
// of what was said before. It notes what comes beside.
func (h *heard) more() {
	found := len(h.out.Findings)
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		switch seg.Act {
		case listening.Correction:
			if found == 0 {
				h.correction(seg)
			}
		case listening.Answer, listening.Fact, listening.Confirm, listening.Delegate, listening.Deny:
			h.tellOthers(seg)
		case listening.Question, listening.Unknown, listening.NoPreference, listening.Skip, listening.Later, listening.Topic, listening.Repeat, listening.Examples, listening.Shorter, listening.Stop, listening.Human, listening.LookUp, listening.Feeling, listening.Complaint, listening.SmallTalk, listening.Gibberish:
		}
		if m, ok := h.intentOf(seg); ok {
			h.out.Beside = append(h.out.Beside, chat.Remark{Intent: m.intent, Act: seg.Act.String(), Text: h.said.Text[seg.From:seg.To]})
		}
	}
	h.choices()
	if found == 0 && len(h.out.Findings) > 0 {
		h.out.Intent = chat.Answer
		if slices.ContainsFunc(h.out.Findings, func(f obligations.Finding) bool { return f.Act == obligations.Correct || f.Act == obligations.Deny }) {
			h.out.Intent, h.out.About = chat.Correction, h.out.Findings[0].Key
		}
	}
}

// askedWords are the words of a question with its choices, as the model was trained on
// them.
func askedWords(t *obligations.Template) string {
	if len(t.Choices) == 0 {
		return t.Prompt
	}
	return t.Prompt + " " + strings.Join(labels(t), ", ") + "?"
}

// firstOpen returns the first field of a form that nothing is known of: whoever answers
// it freely begins there.
func (r *reader) firstOpen() *obligations.Obligation {
	for _, key := range r.scene.Asked.Keys() {
		if o := r.find(key); o != nil && o.Value == nil {
			return o
		}
	}
	return nil
}

// read goes through the segments.
func (h *heard) read() {
	confirming := h.purpose() == sessions.ToConfirm && h.asked != nil
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		switch seg.Act {
		case listening.Correction:
			h.correction(seg)
		case listening.Confirm:
			h.confirmed(seg, confirming)
		case listening.Deny:
			h.denial(seg, confirming)
		case listening.Answer, listening.Fact:
			h.tellings(seg)
		case listening.Feeling:
			if h.starred(seg) {
				h.tellings(seg)
			}
		case listening.Unknown, listening.Delegate, listening.NoPreference, listening.Skip, listening.Later:
			h.tellOthers(seg)
		case listening.Question, listening.Topic, listening.Repeat, listening.Examples, listening.Shorter, listening.Stop, listening.Human, listening.LookUp, listening.Complaint, listening.SmallTalk, listening.Gibberish:
		}
	}
	if confirming && !h.told(h.asked.Key) {
		h.plainAssent()
	}
	h.lastResort(confirming)
	h.choices()
	h.wants()
}

// choices looks through what is told for choices of other obligations.
func (h *heard) choices() {
	for i := range h.said.Segments {
		if seg := &h.said.Segments[i]; seg.Act == listening.Answer || seg.Act == listening.Fact {
			h.tellChoices(seg)
		}
	}
}

// tellings reads what a segment says: of what was asked, and of other things.
func (h *heard) tellings(seg *listening.Segment) {
	asking := h.asked != nil && h.asking() && (seg.Act == listening.Answer || h.starred(seg))
	if asking && h.purpose() != sessions.ToConfirm && !h.told(h.asked.Key) {
		h.answers(seg)
	}
	h.tellOthers(seg)
}

// asking reports whether the last question wanted a value, alone or in a form.
func (h *heard) asking() bool { return h.askable() || h.purpose() == sessions.ToForm }

func (h *heard) starred(seg *listening.Segment) bool {
	return slices.ContainsFunc(seg.Values, func(s listening.Span) bool { return s.Answers })
}

// answers reads a segment as an answer to what was asked.
func (h *heard) answers(seg *listening.Segment) {
	t := h.asked.Template
	v := h.valueIn(t, seg, true)
	if v.value == nil {
		return
	}
	h.note(t.Key, v, obligations.Tell, fitOf(seg.Sure, v.sure))
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

// note adds a finding about key.
func (h *heard) note(key string, v valueRead, act obligations.Act, fit obligations.Confidence) bool {
	o := h.find(key)
	if o == nil || v.value == nil || o.Check(v.value) != nil {
		return false
	}
	e, ok := h.quote(v.from, v.to)
	if !ok {
		return false
	}
	g := obligations.Grade{Kind: e.Kind, Hedged: v.hedged, Vague: v.vague, Loose: v.loose}
	if fit > 0 {
		g.Fit = &fit
	}
	h.add(obligations.Finding{Key: key, Act: act, Value: v.value, Evidence: e, Grade: g})
	return true
}

// lastResort reads the whole message as a closed answer when nothing was understood and
// it cannot be anything else.
func (h *heard) lastResort(confirming bool) {
	if h.asked == nil || confirming || !h.asking() || h.told(h.asked.Key) {
		return
	}
	if h.namedChoice() || h.toldAgain() || len(h.out.Findings) > 0 {
		return
	}
	whole := &listening.Segment{Act: listening.Answer, From: 0, To: len(h.said.Text), Sure: 0.5}
	talk := 0
	for _, s := range h.said.Segments {
		whole.Values = append(whole.Values, s.Values...)
		switch s.Act {
		case listening.Question, listening.Complaint, listening.Stop, listening.Human, listening.Topic, listening.LookUp, listening.Skip, listening.Later, listening.Unknown, listening.Delegate, listening.Repeat, listening.Correction, listening.NoPreference:
			talk++
		}
	}
	if talk > 0 || len(h.words) > 6 {
		return
	}
	if v := h.valueIn(h.asked.Template, whole, true); v.value != nil && (h.asked.Closed() || v.spanned) {
		h.note(h.asked.Key, v, obligations.Tell, fitOf(0.5, 0.9))
	}
}

// namedChoice takes a choice of what was asked whose label is said word for word in what
// is no question.
func (h *heard) namedChoice() bool {
	if len(h.asked.Choices) == 0 || kindOf(h.asked.Template) == listening.YesNo {
		return false
	}
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		switch seg.Act {
		case listening.Question, listening.Correction, listening.Examples, listening.Repeat, listening.Skip, listening.Unknown:
			continue
		}
		var folded []string
		for _, w := range h.wordsBetween(seg.From, seg.To) {
			folded = append(folded, language.Fold(w.Text))
		}
		named := 0
		for k := range h.asked.Choices {
			if saidOf(&h.asked.Choices[k], folded) > 1 {
				named++
			}
		}
		if named == 0 || named > 1 && h.asked.Widget != obligations.MultiSelect {
			continue
		}
		v := h.chosen(h.asked.Template, listening.Choice, nil, seg)
		return h.note(h.asked.Key, v, obligations.Tell, fitOf(0.7, 1))
	}
	return false
}

// toldAgain takes for the answer to an open question what is said in the same words as
// before, and what is told at length when it is asked again: it was meant so.
func (h *heard) toldAgain() bool {
	if h.asked.Closed() || len(h.words) < 3 || h.scene.Asked == nil {
		return false
	}
	again := joinFolded(h.said.Text) == joinFolded(h.lastSaid())
	if !again && (h.scene.Asked.Attempt < 2 || kindOf(h.asked.Template) != listening.Text) {
		return false
	}
	seg := listening.Segment{Act: listening.Answer, From: -1}
	for _, s := range h.said.Segments {
		switch s.Act {
		case listening.Answer, listening.Fact, listening.Feeling, listening.SmallTalk:
			if seg.From < 0 {
				seg.From = s.From
			}
			seg.To = s.To
		}
	}
	if again {
		seg.From, seg.To = 0, len(h.said.Text)
	}
	if seg.From < 0 {
		return false
	}
	v := h.valueOfSegment(&obligations.Template{Widget: obligations.Text}, listening.Text, &seg)
	return h.note(h.asked.Key, v, obligations.Tell, fitOf(0.55, 1))
}

// lastSaid is what the person said before this message.
func (h *heard) lastSaid() string {
	for i := len(h.scene.Transcript) - 1; i >= 0; i-- {
		if m := &h.scene.Transcript[i]; m.Role == sessions.FromUser {
			return m.Content
		}
	}
	return ""
}

// wordsOf returns the words of the utterance that are between two bytes, the last one
// excluded.
func (r *reader) wordsOf(from, to int) (first, last int) {
	first = len(r.u.words)
	for i, w := range r.u.words {
		if w.start >= from && w.start < to {
			first, last = min(first, i), i+1
		}
	}
	return min(first, last), last
}

// language returns the language of the session.
func (r *reader) language() string { return chat.LanguageOf(r.scene) }
