package bigquery

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"quaestor/internal/fault"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/wire"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("go.opencensus.io/stats/view.(*worker).start")) // of the driver's statistics, for the life of a process
}

// lab is a server that speaks the REST API: jobs, their results, tables, and the
// questions about permissions.
type lab struct {
	t   *testing.T
	srv *httptest.Server

	mu     sync.Mutex
	answer func(sql string, dry bool) reply
	jobs   map[string]reply
	asked  []job
	cancel int
	rights []string
	tables map[string][]string // by dataset
	bad    int                 // status of the token; 0 for well
}

// reply is what a statement gives.
type reply struct {
	kind     string // of statement; empty for SELECT
	scanned  int64
	reads    []string // dataset.table
	schema   string   // JSON of fields
	rows     string   // JSON of rows
	reason   string   // of an error
	message  string
	pending  bool // for ever
	nextPage int  // how many pages of the same rows follow
}

type job struct {
	sql       string
	dry       bool
	maxBilled string
	timeout   string
}

func open(t *testing.T, answer func(sql string, dry bool) reply) *lab {
	t.Helper()
	s := &lab{t: t, answer: answer, jobs: map[string]reply{}, tables: map[string][]string{}}
	s.srv = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.srv.Close)
	return s
}

func (s *lab) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	path := strings.TrimPrefix(r.URL.Path, "/bigquery/v2")
	w.Header().Set("Content-Type", "application/json")
	if r.URL.Path == "/token" {
		if s.bad != 0 {
			w.WriteHeader(s.bad)
			fmt.Fprint(w, `{"error":"invalid_grant"}`)
			return
		}
		fmt.Fprint(w, `{"access_token":"token-1","token_type":"Bearer","expires_in":3600}`)
		return
	}
	if r.Header.Get("Authorization") != "Bearer token-1" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	switch {
	case strings.HasSuffix(path, ":testIamPermissions"):
		s.permissions(w, body)
	case strings.HasSuffix(path, "/jobs") && r.Method == http.MethodPost:
		s.insert(w, body)
	case strings.HasSuffix(path, "/cancel"):
		s.cancel++
		fmt.Fprint(w, `{}`)
	case strings.HasSuffix(path, "/queries"):
		s.query(w, r, body)
	case strings.Contains(path, "/queries/"):
		s.results(w, r, path)
	case strings.Contains(path, "/jobs/"):
		s.status(w, path[strings.LastIndex(path, "/")+1:])
	case strings.HasSuffix(path, "/datasets"):
		s.list(w, "datasets", "dataset", slices.Sorted(func(yield func(string) bool) {
			for d := range s.tables {
				if !yield(d) {
					return
				}
			}
		}))
	case strings.HasSuffix(path, "/tables"):
		d := strings.Split(path, "/")[4]
		var names []string
		for _, n := range s.tables[d] {
			names = append(names, d+"."+n)
		}
		s.list(w, "tables", "table", names)
	default:
		s.t.Errorf("%s %s", r.Method, r.URL)
		w.WriteHeader(http.StatusNotFound)
	}
}

func (s *lab) list(w io.Writer, key, what string, names []string) {
	var list []map[string]any
	for _, n := range names {
		ref := map[string]string{"projectId": "my-shop-1", "datasetId": n}
		if d, t, ok := strings.Cut(n, "."); ok {
			ref = map[string]string{"projectId": "my-shop-1", "datasetId": d, "tableId": t}
		}
		list = append(list, map[string]any{what + "Reference": ref})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{key: list})
}

func (s *lab) permissions(w io.Writer, body []byte) {
	var ask struct{ Permissions []string }
	_ = json.Unmarshal(body, &ask)
	var have []string
	for _, p := range ask.Permissions {
		if slices.Contains(s.rights, p) {
			have = append(have, p)
		}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"permissions": have})
}

