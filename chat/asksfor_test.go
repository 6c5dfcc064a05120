package chat

import (
	"testing"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// shippedPlan is a plan of a shipped objective that asks for a key.
func shippedPlan(t *testing.T, context, language, key string) (*Scene, *Plan) {
	t.Helper()
	for _, d := range objectives.Shipped() {
		if d.ContextType != context {
			continue
		}
		in := d.In(language)
		list := obligations.Fresh(in.Obligations, obligations.Origin{Layer: obligations.SessionOnly, Source: "test"})
		o := obligations.Find(list, key)
		if o == nil {
			t.Fatalf("%s has no %s", context, key)
		}
		return &Scene{Objective: in, Obligations: list, Session: sessions.Session{Language: language}},
			&Plan{List: list, Question: &sessions.Question{Purpose: sessions.ToAsk, Key: key, Label: o.Name(), Prompt: o.Prompt}}
	}
	t.Fatalf("no objective %s", context)
	return nil, nil
}

// A model's question is compared with the wordings of all that could be asked.
func TestQuestionsAskForTheirKey(t *testing.T) {
	t.Parallel()

	for _, d := range objectives.Shipped() {
		for _, language := range d.Languages() {
			in := d.In(language)
			for i := range in.Obligations {
				o := &in.Obligations[i]
				s, p := shippedPlan(t, d.ContextType, language, o.Key)
				for _, w := range append(in.Pools[o.PoolID], o.Prompt) {
					if !asksFor(s, p, w, nil) {
						t.Errorf("%s, %s: %q does not count as asking for %s", d.ContextType, language, w, o.Key)
					}
				}
				other := &in.Obligations[(i+1)%len(in.Obligations)]
				if asksFor(s, p, other.Prompt, nil) {
					t.Errorf("%s, %s: %q counts as asking for %s", d.ContextType, language, other.Prompt, o.Key)
				}
			}
		}
	}
}
