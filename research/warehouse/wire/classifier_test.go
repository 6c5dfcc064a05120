package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"quaestor/internal/secret"
	"quaestor/research/warehouse"
)

// said is an error of a server in these tests.
type said struct {
	code          int
	message, hint string
}

func (s *said) Error() string { return s.message }

var testFaults = Classifier[int]{
	ServerError: func(err error) (ServerError[int], bool) {
		var e *said
		if !errors.As(err, &e) {
			return ServerError[int]{}, false
		}
		return ServerError[int]{Code: e.code, Message: e.message, Hint: e.hint}, true
	},
	Phrases: []Phrase{{Text: "out of memory", Class: warehouse.OverQuota}, {Text: "memory", Class: warehouse.SyntaxError}},
	Codes: map[warehouse.ErrorClass][]int{
		warehouse.UnknownColumn: {101, 102},
		warehouse.UnknownTable:  {201},
		warehouse.Forbidden:     {300},
		warehouse.NoPermission:  {301},
		warehouse.Unreachable:   {900},
	},
	Family: func(code int) int { return code / 100 * 100 },
	Names: map[warehouse.ErrorClass][]Delimiters{
		warehouse.UnknownColumn: {{"column named '", "'"}, {"column ", " "}},
		warehouse.NoPermission:  {{"for table ", ""}},
		"":                      {{"<", ">"}},
	},
}

func TestFault(t *testing.T) {
	t.Parallel()

	for name, tt := range map[string]struct {
		err     error
		class   warehouse.ErrorClass
		of      string
		message string // empty for the server's own
	}{
		"by its code":                    {&said{101, "no column named 'total'", ""}, warehouse.UnknownColumn, "total", ""},
		"wrapped":                        {fmt.Errorf("ask: %w", &said{101, "no column named 'total'", ""}), warehouse.UnknownColumn, "total", "no column named 'total'"},
		"the second place of a name":     {&said{102, "column total is not there", ""}, warehouse.UnknownColumn, "total", ""},
		"a name at the end":              {&said{102, "there is no column total.", ""}, warehouse.UnknownColumn, "total", ""},
		"no name":                        {&said{102, "it is not there", ""}, warehouse.UnknownColumn, "", ""},
		"a name in parts":                {&said{301, "denied for table `shop`.`orders`", ""}, warehouse.NoPermission, "shop.orders", ""},
		"a sentence is no name":          {&said{201, "<" + strings.Repeat("x", maxName+1) + ">", ""}, warehouse.UnknownTable, "", ""},
		"a class without places":         {&said{201, "<orders> is gone", ""}, warehouse.UnknownTable, "orders", ""},
		"a name that does not end":       {&said{201, "<orders is gone", ""}, warehouse.UnknownTable, "", ""},
		"by the code before the family":  {&said{301, "no", ""}, warehouse.NoPermission, "", ""},
		"by its family":                  {&said{399, "no", ""}, warehouse.Forbidden, "", ""},
		"in no table":                    {&said{555, "<what> is that", ""}, warehouse.OtherError, "what", ""},
		"a phrase before the code":       {&said{101, "out of memory", ""}, warehouse.OverQuota, "", ""},
		"names are not taken from hints": {&said{102, "it is not there", "Perhaps you meant column totals"}, warehouse.UnknownColumn, "", "it is not there. Perhaps you meant column totals"},
		"without the secret":             {&said{201, "sesame-12345 is wrong", ""}, warehouse.UnknownTable, "", "*** is wrong"},
		"known already":                  {fmt.Errorf("ask: %w", warehouse.NewQueryError(warehouse.GroupingError, "not grouped", "total", nil)), warehouse.GroupingError, "total", "not grouped"},
		"too much":                       {errors.Join(io.EOF, ErrTooMuch), warehouse.OverQuota, "", "the server sends more at once than a result may have"},
		"too late":                       {errors.Join(io.EOF, context.DeadlineExceeded), warehouse.TimedOut, "", "the statement was stopped after its time"},
		"a broken connection":            {io.ErrUnexpectedEOF, warehouse.Unreachable, "", "the server ended the connection"},
	} {
		var q *warehouse.QueryError
		if err := testFaults.Fault(t.Context(), tt.err, secret.New("sesame-12345")); !errors.As(err, &q) {
			t.Errorf("%s: Fault = %v", name, err)
			continue
		}
		if tt.message == "" {
			tt.message = tt.err.Error()
		}
		if q.Class != tt.class || q.Name != tt.of || q.Message != tt.message {
			t.Errorf("%s: it is (%s) of %q: %q, want (%s) of %q: %q", name, q.Class, q.Name, q.Message, tt.class, tt.of, tt.message)
		}
	}
	one := testFaults
	one.OneWord = true
	if got := one.Name(warehouse.UnknownColumn, "column named 'the total', column total is not there"); got != "named" {
		t.Errorf("the name of one word is %q", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := testFaults.Fault(ctx, &said{101, "no", ""}, secret.Secret{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Fault = %v for a caller that has given up", err)
	}
}
