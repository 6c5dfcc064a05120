package chat

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
)

// ConflictDecision decides a conflict. Exactly one of Side, Values and Both is set.
type ConflictDecision struct {
	Side   *int                       // from 0: that value holds
	Values map[string]json.RawMessage // these hold, by key; keys that are not named keep their value. "" means the only key
	Both   bool                       // the values of several keys hold in spite of the constraint
	Note   string
}

// ResolveConflict decides which of the values that cannot all hold does, and returns the
// conflict as it is afterwards. For one key, the chosen value is held. For several keys,
// the other values are taken back and asked again, or the named ones are changed, after
// which the values must fit together. In a completed session nothing is asked again, so
// there the values must be named. It is a Conflict when the conflict is resolved already.
func (e *Engine) ResolveConflict(ctx context.Context, s obligations.Scope, by Actor, id string, choice ConflictDecision) (obligations.Conflict, error) {
	var out obligations.Conflict
	_, err := e.change(ctx, s, by, func(ed *edit) error {
		i := slices.IndexFunc(ed.Conflicts, func(c obligations.Conflict) bool { return c.ID == id })
		if i < 0 {
			return fault.New(fault.NotFound, "the session has no such conflict").Coded("conflict_not_found")
		}
		note, err := reasoned("note", choice.Note)
		if err != nil {
			return err
		}
		choice.Note = note
		c := ed.Conflicts[i]
		if c.Status != obligations.ConflictOpen {
			return fault.New(fault.Conflict, "this conflict is resolved already").Coded("conflict_resolved")
		}
		if err := ed.choose(c, choice); err != nil {
			return err
		}
		out = ed.Closed[len(ed.Closed)-1]
		return nil
	})
	return out, err
}

// choose applies a choice to c.
func (ed *edit) choose(c obligations.Conflict, choice ConflictDecision) error {
	if err := choice.check(c); err != nil {
		return err
	}
	switch {
	case choice.Both:
		ed.close(c, cmp.Or(choice.Note, "they hold all the same"))
		return nil
	case choice.Side != nil && len(c.Keys) > 1:
		return ed.favour(c, c.Sides[*choice.Side].Key, choice.Note)
	case choice.Side != nil:
		if err := ed.put(c.Keys[0], c.Sides[*choice.Side].Value, choice.Note); err != nil {
			return err
		}
		ed.close(c, cmp.Or(choice.Note, "it was said which holds"))
		return nil
	}
	return ed.settleAll(c, choice)
}

// settleAll gives the keys of a conflict the named values and leaves the others. The
// result must satisfy the constraint.
func (ed *edit) settleAll(c obligations.Conflict, choice ConflictDecision) error {
	for _, key := range c.Keys {
		v, name := choice.Values[key], "values."+key
		if alone := choice.Values[""]; alone != nil {
			v, name = alone, "value"
		}
		o := obligations.Find(ed.List, key)
		if v == nil && (o == nil || o.Value == nil) {
			continue
		}
		if v == nil {
			v = o.Value
		}
		if err := ed.put(key, v, choice.Note); err != nil {
			return at(name, err)
		}
	}
	ed.close(c, cmp.Or(choice.Note, "it was said what holds"))
	ed.Must = func(after []obligations.Obligation) error { return ed.fits(c, after) }
	return nil
}

// check returns an error unless exactly one possible choice is made.
func (choice ConflictDecision) check(c obligations.Conflict) error {
	ways := 0
	for _, way := range []bool{choice.Side != nil, choice.Values != nil, choice.Both} {
		if way {
			ways++
		}
	}
	switch {
	case ways != 1:
		return fault.New(fault.Unprocessable, "choose a side, other values, or both").At("side")
	case choice.Side != nil && (*choice.Side < 0 || *choice.Side >= len(c.Sides)):
		return fault.New(fault.Unprocessable, "there are sides 0 to %d", len(c.Sides)-1).At("side")
	case choice.Side != nil && c.Sides[*choice.Side].Value == nil:
		return fault.New(fault.Unprocessable, "that side says only that the other is wrong; name the right value").At("value")
	case choice.Both && len(c.Keys) == 1:
		return fault.New(fault.Unprocessable, "one obligation holds one value; choose a side or another value").At("both")
	case choice.Values != nil && len(choice.Values) == 0:
		return fault.New(fault.Unprocessable, "name at least one value; when all are right, say that both hold").At("values")
	case choice.Values[""] != nil && len(c.Keys) > 1:
		return fault.New(fault.Unprocessable, "say which obligation the value is for").At("key")
	}
	for key := range choice.Values {
		if key != "" && !slices.Contains(c.Keys, key) {
			return fault.New(fault.Unprocessable, "the conflict is not about the obligation %q", Clip(key, 60)).At("key")
		}
	}
	return nil
}

// put makes v the value of key.
func (ed *edit) put(key string, v json.RawMessage, note string) error {
	o := obligations.Find(ed.List, key)
	if o == nil {
		return fault.New(fault.Conflict, "the session has this obligation no longer")
	}
	if err := o.Check(v); err != nil {
		return err
	}
	f := obligations.Finding{Key: key, Act: obligations.Tell, Value: v, Reason: cmp.Or(note, "the conflict was decided")}
	if !obligations.SameValue(o.Value, v) {
		if err := ed.mayUndo(o); err != nil {
			return err
		}
		f.Act = obligations.Correct
	}
	ed.add(f)
	return nil
}

// favour keeps the value of one key and takes back those of the others.
func (ed *edit) favour(c obligations.Conflict, key, note string) error {
	if ed.Session.Status == sessions.Completed {
		return fault.New(fault.Conflict, "this session is completed and asks nothing more; name the values that hold").At("values").Coded("session_completed")
	}
	for _, other := range c.Keys {
		o := obligations.Find(ed.List, other)
		if o == nil || o.Value == nil || other == key {
			continue
		}
		if err := ed.mayUndo(o); err != nil {
			return err
		}
		ed.add(obligations.Finding{Key: other, Act: obligations.Reopen, Reason: cmp.Or(note, "it does not fit with what stands")})
	}
	if o := obligations.Find(ed.List, key); o != nil && o.Value != nil {
		ed.add(obligations.Finding{Key: key, Act: obligations.Tell, Value: o.Value, Reason: cmp.Or(note, "it was said to stand")})
	}
	ed.close(c, cmp.Or(note, "it was said which holds"))
	return nil
}

// fits returns an error when the values still violate the constraint of c.
func (ed *edit) fits(c obligations.Conflict, after []obligations.Obligation) error {
	for i := range ed.Objective.Constraints {
		if k := &ed.Objective.Constraints[i]; k.Name == c.Constraint && k.Violated(after) {
			return fault.New(fault.Unprocessable, "with this value it does not fit either: %s", k.Message).At("value").Coded("still_violated")
		}
	}
	return nil
}
