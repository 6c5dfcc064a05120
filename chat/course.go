package chat

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/sessions"
)

// The course of an interview beside its questions: what a person hears who has little time,
// what was learnt is read back before the last part, and the person may name what nobody
// asked for. [sessions.Course] keeps what of that is done.

// hurriedQuestions is how many questions a person who has little time is asked before they are
// offered to stop: what matters most, and few enough for five minutes.
const hurriedQuestions = 3

// hurriedStart is the last turn in which whoever has little time and tells something wants to begin, and not to leave.
const hurriedStart = 2

// How people say that they have little time. The second needs more than its words: "no time for marketing" is an
// answer.
const (
	hurried    language.Pattern = "hurry"
	littleTime language.Pattern = "little-time"
	timeFor    language.Pattern = "time-for" // behind littleTime, what it is for
	leavesAt   language.Pattern = "leaves-at"
	everyDay   language.Pattern = "every-day" // they leave then whatever the talk is
)

// readHurry notes that the person has little time, unless they said so before or it answers
// what was asked.
func readHurry(s *Scene, u Understanding) Understanding {
	if s.Memory.Course.Hurry > 0 || !saysHurry(s.Message) || slices.ContainsFunc(u.Findings, func(f obligations.Finding) bool {
		return (hurried.In(f.Evidence.Quote) || leavesAt.In(f.Evidence.Quote)) && aboutTime(s, f.Key)
	}) {
		return u
	}
	u.Signals.Course.Hurry = max(s.Turn, 1)
	var told []obligations.Finding
	for _, f := range u.Findings {
		if f.Act == obligations.Tell && saysHurry(f.Evidence.Quote) {
			rest, ok := withoutHurry(s, f)
			if !ok {
				continue
			}
			f.Value = rest
		}
		told = append(told, f)
	}
	u.Findings = told
	if len(u.Findings) > 0 && u.Intent == Leave && s.Turn <= hurriedStart { // "we mend nets. Ten minutes before my bus, go"
		u.Intent = Answer
	}
	if len(u.Findings) == 0 && (u.Intent == Answer || u.Intent == Unclear || u.Intent == Leave && leavesAt.In(s.Message)) {
		u.Intent = SmallTalk
	}
	return u
}

// saysHurry reports whether a message says that its author has little time.
func saysHurry(message string) bool {
	if hurried.In(message) || leavesAt.In(message) && !everyDay.In(message) {
		return true
	}
	from, to := littleTime.At(message)
	return from >= 0 && !timeFor.In(message[to:])
}

// clauses part what is told from what is said of the time.
var clauses = regexp.MustCompile(`[^.!?;,\n]+`)

// withoutHurry returns the value of f without the clauses that speak of the time there is: for a
// text the longest stretch of others. ok is false where nothing else is told.
func withoutHurry(s *Scene, f obligations.Finding) (rest json.RawMessage, ok bool) {
	o := obligations.Find(s.Obligations, f.Key)
	if o == nil || o.Widget != obligations.Text {
		return f.Value, len(clauses.FindAllString(f.Evidence.Quote, -1)) > 1
	}
	var text, best string
	if json.Unmarshal(f.Value, &text) != nil {
		return f.Value, true
	}
	from := -1
	for _, at := range append(clauses.FindAllStringIndex(text, -1), nil) {
		switch {
		case at != nil && !saysHurry(text[at[0]:at[1]]):
			if from < 0 {
				from = at[0]
			}
			if stretch := strings.TrimSpace(text[from:at[1]]); len(stretch) > len(best) {
				best = stretch
			}
		default:
			from = -1
		}
	}
	if best == "" || saysHurry(best) || language.IsWord("goahead", strings.ReplaceAll(language.FoldWords(best), " ", "_")) || language.IsWord("asks", language.Words(best)[0].Text) { // "what do you need"
		return nil, false
	}
	rest, err := json.Marshal(best)
	return rest, err == nil
}

// aboutTime reports whether the obligation of key is for a figure or a date.
func aboutTime(s *Scene, key string) bool {
	o := obligations.Find(s.Obligations, key)
	return o != nil && (o.Widget == obligations.Number || o.Widget == obligations.Date)
}

// hurry returns whether the person has little time, as of this turn, and how many questions
// they were asked since they said so.
func (d *decision) hurry() (hurried bool, asked int) {
	since := max(d.scene.Memory.Course.Hurry, d.plan.Understanding.Signals.Course.Hurry)
	for i := range d.plan.List {
		if o := &d.plan.List[i]; o.Attempts > 0 && o.LastTurn >= since {
			asked++
		}
	}
	return since > 0 && !d.scene.Memory.Course.Offered, asked
}

