package review

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
)

// submission is a form that a reviewer has posted about a session.
type submission struct {
	session  sessions.Session
	reviewer chat.Actor
	path     func(name string) string // value of a part of the address, such as "key"
	form     url.Values
}

// form returns the handler of a form: it checks that the sender may review the session,
// calls apply, and redirects to the address that apply returns. When apply refuses what
// was filled in, the page is shown again with the form as it was sent.
func (s *Handlers) form(apply func(context.Context, submission) (string, error)) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := web.ReadForm(w, r); err != nil {
			return err
		}
		session, err := s.reviewable(r.Context(), r.PathValue("id"))
		if err != nil {
			return err
		}
		reviewer := chat.Actor{User: web.ActorFrom(r.Context()).User, Reviewer: true}
		back, err := apply(r.Context(), submission{session, reviewer, r.PathValue, r.PostForm})
		if err != nil {
			return s.showRefusal(w, r, session, err)
		}
		return web.SeeOther(w, r, back)
	}
}

// reviewable returns a session to an actor with the permission to review.
func (s *Handlers) reviewable(ctx context.Context, id string) (sessions.Session, error) {
	if err := web.Need(web.ActorFrom(ctx), auth.Review); err != nil {
		return sessions.Session{}, err
	}
	return s.Session(ctx, id)
}

// valueAct applies a form to the value of one obligation.
type valueAct func(ctx context.Context, in submission, key string) error

// onValue applies the form to the value that its address names, and returns where that
// value is shown.
func (act valueAct) onValue(ctx context.Context, in submission) (string, error) {
	key := in.path("key")
	return valueAnchor(in.session.ID, key), act(ctx, in, key)
}

// valueAnchor is where the page of a session shows a value.
func valueAnchor(session, key string) string {
	return sessionPath(session) + "#ob-" + url.PathEscape(key)
}

// confirm confirms the value shown, which then counts as decided by a reviewer.
func (s *Handlers) confirm(ctx context.Context, in submission, key string) error {
	value, err := shownValue(in.form)
	if err == nil {
		_, err = s.Engine.Confirm(ctx, in.session.Scope(), in.reviewer, key, value)
	}
	return err
}

// reject opens a dispute over the value shown, for the reason in the form.
func (s *Handlers) reject(ctx context.Context, in submission, key string) error {
	value, err := shownValue(in.form)
	if err == nil {
		_, err = s.Engine.StartNegotiation(ctx, in.session.Scope(), in.reviewer, key, value, in.form.Get("reason"))
	}
	return err
}

// decide sets the value in the form. It holds over whatever the person has said.
func (s *Handlers) decide(ctx context.Context, in submission, key string) error {
	o, err := s.Obligation(ctx, in.session, key)
	if err != nil {
		return err
	}
	value, err := templateValue(o.Template, in.form)
	if err != nil {
		return at("value", err)
	}
	_, err = s.Engine.SetValue(ctx, in.session.Scope(), in.reviewer, key, value, in.form.Get("note"))
	return err
}

// settle ends a dispute with one of the values that were named in it.
func (s *Handlers) settle(ctx context.Context, in submission, key string) error {
	end := chat.Settlement{Resolution: obligations.Resolution(in.form.Get("resolution")), Note: in.form.Get("note")}
	_, err := s.Engine.ResolveNegotiation(ctx, in.session.Scope(), in.reviewer, key, end)
	return err
}

// reopen takes a value back, or the decision to skip it, so that it is asked again.
func (s *Handlers) reopen(ctx context.Context, in submission, key string) error {
	_, err := s.Engine.Reopen(ctx, in.session.Scope(), in.reviewer, key, in.form.Get("note"))
	return err
}

// skip leaves the obligation out, for the reason that the pressed button names.
func (s *Handlers) skip(ctx context.Context, in submission, key string) error {
	_, err := s.Engine.Skip(ctx, in.session.Scope(), in.reviewer, key, obligations.SkipReason(in.form.Get("reason")), in.form.Get("note"))
	return err
}

// approveAs makes an emergent question part of the objective, worded as in the form.
func (s *Handlers) approveAs(ctx context.Context, in submission, key string) error {
	words := obligations.Wording{Label: in.form.Get("label"), Prompt: in.form.Get("prompt"), Why: in.form.Get("why")}
	_, err := s.approve(ctx, in.session.Scope(), key, words, in.reviewer.User)
	return err
}

// dismiss rejects an emergent question, which its session then skips.
func (s *Handlers) dismiss(ctx context.Context, in submission, key string) error {
	return s.Engine.Dismiss(ctx, in.session.Scope(), key, in.reviewer.User)
}

// shownValue returns the value that the page showed beside the form, and nil when the form
// names none. The engine compares it with the value held by now, so that nobody decides
// about a value they have not seen.
func shownValue(form url.Values) (json.RawMessage, error) {
	raw := form.Get("value")
	if raw == "" {
		return nil, nil
	}
	if !json.Valid([]byte(raw)) {
		return nil, fault.New(fault.Unprocessable, "the value is not JSON").At("value")
	}
	return json.RawMessage(raw), nil
}

// decideConflict applies the form that chooses the side of a conflict which holds.
func (s *Handlers) decideConflict(ctx context.Context, in submission) (string, error) {
	choice, err := s.choiceOf(ctx, in)
	if err != nil {
		return "", err
	}
	c, err := s.Engine.ResolveConflict(ctx, in.session.Scope(), in.reviewer, in.path("conflict"), choice)
	if err != nil {
		return "", err
	}
	return valueAnchor(in.session.ID, c.Keys[0]), nil
}

// choiceOf reads the field "side": the number of a side, "both", or "values" when the
// other fields hold the right values instead.
func (s *Handlers) choiceOf(ctx context.Context, in submission) (choice chat.ConflictDecision, err error) {
	choice.Note = in.form.Get("note")
	switch side := in.form.Get("side"); side {
	case "both":
		choice.Both = true
	case "values":
		choice.Values, err = s.valuesOf(ctx, in)
	default:
		n, bad := strconv.Atoi(side)
		if bad != nil {
			return choice, fault.New(fault.Unprocessable, "say which side holds").At("side")
		}
		choice.Side = &n
	}
	return choice, err
}

// valuesOf reads a value for each obligation that the form names. An obligation whose
// fields are empty keeps the value it has, and at least one must have another.
func (s *Handlers) valuesOf(ctx context.Context, in submission) (map[string]json.RawMessage, error) {
	values := map[string]json.RawMessage{}
	for _, key := range in.form["key"] {
		o, err := s.Obligation(ctx, in.session, key)
		if err != nil {
			return nil, fault.New(fault.Unprocessable, "the session no longer has this obligation").At("key")
		}
		if !hasValue(o.Template, in.form) {
			continue
		}
		if values[key], err = templateValue(o.Template, in.form); err != nil {
			return nil, at("values."+key, err)
		}
	}
	if len(values) == 0 {
		return nil, fault.New(fault.Unprocessable, "enter at least one other value").At("values")
	}
	return values, nil
}

// at returns err as the fault of a field of a form. An internal error stays as it is.
func at(field string, err error) error {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.At(field)
	}
	return err
}
