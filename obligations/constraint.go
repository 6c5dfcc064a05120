package obligations

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"

	"quaestor/internal/fault"
)

// Constraint says which values of a few obligations cannot all hold, such as a
// launch before the start. It is checked when all its keys have values.
//
// A date without a day and a number given as a range stand for every day or number
// they cover. The values conflict only if every reading of them does: somebody who
// opens "in 2026" and started in May 2026 is not contradicted.
type Constraint struct {
	Name    string   `json:"name"`           // unique in its objective, shaped like a key
	When    string   `json:"when"`           // condition that is true if the values cannot all hold; see [Constraint.Compile]
	Message string   `json:"message"`        // one sentence for the person: what does not fit together
	Keys    []string `json:"keys,omitempty"` // keys it is about; empty means those in When
}

// Bounds of the constraints of an objective.
const (
	maxConstraints    = 50
	minConstraintKeys = 1
	maxConstraintKeys = 4
	maxMessageBytes   = 300
)

// names returns the keys that When mentions, in the order of templates; none if
// When cannot be parsed.
func (c *Constraint) names(templates []Template) []string {
	tree, err := parser.Parse(c.When)
	if err != nil {
		return nil
	}
	used := map[string]bool{}
	ast.Walk(&tree.Node, visit(func(n ast.Node) {
		if name, ok := n.(*ast.IdentifierNode); ok {
			used[name.Value] = true
		}
	}))
	var out []string
	for i := range templates {
		if used[templates[i].Key] {
			out = append(out, templates[i].Key)
		}
	}
	return out
}

// Normalize fills in the keys if they were left out.
func (c *Constraint) Normalize(templates []Template) {
	if len(c.Keys) == 0 {
		c.Keys = c.names(templates)
	}
}

// ValidateConstraints returns every fault of an objective's constraints, each
// naming its field: doubled or malformed names, conditions that do not compile,
// and keys that differ from those in the condition. If the result is empty, the
// constraints may be published with these templates.
func ValidateConstraints(list []Constraint, templates []Template) []*fault.Error {
	var faults []*fault.Error
	if len(list) > maxConstraints {
		return append(faults, fault.New(fault.Unprocessable, "an objective has at most %d constraints, not %d", maxConstraints, len(list)).At("constraints"))
	}
	seen := map[string]bool{}
	for i := range list {
		add := func(field, format string, args ...any) {
			faults = append(faults, fault.New(fault.Unprocessable, format, args...).At(fmt.Sprintf("constraints[%d].%s", i, field)))
		}
		c := &list[i]
		if !keyPattern.MatchString(c.Name) || seen[c.Name] {
			add("name", "a constraint has a name of its own, of lower-case letters, digits and _; %q is not", clip(c.Name))
		}
		seen[c.Name] = true
		if m := strings.TrimSpace(c.Message); m == "" || len(m) > maxMessageBytes {
			add("message", "say in one sentence of at most %d bytes what does not fit together", maxMessageBytes)
		}
		c.validate(templates, add)
	}
	return faults
}

func (c *Constraint) validate(templates []Template, add func(field, format string, args ...any)) {
	if _, err := c.Compile(templates); err != nil {
		add("when", "%s", err)
		return
	}
	names, keys := c.names(templates), slices.Clone(c.Keys)
	if len(names) < minConstraintKeys || len(names) > maxConstraintKeys {
		add("when", "a constraint is over the values of %d to %d obligations, not %d", minConstraintKeys, maxConstraintKeys, len(names))
	}
	slices.Sort(names)
	if slices.Sort(keys); len(keys) > 0 && !slices.Equal(names, keys) {
		add("keys", "the keys must be those of the condition: %s", strings.Join(names, ", "))
	}
}

// Rule is a compiled constraint.
type Rule struct{ program *vm.Program }

// Compile compiles When, an expr-lang expression that yields true or false. Its
// names are the keys of the obligations, each with the type of its widget: a string
// for text and choice, a list of strings for multiselect, a number, or a date.
// Dates compare with < and >, date("2026-01-31") writes one, and days(from, to)
// counts the days between two. The other functions are those of [Compile]. An error
// names the position of the fault.
func (c *Constraint) Compile(templates []Template) (*Rule, error) {
	if len(c.When) > maxConditionBytes {
		return nil, fault.New(fault.Unprocessable, "the condition is longer than %d bytes", maxConditionBytes)
	}
	env := map[string]any{}
	for i := range templates {
		env[templates[i].Key] = sample(templates[i].Widget)
	}
	options := []expr.Option{expr.Env(env), expr.AsBool(), expr.MaxNodes(maxConditionNodes), expr.DisableAllBuiltins(),
		expr.Function("days", days, new(func(time.Time, time.Time) float64))}
	for _, name := range append([]string{"date"}, conditionFuncs...) {
		options = append(options, expr.EnableBuiltin(name))
	}
	program, err := expr.Compile(c.When, options...)
	if err != nil {
		return nil, conditionFault(err)
	}
	if at, nested := nestedLoop(program.Node()); nested {
		return nil, conditionFault((&file.Error{Location: at, Message: "a loop within a loop is not allowed"}).Bind(file.NewSource(c.When)))
	}
	return &Rule{program}, nil
}

