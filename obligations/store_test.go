package obligations_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/auth"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// sameState compares what is stored with what was meant: values by what they
// say.
var sameState = cmp.Comparer(obligations.SameValue)

// shelf is a session in a database of its own.
type shelf struct {
	pool      *pgxpool.Pool
	scope     obligations.Scope
	library   *objectives.Library
	objective objectives.Objective
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	pool := postgrestest.DB(t)
	tenant, err := auth.EnsureTenant(t.Context(), pool, "a tenant")
	if err != nil {
		t.Fatal(err)
	}
	s := &shelf{pool: pool, scope: obligations.Scope{Tenant: tenant.ID, Session: uuid.NewString()}, library: objectives.NewLibrary(pool)}
	if err := s.library.Ship(t.Context(), tenant.ID); err != nil {
		t.Fatal(err)
	}
	if s.objective, err = s.library.Active(t.Context(), tenant.ID, "business_profile"); err != nil {
		t.Fatal(err)
	}
	s.write(t, func(b *postgres.Batch) error {
		return sessions.Create(b, sessions.New{Scope: s.scope, Objective: s.objective, User: "someone"})
	})
	return s
}

// write sends what f queues.
func (s *shelf) write(t *testing.T, f func(b *postgres.Batch) error) {
	t.Helper()
	b := postgres.NewBatch(s.scope.Tenant)
	if err := f(b); err != nil {
		t.Fatal(err)
	}
	if err := b.Send(t.Context(), s.pool); err != nil {
		t.Fatal(err)
	}
}

func (s *shelf) load(t *testing.T) []obligations.Obligation {
	t.Helper()
	var list []obligations.Obligation
	s.write(t, func(b *postgres.Batch) error {
		obligations.Load(b, s.scope, s.library.Templates(t.Context(), s.scope.Tenant), &list)
		return nil
	})
	return list
}

// history reads the audit trail in pages of three.
func (s *shelf) history(t *testing.T, p obligations.HistoryPage) []obligations.Event {
	t.Helper()
	var out []obligations.Event
	p.Max = 3
	for {
		page, err := obligations.History(t.Context(), s.pool, s.scope, p)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			return out
		}
		for _, r := range page {
			if r.At.IsZero() || r.ID <= p.After {
				t.Fatalf("event %+v is out of order or without a time", r)
			}
			out, p.After = append(out, r.Event), r.ID
		}
	}
}

// Events that were written together have much in common, and take a third of their
// bytes; that of a row of some thousand bytes too.
func TestHistoryOfATurnIsKeptCompressed(t *testing.T) {
	t.Parallel()

	s := newShelf(t)
	list := s.load(t)[:3]
	var findings []obligations.Finding
	for _, o := range list {
		findings = append(findings, obligations.Finding{Key: o.Key, Act: obligations.Defer, Reason: strings.Repeat("They want to come back to it when the year is over. ", 6)})
	}
	changes := obligations.Apply(list, findings, 1)
	s.write(t, func(b *postgres.Batch) error { return obligations.Save(b, s.scope, changes) })

	var raw, kept int
	err := postgrestest.Superuser(t, s.pool).QueryRow(t.Context(), `SELECT length(rtrim(events::text)), pg_column_size(events) FROM obligation_trail WHERE session_id = $1 AND turn_number = 1`,
		s.scope.Session).Scan(&raw, &kept)
	if err != nil || raw < 1000 || raw > 2000 || kept > raw*2/3 {
		t.Errorf("history of %d bytes takes %d, %v; want two thirds at most", raw, kept, err)
	}
}

