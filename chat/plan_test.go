package chat_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// planScene is a scene of the small objective at a turn, with nothing said yet.
func planScene(t *testing.T, turn int) *chat.Scene {
	t.Helper()
	d, err := objectives.ParseDefinition([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	return &chat.Scene{Turn: turn, Now: time.Date(2026, 8, 12, 10, 0, 0, 0, time.UTC), Person: "person", Objective: &d,
		Obligations: obligations.Fresh(d.Obligations, obligations.Origin{}), Session: sessions.Session{Phase: sessions.Opening}}
}

// know gives obligations values as if the person had said them.
func know(s *chat.Scene, values map[string]string) {
	for i := range s.Obligations {
		o := &s.Obligations[i]
		if v, ok := values[o.Key]; ok {
			o.Value, o.Status, o.Confidence = json.RawMessage(v), obligations.Satisfied, 92
			o.Evidence = []obligations.Evidence{{Kind: obligations.Stated, Turn: 1, Quote: v, Span: &obligations.Span{End: 1}, Grade: &obligations.Grade{Kind: obligations.Stated}}}
		}
	}
	for i := range s.Obligations {
		s.Obligations[i].Unlocked = obligations.Ready(s.Obligations, &s.Obligations[i])
	}
}

// asking makes key what the turn before asked.
func asking(s *chat.Scene, keys ...string) {
	var fields []sessions.Question
	for _, key := range keys {
		o := obligations.Find(s.Obligations, key)
		o.Attempts++
		o.LastTurn, o.Status = s.Turn-1, obligations.InProgress
		fields = append(fields, sessions.Question{Purpose: sessions.ToAsk, Key: key, Prompt: o.Prompt, Attempt: o.Attempts})
	}
	s.Asked = &fields[0]
	if len(fields) > 1 {
		s.Asked = &sessions.Question{Purpose: sessions.ToForm, Fields: fields, Attempt: 1}
	}
	s.Asked.Complete(obligations.TemplateOf(s.Obligations))
}

func told(key, value string) obligations.Finding {
	return obligations.Finding{Key: key, Act: obligations.Tell, Value: json.RawMessage(value), Evidence: obligations.Evidence{Kind: obligations.Stated, Quote: value, Span: &obligations.Span{End: 1}}, Grade: obligations.Grade{Kind: obligations.Stated}}
}

func TestQuestionSaysWhyItWasChosen(t *testing.T) {
	t.Parallel()

	s := planScene(t, 1)

	p := chat.Decide(s, chat.Understanding{Intent: chat.Opened})

	b := p.Question.ChosenBecause
	if p.Question.Key != "business" || b == nil {
		t.Fatalf("asks %s because %+v", p.Question.Key, b)
	}
	_, data := sessions.Encode(sessions.QuestionEvent{Turn: 1, Question: *p.Question})
	if want := `"chosenBecause":{"sentence":"The interview begins with`; !strings.Contains(string(data), want) {
		t.Errorf("the event %s lacks %s", data, want)
	}
}

func TestFollowUpIsAskedAndSettled(t *testing.T) {
	t.Parallel()

	for name, tt := range map[string]struct {
		followUp sessions.FollowUp
		status   obligations.Status
		want     string
		done     bool
	}{
		"one whose turn has come":           {sessions.FollowUp{Key: "market_size", Priority: 8, Turn: 6}, obligations.Pending, "market_size", true},
		"one for any turn":                  {sessions.FollowUp{Key: "market_size", Priority: 8}, obligations.Pending, "market_size", true},
		"one whose turn is to come":         {sessions.FollowUp{Key: "market_size", Priority: 8, Turn: 7}, obligations.Pending, "team_size", false},
		"one that matters little":           {sessions.FollowUp{Key: "market_size", Priority: 3, Turn: 6}, obligations.Pending, "team_size", false},
		"what was put off, on schedule":     {sessions.FollowUp{Key: "market_size", Priority: 8, Turn: 6}, obligations.Deferred, "market_size", true},
		"what was put off, without a turn":  {sessions.FollowUp{Key: "market_size", Priority: 8}, obligations.Deferred, "team_size", false},
		"what is known by now":              {sessions.FollowUp{Key: "market_size", Priority: 8}, obligations.Satisfied, "team_size", false},
		"what the person left out meantime": {sessions.FollowUp{Key: "market_size", Priority: 8}, obligations.Skipped, "team_size", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			s := planScene(t, 6)
			know(s, map[string]string{"business": `"bread"`, "founded": `"2019"`})
			obligations.Find(s.Obligations, "market_size").Status = tt.status
			s.Memory.FollowUps = []sessions.FollowUp{tt.followUp}

			p := chat.Decide(s, chat.Understanding{Intent: chat.Answer})

			if p.Question.Key != tt.want || slices.Contains(p.Signals(p.Understanding, p.List).Done, "market_size") != tt.done {
				t.Errorf("asks %s because %q, settles %v, want %s", p.Question.Key, p.Question.ChosenBecause.Sentence, p.Followed, tt.want)
			}
			if left := s.Memory.Note(p.Signals(p.Understanding, p.List)).FollowUps; (len(left) == 0) != tt.done {
				t.Errorf("afterwards the memory holds %v", left)
			}
		})
	}
}

// A session that has what it needs is not closed over a question that was never
// asked, or that was put off with the promise to come back.
func TestWhatIsOutstandingIsAskedBeforeTheEnd(t *testing.T) {
	t.Parallel()

	putOff := sessions.FollowUp{Key: "market_size", Reason: "the person wants to come back to it", Priority: 5, Promised: true}
	for _, tt := range []struct {
		name   string
		edit   func(o *obligations.Obligation, s *chat.Scene)
		intent chat.Intent
		asked  bool
	}{
		{"never asked", func(*obligations.Obligation, *chat.Scene) {}, chat.Answer, true},
		{"asked in vain", func(o *obligations.Obligation, _ *chat.Scene) { o.Status, o.Attempts = obligations.InProgress, 1 }, chat.Answer, false},
		{"to be concluded from others, which nobody did", func(o *obligations.Obligation, _ *chat.Scene) { o.Collection = obligations.Inferred }, chat.Answer, true},
		{"concluded from others", func(o *obligations.Obligation, _ *chat.Scene) {
			o.Collection, o.Value, o.Status, o.Confidence = obligations.Inferred, json.RawMessage(`"large"`), obligations.Partial, 60
			o.Evidence = []obligations.Evidence{{Kind: obligations.InferredEvidence, Turn: 1, Premises: []string{"channel"}}}
		}, chat.Answer, true},
		{"concluded from others, and put to the person", func(o *obligations.Obligation, _ *chat.Scene) {
			o.Collection, o.Value, o.Status, o.Confidence, o.Attempts, o.LastTurn = obligations.Inferred, json.RawMessage(`"large"`), obligations.Partial, 60, 1, 5
			o.Evidence = []obligations.Evidence{{Kind: obligations.InferredEvidence, Turn: 1, Premises: []string{"channel"}}}
		}, chat.Answer, false},
		{"put off", func(o *obligations.Obligation, s *chat.Scene) {
			o.Status, o.Attempts, s.Memory.FollowUps = obligations.Deferred, 1, []sessions.FollowUp{putOff}
		}, chat.Answer, true},
		{"put off, come back to, put off again", func(o *obligations.Obligation, s *chat.Scene) {
			o.Status, o.Attempts, s.Memory.FollowUps = obligations.Deferred, 2, []sessions.FollowUp{putOff}
		}, chat.Answer, false},
		{"not known to the person", func(o *obligations.Obligation, s *chat.Scene) {
			o.Status, o.Attempts, s.Memory.FollowUps = obligations.Deferred, 1, []sessions.FollowUp{{Key: "market_size", Reason: "the person did not know", Priority: 5}}
		}, chat.Answer, false},
		{"never asked, but the person wants to be done", func(*obligations.Obligation, *chat.Scene) {}, chat.Finish, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			s := planScene(t, 6)
			know(s, map[string]string{"business": `"bread"`, "founded": `"2019"`, "team_size": "4", "channel": `"street"`})
			o := obligations.Find(s.Obligations, "market_size")
			o.Priority = 1 // so little that the rest makes it the closing phase
			tt.edit(o, s)

			p := chat.Decide(s, chat.Understanding{Intent: tt.intent})

			if p.Phase != sessions.Closing || !p.Completeness.Met {
				t.Fatalf("phase %s, met %v: nothing to see here", p.Phase, p.Completeness.Met)
			}
			if got := p.Question.Key == "market_size"; got != tt.asked || !got && p.Question.Purpose != sessions.ToFinish {
				t.Errorf("asks %s %s, want market_size to be asked: %v", p.Question.Purpose, p.Question.Key, tt.asked)
			}
		})
	}
}

