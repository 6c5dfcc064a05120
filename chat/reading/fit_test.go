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
