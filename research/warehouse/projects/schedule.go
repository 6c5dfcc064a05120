package projects

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/robfig/cron/v3"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/projects/internal/dbsqlc"
)

// Schedule is when a project is explored by itself.
type Schedule struct {
	Project string
	Timing
	Next      *time.Time // when the next run is due, in UTC; nil while it is paused
	Due       *time.Time // the latest time that was due and dealt with; nil for none
	Run       string     // the run that it made last; empty for none
	Note      string     // why the latest time that was due made no run; empty if it made one
	Version   int        // number of the latest change, from 1
	ChangedBy string
	ChangedAt time.Time
}

// Timing is the part of a schedule that people decide.
type Timing struct {
	Cron      string // five fields, as cron has them: minute, hour, day of month, month, day of week; or @hourly, @daily, @weekly, @monthly, @yearly
	Zone      string // time zone by its IANA name; empty means UTC
	Paused    bool
	Warehouse string // id of the connection to explore; empty means the project's default one
	MaxSteps  int    // of each run, 1 to 1000; zero means 40, which the page offers first
	MinSteps  int    // 0 to MaxSteps
}

// The bounds of a schedule.
const (
	scheduledSteps = 40
	mostSteps      = 1000
	// Between two runs: one of 40 steps takes some ten minutes, and a time that comes while it is under
	// way makes no run, so that more often would be less often than it says.
	leastGap    = 15 * time.Minute
	checkedTime = 366 * 24 * time.Hour // whose gaps are checked; a wider gap than a year is wide enough
	ShownTimes  = 3                    // times that are told ahead
)

// fields is the form of a cron expression. Seconds are not part of it.
var fields = cron.NewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow | cron.Descriptor)

// check returns t with its defaults, or the first fault. now is when it is set.
func (t Timing) check(now time.Time) (Timing, error) {
	bad := func(field, format string, args ...any) (Timing, error) {
		return t, fault.New(fault.Unprocessable, format, args...).At(field)
	}
	t.Cron, t.Zone = strings.TrimSpace(t.Cron), cmp.Or(strings.TrimSpace(t.Zone), "UTC")
	t.MaxSteps = cmp.Or(t.MaxSteps, scheduledSteps)
	const form = "must be five fields such as 0 6 * * 1 for Mondays at 6, or @daily, @weekly or @monthly"
	if len(t.Cron) > 200 || strings.Contains(t.Cron, "=") || strings.HasPrefix(t.Cron, "@every") { // a zone has a field of its own
		return bad("cron", form)
	}
	when, err := fields.Parse(t.Cron)
	if err != nil {
		return bad("cron", form)
	}
	if _, err := time.LoadLocation(t.Zone); err != nil || t.Zone == "Local" || len(t.Zone) > 100 {
		return bad("zone", "must be the name of a time zone such as Europe/Berlin")
	}
	switch {
	case t.MaxSteps < 1 || t.MaxSteps > mostSteps:
		return bad("maxSteps", "must be 1 to %d, not %d", mostSteps, t.MaxSteps)
	case t.MinSteps < 0 || t.MinSteps > t.MaxSteps:
		return bad("minSteps", "must be 0 to %d, not %d", t.MaxSteps, t.MinSteps)
	}
	if len(t.After(now, 1)) == 0 {
		return bad("cron", "%s never comes within five years: there is no such day, as the 31st of February; %s", t.Cron, form)
	}
	if first, second, close := tooClose(when, now); close {
		return bad("cron", "its times %s and %s are %d minutes apart; runs must be at least %d minutes apart", first.Format(moment), second.Format(moment), int(second.Sub(first).Minutes()), int(leastGap.Minutes()))
	}
	return t, nil
}

// moment is how a fault writes a time of a schedule.
const moment = "2 January 15:04"

// tooClose returns the first two times within a year of now that are nearer than leastGap. They are those of
// a clock that is never put forward or back, so that an expression is not refused for one night in spring.
func tooClose(when cron.Schedule, now time.Time) (first, second time.Time, close bool) {
	now = now.UTC()
	for at := when.Next(now); !at.IsZero() && at.Sub(now) < checkedTime; at = second {
		if second = when.Next(at); !second.IsZero() && second.Sub(at) < leastGap {
			return at, second, true
		}
	}
	return first, second, false
}

// After returns the next n times that are due after a moment, in UTC, whether or not the schedule is
// paused. Where clocks are put forward, a time that does not exist is left out. There are fewer than n
// if the expression has no more within the next five years.
func (t Timing) After(moment time.Time, n int) []time.Time {
	zone, errZone := time.LoadLocation(t.Zone)
	when, errCron := fields.Parse(t.Cron)
	if errZone != nil || errCron != nil { // refused when it was stored
		return nil
	}
	var out []time.Time
	for at := moment.In(zone); len(out) < n; {
		if at = when.Next(at); at.IsZero() {
			break
		}
		out = append(out, at.UTC())
	}
	return out
}

// next returns the first time after a moment; nil if there is none or the schedule is paused.
func (t Timing) next(moment time.Time) *time.Time {
	times := t.After(moment, 1)
	if t.Paused || len(times) == 0 {
		return nil
	}
	return &times[0]
}

