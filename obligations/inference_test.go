package obligations

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func raw(s string) json.RawMessage { return json.RawMessage(s) }

// project is an objective whose size is concluded from the number of people and the parts.
func project(rules ...InferenceRule) []Template {
	if rules == nil {
		rules = []InferenceRule{
			{When: []Premise{{Key: "people", AtMost: raw("2")}, {Key: "users", AtMost: raw("50")}}, Then: raw(`"small"`), Because: "Few people for few users make a small project."},
			{When: []Premise{{Key: "people", AtLeast: raw("3")}}, Then: raw(`"large"`), Because: "More than two people need more than a small project."},
		}
	}
	size := Template{Key: "size", FieldPath: "size", Label: "Size", Prompt: "How large is it?", Collection: Inferred, Widget: ChoiceOne, Priority: 4, Dependencies: []string{"goal"},
		Choices: []Choice{{Value: "small", Label: "Small"}, {Value: "large", Label: "Large"}}, Inference: rules}
	number := func(key string) Template {
		return Template{Key: key, FieldPath: key, Prompt: "How many?", Collection: DirectQuestion, Widget: Number, Priority: 5}
	}
	return []Template{
		{Key: "goal", FieldPath: "goal", Prompt: "What for?", Collection: DirectQuestion, Widget: Text, Priority: 9},
		size, number("people"), number("users"),
		{Key: "parts", FieldPath: "parts", Prompt: "Which?", Collection: DirectQuestion, Widget: MultiSelect, Priority: 5, Choices: []Choice{{Value: "web", Label: "Web"}, {Value: "app", Label: "App"}}},
		{Key: "start", FieldPath: "start", Prompt: "When?", Collection: DirectQuestion, Widget: Date, Priority: 5},
	}
}

// saying returns what a person says of key.
func saying(key, value string) Finding {
	return Finding{Key: key, Act: Tell, Value: raw(value), Source: "conversation", Evidence: Evidence{Kind: Stated, Quote: value, Message: key + value, Span: &Span{End: 1}}}
}

// talk applies findings, one turn each, and returns the obligations and all events.
func talk(t *testing.T, templates []Template, turns ...[]Finding) ([]Obligation, []Event) {
	t.Helper()
	list := Fresh(templates, Origin{Layer: Shipped})
	var events []Event
	for i := range list {
		events = append(events, Birth(list[i], 0))
	}
	for i, findings := range turns {
		changes := Apply(list, findings, i+1)
		for _, c := range changes {
			events = append(events, c.Events...)
		}
		list = Merge(list, changes)
		if again := reevaluateSession(list, i+1); len(again) > 0 {
			t.Errorf("after turn %d a re-evaluation changes %s", i+1, again[0].After.Key)
		}
	}
	replayed, err := Replay(templates, events)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(list, replayed); diff != "" {
		t.Errorf("the replay differs:\n%s", diff)
	}
	return list, events
}

func TestRuleConcludesOnceAllItsPremisesAreKnown(t *testing.T) {
	t.Parallel()

	turns := [][]Finding{{saying("people", "2")}, {saying("users", "20")}}
	before, _ := talk(t, project(), turns[:1]...)
	after, events := talk(t, project(), turns...)

	if o := Find(before, "size"); o.Value != nil {
		t.Errorf("with half its premises it holds %s", o.Value)
	}
	o := Find(after, "size")
	want := Evidence{Kind: InferredEvidence, Turn: 2, Premises: []string{"people", "users"}, Because: "Few people for few users make a small project."}
	got := o.Evidence[0]
	got.Grade = nil
	if diff := cmp.Diff(want, got); diff != "" || string(o.Value) != `"small"` {
		t.Errorf("it holds %s; evidence:\n%s", o.Value, diff)
	}
	if o.Status != Partial || o.Confidence > 60 || !o.Pending() {
		t.Errorf("status %s, confidence %s; want a proposal of at most 0.60", o.Status, o.Confidence)
	}
	if !slices.ContainsFunc(events, func(e Event) bool { return e.Key == "size" && e.Source == sourceRule && e.Meta.Reason == want.Because }) {
		t.Error("the trail does not name the rule")
	}
}

