package chat_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// ended is the result of a piece of research, as a researcher would store it.
type ended struct {
	Status, Outcome, Summary string
	Value                    json.RawMessage // proposed for the task's obligation; nil for none
	Source, Quote            string
}

// research ends the session's oldest open task.
func (d *harness) research(raw string) {
	d.t.Helper()
	var e ended
	if err := json.Unmarshal([]byte(raw), &e); err != nil {
		d.t.Fatalf("%s: %v", raw, err)
	}
	tasks := d.tasks()
	i := slices.IndexFunc(tasks, func(t research.Task) bool { return t.Open() })
	if i < 0 {
		d.t.Fatalf("nothing is being looked up that could end with %s", raw)
	}
	_, err := postgrestest.Superuser(d.t, d.pool).Exec(d.t.Context(), `UPDATE discovery_research_tasks SET status = $2, outcome = nullif($3, ''), summary = nullif($4, ''),
		error_message = CASE WHEN $2 = 'failed' THEN 'the search engine was away' END, result = CASE WHEN $2 = 'completed' THEN '{}'::jsonb END, completed_at = now() WHERE id = $1`,
		tasks[i].ID, e.Status, e.Outcome, e.Summary)
	if err != nil {
		d.t.Fatal(err)
	}
	if e.Value == nil {
		return
	}
	_, err = sessions.Editor{Pool: d.pool, Hub: d.hub, Library: objectives.NewLibrary(d.pool)}.Change(d.t.Context(), d.scope, func(ed *sessions.Edit) error {
		key := tasks[i].Order.Key
		ed.Findings = []obligations.Finding{{Key: key, Act: obligations.Tell, Value: e.Value, Source: "research", Reason: "research proposes it",
			Evidence: obligations.Evidence{Kind: obligations.ResearchEvidence, Source: e.Source, Quote: e.Quote}}}
		ed.Signals.FollowUps = []sessions.FollowUp{{Key: key, Priority: 9, Turn: ed.Session.Turns + 1, Reason: "research found: " + e.Summary}}
		return nil
	})
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *harness) tasks() []research.Task {
	d.t.Helper()
	list, err := research.List(d.t.Context(), d.pool, d.scope)
	if err != nil {
		d.t.Fatal(err)
	}
	return list
}

// unsure leads to the question of the market, which the person cannot answer.
func (d *harness) unsure() {
	d.t.Helper()
	d.take(d.input(""))
	d.take(d.input("We sell bread"))
	d.fill(map[string]string{"team_size": `4`, "founded": `"2019"`, "channel": `"street"`})
	d.take(d.input("I don't know"))
}

const marketFound = `{"status":"completed","outcome":"found","summary":"“The market is worth 4 billion euros” (bakers.example.org).","value":"4 billion euros","source":"https://www.bakers.example.org/market","quote":"The market is worth 4 billion euros"}`

// What a person asks for is theirs, what a doubt asks for is nobody's.
func TestRequestsAreThePersons(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.unsure()
	d.take(d.input("Can you find out who makes ovens in Leeds?"))

	tasks := d.tasks()
	if len(tasks) != 2 || tasks[0].User != "" || tasks[1].User != "person" || tasks[1].Order.Query != "who makes ovens in Leeds" || tasks[1].Order.Priority != 8 {
		t.Errorf("tasks %+v, want one of nobody and one of the person", tasks)
	}
}

// News is told once, and what was cut off was not told.
func TestNewsIsToldOnce(t *testing.T) {
	t.Parallel()

	model := llmtest.New(t)
	model.OnUnderstand(llmtest.Reply{JSON: reading("answer")})
	model.OnReply(llmtest.Reply{Text: "I looked that up for you, and here is what came of it, at some length.", PieceDelay: 200 * 1e6})
	d := newHarness(t, setup{})
	d.unsure()
	d.research(marketFound)
	slow := d.another(setup{model: model})
	started := slow.start(slow.input("All right"))
	slow.piece(started.Turn)
	if err := slow.engine.Stop(t.Context(), d.scope, started.Turn.Number); err != nil {
		t.Fatal(err)
	}
	slow.ended(started.Turn)
	if told := d.tasks()[0].Told; told != 0 {
		t.Fatalf("told in turn %d by a reply that was cut off", told)
	}

	first := payload[sessions.MessageEvent](t, d.take(d.input("ok")), sessions.KindMessage)
	told := d.tasks()[0].Told
	again := payload[sessions.MessageEvent](t, d.take(d.input("what do you mean?")), sessions.KindMessage)

	if !strings.Contains(first.Content, "bakers.example.org") || told != first.Turn {
		t.Errorf("turn %d says %q and counts the news as told in turn %d", first.Turn, first.Content, told)
	}
	if after := d.tasks()[0].Told; after != told || strings.Contains(again.Content, "I looked up") {
		t.Errorf("told again: %q, turn %d", again.Content, after)
	}
}

