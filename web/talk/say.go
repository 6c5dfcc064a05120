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
		"Welcome back": "Willkommen zurück",
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

// send returns what the button of the given English words sends in the language of the
// session.
func (v ChatView) send(words string) string {
	return cmp.Or(sentWords[v.Session.Language][words], v.say(words))
}

// say returns fixed words of the page in a language, such as that of the session, with the
// pairs of names and values in their places.
func say(language, words string, pairs ...string) string {
	if said, ok := pageWords[language][words]; ok {
		words = said
	}
	return strings.NewReplacer(pairs...).Replace(words)
}

// say returns fixed words of the page in the language of the session.
func (v ChatView) say(words string, pairs ...string) string {
	return say(v.Session.Language, words, pairs...)
}
