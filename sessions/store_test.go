package sessions_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// another makes one more session of the journal's tenant.
func (j *journal) another(user, contextType string) obligations.Scope {
	j.t.Helper()
	objective, err := objectives.NewLibrary(j.pool).Active(j.t.Context(), j.scope.Tenant, contextType)
	if err != nil {
		j.t.Fatal(err)
	}
	s := obligations.Scope{Tenant: j.scope.Tenant, Session: uuid.NewString()}
	b := postgres.NewBatch(s.Tenant)
	if err := sessions.Create(b, sessions.New{Scope: s, Objective: objective, User: user}); err != nil {
		j.t.Fatal(err)
	}
	j.send(b)
	return s
}

func (j *journal) session() sessions.Session {
	j.t.Helper()
	s, err := sessions.Find(j.t.Context(), j.pool, j.scope)
	if err != nil {
		j.t.Fatal(err)
	}
	return s
}

// exec changes rows of the journal's tenant in a way the product does not.
func (j *journal) exec(sql string, args ...any) {
	j.t.Helper()
	b := postgres.NewBatch(j.scope.Tenant)
	_, _ = b.Exec(j.t.Context(), sql, args...)
	j.send(b)
}

func TestNewSessionIsFreshAndAsksWhatItsObjectiveWants(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	library := objectives.NewLibrary(j.pool)
	objective, err := library.Active(t.Context(), j.scope.Tenant, "business_profile")
	if err != nil {
		t.Fatal(err)
	}

	got := j.session()
	var list []obligations.Obligation
	b := postgres.NewBatch(j.scope.Tenant)
	obligations.Load(b, j.scope, library.Templates(t.Context(), j.scope.Tenant), &list)
	j.send(b)

	want := sessions.Session{Revision: 1, ID: j.scope.Session, Tenant: j.scope.Tenant, ObjectiveID: objective.ID, ContextType: "business_profile", User: "someone",
		Status: sessions.Active, Phase: sessions.Opening, Version: 1, CreatedAt: got.CreatedAt, UpdatedAt: got.CreatedAt}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Find (-want +got):\n%s", diff)
	}
	if got.CreatedAt.IsZero() || got.Scope() != j.scope {
		t.Errorf("made at %v with scope %v, want a time and %v", got.CreatedAt, got.Scope(), j.scope)
	}
	if len(list) != len(objective.Definition.Obligations) {
		t.Errorf("%d obligations, the objective has %d", len(list), len(objective.Definition.Obligations))
	}
	if head, err := sessions.Head(t.Context(), j.pool, j.scope); head != 0 || err != nil {
		t.Errorf("Head of a new log = %d, %v, want 0", head, err)
	}
}

func TestSessionsThatAreNotThere(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	for _, tt := range []struct {
		name string
		in   obligations.Scope
	}{
		{"unknown", obligations.Scope{Tenant: j.scope.Tenant, Session: uuid.NewString()}},
		{"another tenant's", obligations.Scope{Tenant: postgrestest.Tenant(t, j.pool), Session: j.scope.Session}},
		{"no id", obligations.Scope{Tenant: j.scope.Tenant, Session: "nonsense"}},
		{"empty", obligations.Scope{Tenant: j.scope.Tenant}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			_, find := sessions.Find(t.Context(), j.pool, tt.in)
			_, head := sessions.Head(t.Context(), j.pool, tt.in)
			_, turn := sessions.FindTurn(t.Context(), j.pool, tt.in, 1)
			for what, err := range map[string]error{"Find": find, "Head": head, "FindTurn": turn} {
				if !fault.Is(err, fault.NotFound) {
					t.Errorf("%s(%v) = %v, want not_found", what, tt.in, err)
				}
			}
		})
	}
}