// What the person puts off is promised, whoever understood it.
func TestWhatIsPutOffIsPromised(t *testing.T) {
	t.Parallel()

	s := planScene(t, 6)
	know(s, map[string]string{"business": `"bread"`})
	asking(s, "team_size")

	p := chat.Decide(s, chat.Understanding{Intent: chat.Later, Findings: []obligations.Finding{{Key: "team_size", Act: obligations.Defer}}})

	got := p.Signals(p.Understanding, p.List).FollowUps
	if len(got) != 1 || got[0].Key != "team_size" || !got[0].Promised {
		t.Errorf("the memory is given %+v, want the promise to come back to team_size", got)
	}
}

// In the validation phase what counts most and was said least plainly is confirmed first,
// whatever was talked about.
func TestValidationConfirmsByWeight(t *testing.T) {
	t.Parallel()

	scene := func(phase sessions.Phase, sure map[string]obligations.Confidence, required ...string) *chat.Scene {
		s := planScene(t, 9)
		know(s, map[string]string{"business": `"bread"`, "market_size": `"3000"`, "founded": `"2019"`, "team_size": "4", "channel": `"online"`})
		for key, c := range sure {
			o := obligations.Find(s.Obligations, key)
			o.Status, o.Confidence, o.Attempts, o.LastTurn = obligations.Partial, c, 1, 3
		}
		s.Session.Phase, s.Objective.Completion.Required = phase, required
		obligations.Find(s.Obligations, "business").LastTurn = 8
		return s
	}
	for name, tt := range map[string]struct {
		sure     map[string]obligations.Confidence
		required []string
		want     string
	}{
		"the more important": {map[string]obligations.Confidence{"team_size": 60, "channel": 45}, nil, "team_size"},
		"what is required":   {map[string]obligations.Confidence{"team_size": 45, "channel": 60}, []string{"channel"}, "channel"},
		"of two that are":    {map[string]obligations.Confidence{"team_size": 60, "channel": 45}, []string{"channel", "team_size"}, "team_size"},
	} {
		p := chat.Decide(scene(sessions.Validation, tt.sure, tt.required...), chat.Understanding{Intent: chat.Answer})
		if p.Phase != sessions.Validation || p.Question == nil || p.Question.Purpose != sessions.ToConfirm || p.Question.Key != tt.want {
			t.Errorf("%s: in %s it asks %+v, want %s confirmed", name, p.Phase, p.Question, tt.want)
		}
	}
}

