package bigquery

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"cloud.google.com/go/bigquery"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"
	"google.golang.org/api/option"

	"quaestor/internal/fault"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/wire"
)

// The names of the options.
const (
	project  = "project"
	location = "location"
)

// openTimeout bounds connecting and the first request, which fetches a token first. Both services
// have to answer within it.
const openTimeout = 15 * time.Second

// scopes are the OAuth scopes of the credentials: the read-only one, and the wider one that
// running queries requires.
var scopes = []string{"https://www.googleapis.com/auth/bigquery", "https://www.googleapis.com/auth/cloud-platform.read-only"}

// Connector opens BigQuery warehouses. The zero value reaches Google's public service. It is safe
// for concurrent use.
type Connector struct {
	wire.Reach
	Endpoint string // of the API, for a private one; empty for Google's own
}

// Kind returns the make.
func (*Connector) Kind() warehouse.Kind { return warehouse.BigQuery }

// Dialect returns GoogleSQL.
func (*Connector) Dialect() guard.Dialect { return guard.BigQuery }

// Fields returns the settings of a project. Its datasets are the schemas.
func (*Connector) Fields() []warehouse.Field {
	return []warehouse.Field{
		{Name: project, Label: "Project", Help: "Whose datasets are read, and who pays for the queries.", Required: true},
		{Name: location, Label: "Location", Help: "Such as EU or us-east1, where the datasets are; empty lets BigQuery find out."},
	}
}

// account is the part of a service account's key file that we read ourselves.
type account struct {
	Type  string `json:"type"`         // must be service_account
	Email string `json:"client_email"` // becomes the role in Rights
	Key   string `json:"private_key"`  // in PEM; checked by the library
}

// The forms of identifiers: an id of a project has 6 to 30 characters. It becomes part of
// addresses, so nothing else may pass.
var (
	projectForm  = regexp.MustCompile(`^[a-z][a-z0-9-]{4,28}[a-z0-9]$`)
	locationForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]{1,30}$`)
)

// Open implements [warehouse.Connector]. It gives up after 15 s. Settings and key are checked
// before anything is sent. The first request is a dry run of SELECT 1, which proves that the
// account may run jobs and costs nothing.
func (c *Connector) Open(ctx context.Context, s warehouse.Settings) (warehouse.Conn, error) {
	o, err := wire.Check(c.Fields(), s)
	if err != nil {
		return nil, err
	}
	if !projectForm.MatchString(o[project]) {
		return nil, fault.New(fault.Unprocessable, "is the id of a project, such as my-shop-123, not %q", o[project]).At(project)
	}
	if o[location] != "" && !locationForm.MatchString(o[location]) {
		return nil, fault.New(fault.Unprocessable, "is a location, such as EU or us-east1").At(location)
	}
	who, client, err := c.authorised(s.Secret)
	if err != nil {
		return nil, err
	}
	options := []option.ClientOption{option.WithHTTPClient(client)}
	if c.Endpoint != "" {
		options = append(options, option.WithEndpoint(c.Endpoint+"/bigquery/v2/"))
	}
	api, err := bigquery.NewClient(context.WithoutCancel(ctx), o[project], options...)
	if err != nil {
		client.CloseIdleConnections()
		return nil, fmt.Errorf("make a client of BigQuery: %w", err)
	}
	api.Location = o[location]
	out := &conn{api: api, http: client, project: o[project], role: who, secret: s.Secret, datasets: s.Schemas, endpoint: c.Endpoint}
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	if _, err := out.dry(ctx, "SELECT 1", dryLimits); err != nil {
		_ = out.Close()
		return nil, out.fault(ctx, err)
	}
	return out, nil
}

// dryLimits are the limits of our own statements, which read nothing.
var dryLimits = warehouse.Limits{}.OrDefault()

// authorised returns an HTTP client with the credentials of a service account, and the account's
// name. Everything goes through the dialer of c, the fetching of tokens included. Redirects are
// not followed, because they could lead elsewhere. Errors are about the field secret and never
// contain the key.
func (c *Connector) authorised(key secret.Secret) (string, *http.Client, error) {
	var a account
	if json.Unmarshal([]byte(key.Reveal()), &a) != nil || a.Type != "service_account" || a.Email == "" || a.Key == "" {
		return "", nil, fault.New(fault.Unprocessable, "is the key file of a service account, in JSON").At("secret")
	}
	config, err := google.JWTConfigFromJSON([]byte(key.Reveal()), scopes...)
	if err != nil {
		return "", nil, fault.New(fault.Unprocessable, "is no key file that can be used").At("secret")
	}
	transport := &http.Transport{DialContext: c.Dial, TLSHandshakeTimeout: openTimeout, MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute, ResponseHeaderTimeout: time.Minute, ForceAttemptHTTP2: true}
	plain := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	life := context.WithValue(context.Background(), oauth2.HTTPClient, plain) // tokens are renewed as long as the connection lives
	return a.Email, &http.Client{Transport: closableTransport{&oauth2.Transport{Source: config.TokenSource(life), Base: transport}, transport}, CheckRedirect: plain.CheckRedirect}, nil
}

// closableTransport is a transport whose underlying connections can be closed.
type closableTransport struct {
	http.RoundTripper
	below *http.Transport
}

// CloseIdleConnections closes the connections that are not in use.
func (c closableTransport) CloseIdleConnections() { c.below.CloseIdleConnections() }

// conn is an open project. It is safe for concurrent use.
type conn struct {
	api      *bigquery.Client
	http     *http.Client // for what api has no methods for; authorised like it
	project  string       // whose tables may be read, and who pays
	role     string       // the e-mail address of the account
	secret   secret.Secret
	datasets []string // those of the settings; empty for all of the project
	endpoint string   // without a path; empty for Google's own
}

// Close closes all connections.
func (c *conn) Close() error {
	err := c.api.Close()
	c.http.CloseIdleConnections()
	return err
}

// Grant implements [warehouse.Connector]. Part of it is for the shell, since roles on a project
// cannot be granted in SQL. PROJECT and DATASET stand for names that s does not have.
func (*Connector) Grant(s warehouse.Settings) string {
	p := cmp.Or(s.Options[project], "PROJECT")
	who := "serviceAccount:quaestor@" + p + ".iam.gserviceaccount.com"
	out := fmt.Sprintf("-- in the shell of the project's administrator:\n-- gcloud iam service-accounts create quaestor --project %[1]s\n-- gcloud projects add-iam-policy-binding %[1]s --member %[2]s --role roles/bigquery.jobUser\n", p, who)
	if len(s.Schemas) == 0 {
		return out + "-- then, for each dataset:\nGRANT `roles/bigquery.dataViewer` ON SCHEMA `" + p + "`.`DATASET` TO \"" + who + "\";\n"
	}
	for _, d := range s.Schemas {
		out += "GRANT `roles/bigquery.dataViewer` ON SCHEMA " + quoted(p, d) + " TO \"" + who + "\";\n"
	}
	return out
}

// quoted returns a path of names, quoted. A path of names must not be quoted as a whole, because
// a name may contain a point.
func quoted(names ...string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = "`" + strings.NewReplacer("\\", "\\\\", "`", "\\`").Replace(n) + "`"
	}
	return strings.Join(out, ".")
}
