package web_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/auth"
	"quaestor/internal/llm/llmtest"
	"quaestor/web"
	"quaestor/web/objectives"
	"quaestor/web/static"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

func TestRefusalsSayWhyAndChangeNothing(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	before := c.Fingerprint()
	for _, tt := range c.Refusals() {
		t.Run(tt.Name, func(t *testing.T) { // in turn: each must leave the tables as they are
			who := c.People[tt.Who]
			if tt.Who == "" {
				who = c.People["anna"]
			}
			webtest.CheckRefusal(t, who, tt)
		})
	}
	if diff := cmp.Diff(before, c.Fingerprint()); diff != "" {
		t.Errorf("refused requests changed tables (-before +after):\n%s", diff)
	}
}

// A body that broke off was answered as a fault of the server.
func TestBodyThatBreaksOffIsTheSendersFault(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	for _, path := range []string{webtest.ChatPath, "/api/v1/sessions"} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(w.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"contextType\":", path)
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		var p web.Problem
		if err := json.NewDecoder(resp.Body).Decode(&p); err != nil || resp.StatusCode != http.StatusBadRequest || !strings.Contains(p.Detail, "ended early") {
			t.Errorf("POST %s: %d %+v, %v, want 400 that says that the body ended early", path, resp.StatusCode, p, err)
		}
		_ = resp.Body.Close()
	}
}

func TestBrokenObjectivesAreRefusedWithPositions(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	change := func(old, new string) string {
		out := strings.Replace(strings.Replace(webtest.Tiny, `"tiny"`, `"other"`, 1), old, new, 1)
		if out == webtest.Tiny || !strings.Contains(out, new) {
			t.Fatalf("%q is not in the objective", old)
		}
		return out
	}
	second := `,{"key":"second","prompt":"And?","widgetType":"text","priority":1,"dependencies":["team_size"]}],`
	cases := []struct{ name, body, location string }{
		{"cycle", change(`"priority":9}],`, `"priority":9,"dependencies":["second"]}`+second), "obligations["},
		{"unknown dependency", change(`"priority":9}`, `"priority":9,"dependencies":["nothing"]}`), "obligations[0]"},
		{"bad condition", change(`"priority":9}`, `"priority":9,"satisfiedWhen":"confidence >="}`), "obligations[0].satisfiedWhen"},
		{"condition of another type", change(`"priority":9}`, `"priority":9,"satisfiedWhen":"attempts + 1"}`), "obligations[0].satisfiedWhen"},
		{"key twice", change(`"priority":9}],`, `"priority":9},{"key":"team_size","prompt":"And?","priority":1}],`), "obligations[1].key"},
		{"priority", change(`"priority":9`, `"priority":14`), "obligations[0].priority"},
		{"unknown required key", change(`"requiredObligations":["team_size"]`, `"requiredObligations":["nothing"]`), "completion.requiredObligations[0]"},
		{"unknown field", change(`"priority":9`, `"priority":9,"colour":"red"`), ""},
		{"NUL", change(`"displayName":"Tiny"`, `"displayName":"Ti\u0000ny"`), ""},
		{"malformed", webtest.Tiny[:40], ""},
	}
	before := c.Fingerprint()
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			resp := c.People["boss"].Do(webtest.Request{Path: "/api/v1/objectives", Body: tt.body})
			raw, _ := io.ReadAll(resp.Body)
			var p web.Problem
			if err := json.Unmarshal(raw, &p); err != nil || resp.StatusCode != http.StatusUnprocessableEntity {
				t.Fatalf("answer %d, want 422: %s (%v)", resp.StatusCode, raw, err)
			}
			if tt.location != "" && (len(p.Errors) == 0 || !strings.HasPrefix(p.Errors[0].Location, tt.location)) {
				t.Errorf("errors %+v do not begin at %q", p.Errors, tt.location)
			}
			linted := webtest.Fetch[objectives.LintBody](c.People["boss"], http.StatusOK, webtest.Request{Path: "/api/v1/objectives/lint", Body: tt.body})
			if linted.OK || len(linted.Faults) == 0 {
				t.Errorf("lint found nothing: %+v", linted)
			}
		})
	}
	if diff := cmp.Diff(before, c.Fingerprint()); diff != "" {
		t.Errorf("refused objectives changed tables (-before +after):\n%s", diff)
	}
}