// readFinishYes reads the answer to the offer to close or, for who has little time, to stop. A
// yes is one however it goes on ("yes, that will do"), and whoever is offered to stop and does
// not goes on.
func readFinishYes(s *Scene, u Understanding) Understanding {
	if s.Asked == nil || s.Asked.Purpose != sessions.ToFinish || len(s.Asked.Missing) > 0 || len(u.Findings) > 0 {
		return u
	}
	switch {
	case slices.Contains([]Intent{Unclear, Answer, Leave, SmallTalk, OffTopic}, u.Intent) && plainYes(s.Message):
		u.Intent = Agree
	case !s.Asked.Pause:
	case slices.Contains([]Intent{SkipThis, Later, Unclear, Answer, SmallTalk}, u.Intent):
		u.Intent = Disagree
	case u.Intent == Finish:
		u.Intent = Agree
	}
	return u
}

// plainYes reports whether a message begins with a yes and takes nothing of it back.
func plainYes(message string) bool {
	words := language.Words(message)
	if len(words) == 0 || !language.IsWord("yes", words[0].Text) {
		return false
	}
	return !slices.ContainsFunc(words, func(w language.Word) bool {
		return language.IsWord("contrast", w.Text) || language.IsWord("no", w.Text) && !language.IsWord("yes", w.Text)
	})
}

// pause offers a person who has little time to stop, once what matters most was asked.
func (d *decision) pause() bool {
	now, asked := d.hurry()
	if !now || asked < hurriedQuestions || len(d.ranked) == 0 || d.plan.Completeness.Met {
		return false
	}
	d.plan.Question = &sessions.Question{Purpose: sessions.ToFinish, Pause: true, Prompt: MessagesOf(d.scene).Text("finish.pause", nil), Attempt: 1}
	d.plan.Course.Offered = true
	d.because.Sentence = "The person has little time, and what matters most was asked."
	return true
}

// leastCourse is from how many obligations an interview has a course that is worth saying: five
// questions need no agenda, and no summary on the way.
const leastCourse = 10

// Short reports whether an interview is too short for an agenda, and for summaries on the way.
func Short(list []obligations.Obligation) bool { return len(list) < leastCourse }

// Bounds of what is read back: fewer values are not worth a question, more are no summary.
const (
	leastReadBack = 3
	mostReadBack  = 5
)

// approve reads back what counts most of what was learnt, before the last part of the
// interview, and asks whether it is right.
func (d *decision) approve() bool {
	s, p := d.scene, d.plan
	now, _ := d.hurry()
	if Short(s.Obligations) || s.Memory.Course.Approved || p.Phase != sessions.Validation || now || d.allowed.left <= scarceQuestions || StyleOf(s.Memory.Note(p.Understanding.Signals)).Brief {
		return false
	}
	about := worthReadingBack(p.List)
	if len(about) < leastReadBack {
		return false
	}
	p.Question = &sessions.Question{Purpose: sessions.ToApprove, About: about, Prompt: MessagesOf(s).Text("approve", nil), Attempt: 1}
	p.Course.Approved = true
	d.because.Sentence = "Most is known: what counts is read back before the rest is asked."
	return true
}

// worthReadingBack returns the keys of the values that count most, in the order of the
// objective: by priority, those said least plainly first.
func worthReadingBack(list []obligations.Obligation) []string {
	var held []*obligations.Obligation
	for i := range list {
		if o := &list[i]; o.Value != nil && !o.Proposed() && !o.Hinted() && o.Status != obligations.Skipped {
			held = append(held, o)
		}
	}
	slices.SortStableFunc(held, func(a, b *obligations.Obligation) int {
		if a.Priority != b.Priority {
			return b.Priority - a.Priority
		}
		return int(a.Confidence) - int(b.Confidence)
	})
	held = held[:min(len(held), mostReadBack)]
	var keys []string
	for i := range list {
		if slices.ContainsFunc(held, func(o *obligations.Obligation) bool { return o.Key == list[i].Key }) {
			keys = append(keys, list[i].Key)
		}
	}
	return keys
}

// readApproval reads the answer to what was read back: a yes confirms what the reply named
// word for word; a no that says no more is asked what is wrong, once.
func readApproval(s *Scene, u Understanding) Understanding {
	if s.Asked == nil || s.Asked.Purpose != sessions.ToApprove {
		return u
	}
	if u.Intent == Agree && len(u.Findings) == 0 {
		u.Findings = confirmations(s)
	}
	return u
}

