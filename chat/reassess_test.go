package chat_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"quaestor/chat"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/migrations"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// rounds starts a queue that reassesses the harness's sessions, and returns
// what runs one round and waits for its end.
func (d *harness) rounds() func() {
	d.t.Helper()
	log := slog.New(slog.DiscardHandler)
	add := chat.Reassessing(chat.ReassessOptions{Editor: sessions.Editor{Pool: d.pool, Hub: d.hub, Library: objectives.NewLibrary(d.pool)}, Log: log,
		Tenants: func(context.Context) ([]string, error) { return []string{d.scope.Tenant}, nil }})
	q, err := research.NewQueue(d.t.Context(), d.pool, research.QueueOptions{Schema: migrations.RiverSchema, Workers: 2, Log: log, Add: []research.AddFunc{add}})
	if err != nil {
		d.t.Fatal(err)
	}
	news, unsubscribe := q.Subscribe(river.EventKindJobCompleted, river.EventKindJobFailed)
	d.t.Cleanup(unsubscribe)
	if err := q.Start(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() {
		if err := q.Stop(context.Background()); err != nil {
			d.t.Errorf("stop the workers: %v", err)
		}
	})
	return func() {
		d.t.Helper()
		if _, err := q.Insert(d.t.Context(), chat.ReassessArgs{}, nil); err != nil {
			d.t.Fatal(err)
		}
		select {
		case e := <-news:
			if e.Job.State != rivertype.JobStateCompleted {
				d.t.Fatalf("the round is %s: %v", e.Job.State, e.Job.Errors)
			}
		case <-time.After(patience):
			d.t.Fatal("the round was never completed")
		}
	}
}

// changed returns the sessions that the next round would look at.
func (d *harness) changed() []string {
	d.t.Helper()
	var ids []string
	b := postgres.NewBatch(d.scope.Tenant)
	obligations.LoadChanged(b, 100, &ids)
	if err := b.Send(d.t.Context(), d.pool); err != nil {
		d.t.Fatal(err)
	}
	return ids
}

// tamper writes what no rule would, as another program may have.
func (d *harness) tamper(sql string) {
	d.t.Helper()
	super := postgrestest.Superuser(d.t, d.pool)
	defer super.Close()
	for _, stmt := range []string{sql, `UPDATE elicitation_sessions SET version = version + 1`} {
		if _, err := super.Exec(d.t.Context(), stmt); err != nil {
			d.t.Fatal(err)
		}
	}
}

func TestRoundFindsWhatOthersLeft(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{objective: dated})
	d.take(d.input(""))
	d.fill(map[string]string{"start": `"2026-03-01"`, "launch": `"2026-09-01"`, "team": `3`})
	round := d.rounds()
	round()
	if ids := d.changed(); len(ids) != 0 {
		t.Fatalf("after a round %v wait for the next", ids)
	}
	d.tamper(`UPDATE elicitation_obligations SET extracted_value = '"2020-01-01"' WHERE obligation_key = 'launch'`)
	before, err := sessions.Head(t.Context(), d.pool, d.scope)
	if err != nil {
		t.Fatal(err)
	}

	round()

	open := d.conflicts(obligations.OpenConflicts)
	if len(open) != 1 || open[0].Constraint != "in_order" {
		t.Errorf("open conflicts %+v, want the constraint's", open)
	}
	told, _, err := sessions.After(t.Context(), d.pool, d.scope, before)
	if err != nil || len(told) == 0 || told[0].Kind != sessions.KindConflict {
		t.Errorf("the log tells %+v, %v, want the conflict first", told, err)
	}
	head, _ := sessions.Head(t.Context(), d.pool, d.scope)
	d.tamper(`SELECT 1`)
	round()
	if again, _ := sessions.Head(t.Context(), d.pool, d.scope); again != head || len(d.conflicts(obligations.AllConflicts)) != 1 {
		t.Error("the second round found the same again")
	}
}

func TestRoundTakesBackWhatRestsOnNothing(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{objective: dated})
	d.take(d.input(""))
	d.fill(map[string]string{"start": `"2026-03-01"`})
	d.tamper(`UPDATE elicitation_obligations SET extracted_value = '7', confidence = 0.6, status = 'partial',
		evidence = '[{"kind": "inferred", "turn": 2, "premises": ["launch"]}]' WHERE obligation_key = 'team'`)

	d.rounds()()

	if o := obligations.Find(d.list(), "team"); o.Value != nil || o.Status != obligations.Pending {
		t.Errorf("team holds %s, %s, though what it followed from is not known", o.Value, o.Status)
	}
	trail, err := obligations.History(t.Context(), d.pool, d.scope, obligations.HistoryPage{Key: "team"})
	if err != nil || trail[len(trail)-1].Source != "reevaluation" {
		t.Errorf("history %+v, %v, want the re-evaluation last", trail, err)
	}
}

func TestRoundLeavesSessionsWithATurnForTheNext(t *testing.T) {
	t.Parallel()

	c, end := slowModel(t)
	d := newHarness(t, c)
	round := d.rounds()
	started := d.start(d.input("We sell bread"))
	d.piece(started.Turn)
	if ids := d.changed(); len(ids) != 0 {
		t.Errorf("a session with a turn would be looked at: %v", ids)
	}

	round()

	end()
	d.ended(started.Turn)
	if ids := d.changed(); len(ids) != 1 {
		t.Errorf("after the turn %v wait for the next round, want the session", ids)
	}
	round()
	if ids := d.changed(); len(ids) != 0 {
		t.Errorf("after the next round %v wait", ids)
	}
}
