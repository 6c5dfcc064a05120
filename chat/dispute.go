package chat

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
)

// maxReason bounds the reason given for a change, in bytes: a page of text.
const maxReason = 2000

// StartNegotiation opens a dispute: by rejects proposal, or the value held when that is
// nil, and gives a reason. The value is taken back until the dispute ends, unless a
// reviewer decided it: then it stays, and a reviewer decides again. It is a Conflict while
// a dispute is open, and when another value is held by now.
func (e *Engine) StartNegotiation(ctx context.Context, s obligations.Scope, by Actor, key string, proposal json.RawMessage, reason string) (obligations.Obligation, error) {
	return e.about(ctx, s, by, key, func(ed *edit, o *obligations.Obligation) error {
		why, err := reasoned("userRejection", reason)
		switch {
		case err != nil:
			return err
		case why == "":
			return fault.New(fault.Unprocessable, "say what is wrong with the value").At("userRejection")
		case proposal == nil && o.Value == nil:
			return fault.New(fault.Unprocessable, "there is no value to reject; name the one that was proposed").At("agentProposal")
		case proposal != nil && o.Value != nil && !obligations.SameValue(proposal, o.Value):
			return fault.New(fault.Conflict, "another value is held by now; read it again").At("agentProposal").Coded("value_changed")
		case proposal != nil && o.Check(proposal) != nil:
			return at("agentProposal", o.Check(proposal))
		}
		if _, err := obligations.StartNegotiation(o.Negotiation, obligations.Rejection{Proposal: proposal}); err != nil {
			return err
		}
		ed.add(obligations.Finding{Key: key, Act: obligations.Deny, Value: proposal, Reason: why})
		return nil
	})
}

// SubmitUserValue records what by says is right in an open dispute. The value is held, in
// doubt, until the dispute is resolved; against a reviewer's decision it is only recorded.
// It is a Conflict when no dispute is open.
func (e *Engine) SubmitUserValue(ctx context.Context, s obligations.Scope, by Actor, key string, value json.RawMessage) (obligations.Obligation, error) {
	return e.about(ctx, s, by, key, func(ed *edit, o *obligations.Obligation) error {
		if err := o.Check(value); err != nil {
			return at("userValue", err)
		}
		if _, err := obligations.SubmitUserValue(o.Negotiation, ed.Turn, value); err != nil {
			return err
		}
		ed.add(obligations.Finding{Key: key, Act: obligations.Submit, Value: value, Reason: "named in the dispute"})
		return nil
	})
}

// Settlement is how a dispute ends.
type Settlement struct {
	Value      json.RawMessage // nil means the proposal (user_accepted) or the person's value (agent_accepted)
	Resolution obligations.Resolution
	Note       string
}

// ResolveNegotiation ends a dispute with a value that both sides accept. Only a reviewer
// ends an escalated dispute. It is a Conflict when no dispute is open.
func (e *Engine) ResolveNegotiation(ctx context.Context, s obligations.Scope, by Actor, key string, end Settlement) (obligations.Obligation, error) {
	return e.about(ctx, s, by, key, func(ed *edit, o *obligations.Obligation) error {
		if _, err := obligations.ResolveNegotiation(o.Negotiation, obligations.Settlement{Reviewer: by.Reviewer}); err != nil {
			return err
		}
		v, err := end.value(o)
		if err != nil {
			return err
		}
		note, err := reasoned("note", end.Note)
		if err != nil {
			return err
		}
		ed.add(obligations.Finding{Key: key, Act: obligations.Settle, Value: v, How: end.Resolution, Reason: cmp.Or(note, "the dispute was ended")})
		ed.settleKey(key, "the dispute was ended")
		return nil
	})
}

