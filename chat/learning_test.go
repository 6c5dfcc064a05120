package chat_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"quaestor/chat"
	"quaestor/chat/rules"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// learning is an objective with something to conclude and something to look up.
const learning = `{"contextType":"stall","version":"1.0.0","displayName":"Stall","description":"A stall.","greeting":"Hello.",
"obligations":[
 {"key":"goods","fieldPath":"goods","category":"The stall","label":"Goods","prompt":"What do you sell?","why":"w","widgetType":"text","priority":9},
 {"key":"crew","fieldPath":"crew","category":"The stall","label":"Crew","prompt":"How many people work there?","why":"w","widgetType":"number","unit":"people","priority":8,"dependencies":["goods"]},
 {"key":"size","fieldPath":"size","category":"The stall","label":"Size","prompt":"How large is the stall?","why":"w","widgetType":"choice","choices":[{"value":"small","label":"Small"},{"value":"large","label":"Large"}],
  "collectionType":"inferred","inference":[{"when":[{"key":"crew","atMost":2}],"then":"small","because":"Two people can only run a small stall."}],"priority":4,"dependencies":["goods"]},
 {"key":"rivals","fieldPath":"rivals","category":"Around it","label":"Rivals","prompt":"Who else sells that?","why":"w","widgetType":"text","collectionType":"research","researchType":"competitive_analysis","priority":7,"dependencies":["goods"]},
 {"key":"hours","fieldPath":"hours","category":"Around it","label":"Hours","prompt":"How many hours a week is it open?","why":"w","widgetType":"number","unit":"hours","priority":3,"dependencies":["goods"]}],
"phases":{"opening":{"goal":"g"},"exploration":{"goal":"g"},"validation":{"goal":"g"},"closing":{"goal":"g"}},
"completion":{"minObligationsSatisfied":5,"minConfidenceScore":0.5,"requiredObligations":["goods"]}}`

// rehearsal runs the lines of a person, a turn each, and returns the last turn.
func rehearsal(t *testing.T, lines ...string) (*chat.Rehearsal, chat.RehearsalTurn) {
	t.Helper()
	d, err := objectives.ParseDefinition([]byte(learning))
	if err != nil {
		t.Fatal(err)
	}
	interviewer := rules.New(listening.New(nil))
	h := chat.NewRehearsal(&d, interviewer, interviewer)
	var last chat.RehearsalTurn
	for i, line := range append([]string{""}, lines...) {
		last, err = h.Say(t.Context(), chat.RehearsalInput{Person: "person", Message: line, At: time.Date(2026, 8, 12, 10, i, 0, 0, time.UTC)})
		if err != nil {
			t.Fatal(err)
		}
	}
	return h, last
}

func TestConclusionIsPutToThePerson(t *testing.T) {
	t.Parallel()

	_, turn := rehearsal(t, "We sell cheese", "2 people")

	q := turn.Question
	want := "Going by what you've told me, I'd say – size: “Small”. Is that right?"
	if q == nil || q.Purpose != sessions.ToConfirm || q.Prompt != want || string(q.Proposal) != `"small"` {
		t.Fatalf("asked %+v, want %q", q, want)
	}
	if !strings.HasSuffix(turn.Reply, want) || strings.Contains(turn.Reply, "picked up") {
		t.Errorf("said %q", turn.Reply)
	}
}

func TestConclusionIsConfirmedCorrectedOrDenied(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name, said, value string
		status            obligations.Status
		asks              bool // openly for the size
	}{
		{"confirmed", "Yes, that is right", `"small"`, obligations.Satisfied, false},
		{"corrected", "No, it is large", `"large"`, obligations.Satisfied, false},
		{"denied", "No", "", obligations.InProgress, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			h, turn := rehearsal(t, "We sell cheese", "2 people", tt.said)

			o := obligations.Find(h.Obligations(), "size")
			if string(o.Value) != tt.value || o.Status != tt.status {
				t.Errorf("it holds %s, %s; want %s, %s; said %q", o.Value, o.Status, tt.value, tt.status, turn.Reply)
			}
			if asks := turn.Question != nil && turn.Question.Key == "size" && turn.Question.Purpose == sessions.ToAsk; asks != tt.asks {
				t.Errorf("asked %+v", turn.Question)
			}
		})
	}
}

