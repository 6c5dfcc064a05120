package talk

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
)

// sessionReopening opens a completed session again. Its body may be absent.
type sessionReopening struct {
	web.SessionPath
	Body *sessionReopeningBody
}

type sessionReopeningBody struct {
	Revision int          `json:"revision,omitempty" minimum:"1" doc:"the completed revision that is meant: when the session is past it, nothing changes, so a request may be sent again. When left out, whichever the session is at"`
	Reason   string       `json:"reason,omitempty" doc:"told in the conversation and kept with the revision"`
	As       web.ActingAs `json:"as,omitempty"`
}

// reopenSession opens a completed session as its next revision; one that is open already
// stays as it is.
func (s *Handlers) reopenSession(ctx context.Context, in *sessionReopening) (web.SessionBody, error) {
	b := web.OrZero(in.Body)
	opened, err := s.reopen(ctx, in.ID, b.As, chat.Reopening{Revision: b.Revision, Reason: b.Reason})
	return web.ToSessionBody(opened), err
}

// reopen opens a completed session for somebody who takes part in it or reviews it.
func (s *Handlers) reopen(ctx context.Context, id string, as web.ActingAs, r chat.Reopening) (sessions.Session, error) {
	found, reviewer, err := s.Party(ctx, id, as)
	if err != nil {
		return sessions.Session{}, err
	}
	return s.Engine.ReopenSession(ctx, found.Scope(), chat.Actor{User: web.ActorFrom(ctx).User, Reviewer: reviewer}, r)
}

// postReopen takes the button of a completed interview, and shows the interview again.
func (s *Handlers) postReopen(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	revision, _ := strconv.Atoi(r.PostFormValue("revision")) // without one, whichever it is at
	opened, err := s.reopen(r.Context(), r.PathValue("id"), "", chat.Reopening{Revision: revision})
	if err != nil {
		return err
	}
	return web.SeeOther(w, r, "/s/"+opened.ID)
}

// RevisionBody is a revision of a session on the wire.
type RevisionBody struct {
	Revision    int             `json:"revision"`
	Status      sessions.Status `json:"status"`
	FirstTurn   int             `json:"firstTurn" doc:"that belongs to it"`
	LastTurn    int             `json:"lastTurn" doc:"0 for none"`
	Score       float64         `json:"score"`
	Progress    float64         `json:"progress"`
	CompletedAt *time.Time      `json:"completedAt,omitempty"`
	ReopenedAt  *time.Time      `json:"reopenedAt,omitempty" doc:"when the next revision began"`
	ReopenedBy  string          `json:"reopenedBy,omitempty"`
	ByReviewer  bool            `json:"reopenedByReviewer,omitempty"`
	Reason      string          `json:"reason,omitempty" doc:"for reopening it"`
	Changes     []revisedBody   `json:"changes" doc:"since the revision before"`
}

// revisedBody is a value that a revision changed.
type revisedBody struct {
	Key            string             `json:"key"`
	Label          string             `json:"label"`
	PreviousStatus obligations.Status `json:"previousStatus,omitempty" doc:"absent when the revision before did not ask for it"`
	PreviousValue  json.RawMessage    `json:"previousValue,omitempty"`
	Status         obligations.Status `json:"status,omitempty" doc:"absent when it is not asked for any more"`
	Value          json.RawMessage    `json:"value,omitempty"`
}

// listRevisions returns all revisions of a session with what each changed, oldest first.
func (s *Handlers) listRevisions(ctx context.Context, found sessions.Session, _ *web.SessionPath) (web.Page[RevisionBody], error) {
	list, err := chat.Revisions(ctx, s.Pool, s.Library, found)
	return web.Page[RevisionBody]{Items: web.Map(list, toRevisionBody)}, err
}

func toRevisionBody(r chat.RevisionReport) RevisionBody {
	s := r.Session
	out := RevisionBody{Revision: s.Revision, Status: s.Status, FirstTurn: r.Begun(), LastTurn: s.Turns, Score: s.Score, Progress: s.Progress,
		CompletedAt: s.CompletedAt, Changes: web.Map(r.Changes, toRevisedBody)}
	if o := r.Reopening; o != nil {
		out.ReopenedAt, out.ReopenedBy, out.ByReviewer, out.Reason = &o.ReopenedAt, o.ReopenedBy, o.Reviewer, o.Reason
	}
	return out
}

func toRevisedBody(d chat.Difference) revisedBody {
	out := revisedBody{Key: d.Key}
	if o := d.First; o != nil {
		out.Label, out.PreviousStatus, out.PreviousValue = o.Name(), o.Status, o.Value
	}
	if o := d.Other; o != nil {
		out.Label, out.Status, out.Value = o.Name(), o.Status, o.Value
	}
	return out
}
