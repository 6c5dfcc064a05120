package obligations

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quaestor/internal/fault"
)

func quoted(words string) Evidence {
	return Evidence{Kind: Stated, Message: "3-user", Quote: words, Span: &Span{0, len(words)}}
}

func hold(list []Obligation, key, value string, c Confidence) {
	o := Find(list, key)
	v, _ := json.Marshal(value)
	o.Value, o.Evidence, o.Confidence, o.Status, o.SatisfiedTurn = v, []Evidence{quoted(value)}, c, Satisfied, 2
}

func openQuestions(keys ...string) []Obligation {
	templates := make([]Template, len(keys))
	for i, key := range keys {
		templates[i] = Template{Key: key, FieldPath: key, Prompt: "What about " + key + "?", Widget: Text, Collection: DirectQuestion, Priority: 5}
	}
	return Fresh(templates, Origin{Layer: Shipped, Source: "objective", ID: "v1"})
}

func TestProposeKeepsToItsBounds(t *testing.T) {
	t.Parallel()

	list := openQuestions("budget")
	var many []EmergentQuestion
	for i := range 9 {
		many = append(many, EmergentQuestion{Template{Prompt: strings.Repeat("x", i+1) + " " + string(rune('a'+i)) + "uditors?"}, quoted("the auditors")})
	}
	unsound := EmergentQuestion{Template{Prompt: "And the lawyers?"}, Evidence{Kind: Stated, Quote: "lawyers", Flag: FlagQuoteNotFound}}
	got := Propose(list, append([]EmergentQuestion{unsound, {Template{Prompt: "  "}, quoted("x")}}, many...), nil, 3)

	if len(got.Born) != MaxEmergent {
		t.Fatalf("%d came up, want %d", len(got.Born), MaxEmergent)
	}
	for i, o := range got.Born {
		if o.Status != Pending || o.Origin != (Origin{Layer: SessionOnly, Source: SourceEmergent}) || o.Position != i+1 || got.Evidence[i][0].Turn != 3 {
			t.Errorf("%d: %s at %d from %+v on %+v", i, o.Status, o.Position, o.Origin, got.Evidence[i])
		}
	}
	if more := Propose(append(list, got.Born...), many[:1], nil, 4); len(more.Born) != 0 {
		t.Errorf("a sixth came up: %+v", more.Born)
	}
}

// Keys were cut in the middle of a word.
func TestMadeKeysEndWithAWord(t *testing.T) {
	t.Parallel()

	for label, want := range map[string]string{
		"The night shift": "the_night_shift",
		"Returns of goods that were bought at Christmas": "returns_of_goods_that_were_bought_at",
		"Returns of goods that were bought in Maine":     "returns_of_goods_that_were_bought_in",
		"Exactly forty letters of a key it must be":      "exactly_forty_letters_of_a_key_it_must",
		strings.Repeat("x", 60):                          strings.Repeat("x", 40),
		"9 lives, 1 cat":                                 "lives_1_cat",
		"…":                                              "came_up",
	} {
		if got := keyFrom(label); got != want {
			t.Errorf("keyFrom(%q) = %q, want %q", label, got, want)
		}
	}
}

// Topics that people named are compared without the frame of the question, which
// all of them share.
func TestSubjectIsTheTopicThatIsQuoted(t *testing.T) {
	t.Parallel()

	for prompt, want := range map[string]string{
		"You brought up “the night shift”. What do we need to know about it?": "the night shift",
		"What should the auditors be able to see?":                            "What should the auditors be able to see?",
		"You brought up “it”. What of it?":                                    "You brought up “it”. What of it?",
		"What is “open?":                                                      "What is “open?",
	} {
		if got := Subject(prompt); got != want {
			t.Errorf("Subject(%q) = %q, want %q", prompt, got, want)
		}
	}
}

func TestProposalOfWhatIsAskedIsMergedAtOnce(t *testing.T) {
	t.Parallel()

	list := openQuestions("auditors")
	got := Propose(list, []EmergentQuestion{{Template{Key: "auditors", Prompt: "So what about the auditors?"}, quoted("the auditors")}}, nil, 3)
	after := Merge(append(list, got.Born...), got.Changes)

	if o := Find(after, "auditors_2"); o == nil || o.MergedInto != "auditors" || o.Status != Skipped {
		t.Errorf("the proposal is %+v, want one merged into auditors", o)
	}
	if got := Standing(after, "auditors_2"); got == nil || got.Key != "auditors" {
		t.Errorf("Standing() = %+v", got)
	}
}

