package repair

import (
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
)

// Locally repairs a statement by rules alone.
func Locally(d guard.Dialect, x *catalog.Index, fault *warehouse.QueryError, sql string) (string, string, bool) {
	return locally(d, x, fault, sql, map[string]bool{normal(d, sql): true})
}

// StatementIn finds the statement of a reply.
var StatementIn = statementIn

// Dialects have a prompt each.
var Dialects = dialects

// TemplateUses says whether the prompt of a dialect has a placeholder.
func TemplateUses(d guard.Dialect, name string) bool { return templates[d].Uses(name) }

// Placeholders are those of a prompt.
var Placeholders = placeholders

// Relex takes a statement apart and writes it again.
func Relex(d guard.Dialect, sql string) string { return lex(d, sql).String() }
