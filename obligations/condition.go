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

// conditionEnv is everything a condition can refer to.
type conditionEnv struct {
	Confidence float64  `expr:"confidence"` // 0–1
	Value      any      `expr:"value"`      // decoded JSON; nil if there is no value
	Attempts   int      `expr:"attempts"`
	Evidence   []string `expr:"evidence"` // kinds of evidence, such as "stated"
}

// Bounds of a condition.
const (
	maxConditionBytes = 1000
	maxConditionNodes = 200
	maxConditionSteps = 10_000 // memory units of expr; stops a runaway expression
)

// conditionFuncs are the functions a condition may call.
var conditionFuncs = []string{"len", "any", "all", "none", "count", "lower", "upper", "trim", "int", "float", "abs", "min", "max"}

// Compile compiles a condition: an expr-lang expression that yields true or false
// from confidence (0–1), value (decoded JSON), attempts and evidence (a list of
// kinds). The functions are len, any, all, none, count, lower, upper, trim, int,
// float, abs, min and max; any, all, none and count may not be nested. An error
// names the position of the fault.
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

// nestedLoop returns the position of an any, all, none or count inside another of
// them. Nested loops are refused because the memory budget does not bound the time
// they take.
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

// visit makes a function an [ast.Visitor].
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

// Holds reports whether o meets the condition. A condition that fails on o's value,
// such as a comparison of a number with a text, is not met.
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

// compiled caches conditions by their source, because objectives repeat few of them.
var compiled sync.Map // string → *Condition

// satisfies reports whether o's value counts as known: its condition holds, or it
// has none and the confidence is at least 0.71. A condition that does not compile is
// never met; publishing refuses it long before.
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
