package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"

	"quaestor/internal/secret"
	"quaestor/research/warehouse"
)

// What networks do is said in words; what has words of its own keeps them, without
// the secret.
func TestUnreachable(t *testing.T) {
	t.Parallel()

	at := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 5432}
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Addr: at, Err: err} }
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"nobody listens":    {fmt.Errorf("failed to connect: %w", dial(os.NewSyscallError("connect", syscall.ECONNREFUSED))), "nothing answers at 127.0.0.1:5432"},
		"no such socket":    {&net.OpError{Op: "dial", Net: "unix", Addr: &net.UnixAddr{Name: "/run/x", Net: "unix"}, Err: os.NewSyscallError("connect", syscall.ENOENT)}, "nothing answers at /run/x"},
		"no such host":      {&net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Name: "db.example", IsNotFound: true}}, `there is no host called "db.example"`},
		"a silent resolver": {&net.DNSError{Name: "db.example"}, `the name of the host, "db.example", could not be looked up`},
		"no way":            {dial(os.NewSyscallError("connect", syscall.EHOSTUNREACH)), "no way leads to 127.0.0.1:5432"},
		"silence":           {fmt.Errorf("dial: %w", context.DeadlineExceeded), "the server did not answer in time"},
		"a reset":           {fmt.Errorf("read: %w", os.NewSyscallError("read", syscall.ECONNRESET)), "the server ended the connection"},
		"an end":            {fmt.Errorf("receive: %w", io.ErrUnexpectedEOF), "the server ended the connection"},
		"its own words":     {errors.New("tls: sesame-12345 is no certificate"), "tls: *** is no certificate"},
	} {
		q := Unreachable(c.err, secret.New("sesame-12345"))
		if q.Class != warehouse.Unreachable || q.Message != c.want {
			t.Errorf("%s is said as (%s) %q, want %q", name, q.Class, q.Message, c.want)
		}
	}
}
