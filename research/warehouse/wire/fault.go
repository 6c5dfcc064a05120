package wire

import (
	"errors"
	"strings"

	"quaestor/internal/outbound"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
)

// Unreachable returns what is said of a connection that failed, without its
// secret.
func Unreachable(err error, s secret.Secret) *warehouse.QueryError {
	var refused *outbound.Refused
	if errors.As(err, &refused) {
		return warehouse.NewQueryError(warehouse.Unreachable, refused.Error()+"; an operator may allow it", "", err)
	}
	return warehouse.NewQueryError(warehouse.Unreachable, Clean(err.Error(), s), "", err)
}

// Clean returns what a server or driver said, without the secret.
func Clean(message string, s secret.Secret) string {
	if v := s.Reveal(); len(v) > 3 {
		message = strings.ReplaceAll(message, v, "***")
	}
	return strings.TrimSpace(message)
}

// Quoted returns the first name that stands between quotes in a message; empty if
// there is none.
func Quoted(message, open, shut string) string {
	_, rest, ok := strings.Cut(message, open)
	if !ok {
		return ""
	}
	name, _, ok := strings.Cut(rest, shut)
	if !ok || len(name) > 200 {
		return ""
	}
	return name
}
