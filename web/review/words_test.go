package review

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

func TestReadFilterIgnoresWhatMakesNoSense(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		query string
		want  listFilter
	}{
		{"", listFilter{}},
		{"q=+bread+&person=ann", listFilter{Words: "bread", Person: "ann"}},
		{"status=active&phase=closing&context=idea", listFilter{Status: sessions.Active, Phase: sessions.Closing, Context: "idea"}},
		{"status=gone&phase=later", listFilter{}},
		{"need=conflict&need=research&need=nothing", listFilter{}.needing(sessions.NeedConflict).needing(sessions.NeedResearch)},
		{"since=2026-03-01&until=yesterday&order=latest", listFilter{Since: "2026-03-01", Order: sessions.LatestFirst}},
		{"order=sideways", listFilter{}},
		{"q=" + strings.Repeat("é", 300), listFilter{Words: strings.Repeat("é", 200)}},
	} {
		q, err := url.ParseQuery(tt.query)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, readFilter(q)); diff != "" {
			t.Errorf("%.60q (-want +got):\n%s", tt.query, diff)
		}
	}
}

func TestFilterIsReadBackFromItsPath(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-zäö&=?#%+ ]{0,30}`)
		f := listFilter{Words: strings.TrimSpace(text.Draw(t, "words")), Context: strings.TrimSpace(text.Draw(t, "context")), Person: strings.TrimSpace(text.Draw(t, "person")),
			Status: rapid.SampledFrom([]sessions.Status{"", sessions.Active, sessions.Completed}).Draw(t, "status"),
			Phase:  rapid.SampledFrom(append([]sessions.Phase{""}, ui.Phases...)).Draw(t, "phase"), Order: rapid.SampledFrom(sessions.ReviewOrders()).Draw(t, "order"),
			Since: rapid.SampledFrom([]string{"", "2026-03-31"}).Draw(t, "since"), Until: rapid.SampledFrom([]string{"", "2027-01-01"}).Draw(t, "until")}
		for i := range f.Needs {
			f.Needs[i] = rapid.Bool().Draw(t, "need")
		}
		u, err := url.Parse(f.Path("next"))
		if err != nil {
			t.Fatal(err)
		}
		if got := readFilter(u.Query()); got != f || u.Path != "/review" || u.Query().Get("cursor") != "next" {
			t.Fatalf("%s reads %+v, want %+v", u, got, f)
		}
	})
}

func TestFilterCountsWholeDays(t *testing.T) {
	t.Parallel()

	got := listFilter{Since: "2026-03-01", Until: "2026-03-31", Person: "ann"}.needing(sessions.NeedUnsure).among([]string{"a"})
	want := sessions.ReviewFilter{Person: "ann", Since: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Until: time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC), Among: []string{"a"}, Needs: []sessions.ReviewNeed{sessions.NeedUnsure}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("wanted (-want +got):\n%s", diff)
	}
	if needKinds != len(sessions.Needs()) {
		t.Errorf("a filter has room for %d needs, there are %d", needKinds, len(sessions.Needs()))
	}
}

func TestWaterfallStaysInItsPicture(t *testing.T) {
	t.Parallel()

	begun := time.Date(2026, 3, 1, 14, 0, 0, 0, time.UTC)
	ended := begun.Add(2 * time.Second)
	calls := []sessions.ModelCall{{Purpose: "understand", Total: 500 * time.Millisecond}, {Purpose: "reply", Began: 500 * time.Millisecond, FirstToken: 250 * time.Millisecond, Total: time.Second}}
	w := turnView{Details: turnSummary{Turn: sessions.Turn{StartedAt: begun, FinishedAt: &ended}}, Calls: calls}.waterfall()
	if w.x(0) != waterfallLeft || w.x(2*time.Second) != waterfallRight || w.x(time.Hour) != waterfallRight || w.x(-time.Second) != waterfallLeft || w.x(time.Second) != (waterfallLeft+waterfallRight)/2 {
		t.Errorf("the ends lie at %v and %v, the middle at %v", w.x(0), w.x(2*time.Second), w.x(time.Second))
	}
	if got, want := w.describe(), "The turn took 2.0 s. Understand the message began after 0 ms and took 500 ms. Word the reply began after 500 ms and took 1.0 s, its first words came after 250 ms."; got != want {
		t.Errorf("describe = %q", got)
	}
	if w.width(0, 0) < 1 {
		t.Error("a call that took no time cannot be seen")
	}
	if none := (turnView{}).waterfall(); none.x(time.Second) != waterfallRight {
		t.Errorf("a turn without an end draws at %v", none.x(time.Second))
	}
}

