package webtest

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"quaestor/internal/auth"
	"quaestor/web"
	"quaestor/web/talk"
)

// Refusal is a request that must be refused, with what the answer must say.
type Refusal struct {
	Name    string
	Who     string // who asks; anna when empty
	Request Request
	Status  int
	Code    string
	Field   string   // named in errors
	Says    []string // parts of the detail
}

const ChatPath = "/api/discovery-chat"

// HeardNothing is a model's reading of a message that says nothing.
var HeardNothing = map[string]any{"intent": "answer", "about": nil, "findings": []any{}, "research": []any{}, "proposals": []any{}, "topic": nil, "follow_ups": []any{},
	"relationships": []any{}, "preferences": []any{}, "style": nil}

// Tiny is an objective that one answer completes.
const Tiny = `{"contextType":"tiny","version":"1.0.0","displayName":"Tiny","description":"One thing.",
	"obligations":[{"key":"team_size","fieldPath":"team.size","prompt":"How many people are you?","widgetType":"number","integer":true,"min":1,"priority":9}],
	"phases":{"opening":{"goal":"g"},"exploration":{"goal":"g"},"validation":{"goal":"g"},"closing":{"goal":"g"}},
	"completion":{"minObligationsSatisfied":1,"minConfidenceScore":0.5,"requiredObligations":["team_size"]}}`

// Town is a world with several people and sessions in it.
type Town struct {
	*World
	People    map[string]*World
	Session   string // anna's
	Completed string // anna's
	Foreign   string // mallory's, of another tenant
}

func OpenTown(t *testing.T) *Town {
	t.Helper()
	w := Open(t, Terms{Tokens: true})
	other, err := auth.EnsureTenant(t.Context(), w.Pool, "elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Server.Library.Ship(t.Context(), other.ID); err != nil {
		t.Fatal(err)
	}
	p := map[string]*World{"nobody": w, "anna": w.As(w.Tenant, "anna", auth.Member), "ben": w.As(w.Tenant, "ben", auth.Member), "boss": w.As(w.Tenant, "boss", auth.Owner),
		"viewer": w.As(w.Tenant, "vera", auth.Viewer), "mallory": w.As(other.ID, "mallory", auth.Owner)}
	Fetch[web.ObjectiveBody](p["boss"], http.StatusCreated, Request{Path: "/api/v1/objectives", Body: Tiny})
	c := &Town{World: w, People: p, Session: p["anna"].Begin("business_profile"), Foreign: p["mallory"].Begin("business_profile")}
	c.Completed = p["anna"].Begin("tiny")
	p["anna"].Say(talk.TurnBody{SessionID: c.Completed, Answers: map[string]json.RawMessage{"team_size": json.RawMessage(`4`)}})
	Fetch[web.SessionBody](p["anna"], http.StatusOK, Request{Method: http.MethodPost, Path: "/api/v1/sessions/" + c.Completed + "/complete"})
	p["anna"].Say(talk.TurnBody{SessionID: c.Session, Message: "We bake bread for the cafés in our town", ClientMessageID: "first"})
	return c
}

