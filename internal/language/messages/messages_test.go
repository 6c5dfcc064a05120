package messages

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// keyShape matches literals of code that can only be keys: two words of small letters with
// a dot between them. Keys of one word are looked for by their name.
var keyShape = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+$`)

// literals returns the string literals of the code that says something, by where they
// stand.
func literals(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, dir := range []string{".", "../../../sessions", "../../../chat", "../../../chat/rules", "../../../chat/reading", "../../../chat/field", "../../../research", "../../../research/warehouse/question", "../../../research/warehouse/inquiry", "../../spoken", "../../../chat/voice"} {
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(names) == 0 {
			t.Fatalf("no code in %s: %v", dir, err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			imports := slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return strings.Contains(i.Path.Value, "language/messages") })
			ast.Inspect(file, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if s, err := strconv.Unquote(lit.Value); err == nil && (imports || dir == "." || strings.HasPrefix(dir, "../../../chat")) {
						out[s] = set.Position(lit.Pos()).String()
					}
				}
				return true
			})
		}
	}
	return out
}

func TestKeysOfCodeAndFilesAgree(t *testing.T) {
	t.Parallel()

	code, files := literals(t), In(Default).messages
	groups := map[string]bool{}
	for key := range files {
		group, _, dotted := strings.Cut(key, ".")
		if dotted {
			groups[group] = true
		}
		if _, used := code[key]; !used && !strings.HasPrefix(key, unitPrefix) {
			t.Errorf("no code says %s", key)
		}
	}
	for literal, at := range code {
		group, _, _ := strings.Cut(literal, ".")
		if keyShape.MatchString(literal) && groups[group] && files[literal] == nil {
			t.Errorf("%s: %s is in no file", at, literal)
		}
	}
}

func TestPluralForms(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ tag, key, zero, one, two string }{
		{"en", "list.more", "no more", "one more", "two more"},
		{"de", "list.more", "null weitere Angaben", "eine weitere Angabe", "zwei weitere Angaben"},
		{"en", "unit.people", "people", "person", "people"},
		{"de", "unit.people", "Personen", "Person", "Personen"},
	} {
		for n, want := range []string{tt.zero, tt.one, tt.two} {
			var value Value = Figure(n)
			if tt.key == "list.more" {
				value = Count(n)
			}
			if got := In(tt.tag).Text(tt.key, Args{"n": value}); got != want {
				t.Errorf("%s: %s of %d = %q, want %q", tt.tag, tt.key, n, got, want)
			}
		}
	}
	if got := In("en").Unit(1.5, "hours"); got != "hours" {
		t.Errorf("1.5 %s", got)
	}
}

// A language with forms that neither English nor German has needs no code.
func TestAnotherLanguageIsData(t *testing.T) {
	t.Parallel()

	l, err := parse("pl", "@decimal ,\n@group space\n@months a b c d e f g h i j k l\n@weekdays a b c d e f g\n@hours h\n@counts zero jeden dwa\n# files\nfiles\n    [one] {n} plik\n    [few] {n} pliki\n    [many] {n} plików\n    [other] {n} pliku\n")
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[float64]string{1: "1 plik", 3: "3 pliki", 5: "5 plików", 22: "22 pliki", 1234: "1\u202f234 pliki", 1.5: "1,5 pliku"} {
		if got := l.Text("files", Args{"n": Figure(n)}); got != want {
			t.Errorf("%v = %q, want %q", n, got, want)
		}
	}
	if err := agree(map[string]*Language{"en": In("en"), "pl": l}); err == nil || !strings.Contains(err.Error(), "messages pl: noted.bare is missing") || !strings.Contains(err.Error(), "files is not in en") {
		t.Errorf("a file that lacks nearly everything: %v", err)
	}
}

// A wording is known again by what is the same in it whatever the values are.
func TestWordingsAreKnownAgain(t *testing.T) {
	t.Parallel()

	list := In("en").Wordings("noted.said", Args{"what": Text("bread")}, Manner{})
	if len(list) < 2 || list[0].Text != "Bread, I see." {
		t.Fatalf("%+v", list)
	}
	if said := "Cakes, I see. And then."; !list[0].SaidIn(said) || list[1].SaidIn(said) {
		t.Errorf("%q is not told apart", said)
	}
	if (Wording{Text: "bread"}).SaidIn("bread") {
		t.Error("what is a value alone is nothing to know a wording by")
	}
}

func TestMalformedFilesAreRefused(t *testing.T) {
	t.Parallel()

	head := "@decimal .\n@group ,\n@months a b c d e f g h i j k l\n@weekdays a b c d e f g\n@hours h\n@counts no\n"
	for body, want := range map[string]string{
		"@decimal .\n":                      "is missing",
		head + "    Noted.\n":               "line 7: a wording without a key",
		head + "noted\n":                    "noted has no wording",
		head + "noted\n    [one] A\n":       "without [other]",
		head + "noted\n    [some] A\n":      "[some] is no plural form",
		head + "noted\n    {what\n":         "line 8: a brace",
		head + "noted\n    {what?}\n":       "{what?} is no name",
		head + "Noted\n    A\n":             `"Noted" is no key`,
		head + "a\n    A\na\n    B\n":       "a second time",
		head + "@months Jan Feb\n":          "has 2 names",
		head + "@weekdays Mon Tue\n":        "not seven",
		head + "@hours a b c\n":             "not one or two",
		head + "@style formal\n":            "no setting @style",
		head + "@formal I will I'll\n":      "wants two texts",
		head + "note\n    A\n@counts x\n b": "without a key",
	} {
		if _, err := parse("en", body); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, want %q", body, err, want)
		}
	}
	if _, err := parse("no language", head); err == nil {
		t.Error("a file may have any name")
	}
	other, _ := parse("de", head+"noted\n    Notiert: {was}.\n")
	model, _ := parse("en", head+"noted\n    Noted: {what}.\n")
	if err := agree(map[string]*Language{"en": model, "de": other}); err == nil || !strings.Contains(err.Error(), "noted has the placeholders [was], and [what] in en") {
		t.Errorf("other placeholders: %v", err)
	}
}

func TestFiguresDatesAndLists(t *testing.T) {
	t.Parallel()

	en, de := In("en-GB"), In("de_AT")
	for _, tt := range []struct{ got, want string }{
		{en.Number(-1234567.25), "-1,234,567.25"},
		{de.Number(1234567.25), "1.234.567,25"},
		{en.Date("2027-03-31"), "31 March 2027"},
		{de.Date("2027-03-31"), "31. März 2027"},
		{de.Date("2027-03"), "März 2027"},
		{de.Date("2027"), "2027"},
		{de.Date("bald"), "bald"},
		{en.And([]string{"a", "b", "c"}), "a, b and c"},
		{de.And([]string{"a", "b", "c"}), "a, b und c"},
		{de.Or([]string{"a", "b"}), "a oder b"},
		{de.And([]string{"a"}), "a"},
		{de.And(nil), ""},
		{de.AndMore([]string{"a", "b", "c", "d"}, 2), "a, b und zwei weitere Angaben"},
		{de.AndMore([]string{"a", "b", "c"}, 2), "a, b und c"},
		{de.Quoted("a"), "„a“"},
		{de.Unit(1, "hours"), "Stunde"},
		{en.Unit(1, "hours"), "hour"},
		{en.Text("questions-left", Args{"n": Count(2)}), "Two more questions, this one included."},
		{en.Word("skipped", nil, Manner{Formal: true}), "That is fine, we will leave it out."},
		{en.Text("noted.list", nil), "Noted – {what}."},
		{en.Text("no.such", nil), "no.such"},
		{In("xx").Tag(), "en"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

func TestForeign(t *testing.T) {
	t.Parallel()

	for text, want := range map[string]string{
		"Nous avons une petite boulangerie à Lyon.": "fr",
		"Je ne sais pas": "fr",
		"Tenemos una panadería en el centro de Madrid":    "es",
		"Abbiamo un piccolo negozio di fiori in centro":   "it",
		"Wij hebben een bakkerij in het centrum":          "nl",
		"Mamy małą piekarnię i nie wiem, ile to kosztuje": "pl",
		"Nós temos uma padaria no centro e não sei":       "pt",
		"Bizim için çok önemli ama ne kadar bilmiyorum":   "tr",
		"У нас небольшая пекарня":                         UnknownTongue,
		"We have a small bakery in the centre of Lyon.":   "",
		"Wir haben eine kleine Bäckerei in Lyon.":         "",
		"Le Monde, La Repubblica, El País":                "",
		"Café de la Paix":                                 "",
		"We say “je ne sais pas” when we do not know it":  "",
		"12": "", "": "", "no": "", "😀": "", "MA": "",
	} {
		if got := Foreign(text); got != want {
			t.Errorf("Foreign(%q) = %q, want %q", text, got, want)
		}
	}
	for _, tag := range []string{"fr", "es", "it", "nl", "pl", "pt", "tr"} {
		if n := NotUnderstood(tag); len(n) != 2 {
			t.Errorf("NotUnderstood(%s) = %q", tag, n)
		}
	}
	if n := NotUnderstood(UnknownTongue); len(n) != 1 {
		t.Errorf("NotUnderstood(und) = %q", n)
	}
}

// What people write who train the reader of messages is English or German, and none of it
// may be taken for another language.
func TestNothingOfOursIsForeign(t *testing.T) {
	t.Parallel()

	names, err := filepath.Glob("../../listening/utterances/*/*")
	if err != nil || len(names) == 0 {
		t.Fatalf("no utterances: %v", err)
	}
	lines, wrong := 0, []string{}
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		for line := range strings.SplitSeq(string(body), "\n") {
			lines++
			if tag := Foreign(line); tag != "" {
				wrong = append(wrong, tag+": "+line)
			}
		}
	}
	if len(wrong)*2000 > lines {
		t.Errorf("%d of %d lines, such as %q", len(wrong), lines, wrong[:min(len(wrong), 20)])
	}
}

func ExampleLanguage_Text() {
	for _, tag := range slices.Sorted(maps.Keys(Languages())) {
		fmt.Println(In(tag).Text("still-open", Args{"labels": And{"A", "B", "C"}}))
	}
	// Output:
	// Noch offen: A, B und C.
	// Still open: A, B and C.
}
