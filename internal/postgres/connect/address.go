package connect

import (
	"context"
	"crypto/tls"
	"errors"
	"io/fs"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
)

// addressField is the setting that faults about an address name.
const addressField = "DATABASE_URL"

// connectTimeout is how long a server may take to accept a connection, including the
// login, unless the address sets connect_timeout.
const connectTimeout = 10 * time.Second

// Config parses the address of a database. Connecting times out after the address's
// connect_timeout, or 10 s. An address that cannot be parsed is Invalid; the fault tells
// what is wrong with its form and repeats no part of it, because any part may belong to
// a password.
func Config(address string) (*pgxpool.Config, error) {
	if wrong := wrongForm(address); wrong != "" {
		return nil, fault.New(fault.Invalid, "%s", wrong).At(addressField)
	}
	c, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fault.New(fault.Invalid, "cannot be read; it should look like postgres://user:password@host:5432/name").At(addressField)
	}
	if c.ConnConfig.ConnectTimeout <= 0 {
		c.ConnConfig.ConnectTimeout = connectTimeout
	}
	return c, nil
}

// wrongForm returns what is wrong with the form of an address, or an empty string. It
// looks for the common mistakes, above all signs in a password that need escaping; the
// driver's own messages would repeat the address.
func wrongForm(address string) string {
	scheme, rest, hasScheme := strings.Cut(address, "://")
	if !hasScheme && strings.Contains(address, "=") {
		return "" // keywords and values, which only the driver parses
	}
	if scheme != "postgres" && scheme != "postgresql" {
		return "must begin with postgres://, as in postgres://user:password@host:5432/name"
	}
	if strings.ContainsAny(address, " \t\r\n") {
		return "must hold no spaces; write one in the user or the password as %20"
	}
	authority, path, _ := strings.Cut(rest, "/")
	name, query, _ := strings.Cut(path, "?")
	user, hosts, hasUser := strings.Cut(authority, "@")
	switch {
	case strings.Contains(hosts, "@") || strings.Contains(name, "@"):
		return "holds more than one @; in the user and the password write @ as %40 and / as %2F"
	case !escaped(user) || !escaped(name):
		return "holds a % that begins no escape; write a % in the user or the password as %25"
	}
	if !hasUser {
		hosts = user
	}
	if !portsFit(hosts) {
		return "has no port of 1 to 65535 after its host; if that is part of the password, write / there as %2F and @ as %40"
	}
	return wrongParameter(query)
}

// escaped reports whether every % of text begins an escape.
func escaped(text string) bool {
	_, err := url.PathUnescape(text)
	return err == nil
}

// portsFit reports whether every colon in a list of hosts is followed by a port.
func portsFit(hosts string) bool {
	for _, host := range strings.Split(hosts, ",") {
		host, _, _ = strings.Cut(host, "?") // no path stands before the parameters
		colon := strings.LastIndex(host, ":")
		if colon < 0 || strings.HasSuffix(host, "]") || colon == len(host)-1 {
			continue
		}
		if n, err := strconv.Atoi(host[colon+1:]); err != nil || n < 1 || n > 65535 {
			return false
		}
	}
	return true
}

// sslModes are the values of sslmode, from libpq.
var sslModes = []string{"disable", "allow", "prefer", "require", "verify-ca", "verify-full"}

// wrongParameter returns what is wrong with the parameters of an address, or an empty
// string.
func wrongParameter(query string) string {
	values, err := url.ParseQuery(query)
	if err != nil {
		return "has parameters after the ? that cannot be read; they should look like ?sslmode=require&connect_timeout=10"
	}
	if mode := values.Get("sslmode"); mode != "" && !slices.Contains(sslModes, mode) {
		return "has an sslmode that is none of " + strings.Join(sslModes, ", ")
	}
	if wait := values.Get("connect_timeout"); wait != "" {
		if n, err := strconv.Atoi(wait); err != nil || n < 0 {
			return "has a connect_timeout that is no number of seconds"
		}
	}
	return ""
}

// refusals explains the SQLSTATE codes with which a server refuses connections.
var refusals = map[string]string{
	"28P01": "the database refuses the user or the password",
	"28000": "the database refuses the user, or this machine; check the user, the password, and pg_hba.conf on the server",
	"3D000": "the server has no database of that name; check the name, or make it with CREATE DATABASE",
	"42501": "the user may not connect to that database; GRANT CONNECT on it",
	"53300": "the server takes no more connections; raise its max_connections, or lower --max-conns (QUAESTOR_MAX_CONNS)",
	"57P03": "the server is starting or stopping; try again in a moment",
}

// unreachable returns a fault for err, which connecting failed with, that names the
// remedy. limit is the timeout. The fault repeats no part of the address.
func unreachable(limit time.Duration, err error) error {
	return fault.New(fault.Unavailable, "%s", whyUnreachable(limit, err)).At(addressField)
}

// whyUnreachable returns the sentence of [unreachable].
func whyUnreachable(limit time.Duration, err error) string {
	var said *pgconn.PgError
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &said) && refusals[said.Code] != "":
		return refusals[said.Code]
	case errors.As(err, &said):
		return "the server refuses the connection: " + said.Message
	case errors.Is(err, context.Canceled):
		return "the database had not answered when it was told to stop"
	case errors.As(err, &name):
		return "the name of the database's host is not known; check the host"
	case errors.As(err, &certificate):
		return "the server's certificate is not trusted; check sslmode and sslrootcert"
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, fs.ErrNotExist):
		return "the database does not answer, nothing listens there; check host and port, and whether PostgreSQL runs"
	case pgconn.Timeout(err), errors.Is(err, context.DeadlineExceeded):
		return "the database does not answer within " + limit.String() + "; check host and port, and what stands between, or set a longer connect_timeout"
	}
	return "the database does not answer; check host, port, name and password, and sslmode"
}
