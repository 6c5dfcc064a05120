package mcp_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/auth"
	"quaestor/web/webtest"
)

// arguments are what tools take, of holdings.
func arguments(h webtest.Holdings) map[string]any {
	return map[string]any{"sessionId": h.Session, "warehouseId": h.Warehouse, "projectId": h.Project, "runId": h.Run, "objective": h.Name, "message": "hello", "search": h.Name, "question": "How many?"}
}

// leastOf is the lowest role that every tool answers; a new tool has to be added.
var leastOf = map[string]auth.Role{
	"list_objectives": auth.Viewer, "start_interview": auth.Member, "continue_interview": auth.Member, "get_interview": auth.Viewer, "read_brief": auth.Viewer,
	"list_warehouses": auth.Reviewer, "search_tables": auth.Reviewer, "list_metrics": auth.Reviewer, "ask_warehouse": auth.Reviewer,
	"list_projects": auth.Reviewer, "start_run": auth.Reviewer, "run_status": auth.Reviewer, "list_insights": auth.Reviewer, "list_findings": auth.Reviewer,
}

// given are the arguments that a tool takes, by the schema of its input.
func given(t *testing.T, schema any, all map[string]any) map[string]any {
	t.Helper()
	raw, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	var s struct{ Properties map[string]any }
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	for name := range s.Properties {
		if v, ok := all[name]; ok {
			out[name] = v
		}
	}
	return out
}

// Every tool answers somebody of another organisation as if nothing of this one were there, and
// those below its role with a refusal; neither changes anything.
func TestEveryToolKeepsOrganisationsAndRolesApart(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	mine, nobody := w.Furnish(w.As(w.Tenant, "boss", auth.Owner), w.Tenant, "heron", "ibis"), webtest.Unknown()
	other := connect(t, stranger(t, w))
	ids := regexp.MustCompile(`[0-9a-f-]{36}|heron|unknown`)
	before := w.TextOf(w.Tenant)
	tools, err := other.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		least, known := leastOf[tool.Name]
		if !known {
			t.Errorf("%s has no probe", tool.Name)
			continue
		}
		args := given(t, tool.InputSchema, arguments(mine))
		got, want := words(other.raw(tool.Name, args)), words(other.raw(tool.Name, given(t, tool.InputSchema, arguments(nobody))))
		if diff := cmp.Diff(ids.ReplaceAllString(want, "…"), ids.ReplaceAllString(got, "…")); strings.Contains(got, "ibis") || len(args) > 0 && diff != "" {
			t.Errorf("%s tells another organisation of what there is (-not there +there):\n%s", tool.Name, diff)
		}
		for _, role := range []auth.Role{auth.Viewer, auth.Member} {
			if least == auth.Viewer || least == role {
				break
			}
			c := connect(t, w.As(w.Tenant, "new "+string(role), role))
			if refused := c.raw(tool.Name, args); !refused.IsError || !strings.Contains(words(refused), "role_too_low") {
				t.Errorf("%s answers a %s: %.200s", tool.Name, role, words(refused))
			}
		}
	}
	if len(tools.Tools) != len(leastOf) {
		t.Errorf("there are %d tools, and %d are known here", len(tools.Tools), len(leastOf))
	}
	after := w.TextOf(w.Tenant)
	delete(before, "api_tokens") // of the people above
	delete(after, "api_tokens")
	delete(before, "members")
	delete(after, "members")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("refused calls changed rows (-before +after):\n%s", diff)
	}
}
