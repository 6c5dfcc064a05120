package rules

import (
	"cmp"
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

	listen         func(listening.Type, string, string) listening.Heard
	again          func(text string) listening.Heard // hears text in answer to what was asked
	similar        func(a, b string) float64         // how close two texts are in meaning
	rate           func(said, near string, options [][]string) []float64
	kindOfQuestion func(question string) (listening.QuestionKind, float64)
	owners         func(*listening.Segment, *listening.Span) listening.Candidates
	toldOf         func() []listening.Told // what the message tells of open obligations that were not asked for
	said           listening.Heard
	words          []language.Word
	foldedWords    []string // see folded
	values         *language.Reader
	kinds          []listening.Type // of the scene's obligations, in their order
	phrases        []phraseSaid
	bare           bool        // a figure stands alone that answers nothing asked
	settled        []byteRange // what is read already, see replaced and announced
	named          bool        // something was told beside its name, see namedFigures
	which          bool        // something that was noted is called wrong, and it cannot be told what
}

// hear divides the message into what each stretch of it does.
func (r *reader) hear(ctx context.Context) *heard {
	h := &heard{reader: r, words: language.Words(r.u.raw), values: language.NewReader(r.language())}
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
		return r.listener.Rate(ctx, said, near, options, h.language() != "en")
	}
	h.owners = func(seg *listening.Segment, s *listening.Span) listening.Candidates {
		return r.listener.Candidates(ctx, &h.said, seg, s, fields, h.language() != "en")
	}
	h.toldOf = func() []listening.Told { return r.listener.Told(ctx, &h.said, fields) }
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
	h.again = func(text string) listening.Heard { return h.listen(kind, wording, text) }
	h.said = h.again(r.u.raw)
	return h
}

