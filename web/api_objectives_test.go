package web

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
)

// tuned is a layer on what is shipped.
const tuned = `{"extends": "business_profile", "version": "8.0.0",
	"obligations": [{"key": "industry", "priority": 2}, {"key": "region", "prompt": "Which region?", "why": "To know.", "priority": 5}],
	"remove": ["competitors"]}`

func TestLayeredObjectiveOverTheAPI(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	shipped := fetch[page[objectiveBody]](w, http.StatusOK, request{path: "/api/v1/objectives"}).Items[0]
	made := fetch[objectiveBody](w, http.StatusCreated, request{path: "/api/v1/objectives", body: tuned})

	got := fetch[objectiveBody](w, http.StatusOK, request{path: "/api/v1/objectives/" + made.ID + "?effective=true"})
	if got.Layers["industry"] != obligations.TenantLayer || got.Layers["business_overview"] != obligations.Shipped || got.Layers["competitors"] != "" {
		t.Errorf("layers = %v", got.Layers)
	}
	if got.Extends != "business_profile "+shipped.Version || got.Definition == nil || got.Obligations != shipped.Obligations || !strings.Contains(string(got.Overlay), "Which region?") {
		t.Errorf("objective = %+v", got)
	}
	own := fetch[objectiveBody](w, http.StatusOK, request{path: "/api/v1/objectives/" + made.ID + "?effective=false"})
	if own.Definition != nil || len(own.Layers) > 0 || len(own.Overlay) == 0 {
		t.Errorf("the layer alone = %+v", own)
	}
	d := fetch[objectives.Diff](w, http.StatusOK, request{path: "/api/v1/objectives/" + made.ID + "/diff?from=" + shipped.ID})
	if text := d.Text(); !strings.Contains(text, "+ obligations.region") || !strings.Contains(text, "- obligations.competitors") || !strings.Contains(text, "~ obligations.industry.priority: 10 → 2") {
		t.Errorf("diff:\n%s", text)
	}
	back := fetch[objectiveBody](w, http.StatusOK, request{method: "POST", path: "/api/v1/objectives/" + shipped.ID + "/activate"})
	if !back.Active || back.ID != shipped.ID {
		t.Errorf("activated = %+v", back)
	}
	resp := w.do(request{path: "/api/v1/objectives", body: strings.Replace(tuned, "8.0.0", "7.9.0", 1)})
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusConflict || !strings.Contains(string(body), "version_not_raised") {
		t.Errorf("a lower version: %d %s", resp.StatusCode, body)
	}
}

func TestOverlaidSessionIsMigratedOverTheAPI(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	body := map[string]any{"contextType": "business_profile", "overlay": json.RawMessage(`{"obligations": [{"key": "mine", "prompt": "Mine?", "priority": 10}]}`)}
	created := fetch[sessionBody](w, http.StatusCreated, request{path: "/api/v1/sessions", body: body})
	type told struct {
		Key         string
		OriginLayer obligations.Layer
	}
	before := fetch[page[told]](w, http.StatusOK, request{path: "/api/v1/sessions/" + created.ID + "/obligations"})
	fetch[objectiveBody](w, http.StatusCreated, request{path: "/api/v1/objectives", body: tuned})
	path := "/api/v1/sessions/" + created.ID + "/migrate"

	trial := fetch[migrationBody](w, http.StatusOK, request{path: path, body: map[string]any{"dryRun": true}})
	real := fetch[migrationBody](w, http.StatusOK, request{path: path, body: map[string]any{"version": "8.0.0"}})

	after := fetch[page[told]](w, http.StatusOK, request{path: "/api/v1/sessions/" + created.ID + "/obligations"})
	if len(before.Items) != len(objectives.Shipped()[0].Obligations)+1 || len(after.Items) != len(before.Items)+1 {
		t.Errorf("%d obligations before, %d after", len(before.Items), len(after.Items))
	}
	if !trial.DryRun || !real.Changed || real.Count(obligations.Added) != 1 || real.Count(obligations.Removed) != 1 || !strings.Contains(real.Text, "removed competitors") {
		t.Errorf("report: %s", real.Text)
	}
	log, _, err := sessions.After(t.Context(), w.pool, obligations.Scope{Tenant: w.tenant, Session: created.ID}, 0)
	if err != nil || len(log) < 3 || log[0].Kind != sessions.KindObligation {
		t.Errorf("log = %d events, %v, want what an open page needs", len(log), err)
	}
}

