package listening_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The words of utterances/README.md.
var (
	valueTypes = strings.Fields("person organisation place product time date duration amount count measure percentage range email phone url address identifier yesno choice list text")
	acts       = strings.Fields("answer fact correction confirm deny question unknown nopreference delegate skip later topic repeat examples shorter stop human lookup feeling complaint smalltalk gibberish")
	mark       = regexp.MustCompile(`\[(\*?)([a-z]+) ([^\[\]]+)\]`)
)

func TestUtterancesAreWellFormed(t *testing.T) {
	t.Parallel()

	files, err := filepath.Glob("utterances/*/*.txt")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range strings.Split(string(body), "\n") {
			if fault := faultOf(line); fault != "" {
				t.Errorf("%s:%d: %s: %s", name, n+1, fault, line)
			}
		}
	}
}

// faultOf returns what is wrong with a line of a file of utterances; empty when nothing is.
func faultOf(line string) string {
	kind, rest, _ := strings.Cut(line, " ")
	switch {
	case line == "" || strings.HasPrefix(line, "#"):
		return ""
	case kind == "Q":
		asked, question, _ := strings.Cut(rest, " ")
		if question == "" || asked != "confirm" && !slices.Contains(valueTypes, asked) {
			return "a question needs a known type and its words"
		}
		return ""
	case kind != "A":
		return "a line begins with Q, A or #"
	}
	for segment := range strings.SplitSeq(rest, " || ") {
		act, text, _ := strings.Cut(segment, ": ")
		if !slices.Contains(acts, act) || text == "" {
			return "a segment needs a known act and its words"
		}
		if fault := markFault(act, text); fault != "" {
			return fault
		}
	}
	return ""
}

// markFault returns what is wrong with the marks of a segment.
func markFault(act, text string) string {
	stars := 0
	for _, m := range mark.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(valueTypes, m[2]) {
			return "unknown type " + m[2]
		}
		stars += len(m[1])
	}
	switch {
	case strings.ContainsAny(mark.ReplaceAllString(text, ""), "[]"):
		return "brackets do not match"
	case act == "answer" && stars == 0:
		return "an answer marks what answers"
	case stars > 0 && !slices.Contains([]string{"answer", "correction", "deny"}, act):
		return "a star stands in answer, correction and deny only"
	}
	return ""
}