func TestUnite(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name     string
		set      func([]Obligation)
		value    string // of b afterwards
		evidence int
		conflict bool
	}{
		{"nothing is known", func([]Obligation) {}, ``, 0, false},
		{"the one that goes knows", func(l []Obligation) { hold(l, "a", "red", 80) }, `"red"`, 1, false},
		{"the one that stays knows", func(l []Obligation) { hold(l, "b", "red", 80) }, `"red"`, 1, false},
		{"both know the same", func(l []Obligation) { hold(l, "a", "red", 80); hold(l, "b", "red", 75) }, `"red"`, 2, false},
		{"the one that goes knows better", func(l []Obligation) { hold(l, "a", "red", 80); hold(l, "b", "blue", 75) }, `"red"`, 1, true},
		{"the one that stays knows better", func(l []Obligation) { hold(l, "a", "red", 75); hold(l, "b", "blue", 80) }, `"blue"`, 1, true},
		{"both know as well", func(l []Obligation) { hold(l, "a", "red", 80); hold(l, "b", "blue", 80) }, `"blue"`, 1, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			list := openQuestions("a", "b", "c")
			Find(list, "c").Template.Dependencies = []string{"a"}
			Find(list, "c").Unlocked = false
			tt.set(list)
			changes, err := Unite(list, "a", "b", ReviewDecision{Turn: 5, Source: "reviewer"})
			if err != nil {
				t.Fatal(err)
			}
			after := Merge(list, changes)
			a, b, c := Find(after, "a"), Find(after, "b"), Find(after, "c")
			if a.MergedInto != "b" || a.Status != Skipped || a.Value != nil || a.Evidence != nil {
				t.Errorf("a is %+v", a)
			}
			if string(b.Value) != tt.value || len(b.Evidence) != tt.evidence {
				t.Errorf("b holds %s on %d pieces of evidence, want %s on %d", b.Value, len(b.Evidence), tt.value, tt.evidence)
			}
			if conflicted := slices.ContainsFunc(changes, func(c Change) bool { return c.Conflict != nil }); conflicted != tt.conflict {
				t.Errorf("a conflict: %t, want %t", conflicted, tt.conflict)
			}
			if ready := Ready(after, c); ready != (tt.value != "") || c.Unlocked != ready {
				t.Errorf("c, which waits for a, is ready: %t, though b holds %s", ready, b.Value)
			}
			if changes[0].Events[0].Type != Merged {
				t.Errorf("the event is %s, want merged", changes[0].Events[0].Type)
			}
		})
	}
}

func TestUniteKeepsWhatEachPersonSaid(t *testing.T) {
	t.Parallel()

	list := openQuestions("a", "b")
	for key, person := range map[string]string{"a": "ada", "b": "bo"} {
		hold(list, key, "red", 80)
		Find(list, key).Stands = []Contribution{{Person: person, Value: json.RawMessage(`"red"`), Evidence: Evidence{Kind: WidgetInput, By: person}}}
	}
	changes, err := Unite(list, "a", "b", ReviewDecision{Turn: 5, Source: "reviewer"})
	if err != nil {
		t.Fatal(err)
	}

	var got []string
	for _, c := range Find(Merge(list, changes), "b").Stands {
		got = append(got, c.Person)
	}
	if !slices.Equal(got, []string{"ada", "bo"}) {
		t.Errorf("b stands on what %v said, want ada and bo", got)
	}
}

func TestUniteRefuses(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name, from, into, want string
		set                    func([]Obligation)
	}{
		{"an unknown one", "z", "b", "obligation_not_found", nil},
		{"itself", "a", "a", "obligation_merged", nil},
		{"twice", "a", "b", "obligation_merged", func(l []Obligation) { Find(l, "a").MergedInto = "c" }},
		{"into what was merged into it", "a", "b", "obligation_merged", func(l []Obligation) { Find(l, "b").MergedInto = "a" }},
		{"one that was split", "a", "b", "obligation_split", func(l []Obligation) { Find(l, "b").SplitInto = []string{"c"} }},
		{"one in dispute", "a", "b", "obligation_disputed", func(l []Obligation) { Find(l, "a").Negotiation = &Negotiation{Status: NegotiationActive} }},
		{"a circle of waiting", "a", "b", "dependency_circle", func(l []Obligation) {
			Find(l, "b").Template.Dependencies, Find(l, "c").Template.Dependencies = []string{"c"}, []string{"a"}
		}},
		{"a value that does not fit", "a", "b", "value_does_not_fit", func(l []Obligation) { hold(l, "a", "red", 80); Find(l, "b").Template.Widget = Date }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			list := openQuestions("a", "b", "c")
			if tt.set != nil {
				tt.set(list)
			}
			changes, err := Unite(list, tt.from, tt.into, ReviewDecision{Turn: 1, Source: "reviewer"})
			if code := faultCode(err); code != tt.want || changes != nil {
				t.Errorf("Unite() = %v, %v (%s), want %s", changes, err, code, tt.want)
			}
		})
	}
}

