package chat_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quaestor/chat"
	"quaestor/chat/rules"
	"quaestor/internal/listening"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// longTalk is a conversation with all that makes a history long: doubts, corrections,
// a contradiction, things put off, widgets.
var longTalk = []any{"", "We sell bread and rolls", "maybe 12 people work there", "no, actually 15", "why do you ask?", "It opened in March 2019",
	map[string]string{"channel": `"street"`}, "We opened in April 2020", "2020", "I don't know", "later", "people buy online now", "skip that", "yes", "yes"}

// converse holds the conversation and returns the state after each turn.
func (d *harness) converse() []sessions.TurnSnapshot {
	d.t.Helper()
	var out []sessions.TurnSnapshot
	for _, line := range longTalk {
		in := d.input("")
		switch line := line.(type) {
		case string:
			in.Message = line
		case map[string]string:
			in.Answers = map[string]json.RawMessage{}
			for k, v := range line {
				in.Answers[k] = json.RawMessage(v)
			}
		}
		events := d.take(in)
		s, list := d.state()
		out = append(out, sessions.TurnSnapshot{Turn: s.Turns, Obligations: list, Phase: s.Phase, Language: s.Language})
		if strings.Contains(string(events[len(events)-1].Data), `"reason":"completed"`) {
			break
		}
	}
	return out
}

func (d *harness) state() (sessions.Session, []obligations.Obligation) {
	d.t.Helper()
	s, err := sessions.Find(d.t.Context(), d.pool, d.scope)
	if err != nil {
		d.t.Fatal(err)
	}
	var list []obligations.Obligation
	b := postgres.NewBatch(d.scope.Tenant)
	obligations.Load(b, d.scope, objectives.NewLibrary(d.pool).Templates(d.t.Context(), d.scope.Tenant), &list)
	if err := b.Send(d.t.Context(), d.pool); err != nil {
		d.t.Fatal(err)
	}
	return s, list
}

func (d *harness) record() *sessions.Record {
	d.t.Helper()
	r, err := sessions.ReadRecord(d.t.Context(), d.pool, objectives.NewLibrary(d.pool), d.scope)
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

// equal takes values as JSON, and an empty list as none.
var equal = cmp.Options{cmp.Comparer(obligations.SameValue),
	cmp.FilterPath(func(p cmp.Path) bool { return p.Last().Type() != reflect.TypeFor[json.RawMessage]() }, cmpopts.EquateEmpty())}

func TestRecordGivesTheStateAfterEveryTurn(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	stood := d.converse()
	r := d.record()

	for _, want := range stood {
		got, err := r.At(want.Turn)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, equal, cmpopts.IgnoreFields(sessions.TurnSnapshot{}, "Completeness", "Memory")); diff != "" {
			t.Errorf("turn %d (-stored +replayed):\n%s", want.Turn, diff)
		}
	}
	s, _ := d.state()
	last, err := r.At(0)
	if err != nil || last.Completeness.Score != s.Score || last.Completeness.Progress != s.Progress {
		t.Errorf("At(0) scores %.4f, %.4f (%v), want the stored %.4f, %.4f", last.Completeness.Score, last.Completeness.Progress, err, s.Score, s.Progress)
	}
	memory := s.Memory
	memory.RecentTopics = nil
	if diff := cmp.Diff(memory, last.Memory, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("memory (-stored +replayed):\n%s", diff)
	}
	if _, err := r.At(len(stood) + 1); err == nil {
		t.Error("a turn that was never taken was replayed")
	}
}

func TestSameMessagesToTheSameInterviewerGiveTheSame(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.converse()
	_, stored := d.state()
	r := d.record()

	branch, err := chat.Rerun(t.Context(), r, r.Objective.Definition, rules.New(listening.New(nil)), rules.New(listening.New(nil)), 0)
	if err != nil {
		t.Fatal(err)
	}

	if differ := chat.Differences(stored, branch.Obligations); len(differ) > 0 {
		t.Errorf("%d obligations differ, the first: %s", len(differ), inWords(differ[0]))
	}
	for i, m := range branch.Turns {
		if want := r.Messages[indexOf(r.Messages, m.Turn)].Content; m.Reply != want {
			t.Errorf("turn %d: the reply is %q, was %q", i+1, m.Reply, want)
		}
	}
}

func indexOf(list []sessions.Message, turn int) int {
	for i, m := range list {
		if m.Turn == turn && m.Role == sessions.FromAssistant {
			return i
		}
	}
	return 0
}

func inWords(d chat.Difference) string { return fmt.Sprintf("%s: %+v / %+v", d.Key, d.First, d.Other) }

func TestBranchShowsWhatAnotherObjectiveWouldHaveLearnt(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.converse()
	_, stored := d.state()
	r := d.record()
	other := strings.Replace(strings.Replace(small, `"max":500`, `"max":14`, 1), `"key":"market_size"`, `"key":"market"`, 1)
	definition, err := objectives.ParseDefinition([]byte(other))
	if err != nil {
		t.Fatal(err)
	}

	branch, err := chat.Rerun(t.Context(), r, &definition, rules.New(listening.New(nil)), rules.New(listening.New(nil)), 4)
	if err != nil {
		t.Fatal(err)
	}

	keys := map[string]bool{}
	for _, diff := range chat.Differences(stored, branch.Obligations) {
		keys[diff.Key] = true
	}
	if !keys["team_size"] || !keys["market"] || !keys["market_size"] || keys["business"] {
		t.Errorf("what differs: %v, want the team's size, which is out of range there, and the market's other key, not the business", keys)
	}
	if len(branch.Turns) != 4 {
		t.Errorf("%d turns, want the 4 asked for", len(branch.Turns))
	}
}

func TestBranchOfAModelThatFailsIsTheRules(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.converse()
	_, stored := d.state()
	model := llmtest.New(t)
	model.OnUnderstand(llmtest.Reply{Status: 500})
	model.OnReply(llmtest.Reply{Status: 500})

	r := d.record()
	branch, err := chat.Rerun(t.Context(), r, r.Objective.Definition, scripted(t, model), rules.New(listening.New(nil)), 0)
	if err != nil {
		t.Fatal(err)
	}

	if differ := chat.Differences(stored, branch.Obligations); len(differ) > 0 || branch.Turns[1].Degraded == "" {
		t.Errorf("%d obligations differ, degraded %q; want none, and the failure named", len(differ), branch.Turns[1].Degraded)
	}
}