// as returns the message from a byte on as it is heard in answer to a question for o.
func (h *heard) as(o *obligations.Obligation, from int) *heard {
	other := *h
	other.said = h.listen(kindOf(o.Template), askedWords(o.Template), strings.Repeat(" ", from)+h.unsettled()[from:])
	other.said.Text = h.said.Text
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

// form reads the answer to a form that is filled in by the names of its fields, or piece by
// piece: in English, where pieces are told apart.
func (h *heard) form() bool {
	if h.language() != "en" || !h.labelled() && !h.piecemeal() {
		return false
	}
	h.converse()
	if len(h.out.Findings)+len(h.out.Refused) > 0 {
		return true
	}
	h.out.Intent, h.out.About = "", ""
	return false
}

// piecemeal reports whether the message is a few short pieces, none of which does anything
// but answer, or leave a field out.
func (h *heard) piecemeal() bool {
	if len(h.words) > mostPieces {
		return false
	}
	for i := range h.said.Segments {
		switch s := &h.said.Segments[i]; s.Act {
		case listening.Question, listening.Complaint, listening.Correction, listening.Deny, listening.Feeling, listening.Topic, listening.Human, listening.Shorter, listening.Repeat, listening.Examples, listening.LookUp:
			if s.Sure >= surely {
				return false
			}
		case listening.Answer, listening.Fact, listening.Confirm, listening.Unknown, listening.NoPreference, listening.Delegate, listening.Skip, listening.Later, listening.Stop, listening.SmallTalk, listening.Gibberish:
		}
	}
	return true
}

// mostPieces bounds, in words, what is read piece by piece.
const mostPieces = 24

// segmentAt returns the segment that byte at is in, or nil.
func (h *heard) segmentAt(at int) *listening.Segment {
	for i := range h.said.Segments {
		if s := &h.said.Segments[i]; at >= s.From && at < s.To {
			return s
		}
	}
	return nil
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
			if found == 0 || len(h.said.Segments) > 1 { // else all of it is read
				h.tellOthers(seg)
			}
		case listening.Question, listening.Unknown, listening.NoPreference, listening.Skip, listening.Later, listening.Topic, listening.Repeat, listening.Examples, listening.Shorter, listening.Stop, listening.Human, listening.LookUp, listening.Feeling, listening.Complaint, listening.SmallTalk, listening.Gibberish:
		}
	}
	h.beside()
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
	defer h.dropDenied()
	confirming := h.purpose() == sessions.ToConfirm && h.asked != nil
	if len(h.words) <= mostPieces && h.swapped(&listening.Segment{From: 0, To: len(h.said.Text)}) {
		h.revising = true
		h.wants()
		return
	}
	if h.replaced() {
		h.revising = true
	}
	h.namedFigures()
	if !confirming {
		h.joinOpening()
		h.announced()
	} else if h.rejectsAnother() {
		h.which = true
		h.wants()
		return
	} else if h.toldInstead() {
		h.revising = true
		h.wants()
		return
	}
	if h.language() == "en" && !confirming && len(h.out.Findings) == 0 && (h.correct() || h.purpose() == sessions.ToFinish && h.onTop()) {
		h.more()
		return
	}
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
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
		case listening.Answer, listening.Fact, listening.Feeling, listening.Unknown, listening.Delegate, listening.NoPreference, listening.Skip, listening.Later, listening.Question, listening.Topic, listening.Repeat, listening.Examples, listening.Shorter, listening.Stop, listening.Human, listening.LookUp, listening.Complaint, listening.SmallTalk, listening.Gibberish:
		}
	}
	if confirming && !h.told(h.asked.Key) {
		h.plainAssent()
	}
	if h.purpose() == sessions.ToForm {
		h.formAnswers()
	}
	h.answered(confirming)
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		switch seg.Act {
		case listening.Answer, listening.Fact, listening.Unknown, listening.Delegate, listening.NoPreference, listening.Skip, listening.Later:
			h.tellOthers(seg)
		case listening.Feeling:
			if h.starred(seg) {
				h.tellOthers(seg)
			}
		case listening.Correction, listening.Confirm, listening.Deny, listening.Question, listening.Topic, listening.Repeat, listening.Examples, listening.Shorter, listening.Stop, listening.Human, listening.LookUp, listening.Complaint, listening.SmallTalk, listening.Gibberish:
		}
	}
	h.lastResort(confirming)
	h.choices()
	h.wants()
	if h.named && h.asked != nil { // what was asked goes before what was told beside it
		slices.SortStableFunc(h.out.Findings, func(a, b obligations.Finding) int {
			return cmp.Compare(btoi(b.Key == h.asked.Key), btoi(a.Key == h.asked.Key))
		})
	}
	all := &listening.Segment{From: 0, To: len(h.said.Text)}
	if confirming && len(h.out.Findings) == 0 && (h.out.Intent == chat.Agree || h.out.Intent == chat.Disagree) && !h.speaks(all, "yes", "assent", "no", "deny", "contrast") {
		h.out.Intent = chat.Unclear // it speaks of something else
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// answered reads what answers the question, and what announces itself by its words.
func (h *heard) answered(confirming bool) {
	var claims []claim
	content := h.contentIn(listening.Answer, listening.Fact)
	if len(content) == 0 && h.language() == "en" && !strings.Contains(h.u.raw, "?") {
		content = h.content() // what announces itself by its words is told, whatever it sounds like
	}
	if len(content) > 0 {
		claims = h.reserve(content, h.reader.claims(content))
	}
	asked := h.asked != nil && h.asking() && !confirming
	answer := h.contentIn(listening.Answer)
	tables := asked && h.asked.Closed() && h.askable() && len(answer) > 0 && h.language() == "en"
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		whole := len(h.said.Segments) == 1 && seg.Act == listening.Fact && h.asked != nil && kindOf(h.asked.Template) == listening.Text // what else would it be
		if asked && !h.told(h.asked.Key) && (whole || seg.Act == listening.Answer || seg.Act != listening.Correction && seg.Act != listening.Deny && seg.Act != listening.Confirm && h.starred(seg)) {
			h.answers(seg, claims)
		}
	}
	if tables && !h.bare && !h.told(h.asked.Key) && !h.refused(h.asked.Key) {
		h.answerAsked(answer, claims)
	}
	h.noteClaims(claims)
}

