package wire

import (
	"crypto/tls"
	"slices"
	"strconv"
	"strings"

	"quaestor/internal/fault"
	"quaestor/research/warehouse"
)

// The names of options that most makes have.
const (
	Host      = "host"
	Port      = "port"
	Database  = "database"
	User      = "user"
	Security  = "tls"
	Authority = "ca"
)

// maxOption is the most bytes an option may have; a certificate may have more.
const (
	maxOption      = 500
	maxCertificate = 64 << 10
)

// Fields returns the settings of a server reached by host and port. port is the make's default;
// database and user may be empty. Callers may change the list, which is new for each call.
func Fields(port int, database, databaseHelp, user string) []warehouse.Field {
	return []warehouse.Field{
		{Name: Host, Label: "Host", Help: "Name or address of the server.", Required: true},
		{Name: Port, Label: "Port", Default: strconv.Itoa(port), Required: true, Least: 1, Most: 65535},
		{Name: Database, Label: "Database", Help: databaseHelp, Default: database, Required: true},
		{Name: User, Label: "User", Help: "A role that may read and nothing else.", Default: user, Required: true},
		{Name: Security, Label: "TLS", Help: "verify-full checks certificate and name, verify-ca the certificate only; require encrypts without knowing to whom; disable sends everything, the password included, in the clear.",
			Default: VerifyFull, Choices: []string{VerifyFull, VerifyCA, Require, Disable}, Required: true},
		{Name: Authority, Label: "Certificate authority", Help: "In PEM, when the server's certificate is not signed by a public one."},
	}
}

// Options are checked settings by the names of their fields. A field without a value has its
// default, or an empty text.
type Options map[string]string

// Check returns the options of s, with defaults for those without a value. The error is a
// [*fault.Error] that names the field at fault. White space around values is dropped, except in
// certificates. A setting that is no field is refused, so that a misspelt one does not go
// unnoticed.
func Check(fields []warehouse.Field, s warehouse.Settings) (Options, error) {
	out := make(Options, len(fields))
	for _, f := range fields {
		v := s.Options[f.Name]
		if f.Name != Authority {
			v = strings.TrimSpace(v)
		}
		if v == "" {
			v = f.Default
		}
		if err := checkOption(f, v); err != nil {
			return nil, err
		}
		out[f.Name] = v
	}
	for name := range s.Options {
		if _, known := out[name]; !known {
			return nil, fault.New(fault.Unprocessable, "there is no such setting").At(name)
		}
	}
	return out, nil
}

// checkOption checks the value of one option; the error is written for people. v has its default
// already.
func checkOption(f warehouse.Field, v string) error {
	limit := maxOption
	if f.Name == Authority {
		limit = maxCertificate
	}
	switch {
	case v == "" && f.Required:
		return fault.New(fault.Unprocessable, "must be given").At(f.Name)
	case len(v) > limit:
		return fault.New(fault.Unprocessable, "must be at most %d bytes long", limit).At(f.Name)
	case strings.ContainsFunc(v, func(r rune) bool { return r < ' ' && (f.Name != Authority || r == 0) }):
		return fault.New(fault.Unprocessable, "must not hold control characters").At(f.Name)
	case v != "" && f.Choices != nil && !slices.Contains(f.Choices, v):
		return fault.New(fault.Unprocessable, "must be one of %s, not %q", strings.Join(f.Choices, ", "), v).At(f.Name)
	}
	if why := f.Unfit(v); why != "" {
		return fault.New(fault.Unprocessable, "%s", why).At(f.Name)
	}
	return nil
}

// Server is a server's checked settings. Options holds the rest of them.
type Server struct {
	Options
	Port int         // 1 to 65535
	TLS  *tls.Config // nil for an unencrypted connection
}

// Server returns the checked settings of a server whose fields are those of [Fields]. It
// refuses a host that r does not allow. The error is a [*fault.Error] that names the field at
// fault.
func (r Reach) Server(fields []warehouse.Field, s warehouse.Settings) (Server, error) {
	var out Server
	var err error
	if out.Options, err = Check(fields, s); err != nil {
		return out, err
	}
	if err = r.Check(out.Options[Host]); err != nil {
		return out, err
	}
	if out.Port, err = out.port(); err != nil {
		return out, err
	}
	out.TLS, err = out.tls()
	return out, err
}

// port returns the port of o.
func (o Options) port() (int, error) {
	n, err := strconv.Atoi(o[Port])
	if err != nil || n < 1 || n > 65535 {
		return 0, fault.New(fault.Unprocessable, "must be 1 to 65535, not %q", o[Port]).At(Port)
	}
	return n, nil
}
