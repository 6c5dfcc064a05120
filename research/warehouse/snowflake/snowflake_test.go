package snowflake

import (
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
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

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// lab is a server that speaks as much of the protocol as a connection needs.
type lab struct {
	t   *testing.T
	srv *httptest.Server

	mu      sync.Mutex
	answer  func(sql string) reply
	seen    []string
	aborted int
	login   map[string]any
	refuse  bool
	release chan struct{}
}

// reply is what a statement gives.
type reply struct {
	columns []field
	rows    [][]any // strings, or nil
	code    string  // of an error
	message string
	hang    bool
}

type field struct {
	Name      string `json:"name"`
	Type      string `json:"type"`
	Nullable  bool   `json:"nullable"`
	Scale     int64  `json:"scale"`
	Precision int64  `json:"precision"`
	Length    int64  `json:"length"`
}

func text(names ...string) (out []field) {
	for _, n := range names {
		out = append(out, field{Name: n, Type: "text", Nullable: true, Length: 100})
	}
	return out
}

const selectPlan = `{"GlobalStats":{"partitionsTotal":2,"partitionsAssigned":2,"bytesAssigned":512},"Operations":[[{"id":0,"operation":"Result"},{"id":1,"operation":"TableScan","objects":["SHOP.SALES.ORDERS"]}]]}`

// open starts a lab; rest answers what is not asked by the connection itself.
func open(t *testing.T, rest func(sql string) reply) *lab {
	t.Helper()
	s := &lab{t: t, release: make(chan struct{})}
	s.answer = func(sql string) reply {
		switch {
		case strings.Contains(sql, "CURRENT_VERSION"):
			return reply{columns: text("V", "R", "D"), rows: [][]any{{"9.1.0", "READER", "SHOP"}}}
		case strings.HasPrefix(sql, "EXPLAIN") && strings.Contains(sql, "MERGED"):
			return reply{columns: text("content"), rows: [][]any{{strings.ReplaceAll(selectPlan, "TableScan", "Merge")}}}
		case strings.HasPrefix(sql, "EXPLAIN") && strings.Contains(sql, "PLANLESS"):
			return reply{columns: text("status"), rows: [][]any{{"done"}}}
		case strings.HasPrefix(sql, "EXPLAIN") && strings.Contains(sql, "BROKEN"):
			return rest(sql)
		case strings.HasPrefix(sql, "EXPLAIN"):
			return reply{columns: text("content"), rows: [][]any{{selectPlan}}}
		}
		return rest(sql)
	}
	s.srv = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(func() {
		close(s.release)
		s.srv.Close()
	})
	return s
}

func (s *lab) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err == nil && r.Header.Get("Content-Encoding") == "gzip" {
		if z, bad := gzip.NewReader(strings.NewReader(string(body))); bad == nil {
			body, _ = io.ReadAll(z)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	switch r.URL.Path {
	case "/session/v1/login-request":
		s.signIn(w, body)
	case "/queries/v1/query-request":
		s.query(w, r, body)
	case "/queries/v1/abort-request":
		s.mu.Lock()
		s.aborted++
		s.mu.Unlock()
		say(w, map[string]any{"success": true})
	default: // telemetry, heartbeats, the end of a session
		say(w, map[string]any{"success": true, "data": map[string]any{}})
	}
}

func say(w io.Writer, v any) { _ = json.NewEncoder(w).Encode(v) }

func (s *lab) signIn(w io.Writer, body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var in struct{ Data map[string]any }
	if err := json.Unmarshal(body, &in); err != nil {
		s.t.Error(err)
	}
	s.login = in.Data
	if s.refuse {
		say(w, map[string]any{"success": false, "code": "390100", "message": "Incorrect username or password was specified."})
		return
	}
	say(w, map[string]any{"success": true, "data": map[string]any{"token": "t", "masterToken": "m", "validityInSeconds": 3600, "masterValidityInSeconds": 14400, "sessionId": 1,
		"parameters": []any{}, "sessionInfo": map[string]string{"databaseName": "SHOP", "schemaName": "", "warehouseName": "SMALL", "roleName": "READER"}}})
}

func (s *lab) query(w io.Writer, r *http.Request, body []byte) {
	var in struct {
		SQLText  string `json:"sqlText"`
		Bindings map[string]struct{ Value any }
	}
	if err := json.Unmarshal(body, &in); err != nil {
		s.t.Errorf("%v: %s", err, body)
	}
	s.mu.Lock()
	s.seen = append(s.seen, in.SQLText)
	answer := s.answer(in.SQLText)
	s.mu.Unlock()
	if answer.hang {
		select {
		case <-r.Context().Done():
		case <-s.release:
		}
		return
	}
	if answer.code != "" {
		say(w, map[string]any{"success": false, "code": answer.code, "message": answer.message, "data": map[string]any{"queryId": "q", "sqlState": "42000"}})
		return
	}
	if answer.rows == nil {
		answer.rows = [][]any{}
	}
	say(w, map[string]any{"success": true, "data": map[string]any{"queryId": "q", "rowtype": answer.columns, "rowset": answer.rows, "total": len(answer.rows), "returned": len(answer.rows),
		"queryResultFormat": "json", "statementTypeId": 4096, "parameters": []any{}, "finalDatabaseName": "SHOP"}})
}

func (s *lab) settings() warehouse.Settings {
	return warehouse.Settings{Kind: warehouse.Snowflake, Secret: secret.New("sesame-12345"), Limits: warehouse.Limits{Time: 5 * time.Second},
		Options: map[string]string{account: "shop-one", wire.Database: "SHOP", compute: "SMALL", wire.User: "READER", role: "READER", manner: byPass}}
}

func (s *lab) connector() *Connector {
	return &Connector{Reach: wire.Reach{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}, Endpoint: strings.TrimPrefix(s.srv.URL, "http://")}
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

func ask(sql string) guard.Statement { return guard.Statement{SQL: sql} }

func TestEveryTypeSurvives(t *testing.T) {
	t.Parallel()

	s := open(t, func(string) reply {
		return reply{columns: []field{{Name: "N", Type: "fixed", Precision: 38}, {Name: "PRICE", Type: "fixed", Precision: 12, Scale: 2}, {Name: "X", Type: "real"}, {Name: "OK", Type: "boolean"}, {Name: "DAY", Type: "date"},
			{Name: "AT", Type: "timestamp_ntz", Scale: 9}, {Name: "NAME", Type: "text", Length: 100}, {Name: "DOC", Type: "variant"}, {Name: "BIG", Type: "fixed", Precision: 38}},
			rows: [][]any{{"7", "12.34", "1.5", "1", "18839", "1627689600.000000000", "Grüße 😀", `{"a": 1}`, "123456789012345678901234567890"}, {nil, nil, nil, nil, nil, nil, nil, nil, nil}}}
	})
	r, err := s.connect().Query(t.Context(), ask("SELECT * FROM ORDERS"), warehouse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got := digest.Compact(r.Columns, digest.Mask{}).AllRows
	var row []string
	for _, c := range got[0] {
		row = append(row, string(c))
	}
	want := []string{"7", "12.34", "1.5", "true", `"2021-07-31"`, `"2021-07-31T00:00:00Z"`, `"Grüße 😀"`, `{"a": 1}`}
	if d := cmp.Diff(want, row[:8]); d != "" || r.Scanned != 512 {
		t.Errorf("scanned %d\n%s", r.Scanned, d)
	}
	if v := r.Columns[8].Values; len(v) > 0 && v[0] != json.Number("123456789012345678901234567890") {
		t.Errorf("a big number is %v", v[0])
	}
	for i, c := range got[1] {
		if string(c) != "null" {
			t.Errorf("column %d: %s is not null", i, c)
		}
	}
}

func TestSessionsAreBound(t *testing.T) {
	t.Parallel()

	s := open(t, func(string) reply { return reply{columns: text("A")} })
	if _, err := s.connect().Query(t.Context(), ask("SELECT 1"), warehouse.Limits{}); err != nil {
		t.Fatal(err)
	}
	params, _ := s.login["SESSION_PARAMETERS"].(map[string]any)
	for name, want := range map[string]string{"MULTI_STATEMENT_COUNT": "1", "AUTOCOMMIT": "false", "STATEMENT_TIMEOUT_IN_SECONDS": "6", "TIMEZONE": "UTC"} {
		if got, _ := params[name].(string); got != want {
			t.Errorf("%s is %v, want %s", name, params[name], want)
		}
	}
}

func TestOnlyQueriesAreSent(t *testing.T) {
	t.Parallel()

	s := open(t, func(string) reply { return reply{columns: text("A"), rows: [][]any{{"a"}}} })
	c := s.connect()
	for _, sql := range []string{"DELETE FROM T", "SELECT 1; DROP TABLE T", "CALL P()", "COPY INTO @S FROM T", "CREATE TABLE X AS SELECT 1", "SELECT 'MERGED'", "SELECT 'PLANLESS'"} {
		_, err := c.Query(t.Context(), ask(sql), warehouse.Limits{})
		if warehouse.ClassOf(err) != warehouse.Forbidden {
			t.Errorf("%s: %v", sql, err)
		}
		if slices.Contains(s.seen, sql) {
			t.Errorf("%s was sent", sql)
		}
	}
	if _, err := c.Query(t.Context(), ask("SELECT 1"), warehouse.Limits{Scanned: 511}); warehouse.ClassOf(err) != warehouse.OverQuota {
		t.Errorf("too many bytes: %v", err)
	}
}

func TestErrorsAreOfAClass(t *testing.T) {
	t.Parallel()

	for code, want := range map[string]struct {
		message, name string
		class         warehouse.ErrorClass
	}{
		"000904": {"SQL compilation error: error line 1 at position 7\ninvalid identifier 'TARIIH'", "TARIIH", warehouse.UnknownColumn},
		"002003": {"SQL compilation error:\nObject 'SHOP.SALES.NOPE' does not exist or not authorized.", "SHOP.SALES.NOPE", warehouse.UnknownTable},
		"001003": {"SQL compilation error:\nsyntax error line 1 at position 9 unexpected 'FROM'.", "FROM", warehouse.SyntaxError},
		"100051": {"Division by zero", "", warehouse.DivisionByZero},
		"003001": {"SQL access control error:\nInsufficient privileges to operate on table 'PAY'", "PAY", warehouse.NoPermission},
		"000999": {"Something about sesame-12345", "", warehouse.OtherError},
	} {
		s := open(t, func(string) reply { return reply{code: code, message: want.message} })
		_, err := s.connect().Query(t.Context(), ask("SELECT 'BROKEN'"), warehouse.Limits{})
		var q *warehouse.QueryError
		if !errors.As(err, &q) || q.Class != want.class || q.Name != want.name || strings.Contains(q.Message, "sesame") {
			t.Errorf("%s: %+v", code, err)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()

	rows := make([][]any, 200)
	for i := range rows {
		rows[i] = []any{strings.Repeat("x", 100)}
	}
	s := open(t, func(sql string) reply {
		return reply{columns: text("A"), rows: rows, hang: strings.Contains(sql, "SLOW")}
	})
	c := s.connect()
	if r, err := c.Query(t.Context(), ask("SELECT A FROM T"), warehouse.Limits{Rows: 10}); err != nil || r.Rows != 10 || !r.More {
		t.Errorf("rows: %+v, %v", r, err)
	}
	if r, err := c.Query(t.Context(), ask("SELECT A FROM T"), warehouse.Limits{Bytes: 1050}); err != nil || r.Rows != 10 || !r.More {
		t.Errorf("bytes: %+v, %v", r, err)
	}
	began := time.Now()
	_, err := c.Query(t.Context(), ask("SELECT A FROM SLOW"), warehouse.Limits{Time: 100 * time.Millisecond})
	if warehouse.ClassOf(err) != warehouse.TimedOut || time.Since(began) > 2*time.Second {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
	if r, err := c.Query(t.Context(), ask("SELECT A FROM T"), warehouse.Limits{Rows: 1}); err != nil || r.Rows != 1 {
		t.Errorf("afterwards: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Query(ctx, ask("SELECT A FROM SLOW"), warehouse.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}

func TestCatalog(t *testing.T) {
	t.Parallel()

	s := open(t, func(sql string) reply {
		switch {
		case strings.HasPrefix(sql, "SHOW PRIMARY"):
			return reply{columns: text("schema_name", "table_name", "column_name"), rows: [][]any{{"SALES", "ORDERS", "ID"}}}
		case strings.HasPrefix(sql, "SHOW IMPORTED"):
			return reply{columns: text("fk_schema_name", "fk_table_name", "fk_column_name", "fk_name", "pk_schema_name", "pk_table_name", "pk_column_name"),
				rows: [][]any{{"SALES", "ORDERS", "SHOP", "F1", "SALES", "CUSTOMERS", "SHOP"}, {"SALES", "ORDERS", "CUSTOMER", "F1", "SALES", "CUSTOMERS", "ID"}}}
		case strings.Contains(sql, "INFORMATION_SCHEMA.TABLES"):
			return reply{columns: append(append(text("S", "T"), field{Name: "N", Type: "fixed", Precision: 38}), text("C")...), rows: [][]any{{"SALES", "ORDERS", "14300", "all orders"}}}
		}
		return reply{columns: text("S", "T", "C", "D", "N", "K"), rows: [][]any{{"SALES", "ORDERS", "ID", "NUMBER", "NO", ""}, {"SALES", "ORDERS", `we"ird`, "TEXT", "YES", "who"}, {"SALES", "Émile", "X", "FLOAT", "YES", ""}}}
	})
	var got []catalog.Table
	if err := s.connect().Tables(t.Context(), []string{"SALES"}, func(t catalog.Table) error { got = append(got, t); return nil }); err != nil {
		t.Fatal(err)
	}
	want := []catalog.Table{
		{Schema: "SALES", Name: "ORDERS", Comment: "all orders", Rows: 14300, Columns: []catalog.Column{{Name: "ID", Type: "NUMBER", NotNull: true, Key: true}, {Name: `we"ird`, Type: "TEXT", Comment: "who"}},
			Foreign: []catalog.Foreign{{Columns: []string{"SHOP", "CUSTOMER"}, Table: "SALES.CUSTOMERS", To: []string{"SHOP", "ID"}}}},
		{Schema: "SALES", Name: "Émile", Rows: catalog.UnknownRows, Columns: []catalog.Column{{Name: "X", Type: "FLOAT"}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestRightsFollowRoles(t *testing.T) {
	t.Parallel()

	grants := map[string][][]any{"READER": {{"USAGE", "DATABASE", "SHOP"}, {"SELECT", "TABLE", "SHOP.SALES.ORDERS"}}}
	s := open(t, func(sql string) reply {
		for r, rows := range grants {
			if sql == `SHOW GRANTS TO ROLE "`+r+`"` {
				return reply{columns: text("privilege", "granted_on", "name"), rows: rows}
			}
		}
		return reply{columns: text("privilege", "granted_on", "name")}
	})
	c := s.connect()
	r, err := c.Rights(t.Context())
	if err != nil || r.CanWrite || r.Role != "READER" || r.Server != "Snowflake 9.1.0" {
		t.Errorf("%+v, %v", r, err)
	}
	grants["READER"] = append(grants["READER"], []any{"USAGE", "ROLE", "LOADER"})
	grants["LOADER"] = [][]any{{"INSERT", "TABLE", "SHOP.SALES.ORDERS"}, {"USAGE", "ROLE", "READER"}, {"USAGE", "ROLE", "SYSADMIN"}}
	if r, err = c.Rights(t.Context()); err != nil || !r.CanWrite || !slices.Equal(r.Why, []string{"insert on table SHOP.SALES.ORDERS", "everything SYSADMIN may"}) {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestSigningIn(t *testing.T) {
	t.Parallel()

	s := open(t, func(string) reply { return reply{columns: text("A")} })
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for by, v := range map[string]struct{ secret, field, value string }{
		byPass:  {"sesame-12345", "PASSWORD", "sesame-12345"},
		byToken: {"token-12345", "TOKEN", "token-12345"},
		byKey:   {string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})), "AUTHENTICATOR", "SNOWFLAKE_JWT"},
	} {
		settings := s.settings()
		settings.Options[manner], settings.Secret = by, secret.New(v.secret)
		c, err := s.connector().Open(t.Context(), settings)
		if err != nil {
			t.Errorf("%s: %v", by, err)
			continue
		}
		if got := s.login[v.field]; got != v.value {
			t.Errorf("%s: %s is %v", by, v.field, got)
		}
		_ = c.Close()
	}
	for field, change := range map[string]func(*warehouse.Settings){
		account:       func(w *warehouse.Settings) { w.Options[account] = "https://x/y" },
		wire.Database: func(w *warehouse.Settings) { delete(w.Options, wire.Database) },
		"secret":      func(w *warehouse.Settings) { w.Options[manner] = byKey },
	} {
		settings := s.settings()
		change(&settings)
		_, err := s.connector().Open(t.Context(), settings)
		var f *fault.Error
		if !errors.As(err, &f) || f.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	s.refuse = true
	if _, err := s.connector().Open(t.Context(), s.settings()); warehouse.ClassOf(err) != warehouse.NoPermission {
		t.Errorf("a wrong password: %v", err)
	}
}