func TestRefusedFormIsShownAsItWasSent(t *testing.T) {
	t.Parallel()

	r := formRefusal{Form: "decide.team", Field: "value", Detail: "Must be a number.", Typed: url.Values{"note": {"so"}, "answer.team": {"a", "b"}}}
	if r.typed("decide.team", "note") != "so" || r.typed("skip.team", "note") != "" || !r.ticked("decide.team", "answer.team", "b") || r.ticked("decide.team", "answer.team", "c") {
		t.Error("what was sent is not what is shown")
	}
	if r.wrong("decide.team", "note") != nil || r.wrong("skip.team", "value") != nil || r.wrong("decide.team", "value")["aria-invalid"] != "true" {
		t.Error("another field than the one at fault is marked, or that is not")
	}
	if (formRefusal{}).in("") {
		t.Error("no form counts as refused")
	}
}

func TestSegmentsMarkWhatSpansName(t *testing.T) {
	t.Parallel()

	const bread = "Brot 🥖 für alle"
	span := func(from, to int) *obligations.Span { return &obligations.Span{Start: from, End: to} }
	for _, tt := range []struct {
		name  string
		cites []citation
		want  []segment
	}{
		{"nothing", nil, []segment{{Text: bread}}},
		{"beyond the pair of a baguette", []citation{{Span: span(5, 7)}}, []segment{{Text: "Brot "}, {Text: "🥖", Marked: true}, {Text: " für alle"}}},
		{"chosen within marked", []citation{{Span: span(0, 7)}, {Span: span(0, 4), Chosen: true}}, []segment{{Text: "Brot", Marked: true, Chosen: true}, {Text: " 🥖", Marked: true}, {Text: " für alle"}}},
		{"half a baguette", []citation{{Span: span(0, 6)}}, []segment{{Text: "Brot 🥖", Marked: true}, {Text: " für alle"}}},
		{"overlapping", []citation{{Span: span(0, 7)}, {Span: span(5, 11)}}, []segment{{Text: "Brot 🥖 für", Marked: true}, {Text: " alle"}}},
		{"outside", []citation{{Span: span(-1, 3)}, {Span: span(4, 99)}, {Span: nil}, {Span: span(9, 4)}}, []segment{{Text: bread}}},
	} {
		if diff := cmp.Diff(tt.want, segments(bread, tt.cites)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	if got := chosenSegment(segments(bread, []citation{{Span: span(5, 7), Chosen: true}})); got != 1 {
		t.Errorf("the anchor is at segment %d, want 1", got)
	}
}

// Whatever the spans, all words are shown once and in order, and the chosen segment is what
// its span names.
func TestSegmentsKeepEveryWord(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		content := rapid.StringMatching(`([a-c ]|🥖|é){0,40}`).Draw(t, "content")
		span := rapid.Custom(func(t *rapid.T) *obligations.Span {
			return &obligations.Span{Start: rapid.IntRange(-2, 50).Draw(t, "start"), End: rapid.IntRange(-2, 60).Draw(t, "end")}
		})
		cites := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) citation { return citation{Span: span.Draw(t, "span")} }), 0, 5).Draw(t, "cites")
		whole := ""
		for _, s := range segments(content, cites) {
			whole += s.Text
		}
		if whole != content {
			t.Fatalf("segments of %q make %q", content, whole)
		}
		quote := rapid.StringMatching(`[a-c]{1,3}`).Draw(t, "quote")
		if at, found, ok := obligations.Locate(content, quote); ok {
			chosen := ""
			for _, s := range segments(content, []citation{{Span: &at, Chosen: true}}) {
				if s.Chosen {
					chosen += s.Text
				}
			}
			if chosen != found {
				t.Fatalf("%q of %q is marked as %q", found, content, chosen)
			}
		}
	})
}