func (c *Town) Refusals() []Refusal {
	talk := func(fields ...any) map[string]any {
		out := map[string]any{"sessionId": c.Session, "message": "Hello"}
		for i := 0; i+1 < len(fields); i += 2 {
			out[fields[i].(string)] = fields[i+1]
		}
		return out
	}
	raw := func(body string) Request { return Request{Path: ChatPath, Body: body} }
	post := func(body any) Request { return Request{Path: ChatPath, Body: body} }
	unknown := uuid.NewString()
	return []Refusal{
		{Name: "unknown session", Request: post(talk("sessionId", unknown)), Status: 404, Code: "session_not_found", Field: "sessionId", Says: []string{"no such session", "leave sessionId out"}},
		{Name: "malformed session id", Request: post(talk("sessionId", "x'; --")), Status: 404, Code: "session_not_found", Field: "sessionId"},
		{Name: "foreign tenant", Who: "mallory", Request: post(talk()), Status: 404, Code: "session_not_found", Field: "sessionId"},
		{Name: "foreign tenant reads", Who: "mallory", Request: Request{Path: "/api/v1/sessions/" + c.Session}, Status: 404, Code: "session_not_found"},
		{Name: "foreign tenant streams", Who: "mallory", Request: Request{Path: "/api/v1/sessions/" + c.Session + "/events"}, Status: 404, Code: "session_not_found"},
		{Name: "foreign tenant exports", Who: "mallory", Request: Request{Path: "/api/v1/sessions/" + c.Session + "/export"}, Status: 404, Code: "session_not_found"},
		{Name: "foreign tenant completes", Who: "mallory", Request: Request{Method: "POST", Path: "/api/v1/sessions/" + c.Session + "/complete"}, Status: 404, Code: "session_not_found"},
		{Name: "foreign tenant stops", Who: "mallory", Request: Request{Method: "POST", Path: "/api/v1/sessions/" + c.Session + "/turns/1/stop"}, Status: 404, Code: "session_not_found"},
		{Name: "other member's session", Who: "ben", Request: post(talk()), Status: 404, Code: "session_not_found", Field: "sessionId"},
		{Name: "other member's session, by their message id", Who: "ben", Request: post(talk("message", "We bake bread for the cafés in our town", "clientMessageId", "first")), Status: 404, Code: "session_not_found"},
		{Name: "other member's session, by their message id and another text", Who: "ben", Request: post(talk("clientMessageId", "first")), Status: 404, Code: "session_not_found"},
		{Name: "other member's session read", Who: "ben", Request: Request{Path: "/api/v1/sessions/" + c.Session + "/messages"}, Status: 404, Code: "session_not_found"},
		{Name: "viewer talks", Who: "viewer", Request: post(map[string]any{"contextType": "business_profile", "message": "Hello"}), Status: 403, Code: "role_too_low"},
		{Name: "completed session", Request: post(talk("sessionId", c.Completed)), Status: 409, Code: "session_completed", Says: []string{"start a new one"}},
		{Name: "completed twice", Request: Request{Method: "POST", Path: "/api/v1/sessions/" + c.Completed + "/complete"}, Status: 409, Code: "session_completed"},
		{Name: "completed too early", Request: Request{Method: "POST", Path: "/api/v1/sessions/" + c.Session + "/complete"}, Status: 409, Code: "criteria_not_met"},
		{Name: "long message", Request: post(talk("message", strings.Repeat("x", 64<<10+1))), Status: 413, Code: "message_too_large", Field: "message", Says: []string{"64 KiB", "parts"}},
		{Name: "large body", Request: post(talk("message", strings.Repeat("x", 1<<20))), Status: 413, Code: "body_too_large", Says: []string{"1024 KiB", "64"}},
		{Name: "invalid UTF-8", Request: raw(`{"contextType":"business_profile","message":"` + "\xff\xfe" + `"}`), Status: 400, Code: "invalid_utf8"},
		{Name: "NUL", Request: raw(`{"contextType":"business_profile","message":"a\u0000b"}`), Status: 400, Code: "nul_character", Field: "message"},
		{Name: "NUL in an answer", Request: raw(`{"sessionId":"` + c.Session + `","answers":{"industry":"a\u0000b"}}`), Status: 400, Code: "nul_character", Field: "answers.industry"},
		{Name: "NUL in an answer's key", Request: raw(`{"sessionId":"` + c.Session + `","answers":{"a\u0000b":"x"}}`), Status: 422, Field: "answers"},
		{Name: "number beyond all bounds", Request: raw(`{"sessionId":"` + c.Session + `","answers":{"industry":1e999999}}`), Status: 422, Field: "answers.industry"},
		{Name: "deep answer", Request: raw(`{"sessionId":"` + c.Session + `","answers":{"industry":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `}}`), Status: 422, Field: "answers.industry"},
		{Name: "ten thousand deep", Request: raw(`{"answers":` + strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20001)), Status: 400, Code: "malformed_json"},
		{Name: "empty body", Request: raw(" "), Status: 400, Code: "malformed_json"},
		{Name: "malformed JSON", Request: raw(`{"message":`), Status: 400, Code: "malformed_json"},
		{Name: "not an object", Request: raw(`[1]`), Status: 422},
		{Name: "trailing JSON", Request: raw(`{"contextType":"business_profile","message":"a"}{}`), Status: 400, Code: "malformed_json", Says: []string{"one JSON object"}},
		{Name: "a list for an object", Request: raw(`[]`), Status: 422, Says: []string{"must be an object, not a list"}},
		{Name: "wrong type", Request: raw(`{"contextType":"business_profile","message":5}`), Status: 422, Field: "message", Says: []string{"string", "number"}},
		{Name: "misspelt field", Request: raw(`{"sessionId":"` + c.Session + `","mesage":"Hi"}`), Status: 422, Code: "unknown_field", Field: "mesage", Says: []string{`"mesage"`, `did you mean "message"?`}},
		{Name: "field in other letters", Request: raw(`{"session_ID":"` + c.Session + `","message":"Hi"}`), Status: 422, Code: "unknown_field", Field: "session_ID", Says: []string{`"sessionId"`}},
		{Name: "field in other letters beside itself", Request: raw(`{"sessionId":"` + c.Session + `","message":"a","Message":"b"}`), Status: 422, Code: "unknown_field", Field: "Message", Says: []string{`did you mean "message"?`}},
		{Name: "message twice", Request: raw(`{"sessionId":"` + c.Session + `","message":"a","message":"b"}`), Status: 400, Code: "repeated_name", Field: "message", Says: []string{`"message" stands twice`, "remove one"}},
		{Name: "answer of another type", Request: raw(`{"sessionId":"` + c.Session + `","answers":{"industry":5}}`), Status: 422, Code: "answer_unfit", Field: "answers.industry", Says: []string{"must be"}},
		{Name: "answer twice", Request: raw(`{"sessionId":"` + c.Session + `","answers":{"industry":"food","industry":"retail"}}`), Status: 400, Code: "repeated_name", Field: "answers.industry"},
		{Name: "misspelt field elsewhere", Request: Request{Path: "/api/v1/sessions", Body: map[string]string{"contextTyp": "business_profile"}}, Status: 422, Says: []string{`"contextTyp"`, `did you mean "contextType"?`}},
		{Name: "name twice elsewhere", Request: Request{Path: "/api/v1/sessions", Body: `{"contextType":"nowhere","contextType":"business_profile"}`}, Status: 400, Field: "body.contextType", Says: []string{"twice", "remove one"}},
		{Name: "name twice in other letters elsewhere", Request: Request{Path: "/api/v1/sessions", Body: `{"contextType":"nowhere","ContextType":"business_profile"}`}, Status: 422, Field: "body.ContextType", Says: []string{`did you mean "contextType"?`}},
		{Name: "invalid UTF-8 elsewhere", Request: Request{Path: "/api/v1/sessions", Body: `{"contextType":"` + "\xff" + `"}`}, Status: 400, Field: "body", Says: []string{"UTF-8"}},
		{Name: "limit that is no number", Request: Request{Path: "/api/v1/sessions?limit=many"}, Status: 422, Field: "query.limit", Says: []string{"must be a whole number"}},
		{Name: "neither true nor false", Request: Request{Path: "/api/v1/objectives?all=perhaps"}, Status: 422, Field: "query.all", Says: []string{"must be true or false"}},
		{Name: "no body elsewhere", Request: Request{Method: "POST", Path: "/api/v1/sessions"}, Status: 400, Says: []string{"no body", "JSON object"}},
		{Name: "NUL elsewhere", Request: Request{Path: "/api/v1/sessions", Body: `{"contextType":"a\u0000b"}`}, Status: 422},
		{Name: "compressed body", Request: Request{Path: ChatPath, Body: "\x1f\x8b\x08", Header: map[string]string{"Content-Encoding": "gzip"}}, Status: 415, Code: "encoded_body", Says: []string{"without Content-Encoding"}},
		{Name: "wrong content type elsewhere", Request: Request{Path: "/api/v1/sessions", Body: "<a/>", Header: map[string]string{"Content-Type": "text/xml"}}, Status: 415, Code: "not_json", Says: []string{"Content-Type: application/json"}},
		{Name: "wrong content type", Request: Request{Path: ChatPath, Body: "message=hi", Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}, Status: 415, Code: "not_json", Says: []string{"Content-Type"}},
		{Name: "unknown context type", Request: post(map[string]any{"contextType": "nowhere", "message": "Hello"}), Status: 422, Code: "context_type_unknown", Field: "contextType", Says: []string{"business_profile", "idea_discovery", "project_discovery"}},
		{Name: "context type with NUL", Request: raw(`{"contextType":"a\u0000b","message":"Hello"}`), Status: 422, Code: "context_type_unknown", Field: "contextType"},
		{Name: "no context type", Request: post(map[string]any{"message": "Hello"}), Status: 422, Field: "contextType"},
		{Name: "mismatching context type", Request: post(talk("contextType", "idea_discovery")), Status: 422, Code: "context_type_mismatch", Field: "contextType", Says: []string{"business_profile"}},
		{Name: "other user", Request: post(talk("userId", "ben")), Status: 403, Code: "user_mismatch", Field: "userId"},
		{Name: "other tenant", Request: post(talk("tenantId", "elsewhere")), Status: 403, Code: "tenant_mismatch", Field: "tenantId"},
		{Name: "no token", Who: "nobody", Request: post(talk()), Status: 401, Code: "unauthenticated", Says: []string{"quaestor token create"}},
		{Name: "unknown token", Who: "nobody", Request: Request{Path: "/api/v1/sessions", Header: map[string]string{"Authorization": "Bearer qst_nothing"}}, Status: 401, Code: "token_unknown"},
		{Name: "other scheme", Who: "nobody", Request: Request{Path: "/api/v1/sessions", Header: map[string]string{"Authorization": "Basic eDp5"}}, Status: 401, Code: "unauthenticated"},
		{Name: "cross-site", Request: Request{Path: ChatPath, Body: talk(), Header: map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}}, Status: 403, Code: "cross_site"},
		{Name: "cross-origin by Origin", Request: Request{Path: ChatPath, Body: talk(), Header: map[string]string{"Origin": "https://evil.example"}}, Status: 403, Code: "cross_site"},
		{Name: "event id is text", Request: Request{Path: "/api/v1/sessions/" + c.Session + "/events", Header: map[string]string{"Last-Event-ID": "abc"}}, Status: 400, Code: "bad_last_event_id", Field: "Last-Event-ID"},
		{Name: "event id is negative", Request: Request{Path: "/api/v1/sessions/" + c.Session + "/events?after=-1"}, Status: 400, Code: "bad_last_event_id", Field: "after"},
		{Name: "event id is beyond the head", Request: Request{Path: "/api/v1/sessions/" + c.Session + "/events?after=100000"}, Status: 400, Code: "bad_last_event_id", Field: "after", Says: []string{"last event"}},
		{Name: "event id is huge", Request: Request{Path: "/api/v1/sessions/" + c.Session + "/events?after=99999999999999999999"}, Status: 400, Code: "bad_last_event_id", Field: "after"},
		{Name: "message id of another message", Request: post(talk("clientMessageId", "first")), Status: 422, Code: "idempotency_mismatch", Field: "clientMessageId"},
		{Name: "message id too long", Request: post(talk("clientMessageId", strings.Repeat("x", 256))), Status: 400, Field: "clientMessageId"},
		{Name: "message id with spaces", Request: post(talk("clientMessageId", "a b")), Status: 400, Field: "clientMessageId"},
		{Name: "unknown turn", Request: Request{Path: "/api/v1/sessions/" + c.Session + "/turns/99"}, Status: 404, Code: "turn_not_found"},
		{Name: "turn that cannot be", Request: Request{Path: "/api/v1/sessions/" + c.Session + "/turns/99999999999"}, Status: 422, Field: "path.turn", Says: []string{"must be at most 2147483647"}},
		{Name: "unknown turn stopped", Request: Request{Method: "POST", Path: "/api/v1/sessions/" + c.Session + "/turns/99/stop"}, Status: 404, Code: "turn_not_found"},
		{Name: "unknown obligation", Request: Request{Path: "/api/v1/sessions/" + c.Session + "/obligations/nothing"}, Status: 404, Code: "obligation_not_found"},
		{Name: "bad cursor", Request: Request{Path: "/api/v1/sessions?cursor=%21"}, Status: 400, Code: "bad_cursor", Field: "cursor"},
		{Name: "limit out of range", Request: Request{Path: "/api/v1/sessions?limit=0"}, Status: 422},
		{Name: "NUL in a path", Request: Request{Path: "/api/v1/sessions/%00"}, Status: 400, Code: "bad_address"},
		{Name: "NUL in a parameter", Request: Request{Path: "/api/v1/sessions?contextType=%00"}, Status: 400, Code: "bad_address"},
		{Name: "bad UTF-8 in a parameter", Request: Request{Path: "/api/v1/sessions?contextType=%ff"}, Status: 400, Code: "bad_address"},
		{Name: "malformed task id", Request: Request{Path: "/api/v1/research-tasks/abc"}, Status: 404},
		{Name: "malformed objective id", Request: Request{Path: "/api/v1/objectives/abc"}, Status: 404},
		{Name: "malformed token id", Who: "boss", Request: Request{Method: "DELETE", Path: "/api/v1/tokens/abc"}, Status: 404},
		{Name: "unknown export format", Request: Request{Path: "/api/v1/sessions/" + c.Session + "/export?format=exe"}, Status: 422, Field: "format", Says: []string{"json, csv, md, docx or pdf, or json-schema-instance"}},
		{Name: "nothing there", Request: Request{Path: "/api/v1/nothing"}, Status: 404},
		{Name: "wrong method", Request: Request{Method: "DELETE", Path: "/api/discovery-chat"}, Status: 405, Code: "method_not_allowed"},
		{Name: "member publishes", Request: Request{Path: "/api/v1/objectives", Body: Tiny}, Status: 403, Code: "role_too_low", Says: []string{"admin or a role above it"}},
		{Name: "member makes tokens", Request: Request{Path: "/api/v1/tokens", Body: map[string]string{"userId": "anna", "role": "owner"}}, Status: 403, Code: "role_too_low"},
		{Name: "session of an unknown objective", Request: Request{Path: "/api/v1/sessions", Body: map[string]string{"contextType": "nowhere"}}, Status: 422, Code: "context_type_unknown"},
		{Name: "session of no objective", Request: Request{Path: "/api/v1/sessions", Body: map[string]string{}}, Status: 422, Field: "body.contextType", Says: []string{"is missing"}},
		{Name: "session of a number", Request: Request{Path: "/api/v1/sessions", Body: `{"contextType": 1}`}, Status: 422, Field: "body.contextType", Says: []string{"must be a string, not a number"}},
		{Name: "session of half a word", Request: Request{Path: "/api/v1/sessions", Body: `nope`}, Status: 400, Field: "body", Says: []string{"is not valid JSON"}},
		{Name: "memory of a completed session", Request: Request{Method: http.MethodPatch, Path: "/api/v1/sessions/" + c.Completed + "/memory", Body: "{}", Header: map[string]string{"If-Match": "*", "Content-Type": "application/merge-patch+json"}}, Status: 409, Code: "session_completed"},
		{Name: "contributor to a completed session", Request: Request{Path: "/api/v1/sessions/" + c.Completed + "/invitations", Body: map[string]string{"role": "contributor"}}, Status: 409, Code: "session_completed", Field: "role"},
		{Name: "bad cursor of messages", Request: Request{Path: "/api/v1/sessions/" + c.Session + "/messages?cursor=x"}, Status: 400, Code: "bad_cursor", Field: "cursor"},
		{Name: "bad cursor of history", Request: Request{Path: "/api/v1/sessions/" + c.Session + "/history?cursor=-1"}, Status: 400, Code: "bad_cursor", Field: "cursor"},
		{Name: "schema that is a list", Request: Request{Path: "/api/v1/objectives/from-schema", Body: `[]`}, Status: 422, Says: []string{"must be an object, not list"}},
		{Name: "session by malformed JSON", Request: Request{Path: "/api/v1/sessions", Body: `{"contextType":`}, Status: 400},
		{Name: "session by a large body", Request: Request{Path: "/api/v1/sessions", Body: `{"contextType":"` + strings.Repeat("x", 1<<20) + `"}`}, Status: 413, Says: []string{"at most 1024 KiB"}},
	}
}

func CheckRefusal(t *testing.T, w *World, want Refusal) {
	t.Helper()
	started := time.Now()
	resp := w.Do(want.Request)
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(started); took > 5*time.Second {
		t.Errorf("the refusal took %v", took)
	}
	if resp.StatusCode != want.Status || resp.Header.Get("Content-Type") != "application/problem+json" {
		t.Fatalf("answer %d %s, want %d application/problem+json: %.400s", resp.StatusCode, resp.Header.Get("Content-Type"), want.Status, raw)
	}
	var p web.Problem
	if err := json.Unmarshal(raw, &p); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	if p.Status != want.Status || p.Title == "" || p.Detail == "" || p.Code == "" || !strings.HasPrefix(p.Type, "/problems/") || !strings.HasPrefix(p.Instance, "req_") {
		t.Errorf("incomplete problem: %s", raw)
	}
	if want.Code != "" && p.Code != want.Code {
		t.Errorf("code %q, want %q: %s", p.Code, want.Code, raw)
	}
	for _, part := range want.Says {
		if !strings.Contains(p.Detail, part) {
			t.Errorf("detail %q does not say %q", p.Detail, part)
		}
	}
	if want.Field != "" && (len(p.Errors) == 0 || p.Errors[0].Location != want.Field) {
		t.Errorf("errors %+v do not name %q", p.Errors, want.Field)
	}
}
