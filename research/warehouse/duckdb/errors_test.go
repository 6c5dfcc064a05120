package duckdb

import (
	"testing"

	"quaestor/research/warehouse"
)

func TestQueryError(t *testing.T) {
	t.Parallel()

	for message, want := range map[string]warehouse.QueryError{
		"Parser Error: syntax error at or near \"FRM\"\n\nLINE 1: SELECT 1 FRM x\n                 ^":                {Class: warehouse.SyntaxError, Message: "Parser Error: syntax error at or near \"FRM\""},
		"Catalog Error: Table with name nothing does not exist!\nDid you mean \"flights\"?":                          {Class: warehouse.UnknownTable, Message: "Catalog Error: Table with name nothing does not exist!\nDid you mean \"flights\"?", Name: "nothing"},
		"Catalog Error: Scalar Function with name nope does not exist!\nDid you mean \"now\"?":                       {Class: warehouse.UnknownFunction, Message: "Catalog Error: Scalar Function with name nope does not exist!\nDid you mean \"now\"?", Name: "nope"},
		`Binder Error: Referenced column "delai" not found in FROM clause!`:                                          {Class: warehouse.UnknownColumn, Message: `Binder Error: Referenced column "delai" not found in FROM clause!`, Name: "delai"},
		`Binder Error: Table "f" does not have a column named "delai"`:                                               {Class: warehouse.UnknownColumn, Message: `Binder Error: Table "f" does not have a column named "delai"`, Name: "delai"},
		`Binder Error: Ambiguous reference to column name "id" (use: "a.id" or "b.id")`:                              {Class: warehouse.AmbiguousColumn, Message: `Binder Error: Ambiguous reference to column name "id" (use: "a.id" or "b.id")`, Name: "id"},
		`Binder Error: column "origin" must appear in the GROUP BY clause or must be part of an aggregate function.`: {Class: warehouse.GroupingError, Message: `Binder Error: column "origin" must appear in the GROUP BY clause or must be part of an aggregate function.`, Name: "origin"},
		"Conversion Error: Could not convert string 'x' to INT32":                                                    {Class: warehouse.TypeMismatch, Message: "Conversion Error: Could not convert string 'x' to INT32"},
		"Binder Error: No function matches the given name and argument types 'sum(VARCHAR)'.":                        {Class: warehouse.TypeMismatch, Message: "Binder Error: No function matches the given name and argument types 'sum(VARCHAR)'."},
		"Out of Memory Error: failed to allocate data of size 2.0 GiB\n\nPossible solutions:\n* x":                   {Class: warehouse.OverQuota, Message: "Out of Memory Error: failed to allocate data of size 2.0 GiB"},
		"INTERRUPT Error: Interrupted!":                                 {Class: warehouse.TimedOut, Message: "the statement was stopped after its time"},
		`IO Error: Cannot open file "/data/x/a.csv": Permission denied`: {Class: warehouse.NoPermission, Message: `IO Error: Cannot open file "a.csv": Permission denied`},
		"Something else entirely":                                       {Class: warehouse.OtherError, Message: "Something else entirely"},
	} {
		got := place{folder: "/data/x"}.queryError(message, nil)
		if got.Class != want.Class || got.Message != want.Message || got.Name != want.Name {
			t.Errorf("%q\nis   %+v\nwant %+v", message, *got, want)
		}
	}
}