func (s *lab) insert(w http.ResponseWriter, body []byte) {
	var in struct {
		Configuration struct {
			DryRun       bool
			JobTimeoutMs string
			Query        struct {
				Query, MaximumBytesBilled string
				UseLegacySQL              *bool `json:"useLegacySql"`
			}
		}
		JobReference struct{ JobID string }
	}
	if err := json.Unmarshal(body, &in); err != nil {
		s.t.Errorf("%v: %s", err, body)
	}
	c := in.Configuration
	s.asked = append(s.asked, job{c.Query.Query, c.DryRun, c.Query.MaximumBytesBilled, c.JobTimeoutMs})
	if c.Query.UseLegacySQL == nil || *c.Query.UseLegacySQL {
		s.t.Error("legacy SQL")
	}
	r := s.answer(c.Query.Query, c.DryRun)
	if r.message != "" && (c.DryRun || r.reason == "accessDenied") {
		refuse(w, r)
		return
	}
	id := in.JobReference.JobID
	s.jobs[id] = r
	_ = json.NewEncoder(w).Encode(s.job(id, r, c.DryRun))
}

func refuse(w http.ResponseWriter, r reply) {
	w.WriteHeader(http.StatusBadRequest)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"code": 400, "message": r.message, "errors": []map[string]string{{"reason": r.reason, "message": r.message}}}})
}

// query answers a statement at once, as the service does for short ones.
func (s *lab) query(w http.ResponseWriter, r *http.Request, body []byte) {
	var in struct{ Query string }
	if err := json.Unmarshal(body, &in); err != nil {
		s.t.Errorf("%v: %s", err, body)
	}
	s.jobs["quick"] = s.answer(in.Query, false)
	s.results(w, r, "/queries/quick")
}

func (s *lab) job(id string, r reply, dry bool) map[string]any {
	kind := r.kind
	if kind == "" {
		kind = "SELECT"
	}
	reads := []map[string]string{}
	for _, t := range r.reads {
		d, n, _ := strings.Cut(t, ".")
		reads = append(reads, map[string]string{"projectId": "my-shop-1", "datasetId": d, "tableId": n})
	}
	state := map[string]any{"state": "DONE"}
	if r.pending && !dry {
		state["state"] = "RUNNING"
	}
	if r.message != "" {
		state["errorResult"] = map[string]string{"reason": r.reason, "message": r.message}
	}
	bytes := strconv.FormatInt(r.scanned, 10)
	return map[string]any{"kind": "bigquery#job", "jobReference": map[string]string{"projectId": "my-shop-1", "jobId": id, "location": "EU"}, "status": state,
		"configuration": map[string]any{"query": map[string]any{"query": "", "destinationTable": map[string]string{"projectId": "my-shop-1", "datasetId": "_anon", "tableId": "t"}}},
		"statistics":    map[string]any{"totalBytesProcessed": bytes, "query": map[string]any{"statementType": kind, "totalBytesProcessed": bytes, "referencedTables": reads}}}
}

func (s *lab) status(w io.Writer, id string) {
	_ = json.NewEncoder(w).Encode(s.job(id, s.jobs[id], false))
}

func (s *lab) results(w http.ResponseWriter, r *http.Request, path string) {
	id := path[strings.LastIndex(path, "/")+1:]
	reply := s.jobs[id]
	if reply.message != "" {
		refuse(w, reply)
		return
	}
	out := map[string]any{"jobReference": map[string]string{"projectId": "my-shop-1", "jobId": id, "location": "EU"}, "jobComplete": !reply.pending}
	if !reply.pending {
		out["schema"], out["totalRows"] = json.RawMessage(`{"fields":`+reply.schema+`}`), "100"
		if r.URL.Query().Get("maxResults") != "0" {
			out["rows"] = json.RawMessage(reply.rows)
		}
		at, _ := strconv.Atoi(r.URL.Query().Get("pageToken"))
		if at < reply.nextPage {
			out["pageToken"] = strconv.Itoa(at + 1)
		}
	}
	_ = json.NewEncoder(w).Encode(out)
}

