package talk

import (
	"encoding/json"
	"strings"
	"testing"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// TestRunOfATaskIsLinked holds that the card of a task that explored the data leads to the run for whoever may open it,
// and for nobody else.
func TestRunOfATaskIsLinked(t *testing.T) {
	t.Parallel()

	explored := research.Task{ID: "t-1", Run: "7a1e", Status: research.Completed, Outcome: research.Found}
	for _, c := range []struct {
		name   string
		task   research.Task
		places []ui.Place
		want   bool
	}{
		{"a reviewer", explored, []ui.Place{ui.AtInterviews, ui.AtData}, true},
		{"a guest", explored, nil, false},
		{"no run", research.Task{ID: "t-1", Status: research.Completed}, []ui.Place{ui.AtData}, false},
	} {
		var b strings.Builder
		if err := task(c.task, ChatView{Nav: ui.Nav{Places: c.places}}).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), `href="/data/runs/7a1e"`); got != c.want {
			t.Errorf("%s: the run is linked: %v", c.name, got)
		}
	}
}

// TestProposalSaysWhatBecameOfIt holds that the card of a task does not go on proposing what somebody took over or
// turned down.
func TestProposalSaysWhatBecameOfIt(t *testing.T) {
	t.Parallel()

	found := research.Task{ID: "t-1", Status: research.Completed, Outcome: research.Found, Proposal: &research.Proposal{Key: "size", Value: json.RawMessage("4000")}}
	size := func(change func(o *obligations.Obligation)) []obligations.Obligation {
		o := obligations.Obligation{Template: &obligations.Template{Key: "size", Widget: obligations.Number}, Status: obligations.Partial, Value: found.Proposal.Value}
		change(&o)
		return []obligations.Obligation{o}
	}
	turnedDown := func(o *obligations.Obligation) {
		o.Status, o.Value = obligations.Pending, nil
		o.Negotiation = &obligations.Negotiation{Status: obligations.NegotiationResolved, Refused: []obligations.RejectedValue{{Value: found.Proposal.Value}}}
	}
	for _, c := range []struct {
		tag, want string
		list      []obligations.Obligation
	}{
		{"en", "Proposed:", size(func(*obligations.Obligation) {})},
		{"en", "In use:", size(func(o *obligations.Obligation) { o.Status = obligations.Satisfied })},
		{"en", "Turned down:", size(turnedDown)},
		{"de", "Abgelehnt:", size(turnedDown)},
	} {
		var b strings.Builder
		if err := task(found, ChatView{Session: sessions.Session{Language: c.tag}, Obligations: c.list}).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), c.want) {
			t.Errorf("%s: without %q:\n%s", c.tag, c.want, b.String())
		}
	}
}

// TestDisputeOfAFigureIsOnItsCard holds that the card tells what was said against a figure as that, and not as a hint
// where to look.
func TestDisputeOfAFigureIsOnItsCard(t *testing.T) {
	t.Parallel()

	disputed := research.Task{ID: "t-1", Status: research.Completed, Outcome: research.Found, Steering: []research.Steer{{Text: "we had 900 orders", Disputes: true}}}
	var b strings.Builder
	if err := task(disputed, ChatView{}).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Said against it: we had 900 orders", `data-disputed="we had 900 orders"`, `data-steered="0"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("without %q:\n%s", want, b.String())
		}
	}
}
