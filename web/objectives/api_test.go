package objectives_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web"
	objectivepages "quaestor/web/objectives"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

// tuned is a layer on a shipped objective: one question changed, one added, one removed.
const tuned = `{"extends": "business_profile", "version": "8.0.0",
	"obligations": [{"key": "industry", "priority": 2}, {"key": "region", "prompt": "Which region?", "why": "To know.", "priority": 5}],
	"remove": ["competitors"]}`

func TestLayeredObjectiveOverTheAPI(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	shipped := webtest.Fetch[web.Page[web.ObjectiveBody]](w, http.StatusOK, webtest.Request{Path: "/api/v1/objectives"}).Items[0]
	made := webtest.Fetch[web.ObjectiveBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/objectives", Body: tuned})

	got := webtest.Fetch[web.ObjectiveBody](w, http.StatusOK, webtest.Request{Path: "/api/v1/objectives/" + made.ID + "?effective=true"})
	if got.Layers["industry"] != obligations.TenantLayer || got.Layers["business_overview"] != obligations.Shipped || got.Layers["competitors"] != "" {
		t.Errorf("layers = %v", got.Layers)
	}
	if got.Extends != "business_profile "+shipped.Version || got.Definition == nil || got.Obligations != shipped.Obligations || !strings.Contains(string(got.Overlay), "Which region?") {
		t.Errorf("objective = %+v", got)
	}
	own := webtest.Fetch[web.ObjectiveBody](w, http.StatusOK, webtest.Request{Path: "/api/v1/objectives/" + made.ID + "?effective=false"})
	if own.Definition != nil || len(own.Layers) > 0 || len(own.Overlay) == 0 {
		t.Errorf("the layer alone = %+v", own)
	}
	d := webtest.Fetch[objectives.Diff](w, http.StatusOK, webtest.Request{Path: "/api/v1/objectives/" + made.ID + "/diff?from=" + shipped.ID})
	if text := d.Text(); !strings.Contains(text, "+ obligations.region") || !strings.Contains(text, "- obligations.competitors") || !strings.Contains(text, "~ obligations.industry.priority: 5 → 2") {
		t.Errorf("diff:\n%s", text)
	}
	back := webtest.Fetch[web.ObjectiveBody](w, http.StatusOK, webtest.Request{Method: "POST", Path: "/api/v1/objectives/" + shipped.ID + "/activate"})
	if !back.Active || back.ID != shipped.ID {
		t.Errorf("activated = %+v", back)
	}
	resp := w.Do(webtest.Request{Path: "/api/v1/objectives", Body: strings.Replace(tuned, "8.0.0", "7.9.0", 1)})
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusConflict || !strings.Contains(string(body), "version_not_raised") {
		t.Errorf("a lower version: %d %s", resp.StatusCode, body)
	}
}

func TestOverlaidSessionIsMigratedOverTheAPI(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	body := map[string]any{"contextType": "business_profile", "overlay": json.RawMessage(`{"obligations": [{"key": "mine", "prompt": "Mine?", "priority": 10}]}`)}
	created := webtest.Fetch[web.SessionBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/sessions", Body: body})
	type told struct {
		Key         string
		OriginLayer obligations.Layer
	}
	before := webtest.Fetch[web.Page[told]](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + created.ID + "/obligations"})
	webtest.Fetch[web.ObjectiveBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/objectives", Body: tuned})
	path := "/api/v1/sessions/" + created.ID + "/migrate"

	trial := webtest.Fetch[objectivepages.MigrationBody](w, http.StatusOK, webtest.Request{Path: path, Body: map[string]any{"dryRun": true}})
	real := webtest.Fetch[objectivepages.MigrationBody](w, http.StatusOK, webtest.Request{Path: path, Body: map[string]any{"version": "8.0.0"}})

	after := webtest.Fetch[web.Page[told]](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + created.ID + "/obligations"})
	if len(before.Items) != len(objectives.Shipped()[0].Obligations)+1 || len(after.Items) != len(before.Items)+1 {
		t.Errorf("%d obligations before, %d after", len(before.Items), len(after.Items))
	}
	if !trial.DryRun || !real.Changed || real.Count(obligations.Added) != 1 || real.Count(obligations.Removed) != 1 || !strings.Contains(real.Text, "removed competitors") {
		t.Errorf("report: %s", real.Text)
	}
	log, _, err := sessions.After(t.Context(), w.Pool, obligations.Scope{Tenant: w.Tenant, Session: created.ID}, 0)
	if err != nil || len(log) < 3 || log[0].Kind != sessions.KindObligation {
		t.Errorf("log = %d events, %v, want what an open page needs", len(log), err)
	}
}

func TestOverlaysAndMigrationsAreRefused(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna, boss := c.People["anna"], c.People["boss"]
	before := c.Fingerprint()
	for _, tt := range []struct {
		name   string
		who    *webtest.World
		in     webtest.Request
		status int
		says   string
	}{
		{"overlay that does not fit", anna, webtest.Request{Path: "/api/v1/sessions", Body: map[string]any{"contextType": "business_profile", "overlay": map[string]any{"remove": []string{"nothing"}}}}, 422, "overlay.remove[0]"},
		{"overlay with NUL", anna, webtest.Request{Path: "/api/v1/sessions", Body: `{"contextType": "business_profile", "overlay": {"displayName": "\u0000"}}`}, 422, "NUL"},
		{"layer on nothing", boss, webtest.Request{Path: "/api/v1/objectives", Body: `{"extends": "nowhere", "version": "1.0.0"}`}, 422, "business_profile"},
		{"layer with an unknown field", boss, webtest.Request{Path: "/api/v1/objectives", Body: `{"extends": "business_profile", "version": "9.0.0", "obligations": [{"key": "industry", "prio": 1}]}`}, 422, `no field \"prio\"`},
		{"migration by the person", anna, webtest.Request{Path: "/api/v1/sessions/" + c.Session + "/migrate", Body: map[string]any{}}, 403, "role_too_low"},
		{"migration to no version", boss, webtest.Request{Path: "/api/v1/sessions/" + c.Session + "/migrate", Body: map[string]any{"version": "77.0.0"}}, 404, "77.0.0"},
		{"migration of a completed session", boss, webtest.Request{Path: "/api/v1/sessions/" + c.Completed + "/migrate", Body: map[string]any{}}, 409, "session_completed"},
		{"migration of somebody else's session", boss, webtest.Request{Path: "/api/v1/sessions/" + c.Foreign + "/migrate", Body: map[string]any{}}, 404, "session_not_found"},
		{"activation by a member", anna, webtest.Request{Method: "POST", Path: "/api/v1/objectives/abc/activate"}, 403, "role_too_low"},
		{"activation of nothing", boss, webtest.Request{Method: "POST", Path: "/api/v1/objectives/abc/activate"}, 404, "objective_not_found"},
		{"schema that cannot be asked for", boss, webtest.Request{Path: "/api/v1/objectives/from-schema", Body: `{"type": "object", "properties": {"p": {"not": {}}}}`}, 422, "#/properties/p/not"},
		{"instance of an objective without a schema", anna, webtest.Request{Path: "/api/v1/sessions/" + c.Session + "/export?format=json-schema-instance"}, 422, "no_schema"},
	} {
		resp := tt.who.Do(tt.in)
		body, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != tt.status || !strings.Contains(string(body), tt.says) {
			t.Errorf("%s: %d %s, want %d saying %q", tt.name, resp.StatusCode, body, tt.status, tt.says)
		}
	}
	if diff := cmp.Diff(before, c.Fingerprint()); diff != "" {
		t.Errorf("what was refused changed tables (-before +after):\n%s", diff)
	}
}

func TestSchemaInInstanceOut(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	schema := `{"title": "Team", "type": "object", "required": ["size"], "properties": {"size": {"type": "integer", "description": "How many people work in the team?"}, "version": {"const": 1}}}`
	made := webtest.Fetch[struct {
		Definition json.RawMessage
		Notes      []objectives.SchemaNote
	}](w, http.StatusOK, webtest.Request{Path: "/api/v1/objectives/from-schema?contextType=team", Body: schema})
	if len(made.Notes) != 1 {
		t.Errorf("notes = %v, want the constant", made.Notes)
	}
	webtest.Fetch[web.ObjectiveBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/objectives", Body: string(made.Definition)})
	created := webtest.Fetch[web.SessionBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/sessions", Body: map[string]any{"contextType": "team"}})
	export := webtest.Request{Path: "/api/v1/sessions/" + created.ID + "/export?format=json-schema-instance"}
	if resp := w.Do(export); resp.StatusCode != http.StatusConflict {
		t.Errorf("export before the answer: %d, want 409", resp.StatusCode)
	}
	w.Say(talk.TurnBody{SessionID: created.ID})
	w.Say(talk.TurnBody{SessionID: created.ID, Message: "12"})

	got := webtest.Fetch[json.RawMessage](w, http.StatusOK, export)

	if !obligations.SameValue(got, json.RawMessage(`{"size": 12, "version": 1}`)) {
		t.Errorf("instance = %s", got)
	}
}

func TestLintTellsPlacesAndWarnings(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	got := webtest.Fetch[objectivepages.LintBody](w, http.StatusOK, webtest.Request{Path: "/api/v1/objectives/lint", Body: strings.Replace(webtest.TwoLines, `"B?", "priority": 9`, `"B", "priority": 99`, 1)})

	var found []string
	for _, f := range got.Faults {
		if f.Line == 6 {
			found = append(found, string(f.Severity)+" "+f.Location)
		}
	}
	if want := "warning obligations[1],warning obligations[1].prompt,error obligations[1].priority"; strings.Join(found, ",") != want || got.OK {
		t.Errorf("lint of line 6 = %v, want %s", found, want)
	}
}
