package talk_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

// inputs lists the fields and buttons of the question card as "type name=value".
func inputs(p webtest.Page) []string {
	var out []string
	for _, n := range p.Within(p.Test("question")).All(func(n *html.Node) bool { return n.Data == "input" || n.Data == "button" || n.Data == "textarea" }) {
		if webtest.Attr(n, "type") == "hidden" {
			continue
		}
		line := webtest.Attr(n, "type")
		if n.Data == "textarea" {
			line = n.Data
		}
		if webtest.Attr(n, "name") != "" {
			line += " " + webtest.Attr(n, "name")
		}
		if webtest.Attr(n, "value") != "" {
			line += "=" + webtest.Attr(n, "value")
		}
		out = append(out, line)
	}
	return out
}

func TestQuestionWidgets(t *testing.T) {
	t.Parallel()

	choices := []obligations.Choice{{Value: "a", Label: "Shops"}, {Value: "b", Label: "Fairs"}}
	for _, tt := range []struct {
		name  string
		in    sessions.Question
		title string
		want  []string
	}{
		{"text", sessions.Question{Purpose: sessions.ToAsk, Key: "k", Label: "Goal", Widget: obligations.Text}, "Goal", nil},
		{"finish without what was left out", sessions.Question{Purpose: sessions.ToFinish, Missing: []string{"k"}}, "Finish without it?",
			[]string{"submit message=Answer it now", "submit message=Finish without it"}},
		{"choice", sessions.Question{Purpose: sessions.ToAsk, Key: "k", Label: "Ways", Widget: obligations.ChoiceOne, Choices: choices}, "Ways",
			[]string{"radio answer.k=a", "radio answer.k=b", "submit"}},
		{"choice or something else", sessions.Question{Purpose: sessions.ToAsk, Key: "k", Label: "Ways", Widget: obligations.ChoiceOne, Choices: choices, Other: true}, "Ways",
			[]string{"radio answer.k=a", "radio answer.k=b", "text other.k", "submit"}},
		{"multiselect", sessions.Question{Purpose: sessions.ToAsk, Key: "k", Label: "Ways", Widget: obligations.MultiSelect, Choices: choices}, "Ways",
			[]string{"checkbox answer.k=a", "checkbox answer.k=b", "submit"}},
		{"date", sessions.Question{Purpose: sessions.ToAsk, Key: "k", Prompt: "When?", Widget: obligations.Date}, "When?", []string{"date answer.k", "text other.k", "submit"}},
		{"number", sessions.Question{Purpose: sessions.ToAsk, Key: "k", Label: "Team", Widget: obligations.Number}, "Team", []string{"number answer.k", "submit"}},
		{"confirm", sessions.Question{Purpose: sessions.ToConfirm, Key: "k", Label: "Team", Widget: obligations.Number, Proposal: json.RawMessage("9")}, "Team: is this right?",
			[]string{"submit message=Yes, that's right", "submit message=No"}},
		{"conflict", sessions.Question{Purpose: sessions.ToResolve, Key: "k", Label: "Team", Widget: obligations.Number, Values: []json.RawMessage{json.RawMessage("7"), json.RawMessage("9")}}, "Team: which is right?",
			[]string{"radio answer.k=0", "radio answer.k=1", "submit"}},
		{"form", sessions.Question{Purpose: sessions.ToForm, Fields: []sessions.Question{{Key: "x", Prompt: "X?", Widget: obligations.Number}, {Key: "y", Prompt: "Y?", Widget: obligations.Text}}}, "A few short ones together",
			[]string{"number answer.x", "textarea answer.y", "submit"}},
		{"finish", sessions.Question{Purpose: sessions.ToFinish}, "Shall we close this interview?", []string{"submit message=Close it", "submit message=Not yet"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			v := webtest.Sample(t)
			v.Question, v.Conflicts = &tt.in, []obligations.Conflict{{Keys: []string{"k"}}}
			p := webtest.Render(t, talk.Chat(v))

			if diff := cmp.Diff(tt.want, inputs(p)); diff != "" {
				t.Errorf("inputs (-want +got):\n%s", diff)
			}
			if got := webtest.Text(p.Slot(p.Test("question"), "title")); got != tt.title {
				t.Errorf("title = %q, want %q", got, tt.title)
			}
		})
	}
}

func TestNumberSaysItsUnitAndBounds(t *testing.T) {
	t.Parallel()

	v := webtest.Sample(t)
	v.Question = &sessions.Question{Purpose: sessions.ToAsk, Key: "k", Prompt: "How many?", Widget: obligations.Number, Unit: "people", Min: pointer(1), Max: pointer(5000)}
	p := webtest.Render(t, talk.Chat(v))

	input := p.Test("input-k")
	if webtest.Attr(input, "min") != "1" || webtest.Attr(input, "max") != "5000" {
		t.Errorf("bounds = %q to %q, want 1 to 5000", webtest.Attr(input, "min"), webtest.Attr(input, "max"))
	}
	if got, want := webtest.Text(p.Test("field-k")), "How many? people From 1 to 5,000"; got != want {
		t.Errorf("field = %q, want %q", got, want)
	}
}

func TestCountsTakeWholeNumbers(t *testing.T) {
	t.Parallel()

	for whole, want := range map[bool]string{true: "1", false: "any"} {
		v := webtest.Sample(t)
		v.Question = &sessions.Question{Purpose: sessions.ToAsk, Key: "team_size", Widget: obligations.Number, Integer: whole}
		if got := webtest.Attr(webtest.Render(t, talk.Chat(v)).Test("input-team_size"), "step"); got != want {
			t.Errorf("whole %t: the field steps by %q, want %q", whole, got, want)
		}
	}
}

func TestExamplesComeWhenAskedAgain(t *testing.T) {
	t.Parallel()

	for attempt, want := range map[int]bool{1: false, 2: true} {
		v := webtest.Sample(t)
		v.Question = &sessions.Question{Purpose: sessions.ToAsk, Key: "k", Label: "Goal", Widget: obligations.Text, Examples: []string{"A second shop"}, Attempt: attempt}
		if got := strings.Contains(webtest.Text(webtest.Render(t, talk.Chat(v)).Test("question")), "A second shop"); got != want {
			t.Errorf("attempt %d shows examples: %v, want %v", attempt, got, want)
		}
	}
}

func TestReasonIsGivenOnlyWhenThereIsOne(t *testing.T) {
	t.Parallel()

	v := webtest.Sample(t)
	if why := webtest.Render(t, talk.Chat(v)).Test("why"); webtest.Has(why, "hidden") || !strings.Contains(webtest.Text(why), "To fit the questions.") {
		t.Errorf("why = %q, want the reason shown", webtest.Text(why))
	}
	v.Question.Why = ""
	if why := webtest.Render(t, talk.Chat(v)).Test("why"); !webtest.Has(why, "hidden") {
		t.Error("an empty reason is shown")
	}
}

// Scripts find and fill these pieces by name.
func TestPiecesForScripts(t *testing.T) {
	t.Parallel()

	p := webtest.Render(t, talk.Chat(webtest.Sample(t)))

	for _, name := range []string{
		"user", "assistant", "failure", "attachment", "file",
	} {
		found := p.All(func(n *html.Node) bool { return n.Data == "template" && webtest.Attr(n, "id") == "piece-"+name })
		if len(found) != 1 {
			t.Errorf("%d templates piece-%s, want 1", len(found), name)
		}
	}
}
