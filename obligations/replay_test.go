package obligations

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// sameState compares obligations: values by what they say, the rest to the
// letter.
var sameState = cmp.Comparer(SameValue)

// differ returns in what got is not want: empty, and found out quickly, where they are the
// same to the letter.
func differ(want, got []Obligation) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got, sameState)
}

// anyTemplates draws three to eight templates that may be published: each
// depends on earlier ones only.
func anyTemplates(t *rapid.T) []Template {
	widgets := []Widget{Text, ChoiceOne, MultiSelect, Date, Number}
	conditions := []string{"", "", "confidence >= 0.9", "confidence >= 0.3", `"stated" in evidence`, "attempts < 2"}
	list := make([]Template, rapid.IntRange(3, 8).Draw(t, "templates"))
	for i := range list {
		key := fmt.Sprintf("k%d", i)
		list[i] = Template{
			Key: key, FieldPath: key, Prompt: key + "?", Collection: DirectQuestion,
			Widget: rapid.SampledFrom(widgets).Draw(t, "widget"), Priority: rapid.IntRange(1, 10).Draw(t, "priority"),
			SatisfiedWhen: rapid.SampledFrom(conditions).Draw(t, "condition"),
			Choices:       []Choice{{Value: "a", Label: "A"}, {Value: "b", Label: "B"}, {Value: "c", Label: "C"}},
		}
		for j := range i {
			if rapid.IntRange(0, 3).Draw(t, "depends") == 0 {
				list[i].Dependencies = append(list[i].Dependencies, fmt.Sprintf("k%d", j))
			}
		}
	}
	return list
}

// valuesOf lists values for a widget, the last of the wrong shape.
var valuesOf = map[Widget][]string{
	Text:        {`"red"`, `"RED"`, `"blue"`, `"green"`, `7`},
	ChoiceOne:   {`"a"`, `"b"`, `"c"`, `"z"`},
	MultiSelect: {`["a"]`, `["a","b"]`, `["b", "a"]`, `[]`},
	Date:        {`"2026"`, `"2026-05"`, `"2026-05-17"`, `"soon"`},
	Number:      {`1`, `1.0`, `25`, `{"min":1,"max":3}`, `"many"`},
}

// anyEvidence draws evidence, sound or not.
func anyEvidence(t *rapid.T, list []Obligation) Evidence {
	e := Evidence{Kind: anyKind().Draw(t, "evidence"), By: rapid.SampledFrom([]string{"", "ada", "bo"}).Draw(t, "by")}
	switch e.Kind {
	case Stated, Accepted:
		e.Message, e.Quote = rapid.SampledFrom([]string{"m1", "m2", "m3"}).Draw(t, "message"), "so it is"
		if e.Kind == Accepted {
			e.Proposal = &Proposal{Message: "m0", Value: json.RawMessage(`1`)}
		}
		if e.Span = (&Span{0, 8}); rapid.IntRange(0, 3).Draw(t, "lost") == 0 {
			e.Span, e.Flag = nil, FlagQuoteNotFound
		}
	case InferredEvidence:
		for range rapid.IntRange(0, 2).Draw(t, "premises") {
			e.Premises = append(e.Premises, rapid.SampledFrom(list).Draw(t, "premise").Key)
		}
	case Document, ResearchEvidence:
		e.Source, e.Quote = rapid.SampledFrom([]string{"", "report"}).Draw(t, "source"), "it says so"
	}
	return e
}

var acts = []Act{Tell, Tell, Tell, Correct, Deny, Deny, Confirm, Unsure, Defer, Skip, Asked, Asked, Reopen, Submit, Settle, "mumble"}

// anyFinding draws what a turn may say of one obligation.
func anyFinding(t *rapid.T, list []Obligation) Finding {
	o := rapid.SampledFrom(list).Draw(t, "obligation")
	f := Finding{
		Key: o.Key, Act: rapid.SampledFrom(acts).Draw(t, "act"), Evidence: anyEvidence(t, list), Grade: anyGrade(t),
		Skip:   rapid.SampledFrom([]SkipReason{NotApplicable, Declined, "bored"}).Draw(t, "skip"),
		Source: rapid.SampledFrom([]string{"", "conversation", "research", SourceReviewer}).Draw(t, "said in"),
	}
	if rapid.IntRange(0, 5).Draw(t, "bare") > 0 {
		f.Value = json.RawMessage(rapid.SampledFrom(valuesOf[o.Widget]).Draw(t, "value"))
	}
	return f
}

// anyTurn draws the findings of one turn.
func anyTurn(t *rapid.T, list []Obligation) []Finding {
	var out []Finding
	for range rapid.IntRange(0, 4).Draw(t, "findings") {
		out = append(out, anyFinding(t, list))
	}
	return out
}

func births(list []Obligation) []Event {
	var out []Event
	for _, o := range list {
		out = append(out, Birth(o, 0))
	}
	return out
}

