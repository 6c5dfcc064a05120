package llm

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestExtractJSON(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", nil},
		{"prose", "no object here", nil},
		{"plain", `{"a":1}`, []string{`{"a":1}`}},
		{"prose around", `Here: {"a":1}. Done.`, []string{`{"a":1}`}},
		{"fenced", "```json\n{\"a\":1}\n```", []string{`{"a":1}`}},
		{"braces in strings", `{"a":"}{\"}"}`, []string{`{"a":"}{\"}"}`}},
		{"nested", `{"a":{"b":[{}]}}`, []string{`{"a":{"b":[{}]}}`}},
		{"two objects", `{"a":1} {"b":2}`, []string{`{"a":1}`, `{"b":2}`}},
		{"think block", `<think>{"x":1}</think>{"a":1}`, []string{`{"a":1}`}},
		{"think block in between", `so <think>{"x":1}</think> {"a":1}`, []string{`{"a":1}`}},
		{"think block without an end", `<think> {"x":1}`, nil},
		{"think block without a start", `{"x":1}</think>{"a":1}`, []string{`{"a":1}`}},
		{"mark inside a string", `{"a":"</think>"}`, []string{`{"a":"</think>"}`}},
		{"less-than", `1 < 2 {"a":1}`, []string{`{"a":1}`}},
		{"stray opening brace", `{ well: {"a":1}`, []string{`{"a":1}`}},
		{"stray closing brace", `} {"a":1}`, []string{`{"a":1}`}},
		{"cut", `text {"a":{"b":1},"c":[1,`, []string{`{"a":{"b":1},"c":[1,`, `{"b":1}`}},
		{"whole before cut", `{"a":1} {"b":`, []string{`{"a":1}`, `{"b":`}},
		{"placeholder first", `Use {name} as {"a":1}`, []string{`{name}`, `{"a":1}`}},
	}
	for _, tc := range cases {
		var got []string
		for _, raw := range extractJSON(tc.in) {
			got = append(got, string(raw))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: extractJSON(%q) (-want +got):\n%s", tc.name, tc.in, diff)
		}
	}
}

// Hostile text costs bounded time, from the scanner to the schema.
func TestPickIsQuickOnHostileText(t *testing.T) {
	t.Parallel()

	schema, err := NewSchema("any", []byte(`{"type":"object","required":["never"]}`))
	if err != nil {
		t.Fatal(err)
	}
	const size = 1 << 20
	for name, text := range map[string]string{
		"braces":           strings.Repeat("{", size),
		"quoted braces":    strings.Repeat(`{"`, size/2),
		"half pairs":       strings.Repeat(`{"a":`, size/5),
		"think marks":      strings.Repeat("<think>", size/7),
		"closing marks":    strings.Repeat("</think>", size/8),
		"brackets":         `{"a":` + strings.Repeat("[", size),
		"small objects":    strings.Repeat("{}", size/2),
		"unclosed words":   strings.Repeat("{ a ", size/4),
		"repairer's worst": `{"a":"` + strings.Repeat(`b",c"`, 8000),
		"many to repair":   strings.Repeat(`{"a":"b",c"d",}`, size/15),
		"bad strings":      `{"a":[` + strings.Repeat("\"a\n", size/3),
	} {
		began := time.Now()
		if doc, _ := schema.pick(text, false); doc != nil {
			t.Errorf("%s: pick = %.40q, want nothing", name, doc)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s: %v for %d bytes", name, took, len(text))
		}
	}
}

// An object among prose without braces is found, whatever its strings hold.
func TestExtractJSONFindsTheObject(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z .,'\n]*`)
		object := `{"k":` + quoteJSON(rapid.String().Draw(t, "value")) + `,"l":[{}]}`
		got := extractJSON(text.Draw(t, "before") + object + text.Draw(t, "after"))
		if len(got) != 1 || string(got[0]) != object {
			t.Fatalf("pieces = %q, want %q", got, object)
		}
	})
}

func FuzzExtractJSON(f *testing.F) {
	for _, seed := range []string{
		`Here {"a":1} and {"b":"}"}`, "<think>{</think>```json\n{'a':1,}\n```", `{"a":[{"b":`, `{{{"a":1}`,
	} {
		f.Add(seed)
	}
	schema, err := NewSchema("any", []byte(`{"type":"object","required":["a"]}`))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, raw := range extractJSON(text) {
			if !strings.Contains(text, string(raw)) || !strings.HasPrefix(string(raw), "{") {
				t.Fatalf("pieces(%q) made up %q", text, raw)
			}
		}
		for _, cut := range []bool{false, true} {
			doc, problems := schema.pick(text, cut)
			if (doc == nil) == (problems == nil) {
				t.Fatalf("pick(%q) = %q with problems %q", text, doc, problems)
			}
			if doc != nil && schema.problems(doc) != nil {
				t.Fatalf("pick(%q) = %q, which does not satisfy the schema", text, doc)
			}
		}
	})
}

// extractJSON returns the text of what pieces finds.
func extractJSON(text string) []json.RawMessage {
	var out []json.RawMessage
	for _, p := range pieces(text) {
		out = append(out, json.RawMessage(p.text))
	}
	return out
}

// quoteJSON returns s as a JSON string.
func quoteJSON(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// However an answer is cut into pieces, the same text is visible.
func FuzzThinking(f *testing.F) {
	f.Add("<think>a</think> b", uint8(3))
	f.Add(" <thi", uint8(1))
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		var whole, cut thinkFilter
		want := whole.pass(text) + whole.end()
		var got strings.Builder
		step := int(size)%7 + 1
		for i := 0; i < len(text); i += step {
			got.WriteString(cut.pass(text[i:min(len(text), i+step)]))
		}
		got.WriteString(cut.end())
		if got.String() != want {
			t.Fatalf("in pieces of %d: %q, whole: %q", step, got.String(), want)
		}
	})
}