// Who asks what was found is told at once, and nothing new is looked up for it.
func TestNewsIsToldOnRequest(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.unsure()
	before := len(d.tasks())
	d.research(marketFound)
	told := payload[sessions.MessageEvent](t, d.take(d.input("What did you find?")), sessions.KindMessage)

	tasks := d.tasks()
	if !strings.Contains(told.Content, "4 billion euros") || tasks[0].Told != told.Turn || len(tasks) != before {
		t.Errorf("turn %d says %q; told in turn %d, %d tasks after %d", told.Turn, told.Content, tasks[0].Told, len(tasks), before)
	}
}

// Where nothing is connected, a request is noted and said to wait.
func TestRequestWithoutSources(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{sourceless: true})
	d.take(d.input(""))

	events := d.take(d.input("Can you find out who makes ovens in Leeds?"))

	if m := payload[sessions.MessageEvent](t, events, sessions.KindMessage); !strings.Contains(m.Content, "nothing connected here") {
		t.Errorf("reply %q", m.Content)
	}
	if r := payload[sessions.ResearchEvent](t, events, sessions.KindResearch); r.Note != research.NoSources || d.tasks()[0].Note != research.NoSources {
		t.Errorf("research %+v, want it to wait for sources", r)
	}
}

// A model's steering: by number, of the newest, and an older answer without any.
func TestModelSteersResearch(t *testing.T) {
	t.Parallel()

	steer := func(items ...map[string]any) llmtest.Reply {
		h := reading("research")
		h["research"] = items
		return llmtest.Reply{JSON: h}
	}
	model := llmtest.New(t)
	model.OnUnderstand(
		steer(map[string]any{"key": nil, "query": "ovens in Leeds"}, map[string]any{"key": "market_size", "query": "bread market"}),
		steer(map[string]any{"task": 1, "look": "Germany only", "stop": false}, map[string]any{"task": 9, "look": "nowhere", "stop": false}),
		steer(map[string]any{"task": nil, "look": "", "stop": true}))
	model.OnReply(llmtest.Reply{Text: "I see. What does your shop sell?"})
	d := newHarness(t, setup{model: model})

	d.take(d.input("Find out two things"))
	d.take(d.input("Germany only for the ovens"))
	events := d.take(d.input("Stop the other one"))

	tasks := d.tasks()
	if len(tasks) != 2 || len(tasks[0].Steering) != 1 || tasks[0].Steering[0].Text != "Germany only" || tasks[0].Steering[0].By != "person" || tasks[0].Revision != 1 {
		t.Fatalf("tasks %+v, want the first steered once", tasks)
	}
	if tasks[0].Status != research.Pending || tasks[1].Status != research.Cancelled {
		t.Errorf("the tasks are %s and %s, want pending and cancelled", tasks[0].Status, tasks[1].Status)
	}
	if told := payload[sessions.ResearchEvent](t, events, sessions.KindResearch); told.TaskID != tasks[1].ID || told.Status != "cancelled" {
		t.Errorf("the log says %+v", told)
	}
}

