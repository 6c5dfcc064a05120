package objectives_test

import (
	"strings"
	"testing"

	"quaestor/sessions/objectives"
)

// linted is an objective with nothing wrong, a thing a line.
const linted = `{
  "contextType": "shop_talk", "version": "1.0.0", "displayName": "Shop talk",
  "obligations": [
    {"key": "market", "prompt": "Who buys?", "why": "W.", "priority": 5, "poolId": "m"},
    {"key": "size", "prompt": "How many?", "why": "W.", "priority": 3, "widgetType": "number", "dependencies": ["market"]},
    {"key": "kind", "prompt": "Which kind?", "why": "W.", "priority": 3, "widgetType": "choice",
     "choices": [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]},
    {"key": "end", "prompt": "The end?", "why": "W.", "priority": 3, "satisfiedWhen": "confidence >= 0.5"}
  ],
  "pools": {"m": ["To whom do you sell?", "Who are your customers?"]},
  "completion": {"requiredObligations": ["market"], "minObligationsSatisfied": 1}
}`

func TestLintFindsNothingWhereNothingIsWrong(t *testing.T) {
	t.Parallel()

	if got := objectives.Lint([]byte(linted)); len(got) > 0 {
		t.Errorf("Lint = %v, want nothing", got)
	}
	for _, d := range objectives.Shipped() {
		file, _ := objectives.ShippedJSON(d.ContextType)
		for _, r := range objectives.Lint(file) {
			t.Errorf("%s.json:%s", d.ContextType, r)
		}
	}
}

func TestLintNamesThePlaceOfEachFault(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ name, old, new, want string }{
		{"no JSON", `"version": "1.0.0",`, `"version": "1.0.0"`, `2:50: this is no JSON from here on`},
		{"a key twice", `"key": "size"`, `"key": "market"`, `5:13: obligations[1].key: the key "market" is used by obligation 0`},
		{"a name twice", `"key": "end", "prompt"`, `"key": "end", "why": "V.", "prompt"`, `8:55: obligations[3].why: this name stands twice`},
		{"an unknown dependency", `["market"]},`, `["markt"]},`, `5:112: obligations[1].dependencies: "size" depends on "markt"`},
		{"a circle", `"priority": 5,`, `"priority": 5, "dependencies": ["size"],`, `in a circle: market → size → market`},
		{"what waits for a circle", `"satisfiedWhen"`, `"dependencies": ["kind"], "satisfiedWhen"`, ``},
		{"a bad condition, at its place", `confidence >= 0.5`, `confidence >= `, `8:101: obligations[3].satisfiedWhen: the condition fails`},
		{"an unknown name in a condition", `confidence >= 0.5`, `confidence >= 0.5 && wow`, `8:109: obligations[3].satisfiedWhen`},
		{"an unknown required key", `Obligations": ["market"]`, `Obligations": ["markt"]`, `11:42: completion.requiredObligations[0]: "markt" is required but is no obligation`},
		{"an unused pool", `, "poolId": "m"`, ``, `10:18: warning: pools.m: no obligation uses the pool "m"`},
		{"a pool without difference", `Who are your customers?`, `to whom do  you SELL?`, `10:43: pools.m[1]: says the same as wording 0`},
		{"a choice twice", `"value": "b"`, `"value": "a"`, `7:48: obligations[2].choices[1]: the choice "a" stands twice`},
		{"choices that read alike", `"label": "B"`, `"label": "a"`, `7:48: warning: obligations[2].choices[1]: "a" stands for "a" and for "b"`},
		{"a priority out of range", `"W.", "priority": 5`, `"W.", "priority": 50`, `4:71: obligations[0].priority: priority must be 1 to 10, not 50`},
		{"a wrong type", `"W.", "priority": 5`, `"W.", "priority": "5"`, `4:71: obligations[0].priority: must be a whole number, not a string`},
		{"an unknown field", `"W.", "priority": 5`, `"W.", "prio": 5`, `4:59: obligations[0].prio: there is no field "prio"`},
		{"an unknown section", `"pools"`, `"poools"`, `10:3: poools: there is no field "poools"`},
		{"a question without a mark", `Who buys?`, `Who buys`, `4:33: warning: obligations[0].prompt: the question has no mark at its end`},
		{"two questions in one", `Who buys?`, `Who buys? And why?`, `4:33: warning: obligations[0].prompt: this asks more than one thing`},
		{"no reason", `"Who buys?", "why": "W.",`, `"Who buys?",`, `4:5: warning: obligations[0]: "market" has no why`},
		{"something left over", `Who buys?`, `Who buys {{product}}?`, `4:33: warning: obligations[0].prompt: "{{" looks like`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if !strings.Contains(linted, tt.old) {
				t.Fatalf("%q is not in the objective", tt.old)
			}
			got := objectives.Lint([]byte(strings.Replace(linted, tt.old, tt.new, 1)))

			var lines []string
			for _, r := range got {
				lines = append(lines, r.String())
			}
			if all := strings.Join(lines, "\n"); tt.want != "" && !strings.Contains(all, tt.want) || tt.want == "" && all != "" {
				t.Errorf("Lint =\n%s\nwant %q", all, tt.want)
			}
		})
	}
}

