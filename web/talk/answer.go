package talk

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/ui"
)

// earlier shows the turns before one, as many as a page holds.
func (s *Handlers) earlier(w http.ResponseWriter, r *http.Request) error {
	before, err := strconv.Atoi(r.URL.Query().Get("before"))
	if err != nil || before < 1 || before > 1<<31-1 {
		return fault.New(fault.Invalid, "must be the number of a turn, from 1 on").At("before")
	}
	session, err := s.Session(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	list, err := sessions.Transcript(r.Context(), s.Pool, session.Scope(), max(before-1-maxTurns, 0), 2*maxTurns)
	if err != nil {
		return err
	}
	v, err := s.chatView(r.Context(), session)
	if err != nil {
		return err
	}
	v.Messages = sessions.WithFiles(slices.DeleteFunc(list, func(m sessions.Message) bool { return m.Turn >= before }), v.Given, max(before-maxTurns, 1), before-1)
	return web.Render(w, r, Earlier(v))
}

// matters answers with what is to be settled and asked, for the page that shows it.
func (s *Handlers) matters(w http.ResponseWriter, r *http.Request) error {
	session, err := s.Session(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	v, err := s.chatView(r.Context(), session)
	if err != nil {
		return err
	}
	return web.Render(w, r, Matters(v))
}

// changing returns a session the actor may talk in, and its obligation that the
// request is about.
func (s *Handlers) changing(r *http.Request) (session sessions.Session, o *obligations.Obligation, err error) {
	if session, err = s.Session(r.Context(), r.PathValue("id")); err != nil {
		return session, nil, err
	}
	if err = web.Need(web.ActorFrom(r.Context()), auth.Talk); err != nil {
		return session, nil, err
	}
	if session.Status == sessions.Completed {
		return session, nil, fault.New(fault.Conflict, "this interview is completed; what it found stands").Coded("session_completed")
	}
	o, err = s.Obligation(r.Context(), session, r.PathValue("key"))
	return session, o, err
}

func (s *Handlers) answerPage(w http.ResponseWriter, r *http.Request) error {
	session, o, err := s.changing(r)
	if err != nil {
		return err
	}
	v, err := s.answerView(r.Context(), session, o)
	if err != nil {
		return err
	}
	return web.Render(w, r, Answer(v))
}

func (s *Handlers) answerView(ctx context.Context, session sessions.Session, o *obligations.Obligation) (AnswerView, error) {
	d, err := s.Library.Definition(ctx, session.Tenant, session.ObjectiveID)
	if err != nil {
		return AnswerView{}, err
	}
	return AnswerView{Nav: web.NavOf(ctx, ui.AtInterviews), Title: d.DisplayName, Session: session.ID, Obligation: *o, ClientMessageID: uuid.NewString()}, nil
}

// answer takes another answer to something as a turn of its own: one finding, one
// revision, and the interviewer says so.
func (s *Handlers) answer(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	session, o, err := s.changing(r)
	if err != nil {
		return err
	}
	message, value, wrong := Changed(o, slices.Contains(session.Question.Keys(), o.Key), r.PostForm)
	if wrong != "" {
		return s.answerAgain(w, r, session, o, fault.New(fault.Unprocessable, "%s", wrong).At("answer."+o.Key))
	}
	a := web.ActorFrom(r.Context())
	started, err := s.Engine.Start(r.Context(), chat.Input{Tenant: a.Tenant, User: a.User, SessionID: session.ID, Message: message,
		Answers: map[string]json.RawMessage{o.Key: value}, ClientMessageID: r.PostFormValue("clientMessageId"), Anyone: a.May(auth.Review)})
	if err != nil {
		return s.answerAgain(w, r, session, o, err)
	}
	if web.WantsPage(r) {
		if err := s.await(r.Context(), started); err != nil {
			return err
		}
	}
	return web.EndForm(w, r, "/s/"+session.ID)
}

// answerAgain shows a refused answer again with the reason at its field; a script
// gets the problem.
func (s *Handlers) answerAgain(w http.ResponseWriter, r *http.Request, session sessions.Session, o *obligations.Obligation, cause error) error {
	if !web.WantsPage(r) || !sayable(cause) {
		return cause
	}
	v, err := s.answerView(r.Context(), session, o)
	if err != nil {
		return err
	}
	p := web.ProblemOf(cause, web.RequestID(r.Context()))
	v.Typed, v.Wrong = r.PostForm, web.Sentence(p.Detail)
	return web.RenderAs(w, r, p.Status, Answer(v))
}

// sayable reports whether err is something to be told beside a form, rather than
// on a page of its own.
func sayable(err error) bool {
	var f *fault.Error
	return errors.As(err, &f) && slices.Contains([]fault.Kind{fault.Conflict, fault.Unprocessable, fault.Invalid, fault.TooLarge, fault.Unsupported, fault.Unavailable}, f.Kind)
}

func (s *Handlers) acceptHere(w http.ResponseWriter, r *http.Request) error {
	return s.settled(w, r, r.PathValue("key"), func(ctx context.Context, sc obligations.Scope, p chat.Actor) error {
		_, err := s.Engine.Confirm(ctx, sc, p, r.PathValue("key"), postedValue(r))
		return err
	})
}

func (s *Handlers) rejectHere(w http.ResponseWriter, r *http.Request) error {
	return s.settled(w, r, r.PathValue("key"), func(ctx context.Context, sc obligations.Scope, p chat.Actor) error {
		_, err := s.Engine.StartNegotiation(ctx, sc, p, r.PathValue("key"), postedValue(r), cmp.Or(r.PostFormValue("reason"), "It was rejected without a reason."))
		return err
	})
}

func (s *Handlers) settleHere(w http.ResponseWriter, r *http.Request) error {
	return s.settled(w, r, r.PathValue("conflict"), func(ctx context.Context, sc obligations.Scope, p chat.Actor) error {
		choice := chat.ConflictDecision{Both: r.PostFormValue("both") != ""}
		if side, err := strconv.Atoi(r.PostFormValue("side")); err == nil && !choice.Both {
			choice.Side = &side
		}
		if choice.Side == nil && !choice.Both {
			return fault.New(fault.Unprocessable, "pick the one that is right").At("side")
		}
		_, err := s.Engine.ResolveConflict(ctx, sc, p, r.PathValue("conflict"), choice)
		return err
	})
}

// postedValue is the value a form is about; nil for none.
func postedValue(r *http.Request) json.RawMessage {
	if raw := json.RawMessage(r.PostFormValue("value")); json.Valid(raw) {
		return raw
	}
	return nil
}

// settled does what a card's form asks for, in the name of the actor. What is
// refused is told on the page, at the card, with what was typed.
func (s *Handlers) settled(w http.ResponseWriter, r *http.Request, at string, do func(context.Context, obligations.Scope, chat.Actor) error) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	session, reviewer, err := s.Party(r.Context(), r.PathValue("id"), "")
	if err != nil {
		return err
	}
	if err := do(r.Context(), session.Scope(), chat.Actor{User: web.ActorFrom(r.Context()).User, Reviewer: reviewer}); err != nil {
		return s.chatAgain(w, r, session, Refusal{At: at, Typed: r.PostFormValue("reason")}, err)
	}
	return web.EndForm(w, r, "/s/"+session.ID+"#matters")
}

// chatAgain shows the page of an interview with a form that was not taken; a
// script gets the problem.
func (s *Handlers) chatAgain(w http.ResponseWriter, r *http.Request, session sessions.Session, refused Refusal, cause error) error {
	if !web.WantsPage(r) || !sayable(cause) {
		return cause
	}
	v, err := s.chatView(r.Context(), session)
	if err != nil {
		return err
	}
	p := web.ProblemOf(cause, web.RequestID(r.Context()))
	refused.Detail = web.Sentence(p.Detail)
	if p.Status == http.StatusConflict { // somebody was quicker, and the card has gone
		refused.At = ""
	}
	v.Refusal = &refused
	return web.RenderAs(w, r, p.Status, Chat(v))
}
