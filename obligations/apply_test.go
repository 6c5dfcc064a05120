package obligations

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// said is what a person said in so many words, in a message of its own.
func said(message string) Evidence {
	return Evidence{Kind: Stated, By: "ada", Message: message, Span: &Span{0, 2}, Quote: "so"}
}

var (
	review   = Evidence{Kind: Reviewer, By: "rae"}
	claim    = Evidence{Kind: ResearchEvidence, Source: "report", Quote: "so"}
	fromA    = Evidence{Kind: InferredEvidence, Premises: []string{"a"}}
	assent   = Evidence{Kind: Accepted, Message: "m9", Span: &Span{0, 3}, Quote: "yes", Proposal: &Proposal{Value: red}}
	invented = Evidence{Kind: Stated, Message: "m1", Quote: "never said", Flag: FlagQuoteNotFound}
)

func tell(key string, v json.RawMessage, e Evidence) Finding {
	return Finding{Key: key, Act: Tell, Value: v, Evidence: e}
}

func correct(key string, v json.RawMessage, e Evidence) Finding {
	return Finding{Key: key, Act: Correct, Value: v, Evidence: e}
}

// played gives the findings, one a turn, to obligations a, b and c, where c
// waits for a, and returns the list and the last turn's changes.
func played(findings ...Finding) ([]Obligation, []Change) {
	list := Fresh([]Template{sound("a"), sound("b"), sound("c", "a")}, Origin{Layer: Shipped, Source: "objective"})
	var changes []Change
	for i, f := range findings {
		changes = Apply(list, []Finding{f}, i+1)
		list = Merge(list, changes)
	}
	return list, changes
}

func TestApplyActs(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name   string
		in     []Finding
		key    string
		status Status
		value  json.RawMessage
		conf   Confidence
	}{
		{"a statement satisfies", []Finding{tell("a", red, said("m1"))}, "a", Satisfied, red, 92},
		{"a hedged one is partial", []Finding{{Key: "a", Act: Tell, Value: red, Evidence: said("m1"), Grade: Grade{Hedged: true}}}, "a", Partial, red, 65},
		{"an invented one is in progress", []Finding{tell("a", red, invented)}, "a", InProgress, red, 40},
		{"a value of the wrong shape is nothing", []Finding{tell("a", json.RawMessage(`7`), said("m1"))}, "a", Pending, nil, 0},
		{"a value without evidence is nothing", []Finding{tell("a", red, Evidence{})}, "a", Pending, nil, 0},
		{"no value is nothing", []Finding{tell("a", nil, said("m1"))}, "a", Pending, nil, 0},
		{"research alone is partial", []Finding{tell("a", red, claim)}, "a", Partial, red, 65},
		{"research upon research is partial", []Finding{tell("a", red, claim), tell("a", red, Evidence{Kind: ResearchEvidence, Source: "another", Quote: "so too"})}, "a", Partial, red, 65},
		{"research that is confirmed satisfies", []Finding{tell("a", red, claim), {Key: "a", Act: Confirm, Evidence: assent}}, "a", Satisfied, red, 86},
		{"research cannot confirm", []Finding{tell("a", red, claim), {Key: "a", Act: Confirm, Evidence: Evidence{Kind: ResearchEvidence, Source: "x", Quote: "y"}}}, "a", Partial, red, 65},
		{"a conclusion is partial", []Finding{tell("a", red, said("m1")), tell("b", blue, fromA)}, "b", Partial, blue, 60},
		{"a conclusion from what is not known is nothing", []Finding{tell("b", blue, fromA)}, "b", Pending, nil, 0},
		{"a conclusion from itself is nothing", []Finding{tell("a", red, said("m1")), correct("a", blue, fromA)}, "a", Satisfied, red, 92},
		{"confirming a proposal", []Finding{{Key: "a", Act: Confirm, Value: red, Evidence: assent}}, "a", Satisfied, red, 82},
		{"confirming nothing", []Finding{{Key: "a", Act: Confirm, Evidence: assent}}, "a", Pending, nil, 0},
		{"a correction", []Finding{tell("a", red, said("m1")), correct("a", blue, said("m2"))}, "a", Satisfied, blue, 92},
		{"a correction nobody said", []Finding{tell("a", red, said("m1")), correct("a", blue, invented)}, "a", Satisfied, red, 92},
		{"a denial", []Finding{tell("a", red, said("m1")), {Key: "a", Act: Deny}}, "a", InProgress, nil, 0},
		{"a denial of nothing", []Finding{{Key: "a", Act: Deny}}, "a", Pending, nil, 0},
		{"not known", []Finding{{Key: "a", Act: Unsure}}, "a", Deferred, nil, 0},
		{"later", []Finding{{Key: "a", Act: Defer}}, "a", Deferred, nil, 0},
		{"later changes nothing that is known", []Finding{tell("a", red, said("m1")), {Key: "a", Act: Defer}}, "a", Satisfied, red, 92},
		{"asked", []Finding{{Key: "a", Act: Asked}}, "a", InProgress, nil, 0},
		{"asked after it was put off", []Finding{{Key: "a", Act: Defer}, {Key: "a", Act: Asked}}, "a", InProgress, nil, 0},
		{"skipped", []Finding{{Key: "a", Act: Skip, Skip: Declined}}, "a", Skipped, nil, 0},
		{"skipped without a reason is nothing", []Finding{{Key: "a", Act: Skip}}, "a", Pending, nil, 0},
		{"what does not apply has no value", []Finding{tell("a", red, said("m1")), {Key: "a", Act: Skip, Skip: NotApplicable}}, "a", Skipped, nil, 0},
		{"what was said before declining is kept", []Finding{tell("a", red, said("m1")), {Key: "a", Act: Skip, Skip: Declined}}, "a", Skipped, red, 92},
		{"what was skipped may be told", []Finding{{Key: "a", Act: Skip, Skip: Declined}, tell("a", red, said("m1"))}, "a", Satisfied, red, 92},
		{"reopened", []Finding{tell("a", red, said("m1")), {Key: "a", Act: Reopen}}, "a", Pending, nil, 0},
		{"what rests on a correction's key reopens", []Finding{tell("a", red, said("m1")), tell("b", blue, fromA), correct("a", blue, said("m2"))}, "b", Pending, nil, 0},
		{"what rests on a skipped key reopens", []Finding{tell("a", red, said("m1")), tell("b", blue, fromA), {Key: "a", Act: Skip, Skip: NotApplicable}}, "b", Pending, nil, 0},
		{"what was also said stays", []Finding{tell("a", red, said("m1")), tell("b", blue, fromA), tell("b", blue, said("m2")), {Key: "a", Act: Reopen}}, "b", Satisfied, blue, 96},
		{"an unknown act", []Finding{{Key: "a", Act: "sing", Value: red, Evidence: said("m1")}}, "a", Pending, nil, 0},
		{"an unknown key", []Finding{tell("z", red, said("m1"))}, "a", Pending, nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			list, _ := played(tt.in...)

			o := Find(list, tt.key)
			if o.Status != tt.status || !SameValue(o.Value, tt.value) || o.Confidence != tt.conf {
				t.Errorf("%s is %s, %s at %s, want %s, %s at %s", tt.key, o.Status, o.Value, o.Confidence, tt.status, tt.value, tt.conf)
			}
		})
	}
}

