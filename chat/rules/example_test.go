package rules_test

import (
	"context"
	"fmt"
	"time"

	"quaestor/chat"
	"quaestor/chat/rules"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

func ExampleInterviewer_Understand() {
	scene := &chat.Scene{
		Turn: 2, Now: time.Date(2026, 8, 12, 0, 0, 0, 0, time.UTC),
		Asked: &sessions.Question{Purpose: sessions.ToAsk, Key: "staff"},
		Obligations: []obligations.Obligation{
			{Template: &obligations.Template{Key: "staff", Prompt: "How many people work for you?", Widget: obligations.Number, Unit: "people"}},
			{Template: &obligations.Template{Key: "launch", Prompt: "When do you launch?", Widget: obligations.Date, Cues: []string{"launch"}}},
		},
		Message: "About a dozen, and we launch next March.",
	}

	u, err := rules.New(listening.New(nil)).Understand(context.Background(), scene)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range u.Findings {
		fmt.Printf("%s is %s (“%s”)\n", f.Key, f.Value, f.Evidence.Quote)
	}
	// Output:
	// staff is 12 (“a dozen”)
	// launch is "2027-03" (“March”)
}