// value returns the value that a settlement stands for.
func (end Settlement) value(o *obligations.Obligation) (json.RawMessage, error) {
	proposal, user := o.Negotiation.Last()
	v, whose := end.Value, ""
	switch end.Resolution {
	case obligations.UserAccepted:
		v, whose = proposal, "the one that was proposed"
	case obligations.AgentAccepted:
		v, whose = user, "the one the person named"
	case obligations.Compromise:
	default:
		return nil, fault.New(fault.Unprocessable, "a resolution is user_accepted, agent_accepted or compromise, not %q", end.Resolution).At("resolution")
	}
	switch {
	case v == nil && end.Value == nil:
		return nil, fault.New(fault.Unprocessable, "say which value both sides hold now").At("finalValue")
	case v == nil:
		v = end.Value
	case end.Value != nil && !obligations.SameValue(v, end.Value):
		return nil, fault.New(fault.Unprocessable, "with the resolution %s the value is %s; another one is a compromise", end.Resolution, whose).At("finalValue")
	}
	return v, at("finalValue", o.Check(v))
}

// SetValue records a reviewer's decision. It holds whatever was said before, and only a
// reviewer changes it. Open disputes and conflicts over the key end with it.
func (e *Engine) SetValue(ctx context.Context, s obligations.Scope, by Actor, key string, value json.RawMessage, note string) (obligations.Obligation, error) {
	return e.about(ctx, s, by, key, func(ed *edit, o *obligations.Obligation) error {
		if !by.Reviewer {
			return fault.New(fault.Forbidden, "only a reviewer decides a value").Coded("role_too_low")
		}
		if err := o.Check(value); err != nil {
			return at("value", err)
		}
		why, err := reasoned("note", note)
		if err != nil {
			return err
		}
		ed.add(obligations.Finding{Key: key, Act: obligations.Correct, Value: value, Reason: cmp.Or(why, "a reviewer decided")})
		ed.settleKey(key, "a reviewer decided the value")
		return nil
	})
}

// Confirm confirms a value: the one held or, in a dispute, the one proposed. A nil value
// means whichever that is. A person's yes is assent to a proposal; a reviewer's is a
// decision. Open conflicts over the key end with it. It is a Conflict when another value is
// held by now, and Unprocessable when there is none.
func (e *Engine) Confirm(ctx context.Context, s obligations.Scope, by Actor, key string, value json.RawMessage) (obligations.Obligation, error) {
	return e.about(ctx, s, by, key, func(ed *edit, o *obligations.Obligation) error {
		held := o.Value
		if held == nil && o.Negotiation.Open() {
			held, _ = o.Negotiation.Last()
		}
		switch {
		case held == nil:
			return fault.New(fault.Unprocessable, "there is no value to confirm").At("value").Coded("value_missing")
		case value != nil && !obligations.SameValue(value, held):
			return fault.New(fault.Conflict, "another value is held by now; read it again").At("value").Coded("value_changed")
		}
		ed.add(obligations.Finding{Key: key, Act: obligations.Confirm, Value: held, Reason: "it was confirmed"})
		if !by.Reviewer {
			said := &ed.Findings[len(ed.Findings)-1]
			said.Evidence = obligations.Evidence{Kind: obligations.Accepted, By: by.User, Proposal: &obligations.Proposal{Value: held}}
		}
		ed.settleKey(key, "the value was confirmed")
		return nil
	})
}

// Reopen takes back a value, or that an obligation was skipped, so that it is asked again.
func (e *Engine) Reopen(ctx context.Context, s obligations.Scope, by Actor, key, note string) (obligations.Obligation, error) {
	return e.about(ctx, s, by, key, func(ed *edit, o *obligations.Obligation) error {
		why, err := reasoned("note", note)
		if err == nil {
			if ed.Session.Status == sessions.Completed {
				err = fault.New(fault.Conflict, "this session is completed and asks nothing more; set the value instead, or reopen the session first").Coded("session_completed")
			}
		}
		if err == nil {
			err = ed.mayUndo(o)
		}
		if err == nil {
			ed.add(obligations.Finding{Key: key, Act: obligations.Reopen, Reason: cmp.Or(why, "it was reopened")})
			ed.settleKey(key, "the value was taken back")
		}
		return err
	})
}

