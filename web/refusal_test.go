package web

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
	"github.com/google/uuid"

	"quaestor/internal/auth"
	"quaestor/internal/llm/llmtest"
	"quaestor/web/static"
)

// refusal is a request that must be refused, with what the answer must say.
type refusal struct {
	name    string
	who     string // who asks; anna when empty
	request request
	status  int
	code    string
	field   string   // named in errors
	says    []string // parts of the detail
}

const chatPath = "/api/discovery-chat"

// heardNothing is a model's reading of a message that says nothing.
var heardNothing = map[string]any{"intent": "answer", "about": nil, "findings": []any{}, "research": []any{}, "proposals": []any{}, "topic": nil, "follow_ups": []any{},
	"relationships": []any{}, "preferences": []any{}, "style": nil}

// tiny is an objective that one answer completes.
const tiny = `{"contextType":"tiny","version":"1.0.0","displayName":"Tiny","description":"One thing.",
	"obligations":[{"key":"team_size","fieldPath":"team.size","prompt":"How many people are you?","widgetType":"number","integer":true,"min":1,"priority":9}],
	"phases":{"opening":{"goal":"g"},"exploration":{"goal":"g"},"validation":{"goal":"g"},"closing":{"goal":"g"}},
	"completion":{"minObligationsSatisfied":1,"minConfidenceScore":0.5,"requiredObligations":["team_size"]}}`

// town is a world with several people and sessions in it.
type town struct {
	*world
	people    map[string]*world
	session   string // anna's
	completed string // anna's
	foreign   string // mallory's, of another tenant
}

func openTown(t *testing.T) *town {
	t.Helper()
	w := open(t, terms{tokens: true})
	other, err := auth.EnsureTenant(t.Context(), w.pool, "elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.server.Library.Ship(t.Context(), other.ID); err != nil {
		t.Fatal(err)
	}
	p := map[string]*world{"nobody": w, "anna": w.as(w.tenant, "anna", auth.Member), "ben": w.as(w.tenant, "ben", auth.Member), "boss": w.as(w.tenant, "boss", auth.Owner),
		"viewer": w.as(w.tenant, "vera", auth.Viewer), "mallory": w.as(other.ID, "mallory", auth.Owner)}
	fetch[objectiveBody](p["boss"], http.StatusCreated, request{path: "/api/v1/objectives", body: tiny})
	c := &town{world: w, people: p, session: p["anna"].begin("business_profile"), foreign: p["mallory"].begin("business_profile")}
	c.completed = p["anna"].begin("tiny")
	p["anna"].say(turnBody{SessionID: c.completed, Answers: map[string]json.RawMessage{"team_size": json.RawMessage(`4`)}})
	fetch[sessionBody](p["anna"], http.StatusOK, request{method: http.MethodPost, path: "/api/v1/sessions/" + c.completed + "/complete"})
	p["anna"].say(turnBody{SessionID: c.session, Message: "We bake bread for cafés", ClientMessageID: "first"})
	return c
}

