package rules

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"quaestor/chat"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// reader understands one message.
type reader struct {
	scene    *chat.Scene
	listener *listening.Listener
	u        *utterance
	asked    *obligations.Obligation // what a single question was about; nil for none or a form
	parts    []part
	cues     []cueHit // found once, see cueHits
	out      chat.Understanding

	own      map[string]bool // found once, see ownWords
	strayed  bool            // a sentence was left out as beside the point
	mending  bool            // the message corrects something by now: what else it names is changed too
	revising bool            // the message says that an earlier answer was wrong
	missed   bool            // what was said cannot be the answer to what was asked
}

// part is a clause with what it wants; an unmarked part is content.
type part struct {
	clause
	mark   mark
	marked bool
}

func newReader(s *chat.Scene) *reader {
	r := &reader{scene: s, u: listen(s.Message)}
	if q := s.Asked; q != nil && q.Key != "" {
		r.asked = obligations.Find(s.Obligations, q.Key)
	}
	if s.Asked == nil && s.Turn == 1 {
		r.asked = opening(s.Obligations)
	}
	return r
}

// purpose is what the last question was for; empty when nothing was asked.
func (r *reader) purpose() sessions.Purpose {
	switch {
	case r.scene.Asked != nil && r.scene.Asked.Purpose == sessions.ToProbe:
		return sessions.ToAsk
	case r.scene.Asked != nil:
		return r.scene.Asked.Purpose
	case r.asked != nil:
		return sessions.ToAsk
	}
	return ""
}

// opening is what a conversation would begin by asking, when that is for a text:
// who begins by telling answers it. nil when it asks for something else.
func opening(list []obligations.Obligation) *obligations.Obligation {
	first, ok := obligations.Next(list)
	if !ok || first.Widget != obligations.Text {
		return nil
	}
	return obligations.Find(list, first.Key)
}

// find returns the obligation with that key, or nil.
func (r *reader) find(key string) *obligations.Obligation {
	return obligations.Find(r.scene.Obligations, key)
}

// message reads what was said.
func (r *reader) message(ctx context.Context) {
	switch {
	case len(r.u.words) == 0:
		r.wordless()
		return
	case r.wholeChoice():
		return
	}
	defer r.doubtOthers()
	defer r.dropImprobable()
	defer r.sameScale()
	defer r.timeLeft()
	defer r.askForHuman()
	defer r.mourn()
	h := r.hear(ctx)
	r.parts = r.cutUp()
	h.setPhrases()
	closed := r.purpose() == sessions.ToConfirm || r.purpose() == sessions.ToResolve || r.purpose() == sessions.ToFinish
	stated := h.stated()
	switch {
	case r.directed():
	case stated && closed:
		h.besideStated()
		return
	case r.purpose() == sessions.ToResolve && r.asked != nil && r.resolve():
	case r.purpose() == sessions.ToFinish && r.finish():
	case r.purpose() == sessions.ToForm && h.form():
	default:
		h.read()
		return
	}
	h.more()
}

// askForHuman drops the wish for a human being that was heard where the words ask for none: "we
// need a good baker".
func (r *reader) askForHuman() {
	if chat.IsWishForHuman(r.scene.Message) || r.has("human") && !strings.Contains(strings.ToLower(r.scene.Message), "talk to you") {
		return
	}
	r.out.Beside = slices.DeleteFunc(r.out.Beside, func(m chat.Remark) bool { return m.Act == "human" })
}

// mourn takes a short message that somebody died for a feeling and nothing else: whatever figure
// or date is in it is none of the interview's. An oven that died is another matter.
func (r *reader) mourn() {
	if len(r.u.words) > longestMourning || !r.has("death") || !r.has("kin") {
		return
	}
	r.out.Findings, r.out.Refused, r.out.Intent, r.out.About = nil, nil, chat.OffTopic, ""
	r.out.Beside = []chat.Remark{{Intent: chat.OffTopic, Act: "feeling", Text: r.scene.Message}}
}

// has reports whether a word of the message is of a kind in any language.
func (r *reader) has(kind string) bool {
	return slices.ContainsFunc(language.Words(r.scene.Message), func(w language.Word) bool { return language.IsWord(kind, w.Text) })
}

// longestMourning bounds such a message, in words: a longer one tells a story.
const longestMourning = 40

// labelled reports whether the message fills in a form by the names of its fields.
func (r *reader) labelled() bool {
	for _, key := range r.scene.Asked.Keys() {
		if o := r.find(key); o != nil && strings.Contains(strings.ToLower(r.u.raw), strings.ToLower(o.Name())+":") {
			return true
		}
	}
	return false
}

