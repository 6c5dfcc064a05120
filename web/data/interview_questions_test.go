package data

import (
	"context"
	"strings"
	"testing"
	"time"

	"quaestor/chat"
	"quaestor/chat/reading"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/research/warehouse/packs"
	"quaestor/research/warehouse/projects"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

func profileOf(t *testing.T, slug string) objectives.Definition {
	t.Helper()
	pack, ok := packs.BuiltinBySlug(slug)
	if !ok {
		t.Fatalf("there is no pack %s", slug)
	}
	kit, faults := pack.For("", nil)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	schema, err := askable(kit.Form, "What is explored: "+pack.Name)
	if err != nil {
		t.Fatal(err)
	}
	d, _, err := objectives.FromSchema(schema, objectives.SchemaOptions{ContextType: profileContext(projects.Project{Spec: projects.Spec{Pack: packs.Version{Slug: slug}}}), Version: profileVersion("1.0.0", schema)})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestProfilesAskRealQuestions(t *testing.T) {
	t.Parallel()

	for _, p := range packs.Builtin() {
		d := profileOf(t, p.Slug)
		for _, o := range d.Obligations {
			if !strings.HasSuffix(o.Prompt, "?") || strings.Contains(o.Prompt, "??") || strings.HasPrefix(o.Prompt, "What is the ") && o.Label != "The game in two sentences" {
				t.Errorf("%s asks %q for %s", p.Slug, o.Prompt, o.Label)
			}
		}
		if !strings.HasPrefix(d.Version, "1.0.") || d.Version == "1.0.0" {
			t.Errorf("%s has the version %s", p.Slug, d.Version)
		}
	}
}

func TestDivided(t *testing.T) {
	t.Parallel()

	for said, want := range map[string]string{
		"In the West, a big competitor opened on 14 September 2026":        "In the West, a big competitor opened on 14 September 2026",
		"Black Friday sale in November 2025, outage on 3 March 2026":       "Black Friday sale in November 2025|outage on 3 March 2026",
		"Germany, Austria and Switzerland":                                 "Germany|Austria|Switzerland",
		"Deutschland, Österreich und die Schweiz":                          "Deutschland|Österreich|die Schweiz",
		"fewer delays, cheaper freight and better planning":                "fewer delays|cheaper freight|better planning",
		"we sell mostly in the south of Germany, and sometimes to Austria": "we sell mostly in the south of Germany, and sometimes to Austria",
	} {
		if got := strings.Join(divided(said), "|"); got != want {
			t.Errorf("divided(%q) = %q, want %q", said, got, want)
		}
	}
}

// An event that is told where another question was asked is filed as an event.
func TestAnEventIsNoMarket(t *testing.T) {
	t.Parallel()

	d := profileOf(t, "ecommerce")
	for _, said := range []string{"In the West, a big competitor opened on 14 September 2026", "A competitor opened in the West in September 2026", "There was an outage on 3 March 2026"} {
		s := &chat.Scene{Turn: 5, Now: time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC), Person: "u", Objective: &d, Message: said}
		for i, tmpl := range d.Obligations {
			s.Obligations = append(s.Obligations, obligations.Obligation{Template: &tmpl, Status: obligations.Pending, Position: i, Unlocked: true})
			if tmpl.FieldPath == "markets" {
				s.Asked = &sessions.Question{Purpose: sessions.ToAsk, Key: tmpl.Key, Prompt: tmpl.Prompt, Widget: tmpl.Widget, Attempt: 1}
			}
		}
		u, err := reading.Understand(context.Background(), s, listening.New(nil))
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, f := range u.Findings {
			got[f.Key] = string(f.Value)
		}
		t.Log(said, u.Intent, got)
		if _, wrong := got["markets"]; wrong || got["events"] == "" {
			t.Errorf("%q is understood as %v", said, got)
		}
	}
}
