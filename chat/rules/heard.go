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

	listen  func(listening.Type, string, string) listening.Heard
	similar func(a, b string) float64 // how close two texts are in meaning
	owners  func(*listening.Segment, *listening.Span) listening.Candidates
	said    listening.Heard
	words   []language.Word
	values  *language.Reader
	kinds   []listening.Type // of the scene's obligations, in their order
	phrases []phraseSaid
	which   bool // something that was noted is called wrong, and it cannot be told what
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
	h.owners = func(seg *listening.Segment, s *listening.Span) listening.Candidates {
		return r.listener.Candidates(ctx, &h.said, seg, s, fields, h.language() != "en")
	}
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
	h.said = h.listen(kind, wording, r.u.raw)
	return h
}

// as returns the message from a byte on as it is heard in answer to a question for o.
func (h *heard) as(o *obligations.Obligation, from int) *heard {
	other := *h
	other.said = h.listen(kindOf(o.Template), askedWords(o.Template), strings.Repeat(" ", from)+h.said.Text[from:])
	return &other
}

// typed reports whether the message is read by what was learned from examples: where the
// objective says what types its values have, and in languages that the tables do not know.
func (h *heard) typed() bool {
	if h.language() != "en" {
		return true
	}
	typed := 0
	for i := range h.scene.Obligations {
		if h.scene.Obligations[i].ValueType != "" {
			typed++
		}
	}
	return 2*typed > len(h.scene.Obligations)
}

// How sure it must be that a stretch is no answer, for the tables to leave it alone: more
// for what tables of set phrases would know. They are as low as the tests of answers that
// look like remarks allow.
const (
	surelyAside = 0.92
	surelyWants = 0.97
	fewWords    = 4
	longRemark  = 80 // bytes of a complaint that may well tell something

	encodedAside = 0.45 // beside an open question, with the encoder
)

// besideText are acts that tell nothing of what an open question asks for.
var besideText = map[listening.Act]bool{listening.Question: true, listening.Complaint: true, listening.Human: true, listening.Topic: true, listening.Shorter: true, listening.SmallTalk: true, listening.Feeling: true}

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

// aside returns what a segment wants that tells nothing, where that is sure.
func (h *heard) aside(seg *listening.Segment) (mark, bool) {
	m, ok := h.intentOf(seg)
	if !ok {
		return mark{}, false
	}
	if h.listener.Encoded() && h.asked != nil && h.asked.Widget == obligations.Text && besideText[seg.Act] {
		return m, seg.Sure >= encodedAside && (!h.starred(seg) || seg.Sure >= surelyTalk)
	}
	if h.starred(seg) {
		return mark{}, false
	}
	switch seg.Act {
	case listening.Question, listening.Complaint, listening.Human, listening.Topic, listening.Shorter:
		if len(h.words) <= fewWords || seg.Act == listening.Complaint && seg.To-seg.From > longRemark {
			return m, seg.Sure >= surelyWants // most short answers look like remarks
		}
		return m, seg.Sure >= surelyAside
	case listening.SmallTalk, listening.Feeling, listening.Gibberish:
		return m, seg.Sure >= surelyWants && len(h.words) > fewWords
	case listening.Answer, listening.Fact, listening.Correction, listening.Confirm, listening.Deny, listening.Stop, listening.LookUp, listening.Delegate, listening.Unknown, listening.NoPreference, listening.Skip, listening.Later, listening.Repeat, listening.Examples:
		// the tables know the set phrases of these
	}
	return mark{}, false
}

// setPhrases takes for what they are the stretches that are said in set phrases: those
// are closed, and surer than what is learned.
func (h *heard) setPhrases() {
	h.closedPhrases()
	if h.language() != "en" {
		return
	}
	if h.u.idle(0, len(h.u.words)) {
		h.said.Segments = []listening.Segment{{Act: listening.Gibberish, From: 0, To: len(h.said.Text), Sure: 1}}
	}
	closing := (h.purpose() == sessions.ToConfirm || h.purpose() == sessions.ToFinish) && len(h.content()) == 0
	for _, p := range h.parts {
		act, ok := actOf(p.mark)
		if h.purpose() == sessions.ToConfirm && p.mark.intent == chat.Finish && p.len() <= 4 { // "that's it"
			act = listening.Confirm
		}
		if !p.marked || !ok || !closing && (act == listening.Confirm || act == listening.Deny) || p.mark.excuse {
			continue
		}
		from, to := h.u.words[p.from].start, h.u.words[p.to-1].end
		h.phrases = append(h.phrases, phraseSaid{from, to, p.mark})
		h.said.Set(from, to, act)
	}
}

