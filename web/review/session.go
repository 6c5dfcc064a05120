package review

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web"
)

// Bounds of the page of one session, so that it stays readable and quick to draw however
// long the interview was. What is left out is a link away.
const (
	maxDots      = 200 // points of the timeline; one more when the turns do not divide evenly
	maxComments  = 200 // comments
	turnsBefore  = 9   // turns of the transcript before the one it is read at
	turnsAfter   = 10  // turns after it
	latestEvents = 8   // events of the history of each value
)

// showSession shows a session as it stood after the turn that the address names.
func (s *Handlers) showSession(w http.ResponseWriter, r *http.Request, session sessions.Session) error {
	v, err := s.sessionView(r.Context(), session, readPlace(r.URL.Query()))
	if err != nil {
		return err
	}
	return web.Render(w, r, sessionPage(v))
}

// sessionView reads a session as it stood after the turn of a place. The number of round
// trips is fixed, but for one more for every [historyBatch] events.
func (s *Handlers) sessionView(ctx context.Context, session sessions.Session, at place) (sessionView, error) {
	p, objective, err := s.pageOf(ctx, session)
	v := sessionView{page: p, Place: at, Turn: at.Turn}
	if err != nil {
		return v, err
	}
	if v.Now() {
		v.Turn, v.Place.Turn = session.Turns, 0
	}
	history, err := s.loadState(ctx, &v)
	if err != nil {
		return v, err
	}
	objective = session.Speak(objective, v.Known)
	v.Values, v.Completeness = valueViews(v.Known, history), objective.Completion.Score(v.Known)
	v.Changed = web.Where(history, func(e obligations.StoredEvent) bool { return e.Turn == v.Turn })
	if err := s.loadRevisions(ctx, &v); err != nil || v.Turn == 0 {
		return v, err
	}
	if err := s.loadMessages(ctx, &v); err != nil {
		return v, err
	}
	v.Details, err = s.summarise(ctx, v.Session, v.Turn)
	return v, err
}

// loadState reads into v what was known, disputed and looked up after its turn, and
// returns the audit trail until then. The past is replayed from that trail.
func (s *Handlers) loadState(ctx context.Context, v *sessionView) ([]obligations.StoredEvent, error) {
	scope := v.Session.Scope()
	b := postgres.NewBatch(scope.Tenant)
	if v.Now() {
		obligations.Load(b, scope, s.Library.Templates(ctx, scope.Tenant), &v.Known)
	}
	loadHandover(b, v.Session, &v.Handover)
	obligations.LoadConflicts(b, scope, obligations.AllConflicts, &v.Conflicts)
	research.Load(b, scope, &v.Research)
	sessions.LoadMilestones(b, scope, max((v.Session.Turns+maxDots-1)/maxDots, 1), &v.Timeline.Points, &v.Timeline.Phases)
	sessions.LoadComments(b, scope, time.Time{}, "", maxComments+1, &v.Comments)
	sessions.LoadRecordings(b, scope, &v.Recordings)
	if err := b.Send(ctx, s.Pool); err != nil {
		return nil, fmt.Errorf("read the review of session %s: %w", scope.Session, err)
	}
	v.Comments, v.More = v.Comments[:min(len(v.Comments), maxComments)], len(v.Comments) > maxComments
	history, err := s.historyUntil(ctx, scope, max(v.Turn, 1))
	if err != nil {
		return nil, err
	}
	v.Phase = v.Session.Phase
	if !v.Now() {
		v.Phase = v.Timeline.At(v.Turn)
		v.Conflicts = slices.DeleteFunc(v.Conflicts, func(c obligations.Conflict) bool { return c.Detected > v.Turn })
		v.Research = slices.DeleteFunc(v.Research, func(t research.Task) bool { return t.Turn > v.Turn })
		v.Known, err = s.replayed(ctx, scope, history)
	}
	return history, err
}

// valueViews returns each obligation with the latest events of its history. Events of
// obligations that are not in list are left out.
func valueViews(list []obligations.Obligation, history []obligations.StoredEvent) []valueView {
	out, index := make([]valueView, len(list)), map[string]int{}
	for i := range list {
		out[i].Obligation, index[list[i].Key] = &list[i], i
	}
	for _, e := range history {
		if i, known := index[e.Key]; known {
			out[i].Events = append(out[i].Events, e)
		}
	}
	for i := range out {
		out[i].Total = len(out[i].Events)
		out[i].Events = out[i].Events[max(out[i].Total-latestEvents, 0):]
	}
	return out
}

// loadMessages reads into v the messages around the turn at which the transcript is read:
// the one the place names, or else that of the chosen evidence, or else the view's. None is
// later than the view's turn.
func (s *Handlers) loadMessages(ctx context.Context, v *sessionView) error {
	at := v.Turn
	if e := v.Chosen(); e != nil {
		at = saidIn(*e)
	}
	if v.Place.At > 0 {
		at = v.Place.At
	}
	at = min(max(at, 1), v.Turn)
	v.From, v.To = max(at-turnsBefore, 1), min(at+turnsAfter, v.Turn)
	list, err := sessions.Transcript(ctx, s.Pool, v.Session.Scope(), v.From-1, 2*(v.To-v.From+1))
	v.Messages = slices.DeleteFunc(list, func(m sessions.Message) bool { return m.Turn > v.To })
	return err
}

// saidIn is the turn of the message that e quotes or in which it was proposed; without
// either, the turn that found it. The ids of messages begin with the number of their turn.
func saidIn(e obligations.Evidence) int {
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
