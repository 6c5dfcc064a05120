package snowflake

import (
	"cmp"
	"context"
	"crypto/rsa"
	"crypto/x509"
	"database/sql"
	"encoding/pem"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	sf "github.com/snowflakedb/gosnowflake"

	"quaestor/internal/fault"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/wire"
)

// The names and values of options besides those in package wire, and bounds of a connection.
const (
	account   = "account"
	compute   = "warehouse"
	role      = "role"
	manner    = "auth"
	byKey     = "key pair"
	byToken   = "token"
	byPass    = "password"
	domain    = ".snowflakecomputing.com"
	openTime  = 20 * time.Second
	patience  = 500 * time.Millisecond // in addition to a statement's time limit
	maxConns  = 4
	signature = "quaestor" // tag of our queries in the account's history
)

// Connector opens Snowflake warehouses. It is safe for concurrent use.
type Connector struct {
	wire.Reach
	Endpoint string // host:port of an unencrypted server, for tests; empty for the account's
}

// Kind returns the make.
func (*Connector) Kind() warehouse.Kind { return warehouse.Snowflake }

// Dialect returns Snowflake's.
func (*Connector) Dialect() guard.Dialect { return guard.Snowflake }

// Fields returns the settings of an account.
func (*Connector) Fields() []warehouse.Field {
	return []warehouse.Field{
		{Name: account, Label: "Account", Help: "Its identifier, such as myorg-myaccount.", Required: true},
		{Name: wire.Database, Label: "Database", Required: true},
		{Name: compute, Label: "Warehouse", Help: "Of Snowflake: what computes the queries.", Required: true},
		{Name: wire.User, Label: "User", Default: "QUAESTOR", Required: true},
		{Name: role, Label: "Role", Help: "That may read and nothing else.", Default: "QUAESTOR", Required: true},
		{Name: manner, Label: "Signs in by", Default: byKey, Choices: []string{byKey, byToken, byPass}, Required: true},
	}
}

