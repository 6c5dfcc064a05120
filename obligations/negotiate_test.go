package obligations

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"quaestor/internal/fault"
)

var (
	red   = json.RawMessage(`"red"`)
	blue  = json.RawMessage(`"blue"`)
	green = json.RawMessage(`"green"`)
)

func TestDisputeWithAValueIsResolved(t *testing.T) {
	t.Parallel()

	var none *Negotiation
	got := none.Dispute(3, red, blue, "it is blue")

	if got.Status != NegotiationResolved || got.Resolution != AgentAccepted || !SameValue(got.FinalValue, blue) || len(got.Rounds) != 1 {
		t.Errorf("Dispute() = %+v", got)
	}
	if r := got.Rounds[0]; r.Turn != 3 || r.Response != Reject || !SameValue(r.Proposal, red) || !SameValue(r.UserValue, blue) {
		t.Errorf("Dispute() round = %+v", r)
	}
}

func TestThirdRejectionGoesToAReviewer(t *testing.T) {
	t.Parallel()

	var n *Negotiation
	for turn, want := range []NegotiationStatus{NegotiationActive, NegotiationActive, NegotiationEscalated} {
		n = n.Dispute(turn+1, mustJSON(turn), nil, "no")
		if n.Status != want {
			t.Fatalf("after %d rejections the dispute is %q, want %q", turn+1, n.Status, want)
		}
	}

	settled, err := n.Settle(5, green, Compromise)
	if err != nil || settled.Status != NegotiationResolved || settled.Resolution != Compromise {
		t.Errorf("Settle() of an escalated dispute = %+v, %v", settled, err)
	}
	if again := settled.Dispute(6, green, nil, "no"); again.Status != NegotiationActive {
		t.Errorf("a rejection after a settlement is %q, want active: rounds count anew", again.Status)
	}
}

func TestNegotiationStepsLeaveTheirReceiver(t *testing.T) {
	t.Parallel()

	var none *Negotiation
	one := none.Dispute(1, red, nil, "no")
	_ = one.Dispute(2, blue, nil, "no")
	_, _ = one.Settle(2, red, UserAccepted)
	_, _ = one.Postpone()

	if one.Status != NegotiationActive || len(one.Rounds) != 1 || one.FinalValue != nil {
		t.Errorf("the first state became %+v", one)
	}
}

func TestSettleAndPostponeNeedADispute(t *testing.T) {
	t.Parallel()

	var none *Negotiation
	resolved := none.Dispute(1, red, blue, "blue")
	put, err := none.Dispute(1, red, nil, "no").Postpone()
	if err != nil || put.Status != NegotiationDeferred {
		t.Fatalf("Postpone() = %+v, %v", put, err)
	}
	for name, n := range map[string]*Negotiation{"none": none, "resolved": resolved} {
		if _, err := n.Settle(2, red, UserAccepted); !fault.Is(err, fault.Conflict) {
			t.Errorf("Settle() of %s = %v, want a conflict", name, err)
		}
	}
	for name, n := range map[string]*Negotiation{"none": none, "resolved": resolved, "deferred": put} {
		if _, err := n.Postpone(); !fault.Is(err, fault.Conflict) {
			t.Errorf("Postpone() of %s = %v, want a conflict", name, err)
		}
	}
	if settled, err := put.Settle(4, red, UserAccepted); err != nil || settled.Rounds[1].Response != Accept {
		t.Errorf("Settle() of a deferred dispute = %+v, %v", settled, err)
	}
}

func TestRejected(t *testing.T) {
	t.Parallel()

	var none *Negotiation
	n := none.Dispute(1, red, blue, "blue")
	for _, tt := range []struct {
		name string
		n    *Negotiation
		in   json.RawMessage
		want bool
	}{
		{"no dispute", none, red, false},
		{"no value", n, nil, false},
		{"the value turned down", n, red, true},
		{"the same in capitals", n, json.RawMessage(` "RED"`), true},
		{"the person's own", n, blue, false},
		{"another", n, green, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got := tt.n.Rejected(tt.in); got != tt.want {
				t.Errorf("Rejected(%s) = %v, want %v", tt.in, got, tt.want)
			}
		})
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

// TestNegotiationEnds plays any string of steps: a dispute is never active with
// three rejections in a row, and one step always ends it.
func TestNegotiationEnds(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		var n *Negotiation
		rejections := 0
		for turn, step := range rapid.SliceOfN(rapid.SampledFrom([]string{"reject", "reject", "modify", "accept", "defer"}), 1, 30).Draw(t, "steps") {
			before := n
			switch step {
			case "reject":
				n, rejections = n.Dispute(turn, red, nil, "no"), rejections+1
			case "modify":
				n, rejections = n.Dispute(turn, red, blue, "blue"), 0
			case "accept":
				if next, err := n.Settle(turn, red, UserAccepted); err == nil {
					n, rejections = next, 0
				}
			case "defer":
				if next, err := n.Postpone(); err == nil {
					n = next
				}
			}
			if n == nil {
				continue
			}
			if escalated := n.Status == NegotiationEscalated; step == "reject" && escalated != (rejections >= MaxRounds) {
				t.Fatalf("after %d rejections in a row the dispute is %q", rejections, n.Status)
			}
			if before != nil && len(n.Rounds) < min(len(before.Rounds), keptRounds) || len(n.Rounds) > keptRounds+1 {
				t.Fatalf("%s left %d rounds of %d", step, len(n.Rounds), len(before.Rounds))
			}
			if _, err := n.Settle(turn, red, Compromise); (err == nil) == (n.Status == NegotiationResolved) {
				t.Fatalf("a dispute that is %q: Settle() = %v", n.Status, err)
			}
		}
	})
}
