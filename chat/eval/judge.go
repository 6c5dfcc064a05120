package eval

import (
	"fmt"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// judge compares what a turn did with what the person said in it.
type judge struct {
	p             *talker
	said          *listening.Said
	asked         *sessions.Question
	before, after []obligations.Obligation
	turn          chat.RehearsalTurn
	n             int
	counts        *TalkCounts
	out           TalkTurn
}

// judge returns the turn with its faults.
func (j *judge) judge() TalkTurn {
	j.out = TalkTurn{Said: j.said.Text, Reply: j.turn.Reply}
	if j.asked != nil {
		j.out.Asked = j.asked.Key
	}
	toldBefore := map[string]bool{}
	for key := range j.p.told {
		toldBefore[key] = true
	}
	j.p.hear(j.said, j.n)
	j.remarks()
	j.values()
	j.told(toldBefore)
	j.question()
	j.nextQuestion()
	return j.out
}

func (j *judge) fault(f TalkFault, format string, args ...any) {
	j.out.Faults = append(j.out.Faults, f)
	j.out.Evidence = append(j.out.Evidence, fmt.Sprintf(format, args...))
}

// remarks looks whether a message that says nothing of what was asked became its value.
func (j *judge) remarks() {
	if j.asked == nil || j.asked.Purpose != sessions.ToAsk || len(valuesIn(j.said, j.asked.Key)) > 0 {
		return
	}
	j.counts.Remarks++
	was, is := obligations.Find(j.before, j.asked.Key), obligations.Find(j.after, j.asked.Key)
	if is.Status == obligations.Satisfied && !obligations.SameValue(was.Value, is.Value) {
		j.counts.RemarksStored++
		j.fault(StoredRemark, "%s = %s (%s)", is.Key, is.Value, is.Confidence)
	}
}

// sure is what a value must exceed to count as known: below, it is put to the person.
const sure = 60

// values looks at the values that changed.
func (j *judge) values() {
	for i := range j.after {
		o := &j.after[i]
		was := obligations.Find(j.before, o.Key)
		if o.Value == nil || o.Status == obligations.Skipped || was != nil && obligations.SameValue(was.Value, o.Value) && was.Status != obligations.Skipped {
			continue
		}
		if o.Confidence <= sure || o.Status != obligations.Satisfied || j.p.holds(o.Key, o.Value) || slices.Contains(j.out.Faults, StoredRemark) && j.asked.Key == o.Key {
			continue
		}
		f := WrongValue
		if j.contains(o) {
			f = Junk
		}
		j.fault(f, "%s = %s (%s), said %q", o.Key, o.Value, o.Confidence, j.want(o.Key))
	}
}

// contains reports whether the value of o is what was said with more around it.
func (j *judge) contains(o *obligations.Obligation) bool {
	truth := j.p.truth[o.Key]
	return o.Widget == obligations.Text && len(truth) > 0 && !slices.ContainsFunc(truth, func(v saidValue) bool {
		return !strings.Contains(bare(textIn(o.Value)), bare(v.words))
	})
}

func (j *judge) want(key string) string {
	var words []string
	for _, v := range j.p.truth[key] {
		words = append(words, v.value)
	}
	return strings.Join(words, "; ")
}

// told looks whether what the message says is held.
func (j *judge) told(before map[string]bool) {
	seen := map[string]bool{}
	for _, seg := range j.said.Segments {
		for _, span := range seg.Values {
			if seen[span.Key] {
				continue
			}
			seen[span.Key] = true
			o := obligations.Find(j.after, span.Key)
			held := j.p.holds(span.Key, o.Value) && o.Status != obligations.Skipped
			if len(j.p.truth[span.Key]) == 0 {
				held = o.Value == nil || o.Status != obligations.Satisfied
			}
			switch {
			case before[span.Key] && (seg.Act == listening.Correction || seg.Act == listening.Deny):
				j.counts.Corrections++
				if held || j.asksWhich(span.Key) {
					j.counts.Honoured++
				} else if !j.faulty(span.Key) {
					j.fault(IgnoredCorrection, "%s is %s, said %q", o.Key, o.Value, j.want(o.Key))
				}
			case j.asked == nil || !slices.Contains(j.asked.Keys(), span.Key):
				j.counts.Facts++
				if held {
					j.counts.Kept++
				} else {
					j.p.facts[span.Key] = true
				}
			case !held && !j.faulty(span.Key) && !j.pending(o, span.Key):
				j.fault(LostFact, "%s is %s, said %q", o.Key, o.Value, j.want(o.Key))
			}
		}
	}
}

// faulty reports whether a fault about key was noted.
func (j *judge) faulty(key string) bool {
	return slices.ContainsFunc(j.out.Evidence, func(e string) bool { return strings.HasPrefix(e, key+" ") })
}

// asksWhich reports whether the next question is which of two values of key holds.
func (j *judge) asksWhich(key string) bool {
	q := j.turn.Question
	return q != nil && q.Purpose == sessions.ToResolve && slices.Contains(q.Keys(), key)
}

// pending reports whether the next question reads back or asks for key: nothing is lost
// yet.
func (j *judge) pending(o *obligations.Obligation, key string) bool {
	q := j.turn.Question
	return q != nil && q.Purpose == sessions.ToConfirm && slices.Contains(q.Keys(), key) && o.Value != nil
}

// question looks whether a question of the person was answered or declined.
func (j *judge) question() {
	asks := slices.ContainsFunc(j.said.Segments, func(s listening.Segment) bool {
		return s.Act == listening.Question || s.Act == listening.Examples || s.Act == listening.Repeat
	})
	if !asks {
		return
	}
	j.counts.Questions++
	wanted := []chat.Intent{j.turn.Intent}
	for _, r := range j.turn.Beside {
		wanted = append(wanted, r.Intent)
	}
	for _, intent := range wanted {
		switch intent {
		case chat.AskWhy, chat.AskHelp, chat.AskRepeat, chat.AskResearch, chat.AskProgress, chat.AskMemory, chat.AskMeta:
			j.counts.Answered++
			return
		}
	}
	j.fault(IgnoredQuestion, "%s", j.turn.Intent)
}

// nextQuestion looks whether something is asked that was told. What was told in passing
// and lost is noted only now: nobody minds before.
func (j *judge) nextQuestion() {
	q := j.turn.Question
	if q == nil || q.Purpose != sessions.ToAsk && q.Purpose != sessions.ToForm {
		return
	}
	for _, key := range q.Keys() {
		if len(j.p.truth[key]) == 0 {
			continue
		}
		if j.asked != nil && slices.Contains(j.asked.Keys(), key) && j.faulty(key) {
			continue
		}
		if j.p.facts[key] {
			delete(j.p.facts, key)
			o := obligations.Find(j.after, key)
			j.fault(LostFact, "%s was told in passing and is asked for, said %q, held %s %s", key, j.want(key), o.Value, o.Confidence)
			continue
		}
		o := obligations.Find(j.after, key)
		j.fault(AskedAgain, "%s, said %q, held %s %s", key, j.want(key), o.Value, o.Confidence)
	}
}
