package obligations

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quaestor/internal/fault"
)

var (
	red   = json.RawMessage(`"red"`)
	blue  = json.RawMessage(`"blue"`)
	green = json.RawMessage(`"green"`)
)

// turnedDown says that v is rejected on what speaks for it.
func turnedDown(turn int, v json.RawMessage, spoke ...Evidence) Rejection {
	return Rejection{Turn: turn, Proposal: v, Evidence: spoke, Reason: "no"}
}

// mustStep returns the next state of a step that must be possible.
func mustStep(t interface{ Fatalf(string, ...any) }, n *Negotiation, err error) *Negotiation {
	if err != nil {
		t.Fatalf("the step was refused: %v", err)
	}
	return n
}

func TestChangeOfMindIsOneRound(t *testing.T) {
	t.Parallel()

	var none *Negotiation
	got, err := none.revise(turnedDown(3, red), Settlement{Turn: 3, Value: blue})

	if err != nil || got.Status != NegotiationResolved || got.Resolution != AgentAccepted || !SameValue(got.FinalValue, blue) || len(got.Rounds) != 1 {
		t.Fatalf("revise() = %+v, %v", got, err)
	}
	if r := got.Rounds[0]; r.Turn != 3 || r.Response != Reject || !SameValue(r.Proposal, red) || !SameValue(r.UserValue, blue) {
		t.Errorf("revise() round = %+v", r)
	}
}

// Three calls, one after the other.
func TestNegotiationInThreeCalls(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name  string
		final json.RawMessage
		want  Resolution
	}{
		{"the person's value", blue, AgentAccepted},
		{"ours after all", red, UserAccepted},
		{"a third", green, Compromise},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			n, err := StartNegotiation(nil, turnedDown(5, red))
			n = mustStep(t, n, err)
			if n.Status != NegotiationActive || n.Rounds[0].Response != Reject {
				t.Fatalf("StartNegotiation() = %+v", n)
			}
			n, err = SubmitUserValue(n, 6, blue)
			n = mustStep(t, n, err)
			if n.Status != NegotiationActive || !SameValue(n.Rounds[0].UserValue, blue) {
				t.Fatalf("SubmitUserValue() = %+v", n)
			}
			n, err = ResolveNegotiation(n, Settlement{Turn: 7, Value: tt.final, By: "ada"})
			n = mustStep(t, n, err)

			if n.Status != NegotiationResolved || n.Resolution != tt.want || n.ResolvedBy != "ada" || !SameValue(n.FinalValue, tt.final) {
				t.Errorf("ResolveNegotiation() = %+v, want %s", n, tt.want)
			}
			if n.Rejected(tt.final, Evidence{}) {
				t.Error("the value both sides hold counts as rejected")
			}
		})
	}
}

func TestThirdRejectionGoesToAReviewer(t *testing.T) {
	t.Parallel()

	n, err := StartNegotiation(nil, turnedDown(1, mustJSON(1)))
	n = mustStep(t, n, err)
	for turn, want := range map[int]NegotiationStatus{2: NegotiationActive} {
		n, err = n.reject(turnedDown(turn, mustJSON(turn)))
		if n = mustStep(t, n, err); n.Status != want {
			t.Fatalf("after %d rejections the dispute is %q, want %q", turn, n.Status, want)
		}
	}
	n, err = n.reject(turnedDown(3, mustJSON(3)))
	if n = mustStep(t, n, err); n.Status != NegotiationEscalated {
		t.Fatalf("after the third rejection the dispute is %q", n.Status)
	}
	if _, err := ResolveNegotiation(n, Settlement{Turn: 4, Value: green}); !fault.Is(err, fault.Conflict) {
		t.Errorf("the person ended what a reviewer has to decide: %v", err)
	}

	settled, err := ResolveNegotiation(n, Settlement{Turn: 5, Value: green, Reviewer: true})
	if err != nil || settled.Status != NegotiationResolved || settled.Resolution != Compromise {
		t.Fatalf("the reviewer's decision = %+v, %v", settled, err)
	}
	if again, err := StartNegotiation(settled, turnedDown(6, green)); err != nil || again.Status != NegotiationActive {
		t.Errorf("a rejection after a settlement is %+v, %v, want active: rounds count anew", again, err)
	}
}

