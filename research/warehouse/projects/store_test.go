package projects_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"quaestor/internal/fault"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/packs"
	"quaestor/research/warehouse/projects"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is a tenant with a warehouse.
type house struct {
	projects.Store
	super     *pgxpool.Pool
	tenant    string
	warehouse string
}

func open(t *testing.T) house {
	t.Helper()
	pool := postgrestest.DB(t)
	h := house{Store: projects.Store{Pool: pool}, super: postgrestest.Superuser(t, pool)}
	return h.another(t)
}

// another is one more tenant of the same database.
func (h house) another(t *testing.T) house {
	t.Helper()
	h.tenant, h.warehouse = postgrestest.Tenant(t, h.Pool), uuid.NewString()
	if _, err := h.super.Exec(t.Context(), `INSERT INTO warehouses (tenant_id, id, name, kind) VALUES ($1, $2, 'Sales', 'postgresql')`, h.tenant, h.warehouse); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h house) draft(name string) projects.Spec {
	return projects.Spec{Name: name, Pack: packs.Version{Slug: "gaming"}, Category: "match3", Language: "de", Warehouse: h.warehouse, Datasets: []string{"game"},
		Filter: guard.Filter{Column: "app_id", Value: "7"}, Profile: json.RawMessage(`{"game": "A game", "levels_total": 200}`),
		Prompts: map[string]string{packs.AreaText("churn"): "Look: {{QUERY_RESULTS}}"}}
}

func (h house) create(t *testing.T, name string) projects.Project {
	t.Helper()
	p, err := h.Create(t.Context(), h.tenant, "someone", h.draft(name), "")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestProjectIsFoundAsItWasMade(t *testing.T) {
	t.Parallel()

	h := open(t)
	made := h.create(t, " Levels ")
	got, err := h.Find(t.Context(), h.tenant, made.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(made, got); diff != "" {
		t.Errorf("found (-made +found):\n%s", diff)
	}
	builtin, _ := packs.BuiltinBySlug("gaming")
	if got.Name != "Levels" || got.State != projects.Ready || got.Version != 1 || got.Pack != builtin.At() || got.CreatedBy != "someone" || got.Prompts["areas.churn"] == "" || got.Filter.Value != "7" {
		t.Errorf("project = %+v", got)
	}
	for _, id := range []string{uuid.NewString(), "nonsense"} {
		if _, err := h.Find(t.Context(), h.tenant, id); !fault.Is(err, fault.NotFound) {
			t.Errorf("Find(%s) = %v, want not found", id, err)
		}
	}
	other := h.another(t)
	if _, err := h.Find(t.Context(), other.tenant, made.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("another tenant finds it: %v", err)
	}
}

func TestWrongDraftsNameTheirField(t *testing.T) {
	t.Parallel()

	h := open(t)
	h.create(t, "Taken")
	for _, tt := range []struct {
		field  string
		kind   fault.Kind
		change func(d *projects.Spec)
	}{
		{"name", fault.Unprocessable, func(d *projects.Spec) { d.Name = " " }},
		{"name", fault.Unprocessable, func(d *projects.Spec) { d.Name = strings.Repeat("ä", 201) }},
		{"name", fault.Conflict, func(d *projects.Spec) { d.Name = "Taken" }},
		{"language", fault.Unprocessable, func(d *projects.Spec) { d.Language = "English, please" }},
		{"warehouse", fault.Unprocessable, func(d *projects.Spec) { d.Warehouse = "" }},
		{"warehouse", fault.Unprocessable, func(d *projects.Spec) { d.Warehouse = uuid.NewString() }},
		{"datasets", fault.Unprocessable, func(d *projects.Spec) { d.Datasets = []string{""} }},
		{"filter.column", fault.Unprocessable, func(d *projects.Spec) { d.Filter.Column = "" }},
		{"pack", fault.Unprocessable, func(d *projects.Spec) { d.Pack.Slug = "astrology" }},
		{"pack", fault.Unprocessable, func(d *projects.Spec) { d.Pack.Version = "0.0.1" }},
		{"category", fault.Unprocessable, func(d *projects.Spec) { d.Category = "chess" }},
		{"profile.levels_total", fault.Unprocessable, func(d *projects.Spec) { d.Profile = json.RawMessage(`{"levels_total": "many"}`) }},
		{"prompts.areas.churn", fault.Unprocessable, func(d *projects.Spec) { d.Prompts = map[string]string{"areas.churn": "{{WHAT}}"} }},
		{"prompts.areas.none", fault.Unprocessable, func(d *projects.Spec) { d.Prompts = map[string]string{"areas.none": "{{QUERY_RESULTS}}"} }},
	} {
		d := h.draft("New")
		tt.change(&d)
		_, err := h.Create(t.Context(), h.tenant, "someone", d, "")
		if !fault.Is(err, tt.kind) || !strings.HasPrefix(fmt.Sprint(err), tt.field+": ") {
			t.Errorf("Create = %v, want %s at %s", err, tt.kind, tt.field)
		}
	}
}

func TestAllFaultsOfAProfileAreNamed(t *testing.T) {
	t.Parallel()

	h := open(t)
	d := h.draft("New")
	d.Profile = json.RawMessage(`{"levels_total": 0, "platforms": ["fax"], "colour": "blue"}`)
	_, err := h.Create(t.Context(), h.tenant, "someone", d, "")
	for _, want := range []string{"levels_total", "platforms[0]", "colour"} {
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("Create = %v, want %s named", err, want)
		}
	}
}

func TestUpdateKeepsToTheVersionSeen(t *testing.T) {
	t.Parallel()

	h := open(t)
	p := h.create(t, "Levels")
	d := h.draft("Levels and lives")
	d.Prompts = nil
	got, err := h.Update(t.Context(), h.tenant, p.ID, "another", p.Version, d)
	if err != nil || got.Version != 2 || got.Name != "Levels and lives" || got.ChangedBy != "another" || len(got.Prompts) != 0 || got.CreatedBy != "someone" {
		t.Fatalf("Update = %+v, %v", got, err)
	}
	if _, err := h.Update(t.Context(), h.tenant, p.ID, "someone", p.Version, d); !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "another") {
		t.Errorf("Update of the version before = %v, want a conflict that names who changed it", err)
	}
	if err := h.Delete(t.Context(), h.tenant, p.ID, "someone", 1); !fault.Is(err, fault.Conflict) {
		t.Errorf("Delete of the version before = %v, want a conflict", err)
	}
	if err := h.Delete(t.Context(), h.tenant, p.ID, "someone", 2); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Find(t.Context(), h.tenant, p.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("Find after Delete = %v", err)
	}
}