func TestConclusionFollowsItsPremises(t *testing.T) {
	t.Parallel()

	told := []Finding{saying("people", "2"), saying("users", "20")}
	yes := Finding{Key: "size", Act: Confirm, Evidence: Evidence{Kind: Accepted, Quote: "yes", Message: "m", Span: &Span{End: 3}, Proposal: &Proposal{Value: raw(`"small"`)}}}
	no := Finding{Key: "size", Act: Deny}
	correct := func(key, v string) Finding { f := saying(key, v); f.Act = Correct; return f }
	for _, tt := range []struct {
		name   string
		turns  [][]Finding
		value  string // empty for none
		status Status
	}{
		{"a premise changes, and another rule fires", [][]Finding{told, {correct("people", "5")}}, `"large"`, Partial},
		{"a premise changes, and no rule fires", [][]Finding{told, {correct("users", "500")}}, "", Pending},
		{"a premise is taken back", [][]Finding{told, {{Key: "people", Act: Deny}}}, "", Pending},
		{"a premise changes after the person agreed", [][]Finding{told, {yes}, {correct("people", "5")}}, `"small"`, Satisfied},
		{"the person denies", [][]Finding{told, {no}}, "", InProgress},
		{"the person denies, and says the same premise again", [][]Finding{told, {no}, {saying("users", "20")}}, "", InProgress},
		{"the person denies, and then a premise changes", [][]Finding{told, {no}, {correct("people", "5")}}, `"large"`, Partial},
		{"the person names another value", [][]Finding{told, {saying("size", `"large"`)}}, `"large"`, Satisfied},
		{"the person had said it before", [][]Finding{{saying("size", `"large"`)}, told}, `"large"`, Satisfied},
		{"it does not apply", [][]Finding{told, {{Key: "size", Act: Skip, Skip: NotApplicable}}, {correct("people", "5")}}, "", Skipped},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			list, _ := talk(t, project(), tt.turns...)

			if o := Find(list, "size"); string(o.Value) != tt.value || o.Status != tt.status {
				t.Errorf("it holds %s, %s; want %s, %s", o.Value, o.Status, tt.value, tt.status)
			}
		})
	}
}

// A person who names another value than was concluded contradicts nobody.
func TestOtherValueThanConcludedIsNoConflict(t *testing.T) {
	t.Parallel()

	list, _ := talk(t, project(), []Finding{saying("people", "2"), saying("users", "20")})
	for _, c := range Apply(list, []Finding{saying("size", `"large"`)}, 2) {
		if c.Conflict != nil {
			t.Errorf("conflict %+v", c.Conflict)
		}
	}
}

// What is only proposed, hedged below its line, or a hint, is no premise.
func TestConclusionsRestOnWhatIsEstablished(t *testing.T) {
	t.Parallel()

	found := saying("people", "5")
	found.Evidence = Evidence{Kind: ResearchEvidence, Source: "https://a.example/", Quote: "five people"}
	hint := saying("people", "5")
	hint.Evidence.Flag = FlagQuoteNotFound
	hedged := saying("people", "5")
	hedged.Grade.Hedged = true
	for name, f := range map[string]Finding{"a proposal of research": found, "a hint": hint, "a hedged answer": hedged} {
		list, _ := talk(t, project(), []Finding{f})
		if o := Find(list, "size"); o.Value != nil {
			t.Errorf("%s leads to %s", name, o.Value)
		}
	}
}

func TestPremiseHolds(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		premise string
		value   string
		want    bool
	}{
		{`{"key":"goal","equals":"Grow"}`, `"grow"`, true},
		{`{"key":"goal","in":["a","b"]}`, `"b"`, true},
		{`{"key":"goal","in":["a","b"]}`, `"c"`, false},
		{`{"key":"goal","contains":"hand over"}`, `"To Hand  over the shop, soon"`, true},
		{`{"key":"goal","contains":"grow"}`, `"Fewer growths"`, false},
		{`{"key":"parts","contains":"app"}`, `["web","app"]`, true},
		{`{"key":"parts","contains":"app"}`, `["web"]`, false},
		{`{"key":"parts","equals":["web"]}`, `["web"]`, true},
		{`{"key":"people","atLeast":3}`, `3`, true},
		{`{"key":"people","atLeast":3}`, `{"min":2,"max":5}`, false},
		{`{"key":"people","atLeast":3,"atMost":9}`, `{"min":3,"max":9}`, true},
		{`{"key":"people","atMost":3}`, `4`, false},
		{`{"key":"start","atMost":"2025"}`, `"2025-12-31"`, true},
		{`{"key":"start","atMost":"2025-06"}`, `"2025"`, false},
		{`{"key":"start","atLeast":"2025"}`, `"2025"`, true},
		{`{"key":"start","atLeast":"2025"}`, `"2024-12"`, false},
	} {
		var p Premise
		if err := json.Unmarshal([]byte(tt.premise), &p); err != nil {
			t.Fatal(err)
		}
		list := Fresh(project(), Origin{})
		o := Find(list, p.Key)
		o.Value = raw(tt.value)
		if got := p.holds(o); got != tt.want {
			t.Errorf("%s holds of %s = %v, want %v", tt.premise, tt.value, got, tt.want)
		}
	}
}

