package talk

import (
	"fmt"

	"quaestor/sessions"
)

// peopleTitle says how many take part, beside the person who began it.
func peopleTitle(others []sessions.Participant) string {
	if len(others) == 0 {
		return "People in this interview"
	}
	return fmt.Sprintf("People in this interview: %d", len(others)+1)
}

// talks reports whether the reader may answer.
func (v ChatView) talks() bool { return v.Role != sessions.ObserverRole }

// decides reports whether the reader may ask others in.
func (v ChatView) decides() bool { return v.Role == sessions.OwnerRole && !v.closed() }