// closedPhrases takes for what they are the clauses that stand in a lexicon.
func (h *heard) closedPhrases() {
	var folded []string
	begun := 0
	for i := 0; i <= len(h.words); i++ {
		if i < len(h.words) && !strings.ContainsAny(h.words[i].Text, ",.;:!?\n") {
			folded = append(folded, language.Fold(h.words[i].Text))
			continue
		}
		for _, l := range language.Lexicons() {
			if act, ok := listening.ActNamed(l.Said(strings.Join(folded, " "))); ok && len(folded) > 0 {
				h.said.Set(h.words[begun].From, h.words[i-1].To, act)
				break
			}
		}
		begun, folded = i+1, nil
	}
}

// phraseSaid is a set phrase that was said, and what it wants.
type phraseSaid struct {
	from, to int
	mark     mark
}

// phraseAt returns the set phrase that a segment is, if it is one.
func (h *heard) phraseAt(seg *listening.Segment) (mark, bool) {
	for _, p := range h.phrases {
		if seg.From < p.to && p.from < seg.To {
			return p.mark, true
		}
	}
	return mark{}, false
}

// actOf returns the act of what set phrases want.
func actOf(m mark) (listening.Act, bool) {
	switch m.intent {
	case chat.AskWhy, chat.AskMemory, chat.AskProgress, chat.AskMeta:
		return listening.Question, true
	case chat.AskHelp:
		if m.examples {
			return listening.Examples, true
		}
		return listening.Question, true
	case chat.AskRepeat:
		return listening.Repeat, true
	case chat.SkipThis:
		return listening.Skip, true
	case chat.Later:
		return listening.Later, true
	case chat.Leave, chat.Finish:
		return listening.Stop, true
	case chat.DontKnow:
		return listening.Unknown, true
	case chat.Agree:
		return listening.Confirm, true
	case chat.Disagree:
		return listening.Deny, true
	case chat.SmallTalk:
		return listening.SmallTalk, true
	case chat.OffTopic:
		return listening.Complaint, true
	case chat.AskResearch:
		return listening.LookUp, true
	}
	return 0, false
}

