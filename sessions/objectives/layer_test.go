package objectives_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// mustMerge merges an overlay into the plain objective.
func mustMerge(t *testing.T, overlay string) objectives.Definition {
	t.Helper()
	d, err := merged(t, overlay)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func merged(t *testing.T, overlay string) (objectives.Definition, error) {
	t.Helper()
	base, err := objectives.ParseDefinition([]byte(plain))
	if err != nil {
		t.Fatal(err)
	}
	o, err := objectives.ParseOverlay([]byte(overlay))
	if err != nil {
		return base, err
	}
	before := asJSON(t, base)
	out, err := objectives.Merge(&base, o)
	if diff := cmp.Diff(before, asJSON(t, base)); diff != "" {
		t.Errorf("Merge touched the layer below (-before +after):\n%s", diff)
	}
	return out, err
}

func TestMergeOverridesAddsAndRemoves(t *testing.T) {
	t.Parallel()

	got := mustMerge(t, `{
		"displayName": "Our shop talk",
		"obligations": [
			{"key": "market", "priority": 9, "poolId": "m", "why": "To know."},
			{"key": "country", "prompt": "Where?", "priority": 2, "dependencies": ["market"]}
		],
		"remove": ["size"],
		"pools": {"m": ["Whom do you sell to?"]},
		"phases": {"opening": {"goal": "Begin."}},
		"budget": {"turns": 12}
	}`)

	base, err := objectives.ParseDefinition([]byte(plain))
	if err != nil {
		t.Fatal(err)
	}
	want := base
	market := base.Obligations[0]
	market.Priority, market.PoolID, market.Why = 9, "m", "To know."
	want.Obligations = []obligations.Template{market, {Key: "country", FieldPath: "country", Prompt: "Where?", Priority: 2, Dependencies: []string{"market"},
		Collection: obligations.DirectQuestion, Widget: obligations.Text, MaxAttempts: obligations.DefaultMaxAttempts}}
	want.DisplayName, want.Pools, want.Budget.Turns = "Our shop talk", map[string][]string{"m": {"Whom do you sell to?"}}, 12
	want.Phases.Opening.Goal = "Begin."
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Merge (-want +got):\n%s", diff)
	}
}

func TestMergeOfNothingChangesNothing(t *testing.T) {
	t.Parallel()

	for _, d := range objectives.Shipped() {
		o, err := objectives.ParseOverlay([]byte(`{}`))
		if err != nil {
			t.Fatal(err)
		}
		got, err := objectives.Merge(&d, o)
		if diff := cmp.Diff(asJSON(t, d), asJSON(t, got)); err != nil || diff != "" {
			t.Errorf("%s: %v (-below +merged):\n%s", d.ContextType, err, diff)
		}
	}
}