func TestListPagesMissAndRepeatNothing(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	want := []string{j.scope.Session}
	for i := range 119 {
		want = append(want, j.another(fmt.Sprint("person", i%3), "idea_discovery").Session)
	}
	j.exec(`UPDATE elicitation_sessions SET created_at = now() - make_interval(hours => 1 + get_byte(uuid_send(id), 0) % 2)`) // two moments for all

	for _, size := range []int{1, 7, 50, 200} {
		var got []string
		page := sessions.Filter{Tenant: j.scope.Tenant, Max: size}
		for {
			list, err := sessions.List(t.Context(), j.pool, page)
			if err != nil {
				t.Fatal(err)
			}
			if len(list) == 0 {
				break
			}
			if len(list) > size {
				t.Fatalf("a page of at most %d has %d sessions", size, len(list))
			}
			for i, s := range list {
				if i > 0 && s.CreatedAt.After(list[i-1].CreatedAt) {
					t.Errorf("a session of %v follows one of %v", s.CreatedAt, list[i-1].CreatedAt)
				}
				got = append(got, s.ID)
			}
			last := list[len(list)-1]
			page.BeforeAt, page.BeforeID = last.CreatedAt, last.ID
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("pages of %d (-want +got):\n%s", size, diff)
		}
	}
}

func TestListChooses(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	idea, theirs := j.another("someone", "idea_discovery"), j.another("somebody", "idea_discovery")
	j.exec(`UPDATE elicitation_sessions SET status = 'completed' WHERE id = $1`, idea.Session)
	other := postgrestest.Tenant(t, j.pool)

	for _, tt := range []struct {
		name string
		in   sessions.Filter
		want []string
	}{
		{"all, newest first", sessions.Filter{}, []string{theirs.Session, idea.Session, j.scope.Session}},
		{"a person's", sessions.Filter{User: "someone"}, []string{idea.Session, j.scope.Session}},
		{"a context's", sessions.Filter{ContextType: "idea_discovery"}, []string{theirs.Session, idea.Session}},
		{"active", sessions.Filter{Status: sessions.Active}, []string{theirs.Session, j.scope.Session}},
		{"all of it", sessions.Filter{User: "someone", ContextType: "idea_discovery", Status: sessions.Completed}, []string{idea.Session}},
		{"most", sessions.Filter{Max: 1}, []string{theirs.Session}},
		{"nobody's", sessions.Filter{User: "nobody"}, nil},
		{"another tenant's", sessions.Filter{Tenant: other}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if tt.in.Tenant == "" {
				tt.in.Tenant = j.scope.Tenant
			}
			list, err := sessions.List(t.Context(), j.pool, tt.in)
			var got []string
			for _, s := range list {
				got = append(got, s.ID)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("List(%+v), %v (-want +got):\n%s", tt.in, err, diff)
			}
		})
	}
}

func TestLoadActiveIsTheLatestThatTakesTurns(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	later, last := j.another("someone", "business_profile"), j.another("someone", "business_profile")
	j.exec(`UPDATE elicitation_sessions SET status = 'completed' WHERE id = $1`, last.Session)

	var got, other, none *sessions.Session
	b := postgres.NewBatch(j.scope.Tenant)
	sessions.LoadActive(b, j.scope.Tenant, "someone", "business_profile", &got)
	sessions.LoadActive(b, j.scope.Tenant, "someone", "idea_discovery", &other)
	sessions.LoadActive(b, j.scope.Tenant, "somebody", "business_profile", &none)
	j.send(b)

	if got == nil || got.ID != later.Session || other != nil || none != nil {
		t.Errorf("LoadActive = %v, of another context %v, of another person %v; want %s and none", got, other, none, later.Session)
	}
}

func TestSaveKeepsEverythingAndCounts(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	want := j.session()
	want.Phase, want.Score, want.Progress = sessions.Closing, 0.91, 0.97
	want.Status, want.StopReason = sessions.Completed, sessions.EndCompleted
	want.Question = &sessions.Question{Key: "name", Prompt: "What is “it” called?\n"}

	b := postgres.NewBatch(j.scope.Tenant)
	if err := sessions.Save(b, want); err != nil {
		t.Fatal(err)
	}
	j.send(b)

	got := j.session()
	if got.CompletedAt == nil || got.UpdatedAt.Before(want.UpdatedAt) {
		t.Errorf("completed at %v, updated at %v", got.CompletedAt, got.UpdatedAt)
	}
	want.Version++
	want.CompletedAt, want.UpdatedAt = got.CompletedAt, got.UpdatedAt
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("Find after Save (-want +got):\n%s", diff)
	}
}

