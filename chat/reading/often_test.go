package reading

import (
	"testing"

	"quaestor/chat/chattest"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// TestChosenByHowOften holds that how often something happens picks the choice that comes as often, in
// its words or not.
func TestChosenByHowOften(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 0)

	english := []obligations.Choice{{Value: "d", Label: "Daily"}, {Value: "w", Label: "Weekly"}, {Value: "m", Label: "Monthly"}, {Value: "y", Label: "A few times a year"}, {Value: "l", Label: "Once or twice in a life"}}
	german := []obligations.Choice{{Value: "d", Label: "Täglich"}, {Value: "w", Label: "Jede Woche"}, {Value: "m", Label: "Einmal im Monat"}, {Value: "y", Label: "Ein paarmal im Jahr"}, {Value: "l", Label: "Ein- oder zweimal im Leben"}}
	for _, tt := range []struct {
		language, in, want string
	}{
		{"en", "two or three times a month", `"m"`}, {"en", "Three times a week, more in winter", `"w"`}, {"en", "every morning", `"d"`},
		{"en", "twice a year", `"y"`}, {"en", "about once every six weeks", `"m"`}, {"en", "every Thursday", `"w"`}, {"en", "once a month or so", `"m"`},
		{"en", "oh, every four weeks", `"m"`}, {"en", "twice a day", `"d"`}, {"en", "once in a lifetime", `"l"`},
		{"de", "zwei-, dreimal im Monat", `"m"`}, {"de", "Dreimal die Woche", `"w"`}, {"de", "jeden Abend", `"d"`}, {"de", "zweimal im Jahr", `"y"`},
		{"de", "alle vier Wochen", `"m"`}, {"de", "vier bis fünf Mal im Jahr", `"y"`}, {"de", "jeden Dienstag", `"w"`}, {"de", "einmal im Leben", `"l"`},
		{"en", "twice a day, in the morning and at night", `"d"`}, {"de", "zweimal die Woche, morgens und abends", `"w"`},
		// No frequency:
		{"en", "the second one", `"w"`}, {"de", "das dritte", `"m"`},
	} {
		d := &objectives.Definition{ContextType: "often", Obligations: []obligations.Template{
			{Key: "often", Label: "How often", Prompt: "How often does it break down?", Widget: obligations.ChoiceOne, Priority: 9, Category: "Use", Choices: english},
			{Key: "since", Label: "Since", Prompt: "Since when?", Widget: obligations.Text, Priority: 5, Category: "Use"}}}
		if tt.language == "de" {
			d.Obligations[0].Label, d.Obligations[0].Prompt, d.Obligations[0].Choices = "Häufigkeit", "Wie oft fällt es aus?", german
			d.Obligations[1].Prompt = "Seit wann?"
		}
		s := chattest.SceneIn(d, "often", tt.in)
		s.Session.Language = tt.language
		got := ""
		for _, f := range understand(m, s).Findings {
			if f.Key == "often" {
				got = string(f.Value)
			}
		}
		if got != tt.want {
			m.Errorf("Understand(%q) = %s, want %s", tt.in, got, tt.want)
		}
	}
}

// TestPartsOfTheDay holds that who names several parts of the day says how often it comes.
func TestPartsOfTheDay(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ language, in, want string }{
		{"en", "Before breakfast in the morning, at noon, and again in the evening", `"many_times_a_day"`},
		{"de", "Früh, mittags und nachts noch einmal", `"many_times_a_day"`},
		{"en", "every evening", `"daily"`},
		{"de", "jeden Abend", `"daily"`},
		{"en", "once a week, in the evening or at night", `"weekly"`},
	} {
		s := chattest.SceneIn(chattest.Shipped(t, "idea_discovery").In(tt.language), "problem_frequency", tt.in)
		s.Session.Language = tt.language
		got := ""
		for _, f := range understand(t, s).Findings {
			if f.Key == "problem_frequency" {
				got = string(f.Value)
			}
		}
		if got != tt.want {
			t.Errorf("%q is %s, want %s", tt.in, got, tt.want)
		}
	}
}