// Schedule returns the schedule of a project, or a NotFound with the code no_schedule.
func (s Store) Schedule(ctx context.Context, tenant, project string) (out Schedule, err error) {
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		row, err := queries.ScheduleFind(ctx, tx, &dbsqlc.ScheduleFindParams{TenantID: tenant, ProjectID: project})
		if errors.Is(err, pgx.ErrNoRows) {
			return errNoSchedule
		}
		out = scheduleFromRow(row)
		return err
	})
	return out, worded(err, "find the schedule of project "+project)
}

// errNoSchedule is the fault of a project without a schedule.
var errNoSchedule = fault.New(fault.NotFound, "the project has no schedule").Coded("no_schedule")

// SetSchedule stores the schedule of a project in place of that of a version, which is 0 for none.
// If it has another version by now it is a Conflict with the code schedule_changed. Times that have passed
// before are not made up for. If t is invalid the error is Unprocessable and names the field.
func (s Store) SetSchedule(ctx context.Context, tenant, project, by string, version int, t Timing, now time.Time) (out Schedule, err error) {
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		p, err := lock(ctx, tx, tenant, project, 0)
		if err != nil {
			return err
		}
		if t, err = t.check(now); err != nil {
			return err
		}
		if err := p.Explores(t.Warehouse); err != nil {
			return err
		}
		if err := sameSchedule(ctx, tx, tenant, project, version); err != nil {
			return err
		}
		row, err := queries.SchedulePut(ctx, tx, &dbsqlc.SchedulePutParams{TenantID: tenant, ProjectID: project, WarehouseID: orNone(t.Warehouse), Cron: t.Cron, Zone: t.Zone,
			MaxSteps: int32(t.MaxSteps), MinSteps: int32(t.MinSteps), NextAt: t.next(now), By: by})
		if err != nil {
			return err
		}
		out = scheduleFromRow(row)
		did := fmt.Sprintf("set the schedule %s in %s for the project", t.Cron, t.Zone)
		if t.Paused {
			did = "paused the schedule of the project"
		}
		return s.note(ctx, tx, tenant, by, p.Name, did)
	})
	return out, worded(err, "set the schedule of project "+project)
}

// sameSchedule is a Conflict if the schedule of a project has another version, 0 standing for none. The
// caller has locked the project.
func sameSchedule(ctx context.Context, tx pgx.Tx, tenant, project string, version int) error {
	row, err := queries.ScheduleFind(ctx, tx, &dbsqlc.ScheduleFindParams{TenantID: tenant, ProjectID: project})
	switch {
	case errors.Is(err, pgx.ErrNoRows) && version == 0:
		return nil
	case errors.Is(err, pgx.ErrNoRows):
		return fault.New(fault.Conflict, "the schedule was removed meanwhile; set it anew").Coded("schedule_changed")
	case err != nil:
		return err
	case int(row.Version) != version:
		return fault.New(fault.Conflict, "the schedule was changed by %s meanwhile and has version %d; look at it again", row.ChangedBy, row.Version).Coded("schedule_changed")
	}
	return nil
}

// DeleteSchedule removes the schedule of a project. A project without one is a NotFound.
func (s Store) DeleteSchedule(ctx context.Context, tenant, project, by string) error {
	err := postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		p, err := lock(ctx, tx, tenant, project, 0)
		if err != nil {
			return err
		}
		n, err := queries.ScheduleDelete(ctx, tx, &dbsqlc.ScheduleDeleteParams{TenantID: tenant, ProjectID: project})
		if err == nil && n == 0 {
			return errNoSchedule
		}
		return cmp.Or(err, s.note(ctx, tx, tenant, by, p.Name, "removed the schedule of the project"))
	})
	return worded(err, "remove the schedule of project "+project)
}

// Due has start begin a run for a schedule of the tenant that is due, and reports whether there was
// one. Of several times that have passed, only one makes a run, and a schedule that another server is
// dealing with is left to it. start gets the project and the time that is due and works in tx; it
// returns the id of the run, or, with none, why there is none in a sentence. What it does and the next
// time are committed together.
func (s Store) Due(ctx context.Context, tenant string, now time.Time, start func(tx pgx.Tx, d Schedule) (run, why string, err error)) (found bool, err error) {
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		row, err := queries.ScheduleDue(ctx, tx, &dbsqlc.ScheduleDueParams{TenantID: tenant, Now: &now})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		found = true
		d := scheduleFromRow(row)
		run, why, err := start(tx, d)
		if err != nil {
			return err
		}
		return queries.ScheduleDone(ctx, tx, &dbsqlc.ScheduleDoneParams{NextAt: d.next(now), LastRun: orNone(run), LastNote: language.Clip(why, maxWhy), TenantID: tenant, ProjectID: d.Project})
	})
	return found, worded(err, "begin the runs that are due of tenant "+tenant)
}

// scheduleFromRow converts a row of the table of schedules.
func scheduleFromRow(r *dbsqlc.WarehouseSchedule) Schedule {
	return Schedule{Project: r.ProjectID, Next: r.NextAt, Due: r.LastDue, Run: orZero(r.LastRun), Note: r.LastNote, Version: int(r.Version), ChangedBy: r.ChangedBy, ChangedAt: r.ChangedAt,
		Timing: Timing{Cron: r.Cron, Zone: r.Zone, Paused: r.NextAt == nil, Warehouse: orZero(r.WarehouseID), MaxSteps: int(r.MaxSteps), MinSteps: int(r.MinSteps)}}
}
