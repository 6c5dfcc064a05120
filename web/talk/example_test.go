package talk_test

import (
	"fmt"
	"net/url"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/talk"
)

// A form that is sent without JavaScript gives the same message as one sent with it.
func ExamplePosted() {
	asked := &sessions.Question{Purpose: sessions.ToAsk, Key: "team_size", Widget: obligations.Number, Unit: "people"}

	message, answers := talk.Posted(asked, url.Values{"answer.team_size": {"12"}})

	fmt.Println(message)
	fmt.Println(string(answers["team_size"]))
	// Output:
	// 12 people
	// 12
}
