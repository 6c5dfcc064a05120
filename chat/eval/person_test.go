package eval

import (
	"encoding/json"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"quaestor/obligations"
	"quaestor/sessions"
)

// of returns a question of one field of the bakery.
func of(purpose sessions.Purpose, key string, attempt int) *sessions.Question {
	q := &sessions.Question{Purpose: purpose, Key: key, Attempt: attempt}
	q.Complete(func(key string) *obligations.Template {
		for i := range bakery.Obligations {
			if bakery.Obligations[i].Key == key {
				return &bakery.Obligations[i]
			}
		}
		return nil
	})
	return q
}

func proposing(key, value string) *sessions.Question {
	q := of(sessions.ToConfirm, key, 1)
	q.Proposal = json.RawMessage(value)
	return q
}

func between(key string, values ...string) *sessions.Question {
	q := of(sessions.ToResolve, key, 1)
	for _, v := range values {
		q.Values = append(q.Values, json.RawMessage(v))
	}
	return q
}

func both() *sessions.Question {
	return &sessions.Question{Purpose: sessions.ToForm, Attempt: 1, Fields: []sessions.Question{*of(sessions.ToAsk, "business", 1), *of(sessions.ToAsk, "team", 1), *of(sessions.ToAsk, "open", 1)}}
}

// questions are one of each kind, and none.
var questions = []*sessions.Question{nil, of(sessions.ToAsk, "business", 1), of(sessions.ToAsk, "team", 2), of(sessions.ToAsk, "open", 1), proposing("team", `12`),
	proposing("open", `["day"]`), between("business", `"We bake bread"`, `"We sell flour"`), between("open", `["day"]`), both(), {Purpose: sessions.ToFinish, Attempt: 1}}

// grocer is a persona with everything a file can hold.
const grocer = `{"about": "A grocer.", "kind": "rambling",
	"facts": [{"key": "business", "gold": "We sell fruit", "say": ["Fruit.", "We sell fruit."]}, {"key": "team", "gold": 4, "say": ["4 people"], "as": "later"}, {"key": "open", "as": "declines"}],
	"corrections": [{"key": "business", "was": "We sell shoes", "first": ["Shoes."], "when": {"turn": 5}, "say": "No, fruit."}],
	"contradictions": [{"key": "team", "value": 6, "say": "There are 6 of us.", "when": {"turn": 8}}],
	"volunteers": [{"when": {"after": "business"}, "say": "It is a small shop.", "keys": ["business"]}],
	"asides": [{"when": {"turn": 3}, "say": "Nice weather."}],
	"questions": [{"when": {"turn": 3}, "say": "Why?"}],
	"replies": {"finish": ["Not yet.", "Yes."], "unknown": ["No idea.", "Really no idea."], "later": ["Later."], "decline": ["No comment."]}}`

func TestPersonAnswers(t *testing.T) {
	t.Parallel()

	p, err := ParsePersona("bakery/grocer.json", []byte(grocer), 2030, &bakery)
	if err != nil {
		t.Fatal(err)
	}
	person := NewSimulatedPerson(&p)
	for _, c := range []struct {
		turn  int
		asked *sessions.Question
		want  Line
	}{
		{2, of(sessions.ToAsk, "business", 1), words("Shoes. It is a small shop.")},
		{3, of(sessions.ToAsk, "team", 1), Line{Kind: Aside, Message: "Nice weather."}},
		{4, of(sessions.ToAsk, "team", 1), Line{Kind: Wondering, Message: "Why?"}},
		{4, of(sessions.ToAsk, "team", 1), words("Later.")},
		{5, of(sessions.ToAsk, "team", 2), Line{Kind: Correcting, Message: "No, fruit.", Corrects: "business"}},
		{6, of(sessions.ToAsk, "team", 2), words("4 people")},
		{7, of(sessions.ToAsk, "business", 2), words("We sell fruit.")},
		{8, of(sessions.ToAsk, "open", 1), Line{Kind: Answering, Message: "No comment. There are 6 of us.", Contradictions: []string{"team"}}},
		{9, between("team", `4`, `6`), words("The first one.")},
		{9, between("team", `6`, `4`), words("The second one.")},
		{9, between("team", `6`, `7`), words("4 people")},
		{10, proposing("team", `4`), words("Yes, that's right.")},
		{10, proposing("team", `6`), words("No, 4 people")},
		{10, proposing("business", `"We sell shoes"`), words("Yes, that's right.")},
		{10, proposing("business", `"Cars"`), words("No, fruit.")},
		{10, proposing("open", `["day"]`), words("No, that is not right.")},
		{11, both(), Line{Kind: Answering, Answers: map[string]json.RawMessage{"business": json.RawMessage(`"We sell fruit"`)}}},
		{12, of(sessions.ToAsk, "unheard_of", 1), words("No idea.")},
		{12, of(sessions.ToAsk, "unheard_of", 9), words("Really no idea.")},
		{13, &sessions.Question{Purpose: sessions.ToFinish}, words("Not yet.")},
		{14, &sessions.Question{Purpose: sessions.ToFinish}, words("Yes.")},
		{15, nil, words("That is all from my side.")},
	} {
		got := person.Answer(c.asked, c.turn)
		if got.Answers != nil && len(got.Answers) == 0 {
			got.Answers = nil
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("turn %d: %+v, want %+v", c.turn, got, c.want)
		}
	}
}

func TestPersonCorrectsWhatIsPutToThem(t *testing.T) {
	t.Parallel()

	p := mustPersona(t)
	person := NewSimulatedPerson(p)
	first := person.Answer(of(sessions.ToAsk, "team", 1), 2)
	second := person.Answer(proposing("team", `9`), 3)

	if first.Message != "9" || second.Kind != Correcting || second.Message != "No, 12." {
		t.Errorf("says %+v, then %+v", first, second)
	}
}

func TestFormInWords(t *testing.T) {
	t.Parallel()

	p := mustPersona(t)
	p.Forms = "words"
	got := NewSimulatedPerson(p).Answer(both(), 2)

	if want := "Business: We bake bread\nTeam: 9"; got.Message != want || len(got.Answers) != 0 {
		t.Errorf("says %q with %v, want %q", got.Message, got.Answers, want)
	}
}

func TestSameQuestionsGetTheSameLines(t *testing.T) {
	t.Parallel()

	p, err := ParsePersona("bakery/grocer.json", []byte(grocer), 2030, &bakery)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := NewSimulatedPerson(&p), NewSimulatedPerson(&p)
		for turn, i := range rapid.SliceOf(rapid.IntRange(0, len(questions)-1)).Draw(t, "questions") {
			x, y := a.Answer(questions[i], turn+2), b.Answer(questions[i], turn+2)
			if !reflect.DeepEqual(x, y) {
				t.Fatalf("turn %d: %+v and %+v", turn+2, x, y)
			}
		}
	})
}
