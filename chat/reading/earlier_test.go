package reading

import (
	"testing"

	"quaestor/chat/chattest"
	"quaestor/obligations"
)

// What answers an earlier question is no part of the answer to this one.
func TestAnswersToAnEarlierQuestion(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 6)

	for _, test := range []struct {
		asked, in, want string
		open            []string // asked before and left open
	}{
		{"decision_maker", "The contracts director, Sue Barton. And to answer your earlier question, forms get lost and it takes a week to get them typed up",
			`decision_maker="The contracts director, Sue Barton"; business_need="forms get lost and it takes a week to get them typed up"+`, []string{"business_need"}},
		{"decision_maker", "The contracts director. About your question before: forms get lost", `decision_maker="The contracts director"; business_need="forms get lost"+`, []string{"business_need"}},
		{"decision_maker", "Sue. As for the previous question, forms get lost", `decision_maker="Sue"`, []string{"business_need", "user_groups"}},
		{"decision_maker", "Sue. As for the previous question, forms get lost", `decision_maker="Sue"`, nil},
		{"decision_maker", "Sue. And to answer your earlier question, about 45", `decision_maker="Sue"; user_count=45~+`, []string{"user_count"}},
		{"decision_maker", "Sue. And to answer your earlier question, our budget is 30k", `decision_maker="Sue"; budget=30000`, []string{"business_need"}},
		{"decision_maker", "To answer your earlier question, forms get lost.", `business_need="forms get lost"+`, []string{"business_need"}},
		{"business_need", "They work on the question before lunch", `business_need="They work on the question before lunch"`, []string{"decision_maker"}},
		{"business_need", "People ask the same question before every meeting", `business_need="People ask the same question before every meeting"`, []string{"decision_maker"}},
		{"business_need", "Nobody answers the earlier question of a customer", `business_need="Nobody answers the earlier question of a customer"`, []string{"decision_maker"}},
	} {
		s := chattest.SceneIn(chattest.Shipped(m, "project_discovery"), test.asked, test.in)
		for i, key := range test.open {
			o := obligations.Find(s.Obligations, key)
			o.Attempts, o.LastTurn, o.Status = 1, i+1, obligations.InProgress
		}
		if got := chattest.Brief(understand(m, s).Findings); got != test.want {
			m.Errorf("asked %s, %v left open, Understand(%q) finds\n     %s\nwant %s", test.asked, test.open, test.in, got, test.want)
		}
	}
}