func TestReasksEscalate(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		max, attempt   int
		prompt         string
		examples, last bool
	}{
		{3, 1, "one", false, false}, {3, 2, "two", false, false}, {3, 3, "three", true, true},
		{0, 3, "three", true, true}, {4, 3, "three", true, false}, {4, 4, "two", true, true}, {2, 2, "two", true, true}, {1, 1, "one", false, false},
	} {
		s := planScene(t, 6)
		s.Objective.Pools = map[string][]string{"p": {"one", "two", "three"}}
		s.Obligations = s.Obligations[:1]
		o := *s.Obligations[0].Template
		o.Prompt, o.PoolID, o.MaxAttempts, o.Examples = "one", "p", tt.max, []string{"Bread"}
		s.Obligations[0].Template, s.Obligations[0].Attempts = &o, tt.attempt-1

		q := chat.Decide(s, chat.Understanding{Intent: chat.Answer}).Question

		if q == nil || q.Prompt != tt.prompt || len(q.Examples) > 0 != tt.examples || q.MayDefer != tt.last || q.Attempt != tt.attempt {
			t.Errorf("attempt %d of %d asks %+v, want %q, examples %v, last %v", tt.attempt, tt.max, q, tt.prompt, tt.examples, tt.last)
		}
		s.Obligations[0].Attempts = max(tt.max, 1)
		if tt.max == 0 {
			s.Obligations[0].Attempts = obligations.DefaultMaxAttempts
		}
		if p := chat.Decide(s, chat.Understanding{Intent: chat.Answer}); p.Question != nil || p.Ends != sessions.EndHandedOver {
			t.Errorf("after %d attempts of %d it is asked again, or ends %q", s.Obligations[0].Attempts, tt.max, p.Ends)
		}
	}
}