func TestSecondTurnWhileOneRunsIsRefusedAndNothingIsLost(t *testing.T) {
	t.Parallel()

	model := llmtest.New(t)
	model.OnReply(llmtest.Reply{Text: "One thing after the other, then.", PieceDelay: 300 * time.Millisecond})
	model.OnUnderstand(llmtest.Reply{JSON: webtest.HeardNothing})
	w := webtest.Open(t, webtest.Terms{Model: model})
	made := webtest.Fetch[web.SessionBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/sessions", Body: map[string]string{"contextType": "business_profile"}})
	running := w.Stream(webtest.Request{Path: webtest.ChatPath, Body: talk.TurnBody{SessionID: made.ID, Message: "We bake bread"}})
	running.Until("delta")

	webtest.CheckRefusal(t, w, webtest.Refusal{Request: webtest.Request{Path: webtest.ChatPath, Body: talk.TurnBody{SessionID: made.ID, Message: "And cake"}}, Status: 409, Code: "turn_running", Says: []string{"wait", "stop"}})
	events := running.Until("done")

	if got := events[len(events)-1].Data["reason"]; got != "answered" {
		t.Errorf("the first turn ended with %v, want answered", got)
	}
	list := webtest.Fetch[web.Page[web.MessageBody]](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + made.ID + "/messages"})
	if len(list.Items) != 2 || list.Items[0].Content != "We bake bread" {
		t.Errorf("transcript %+v, want the first message and its answer", list.Items)
	}
	w.Say(talk.TurnBody{SessionID: made.ID, Message: "And cake"})
}

func TestDevelopmentBelongsToThisMachineOnly(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("business_profile")
	before := w.Fingerprint()
	type arrival struct {
		name   string
		host   string
		header map[string]string
	}
	cases := []arrival{
		{"a name that was pointed here", "evil.example", nil},
		{"with a port", "evil.example:8080", nil},
		{"ends like localhost", "evillocalhost", nil},
		{"of no name", "127.0.0.1.nip.io", nil},
		{"of another machine", "192.168.1.7:8080", nil},
		{"of every address", "0.0.0.0:8080", nil},
	}
	for _, name := range []string{"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Anything", "Forwarded", "Via", "X-Real-IP", "CF-Connecting-IP", "CF-Ray", "cf-visitor",
		"True-Client-IP", "X-Client-IP", "Fly-Client-IP", "X-Cluster-Client-IP", "Fastly-Client-IP", "X-Original-Host", "X-Envoy-External-Address", "Tailscale-User-Login", "Ngrok-Trace-ID", "X-Amzn-Trace-ID"} {
		cases = append(cases, arrival{"passed on: " + name, "localhost", map[string]string{name: "203.0.113.7"}}, arrival{"passed on, empty: " + name, "localhost", map[string]string{name: ""}})
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			for _, path := range []string{"/api/v1/sessions", "/", "/version", "/sign-in", "/openapi.json", "/docs", "/metrics", "/s/" + session, "/api/v1/sessions/" + session + "/events", "/nowhere"} {
				webtest.CheckRefusal(t, w, webtest.Refusal{Request: webtest.Request{Path: path, Host: tt.host, Header: tt.header}, Status: 403, Code: "development_only"})
			}
			webtest.CheckRefusal(t, w, webtest.Refusal{Request: webtest.Request{Path: webtest.ChatPath, Host: tt.host, Header: tt.header, Body: talk.TurnBody{ContextType: "business_profile", Message: "Hi"}}, Status: 403, Code: "development_only"})
			for _, path := range []string{"/livez", "/healthz", "/readyz", static.Path("app.css")} {
				if resp := w.Do(webtest.Request{Path: path, Host: tt.host, Header: tt.header}); resp.StatusCode != http.StatusOK {
					t.Errorf("%s answered %d", path, resp.StatusCode)
				}
			}
		})
	}
	header := map[string]string{"Accept": "text/html", "Via": "1.1 gate"}
	resp := w.Do(webtest.Request{Path: "/", Header: header})
	if text, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusForbidden || !strings.Contains(string(text), "QUAESTOR_AUTH=tokens") {
		t.Errorf("a person behind a proxy is answered %d, %v: %.800s", resp.StatusCode, err, text)
	}
	if diff := cmp.Diff(before, w.Fingerprint()); diff != "" {
		t.Errorf("refused requests changed tables (-before +after):\n%s", diff)
	}
	for _, host := range []string{"localhost", "localhost:8080", "127.0.0.1:1", "[::1]:80", "app.localhost"} {
		webtest.Fetch[web.Page[web.SessionBody]](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions", Host: host})
	}
}

func TestDevelopmentBelievesWhoTheBodyNames(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	events := w.Say(talk.TurnBody{ContextType: "business_profile", UserID: "somebody"})

	if got := events[0].Data["userId"]; got != "somebody" {
		t.Errorf("the turn is %v's, want somebody's", got)
	}
	webtest.CheckRefusal(t, w, webtest.Refusal{Request: webtest.Request{Path: webtest.ChatPath, Body: webtest.Plain(talk.TurnBody{ContextType: "business_profile", TenantID: "nowhere"})}, Status: 403, Code: "tenant_mismatch", Field: "tenantId"})
}

// The name of the tenant is what a token is made with; its id, what answers show.
func TestTenantOfAMessageGoesByItsNameToo(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	ann := w.As(w.Tenant, "ann", auth.Member)

	ann.Say(talk.TurnBody{ContextType: "business_profile", TenantID: "development"})
	ann.Say(talk.TurnBody{ContextType: "business_profile", Message: "We bake bread", TenantID: w.Tenant})
}