func TestOneRevisionForOneChangeOfMind(t *testing.T) {
	t.Parallel()

	list, changes := played(tell("a", red, said("m1")), correct("a", blue, said("m2")))

	if n := list[0].Negotiation; n == nil || len(n.Rounds) != 1 || n.Status != NegotiationResolved || !n.Rejected(red, said("m1")) {
		t.Fatalf("negotiation = %+v, want one round, resolved", n)
	}
	var got []string
	for _, e := range changes[0].Events {
		got = append(got, string(e.Type))
	}
	if diff := cmp.Diff([]string{"value_extracted", "negotiation"}, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}

	_, changes = played(tell("a", red, said("m1")), correct("a", blue, said("m2")), correct("a", blue, said("m2")))
	if len(changes) != 0 {
		t.Errorf("the same correction again changes %+v", changes)
	}
}

// A later statement that differs is a change of mind like a correction is.
func TestOneRevisionForALaterStatement(t *testing.T) {
	t.Parallel()

	list, changes := played(tell("a", red, said("m1")), tell("a", blue, said("m2")))
	if n := list[0].Negotiation; n == nil || len(n.Rounds) != 1 || n.Status != NegotiationResolved || n.Resolution != AgentAccepted || !SameValue(list[0].Value, blue) {
		t.Fatalf("a holds %s, negotiation %+v, want blue after one round", list[0].Value, n)
	}
	if len(changes) != 1 || changes[0].Conflict == nil {
		t.Errorf("changes = %+v, want one with a conflict to raise", changes)
	}
	if list, _ = played(tell("a", red, said("m1")), tell("a", blue, said("m2")), Finding{Key: "a", Act: Confirm, Value: blue, Evidence: assent}); len(list[0].Negotiation.Rounds) != 1 {
		t.Errorf("saying which holds made a second revision: %+v", list[0].Negotiation)
	}
}