// The steps that explain a confidence add up to it.
func TestGradeStepsAddUp(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		g := obligations.Grade{
			Kind:   rapid.SampledFrom([]obligations.EvidenceKind{obligations.Stated, obligations.Accepted, obligations.InferredEvidence, obligations.Document, obligations.ResearchEvidence, obligations.WidgetInput, obligations.Reviewer}).Draw(t, "kind"),
			Hedged: rapid.Bool().Draw(t, "hedged"), Vague: rapid.Bool().Draw(t, "vague"), Loose: rapid.Bool().Draw(t, "loose"), Unfound: rapid.Bool().Draw(t, "unfound"),
			Disputed: rapid.Bool().Draw(t, "disputed"), Agreement: rapid.IntRange(0, 5).Draw(t, "agreement")}
		if rapid.Bool().Draw(t, "model") {
			c := obligations.Confidence(rapid.IntRange(0, 100).Draw(t, "figure"))
			g.Model = &c
		}
		if rapid.Bool().Draw(t, "doubtful") {
			c := obligations.Confidence(rapid.IntRange(0, 100).Draw(t, "fit"))
			g.Fit = &c
		}
		sum := 0
		for _, s := range gradeSteps(&g) {
			if s.Words == "" {
				t.Fatalf("a step of %+v has no words", g)
			}
			sum += hundredthsOf(t, s.Change)
		}
		if obligations.Confidence(sum) != g.Confidence() {
			t.Fatalf("the steps of %+v add up to %d, want %d", g, sum, g.Confidence())
		}
	})
}

func hundredthsOf(t *rapid.T, words string) int {
	if words == "no change" {
		return 0
	}
	sign := 1
	if s, ok := strings.CutPrefix(words, "−"); ok {
		words, sign = s, -1
	}
	var c obligations.Confidence
	if err := json.Unmarshal([]byte(strings.TrimPrefix(words, "+")), &c); err != nil {
		t.Fatalf("%q is no change: %v", words, err)
	}
	return sign * int(c)
}

func TestGradeStepsNameEveryDoubt(t *testing.T) {
	t.Parallel()

	c := obligations.Confidence(50)
	g := obligations.Grade{Kind: obligations.Stated, Hedged: true, Vague: true, Loose: true, Unfound: true, Disputed: true, Agreement: 2, Model: &c, Fit: &c}
	if got := len(gradeSteps(&g)); got != 9 {
		t.Errorf("%d steps, want 9", got)
	}
	if gradeSteps(nil) != nil {
		t.Error("a grade that was not kept has steps")
	}
}

func TestReadPlaceIgnoresWhatMakesNoSense(t *testing.T) {
	t.Parallel()

	for query, want := range map[string]place{
		"":                            {Tab: "values"},
		"turn=3&at=9":                 {Turn: 3, At: 9, Tab: "values"},
		"evidence=team.2":             {Key: "team", Evidence: 2, Tab: "values"},
		"evidence=team.-2":            {Tab: "values"},
		"evidence=team":               {Tab: "values"},
		"turn=-3&tab=transcript":      {Tab: "transcript"},
		"turn=99999999999&tab=plates": {Tab: "values"},
	} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if got := readPlace(q); got != want {
			t.Errorf("%q reads %+v, want %+v", query, got, want)
		}
	}
}

