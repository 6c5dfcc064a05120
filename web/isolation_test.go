package web_test

import (
	"cmp"
	"encoding/hex"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"quaestor/internal/auth"
	"quaestor/internal/speech"
	"quaestor/internal/speech/speechtest"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/data"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

// neighbours are two organisations of one server, with something of every kind each.
type neighbours struct {
	*webtest.World
	probes       *webtest.Prober
	boss, other  *webtest.World // their owners
	mine, theirs webtest.Holdings
	elsewhere    string // id of the other organisation
}

func openNeighbours(t *testing.T) *neighbours {
	t.Helper()
	w := webtest.Open(t, webtest.Terms{Tokens: true, Voice: speech.New(speech.Options{URL: speechtest.New(t).URL})})
	elsewhere, err := auth.EnsureTenant(t.Context(), w.Pool, "elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Server.Library.Ship(t.Context(), elsewhere.ID); err != nil {
		t.Fatal(err)
	}
	n := &neighbours{World: w, probes: w.Prober(), elsewhere: elsewhere.ID, boss: w.As(w.Tenant, "boss", auth.Owner), other: w.As(elsewhere.ID, "mallory", auth.Owner)}
	n.mine = w.Furnish(n.boss, w.Tenant, "heron", "ibis")
	n.theirs = w.Furnish(n.other, elsewhere.ID, "magpie", "rook")
	return n
}

// request is a probe of a route, which must be possible: a new route needs to be known to
// [webtest.Holdings].
func (n *neighbours) request(r webtest.Route, parent, child webtest.Holdings) webtest.Request {
	n.T.Helper()
	q, err := n.probes.Request(r, parent, child)
	if err != nil {
		n.T.Error(err)
	}
	return q
}

// open are routes that need no credential, or bring it in their path or on the wire.
func open(r webtest.Route) bool {
	for _, prefix := range []string{"/livez", "/healthz", "/readyz", "/version", "/metrics", "/static/", "/docs", "/openapi.json", "/invite/", "/share/", "/api/v1/media-stream", "/sign-"} {
		if strings.HasPrefix(r.Pattern, prefix) {
			return true
		}
	}
	return false
}

// Whoever belongs to another organisation is answered for every route as if nothing of it were
// there, and changes nothing.
func TestEveryRouteKeepsOrganisationsApart(t *testing.T) {
	t.Parallel()

	n := openNeighbours(t)
	nobody, before := webtest.Unknown(), n.TextOf(n.Tenant)
	for _, r := range n.Routes() {
		if open(r) {
			continue
		}
		if strings.Contains(r.Pattern, "{") {
			got, want := n.other.Probe(n.request(r, n.mine, n.mine)), n.other.Probe(n.request(r, nobody, nobody))
			n.same(r, "all of another organisation", got, want)
			mixed, unknown := n.other.Probe(n.request(r, n.theirs, n.mine)), n.other.Probe(n.request(r, n.theirs, nobody))
			if r.Tells(n.mine, nobody) {
				n.same(r, "the last of another organisation", mixed, unknown)
			}
			n.silent(r, mixed)
		} else {
			n.silent(r, n.other.Probe(n.request(r, n.mine, n.mine)))
		}
	}
	if diff := gocmp.Diff(before, n.TextOf(n.Tenant)); diff != "" {
		t.Errorf("requests of another organisation changed rows (-before +after):\n%s", diff)
	}
	for table, rows := range n.TextOf(n.elsewhere) {
		for _, id := range n.mine.IDs() {
			if strings.Contains(rows, id) {
				t.Errorf("a row of %s of another organisation names %s of this one", table, id)
			}
		}
	}
}

// same checks that two answers tell nothing apart.
func (n *neighbours) same(r webtest.Route, what string, got, want webtest.Answer) {
	n.T.Helper()
	if a, b := got.Without(n.mine), want.Without(webtest.Unknown()); a != b {
		n.T.Errorf("%s with %s is answered\n%.600s\nand with what is not there\n%.600s", r, what, a, b)
	}
}

// silent checks that an answer holds nothing of the organisation.
func (n *neighbours) silent(r webtest.Route, got webtest.Answer) {
	n.T.Helper()
	if got.Status == http.StatusInternalServerError {
		n.T.Errorf("%s is answered %d %.300s", r, got.Status, got.Body)
	}
	if strings.Contains(got.Body, n.mine.Mark) {
		n.T.Errorf("%s is answered with something of another organisation: %d %.600s", r, got.Status, got.Body)
	}
}

var updateAccess = flag.Bool("update-access", false, "write testdata/access.txt")

// Who may use a route stands in testdata/access.txt: the lowest role that is answered in somebody
// else's session, and the lowest part in a session with which a guest is. Lower ones are refused and
// change nothing; nobody without a credential that is valid is answered anywhere.
func TestEveryRouteAnswersThoseWhoMay(t *testing.T) {
	t.Parallel()

	n := openNeighbours(t)
	routes := slices.DeleteFunc(n.Routes(), open)
	slices.SortStableFunc(routes, func(a, b webtest.Route) int { return cmp.Compare(ending(a), ending(b)) })
	ended := n.As(n.Tenant, "gone", auth.Owner)
	n.Revoke("gone")
	observer, contributor := n.guest(sessions.ObserverRole), n.guest(sessions.ContributorRole)
	elsewhere := n.mine
	elsewhere.Session = n.boss.Begin(n.mine.Name)
	var lines []string
	pages := n.Furnish(n.boss, n.Tenant, "wren", "teal") // what is ended by the API is not there for pages any more
	for _, r := range routes {
		mine := n.mine
		if strings.HasPrefix(r.Pattern, "/admin/") || strings.HasPrefix(r.Pattern, "/data") || strings.HasSuffix(r.Pattern, "/files/{file}/remove") {
			mine = pages
		}
		q := n.request(r, mine, mine)
		for name, who := range map[string]*webtest.World{"no token": n.World, "an ended token": ended} {
			if got := who.Probe(q); got.Status != http.StatusUnauthorized {
				t.Errorf("%s with %s is answered %d %.200s", r, name, got.Status, got.Body)
			}
		}
		for name, g := range map[string]guest{"an observer": observer, "a contributor": contributor} {
			if got := n.Probe(g.asks(n.request(r, elsewhere, n.mine), elsewhere.Session)); !got.Refused() {
				t.Errorf("%s of another session is answered %d to %s: %.200s", r, got.Status, name, got.Body)
			}
		}
		part := "-"
		for _, g := range []guest{observer, contributor} {
			if got := n.Probe(g.asks(q, n.mine.Session)); part == "-" && !got.Refused() {
				part = string(g.part)
			}
		}
		role := n.lowest(q)
		if why := unreached[r.String()]; (role == "-" && part == "-") != (why != "") {
			t.Errorf("%s is answered to the role %s; known not to be reached here because %q", r, role, why)
		}
		lines = append(lines, fmt.Sprintf("%-6s %s %s %s", r.Method, r.Pattern, role, part))
	}
	slices.Sort(lines)
	got := strings.Join(lines, "\n") + "\n"
	if *updateAccess {
		if err := os.WriteFile("testdata/access.txt", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/access.txt")
	if diff := gocmp.Diff(string(want), got); diff != "" || err != nil {
		t.Errorf("who may use what, %v (-written down +answered; rewrite with -update-access):\n%s", err, diff)
	}
}

// unreached are routes that nobody is answered here, and why.
var unreached = map[string]string{
	"POST /admin/queues/{queue}/pause":           "a server of several organisations has no operator",
	"POST /admin/queues/{queue}/resume":          "a server of several organisations has no operator",
	"POST /admin/settings/try/{part}":            "servers of tests are connected to nothing",
	"POST /admin/settings/tokens/{token}/revoke": "the token was rotated before",
	"POST /admin/settings/people/remove":         "the person was erased before",
	"DELETE /api/v1/tokens/{id}":                 "the token was rotated before",
}

// ending puts routes that end something behind those that read and change it, and what is in others
// before them.
func ending(r webtest.Route) int {
	ends := slices.ContainsFunc([]string{"/delete", "/remove", "/erase", "/discard", "/revoke", "/rotate", "/leave", "/release", "/cancel"}, func(s string) bool { return strings.HasSuffix(r.Pattern, s) })
	whole := []string{"/admin/settings/delete", "/admin/settings/erase", "/api/v1/people/{user}/data", "/settings/people/remove", "/invitations/accept", "/api/v1/tokens/{id}", "/admin/settings/tokens/{token}/revoke", "/projects/{id}/delete", "/warehouses/{id}/delete"}
	switch {
	case r.Method == http.MethodDelete && slices.Contains([]string{"/api/v1/projects/{id}", "/api/v1/warehouses/{id}", "/api/v1/sessions/{id}", "/api/v1/runs/{id}"}, r.Pattern):
		return 3 + strings.Count(r.Pattern, "projects") // of which runs are a part
	case slices.ContainsFunc(whole, func(s string) bool { return strings.HasSuffix(r.Pattern, s) }) && r.Method != http.MethodGet:
		return 2
	case r.Method == http.MethodDelete || ends && r.Method != http.MethodGet:
		return 1
	}
	return 0
}

// lowest returns the lowest role whose holder is answered, a new person each time; "-" for none.
func (n *neighbours) lowest(q webtest.Request) string {
	n.T.Helper()
	for _, role := range []auth.Role{auth.Viewer, auth.Member, auth.Reviewer, auth.Admin, auth.Owner} {
		if got := n.As(n.Tenant, "new "+string(role), role).Probe(q); !got.Refused() {
			if got.Status >= 500 && !strings.Contains(got.Body, "warehouse_away") {
				n.T.Errorf("%s by a new %s is answered %d %.300s", q.Path, role, got.Status, got.Body)
			}
			return string(role)
		}
	}
	return "-"
}

// guest is somebody who was invited to the first session by a link.
type guest struct {
	part   sessions.Role
	secret string
}

func (n *neighbours) guest(part sessions.Role) guest {
	n.T.Helper()
	b := n.Browser()
	invited := n.boss.Invites(n.mine.Session, part, "a guest")
	if status, _, page := b.Open("/invite/"+invited.Token, url.Values{"name": {"Ben"}}); status != http.StatusOK {
		n.T.Fatalf("accepting: %d %s", status, page)
	}
	_, secret, _ := strings.Cut(b.Cookie(), "=")
	return guest{part, secret}
}

// asks returns a request with the cookie of the guest, said to be of a session.
func (g guest) asks(q webtest.Request, session string) webtest.Request {
	header := map[string]string{"Cookie": web.GuestCookie + session + "=" + g.secret}
	for k, v := range q.Header {
		header[k] = v
	}
	q.Header = header
	return q
}

// Texts that the database cannot hold, or that are longer than anything is, are the sender's fault on
// every route and never a fault of the server.
func TestEveryRouteRefusesTextsThatCannotBe(t *testing.T) {
	t.Parallel()

	n := openNeighbours(t)
	long, asked := strings.Repeat("x", 70_000), 0
	for _, r := range n.Routes() {
		if r.Method == http.MethodGet || r.Method == http.MethodDelete || open(r) || ending(r) > 0 {
			continue
		}
		for _, q := range n.probes.Hostile(r, n.mine, "a\x00b", long, "\u202e\ufeff\u2028") {
			asked++
			if got := n.boss.Probe(q); got.Status >= 500 && !strings.Contains(got.Body, "warehouse_away") {
				t.Errorf("%s with %.300q is answered %d %.200s", r, fmt.Sprint(q.Body), got.Status, got.Body)
			}
		}
	}
	if asked < 1000 {
		t.Errorf("only %d requests were made", asked)
	}
}

// secretWord stands in every secret that is given to the server.
const secretWord = "kestrel"

// Passwords, keys, tokens and tickets are in no answer but the one that makes them, in no export and
// in no row.
func TestSecretsAreToldNobody(t *testing.T) {
	t.Parallel()

	n := openNeighbours(t)
	options := map[string]string{"host": "127.0.0.1", "port": "1", "database": "shop", "user": "reader", "tls": "disable"}
	house := webtest.Fetch[data.WarehouseBody](n.boss, http.StatusCreated, webtest.Request{Path: "/api/v1/warehouses", Body: map[string]any{"name": "Shop", "kind": "postgresql", "options": options, "secret": secretWord + "-warehouse"}})
	model := map[string]any{"name": "small", "baseUrl": "http://127.0.0.1:1/v1", "key": secretWord + "-model"}
	made := webtest.Fetch[struct{ ID string }](n.boss, http.StatusCreated, webtest.Request{Path: "/api/v1/models", Body: model})
	webtest.Fetch[map[string]any](n.boss, http.StatusOK, webtest.Request{Method: http.MethodPut, Path: "/api/v1/projects/" + n.mine.Project + "/model", Body: model})
	ticket := webtest.Fetch[talk.CallTicketBody](n.boss, http.StatusCreated, webtest.Request{Method: http.MethodPost, Path: "/api/v1/sessions/" + n.mine.Session + "/call-tickets"})
	for _, path := range []string{"/api/v1/warehouses/" + house.ID + "/test", "/api/v1/models/" + made.ID + "/test", "/data/warehouses/" + house.ID + "/test", "/admin/settings/models/" + made.ID + "/test"} {
		n.silentOf(path, n.boss.Probe(webtest.Request{Method: http.MethodPost, Path: path}).Body)
	}
	secrets := []string{secretWord, n.boss.Token, ticket.Ticket, n.mine.InvitationSecret, n.mine.ShareSecret}
	mine := n.mine
	mine.Warehouse, mine.Model = house.ID, made.ID
	for _, r := range n.Routes() {
		if r.Method != http.MethodGet || open(r) {
			continue
		}
		q := n.request(r, mine, mine)
		for _, accept := range []string{"application/json", "text/html"} {
			q.Header["Accept"] = accept
			n.silentOf(r.String(), n.boss.Probe(q).Body, secrets...)
		}
	}
	for table, text := range n.TextOf(n.Tenant) {
		n.silentOf("table "+table, text, secrets...)
		n.silentOf("table "+table, text, hex.EncodeToString([]byte(secretWord)))
	}
}

// silentOf checks that a text holds no secret.
func (n *neighbours) silentOf(what, text string, secrets ...string) {
	n.T.Helper()
	for _, s := range append(secrets, secretWord) {
		if at := strings.Index(text, s); at >= 0 {
			n.T.Errorf("%s tells a secret: %.200q", what, text[max(0, at-80):])
		}
	}
}