// accountForm matches an account identifier, with or without its region. It becomes
// part of the host's name, so nothing else may pass.
var accountForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+){0,3}$`)

// quiet keeps the driver from probing on the first connection which cloud it runs in, which would
// bypass our dialer. The driver can only be told so by an environment variable.
var quiet = sync.OnceValue(func() error { return os.Setenv("SNOWFLAKE_DISABLE_PLATFORM_DETECTION", "true") })

// Open implements [warehouse.Connector]. It gives up after 20 s. The first statement proves that
// the role may use the warehouse and the database, and tells how the account spells them.
func (c *Connector) Open(ctx context.Context, s warehouse.Settings) (warehouse.Conn, error) {
	if err := quiet(); err != nil {
		return nil, fmt.Errorf("keep the driver of Snowflake quiet: %w", err)
	}
	config, err := c.config(s)
	if err != nil {
		return nil, err
	}
	conns := newConnSet(c.Reach)
	config.Transporter = conns
	out := &conn{db: sql.OpenDB(sf.NewConnector(sf.SnowflakeDriver{}, config)), conns: conns, secret: s.Secret}
	out.db.SetMaxOpenConns(maxConns)
	out.db.SetConnMaxIdleTime(time.Minute)
	openCtx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	if err := out.db.QueryRowContext(openCtx, "SELECT CURRENT_VERSION(), CURRENT_ROLE(), CURRENT_DATABASE()").Scan(&out.version, &out.role, &out.database); err != nil {
		_ = out.Close()
		return nil, out.fault(ctx, err)
	}
	return out, nil
}

// config checks s and returns the driver's configuration. Errors are [*fault.Error]s that name a
// field.
func (c *Connector) config(s warehouse.Settings) (sf.Config, error) {
	var out sf.Config
	o, err := wire.Check(c.Fields(), s)
	if err != nil {
		return out, err
	}
	if !accountForm.MatchString(strings.TrimSuffix(o[account], domain)) {
		return out, fault.New(fault.Unprocessable, "is an identifier such as myorg-myaccount, without https://").At(account)
	}
	l := s.Limits.OrDefault()
	out = sf.Config{Account: strings.TrimSuffix(o[account], domain), User: o[wire.User], Database: o[wire.Database], Warehouse: o[compute], Role: o[role], Protocol: "https", Port: 443,
		Application: signature, MaxRetryCount: 2, ValidateDefaultParameters: sf.ConfigBoolTrue, DisableOCSPChecks: true, Params: session(l)}
	out.Host = out.Account + domain
	if c.Endpoint != "" {
		host, port, _ := strings.Cut(c.Endpoint, ":")
		out.Protocol, out.Host = "http", host
		out.Port, _ = strconv.Atoi(port)
	}
	return out, signIn(&out, o[manner], s.Secret)
}

// session returns the parameters of every session. config turns off the driver's OCSP look-ups,
// because they would bypass our dialer; certificates are verified nevertheless. Only one
// statement per request is accepted, and nothing is committed by itself. The service stops a
// statement a second after the time limit of the settings, in case our own cancellation does not
// arrive.
func session(l warehouse.Limits) map[string]*string {
	out := map[string]*string{}
	for name, v := range map[string]string{
		"MULTI_STATEMENT_COUNT": "1", "AUTOCOMMIT": "false", "TIMEZONE": "UTC", "QUERY_TAG": signature, "GO_QUERY_RESULT_FORMAT": "json", "ABORT_DETACHED_QUERY": "true",
		"STATEMENT_TIMEOUT_IN_SECONDS": strconv.Itoa(int(l.Time/time.Second) + 1), "STATEMENT_QUEUED_TIMEOUT_IN_SECONDS": strconv.Itoa(int(l.Time/time.Second) + 1),
		"CLIENT_TELEMETRY_ENABLED": "false", "BINARY_OUTPUT_FORMAT": "HEX",
	} {
		out[name] = &v
	}
	return out
}

// signIn sets the secret as the chosen method of authentication requires. by is one of the
// choices of the field; the error is about the secret and does not contain it.
func signIn(c *sf.Config, by string, s secret.Secret) error {
	if s.IsZero() {
		return fault.New(fault.Unprocessable, "is needed").At("secret")
	}
	switch by {
	case byToken:
		c.Authenticator, c.Token = sf.AuthTypePat, s.Reveal()
	case byPass:
		c.Authenticator, c.Password = sf.AuthTypeSnowflake, s.Reveal()
	default:
		key, err := privateKey(s)
		if err != nil {
			return err
		}
		c.Authenticator, c.PrivateKey = sf.AuthTypeJwt, key
	}
	return nil
}

// privateKey parses an RSA key in PEM without a passphrase. Both PKCS #1 and PKCS #8 are read.
func privateKey(s secret.Secret) (*rsa.PrivateKey, error) {
	bad := fault.New(fault.Unprocessable, "is an RSA private key in PEM, without a passphrase").At("secret")
	block, _ := pem.Decode([]byte(s.Reveal()))
	if block == nil {
		return nil, bad
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	key, ok := parsed.(*rsa.PrivateKey)
	if err != nil || !ok {
		return nil, bad
	}
	return key, nil
}

// conn is an open database. It is safe for concurrent use; database/sql keeps at most maxConns
// sessions.
type conn struct {
	db       *sql.DB
	conns    *connSet
	secret   secret.Secret
	database string
	role     string // role and database as the account spells them
	version  string
}

// Close ends the sessions and closes all connections.
func (c *conn) Close() error {
	err := c.db.Close()
	c.conns.end()
	return err
}

// Grant implements [warehouse.Connector]. The grants are for the tables that exist; later ones
// need them again. Names that s does not have are those of the defaults, or words in capitals to
// replace.
func (*Connector) Grant(s warehouse.Settings) string {
	o := s.Options
	r, u, d, w := quoted(cmp.Or(o[role], "QUAESTOR")), quoted(cmp.Or(o[wire.User], "QUAESTOR")), quoted(cmp.Or(o[wire.Database], "DATABASE")), quoted(cmp.Or(o[compute], "WAREHOUSE"))
	out := fmt.Sprintf("CREATE ROLE IF NOT EXISTS %[1]s;\nCREATE USER IF NOT EXISTS %[2]s DEFAULT_ROLE = %[1]s DEFAULT_WAREHOUSE = %[4]s TYPE = SERVICE RSA_PUBLIC_KEY = '…';\nGRANT ROLE %[1]s TO USER %[2]s;\nGRANT USAGE ON WAREHOUSE %[4]s TO ROLE %[1]s;\nGRANT USAGE ON DATABASE %[3]s TO ROLE %[1]s;\n", r, u, d, w)
	if len(s.Schemas) == 0 {
		return out + fmt.Sprintf("GRANT USAGE ON ALL SCHEMAS IN DATABASE %[1]s TO ROLE %[2]s;\nGRANT SELECT ON ALL TABLES IN DATABASE %[1]s TO ROLE %[2]s;\nGRANT SELECT ON ALL VIEWS IN DATABASE %[1]s TO ROLE %[2]s;\n", d, r)
	}
	for _, schema := range s.Schemas {
		out += fmt.Sprintf("GRANT USAGE ON SCHEMA %[1]s TO ROLE %[2]s;\nGRANT SELECT ON ALL TABLES IN SCHEMA %[1]s TO ROLE %[2]s;\nGRANT SELECT ON ALL VIEWS IN SCHEMA %[1]s TO ROLE %[2]s;\n", d+"."+quoted(schema), r)
	}
	return out
}

// quoted returns a quoted name.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