// form reads the answer to a form that is filled in by the names of its fields or in their
// order.
func (h *heard) form() bool {
	if h.language() != "en" || !h.labelled() {
		return false
	}
	h.converse()
	if len(h.out.Findings)+len(h.out.Refused) > 0 {
		return true
	}
	h.out.Intent, h.out.About = "", ""
	return false
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

// doubted holds in doubt an open text that was taken for the answer and sounds like something
// else: it is read back before it counts.
func (h *heard) doubted() {
	if h.asked == nil || h.purpose() != sessions.ToAsk {
		return
	}
	least := likelyTalk
	if h.listener.Encoded() {
		least = surely
	}
	for i := range h.out.Findings {
		f := &h.out.Findings[i]
		from := strings.Index(h.said.Text, f.Evidence.Quote)
		if f.Key != h.asked.Key || f.Act != obligations.Tell || from < 0 || h.asked.Widget != obligations.Text && (len(h.asked.Choices) == 0 || ofChoices(h.asked.Template, f.Value)) {
			continue
		}
		nothing, all := 0, 0
		for _, w := range h.words {
			if w.From < from || w.To > from+len(f.Evidence.Quote) {
				continue
			}
			all++
			if seg := h.segmentAt(w.From); seg != nil && !h.starred(seg) && (answersNothing[seg.Act] && seg.Sure >= least || h.listener.Encoded() && seg.Act == listening.Answer && seg.Sure < 0.5) {
				nothing++
			}
		}
		if 2*nothing > all {
			doubt := obligations.Confidence(mostDoubtful)
			f.Grade.Fit = &doubt
		}
	}
}

// beside notes what comes beside that tells nothing.
func (h *heard) beside() {
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		if m, ok := h.intentOf(seg); ok {
			h.out.Beside = append(h.out.Beside, chat.Remark{Intent: m.intent, Act: seg.Act.String(), Text: h.said.Text[seg.From:seg.To]})
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
	if h.language() == "en" && !confirming && len(h.out.Findings) == 0 && (h.correct() || h.purpose() == sessions.ToFinish && h.onTop()) {
		h.more()
		return
	}
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		switch seg.Act {
		case listening.Correction:
			h.correction(seg)
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
}

// answered reads what answers the question, and what announces itself by its words.
func (h *heard) answered(confirming bool) {
	var claims []claim
	if content := h.contentIn(listening.Answer, listening.Fact); len(content) > 0 {
		claims = h.reserve(content, h.reader.claims(content))
	}
	asked := h.asked != nil && h.asking() && !confirming
	answer := h.contentIn(listening.Answer)
	tables := asked && h.asked.Closed() && h.askable() && len(answer) > 0 && h.language() == "en"
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		if asked && !h.told(h.asked.Key) && (seg.Act == listening.Answer || seg.Act != listening.Correction && seg.Act != listening.Deny && seg.Act != listening.Confirm && h.starred(seg)) {
			h.answers(seg, claims)
		}
	}
	if tables && !h.told(h.asked.Key) && !h.refused(h.asked.Key) {
		h.answerAsked(answer, claims)
	}
	h.noteClaims(claims)
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
}

// asking reports whether the last question wanted a value, alone or in a form.
func (h *heard) asking() bool { return h.askable() || h.purpose() == sessions.ToForm }

func (h *heard) starred(seg *listening.Segment) bool {
	return slices.ContainsFunc(seg.Values, func(s listening.Span) bool { return s.Answers })
}

// answers reads a segment as an answer to what was asked.
func (h *heard) answers(seg *listening.Segment, claims []claim) {
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

// lastResort reads the whole message as the answer, in doubt, when nothing was understood and
// it is not surely anything else.
func (h *heard) lastResort(confirming bool) {
	if h.asked == nil || confirming || !h.asking() || h.told(h.asked.Key) || h.refused(h.asked.Key) {
		return
	}
	if h.namedChoice() || h.toldAgain() || len(h.out.Findings) > 0 {
		return
	}
	whole := &listening.Segment{Act: listening.Answer, From: 0, To: len(h.said.Text), Sure: 0.5}
	for i := range h.said.Segments {
		s := &h.said.Segments[i]
		whole.Values = append(whole.Values, s.Values...)
		if _, set := h.phraseAt(s); set || answersNothing[s.Act] && s.Sure >= surelyTalk {
			return
		}
	}
	v := h.valueIn(h.asked.Template, whole, true)
	switch text := !h.asked.Closed() && kindOf(h.asked.Template) == listening.Text; {
	case v.value == nil, len(h.words) > mostUnsure, len(h.words) > shortTalk && !text && !v.spanned:
	default:
		h.note(h.asked.Key, v, obligations.Tell, fitOf(0.5, 0.9))
	}
}

// answersNothing are the acts that answer nothing.
var answersNothing = map[listening.Act]bool{listening.Question: true, listening.Complaint: true, listening.Stop: true, listening.Human: true, listening.Topic: true, listening.LookUp: true, listening.Skip: true,
	listening.Later: true, listening.Unknown: true, listening.Delegate: true, listening.Repeat: true, listening.Examples: true, listening.Shorter: true, listening.Correction: true, listening.NoPreference: true,
	listening.SmallTalk: true, listening.Feeling: true, listening.Gibberish: true}

// How sure it must be that words answer nothing, for them not to be put to the person as
// their answer; and how long, in words, what is put so may be.
const (
	surelyTalk = 0.6
	likelyTalk = 0.75 // the same, where tables took them for the answer
	mostUnsure = 40
	shortTalk  = 6
)

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
