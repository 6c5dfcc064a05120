package talk

import (
	"cmp"
	"strings"
)

// pageWords are the fixed words of an interview's page in other languages than English: by
// language, then by the English words. What is missing is said in English.
var pageWords = map[string]map[string]string{
	"de": {
		"Your answer":                          "Ihre Antwort",
		"Send":                                 "Senden",
		"Send files only":                      "Nur Dateien senden",
		"Stop":                                 "Anhalten",
		"Latest message":                       "Neueste Nachricht",
		"Quick answers":                        "Schnelle Antworten",
		"Skip":                                 "Überspringen",
		"Later":                                "Später",
		"I don't know":                         "Das weiß ich nicht",
		"Why do you ask?":                      "Warum fragen Sie das?",
		"Look it up":                           "Schauen Sie das bitte nach",
		"Attach files":                         "Dateien anhängen",
		"Files to send":                        "Dateien zum Senden",
		"Conversation":                         "Gespräch",
		"Show earlier messages":                "Frühere Nachrichten zeigen",
		"For example:":                         "Zum Beispiel:",
		"Why this question":                    "Warum diese Frage",
		"Why it is thought so":                 "Warum das angenommen wird",
		"That is settled now.":                 "Das ist jetzt geklärt.",
		"Go on":                                "Weiter",
		"Something else":                       "Etwas anderes",
		"Day":                                  "Tag",
		"Or in words":                          "Oder in Worten",
		"2027, March 2027, next spring":        "2027, März 2027, nächstes Frühjahr",
		"Yes, that's right":                    "Ja, das stimmt",
		"Change it":                            "Ändern",
		"No":                                   "Nein",
		"Answer it now":                        "Jetzt beantworten",
		"Finish without it":                    "Ohne das beenden",
		"Close it":                             "Beenden",
		"That's all":                           "Das ist alles",
		"Stop here":                            "Hier aufhören",
		"Go on a little":                       "Noch ein wenig weiter",
		"Something is wrong":                   "Etwas stimmt nicht",
		"Nothing else":                         "Sonst nichts",
		"Is this right so far?":                "Stimmt das so weit?",
		"Did I miss something?":                "Habe ich etwas vergessen?",
		"Stop here for now?":                   "Hier erst einmal aufhören?",
		"Not yet":                              "Noch nicht",
		"Send answer":                          "Antwort senden",
		"Send answers":                         "Antworten senden",
		"What you leave empty is asked later.": "Was Sie leer lassen, wird später gefragt.",
		"This is right":                        "Das ist richtig",
		"Another value":                        "Ein anderer Wert",
		"A few short ones together":            "Einige kurze Fragen zusammen",
		"Finish without it?":                   "Ohne das beenden?",
		"Shall we close this interview?":       "Wollen wir das Gespräch beenden?",
		"{name}: is this right?":               "{name}: Stimmt das?",
		"{name}: which is right?":              "{name}: Was stimmt?",
		"Answer at least one of these, or write below.":        "Beantworten Sie mindestens eine Frage oder schreiben Sie unten.",
		"Nothing is answered yet: do it here, or write below.": "Noch ist nichts beantwortet: Antworten Sie hier oder schreiben Sie unten.",
		"Pick the one that is right.":                          "Wählen Sie, was stimmt.",
		"From {min} to {max}":                                  "Von {min} bis {max}",
		"At least {min}":                                       "Mindestens {min}",
		"At most {max}":                                        "Höchstens {max}",
		"Change or add something":                              "Etwas ändern oder ergänzen",
		"This opens the interview again; what was completed stays readable.": "Das Gespräch wird wieder geöffnet; was abgeschlossen wurde, bleibt lesbar.",
		"Welcome back":          "Willkommen zurück",
		"Earlier messages":      "Frühere Nachrichten",
		"Back to the interview": "Zurück zum Gespräch",
		"Try again":             "Noch einmal versuchen",
		"Edit":                  "Bearbeiten",
		"Sent so far":           "Bisher gesendet",
		"That is a long text. As a file it is read for all the questions, and what was read in it can be shown.": "Das ist ein langer Text. Als Datei wird er für alle Fragen gelesen, und was darin gelesen wurde, lässt sich zeigen.",
		"Attach it as a file":     "Als Datei anhängen",
		"Leave it in the message": "In der Nachricht lassen",

		// The panel.
		"This interview so far":           "Dieses Gespräch bisher",
		"Close":                           "Schließen",
		"Parts of the interview":          "Teile des Gesprächs",
		"Progress":                        "Fortschritt",
		"Resolved":                        "Geklärt",
		"% resolved:":                     " % geklärt:",
		"of":                              "von",
		"known":                           "bekannt",
		"in part":                         "teilweise",
		"skipped":                         "ausgelassen",
		"Still needed to finish:":         "Für den Abschluss fehlt noch:",
		"About {n} minutes left":          "Noch etwa {n} Minuten",
		"About a minute left":             "Noch etwa eine Minute",
		"Done":                            "Erledigt",
		"Now":                             "Jetzt",
		"Left open":                       "Offen geblieben",
		"To come":                         "Offen",
		"To find out":                     "Weiteres",
		"Being asked":                     "Wird gerade gefragt",
		"Not asked yet":                   "Noch nicht gefragt",
		"Asked, still open":               "Gefragt, noch offen",
		"Partly known":                    "Teilweise bekannt",
		"Known":                           "Bekannt",
		"For later":                       "Für später",
		"Skipped":                         "Ausgelassen",
		"Skipped: does not apply":         "Ausgelassen: trifft nicht zu",
		"No preference":                   "Keine Vorliebe",
		"How sure:":                       "Wie sicher:",
		"Changed from":                    "Geändert, vorher:",
		"Change":                          "Ändern",
		"Answer":                          "Antworten",
		"{value} (in dispute)":            "{value} (strittig)",
		"You":                             "Sie",
		"Someone":                         "Jemand",
		"{who} said":                      "Gesagt ({who})",
		"{who} agreed to {value}":         "Zugestimmt zu {value} ({who})",
		"Follows from {from}":             "Folgt aus: {from}",
		"Read in {source}":                "Gelesen in {source}",
		"Found by research":               "Durch Recherche gefunden",
		", show where it was said":        ", zeigen, wo es gesagt wurde",
		", show it in the file":           ", in der Datei zeigen",
		"Where it was found":              "Wo es gefunden wurde",
		", turn {n}":                      ", Runde {n}",
		"{who} chose or entered it":       "Gewählt oder eingetragen ({who})",
		"{who} decided it in review":      "In der Prüfung entschieden ({who})",
		"Skipped: not answered by choice": "Ausgelassen: bewusst nicht beantwortet",
		"These words were not found in the conversation.":                "Diese Worte stehen nicht im Gespräch.",
		"These words do not say it.":                                     "Diese Worte sagen das nicht.",
		"These words do not clearly say it, so it needs somebody's yes.": "Diese Worte sagen das nicht eindeutig; jemand muss es bestätigen.",
		"This value is disputed and being settled.":                      "Diese Angabe ist strittig und wird geklärt.",
		"This value is disputed; it is set aside for now.":               "Diese Angabe ist strittig und vorerst zurückgestellt.",
		"This value is disputed; a reviewer decides.":                    "Diese Angabe ist strittig; in der Prüfung wird entschieden.",
		"Two answers to this do not agree.":                              "Zwei Antworten dazu passen nicht zusammen.",
		"People in this interview":                                       "Wer an diesem Gespräch teilnimmt",
		"People in this interview: {n}":                                  "Wer an diesem Gespräch teilnimmt: {n}",
		"owner":                                                          "führt das Gespräch",
		"answers too":                                                    "antwortet mit",
		"reads along":                                                    "liest mit",
		"looks in":                                                       "schaut herein",
		"Leave this interview":                                           "Dieses Gespräch verlassen",
		"Invite somebody":                                                "Jemanden einladen",
		"They get a link to this interview and need no account. They can read what was said so far.": "Sie bekommen einen Link zu diesem Gespräch und brauchen kein Konto. Was bisher gesagt wurde, können sie lesen.",
		"Their name (may be left empty)": "Name (darf leer bleiben)",
		"What they may do":               "Was erlaubt ist",
		"Answer questions too":           "Auch Fragen beantworten",
		"Only read along":                "Nur mitlesen",
		"Make a link":                    "Link erstellen",
		"Being looked up":                "Wird nachgeschlagen",
		"Nothing so far.":                "Bisher nichts.",
		"Look something up …":            "Etwas nachschlagen …",
		"What to find out":               "Was herausgefunden werden soll",
		"Queued":                         "Wartet",
		"Looking it up":                  "Wird nachgeschlagen",
		"Found":                          "Gefunden",
		"Sources disagree":               "Quellen uneinig",
		"Nothing found":                  "Nichts gefunden",
		"Not possible":                   "Nicht möglich",
		"Cancelled":                      "Abgebrochen",
		"Queued.":                        "Vorgemerkt.",
		"Noted.":                         "Notiert.",
		"In use:":                        "Übernommen:",
		"Proposed:":                      "Vorschlag:",
		"Use this":                       "Übernehmen",
		"What was found so far":          "Was bisher gefunden wurde",
		"Report with all sources":        "Bericht mit allen Quellen",
		"Told where to look: {text}":     "Hinweis, wo gesucht werden soll: {text}",

		// Cards.
		"To settle": "Zu klären",
		"Accept":    "Annehmen",
		"Reject":    "Ablehnen",
		"Reject …":  "Ablehnen …",
		"What is wrong with it, if you like to say": "Was daran nicht stimmt, wenn Sie es sagen möchten",
		"Which is right?":                   "Was stimmt?",
		"Both hold":                         "Beides gilt",
		"Noted at present":                  "Derzeit notiert",
		"Change {name}":                     "{name} ändern",
		"{names}: two answers do not agree": "{names}: Zwei Antworten passen nicht zusammen",
		"Only that the other is wrong":      "Nur, dass das andere nicht stimmt",
		"The one you pick stands. The other is taken out and asked again.":              "Was Sie wählen, bleibt. Das andere wird entfernt und noch einmal gefragt.",
		"Found by research. It counts once somebody here says it is right.":             "Durch Recherche gefunden. Es zählt, sobald hier jemand sagt, dass es stimmt.",
		"It follows from other answers. It counts once somebody here says it is right.": "Es folgt aus anderen Antworten. Es zählt, sobald hier jemand sagt, dass es stimmt.",
		"It stands in a document. It counts once somebody here says it is right.":       "Es steht in einem Dokument. Es zählt, sobald hier jemand sagt, dass es stimmt.",

		// The frame of the page.
		"Spoken updates": "Gesprochene Hinweise",
		"What is known:": "Was bekannt ist:",
		"resolved":       "geklärt",
		"This interview": "Dieses Gespräch",
		"Brief":          "Ergebnis",
		"This interview is finished: go to its result": "Dieses Gespräch ist beendet: zum Ergebnis",
		"The last word here was {when}.":               "Die letzte Nachricht war {when}.",
		"{n} of {total} points are known.":             "{n} von {total} Punkten sind bekannt.",
		"Noted last:":                                  "Zuletzt notiert:",
		"We were at:":                                  "Wir waren bei:",
		"1 hour ago":                                   "vor einer Stunde",
		"{n} hours ago":                                "vor {n} Stunden",
		"1 day ago":                                    "vor einem Tag",
		"{n} days ago":                                 "vor {n} Tagen",
		"1 month ago":                                  "vor einem Monat",
		"{n} months ago":                               "vor {n} Monaten",
		"points are known, with the evidence for each.": "Punkten sind bekannt, mit dem Beleg für jeden.",
		"Still open:":                 "Noch offen:",
		"Read the brief":              "Ergebnis lesen",
		"Back to all interviews":      "Zurück zu allen Gesprächen",
		"This interview is complete.": "Dieses Gespräch ist abgeschlossen.",
		"This interview is paused. Write whenever you want to go on.":                             "Dieses Gespräch ruht. Schreiben Sie, wann immer Sie weitermachen möchten.",
		"This interview has reached its agreed length. What is known so far is kept.":             "Dieses Gespräch hat die vereinbarte Länge erreicht. Was bisher bekannt ist, bleibt erhalten.",
		"This interview rests, because something it needs was not answered. You can still go on.": "Dieses Gespräch ruht, weil etwas Nötiges nicht beantwortet wurde. Sie können trotzdem weitermachen.",
		"A reviewer takes it from here. You can still add something.":                             "Ab hier übernimmt jemand aus der Prüfung. Sie können noch etwas ergänzen.",
		"This interview stopped because of a fault. Write to go on.":                              "Dieses Gespräch wurde durch einen Fehler unterbrochen. Schreiben Sie, um weiterzumachen.",
	},
}

