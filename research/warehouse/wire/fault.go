package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"strings"
	"syscall"

	"quaestor/internal/outbound"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
)

// Unreachable describes a failed connection in words, without its secret. An address that may not
// be dialled is told apart, since an operator can allow it. Other errors of the network are
// worded anew, because drivers and systems word them differently.
func Unreachable(err error, s secret.Secret) *warehouse.QueryError {
	var refused *outbound.RefusedError
	if errors.As(err, &refused) {
		return warehouse.NewQueryError(warehouse.Unreachable, refused.Error()+"; an operator may allow it", "", err)
	}
	message := networkMessage(err)
	if message == "" {
		message = Clean(err.Error(), s)
	}
	return warehouse.NewQueryError(warehouse.Unreachable, message, "", err)
}

// networkMessage describes a network error in words; empty if err is not one.
func networkMessage(err error) string {
	var name *net.DNSError
	var op *net.OpError
	at := "that address"
	if errors.As(err, &op) && op.Addr != nil && op.Addr.String() != "" {
		at = op.Addr.String()
	}
	switch {
	case errors.As(err, &name) && name.IsNotFound:
		return fmt.Sprintf("there is no host called %q", name.Name)
	case errors.As(err, &name):
		return fmt.Sprintf("the name of the host, %q, could not be looked up", name.Name)
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, fs.ErrNotExist) && op != nil:
		return "nothing answers at " + at
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "no way leads to " + at
	case errors.Is(err, context.DeadlineExceeded), op != nil && op.Timeout():
		return "the server did not answer in time"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, net.ErrClosed):
		return "the server ended the connection"
	}
	return ""
}

// Clean returns a message of a server or driver with the secret masked. Secrets of up to
// three bytes are left, because masking them would mangle the message.
func Clean(message string, s secret.Secret) string {
	if v := s.Reveal(); len(v) > 3 {
		message = strings.ReplaceAll(message, v, "***")
	}
	return strings.TrimSpace(message)
}
