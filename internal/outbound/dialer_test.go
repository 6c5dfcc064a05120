package outbound

import (
	"errors"
	"net"
	"net/netip"
	"testing"
)

// A server of this network is reached on any port when its address is allowed, and
// on none when it is not.
func TestDialer(t *testing.T) {
	t.Parallel()

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	for _, tt := range []struct {
		name  string
		allow []netip.Prefix
		want  error
	}{
		{"allowed", loopback, nil}, {"not allowed", nil, ErrPrivate}, {"another allowed", []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, ErrPrivate},
	} {
		c, err := NewDialer(tt.allow).DialContext(t.Context(), "tcp", l.Addr().String())
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
		if err == nil {
			_ = c.Close()
		}
	}
}

// Public addresses are reached on ports that are not those of web servers.
func TestDialerPorts(t *testing.T) {
	t.Parallel()

	d := NewDialer(nil)
	for at, want := range map[string]error{"8.8.8.8:5432": nil, "8.8.8.8:3306": nil, "10.1.2.3:5432": ErrPrivate, "169.254.169.254:80": ErrPrivate, "[::1]:5432": ErrPrivate} {
		network := "tcp4"
		if at[0] == '[' {
			network = "tcp6"
		}
		if err := d.Control(network, at, nil); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", at, err, want)
		}
	}
}