func TestListGoesByPages(t *testing.T) {
	t.Parallel()

	h := open(t)
	var want []string
	for i := range 5 {
		want = append([]string{h.create(t, fmt.Sprint("Project ", i)).ID}, want...)
	}
	var got []string
	after := projects.Cursor{}
	for {
		page, err := h.List(t.Context(), h.tenant, after, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, p := range page {
			got = append(got, p.ID)
			after = projects.Cursor{At: p.CreatedAt, ID: p.ID}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
}

func TestStates(t *testing.T) {
	t.Parallel()

	all := []projects.State{projects.GenerationPending, projects.Generation, projects.GenerationDone, projects.Ready}
	may := map[[2]projects.State]bool{
		{projects.GenerationPending, projects.Generation}: true,
		{projects.Generation, projects.GenerationDone}:    true,
		{projects.Generation, projects.GenerationPending}: true,
		{projects.GenerationDone, projects.Ready}:         true,
		{projects.GenerationDone, projects.Generation}:    true,
	}
	for _, from := range all {
		for _, to := range all {
			err := from.To(to)
			if (err == nil) != may[[2]projects.State{from, to}] {
				t.Errorf("%s to %s: %v", from, to, err)
			}
			if err != nil && (!fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), string(from))) {
				t.Errorf("%s to %s: %v, want a conflict that names %s", from, to, err, from)
			}
		}
		if err := from.MayRun(); (err == nil) != (from == projects.Ready) {
			t.Errorf("%s may run: %v", from, err)
		}
	}
}

func TestPacksAreImportedOnce(t *testing.T) {
	t.Parallel()

	h := open(t)
	builtin, _ := packs.BuiltinBySlug("social")
	mine := *builtin
	mine.Slug, mine.Version = "my-club", "2"
	envelope, err := mine.Export()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if v, err := h.Import(t.Context(), h.tenant, "someone", envelope); err != nil || v.String() != "my-club@2" {
			t.Fatalf("Import = %s, %v", v, err)
		}
	}
	mine.Description = "another"
	if envelope, err = mine.Export(); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Import(t.Context(), h.tenant, "someone", envelope); !fault.Is(err, fault.Conflict) {
		t.Errorf("another pack of the same version: %v, want a conflict", err)
	}
	mine.Version, mine.Areas.Base = "3", mine.Areas.Base[:1]
	if envelope, err = mine.Export(); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Import(t.Context(), h.tenant, "someone", envelope); !fault.Is(err, fault.Unprocessable) {
		t.Errorf("a pack with one area: %v, want unprocessable", err)
	}

	d := h.draft("Club")
	d.Pack, d.Category, d.Profile, d.Prompts = packs.Version{Slug: "my-club"}, "content_sharing", nil, nil
	p, err := h.Create(t.Context(), h.tenant, "someone", d, "")
	if err != nil || p.Pack.String() != "my-club@2" {
		t.Fatalf("Create = %+v, %v", p, err)
	}
	if got, err := h.Pack(t.Context(), h.tenant, p.Pack); err != nil || got.Name != "Social" {
		t.Errorf("Pack = %+v, %v", got, err)
	}
	listed, err := h.Packs(t.Context(), h.tenant)
	if err != nil || len(listed) != len(packs.Builtin())+1 || !listed[0].Builtin || listed[2].String() != "my-club@2" || listed[2].By != "someone" {
		t.Errorf("Packs = %+v, %v", listed, err)
	}
	other := h.another(t)
	if _, err := h.Pack(t.Context(), other.tenant, p.Pack); !fault.Is(err, fault.Unprocessable) {
		t.Errorf("another tenant has it: %v", err)
	}
}