func TestDivide(t *testing.T) {
	t.Parallel()

	list := openQuestions("time_and_money", "after")
	Find(list, "after").Template.Dependencies = []string{"time_and_money"}
	hold(list, "time_and_money", "three months and 50,000", 80)
	changes, born, err := Divide(list, "time_and_money", []Template{{Prompt: "How long may it take?"}, {Prompt: "What may it cost?"}}, ReviewDecision{Turn: 4, Source: "reviewer"})
	if err != nil {
		t.Fatal(err)
	}
	list = Merge(append(list, born...), changes)
	parent := func() *Obligation { return Find(list, "time_and_money") }

	if p := parent(); p.Status != Pending || p.Value != nil || len(p.SplitInto) != 2 || Ready(list, p) || Ready(list, Find(list, "after")) {
		t.Fatalf("after the split: %+v", p)
	}
	if notes := born[0].AgentNotes; !strings.Contains(notes, "three months and 50,000") {
		t.Errorf("the notes of a child are %q, want what was said before", notes)
	}
	for turn, answer := range []string{"three months", "50,000"} {
		list = Merge(list, Apply(list, []Finding{{Key: born[turn].Key, Act: Tell, Value: json.RawMessage(`"` + answer + `"`), Evidence: quoted(answer)}}, 5+turn))
		if want := []Status{Partial, Satisfied}[turn]; parent().Status != want {
			t.Fatalf("after %d answers the parent is %s, want %s", turn+1, parent().Status, want)
		}
	}
	if p := parent(); !strings.Contains(string(p.Value), "three months") || !strings.Contains(string(p.Value), "50,000") || p.SatisfiedTurn != 6 || len(p.Evidence) != 2 {
		t.Errorf("the parent holds %s since turn %d", p.Value, p.SatisfiedTurn)
	}
	if !Ready(list, Find(list, "after")) {
		t.Error("what waits for the parent is not ready")
	}
	list = Merge(list, Apply(list, []Finding{{Key: born[0].Key, Act: Deny}, {Key: "time_and_money", Act: Tell, Value: json.RawMessage(`"both"`), Evidence: quoted("both")}}, 8))
	if p := parent(); p.Status != Partial || strings.Contains(string(p.Value), "three months") || strings.Contains(string(p.Value), "both") {
		t.Errorf("after a part fell the parent is %s and holds %s", p.Status, p.Value)
	}
}

func TestDivideRefuses(t *testing.T) {
	t.Parallel()

	two := []Template{{Prompt: "One?"}, {Prompt: "Two?"}}
	for _, tt := range []struct {
		name     string
		set      func(*Obligation)
		children []Template
		want     string
	}{
		{"a closed question", func(o *Obligation) { o.Template.Widget = Date }, two, "obligation_closed"},
		{"twice", func(o *Obligation) { o.SplitInto = []string{"b"} }, two, "obligation_split"},
		{"one that was merged", func(o *Obligation) { o.MergedInto = "b" }, two, "obligation_merged"},
		{"one child", nil, two[:1], ""},
		{"a child without a question", nil, []Template{{Prompt: "One?"}, {Label: "Two"}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			list := openQuestions("a", "b")
			if tt.set != nil {
				tt.set(&list[0])
			}
			_, _, err := Divide(list, "a", tt.children, ReviewDecision{Turn: 1, Source: "reviewer"})
			if err == nil || faultCode(err) != tt.want {
				t.Errorf("Divide() = %v (%s), want %s", err, faultCode(err), tt.want)
			}
		})
	}
}