func TestTemplateValueReadsAValueInItsShape(t *testing.T) {
	t.Parallel()

	low := 1.0
	choices := []obligations.Choice{{Value: "a", Label: "A"}, {Value: "b", Label: "B"}}
	for _, tt := range []struct {
		name string
		t    obligations.Template
		form url.Values
		want string // empty for one that is refused
	}{
		{"text", obligations.Template{Widget: obligations.Text}, url.Values{"answer.k": {" two\r\nlines "}}, `"two\nlines"`},
		{"no text", obligations.Template{Widget: obligations.Text}, url.Values{"answer.k": {"  "}}, ""},
		{"choice", obligations.Template{Widget: obligations.ChoiceOne, Choices: choices}, url.Values{"answer.k": {"b"}}, `"b"`},
		{"unknown choice", obligations.Template{Widget: obligations.ChoiceOne, Choices: choices}, url.Values{"answer.k": {"c"}}, ""},
		{"other choice", obligations.Template{Widget: obligations.ChoiceOne, Choices: choices, AllowOther: true}, url.Values{"other.k": {"c"}}, `"c"`},
		{"several", obligations.Template{Widget: obligations.MultiSelect, Choices: choices}, url.Values{"answer.k": {"b", "a"}}, `["b","a"]`},
		{"none of several", obligations.Template{Widget: obligations.MultiSelect, Choices: choices}, url.Values{}, ""},
		{"number", obligations.Template{Widget: obligations.Number, Min: &low}, url.Values{"answer.k": {"4.5"}}, `4.5`},
		{"range", obligations.Template{Widget: obligations.Number}, url.Values{"answer.k": {"4"}, "upto.k": {"6"}}, `{"min":4,"max":6}`},
		{"small number", obligations.Template{Widget: obligations.Number, Min: &low}, url.Values{"answer.k": {"0"}}, ""},
		{"words", obligations.Template{Widget: obligations.Number}, url.Values{"answer.k": {"many"}}, ""},
		{"infinite", obligations.Template{Widget: obligations.Number}, url.Values{"answer.k": {"Inf"}}, ""},
		{"date", obligations.Template{Widget: obligations.Date}, url.Values{"answer.k": {"2026-03"}}, `"2026-03"`},
		{"no date", obligations.Template{Widget: obligations.Date}, url.Values{"answer.k": {"in March"}}, ""},
	} {
		tt.t.Key = "k"
		got, err := templateValue(&tt.t, tt.form)
		if string(got) != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%s: templateValue = %s, %v, want %s", tt.name, got, err, tt.want)
		}
	}
}

