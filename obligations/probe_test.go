package obligations_test

import (
	"encoding/json"
	"testing"

	"quaestor/obligations"
)

func TestThinAnswersCallForProbes(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name     string
		template obligations.Template
		said     string
		vague    bool
		want     obligations.Probe
	}{
		{"a fact is enough", obligations.Template{}, "cash flow", false, ""},
		{"a fact is enough, said so", obligations.Template{Depth: obligations.FactDepth}, "cash flow", true, ""},
		{"a reason is missing", obligations.Template{Depth: obligations.ReasonDepth}, "more customers", false, obligations.WhyProbe},
		{"a reason is given", obligations.Template{Depth: obligations.ReasonDepth}, "more customers, because rent rose", false, ""},
		{"a reason is given in German", obligations.Template{Depth: obligations.ReasonDepth}, "mehr Kunden, weil die Miete steigt", false, ""},
		{"long enough", obligations.Template{Depth: obligations.ReasonDepth}, "we want to open two more shops in the old town by spring", false, ""},
		{"an amount without a figure", obligations.Template{Depth: obligations.ReasonDepth}, "many orders", false, obligations.NumberProbe},
		{"vague", obligations.Template{Depth: obligations.ReasonDepth}, "we want to get better at everything that we do each day", true, obligations.WhyProbe},
		{"a story is missing", obligations.Template{Depth: obligations.StoryDepth}, "deliveries come late", false, obligations.LastProbe},
		{"a story is told", obligations.Template{Depth: obligations.StoryDepth}, "on Friday the van broke down, two cafés got no bread, and one of them has not ordered since", false, ""},
		{"of a list", obligations.Template{Depth: obligations.ReasonDepth, ValueType: "list"}, "cafés", false, obligations.ElseProbe},
		{"the author chooses", obligations.Template{Depth: obligations.ReasonDepth, FollowUpStrategy: "Ask for one number they look at already."}, "more customers", false, obligations.NumberProbe},
		{"no text", obligations.Template{Depth: obligations.StoryDepth, Widget: obligations.Number}, "12", false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if tt.template.Widget == "" {
				tt.template.Widget = obligations.Text
			}
			value, err := json.Marshal(tt.said)
			if err != nil {
				t.Fatal(err)
			}
			if got := obligations.ProbeFor(&tt.template, value, tt.vague); got != tt.want {
				t.Errorf("ProbeFor(%q) = %q, want %q", tt.said, got, tt.want)
			}
		})
	}
}

// What is said when more was asked stands beside what was said first, with its words.
func TestAdditionsKeepWhatWasSaid(t *testing.T) {
	t.Parallel()

	list := obligations.Fresh([]obligations.Template{{Key: "goal", FieldPath: "goal", Prompt: "What next?", Widget: obligations.Text, Priority: 5}}, obligations.Origin{Layer: obligations.SessionOnly, Source: "test"})
	say := func(act obligations.Act, value, quote string, turn int) []obligations.Change {
		e := obligations.Evidence{Kind: obligations.Stated, Message: "1-user", Quote: quote, Span: &obligations.Span{End: len(quote)}}
		raw, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		changes := obligations.Apply(list, []obligations.Finding{{Key: "goal", Act: act, Value: raw, Evidence: e, Grade: obligations.Grade{Kind: e.Kind}, Source: "conversation"}}, turn)
		list = obligations.Merge(list, changes)
		return changes
	}
	say(obligations.Tell, "More customers.", "more customers", 1)
	before := list[0].Confidence

	changes := say(obligations.Add, "the rent rose", "the rent rose", 2)

	o := &list[0]
	if string(o.Value) != `"More customers; the rent rose"` || len(o.Evidence) != 2 || o.Confidence < before || o.Status != obligations.Satisfied || len(changes) != 1 || changes[0].Elaborated() != "the rent rose" {
		t.Errorf("after an addition: %s, %d pieces of evidence, %v → %v, %s, %+v", o.Value, len(o.Evidence), before, o.Confidence, o.Status, changes)
	}
	if changes := say(obligations.Add, "More customers", "More customers", 3); string(o.Value) != `"More customers; the rent rose"` || len(changes) == 1 && changes[0].Conflict != nil {
		t.Errorf("said again: %s, %+v", list[0].Value, changes)
	}
}