// Where no rule fires, the question is asked; where nothing can be looked up, too.
func TestAskingIsTheLastMeans(t *testing.T) {
	t.Parallel()

	h, turn := rehearsal(t, "We sell cheese", "9 people")
	asked := map[string]sessions.Purpose{}
	for turn.Question != nil && turn.Question.Key != "" && len(asked) < 5 {
		asked[turn.Question.Key] = turn.Question.Purpose
		answer := map[string]string{"size": "Large", "rivals": "The dairy next door", "hours": "20 hours"}[turn.Question.Key]
		var err error
		if turn, err = h.Say(t.Context(), chat.RehearsalInput{Person: "person", Message: answer, At: time.Date(2026, 8, 12, 11, 0, 0, 0, time.UTC)}); err != nil {
			t.Fatal(err)
		}
	}

	for _, key := range []string{"size", "rivals", "hours"} {
		if asked[key] != sessions.ToAsk {
			t.Errorf("%s was not asked: %v", key, asked)
		}
	}
}

// trailAgrees fails when the session's audit trail leads to anything but what is stored.
func (d *harness) trailAgrees() {
	d.t.Helper()
	_, list := d.state()
	stored, err := obligations.History(d.t.Context(), d.pool, d.scope, obligations.HistoryPage{})
	if err != nil {
		d.t.Fatal(err)
	}
	events := make([]obligations.Event, len(stored))
	for i, e := range stored {
		events[i] = e.Event
	}
	definition, err := objectives.ParseDefinition([]byte(learning))
	if err != nil {
		d.t.Fatal(err)
	}
	replayed, err := obligations.Replay(definition.Obligations, events)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, o := range list {
		r := obligations.Find(replayed, o.Key)
		held, evidence := obligations.SameValue(o.Value, r.Value), asText(d.t, o.Evidence) == asText(d.t, r.Evidence)
		if !held || !evidence && len(o.Evidence)+len(r.Evidence) > 0 || o.Status != r.Status || o.Confidence != r.Confidence {
			d.t.Errorf("%s: stored %s %s, replayed %s %s", o.Key, o.Status, asText(d.t, o.Evidence), r.Status, asText(d.t, r.Evidence))
		}
	}
}

func asText(t testing.TB, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// asked returns what the session asks now.
func (d *harness) asked() *sessions.Question {
	d.t.Helper()
	s, _ := d.state()
	return s.Question
}

func TestConclusionIsStoredWithItsPremises(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{objective: learning, sourceless: true})
	d.take(d.input(""))
	d.take(d.input("We sell cheese"))
	d.fill(map[string]string{"crew": `2`})
	_, list := d.state()
	o := obligations.Find(list, "size")
	if o.Status != obligations.Partial || len(o.Evidence) != 1 || !slices.Equal(o.Evidence[0].Premises, []string{"crew"}) || o.Evidence[0].Because == "" {
		t.Fatalf("it holds %s, %s, on %+v", o.Value, o.Status, o.Evidence)
	}
	d.trailAgrees()

	d.take(d.input("Yes"))

	_, list = d.state()
	if o = obligations.Find(list, "size"); o.Status != obligations.Satisfied || len(o.Evidence) != 2 || o.Evidence[1].Kind != obligations.Accepted {
		t.Errorf("after a yes it is %s, on %+v", o.Status, o.Evidence)
	}
	d.trailAgrees()
}

