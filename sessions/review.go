package sessions

import (
	"time"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// ReviewNeed is a reason why a session waits for a reviewer.
type ReviewNeed string

// The needs.
const (
	NeedHandover ReviewNeed = "handover" // the person asks for a human being
	NeedConflict ReviewNeed = "conflict" // values contradict each other or a constraint
	NeedDispute  ReviewNeed = "dispute"  // a value was rejected and is still in dispute
	NeedUnsure   ReviewNeed = "unsure"   // a value has a low confidence
	NeedResearch ReviewNeed = "research" // research is open, or its proposal is undecided
	NeedComment  ReviewNeed = "comment"  // a comment is not resolved
)

// Needs lists the needs in the order they are shown.
func Needs() []ReviewNeed {
	return []ReviewNeed{NeedHandover, NeedConflict, NeedDispute, NeedUnsure, NeedResearch, NeedComment}
}

// ReviewFilter selects sessions of a tenant. The zero value selects all.
type ReviewFilter struct {
	Context string
	Status  Status
	Phase   Phase
	Person  string       // the person who began it or takes part
	Since   time.Time    // begun then or later; zero for any time
	Until   time.Time    // begun before; zero for any time
	Among   []string     // ids; nil for all, empty for none
	Needs   []ReviewNeed // with at least one of these; nil for all
}

// ReviewOrder is the order of a list of sessions.
type ReviewOrder string

// The orders.
const (
	NewestFirst     ReviewOrder = ""         // by when they began
	LatestFirst     ReviewOrder = "latest"   // by when they last changed
	UnresolvedFirst ReviewOrder = "progress" // least resolved first
	UncertainFirst  ReviewOrder = "score"    // least certain first
)

// ReviewOrders lists the orders.
func ReviewOrders() []ReviewOrder {
	return []ReviewOrder{NewestFirst, LatestFirst, UnresolvedFirst, UncertainFirst}
}

// ReviewPlace is where a page of a list begins: after the session with that id. The zero
// value is the beginning of the list.
type ReviewPlace struct {
	At   time.Time // when it was begun, for [NewestFirst]
	Rank float64   // its rank in the other orders
	ID   string
}

// ReviewRow is a session in the reviewers' list.
type ReviewRow struct {
	ID          string
	ContextType string
	User        string
	Status      Status
	Phase       Phase
	Score       float64 // 0–1
	Progress    float64 // 0–1
	Turns       int
	CreatedAt   time.Time
	UpdatedAt   time.Time
	Waiting     map[ReviewNeed]int // how many of each need; needs without any are left out
	Place       ReviewPlace        // of the page after it
}

const (
	lastID  = "ffffffff-ffff-ffff-ffff-ffffffffffff"
	firstID = "00000000-0000-0000-0000-000000000000"
)

// LoadReviewPage queues a read of at most limit sessions into list: those that pass the
// filter and come after a place in the given order.
func LoadReviewPage(b *postgres.Batch, f ReviewFilter, by ReviewOrder, after ReviewPlace, limit int, list *[]ReviewRow) {
	c := f.columns(b.Tenant())
	if by == NewestFirst {
		if after.ID == "" {
			after.At, after.ID = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), lastID
		}
		postgres.Many(b, queries.ReviewPage, &dbsqlc.ReviewPageParams{
			TenantID: c.TenantID, ContextType: c.ContextType, Status: c.Status, Phase: c.Phase, Person: c.Person, Since: c.Since, Until: c.Until,
			Among: c.Among, Needs: c.Needs, BeforeAt: after.At, BeforeID: after.ID, Max: int32(limit),
		}, func(r *dbsqlc.ReviewPageRow) error {
			*list = append(*list, fromReviewRow((*reviewPageRow)(r)))
			return nil
		})
		return
	}
	if after.ID == "" {
		after.Rank, after.ID = -1e300, firstID
	}
	postgres.Many(b, queries.ReviewPageBy, &dbsqlc.ReviewPageByParams{
		TenantID: c.TenantID, ContextType: c.ContextType, Status: c.Status, Phase: c.Phase, Person: c.Person, Since: c.Since, Until: c.Until,
		Among: c.Among, Needs: c.Needs, ByWhat: string(by), AfterRank: after.Rank, AfterID: after.ID, Max: int32(limit),
	}, func(r *dbsqlc.ReviewPageByRow) error {
		row := fromReviewRow(&reviewPageRow{r.ID, r.ContextType, r.UserID, r.Status, r.SessionPhase, r.CompletenessScore, r.Progress, r.TurnCount, r.CreatedAt, r.UpdatedAt,
			r.Handovers, r.Conflicts, r.Comments, r.Disputes, r.Unsure, r.Research})
		row.Place.Rank = r.Rank
		*list = append(*list, row)
		return nil
	})
}

