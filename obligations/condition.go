package obligations

import (
	"encoding/json"
	"errors"
	"sync"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"quaestor/internal/fault"
)

// Condition decides whether a value is good enough. See [Compile].
type Condition struct{ program *vm.Program }

// conditionEnv is all a condition may look at.
type conditionEnv struct {
	Confidence float64  `expr:"confidence"` // 0–1
	Value      any      `expr:"value"`      // decoded JSON; nil when there is none
	Attempts   int      `expr:"attempts"`
	Evidence   []string `expr:"evidence"` // kinds of evidence, such as "stated"
}

// Bounds of a condition.
const (
	maxConditionBytes = 1000
	maxConditionNodes = 200
	maxConditionSteps = 10_000 // memory units of expr; ends what would run away
)

// conditionFuncs are the functions a condition may call.
var conditionFuncs = []string{"len", "any", "all", "none", "count", "lower", "upper", "trim", "int", "float", "abs", "min", "max"}

// Compile reads a condition: an expr-lang expression that gives true or false
// over confidence (0–1), value (decoded), attempts and evidence (kinds). The
// functions are len, any, all, none, count, lower, upper, trim, int, float,
// abs, min and max; any, all, none and count do not stand within one another. An
// error names the position of the fault.
func Compile(source string) (*Condition, error) {
	if len(source) > maxConditionBytes {
		return nil, fault.New(fault.Unprocessable, "the condition is longer than %d bytes", maxConditionBytes)
	}
	options := []expr.Option{expr.Env(conditionEnv{}), expr.AsBool(), expr.MaxNodes(maxConditionNodes), expr.DisableAllBuiltins()}
	for _, name := range conditionFuncs {
		options = append(options, expr.EnableBuiltin(name))
	}
	program, err := expr.Compile(source, options...)
	if err != nil {
		return nil, conditionFault(err)
	}
	if at, nested := nestedLoop(program.Node()); nested {
		source := file.NewSource(source)
		return nil, conditionFault((&file.Error{Location: at, Message: "a loop within a loop is not allowed"}).Bind(source))
	}
	return &Condition{program}, nil
}

// nestedLoop returns where any, all, none or count stands within another of
// them. Loops within loops would take a time that the budget for memory does not
// bound.
func nestedLoop(node ast.Node) (at file.Location, nested bool) {
	ast.Walk(&node, visit(func(outer ast.Node) {
		body, ok := outer.(*ast.PredicateNode)
		if !ok {
			return
		}
		ast.Walk(&body.Node, visit(func(inner ast.Node) {
			if _, ok := inner.(*ast.PredicateNode); ok {
				at, nested = inner.Location(), true
			}
		}))
	}))
	return at, nested
}

// visit lets a function look at each node of a condition.
type visit func(ast.Node)

// Visit implements [ast.Visitor].
func (f visit) Visit(node *ast.Node) { f(*node) }

func conditionFault(err error) error {
	var at *file.Error
	if errors.As(err, &at) {
		return fault.New(fault.Unprocessable, "the condition fails at line %d, column %d: %s", at.Line, at.Column+1, at.Message).Because(err)
	}
	return fault.New(fault.Unprocessable, "the condition cannot be read: %s", err).Because(err)
}

// Holds reports whether the condition is met by o. A condition that fails on
// o's value (a number where it expects a text) is not met.
func (c *Condition) Holds(o *Obligation) bool {
	env := conditionEnv{Confidence: o.Confidence.Float(), Attempts: o.Attempts}
	if o.Value != nil && json.Unmarshal(o.Value, &env.Value) != nil {
		return false
	}
	for _, e := range o.Evidence {
		env.Evidence = append(env.Evidence, string(e.Kind))
	}
	machine := vm.VM{MemoryBudget: maxConditionSteps}
	out, err := machine.Run(c.program, env)
	met, ok := out.(bool)
	return err == nil && ok && met
}

// compiled caches conditions by source: objectives repeat few of them.
var compiled sync.Map // string → *Condition

// satisfies reports whether o's value counts as known: its condition, or
// confidence ≥ 0.71. A condition that does not compile is never met; publishing
// refuses it long before.
func satisfies(o *Obligation) bool {
	if o.Value == nil {
		return false
	}
	if o.SatisfiedWhen == "" {
		return o.Confidence >= DefaultSatisfied
	}
	c, ok := compiled.Load(o.SatisfiedWhen)
	if !ok {
		condition, err := Compile(o.SatisfiedWhen)
		if err != nil {
			return false
		}
		c, _ = compiled.LoadOrStore(o.SatisfiedWhen, condition)
	}
	return c.(*Condition).Holds(o)
}