func TestWhatTheObjectiveHasLookedUpIsOrderedOnceAndHeldBack(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{objective: learning})
	d.take(d.input(""))
	if tasks := d.tasks(); len(tasks) != 0 {
		t.Fatalf("ordered before it unlocks: %+v", tasks)
	}
	told := payload[sessions.MessageEvent](t, d.take(d.input("We sell cheese")), sessions.KindMessage)
	tasks := d.tasks()
	if len(tasks) != 1 || tasks[0].Order.Key != "rivals" || tasks[0].Order.Trigger != research.Collection || tasks[0].User != "" {
		t.Fatalf("tasks %+v, want one for the rivals", tasks)
	}
	if !strings.Contains(told.Content, "“Rivals”") {
		t.Errorf("the person is told %q", told.Content)
	}
	for _, answer := range []map[string]string{{"crew": `9`}, {"size": `"large"`}} {
		if q := d.asked(); slices.Contains(q.Keys(), "rivals") {
			t.Fatalf("asked %s while it is looked up and others are open", q.Key)
		}
		d.fill(answer)
	}
	d.research(`{"status":"completed","outcome":"found","summary":"“Hof Berg sells cheese” (a.example).","value":"Hof Berg","source":"https://a.example/","quote":"Hof Berg sells cheese"}`)
	d.fill(map[string]string{"hours": `20`})

	q := d.asked()
	if q == nil || q.Key != "rivals" || q.Purpose != sessions.ToConfirm || !strings.Contains(q.Prompt, "a.example") {
		t.Fatalf("asked %+v, want the proposal with its source", q)
	}
	d.take(d.input("No, that is wrong"))
	if q := d.asked(); q == nil || q.Key != "rivals" || q.Purpose != sessions.ToAsk || len(d.tasks()) != 1 {
		t.Errorf("after a no: asked %+v, %d tasks", q, len(d.tasks()))
	}
	d.trailAgrees()
}

func TestWhatCannotBeLookedUpIsAsked(t *testing.T) {
	t.Parallel()

	t.Run("nothing was found", func(t *testing.T) {
		t.Parallel()

		d := newHarness(t, setup{objective: learning})
		d.take(d.input(""))
		d.take(d.input("We sell cheese"))
		d.research(`{"status":"completed","outcome":"no_evidence"}`)
		d.fill(map[string]string{"crew": `9`, "size": `"large"`, "hours": `20`})

		if q := d.asked(); q == nil || q.Key != "rivals" || q.Purpose != sessions.ToAsk || len(d.tasks()) != 1 {
			t.Errorf("asked %+v, %d tasks", q, len(d.tasks()))
		}
	})
	t.Run("nothing is connected", func(t *testing.T) {
		t.Parallel()

		d := newHarness(t, setup{objective: learning, sourceless: true})
		d.take(d.input(""))
		d.take(d.input("We sell cheese"))
		d.fill(map[string]string{"crew": `9`, "size": `"large"`, "hours": `20`})

		if q := d.asked(); q == nil || q.Key != "rivals" || q.Purpose != sessions.ToAsk || len(d.tasks()) != 0 {
			t.Errorf("asked %+v, %d tasks", q, len(d.tasks()))
		}
	})
	t.Run("it is still being looked up, and nothing else is left", func(t *testing.T) {
		t.Parallel()

		d := newHarness(t, setup{objective: learning})
		d.take(d.input(""))
		d.take(d.input("We sell cheese"))
		d.fill(map[string]string{"crew": `9`, "size": `"large"`, "hours": `20`})

		if q := d.asked(); q == nil || q.Key != "rivals" {
			t.Errorf("asked %+v", q)
		}
	})
}

// What is said beside a figure is kept with it, whoever reads the message.
func TestFigureKeepsWhatWasSaidOfIt(t *testing.T) {
	t.Parallel()

	h, _ := rehearsal(t, "We sell cheese", "about 2 people")

	o := obligations.Find(h.Obligations(), "crew")
	if d := o.Details(); string(o.Value) != "2" || d == nil || !d.Approximate || d.Unit != "people" {
		t.Errorf("the crew is %s with %+v", o.Value, d)
	}
	if got := sessions.Shown(o); got != "about 2 people" {
		t.Errorf("it is shown as %q", got)
	}
	out, err := sessions.Export(sessions.JSON, nil, h.Obligations())
	var doc struct {
		Details map[string]obligations.Details `json:"$details"`
	}
	if err != nil || json.Unmarshal(out, &doc) != nil || !doc.Details["crew"].Approximate {
		t.Errorf("exported as %s (%v)", out, err)
	}
}