func TestSubmitAndSettle(t *testing.T) {
	t.Parallel()

	typed := Evidence{Kind: WidgetInput, By: "ada"}
	denied := []Finding{tell("a", red, said("m1")), {Key: "a", Act: Deny}}
	submitted := slices.Clip(append(denied, Finding{Key: "a", Act: Submit, Value: blue, Evidence: typed})) // each case appends to its own
	decided := []Finding{tell("a", red, review), {Key: "a", Act: Deny}}
	for _, tt := range []struct {
		name   string
		in     []Finding
		status Status
		value  json.RawMessage
		stands NegotiationStatus
	}{
		{"named", submitted, Partial, blue, NegotiationActive},
		{"named without a dispute", []Finding{{Key: "a", Act: Submit, Value: blue, Evidence: typed}}, Pending, nil, NegotiationNone},
		{"named by research", append(denied, Finding{Key: "a", Act: Submit, Value: blue, Evidence: claim}), InProgress, nil, NegotiationActive},
		{"named against a decision", append(decided, Finding{Key: "a", Act: Submit, Value: blue, Evidence: typed}), Satisfied, red, NegotiationEscalated},
		{"settled", append(submitted, Finding{Key: "a", Act: Settle, Value: blue, Evidence: typed}), Satisfied, blue, NegotiationResolved},
		{"settled otherwise", append(submitted, Finding{Key: "a", Act: Settle, Value: blue, How: Compromise, Evidence: typed}), Satisfied, blue, NegotiationResolved},
		{"said in the conversation", append(submitted, tell("a", blue, said("m4"))), Satisfied, blue, NegotiationResolved},
		{"settled without a dispute", []Finding{{Key: "a", Act: Settle, Value: blue, Evidence: typed}}, Pending, nil, NegotiationNone},
		{"settled by the person against a decision", append(decided, Finding{Key: "a", Act: Settle, Value: blue, Evidence: typed}), Satisfied, red, NegotiationEscalated},
		{"settled by a reviewer", append(decided, Finding{Key: "a", Act: Settle, Value: blue, Evidence: review}), Satisfied, blue, NegotiationResolved},
		{"put off and asked again", append(denied, Finding{Key: "a", Act: Defer}, Finding{Key: "a", Act: Asked}), InProgress, nil, NegotiationActive},
		{"put off", append(denied, Finding{Key: "a", Act: Defer}), Deferred, nil, NegotiationDeferred},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			list, _ := played(tt.in...)

			o := list[0]
			if o.Status != tt.status || !SameValue(o.Value, tt.value) || o.Negotiation.Standing() != tt.stands {
				t.Errorf("a is %s with %s, dispute %s, want %s with %s, %s", o.Status, o.Value, o.Negotiation.Standing(), tt.status, tt.value, tt.stands)
			}
		})
	}
}

func TestRejectedValueIsNotProposedAgain(t *testing.T) {
	t.Parallel()

	elsewhere := Evidence{Kind: ResearchEvidence, Source: "another report", Quote: "so"}
	before := []Finding{tell("a", red, claim), {Key: "a", Act: Deny}}
	for name, e := range map[string]Evidence{"the same source": claim, "assent nobody asked for": assent, "a conclusion from nothing known": {Kind: InferredEvidence, Premises: []string{"b"}}} {
		if list, _ := played(append(before, tell("a", red, e))...); list[0].Value != nil {
			t.Errorf("%s brought the rejected value back", name)
		}
	}
	if list, _ := played(append(before, tell("a", red, said("m3")))...); !SameValue(list[0].Value, red) {
		t.Error("the person's own word did not bring the value back")
	}
	if list, _ := played(append(before, tell("a", red, elsewhere))...); !SameValue(list[0].Value, red) || list[0].Status == Satisfied {
		t.Errorf("a new source = %s, %s, want it proposed again", list[0].Status, list[0].Value)
	}
	if list, _ := played(append(before, tell("a", red, elsewhere), Finding{Key: "a", Act: Deny}, tell("a", red, elsewhere))...); list[0].Value != nil {
		t.Error("a value that was rejected on both sources was proposed again")
	}
}

