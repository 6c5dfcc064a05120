package reading

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quaestor/chat/chattest"
	"quaestor/internal/embedding"
	"quaestor/internal/listening"
	"quaestor/internal/postgres/cluster"
	"quaestor/internal/prerequisite"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// encoded is a listener with the text encoder.
func encoded(t *testing.T) *listening.Listener {
	t.Helper()
	dir := filepath.Join(cluster.SharedDir(), "encoder")
	if err := embedding.Check(dir); err != nil {
		prerequisite.Need(t, prerequisite.Encoder)
		t.Fatal(err)
	}
	return listening.New(embedding.NewLite(dir))
}

// What answers another question than was asked is not held for sure, and what is told in passing
// has to fit its field; what answers is taken.
func TestWhatAnswersAnotherQuestion(t *testing.T) {
	t.Parallel()

	l := encoded(t)
	for _, tt := range []struct{ objective, language, asked, said, holds, without string }{
		{"project_discovery", "en", "decision_maker", "Got 22 handhelds and 14 desktops, all on the site wifi", "", "decision_maker"},
		{"project_discovery", "en", "decision_maker", "Sandra, the ops director", "decision_maker", ""},
		{"project_discovery", "en", "biggest_risk", "barcode scanning, live stock levels and label printing", "", "biggest_risk"},
		{"project_discovery", "en", "biggest_risk", "that Dave retires and nobody knows where anything is", "biggest_risk", ""},
		{"business_profile", "en", "main_challenge", "we lost a candidate over salary, we had offered £52,500", "", "annual_revenue"},
		{"business_profile", "de", "main_challenge", "2019 sind uns im Winter achtzehn Völker eingegangen", "", "time_available"},
		{"business_profile", "de", "main_challenge", "Die Zeit und die Bürokratie", "main_challenge", ""},
		{"idea_discovery", "en", "idea_summary", "Well, my idea is a lending library for tools in every block of flats.", "idea_summary=a lending library for tools in every block of flats", ""},
		{"idea_discovery", "de", "target_users", "Studierende in Wohngemeinschaften", "target_users", ""},
	} {
		var d objectives.Definition
		for _, o := range objectives.Shipped() {
			if o.ContextType == tt.objective {
				d = *o.In(tt.language)
			}
		}
		s := chattest.SceneIn(&d, tt.asked, tt.said)
		s.Session.Language = tt.language
		u, err := Understand(context.Background(), s, l)
		if err != nil {
			t.Fatal(err)
		}
		held := map[string]bool{}
		for _, f := range u.Findings {
			held[f.Key] = f.Grade.Fit == nil || *f.Grade.Fit > mostDoubtful
		}
		key, value, _ := strings.Cut(tt.holds, "=")
		if key != "" && !held[key] || !strings.Contains(chattest.Brief(u.Findings), value) {
			t.Errorf("%q in answer to %s is not held: %s", tt.said, tt.asked, chattest.Brief(u.Findings))
		}
		for key := range strings.FieldsSeq(tt.without) {
			if held[key] {
				t.Errorf("%q in answer to %s is held for %s: %s", tt.said, tt.asked, key, chattest.Brief(u.Findings))
			}
		}
	}
}

