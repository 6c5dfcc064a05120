package eval

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// bakery is an objective in three questions.
var bakery = objectives.Definition{ContextType: "bakery", Version: "1.0.0", DisplayName: "Bakery", Obligations: []obligations.Template{
	{Key: "business", FieldPath: "business", Prompt: "What do you do?", Collection: obligations.DirectQuestion, Widget: obligations.Text, Priority: 5, MaxAttempts: 3},
	{Key: "team", FieldPath: "team", Prompt: "How many are you?", Collection: obligations.DirectQuestion, Widget: obligations.Number, Priority: 5, MaxAttempts: 3, Dependencies: []string{"business"}},
	{Key: "open", FieldPath: "open", Prompt: "When are you open?", Collection: obligations.DirectQuestion, Widget: obligations.MultiSelect, Priority: 5, MaxAttempts: 3,
		Choices: []obligations.Choice{{Value: "day", Label: "By day"}, {Value: "night", Label: "At night"}}},
}}

// baker knows the business and the team, corrects the team from 9 to 12, and says
// nothing of the opening hours.
const baker = `{"about": "A baker.", "kind": "changing_mind",
	"facts": [{"key": "business", "gold": "We bake bread"}, {"key": "team", "gold": 12, "say": ["12"]}],
	"corrections": [{"key": "team", "was": 9, "first": ["9"], "when": {"after": "team"}, "say": "No, 12."}],
	"contradictions": [{"key": "business", "value": "We sell flour", "say": "We sell flour.", "when": {"after": "business"}}], "replies": {}}`

// step is one turn of a made-up interview.
type step struct {
	line     Line
	findings []obligations.Finding
	ask      *sessions.Question
	reply    string
	tamper   func(*TurnResult)
}

// interview plays steps as an engine would record them.
func interview(steps []step) *Transcript {
	list := obligations.Fresh(bakery.Obligations, obligations.Origin{Layer: obligations.Shipped, Source: "objective"})
	t := &Transcript{Stop: "completed", Budget: Budget{Turns: 10}}
	for i, s := range steps {
		h := TurnResult{Turn: i + 1, Reply: s.reply, Question: s.ask, Reason: "answered", Interviewer: "rules"}
		if i == 0 {
			for _, o := range list {
				h.Audit = append(h.Audit, obligations.Birth(o, 0))
			}
		}
		changes := obligations.Apply(list, s.findings, h.Turn)
		for _, c := range changes {
			h.Audit = append(h.Audit, c.Events...)
			if c.Conflict != nil {
				h.Conflicts = append(h.Conflicts, *c.Conflict)
			}
		}
		list = obligations.Merge(list, changes)
		h.List = list
		if s.tamper != nil {
			s.tamper(&h)
		}
		t.Exchanges = append(t.Exchanges, Exchange{Line: s.line, Response: h})
	}
	return t
}

// stated is a value the person said in message id, at from to (excluded).
func stated(key, value, id, quote string, from, to int) obligations.Finding {
	return obligations.Finding{Key: key, Act: obligations.Tell, Value: json.RawMessage(value),
		Evidence: obligations.Evidence{Kind: obligations.Stated, Message: id, Quote: quote, Span: &obligations.Span{Start: from, End: to}}}
}

func ask(key string) *sessions.Question { return &sessions.Question{Purpose: sessions.ToAsk, Key: key} }

// business and team are turns that go well.
var (
	opened    = step{ask: ask("business"), reply: "What do you do?"}
	business  = step{line: words("We bake bread"), findings: []obligations.Finding{stated("business", `"We bake bread"`, "2-user", "We bake bread", 0, 13)}, reply: "Good."}
	nine      = step{line: words("9"), findings: []obligations.Finding{stated("team", `9`, "3-user", "9", 0, 1)}}
	corrected = step{line: Line{Kind: Correcting, Message: "No, 12.", Corrects: "team"}, findings: []obligations.Finding{right(stated("team", `12`, "4-user", "12", 4, 6))}}
)