// doubtOthers holds in doubt what was said for a choice and is none of them: it is read back
// before it counts.
func (r *reader) doubtOthers() {
	for i := range r.out.Findings {
		f := &r.out.Findings[i]
		told := f.Evidence.Kind == obligations.Stated && (f.Act == obligations.Tell || f.Act == obligations.Correct)
		if o := r.find(f.Key); o != nil && told && len(o.Choices) > 0 && !ofChoices(o.Template, f.Value) {
			doubt := obligations.Confidence(mostDoubtful)
			f.Grade.Fit = &doubt
		}
	}
}

// refused reports whether something was said of key that cannot be taken as it is.
func (h *heard) refused(key string) bool {
	return slices.ContainsFunc(h.out.Refused, func(a chat.InvalidAnswer) bool { return a.Key == key })
}

// contentIn returns the clauses that are no set phrase, as far as they lie in segments of
// some acts.
func (h *heard) contentIn(acts ...listening.Act) []clause {
	var out []clause
	for _, c := range h.content() {
		begun := -1
		for i := c.from; i <= c.to; i++ {
			in := false
			if i < c.to {
				seg := h.segmentAt(h.u.words[i].start)
				in = seg != nil && slices.Contains(acts, seg.Act)
			}
			switch {
			case in && begun < 0:
				begun = i
			case !in && begun >= 0:
				out = append(out, clause{from: begun, to: i, ends: c.ends && i == c.to})
				begun = -1
			}
		}
	}
	return out
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

// asking reports whether the last question wanted a value, alone or in a form.
func (h *heard) asking() bool { return h.askable() || h.purpose() == sessions.ToForm }

func (h *heard) starred(seg *listening.Segment) bool {
	return slices.ContainsFunc(seg.Values, func(s listening.Span) bool { return s.Answers })
}

// answers reads a segment as an answer to what was asked.
func (h *heard) answers(seg *listening.Segment, claims []claim) {
	if h.strayFigure(seg) {
		return
	}
	t := h.asked.Template
	v := h.valueIn(t, seg, true)
	if v.value == nil {
		return
	}
	if t.Widget == obligations.Text && kindOf(t) == listening.Text {
		if v = h.without(v, claims); v.value == nil {
			return
		}
	}
	h.note(t.Key, v, obligations.Tell, fitOf(seg.Sure, v.sure))
}

// without cuts from an open text the clauses at its ends that tell something else.
func (h *heard) without(v valueRead, claims []claim) valueRead {
	content := h.contentIn(listening.Answer, listening.Fact)
	kept := h.kept(content, claims)
	if len(claims) == 0 || len(kept) == len(content) {
		return v
	}
	from, to := h.wordsOf(v.from, v.to)
	kept = slices.DeleteFunc(kept, func(c clause) bool { return c.to <= from || c.from >= to })
	if len(kept) == 0 {
		return valueRead{}
	}
	got := h.u.readText(&obligations.Template{Widget: obligations.Text}, max(from, kept[0].from), min(to, kept[len(kept)-1].to))
	if got.value == nil {
		return valueRead{}
	}
	start, end := h.u.extent(got.from, got.to)
	v.value, v.from, v.to = encode(trimmed(h.u.raw[start:end])), start, end
	return v
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
	if fit == 0 && act == obligations.Tell {
		fit = reliability[kindOf(o.Template)]
	}
	if fit > 0 {
		g.Fit = &fit
	}
	h.add(obligations.Finding{Key: key, Act: act, Value: v.value, Evidence: e, Grade: g})
	return true
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
