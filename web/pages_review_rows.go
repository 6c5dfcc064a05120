package web

import (
	"context"
	"fmt"
	"time"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// reviewFilters is what the pages of sessions and their count have in common: $1
// is the tenant, $2 to $5 context, status, phase and person or NULL, $6 the ids a
// search found or NULL, $7 and $8 ask for open conflicts and for research that
// waits.
const reviewFilters = `s.tenant_id = $1
    AND ($2::text IS NULL OR s.context_type = $2)
    AND ($3::text IS NULL OR s.status = $3)
    AND ($4::text IS NULL OR s.session_phase = $4)
    AND ($5::text IS NULL OR s.user_id = $5 OR EXISTS (
        SELECT FROM session_participants AS q
        WHERE q.tenant_id = $1 AND q.session_id = s.id AND q.user_id = $5))
    AND ($6::uuid[] IS NULL OR s.id = ANY ($6))
    AND (NOT $7::boolean OR EXISTS (SELECT FROM conflicts AS c WHERE c.tenant_id = $1 AND c.session_id = s.id AND c.status = 'open'))
    AND (NOT $8::boolean OR EXISTS (SELECT FROM discovery_research_tasks AS r WHERE r.tenant_id = $1 AND r.session_id = s.id AND ` + researchWaits + `))`

// researchWaits holds for a task r that is not over, or whose proposal nobody has
// decided.
const researchWaits = `(r.status IN ('pending', 'running') OR r.status = 'completed' AND EXISTS (
        SELECT FROM elicitation_obligations AS o
        WHERE o.tenant_id = $1 AND o.session_id = r.session_id AND o.obligation_key = r.proposal ->> 'obligationKey'
            AND o.status NOT IN ('satisfied', 'skipped') AND o.extracted_value = r.proposal -> 'value'))`

// reviewPage reads sessions of a tenant, newest first, after the place in $9 and
// $10, at most $11.
const reviewPage = `SELECT s.id, s.context_type, s.user_id, s.status, s.session_phase, s.completeness_score, s.progress, s.turn_count, s.created_at, s.updated_at,
    (SELECT count(*) FROM conflicts AS c WHERE c.tenant_id = $1 AND c.session_id = s.id AND c.status = 'open') AS conflicts,
    (SELECT count(*) FROM discovery_research_tasks AS r WHERE r.tenant_id = $1 AND r.session_id = s.id AND ` + researchWaits + `) AS research
FROM elicitation_sessions AS s
WHERE ` + reviewFilters + `
    AND (s.created_at, s.id) < ($9::timestamptz, $10::uuid)
ORDER BY s.created_at DESC, s.id DESC
LIMIT $11`

// reviewCount counts the sessions that meet the filters, up to $9.
const reviewCount = `SELECT count(*)
FROM (SELECT FROM elicitation_sessions AS s WHERE ` + reviewFilters + ` LIMIT $9) AS met`

// reviewTallies counts a tenant's sessions by what is to be done with them.
const reviewTallies = `SELECT
    (SELECT count(*) FROM elicitation_sessions AS s WHERE s.tenant_id = $1 AND s.status = 'active') AS active,
    (SELECT count(*) FROM elicitation_sessions AS s WHERE s.tenant_id = $1 AND s.status = 'completed') AS completed,
    (SELECT count(DISTINCT c.session_id) FROM conflicts AS c WHERE c.tenant_id = $1 AND c.status = 'open') AS conflicts,
    (SELECT count(DISTINCT r.session_id) FROM discovery_research_tasks AS r WHERE r.tenant_id = $1 AND ` + researchWaits + `) AS research`

// reviewPoints reads how far a session ($2) was after every $3rd of its turns, and
// after the last.
const reviewPoints = `WITH scored AS (
    SELECT DISTINCT ON (e.turn) e.turn, x.data
    FROM session_events AS e, unnest(e.kinds, e.data) WITH ORDINALITY AS x (kind, data, place)
    WHERE e.tenant_id = $1 AND e.session_id = $2 AND e.kinds @> ARRAY['completeness'] AND x.kind = 'completeness'
    ORDER BY e.turn, e.seq DESC, x.place DESC
)
SELECT turn, (data ->> 'score')::float8 AS score, (data ->> 'progress')::float8 AS progress
FROM scored
WHERE turn % $3 = 0 OR turn = 1 OR turn = (SELECT max(turn) FROM scored)
ORDER BY turn`

// reviewPhases reads in which turns a session ($2) came into which phase, the
// latest 100.
const reviewPhases = `SELECT e.turn, x.data ->> 'phase' AS phase
FROM session_events AS e, unnest(e.kinds, e.data) WITH ORDINALITY AS x (kind, data, place)
WHERE e.tenant_id = $1 AND e.session_id = $2 AND e.kinds @> ARRAY['phase'] AND x.kind = 'phase'
ORDER BY e.seq DESC, x.place DESC
LIMIT 100`

// Bounds of the review pages.
const (
	reviewRows    = 50     // sessions on a page
	reviewCounted = 10_000 // sessions that are counted; above, there are more
	reviewHits    = 100    // what a search finds at most
	reviewDots    = 200    // points of a timeline, about
)

// rowArgs are the arguments of [reviewFilters]. found is nil where nothing was
// searched for.
func rowArgs(tenant string, f ui.ReviewFilter, found []string) []any {
	return []any{tenant, postgres.OrNull(f.Context), postgres.OrNull(string(f.Status)), postgres.OrNull(string(f.Phase)), postgres.OrNull(f.Person),
		found, f.Conflicts, f.Research}
}

// loadReviewRows queues a read of the sessions that come after a place, one more
// than a page shows, and of the counts.
func loadReviewRows(b *postgres.Batch, v *ui.ReviewListView, found []string, at time.Time, id string) {
	if id == "" {
		at, id = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), "ffffffff-ffff-ffff-ffff-ffffffffffff"
	}
	args := rowArgs(b.Tenant(), v.Filter, found)
	postgres.Rows[ui.ReviewRow](b, func(r *ui.ReviewRow) error {
		v.Rows = append(v.Rows, *r)
		return nil
	}, reviewPage, append(args[:len(args):len(args)], at, id, int32(reviewRows+1))...)
	postgres.Rows[struct{ N int64 }](b, func(r *struct{ N int64 }) error {
		v.Count, v.More = int(min(r.N, reviewCounted)), r.N > reviewCounted
		return nil
	}, reviewCount, append(args[:len(args):len(args)], int32(reviewCounted+1))...)
	postgres.Rows[ui.ReviewTallies](b, func(r *ui.ReviewTallies) error {
		v.Tallies = *r
		return nil
	}, reviewTallies, b.Tenant())
}

