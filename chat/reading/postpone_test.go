package reading

import (
	"testing"

	"quaestor/chat"
)

// "can we do the techy bits later" could not be followed, or put off what had just been asked.
func TestPartsOfTheTalkArePutOff(t *testing.T) {
	t.Parallel()

	const pd = "project_discovery"
	technical := "current_systems defer; integrations defer; data_kinds defer; platforms defer; availability defer; compliance defer"
	checkSpoken(t, []spokenTo{
		{"en", pd, "integrations", nil, "can we do the techy bits later", technical},
		{"en", pd, "success_criteria", nil, "can the technical stuff wait?", technical},
		{"en", pd, "integrations", nil, "let's leave money for the end", "budget defer"},
		{"en", pd, "integrations", nil, "I'd rather do the budget at the end", "budget defer"},
		{"en", pd, "success_criteria", nil, "could we talk about the deadline later?", "timeline defer; deadline_flexibility defer"},
		{"en", pd, "budget", nil, "save the finances for last", "budget defer"},
		{"de", pd, "integrations", nil, "können wir das Technische später machen", technical},
		{"de", pd, "success_criteria", nil, "können wir die Systemfragen ans Ende stellen?", technical},
		{"de", pd, "integrations", nil, "lassen wir das Geld für den Schluss", "budget defer"},
		{"de", pd, "integrations", nil, "das mit dem Budget bitte am Ende", "budget defer"},
		{"de", pd, "success_criteria", nil, "über die Technik reden wir später", technical},
		{"de", pd, "budget", nil, "die Finanzen lieber zum Schluss", "budget defer"},
		// Answers with such words:
		{"en", "business_profile", "main_challenge", nil, "the money comes too late", `main_challenge="the money comes too late"`},
		{"en", "business_profile", "primary_goal", nil, "sell software later on", `primary_goal="sell software later on"`},
		{"de", "business_profile", "main_challenge", nil, "am Ende fehlt das Geld", `main_challenge="am Ende fehlt das Geld"`},
	})
}

// A question about the words of a question is one for help.
func TestWordsOfAQuestionAreExplained(t *testing.T) {
	t.Parallel()

	for _, x := range []spokenTo{
		{"en", "project_discovery", "success_criteria", nil, "what do you mean by measure", ""},
		{"en", "project_discovery", "success_criteria", nil, `what does "succeeded" mean here?`, ""},
		{"en", "business_profile", "pricing_strategy", nil, "what is value based?", ""},
		{"en", "business_profile", "pricing_strategy", nil, "what's the difference between premium and value-based", ""},
		{"en", "business_profile", "pricing_strategy", nil, "in other words?", ""},
		{"de", "project_discovery", "success_criteria", nil, "was meinst du mit messen", ""},
		{"de", "project_discovery", "success_criteria", nil, "was verstehen Sie unter Erfolg?", ""},
		{"de", "business_profile", "pricing_strategy", nil, "was meinen Sie mit Festpreis?", ""},
		{"de", "business_profile", "pricing_strategy", nil, "was heißt Aufschlag?", ""},
		{"de", "business_profile", "pricing_strategy", nil, "mit anderen Worten?", ""},
	} {
		if intent, got := x.understood(t); chat.Intent(intent) != chat.AskHelp || got != "" {
			t.Errorf("%s, asked %s, Understand(%q) = %s, %s; want help", x.language, x.asked, x.in, intent, got)
		}
	}
}
