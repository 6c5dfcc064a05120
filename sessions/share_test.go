package sessions_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"quaestor/internal/fault"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/sessions"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// secret is the hash of a link's secret.
func secret() []byte {
	a, b := uuid.New(), uuid.New()
	return append(a[:], b[:]...)
}

// shares makes a link at noon that stands for so many days.
func (j *journal) shares(days int, extent sessions.Extent) (sessions.Share, []byte) {
	j.t.Helper()
	hash := secret()
	made, events, err := sessions.CreateShare(j.t.Context(), j.pool, j.scope, sessions.NewShare{Extent: extent, Days: days, By: "someone", Hash: hash}, noon)
	if err != nil || len(events) != 1 || events[0].Kind != sessions.KindShare || events[0].Seq == 0 {
		j.t.Fatalf("CreateShare = %+v, %v, %v", made, events, err)
	}
	return made, hash
}

func TestShareStandsAsLongAsItWasMadeFor(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	made, hash := j.shares(0, sessions.WithTranscript)
	want := sessions.Share{ID: made.ID, Scope: j.scope, Extent: sessions.WithTranscript, CreatedBy: "someone", CreatedAt: noon, ExpiresAt: noon.Add(14 * 24 * time.Hour)}
	if diff := cmp.Diff(want, made, cmpopts.EquateApproxTime(0)); diff != "" {
		t.Errorf("the link (-want +got):\n%s", diff)
	}
	for _, tt := range []struct {
		name  string
		at    time.Time
		state sessions.ShareState
	}{
		{"at once", noon, sessions.ShareOpen},
		{"on the last day", noon.Add(14*24*time.Hour - time.Second), sessions.ShareOpen},
		{"when it ends", noon.Add(14 * 24 * time.Hour), sessions.ShareExpired},
		{"long after", noon.Add(1000 * 24 * time.Hour), sessions.ShareExpired},
	} {
		_, err := sessions.FindShare(t.Context(), j.pool, j.scope.Tenant, hash, tt.at)

		if gone := fault.Is(err, fault.NotFound); made.State(tt.at) != tt.state || gone != (tt.state != sessions.ShareOpen) || !gone && err != nil {
			t.Errorf("%s: %s, %v; want %s", tt.name, made.State(tt.at), err, tt.state)
		}
	}
}

func TestShareIsCountedWhenItIsOpened(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	_, hash := j.shares(1, sessions.BriefOnly)
	for range 2 {
		if _, err := sessions.OpenShare(t.Context(), j.pool, j.scope.Tenant, hash, noon.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := sessions.FindShare(t.Context(), j.pool, j.scope.Tenant, hash, noon.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, err := sessions.OpenShare(t.Context(), j.pool, j.scope.Tenant, hash, noon.Add(25*time.Hour)); !fault.Is(err, fault.NotFound) {
		t.Errorf("an expired link opens: %v", err)
	}

	list, err := sessions.Shares(t.Context(), j.pool, j.scope)

	if err != nil || len(list) != 1 || list[0].Views != 2 || list[0].LastSeenAt == nil || !list[0].LastSeenAt.Equal(noon.Add(time.Hour)) {
		t.Errorf("links = %+v, %v; want one that was opened twice", list, err)
	}
}

func TestShareThatWasTakenBackIsGone(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	made, hash := j.shares(90, sessions.BriefOnly)
	events, err := sessions.RevokeShare(t.Context(), j.pool, j.scope, made.ID, "rae", noon.Add(time.Hour))
	if err != nil || len(events) != 1 {
		t.Fatalf("RevokeShare = %v, %v", events, err)
	}

	for name, find := range map[string]func() error{
		"found": func() error {
			_, err := sessions.FindShare(t.Context(), j.pool, j.scope.Tenant, hash, noon)
			return err
		},
		"opened": func() error {
			_, err := sessions.OpenShare(t.Context(), j.pool, j.scope.Tenant, hash, noon)
			return err
		},
		"of no such hash": func() error {
			_, err := sessions.FindShare(t.Context(), j.pool, j.scope.Tenant, secret(), noon)
			return err
		},
		"of a neighbour": func() error {
			_, err := sessions.FindShare(t.Context(), j.pool, postgrestest.Tenant(t, j.pool), hash, noon)
			return err
		},
		"taken back again": func() error {
			_, err := sessions.RevokeShare(t.Context(), j.pool, j.scope, made.ID, "rae", noon)
			return err
		},
		"of no id": func() error {
			_, err := sessions.RevokeShare(t.Context(), j.pool, j.scope, "x", "rae", noon)
			return err
		},
	} {
		if err := find(); !fault.Is(err, fault.NotFound) {
			t.Errorf("a link that is gone, %s: %v, want not_found", name, err)
		}
	}
	var told sessions.ShareEvent
	if err := json.Unmarshal(events[0].Data, &told); err != nil {
		t.Fatal(err)
	}
	if told.ShareID != made.ID || told.Change != sessions.ShareTakenBack || told.By != "rae" || told.Extent != sessions.BriefOnly {
		t.Errorf("the log says %+v", told)
	}
}

func TestSharesAreRefused(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	for range sessions.MaxShares {
		j.shares(1, sessions.BriefOnly)
	}
	neighbour := obligations.Scope{Tenant: postgrestest.Tenant(t, j.pool), Session: j.scope.Session}
	for _, tt := range []struct {
		name  string
		scope obligations.Scope
		in    sessions.NewShare
		at    time.Time
		kind  fault.Kind
	}{
		{"too many", j.scope, sessions.NewShare{Extent: sessions.BriefOnly, Days: 1}, noon, fault.Limited},
		{"as many once those have expired", j.scope, sessions.NewShare{Extent: sessions.BriefOnly, Days: 1}, noon.Add(48 * time.Hour), ""},
		{"too long", j.scope, sessions.NewShare{Extent: sessions.BriefOnly, Days: 91}, noon, fault.Unprocessable},
		{"before it begins", j.scope, sessions.NewShare{Extent: sessions.BriefOnly, Days: -1}, noon, fault.Unprocessable},
		{"everything", j.scope, sessions.NewShare{Extent: "everything", Days: 1}, noon, fault.Unprocessable},
		{"a neighbour's session", neighbour, sessions.NewShare{Extent: sessions.BriefOnly, Days: 1}, noon, fault.NotFound},
	} {
		tt.in.By, tt.in.Hash = "someone", secret()

		_, events, err := sessions.CreateShare(t.Context(), j.pool, tt.scope, tt.in, tt.at)

		if tt.kind == "" && err != nil || tt.kind != "" && (!fault.Is(err, tt.kind) || events != nil) {
			t.Errorf("%s: %v, %v; want %q", tt.name, events, err, tt.kind)
		}
	}
}
