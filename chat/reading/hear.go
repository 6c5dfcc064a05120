package reading

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// heard is a message divided into what it does, as it is read for one scene.
type heard struct {
	*reader

	listen         func(listening.Type, string, string) listening.Heard
	again          func(text string) listening.Heard // hears text in answer to what was asked
	similar        func(a, b string) float64         // how close two texts are in meaning
	rate           func(said, near string, options [][]string) []float64
	kindOfQuestion func(question string) (listening.QuestionKind, float64)
	toldOf         func() []listening.Told                                   // what the message tells of open obligations that were not asked for
	odds           func(from, to, of int, believed float64) listening.Fit    // how well words fit the question of an obligation
	oddsOf         func(text string, of int, believed float64) listening.Fit // the same of a text alone
	owners         func(*listening.Segment, *listening.Span) listening.Candidates
	said           listening.Heard
	values         *language.Reader
	kinds          []listening.Type // of the scene's obligations, in their order
	phrases        []phraseSaid
	elsewhere      bool                       // what is told answers another question than was asked
	slipped        string                     // the kind of set phrase that the message is but for a slip of the finger
	bare           bool                       // a figure stands alone that answers nothing asked
	settled        []byteRange                // what is read already, see replaced and announced
	lists          map[string]json.RawMessage // what lists are after what the message has added or taken off
	amendedLast    *obligations.Obligation    // the latest of them
	named          bool                       // something was told beside its name, see namedFigures
	inSentences    []wordRange                // the sentences, once they were asked for
	which          bool                       // something that was noted is called wrong, and it cannot be told what
}

// hear divides the message into what each stretch of it does.
func (r *reader) hear(ctx context.Context) *heard {
	h := &heard{reader: r, values: language.NewReader(r.language())}
	fields := r.fields()
	h.kinds = make([]listening.Type, len(fields))
	for i := range fields {
		h.kinds[i] = fields[i].Type
	}
	h.listen = func(kind listening.Type, wording, text string) listening.Heard {
		said, err := r.listener.Hear(ctx, kind, wording, text)
		if err != nil {
			said.Segments = []listening.Segment{{Act: listening.Answer, To: len(text), Sure: 1}} // the turn is over
		}
		return said
	}
	h.similar = func(a, b string) float64 { return r.listener.Similarity(ctx, a, b) }
	h.kindOfQuestion = func(question string) (listening.QuestionKind, float64) {
		return r.listener.KindOfQuestion(ctx, question)
	}
	h.rate = func(said, near string, options [][]string) []float64 {
		return r.listener.Rate(ctx, said, near, options, h.language())
	}
	h.owners = func(seg *listening.Segment, s *listening.Span) listening.Candidates {
		return r.listener.Candidates(ctx, &h.said, seg, s, fields, true)
	}
	h.odds = func(from, to, of int, believed float64) listening.Fit {
		return r.listener.FitOf(ctx, &h.said, from, to, of, believed, fields)
	}
	h.oddsOf = func(text string, of int, believed float64) listening.Fit {
		alone := h.again(text)
		return r.listener.FitOf(ctx, &alone, 0, len(text), of, believed, fields)
	}
	h.toldOf = func() []listening.Told { return r.listener.Told(ctx, &h.said, fields) }
	kind, wording := listening.None, ""
	asked := r.asked
	if r.purpose() == sessions.ToForm {
		asked = r.firstOpen()
	}
	if asked != nil {
		kind, wording = field.Kind(asked.Template), askedWords(asked.Template)
		if r.purpose() == sessions.ToConfirm {
			kind = listening.Confirmation
		}
	}
	h.again = func(text string) listening.Heard { return h.listen(kind, wording, text) }
	h.said = h.again(r.raw)
	return h
}

// as returns the message from a byte on as it is heard in answer to a question for o.
func (h *heard) as(o *obligations.Obligation, from int) *heard {
	other := h.inAnswerTo(o, strings.Repeat(" ", from)+h.unsettled()[from:])
	other.said.Text = h.said.Text
	return other
}