func TestValueAfterADenialEndsTheDispute(t *testing.T) {
	t.Parallel()

	denied := []Finding{tell("a", red, said("m1")), {Key: "a", Act: Deny}}
	list, _ := played(append(denied, tell("a", blue, said("m3")))...)
	if n := list[0].Negotiation; n.Status != NegotiationResolved || n.Resolution != AgentAccepted || !SameValue(n.FinalValue, blue) {
		t.Errorf("negotiation = %+v, want it resolved by the person's value", n)
	}

	list, _ = played(append(denied, tell("a", blue, claim))...)
	if n := list[0].Negotiation; n.Status != NegotiationActive {
		t.Errorf("research made the dispute %q, want active", n.Status)
	}
}

func TestThreeDenialsGoToAReviewer(t *testing.T) {
	t.Parallel()

	deny := Finding{Key: "a", Act: Deny, Value: red}
	list, _ := played(deny, deny, deny)
	if n := list[0].Negotiation; n.Status != NegotiationEscalated {
		t.Fatalf("negotiation = %+v, want it escalated", n)
	}

	list, _ = played(deny, deny, deny, tell("a", blue, review))
	if n := list[0].Negotiation; n.Status != NegotiationResolved || list[0].Status != Satisfied {
		t.Errorf("after the reviewer: %s, negotiation %+v", list[0].Status, n)
	}
}

func TestReviewerIsNotOverruled(t *testing.T) {
	t.Parallel()

	decide := tell("a", red, review)
	for _, tt := range []struct {
		name     string
		in       Finding
		conflict bool
	}{
		{"another value", tell("a", blue, said("m1")), true},
		{"a correction", correct("a", blue, said("m1")), true},
		{"a denial", Finding{Key: "a", Act: Deny}, true},
		{"assent to another value", Finding{Key: "a", Act: Confirm, Value: blue, Evidence: said("m1")}, true},
		{"skipping", Finding{Key: "a", Act: Skip, Skip: NotApplicable}, false},
		{"putting off", Finding{Key: "a", Act: Defer}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			list, changes := played(decide, tt.in)

			if o := list[0]; !SameValue(o.Value, red) || o.Status != Satisfied {
				t.Errorf("the reviewer's value became %s, %s", o.Value, o.Status)
			}
			switch {
			case tt.conflict && (len(changes) != 1 || changes[0].Conflict == nil):
				t.Errorf("changes = %+v, want a conflict", changes)
			case tt.conflict && (changes[0].Conflict.Kind != BetweenPersons || !changes[0].Conflict.Sides[0].Kept):
				t.Errorf("conflict = %+v, want the reviewer's side kept", changes[0].Conflict)
			}
		})
	}
}

func TestReviewerMayThinkAgain(t *testing.T) {
	t.Parallel()

	list, _ := played(tell("a", red, review), correct("a", blue, review))
	if !SameValue(list[0].Value, blue) {
		t.Errorf("the reviewer's second value was not taken: %s", list[0].Value)
	}
	list, _ = played(tell("a", red, review), Finding{Key: "a", Act: Deny, Source: SourceReviewer})
	if list[0].Value != nil {
		t.Errorf("the reviewer's denial left %s", list[0].Value)
	}
}

func TestReviewerIsNotCrowdedOut(t *testing.T) {
	t.Parallel()

	findings := []Finding{tell("a", red, claim), tell("a", red, review)}
	for i := range 3 * maxEvidence {
		findings = append(findings, tell("a", red, said(fmt.Sprint("m", i))))
	}
	list, _ := played(append(findings, correct("a", blue, said("last")))...)

	if o := list[0]; !SameValue(o.Value, red) || len(o.Evidence) > maxEvidence || !o.Decided() {
		t.Errorf("after much agreement a holds %s on %d pieces, decided %v", o.Value, len(o.Evidence), o.Decided())
	}
}

func TestConflictKinds(t *testing.T) {
	t.Parallel()

	other := said("m2")
	other.By = "bo"
	document := Evidence{Kind: Document, Source: "contract", Quote: "so"}
	for _, tt := range []struct {
		name        string
		first, then Evidence
		want        ConflictKind
		kept        bool // the first value is kept
		status      string
	}{
		{"the same person", said("m1"), said("m2"), Changed, false, ConflictOpen},
		{"another person", said("m1"), other, BetweenPersons, false, ConflictOpen},
		{"a document", said("m1"), document, AgainstDocument, true, ConflictOpen},
		{"against a document", document, said("m1"), AgainstDocument, false, ConflictOpen},
		{"research", said("m1"), claim, AgainstResearch, true, ConflictOpen},
		{"against research", claim, said("m1"), AgainstResearch, false, ConflictResolved},
		{"a reviewer", said("m1"), review, BetweenPersons, false, ConflictOpen},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			_, changes := played(tell("a", red, tt.first), tell("a", blue, tt.then))

			if len(changes) == 0 || changes[0].Conflict == nil {
				t.Fatalf("changes = %+v, want a conflict", changes)
			}
			c := changes[0].Conflict
			if c.Kind != tt.want || c.Sides[0].Kept != tt.kept || c.Sides[1].Kept == tt.kept || c.Detected != 2 || c.Status != tt.status {
				t.Errorf("conflict = %+v, want kind %q, first kept %v, %s", c, tt.want, tt.kept, tt.status)
			}
		})
	}
}