func TestRejected(t *testing.T) {
	t.Parallel()

	page := Evidence{Kind: ResearchEvidence, Source: "page", Quote: "so"}
	sameElsewhere := Evidence{Kind: ResearchEvidence, Source: "page", Quote: "so it is"}
	another := Evidence{Kind: ResearchEvidence, Source: "another", Quote: "so"}
	n, _ := StartNegotiation(nil, turnedDown(1, red, said("m1"), page))
	for _, tt := range []struct {
		name string
		n    *Negotiation
		in   json.RawMessage
		on   Evidence
		want bool
	}{
		{"no dispute", nil, red, page, false},
		{"no value", n, nil, page, false},
		{"the value turned down", n, red, page, true},
		{"the same in capitals", n, json.RawMessage(` "RED"`), page, true},
		{"another value", n, green, page, false},
		{"the same source in other words", n, red, sameElsewhere, true},
		{"a new source", n, red, another, false},
		{"a new conclusion", n, red, Evidence{Kind: InferredEvidence, Premises: []string{"b"}}, false},
		{"a conclusion from nothing", n, red, Evidence{Kind: InferredEvidence}, true},
		{"an assent", n, red, Evidence{Kind: Accepted, Message: "m7"}, true},
		{"no evidence", n, red, Evidence{}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got := tt.n.Rejected(tt.in, tt.on); got != tt.want {
				t.Errorf("Rejected(%s) = %v, want %v", tt.in, got, tt.want)
			}
		})
	}

	again, _ := n.reject(turnedDown(2, red, another))
	if !again.Rejected(red, another) || !again.Rejected(red, page) || len(again.Refused) != 1 {
		t.Errorf("after a second rejection %+v may be proposed on what it was rejected on", again.Refused)
	}
}

func TestSameValue(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name, a, b string
		want       bool
	}{
		{"white space", `[1, 2]`, `[1,2]`, true},
		{"order of fields", `{"min":1,"max":2}`, `{"max":2,"min":1}`, true},
		{"order of a list", `[1,2]`, `[2,1]`, false},
		{"letter case and quotes", `"It’s Red"`, `"it's  red"`, true},
		{"letter case in a list", `["A"]`, `["a"]`, true},
		{"a number and its text", `1`, `"1"`, false},
		{"two ways to write a number", `1`, `1.0`, true},
		{"nothing and nothing", ``, ``, true},
		{"nothing and null", ``, `null`, false},
		{"what is no JSON", `{`, `{`, true},
		{"large numbers that differ", `9007199254740993`, `9007199254740995`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			raw := func(s string) json.RawMessage {
				if s == "" {
					return nil
				}
				return json.RawMessage(s)
			}
			if got, back := SameValue(raw(tt.a), raw(tt.b)), SameValue(raw(tt.b), raw(tt.a)); got != tt.want || back != got {
				t.Errorf("SameValue(%s, %s) = %v, and %v the other way, want %v", tt.a, tt.b, got, back, tt.want)
			}
		})
	}
}

// steps are all of them, as the property test plays them.
var steps = []NegotiationStep{StepStart, StepValue, StepAccept, StepReject, StepModify, StepDefer, StepResume, StepEscalate, StepResolve, StepDecide, StepEvidence}

// statuses of a dispute.
var standings = []NegotiationStatus{NegotiationNone, NegotiationActive, NegotiationDeferred, NegotiationEscalated, NegotiationResolved}

func TestTableOfMovesIsWhole(t *testing.T) {
	t.Parallel()

	for _, from := range standings {
		if refusals[from] == "" {
			t.Errorf("no words for a step that is refused while %s", from)
		}
		for step, to := range moves[from] {
			if !slices.Contains(steps, step) || !slices.Contains(standings, to) || to == NegotiationNone {
				t.Errorf("%s leads from %s to %q", step, from, to)
			}
		}
	}
	for _, open := range []NegotiationStatus{NegotiationActive, NegotiationDeferred, NegotiationEscalated} {
		if moves[open][StepDecide] != NegotiationResolved {
			t.Errorf("a reviewer cannot end a dispute that is %s", open)
		}
	}
}

