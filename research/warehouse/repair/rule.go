package repair

import (
	"slices"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
)

// failedStatement is a statement to repair, with its error. Rules do not modify its tokens in
// place: they clone them, or lex a changed text.
type failedStatement struct {
	dialect guard.Dialect
	catalog *catalog.Index        // the tables that the statement may read
	fault   *warehouse.QueryError // whose Name may be empty
	sql     string                // as it was refused
	*statement
}

// rule is one way to repair a statement. Its function returns the changed statement, or the same
// one if there is nothing to change.
type rule struct {
	name    string                 // recorded in warehouse.Fix.Rule
	classes []warehouse.ErrorClass // classes of errors for which it is tried; nil for all
	apply   func(p *failedStatement) string
}

// misspelled are the classes in which a dialect's different spelling may show.
var misspelled = []warehouse.ErrorClass{warehouse.SyntaxError, warehouse.UnknownFunction, warehouse.TypeMismatch, warehouse.UnknownColumn, warehouse.Forbidden, warehouse.OtherError}

// rules are tried in order, simple and certain ones first. The first that yields a statement not
// tried before is used.
var rules = []rule{
	// The first rules are about how models write: fences, typographic characters, labels and
	// trailing commas. They come first because the later ones need tokens that make sense.
	{"fence", []warehouse.ErrorClass{warehouse.SyntaxError, warehouse.Forbidden, warehouse.OtherError}, stripFence},
	{"characters", nil, plainCharacters},
	{"end", []warehouse.ErrorClass{warehouse.SyntaxError, warehouse.Forbidden, warehouse.OtherError}, stripEnd},
	{"comma", []warehouse.ErrorClass{warehouse.SyntaxError, warehouse.Forbidden, warehouse.OtherError}, dropCommas},
	// These translate another dialect into the right one, token by token or call by call.
	{"quotes", misspelled, rightQuotes},
	{"operators", misspelled, rightOperators},
	{"limit", misspelled, rightLimit},
	{"filter", misspelled, filterAsCase},
	{"cast", misspelled, rightCasts},
	{"function", misspelled, rightFunctions},
	{"interval", misspelled, rightIntervals},
	// These replace names only by those of the catalog or of the statement itself.
	{"reserved word", []warehouse.ErrorClass{warehouse.SyntaxError, warehouse.Forbidden, warehouse.OtherError}, quoteReserved},
	{"table", []warehouse.ErrorClass{warehouse.UnknownTable, warehouse.Forbidden, warehouse.OtherError}, rightTables},
	{"text in double quotes", []warehouse.ErrorClass{warehouse.UnknownColumn, warehouse.OtherError}, rightTexts},
	{"alias", []warehouse.ErrorClass{warehouse.UnknownColumn, warehouse.GroupingError, warehouse.OtherError}, unfoldAlias},
	{"column", []warehouse.ErrorClass{warehouse.UnknownColumn, warehouse.SyntaxError, warehouse.OtherError}, rightColumns},
	{"table in the place of its alias", []warehouse.ErrorClass{warehouse.UnknownTable, warehouse.UnknownColumn, warehouse.OtherError}, rightQualifiers},
	{"ambiguous column", []warehouse.ErrorClass{warehouse.AmbiguousColumn}, qualifyJoined},
	// These rewrite clauses and expressions, so they are tried for narrow classes only.
	{"aggregate in WHERE", []warehouse.ErrorClass{warehouse.GroupingError, warehouse.SyntaxError, warehouse.OtherError}, moveToHaving},
	{"grouping", []warehouse.ErrorClass{warehouse.GroupingError}, completeGrouping},
	{"division by zero", []warehouse.ErrorClass{warehouse.DivisionByZero}, guardDivisions},
	{"round", []warehouse.ErrorClass{warehouse.UnknownFunction, warehouse.TypeMismatch}, roundNumeric},
}

// locally returns the statement as repaired by the first applicable rule, with the rule's name;
// false if no rule yields a statement that was not tried before. At most one rule is applied per
// attempt, so that the warehouse judges each change by itself.
func locally(d guard.Dialect, x *catalog.Index, fault *warehouse.QueryError, sql string, tried map[string]bool) (string, string, bool) {
	p := &failedStatement{d, x, fault, sql, lex(d, sql)}
	for _, r := range rules {
		if r.classes != nil && !slices.Contains(r.classes, fault.Class) {
			continue
		}
		if got := r.apply(p); got != sql && !tried[normal(d, got)] {
			return got, r.name, true
		}
	}
	return "", "", false
}