// What is told instead of a yes or a no overwrites no text that is read back, unless it surely fits.
func TestWhatIsReadBackStays(t *testing.T) {
	t.Parallel()

	l := encoded(t)
	d := *objectives.Shipped()[slices.IndexFunc(objectives.Shipped(), func(d objectives.Definition) bool { return d.ContextType == "project_discovery" })].In("en")
	for said, want := range map[string]string{
		"the diary, a key safe and whatsapp": "current_systems",
		"around 4,000 pounds":                "budget",
		"22 handhelds and 14 desktops":       "",
		"a big website with a map":           "",
		"no, the double bookings":            "business_need",
	} {
		s := chattest.SceneIn(&d, "business_need", said)
		chattest.Hold(s, "business_need", `"last month a toddler group met a funeral tea"`, 3)
		s.Asked = chattest.Ask(obligations.Find(s.Obligations, "business_need"), sessions.ToConfirm)
		u, err := Understand(t.Context(), s, l)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range u.Findings {
			if f.Value != nil {
				got = append(got, f.Key)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q changes %s, want %q", said, chattest.Brief(u.Findings), want)
		}
	}
}

// A "no" in answer to an open question speaks of what was told last, where it fits that.
func TestNoSpeaksOfWhatWasToldLast(t *testing.T) {
	t.Parallel()

	l, d := encoded(t), chattest.Shipped(t, "business_profile")
	for _, tt := range []struct{ held, said, want string }{
		{"business_overview", "No, it's repairs and second hand bikes, and a bit of hire in summer", "business_overview"},
		{"business_overview", "nope. we do weddings and funerals, mostly funerals", "business_overview"},
		{"business_overview", "no it's more that nobody finds us", "primary_goal"},
		{"main_challenge", "no, we fix bikes, sell used ones, and rent a few", "primary_goal"},
		{"main_challenge", "no it's more that nobody finds us", "main_challenge"},
	} {
		s := chattest.SceneIn(d, "primary_goal", tt.said)
		s.Turn = 3
		chattest.Hold(s, tt.held, `"a bike shop"`, 2)
		u, err := Understand(t.Context(), s, l)
		if err != nil || len(u.Findings) != 1 || u.Findings[0].Key != tt.want {
			t.Errorf("%q after %s tells %q, want %s: %v", tt.said, tt.held, chattest.Brief(u.Findings), tt.want, err)
		}
	}
}

// What is talk stays talk: a wish to skip tells of no other field, and an exclamation answers nothing.
func TestTalkIsNoAnswer(t *testing.T) {
	t.Parallel()

	l, d := encoded(t), chattest.Shipped(t, "project_discovery")
	for asked, said := range map[string]string{"decision_maker": "skip", "core_requirements": "hmm, what a day"} {
		u, err := Understand(t.Context(), chattest.SceneIn(d, asked, said), l)
		if err != nil || slices.ContainsFunc(u.Findings, func(f obligations.Finding) bool { return f.Value != nil }) {
			t.Errorf("%q asked for %s tells %q: %v", said, asked, chattest.Brief(u.Findings), err)
		}
	}
}

// heardEncoded is what a message tells that is read with the encoder; asked ends with ? where its value,
// that of held, is read back.
func heardEncoded(t *testing.T, objective, language, asked, held, said string) string {
	t.Helper()
	key, confirming := strings.CutSuffix(asked, "?")
	s := chattest.SceneIn(chattest.Shipped(t, objective).In(language), key, said)
	s.Session.Language = language
	if confirming {
		chattest.Hold(s, key, `"`+held+`"`, 1)
		s.Asked = chattest.Ask(obligations.Find(s.Obligations, key), sessions.ToConfirm)
	}
	u, err := Understand(t.Context(), s, encoded(t))
	if err != nil {
		t.Fatal(err)
	}
	return chattest.Brief(u.Findings)
}

// What is said instead of a yes takes the place of a text that is read back, if it answers the question
// better; a remark does not.
func TestWhatAnswersBetterTakesItsPlace(t *testing.T) {
	t.Parallel()

	const bp = "business_profile"
	for _, tt := range []struct{ language, asked, held, said, want string }{
		{"en", "business_overview?", "the dog is barking", "we press apples for the farms around here, my uncle and I", "press apples"},
		{"en", "business_overview?", "the dog is barking", "It's a launderette by the docks.", "launderette by the docks"},
		{"en", "primary_goal?", "the snow", "I'd like to take on a second apprentice by the summer", "second apprentice"},
		{"de", "business_overview?", "der Hund bellt", "wir bauen Kachelöfen im Allgäu, mein Schwager und ich", "Kachelöfen"},
		{"en", "business_overview?", "We restore pianos", "the dog is barking, excuse me", ""},
		{"en", "business_overview?", "We restore pianos", "my shoulder is sore today", ""},
		{"en", "main_challenge?", "finding fitters", "It has been raining since Monday", ""},
		{"de", "business_overview?", "Wir restaurieren Klaviere", "mein Knie tut heute so weh", ""},
	} {
		got := heardEncoded(t, bp, tt.language, tt.asked, tt.held, tt.said)
		if tt.want != "" && !strings.Contains(got, tt.want) || tt.want == "" && strings.Contains(got, strings.TrimSuffix(tt.asked, "?")+"=") {
			t.Errorf("%q instead of a yes to %q tells %s, want %q", tt.said, tt.held, got, tt.want)
		}
	}
}

// A figure that is told in passing is of no field that its sentence does not name; a part of the body is
// no field; and a figure in a correction is rather what was asked for.
func TestFiguresInPassing(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ objective, language, asked, said, want, never string }{
		{"business_profile", "en", "primary_goal", "a free Sunday. I'm in the shop six days a week and my back's shot", "", "time_available main_challenge"},
		{"business_profile", "en", "success_measure", "when I'm out by four three days a week", "", "time_available"},
		{"idea_discovery", "en", "problem", "They walk to the depot for every key. Half an hour there and the tenants stand in the rain.", "problem", "hours_per_week"},
		{"idea_discovery", "en", "existing_solutions", "there's a Dutch planner, but that's 200 euros a month", "", "budget"},
		{"business_profile", "en", "time_available", "Hems and zips aren't my competitors. Say four.", "time_available=4", "team_size"},
		{"business_profile", "en", "primary_goal", "a second oven. We have about five hours a week for it, time we can spare", "primary_goal", ""},
	} {
		got := heardEncoded(t, tt.objective, tt.language, tt.asked, "", tt.said)
		if !strings.Contains(got, tt.want) {
			t.Errorf("%q tells %s, without %s", tt.said, got, tt.want)
		}
		for key := range strings.FieldsSeq(tt.never) {
			if strings.Contains(got, key+"=") {
				t.Errorf("%q tells %s", tt.said, got)
			}
		}
	}
}

// An answer keeps the clauses of its sentence that belong to it.
func TestAnswersAreKeptWhole(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ language, asked, said, want string }{
		{"en", "business_overview", "we mend garden tools, me and my niece", "me and my niece"},
		{"en", "business_overview", "my cousin and I tune organs for churches, all over Wales", "all over Wales"},
		{"en", "target_market", "young families who can't park in town, and teachers", "and teachers"},
	} {
		if got := heardEncoded(t, "business_profile", tt.language, tt.asked, "", tt.said); !strings.Contains(got, tt.want) {
			t.Errorf("%q tells %s, without %q", tt.said, got, tt.want)
		}
	}
}