// play takes one step as its callers do.
func play(n *Negotiation, s NegotiationStep, turn int, v json.RawMessage, e Evidence) (*Negotiation, error) {
	end := Settlement{Turn: turn, Value: v}
	switch s {
	case StepStart:
		return StartNegotiation(n, turnedDown(turn, v, e))
	case StepReject:
		return n.reject(turnedDown(turn, v, e))
	case StepValue:
		return SubmitUserValue(n, turn, v)
	case StepAccept:
		return n.accept(end)
	case StepModify:
		return n.modify(end)
	case StepResolve:
		return ResolveNegotiation(n, end)
	case StepDecide:
		end.Reviewer = true
		return ResolveNegotiation(n, end)
	case StepDefer, StepResume, StepEscalate, StepEvidence:
	}
	return n.step(s)
}

// TestNegotiationIsFinite plays random strings of steps: every step leads to a
// status there is or is refused as a Conflict that changes nothing, no dispute has
// more than three fruitless rounds, what is kept is bounded, a reviewer can always
// end it, and what was rejected is not to be proposed again without new evidence.
func TestNegotiationIsFinite(t *testing.T) {
	t.Parallel()

	// A check plays a hundred strings of up to 40 steps; one hundred and ten of
	// them are above ten thousand.
	for part := range 110 {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()

			rapid.Check(t, playAny)
		})
	}
}

func playAny(t *rapid.T) {
	var n *Negotiation
	known := map[string]bool{}    // value and source it was rejected on, since it was last held
	rejected := map[string]bool{} // values
	fruitless := 0
	for turn := range rapid.IntRange(1, 40).Draw(t, "turns") {
		s := rapid.SampledFrom(steps).Draw(t, "step")
		v := rapid.SampledFrom([]json.RawMessage{red, blue, green}).Draw(t, "value")
		e := Evidence{Kind: ResearchEvidence, Source: rapid.SampledFrom([]string{"one", "two", "three"}).Draw(t, "source"), Quote: "so"}
		before, text := n, string(mustJSON(n))
		next, err := play(n, s, turn, v, e)
		if diff := cmp.Diff(text, string(mustJSON(before))); diff != "" {
			t.Fatalf("%s changed the state it began from:\n%s", s, diff)
		}
		if err != nil {
			if !fault.Is(err, fault.Conflict) || next != nil || err.Error() == "" {
				t.Fatalf("%s while %s = %+v, %v, want a Conflict", s, before.Standing(), next, err)
			}
			if _, possible := moves[before.Standing()][s]; possible {
				t.Fatalf("%s while %s was refused: %v", s, before.Standing(), err)
			}
			continue
		}
		n = next
		switch {
		case s == StepStart || s == StepReject:
			fruitless++
			rejected[string(v)], known[string(v)+e.Source] = true, true
		case n.Status == NegotiationResolved && s != StepEvidence:
			fruitless = 0
			delete(rejected, string(v))
			for _, source := range []string{"one", "two", "three"} {
				delete(known, string(v)+source)
			}
		}
		checkDispute(t, n, fruitless)
		if got, want := n.Rejected(v, e), rejected[string(v)] && known[string(v)+e.Source]; got != want {
			t.Fatalf("after %s, Rejected(%s on %s) = %v, want %v", s, v, e.Source, got, want)
		}
	}
}

func checkDispute(t *rapid.T, n *Negotiation, fruitless int) {
	if !slices.Contains(standings, n.Status) || n.Status == NegotiationNone {
		t.Fatalf("the dispute is %q", n.Status)
	}
	if n.Fruitless > MaxRounds || n.Fruitless != min(fruitless, MaxRounds) {
		t.Fatalf("%d fruitless rounds, want %d", n.Fruitless, min(fruitless, MaxRounds))
	}
	if fruitless >= MaxRounds && n.Status != NegotiationEscalated {
		t.Fatalf("after %d fruitless rounds the dispute is %s", fruitless, n.Status)
	}
	if len(n.Rounds) > keptRounds || len(n.Refused) > keptRefused {
		t.Fatalf("the dispute keeps %d rounds and %d values", len(n.Rounds), len(n.Refused))
	}
	if n.Open() == (n.Status == NegotiationResolved) || (n.Status == NegotiationResolved) != (n.FinalValue != nil) || (n.FinalValue == nil) != (n.Resolution == "") {
		t.Fatalf("inconsistent: %+v", n)
	}
	if _, err := ResolveNegotiation(n, Settlement{Value: red, Reviewer: true}); (err == nil) != n.Open() {
		t.Fatalf("a reviewer ends a dispute that is %s: %v", n.Status, err)
	}
}