func TestUnlocking(t *testing.T) {
	t.Parallel()

	list, changes := played(tell("a", red, said("m1")))
	if !Find(list, "c").Unlocked || len(changes) != 2 || changes[1].Events[0].Type != DependencyResolved {
		t.Errorf("c is unlocked: %v, changes %+v", Find(list, "c").Unlocked, changes)
	}
	list, _ = played(tell("a", red, said("m1")), Finding{Key: "a", Act: Reopen})
	if Find(list, "c").Unlocked {
		t.Error("c stays unlocked though a is open again")
	}
}

func TestPremiseToldInTheSameTurn(t *testing.T) {
	t.Parallel()

	list, _ := played()
	changes := Apply(list, []Finding{tell("b", blue, fromA), tell("a", red, said("m1"))}, 1)

	if b := Find(Merge(list, changes), "b"); !SameValue(b.Value, blue) {
		t.Errorf("a conclusion named before its premise was lost: %+v", changes)
	}
}

func TestApplyTouchesNothingItWasGiven(t *testing.T) {
	t.Parallel()

	list, _ := played(tell("a", red, said("m1")), tell("b", blue, fromA))
	before := mustJSON(list)

	Apply(list, []Finding{tell("a", red, said("m2")), correct("a", blue, said("m3")), {Key: "b", Act: Asked}, {Key: "c", Act: Deny, Value: red}}, 3)

	if diff := cmp.Diff(string(before), string(mustJSON(list))); diff != "" {
		t.Errorf("Apply changed its list (-before +after):\n%s", diff)
	}
}

func TestSatisfiedTurn(t *testing.T) {
	t.Parallel()

	list, _ := played(tell("a", red, said("m1")), tell("a", red, said("m2")))
	if got := list[0].SatisfiedTurn; got != 1 {
		t.Errorf("agreement moved the turn of satisfaction to %d", got)
	}
	list, _ = played(tell("a", red, said("m1")), correct("a", blue, said("m2")))
	if got := list[0].SatisfiedTurn; got != 2 {
		t.Errorf("a corrected value is satisfied since turn %d, want 2", got)
	}
}

// "Stuff" and then "we bake bread" were two values to choose from.
func TestWhatIsSaidAfterAVagueAnswerContradictsNothing(t *testing.T) {
	t.Parallel()

	vague := tell("a", red, said("m1"))
	vague.Grade = Grade{Kind: Stated, Vague: true}
	precise := tell("a", blue, said("m2"))
	precise.Grade = Grade{Kind: Stated}

	list, changes := played(vague, precise)

	if a := Find(list, "a"); !SameValue(a.Value, blue) || a.Status != Satisfied || changes[0].Conflict != nil {
		t.Errorf("a is %s, %s, with conflict %v; want the precise value and none", a.Value, a.Status, changes[0].Conflict)
	}
	other := precise
	other.Evidence.By = "bob"
	if _, changes := played(vague, other); changes[0].Conflict == nil {
		t.Error("somebody else's value makes no conflict")
	}
}

// What a person took back is not noted again from a passing remark; said in answer, it
// counts.
func TestWhatWasCorrectedIsNotNotedAgainInPassing(t *testing.T) {
	t.Parallel()

	passing := tell("a", red, said("m3"))
	passing.Grade = Grade{Kind: Stated, Loose: true}
	list, changes := played(tell("a", red, said("m1")), correct("a", blue, said("m2")), passing)
	if !SameValue(list[0].Value, blue) || len(changes) != 0 {
		t.Errorf("a is %s after %d changes, want what it was corrected to", list[0].Value, len(changes))
	}
	list, _ = played(tell("a", red, said("m1")), correct("a", blue, said("m2")), correct("a", red, said("m3")))
	if !SameValue(list[0].Value, red) {
		t.Errorf("a is %s, want what the person says now", list[0].Value)
	}
}
