package projects_test

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/projects"
)

func at(text string) time.Time {
	out, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		panic(err)
	}
	return out
}

func TestNextTimes(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ cron, zone, after, want string }{
		{"0 6 * * 1", "Europe/Berlin", "2026-03-20 12:00", "2026-03-23 05:00 2026-03-30 04:00 2026-04-06 04:00"},  // summer time begins on the 29th
		{"30 2 * * *", "Europe/Berlin", "2026-03-28 00:00", "2026-03-28 01:30 2026-03-30 00:30 2026-03-31 00:30"}, // 2:30 does not exist on the 29th
		{"@monthly", "UTC", "2026-01-31 23:59", "2026-02-01 00:00 2026-03-01 00:00 2026-04-01 00:00"},
		{"0 0 29 2 *", "UTC", "2026-01-01 00:00", "2028-02-29 00:00"}, // the next one lies too far ahead
	} {
		var got []string
		for _, next := range (projects.Timing{Cron: tt.cron, Zone: tt.zone}).After(at(tt.after), 3) {
			got = append(got, next.Format("2006-01-02 15:04"))
		}
		if !strings.HasPrefix(strings.Join(got, " "), tt.want) {
			t.Errorf("%s in %s: %s, want %s", tt.cron, tt.zone, got, tt.want)
		}
	}
}

func TestScheduleIsStored(t *testing.T) {
	t.Parallel()

	h := open(t)
	ctx, now := t.Context(), at("2026-01-01 00:00")
	p := h.create(t, "Levels")
	if _, err := h.Schedule(ctx, h.tenant, p.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("no schedule: %v", err)
	}
	for name, c := range map[string]struct {
		timing projects.Timing
		field  string
	}{
		"nonsense":          {projects.Timing{Cron: "at six"}, "cron"},
		"seconds":           {projects.Timing{Cron: "0 0 6 * * 1"}, "cron"},
		"a zone inside":     {projects.Timing{Cron: "TZ=UTC 0 6 * * 1"}, "cron"},
		"every second":      {projects.Timing{Cron: "@every 1s"}, "cron"},
		"too often":         {projects.Timing{Cron: "*/5 * * * *"}, "cron"},
		"too close":         {projects.Timing{Cron: "0,10 6 * * *"}, "cron"},
		"close in summer":   {projects.Timing{Cron: "0,50 0,23 30,1 * *"}, "cron"}, // 23:50 on the 30th of April and 0:00 on the 1st of May
		"the 31st of June":  {projects.Timing{Cron: "0 0 31 6 *"}, "cron"},
		"no such day":       {projects.Timing{Cron: "0 0 31 2 *"}, "cron"},
		"no such zone":      {projects.Timing{Cron: "@daily", Zone: "Europe/Atlantis"}, "zone"},
		"the server's zone": {projects.Timing{Cron: "@daily", Zone: "Local"}, "zone"},
		"too many steps":    {projects.Timing{Cron: "@daily", MaxSteps: 1001}, "maxSteps"},
		"another warehouse": {projects.Timing{Cron: "@daily", Warehouse: uuid.NewString()}, "warehouseId"},
	} {
		var f *fault.Error
		if _, err := h.SetSchedule(ctx, h.tenant, p.ID, "ada", 0, c.timing, now); !errors.As(err, &f) || f.Kind != fault.Unprocessable || f.Field != c.field {
			t.Errorf("%s: %v, want a fault of %s", name, err, c.field)
		}
	}
	got, err := h.SetSchedule(ctx, h.tenant, p.ID, "ada", 0, projects.Timing{Cron: " @daily "}, now)
	if err != nil || got.Version != 1 || got.ChangedBy != "ada" || !got.Next.Equal(at("2026-01-02 00:00")) {
		t.Fatalf("SetSchedule = %+v, %v", got, err)
	}
	if diff := cmp.Diff(projects.Timing{Cron: "@daily", Zone: "UTC", MaxSteps: 40}, got.Timing); diff != "" {
		t.Error(diff)
	}
	if got, err = h.SetSchedule(ctx, h.tenant, p.ID, "ada", 1, projects.Timing{Cron: "@daily", Paused: true}, now); err != nil || got.Next != nil || !got.Paused || got.Version != 2 {
		t.Errorf("paused, it is %+v, %v", got, err)
	}
	if err := h.DeleteSchedule(ctx, h.tenant, p.ID, "ada"); err != nil {
		t.Error(err)
	}
	if err := h.DeleteSchedule(ctx, h.tenant, p.ID, "ada"); !fault.Is(err, fault.NotFound) {
		t.Errorf("deleted twice: %v", err)
	}
}

// Who changes a schedule says which version of it they have seen.
func TestScheduleIsChangedByVersion(t *testing.T) {
	t.Parallel()

	h := open(t)
	ctx, now := t.Context(), at("2026-01-01 00:00")
	p := h.create(t, "Levels")
	set := func(version int, cron string) (projects.Schedule, error) {
		return h.SetSchedule(ctx, h.tenant, p.ID, "ada", version, projects.Timing{Cron: cron}, now)
	}
	if _, err := set(1, "@daily"); !fault.Is(err, fault.Conflict) {
		t.Errorf("changing one that is not there: %v", err)
	}
	var won atomic.Int64
	var people sync.WaitGroup
	for range 6 {
		people.Go(func() {
			if _, err := set(0, "@daily"); err == nil {
				won.Add(1)
			} else if !fault.Is(err, fault.Conflict) {
				t.Error(err)
			}
		})
	}
	people.Wait()
	if won.Load() != 1 {
		t.Errorf("%d made the schedule, want 1", won.Load())
	}
	if got, err := set(1, "@weekly"); err != nil || got.Version != 2 {
		t.Errorf("changing the version that is there: %+v, %v", got, err)
	}
	if _, err := set(1, "@monthly"); !fault.Is(err, fault.Conflict) {
		t.Errorf("changing an earlier version: %v", err)
	}
	if got, err := h.Schedule(ctx, h.tenant, p.ID); err != nil || got.Cron != "@weekly" {
		t.Errorf("it is %+v, %v", got, err)
	}
}

