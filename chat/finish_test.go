package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// skipper is an interviewer whose reading of each message is made up: it takes the
// next answer, whatever was said, from a person who leaves out what falls to chance.
type skipper struct {
	chance *rand.Rand
	leaves float64 // share of questions that are not answered
	calls  int     // how often "answer it now" is said
}

func (*skipper) Name() string { return "skipper" }

func (*skipper) Reply(_ context.Context, _ *chat.Scene, p *chat.Plan, say func(string) error) (chat.Usage, error) {
	text := string(p.Ends)
	if p.Question != nil {
		text = p.Question.Prompt
	}
	return chat.Usage{}, say(text)
}

func (k *skipper) Understand(_ context.Context, s *chat.Scene) (chat.Understanding, error) {
	u := chat.Understanding{Intent: chat.Answer}
	switch s.Asked.Purpose {
	case sessions.ToFinish:
		u.Intent = chat.Unclear // the offer is read from the words alone
		if len(s.Asked.Missing) == 0 {
			u.Intent = chat.Agree
		}
		return u, nil
	case sessions.ToResolve:
		return chat.Understanding{Intent: chat.Unclear}, nil
	default:
	}
	for _, key := range s.Asked.Keys() {
		u.Findings = append(u.Findings, k.finding(s, obligations.Find(s.Obligations, key)))
	}
	return u, nil
}

func (k *skipper) finding(s *chat.Scene, o *obligations.Obligation) obligations.Finding {
	f := obligations.Finding{Key: o.Key, Source: "conversation", Reason: "it was said", Evidence: obligations.Evidence{Kind: obligations.Stated, Quote: s.Message}}
	if k.chance.Float64() < k.leaves {
		switch k.chance.IntN(5) {
		case 0:
			f.Act, f.Skip = obligations.Skip, obligations.NotApplicable
		case 1:
			f.Act = obligations.Defer
		case 2:
			f.Act = obligations.Unsure
		default:
			f.Act, f.Skip = obligations.Skip, obligations.Declined
		}
		return f
	}
	f.Act, f.Value = obligations.Tell, valueFor(o.Template)
	return f
}

// valueFor is a value that t takes.
func valueFor(t *obligations.Template) json.RawMessage {
	var v any = "The regulars of the old harbour market"
	switch t.Widget {
	case obligations.ChoiceOne:
		v = t.Choices[0].Value
	case obligations.MultiSelect:
		v = []string{t.Choices[0].Value}
	case obligations.Date:
		v = "2028-03"
	case obligations.Number:
		n := 12.0
		if t.Min != nil {
			n = max(n, *t.Min)
		}
		if t.Max != nil {
			n = min(n, *t.Max)
		}
		v = n
	case obligations.Text:
	}
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}

// Whatever is left out of a shipped objective, the conversation ends within its budget,
// never asks for what is known, and what was required and declined is finished
// without only because the person says so.
func TestEveryPatternOfSkipsEnds(t *testing.T) {
	t.Parallel()

	const walks = 700 // of each objective
	for _, d := range objectives.Shipped() {
		t.Run(d.ContextType, func(t *testing.T) {
			t.Parallel()

			offered, finished := 0, 0
			for seed := range uint64(walks) {
				k := &skipper{chance: rand.New(rand.NewPCG(seed, 7)), leaves: float64(seed%11) / 10}
				w := walk(t, &d, k, seed)
				offered += w.offered
				if w.without {
					finished++
				}
			}
			if offered < walks/4 || finished < walks/8 {
				t.Errorf("of %d walks %d offers were made and %d finished without something: they try too little", walks, offered, finished)
			}
		})
	}
}

// walkResult is what a walk leads to.
type walkResult struct {
	offered int
	without bool
}

func walk(t *testing.T, d *objectives.Definition, k *skipper, seed uint64) walkResult {
	t.Helper()
	var out walkResult
	h := chat.NewRehearsal(d, k, k)
	at := time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)
	say := func(message string) chat.RehearsalTurn {
		turn, err := h.Say(t.Context(), chat.RehearsalInput{Person: "person", Message: message, At: at})
		if err != nil {
			t.Fatal(err)
		}
		return turn
	}
	turn := say("")
	for n := 1; turn.Ends == ""; n++ {
		if n >= d.Budget.Turns {
			t.Fatalf("walk %d has not ended after %d turns and asks %+v", seed, n, turn.Question)
		}
		known(t, h, turn.Question, seed)
		message := fmt.Sprintf("This is what I say in turn %d", n)
		if turn.Question.Purpose == sessions.ToFinish && len(turn.Question.Missing) > 0 {
			out.offered++
			message = sessions.FinishWithout
			if k.calls < 2 && k.chance.IntN(2) == 0 {
				k.calls++
				message = sessions.AnswerNow
			}
		}
		without := message == sessions.FinishWithout
		turn = say(message)
		out.without = out.without || without
		contradicted := turn.Question != nil && turn.Question.Purpose == sessions.ToResolve // which comes first
		if without && turn.Ends != sessions.EndCompleted && !contradicted {
			t.Fatalf("walk %d goes on with %q, %+v after %q", seed, turn.Ends, turn.Question, message)
		}
		if message == sessions.AnswerNow && turn.Question == nil {
			t.Fatalf("walk %d asks nothing after %q", seed, message)
		}
	}
	if turn.Ends == sessions.EndCompleted && h.Session().Status != sessions.Completed {
		t.Fatalf("walk %d ends as completed and is %s", seed, h.Session().Status)
	}
	return out
}