// A part rests on the person's words and on another part as well. When the other
// falls its value stands, and so must that of the whole: it rested on what had
// fallen.
func TestWholeDoesNotRestOnAPartThatFell(t *testing.T) {
	t.Parallel()

	list := openQuestions("both")
	changes, born, err := Divide(list, "both", []Template{{Key: "time", Prompt: "How long?"}, {Key: "money", Prompt: "What cost?"}}, ReviewDecision{Turn: 2, Source: "reviewer"})
	if err != nil {
		t.Fatal(err)
	}
	list = Merge(append(list, born...), changes)
	lost := quoted("50,000")
	lost.Flag = "quote_not_found"
	follows := Evidence{Kind: InferredEvidence, Premises: []string{"time"}}
	list = Merge(list, Apply(list, []Finding{{Key: "time", Act: Tell, Value: json.RawMessage(`"three months"`), Evidence: quoted("three months")}}, 3))
	list = Merge(list, Apply(list, []Finding{{Key: "money", Act: Tell, Value: json.RawMessage(`"50,000"`), Evidence: lost}}, 4))
	list = Merge(list, Apply(list, []Finding{{Key: "money", Act: Confirm, Evidence: follows}}, 5))
	if len(Find(list, "money").Evidence) != 2 {
		t.Fatalf("the part rests on %+v, want its words and what it follows from", Find(list, "money").Evidence)
	}

	list = Merge(list, Apply(list, []Finding{{Key: "time", Act: Deny}}, 6))

	both := Find(list, "both")
	if !strings.Contains(string(both.Value), "50,000") || len(both.Evidence) != 1 || both.Evidence[0].Kind != Stated {
		t.Errorf("the whole holds %s on %+v, want 50,000 on what was said of it", both.Value, both.Evidence)
	}
}

// A split into one question twice was taken, with a number behind the second key:
// it is refused by the field that is the same.
func TestSplitIntoTheSameTwiceIsRefused(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name, field string
		children    []Template
	}{
		{"one question", "children[2].prompt", []Template{{Prompt: "How long?"}, {Prompt: "What cost?"}, {Prompt: " how  LONG ?"}}},
		{"one name", "children[1].label", []Template{{Prompt: "One?", Label: "Time"}, {Prompt: "Two?", Label: "time"}}},
		{"one key", "children[1].key", []Template{{Prompt: "One?", Key: "time"}, {Prompt: "Two?", Key: "time"}}},
	} {
		_, _, err := Divide(openQuestions("a", "b"), "a", tt.children, ReviewDecision{Turn: 1, Source: "reviewer"})
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != "children_alike" || f.Field != tt.field {
			t.Errorf("%s: Divide() = %#v, want children_alike at %s", tt.name, err, tt.field)
		}
	}
}

func TestDecide(t *testing.T) {
	t.Parallel()

	list := openQuestions("a")
	list = append(list, Propose(list, []EmergentQuestion{{Template{Prompt: "And the auditors?"}, quoted("auditors")}}, nil, 1).Born...)
	key := list[1].Key

	for approve, want := range map[bool]Origin{true: {Layer: SessionOnly, Source: SourceApproved}, false: {Layer: SessionOnly, Source: SourceDismissed}} {
		changes, err := Decide(list, key, approve, ReviewDecision{Turn: 2, Source: "reviewer"})
		if err != nil || len(changes) != 1 {
			t.Fatalf("Decide() = %+v, %v", changes, err)
		}
		after := changes[0].After
		if after.Origin != want || (after.Status == Skipped) == approve || changes[0].Events[0].Meta.Set.Origin == nil {
			t.Errorf("approve %t: %s from %+v, events %+v", approve, after.Status, after.Origin, changes[0].Events)
		}
		if _, err := Decide(Merge(list, changes), key, true, ReviewDecision{Turn: 3, Source: "reviewer"}); !fault.Is(err, fault.Conflict) {
			t.Errorf("deciding again: %v, want a conflict", err)
		}
	}
}

// TestReplayAfterMergesAndSplits plays random histories of answers, proposals,
// merges, splits and decisions: after each step the audit trail alone gives the
// obligations, keys stay, merges go no round, and who waits for a merged one waits
// for its heir.
func TestReplayAfterMergesAndSplits(t *testing.T) {
	t.Parallel()

	for part := range 6 {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()

			rapid.Check(t, func(t *rapid.T) {
				h := history{templates: anyTemplates(t)}
				h.list = Fresh(h.templates, Origin{Layer: Shipped, Source: "objective", ID: "v1"})
				h.events = births(h.list)
				for h.turn = 1; h.turn <= 25; h.turn++ {
					keys := keysIn(h.list)
					h.step(t)

					replayed, err := Replay(h.templates, h.events)
					if err != nil {
						t.Fatalf("turn %d: Replay: %v", h.turn, err)
					}
					if diff := differ(h.list, replayed); diff != "" {
						t.Fatalf("turn %d: Replay (-stored +replayed):\n%s", h.turn, diff)
					}
					if now := keysIn(h.list); !slices.Equal(keys, now[:len(keys)]) {
						t.Fatalf("turn %d: keys were %v and are %v", h.turn, keys, now)
					}
					checkList(t, h.list, h.turn)
					checkStanding(t, h.list)
				}
			})
		})
	}
}

