package repair

import (
	"slices"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
)

// patient is a statement with its fault.
type patient struct {
	dialect guard.Dialect
	catalog *catalog.Index
	fault   *warehouse.QueryError
	sql     string
	*statement
}

// rule is one way to repair. It returns the statement, changed, or as it was when it
// has nothing to repair.
type rule struct {
	name    string
	classes []warehouse.ErrorClass // in which it is tried; nil for all
	mend    func(p *patient) string
}

// misspelled are the classes that a fault of spelling may show as.
var misspelled = []warehouse.ErrorClass{warehouse.SyntaxError, warehouse.UnknownFunction, warehouse.TypeMismatch, warehouse.UnknownColumn, warehouse.Forbidden, warehouse.OtherError}

// rules are tried in order; the first that changes the statement to one that was
// not tried yet is taken.
var rules = []rule{
	{"fence", []warehouse.ErrorClass{warehouse.SyntaxError, warehouse.Forbidden, warehouse.OtherError}, stripFence},
	{"characters", nil, plainCharacters},
	{"end", []warehouse.ErrorClass{warehouse.SyntaxError, warehouse.Forbidden, warehouse.OtherError}, stripEnd},
	{"comma", []warehouse.ErrorClass{warehouse.SyntaxError, warehouse.Forbidden, warehouse.OtherError}, dropCommas},
	{"quotes", misspelled, rightQuotes},
	{"operators", misspelled, rightOperators},
	{"limit", misspelled, rightLimit},
	{"filter", misspelled, filterAsCase},
	{"cast", misspelled, rightCasts},
	{"function", misspelled, rightFunctions},
	{"interval", misspelled, rightIntervals},
	{"reserved word", []warehouse.ErrorClass{warehouse.SyntaxError, warehouse.Forbidden, warehouse.OtherError}, quoteReserved},
	{"table", []warehouse.ErrorClass{warehouse.UnknownTable, warehouse.Forbidden, warehouse.OtherError}, rightTables},
	{"text in double quotes", []warehouse.ErrorClass{warehouse.UnknownColumn, warehouse.OtherError}, rightTexts},
	{"alias", []warehouse.ErrorClass{warehouse.UnknownColumn, warehouse.GroupingError, warehouse.OtherError}, unfoldAlias},
	{"column", []warehouse.ErrorClass{warehouse.UnknownColumn, warehouse.SyntaxError, warehouse.OtherError}, rightColumns},
	{"table in the place of its alias", []warehouse.ErrorClass{warehouse.UnknownTable, warehouse.UnknownColumn, warehouse.OtherError}, rightQualifiers},
	{"ambiguous column", []warehouse.ErrorClass{warehouse.AmbiguousColumn}, qualifyJoined},
	{"aggregate in WHERE", []warehouse.ErrorClass{warehouse.GroupingError, warehouse.SyntaxError, warehouse.OtherError}, moveToHaving},
	{"grouping", []warehouse.ErrorClass{warehouse.GroupingError}, completeGrouping},
	{"division by zero", []warehouse.ErrorClass{warehouse.DivisionByZero}, guardDivisions},
	{"round", []warehouse.ErrorClass{warehouse.UnknownFunction, warehouse.TypeMismatch}, roundNumeric},
}

// locally returns the statement as the first rule repairs it, and the rule's name;
// false when none has anything to repair that was not tried.
func locally(d guard.Dialect, x *catalog.Index, fault *warehouse.QueryError, sql string, tried map[string]bool) (string, string, bool) {
	p := &patient{d, x, fault, sql, lex(d, sql)}
	for _, r := range rules {
		if r.classes != nil && !slices.Contains(r.classes, fault.Class) {
			continue
		}
		if got := r.mend(p); got != sql && !tried[normal(d, got)] {
			return got, r.name, true
		}
	}
	return "", "", false
}