// known fails when a card asks for what is known, or what was left out.
func known(t *testing.T, h *chat.Rehearsal, q *sessions.Question, seed uint64) {
	t.Helper()
	if q.Purpose != sessions.ToAsk && q.Purpose != sessions.ToForm {
		return
	}
	for _, key := range q.Keys() {
		if o := obligations.Find(h.Obligations(), key); o.Resolved() {
			t.Fatalf("walk %d asks for %s, which is %s", seed, key, o.Status)
		}
	}
}

func TestOfferToFinishWithoutIsReadFromItsWords(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		said string
		read chat.Intent // by the interviewer
		want string      // "finish", "answer" or nothing
	}{
		{sessions.FinishWithout, chat.Unclear, "finish"},
		{"Yes, finish without it please.", chat.Answer, "finish"},
		{"ok, close it without that", chat.OffTopic, "finish"},
		{"just go on without them", chat.Unclear, "finish"},
		{"I'd rather not say", chat.SkipThis, "finish"},
		{"Yes", chat.Agree, "finish"},
		{sessions.AnswerNow, chat.Unclear, "answer"},
		{"no, I'll answer it now", chat.Disagree, "answer"},
		{"let me answer that", chat.OffTopic, "answer"},
		{"actually, I’d like to answer it after all", chat.Unclear, "answer"},
		{"No", chat.Disagree, "answer"},
		{"Ja, bitte ohne diese Angabe abschließen.", chat.Answer, "finish"},
		{"Schließen Sie es ohne das ab", chat.OffTopic, "finish"},
		{"Ich möchte es lieber jetzt beantworten", chat.Unclear, "answer"},
		{"Wir können ohne Genehmigung der Stadt nicht weitermachen", chat.Unclear, ""},
		{"what was it again?", chat.AskRepeat, ""},
		{"The answer lies in the sales", chat.Unclear, ""},
		{"We cannot finish without a permit from the town hall", chat.Unclear, ""},
	} {
		s := planScene(t, 6)
		for _, key := range []string{"business"} {
			o := obligations.Find(s.Obligations, key)
			o.Status, o.SkipReason = obligations.Skipped, obligations.Declined
		}
		s.Asked = &sessions.Question{Purpose: sessions.ToFinish, Missing: []string{"business"}}
		s.Message = tt.said

		p := chat.Decide(s, chat.Screen(s, chat.Understanding{Intent: tt.read}, nil))

		got := ""
		switch {
		case p.Ends == sessions.EndCompleted:
			got = "finish"
		case p.Question != nil && slices.Contains(p.Question.Keys(), "business"):
			got = "answer"
		}
		if got != tt.want {
			t.Errorf("%q is taken for %q, want %q: ends %q, asks %+v", tt.said, got, tt.want, p.Ends, p.Question)
		}
	}
}

// What was left out is named, and an ending is not told as if somebody came back.
func TestNothingIsWelcomedThatNeverLeft(t *testing.T) {
	t.Parallel()

	s := planScene(t, 9)
	s.Session.StopReason = sessions.EndHandedOver
	for i := range s.Obligations {
		s.Obligations[i].Attempts = 9
	}
	s.Message = "hello?"
	p := chat.Decide(s, chat.Understanding{Intent: chat.SmallTalk})
	if p.Returning || p.Ends != sessions.EndHandedOver {
		t.Errorf("returning %t, ends %q", p.Returning, p.Ends)
	}

	for i := range s.Obligations {
		o := &s.Obligations[i]
		o.Status, o.SkipReason = obligations.Skipped, obligations.Declined
	}
	p = chat.Decide(s, chat.Understanding{Intent: chat.SmallTalk})
	if p.Question == nil || !strings.Contains(p.Question.Prompt, "“"+obligations.Find(s.Obligations, "business").Name()+"”") {
		t.Errorf("asks %+v", p.Question)
	}
}
