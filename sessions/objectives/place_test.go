package objectives_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quaestor/sessions/objectives"
)

// Every value is found where it stands: what begins there is the value.
func TestPlacesPointAtTheirValues(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) any {
			return rapid.OneOf(rapid.String().AsAny(), rapid.Int().AsAny(), rapid.Bool().AsAny(), rapid.Just(any(nil))).Draw(t, "leaf")
		}), 1, 5).Draw(t, "list")
		doc := map[string]any{"list": list, "under": map[string]any{"it": list}}
		indent := strings.Repeat(" ", rapid.IntRange(0, 3).Draw(t, "indent"))
		raw, err := json.MarshalIndent(doc, "", indent)
		if err != nil {
			t.Fatal(err)
		}

		where := objectives.Places(raw)

		for i, want := range list {
			for _, path := range []string{fmt.Sprintf("list[%d]", i), fmt.Sprintf("under.it[%d]", i)} {
				text, err := json.Marshal(want)
				if err != nil {
					t.Fatal(err)
				}
				if got := from(raw, where.Line, path); !strings.HasPrefix(got, string(text)) {
					t.Fatalf("at %s stands %.40s, want %s", path, got, text)
				}
			}
		}
		if got := from(raw, where.NameLine, "under.it"); !strings.HasPrefix(got, `"it"`) {
			t.Fatalf("the name of under.it is at %q", got)
		}
	})
}

// from returns what follows the line and column that find gives for a path.
func from(raw []byte, find func(path string) (line, column int), path string) string {
	line, column := find(path)
	return strings.Join(strings.Split(string(raw), "\n")[line-1:], "\n")[column-1:]
}

// Whatever is sent, every place is one of the document.
func FuzzPlaces(f *testing.F) {
	f.Add(`{"obligations":[{"key":"a"}]}`, "obligations[0].key")
	f.Add(strings.Repeat("[", 5000)+strings.Repeat("]", 5000), "[0]")
	f.Add(`{"a":1,"a":2,"":{"":[]}}`, "a.b")
	f.Add(`{"a":`, "a")
	f.Fuzz(func(t *testing.T, doc, path string) {
		where := objectives.Places([]byte(doc))
		lines := strings.Split(doc, "\n")
		for _, find := range []func(string) (int, int){where.Line, where.NameLine} {
			line, column := find(path)
			if line < 1 || line > len(lines) || column < 1 || column > len(lines[line-1])+1 {
				t.Errorf("%q stands at line %d, column %d of %q", path, line, column, doc)
			}
		}
	})
}