// A server that brings a newer pack must not take the old one from its projects.
func TestVersionOfABuiltinPackStaysWithItsProject(t *testing.T) {
	t.Parallel()

	h := open(t)
	p := h.create(t, "Levels")
	if _, err := h.super.Exec(t.Context(), `UPDATE warehouse_packs SET version = '0.9', document = replace(document, '"version": "1.0.0"', '"version": "0.9"') WHERE tenant_id = $1`, h.tenant); err != nil {
		t.Fatal(err)
	}
	got, err := h.Pack(t.Context(), h.tenant, packs.Version{Slug: "gaming", Version: "0.9"})
	if err != nil || got.Version != "0.9" || len(got.Faults()) > 0 {
		t.Errorf("the version that came along before: %v", err)
	}
	if newest, err := h.Pack(t.Context(), h.tenant, packs.Version{Slug: "gaming"}); err != nil || newest.At() != p.Pack {
		t.Errorf("the newest: %v, %v", newest.At(), err)
	}
}

func TestFeedbackIsPerPersonAndKeepsItsHistory(t *testing.T) {
	t.Parallel()

	h := open(t)
	p, run := h.create(t, "Levels"), uuid.NewString()
	say := func(user string, vote projects.Vote, comment string) {
		t.Helper()
		f := projects.Feedback{Project: p.ID, Run: run, Target: projects.OfStep, Ref: "3", About: "share of fails by level", User: user, Vote: vote, Comment: comment}
		if err := h.Judge(t.Context(), h.tenant, f); err != nil {
			t.Fatal(err)
		}
	}
	say("ann", projects.Dislike, "known")
	say("bob", projects.Like, "")
	say("ann", projects.Like, "not known after all ")
	say("ann", projects.Like, "not known after all")
	say("cleo", projects.Dislike, "no")
	say("cleo", projects.NoVote, "")

	now, err := h.Feedback(t.Context(), h.tenant, p.ID, run)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range now {
		got = append(got, fmt.Sprint(f.User, " ", f.Vote, " ", f.Comment, " ", f.About))
	}
	if diff := cmp.Diff([]string{"ann like not known after all share of fails by level", "bob like  share of fails by level"}, got); diff != "" {
		t.Errorf("what they think now (-want +got):\n%s", diff)
	}
	history, err := h.FeedbackHistory(t.Context(), h.tenant, p.ID, run, projects.OfStep, "3")
	if err != nil || len(history) != 5 || history[0].Comment != "known" {
		t.Errorf("history = %+v, %v", history, err)
	}
	if all, err := h.Feedback(t.Context(), h.tenant, p.ID, ""); err != nil || len(all) != 2 {
		t.Errorf("of all runs: %v, %v", all, err)
	}
	if none, err := h.Feedback(t.Context(), h.tenant, p.ID, uuid.NewString()); err != nil || len(none) != 0 {
		t.Errorf("of another run: %v, %v", none, err)
	}
}

func TestWrongFeedback(t *testing.T) {
	t.Parallel()

	h := open(t)
	p := h.create(t, "Levels")
	sound := projects.Feedback{Project: p.ID, Run: uuid.NewString(), Target: projects.OfInsight, Ref: "churn-1", User: "ann", Vote: projects.Like}
	for _, tt := range []struct {
		kind   fault.Kind
		change func(f *projects.Feedback)
	}{
		{fault.Unprocessable, func(f *projects.Feedback) { f.Target = "page" }},
		{fault.Unprocessable, func(f *projects.Feedback) { f.Vote = "maybe" }},
		{fault.Unprocessable, func(f *projects.Feedback) { f.Ref = "" }},
		{fault.Unprocessable, func(f *projects.Feedback) { f.Comment = strings.Repeat("x", 2001) }},
		{fault.NotFound, func(f *projects.Feedback) { f.Project = uuid.NewString() }},
	} {
		f := sound
		tt.change(&f)
		if err := h.Judge(t.Context(), h.tenant, f); !fault.Is(err, tt.kind) {
			t.Errorf("Judge(%+v) = %v, want %s", f, err, tt.kind)
		}
	}
	other := h.another(t)
	if err := h.Judge(t.Context(), other.tenant, sound); !fault.Is(err, fault.NotFound) {
		t.Errorf("another tenant judges: %v", err)
	}
}

// A name stands in titles and in prompts, so it has nothing that people cannot see.
func TestNamesAreWhatPeopleSee(t *testing.T) {
	t.Parallel()

	if p := open(t).create(t, " Lev\u202eels \u200b of\U000e0068 players"); p.Name != "Levels of players" {
		t.Errorf("the project is called %q", p.Name)
	}
}
