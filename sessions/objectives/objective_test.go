package objectives_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// plain is the least objective that may be published.
const plain = `{
  "contextType": "shop_talk",
  "version": "1.0.0",
  "displayName": "Shop talk",
  "obligations": [
    {"key": "market", "prompt": "Who buys?", "priority": 5},
    {"key": "size", "prompt": "How many?", "priority": 3, "widgetType": "number", "dependencies": ["market"]}
  ],
  "completion": {"requiredObligations": ["market"], "minObligationsSatisfied": 1}
}`

func TestParseDefinitionFillsIn(t *testing.T) {
	t.Parallel()

	d, err := objectives.ParseDefinition([]byte(plain))
	if err != nil {
		t.Fatal(err)
	}

	want := obligations.Template{Key: "market", FieldPath: "market", Prompt: "Who buys?", Collection: obligations.DirectQuestion,
		Widget: obligations.Text, Priority: 5, MaxAttempts: obligations.DefaultMaxAttempts}
	if diff := cmp.Diff(want, d.Obligations[0]); diff != "" {
		t.Errorf("first obligation (-want +got):\n%s", diff)
	}
	out, err := d.JSON()
	if err != nil {
		t.Fatal(err)
	}
	again, err := objectives.ParseDefinition(out)
	if diff := cmp.Diff(d, again); err != nil || diff != "" {
		t.Errorf("written and read again: %v (-want +got):\n%s", err, diff)
	}
}

func TestParseDefinitionRefuses(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ name, old, new, want string }{
		{"a missing comma", `"1.0.0",`, `"1.0.0"`, "line 4, column 3"},
		{"a text for a number", `"priority": 3`, `"priority": "3"`, "line 7, column"},
		{"an unknown field", `"displayName"`, `"displayname2": 1, "displayName"`, `unknown field "displayname2"`},
		{"something after it", "}\n}", "}\n}{}", "something follows it"},
		{"a bracket after it", "}\n}", "}\n}]", "something follows it"},
		{"a confidence in percent", `"minObligationsSatisfied": 1`, `"minConfidenceScore": 70`, "0.00 to 1.00"},
		{"a context with spaces", "shop_talk", "shop talk", "contextType: "},
		{"a version of two numbers", "1.0.0", "1.0", "version: "},
		{"no name", `"Shop talk"`, `" "`, "displayName: "},
		{"a priority out of range", `"priority": 5`, `"priority": 14`, "obligations[0].priority: priority must be 1 to 10, not 14"},
		{"an unknown dependency", `["market"]}
  ]`, `["sales"]}
  ]`, "obligations[1].dependencies: "},
		{"an unknown required key", `{"requiredObligations": ["market"]`, `{"requiredObligations": ["sales"]`, "completion.requiredObligations[0]: "},
		{"more satisfied than there are", `"minObligationsSatisfied": 1`, `"minObligationsSatisfied": 3`, "must be 0 to 2"},
		{"a pool without wordings", `"priority": 5`, `"priority": 5, "poolId": "nowhere"`, `the pool "nowhere"`},
		{"a negative budget", `"completion"`, `"budget": {"turns": -1}, "completion"`, "budget.turns: "},
		{"a condition with a fault", `"priority": 5`, `"priority": 5, "satisfiedWhen": "sure > 1"`, "obligations[0].satisfiedWhen: the condition fails at line 1, column 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			in := strings.Replace(plain, tt.old, tt.new, 1)
			if in == plain {
				t.Fatalf("%q is not in the plain objective", tt.old)
			}
			_, err := objectives.ParseDefinition([]byte(in))

			if !fault.Is(err, fault.Unprocessable) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("ParseDefinition() = %v, want an unprocessable fault with %q", err, tt.want)
			}
		})
	}
}

func TestParseDefinitionNamesEveryFault(t *testing.T) {
	t.Parallel()

	_, err := objectives.ParseDefinition([]byte(`{"obligations": [{"key": "A"}]}`))

	var faults objectives.Faults
	if !errors.As(err, &faults) || len(faults) < 5 {
		t.Fatalf("ParseDefinition() = %v, want all faults", err)
	}
	if lines := strings.Count(err.Error(), "\n") + 1; lines != len(faults) {
		t.Errorf("%d faults on %d lines", len(faults), lines)
	}
}

func TestParseDefinitionBounds(t *testing.T) {
	t.Parallel()

	if _, err := objectives.ParseDefinition(bytes.Repeat([]byte(" "), 1<<20+1)); !fault.Is(err, fault.TooLarge) {
		t.Errorf("ParseDefinition() of a megabyte = %v, want too large", err)
	}
}

func TestWording(t *testing.T) {
	t.Parallel()

	d := objectives.Definition{Pools: map[string][]string{"who": {"Who buys?", "Who pays you?", "Who is it for?"}}}
	for _, tt := range []struct {
		name, pool string
		n          int
		want       string
	}{
		{"first its own words", "who", 0, "Who buys?"},
		{"then the pool without them", "who", 1, "Who pays you?"},
		{"then the next", "who", 2, "Who is it for?"},
		{"then from the start", "who", 3, "Who pays you?"},
		{"no pool", "", 2, "Who buys?"},
		{"an unknown pool", "nowhere", 1, "Who buys?"},
		{"never asked", "who", -1, "Who buys?"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			template := obligations.Template{Prompt: "Who buys?", PoolID: tt.pool}
			if got := d.Wording(&template, tt.n); got != tt.want {
				t.Errorf("Wording(%d) = %q, want %q", tt.n, got, tt.want)
			}
		})
	}
}

func FuzzParseDefinition(f *testing.F) {
	f.Add([]byte(plain))
	for _, seed := range []string{``, `{`, `{}`, `[]`, `null`, "{\n\n\"version\": 1}", `{}]`, `{"obligations":[{"dependencies":["a"],"key":"a"}]}`} {
		f.Add([]byte(seed))
	}

	f.Fuzz(func(t *testing.T, in []byte) {
		d, err := objectives.ParseDefinition(in)
		if err != nil {
			if kind := fault.KindOf(err); kind != fault.Unprocessable && kind != fault.TooLarge {
				t.Errorf("ParseDefinition(%q) = %v, a fault of kind %q", in, err, kind)
			}
			return
		}
		out, err := d.JSON()
		if err != nil {
			t.Fatalf("JSON() of %q: %v", in, err)
		}
		if _, err := objectives.ParseDefinition(out); err != nil && !fault.Is(err, fault.TooLarge) {
			t.Errorf("%q is read, but not as it is written again: %v", in, err)
		}
	})
}
