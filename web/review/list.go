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

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web"
	"quaestor/web/ui"
)

// Bounds of the list. Counting stops where it would take longer than reading the page:
// sooner when the values of each session have to be looked at.
const (
	listRows         = 50     // sessions on a page
	maxHits          = 100    // places that a search finds
	maxCounted       = 10_000 // sessions that are counted
	maxCountedValues = 1_000  // sessions that are counted by what their values need
)

// routedList reads the page of the list that an address names.
func (s *Handlers) routedList(r *http.Request) (listView, error) {
	return s.listView(r.Context(), readFilter(r.URL.Query()), r.URL.Query().Get("cursor"))
}

// listView reads the page of the sessions that a filter finds which begins at a cursor. It
// takes two round trips whatever their number, and those of a search when there is one.
func (s *Handlers) listView(ctx context.Context, f listFilter, cursor string) (listView, error) {
	a := web.ActorFrom(ctx)
	v := listView{Nav: web.NavOf(ctx, ui.AtReview), Filter: f}
	after, err := parsePlace(f.Order, cursor)
	if err != nil {
		return v, err
	}
	v.Later = after.ID != ""
	if v.Contexts, err = s.objectiveNames(ctx, a.Tenant); err != nil {
		return v, err
	}
	found, err := s.search(ctx, a.Tenant, &v)
	if err != nil {
		return v, err
	}
	wanted, most := f.among(found), maxCounted
	if slices.Contains(wanted.Needs, sessions.NeedDispute) || slices.Contains(wanted.Needs, sessions.NeedUnsure) {
		most = maxCountedValues
	}
	b := postgres.NewBatch(a.Tenant)
	sessions.LoadReviewPage(b, wanted, f.Order, after, listRows+1, &v.Rows)
	sessions.LoadReviewCount(b, wanted, most+1, &v.Count)
	sessions.LoadReviewTallies(b, &v.Tallies)
	if err := b.Send(ctx, s.Pool); err != nil {
		return v, fmt.Errorf("list sessions to review: %w", err)
	}
	v.Count, v.More = min(v.Count, most), v.Count > most
	if len(v.Rows) > listRows {
		v.Rows = v.Rows[:listRows]
		v.Older = formatPlace(f.Order, v.Rows[listRows-1].Place)
	}
	return v, nil
}

// formatPlace makes a cursor of a place in an order of the list. Places by time are those of
// all lists; the other orders are by a number.
func formatPlace(by sessions.ReviewOrder, p sessions.ReviewPlace) string {
	if by == sessions.NewestFirst {
		return web.FormatPlace(p.At, p.ID)
	}
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatFloat(p.Rank, 'g', -1, 64) + " " + p.ID))
}

// parsePlace reads a cursor of an order; the empty one means from the start.
func parsePlace(by sessions.ReviewOrder, cursor string) (p sessions.ReviewPlace, err error) {
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

// objectiveNames returns the names of a tenant's active objectives, in the order of their
// contexts.
func (s *Handlers) objectiveNames(ctx context.Context, tenant string) ([]objectiveName, error) {
	list, err := s.Library.List(ctx, tenant, objectives.OnlyActive)
	return web.Map(list, func(o objectives.Objective) objectiveName { return objectiveName{o.ContextType, o.DisplayName} }), err
}

// search returns the ids of the sessions that contain the words of v's filter, and nil when
// the filter has none. When the index is unavailable it returns none, and sets v.Failure.
func (s *Handlers) search(ctx context.Context, tenant string, v *listView) ([]string, error) {
	if v.Filter.Words == "" {
		return nil, nil
	}
	hits, err := s.Index.Search(ctx, sessions.Query{Tenant: tenant, Words: v.Filter.Words, Max: maxHits})
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
	v.Partial = len(hits) == maxHits
	return found, err
}