// history is a session that changes, and its audit trail.
type history struct {
	templates []Template
	list      []Obligation
	events    []Event
	turn      int
}

func keysIn(list []Obligation) []string {
	var out []string
	for _, o := range list {
		out = append(out, o.Key)
	}
	return out
}

func (h *history) step(t *rapid.T) {
	ruling := ReviewDecision{Turn: h.turn, Source: "reviewer"}
	key := func(name string) string { return rapid.SampledFrom(keysIn(h.list)).Draw(t, name) }
	switch rapid.SampledFrom([]string{"answer", "answer", "answer", "propose", "merge", "merge", "split", "decide"}).Draw(t, "step") {
	case "answer":
		h.take(t, Apply(h.list, anyTurn(t, h.list), h.turn))
	case "propose":
		topic := rapid.SampledFrom([]string{"k1?", "And the auditors?", "What of the lawyers?"}).Draw(t, "topic")
		e := Propose(h.list, []EmergentQuestion{{Template{Prompt: topic}, quoted("so it is")}}, nil, h.turn)
		h.bear(e.Born)
		h.take(t, e.Changes)
	case "merge":
		if changes, err := Unite(h.list, key("from"), key("into"), ruling); err == nil {
			h.take(t, changes)
		}
	case "split":
		if changes, born, err := Divide(h.list, key("parent"), []Template{{Prompt: "First?"}, {Prompt: "Second?", Widget: Date}}, ruling); err == nil {
			h.bear(born)
			h.take(t, changes)
		}
	case "decide":
		if changes, err := Decide(h.list, key("proposal"), rapid.Bool().Draw(t, "approve"), ruling); err == nil {
			h.take(t, changes)
		}
	}
}

func (h *history) bear(born []Obligation) {
	for _, o := range born {
		h.list, h.events = append(h.list, o), append(h.events, Birth(o, h.turn))
	}
}

func (h *history) take(t *rapid.T, changes []Change) {
	h.list = Merge(h.list, changes)
	for _, c := range changes {
		h.events = append(h.events, c.Events...)
	}
	checkChanges(t, changes)
}

// checkStanding fails when merges go in a round, lose a key, or something that
// another stands for can be asked.
func checkStanding(t *rapid.T, list []Obligation) {
	for i := range list {
		o := &list[i]
		stands := Standing(list, o.Key)
		if stands == nil || stands.MergedInto != "" {
			t.Fatalf("%s, merged into %s, is stood for by %+v", o.Key, o.MergedInto, stands)
		}
		if (o.MergedInto != "" || o.SplitInto != nil) && Ready(list, o) {
			t.Fatalf("%s is asked though %q, %v stand for it", o.Key, o.MergedInto, o.SplitInto)
		}
		for _, key := range o.Dependencies {
			if d := Standing(list, key); o.Unlocked && d.Key != o.Key && !d.Bears() {
				t.Fatalf("%s is unlocked though %s, which stands for %s, is %s", o.Key, d.Key, key, d.Status)
			}
		}
		for _, c := range Rank(list, SelectionContext{}) {
			if c.Obligation.MergedInto != "" || c.Obligation.SplitInto != nil {
				t.Fatalf("%s would be asked", c.Obligation.Key)
			}
		}
	}
}

// faultCode is the code of a fault, empty for none.
func faultCode(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Code
	}
	return ""
}

// A number of one thing is no number of another.
func TestUniteRefusesWhatCannotHoldTheOthersValues(t *testing.T) {
	t.Parallel()

	list := Fresh([]Template{{Key: "budget", Widget: Number, Unit: "money"}, {Key: "team", Widget: Number, Unit: "people"}, {Key: "start", Widget: Date}, {Key: "note", Widget: Text}}, Origin{})
	for _, pair := range [][2]string{{"budget", "team"}, {"start", "team"}} {
		if _, err := Unite(list, pair[0], pair[1], ReviewDecision{Turn: 1, Source: "reviewer"}); !fault.Is(err, fault.Conflict) {
			t.Errorf("Unite(%s, %s) = %v, want a Conflict", pair[0], pair[1], err)
		}
	}
	if _, err := Unite(list, "note", "team", ReviewDecision{Turn: 1, Source: "reviewer"}); err != nil {
		t.Errorf("a text into a number = %v, want it done: what came up is a text until it is answered", err)
	}
}