// LoadReviewCount queues a count of the sessions that pass a filter into n. It stops
// counting at limit.
func LoadReviewCount(b *postgres.Batch, f ReviewFilter, limit int, n *int) {
	c := f.columns(b.Tenant())
	c.Max = int32(limit)
	postgres.One(b, queries.ReviewCount, &c, func(count int64) error {
		*n = int(count)
		return nil
	})
}

// columns returns the filter as parameters. The three queries of a filter have them in
// common.
func (f ReviewFilter) columns(tenant string) dbsqlc.ReviewCountParams {
	needs := make([]string, len(f.Needs))
	for i, n := range f.Needs {
		needs[i] = string(n)
	}
	return dbsqlc.ReviewCountParams{
		TenantID: tenant, ContextType: postgres.OrNull(f.Context), Status: postgres.OrNull(string(f.Status)), Phase: postgres.OrNull(string(f.Phase)),
		Person: postgres.OrNull(f.Person), Since: orNever(f.Since), Until: orNever(f.Until), Among: f.Among, Needs: needs}
}

// orNever returns a time as a parameter: NULL for the zero time.
func orNever(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// reviewPageRow is the part that the rows of both orders have in common.
type reviewPageRow dbsqlc.ReviewPageRow

// fromReviewRow returns a row of the list with the place that follows it.
func fromReviewRow(r *reviewPageRow) ReviewRow {
	out := ReviewRow{ID: r.ID, ContextType: r.ContextType, User: r.UserID, Status: Status(r.Status), Phase: Phase(r.SessionPhase), Score: r.CompletenessScore,
		Progress: r.Progress, Turns: int(r.TurnCount), CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, Waiting: map[ReviewNeed]int{},
		Place: ReviewPlace{At: r.CreatedAt, ID: r.ID}}
	for need, n := range map[ReviewNeed]int64{NeedHandover: int64(r.Handovers), NeedConflict: r.Conflicts, NeedDispute: r.Disputes, NeedUnsure: r.Unsure, NeedResearch: r.Research, NeedComment: r.Comments} {
		if n > 0 {
			out.Waiting[need] = int(n)
		}
	}
	return out
}

// ReviewTallies count a tenant's sessions by what a reviewer has to do with them.
type ReviewTallies struct{ Active, Completed, Handovers, Conflicts, Comments, Research int }

// LoadReviewTallies queues a count of all sessions of the batch's tenant into t.
func LoadReviewTallies(b *postgres.Batch, t *ReviewTallies) {
	postgres.One(b, queries.ReviewTallies, b.Tenant(), func(r *dbsqlc.ReviewTalliesRow) error {
		*t = ReviewTallies{int(r.Active), int(r.Completed), int(r.Handovers), int(r.Conflicts), int(r.Comments), int(r.Research)}
		return nil
	})
}

// Milestone is how far a session had come after a turn.
type Milestone struct {
	Turn     int
	Score    float64 // 0–1
	Progress float64 // 0–1
}

// PhaseEntry is a turn in which a session entered a phase.
type PhaseEntry struct {
	Turn  int
	Phase Phase
}

// LoadMilestones queues reads of how far a session had come after every so many turns,
// the first and the last included, and of the turns in which it entered a phase. Both
// lists are in the order of turns.
func LoadMilestones(b *postgres.Batch, s obligations.Scope, every int, points *[]Milestone, phases *[]PhaseEntry) {
	postgres.Many(b, queries.ReviewPoints, &dbsqlc.ReviewPointsParams{Step: int32(every), TenantID: s.Tenant, SessionID: s.Session}, func(r *dbsqlc.ReviewPointsRow) error {
		*points = append(*points, Milestone{int(r.Turn), r.Score, r.Progress})
		return nil
	})
	postgres.Many(b, queries.ReviewPhases, &dbsqlc.ReviewPhasesParams{TenantID: s.Tenant, SessionID: s.Session}, func(r *dbsqlc.ReviewPhasesRow) error {
		*phases = append([]PhaseEntry{{int(r.Turn), Phase(r.Phase)}}, *phases...)
		return nil
	})
}

// maxTurnRows bounds the rows of the log that a turn is shown from. A row holds the
// events of one write, so a turn has a few.
const maxTurnRows = 200

// LoadTurnEvents queues a read of a turn's events into list, in order and without the
// pieces of the reply.
func LoadTurnEvents(b *postgres.Batch, s obligations.Scope, turn int, list *[]Event) {
	postgres.Many(b, queries.ReviewEvents, &dbsqlc.ReviewEventsParams{TenantID: s.Tenant, SessionID: s.Session, Turn: int32(turn), Max: int32(maxTurnRows)}, func(r *dbsqlc.ReviewEventsRow) error {
		for _, e := range unpack((*dbsqlc.EventsAfterRow)(r), 0) {
			if e.Kind != KindDelta {
				*list = append(*list, e)
			}
		}
		return nil
	})
}