// confirmations are the findings of a yes to what was read back.
func confirmations(s *Scene) []obligations.Finding {
	said := s.LastReply()
	span, quote, ok := obligations.Locate(s.Message, strings.TrimSpace(s.Message))
	if said == nil || !ok {
		return nil
	}
	var out []obligations.Finding
	for _, key := range s.Asked.About {
		o := obligations.Find(s.Obligations, key)
		if o == nil || o.Value == nil || !strings.Contains(said.Content, Quotable(ValueInWords(o.Template, o.Value), MaxQuoted)) {
			continue
		}
		e := obligations.Evidence{Kind: obligations.Accepted, Message: s.MessageID(), Span: &span, Quote: quote, By: s.Person, Proposal: &obligations.Proposal{Value: o.Value, Message: said.ID()}}
		out = append(out, obligations.Finding{Key: key, Act: obligations.Confirm, Value: o.Value, Evidence: e, Grade: obligations.Grade{Kind: e.Kind}, Source: "conversation", Reason: "the person agreed to what was read back"})
	}
	return out
}

// LastReply returns the latest message of the interviewer, or nil.
func (s *Scene) LastReply() *sessions.Message {
	for i := len(s.Transcript) - 1; i >= 0; i-- {
		if s.Transcript[i].Role == sessions.FromAssistant {
			return &s.Transcript[i]
		}
	}
	return nil
}

// amend asks what is wrong with what was read back, where the person said no and nothing else.
func (d *decision) amend() bool {
	asked, u := d.scene.Asked, &d.plan.Understanding
	if asked == nil || asked.Purpose != sessions.ToApprove || asked.Attempt > 1 || u.Intent != Disagree || len(d.plan.Changes) > 0 {
		return false
	}
	d.plan.Question = &sessions.Question{Purpose: sessions.ToApprove, Prompt: MessagesOf(d.scene).Text("approve.what", nil), Attempt: 2}
	d.because.Sentence = "Something that was read back is not right."
	return true
}

// widen asks, before the end, for what nobody asked for.
func (d *decision) widen() bool {
	s := d.scene
	now, _ := d.hurry()
	if Short(s.Obligations) || s.Memory.Course.Widened || now || d.allowed.left <= tellQuestions || StyleOf(s.Memory.Note(d.plan.Understanding.Signals)).Brief {
		return false
	}
	d.plan.Question = &sessions.Question{Purpose: sessions.ToWiden, Prompt: MessagesOf(s).Text("widen", nil), Attempt: 1}
	d.plan.Course.Widened = true
	d.because.Sentence = "Everything was asked that was planned."
	return true
}

// leastWidened is from how many words an answer to what was not asked is a topic.
const leastWidened = 3

// readWidening reads what the person names that nobody asked for. What belongs to nothing of
// the interview becomes a question that reviewers may add; no answer is asked for twice.
func readWidening(s *Scene, u Understanding) Understanding {
	if s.Asked == nil || s.Asked.Purpose != sessions.ToWiden || slices.Contains([]Intent{Leave, Finish}, u.Intent) || slices.Contains(digressions[:6], u.Intent) {
		return u
	}
	enough := enoughSaid[folded(s.Message)] || slices.Contains([]Intent{Disagree, DontKnow, SkipThis, Later, Unclear}, u.Intent)
	if !enough && len(u.Findings) == 0 && len(u.Proposals) == 0 && len(language.Words(s.Message)) >= leastWidened {
		topic := cmp.Or(topicOf(s.Message), Clip(strings.TrimSpace(s.Message), maxTopic))
		t := obligations.Template{Label: labelOf(topic), Prompt: MessagesOf(s).Text("emergent", messages.Args{"topic": messages.Quote(topic)})}
		u.Proposals = append(u.Proposals, obligations.EmergentQuestion{Template: t, Evidence: obligations.Evidence{Quote: s.Message}})
	}
	if enough {
		u.Findings = slices.DeleteFunc(slices.Clone(u.Findings), func(f obligations.Finding) bool {
			return f.Act == obligations.Unsure || f.Act == obligations.Defer || f.Act == obligations.Skip
		})
	}
	u.Intent, u.Refused = Answer, nil
	return u
}

// maxTopic bounds the topic of a question that a person's answer proposes, in runes.
const maxTopic = 80
