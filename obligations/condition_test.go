package obligations

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"quaestor/internal/fault"
)

func TestConditionHolds(t *testing.T) {
	t.Parallel()

	known := Obligation{Template: &Template{}, Confidence: 80, Attempts: 2, Value: json.RawMessage(`["a","B"]`), Evidence: []Evidence{{Kind: Stated}, {Kind: Document}}}
	empty := Obligation{}
	for _, tt := range []struct {
		name, in string
		o        Obligation
		want     bool
	}{
		{"confidence", "confidence >= 0.8", known, true},
		{"confidence short", "confidence > 0.8", known, false},
		{"attempts", "attempts == 2", known, true},
		{"kinds of evidence", `"stated" in evidence and "document" in evidence`, known, true},
		{"no such evidence", `"reviewer" in evidence`, known, false},
		{"length", "len(value) >= 2", known, true},
		{"any", `any(value, # == "a")`, known, true},
		{"all", `all(value, # == "a")`, known, false},
		{"none", `none(value, # == "z")`, known, true},
		{"count", `count(value, # == "a") == 1`, known, true},
		{"lower", `lower(value[1]) == "b"`, known, true},
		{"upper and trim", `upper(trim(" a ")) == "A"`, known, true},
		{"numbers", `abs(int("-3")) + min(1, 2) + max(1, 2) == 6 and float("0.5") < 1`, known, true},
		{"no value", "value == nil", empty, true},
		{"length of no value fails", "len(value) > 0", empty, false},
		{"a field of a list fails", "value.min > 3", known, false},
		{"a place beyond the end fails", `value[7] == "a"`, known, false},
		{"a range", "value.min > 3", Obligation{Template: &Template{}, Value: json.RawMessage(`{"min":4,"max":9}`)}, true},
		{"a value that is no JSON", "true", Obligation{Template: &Template{}, Value: json.RawMessage(`{`)}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			c, err := Compile(tt.in)
			if err != nil {
				t.Fatalf("Compile(%q): %v", tt.in, err)
			}
			if got := c.Holds(&tt.o); got != tt.want {
				t.Errorf("%q holds = %v, want %v", tt.in, got, tt.want)
			}
		})
	}
}

func TestCompileRefuses(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ name, in, want string }{
		{"an unknown name", "confidence > 0 and certainty > 0.5", "line 1, column 20"},
		{"an unknown name on the second line", "confidence > 0 and\n  certainty > 0.5", "line 2, column 3"},
		{"what is no condition", "confidence", "bool"},
		{"half an expression", "confidence >=", "line 1"},
		{"nothing", "", "condition"},
		{"a function that is not among ours", "now() != nil", "line 1, column 1"},
		{"a way to the environment", `$env["confidence"] > now()`, "condition"},
		{"a field that is not there", "evidence.secret == 1", "line 1"},
		{"two types", `confidence == "high"`, "line 1"},
		{"too long", "true" + strings.Repeat(" or true", maxConditionBytes/8), "longer than"},
		{"too many parts", "1" + strings.Repeat("+1", maxConditionNodes) + " > 0", "condition"},
		{"a loop within a loop", "all(value, all(value, true))", "a loop within a loop"},
		{"a loop within a loop's length", "any(evidence, count(evidence, true) > len(#))", "line 1, column"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			_, err := Compile(tt.in)

			if !fault.Is(err, fault.Unprocessable) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Compile(%q) = %v, want an unprocessable fault with %q", tt.in, err, tt.want)
			}
		})
	}
}

// TestConditionCannotRunAway gives the longest lists and ranges to conditions
// that walk them: each ends soon, met or not.
func TestConditionCannotRunAway(t *testing.T) {
	t.Parallel()

	long := Obligation{Template: &Template{}, Value: json.RawMessage("[" + strings.Repeat(`"x",`, maxValueBytes/5) + `"x"]`)}
	for i, in := range []string{
		`all(1..1000000000, # > 0)`,
		`len(1..100000000) > 0`,
		`count(value, # == "x") > 10`,
		strings.Repeat(`all(value, # == "x") and `, 20) + `true`,
		`all(value, "` + strings.Repeat("x", 500) + `" contains #)`,
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()

			c, err := Compile(in)
			if err != nil {
				t.Fatalf("Compile(%q): %v", in, err)
			}
			begin := time.Now()
			c.Holds(&long)
			if took := time.Since(begin); took > 2*time.Second {
				t.Errorf("%q took %v", in, took)
			}
		})
	}
}

func TestSatisfies(t *testing.T) {
	t.Parallel()

	value := json.RawMessage(`"x"`)
	for _, tt := range []struct {
		name string
		in   Obligation
		want bool
	}{
		{"no value", Obligation{Template: &Template{}, Confidence: 100}, false},
		{"at the line", Obligation{Template: &Template{}, Value: value, Confidence: 71}, true},
		{"below the line", Obligation{Template: &Template{}, Value: value, Confidence: 70}, false},
		{"a stricter condition", Obligation{Template: &Template{SatisfiedWhen: "confidence >= 0.9"}, Value: value, Confidence: 89}, false},
		{"a laxer condition", Obligation{Template: &Template{SatisfiedWhen: "confidence >= 0.5"}, Value: value, Confidence: 50}, true},
		{"a condition that cannot be read", Obligation{Template: &Template{SatisfiedWhen: "confidence >="}, Value: value, Confidence: 100}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			for range 2 { // the second time from the cache
				if got := satisfies(&tt.in); got != tt.want {
					t.Errorf("satisfies() = %v, want %v", got, tt.want)
				}
			}
		})
	}
}

func FuzzCompile(f *testing.F) {
	for _, seed := range []string{"confidence >= 0.71", `"stated" in evidence`, "len(value) > 2", "all(value, # > 1)", "value.min < value.max", "1..5", "let x = 1; x > 0", "a ? b : c", "\x00", "«"} {
		f.Add(seed)
	}
	o := Obligation{Template: &Template{}, Confidence: 80, Attempts: 1, Value: json.RawMessage(`{"min":1,"max":3}`), Evidence: []Evidence{{Kind: Stated}}}

	f.Fuzz(func(t *testing.T, in string) {
		c, err := Compile(in)
		if err != nil {
			if !fault.Is(err, fault.Unprocessable) {
				t.Errorf("Compile(%q) = %v, want an unprocessable fault", in, err)
			}
			return
		}
		if first, again := c.Holds(&o), c.Holds(&o); first != again {
			t.Errorf("%q is not decided the same way twice", in)
		}
	})
}