// sentWords are what a button sends where that differs from what it says: words that every
// interviewer understands without the button.
var sentWords = map[string]map[string]string{
	"de": {
		"Later":    "Darauf komme ich später zurück",
		"Close it": "Ja",
		"Not yet":  "Nein, noch nicht",
	},
}

// scriptSays are the fixed words that the scripts of the page say, in other languages
// than English: by language, then by the English words. The page hands them to its scripts
// whole.
var scriptSays = map[string]map[string]string{
	"de": {
		"{who} takes part now.":                          "{who} nimmt jetzt teil.",
		"{who} takes part no longer.":                    "{who} nimmt nicht mehr teil.",
		"The message before waits for the connection.":   "Die vorige Nachricht wartet auf die Verbindung.",
		"Quaestor is still answering.":                   "Quaestor antwortet noch.",
		"A file is still being read.":                    "Eine Datei wird noch gelesen.",
		"The reply could not be stopped.":                "Die Antwort ließ sich nicht anhalten.",
		"Connecting again":                               "Verbindung wird wiederhergestellt",
		"Offline":                                        "Keine Verbindung",
		"Answered by the built-in interviewer: {reason}": "Vom eingebauten Interviewer beantwortet: {reason}",
		"Sending": "Wird gesendet",
		"Waits for the connection, and goes out by itself": "Wartet auf die Verbindung und geht dann von selbst hinaus",
		"Not sent": "Nicht gesendet",
		"Interrupted: it goes on once the connection is back": "Unterbrochen: Es geht weiter, sobald die Verbindung wieder da ist",
		"One moment": "Einen Moment",
		"At most {n} files go into one message; send the others with the next.": "In eine Nachricht passen höchstens {n} Dateien; senden Sie die übrigen mit der nächsten.",
		"{name} has more than {n} MB; attach the part that matters.":            "{name} hat mehr als {n} MB; hängen Sie den Teil an, auf den es ankommt.",
		"{name} is empty; attach a file with text in it.":                       "{name} ist leer; hängen Sie eine Datei mit Text an.",
		"This file is too large.":                                               "Diese Datei ist zu groß.",
		"The file could not be sent. Remove it and attach it again.":            "Die Datei konnte nicht gesendet werden. Entfernen Sie sie und hängen Sie sie noch einmal an.",
		"The connection failed. Remove the file and attach it again.":           "Die Verbindung ist abgebrochen. Entfernen Sie die Datei und hängen Sie sie noch einmal an.",
		"Reading":      "Wird gelesen",
		"Not attached": "Nicht angehängt",
		"{name} was read and goes with your message.": "{name} wurde gelesen und geht mit Ihrer Nachricht mit.",
		"{name} is removed.":                          "{name} ist entfernt.",
		"Saved.":                                      "Gespeichert.",
		"Settled.":                                    "Geklärt.",
		"That cannot be changed just now. Try again in a moment.": "Das lässt sich gerade nicht ändern. Versuchen Sie es gleich noch einmal.",
		"{n} earlier messages.":                                   "{n} frühere Nachrichten.",
		"Earlier messages could not be loaded.":                   "Die früheren Nachrichten konnten nicht geladen werden.",
		"Noted: {name}, {value}.":                                 "Notiert: {name}, {value}.",

		// Why something could not be sent.
		"The connection failed. Nothing is lost; try again.":                                         "Die Verbindung ist abgebrochen. Nichts ist verloren; versuchen Sie es noch einmal.",
		"You are no longer signed in. Open this page again in another tab, sign in, then try again.": "Sie sind nicht mehr angemeldet. Öffnen Sie diese Seite in einem anderen Tab, melden Sie sich an und versuchen Sie es dann noch einmal.",
		"You may not write in this interview.":                                                       "In diesem Gespräch dürfen Sie nicht schreiben.",
		"This interview cannot be found any more.":                                                   "Dieses Gespräch ist nicht mehr zu finden.",
		"Quaestor is still answering. Try again in a moment.":                                        "Quaestor antwortet noch. Versuchen Sie es gleich noch einmal.",
		"That is too long for one message. Shorten it, or send it in parts.":                         "Das ist zu lang für eine Nachricht. Kürzen Sie es oder senden Sie es in Teilen.",
		"That cannot be taken as it is.":                                                             "So kann das nicht angenommen werden.",
		"That was a lot at once. Try again in a moment.":                                             "Das war viel auf einmal. Versuchen Sie es gleich noch einmal.",
		"Quaestor could not take that. Try again.":                                                   "Quaestor konnte das nicht annehmen. Versuchen Sie es noch einmal.",

		"Stopped":          "Angehalten",
		"Interrupted here": "Hier unterbrochen",
		"Remove {name}":    "{name} entfernen",
	},
}

// send returns what the button of the given English words sends in the language of the
// session.
func (v ChatView) send(words string) string {
	return cmp.Or(sentWords[v.Session.Language][words], v.say(words))
}

// say returns fixed words of the page in a language, such as that of the session, with the
// pairs of names and values in their places.
func say(language, words string, pairs ...string) string {
	words = cmp.Or(pageWords[language][words], scriptSays[language][words], words)
	return strings.NewReplacer(pairs...).Replace(words)
}

// say returns fixed words of the page in the language of the session.
func (v ChatView) say(words string, pairs ...string) string {
	return say(v.Session.Language, words, pairs...)
}

// sayAll returns fixed words of the page by what they stand for, in the language of the
// session.
func sayAll[K comparable](v ChatView, words map[K]string) map[K]string {
	out := make(map[K]string, len(words))
	for k, w := range words {
		out[k] = v.say(w)
	}
	return out
}