// What waits for something that was asked in vain is not asked; the session goes to a
// reviewer with both, and goes on once they filled it in.
func TestWhatWasAskedInVainHandsTheSessionOver(t *testing.T) {
	t.Parallel()

	s := planScene(t, 9)
	o := obligations.Find(s.Obligations, "business")
	o.Status, o.Attempts = obligations.InProgress, obligations.DefaultMaxAttempts

	p := chat.Decide(s, chat.Understanding{Intent: chat.Unclear})

	if p.Ends != sessions.EndHandedOver || len(p.Completeness.OpenKeys) != 5 {
		t.Errorf("ends %q with %v open, want handed_over with all five", p.Ends, p.Completeness.OpenKeys)
	}
	know(s, map[string]string{"business": `"bread"`})
	if p := chat.Decide(s, chat.Understanding{Intent: chat.Answer}); p.Ends != "" || p.Question == nil {
		t.Errorf("after a reviewer filled it in the session ends %q, asks %+v", p.Ends, p.Question)
	}
}

// "Why" in a form in a conflict: each comes back to what it interrupted, and nothing
// counts as asked twice.
func TestNestedDigressionsComeBack(t *testing.T) {
	t.Parallel()

	s := planScene(t, 6)
	know(s, map[string]string{"business": `"bread"`})
	asking(s, "founded", "team_size", "channel")
	form := s.Asked.Keys()
	clash := chat.Decide(s, chat.Understanding{Intent: chat.Answer, Findings: []obligations.Finding{told("team_size", "4"), told("business", `"cars"`)}})
	if clash.Question.Purpose != sessions.ToResolve || !slices.Equal(clash.Question.Resume.Keys(), []string{"founded", "channel"}) {
		t.Fatalf("asked %v, a contradiction brings %+v", form, clash.Question)
	}

	s.Turn, s.Obligations, s.Asked = 7, clash.List, clash.Question
	s.Conflicts = []obligations.Conflict{{ID: "c", Keys: []string{"business"}, Raised: 6}}
	why := chat.Decide(s, chat.Understanding{Intent: chat.AskWhy})
	if why.Question.Purpose != sessions.ToResolve || !why.Digression || len(why.Question.Resume.Keys()) != 2 {
		t.Fatalf("why in a conflict brings %+v", why.Question)
	}

	s.Turn, s.Asked = 8, why.Question
	back := chat.Decide(s, chat.Understanding{Intent: chat.Answer, Findings: []obligations.Finding{{Key: "business", Act: obligations.Confirm,
		Evidence: obligations.Evidence{Kind: obligations.Accepted, Quote: "the second", Span: &obligations.Span{End: 1}, Proposal: &obligations.Proposal{}}, Grade: obligations.Grade{Kind: obligations.Accepted}}}})
	if back.Question.Purpose != sessions.ToForm || !back.Digression || !slices.Equal(back.Question.Keys(), []string{"founded", "channel"}) {
		t.Fatalf("after the conflict comes %+v", back.Question)
	}

	s.Turn, s.Obligations, s.Asked, s.Conflicts = 9, back.List, back.Question, nil
	again := chat.Decide(s, chat.Understanding{Intent: chat.AskWhy})
	if again.Question.Purpose != sessions.ToForm || !again.Digression {
		t.Errorf("why in the form brings %+v", again.Question)
	}
}

