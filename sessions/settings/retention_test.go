package settings_test

import (
	"context"
	"log/slog"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/riverqueue/river"

	"quaestor/internal/fault"
	"quaestor/migrations"
	"quaestor/obligations"
	"quaestor/sessions/settings"
)

// monthAndWeek keep finished interviews for 30 days and open ones for 7.
var monthAndWeek = settings.Values{KeptFinishedDays: 30, KeptIdleDays: 7}

func TestWhatIsOverItsTimeIsDeletedAndNothingElse(t *testing.T) {
	t.Parallel()

	h := open(t)
	other := h.another()
	gone := map[string]obligations.Scope{
		"completed":   h.session("ada", "completed", "completed", 30),
		"budget":      h.session("ada", "active", "budget", 31),
		"handed over": h.session("ada", "active", "handed_over", 40),
		"idle":        h.session("ada", "active", "", 7),
		"left":        h.session("ada", "active", "left", 8),
	}
	kept := map[string]obligations.Scope{
		"young and completed": h.session("ada", "completed", "completed", 29),
		"young and idle":      h.session("ada", "active", "", 6),
		"of another":          other.session("ada", "completed", "completed", 90),
		"held":                h.session("ada", "completed", "completed", 90),
		"in a turn":           h.session("ada", "active", "", 90),
	}
	if err := settings.Hold(t.Context(), h.pool, kept["held"], "max", "A dispute"); err != nil {
		t.Fatal(err)
	}
	h.turn(kept["in a turn"])
	h.task("ada", "completed", 30)
	h.task("ada", "pending", 90)
	h.task("ada", "failed", 29)
	other.task("ada", "completed", 90)
	want := settings.Due{Finished: 3, Idle: 2, Research: 1, Held: 1}
	for range 2 { // counting changes nothing
		if due, err := settings.Forecast(t.Context(), h.pool, h.tenant, monthAndWeek); err != nil || due != want {
			t.Fatalf("the forecast is %+v, %v; want %+v", due, err, want)
		}
	}

	did, err := settings.Sweep(t.Context(), h.pool, h.tenant, monthAndWeek)

	want.Held = 0
	if err != nil || did != want {
		t.Errorf("the sweep deleted %+v, %v; want %+v", did, err, want)
	}
	for name, s := range gone {
		if h.there(s) {
			t.Errorf("%s is still there", name)
		}
	}
	for name, s := range kept {
		if !h.there(s) {
			t.Errorf("%s is gone", name)
		}
	}
	if h.count("discovery_research_tasks") != 2 || other.count("discovery_research_tasks") != 1 || h.count("messages") != 4 {
		t.Errorf("%d pieces of research and %d messages are left", h.count("discovery_research_tasks"), h.count("messages"))
	}
	checkJournal(t, h, gone)
	if again, err := settings.Sweep(t.Context(), h.pool, h.tenant, monthAndWeek); err != nil || !again.None() {
		t.Errorf("a second sweep deletes %+v, %v", again, err)
	}
}

// checkJournal looks whether each deleted session is named, once, under its rule.
func checkJournal(t *testing.T, h house, gone map[string]obligations.Scope) {
	t.Helper()
	lines, err := settings.Journal(t.Context(), h.pool, h.tenant, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]string{}
	research := 0
	for _, l := range lines {
		if l.Kind != settings.Deleted {
			continue
		}
		if l.Actor != "" {
			t.Errorf("%q is said to have deleted by rule", l.Actor)
		}
		for _, id := range l.Detail.Sessions {
			named[id] = l.Detail.Rule
		}
		research += l.Detail.Count
	}
	for name, s := range gone {
		want := "finished"
		if slices.Contains([]string{"idle", "left"}, name) {
			want = "idle"
		}
		if named[s.Session] != want {
			t.Errorf("%s is written down under %q, want %q", name, named[s.Session], want)
		}
	}
	if len(named) != len(gone) || research != 1 {
		t.Errorf("the journal names %d sessions and %d pieces of research", len(named), research)
	}
}