// randomTurn says something of a few obligations.
func randomTurn(rnd *rand.Rand, list []obligations.Obligation, turn int) []obligations.Finding {
	acts := []obligations.Act{obligations.Tell, obligations.Tell, obligations.Correct, obligations.Deny, obligations.Confirm,
		obligations.Defer, obligations.Skip, obligations.Asked, obligations.Reopen}
	kinds := []obligations.EvidenceKind{obligations.Stated, obligations.WidgetInput, obligations.InferredEvidence, obligations.ResearchEvidence}
	out := make([]obligations.Finding, 1+rnd.IntN(3))
	for i := range out {
		o := &list[rnd.IntN(len(list))]
		e := obligations.Evidence{Kind: kinds[rnd.IntN(len(kinds))], By: "ada", Message: fmt.Sprint(turn, "-user"), Quote: "„so“ 👩‍🌾", Span: &obligations.Span{Start: 2, End: 9}, Source: "https://example.org/a"}
		if e.Kind == obligations.InferredEvidence {
			e.Premises = []string{list[rnd.IntN(len(list))].Key}
		}
		model := obligations.Confidence(rnd.IntN(101))
		out[i] = obligations.Finding{Key: o.Key, Act: acts[rnd.IntN(len(acts))], Value: someValue(rnd, o.Template), Evidence: e,
			Grade: obligations.Grade{Hedged: rnd.IntN(3) == 0, Model: &model}, Skip: obligations.Declined, Reason: "it was said"}
	}
	return out
}

// someValue returns a value of the template's shape, as it might be written.
func someValue(rnd *rand.Rand, t *obligations.Template) json.RawMessage {
	n := rnd.IntN(3)
	var v any
	switch t.Widget {
	case obligations.Text:
		v = []string{"Grün – \"so\"", "two\nlines 👩‍🌾", `back\slash`}[n]
	case obligations.ChoiceOne:
		v = t.Choices[n%len(t.Choices)].Value
	case obligations.MultiSelect:
		v = []string{t.Choices[n%len(t.Choices)].Value}
	case obligations.Date:
		v = []string{"2026", "2026-05", "2026-05-17"}[n]
	case obligations.Number:
		v = []any{5, 7.5, map[string]any{"min": 5, "max": 7}}[n]
	}
	out, err := json.Marshal(v)
	if err != nil {
		panic(err) // the values above are all JSON
	}
	return out
}

func TestStoredTrailRebuildsEveryTurn(t *testing.T) {
	t.Parallel()

	s := newShelf(t)
	list := s.load(t)
	rnd := rand.New(rand.NewPCG(11, 7))
	states := [][]obligations.Obligation{list}
	for turn := 1; turn <= 25; turn++ {
		changes := obligations.Apply(list, randomTurn(rnd, list, turn), turn)
		list = obligations.Merge(list, changes)
		s.write(t, func(b *postgres.Batch) error { return obligations.Save(b, s.scope, changes) })
		states = append(states, list)
		loaded := s.load(t)
		if diff := cmp.Diff(list, loaded, sameState); diff != "" {
			t.Fatalf("turn %d: Load (-meant +stored):\n%s", turn, diff)
		}
	}

	for turn := 1; turn < len(states); turn++ {
		got, err := obligations.Replay(s.objective.Definition.Obligations, s.history(t, obligations.HistoryPage{Until: turn}))
		if err != nil {
			t.Fatalf("turn %d: Replay: %v", turn, err)
		}
		if diff := cmp.Diff(states[turn], got, sameState); diff != "" {
			t.Fatalf("turn %d: Replay of the stored trail (-meant +replayed):\n%s", turn, diff)
		}
	}
}

func TestHistoryOfOneKey(t *testing.T) {
	t.Parallel()

	s := newShelf(t)
	list := s.load(t)
	changes := obligations.Apply(list, []obligations.Finding{{Key: list[1].Key, Act: obligations.Asked}, {Key: list[2].Key, Act: obligations.Asked}}, 4)
	s.write(t, func(b *postgres.Batch) error { return obligations.Save(b, s.scope, changes) })

	var got []string
	for _, e := range s.history(t, obligations.HistoryPage{Key: list[2].Key}) {
		got = append(got, fmt.Sprint(e.Key, " ", e.Type, " ", e.Turn))
	}
	want := []string{list[2].Key + " created 0", list[2].Key + " status_changed 4"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("History (-want +got):\n%s", diff)
	}
}