func right(f obligations.Finding) obligations.Finding {
	f.Act = obligations.Correct
	return f
}

func with(s step, change func(*step)) step {
	s.findings = slices.Clone(s.findings)
	change(&s)
	return s
}

func mustPersona(t *testing.T) *Persona {
	t.Helper()
	p, err := ParsePersona("bakery/baker.json", []byte(baker), 2030, &bakery)
	if err != nil {
		t.Fatal(err)
	}
	return &p
}

func TestMeasureOfAnInterviewThatWentWell(t *testing.T) {
	t.Parallel()

	asking := with(business, func(s *step) { s.ask = ask("team") })
	r, err := Measure(mustPersona(t), &bakery, interview([]step{opened, asking, nine, corrected}))
	if err != nil {
		t.Fatal(err)
	}

	if b := r.Breaches(); len(b) != 0 {
		t.Errorf("breaches %+v, want none", b)
	}
	if r.Gold != 2 || r.Held != 2 || r.Accuracy != 1 || r.Coverage != 1 || r.Turns != 4 || !r.InBudget {
		t.Errorf("result %+v", r)
	}
	if len(r.Corrections) != 1 || !r.Corrections[0].Honoured || r.Corrections[0].Revisions != 1 {
		t.Errorf("corrections %+v, want one, honoured", r.Corrections)
	}
	if len(r.Outcomes) != 3 || !r.Outcomes[0].Correct || !r.Outcomes[1].Correct {
		t.Errorf("outcomes %+v, want three, all right", r.Outcomes)
	}
}

func TestMeasureOfTheCourse(t *testing.T) {
	t.Parallel()

	d := bakery
	d.Obligations = slices.Clone(d.Obligations)
	for i := range d.Obligations {
		d.Obligations[i].Category = map[bool]string{true: "People", false: "Trade"}[d.Obligations[i].Key == "team"]
	}
	toTeam := with(business, func(s *step) { s.ask = ask("team") })
	toBusiness := with(opened, func(s *step) { s.ask = ask("business") })
	back := with(nine, func(s *step) { s.ask = ask("business") })
	for _, tt := range []struct {
		name    string
		steps   []step
		changes int
	}{
		{"one category", []step{toBusiness}, 0},
		{"on to another", []step{toBusiness, toTeam, nine}, 1},
		{"there and back", []step{toBusiness, toTeam, back}, 2},
	} {
		r, err := Measure(mustPersona(t), &d, interview(tt.steps))
		if err != nil {
			t.Fatal(err)
		}
		if r.CategoryChanges != tt.changes {
			t.Errorf("%s: %d changes of category, want %d", tt.name, r.CategoryChanges, tt.changes)
		}
	}

	idle := with(business, func(s *step) { s.ask = ask("team") })
	steps := []step{toBusiness, idle}
	for range 4 {
		steps = append(steps, with(toBusiness, func(s *step) { s.ask = ask("team") }))
	}
	r, err := Measure(mustPersona(t), &d, interview(append(steps, nine)))
	if err != nil {
		t.Fatal(err)
	}
	if r.CoverageAt5 != 0.5 || r.CoverageAt10 != 1 {
		t.Errorf("coverage is %v after 5 answers and %v after 10, want 0.5 and 1", r.CoverageAt5, r.CoverageAt10)
	}
}

