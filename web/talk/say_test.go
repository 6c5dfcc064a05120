package talk

import (
	"os"
	"path/filepath"
	"regexp"
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
	for _, name := range append(files, "answer_view.go", "panel_view.go", "matters.go", "view.go", "../ui/words.go", "../../sessions/question.go") {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources.Write(body)
	}
	scripts := scriptSources(t)
	for language, words := range scriptSays {
		for english, said := range words {
			if !strings.Contains(scripts, `"`+english+`"`) {
				t.Errorf("%s: no script says %q", language, english)
			}
			if said == "" || strings.Count(said, "{") != strings.Count(english, "{") {
				t.Errorf("%s: %q is translated %q", language, english, said)
			}
			if pageWords[language][english] != "" {
				t.Errorf("%s: %q is translated twice", language, english)
			}
		}
		for _, part := range scriptWordsSaid.FindAllStringSubmatch(scripts, -1) {
			if words[part[1]] == "" {
				t.Errorf("%s: %q of a script has no translation", language, part[1])
			}
		}
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
			if words[english] == "" && scriptSays[language][english] == "" {
				t.Errorf("%s: %q has no translation", language, english)
			}
		}
	}
	if got := say("fr", "Send"); got != "Send" {
		t.Errorf("in a language without words it says %q", got)
	}
}

// scriptWordsSaid matches fixed words in a script, those of a choice too.
var scriptWordsSaid = regexp.MustCompile(`(?m)(?:\bsay\((?:[^"()]*"[a-z]+" \? )?|^  \d+: )"([^"]+)"`)

// scriptSources returns the scripts of the page, with those that they share with others.
func scriptSources(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("*.js")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var out strings.Builder
	for _, name := range append(files, "../static/send.js") {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(body)
	}
	return out.String()
}
