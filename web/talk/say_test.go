package talk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPageWordsAreSaid finds translations of words that no page says, and words that pages
// ask for and nobody translated.
func TestPageWordsAreSaid(t *testing.T) {
	t.Parallel()

	var sources strings.Builder
	files, err := filepath.Glob("*.templ")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range append(files, "panel_view.go", "matters.go", "view.go", "../ui/words.go", "../../sessions/question.go") {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources.Write(body)
	}
	for language, words := range pageWords {
		for english, said := range words {
			if !strings.Contains(sources.String(), `"`+english+`"`) {
				t.Errorf("%s: no page says %q", language, english)
			}
			if said == "" || strings.Count(said, "{") != strings.Count(english, "{") {
				t.Errorf("%s: %q is translated %q", language, english, said)
			}
		}
		for _, part := range strings.Split(sources.String(), `.say("`)[1:] {
			english, _, _ := strings.Cut(part, `"`)
			if words[english] == "" {
				t.Errorf("%s: %q has no translation", language, english)
			}
		}
	}
	if got := say("fr", "Send"); got != "Send" {
		t.Errorf("in a language without words it says %q", got)
	}
}