// The second of two writers waits for the first and sees what it wrote.
func TestLockLetsOneWriterAtATimeDecide(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	const writers = 6
	errs := make(chan error, writers)
	for range writers {
		go func() {
			errs <- postgres.InTx(t.Context(), j.pool, j.scope.Tenant, func(tx pgx.Tx) error {
				var s *sessions.Session
				lock := postgres.NewBatch(j.scope.Tenant)
				sessions.Lock(lock, j.scope, &s)
				if err := lock.Send(t.Context(), tx); err != nil {
					return err
				}
				s.Progress += 0.1
				save := postgres.NewBatch(j.scope.Tenant)
				if err := sessions.Save(save, *s); err != nil {
					return err
				}
				return save.Send(t.Context(), tx)
			})
		}()
	}
	for range writers {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}

	if got := j.session(); got.Progress != 0.6 || got.Version != 1+writers {
		t.Errorf("after %d writers progress is %v and the version %d, want 0.6 and %d", writers, got.Progress, got.Version, 1+writers)
	}
}

func TestCreateOnlyMakesOneSessionOfManyFirstMessages(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	library := objectives.NewLibrary(j.pool)
	objective, err := library.Active(t.Context(), j.scope.Tenant, "idea_discovery")
	if err != nil {
		t.Fatal(err)
	}
	const people = 6
	made := make(chan error, people)
	for range people {
		go func() {
			b := postgres.NewBatch(j.scope.Tenant)
			s := obligations.Scope{Tenant: j.scope.Tenant, Session: uuid.NewString()}
			err := sessions.CreateOnly(b, sessions.New{Scope: s, Objective: objective, User: "newcomer"})
			if err == nil {
				err = b.Send(t.Context(), j.pool)
			}
			made <- err
		}()
	}
	late := 0
	for range people {
		if err := <-made; sessions.IsStale(err) {
			late++
		} else if err != nil {
			t.Error(err)
		}
	}
	if late != people-1 {
		t.Errorf("%d of %d came late, want all but one", late, people)
	}

	list, err := sessions.List(t.Context(), j.pool, sessions.Filter{Tenant: j.scope.Tenant, User: "newcomer"})
	if err != nil || len(list) != 1 {
		t.Errorf("%d sessions were made, %v, want 1", len(list), err)
	}
}

func TestTranscriptAndWindow(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	b := postgres.NewBatch(j.scope.Tenant)
	for turn := 1; turn <= 5; turn++ {
		sessions.AddMessage(b, j.scope, sessions.Message{Turn: turn, Role: sessions.FromAssistant, Content: fmt.Sprint("Reply ", turn), Complete: turn != 5})
		sessions.AddMessage(b, j.scope, sessions.Message{Turn: turn, Role: sessions.FromUser, User: "someone", Content: fmt.Sprint("Said ", turn), Complete: true})
	}
	_, _ = b.Exec(t.Context(), `UPDATE elicitation_sessions SET turn_count = 5`)
	j.send(b)

	var window, whole, none []sessions.Message
	b = postgres.NewBatch(j.scope.Tenant)
	sessions.LoadWindow(b, j.scope, 2, &window)
	sessions.LoadWindow(b, j.scope, 50, &whole)
	sessions.LoadWindow(b, j.scope, 0, &none)
	j.send(b)
	page, err := sessions.Transcript(t.Context(), j.pool, j.scope, 1, 3)
	if err != nil {
		t.Fatal(err)
	}

	for _, tt := range []struct {
		name string
		got  []sessions.Message
		want []string
	}{
		{"the latest two turns", window, []string{"4-user", "4-assistant", "5-user", "5-assistant"}},
		{"no turns", none, nil},
		{"three after the first turn", page, []string{"2-user", "2-assistant", "3-user"}},
	} {
		var ids []string
		for _, m := range tt.got {
			ids = append(ids, m.ID())
		}
		if diff := cmp.Diff(tt.want, ids); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	last := sessions.Message{Turn: 5, Role: sessions.FromAssistant, Content: "Reply 5", At: time.Time{}}
	if len(whole) != 10 {
		t.Fatalf("the window of 50 turns has %d messages, want 10", len(whole))
	}
	whole[9].At = time.Time{}
	if diff := cmp.Diff(last, whole[9]); diff != "" {
		t.Errorf("the last message (-want +got):\n%s", diff)
	}
}
