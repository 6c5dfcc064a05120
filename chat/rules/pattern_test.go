package rules

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// expression is a pattern as a regular expression over words that each have a space
// before them: what a pattern means, and slow.
func expression(lines []string) *regexp.Regexp {
	forms := make([]string, len(lines))
	for i, line := range lines {
		for element := range strings.FieldsSeq(line) {
			switch element {
			case "…":
				forms[i] += `(?: \S+){0,8}`
				continue
			case "+":
				forms[i] += `(?: \S+){1,8}`
				continue
			}
			element, optional := strings.CutSuffix(element, "?")
			element = strings.ReplaceAll(strings.ReplaceAll(regexp.QuoteMeta(element), "_", " "), `\|`, "|")
			forms[i] += "(?: (?:" + element + "))"
			if optional {
				forms[i] += "?"
			}
		}
	}
	return regexp.MustCompile(`^(?:` + strings.Join(forms, "|") + `)$`)
}

// instance draws something that a line may mean, or nearly.
func instance(r *rapid.T, line string) []string {
	var out []string
	for element := range strings.FieldsSeq(line) {
		if element == "…" || element == "+" {
			for range rapid.IntRange(0, 9).Draw(r, "any") {
				out = append(out, rapid.SampledFrom([]string{"the", "market", "in", "graz", "ää", "12"}).Draw(r, "word"))
			}
			continue
		}
		element, optional := strings.CutSuffix(element, "?")
		if optional && rapid.Bool().Draw(r, "missing") {
			continue
		}
		out = append(out, strings.Split(rapid.SampledFrom(strings.Split(element, "|")).Draw(r, "form"), "_")...)
	}
	if n := len(out); n > 0 && rapid.IntRange(0, 3).Draw(r, "spoil") == 0 {
		i := rapid.IntRange(0, n-1).Draw(r, "at")
		out = slices.Delete(out, i, i+1)
	}
	return out
}

func TestPatternsFitWhatTheyMean(t *testing.T) {
	t.Parallel()

	all := [][]string{cancelLines, steerLines, leanLines, withoutLines, onlyLines}
	for _, p := range append(asidePhrasings(), phrasings...) {
		all = append(all, p.lines)
	}
	patterns, meant := make([]*pattern, len(all)), make([]*regexp.Regexp, len(all))
	for i, lines := range all {
		patterns[i], meant[i] = compile(lines...), expression(lines)
	}
	rapid.Check(t, func(r *rapid.T) {
		of := rapid.IntRange(0, len(all)-1).Draw(r, "pattern")
		words := instance(r, rapid.SampledFrom(all[of]).Draw(r, "line"))
		for i := range all {
			if got, want := patterns[i].fits(words), meant[i].MatchString(" "+strings.Join(words, " ")); got != want {
				r.Fatalf("pattern %d fits %q: %t, want %t", i, words, got, want)
			}
		}
	})
	if compile("a? b?").fits(nil) {
		t.Error("a pattern fits no words")
	}
}

func BenchmarkMatch(b *testing.B) {
	words := strings.Fields("we sell bread and rolls to cafes in the old town of graz")
	for b.Loop() {
		match(words)
	}
}
