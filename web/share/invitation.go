package share

import (
	"quaestor/sessions"
	"quaestor/web/ui"
)

// invitationWords says who invites to what.
func invitationWords(v InvitationView) string {
	if v.Role == sessions.ObserverRole {
		return ui.NameOr(v.By, "Somebody") + " invites you to read along in this interview."
	}
	return ui.NameOr(v.By, "Somebody") + " invites you to answer in this interview, together with those who take part already."
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
	return "Send this link to " + ui.NameOr(v.Name, "the person you invite") + may
}