// Times that are far enough apart are taken, however many there are.
func TestTimesFarEnoughApart(t *testing.T) {
	t.Parallel()

	h := open(t)
	for _, cron := range []string{"*/15 * * * *", "0,50 0,23 1 * *", "50 1,3 * * *", "0 0 29 2 *", "0,15,30,45 * 31 12 *", "@hourly"} {
		p := h.create(t, cron)
		if _, err := h.SetSchedule(t.Context(), h.tenant, p.ID, "ada", 0, projects.Timing{Cron: cron, Zone: "Europe/Berlin"}, at("2026-01-01 00:00")); err != nil {
			t.Errorf("%s is refused: %v", cron, err)
		}
	}
}

// Several servers look at once, long after several times have passed: one run begins.
func TestWhatIsDueBeginsOnce(t *testing.T) {
	t.Parallel()

	h := open(t)
	ctx := t.Context()
	p := h.create(t, "Levels")
	if _, err := h.SetSchedule(ctx, h.tenant, p.ID, "ada", 0, projects.Timing{Cron: "@daily"}, at("2026-01-01 00:00")); err != nil {
		t.Fatal(err)
	}
	var begun atomic.Int64
	run := uuid.NewString()
	var servers sync.WaitGroup
	for range 8 {
		servers.Go(func() {
			_, err := h.Due(ctx, h.tenant, at("2026-01-09 07:00"), func(_ pgx.Tx, d projects.Schedule) (string, string, error) {
				begun.Add(1)
				if !d.Next.Equal(at("2026-01-02 00:00")) {
					t.Errorf("due is %s", d.Next)
				}
				return run, "", nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	servers.Wait()
	got, err := h.Schedule(ctx, h.tenant, p.ID)
	if err != nil || begun.Load() != 1 || got.Run != run || !got.Next.Equal(at("2026-01-10 00:00")) || !got.Due.Equal(at("2026-01-02 00:00")) {
		t.Errorf("%d runs began; the schedule is %+v, %v", begun.Load(), got, err)
	}
	if found, err := h.Due(ctx, h.tenant, at("2026-01-09 23:59"), nil); found || err != nil {
		t.Errorf("before the next time: %t, %v", found, err)
	}
	if found, err := h.Due(ctx, h.tenant, at("2026-01-10 00:00"), func(pgx.Tx, projects.Schedule) (string, string, error) { return "", "", errors.New("no room") }); found != true || err == nil {
		t.Errorf("a run that could not be begun: %t, %v", found, err)
	}
	if again, err := h.Schedule(ctx, h.tenant, p.ID); err != nil || !again.Next.Equal(at("2026-01-10 00:00")) {
		t.Errorf("after a failure it is due at %s: %v", again.Next, err)
	}
	if found, err := h.Due(ctx, h.another(t).tenant, at("2026-02-01 00:00"), nil); found || err != nil {
		t.Errorf("another tenant: %t, %v", found, err)
	}
}

func TestProjectHasSeveralWarehousesAndABudget(t *testing.T) {
	t.Parallel()

	h := open(t)
	ctx := t.Context()
	second := uuid.NewString()
	if _, err := h.super.Exec(ctx, `INSERT INTO warehouses (tenant_id, id, name, kind) VALUES ($1, $2, 'Stock', 'postgresql')`, h.tenant, second); err != nil {
		t.Fatal(err)
	}
	d := h.draft("Both")
	d.Others, d.Budget = []string{second, h.warehouse, second}, warehouse.Budget{USD: 2.5, Tokens: 1000, Bytes: 1 << 30, Time: 90 * time.Second}
	p, err := h.Create(ctx, h.tenant, "someone", d, "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{h.warehouse, second}, p.Warehouses()); diff != "" || p.Budget != d.Budget {
		t.Errorf("%s; the budget is %+v", diff, p.Budget)
	}
	if err := p.Explores(second); err != nil {
		t.Error(err)
	}
	if err := p.Explores(uuid.NewString()); !fault.Is(err, fault.Unprocessable) {
		t.Errorf("a warehouse of nobody: %v", err)
	}
	if list, err := h.List(ctx, h.tenant, projects.Cursor{}, 10); err != nil || len(list) != 1 || len(list[0].Others) != 1 {
		t.Errorf("List = %+v, %v", list, err)
	}
	d.Others = []string{uuid.NewString()}
	if _, err := h.Update(ctx, h.tenant, p.ID, "someone", 0, d); !fault.Is(err, fault.Unprocessable) {
		t.Errorf("a warehouse of nobody: %v", err)
	}
	d.Others, d.Budget = nil, warehouse.Budget{}
	if p, err = h.Update(ctx, h.tenant, p.ID, "someone", 0, d); err != nil || len(p.Others) != 0 || p.Budget != (warehouse.Budget{}) {
		t.Errorf("Update = %+v, %v", p, err)
	}
}
