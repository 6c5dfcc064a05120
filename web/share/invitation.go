package share

import (
	"quaestor/sessions"
	"quaestor/web/ui"
)

// invitationWords tell who invites the reader, and to what.
func invitationWords(v InvitationView) string {
	if v.Role == sessions.ObserverRole {
		return ui.NameOr(v.By, "Somebody") + " invites you to read along in this interview."
	}
	return ui.NameOr(v.By, "Somebody") + " invites you to answer in this interview, together with the people who already take part."
}

// invitationTerms explain what taking part means, before the reader accepts.
func invitationTerms(v InvitationView) []string {
	terms := []string{"You can read what was said so far. Everybody who takes part and everybody who reviews the interview can read along."}
	if v.Role != sessions.ObserverRole {
		terms[0] = "The interviewer asks one question at a time. Answer what you know, in your own words, and leave out what you like. You can stop at any time and come back in this browser."
		terms = append(terms, "You can read what was said so far. What you say can be read by everybody who takes part and by everybody who reviews the interview.")
	}
	return terms
}

// invitedWords tell what to do with the link of a new invitation.
func invitedWords(v InvitedView) string {
	may := " to answer in this interview, too."
	if v.Role == sessions.ObserverRole {
		may = " to read along in this interview."
	}
	return "Send this link to " + ui.NameOr(v.Name, "the person you invite") + may
}