// Skip leaves out an obligation for a reason.
func (e *Engine) Skip(ctx context.Context, s obligations.Scope, by Actor, key string, reason obligations.SkipReason, note string) (obligations.Obligation, error) {
	return e.about(ctx, s, by, key, func(ed *edit, o *obligations.Obligation) error {
		if !reason.Known() {
			return fault.New(fault.Unprocessable, "a reason is not_applicable, no_preference or declined, not %q", reason).At("reason")
		}
		why, err := reasoned("note", note)
		if err == nil {
			err = ed.mayUndo(o)
		}
		if err == nil {
			ed.add(obligations.Finding{Key: key, Act: obligations.Skip, Skip: reason, Reason: cmp.Or(why, "it was skipped")})
		}
		return err
	})
}

// Actor is somebody who changes values outside of turns.
type Actor struct {
	User     string
	Reviewer bool // acts as a reviewer: decides what was escalated, and may undo a reviewer's decision
}

// edit is an actor's change of a session.
type edit struct {
	by Actor
	*sessions.Edit
}

// change records what decide adds to an edit, and returns the obligations after it. In a
// completed session only reviewers change anything.
func (e *Engine) change(ctx context.Context, s obligations.Scope, by Actor, decide func(*edit) error) ([]obligations.Obligation, error) {
	return e.editor().Change(ctx, s, func(ed *sessions.Edit) error {
		if ed.Session.Status == sessions.Completed && !by.Reviewer {
			return fault.New(fault.Conflict, "this session is completed; reopen it to change what it found, which a reviewer may do without that").Coded("session_completed")
		}
		return decide(&edit{by, ed})
	})
}

// about changes one obligation and returns it as it is afterwards.
func (e *Engine) about(ctx context.Context, s obligations.Scope, by Actor, key string, decide func(*edit, *obligations.Obligation) error) (obligations.Obligation, error) {
	list, err := e.change(ctx, s, by, func(ed *edit) error {
		o := obligations.Find(ed.List, key)
		if o == nil {
			return fault.New(fault.NotFound, "the session has no such obligation").At("key").Coded("obligation_not_found")
		}
		return decide(ed, o)
	})
	if err != nil {
		return obligations.Obligation{}, err
	}
	return *obligations.Find(list, key), nil
}

// add adds a finding of the actor: a reviewer's decision, or what a person entered into a
// field.
func (ed *edit) add(f obligations.Finding) {
	f.Evidence, f.Source = obligations.Evidence{Kind: obligations.WidgetInput, By: ed.by.User}, "widget"
	f.Starter, f.Owner = ed.Session.User, ed.by.User == ed.Session.User
	if ed.by.Reviewer {
		f.Evidence = obligations.Evidence{Kind: obligations.Reviewer, By: ed.by.User, Quote: f.Reason}
		f.Source = obligations.SourceReviewer
	}
	ed.Findings = append(ed.Findings, f)
}

// mayUndo returns an error for a person who would undo a reviewer's decision.
func (ed *edit) mayUndo(o *obligations.Obligation) error {
	if o.Decided() && !ed.by.Reviewer {
		return fault.New(fault.Forbidden, "a reviewer decided this value, and only a reviewer changes it; you may dispute it").At(o.Key).Coded("reviewer_decided")
	}
	return nil
}

// settleKey closes the open conflicts that are about this key alone.
func (ed *edit) settleKey(key, how string) {
	for _, c := range ed.Conflicts {
		if c.Status == obligations.ConflictOpen && slices.Equal(c.Keys, []string{key}) {
			ed.close(c, how)
		}
	}
}

// close resolves a conflict. how is kept as its resolution.
func (ed *edit) close(c obligations.Conflict, how string) {
	c.Status, c.Resolution, c.ResolvedBy = obligations.ConflictResolved, how, ed.by.User
	ed.Closed = append(ed.Closed, c)
}

// reasoned returns the reason for a change as it will be kept.
func reasoned(field, s string) (string, error) {
	if len(s) > maxReason {
		return "", fault.New(fault.TooLarge, "at most %d bytes", maxReason).At(field)
	}
	return strings.TrimSpace(Visible(s)), nil
}

// at names the field at fault in err, if err is a fault. It returns nil for nil.
func at(field string, err error) error {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.At(field)
	}
	return err
}