func (c *town) refusals() []refusal {
	talk := func(fields ...any) map[string]any {
		out := map[string]any{"sessionId": c.session, "message": "Hello"}
		for i := 0; i+1 < len(fields); i += 2 {
			out[fields[i].(string)] = fields[i+1]
		}
		return out
	}
	raw := func(body string) request { return request{path: chatPath, body: body} }
	post := func(body any) request { return request{path: chatPath, body: body} }
	unknown := uuid.NewString()
	return []refusal{
		{name: "unknown session", request: post(talk("sessionId", unknown)), status: 404, code: "session_not_found", field: "sessionId", says: []string{"no such session", "leave sessionId out"}},
		{name: "malformed session id", request: post(talk("sessionId", "x'; --")), status: 404, code: "session_not_found", field: "sessionId"},
		{name: "foreign tenant", who: "mallory", request: post(talk()), status: 404, code: "session_not_found", field: "sessionId"},
		{name: "foreign tenant reads", who: "mallory", request: request{path: "/api/v1/sessions/" + c.session}, status: 404, code: "session_not_found"},
		{name: "foreign tenant streams", who: "mallory", request: request{path: "/api/v1/sessions/" + c.session + "/events"}, status: 404, code: "session_not_found"},
		{name: "foreign tenant exports", who: "mallory", request: request{path: "/api/v1/sessions/" + c.session + "/export"}, status: 404, code: "session_not_found"},
		{name: "foreign tenant completes", who: "mallory", request: request{method: "POST", path: "/api/v1/sessions/" + c.session + "/complete"}, status: 404, code: "session_not_found"},
		{name: "foreign tenant stops", who: "mallory", request: request{method: "POST", path: "/api/v1/sessions/" + c.session + "/turns/1/stop"}, status: 404, code: "session_not_found"},
		{name: "other member's session", who: "ben", request: post(talk()), status: 404, code: "session_not_found", field: "sessionId"},
		{name: "other member's session, by their message id", who: "ben", request: post(talk("message", "We bake bread for cafés", "clientMessageId", "first")), status: 404, code: "session_not_found"},
		{name: "other member's session, by their message id and another text", who: "ben", request: post(talk("clientMessageId", "first")), status: 404, code: "session_not_found"},
		{name: "other member's session read", who: "ben", request: request{path: "/api/v1/sessions/" + c.session + "/messages"}, status: 404, code: "session_not_found"},
		{name: "viewer talks", who: "viewer", request: post(map[string]any{"contextType": "business_profile", "message": "Hello"}), status: 403, code: "role_too_low"},
		{name: "completed session", request: post(talk("sessionId", c.completed)), status: 409, code: "session_completed", says: []string{"start a new one"}},
		{name: "completed twice", request: request{method: "POST", path: "/api/v1/sessions/" + c.completed + "/complete"}, status: 409, code: "session_completed"},
		{name: "completed too early", request: request{method: "POST", path: "/api/v1/sessions/" + c.session + "/complete"}, status: 409, code: "criteria_not_met"},
		{name: "long message", request: post(talk("message", strings.Repeat("x", 64<<10+1))), status: 413, code: "message_too_large", field: "message", says: []string{"64 KiB", "parts"}},
		{name: "large body", request: post(talk("message", strings.Repeat("x", 1<<20))), status: 413, code: "body_too_large", says: []string{"1024 KiB", "64"}},
		{name: "invalid UTF-8", request: raw(`{"contextType":"business_profile","message":"` + "\xff\xfe" + `"}`), status: 400, code: "invalid_utf8"},
		{name: "NUL", request: raw(`{"contextType":"business_profile","message":"a\u0000b"}`), status: 400, code: "nul_character", field: "message"},
		{name: "NUL in an answer", request: raw(`{"sessionId":"` + c.session + `","answers":{"industry":"a\u0000b"}}`), status: 400, code: "nul_character", field: "answers.industry"},
		{name: "NUL in an answer's key", request: raw(`{"sessionId":"` + c.session + `","answers":{"a\u0000b":"x"}}`), status: 422, field: "answers"},
		{name: "number beyond all bounds", request: raw(`{"sessionId":"` + c.session + `","answers":{"industry":1e999999}}`), status: 422, field: "answers.industry"},
		{name: "deep answer", request: raw(`{"sessionId":"` + c.session + `","answers":{"industry":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `}}`), status: 422, field: "answers.industry"},
		{name: "ten thousand deep", request: raw(`{"answers":` + strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20001)), status: 400, code: "malformed_json"},
		{name: "empty body", request: raw(" "), status: 400, code: "malformed_json"},
		{name: "malformed JSON", request: raw(`{"message":`), status: 400, code: "malformed_json"},
		{name: "not an object", request: raw(`[1]`), status: 422},
		{name: "trailing JSON", request: raw(`{"contextType":"business_profile","message":"a"}{}`), status: 400, code: "malformed_json", says: []string{"one JSON object"}},
		{name: "a list for an object", request: raw(`[]`), status: 422, says: []string{"must be an object, not a list"}},
		{name: "wrong type", request: raw(`{"contextType":"business_profile","message":5}`), status: 422, field: "message", says: []string{"string", "number"}},
		{name: "misspelt field", request: raw(`{"sessionId":"` + c.session + `","mesage":"Hi"}`), status: 422, code: "unknown_field", field: "mesage", says: []string{`"mesage"`, `did you mean "message"?`}},
		{name: "field in other letters", request: raw(`{"session_ID":"` + c.session + `","message":"Hi"}`), status: 422, code: "unknown_field", field: "session_ID", says: []string{`"sessionId"`}},
		{name: "field in other letters beside itself", request: raw(`{"sessionId":"` + c.session + `","message":"a","Message":"b"}`), status: 422, code: "unknown_field", field: "Message", says: []string{`did you mean "message"?`}},
		{name: "message twice", request: raw(`{"sessionId":"` + c.session + `","message":"a","message":"b"}`), status: 400, code: "repeated_name", field: "message", says: []string{`"message" stands twice`, "remove one"}},
		{name: "answer of another type", request: raw(`{"sessionId":"` + c.session + `","answers":{"industry":5}}`), status: 422, code: "answer_unfit", field: "answers.industry", says: []string{"must be"}},
		{name: "answer twice", request: raw(`{"sessionId":"` + c.session + `","answers":{"industry":"food","industry":"retail"}}`), status: 400, code: "repeated_name", field: "answers.industry"},
		{name: "misspelt field elsewhere", request: request{path: "/api/v1/sessions", body: map[string]string{"contextTyp": "business_profile"}}, status: 422, says: []string{`"contextTyp"`, `did you mean "contextType"?`}},
		{name: "name twice elsewhere", request: request{path: "/api/v1/sessions", body: `{"contextType":"nowhere","contextType":"business_profile"}`}, status: 400, field: "body.contextType", says: []string{"twice", "remove one"}},
		{name: "name twice in other letters elsewhere", request: request{path: "/api/v1/sessions", body: `{"contextType":"nowhere","ContextType":"business_profile"}`}, status: 422, field: "body.ContextType", says: []string{`did you mean "contextType"?`}},
		{name: "invalid UTF-8 elsewhere", request: request{path: "/api/v1/sessions", body: `{"contextType":"` + "\xff" + `"}`}, status: 400, field: "body", says: []string{"UTF-8"}},
		{name: "limit that is no number", request: request{path: "/api/v1/sessions?limit=many"}, status: 422, field: "query.limit", says: []string{"must be a whole number"}},
		{name: "neither true nor false", request: request{path: "/api/v1/objectives?all=perhaps"}, status: 422, field: "query.all", says: []string{"must be true or false"}},
		{name: "no body elsewhere", request: request{method: "POST", path: "/api/v1/sessions"}, status: 400, says: []string{"no body", "JSON object"}},
		{name: "NUL elsewhere", request: request{path: "/api/v1/sessions", body: `{"contextType":"a\u0000b"}`}, status: 422},
		{name: "compressed body", request: request{path: chatPath, body: "\x1f\x8b\x08", header: map[string]string{"Content-Encoding": "gzip"}}, status: 415, code: "encoded_body", says: []string{"without Content-Encoding"}},
		{name: "wrong content type elsewhere", request: request{path: "/api/v1/sessions", body: "<a/>", header: map[string]string{"Content-Type": "text/xml"}}, status: 415, code: "not_json", says: []string{"Content-Type: application/json"}},
		{name: "wrong content type", request: request{path: chatPath, body: "message=hi", header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}, status: 415, code: "not_json", says: []string{"Content-Type"}},
		{name: "unknown context type", request: post(map[string]any{"contextType": "nowhere", "message": "Hello"}), status: 422, code: "context_type_unknown", field: "contextType", says: []string{"business_profile", "idea_discovery", "project_discovery"}},
		{name: "context type with NUL", request: raw(`{"contextType":"a\u0000b","message":"Hello"}`), status: 422, code: "context_type_unknown", field: "contextType"},
		{name: "no context type", request: post(map[string]any{"message": "Hello"}), status: 422, field: "contextType"},
		{name: "mismatching context type", request: post(talk("contextType", "idea_discovery")), status: 422, code: "context_type_mismatch", field: "contextType", says: []string{"business_profile"}},
		{name: "other user", request: post(talk("userId", "ben")), status: 403, code: "user_mismatch", field: "userId"},
		{name: "other tenant", request: post(talk("tenantId", "elsewhere")), status: 403, code: "tenant_mismatch", field: "tenantId"},
		{name: "no token", who: "nobody", request: post(talk()), status: 401, code: "unauthenticated", says: []string{"quaestor token create"}},
		{name: "unknown token", who: "nobody", request: request{path: "/api/v1/sessions", header: map[string]string{"Authorization": "Bearer qst_nothing"}}, status: 401, code: "token_unknown"},
		{name: "other scheme", who: "nobody", request: request{path: "/api/v1/sessions", header: map[string]string{"Authorization": "Basic eDp5"}}, status: 401, code: "unauthenticated"},
		{name: "cross-site", request: request{path: chatPath, body: talk(), header: map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}}, status: 403, code: "cross_site"},
		{name: "cross-origin by Origin", request: request{path: chatPath, body: talk(), header: map[string]string{"Origin": "https://evil.example"}}, status: 403, code: "cross_site"},
		{name: "event id is text", request: request{path: "/api/v1/sessions/" + c.session + "/events", header: map[string]string{"Last-Event-ID": "abc"}}, status: 400, code: "bad_last_event_id", field: "Last-Event-ID"},
		{name: "event id is negative", request: request{path: "/api/v1/sessions/" + c.session + "/events?after=-1"}, status: 400, code: "bad_last_event_id", field: "after"},
		{name: "event id is beyond the head", request: request{path: "/api/v1/sessions/" + c.session + "/events?after=100000"}, status: 400, code: "bad_last_event_id", field: "after", says: []string{"last event"}},
		{name: "event id is huge", request: request{path: "/api/v1/sessions/" + c.session + "/events?after=99999999999999999999"}, status: 400, code: "bad_last_event_id", field: "after"},
		{name: "message id of another message", request: post(talk("clientMessageId", "first")), status: 422, code: "idempotency_mismatch", field: "clientMessageId"},
		{name: "message id too long", request: post(talk("clientMessageId", strings.Repeat("x", 256))), status: 400, field: "clientMessageId"},
		{name: "message id with spaces", request: post(talk("clientMessageId", "a b")), status: 400, field: "clientMessageId"},
		{name: "unknown turn", request: request{path: "/api/v1/sessions/" + c.session + "/turns/99"}, status: 404, code: "turn_not_found"},
		{name: "turn that cannot be", request: request{path: "/api/v1/sessions/" + c.session + "/turns/99999999999"}, status: 422, field: "path.turn", says: []string{"must be at most 2147483647"}},
		{name: "unknown turn stopped", request: request{method: "POST", path: "/api/v1/sessions/" + c.session + "/turns/99/stop"}, status: 404, code: "turn_not_found"},
		{name: "unknown obligation", request: request{path: "/api/v1/sessions/" + c.session + "/obligations/nothing"}, status: 404, code: "obligation_not_found"},
		{name: "bad cursor", request: request{path: "/api/v1/sessions?cursor=%21"}, status: 400, code: "bad_cursor", field: "cursor"},
		{name: "limit out of range", request: request{path: "/api/v1/sessions?limit=0"}, status: 422},
		{name: "NUL in a path", request: request{path: "/api/v1/sessions/%00"}, status: 400, code: "bad_address"},
		{name: "NUL in a parameter", request: request{path: "/api/v1/sessions?contextType=%00"}, status: 400, code: "bad_address"},
		{name: "bad UTF-8 in a parameter", request: request{path: "/api/v1/sessions?contextType=%ff"}, status: 400, code: "bad_address"},
		{name: "malformed task id", request: request{path: "/api/v1/research-tasks/abc"}, status: 404},
		{name: "malformed objective id", request: request{path: "/api/v1/objectives/abc"}, status: 404},
		{name: "malformed token id", who: "boss", request: request{method: "DELETE", path: "/api/v1/tokens/abc"}, status: 404},
		{name: "unknown export format", request: request{path: "/api/v1/sessions/" + c.session + "/export?format=exe"}, status: 422, field: "format", says: []string{"json, csv, md, docx or pdf, or json-schema-instance"}},
		{name: "nothing there", request: request{path: "/api/v1/nothing"}, status: 404},
		{name: "wrong method", request: request{method: "DELETE", path: "/api/discovery-chat"}, status: 405, code: "method_not_allowed"},
		{name: "member publishes", request: request{path: "/api/v1/objectives", body: tiny}, status: 403, code: "role_too_low", says: []string{"admin or a role above it"}},
		{name: "member makes tokens", request: request{path: "/api/v1/tokens", body: map[string]string{"userId": "anna", "role": "owner"}}, status: 403, code: "role_too_low"},
		{name: "session of an unknown objective", request: request{path: "/api/v1/sessions", body: map[string]string{"contextType": "nowhere"}}, status: 422, code: "context_type_unknown"},
		{name: "session of no objective", request: request{path: "/api/v1/sessions", body: map[string]string{}}, status: 422, field: "body.contextType", says: []string{"is missing"}},
		{name: "session of a number", request: request{path: "/api/v1/sessions", body: `{"contextType": 1}`}, status: 422, field: "body.contextType", says: []string{"must be a string, not a number"}},
		{name: "session of half a word", request: request{path: "/api/v1/sessions", body: `nope`}, status: 400, field: "body", says: []string{"is not valid JSON"}},
		{name: "memory of a completed session", request: request{method: http.MethodPatch, path: "/api/v1/sessions/" + c.completed + "/memory", body: "{}", header: map[string]string{"If-Match": "*", "Content-Type": "application/merge-patch+json"}}, status: 409, code: "session_completed"},
		{name: "contributor to a completed session", request: request{path: "/api/v1/sessions/" + c.completed + "/invitations", body: map[string]string{"role": "contributor"}}, status: 409, code: "session_completed", field: "role"},
		{name: "bad cursor of messages", request: request{path: "/api/v1/sessions/" + c.session + "/messages?cursor=x"}, status: 400, code: "bad_cursor", field: "cursor"},
		{name: "bad cursor of history", request: request{path: "/api/v1/sessions/" + c.session + "/history?cursor=-1"}, status: 400, code: "bad_cursor", field: "cursor"},
		{name: "schema that is a list", request: request{path: "/api/v1/objectives/from-schema", body: `[]`}, status: 422, says: []string{"must be an object, not list"}},
		{name: "session by malformed JSON", request: request{path: "/api/v1/sessions", body: `{"contextType":`}, status: 400},
		{name: "session by a large body", request: request{path: "/api/v1/sessions", body: `{"contextType":"` + strings.Repeat("x", 1<<20) + `"}`}, status: 413, says: []string{"at most 1024 KiB"}},
	}
}

func TestRefusalsSayWhyAndChangeNothing(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	before := c.fingerprint()
	for _, tt := range c.refusals() {
		t.Run(tt.name, func(t *testing.T) { // in turn: each must leave the tables as they are
			who := c.people[tt.who]
			if tt.who == "" {
				who = c.people["anna"]
			}
			checkRefusal(t, who, tt)
		})
	}
	if diff := cmp.Diff(before, c.fingerprint()); diff != "" {
		t.Errorf("refused requests changed tables (-before +after):\n%s", diff)
	}
}

func checkRefusal(t *testing.T, w *world, want refusal) {
	t.Helper()
	started := time.Now()
	resp := w.do(want.request)
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(started); took > 5*time.Second {
		t.Errorf("the refusal took %v", took)
	}
	if resp.StatusCode != want.status || resp.Header.Get("Content-Type") != "application/problem+json" {
		t.Fatalf("answer %d %s, want %d application/problem+json: %.400s", resp.StatusCode, resp.Header.Get("Content-Type"), want.status, raw)
	}
	var p problem
	if err := json.Unmarshal(raw, &p); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	if p.Status != want.status || p.Title == "" || p.Detail == "" || p.Code == "" || !strings.HasPrefix(p.Type, "/problems/") || !strings.HasPrefix(p.Instance, "req_") {
		t.Errorf("incomplete problem: %s", raw)
	}
	if want.code != "" && p.Code != want.code {
		t.Errorf("code %q, want %q: %s", p.Code, want.code, raw)
	}
	for _, part := range want.says {
		if !strings.Contains(p.Detail, part) {
			t.Errorf("detail %q does not say %q", p.Detail, part)
		}
	}
	if want.field != "" && (len(p.Errors) == 0 || p.Errors[0].Location != want.field) {
		t.Errorf("errors %+v do not name %q", p.Errors, want.field)
	}
}

// A body that broke off was answered as a fault of the server.
func TestBodyThatBreaksOffIsTheSendersFault(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	for _, path := range []string{chatPath, "/api/v1/sessions"} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(w.url, "http://"))
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
		var p problem
		if err := json.NewDecoder(resp.Body).Decode(&p); err != nil || resp.StatusCode != http.StatusBadRequest || !strings.Contains(p.Detail, "ended early") {
			t.Errorf("POST %s: %d %+v, %v, want 400 that says that the body ended early", path, resp.StatusCode, p, err)
		}
		_ = resp.Body.Close()
	}
}

func TestBrokenObjectivesAreRefusedWithPositions(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	change := func(old, new string) string {
		out := strings.Replace(strings.Replace(tiny, `"tiny"`, `"other"`, 1), old, new, 1)
		if out == tiny || !strings.Contains(out, new) {
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
		{"malformed", tiny[:40], ""},
	}
	before := c.fingerprint()
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			resp := c.people["boss"].do(request{path: "/api/v1/objectives", body: tt.body})
			raw, _ := io.ReadAll(resp.Body)
			var p problem
			if err := json.Unmarshal(raw, &p); err != nil || resp.StatusCode != http.StatusUnprocessableEntity {
				t.Fatalf("answer %d, want 422: %s (%v)", resp.StatusCode, raw, err)
			}
			if tt.location != "" && (len(p.Errors) == 0 || !strings.HasPrefix(p.Errors[0].Location, tt.location)) {
				t.Errorf("errors %+v do not begin at %q", p.Errors, tt.location)
			}
			linted := fetch[lintBody](c.people["boss"], http.StatusOK, request{path: "/api/v1/objectives/lint", body: tt.body})
			if linted.OK || len(linted.Faults) == 0 {
				t.Errorf("lint found nothing: %+v", linted)
			}
		})
	}
	if diff := cmp.Diff(before, c.fingerprint()); diff != "" {
		t.Errorf("refused objectives changed tables (-before +after):\n%s", diff)
	}
}

func TestSecondTurnWhileOneRunsIsRefusedAndNothingIsLost(t *testing.T) {
	t.Parallel()

	model := llmtest.New(t)
	model.OnReply(llmtest.Reply{Text: "One thing after the other, then.", PieceDelay: 300 * time.Millisecond})
	model.OnUnderstand(llmtest.Reply{JSON: heardNothing})
	w := open(t, terms{model: model})
	made := fetch[sessionBody](w, http.StatusCreated, request{path: "/api/v1/sessions", body: map[string]string{"contextType": "business_profile"}})
	running := w.stream(request{path: chatPath, body: turnBody{SessionID: made.ID, Message: "We bake bread"}})
	running.until("delta")

	checkRefusal(t, w, refusal{request: request{path: chatPath, body: turnBody{SessionID: made.ID, Message: "And cake"}}, status: 409, code: "turn_running", says: []string{"wait", "stop"}})
	events := running.until("done")

	if got := events[len(events)-1].Data["reason"]; got != "answered" {
		t.Errorf("the first turn ended with %v, want answered", got)
	}
	list := fetch[page[messageBody]](w, http.StatusOK, request{path: "/api/v1/sessions/" + made.ID + "/messages"})
	if len(list.Items) != 2 || list.Items[0].Content != "We bake bread" {
		t.Errorf("transcript %+v, want the first message and its answer", list.Items)
	}
	w.say(turnBody{SessionID: made.ID, Message: "And cake"})
}

func TestDevelopmentBelongsToThisMachineOnly(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("business_profile")
	before := w.fingerprint()
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
		"True-Client-IP", "X-Client-IP", "Fly-Client-IP", "X-Cluster-Client-IP", "Fastly-Client-IP", "X-Original-Host", "X-Envoy-External-Address", "Tailscale-User-Login", "Ngrok-Trace-Id", "X-Amzn-Trace-Id"} {
		cases = append(cases, arrival{"passed on: " + name, "localhost", map[string]string{name: "203.0.113.7"}}, arrival{"passed on, empty: " + name, "localhost", map[string]string{name: ""}})
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			for _, path := range []string{"/api/v1/sessions", "/", "/version", "/sign-in", "/openapi.json", "/docs", "/metrics", "/s/" + session, "/api/v1/sessions/" + session + "/events", "/nowhere"} {
				checkRefusal(t, w, refusal{request: request{path: path, host: tt.host, header: tt.header}, status: 403, code: "development_only"})
			}
			checkRefusal(t, w, refusal{request: request{path: chatPath, host: tt.host, header: tt.header, body: turnBody{ContextType: "business_profile", Message: "Hi"}}, status: 403, code: "development_only"})
			for _, path := range []string{"/livez", "/healthz", "/readyz", static.Path("app.css")} {
				if resp := w.do(request{path: path, host: tt.host, header: tt.header}); resp.StatusCode != http.StatusOK {
					t.Errorf("%s answered %d", path, resp.StatusCode)
				}
			}
		})
	}
	header := map[string]string{"Accept": "text/html", "Via": "1.1 gate"}
	resp := w.do(request{path: "/", header: header})
	if text, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusForbidden || !strings.Contains(string(text), "QUAESTOR_AUTH=tokens") {
		t.Errorf("a person behind a proxy is answered %d, %v: %.800s", resp.StatusCode, err, text)
	}
	if diff := cmp.Diff(before, w.fingerprint()); diff != "" {
		t.Errorf("refused requests changed tables (-before +after):\n%s", diff)
	}
	for _, host := range []string{"localhost", "localhost:8080", "127.0.0.1:1", "[::1]:80", "app.localhost"} {
		fetch[page[sessionBody]](w, http.StatusOK, request{path: "/api/v1/sessions", host: host})
	}
}

func TestDevelopmentBelievesWhoTheBodyNames(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	events := w.say(turnBody{ContextType: "business_profile", UserID: "somebody"})

	if got := events[0].Data["userId"]; got != "somebody" {
		t.Errorf("the turn is %v's, want somebody's", got)
	}
	checkRefusal(t, w, refusal{request: request{path: chatPath, body: plain(turnBody{ContextType: "business_profile", TenantID: "nowhere"})}, status: 403, code: "tenant_mismatch", field: "tenantId"})
}

// The name of the tenant is what a token is made with; its id, what answers show.
func TestTenantOfAMessageGoesByItsNameToo(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	ann := w.as(w.tenant, "ann", auth.Member)

	ann.say(turnBody{ContextType: "business_profile", TenantID: "development"})
	ann.say(turnBody{ContextType: "business_profile", Message: "We bake bread", TenantID: w.tenant})
}