func TestLayerChangesAndRemovesConstraints(t *testing.T) {
	t.Parallel()

	base, err := objectives.ParseDefinition([]byte(strings.Replace(plain, `"completion"`, `"constraints": [
		{"name": "many", "when": "size > 100 and market == 'x'", "message": "Too many."}, {"name": "few", "when": "size < 1 and market == 'x'", "message": "Too few."}], "completion"`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ overlay, want string }{
		{`{"constraints": [{"name": "many", "remove": true}, {"name": "few", "when": "size < 2 and market == 'x'"}, {"name": "odd", "when": "size == 13 and market == 'x'", "message": "Odd."}]}`, "few size < 2 and market == 'x'; odd size == 13 and market == 'x'; "},
		{`{"constraints": []}`, ""},
		{`{"remove": ["size"]}`, `remove[0]: "size" cannot be removed while something needs it (below.constraints.many.when: `},
		{`{"constraints": [{"name": "few", "when": "size <"}]}`, "constraints[0].when: the condition fails"},
	} {
		o, err := objectives.ParseOverlay([]byte(tt.overlay))
		if err != nil {
			t.Fatal(err)
		}
		d, err := objectives.Merge(&base, o)
		var got string
		for _, c := range d.Constraints {
			got += c.Name + " " + c.When + "; "
		}
		if err != nil {
			got = err.Error()
		}
		if got != tt.want && (err == nil || !strings.HasPrefix(got, tt.want)) {
			t.Errorf("Merge(%s) has %s, want %s", tt.overlay, got, tt.want)
		}
	}
}

func TestNullTakesAway(t *testing.T) {
	t.Parallel()

	d := mustMerge(t, `{"obligations": [{"key": "size", "dependencies": null, "widgetType": null}], "completion": {"minObligationsSatisfied": null}}`)

	if size := d.Obligations[1]; len(size.Dependencies) > 0 || size.Widget != obligations.Text {
		t.Errorf("size = %+v, want no dependencies and a text", size)
	}
	if d.Completion.MinSatisfied != 0 || len(d.Completion.Required) != 1 {
		t.Errorf("completion = %+v, want the number gone and the rest kept", d.Completion)
	}
}

func TestConflictsOfALayerNamePlaceAndRemedy(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ name, overlay, path, says string }{
		{"removing what is not there", `{"remove": ["price"]}`, "remove[0]", `has no obligation "price"; it has: market, size`},
		{"removing what another waits for", `{"remove": ["market"], "completion": {"requiredObligations": []}}`, "remove[0]", "cannot be removed while something needs it"},
		{"removing what is required", `{"remove": ["market"], "obligations": [{"key": "size", "dependencies": []}]}`, "remove[0]", "requiredObligations"},
		{"changed and removed", `{"obligations": [{"key": "size", "priority": 1}], "remove": ["size"]}`, "remove[0]", "keep one of the two"},
		{"changed twice", `{"obligations": [{"key": "size", "priority": 1}, {"key": "size", "priority": 2}]}`, "obligations[1].key", "changed twice"},
		{"without a key", `{"obligations": [{"priority": 1}]}`, "obligations[0].key", "needs the key"},
		{"a field that is none", `{"obligations": [{"key": "size", "prio": 1}]}`, "obligations[0]", `no field "prio"`},
		{"a wrong type", `{"obligations": [{"key": "size", "priority": "high"}]}`, "obligations[0].priority", "must be a whole number"},
		{"a priority out of range, by its place in the layer", `{"obligations": [{"key": "size", "priority": 11}]}`, "obligations[0].priority", "1 to 10"},
		{"a new one without a question", `{"obligations": [{"key": "new", "priority": 1}]}`, "obligations[0].prompt", "missing"},
		{"a pool that is not there", `{"pools": {"x": null}}`, "pools.x", "remove the line"},
		{"a pool twice the same", `{"pools": {"x": ["Who?", "who?"]}}`, "pools.x[1]", "must differ"},
		{"a section that is none", `{"obligation": []}`, "", "obligation"},
		{"keys of a wrong type", `{"remove": [7]}`, "remove[0]", "key of an obligation"},
		{"a name twice", `{"remove": [], "remove": ["size"]}`, "remove", "twice"},
		{"a circle through the layer below", `{"obligations": [{"key": "market", "dependencies": ["size"]}]}`, "obligations[0].dependencies", "market → size → market"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			_, err := merged(t, tt.overlay)

			var listed objectives.Faults
			var one *fault.Error
			if errors.As(err, &listed) {
				one = listed[0]
			} else if !errors.As(err, &one) {
				t.Fatalf("Merge = %v, want a fault", err)
			}
			if one.Field != tt.path || !strings.Contains(one.Message, tt.says) {
				t.Errorf("fault at %q: %s, want one at %q saying %q", one.Field, one.Message, tt.path, tt.says)
			}
		})
	}
}

// ours is a layer on what is shipped.
const ours = `{
  "extends": "business_profile", "version": "9.0.0", "displayName": "Our profile",
  "obligations": [
    {"key": "industry", "priority": 3},
    {"key": "region", "prompt": "Which region?", "why": "To know.", "priority": 5}
  ]
}`

func TestEveryObligationKnowsItsLayer(t *testing.T) {
	t.Parallel()

	library, pool, tenant := newLibrary(t)
	doc, err := objectives.ParseDocument([]byte(ours))
	if err != nil {
		t.Fatal(err)
	}
	o, err := library.Release(t.Context(), tenant, doc, objectives.Signature{})
	if err != nil {
		t.Fatal(err)
	}
	read, err := objectives.NewLibrary(pool).Active(t.Context(), tenant, "business_profile")
	if err != nil {
		t.Fatal(err)
	}
	session, err := library.Overlaid(t.Context(), read, json.RawMessage(`{"obligations": [{"key": "business_overview", "priority": 10}]}`))
	if err != nil {
		t.Fatal(err)
	}

	for key, want := range map[string][2]obligations.Layer{
		"business_overview": {obligations.Shipped, obligations.SessionOnly},
		"industry":          {obligations.TenantLayer, obligations.TenantLayer},
		"region":            {obligations.TenantLayer, obligations.TenantLayer},
	} {
		got := [2]obligations.Layer{read.LayerOf(key), session.LayerOf(key)}
		if got != want {
			t.Errorf("layers of %s for the tenant and the session = %v, want %v", key, got, want)
		}
	}
	if read.Composition == nil || read.Composition.Base != "business_profile "+objectives.Shipped()[0].Version || !strings.Contains(string(read.Composition.Overlay), `{"extends":"business_profile","version":"9.0.0","displayName":"Our profile",`) {
		t.Errorf("layering = %+v, want its base and what was written, in its order", read.Composition)
	}
	if o.ID != read.ID || read.DisplayName != "Our profile" || len(read.Definition.Obligations) != len(objectives.Shipped()[0].Obligations)+1 {
		t.Errorf("active = %s %q with %d obligations", read.ID, read.DisplayName, len(read.Definition.Obligations))
	}
	again, err := library.Overlaid(t.Context(), read, json.RawMessage(`{"obligations": [{"key":"business_overview", "priority":10}]}`))
	if err != nil || again.ID != session.ID {
		t.Errorf("the same overlay again is %s, %v, want %s: sessions share it", again.ID, err, session.ID)
	}
	list, err := library.List(t.Context(), tenant, objectives.AllVersions)
	if err != nil || len(list) != 1 {
		t.Errorf("List = %v, %v, want the tenant's version only", versions(list), err)
	}
}

