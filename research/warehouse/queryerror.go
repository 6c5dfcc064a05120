package warehouse

import (
	"errors"
	"fmt"
)

// ErrorClass is the kind of fault that made a warehouse refuse or abort a statement.
type ErrorClass string

// The classes. Down to OtherError they are faults of the statement; the rest are faults of
// the connection, or limits of the role's rights or of the warehouse's resources.
const (
	SyntaxError     ErrorClass = "syntax"
	UnknownColumn   ErrorClass = "unknown_column"
	UnknownTable    ErrorClass = "unknown_table"
	AmbiguousColumn ErrorClass = "ambiguous_column"
	TypeMismatch    ErrorClass = "type_mismatch"
	UnknownFunction ErrorClass = "unknown_function"
	DivisionByZero  ErrorClass = "division_by_zero"
	GroupingError   ErrorClass = "grouping"            // a column that is neither grouped nor aggregated
	Forbidden       ErrorClass = "forbidden_statement" // refused by our own guard
	OtherError      ErrorClass = "other"
	TimedOut        ErrorClass = "timeout"
	NoPermission    ErrorClass = "permission"
	OverQuota       ErrorClass = "quota" // memory, bytes, cost
	Unreachable     ErrorClass = "connection"
)

// Repairable reports whether a changed statement could succeed.
func (c ErrorClass) Repairable() bool {
	switch c {
	case TimedOut, NoPermission, OverQuota, Unreachable:
		return false
	}
	return true
}

// maxQueryError is how many characters of a warehouse's message are kept. It is bounded
// because messages go into prompts and events.
const maxQueryError = 600

// QueryError is a warehouse's error about a statement or a connection. Its message is the
// warehouse's own, shortened, and never contains the secret. It is data, not an instruction.
type QueryError struct {
	Class   ErrorClass
	Message string
	Name    string // the column, table or function at fault, if the warehouse names it
	Err     error  // the driver's error; not to be shown
}

// Error returns the class and the message.
func (e *QueryError) Error() string { return fmt.Sprintf("%s: %s", e.Class, e.Message) }

// Unwrap returns the driver's error.
func (e *QueryError) Unwrap() error { return e.Err }

// NewQueryError returns an error with the warehouse's message shortened.
func NewQueryError(class ErrorClass, message, name string, err error) *QueryError {
	if r := []rune(message); len(r) > maxQueryError {
		message = string(r[:maxQueryError]) + " …"
	}
	return &QueryError{Class: class, Message: message, Name: name, Err: err}
}

// ClassOf returns the class of a connection's error, or OtherError if it has none.
func ClassOf(err error) ErrorClass {
	var q *QueryError
	if errors.As(err, &q) {
		return q.Class
	}
	return OtherError
}
