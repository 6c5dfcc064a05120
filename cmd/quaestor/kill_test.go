package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/postgres/postgrestest"
)

// A server dies in the middle of a sentence. Whoever listens comes back, to
// another instance or to the same one started again, and sees every event once,
// in order, and one outcome.
func TestTurnOutlivesItsServer(t *testing.T) {
	t.Parallel()

	for name, standby := range map[string]bool{"another instance takes over": true, "the server is started again": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			killMidTurn(t, standby)
		})
	}
}

func killMidTurn(t *testing.T, standby bool) {
	t.Helper()
	args := append(slow(t, sentence, 150*time.Millisecond), "--database-url", postgrestest.URL(t))
	victim := spawn(t, args...)
	var heir *program
	if standby {
		heir = launch(t, args...)
	}
	running := victim.open("/api/discovery-chat", map[string]any{"contextType": "business_profile", "message": "bread for cafés", "clientMessageId": "once"})
	begun := running.until("delta")
	id := fmt.Sprint(begun[0].Data["sessionId"])

	victim.kill()
	victim.ended()
	died := time.Now()
	if !standby {
		heir = launch(t, args...)
	}
	before := lines(append(begun, running.rest()...))
	after := heir.open("/api/v1/sessions/"+id+"/events", nil, "Last-Event-ID", strconv.Itoa(len(before))).until("done")

	if took := time.Since(died); took > 20*time.Second {
		t.Errorf("the turn was over %v after its server died, want 20 s at most", took)
	}
	all := append(before, lines(after)...)
	log := lines(heir.open("/api/v1/sessions/"+id+"/events", nil).until("done"))
	if diff := cmp.Diff(log, all); diff != "" {
		t.Errorf("the listener saw (-log +seen):\n%s", diff)
	}
	again := heir.turn(map[string]any{"contextType": "business_profile", "message": "bread for cafés", "clientMessageId": "once"})
	if diff := cmp.Diff(log, lines(again)); diff != "" {
		t.Errorf("sending it again brought (-log +again):\n%s", diff)
	}
	checkOutcome(t, heir, id)
}

// checkOutcome holds the session against what one turn must leave behind.
func checkOutcome(t *testing.T, p *program, id string) {
	t.Helper()
	list := fetch[transcript](p, "/api/v1/sessions/"+id+"/messages").Items
	if len(list) != 2 || list[0].Content != "bread for cafés" || !strings.HasPrefix(list[1].Content, sentence) || !list[1].Complete {
		t.Errorf("transcript %+v, want the message and one whole reply", list)
	}
	overview := fetch[struct {
		Status string
		Value  json.RawMessage
	}](p, "/api/v1/sessions/"+id+"/obligations/business_overview")
	if overview.Status != "satisfied" || string(overview.Value) != `"bread for cafés"` {
		t.Errorf("business_overview %+v, want satisfied by what the person said", overview)
	}
	trail := fetch[struct {
		Items []struct{ EventType string }
	}](p, "/api/v1/sessions/"+id+"/obligations/business_overview/history")
	values := 0
	for _, e := range trail.Items {
		if e.EventType == "value_extracted" {
			values++
		}
	}
	if values != 1 {
		t.Errorf("the value was recorded %d times: %+v", values, trail.Items)
	}
	turn := fetch[struct {
		Status  string
		Attempt int
	}](p, "/api/v1/sessions/"+id+"/turns/1")
	if turn.Status != "done" || turn.Attempt != 2 {
		t.Errorf("turn %+v, want done by the second attempt", turn)
	}
}

// The private database survives the death of the server that runs it.
func TestKilledServerWithItsOwnDatabaseLosesNothingAcknowledged(t *testing.T) {
	t.Parallel()

	dir := t.TempDir()
	victim := spawn(t, "--data-dir", dir)
	victim.turn(map[string]any{"contextType": "business_profile", "message": ""})
	events := victim.turn(map[string]any{"contextType": "business_profile", "message": "We bake bread for cafés"})
	id := fmt.Sprint(events[0].Data["sessionId"])
	want := lines(victim.open("/api/v1/sessions/"+id+"/events", nil).turns(2))
	victim.kill()
	victim.ended()

	heir := spawn(t, "--data-dir", dir)
	got := lines(heir.open("/api/v1/sessions/"+id+"/events", nil).turns(2))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("log (-before +after the kill):\n%s", diff)
	}
	heir.turn(map[string]any{"contextType": "business_profile", "message": "food and drink"})
	heir.stop()
	heir.ended()
	if heir.err != nil {
		t.Errorf("the server ended with %v", heir.err)
	}
}

// turns returns the events of that many turns.
func (s *stream) turns(n int) []event {
	s.t.Helper()
	var out []event
	for range n {
		out = append(out, s.until("done")...)
	}
	return out
}