// keyFile is that of a service account whose tokens come from the lab.
var keyFile = sync.OnceValue(func() string {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		panic(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
})

func (s *lab) settings() warehouse.Settings {
	key, _ := json.Marshal(map[string]string{"type": "service_account", "client_email": "reader@my-shop-1.iam", "private_key": keyFile(), "token_uri": s.srv.URL + "/token"})
	return warehouse.Settings{Kind: warehouse.BigQuery, Options: map[string]string{project: "my-shop-1"}, Secret: secret.New(string(key)), Schemas: []string{"sales"}}
}

func (s *lab) connector() *Connector {
	return &Connector{Reach: wire.Reach{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}, Endpoint: s.srv.URL}
}

func (s *lab) connect() warehouse.Conn {
	s.t.Helper()
	c, err := s.connector().Open(s.t.Context(), s.settings())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = c.Close() })
	return c
}

const oneField = `[{"name":"n","type":"INTEGER"}]`

func rowsOf(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(`{"f":[{"v":"%d"}]}`, i)
	}
	return "[" + strings.Join(out, ",") + "]"
}

func ask(sql string) guard.Statement { return guard.Statement{SQL: sql} }

func TestEveryTypeSurvives(t *testing.T) {
	t.Parallel()

	s := open(t, func(sql string, _ bool) reply {
		return reply{scanned: 77, reads: []string{"sales.orders"},
			schema: `[{"name":"n","type":"INTEGER"},{"name":"x","type":"FLOAT"},{"name":"ok","type":"BOOLEAN"},{"name":"price","type":"NUMERIC"},{"name":"day","type":"DATE"},{"name":"at","type":"TIMESTAMP"},{"name":"name","type":"STRING"},{"name":"raw","type":"BYTES"},{"name":"doc","type":"JSON"},
				{"name":"tags","type":"STRING","mode":"REPEATED"},{"name":"place","type":"RECORD","fields":[{"name":"city","type":"STRING"},{"name":"lat","type":"FLOAT"}]},{"name":"bad","type":"FLOAT"}]`,
			rows: `[{"f":[{"v":"7"},{"v":"1.5"},{"v":"true"},{"v":"12.34"},{"v":"2021-07-31"},{"v":"1627689600000000"},{"v":"Grüße 😀"},{"v":"AP8="},{"v":"{\"a\":1}"},{"v":[{"v":"a"},{"v":"b"}]},{"v":{"f":[{"v":"Gent"},{"v":"51.5"}]}},{"v":"NaN"}]},
				{"f":[{"v":null},{"v":null},{"v":null},{"v":null},{"v":null},{"v":null},{"v":null},{"v":null},{"v":null},{"v":[]},{"v":null},{"v":null}]}]`}
	})
	r, err := s.connect().Query(t.Context(), ask("SELECT * FROM `sales`.`orders`"), warehouse.Limits{Scanned: 1000, Time: 9 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if r.Rows != 2 || r.More || r.Scanned != 77 {
		t.Errorf("%+v", r)
	}
	got := digest.Compact(r.Columns, digest.Mask{}).AllRows
	var row []string
	for _, c := range got[0] {
		row = append(row, string(c))
	}
	want := []string{"7", "1.5", "true", "12.34", `"2021-07-31"`, `"2021-07-31T00:00:00Z"`, `"Grüße 😀"`, row[7], `{"a":1}`, `["a","b"]`, `{"city":"Gent","lat":51.5}`, "null"}
	if d := cmp.Diff(want, row); d != "" {
		t.Error(d)
	}
	last := s.asked[len(s.asked)-2:]
	if !last[0].dry || last[1] != (job{"SELECT * FROM `sales`.`orders`", false, "1000", "9000"}) {
		t.Errorf("asked %+v", last)
	}
}

func TestWhatADryRunRefusesNeverRuns(t *testing.T) {
	t.Parallel()

	for name, want := range map[string]struct {
		reply
		class warehouse.ErrorClass
	}{
		"a statement that writes": {reply{kind: "DELETE"}, warehouse.Forbidden},
		"a script":                {reply{kind: "SCRIPT"}, warehouse.Forbidden},
		"another dataset":         {reply{reads: []string{"sales.orders", "payroll.people"}}, warehouse.Forbidden},
		"too many bytes":          {reply{scanned: 2000}, warehouse.OverQuota},
		"a fault":                 {reply{reason: "invalidQuery", message: "Unrecognized name: TARIiH at [1:8]"}, warehouse.UnknownColumn},
	} {
		s := open(t, func(sql string, _ bool) reply {
			if sql == "SELECT 1" {
				return reply{}
			}
			return want.reply
		})
		_, err := s.connect().Query(t.Context(), ask("SELECT 2"), warehouse.Limits{Scanned: 1000})
		if warehouse.ClassOf(err) != want.class {
			t.Errorf("%s: %v", name, err)
		}
		if slices.ContainsFunc(s.asked, func(j job) bool { return !j.dry }) {
			t.Errorf("%s ran", name)
		}
	}
}

func TestErrorsAreOfAClass(t *testing.T) {
	t.Parallel()

	for message, want := range map[string]struct {
		reason, name string
		class        warehouse.ErrorClass
	}{
		"Unrecognized name: TARIiH at [1:8]":                                                                 {"invalidQuery", "TARIiH", warehouse.UnknownColumn},
		"Not found: Table my-shop-1:sales.nope was not found in location EU":                                 {"notFound", "my-shop-1:sales.nope", warehouse.UnknownTable},
		"Column name id is ambiguous at [1:8]":                                                               {"invalidQuery", "id", warehouse.AmbiguousColumn},
		"Function not found: DATEDIFF at [1:8]":                                                              {"invalidQuery", "DATEDIFF", warehouse.UnknownFunction},
		"SELECT list expression references column b which is neither grouped nor aggregated at [1:8]":        {"invalidQuery", "b", warehouse.GroupingError},
		"Syntax error: Unexpected keyword FROM at [1:8]":                                                     {"invalidQuery", "", warehouse.SyntaxError},
		"division by zero: 1 / 0":                                                                            {"invalidQuery", "", warehouse.DivisionByZero},
		"No matching signature for operator = for argument types: INT64, STRING":                             {"invalidQuery", "", warehouse.TypeMismatch},
		"Access Denied: Table my-shop-1:sales.pay: User does not have permission":                            {"accessDenied", "", warehouse.NoPermission},
		"Query exceeded limit for bytes billed: 1000. 10485760 or higher required.":                          {"bytesBilledLimitExceeded", "", warehouse.OverQuota},
		"Resources exceeded during query execution: The query could not be executed in the allotted memory.": {"resourcesExceeded", "", warehouse.OverQuota},
		"Something else": {"invalid", "", warehouse.OtherError},
	} {
		s := open(t, func(sql string, dry bool) reply {
			if dry {
				return reply{}
			}
			return reply{reason: want.reason, message: message}
		})
		_, err := s.connect().Query(t.Context(), ask("SELECT 2"), warehouse.Limits{})
		var q *warehouse.QueryError
		if !errors.As(err, &q) || q.Class != want.class || q.Name != want.name {
			t.Errorf("%s: %+v", message, err)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()

	s := open(t, func(sql string, _ bool) reply {
		return reply{schema: oneField, rows: rowsOf(20), nextPage: 4, pending: strings.Contains(sql, "slow")}
	})
	c := s.connect()
	if r, err := c.Query(t.Context(), ask("SELECT n FROM t"), warehouse.Limits{}); err != nil || r.Rows != 100 || r.More {
		t.Errorf("all: %+v, %v", r, err)
	}
	if r, err := c.Query(t.Context(), ask("SELECT n FROM t"), warehouse.Limits{Rows: 30}); err != nil || r.Rows != 30 || !r.More {
		t.Errorf("rows: %+v, %v", r, err)
	}
	began := time.Now()
	_, err := c.Query(t.Context(), ask("SELECT n FROM slow"), warehouse.Limits{Time: 100 * time.Millisecond})
	if warehouse.ClassOf(err) != warehouse.TimedOut || time.Since(began) > 2*time.Second {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
	s.mu.Lock()
	told := s.cancel
	s.mu.Unlock()
	if told != 1 {
		t.Errorf("told to stop %d times", told)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Query(ctx, ask("SELECT n FROM slow"), warehouse.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}

func TestCatalog(t *testing.T) {
	t.Parallel()

	const columns = `[{"name":"t","type":"STRING"},{"name":"c","type":"STRING"},{"name":"d","type":"STRING"},{"name":"u","type":"STRING"},{"name":"p","type":"STRING"}]`
	s := open(t, func(sql string, _ bool) reply {
		switch {
		case strings.Contains(sql, "__TABLES__"):
			return reply{schema: `[{"name":"t","type":"STRING"},{"name":"n","type":"STRING"}]`, rows: `[{"f":[{"v":"orders"},{"v":"14300"}]}]`}
		case strings.Contains(sql, "KEY_COLUMN_USAGE"):
			return reply{schema: `[{"name":"t","type":"STRING"},{"name":"c","type":"STRING"}]`, rows: `[{"f":[{"v":"orders"},{"v":"id"}]}]`}
		}
		return reply{schema: columns, rows: `[{"f":[{"v":"orders"},{"v":"id"},{"v":"INT64"},{"v":"NO"},{"v":""}]},{"f":[{"v":"orders"},{"v":"prix d'achat"},{"v":"NUMERIC"},{"v":"YES"},{"v":"paid"}]},{"f":[{"v":"späti"},{"v":"x"},{"v":"STRING"},{"v":"YES"},{"v":""}]}]`}
	})
	s.tables = map[string][]string{"sales": {"orders"}}
	for _, schemas := range [][]string{{"sales"}, nil} {
		var got []catalog.Table
		if err := s.connect().Tables(t.Context(), schemas, func(t catalog.Table) error { got = append(got, t); return nil }); err != nil {
			t.Fatal(err)
		}
		want := []catalog.Table{
			{Schema: "sales", Name: "orders", Rows: 14300, Columns: []catalog.Column{{Name: "id", Type: "INT64", NotNull: true, Key: true}, {Name: "prix d'achat", Type: "NUMERIC", Comment: "paid"}}},
			{Schema: "sales", Name: "späti", Rows: catalog.UnknownRows, Columns: []catalog.Column{{Name: "x", Type: "STRING"}}},
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	}
}

func TestRights(t *testing.T) {
	t.Parallel()

	s := open(t, func(string, bool) reply { return reply{} })
	s.tables = map[string][]string{"sales": {"orders"}}
	c := s.connect()
	r, err := c.Rights(t.Context())
	if err != nil || r.CanWrite || r.Role != "reader@my-shop-1.iam" {
		t.Errorf("%+v, %v", r, err)
	}
	s.rights = []string{"bigquery.tables.updateData"}
	if r, err = c.Rights(t.Context()); err != nil || !slices.Equal(r.Why, []string{"bigquery.tables.updateData", "bigquery.tables.updateData on sales.orders"}) || !r.CanWrite {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestKeysThatCannotBe(t *testing.T) {
	t.Parallel()

	s := open(t, func(string, bool) reply { return reply{} })
	good := s.settings()
	for name, change := range map[string]struct {
		field string
		with  func(*warehouse.Settings)
	}{
		"no project":  {project, func(w *warehouse.Settings) { w.Options = nil }},
		"a bad one":   {project, func(w *warehouse.Settings) { w.Options = map[string]string{project: "My Shop"} }},
		"no key":      {"secret", func(w *warehouse.Settings) { w.Secret = secret.Secret{} }},
		"other keys":  {"secret", func(w *warehouse.Settings) { w.Secret = secret.New(`{"type":"authorized_user"}`) }},
		"no location": {location, func(w *warehouse.Settings) { w.Options = map[string]string{project: "my-shop-1", location: "../x"} }},
	} {
		settings := good
		change.with(&settings)
		_, err := s.connector().Open(t.Context(), settings)
		var f *fault.Error
		if !errors.As(err, &f) || f.Field != change.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	s.bad = http.StatusBadRequest
	_, err := s.connector().Open(t.Context(), good)
	if warehouse.ClassOf(err) != warehouse.NoPermission || strings.Contains(err.Error(), "PRIVATE") {
		t.Errorf("a key that is not accepted: %v", err)
	}
	private := s.connector()
	private.Allow = nil
	if _, err := private.Open(t.Context(), good); warehouse.ClassOf(err) != warehouse.Unreachable {
		t.Errorf("a private address: %v", err)
	}
}
