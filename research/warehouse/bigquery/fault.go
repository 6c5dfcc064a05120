package bigquery

import (
	"context"
	"errors"

	"cloud.google.com/go/bigquery"
	"golang.org/x/oauth2"
	"google.golang.org/api/googleapi"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/wire"
)

// fault returns what a person or a model is told of err; that of ctx, the
// caller's, when it has ended.
func (c *conn) fault(ctx context.Context, err error) error {
	var token *oauth2.RetrieveError
	if errors.As(err, &token) { // what the driver says of it may hold what was sent
		err = warehouse.NewQueryError(warehouse.NoPermission, "the key was not accepted", "", nil)
	}
	return faults.Fault(ctx, err, c.secret)
}

// faults are how the service words its errors, and the reasons it gives.
var faults = wire.Classifier[string]{
	ServerError: func(err error) (wire.ServerError[string], bool) {
		var job *bigquery.Error
		var api *googleapi.Error
		switch {
		case errors.As(err, &job):
			return wire.ServerError[string]{Code: job.Reason, Message: job.Message}, true
		case errors.As(err, &api):
			return wire.ServerError[string]{Code: reason(api), Message: api.Message}, true
		}
		return wire.ServerError[string]{}, false
	},
	// Most faults of a statement have the same reason, invalidQuery, and differ in their words
	// only.
	Phrases: []wire.Phrase{
		{Text: "Unrecognized name: ", Class: warehouse.UnknownColumn},
		{Text: "Name ", Class: warehouse.UnknownColumn},
		{Text: "Not found: Table ", Class: warehouse.UnknownTable},
		{Text: "Not found: Dataset ", Class: warehouse.UnknownTable},
		{Text: "is ambiguous", Class: warehouse.AmbiguousColumn},
		{Text: "Function not found: ", Class: warehouse.UnknownFunction},
		{Text: "neither grouped nor aggregated", Class: warehouse.GroupingError},
		{Text: "division by zero", Class: warehouse.DivisionByZero},
		{Text: "Division by zero", Class: warehouse.DivisionByZero},
		{Text: "No matching signature", Class: warehouse.TypeMismatch},
		{Text: "could not be coerced", Class: warehouse.TypeMismatch},
		{Text: "Bad int64 value", Class: warehouse.TypeMismatch},
		{Text: "Could not cast", Class: warehouse.TypeMismatch},
		{Text: "Syntax error", Class: warehouse.SyntaxError},
		{Text: "Job timed out", Class: warehouse.TimedOut},
		{Text: "Access Denied", Class: warehouse.NoPermission},
	},
	Codes: map[warehouse.ErrorClass][]string{
		warehouse.NoPermission: {"accessDenied", "authError"},
		warehouse.OverQuota:    {"quotaExceeded", "rateLimitExceeded", "bytesBilledLimitExceeded", "resourcesExceeded", "responseTooLarge"},
		warehouse.TimedOut:     {"stopped", "timeout"},
		warehouse.Unreachable:  {"backendError", "internalError"},
		warehouse.UnknownTable: {"notFound"},
	},
	Names: map[warehouse.ErrorClass][]wire.Delimiters{
		warehouse.UnknownColumn:   {{Open: "Unrecognized name: ", Shut: " at ["}, {Open: "Name ", Shut: " not found"}},
		warehouse.UnknownTable:    {{Open: "Not found: Table ", Shut: " was not found"}, {Open: "Not found: Dataset ", Shut: " was not found"}},
		warehouse.AmbiguousColumn: {{Open: "Column name ", Shut: " is ambiguous"}},
		warehouse.UnknownFunction: {{Open: "Function not found: ", Shut: " at ["}},
		warehouse.GroupingError:   {{Open: "references column ", Shut: " which is"}},
	},
}

// reason returns why a request was refused. The service's first reason tells most. Without one,
// only a refusal of access is told by the status; anything else is empty.
func reason(e *googleapi.Error) string {
	switch {
	case len(e.Errors) > 0 && e.Errors[0].Reason != "":
		return e.Errors[0].Reason
	case e.Code == 401 || e.Code == 403:
		return "accessDenied"
	}
	return ""
}
