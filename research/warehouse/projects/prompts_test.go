package projects_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/packs"
	"quaestor/research/warehouse/projects"
)

func TestLines(t *testing.T) {
	t.Parallel()

	for _, c := range []struct{ before, now, want string }{
		{"a\nb\nc", "a\nc\nd", " a,-b, c,+d"}, {"", "x", "-,+x"}, {"a\r\nb", "a\nb", " a, b"}, {"a", "b", "-a,+b"}, {"x\ny", "y", "-x, y"},
	} {
		var got []string
		for _, l := range projects.Lines(c.before, c.now) {
			mark := l.Mark
			if mark == "" {
				mark = " "
			}
			got = append(got, mark+l.Text)
		}
		if diff := cmp.Diff(c.want, strings.Join(got, ",")); diff != "" {
			t.Errorf("%q and %q (-want +got):\n%s", c.before, c.now, diff)
		}
	}
}

// tea is a version of a pack.
func (h house) tea(t *testing.T, version, about, advice string, areas ...string) packs.Version {
	t.Helper()
	o := packs.Outline{Slug: "tea", Name: "Tea", Version: version, Context: "# Tea\n\n" + about, Exploration: "Look at leaves.", Recommendations: advice}
	for _, id := range areas {
		o.Areas = append(o.Areas, warehouse.Area{ID: id, Name: id, Description: "About " + id, Keywords: strings.Fields("a b c d e f g h"), Prompt: "Ask."})
	}
	document, err := packs.Compose(o).Export()
	if err != nil {
		t.Fatal(err)
	}
	v, err := h.Import(t.Context(), h.tenant, "ann", document)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// texts returns those of a project by name.
func (h house) texts(t *testing.T, p projects.Project) map[string]projects.Prompt {
	t.Helper()
	pack, err := h.Pack(t.Context(), h.tenant, p.Pack)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]projects.Prompt{}
	for _, one := range p.PromptsOver(pack) {
		out[one.Name] = one
	}
	return out
}

func TestPromptsAreChangedAndTakenBack(t *testing.T) {
	t.Parallel()

	h := open(t)
	v := h.tea(t, "1", "Green.", "Brew.", "x", "y", "z")
	p, err := h.Create(t.Context(), h.tenant, "ann", projects.Spec{Name: "Tea", Pack: v, Warehouse: h.warehouse}, "")
	if err != nil {
		t.Fatal(err)
	}
	bad := "Ask {{WHOM}} about {{QUERY_RESULTS}}"
	_, err = h.SetPrompt(t.Context(), h.tenant, p.ID, "ann", p.Version, "areas.x", &bad)
	if !fault.Is(err, fault.Unprocessable) || !strings.Contains(err.Error(), "{{WHOM}}") || !strings.Contains(err.Error(), "{{PROFILE}}") {
		t.Errorf("an unknown placeholder: %v", err)
	}
	if _, err := h.SetPrompt(t.Context(), h.tenant, p.ID, "ann", 0, "areas.none", &bad); !fault.Is(err, fault.NotFound) {
		t.Errorf("an unknown text: %v", err)
	}
	own := "# Mine\r\n\r\n{{QUERY_RESULTS}}\r\n"
	p, err = h.SetPrompt(t.Context(), h.tenant, p.ID, "ann", p.Version, "areas.x", &own)
	if err != nil {
		t.Fatal(err)
	}
	if got := h.texts(t, p)["areas.x"]; !got.Own || got.Now != "# Mine\n\n{{QUERY_RESULTS}}" || !strings.Contains(got.Pack, "About x") {
		t.Errorf("got %+v", got)
	}
	if _, err := h.SetPrompt(t.Context(), h.tenant, p.ID, "ann", p.Version-1, "areas.x", nil); !fault.Is(err, fault.Conflict) {
		t.Errorf("an old version: %v", err)
	}
	same := h.texts(t, p)["areas.x"].Pack
	for _, back := range []*string{&same, nil} {
		if p, err = h.SetPrompt(t.Context(), h.tenant, p.ID, "ann", 0, "areas.x", back); err != nil || h.texts(t, p)["areas.x"].Own {
			t.Errorf("it is not taken back: %+v, %v", p.Prompts, err)
		}
	}
}

func TestUpgradeIsAMergeOfThree(t *testing.T) {
	t.Parallel()

	h := open(t)
	v := h.tea(t, "1", "Green.", "Brew.", "x", "y", "z", "gone")
	own := map[string]string{packs.ContextText: "My field.", packs.RecommendationsText: "My advice on {{INSIGHTS_DATA}}", "areas.y": "My y of {{QUERY_RESULTS}}", "areas.gone": "My gone of {{QUERY_RESULTS}}"}
	p, err := h.Create(t.Context(), h.tenant, "ann", projects.Spec{Name: "Tea", Pack: v, Warehouse: h.warehouse, Prompts: own}, "")
	if err != nil {
		t.Fatal(err)
	}
	if u, err := h.UpgradeOf(t.Context(), h.tenant, p); err != nil || u != nil {
		t.Errorf("there is no newer version: %+v, %v", u, err)
	}
	if _, err := h.Upgrade(t.Context(), h.tenant, p.ID, "ann", 0, nil); !fault.Is(err, fault.Conflict) {
		t.Errorf("upgraded to the same: %v", err)
	}
	h.tea(t, "2", "Green and black.", "Brew well.", "x", "y", "z", "more")
	u, err := h.UpgradeOf(t.Context(), h.tenant, p)
	if err != nil || u == nil {
		t.Fatalf("%+v, %v", u, err)
	}
	got := map[string]projects.Change{}
	for _, one := range u.Prompts {
		got[one.Name] = one.Change
	}
	want := map[string]projects.Change{packs.ContextText: projects.Both, packs.ExplorationText: projects.Unchanged, "areas.x": projects.Unchanged, "areas.y": projects.Kept, "areas.z": projects.Unchanged,
		"areas.more": projects.Added, "areas.gone": projects.Removed, packs.RecommendationsText: projects.Both}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := h.Upgrade(t.Context(), h.tenant, p.ID, "ann", p.Version, map[string]string{packs.ContextText: projects.TakePack}); !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "Recommendations") {
		t.Errorf("nobody chose: %v", err)
	}
	p, err = h.Upgrade(t.Context(), h.tenant, p.ID, "ann", p.Version, map[string]string{packs.ContextText: projects.TakePack, packs.RecommendationsText: projects.KeepOwn})
	if err != nil || p.Pack.Version != "2" {
		t.Fatalf("%+v, %v", p.Pack, err)
	}
	if diff := cmp.Diff(map[string]string{packs.RecommendationsText: own[packs.RecommendationsText], "areas.y": own["areas.y"]}, p.Prompts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if text := h.texts(t, p)[packs.ContextText].Now; !strings.Contains(text, "Green and black.") {
		t.Errorf("the context is %s", text)
	}
}