func TestMeasureFinds(t *testing.T) {
	t.Parallel()

	aside := Line{Kind: Aside, Message: "What a morning"}
	for _, c := range []struct {
		name  string
		steps []step
		want  string // of the only breach
	}{
		{"a question about what is known", []step{opened, with(business, func(s *step) { s.ask = ask("business") })}, "asked (ask) though satisfied"},
		{"a known field in a form", []step{opened, with(business, func(s *step) {
			s.ask = &sessions.Question{Purpose: sessions.ToForm, Fields: []sessions.Question{*ask("open"), *ask("business")}}
		})}, "asked (form) though satisfied"},
		{"a question before its time", []step{with(opened, func(s *step) { s.ask = ask("team") })}, "asked (ask) while business is pending"},
		{"a quote from another place", []step{opened, with(business, func(s *step) { s.findings[0].Evidence.Span = &obligations.Span{Start: 1, End: 13} })}, "not what stands at that place"},
		{"a quote beyond the message", []step{opened, with(business, func(s *step) { s.findings[0].Evidence.Span = &obligations.Span{Start: 0, End: 99} })}, "not what stands at that place"},
		{"a quote nobody said", []step{opened, with(business, func(s *step) { s.findings[0].Evidence.Quote = "We bake bread." })}, "not what stands at that place"},
		{"a quote of the interviewer", []step{opened, with(business, func(s *step) { s.findings[0].Evidence.Message = "1-assistant" })}, "is none of the person's"},
		{"a quote without a place", []step{opened, with(business, func(s *step) { s.findings[0].Evidence.Span = nil })}, "names no place"},
		{"flagged evidence", []step{opened, with(business, func(s *step) { s.findings[0].Evidence.Flag = obligations.FlagQuoteNotFound })}, "flagged quote_not_found"},
		{"a widget nobody filled in", []step{opened, with(business, func(s *step) { s.findings[0].Evidence = obligations.Evidence{Kind: obligations.WidgetInput} })}, "no widget held this value"},
		{"an assent to nothing", []step{opened, with(business, func(s *step) { s.findings[0].Evidence.Kind = obligations.Accepted })}, "no proposal is named"},
		{"an assent to something else", []step{opened, with(business, func(s *step) {
			e := &s.findings[0].Evidence
			e.Kind, e.Proposal = obligations.Accepted, &obligations.Proposal{Message: "1-assistant", Value: json.RawMessage(`"flour"`)}
		})}, "agreed to another value"},
		{"an assent to what was never said", []step{opened, with(business, func(s *step) {
			e := &s.findings[0].Evidence
			e.Kind, e.Proposal = obligations.Accepted, &obligations.Proposal{Message: "7-assistant", Value: json.RawMessage(`"We bake bread"`)}
		})}, "does not exist"},
		{"a proposal at no place", []step{opened, with(business, func(s *step) {
			e := &s.findings[0].Evidence
			e.Kind, e.Proposal = obligations.Accepted, &obligations.Proposal{Message: "1-assistant", Span: &obligations.Span{Start: 3, End: 300}, Value: json.RawMessage(`"We bake bread"`)}
		})}, "not at the place named"},
		{"a document in a talk", []step{opened, with(business, func(s *step) { s.findings[0].Evidence.Kind = obligations.Document })}, "of kind document"},
		{"a conclusion from nothing", []step{opened, with(business, func(s *step) { s.findings[0].Evidence = obligations.Evidence{Kind: obligations.InferredEvidence} })}, "from nothing"},
		{"evidence that went missing", []step{opened, with(business, func(s *step) {
			s.tamper = func(h *TurnResult) {
				h.Audit[0].Meta.Set.Evidence = []obligations.Evidence{}
				h.List = slices.Clone(h.List)
				h.List[0].Evidence = nil
			}
		})}, "without evidence"},
		{"a value from chit-chat", []step{opened, {line: aside, findings: []obligations.Finding{stated("business", `"We bake bread"`, "2-user", "What", 0, 4)}}}, fillChitChat},
		{"a value the person does not hold", []step{opened, {line: words("day"), findings: []obligations.Finding{stated("open", `["day"]`, "2-user", "day", 0, 3)}}}, fillNoGold},
		{"a value the person never said", []step{opened, business, {line: words("9"), findings: []obligations.Finding{stated("team", `99`, "3-user", "9", 0, 1)}}}, fillStranger},
		{"chit-chat taken for a refusal", []step{opened, {line: aside, findings: []obligations.Finding{{Key: "business", Act: obligations.Skip, Skip: obligations.Declined}}}}, putAside},
		{"a store that went its own way", []step{opened, with(business, func(s *step) {
			s.tamper = func(h *TurnResult) {
				h.List = slices.Clone(h.List)
				h.List[2].Attempts = 2
			}
		})}, "differs from what is stored"},
		{"a correction that did nothing", []step{opened, business, nine, with(corrected, func(s *step) { s.findings = nil })}, "0 revisions"},
		{"a correction that was undone", []step{opened, business, nine, corrected, {line: words("9"), findings: []obligations.Finding{right(stated("team", `9`, "5-user", "9", 0, 1))}}}, "2 revisions"},
		{"a correction to another value", []step{opened, business, nine, {line: corrected.line, findings: []obligations.Finding{right(stated("team", `9`, "4-user", "12", 4, 6)), right(stated("business", `"We sell flour"`, "4-user", "12", 4, 6))}}}, "0 revisions"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()

			r, err := Measure(mustPersona(t), &bakery, interview(c.steps))
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, b := range r.Breaches() {
				found = append(found, b.What)
			}
			if len(found) != 1 || !strings.Contains(found[0], c.want) {
				t.Errorf("breaches %q, want one with %q", found, c.want)
			}
		})
	}
}

