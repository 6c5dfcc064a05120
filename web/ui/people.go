package ui

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

// partName is the name of p for people.
func partName(p sessions.Part) string {
	switch p {
	case sessions.OwnerPart:
		return "owner"
	case sessions.ContributorPart:
		return "answers too"
	case sessions.ObserverPart:
		return "reads along"
	case sessions.NoPart:
		return "looks in"
	}
	return string(p)
}

// invitationWords says who invites to what.
func invitationWords(v InvitationView) string {
	if v.Part == sessions.ObserverPart {
		return nameOr(v.By, "Somebody") + " asks you to read along in this interview."
	}
	return nameOr(v.By, "Somebody") + " asks you to answer in this interview, together with those who are in it already."
}

func nameOr(name, otherwise string) string {
	if name == "" {
		return otherwise
	}
	return name
}

// talks reports whether the reader may answer.
func (v ChatView) talks() bool { return v.Part != sessions.ObserverPart }

// decides reports whether the reader may ask others in.
func (v ChatView) decides() bool { return v.Part == sessions.OwnerPart && !v.closed() }
