package review

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web"
	"quaestor/web/ui"
)

// Bounds of the list.
const (
	reviewRows   = 50     // sessions on a page
	reviewHits   = 100    // what a search finds at most
	countedCheap = 10_000 // sessions that are counted; above, there are more
	countedDear  = 1_000  // the same where each session's values are looked at
)

// reviewList takes two round trips, whatever the number of sessions, and those of
// a search when there is one.
func (s *Handlers) reviewList(w http.ResponseWriter, r *http.Request) error {
	v, err := s.reviewListView(r.Context(), ReadReviewFilter(r.URL.Query()), r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	return web.Render(w, r, ReviewList(v))
}

// reviewListView reads a page of the list.
func (s *Handlers) reviewListView(ctx context.Context, f ReviewFilter, cursor string) (ReviewListView, error) {
	a := web.ActorFrom(ctx)
	v := ReviewListView{Nav: web.NavOf(ctx, ui.AtReview), Filter: f, Bound: maxExported}
	if err := web.Need(a, auth.Review); err != nil {
		return v, err
	}
	after, err := reviewPlace(f.Order, cursor)
	if err != nil {
		return v, err
	}
	v.Later = after.ID != ""
	if v.Contexts, err = s.contexts(ctx, a.Tenant); err != nil {
		return v, err
	}
	found, err := s.reviewFound(ctx, a.Tenant, &v)
	if err != nil {
		return v, err
	}
	wanted, most := f.Wanted(found), countedCheap
	if slices.Contains(wanted.Needs, sessions.NeedDispute) || slices.Contains(wanted.Needs, sessions.NeedUnsure) {
		most = countedDear
	}
	b := postgres.NewBatch(a.Tenant)
	sessions.LoadReviewPage(b, wanted, f.Order, after, reviewRows+1, &v.Rows)
	sessions.LoadReviewCount(b, wanted, most+1, &v.Count)
	sessions.LoadReviewTallies(b, &v.Tallies)
	if err := b.Send(ctx, s.Pool); err != nil {
		return v, fmt.Errorf("list sessions to review: %w", err)
	}
	v.Count, v.More = min(v.Count, most), v.Count > most
	if len(v.Rows) > reviewRows {
		v.Rows = v.Rows[:reviewRows]
		v.Older = reviewCursor(f.Order, v.Rows[reviewRows-1].Place)
	}
	return v, nil
}

// reviewCursor is a place in an order of the list, as an address holds it.
func reviewCursor(by sessions.ReviewOrder, p sessions.ReviewPlace) string {
	if by == sessions.NewestFirst {
		return web.FormatPlace(p.At, p.ID)
	}
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatFloat(p.Rank, 'g', -1, 64) + " " + p.ID))
}

// reviewPlace reads a cursor of that order; empty means from the start.
func reviewPlace(by sessions.ReviewOrder, cursor string) (p sessions.ReviewPlace, err error) {
	if by == sessions.NewestFirst || cursor == "" {
		p.At, p.ID, err = web.ParsePlace(cursor)
		return p, err
	}
	bad := fault.New(fault.Invalid, "is not a cursor of this list; begin at its first page").At("cursor").Coded("bad_cursor")
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return p, bad
	}
	rank, id, _ := strings.Cut(string(raw), " ")
	if p.Rank, err = strconv.ParseFloat(rank, 64); err != nil {
		return p, bad
	}
	if known, err := uuid.Parse(id); err != nil || known.String() != id {
		return p, bad
	}
	p.ID = id
	return p, nil
}

// contexts returns the names of a tenant's objectives by their context, in the
// order of the contexts.
func (s *Handlers) contexts(ctx context.Context, tenant string) ([]ReviewContext, error) {
	list, err := s.Library.List(ctx, tenant, objectives.OnlyActive)
	out := make([]ReviewContext, len(list))
	for i, o := range list {
		out[i] = ReviewContext{Type: o.ContextType, Name: o.DisplayName}
	}
	return out, err
}

// reviewFound returns the sessions in which the filter's words are found: nil when
// there are none to look for. A search that cannot be done finds nothing, and the
// page says why.
func (s *Handlers) reviewFound(ctx context.Context, tenant string, v *ReviewListView) ([]string, error) {
	if v.Filter.Words == "" {
		return nil, nil
	}
	hits, err := s.Index.Search(ctx, sessions.Query{Tenant: tenant, Words: v.Filter.Words, Max: reviewHits})
	if fault.Is(err, fault.Unavailable) {
		v.Failure = web.Sentence(web.ProblemOf(err, "").Detail)
		return []string{}, nil
	}
	found := []string{}
	for _, h := range hits {
		if !slices.Contains(found, h.Session) {
			found = append(found, h.Session)
		}
	}
	v.Partial = len(hits) == reviewHits
	return found, err
}