func TestOverlaysAndMigrationsAreRefused(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	anna, boss := c.people["anna"], c.people["boss"]
	before := c.fingerprint()
	for _, tt := range []struct {
		name   string
		who    *world
		in     request
		status int
		says   string
	}{
		{"overlay that does not fit", anna, request{path: "/api/v1/sessions", body: map[string]any{"contextType": "business_profile", "overlay": map[string]any{"remove": []string{"nothing"}}}}, 422, "overlay.remove[0]"},
		{"overlay with NUL", anna, request{path: "/api/v1/sessions", body: `{"contextType": "business_profile", "overlay": {"displayName": "\u0000"}}`}, 422, "NUL"},
		{"layer on nothing", boss, request{path: "/api/v1/objectives", body: `{"extends": "nowhere", "version": "1.0.0"}`}, 422, "business_profile"},
		{"layer with an unknown field", boss, request{path: "/api/v1/objectives", body: `{"extends": "business_profile", "version": "9.0.0", "obligations": [{"key": "industry", "prio": 1}]}`}, 422, `no field \"prio\"`},
		{"migration by the person", anna, request{path: "/api/v1/sessions/" + c.session + "/migrate", body: map[string]any{}}, 403, "role_too_low"},
		{"migration to no version", boss, request{path: "/api/v1/sessions/" + c.session + "/migrate", body: map[string]any{"version": "77.0.0"}}, 404, "77.0.0"},
		{"migration of a completed session", boss, request{path: "/api/v1/sessions/" + c.completed + "/migrate", body: map[string]any{}}, 409, "session_completed"},
		{"migration of somebody else's session", boss, request{path: "/api/v1/sessions/" + c.foreign + "/migrate", body: map[string]any{}}, 404, "session_not_found"},
		{"activation by a member", anna, request{method: "POST", path: "/api/v1/objectives/abc/activate"}, 403, "role_too_low"},
		{"activation of nothing", boss, request{method: "POST", path: "/api/v1/objectives/abc/activate"}, 404, "objective_not_found"},
		{"schema that cannot be asked for", boss, request{path: "/api/v1/objectives/from-schema", body: `{"type": "object", "properties": {"p": {"not": {}}}}`}, 422, "#/properties/p/not"},
		{"instance of an objective without a schema", anna, request{path: "/api/v1/sessions/" + c.session + "/export?format=json-schema-instance"}, 422, "no_schema"},
	} {
		resp := tt.who.do(tt.in)
		body, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != tt.status || !strings.Contains(string(body), tt.says) {
			t.Errorf("%s: %d %s, want %d saying %q", tt.name, resp.StatusCode, body, tt.status, tt.says)
		}
	}
	if diff := cmp.Diff(before, c.fingerprint()); diff != "" {
		t.Errorf("what was refused changed tables (-before +after):\n%s", diff)
	}
}

func TestSchemaInInstanceOut(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	schema := `{"title": "Team", "type": "object", "required": ["size"], "properties": {"size": {"type": "integer", "description": "How many people work in the team?"}, "version": {"const": 1}}}`
	made := fetch[struct {
		Definition json.RawMessage
		Notes      []objectives.SchemaNote
	}](w, http.StatusOK, request{path: "/api/v1/objectives/from-schema?contextType=team", body: schema})
	if len(made.Notes) != 1 {
		t.Errorf("notes = %v, want the constant", made.Notes)
	}
	fetch[objectiveBody](w, http.StatusCreated, request{path: "/api/v1/objectives", body: string(made.Definition)})
	created := fetch[sessionBody](w, http.StatusCreated, request{path: "/api/v1/sessions", body: map[string]any{"contextType": "team"}})
	export := request{path: "/api/v1/sessions/" + created.ID + "/export?format=json-schema-instance"}
	if resp := w.do(export); resp.StatusCode != http.StatusConflict {
		t.Errorf("export before the answer: %d, want 409", resp.StatusCode)
	}
	w.say(turnBody{SessionID: created.ID})
	w.say(turnBody{SessionID: created.ID, Message: "12"})

	got := fetch[json.RawMessage](w, http.StatusOK, export)

	if !obligations.SameValue(got, json.RawMessage(`{"size": 12, "version": 1}`)) {
		t.Errorf("instance = %s", got)
	}
}

func TestLintTellsPlacesAndWarnings(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	got := fetch[lintBody](w, http.StatusOK, request{path: "/api/v1/objectives/lint", body: strings.Replace(twoLines, `"B?", "priority": 9`, `"B", "priority": 99`, 1)})

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
