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
func partName(p sessions.Role) string {
	switch p {
	case sessions.OwnerRole:
		return "owner"
	case sessions.ContributorRole:
		return "answers too"
	case sessions.ObserverRole:
		return "reads along"
	case sessions.NoRole:
		return "looks in"
	}
	return string(p)
}

// invitationWords says who invites to what.
func invitationWords(v InvitationView) string {
	if v.Role == sessions.ObserverRole {
		return nameOr(v.By, "Somebody") + " invites you to read along in this interview."
	}
	return nameOr(v.By, "Somebody") + " invites you to answer in this interview, together with those who take part already."
}

// invitationTerms say what taking part means.
func invitationTerms(v InvitationView) []string {
	terms := []string{"You read what was said so far. Everybody who takes part, and those who review the interview, read along."}
	if v.Role != sessions.ObserverRole {
		terms[0] = "The interviewer asks one question at a time. You answer what you know, in your own words, and leave out what you like; you can stop and come back in this browser."
		terms = append(terms, "You read what was said so far. What you say is read by everybody who takes part, and by those who review the interview.")
	}
	return terms
}

// invitedWords say what to do with a link.
func invitedWords(v InvitedView) string {
	may := " to answer in this interview, too."
	if v.Role == sessions.ObserverRole {
		may = " to read along in this interview."
	}
	return "Send this link to " + nameOr(v.Name, "the person you invite") + may
}

func nameOr(name, otherwise string) string {
	if name == "" {
		return otherwise
	}
	return name
}

// talks reports whether the reader may answer.
func (v ChatView) talks() bool { return v.Role != sessions.ObserverRole }

// decides reports whether the reader may ask others in.
func (v ChatView) decides() bool { return v.Role == sessions.OwnerRole && !v.closed() }