func TestZeroDaysKeepForEver(t *testing.T) {
	t.Parallel()

	h := open(t)
	h.session("ada", "completed", "completed", 10_000)
	h.session("ada", "active", "", 10_000)
	h.task("ada", "completed", 10_000)
	if due, err := settings.Forecast(t.Context(), h.pool, h.tenant, settings.Values{}); err != nil || due != (settings.Due{}) {
		t.Errorf("the forecast is %+v, %v", due, err)
	}
	if did, err := settings.Sweep(t.Context(), h.pool, h.tenant, settings.Values{}); err != nil || !did.None() || h.count("elicitation_sessions") != 2 {
		t.Errorf("the sweep deleted %+v, %v", did, err)
	}
}

// Many are deleted batch by batch; what a sweep that was stopped did stays done,
// and the next one goes on.
func TestSweepGoesOnWhereItWasStopped(t *testing.T) {
	t.Parallel()

	h := open(t)
	const all = 60
	for range all {
		h.session("ada", "completed", "completed", 31)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := settings.Sweep(ctx, h.pool, h.tenant, monthAndWeek); err == nil || h.count("elicitation_sessions") != all {
		t.Errorf("a sweep that was stopped at once: %v, %d left", err, h.count("elicitation_sessions"))
	}
	did, err := settings.Sweep(t.Context(), h.pool, h.tenant, monthAndWeek)
	if err != nil || did.Finished != all || h.count("elicitation_sessions") != 0 {
		t.Errorf("the next deleted %+v, %v", did, err)
	}
	if lines := h.count("tenant_journal"); lines != 3 {
		t.Errorf("%d batches are written down, want 3", lines)
	}
}

// Two servers that sweep at once delete everything once.
func TestSweepsSideBySideDeleteOnce(t *testing.T) {
	t.Parallel()

	h := open(t)
	const all = 40
	for range all {
		h.session("ada", "completed", "completed", 31)
	}
	done := make(chan settings.Due)
	for range 2 {
		go func() {
			did, err := settings.Sweep(t.Context(), h.pool, h.tenant, monthAndWeek)
			if err != nil {
				t.Error(err)
			}
			done <- did
		}()
	}
	first, second := <-done, <-done
	rest, err := settings.Sweep(t.Context(), h.pool, h.tenant, monthAndWeek) // what one left because the other was at it
	if err != nil || first.Finished+second.Finished+rest.Finished != all {
		t.Errorf("they deleted %d, %d and %d of %d, %v", first.Finished, second.Finished, rest.Finished, all, err)
	}
}

func TestHoldKeepsEverythingFromDeletingASession(t *testing.T) {
	t.Parallel()

	h := open(t)
	other := h.another()
	s := h.session("ada", "active", "", 1)
	for _, reason := range []string{"", " ", string(make([]rune, 501))} {
		if err := settings.Hold(t.Context(), h.pool, s, "max", reason); !fault.Is(err, fault.Unprocessable) {
			t.Errorf("held without a reason: %v", err)
		}
	}
	for _, wrong := range []obligations.Scope{{Tenant: other.tenant, Session: s.Session}, {Tenant: h.tenant, Session: uuid.NewString()}, {Tenant: h.tenant, Session: "none"}} {
		if err := settings.Hold(t.Context(), h.pool, wrong, "max", "A dispute"); !fault.Is(err, fault.NotFound) {
			t.Errorf("held what is not there: %v", err)
		}
		if err := settings.Release(t.Context(), h.pool, wrong, "max"); !fault.Is(err, fault.NotFound) {
			t.Errorf("released what is not held: %v", err)
		}
	}
	if err := settings.Hold(t.Context(), h.pool, s, "max", " A dispute "); err != nil {
		t.Fatal(err)
	}
	if hold, err := settings.FindHold(t.Context(), h.pool, s); err != nil || hold == nil || hold.Reason != "A dispute" || hold.By != "max" {
		t.Errorf("the hold is %+v, %v", hold, err)
	}
	if list, err := settings.Holds(t.Context(), h.pool, h.tenant); err != nil || len(list) != 1 || list[0].Person != "ada" {
		t.Errorf("held are %+v, %v", list, err)
	}
	if err := settings.Erase(t.Context(), h.pool, s, "ada"); !fault.Is(err, fault.Conflict) {
		t.Errorf("deleted by hand: %v", err)
	}
	if _, err := settings.ErasePerson(t.Context(), h.pool, h.tenant, "ada", "max"); !fault.Is(err, fault.Conflict) {
		t.Errorf("deleted with the person: %v", err)
	}
	if err := settings.Release(t.Context(), h.pool, s, "max"); err != nil {
		t.Fatal(err)
	}
	if err := settings.Erase(t.Context(), h.pool, s, "ada"); err != nil || h.there(s) {
		t.Errorf("after it was released: %v", err)
	}
}

func TestAPersonIsErased(t *testing.T) {
	t.Parallel()

	h := open(t)
	other := h.another()
	mine, theirs := h.session("ada", "active", "", 1), h.session("bob", "active", "", 1)
	foreign := other.session("ada", "active", "", 1)
	h.exec(`INSERT INTO messages (tenant_id, session_id, turn, role, user_id, content) VALUES ($1, $2, 2, 'user', 'ada', 'And I say')`, h.tenant, theirs.Session)
	h.task("ada", "pending", 1)
	h.task("bob", "pending", 1)
	h.exec(`INSERT INTO warehouses (tenant_id, id, name, kind) VALUES ($1, $2, 'Shop', 'duckdb')`, h.tenant, h.objective)
	h.exec(`INSERT INTO warehouse_projects (tenant_id, id, name, pack_slug, pack_version, warehouse_id) VALUES ($1, $2, 'Shop', 'operations', '1', $2)`, h.tenant, h.objective)
	h.exec(`INSERT INTO warehouse_runs (tenant_id, id, project_id, warehouse_id, mask_key, max_steps) VALUES ($1, $2, $2, $2, sha256('a'), 10)`, h.tenant, h.objective)
	for _, who := range []string{"ada", "bob"} {
		h.exec(`INSERT INTO warehouse_feedback (tenant_id, project_id, run_id, target, ref, user_id, vote) VALUES ($1, $2, $2, 'exploration_step', '1', $3, 'like')`, h.tenant, h.objective, who)
		h.exec(`INSERT INTO warehouse_watches (tenant_id, project_id, subject_hash, user_id, subject) VALUES ($1, $2, sha256('a'), $3, 'a')`, h.tenant, h.objective, who)
		h.exec(`INSERT INTO warehouse_alerts (tenant_id, user_id, project_id, run_id, subject, subject_hash, change, insight_run, insight_ref) VALUES ($1, $3, $2, $2, 'a', sha256('a'), 'changed', $2, 'a-1')`, h.tenant, h.objective, who)
	}
	h.turn(mine)
	if _, err := settings.ErasePerson(t.Context(), h.pool, h.tenant, "ada", "max"); !fault.Is(err, fault.Conflict) || h.count("discovery_research_tasks") != 2 || !h.there(mine) {
		t.Fatalf("erased while a turn runs: %v", err)
	}
	h.exec(`UPDATE turns SET status = 'done' WHERE tenant_id = $1`, h.tenant)

	was, err := settings.ErasePerson(t.Context(), h.pool, h.tenant, "ada", "max")

	want := settings.Footprint{Interviews: 1, Elsewhere: 1, Research: 1, Traces: 3}
	if err != nil || was != want {
		t.Errorf("erased was %+v, %v; want %+v", was, err, want)
	}
	if h.there(mine) || !h.there(theirs) || !other.there(foreign) || h.count("discovery_research_tasks") != 1 || h.count("warehouse_feedback") != 1 || h.count("warehouse_watches") != 1 || h.count("warehouse_alerts") != 1 {
		t.Error("something is left, or somebody else's is gone")
	}
	if list, err := settings.Elsewhere(t.Context(), h.pool, h.tenant, "ada"); err != nil || !slices.Equal(list, []string{theirs.Session}) {
		t.Errorf("they still speak in %v, %v", list, err)
	}
}

// The job sweeps all tenants, each under its own settings, and forgets jobs that
// failed long ago.
func TestJobSweepsEachTenantByItsOwnWord(t *testing.T) {
	t.Parallel()

	h := open(t)
	other := h.another()
	short, long := h.session("ada", "completed", "completed", 20), other.session("ada", "completed", "completed", 20)
	days := 10
	if _, err := settings.Save(t.Context(), h.pool, h.tenant, "ada", 0, settings.Policy{KeptFinishedDays: &days, KeptJobsDays: &days}); err != nil {
		t.Fatal(err)
	}
	for _, tenant := range []string{h.tenant, other.tenant} {
		for _, state := range []string{"discarded", "cancelled", "completed"} {
			h.exec(`INSERT INTO `+migrations.RiverSchema+`.river_job (args, kind, max_attempts, state, finalized_at) VALUES (jsonb_build_object('tenant', $1::text), 'any', 1, $2::text::`+migrations.RiverSchema+`.river_job_state, now() - interval '11 days')`, tenant, state)
		}
	}
	workers := river.NewWorkers()
	add := settings.Sweeping(settings.SweepOptions{Pool: h.pool, Server: settings.Values{KeptFinishedDays: 30, KeptJobsDays: 20}, RiverSchema: migrations.RiverSchema, Log: slog.New(slog.DiscardHandler),
		Tenants: func(context.Context) ([]string, error) { return []string{h.tenant, other.tenant}, nil }})
	if err := add(workers); err != nil {
		t.Fatal(err)
	}
	work(t, h.pool, workers, settings.SweepArgs{})
	if h.there(short) || !other.there(long) {
		t.Error("a tenant was swept by the word of another")
	}
	left := 0
	if err := h.super.QueryRow(t.Context(), `SELECT count(*) FROM `+migrations.RiverSchema+`.river_job WHERE args ->> 'tenant' = $1`, h.tenant).Scan(&left); err != nil || left != 1 {
		t.Errorf("%d jobs of the tenant are left, %v; want the one that was done", left, err)
	}
	if err := h.super.QueryRow(t.Context(), `SELECT count(*) FROM `+migrations.RiverSchema+`.river_job WHERE args ->> 'tenant' = $1`, other.tenant).Scan(&left); err != nil || left != 3 {
		t.Errorf("%d jobs of the other tenant are left, %v; want 3", left, err)
	}
}

// Alerts go some days after they were read. What nobody has read stays, however old it is.
func TestReadAlertsGoAfterTheirTime(t *testing.T) {
	t.Parallel()

	h := open(t)
	other := h.another()
	for _, o := range []house{h, other} {
		o.alerts()
	}
	for _, tt := range []struct{ days, left int }{{0, 3}, {180, 2}, {7, 1}} { // 0 keeps them for ever
		if _, err := settings.Sweep(t.Context(), h.pool, h.tenant, settings.Values{KeptAlertsDays: tt.days}); err != nil {
			t.Fatal(err)
		}
		if got := h.count("warehouse_alerts"); got != tt.left {
			t.Errorf("with %d days %d alerts are left, want %d", tt.days, got, tt.left)
		}
	}
	if got := other.count("warehouse_alerts"); got != 3 {
		t.Errorf("%d alerts of another organisation are left, want 3", got)
	}
	if lines, err := settings.Journal(t.Context(), h.pool, h.tenant, 0, 10); err != nil || len(lines) != 2 || lines[0].Detail.Rule != "alerts" || lines[0].Detail.Count != 1 {
		t.Errorf("the journal says %+v, %v", lines, err)
	}
}

// alerts makes three alerts of 400 days ago: read at once, read 30 days ago, and not read.
func (h house) alerts() {
	h.t.Helper()
	warehouse, project := uuid.NewString(), uuid.NewString()
	h.exec(`INSERT INTO warehouses (tenant_id, id, name, kind) VALUES ($1, $2, 'Shop', 'postgresql')`, h.tenant, warehouse)
	h.exec(`INSERT INTO warehouse_projects (tenant_id, id, name, pack_slug, pack_version, warehouse_id) VALUES ($1, $2, 'Shop', 'generic', '1', $3)`, h.tenant, project, warehouse)
	for _, days := range []any{400, 30, nil} {
		run := uuid.NewString()
		h.exec(`INSERT INTO warehouse_runs (tenant_id, id, project_id, warehouse_id, mask_key, max_steps, status, created_by) VALUES ($1, $2, $3, $4, sha256('key'), 10, 'completed', 'ann')`, h.tenant, run, project, warehouse)
		h.exec(`INSERT INTO warehouse_alerts (tenant_id, user_id, project_id, run_id, subject, subject_hash, change, before, insight_run, insight_ref, at, read_at)
			VALUES ($1, 'ann', $2, $3, 's', sha256('s'), 'changed', 'it was', $3, 'a-1', now() - interval '400 days', now() - make_interval(days => $4))`, h.tenant, project, run, days)
	}
}
