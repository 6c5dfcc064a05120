package chat

import (
	"encoding/json"
	"slices"

	"quaestor/obligations"
	"quaestor/sessions"
)

// readToldAgain returns u where what a person tells in answer to a question that is asked again takes
// the place of what they had answered before, or joins the choices they had picked: it contradicts
// nothing. What somebody else had told, or a reviewer has decided, stands against it as ever.
func readToldAgain(s *Scene, u Understanding) Understanding {
	if s.Asked == nil || s.Asked.Purpose != sessions.ToAsk && s.Asked.Purpose != sessions.ToForm {
		return u
	}
	list := slices.Clone(u.Findings)
	for i := range list {
		f := &list[i]
		o := obligations.Find(s.Obligations, f.Key)
		if !slices.Contains(s.Asked.Keys(), f.Key) || !toldAgain(s, o, f) {
			continue
		}
		f.Act = obligations.Correct
		if joined := joinedChoices(o, f.Value); joined != nil {
			f.Value = joined
		}
		if f.Reason == "" {
			f.Reason = "the person answered the question anew"
		}
	}
	u.Findings = list
	return u
}

// toldAgain reports whether f tells another value than the same person's that o holds.
func toldAgain(s *Scene, o *obligations.Obligation, f *obligations.Finding) bool {
	if o == nil || o.Value == nil || o.Hinted() || o.Decided() || len(o.Evidence) == 0 || f.Value == nil || f.Act != obligations.Tell {
		return false
	}
	if f.Evidence.Kind != obligations.Stated || f.Evidence.Flag != "" || f.Grade.Loose || obligations.SameValue(o.Value, f.Value) {
		return false
	}
	return !slices.ContainsFunc(o.Evidence, func(e obligations.Evidence) bool {
		return e.Kind != obligations.Stated && e.Kind != obligations.Accepted || e.By != "" && e.By != s.Person
	})
}

// joinedChoices returns the choices that o holds with those of v; nil where o takes one value only.
func joinedChoices(o *obligations.Obligation, v json.RawMessage) json.RawMessage {
	var held, more []string
	if o.Widget != obligations.MultiSelect || json.Unmarshal(o.Value, &held) != nil || json.Unmarshal(v, &more) != nil {
		return nil
	}
	for _, c := range more {
		if !slices.Contains(held, c) {
			held = append(held, c)
		}
	}
	joined, err := json.Marshal(held)
	if err != nil || o.Check(joined) != nil {
		return nil
	}
	return joined
}
