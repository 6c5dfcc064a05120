package sessions_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// converse records turns as if they had been held, each with a message and the
// event that told what it taught.
func (j *journal) converse(from, to int) {
	j.t.Helper()
	for turn := from; turn <= to; turn++ {
		b := postgres.NewBatch(j.scope.Tenant)
		sessions.Append(b, j.scope, toldAt(turn, sessions.SessionEvent{Turn: turn}))
		_, _ = b.Exec(j.t.Context(), `INSERT INTO turns (tenant_id, session_id, number, user_id, body_hash, first_seq, instance_id, status)
			SELECT tenant_id, session_id, $3, 'someone', '', last_seq, gen_random_uuid(), 'done' FROM session_heads WHERE tenant_id = $1 AND session_id = $2`, j.scope.Tenant, j.scope.Session, turn)
		sessions.AddMessage(b, j.scope, sessions.Message{Turn: turn, Role: sessions.FromUser, User: "someone", Content: "word", Complete: true})
		sessions.Append(b, j.scope, toldAt(turn, learnt("industry", "Industry", `"bread"`, "", obligations.Satisfied), sessions.DoneEvent{Turn: turn}))
		j.send(b)
	}
	j.exec(`UPDATE elicitation_sessions SET turn_count = $2 WHERE id = $1`, j.scope.Session, to)
}

func (j *journal) unfolded() sessions.PendingSummary {
	j.t.Helper()
	u, err := sessions.NextUnfolded(j.t.Context(), j.pool, j.scope)
	if err != nil {
		j.t.Fatal(err)
	}
	return u
}

func (j *journal) keep(list ...sessions.Summary) {
	j.t.Helper()
	b := postgres.NewBatch(j.scope.Tenant)
	if err := sessions.SaveSummaries(b, j.scope, list); err != nil {
		j.t.Fatal(err)
	}
	j.send(b)
}

func TestSummariesFollowEachOther(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	j.converse(1, 25)

	first := j.unfolded()
	if first.Stretch.SummaryRange != (sessions.SummaryRange{From: 1, To: 10}) || len(first.Line) != 0 || len(first.Stretch.Messages) != 10 || first.Stretch.Known["industry"].Turn != 10 {
		t.Fatalf("the first stretch is %+v after %v", first.Stretch, first.Line)
	}
	made := first.Stretch.Summary("All about bread.", sessions.BuiltIn)
	made.SoFar, made.Degraded, made.Usage = "So far bread.", "timeout", []byte(`{"calls": 1}`)
	made.Research = []sessions.Lookup{{Task: "t", Query: "cheese", Status: "pending", Turn: 3}}
	j.keep(made)

	second := j.unfolded()
	if second.Stretch.SummaryRange != (sessions.SummaryRange{From: 11, To: 20}) || len(second.Stretch.Messages) != 10 {
		t.Errorf("the second stretch is %+v with %d messages", second.Stretch.SummaryRange, len(second.Stretch.Messages))
	}
	if diff := cmp.Diff([]sessions.Summary{made}, second.Line, cmpopts.IgnoreFields(sessions.Summary{}, "At")); diff != "" {
		t.Errorf("the line (-kept +read):\n%s", diff)
	}
	var told string
	var folded int
	b := postgres.NewBatch(j.scope.Tenant)
	sessions.LoadSummary(b, j.scope, &told, &folded)
	j.send(b)
	if told != "So far bread." || folded != 10 {
		t.Errorf("LoadSummary = %q up to turn %d, want what the latest stretch says", told, folded)
	}
}

// Of two that fold the same stretch the first is kept, whole.
func TestStretchIsFoldedOnce(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	j.converse(1, 20)
	u := j.unfolded()
	j.keep(u.Stretch.Summary("The first.", sessions.BuiltIn))
	j.keep(u.Stretch.Summary("The second.", "model other"))

	list, err := sessions.Summaries(t.Context(), j.pool, j.scope, sessions.SummaryPage{})
	if err != nil || len(list) != 1 || list[0].Text != "The first." || list[0].At.IsZero() {
		t.Errorf("Summaries = %+v, %v, want the first alone", list, err)
	}
}

func TestSummariesArePagedByLevel(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	place := func(level, from, to int) sessions.Summary {
		return sessions.Summary{SummaryRange: sessions.SummaryRange{Level: level, From: from, To: to}, Text: "x", By: sessions.BuiltIn, Known: map[string]sessions.ObligationState{}}
	}
	j.keep(place(0, 1, 10), place(0, 11, 20), place(0, 21, 30), place(1, 1, 30))
	for _, tt := range []struct {
		name string
		in   sessions.SummaryPage
		want []int // first turns
	}{
		{"all of the turns", sessions.SummaryPage{}, []int{1, 11, 21}},
		{"one", sessions.SummaryPage{Max: 1}, []int{1}},
		{"after the first", sessions.SummaryPage{After: 1}, []int{11, 21}},
		{"after the last", sessions.SummaryPage{After: 21}, nil},
		{"the level above", sessions.SummaryPage{Level: 1}, []int{1}},
		{"a level there is not", sessions.SummaryPage{Level: 7}, nil},
	} {
		list, err := sessions.Summaries(t.Context(), j.pool, j.scope, tt.in)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, m := range list {
			got = append(got, m.From)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	other := obligations.Scope{Tenant: postgrestest.Tenant(t, j.pool), Session: j.scope.Session}
	if list, err := sessions.Summaries(t.Context(), j.pool, other, sessions.SummaryPage{}); err != nil || len(list) != 0 {
		t.Errorf("another tenant sees %d summaries, %v", len(list), err)
	}
}

// Ranges of a level lie end to end: the table takes no other.
func TestTableRefusesRangesThatOverlap(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	b := postgres.NewBatch(j.scope.Tenant)
	m := sessions.Summary{SummaryRange: sessions.SummaryRange{From: 6, To: 15}, Text: "x", By: sessions.BuiltIn, Known: map[string]sessions.ObligationState{}}
	if err := sessions.SaveSummaries(b, j.scope, []sessions.Summary{m}); err != nil {
		t.Fatal(err)
	}
	if err := b.Send(t.Context(), j.pool); postgres.Constraint(err) != "discovery_session_summaries_aligned" {
		t.Errorf("turns 6 to 15 were kept: %v", err)
	}
	u, err := sessions.NextUnfolded(t.Context(), j.pool, obligations.Scope{Tenant: j.scope.Tenant, Session: uuid.NewString()})
	if err != nil || u.Stretch.From != 1 || len(u.Stretch.Messages) != 0 {
		t.Errorf("NextUnfolded of a session that is not there = %+v, %v", u, err)
	}
}
