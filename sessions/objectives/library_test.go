package objectives_test

import (
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"quaestor/internal/fault"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// newLibrary returns a library and a tenant that has no objectives yet.
func newLibrary(t *testing.T) (*objectives.Library, *pgxpool.Pool, string) {
	t.Helper()
	pool := postgrestest.DB(t)
	return objectives.NewLibrary(pool), pool, postgrestest.Tenant(t, pool)
}

// shop is a definition in a version.
func shop(version string) objectives.Definition {
	d := objectives.Shipped()[0]
	d.ContextType, d.Version, d.DisplayName = "shop", version, "Shop "+version
	return d
}

func mustPublish(t *testing.T, l *objectives.Library, tenant string, d objectives.Definition) objectives.Objective {
	t.Helper()
	o, err := l.Publish(t.Context(), tenant, obligations.TenantLayer, d)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// versions are "context version" of objectives, marked when active.
func versions(list []objectives.Objective) []string {
	out := make([]string, len(list))
	for i, o := range list {
		out[i] = o.ContextType + " " + o.Version
		if o.Active {
			out[i] += " active"
		}
	}
	return out
}

func TestPublishKeepsOneActiveVersionOfAContext(t *testing.T) {
	t.Parallel()

	library, pool, tenant := newLibrary(t)
	first := mustPublish(t, library, tenant, shop("1.0.0"))
	second := mustPublish(t, library, tenant, shop("1.1.0"))
	mustPublish(t, library, tenant, objectives.Shipped()[1])

	active, err := library.Active(t.Context(), tenant, "shop")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(second, active); diff != "" {
		t.Errorf("Active (-published +got):\n%s", diff)
	}
	old, err := objectives.NewLibrary(pool).Find(t.Context(), tenant, first.ID)
	if err != nil || old.Active || old.Version != "1.0.0" || old.Layer != obligations.TenantLayer {
		t.Errorf("Find of the first version = %+v, %v, want it there and retired", old, err)
	}
	if diff := cmp.Diff(asJSON(t, shop("1.0.0")), asJSON(t, *old.Definition)); diff != "" {
		t.Errorf("its definition (-published +read):\n%s", diff)
	}
	for _, tt := range []struct {
		which objectives.VersionFilter
		want  []string
	}{
		{objectives.OnlyActive, []string{"idea_discovery " + objectives.Shipped()[1].Version + " active", "shop 1.1.0 active"}},
		{objectives.AllVersions, []string{"idea_discovery " + objectives.Shipped()[1].Version + " active", "shop 1.1.0 active", "shop 1.0.0"}},
	} {
		list, err := library.List(t.Context(), tenant, tt.which)
		if diff := cmp.Diff(tt.want, versions(list)); diff != "" || err != nil {
			t.Errorf("List(%s), %v (-want +got):\n%s", tt.which, err, diff)
		}
	}
}

func asJSON(t *testing.T, d objectives.Definition) string {
	t.Helper()
	out, err := json.MarshalIndent(d, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestPublishedVersionNeverChanges(t *testing.T) {
	t.Parallel()

	library, _, tenant := newLibrary(t)
	mustPublish(t, library, tenant, shop("1.0.0"))
	mustPublish(t, library, tenant, shop("2.0.0"))
	again := shop("1.0.0")
	again.DisplayName = "Another shop"

	_, err := library.Publish(t.Context(), tenant, obligations.TenantLayer, again)

	if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "1.0.0") {
		t.Errorf("Publish of a version that is there = %v, want a conflict that names it", err)
	}
	list, err := library.List(t.Context(), tenant, objectives.AllVersions)
	if diff := cmp.Diff([]string{"shop 2.0.0 active", "shop 1.0.0"}, versions(list)); diff != "" || err != nil {
		t.Errorf("List, %v (-want +got):\n%s", err, diff)
	}
}

func TestBrokenDefinitionIsNotPublished(t *testing.T) {
	t.Parallel()

	library, _, tenant := newLibrary(t)
	broken := shop("1.0.0")
	broken.ContextType = "No Slug"

	_, err := library.Publish(t.Context(), tenant, obligations.TenantLayer, broken)

	if kind := fault.KindOf(err); err == nil || kind == fault.Internal {
		t.Errorf("Publish = %v of kind %q, want a fault that can be shown", err, kind)
	}
	if list, err := library.List(t.Context(), tenant, objectives.AllVersions); len(list) > 0 || err != nil {
		t.Errorf("List = %v, %v, want none", versions(list), err)
	}
}

func TestRacingPublishersLeaveOneActive(t *testing.T) {
	t.Parallel()

	library, _, tenant := newLibrary(t)
	var published atomic.Int32
	var all errgroup.Group
	for i := range 8 {
		all.Go(func() error {
			_, err := library.Publish(t.Context(), tenant, obligations.TenantLayer, shop([]string{"1.0.0", "1.1.0", "1.2.0", "1.3.0"}[i/2]))
			if err == nil {
				published.Add(1)
			}
			if fault.Is(err, fault.Conflict) {
				return nil
			}
			return err
		})
	}
	if err := all.Wait(); err != nil {
		t.Errorf("Publish: %v, want success or a conflict", err)
	}

	every, err := library.List(t.Context(), tenant, objectives.AllVersions)
	if err != nil || len(every) != int(published.Load()) || len(every) == 0 {
		t.Errorf("%d versions are there, %v, %d were published", len(every), err, published.Load())
	}
	active, err := library.List(t.Context(), tenant, objectives.OnlyActive)
	if err != nil || len(active) != 1 {
		t.Errorf("active are %v, %v, want one", versions(active), err)
	}
}

func TestShipByFourAtOnceAndAgain(t *testing.T) {
	t.Parallel()

	library, pool, tenant := newLibrary(t)
	var all errgroup.Group
	for range 4 {
		all.Go(func() error { return objectives.NewLibrary(pool).Ship(t.Context(), tenant) })
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	before, err := library.List(t.Context(), tenant, objectives.AllVersions)
	if err != nil {
		t.Fatal(err)
	}

	if err := library.Ship(t.Context(), tenant); err != nil {
		t.Fatal(err)
	}

	var want []string
	for _, d := range objectives.Shipped() {
		want = append(want, d.ContextType+" "+d.Version+" active")
	}
	if diff := cmp.Diff(want, versions(before)); diff != "" {
		t.Errorf("shipped (-want +got):\n%s", diff)
	}
	after, err := library.List(t.Context(), tenant, objectives.AllVersions)
	if diff := cmp.Diff(before, after); diff != "" || err != nil {
		t.Errorf("shipped again, %v (-before +after):\n%s", err, diff)
	}
}

func TestShipLeavesWhatATenantMadeItsOwn(t *testing.T) {
	t.Parallel()

	library, _, tenant := newLibrary(t)
	own := objectives.Shipped()[0]
	own.Version = "0.0.1"
	mustPublish(t, library, tenant, own)
	older := objectives.Shipped()[1]
	older.Version = "0.0.1"
	if _, err := library.Publish(t.Context(), tenant, obligations.Shipped, older); err != nil {
		t.Fatal(err)
	}

	if err := library.Ship(t.Context(), tenant); err != nil {
		t.Fatal(err)
	}

	for contextType, want := range map[string]string{own.ContextType: "0.0.1", older.ContextType: objectives.Shipped()[1].Version} {
		if got, err := library.Active(t.Context(), tenant, contextType); got.Version != want || err != nil {
			t.Errorf("Active(%s) is version %q, %v, want %q", contextType, got.Version, err, want)
		}
	}
}

func TestUnknownContextNamesTheKnown(t *testing.T) {
	t.Parallel()

	library, pool, tenant := newLibrary(t)
	if err := library.Ship(t.Context(), tenant); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"shop", "", "'; --", strings.Repeat("é", 5000)} {
		_, err := library.Active(t.Context(), tenant, name)
		if !fault.Is(err, fault.Unprocessable) || len(err.Error()) > 400 {
			t.Errorf("Active(%.20q) = %v, want a short unprocessable", name, err)
			continue
		}
		for _, d := range objectives.Shipped() {
			if !strings.Contains(err.Error(), d.ContextType) {
				t.Errorf("Active(%.20q) = %v, which does not name %s", name, err, d.ContextType)
			}
		}
	}
	_, err := library.Active(t.Context(), postgrestest.Tenant(t, pool), "business_profile")
	if !fault.Is(err, fault.Unprocessable) || strings.Contains(err.Error(), "idea_discovery") {
		t.Errorf("Active of another tenant = %v, want unprocessable and nothing named", err)
	}
}

// What one tenant read must not be found in memory by another.
func TestLibraryKeepsTenantsApart(t *testing.T) {
	t.Parallel()

	library, pool, tenant := newLibrary(t)
	o := mustPublish(t, library, tenant, shop("1.0.0"))
	other := postgrestest.Tenant(t, pool)

	mine, err := library.Definition(t.Context(), tenant, o.ID)
	if err != nil || mine != o.Definition {
		t.Errorf("Definition = %p, %v, want the one kept at %p", mine, err, o.Definition)
	}
	templates, err := library.Templates(t.Context(), tenant)(o.ID)
	if err != nil || len(templates) != len(o.Definition.Obligations) {
		t.Errorf("Templates = %d, %v, want %d", len(templates), err, len(o.Definition.Obligations))
	}
	for _, tt := range []struct{ name, tenant, id string }{
		{"another tenant's", other, o.ID},
		{"unknown", tenant, uuid.NewString()},
		{"no id", tenant, "nonsense"},
	} {
		_, definition := library.Definition(t.Context(), tt.tenant, tt.id)
		_, find := library.Find(t.Context(), tt.tenant, tt.id)
		_, templates := library.Templates(t.Context(), tt.tenant)(tt.id)
		for what, err := range map[string]error{"Definition": definition, "Find": find, "Templates": templates} {
			if !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: %s = %v, want not_found", tt.name, what, err)
			}
		}
	}
}