// TestReplayRebuildsEveryTurn plays random histories: after every turn the audit
// trail alone gives the obligations, and what must never happen has not.
func TestReplayRebuildsEveryTurn(t *testing.T) {
	t.Parallel()

	// A check plays a hundred histories; twelve of them, side by side, are well
	// above a thousand.
	for part := range 12 {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()

			rapid.Check(t, func(t *rapid.T) {
				templates := anyTemplates(t)
				list := Fresh(templates, Origin{Layer: Shipped, Source: "objective", ID: "v1"})
				events := births(list)
				turns := rapid.IntRange(1, 30).Draw(t, "turns")
				for turn := 1; turn <= turns; turn++ {
					changes := Apply(list, anyTurn(t, list), turn)
					list = Merge(list, changes)
					for _, c := range changes {
						events = append(events, c.Events...)
					}

					replayed, err := Replay(templates, events)
					if err != nil {
						t.Fatalf("turn %d: Replay: %v", turn, err)
					}
					if diff := differ(list, replayed); diff != "" {
						t.Fatalf("turn %d: Replay (-stored +replayed):\n%s", turn, diff)
					}
					checkChanges(t, changes)
					checkList(t, list, turn)
				}
			})
		})
	}
}

// checkChanges fails when a change leaves the status table or tells nothing.
func checkChanges(t *rapid.T, changes []Change) {
	for _, c := range changes {
		if !c.Before.Status.May(c.After.Status) {
			t.Fatalf("%s moved from %q to %q", c.After.Key, c.Before.Status, c.After.Status)
		}
		if len(c.Events) == 0 && c.Conflict == nil {
			t.Fatalf("%s changed without an event", c.After.Key)
		}
		for _, e := range c.Events {
			if !e.OldStatus.May(e.NewStatus) || e.Source == "" {
				t.Fatalf("event %+v of %s", e, c.After.Key)
			}
		}
	}
}

// checkList fails when an obligation is in a state that must not be.
func checkList(t *rapid.T, list []Obligation, turn int) {
	for i := range list {
		o := &list[i]
		switch {
		case (o.Value == nil) != (len(o.Evidence) == 0):
			t.Fatalf("%s holds %s on %d pieces of evidence", o.Key, o.Value, len(o.Evidence))
		case o.Value != nil && o.Check(o.Value) != nil:
			t.Fatalf("%s holds %s: %v", o.Key, o.Value, o.Check(o.Value))
		case o.Value == nil && o.Confidence != 0:
			t.Fatalf("%s is sure of nothing by %s", o.Key, o.Confidence)
		case o.Status == Satisfied && !backed(o):
			t.Fatalf("%s is satisfied by %+v", o.Key, o.Evidence)
		case (o.Status == Satisfied) != (o.SatisfiedTurn > 0):
			t.Fatalf("%s is %s, satisfied in turn %d", o.Key, o.Status, o.SatisfiedTurn)
		case (o.Status == Skipped) != (o.SkipReason != ""):
			t.Fatalf("%s is %s with the skip reason %q", o.Key, o.Status, o.SkipReason)
		case o.Attempts < 0 || o.LastTurn > turn || (o.Attempts > 0) != (o.LastTurn > 0):
			t.Fatalf("%s was asked %d times, in turn %d of %d last", o.Key, o.Attempts, o.LastTurn, turn)
		case len(o.Evidence) > maxEvidence:
			t.Fatalf("%s keeps %d pieces of evidence", o.Key, len(o.Evidence))
		case o.Unlocked != Ready(list, o):
			t.Fatalf("%s is unlocked: %v", o.Key, o.Unlocked)
		}
		checkDerived(t, list, o)
	}
}

// backed reports whether sound evidence of a person or a document stands behind
// o, in the test's own words.
func backed(o *Obligation) bool {
	for _, e := range o.Evidence {
		switch e.Kind {
		case Stated, Accepted:
			if e.Span != nil && e.Flag == "" {
				return true
			}
		case Document:
			if e.Source != "" {
				return true
			}
		case WidgetInput, Reviewer:
			return true
		}
	}
	return false
}

// checkDerived fails when a value that only follows from others outlives one of
// them.
func checkDerived(t *rapid.T, list []Obligation, o *Obligation) {
	for _, e := range o.Evidence {
		if e.Kind != InferredEvidence {
			return
		}
	}
	for _, e := range o.Evidence {
		for _, key := range e.Premises {
			if p := Find(list, key); p == nil || p.Value == nil {
				t.Fatalf("%s holds %s, which follows from %s, which holds nothing", o.Key, o.Value, key)
			}
		}
	}
}

func TestReplayOfATornTrail(t *testing.T) {
	t.Parallel()

	templates := []Template{{Key: "known", Prompt: "?"}}
	for _, tt := range []struct {
		name string
		in   []Event
	}{
		{"a change before the creation", []Event{{Key: "known", Type: StatusChanged}}},
		{"the creation of what no template defines", []Event{{Key: "unknown", Type: Created}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got, err := Replay(templates, tt.in); err == nil {
				t.Errorf("Replay() = %+v, want an error", got)
			}
		})
	}
}

func TestReplayOfWhatNoObjectiveDefines(t *testing.T) {
	t.Parallel()

	own := Obligation{Template: &Template{Key: "came_up", Prompt: "And that?", Priority: 4}, Status: Pending, Unlocked: true, Position: 3,
		Origin: Origin{Layer: SessionOnly, Source: "model"}}
	got, err := Replay(nil, []Event{Birth(own, 7)})
	if err != nil {
		t.Fatal(err)
	}

	if diff := cmp.Diff([]Obligation{own}, got); diff != "" {
		t.Errorf("Replay() (-want +got):\n%s", diff)
	}
}
