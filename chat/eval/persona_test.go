package eval

import (
	"strings"
	"testing"
)

func TestParsePersonaRefuses(t *testing.T) {
	t.Parallel()

	for _, c := range []struct{ name, old, new, want string }{
		{"a field there is not", `"kind"`, `"mood": 1, "kind"`, `unknown field "mood"`},
		{"something behind", `"replies": {}}`, `"replies": {}} {}`, "something follows"},
		{"no description", `"A baker."`, `" "`, "about: "},
		{"a kind there is not", `"changing_mind"`, `"jolly"`, "kind: "},
		{"an unknown key", `{"key": "team", "gold"`, `{"key": "teams", "gold"`, `facts[1].key: "teams"`},
		{"a key twice", `{"key": "team", "gold": 12`, `{"key": "business", "gold": "x"`, "facts[1].key: \"business\" stands twice"},
		{"a value of another shape", `"gold": 12`, `"gold": "twelve"`, "facts[1].gold: "},
		{"a number nobody says", `"gold": 12, "say": ["12"]`, `"gold": 12`, "facts[1].say: "},
		{"no value and no stance", `"gold": 12, "say": ["12"]`, `"say": ["12"]`, "facts[1].gold: "},
		{"a stance there is not", `"gold": 12, "say"`, `"gold": 12, "as": "shy", "say"`, "facts[1].as: "},
		{"a value of one who declines", `"gold": 12, "say"`, `"gold": 12, "as": "declines", "say"`, "facts[1].as: "},
		{"empty words", `["12"]`, `["12", ""]`, "facts[1].say[1]: "},
		{"a correction to the same", `"was": 9`, `"was": 12`, "corrections[0].was: "},
		{"a correction nobody says", `"say": "No, 12."`, `"say": ""`, "corrections[0].say: "},
		{"a correction without a first", `"first": ["9"]`, `"first": []`, "corrections[0].first: "},
		{"a correction at no time", `"when": {"after": "team"}, "say": "No`, `"when": {}, "say": "No`, "corrections[0].when: "},
		{"a correction at two times", `"when": {"after": "team"}, "say": "No`, `"when": {"turn": 2, "after": "team"}, "say": "No`, "corrections[0].when: "},
		{"a correction after what is never told", `"when": {"after": "team"}, "say": "No`, `"when": {"after": "open"}, "say": "No`, "corrections[0].when.after: "},
		{"a contradiction about nothing", `"key": "business", "value": "We sell flour"`, `"key": "open", "value": ["day"]`, "contradictions[0].value: "},
		{"a volunteer without gold", `"replies"`, `"volunteers": [{"when": {"turn": 2}, "say": "By day.", "keys": ["open"]}], "replies"`, "volunteers[0].keys: "},
		{"a volunteer that tells nothing", `"replies"`, `"volunteers": [{"when": {"turn": 2}, "say": "By day.", "keys": []}], "replies"`, "volunteers[0].keys: "},
		{"an aside without words", `"replies"`, `"asides": [{"when": {"turn": 2}, "say": " "}], "replies"`, "asides[0].say: "},
		{"another form", `"replies"`, `"forms": "post", "replies"`, "forms: "},
		{"another way with conflicts", `"replies"`, `"conflicts": "duel", "replies"`, "conflicts: "},
		{"an empty reply", `"replies": {}`, `"replies": {"finish": [""]}`, "replies.finish[0]: "},
	} {
		if !strings.Contains(baker, c.old) {
			t.Fatalf("%s: the persona does not hold %s", c.name, c.old)
		}
		_, err := ParsePersona("bakery/baker.json", []byte(strings.Replace(baker, c.old, c.new, 1)), 2030, &bakery)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "bakery/baker.json: ") {
			t.Errorf("%s: error %v, want the file and %q", c.name, err, c.want)
		}
	}
}

func TestYearsCountFromTheOneGiven(t *testing.T) {
	t.Parallel()

	file := strings.NewReplacer(`"We bake bread"`, `"Bread since {year-10}, cakes from {year+2}, {year}"`, `"A baker."`, `"{yesterday}"`).Replace(baker)
	p, err := ParsePersona("bakery/baker.json", []byte(file), 2030, &bakery)

	if err != nil || text(p.Facts[0].Gold) != "Bread since 2020, cakes from 2032, 2030" || p.About != "{yesterday}" {
		t.Errorf("%v, gold %s, about %q", err, p.Facts[0].Gold, p.About)
	}
	if p.Name != "baker" || p.Context != "bakery" {
		t.Errorf("it is %s/%s, want bakery/baker", p.Context, p.Name)
	}
}

func FuzzParsePersona(f *testing.F) {
	f.Add([]byte(baker))
	f.Add([]byte(`{"about":"x","kind":"terse","facts":[{"key":"team","gold":{"min":1,"max":2},"say":["1 to 2"]}],"replies":{}}`))
	f.Add([]byte(`{"facts":[{"key":"business","gold":"{year+999}"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ParsePersona("x.json", data, 2030, &bakery)
		if err != nil {
			return
		}
		person := NewSimulatedPerson(&p)
		for turn := 2; turn < 8; turn++ {
			for _, q := range questions {
				if line := person.Answer(q, turn); line.Message == "" && len(line.Answers) == 0 {
					t.Fatalf("nothing is said to %+v", q)
				}
			}
		}
	})
}