// sample returns a value of the type that a widget has in conditions.
func sample(w Widget) any {
	switch w {
	case Number:
		return 0.0
	case Date:
		return time.Time{}
	case MultiSelect:
		return []string{}
	case Text, ChoiceOne:
	}
	return ""
}

// days counts the days from one date to another; the number is negative if the
// second is earlier.
func days(args ...any) (any, error) {
	from, to := args[0].(time.Time), args[1].(time.Time) // guaranteed by the signature in Compile
	return to.Sub(from).Hours() / 24, nil
}

// rules caches compiled constraints, because sessions of an objective share them.
var rules sync.Map // condition and types → *Rule, nil for one that does not compile

// rule returns the compiled constraint, or nil if it does not compile, which
// publishing refuses long before.
func (c *Constraint) rule(held []*Obligation) *Rule {
	id, templates := c.When, make([]Template, len(held))
	for i, o := range held {
		templates[i] = Template{Key: o.Key, Widget: o.Widget}
		id += "\x1f" + o.Key + ":" + string(o.Widget)
	}
	if r, ok := rules.Load(id); ok {
		return r.(*Rule)
	}
	r, err := c.Compile(templates)
	if err != nil {
		r = nil
	}
	rules.Store(id, r)
	return r
}

// Violated reports whether the values in list cannot all hold. It is false while
// one of the keys has no value.
func (c *Constraint) Violated(list []Obligation) bool {
	held := c.held(list)
	r := c.rule(held)
	if len(held) < minConstraintKeys || r == nil {
		return false
	}
	readings := make([][]any, len(held))
	for i, o := range held {
		if readings[i] = readingsOf(o); readings[i] == nil {
			return false
		}
	}
	return r.always(held, readings, map[string]any{})
}

// held returns the obligations of the constraint, or nil if one of them has no value
// or only a hint.
func (c *Constraint) held(list []Obligation) []*Obligation {
	out := make([]*Obligation, len(c.Keys))
	for i, key := range c.Keys {
		if out[i] = Find(list, key); out[i] == nil || out[i].Value == nil || out[i].Hinted() || out[i].Status == Skipped {
			return nil
		}
	}
	return out
}

// always reports whether the rule is true for every reading of the values, that is
// for all combinations of the ends of what each of them covers.
func (r *Rule) always(held []*Obligation, readings [][]any, env map[string]any) bool {
	if len(held) == 0 {
		machine := vm.VM{MemoryBudget: maxConditionSteps}
		out, err := machine.Run(r.program, env)
		clash, ok := out.(bool)
		return err == nil && ok && clash
	}
	for _, v := range readings[0] {
		env[held[0].Key] = v
		if !r.always(held[1:], readings[1:], env) {
			return false
		}
	}
	return true
}

// readingsOf returns the two ends of what o's value may mean; nil if it cannot be
// parsed.
func readingsOf(o *Obligation) []any {
	switch o.Widget {
	case Number:
		return numbersOf(o.Value)
	case Date:
		return datesOf(o.Value)
	case MultiSelect:
		if list, err := decode[[]string](o.Value); err == nil {
			return []any{list}
		}
	case Text, ChoiceOne:
		if s, err := decode[string](o.Value); err == nil {
			return []any{s}
		}
	}
	return nil
}

func numbersOf(v json.RawMessage) []any {
	if n, err := decode[float64](v); err == nil {
		return []any{n}
	}
	if r, err := decodeRange(v); err == nil {
		return []any{r.Min, r.Max}
	}
	return nil
}

// datesOf returns the first and the last day of a date.
func datesOf(v json.RawMessage) []any {
	s, err := decode[string](v)
	if err != nil || !validDate(s) {
		return nil
	}
	first, _ := time.Parse("2006-01-02"[:len(s)], s) // cannot fail: validDate accepted s
	years, months := 0, 0
	switch len(s) {
	case len("2006"):
		years = 1
	case len("2006-01"):
		months = 1
	default:
		return []any{first}
	}
	return []any{first, first.AddDate(years, months, -1)}
}

// conflict returns the conflict of a violated constraint: its values with their
// evidence. The least certain comes first, because that is the one to ask about.
func (c *Constraint) conflict(list []Obligation, turn int) Conflict {
	held := c.held(list)
	slices.SortStableFunc(held, func(a, b *Obligation) int {
		return cmp.Or(cmp.Compare(decisions(a), decisions(b)), cmp.Compare(a.Confidence, b.Confidence))
	})
	out := Conflict{Kind: Constrained, Status: ConflictOpen, Detected: turn, Constraint: c.Name, Message: c.Message}
	for _, o := range held {
		out.Keys = append(out.Keys, o.Key)
		out.Sides = append(out.Sides, Side{Key: o.Key, Value: o.Value, Evidence: o.Evidence, Kept: true})
	}
	return out
}

// decisions counts the reviewers' decisions that o's value rests on.
func decisions(o *Obligation) int {
	n := 0
	for _, e := range o.Evidence {
		if e.Kind == Reviewer {
			n++
		}
	}
	return n
}