func TestEveryEndHasItsReason(t *testing.T) {
	t.Parallel()

	all := map[string]string{"business": `"bread"`, "team_size": "4", "founded": `"2019"`, "channel": `"street"`, "market_size": `"large"`}
	finish := &sessions.Question{Purpose: sessions.ToFinish, Prompt: "Shall I close it here?"}
	for _, tt := range []struct {
		name string
		edit func(s *chat.Scene)
		said chat.Intent
		want sessions.StopReason
		open int
	}{
		{"agreed with all there", func(s *chat.Scene) { know(s, all); s.Asked = finish }, chat.Agree, sessions.EndCompleted, 0},
		{"wants to be done and is", func(s *chat.Scene) { know(s, all); s.Asked = finish }, chat.Finish, sessions.EndCompleted, 0},
		{"leaves", func(*chat.Scene) {}, chat.Leave, sessions.EndLeft, 5},
		{"agreed short of what is needed", func(s *chat.Scene) { s.Asked = finish }, chat.Agree, sessions.EndHandedOver, 5},
		{"finishes without what is needed", func(s *chat.Scene) {
			s.Asked = &sessions.Question{Purpose: sessions.ToFinish, Missing: []string{"business"}}
			o := obligations.Find(s.Obligations, "business")
			o.Status, o.SkipReason = obligations.Skipped, obligations.Declined
		}, chat.Agree, sessions.EndCompleted, 4},
		{"nothing left to ask", func(s *chat.Scene) { obligations.Find(s.Obligations, "business").Attempts = 3 }, chat.Unclear, sessions.EndHandedOver, 5},
		{"turns used up", func(s *chat.Scene) { s.Objective.Budget.Turns = 6 }, chat.Answer, sessions.EndBudget, 5},
		{"turns used up though all is there", func(s *chat.Scene) { know(s, all); s.Objective.Budget.Turns = 6 }, chat.Answer, sessions.EndBudget, 0},
		{"turns used up, but the end agreed to", func(s *chat.Scene) { know(s, all); s.Objective.Budget.Turns, s.Asked = 6, finish }, chat.Agree, sessions.EndCompleted, 0},
		{"minutes used up", func(s *chat.Scene) { s.Objective.Budget.Minutes, s.Spent.Seconds = 10, 600 }, chat.Answer, sessions.EndBudget, 5},
		{"money used up", func(s *chat.Scene) { s.Objective.Budget.Money, s.Spent.Money = 1, 1.2 }, chat.Answer, sessions.EndBudget, 5},
		{"the last question goes to the end", func(s *chat.Scene) { know(s, all); s.Objective.Budget.Turns = 7 }, chat.Answer, "", 0},
		{"goes on", func(*chat.Scene) {}, chat.Answer, "", 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			s := planScene(t, 6)
			tt.edit(s)

			p := chat.Decide(s, chat.Understanding{Intent: tt.said})

			if p.Ends != tt.want || len(p.Completeness.OpenKeys) != tt.open || (p.Ends == "") != (p.Question != nil) {
				t.Errorf("ends %q with %v open and asks %+v, want %q and %d", p.Ends, p.Completeness.OpenKeys, p.Question, tt.want, tt.open)
			}
		})
	}
}