func TestLintNamesWhatCanNeverBeAsked(t *testing.T) {
	t.Parallel()

	text := strings.NewReplacer(`"dependencies": ["market"]`, `"dependencies": ["kind"]`, `"widgetType": "choice"`, `"dependencies": ["size"], "widgetType": "choice"`,
		`"satisfiedWhen"`, `"dependencies": ["size"], "satisfiedWhen"`).Replace(linted)

	got := objectives.Lint([]byte(text))

	var found bool
	for _, r := range got {
		found = found || r.Path == "obligations[3].dependencies" && strings.Contains(r.Message, `"end" can never be asked: it waits for size → kind → size, which goes in a circle`)
	}
	if !found || len(got) != 2 {
		t.Errorf("Lint = %v, want the circle once and what waits for it", got)
	}
}

func TestLintOfALayerSpeaksOfTheLayer(t *testing.T) {
	t.Parallel()

	if got := objectives.Lint([]byte(ours)); len(got) > 0 {
		t.Errorf("Lint = %v, want nothing", got)
	}
	got := objectives.Lint([]byte(strings.Replace(ours, `"priority": 5`, `"priority": 15`, 1)))
	if len(got) != 1 || got[0].Line != 5 || got[0].Path != "obligations[1].priority" {
		t.Errorf("Lint = %v, want one remark at obligations[1].priority in line 5", got)
	}
	got = objectives.Lint([]byte(`{"extends": "nowhere", "version": "1.0.0"}`))
	if len(got) != 1 || got[0].Path != "extends" || !strings.Contains(got[0].Message, "business_profile") {
		t.Errorf("Lint = %v, want one that names what there is", got)
	}
}

// Whatever the file holds, lint ends and points into it; what parses without a
// fault has no error, and the other way round.
func FuzzLint(f *testing.F) {
	f.Add([]byte(linted))
	f.Add([]byte(plain))
	f.Add([]byte(ours))
	f.Add([]byte(`{"obligations":[{"key":"a","dependencies":["a"]}],"a":{"b":[1,{"c":"\u0000"}]}}`))
	f.Add([]byte(strings.Repeat(`{"obligations":[`, 50)))
	f.Fuzz(func(t *testing.T, data []byte) {
		got := objectives.Lint(data)
		_, err := objectives.ParseDocument(data)
		if objectives.Broken(got) != (err != nil) {
			t.Fatalf("Lint = %v, ParseDocument = %v", got, err)
		}
		lines := strings.Count(string(data), "\n") + 1
		for _, r := range got {
			if r.Line < 1 || r.Line > lines || r.Column < 1 || r.Message == "" {
				t.Fatalf("%+v points nowhere in %d lines", r, lines)
			}
		}
	})
}
