package chat_test

import (
	"encoding/json"
	"testing"

	"quaestor/sessions"
)

// What the first turn of a session begins with is what is stored of it.
func TestSessionJustMadeIsLeftAsItIsStored(t *testing.T) {
	t.Parallel()

	d := seat(t, conditions{})
	tenant := d.scope.Tenant
	if err := d.engine.Library.Ship(t.Context(), tenant); err != nil {
		t.Fatal(err)
	}
	for contextType, overlay := range map[string]string{"shop": "", "business_profile": "", "idea_discovery": "", "project_discovery": "",
		"business_profile, and more": `{"obligations": [{"key": "mine", "prompt": "Mine?", "priority": 10}]}`} {
		t.Run(contextType, func(t *testing.T) {
			t.Parallel()

			made, err := sessions.Session{}, error(nil)
			if overlay == "" {
				made, err = d.engine.Create(t.Context(), tenant, "person", contextType)
			} else {
				made, err = d.engine.CreateOverlaid(t.Context(), tenant, "person", "business_profile", json.RawMessage(overlay))
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff, kept, ahead, err := d.engine.CheckLeft(t.Context(), made.Scope()); err != nil || diff != "" || !kept || !ahead {
				t.Errorf("the first turn would begin with what was kept: %v, and be worked ahead: %v (%v); (-stored +kept):\n%s", kept, ahead, err, diff)
			}
		})
	}
}

// The first message of a person makes a session and is answered in few round trips.
func TestFirstTurnOfAPersonIsWrittenAtOnce(t *testing.T) {
	t.Parallel()

	d := seat(t, conditions{promptly: patience})
	in := d.input("We sell bread.")
	in.SessionID, in.User, in.ContextType = "", "newcomer", "shop"
	s, err := d.engine.Start(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.Log); n < 3 || s.Log[0].Kind != sessions.KindSession || s.Log[n-1].Kind != sessions.KindDone {
		t.Errorf("the turn's events are %+v, want all of them", s.Log)
	}
	in.Message = "And rolls."
	again, err := d.engine.Start(t.Context(), in)
	if err != nil || again.Scope != s.Scope || again.Turn.Number != 2 {
		t.Errorf("the next message began turn %d of %v (%v), want turn 2 of %v", again.Turn.Number, again.Scope, err, s.Scope)
	}
}