// heardAlone returns the message as it is heard where only a stretch of it was said, in answer to a question
// for o.
func (h *heard) heardAlone(o *obligations.Obligation, from, to int) *heard {
	return h.inAnswerTo(o, strings.Repeat(" ", from)+h.said.Text[from:to])
}

// inAnswerTo returns a text as it is heard in answer to a question for o.
func (h *heard) inAnswerTo(o *obligations.Obligation, text string) *heard {
	other := *h
	other.said = h.listen(field.Kind(o.Template), askedWords(o.Template), text)
	return &other
}

// unsettled returns the message with blanks for what is read already.
func (h *heard) unsettled() string {
	if len(h.settled) == 0 {
		return h.said.Text
	}
	rest := []byte(h.said.Text)
	for _, r := range h.settled {
		for i := r.from; i < r.to; i++ {
			rest[i] = ' '
		}
	}
	return string(rest)
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

// askedWords are the words of a question with its choices, as the model was trained on
// them.
func askedWords(t *obligations.Template) string {
	if len(t.Choices) == 0 {
		return t.Prompt
	}
	return t.Prompt + " " + strings.Join(field.Labels(t), ", ") + "?"
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

// read goes through the segments: first what they say of earlier answers, then what answers the
// question, then what is told beside it, and at last what the person wants of the talk.
func (h *heard) read() {
	defer h.dropDenied()
	confirming := h.purpose() == sessions.ToConfirm && h.asked != nil
	if confirming && h.isYes() {
		h.out.Intent, h.out.About = chat.Agree, h.asked.Key
		h.acceptBytes(h.asked, 0, len(h.raw))
		return
	}
	if h.onlyRevises(confirming) {
		h.wants()
		return
	}
	h.reconsider()
	h.takeBack(confirming)
	if confirming && !h.told(h.asked.Key) {
		h.plainAssent()
	}
	if confirming {
		h.addsToYes()
	}
	if h.purpose() == sessions.ToForm {
		h.formAnswers()
	}
	h.answered()
	h.toldBeside()
	h.lastResort(confirming)
	h.dated()
	h.choices()
	h.tellByUnit()
	h.refuseUnfit()
	if confirming {
		h.dropUnfit()
		h.choiceInstead()
	}
	h.wants()
	h.saidElsewhere()
	if h.named && h.asked != nil { // what was asked goes before what was told beside it
		slices.SortStableFunc(h.out.Findings, func(a, b obligations.Finding) int {
			return cmp.Compare(btoi(b.Key == h.asked.Key), btoi(a.Key == h.asked.Key))
		})
	}
	if confirming && len(h.out.Findings) == 0 && (h.out.Intent == chat.Agree || h.out.Intent == chat.Disagree) && !h.speaks(h.whole(), "yes", "assent", "no", "deny", "contrast") {
		h.out.Intent = chat.Unclear // it speaks of something else
	}
}

// choiceInstead takes the one other choice that a message says which denies the one that is read back.
func (h *heard) choiceInstead() {
	o := h.asked
	if o == nil || o.Widget != obligations.ChoiceOne || len(o.Choices) < 3 || !h.denied(o.Key) {
		return
	}
	v := field.Pick(o.Template, h.choicesSaid(o.Template, 0, len(h.raw)), 1)
	if v == nil || obligations.SameValue(v, o.Value) {
		return
	}
	c, said := o.Pick(field.Text(v)), h.stemsIn(h.all())
	named := false // and not only meant: "nothing like that"
	for st := range field.Stems(c.Label) {
		named = named || said[st]
	}
	if !named {
		return
	}
	h.notedInstead(o, valueRead{value: v, from: 0, to: len(h.raw), sure: 1})
}

// whole is the message as one segment.
func (h *heard) whole() *listening.Segment {
	return &listening.Segment{From: 0, To: len(h.said.Text)}
}

// onlyRevises reads what the message says of earlier answers in so many words, and reports whether it
// is to be read for nothing else.
func (h *heard) onlyRevises(confirming bool) bool {
	if len(h.words) <= mostSwapped && h.swapped(h.whole()) {
		h.revising = true
		return true
	}
	h.mended()
	if h.recounted() {
		h.revising = true
	}
	if h.struck() {
		h.revising = true
	}
	if h.disclaimed() {
		h.revising = true
	}
	if h.renumbered() {
		h.revising = true
	}
	if h.putIn() {
		h.revising = true
	}
	if h.amended() {
		h.revising = true
	}
	if h.replaced() {
		h.revising = true
	}
	if !confirming && h.revised() {
		h.revising = true
	}
	h.namedFigures()
	switch {
	case !confirming && len(h.settled) == 0 && h.contradictsLast():
		h.revising = true
		return true
	case !confirming:
		h.joinOpening()
		h.announced()
	case h.rejectsAnother():
		h.which = true
		return true
	case h.toldInstead():
		h.revising = true
		return true
	}
	return false
}

// takeBack reads the segments that correct, confirm or deny something.
func (h *heard) takeBack(confirming bool) {
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		if seg.Act == listening.Human && !h.wishesForHuman(seg) {
			seg.Act, seg.Sure = listening.Answer, min(seg.Sure, unsureAnswer)
		}
		if seg.Sure < withholds[seg.Act] && h.spelled(seg.From, seg.To) >= leastTelling && !h.speaks(seg, "withholding") {
			seg.Act, seg.Sure = listening.Answer, min(seg.Sure, unsureAnswer)
		}
		if !h.isSettled(seg.From, seg.To) && h.purpose() != sessions.ToResolve && !(confirming && h.asked.Closed()) && !h.changesMind(seg) {
			seg.Act, seg.Sure = listening.Answer, min(seg.Sure, unsureAnswer) // it takes nothing back
		}
		switch seg.Act {
		case listening.Correction:
			if h.isSettled(seg.From, seg.To) {
				continue
			}
			if !confirming || h.speaks(seg, "no", "deny", "contrast", "amend") {
				h.correction(seg)
			}
		case listening.Confirm:
			h.confirmed(seg, confirming)
		case listening.Deny:
			h.denial(seg, confirming)
		}
	}
}

// toldBeside reads what the segments tell of obligations that were not asked for.
func (h *heard) toldBeside() {
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		switch seg.Act {
		case listening.Answer, listening.Fact, listening.Unknown, listening.Delegate, listening.NoPreference, listening.Skip, listening.Later:
			h.tellOthers(seg)
		case listening.Feeling:
			if hasAnswer(seg) {
				h.tellOthers(seg)
			}
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// answered reads what answers the question.
func (h *heard) answered() {
	if h.asked == nil || !h.asking() || h.purpose() == sessions.ToConfirm {
		return
	}
	if h.reckoned() {
		return
	}
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		whole := len(h.said.Segments) == 1 && seg.Act == listening.Fact && field.Kind(h.asked.Template) == listening.Text // what else would it be
		if !h.told(h.asked.Key) && (whole || seg.Act == listening.Answer || seg.Act != listening.Correction && seg.Act != listening.Deny && seg.Act != listening.Confirm && hasAnswer(seg)) {
			h.answers(seg)
		}
	}
}

// refuseUnfit says what would be right where a short message has a figure or a date that cannot be
// what was asked, and nothing else was understood.
func (h *heard) refuseUnfit() {
	if h.asked == nil || h.purpose() != sessions.ToAsk || len(h.out.Findings)+len(h.out.Refused) > 0 || h.count() > longestReplaced || len(h.phrases) > 0 {
		return
	}
	if len(h.said.Segments) != 1 || answersNothing[h.said.Segments[0].Act] {
		return
	}
	v := valueRead{from: 0, to: len(h.raw)}
	dates := h.values.Dates(h.words, h.scene.Now, language.Ahead)
	switch figures := h.values.Figures(h.words); {
	case h.asked.Widget == obligations.Date && len(dates) > 0 && field.LooksAhead(h.asked.Template) && dates[0].ISO[:4] < h.scene.Now.Format("2006"):
		h.refuse(h.asked.Key, v, messages.Message{Key: "remedy.passed"})
	case h.asked.Widget == obligations.Date && len(dates)+len(figures) > 0, h.asked.Widget == obligations.Number && len(figures) > 0:
		h.refuse(h.asked.Key, v, chat.RemedyOf(h.asked.Template))
	}
}

// doubtOthers holds in doubt what was said for a choice and is none of them: it is read back
// before it counts.
func (r *reader) doubtOthers() {
	for i := range r.out.Findings {
		f := &r.out.Findings[i]
		told := f.Evidence.Kind == obligations.Stated && (f.Act == obligations.Tell || f.Act == obligations.Correct)
		if o := r.find(f.Key); o != nil && told && len(o.Choices) > 0 && !field.OfChoices(o.Template, f.Value) {
			doubt := obligations.Confidence(mostDoubtful)
			f.Grade.Fit = &doubt
		}
	}
}

// choices looks through what is told for choices of other obligations.
func (h *heard) choices() {
	for i := range h.said.Segments {
		if seg := &h.said.Segments[i]; seg.Act == listening.Answer || seg.Act == listening.Fact {
			h.tellChoices(seg)
			h.tellYesNo(seg)
		}
	}
	h.tellHeard()
}

// askable reports whether the last question wanted a value.
func (r *reader) askable() bool {
	return r.purpose() == sessions.ToAsk || r.purpose() == sessions.ToConfirm || r.purpose() == sessions.ToResolve
}

// asking reports whether the last question wanted a value, alone or in a form.
func (h *heard) asking() bool { return h.askable() || h.purpose() == sessions.ToForm }

// hasAnswer reports whether a value is marked in a segment that answers what was asked.
func hasAnswer(seg *listening.Segment) bool {
	return slices.ContainsFunc(seg.Values, func(s listening.Span) bool { return s.Answers })
}

// answers reads a segment as an answer to what was asked.
func (h *heard) answers(seg *listening.Segment) {
	if h.strayFigure(seg) {
		return
	}
	t := h.asked.Template
	seg = h.thatFits(seg)
	v := h.valueIn(t, seg, true)
	if v.value == nil || h.answersAnother(v, seg) || t.Closed() && len(t.Choices) == 0 && h.putAs(v) {
		return
	}
	h.noteFitting(t.Key, v, obligations.Tell, fitOf(seg.Sure, v.sure))
}

// putAs reports whether a figure or date stands in a sentence that asks something, and others stand
// beside it: "Which 15 January? I said December".
func (h *heard) putAs(v valueRead) bool {
	list := h.sentences()
	for _, s := range list {
		if h.words[s.from].From <= v.from && v.from < h.words[s.to-1].To {
			return len(list) > 1 && h.asksIn(s) && language.IsWord("asks", h.folded()[s.from])
		}
	}
	return false
}

// withholds are the acts of who does not answer, and how sure each must be of a sentence of that many
// words without any that says so: it rather tells something, "they struggle with the forms".
var withholds = map[listening.Act]float64{listening.Unknown: 0.9, listening.NoPreference: 0.9, listening.Skip: 0.9, listening.Later: surelyTalk}

const leastTelling = 6

// unsureAnswer is how sure it is that a stretch answers that was heard as a correction.
const unsureAnswer = 0.5

// language returns the language of the session.
func (r *reader) language() string { return chat.LanguageOf(r.scene) }

// plain reads a stretch as a value of t, whatever it was heard as.
func (h *heard) plain(t *obligations.Template, from, to int) valueRead {
	kind := field.Kind(t)
	seg := &listening.Segment{Act: listening.Answer, From: from, To: to}
	if t.Widget == obligations.Text && kind == listening.Text {
		return h.statement(t, from, to)
	}
	return h.valueOf(t, kind, []listening.Span{{Type: kind, From: from, To: to, Sure: 1, Yes: 1}}, seg)
}
