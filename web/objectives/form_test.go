package objectives

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

func TestQuestionFormHoldsEveryShippedQuestion(t *testing.T) {
	t.Parallel()

	for _, d := range objectives.Shipped() {
		whole, err := d.Clone()
		if err != nil {
			t.Fatal(err)
		}
		for i := range whole.Obligations {
			f := QuestionFormOf(whole, i)
			if wrong := f.Into(whole, i); len(wrong) > 0 {
				t.Errorf("%s %s: %v", d.ContextType, d.Obligations[i].Key, wrong)
			}
		}
		g := GeneralFormOf(whole)
		if wrong := g.Into(whole); len(wrong) > 0 {
			t.Errorf("%s: %v", d.ContextType, wrong)
		}

		diff, err := objectives.DiffOf(&d, whole)
		if err != nil || len(diff.Changes) > 0 {
			t.Errorf("%s differs after a way through the forms (%v):\n%s", d.ContextType, err, diff.Text())
		}
	}
}

func TestReadQuestion(t *testing.T) {
	t.Parallel()

	d := &objectives.Definition{Obligations: []obligations.Template{{Key: "shop", Priority: 5}, {Priority: 5}}}
	f := ReadQuestion(url.Values{"label": {" Opening hours "}, "prompt": {"When do you open?"}, "priority": {"7"}, "widgetType": {"choice"}, "dependencies": {"shop"}, "required": {"on"},
		"choice.label": {"Early", "", "Late"}, "choice.value": {"", "", "late"}, "choice.synonyms": {"dawn, sunrise", "", ""}, "wordings": {"From what hour?\r\n\r\nHow early?"}, "unit": {"hours"}})

	if wrong := f.Into(d, 1); wrong != nil {
		t.Fatal(wrong)
	}
	want := obligations.Template{Key: "opening_hours", FieldPath: "opening_hours", Label: "Opening hours", Prompt: "When do you open?", Priority: 7, Widget: "choice", Dependencies: []string{"shop"},
		Choices: []obligations.Choice{{Value: "early", Label: "Early", Synonyms: []string{"dawn", "sunrise"}}, {Value: "late", Label: "Late"}}, PoolID: "opening_hours"}
	if diff := cmp.Diff(want, d.Obligations[1]); diff != "" {
		t.Errorf("question (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"From what hour?", "How early?"}, d.Pools["opening_hours"]); diff != "" {
		t.Errorf("wordings (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"opening_hours"}, d.Completion.Required); diff != "" {
		t.Errorf("required (-want +got):\n%s", diff)
	}
}

func TestQuestionFormRefusesWhatCannotBeStored(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ field, value string }{{"priority", "much"}, {"maxAttempts", "2.5"}, {"min", "a few"}, {"max", "NaN"}, {"max", "Inf"},
		{"inference", `small if few`}, {"inference", `[{"if": "few"}]`}, {"inference", `[] []`}} {
		t.Run(tt.field+" "+tt.value, func(t *testing.T) {
			t.Parallel()

			d := &objectives.Definition{Obligations: []obligations.Template{{Key: "shop", Label: "Shop", Priority: 5}}}
			f := ReadQuestion(url.Values{"label": {"Other"}, "priority": {"5"}, "widgetType": {"number"}, tt.field: {tt.value}})

			wrong := f.Into(d, 0)
			if len(wrong) != 1 || wrong[0].Field != tt.field || tt.field != "inference" && !strings.Contains(wrong[0].Message, tt.value) || d.Obligations[0].Label != "Shop" {
				t.Errorf("Into = %v and the label %q, want a fault of %s and nothing changed", wrong, d.Obligations[0].Label, tt.field)
			}
		})
	}
}

func FuzzSlug(f *testing.F) {
	for _, seed := range []string{"Opening hours", "  3 wishes!", "Ünïcode", "_", strings.Repeat("long name ", 20), ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Slug(s)
		if len(got) > maxSlug || strings.HasPrefix(got, "_") || strings.HasSuffix(got, "_") || strings.Trim(got, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			t.Errorf("Slug(%q) = %q, want a key", s, got)
		}
		if got != "" && (got[0] < 'a' || got[0] > 'z') {
			t.Errorf("Slug(%q) = %q, want a letter first", s, got)
		}
	})
}
