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

// valueAct does to a value what a reviewer's form asks for.
type valueAct func(ctx context.Context, s *Handlers, about reviewed, form url.Values) error

// reviewed is the value a form is about, and as whom its sender acts.
type reviewed struct {
	scope obligations.Scope
	party chat.Actor
	key   string
}

// actOnValue takes a form about one value, and goes back to that value.
func (s *Handlers) actOnValue(do valueAct) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := web.ReadForm(w, r); err != nil {
			return err
		}
		found, p, err := s.decider(r)
		if err != nil {
			return err
		}
		key := r.PathValue("key")
		if err := do(r.Context(), s, reviewed{found.Scope(), p, key}, r.PostForm); err != nil {
			return s.reviewRefused(w, r, found, err)
		}
		http.Redirect(w, r, "/review/"+found.ID+"#ob-"+url.PathEscape(key), http.StatusSeeOther)
		return nil
	}
}

// decider returns the session a form is about and its sender, who decides as a
// reviewer.
func (s *Handlers) decider(r *http.Request) (sessions.Session, chat.Actor, error) {
	if err := web.Need(web.ActorFrom(r.Context()), auth.Review); err != nil {
		return sessions.Session{}, chat.Actor{}, err
	}
	return s.chatActor(r.Context(), r.PathValue("id"), "reviewer")
}

func confirmAct(ctx context.Context, s *Handlers, about reviewed, form url.Values) error {
	value, err := formValue(form)
	if err != nil {
		return err
	}
	_, err = s.Engine.Confirm(ctx, about.scope, about.party, about.key, value)
	return err
}

func disputeAct(ctx context.Context, s *Handlers, about reviewed, form url.Values) error {
	value, err := formValue(form)
	if err != nil {
		return err
	}
	_, err = s.Engine.StartNegotiation(ctx, about.scope, about.party, about.key, value, form.Get("reason"))
	return err
}

func decideAct(ctx context.Context, s *Handlers, about reviewed, form url.Values) error {
	found, err := s.Session(ctx, about.scope.Session)
	if err != nil {
		return err
	}
	o, err := s.Obligation(ctx, found, about.key)
	if err != nil {
		return err
	}
	value, err := readReviewed(o, form)
	if err != nil {
		return err
	}
	_, err = s.Engine.SetValue(ctx, about.scope, about.party, about.key, value, form.Get("note"))
	return err
}

func settleAct(ctx context.Context, s *Handlers, about reviewed, form url.Values) error {
	end := chat.Settlement{Resolution: obligations.Resolution(form.Get("resolution")), Note: form.Get("note")}
	_, err := s.Engine.ResolveNegotiation(ctx, about.scope, about.party, about.key, end)
	return err
}

func reopenAct(ctx context.Context, s *Handlers, about reviewed, form url.Values) error {
	_, err := s.Engine.Reopen(ctx, about.scope, about.party, about.key, form.Get("note"))
	return err
}

func skipAct(ctx context.Context, s *Handlers, about reviewed, form url.Values) error {
	_, err := s.Engine.Skip(ctx, about.scope, about.party, about.key, obligations.SkipReason(form.Get("reason")), form.Get("note"))
	return err
}

// approveAct puts what came up to everybody, in the words of the form.
func approveAct(ctx context.Context, s *Handlers, about reviewed, form url.Values) error {
	_, err := s.approve(ctx, about.scope.Session, about.key, obligations.Wording{Label: form.Get("label"), Prompt: form.Get("prompt"), Why: form.Get("why")})
	return err
}

func dismissAct(ctx context.Context, s *Handlers, about reviewed, _ url.Values) error {
	return s.Engine.Dismiss(ctx, about.scope, about.key, about.party.User)
}

// formValue is the value a page showed when its form was sent, so that another one
// held by now is not decided unseen; nil when the form names none.
func formValue(form url.Values) (json.RawMessage, error) {
	raw := form.Get("value")
	if raw == "" {
		return nil, nil
	}
	if !json.Valid([]byte(raw)) {
		return nil, fault.New(fault.Unprocessable, "the value is not JSON").At("value")
	}
	return json.RawMessage(raw), nil
}

// decideConflict takes a form that says which side of a conflict holds.
func (s *Handlers) decideConflict(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	found, p, err := s.decider(r)
	if err != nil {
		return err
	}
	choice, err := s.choiceOf(r.Context(), found, r.PostForm)
	if err != nil {
		return s.reviewRefused(w, r, found, err)
	}
	c, err := s.Engine.ResolveConflict(r.Context(), found.Scope(), p, r.PathValue("conflict"), choice)
	if err != nil {
		return s.reviewRefused(w, r, found, err)
	}
	http.Redirect(w, r, "/review/"+found.ID+"#ob-"+url.PathEscape(c.Keys[0]), http.StatusSeeOther)
	return nil
}

// choiceOf reads which side holds: the number of one, both, or "values", whose fields
// say what is right instead. A field that is left empty lets its value stand.
func (s *Handlers) choiceOf(ctx context.Context, session sessions.Session, form url.Values) (chat.ConflictDecision, error) {
	choice := chat.ConflictDecision{Note: form.Get("note")}
	if form.Get("side") == "both" {
		choice.Both = true
		return choice, nil
	}
	if form.Get("side") == "values" {
		var err error
		choice.Values, err = s.valuesOf(ctx, session, form)
		return choice, err
	}
	side, err := strconv.Atoi(form.Get("side"))
	if err != nil {
		return choice, fault.New(fault.Unprocessable, "say which side holds").At("side")
	}
	choice.Side = &side
	return choice, nil
}

// valuesOf reads the values a form gives the obligations it names.
func (s *Handlers) valuesOf(ctx context.Context, session sessions.Session, form url.Values) (map[string]json.RawMessage, error) {
	values := map[string]json.RawMessage{}
	for _, key := range form["key"] {
		o, err := s.Obligation(ctx, session, key)
		if err != nil {
			return nil, fault.New(fault.Unprocessable, "the session has this obligation no longer").At("key")
		}
		if !Given(o.Template, form) {
			continue
		}
		if values[key], err = Reviewed(o.Template, form); err != nil {
			var f *fault.Error
			if errors.As(err, &f) {
				err = f.At("values." + key)
			}
			return nil, err
		}
	}
	if len(values) == 0 {
		return nil, fault.New(fault.Unprocessable, "enter at least one other value").At("values")
	}
	return values, nil
}

// readReviewed reads the value a form gives an obligation; a value that does not
// fit is the fault of the field "value".
func readReviewed(o *obligations.Obligation, form url.Values) (json.RawMessage, error) {
	value, err := Reviewed(o.Template, form)
	var f *fault.Error
	if errors.As(err, &f) {
		return nil, f.At("value")
	}
	return value, err
}
