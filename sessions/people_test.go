package sessions_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/internal/dbsqlc"
)

// invited makes an invitation to the journal's session and lets a user accept it.
func (j *journal) invited(user string, part sessions.Role) sessions.Participant {
	j.t.Helper()
	hash := []byte(uuid.NewString())
	if _, err := sessions.CreateInvitation(j.t.Context(), j.pool, j.scope, sessions.Invite{Part: part, By: "someone", Hash: hash}); err != nil {
		j.t.Fatal(err)
	}
	_, who, _, err := sessions.Accept(j.t.Context(), j.pool, sessions.Acceptance{Tenant: j.scope.Tenant, Hash: hash, User: user})
	if err != nil {
		j.t.Fatal(err)
	}
	return who
}

// plan returns how the database carries out a statement as the journal's tenant,
// which is undone.
func (j *journal) plan(run func(postgres.DBTX)) string {
	j.t.Helper()
	sql, args := postgrestest.Statement(run)
	tx, err := j.pool.Begin(j.t.Context())
	if err != nil {
		j.t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(j.t.Context()) }()
	var lines []string
	b := postgres.NewBatch(j.scope.Tenant)
	postgrestest.Rows(b, func(r *struct{ Line string }) error { lines = append(lines, r.Line); return nil }, "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) "+sql, args...)
	if err := b.Send(j.t.Context(), tx); err != nil {
		j.t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// begins runs the beginning of the session's first turn.
func (j *journal) begins(user string, anyone bool) func(postgres.DBTX) {
	return func(db postgres.DBTX) {
		_, _ = dbsqlc.New().TurnBegin(j.t.Context(), db, &dbsqlc.TurnBeginParams{Number: 1, TenantID: j.scope.Tenant, SessionID: j.scope.Session,
			AnyPerson: anyone, UserID: user, BodyHash: []byte{1}, InstanceID: uuid.NewString(), Content: "Hello", Event: `{"turn":1}`})
	}
}

// looks returns how often a statement looks into a table by an index and without
// one, as the journal's tenant; it is undone.
func (j *journal) looks(table string, run func(postgres.DBTX)) (byIndex, through int) {
	j.t.Helper()
	sql, args := postgrestest.Statement(run)
	tx, err := j.pool.Begin(j.t.Context())
	if err != nil {
		j.t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(j.t.Context()) }()
	b := postgres.NewBatch(j.scope.Tenant)
	count := func(sign int) { // the connection's own books, in which earlier transactions may still stand
		postgrestest.Rows(b, func(r *struct{ ByIndex, Through int }) error {
			byIndex, through = byIndex+sign*r.ByIndex, through+sign*r.Through
			return nil
		}, `SELECT coalesce(idx_scan, 0), seq_scan FROM pg_stat_xact_user_tables WHERE schemaname = 'public' AND relname = $1`, table)
	}
	count(-1)
	_, _ = b.Exec(j.t.Context(), sql, args...)
	count(1)
	if err := b.Send(j.t.Context(), tx); err != nil {
		j.t.Fatal(err)
	}
	return byIndex, through
}

// The beginning of a turn is the hottest statement there is: who takes part is
// looked up for those who did not begin the session only.
func TestBeginningATurnLooksForParticipantsOnlyWhenItMust(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	j.invited("other", sessions.ContributorRole)
	j.invited("reader", sessions.ObserverRole)
	for _, tt := range []struct {
		name, user string
		anyone     bool
		lookups    int
	}{
		{"who began the session", "someone", false, 0},
		{"a reviewer", "rae", true, 0},
		{"a contributor", "other", false, 1},
		{"an observer", "reader", false, 1},
		{"a stranger", "nobody", false, 1},
	} {
		if byIndex, through := j.looks("session_participants", j.begins(tt.user, tt.anyone)); byIndex != tt.lookups || through != 0 {
			t.Errorf("%s: %d lookups by index and %d without, want %d by index", tt.name, byIndex, through, tt.lookups)
		}
	}
}

// A session is found by its key in a young table too: with an index of all of the
// tenant's sessions each turn would read as many entries as there are.
func TestSessionsAreFoundByTheirKey(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	for range 3 {
		j.another("someone", "business_profile")
	}
	got := j.plan(func(db postgres.DBTX) {
		_, _ = dbsqlc.New().SessionFind(t.Context(), db, &dbsqlc.SessionFindParams{TenantID: j.scope.Tenant, ID: j.scope.Session})
	})
	if !strings.Contains(got, "elicitation_sessions_pkey") {
		t.Errorf("one session is found like this:\n%s", got)
	}
	got = j.plan(j.begins("someone", false))
	if !strings.Contains(got, "using elicitation_sessions_pkey") {
		t.Errorf("the session of a turn is found like this:\n%s", got)
	}
}

func TestPartsInASession(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	other := j.invited("other", sessions.ContributorRole)
	elsewhere := obligations.Scope{Tenant: postgrestest.Tenant(t, j.pool), Session: j.scope.Session}
	for user, want := range map[string]sessions.Role{"someone": sessions.OwnerRole, "other": sessions.ContributorRole, "nobody": sessions.NoRole} {
		if _, got, err := sessions.FindAs(t.Context(), j.pool, j.scope, user); got != want || err != nil {
			t.Errorf("FindAs(%s) = %q, %v, want %q", user, got, err, want)
		}
		if _, _, err := sessions.FindAs(t.Context(), j.pool, elsewhere, user); !fault.Is(err, fault.NotFound) {
			t.Errorf("FindAs(%s) of another tenant = %v, want not_found", user, err)
		}
	}
	if _, err := sessions.Leave(t.Context(), j.pool, elsewhere, other.ID, sessions.PersonRemoved); !fault.Is(err, fault.NotFound) {
		t.Errorf("Leave of another tenant = %v, want not_found", err)
	}
	events, err := sessions.Leave(t.Context(), j.pool, j.scope, other.ID, sessions.PersonLeft)
	if err != nil || len(events) != 1 || events[0].Seq == 0 || events[0].Kind != sessions.KindParticipant {
		t.Errorf("Leave = %+v, %v", events, err)
	}
	if _, got, err := sessions.FindAs(t.Context(), j.pool, j.scope, "other"); got != sessions.NoRole || err != nil {
		t.Errorf("FindAs after leaving = %q, %v", got, err)
	}
	if again := j.invited("other", sessions.ObserverRole); again.ID != other.ID || again.Role != sessions.ObserverRole {
		t.Errorf("came back as %+v", again)
	}
}

func TestPeopleFindTheSessionsTheyTakePartIn(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	j.invited("helper", sessions.ContributorRole)
	gone := j.invited("gone", sessions.ContributorRole)
	if _, err := sessions.Leave(t.Context(), j.pool, j.scope, gone.ID, sessions.PersonLeft); err != nil {
		t.Fatal(err)
	}

	for user, want := range map[string]int{"someone": 1, "helper": 1, "gone": 0, "stranger": 0, "": 1} {
		list, err := sessions.List(t.Context(), j.pool, sessions.Filter{Tenant: j.scope.Tenant, User: user, Status: sessions.Active})
		if err != nil || len(list) != want {
			t.Errorf("%q finds %d sessions (%v), want %d", user, len(list), err, want)
		}
	}
	if list, err := sessions.List(t.Context(), j.pool, sessions.Filter{Tenant: j.scope.Tenant, User: "helper", Status: sessions.Completed}); err != nil || len(list) > 0 {
		t.Errorf("%d completed sessions (%v), want none", len(list), err)
	}
}

func TestInvitationsOutOfBounds(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	for _, tt := range []struct {
		name string
		in   sessions.Invite
	}{
		{"no role", sessions.Invite{}},
		{"role that is none", sessions.Invite{Part: "boss"}},
		{"too short", sessions.Invite{Part: sessions.ObserverRole, Lasts: time.Second}},
		{"too long", sessions.Invite{Part: sessions.ObserverRole, Lasts: sessions.MaxInvite + time.Second}},
		{"negative", sessions.Invite{Part: sessions.ObserverRole, Lasts: -time.Hour}},
		{"long name", sessions.Invite{Part: sessions.ObserverRole, Name: strings.Repeat("é", 101)}},
	} {
		tt.in.By, tt.in.Hash = "someone", []byte(tt.name)
		if _, err := sessions.CreateInvitation(t.Context(), j.pool, j.scope, tt.in); !fault.Is(err, fault.Unprocessable) {
			t.Errorf("CreateInvitation of one that has %s = %v, want unprocessable", tt.name, err)
		}
	}
	if list, err := sessions.Invitations(t.Context(), j.pool, j.scope); len(list) != 0 || err != nil {
		t.Errorf("refused invitations were kept: %+v, %v", list, err)
	}
}

func TestGuestName(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ in, want string }{
		{"", "Guest k3jx"},
		{" \t ", "Guest k3jx"},
		{"Ben", "Ben (guest k3jx)"},
		{"  Ben \n Two ", "Ben Two (guest k3jx)"},
		{"anna (owner)", "anna owner (guest k3jx)"},
		{"\x00\x1b[31m", "[31m (guest k3jx)"},
		{"\xff\xfe", "Guest k3jx"},
		{strings.Repeat("x", 500), strings.Repeat("x", 60) + " (guest k3jx)"},
	} {
		if got := sessions.GuestName(tt.in, "k3jx"); got != tt.want {
			t.Errorf("GuestName(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}
