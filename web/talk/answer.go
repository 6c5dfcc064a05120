package talk

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/ui"
)

// routedAnswer reads the form in which the answer that an address names is changed.
func (s *Handlers) routedAnswer(r *http.Request) (AnswerView, error) {
	session, o, err := s.answerable(r)
	if err != nil {
		return AnswerView{}, err
	}
	return s.answerView(r.Context(), session, o)
}

// answerable returns the session and the obligation that a request is about. It refuses
// an actor who may not talk in the session, and a completed session.
func (s *Handlers) answerable(r *http.Request) (sessions.Session, *obligations.Obligation, error) {
	session, err := s.talkable(r.Context(), r.PathValue("id"))
	if err != nil {
		return session, nil, err
	}
	if session.Status == sessions.Completed {
		return session, nil, fault.New(fault.Conflict, "this interview is completed; reopen it to change what it found").Coded("session_completed")
	}
	o, err := s.Obligation(r.Context(), session, r.PathValue("key"))
	return session, o, err
}

func (s *Handlers) answerView(ctx context.Context, session sessions.Session, o *obligations.Obligation) (AnswerView, error) {
	d, err := s.Library.Definition(ctx, session.Tenant, session.ObjectiveID)
	if err != nil {
		return AnswerView{}, err
	}
	return AnswerView{Nav: web.NavOf(ctx, ui.AtInterviews), Title: d.In(session.Language).DisplayName, Language: session.Language, Session: session.ID, Obligation: *o, ClientMessageID: uuid.NewString()}, nil
}

// answer takes a changed answer as a turn of its own, so that it is evidence with a place
// in the transcript like any other. A page without JavaScript waits for the reply.
func (s *Handlers) answer(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	session, o, err := s.answerable(r)
	if err != nil {
		return err
	}
	message, value, wrong := Changed(o, slices.Contains(session.Question.Keys(), o.Key), r.PostForm)
	if wrong != "" {
		return s.answerAgain(w, r, session, o, fault.New(fault.Unprocessable, "%s", wrong).At("answer."+o.Key))
	}
	in := inputOf(web.ActorFrom(r.Context()), session.ID)
	in.Message, in.Answers, in.ClientMessageID = message, map[string]json.RawMessage{o.Key: value}, r.PostFormValue("clientMessageId")
	started, err := s.Engine.Start(r.Context(), in)
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

// answerAgain shows a refused form again with what was typed and the reason. A script
// gets the problem instead.
func (s *Handlers) answerAgain(w http.ResponseWriter, r *http.Request, session sessions.Session, o *obligations.Obligation, cause error) error {
	if !showsInForm(r, cause) {
		return cause
	}
	return web.ShowAgain(w, r, cause, func(reason string) (templ.Component, error) {
		v, err := s.answerView(r.Context(), session, o)
		v.Typed, v.Wrong = r.PostForm, reason
		return Answer(v), err
	})
}

// showsInForm reports whether a refusal is shown in the form that was sent: when a page
// sent it, and the person can do something about it there. Other faults, such as a session
// that is not found, get a page of their own.
func showsInForm(r *http.Request, err error) bool {
	var f *fault.Error
	return web.WantsPage(r) && errors.As(err, &f) &&
		slices.Contains([]fault.Kind{fault.Conflict, fault.Unprocessable, fault.Invalid, fault.TooLarge, fault.Unsupported, fault.Unavailable}, f.Kind)
}

// accept confirms a proposed value.
func (s *Handlers) accept(w http.ResponseWriter, r *http.Request) error {
	return s.decide(w, r, r.PathValue("key"), func(ctx context.Context, scope obligations.Scope, by chat.Actor) error {
		_, err := s.Engine.Confirm(ctx, scope, by, r.PathValue("key"), postedValue(r))
		return err
	})
}

// reject disputes a proposed value. A reason is optional on the page, but the negotiation
// records one.
func (s *Handlers) reject(w http.ResponseWriter, r *http.Request) error {
	return s.decide(w, r, r.PathValue("key"), func(ctx context.Context, scope obligations.Scope, by chat.Actor) error {
		reason := cmp.Or(r.PostFormValue("reason"), "It was rejected without a reason.")
		_, err := s.Engine.StartNegotiation(ctx, scope, by, r.PathValue("key"), postedValue(r), reason)
		return err
	})
}

// resolve settles a conflict for one of its sides, or for both.
func (s *Handlers) resolve(w http.ResponseWriter, r *http.Request) error {
	return s.decide(w, r, r.PathValue("conflict"), func(ctx context.Context, scope obligations.Scope, by chat.Actor) error {
		choice := chat.ConflictDecision{Both: r.PostFormValue("both") != ""}
		if side, err := strconv.Atoi(r.PostFormValue("side")); err == nil && !choice.Both {
			choice.Side = &side
		}
		if choice.Side == nil && !choice.Both {
			return fault.New(fault.Unprocessable, "pick the one that is right").At("side")
		}
		_, err := s.Engine.ResolveConflict(ctx, scope, by, r.PathValue("conflict"), choice)
		return err
	})
}

// postedValue returns the value that the page showed when a form was sent; nil for none.
// The engine refuses a decision about a value that has changed since.
func postedValue(r *http.Request) json.RawMessage {
	if raw := json.RawMessage(r.PostFormValue("value")); json.Valid(raw) {
		return raw
	}
	return nil
}

// decide runs a decision outside of a turn, as the person who takes part or as a reviewer.
// at names what the form is about, as in [Refusal].
func (s *Handlers) decide(w http.ResponseWriter, r *http.Request, at string, f func(context.Context, obligations.Scope, chat.Actor) error) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	session, reviewer, err := s.Party(r.Context(), r.PathValue("id"), "")
	if err != nil {
		return err
	}
	if err := f(r.Context(), session.Scope(), chat.Actor{User: web.ActorFrom(r.Context()).User, Reviewer: reviewer}); err != nil {
		return s.chatAgain(w, r, session, Refusal{At: at, Typed: r.PostFormValue("reason")}, err)
	}
	return web.EndForm(w, r, "/s/"+session.ID+"#matters")
}

// chatAgain shows the page of an interview with a form that was refused for cause. A
// script gets the problem instead.
func (s *Handlers) chatAgain(w http.ResponseWriter, r *http.Request, session sessions.Session, refused Refusal, cause error) error {
	if !showsInForm(r, cause) {
		return cause
	}
	if fault.Is(cause, fault.Conflict) { // somebody else has decided, so the page has no such form any more
		refused.At = ""
	}
	return web.ShowAgain(w, r, cause, func(reason string) (templ.Component, error) {
		v, err := s.chatView(r.Context(), session)
		refused.Detail = reason
		v.Refusal = refused
		return Chat(v), err
	})
}