func TestMeasureOfCorrectionInTwoSteps(t *testing.T) {
	t.Parallel()

	denied := step{line: corrected.line, findings: []obligations.Finding{{Key: "team", Act: obligations.Deny}}, ask: ask("team")}
	told := step{line: words("12"), findings: []obligations.Finding{stated("team", `12`, "5-user", "12", 0, 2)}}

	r, err := Measure(mustPersona(t), &bakery, interview([]step{opened, business, nine, denied, told}))

	if err != nil || len(r.Corrections) != 1 || !r.Corrections[0].Honoured {
		t.Errorf("%v, corrections %+v, want one revision, honoured", err, r.Corrections)
	}
}

func TestMeasureOfContradiction(t *testing.T) {
	t.Parallel()

	other := step{line: Line{Kind: Answering, Message: "We sell flour.", Contradictions: []string{"business"}},
		findings: []obligations.Finding{stated("business", `"We sell flour"`, "3-user", "We sell flour", 0, 13)},
		ask:      &sessions.Question{Purpose: sessions.ToResolve, Key: "business"}}

	r, err := Measure(mustPersona(t), &bakery, interview([]step{opened, business, other}))

	if err != nil || len(r.Contradictions) != 1 || !r.Contradictions[0].Noticed || r.Contradictions[0].Settled {
		t.Errorf("%v, contradictions %+v, want one, noticed and not settled", err, r.Contradictions)
	}
	if r.Contradictions[0].Asked || len(r.Breaches()) != 0 {
		t.Errorf("breaches %+v, though the person had no turn to say which value holds", r.Breaches())
	}
	r, err = Measure(mustPersona(t), &bakery, interview([]step{opened, business, other, {line: words("The first one.")}}))
	if err != nil || len(r.Breaches()) != 1 || !strings.Contains(r.Breaches()[0].What, "which of two values holds") {
		t.Errorf("%v, breaches %+v, want the choice that was not taken", err, r.Breaches())
	}
	if len(r.Reasks) != 0 {
		t.Errorf("asking which of two values holds counts as a re-ask: %+v", r.Reasks)
	}
}

func TestMeasureRefusesATornTrail(t *testing.T) {
	t.Parallel()

	torn := interview([]step{opened, business})
	torn.Exchanges[0].Response.Audit = nil

	if _, err := Measure(mustPersona(t), &bakery, torn); err == nil {
		t.Error("a trail without births is measured")
	}
}

func TestTranscriptReadsAsATalk(t *testing.T) {
	t.Parallel()

	talk := interview([]step{opened, with(business, func(s *step) { s.line.Answers = map[string]json.RawMessage{"team": json.RawMessage(`9`)} })})
	var b strings.Builder
	if err := talk.Markdown(&b); err != nil {
		t.Fatal(err)
	}

	for _, want := range []string{"**Interviewer** (1): What do you do?", "**Person** (2, answer): We bake bread [team: 9]", `- business: "We bake bread" (0.92)`, "Ended: completed."} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the transcript lacks %q:\n%s", want, b.String())
		}
	}
}
