// Package secret holds values that must never be printed.
//
// A [Secret] shows as *** in logs, errors, JSON and every fmt verb. The only way
// to its value is [Secret.Reveal], so that a search for that name finds each
// place where a secret leaves its wrapping. The value sits behind a function:
// printing by reflection, which skips the methods of unexported fields, meets a
// code address and nothing more.
package secret

import (
	"fmt"
	"io"
	"log/slog"
)

// mask is what a secret shows instead of itself, whether set or not.
const mask = "***"

// Secret is a string that cannot be printed. The zero Secret is not set. It is
// safe for concurrent use and cannot be compared with ==.
type Secret struct {
	reveal func() string
}

// New wraps value. An empty value gives the zero Secret.
func New(value string) Secret {
	if value == "" {
		return Secret{}
	}
	return Secret{reveal: func() string { return value }}
}

// Reveal returns the value itself, or "" for the zero Secret. Call it where the
// value is sent and keep the result out of variables that live on.
func (s Secret) Reveal() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// IsZero reports whether no value is set.
func (s Secret) IsZero() bool { return s.reveal == nil }

// String returns ***.
func (s Secret) String() string { return mask }

// GoString returns ***, which is what %#v prints.
func (s Secret) GoString() string { return mask }

// Format writes *** for every verb, flags and width ignored.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, mask) }

// LogValue returns ***, which is what slog handlers print.
func (s Secret) LogValue() slog.Value { return slog.StringValue(mask) }

// MarshalJSON returns "***" as a JSON string.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + mask + `"`), nil }

// MarshalText returns ***.
func (s Secret) MarshalText() ([]byte, error) { return []byte(mask), nil }

// UnmarshalText takes text as the value, so that flags and environment variables
// can be read into a Secret. It never fails.
func (s *Secret) UnmarshalText(text []byte) error {
	*s = New(string(text))
	return nil
}