func TestOverlayOfASessionThatDoesNotFit(t *testing.T) {
	t.Parallel()

	library, _, tenant := newLibrary(t)
	base := mustPublish(t, library, tenant, shop("1.0.0"))
	for _, tt := range []struct{ overlay, path string }{
		{`{"version": "2.0.0"}`, "overlay.version"},
		{`{"extends": "shop"}`, "overlay.extends"},
		{`{"remove": ["nothing"]}`, "overlay.remove[0]"},
		{`{"obligations": [{"key": "industry", "priority": 0}]}`, "overlay.obligations[0].priority"},
		{`[]`, "overlay"},
		{`null`, "overlay"},
		{`{`, "overlay"},
	} {
		_, err := library.Overlaid(t.Context(), base, json.RawMessage(tt.overlay))
		var listed objectives.Faults
		if !errors.As(err, &listed) || listed[0].Field != tt.path {
			t.Errorf("Overlaid(%s) = %v, want a fault at %s", tt.overlay, err, tt.path)
		}
	}
}

func TestVersionsMustRise(t *testing.T) {
	t.Parallel()

	library, _, tenant := newLibrary(t)
	first := mustPublish(t, library, tenant, shop("1.9.0"))
	mustPublish(t, library, tenant, shop("1.10.0"))

	_, err := library.Publish(t.Context(), tenant, obligations.TenantLayer, shop("1.9.9"))

	var f *fault.Error
	if !errors.As(err, &f) || f.Kind != fault.Conflict || f.Code != "version_not_raised" || !strings.Contains(f.Message, "1.10.0") {
		t.Errorf("Publish of a lower version = %v, want a conflict that names 1.10.0", err)
	}
	back, err := library.Activate(t.Context(), tenant, first.ID, objectives.Signature{})
	if err != nil || !back.Active || back.Version != "1.9.0" {
		t.Fatalf("Activate = %+v, %v, want 1.9.0 active", back, err)
	}
	list, err := library.List(t.Context(), tenant, objectives.AllVersions)
	if diff := cmp.Diff([]string{"shop 1.9.0 active", "shop 1.10.0"}, versions(list)); diff != "" || err != nil {
		t.Errorf("List after going back, %v (-want +got):\n%s", err, diff)
	}
	if _, err := library.Publish(t.Context(), tenant, obligations.TenantLayer, shop("1.9.5")); !fault.Is(err, fault.Conflict) {
		t.Errorf("Publish below the highest after going back = %v, want a conflict", err)
	}
	found, err := library.Version(t.Context(), tenant, "shop", "1.10.0")
	if err != nil || found.Active {
		t.Errorf("Version(1.10.0) = %+v, %v, want it there and retired", found, err)
	}
	if _, err := library.Version(t.Context(), tenant, "shop", "7.0.0"); !fault.Is(err, fault.NotFound) {
		t.Errorf("Version(7.0.0) = %v, want not_found", err)
	}
	if _, err := library.Activate(t.Context(), tenant, "nonsense", objectives.Signature{}); !fault.Is(err, fault.NotFound) {
		t.Errorf("Activate(nonsense) = %v, want not_found", err)
	}
}

func TestDiffTellsWhatChanged(t *testing.T) {
	t.Parallel()

	base := mustMerge(t, `{}`)
	next := mustMerge(t, `{"version": "1.1.0", "remove": ["size"], "pools": {"p": ["Who else?"]},
		"obligations": [{"key": "market", "priority": 9, "why": "To know."}, {"key": "country", "prompt": "Where?", "priority": 2}]}`)

	got, err := objectives.DiffOf(&base, &next)
	if err != nil {
		t.Fatal(err)
	}

	var lines []string
	for _, c := range got.Changes {
		lines = append(lines, string(c.Op)+" "+c.Path)
	}
	want := []string{"added obligations.country", "changed obligations.market.priority", "added obligations.market.why", "removed obligations.size", "added pools"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("DiffOf (-want +got):\n%s", diff)
	}
	text := got.Text()
	for _, line := range []string{"shop_talk 1.0.0 → shop_talk 1.1.0", "+ obligations.country: Where?", "~ obligations.market.priority: 5 → 9", "- obligations.size: How many?"} {
		if !strings.Contains(text, line) {
			t.Errorf("Text = %s\nwant a line %q", text, line)
		}
	}
	none, err := objectives.DiffOf(&next, &next)
	if err != nil || len(none.Changes) > 0 || !strings.Contains(none.Text(), "Nothing differs") {
		t.Errorf("DiffOf of the same = %+v, %v", none, err)
	}
	turned := base
	turned.Obligations = slices.Clone(base.Obligations)
	slices.Reverse(turned.Obligations)
	order, err := objectives.DiffOf(&base, &turned)
	if err != nil || len(order.Changes) != 1 || order.Changes[0].Path != "obligations" {
		t.Errorf("DiffOf of another order = %+v, %v, want one change of obligations", order.Changes, err)
	}
}
