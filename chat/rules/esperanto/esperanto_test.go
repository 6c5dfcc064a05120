// Package esperanto_test holds an interview in a language that the program does not have: its words are files of this
// folder, and no code knows any of them.
package esperanto_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/chat/rules"
	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

func TestMain(m *testing.M) {
	files := fstest.MapFS{"messages/eo.txt": {Data: []byte(translated())}}
	for _, name := range []string{"lexicon/eo.txt", "patterns/eo.txt"} {
		body, err := os.ReadFile("testdata/" + name)
		if err != nil {
			panic(err)
		}
		files[name] = &fstest.MapFile{Data: body}
	}
	language.Extend(fs.FS(files))
	os.Exit(m.Run())
}

// translated is the file of messages: the English one with every word of a wording spelled backwards.
func translated() string {
	body, err := os.ReadFile("../../../internal/language/messages/languages/en.txt")
	if err != nil {
		panic(err)
	}
	kept := regexp.MustCompile(`\{[^}]*\}|^\s*\[[^\]]*\]|[\pL'’]+`)
	var out []string
	for _, line := range strings.Split(string(body), "\n") {
		switch {
		case strings.HasPrefix(line, "@months"):
			line = "@months januaro februaro marto aprilo majo junio julio augusto septembro oktobro novembro decembro"
		case strings.HasPrefix(line, "@formal"), strings.HasPrefix(line, "@plural-ending"):
			continue
		case strings.HasPrefix(line, "  "):
			line = kept.ReplaceAllStringFunc(line, func(s string) string {
				if !unicode.IsLetter([]rune(s)[0]) {
					return s
				}
				return backwards(s)
			})
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func backwards(word string) string {
	runes := []rune(word)
	for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
		runes[i], runes[j] = runes[j], runes[i]
	}
	return string(runes)
}

// english matches words that the English messages have and the language does not.
var english = regexp.MustCompile(`(?i)\b(?:the|that|you|your|what|noted|sorry|thanks|here|right|have|is)\b`)

const shop = `{"contextType":"shop","version":"1.0.0","displayName":"Butiko","description":"Butiko.","greeting":"Saluton.","language":"eo",
"obligations":[
 {"key":"team","fieldPath":"shop.team","label":"Laborantoj","prompt":"Kiom da homoj laboras tie?","widgetType":"number","integer":true,"min":1,"max":500,"priority":8,"category":"Butiko","cues":["homoj"]},
 {"key":"opened","fieldPath":"shop.opened","label":"Malfermo","prompt":"Kiam vi malfermos?","widgetType":"date","priority":7,"category":"Butiko","dependencies":["team"]},
 {"key":"deliver","fieldPath":"shop.deliver","label":"Livero","prompt":"Cxu vi liveras hejmen?","widgetType":"choice","choices":[{"value":"yes","label":"jes"},{"value":"no","label":"ne"}],"priority":6,"category":"Butiko","dependencies":["opened"]},
 {"key":"bags","fieldPath":"shop.bags","label":"Sakoj","prompt":"Cxu vi havas proprajn sakojn?","widgetType":"choice","choices":[{"value":"yes","label":"jes"},{"value":"no","label":"ne"}],"priority":5,"category":"Butiko","dependencies":["deliver"]},
 {"key":"slogan","fieldPath":"shop.slogan","label":"Devizo","prompt":"Kio estas via devizo?","widgetType":"text","priority":4,"category":"Butiko","dependencies":["bags"]}],
"phases":{"opening":{"goal":"g"},"exploration":{"goal":"g"},"validation":{"goal":"g"},"closing":{"goal":"g"}},
"completion":{"minObligationsSatisfied":3,"minConfidenceScore":0.5,"requiredObligations":["team"]}}`

// TestInterviewInAnotherLanguage asks, reads a number, a date, yes and no, corrects and skips. What is a good answer to a
// question for a text is learnt from examples, of which the language has none.
func TestInterviewInAnotherLanguage(t *testing.T) {
	t.Parallel()

	d, err := objectives.ParseDefinition([]byte(shop))
	if err != nil {
		t.Fatal(err)
	}
	r := rules.New(chattest.Listener())
	h := chat.NewRehearsal(&d, r, r)
	for i, turn := range []struct {
		asked, said string // asked is the key of the question that is answered
		key         string // of what the answer gives a value
		want        string // its value; a status for what has none
	}{
		{"team", "Dek du homoj", "team", "12"},
		{"opened", "La 3an de marto 2028", "opened", `"2028-03-03"`},
		{"deliver", "Jes", "deliver", `"yes"`},
		{"bags", "Ne", "bags", `"no"`},
		{"slogan", "Pardonu, ne dek du homoj, sed dek kvar", "team", "14"},
		{"slogan", "Preterlasu tion, mi petas", "slogan", string(obligations.Skipped)},
	} {
		if i == 0 {
			say(t, h, "")
		}
		before := h.Session().Question
		if before == nil || before.Key != turn.asked {
			t.Errorf("turn %d asks %+v, want %s", i, before, turn.asked)
		}
		out := say(t, h, turn.said)
		o := obligations.Find(h.Obligations(), turn.key)
		if got := string(o.Value); got != turn.want && string(o.Status) != turn.want {
			t.Errorf("%q: %s is %s, %s; want %s\n%s", turn.said, turn.key, o.Status, got, turn.want, out.Reply)
		}
		if at := english.FindString(out.Reply); at != "" {
			t.Errorf("%q is answered with %q in English: %s", turn.said, at, out.Reply)
		}
	}
	if got := h.Session().Language; got != "eo" {
		t.Errorf("the session is in %q, want eo", got)
	}
}

// TestPatternsOfAnotherLanguage reads wishes by the patterns of the language alone.
func TestPatternsOfAnotherLanguage(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name language.Pattern
		text string
		want bool
	}{
		{"hurry", "Pardonu, mi ne havas multan tempon.", true},
		{"human", "Mi volus paroli kun homo", true},
		{"human", "Mi volus panon", false},
	} {
		if got := tt.name.In(tt.text); got != tt.want {
			t.Errorf("Pattern(%q).In(%q) = %v, want %v", tt.name, tt.text, got, tt.want)
		}
	}
}

func say(t *testing.T, h *chat.Rehearsal, message string) chat.RehearsalTurn {
	t.Helper()
	out, err := h.Say(t.Context(), chat.RehearsalInput{Person: "u1", Message: message, At: time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("> %s\n%s  [%s]", message, out.Reply, out.Intent)
	return out
}
