package chat_test

import (
	"encoding/json"
	"testing"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// A model that says the person agreed must be right about both: that the value was put to
// them, and that they said yes.
func TestAssentRestsOnWhatWasPutToThePerson(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name, reply, proposal, value, message, quote string
		flag                                         string
	}{
		{"a yes to what was put", "So there are 12 of you?", "12", "12", "Yes, exactly", "Yes", ""},
		{"the value again", "So there are 12 of you?", "12", "12", "Twelve", "Twelve", ""},
		{"a yes in other words", "A dozen people, is that right?", "12", "12", "sounds good", "sounds good", ""},
		{"a question back", "So there are 12 of you?", "12", "12", "Why do you ask?", "Why do you ask?", obligations.FlagUnsupported},
		{"a no", "So there are 12 of you?", "12", "12", "No, not at all", "No", obligations.FlagUnsupported},
		{"of course not", "So there are 12 of you?", "12", "12", "Of course not", "Of course not", obligations.FlagUnsupported},
		{"another value than was put", "So there are 12 of you?", "12", "13", "Yes", "Yes", obligations.FlagUnsupported},
		{"a reply that never named it", "Thank you. Shall we go on?", "12", "12", "Yes", "Yes", obligations.FlagUnsupported},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			s, o := confirming(t, tt.reply, tt.proposal)
			s.Message = tt.message
			sure := obligations.Confidence(95)
			u := chat.Understanding{Intent: chat.Agree, Findings: []obligations.Finding{{Key: o.Key, Act: obligations.Confirm, Value: json.RawMessage(tt.value), Source: "conversation",
				Evidence: obligations.Evidence{Kind: obligations.Accepted, Quote: tt.quote, Proposal: &obligations.Proposal{Value: json.RawMessage(tt.value)}}, Grade: obligations.Grade{Kind: obligations.Accepted, Model: &sure}}}}

			got := chat.Screen(s, u, nil).Findings

			if len(got) != 1 || got[0].Evidence.Flag != tt.flag {
				t.Fatalf("findings %+v, want one flagged %q", got, tt.flag)
			}
			after := obligations.Merge(s.Obligations, obligations.Apply(s.Obligations, got, s.Turn))
			if known := obligations.Find(after, o.Key).Status == obligations.Satisfied; known != (tt.flag == "") {
				t.Errorf("known is %v after a finding flagged %q", known, tt.flag)
			}
		})
	}
}

// confirming returns a scene in which a doubtful team size was put to the person.
func confirming(t *testing.T, reply, proposal string) (*chat.Scene, *obligations.Obligation) {
	t.Helper()
	d, err := objectives.ParseDefinition([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	s := &chat.Scene{Turn: 3, Person: "anna", Objective: &d, Obligations: obligations.Fresh(d.Obligations, obligations.Origin{}),
		Transcript: []sessions.Message{{Turn: 2, Role: sessions.FromAssistant, Content: reply}}}
	o := obligations.Find(s.Obligations, "team_size")
	o.Value, o.Status, o.Confidence = json.RawMessage(proposal), obligations.Partial, 60
	o.Evidence = []obligations.Evidence{{Kind: obligations.Stated, Message: "1-user", Quote: "a lot", Span: &obligations.Span{Start: 0, End: 5}, Flag: obligations.FlagDoubtful, By: "anna"}}
	s.Asked = &sessions.Question{Purpose: sessions.ToConfirm, Key: o.Key, Prompt: o.Prompt, Proposal: o.Value}
	return s, o
}

// What a message supports only weakly is put to the person, and counts with their yes; what
// is well founded is neither replaced nor disputed by it without asking.
func TestWeakSupportIsReadBack(t *testing.T) {
	t.Parallel()

	s, o := confirming(t, "", "12")
	o.Value, o.Status, o.Confidence, o.Evidence = nil, obligations.Pending, 0, nil
	s.Asked = nil
	s.Message = "We are 20 to 25"
	sure := obligations.Confidence(95)
	f := obligations.Finding{Key: o.Key, Act: obligations.Tell, Value: json.RawMessage("22"), Source: "conversation",
		Evidence: obligations.Evidence{Kind: obligations.Stated, Quote: "20 to 25"}, Grade: obligations.Grade{Kind: obligations.Stated, Model: &sure}}
	u := chat.Screen(s, chat.Understanding{Intent: chat.Answer, Findings: []obligations.Finding{f}}, nil)
	if flag := u.Findings[0].Evidence.Flag; flag != obligations.FlagDoubtful {
		t.Fatalf("22 of “20 to 25” is flagged %q, want doubtful", flag)
	}

	after := obligations.Merge(s.Obligations, obligations.Apply(s.Obligations, u.Findings, s.Turn))
	if got := obligations.Find(after, o.Key); got.Status != obligations.Partial || got.Confidence > 60 {
		t.Errorf("it is %s at %s, want partial at 0.60 at most", got.Status, got.Confidence)
	}
	yes := obligations.Finding{Key: o.Key, Act: obligations.Confirm, Value: json.RawMessage("22"),
		Evidence: obligations.Evidence{Kind: obligations.Accepted, Message: "4-user", Quote: "yes", Span: &obligations.Span{Start: 0, End: 3}, Proposal: &obligations.Proposal{Value: json.RawMessage("22")}}}
	if got := obligations.Find(obligations.Merge(after, obligations.Apply(after, []obligations.Finding{yes}, 4)), o.Key); got.Status != obligations.Satisfied {
		t.Errorf("after a yes it is %s at %s, want satisfied", got.Status, got.Confidence)
	}

	o.Value, o.Status, o.Confidence = json.RawMessage("30"), obligations.Satisfied, 92
	o.Evidence = []obligations.Evidence{{Kind: obligations.Stated, Message: "1-user", Quote: "thirty", Span: &obligations.Span{Start: 0, End: 6}, By: "anna"}}
	for _, act := range []obligations.Act{obligations.Tell, obligations.Correct} {
		u.Findings[0].Act = act
		changes := obligations.Apply(s.Obligations, u.Findings, s.Turn)
		if len(changes) != 1 || changes[0].Conflict == nil || string(changes[0].After.Value) != "30" || changes[0].After.Status != obligations.Satisfied {
			t.Errorf("%s: %+v, want 30 kept and a conflict to ask about", act, changes)
		}
	}
}