// loadTimeline queues a read of how far a session was after its turns, and when it
// came into which phase.
func loadTimeline(b *postgres.Batch, s obligations.Scope, turns int, out *ui.Timeline) {
	step := max((turns+reviewDots-1)/reviewDots, 1)
	postgres.Rows[ui.TimelinePoint](b, func(r *ui.TimelinePoint) error {
		out.Points = append(out.Points, *r)
		return nil
	}, reviewPoints, s.Tenant, s.Session, int32(step))
	postgres.Rows[ui.TimelinePhase](b, func(r *ui.TimelinePhase) error {
		out.Phases = append([]ui.TimelinePhase{*r}, out.Phases...)
		return nil
	}, reviewPhases, s.Tenant, s.Session)
}

// reviewHistory bounds the lines of an audit trail one round trip reads.
const reviewHistory = 5000

// historyUntil returns a session's audit trail up to a turn, oldest first.
func (s *Server) historyUntil(ctx context.Context, sc obligations.Scope, turn int) ([]obligations.Recorded, error) {
	var out []obligations.Recorded
	for p := (obligations.HistoryPage{Until: turn, Max: reviewHistory}); ; {
		list, err := obligations.History(ctx, s.Pool, sc, p)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
		if len(list) < p.Max {
			return out, nil
		}
		p.After = list[len(list)-1].ID
	}
}

// replayed returns the obligations as their history leaves them.
func (s *Server) replayed(ctx context.Context, sc obligations.Scope, history []obligations.Recorded) ([]obligations.Obligation, error) {
	events := make([]obligations.Event, len(history))
	for i, e := range history {
		events[i] = e.Event
	}
	templates, err := sessions.ReplayTemplates(events, s.Library.Templates(ctx, sc.Tenant))
	if err != nil {
		return nil, err
	}
	list, err := obligations.Replay(templates, events)
	if err != nil {
		return nil, fmt.Errorf("replay session %s: %w", sc.Session, err)
	}
	return list, nil
}
