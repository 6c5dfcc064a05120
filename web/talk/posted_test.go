package talk_test

import (
	"encoding/json"
	"net/url"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/talk"
	"quaestor/web/ui"
)

// cases reads a table of cases that the tests of the scripts read too.
func cases[T any](t *testing.T, name string) []T {
	t.Helper()
	data, err := os.ReadFile("../ui/testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var out []T
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestDisplayValue(t *testing.T) {
	t.Parallel()

	for _, tt := range cases[struct {
		Name     string
		Template obligations.Template
		Value    json.RawMessage
		Want     string
	}](t, "values") {
		t.Run(tt.Name, func(t *testing.T) {
			t.Parallel()

			if got := ui.DisplayValue(&tt.Template, tt.Value); got != tt.Want {
				t.Errorf("DisplayValue(%s) = %q, want %q", tt.Value, got, tt.Want)
			}
		})
	}
}

func TestHeldValue(t *testing.T) {
	t.Parallel()

	for _, tt := range cases[struct {
		Name     string
		Template obligations.Template
		Value    json.RawMessage
		Quotes   []string
		Want     string
	}](t, "held") {
		t.Run(tt.Name, func(t *testing.T) {
			t.Parallel()

			o := obligations.Obligation{Template: &tt.Template, Value: tt.Value}
			for _, q := range tt.Quotes {
				o.Evidence = append(o.Evidence, obligations.Evidence{Kind: obligations.Stated, Quote: q})
			}
			if got := ui.HeldValue(&o); got != tt.Want {
				t.Errorf("HeldValue(%s) = %q, want %q", tt.Value, got, tt.Want)
			}
		})
	}
}

func TestPosted(t *testing.T) {
	t.Parallel()

	for _, tt := range cases[struct {
		Name     string
		Question *sessions.Question
		Form     [][2]string
		Message  string
		Answers  map[string]any
	}](t, "answers") {
		t.Run(tt.Name, func(t *testing.T) {
			t.Parallel()

			form := url.Values{}
			for _, f := range tt.Form {
				form.Add(f[0], f[1])
			}
			message, answers := talk.Posted(tt.Question, form)

			if message != tt.Message {
				t.Errorf("message = %q, want %q", message, tt.Message)
			}
			if diff := cmp.Diff(tt.Answers, decoded(t, answers)); diff != "" {
				t.Errorf("answers (-want +got):\n%s", diff)
			}
		})
	}
}

func decoded(t *testing.T, answers map[string]json.RawMessage) map[string]any {
	t.Helper()
	if answers == nil {
		return nil
	}
	out := map[string]any{}
	for key, raw := range answers {
		var v any
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		out[key] = v
	}
	return out
}

// Whatever is posted, every value in the answers passes the check of its obligation.
func FuzzPosted(f *testing.F) {
	for _, w := range []obligations.Widget{obligations.Text, obligations.ChoiceOne, obligations.MultiSelect, obligations.Date, obligations.Number} {
		f.Add(string(w), "a", "b", true)
		f.Add(string(w), "1e999", "2026-13-01", false)
		f.Add(string(w), "NaN", "\x00\xff", true)
	}
	f.Fuzz(func(t *testing.T, widget, picked, other string, open bool) {
		q := &sessions.Question{Purpose: sessions.ToAsk, Key: "k", Widget: obligations.Widget(widget), Choices: []obligations.Choice{{Value: "a", Label: "A"}}, Other: open}

		_, answers := talk.Posted(q, url.Values{"answer.k": {picked}, "other.k": {other}})

		template := obligations.Template{Key: "k", Widget: q.Widget, Choices: q.Choices, AllowOther: open}
		if v, ok := answers["k"]; ok && template.Check(v) != nil {
			t.Errorf("Posted(%q, %q) = %s, which does not fit: %v", picked, other, v, template.Check(v))
		}
	})
}
