package packs_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quaestor/research/warehouse/packs"
)

var names = []string{"A", "B", "LONG_NAME", "REF"}

func TestTemplate(t *testing.T) {
	t.Parallel()

	v := packs.Values{"A": "{{B}}", "B": "", "LONG_NAME": "x", "REF": "sales"}
	for _, tt := range []struct{ name, in, want, fault string }{
		{"empty", "", "", ""},
		{"text", "nothing { } }} {{ }} {{}} {{ A }} {{a b}} {{>own}}", "nothing { } }} {{ }} {{}} {{ A }} {{a b}} {{>own}}", ""},
		{"value is not looked into", "<{{A}}>", "<{{B}}>", ""},
		{"three braces", "{{{A}}}", "{{{B}}}", ""},
		{"word", "{{REF:orders}} {{REF:a.b-c}}", "sales.orders sales.a.b-c", ""},
		{"part", "{{#LONG_NAME}}has {{A}}{{/LONG_NAME}}", "has {{B}}", ""},
		{"part without a value", "1{{#B}}has {{A}}{{/B}}2", "12", ""},
		{"part in a part", "{{#A}}a{{#B}}b{{/B}}{{#LONG_NAME}}c{{/LONG_NAME}}{{/A}}", "ac", ""},
		{"part in itself", "{{#A}}{{#A}}x{{/A}}{{/A}}", "x", ""},
		{"unknown", "{{C}}", "", "{{C}}"},
		{"small letters", "{{a}}", "", "{{a}}"},
		{"unknown part", "{{#C}}{{/C}}", "", "{{#C}}"},
		{"not ended", "{{#A}}x", "", "{{/A}}"},
		{"not begun", "x{{/A}}", "", "{{/A}}"},
		{"crossed", "{{#A}}{{#B}}{{/A}}{{/B}}", "", "{{/A}}"},
		{"word where none belongs", "{{A:b}}", "", "{{A:b}}"},
		{"no word", "{{REF}}", "", "{{REF}}"},
		{"too deep", strings.Repeat("{{#A}}", 20) + strings.Repeat("{{/A}}", 20), "", "deep"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			tmpl, err := packs.NewTemplate(tt.in, names)
			if tt.fault != "" {
				if err == nil || !strings.Contains(err.Error(), tt.fault) {
					t.Fatalf("NewTemplate(%q) = %v, want an error with %q", tt.in, err, tt.fault)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got, err := tmpl.Fill(v); err != nil || got != tt.want {
				t.Errorf("Fill(%q) = %q, %v; want %q", tt.in, got, err, tt.want)
			}
		})
	}
}

func TestFillMissesAValue(t *testing.T) {
	t.Parallel()

	tmpl, err := packs.NewTemplate("{{A}} {{#B}}{{/B}}", names)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := tmpl.Fill(packs.Values{"A": "1"}); err == nil || !strings.Contains(err.Error(), "{{B}}") {
		t.Errorf("Fill without B = %q, %v; want an error that names it", got, err)
	}
}

// Whatever the values hold, the text is made of the pieces in order, byte for byte.
func TestDataStaysData(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"{{A}}", "{{B}}", "{{#A}}", "{{/A}}", "{{REF:x}}", "{{", "}}", "{{C}}"})), 0, 5)
		a, b := strings.Join(data.Draw(t, "a"), ""), strings.Join(data.Draw(t, "b"), "")
		plain := rapid.StringMatching(`[a-z \n]{0,20}`)
		x, y, z := plain.Draw(t, "x"), plain.Draw(t, "y"), plain.Draw(t, "z")
		tmpl, err := packs.NewTemplate(x+"{{A}}"+y+"{{#B}}"+z+"{{B}}{{A}}{{/B}}", names)
		if err != nil {
			t.Fatal(err)
		}

		got, err := tmpl.Fill(packs.Values{"A": a, "B": b})
		want := x + a + y
		if b != "" {
			want += z + b + a
		}
		if err != nil || got != want {
			t.Fatalf("Fill = %q, %v; want %q", got, err, want)
		}
	})
}

func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{"{{A}}", "{{#A}}x{{/A}}", "{{{A}}}", "{{REF:a}}", "{{#A}}{{#B}}{{/A}}", "{{", "{{>own}}"} {
		f.Add(seed, "{{B}}")
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		tmpl, err := packs.NewTemplate(text, names)
		if err != nil {
			return
		}
		got, err := tmpl.Fill(packs.Values{"A": value, "B": value, "LONG_NAME": value, "REF": value})
		if err != nil {
			t.Fatalf("Fill(%q): %v", text, err)
		}
		if len(tmpl.Names()) == 0 && got != text {
			t.Errorf("a text without placeholders became %q", got)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, p := range packs.Builtin()[:1] {
		out, err := p.Export()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(out)
	}
	f.Add([]byte(`{"format":"x","format_version":1,"pack":{"analysis_areas":{"base":[1,{"id":2}]},"profile_schema":{"base":7}}}`))
	f.Fuzz(func(t *testing.T, document []byte) {
		p, faults := packs.Parse(document)
		if p == nil {
			if len(faults) == 0 {
				t.Error("no pack and no fault")
			}
			return
		}
		if more := p.Faults(); len(faults)+len(more) == 0 {
			if _, faults := p.For("", nil); len(faults) > 0 {
				t.Errorf("a pack without faults cannot be used: %v", faults)
			}
		}
	})
}
