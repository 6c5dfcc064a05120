package webtest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/go-chi/chi/v5"
)

// Route is a method and a pattern that the server answers.
type Route struct{ Method, Pattern string }

// String returns the route as in "GET /s/{id}".
func (r Route) String() string { return r.Method + " " + r.Pattern }

// Routes returns every route of the server, pages included.
func (w *World) Routes() []Route {
	w.T.Helper()
	var out []Route
	err := chi.Walk(w.Server.Handler().(chi.Routes), func(method, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		out = append(out, Route{method, pattern})
		return nil
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return out
}

// Prober makes requests of routes.
type Prober struct {
	paths   map[string]map[string]OperationDoc
	schemas map[string]node
}

// node is the part of a JSON schema that bodies are made from.
type node struct {
	Ref        string          `json:"$ref"`
	Type       json.RawMessage `json:"type"`
	Enum       []any           `json:"enum"`
	Minimum    *float64        `json:"minimum"`
	Properties map[string]node `json:"properties"`
	Required   []string        `json:"required"`
	Items      *node           `json:"items"`
	MinItems   int             `json:"minItems"`
	More       json.RawMessage `json:"additionalProperties"`
}

// Prober reads the description of the API.
func (w *World) Prober() *Prober {
	w.T.Helper()
	d, raw := w.Description()
	var parts struct {
		Components struct{ Schemas map[string]node }
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		w.T.Fatal(err)
	}
	return &Prober{d.Paths, parts.Components.Schemas}
}

// Request returns a request of a route whose path names of parent, but for its last parameter,
// which like the body names of child. It is an error when nothing is known that a parameter names.
func (p *Prober) Request(r Route, parent, child Holdings) (Request, error) {
	q := Request{Method: r.Method, Header: map[string]string{"If-Match": "*"}}
	names := PathParameter.FindAllStringSubmatch(r.Pattern, -1)
	path := r.Pattern
	for i, m := range names {
		of := parent
		if i == len(names)-1 {
			of = child
		}
		value := of.named(r.Pattern, m[1])
		if value == "" {
			return q, fmt.Errorf("%s: Holdings has nothing that {%s} names", r, m[1])
		}
		path = strings.Replace(path, m[0], url.PathEscape(value), 1)
	}
	q.Path = path
	if r.Method == http.MethodGet || r.Method == http.MethodDelete {
		q.Path += queries(r.Pattern, child)
		return q, nil
	}
	op, described := p.paths[r.Pattern][strings.ToLower(r.Method)]
	switch {
	case r.Pattern == "/mcp":
		q.Body = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
		q.Header["Accept"] = "application/json, text/event-stream"
	case described && op.RequestBody != nil:
		q.Body = p.body(r, op, child)
	case !described:
		q.Body = form(r, child).Encode()
		q.Header["Content-Type"] = "application/x-www-form-urlencoded"
		q.Header["Sec-Fetch-Site"] = "same-origin"
	}
	return q, nil
}

// queries are the parameters that a reading route takes besides its path.
func queries(pattern string, h Holdings) string {
	switch {
	case strings.HasSuffix(pattern, "/search"), strings.HasSuffix(pattern, "/findings"):
		return "?q=" + h.Name
	case strings.HasSuffix(pattern, "/metric-proposals"):
		return "?table=" + h.Name + "." + h.Name
	case strings.HasSuffix(pattern, "/erase"):
		return "?user=" + h.Name
	case pattern == "/admin/settings/delete":
		return "?session=" + h.Session
	case pattern == "/v1/realtime":
		return "?model=" + h.Session
	case strings.HasPrefix(pattern, "/data/") && strings.HasSuffix(pattern, "/new"):
		return "?warehouse=" + h.Warehouse
	case pattern == "/api/v1/research-tasks", pattern == "/api/v1/proposals":
		return "?sessionId=" + h.Session
	}
	return ""
}

// owners tell by the beginning of a pattern what its parameter {id} is the id of.
var owners = []struct {
	prefix string
	of     func(Holdings) string
}{
	{"/api/v1/sessions/", func(h Holdings) string { return h.Session }}, {"/s/", func(h Holdings) string { return h.Session }}, {"/review/", func(h Holdings) string { return h.Session }},
	{"/admin/settings/holds/", func(h Holdings) string { return h.Session }}, {"/api/v1/runs/", func(h Holdings) string { return h.Run }}, {"/data/runs/", func(h Holdings) string { return h.Run }},
	{"/api/v1/projects/", func(h Holdings) string { return h.Project }}, {"/data/projects/", func(h Holdings) string { return h.Project }},
	{"/api/v1/warehouses/", func(h Holdings) string { return h.Warehouse }}, {"/data/warehouses/", func(h Holdings) string { return h.Warehouse }},
	{"/api/v1/pack-drafts/", func(h Holdings) string { return h.PackDraft }}, {"/api/v1/prices/", func(h Holdings) string { return h.Price }},
	{"/api/v1/models/", func(h Holdings) string { return h.Model }}, {"/api/v1/objectives/", func(h Holdings) string { return h.Objective }},
	{"/api/v1/tokens/", func(h Holdings) string { return h.Token }}, {"/api/v1/research-tasks/", func(h Holdings) string { return h.Task }},
}

// Tells reports whether the last parameter of a route is another in each of two holdings.
func (r Route) Tells(a, b Holdings) bool {
	names := PathParameter.FindAllStringSubmatch(r.Pattern, -1)
	last := names[len(names)-1][1]
	return a.named(r.Pattern, last) != b.named(r.Pattern, last)
}

// named returns what a parameter of a pattern stands for; empty if that is not known.
func (h Holdings) named(pattern, name string) string {
	switch name {
	case "id":
		for _, o := range owners {
			if strings.HasPrefix(pattern, o.prefix) {
				return o.of(h)
			}
		}
		return ""
	case "draft":
		if strings.HasPrefix(pattern, "/data/packs/") {
			return h.PackDraft
		}
		return h.Draft
	case "token":
		switch {
		case strings.HasPrefix(pattern, "/invite/"):
			return h.InvitationSecret
		case strings.HasPrefix(pattern, "/share/"):
			return h.ShareSecret
		}
		return h.Token
	case "key":
		if strings.Contains(pattern, "/sections/") {
			return "about"
		}
		return h.Name
	case "name":
		if strings.Contains(pattern, "/prompts/") {
			return "exploration"
		}
		return h.Name
	case "part":
		if strings.Contains(pattern, "/memory/") {
			return "recentTopics"
		}
		return h.Part
	case "ref":
		if strings.Contains(pattern, "/recommendations/") {
			return "r-1"
		}
		return "revenue-1"
	}
	return map[string]string{"comment": h.Comment, "conflict": h.Conflict, "conflictId": h.Conflict, "file": h.File, "invitation": h.Invitation, "participant": h.Participant, "share": h.Share,
		"turn": "1", "n": "1", "note": "0", "figure": "all", "area": h.Name, "example": h.Example, "slug": h.Name, "user": h.Name, "context": h.Name, "version": h.Version,
		"task": h.Task, "model": h.Model, "job": h.Job, "queue": h.Queue}[name]
}

// body returns a body as the description of an operation asks for.
func (p *Prober) body(r Route, op OperationDoc, h Holdings) any {
	for media, content := range op.RequestBody.Content {
		if !strings.Contains(media, "json") {
			return ""
		}
		var described struct{ Schema node }
		if err := json.Unmarshal(content, &described); err != nil {
			return ""
		}
		return p.made("", described.Schema, h, 0)
	}
	return ""
}

// made returns a value of a schema: all that is required of it, and all that names something.
func (p *Prober) made(name string, n node, h Holdings, depth int) any {
	if n.Ref != "" {
		n = p.schemas[n.Ref[strings.LastIndex(n.Ref, "/")+1:]]
	}
	kind := string(n.Type)
	if v, ok := h.field(name); ok && !strings.Contains(kind, "object") {
		return v
	}
	switch {
	case len(n.Enum) > 0:
		return n.Enum[0]
	case strings.Contains(kind, "object"):
		out := map[string]any{}
		for key, one := range n.Properties {
			_, names := h.field(key)
			if names || strings.Contains(" "+strings.Join(n.Required, " ")+" ", " "+key+" ") && depth < 5 {
				out[key] = p.made(key, one, h, depth+1)
			}
		}
		return out
	case strings.Contains(kind, "array"):
		out := []any{}
		if n.Items != nil && (n.MinItems > 0 || depth < 2) && depth < 5 {
			out = append(out, p.made(strings.TrimSuffix(name, "s"), *n.Items, h, depth+1))
		}
		return out
	case strings.Contains(kind, "integer"), strings.Contains(kind, "number"):
		if n.Minimum != nil {
			return *n.Minimum
		}
		return 1
	case strings.Contains(kind, "boolean"):
		return true
	}
	return "text"
}

// field returns what a field of a body or of a form names.
func (h Holdings) field(name string) (string, bool) {
	v, ok := map[string]string{"warehouseId": h.Warehouse, "warehouse": h.Warehouse, "projectId": h.Project, "runId": h.Run, "beforeRunId": h.Run, "afterRunId": h.Run, "sessionId": h.Session,
		"modelId": h.Model, "objectiveId": h.Objective, "contextType": h.Name, "taskId": h.Task, "session": h.Session, "slug": h.Name,
		"base": h.Run, "parentId": h.Task, "into": h.Name, "token": h.InvitationSecret}[name]
	return v, ok
}

// form returns what forms of pages have in common.
func form(r Route, h Holdings) url.Values {
	out := url.Values{}
	for _, name := range []string{"warehouseId", "warehouse", "projectId", "sessionId", "session", "contextType"} {
		v, _ := h.field(name)
		out.Set(name, v)
	}
	for name, v := range map[string]string{"confirm": h.Name, "sure": "yes", "version": "1", "name": "a name", "message": "hello", "text": "a text", "reason": "a reason", "vote": "like", "comment": "a comment", "act": "save",
		"value": "1", "status": "done", "watch": "yes", "revision": "1", "person": h.Name, "role": "viewer", "model": h.Model, "hour": "1", "query": "SELECT 1", "question": "How many?", "q": "1", "key": h.Name,
		"seen": "1", "days": "3", "extent": "brief", "side": "1", "do": "accept", "decision": "confirm", "cron": "@daily", "zone": "UTC", "maxSteps": "10", "pack": "operations", "document": "{}", "source": "{}", "schema": "{}"} {
		if out.Get(name) == "" {
			out.Set(name, v)
		}
	}
	if out.Set("user", h.Name); strings.HasSuffix(r.Pattern, "/tokens") {
		out.Set("user", "somebody new") // who gets a token is a person of the organisation from then on
	}
	return out
}

// varying is what two answers to the same request may differ in.
var varying = regexp.MustCompile(`"version":\d+|req_[A-Za-z0-9]{16}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b\d{4}-\d\d-\d\dT[0-9:.]+Z`)

// Answer is an answer to a probe.
type Answer struct {
	Status int
	Body   string // as it came; of a stream nothing
}

// Probe makes a request, and reads the answer unless it is a stream.
func (w *World) Probe(q Request) Answer {
	w.T.Helper()
	resp := w.Do(q)
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode == http.StatusOK && strings.Contains(resp.Header.Get("Content-Type"), "event-stream") {
		return Answer{Status: resp.StatusCode}
	}
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		w.T.Fatalf("%s: %v", q.Path, err)
	}
	return Answer{resp.StatusCode, string(raw)}
}

// Without returns the answer without ids, times and names of holdings, which are those of the request.
func (a Answer) Without(h Holdings) string {
	text := a.Body
	for _, name := range []string{h.InvitationSecret, h.ShareSecret, h.Name, h.Job} {
		if len(name) > 3 {
			text = strings.ReplaceAll(text, name, "…")
		}
	}
	return fmt.Sprint(a.Status, " ", varying.ReplaceAllString(text, "…"))
}

// Refused reports whether the answer keeps somebody out.
func (a Answer) Refused() bool {
	return a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden || a.Status == http.StatusNotFound
}

// Hostile returns requests of a route by somebody who may use it, each with one text of its body
// replaced by a value. Texts that name something stay.
func (p *Prober) Hostile(r Route, h Holdings, values ...string) []Request {
	good, err := p.Request(r, h, h)
	op, described := p.paths[r.Pattern][strings.ToLower(r.Method)]
	if err != nil || good.Body == nil {
		return nil
	}
	var out []Request
	add := func(body any) {
		q := good
		q.Body = body
		out = append(out, q)
	}
	for _, value := range values {
		if !described {
			all := form(r, h)
			for name := range all {
				if _, names := h.field(name); !names && name != "version" && name != "sure" {
					one := form(r, h)
					one.Set(name, value)
					add(one.Encode())
				}
			}
			continue
		}
		for _, content := range op.RequestBody.Content {
			var top struct{ Schema node }
			if json.Unmarshal(content, &top) == nil {
				for _, body := range p.spoilt("", top.Schema, h, value, 0) {
					add(body)
				}
			}
		}
	}
	return out
}

// spoilt returns values of a schema that each have one text, optional ones included, replaced.
func (p *Prober) spoilt(name string, n node, h Holdings, value string, depth int) []any {
	if n.Ref != "" {
		n = p.schemas[n.Ref[strings.LastIndex(n.Ref, "/")+1:]]
	}
	_, names := h.field(name)
	kind := string(n.Type)
	switch {
	case depth > 4 || names && name != "session" || len(n.Enum) > 0:
		return nil
	case strings.Contains(kind, "object"):
		whole, _ := p.made(name, n, h, depth).(map[string]any)
		var out []any
		for key, one := range n.Properties {
			for _, v := range p.spoilt(key, one, h, value, depth+1) {
				body := maps.Clone(whole)
				body[key] = v
				out = append(out, body)
			}
		}
		if len(n.Properties) == 0 && len(n.More) > 2 { // a map
			out = append(out, map[string]any{value: "text"}, map[string]any{"text": value})
		}
		return out
	case strings.Contains(kind, "array") && n.Items != nil:
		var out []any
		for _, v := range p.spoilt(strings.TrimSuffix(name, "s"), *n.Items, h, value, depth+1) {
			out = append(out, []any{v})
		}
		return out
	case strings.Contains(kind, "string"), kind == "": // anything is taken
		return []any{value}
	}
	return nil
}
