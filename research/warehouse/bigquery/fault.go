package bigquery

import (
	"context"
	"errors"
	"strings"

	"cloud.google.com/go/bigquery"
	"golang.org/x/oauth2"
	"google.golang.org/api/googleapi"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/wire"
)

// phrases are how the service words its errors: what its message has, its class,
// and what stands before the name at fault.
var phrases = []struct {
	has, before, after string
	class              warehouse.ErrorClass
}{
	{"Unrecognized name: ", "Unrecognized name: ", " at [", warehouse.UnknownColumn},
	{"Name ", "Name ", " not found", warehouse.UnknownColumn},
	{"Not found: Table ", "Not found: Table ", " was not found", warehouse.UnknownTable},
	{"Not found: Dataset ", "Not found: Dataset ", " was not found", warehouse.UnknownTable},
	{"is ambiguous", "Column name ", " is ambiguous", warehouse.AmbiguousColumn},
	{"Function not found: ", "Function not found: ", " at [", warehouse.UnknownFunction},
	{"neither grouped nor aggregated", "references column ", " which is", warehouse.GroupingError},
	{"division by zero", "", "", warehouse.DivisionByZero},
	{"Division by zero", "", "", warehouse.DivisionByZero},
	{"No matching signature", "", "", warehouse.TypeMismatch},
	{"could not be coerced", "", "", warehouse.TypeMismatch},
	{"Bad int64 value", "", "", warehouse.TypeMismatch},
	{"Could not cast", "", "", warehouse.TypeMismatch},
	{"Syntax error", "", "", warehouse.SyntaxError},
	{"Job timed out", "", "", warehouse.TimedOut},
	{"Access Denied", "", "", warehouse.NoPermission},
}

// reasons are the classes of what the service gives as the reason.
var reasons = map[string]warehouse.ErrorClass{
	"accessDenied": warehouse.NoPermission, "quotaExceeded": warehouse.OverQuota, "rateLimitExceeded": warehouse.OverQuota, "bytesBilledLimitExceeded": warehouse.OverQuota,
	"resourcesExceeded": warehouse.OverQuota, "responseTooLarge": warehouse.OverQuota, "stopped": warehouse.TimedOut, "timeout": warehouse.TimedOut,
	"backendError": warehouse.Unreachable, "internalError": warehouse.Unreachable, "notFound": warehouse.UnknownTable, "authError": warehouse.NoPermission,
}

// fault returns what went wrong. Who gave up gets their own error.
func (c *conn) fault(ctx context.Context, err error) error {
	var known *warehouse.QueryError
	var job *bigquery.Error
	var api *googleapi.Error
	var token *oauth2.RetrieveError
	switch {
	case errors.As(err, &known):
		return known
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return warehouse.NewQueryError(warehouse.TimedOut, "the statement took longer than it may", "", err)
	case errors.As(err, &job):
		return c.said(job.Reason, job.Message, err)
	case errors.As(err, &api):
		reason := ""
		if len(api.Errors) > 0 {
			reason = api.Errors[0].Reason
		}
		if reason == "" && (api.Code == 401 || api.Code == 403) {
			reason = "accessDenied"
		}
		return c.said(reason, api.Message, err)
	case errors.As(err, &token):
		return warehouse.NewQueryError(warehouse.NoPermission, "the key was not accepted", "", nil) // what the driver says may hold what was sent
	}
	return wire.Unreachable(err, c.secret)
}

// said is an error of the service.
func (c *conn) said(reason, message string, err error) error {
	class, name := warehouse.OtherError, ""
	for _, p := range phrases {
		if strings.Contains(message, p.has) {
			class = p.class
			if p.before != "" {
				name = wire.Quoted(message, p.before, p.after)
			}
			break
		}
	}
	if byReason, ok := reasons[reason]; ok && class == warehouse.OtherError {
		class = byReason
	}
	return warehouse.NewQueryError(class, wire.Clean(message, c.secret), strings.Trim(name, "`'\""), err)
}
