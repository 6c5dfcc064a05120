package model

import (
	"quaestor/chat"
)

// humanData is what is true for a person who asks for a human being.
type humanData struct {
	Note string `json:"note"`
	Call string `json:"theyCanReach,omitempty"` // in the organisation's words
}

// newHumanData returns what a person is told who asks for a human being; nil for others.
func newHumanData(s *chat.Scene, p *chat.Plan) *humanData {
	if !chat.AsksForHuman(&p.Understanding) {
		return nil
	}
	return &humanData{Note: "the people who read this interview have a note now, so that they can get in touch; meanwhile it can go on or stop here", Call: chat.Visible(s.Contact)}
}