func TestWarningsBeforeTheBudgetEnds(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name   string
		turn   int
		budget objectives.Budget
		spent  chat.BudgetUse
		want   int
	}{
		{"no budget", 50, objectives.Budget{}, chat.BudgetUse{}, 0},
		{"three turns", 7, objectives.Budget{Turns: 10}, chat.BudgetUse{}, 0},
		{"two turns", 8, objectives.Budget{Turns: 10}, chat.BudgetUse{}, 2},
		{"one turn, told before", 9, objectives.Budget{Turns: 10}, chat.BudgetUse{}, 0},
		{"the opening says nothing", 1, objectives.Budget{Turns: 3}, chat.BudgetUse{}, 0},
		{"minutes for two by what was measured", 20, objectives.Budget{Minutes: 30}, chat.BudgetUse{Turns: 20, Seconds: 1630}, 2},
		{"minutes for many", 5, objectives.Budget{Minutes: 30}, chat.BudgetUse{Turns: 5, Seconds: 400}, 0},
		{"minutes for one", 20, objectives.Budget{Minutes: 30}, chat.BudgetUse{Turns: 20, Seconds: 1790}, 1},
		{"minutes for one, told before", 20, objectives.Budget{Minutes: 30}, chat.BudgetUse{Turns: 20, Seconds: 1790, Warned: true}, 0},
		{"minutes before anything was measured", 2, objectives.Budget{Minutes: 5}, chat.BudgetUse{Turns: 2, Seconds: 20}, 2},
		{"money for two", 10, objectives.Budget{Money: 1.25}, chat.BudgetUse{Turns: 10, Money: 1}, 2},
		{"the tighter one counts", 8, objectives.Budget{Turns: 100, Minutes: 100, Money: 1.25}, chat.BudgetUse{Turns: 10, Seconds: 60, Money: 1}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			s := planScene(t, tt.turn)
			s.Objective.Budget, s.Spent = tt.budget, tt.spent

			p := chat.Decide(s, chat.Understanding{Intent: chat.Answer})

			if p.Left != tt.want || p.Ends != "" {
				t.Errorf("%d left, ends %q, want %d", p.Left, p.Ends, tt.want)
			}
		})
	}
}

func TestBudgetThatRunsOutPrefersWhatIsRequired(t *testing.T) {
	t.Parallel()

	for turns, want := range map[int]string{100: "team_size", 10: "market_size"} {
		s := planScene(t, 6)
		know(s, map[string]string{"business": `"bread"`, "founded": `"2019"`})
		s.Objective.Completion.Required = []string{"market_size"}
		s.Objective.Budget.Turns = turns

		p := chat.Decide(s, chat.Understanding{Intent: chat.Answer})

		if p.Question.Key != want {
			t.Errorf("with %d turns it asks %s because %q, want %s", turns, p.Question.Key, p.Question.ChosenBecause.Sentence, want)
		}
	}
	s := planScene(t, 6)
	know(s, map[string]string{"business": `"bread"`})
	s.Objective.Completion.Required, s.Objective.Budget.Turns = []string{"market_size"}, 10
	if p := chat.Decide(s, chat.Understanding{Intent: chat.Answer}); p.Question.Keys()[0] != "founded" {
		t.Errorf("what the required one waits for is not asked first, but %v", p.Question.Keys())
	}
}

// A form that could not be read was put to the person again, word for word, however
// often they answered it: what is left of it is asked one by one.
func TestFormThatIsNotReadIsAskedOneByOne(t *testing.T) {
	t.Parallel()

	s := planScene(t, 3)
	know(s, map[string]string{"business": `"We bake bread"`})
	asking(s, "team_size", "founded", "channel")
	p := chat.Decide(s, chat.Understanding{Intent: chat.Unclear})

	if q := p.Question; q.Purpose != sessions.ToAsk || q.Key != "team_size" || q.Attempt != 2 || p.Digression {
		t.Fatalf("asks %+v, want team_size alone, for the second time", q)
	}
	tired := obligations.Find(s.Obligations, "team_size")
	tired.Attempts = tired.MaxAttempts
	if q := chat.Decide(s, chat.Understanding{Intent: chat.Unclear}).Question; q.Key != "founded" {
		t.Errorf("asks %+v, want founded, for team_size was asked as often as it may be", q)
	}
}
