package review

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"quaestor/internal/auth"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/ui"
)

// Bounds of what the page of one session shows.
const (
	maxDots      = 200 // points of the timeline, about
	maxComments  = 200 // comments
	reviewBefore = 9   // turns of the transcript before the one it is read at
	reviewAfter  = 10  // and after it
	maxEvents    = 8   // of the history of each value
	reviewPart   = 100 // events on a page of one value's history
)

// reviewSession shows a session as it stood after a turn.
func (s *Handlers) reviewSession(w http.ResponseWriter, r *http.Request) error {
	session, err := s.reviewable(r)
	if err != nil {
		return err
	}
	v, err := s.reviewView(r.Context(), session, ReadReviewPlace(r.URL.Query()))
	if err != nil {
		return err
	}
	return web.Render(w, r, ReviewSession(v))
}

// reviewable returns the session a request is about, for those who review.
func (s *Handlers) reviewable(r *http.Request) (sessions.Session, error) {
	if err := web.Need(web.ActorFrom(r.Context()), auth.Review); err != nil {
		return sessions.Session{}, err
	}
	return s.Session(r.Context(), r.PathValue("id"))
}

// reviewView reads a session as it stood after the turn of a place, in a fixed
// number of round trips for each 5,000 lines of its history.
func (s *Handlers) reviewView(ctx context.Context, session sessions.Session, place ReviewPlace) (ReviewView, error) {
	v := ReviewView{Nav: web.NavOf(ctx, ui.AtReview), Session: session, Place: place, Turn: session.Turns}
	if !v.Now() {
		v.Turn = place.Turn
	} else {
		v.Place.Turn = 0
	}
	d, err := s.Library.Definition(ctx, session.Tenant, session.ObjectiveID)
	if err != nil {
		return v, err
	}
	v.Title = d.DisplayName
	list, history, err := s.reviewState(ctx, &v)
	if err != nil {
		return v, err
	}
	v.Values, v.Completeness = reviewValues(list, history), d.Completion.Score(list)
	for _, e := range history {
		if e.Turn == v.Turn {
			v.Changed = append(v.Changed, e)
		}
	}
	if err := s.readMessages(ctx, &v); err != nil {
		return v, err
	}
	if v.Turn > 0 {
		v.Details, err = s.turnDetails(ctx, v.Session, v.Turn)
	}
	return v, err
}

// reviewState reads what was known, disputed and looked up after the view's turn,
// and returns the obligations and their history.
func (s *Handlers) reviewState(ctx context.Context, v *ReviewView) ([]obligations.Obligation, []obligations.StoredEvent, error) {
	scope := v.Session.Scope()
	var list []obligations.Obligation
	b := postgres.NewBatch(scope.Tenant)
	if v.Now() {
		obligations.Load(b, scope, s.Library.Templates(ctx, scope.Tenant), &list)
	}
	obligations.LoadConflicts(b, scope, obligations.AllConflicts, &v.Conflicts)
	research.Load(b, scope, &v.Research)
	sessions.LoadMilestones(b, scope, max((v.Session.Turns+maxDots-1)/maxDots, 1), &v.Timeline.Points, &v.Timeline.Phases)
	sessions.LoadComments(b, scope, time.Time{}, "", maxComments+1, &v.Comments)
	if err := b.Send(ctx, s.Pool); err != nil {
		return nil, nil, fmt.Errorf("read the review of session %s: %w", scope.Session, err)
	}
	v.Comments, v.More = v.Comments[:min(len(v.Comments), maxComments)], len(v.Comments) > maxComments
	history, err := s.historyUntil(ctx, scope, max(v.Turn, 1))
	if err != nil {
		return nil, nil, err
	}
	v.Phase = v.Session.Phase
	if !v.Now() {
		v.Phase = v.Timeline.At(v.Turn)
		v.Conflicts = slices.DeleteFunc(v.Conflicts, func(c obligations.Conflict) bool { return c.Detected > v.Turn })
		v.Research = slices.DeleteFunc(v.Research, func(t research.Task) bool { return t.Turn > v.Turn })
		list, err = s.replayed(ctx, scope, history)
	}
	return list, history, err
}

// reviewValues gives each obligation the end of its history.
func reviewValues(list []obligations.Obligation, history []obligations.StoredEvent) []ReviewValue {
	out, at := make([]ReviewValue, len(list)), map[string]int{}
	for i := range list {
		out[i].Obligation, at[list[i].Key] = &list[i], i
	}
	for _, e := range slices.Backward(history) {
		i, known := at[e.Key]
		if !known {
			continue
		}
		if out[i].Total++; len(out[i].Events) < maxEvents {
			out[i].Events = append(out[i].Events, e)
		}
	}
	for i := range out {
		slices.Reverse(out[i].Events)
	}
	return out
}

// readMessages reads the messages around the turn the transcript is read at, none
// after the view's.
func (s *Handlers) readMessages(ctx context.Context, v *ReviewView) error {
	at := v.Turn
	if e := v.Chosen(); e != nil {
		at = spokenIn(*e)
	}
	if v.Place.At > 0 {
		at = v.Place.At
	}
	at = min(max(at, 1), max(v.Turn, 1))
	v.From = max(at-reviewBefore, 1)
	v.To = min(at+reviewAfter, v.Turn)
	if v.Turn == 0 {
		return nil
	}
	list, err := sessions.Transcript(ctx, s.Pool, v.Session.Scope(), v.From-1, 2*(v.To-v.From+1))
	v.Messages = slices.DeleteFunc(list, func(m sessions.Message) bool { return m.Turn > v.To })
	return err
}

// spokenIn is the turn of the message that e quotes or, for want of one, proposed.
func spokenIn(e obligations.Evidence) int {
	message := e.Message
	if message == "" && e.Proposal != nil {
		message = e.Proposal.Message
	}
	var turn int
	if _, err := fmt.Sscanf(message, "%d-", &turn); err != nil {
		return e.Turn
	}
	return turn
}
