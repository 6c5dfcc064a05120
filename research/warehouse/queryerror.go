package warehouse

import (
	"errors"
	"fmt"
)

// ErrorClass is what kind of fault a warehouse found with a statement.
type ErrorClass string

// The classes. Those of [ErrorClass.Mendable] are faults of the statement; the
// rest are of the warehouse, of its rights or of what it has to give.
const (
	SyntaxError     ErrorClass = "syntax"
	UnknownColumn   ErrorClass = "unknown_column"
	UnknownTable    ErrorClass = "unknown_table"
	AmbiguousColumn ErrorClass = "ambiguous_column"
	TypeMismatch    ErrorClass = "type_mismatch"
	UnknownFunction ErrorClass = "unknown_function"
	DivisionByZero  ErrorClass = "division_by_zero"
	GroupingError   ErrorClass = "grouping" // a column that is neither grouped nor aggregated
	Forbidden       ErrorClass = "forbidden_statement"
	OtherError      ErrorClass = "other"
	TimedOut        ErrorClass = "timeout"
	NoPermission    ErrorClass = "permission"
	OverQuota       ErrorClass = "quota" // memory, bytes, cost
	Unreachable     ErrorClass = "connection"
)

// Repairable says whether another statement could do better.
func (c ErrorClass) Repairable() bool {
	switch c {
	case TimedOut, NoPermission, OverQuota, Unreachable:
		return false
	}
	return true
}

// maxQueryError is how many characters of what a warehouse says are kept.
const maxQueryError = 600

// QueryError is what a warehouse found with a statement or a connection. Its
// message is the warehouse's own words, cut, and never holds a secret; it is data,
// not an instruction.
type QueryError struct {
	Class   ErrorClass
	Message string
	Name    string // of the column, table or function at fault, when the warehouse names it
	Err     error  // the driver's; not for showing
}

func (e *QueryError) Error() string { return fmt.Sprintf("%s: %s", e.Class, e.Message) }

// Unwrap returns the driver's error.
func (e *QueryError) Unwrap() error { return e.Err }

// NewQueryError returns an error with the warehouse's words cut to what is kept.
func NewQueryError(class ErrorClass, message, name string, err error) *QueryError {
	if r := []rune(message); len(r) > maxQueryError {
		message = string(r[:maxQueryError]) + " …"
	}
	return &QueryError{Class: class, Message: message, Name: name, Err: err}
}

// ClassOf returns the class of an error of a connection; other for one that has none.
func ClassOf(err error) ErrorClass {
	var q *QueryError
	if errors.As(err, &q) {
		return q.Class
	}
	return OtherError
}