// wordless reads a message without words: thumbs are answers, the rest is not.
func (r *reader) wordless() {
	switch {
	case strings.ContainsAny(r.u.raw, "👍✅👌"):
		r.listenAs("yes")
	case strings.ContainsAny(r.u.raw, "👎❌"):
		r.listenAs("no")
	case strings.TrimSpace(r.u.raw) == "" && len(r.out.Findings)+len(r.out.Refused) > 0:
		r.out.Intent = chat.Answer
	default:
		r.out.Intent = chat.Unclear
	}
}

// listenAs reads the message as if it were said in a word. Only intents can come
// of it: a value needs words of the person's own.
func (r *reader) listenAs(said string) {
	u := listen(said)
	m, _ := u.intent(0, len(u.words))
	r.out.Intent = m.intent
	if m.intent == chat.Agree && r.asked != nil && r.purpose() == sessions.ToResolve {
		r.out.Intent, r.out.About = chat.Unclear, r.asked.Key
	}
}

// wholeChoice takes a message that is a choice of what was asked, word for word,
// before anything else is read into it: "later" or "not sure" may be a choice.
func (r *reader) wholeChoice() bool {
	if r.asked == nil || len(r.asked.Choices) == 0 || r.purpose() != sessions.ToAsk || len(r.u.words) > 12 {
		return false
	}
	for _, f := range forms(r.asked.Template) {
		if len(f.words) != len(r.u.words) || !r.u.has(0, len(r.u.words), f.words) {
			continue
		}
		value := encode(r.asked.Choices[f.choice].Value)
		if r.asked.Widget == obligations.MultiSelect {
			value = encode([]string{r.asked.Choices[f.choice].Value})
		}
		r.out.Intent = chat.Answer
		r.tell(r.asked.Key, reading{value: value, to: len(r.u.words), hedged: r.u.asks(len(r.u.words) - 1)}, obligations.Tell, "")
		return true
	}
	return false
}

// tell adds a finding for what was read from the message.
func (r *reader) tell(key string, got reading, act obligations.Act, reason string) bool {
	o := r.find(key)
	if o == nil || got.value == nil || o.Check(got.value) != nil {
		return false
	}
	e, ok := r.stated(got)
	if !ok {
		return false
	}
	grade := obligations.Grade{Kind: e.Kind, Hedged: got.hedged, Vague: got.vague}
	r.add(obligations.Finding{Key: key, Act: act, Value: got.value, Evidence: e, Grade: grade, Reason: reason})
	return true
}

// loosen marks what was told last as read in passing.
func (r *reader) loosen() { r.out.Findings[len(r.out.Findings)-1].Grade.Loose = true }

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

// stated is the evidence for what was read from the message: the person's exact
// words and where they stand.
func (r *reader) stated(got reading) (obligations.Evidence, bool) {
	if got.to <= got.from {
		return obligations.Evidence{}, false
	}
	return r.quote(r.u.extent(got.from, got.to))
}

func (r *reader) quote(start, end int) (obligations.Evidence, bool) {
	words := r.u.raw[start:end]
	if len(words) > maxTextBytes {
		words = words[:maxTextBytes]
		for !utf8.ValidString(words) {
			words = words[:len(words)-1]
		}
	}
	span, found, ok := obligations.Locate(r.u.raw, words)
	return obligations.Evidence{Kind: obligations.Stated, Message: r.scene.MessageID(), Span: &span, Quote: found, By: r.scene.Person}, ok
}

// refuse notes an answer that cannot be taken as it is.
func (r *reader) refuse(key string, got reading) {
	start, end := 0, 0
	if got.to > got.from {
		start, end = r.u.extent(got.from, got.to)
	}
	r.out.Refused = append(r.out.Refused, chat.InvalidAnswer{Key: key, Text: clip(r.u.raw[start:end], 200), Remedy: got.remedy.In(chat.MessagesOf(r.scene))})
}

// take reads words from to (excluded) as an answer to o and notes the outcome.
func (r *reader) take(o *obligations.Obligation, from, to int) bool {
	got := r.u.read(o.Template, from, to, r.scene.Now)
	switch {
	case got.value != nil:
		return r.tell(o.Key, got, obligations.Tell, "")
	case got.remedy.Key != "":
		r.refuse(o.Key, got)
		return true
	}
	return false
}

// heldValue returns the value o has, or nil.
func heldValue(o *obligations.Obligation) json.RawMessage {
	if o == nil {
		return nil
	}
	return o.Value
}
