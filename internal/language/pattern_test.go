package language_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quaestor/internal/language"
)

func TestPattern(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name       language.Pattern
		text, want string // want is empty where the text does not have it
	}{
		{"figure-wrong", "Hm, that's just wrong.", "that's just wrong"},
		{"figure-wrong", "We have an office in Bern", ""}, // begins with "off"
		{"figure-wrong", "Das kann so nicht stimmen!", "kann so nicht stimmen"},
		{"figure-wrong", "das glaube ich", ""},
		{"figure-wrong", "", ""},
		{"figure-look-again", "„Please, look that up once more", "Please, look that up once more"}, // marks at the beginning are none of it
		{"figure-look-again", "Prüfen Sie das bitte noch mal", "Prüfen Sie das bitte noch mal"},
		{"figure-look-again", "They look again", ""},
		{"figure-tail", "paid orders only, please!", "only, please!"},
		{"figure-preferred", "Use what the warehouse says", "Use what the warehouse"},
		{"figure-preferred", "Use it. Our data is old", ""}, // two sentences
		{"no-such-pattern", "anything", ""},
	} {
		from, to := tt.name.At(tt.text)
		if got := tt.text[max(from, 0):max(to, 0)]; got != tt.want || tt.name.In(tt.text) != (tt.want != "") {
			t.Errorf("Pattern(%q).At(%q) = %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
	if got := language.Pattern("figure-look-again").Cut("look again for paid orders"); got != " for paid orders" {
		t.Errorf("Cut = %q", got)
	}
}

// TestPatternFiles compiles every form, and compares the names of the files with each other and with those in code.
func TestPatternFiles(t *testing.T) {
	t.Parallel()

	files, code := language.PatternFiles(), patternsInCode(t)
	for _, tag := range language.Languages() {
		var names []string
		for name := range files[tag] {
			if !strings.HasPrefix(name, "{") {
				names = append(names, name)
				language.Pattern(name).In("a")
			}
		}
		slices.Sort(names)
		for _, name := range names {
			if !slices.Contains(code, name) {
				t.Errorf("patterns/%s.txt has %s, which no code asks for", tag, name)
			}
		}
		for _, name := range code {
			if !slices.Contains(names, name) {
				t.Errorf("patterns/%s.txt lacks %s", tag, name)
			}
		}
	}
}

// patternsInCode returns the names of patterns that code has outside tests.
func patternsInCode(t *testing.T) []string {
	declared := regexp.MustCompile(`language\.Pattern(?: += |\()"([a-z-]+)"`)
	names := map[string]bool{}
	for _, dir := range []string{"chat", "research", "obligations", "sessions", "internal", "web"} {
		err := filepath.WalkDir(filepath.Join("..", "..", dir), func(p string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
				return err
			}
			body, err := os.ReadFile(p)
			for _, m := range declared.FindAllSubmatch(body, -1) {
				names[string(m[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return slices.Sorted(maps.Keys(names))
}