// A button says yes to what research proposes; what is said meanwhile is not
// confirmed by accident.
func TestConfirmByButton(t *testing.T) {
	t.Parallel()

	ann := chat.Actor{User: "ann"}
	market := json.RawMessage(`"4 billion euros"`)
	for _, tt := range []struct {
		name  string
		by    chat.Actor
		value json.RawMessage
		want  fault.Kind // "" for done
		sure  obligations.Confidence
		kind  obligations.EvidenceKind
	}{
		{"a person", ann, market, "", 86, obligations.Accepted},
		{"without the value", ann, nil, "", 86, obligations.Accepted},
		{"a reviewer", rae, market, "", 100, obligations.Reviewer},
		{"another value", ann, json.RawMessage(`"9 billion"`), fault.Conflict, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			d := newHarness(t, setup{})
			d.unsure()
			d.research(marketFound)

			o, err := d.engine.Confirm(t.Context(), d.scope, tt.by, "market_size", tt.value)

			if tt.want != "" {
				if !fault.Is(err, tt.want) {
					t.Errorf("Confirm = %v, want %s", err, tt.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			last := o.Evidence[len(o.Evidence)-1]
			if o.Status != obligations.Satisfied || o.Confidence != tt.sure || last.Kind != tt.kind || last.By != tt.by.User || len(o.Evidence) != 2 {
				t.Errorf("market_size is %s at %s on %+v", o.Status, o.Confidence, o.Evidence)
			}
			if tt.kind == obligations.Accepted && (last.Proposal == nil || !obligations.SameValue(last.Proposal.Value, market)) {
				t.Errorf("the evidence %+v lacks the proposal", last)
			}
			if again, err := d.engine.Confirm(t.Context(), d.scope, tt.by, "market_size", tt.value); err != nil || len(again.Evidence) != 2 {
				t.Errorf("pressed twice: %v, %d pieces of evidence", err, len(again.Evidence))
			}
			d.checkReplay()
		})
	}
}

func TestConfirmNeedsAValue(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.unsure()
	for _, value := range []json.RawMessage{nil, json.RawMessage(`"4"`)} {
		if _, err := d.engine.Confirm(t.Context(), d.scope, chat.Actor{User: "ann"}, "market_size", value); !fault.Is(err, fault.Unprocessable) {
			t.Errorf("Confirm(%s) of nothing = %v, want Unprocessable", value, err)
		}
	}
	if _, err := d.engine.Confirm(t.Context(), d.scope, chat.Actor{User: "ann"}, "nothing", nil); !fault.Is(err, fault.NotFound) {
		t.Errorf("Confirm of no obligation = %v, want NotFound", err)
	}
}

// A proposal never takes the place of what a person gave, however doubtful: it is
// a conflict, raised once, with where it was read.
func TestResearchDoesNotReplaceAPersonsWord(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.unsure()
	d.take(d.input("maybe about 3 billion euros, I guess"))
	before := obligations.Find(d.list(), "market_size")
	d.research(marketFound)

	o := obligations.Find(d.list(), "market_size")
	if before.Value == nil || !obligations.SameValue(before.Value, o.Value) {
		t.Fatalf("market_size was %s and is %s", before.Value, o.Value)
	}
	d.take(d.input("ok")) // which answers the question that was open
	events := d.take(d.input("ok"))
	asked := payload[sessions.QuestionEvent](t, events, sessions.KindQuestion)
	reply := payload[sessions.MessageEvent](t, events, sessions.KindMessage)
	if asked.Purpose != sessions.ToResolve || !strings.Contains(reply.Content, "on bakers.example.org I read") {
		t.Errorf("asked to %s: %q, want the conflict raised with its source", asked.Purpose, reply.Content)
	}
	list := d.conflicts(obligations.AllConflicts)
	if len(list) != 1 || list[0].Kind != obligations.AgainstResearch || list[0].Raised != reply.Turn {
		t.Errorf("conflicts %+v", list)
	}
	if o := obligations.Find(d.list(), "market_size"); !obligations.SameValue(o.Value, before.Value) {
		t.Errorf("market_size is %s after the question", o.Value)
	}
}

// What the person says against a figure of their own data is kept beside it, and nothing that was found changes.
func TestDisputedFigureIsKept(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.unsure()
	_, err := postgrestest.Superuser(t, d.pool).Exec(t.Context(), `UPDATE discovery_research_tasks SET task_type = 'warehouse_question', obligation_key = NULL, query = 'how many orders did we have' WHERE id = $1`, d.tasks()[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	d.research(`{"status":"completed","outcome":"found","summary":"According to Bike shop, the number of orders is 758."}`)
	d.take(d.input("ok"))
	before := d.tasks()[0]

	events := d.take(d.input("No, that figure is wrong, we had 900 orders"))
	said := payload[sessions.MessageEvent](t, events, sessions.KindMessage)

	// An open page hears of it, and loses nothing of what it shows.
	if told := payload[sessions.ResearchEvent](t, events, sessions.KindResearch); told.TaskID != before.ID || told.Disputed != "No, that figure is wrong, we had 900 orders" || told.Summary != before.Summary || told.Outcome != "found" || len(told.Steering) != 0 {
		t.Errorf("told is %+v", told)
	}
	after := d.tasks()[0]
	if after.Disputed() != "No, that figure is wrong, we had 900 orders" || after.Steering[0].By != "person" || after.Summary != before.Summary || after.Revision != before.Revision {
		t.Errorf("the task is %+v", after)
	}
	if !strings.Contains(said.Content, "758") || !strings.Contains(said.Content, "900 orders") {
		t.Errorf("the reply is %q", said.Content)
	}
	again := payload[sessions.MessageEvent](t, d.take(d.input("What was the number of orders again?")), sessions.KindMessage)
	if !strings.Contains(again.Content, "758") {
		t.Errorf("asked again: %q", again.Content)
	}
}