func TestObligationThatComesUpLater(t *testing.T) {
	t.Parallel()

	s := newShelf(t)
	list := s.load(t)
	own := obligations.Obligation{
		Template: &obligations.Template{Key: "came_up", FieldPath: "came_up", Prompt: "And that?", Collection: obligations.DirectQuestion,
			Widget: obligations.Text, Priority: 4, MaxAttempts: 2, Cues: []string{"that"}},
		Status: obligations.Pending, Unlocked: true, Position: len(list), Origin: obligations.Origin{Layer: obligations.SessionOnly, Source: "model"},
	}
	s.write(t, func(b *postgres.Batch) error { return obligations.Create(b, s.scope, []obligations.Obligation{own}, 3) })

	want := append(list, own)
	if diff := cmp.Diff(want, s.load(t), sameState); diff != "" {
		t.Errorf("Load (-want +got):\n%s", diff)
	}
	got, err := obligations.Replay(s.objective.Definition.Obligations, s.history(t, obligations.HistoryPage{}))
	if diff := cmp.Diff(want, got, sameState); err != nil || diff != "" {
		t.Errorf("Replay: %v (-want +got):\n%s", err, diff)
	}
}

func TestConflictsAreKeptAndResolved(t *testing.T) {
	t.Parallel()

	s := newShelf(t)
	side := func(v string, kept bool) obligations.Side {
		return obligations.Side{Key: "k", Value: json.RawMessage(v), Kept: kept, Evidence: []obligations.Evidence{{Kind: obligations.Stated, Turn: 1, Quote: "so"}}}
	}
	found := []obligations.Conflict{
		{ID: uuid.NewString(), Kind: obligations.Changed, Keys: []string{"k"}, Sides: []obligations.Side{side("1", false), side("2", true)}, Status: obligations.ConflictOpen, Detected: 2},
		{ID: uuid.NewString(), Kind: obligations.BetweenPersons, Keys: []string{"k", "l"}, Sides: []obligations.Side{side("1", true), side("null", false)}, Status: obligations.ConflictOpen, Detected: 3, Resolution: "kept"},
	}
	s.write(t, func(b *postgres.Batch) error { return obligations.SaveConflicts(b, s.scope, found[:1], nil) })
	s.write(t, func(b *postgres.Batch) error { return obligations.SaveConflicts(b, s.scope, found[1:], nil) })
	if diff := cmp.Diff(found, s.conflicts(t, obligations.OpenConflicts), sameState); diff != "" {
		t.Fatalf("open conflicts (-want +got):\n%s", diff)
	}

	found[0].Status, found[0].Raised, found[0].Resolution = obligations.ConflictResolved, 5, "the second holds"
	s.write(t, func(b *postgres.Batch) error { return obligations.SaveConflicts(b, s.scope, nil, found[:1]) })

	if diff := cmp.Diff(found[1:], s.conflicts(t, obligations.OpenConflicts), sameState); diff != "" {
		t.Errorf("open conflicts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(found, s.conflicts(t, obligations.AllConflicts), sameState); diff != "" {
		t.Errorf("all conflicts (-want +got):\n%s", diff)
	}
}

func (s *shelf) conflicts(t *testing.T, which obligations.ConflictFilter) []obligations.Conflict {
	t.Helper()
	var list []obligations.Conflict
	s.write(t, func(b *postgres.Batch) error {
		obligations.LoadConflicts(b, s.scope, which, &list)
		return nil
	})
	return list
}

func TestHistoryOfAnotherTenantIsEmpty(t *testing.T) {
	t.Parallel()

	s := newShelf(t)
	other := obligations.Scope{Tenant: postgrestest.Tenant(t, s.pool), Session: s.scope.Session}

	got, err := obligations.History(t.Context(), s.pool, other, obligations.HistoryPage{})

	if err != nil || len(got) > 0 {
		t.Errorf("History of another tenant's session = %d events, %v, want none", len(got), err)
	}
}