func TestConclusionIsPutAfterOpenQuestionsAndAwaitedAfterAll(t *testing.T) {
	t.Parallel()

	ranked := func(turns ...[]Finding) []Candidate {
		list, _ := talk(t, project(), turns...)
		return Rank(list, SelectionContext{})
	}
	goal := saying("goal", `"A shop"`)

	proposed := ranked([]Finding{goal, saying("people", "2"), saying("users", "20")})
	if diff := cmp.Diff([]string{"parts", "start", "size"}, keysOf(proposed)); diff != "" || !strings.Contains(proposed[2].Because.Sentence, "takes only a yes") {
		t.Errorf("with the size concluded (-want +got), because %q:\n%s", proposed[2].Because.Sentence, diff)
	}
	if diff := cmp.Diff([]string{"users", "parts", "start", "size"}, keysOf(ranked([]Finding{goal, saying("people", "2")}))); diff != "" {
		t.Errorf("while the size may still follow from the users (-want +got):\n%s", diff)
	}
	rest := []Finding{goal, saying("people", "2"), saying("users", "500"), saying("parts", `["web"]`), saying("start", `"2026"`)}
	if c := ranked(rest)[0]; c.Obligation.Key != "size" || strings.Contains(c.Because.Sentence, "yes") {
		t.Errorf("when no rule fires, first comes %s: %s", c.Obligation.Key, c.Because.Sentence)
	}
}

func TestValidateRefusesRules(t *testing.T) {
	t.Parallel()

	rule := func(premise string) InferenceRule {
		r := InferenceRule{Then: raw(`"small"`), Because: "Because.", When: make([]Premise, 1)}
		if err := json.Unmarshal([]byte(premise), &r.When[0]); err != nil {
			t.Fatal(err)
		}
		return r
	}
	good := rule(`{"key":"people","atMost":2}`)
	noSentence, noValue, wrongValue, noPremise := good, good, good, good
	noSentence.Because, noValue.Then, wrongValue.Then, noPremise.When = " ", nil, raw(`"huge"`), nil
	for _, tt := range []struct {
		name  string
		rule  InferenceRule
		field string
		want  string
	}{
		{"no sentence", noSentence, ".because", "one sentence"},
		{"no value", noValue, ".then", "missing"},
		{"a value of the wrong shape", wrongValue, ".then", "one of small, large"},
		{"no condition", noPremise, ".when", "1 to 8 conditions"},
		{"an unknown key", rule(`{"key":"crew","atMost":2}`), ".when[0].key", "does not exist"},
		{"itself", rule(`{"key":"size","equals":"small"}`), ".when[0].key", "from itself"},
		{"no test", rule(`{"key":"people"}`), ".when[0]", "has 0"},
		{"two tests", rule(`{"key":"people","equals":2,"atMost":2}`), ".when[0]", "has 2"},
		{"a value it cannot have", rule(`{"key":"people","equals":"two"}`), ".when[0].equals", "must be a number"},
		{"one of values it cannot have", rule(`{"key":"parts","in":[["web"],["fax"]]}`), ".when[0].in[1]", "one of web, app"},
		{"one of none", rule(`{"key":"people","in":[]}`), ".when[0].in", "at least one"},
		{"a bound on words", rule(`{"key":"goal","atLeast":2}`), ".when[0].atLeast", "numbers and dates"},
		{"a bound that is none", rule(`{"key":"start","atMost":"soon"}`), ".when[0].atMost", "must be a date"},
		{"bounds that exclude each other", rule(`{"key":"people","atLeast":5,"atMost":2}`), ".when[0].atLeast", "nothing is at least 5 and at most 2"},
		{"a choice there is not", rule(`{"key":"parts","contains":"fax"}`), ".when[0].contains", "one of web, app"},
		{"words in a number", rule(`{"key":"people","contains":"two"}`), ".when[0].contains", "for texts"},
		{"no words", rule(`{"key":"goal","contains":"   "}`), ".when[0].contains", "name a word"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			faults := Validate(project(tt.rule))

			if len(faults) == 0 || faults[0].Field != "obligations[1].inference[0]"+tt.field || !strings.Contains(faults[0].Error(), tt.want) {
				t.Errorf("faults %v, want one at %s with %q", faults, tt.field, tt.want)
			}
		})
	}
	if faults := Validate(project()); len(faults) > 0 {
		t.Errorf("a good objective is refused: %v", faults)
	}
}

func TestValidateRefusesRulesOfOthers(t *testing.T) {
	t.Parallel()

	asked := project()
	asked[1].Collection = DirectQuestion
	circle := project()
	circle[2].Dependencies = []string{"parts"}
	circle[4].Dependencies = []string{"size"}
	for name, tt := range map[string]struct {
		list []Template
		want string
	}{
		"of what is asked":              {asked, "set collectionType to inferred"},
		"from what waits for the other": {circle, "which waits for"},
	} {
		if faults := Validate(tt.list); len(faults) == 0 || !strings.Contains(faults[0].Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, faults, tt.want)
		}
	}
}
