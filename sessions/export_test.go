package sessions_test

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// found returns an obligation that holds v.
func found(key, path, v string) obligations.Obligation {
	o := obligations.Obligation{Template: &obligations.Template{Key: key, FieldPath: path}, Status: obligations.Satisfied, Confidence: 92}
	if v != "" {
		o.Value = json.RawMessage(v)
	}
	return o
}

func export(t *testing.T, f sessions.Format, list ...obligations.Obligation) string {
	t.Helper()
	out, err := sessions.Export(f, &objectives.Definition{}, list)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestExportJSON(t *testing.T) {
	t.Parallel()

	skipped := found("gone", "gone", `"x"`)
	skipped.Status, skipped.SkipReason = obligations.Skipped, obligations.Declined
	invented := found("made", "made", `"up"`)
	invented.Evidence = []obligations.Evidence{{Kind: obligations.Stated, Quote: "never said", Flag: obligations.FlagQuoteNotFound}}
	for _, tt := range []struct {
		name string
		in   []obligations.Obligation
		want string
	}{
		{"nothing", nil, `{}`},
		{"one", []obligations.Obligation{found("a", "a", `"x"`)}, `{"a":"x"}`},
		{"folders", []obligations.Obligation{found("a", "plan.time", `3`), found("b", "plan.money.most", `{"min":1,"max":2}`)}, `{"plan":{"money":{"most":{"min":1,"max":2}},"time":3}}`},
		{"what is open is left out", []obligations.Obligation{found("a", "a", `"x"`), found("b", "b", "")}, `{"a":"x"}`},
		{"what was skipped is left out", []obligations.Obligation{skipped}, `{}`},
		{"what rests on words that were not found is left out", []obligations.Obligation{found("a", "a", `"x"`), invented}, `{"a":"x"}`},
		{"a value above a folder", []obligations.Obligation{found("a", "plan.time", `3`), found("b", "plan", `"x"`)}, `{"plan":{"time":3,"value":"x"}}`},
		{"a folder below a value", []obligations.Obligation{found("b", "plan", `"x"`), found("a", "plan.time", `3`)}, `{"plan":{"time":3,"value":"x"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			got := export(t, sessions.JSON, tt.in...)

			if !obligations.SameValue(json.RawMessage(got), json.RawMessage(tt.want)) {
				t.Errorf("Export() = %s, want %s", got, tt.want)
			}
		})
	}
}

func TestExportCSVHasNoFormulas(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ name, in, want string }{
		{"a formula", `=HYPERLINK("x")`, `'=HYPERLINK("x")`},
		{"plus", "+1", "'+1"},
		{"minus", "-1", "'-1"},
		{"at", "@SUM(A1)", "'@SUM(A1)"},
		{"a tab", "\t=1", "'\t'=1"},
		{"wide signs", "＝1+1", "'＝1+1"},
		{"a wide space", "\u3000=1", "'\u3000=1"},
		{"nothing to see", "\u200b\ufeff=1", "'\u200b\ufeff=1"},
		{"behind a semicolon, which separates cells elsewhere", "bread; =cmd|'/c calc'!A0;@x", "bread; '=cmd|'/c calc'!A0;'@x"},
		{"behind a tab", "bread\t+1", "bread\t'+1"},
		{"a semicolon and words", "bread; rolls - fresh", "bread; rolls - fresh"},
		{"space", " \u00a0=1", "' \u00a0=1"},
		{"words", "small, \"fine\"\nshops", "small, \"fine\"\nshops"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			value, err := json.Marshal(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			o := found("market", "market", string(value))
			o.Widget, o.Category = obligations.Text, tt.in
			o.Evidence = []obligations.Evidence{{Kind: obligations.Stated, Turn: 2, Quote: tt.in, Source: tt.in}}
			rows, err := csv.NewReader(strings.NewReader(export(t, sessions.CSV, o))).ReadAll()
			if err != nil || len(rows) != 2 {
				t.Fatalf("Export() reads as %d rows, %v", len(rows), err)
			}

			for _, column := range []string{"value", "category", "quote", "source"} {
				if got := cell(rows, column); got != tt.want {
					t.Errorf("%s = %q, want %q", column, got, tt.want)
				}
			}
			if key, band := cell(rows, "key"), cell(rows, "band"); key != "market" || band != "very_high" {
				t.Errorf("key %q, band %q", key, band)
			}
		})
	}
}

// cell returns what stands under a heading in the first row.
func cell(rows [][]string, heading string) string {
	for i, h := range rows[0] {
		if h == heading {
			return rows[1][i]
		}
	}
	return "no such column"
}

func TestWords(t *testing.T) {
	t.Parallel()

	months := func(v string) obligations.Obligation {
		o := found("a", "a", v)
		o.Unit, o.Choices = "months", []obligations.Choice{{Value: "s", Label: "Small"}, {Value: "l", Label: "Large"}}
		return o
	}
	skip := func(reason obligations.SkipReason) obligations.Obligation {
		return obligations.Obligation{Status: obligations.Skipped, SkipReason: reason}
	}
	for _, tt := range []struct {
		name string
		in   obligations.Obligation
		want string
	}{
		{"open", obligations.Obligation{}, "open"},
		{"pointless", skip(obligations.NotApplicable), "does not apply"},
		{"declined", skip(obligations.Declined), "not said"},
		{"a text", months(`"soon"`), "soon"},
		{"a choice", months(`"s"`), "Small"},
		{"several", months(`["s","l","other"]`), "Small, Large, other"},
		{"a number", months(`7`), "7 months"},
		{"a range", months(`{"min":3,"max":6}`), "3 to 6 months"},
		{"a wide range", months(`{"min":2000000,"max":30000000}`), "2000000 to 30000000 months"},
		{"part of one", months(`7.25`), "7.25 months"},
		{"a large number", months(`1e21`), "1000000000000000000000 months"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got := sessions.Words(&tt.in); got != tt.want {
				t.Errorf("Words() = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestExportFormats(t *testing.T) {
	t.Parallel()

	for _, f := range []sessions.Format{sessions.JSON, sessions.CSV, sessions.Markdown, sessions.DOCX, sessions.PDF, sessions.SchemaInstance} {
		if f.MediaType() == "" || f.Extension() == "" {
			t.Errorf("%q has no media type or extension", f)
		}
	}
	if out, err := sessions.Export("rtf", &objectives.Definition{}, nil); err == nil || sessions.Format("rtf").MediaType() != "" {
		t.Errorf("Export(rtf) = %q, want an error", out)
	}
}