func TestEventFactsSayWhatChanged(t *testing.T) {
	t.Parallel()

	status, attempts := obligations.Satisfied, 2
	e := obligations.StoredEvent{Event: obligations.Event{Key: "team", Type: obligations.ValueExtracted, OldStatus: obligations.Pending, NewStatus: obligations.Satisfied, NewConfidence: 92,
		Meta: obligations.Meta{Reason: "it was\u202e said", Set: obligations.Patch{Status: &status, Attempts: &attempts, Value: json.RawMessage(`4`), Evidence: []obligations.Evidence{{By: "ann"}}}}}}

	got := eventFacts(e, &obligations.Template{Widget: obligations.Number, Unit: "people"}, strings.ToUpper)
	want := []ui.Fact{{Name: "Value", Value: "4 people"}, {Name: "Status", Value: "Not asked yet → Known"}, {Name: "Confidence", Value: "0.00 → 0.92"}, {Name: "Asked", Value: "2 times"}, {Name: "By", Value: "ann"}, {Name: "Why", Value: "it was said"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

func TestTimelineStaysInItsPicture(t *testing.T) {
	t.Parallel()

	line := timeline{Points: []sessions.Milestone{{Turn: 1, Progress: 0.1}, {Turn: 5, Score: 0.5, Progress: 1.2}, {Turn: 9, Score: 1, Progress: 1}}, Phases: []sessions.PhaseEntry{{Turn: 1, Phase: sessions.Opening}, {Turn: 4, Phase: sessions.Exploration}}}
	if got, want := line.line(progressOf), "40.0,136.0 335.0,10.0 630.0,10.0"; got != want {
		t.Errorf("line = %s, want %s", got, want)
	}
	for turn, want := range map[int]sessions.Phase{0: sessions.Opening, 3: sessions.Opening, 4: sessions.Exploration, 99: sessions.Exploration} {
		if got := line.At(turn); got != want {
			t.Errorf("At(%d) = %s, want %s", turn, got, want)
		}
	}
	if got, want := line.describe(), "From turn 1 to turn 9 progress went from 10 to 100 percent and certainty from 0 to 100 of 100. Opening from turn 1. Exploration from turn 4."; got != want {
		t.Errorf("describe = %q", got)
	}
	if one := (timeline{Points: []sessions.Milestone{{Turn: 1}}}).line(scoreOf); one != "40.0,150.0" {
		t.Errorf("one point is drawn at %s", one)
	}
}

func TestTurnFactsTellWhatATurnTook(t *testing.T) {
	t.Parallel()

	begun := time.Date(2026, 3, 1, 14, 0, 0, 0, time.UTC)
	ended, cost := begun.Add(2500*time.Millisecond), 0.0123
	got := turnFacts(turnSummary{Turn: sessions.Turn{Status: sessions.TurnDone, Interviewer: "model small", Degraded: "timeout", User: "ann", Attempt: 2, StartedAt: begun, FinishedAt: &ended,
		Answers: map[string]json.RawMessage{"b": json.RawMessage(`1`), "a": json.RawMessage(`"x"`)}}, Usage: chat.Usage{Calls: 2, PromptTokens: 1500, CompletionTokens: 20, Repaired: "length", Spent: &chat.BudgetUse{Money: 0.05}}, Cost: &cost})
	want := []ui.Fact{{Name: "State", Value: "Answered"}, {Name: "Answered by", Value: "Model small"}, {Name: "Without the model because", Value: "timeout"}, {Name: "Said by", Value: "ann"}, {Name: "Begun", Value: "1 Mar 2026, 14:00 UTC"}, {Name: "Took", Value: "2.5 s"},
		{Name: "Attempts", Value: "2"}, {Name: "Model calls", Value: "2"}, {Name: "Tokens", Value: "1,500 in, 20 out"}, {Name: "Question repaired", Value: "length"}, {Name: "Cost", Value: "0.0123"}, {Name: "Cost so far", Value: "0.0500"}, {Name: "Field a", Value: "x"}, {Name: "Field b", Value: "1"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

func TestSettlementsAreTheValuesThatWereNamed(t *testing.T) {
	t.Parallel()

	n := &obligations.Negotiation{Status: obligations.NegotiationActive, Rounds: []obligations.Round{{Proposal: json.RawMessage(`4`), UserValue: json.RawMessage(`5`)}}}
	got := settlements(&obligations.Obligation{Negotiation: n})
	if diff := cmp.Diff([]settlementOption{{obligations.UserAccepted, json.RawMessage(`4`)}, {obligations.AgentAccepted, json.RawMessage(`5`)}}, got); diff != "" {
		t.Errorf("settlements (-want +got):\n%s", diff)
	}
	n.Rounds[0].UserValue = json.RawMessage(`4`)
	if got := settlements(&obligations.Obligation{Negotiation: n}); len(got) != 1 || got[0].Resolution != obligations.UserAccepted {
		t.Errorf("where both named one value: %v, want it once", got)
	}
	if got := settlements(&obligations.Obligation{}); got != nil {
		t.Errorf("without a dispute: %v, want none", got)
	}
}
