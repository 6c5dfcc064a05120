package chat_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/chat"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/sessions"
)

var update = flag.Bool("update", false, "rewrite the expected events of golden turns")

// Golden turns: a conversation, and the events it must bring. A file begins with
// a few words on what it shows and has the sections
//
//	say     a line a message: "open", "> text", "answers {JSON}" or "files", which says
//	        nothing; or "desk {JSON}", what came of the oldest open research, see [ended];
//	        or "file {JSON}", name and text of a file that goes with the next message
//	model   a line a scripted answer, JSON: understand (its reading) or reply (its
//	        words), with fault and status; absent means the rules interview
//	events  what comes of it
func TestGoldenTurns(t *testing.T) {
	t.Parallel()

	files, err := filepath.Glob("testdata/turns/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden turns: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()

			goldenTurn(t, file)
		})
	}
}

func goldenTurn(t *testing.T, file string) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	comment, sections := parseArchive(string(raw))
	got := play(t, sections)
	if *update {
		out := comment
		for _, name := range []string{"model", "say"} {
			if text, ok := sections[name]; ok {
				out += "-- " + name + " --\n" + text
			}
		}
		if err := os.WriteFile(file, []byte(out+"-- events --\n"+got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(sections["events"], got); diff != "" {
		t.Errorf("%s (-want +got; -update rewrites):\n%s", file, diff)
	}
}

// parseArchive splits a file into what comes first and its named sections.
func parseArchive(text string) (comment string, sections map[string]string) {
	sections = map[string]string{}
	name := ""
	for _, line := range strings.SplitAfter(text, "\n") {
		if after, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(line, " --\n") {
			name = strings.TrimSuffix(after, " --\n")
			sections[name] = ""
			continue
		}
		if name == "" {
			comment += line
			continue
		}
		sections[name] += line
	}
	return comment, sections
}

// play has the conversation and writes down what came of it.
func play(t *testing.T, sections map[string]string) string {
	t.Helper()
	c := setup{}
	if script, ok := sections["model"]; ok {
		c.model = script2server(t, script)
	}
	d := newHarness(t, c)
	var files []string
	var out strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(sections["say"]), "\n") {
		if raw, ok := strings.CutPrefix(line, "desk "); ok {
			d.research(raw)
			continue
		}
		if raw, ok := strings.CutPrefix(line, "file "); ok {
			files = append(files, d.file(raw))
			continue
		}
		in := d.input("")
		in.Files, files = files, nil
		if text, ok := strings.CutPrefix(line, "> "); ok {
			in.Message = text
		} else if raw, ok := strings.CutPrefix(line, "answers "); ok {
			if err := json.Unmarshal([]byte(raw), &in.Answers); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		} else if line != "open" && line != "files" {
			t.Fatalf("what is %q to say?", line)
		}
		fmt.Fprintf(&out, "# %s\n", line)
		for _, e := range d.take(in) {
			out.WriteString(describe(t, e))
		}
	}
	return out.String()
}

// script2server returns a model server that follows a golden file's script.
func script2server(t *testing.T, script string) *llmtest.Server {
	t.Helper()
	srv := llmtest.New(t)
	var understand, reply []llmtest.Reply
	for _, line := range strings.Split(strings.TrimSpace(script), "\n") {
		var l struct {
			Understand map[string]any
			Findings   []map[string]any
			Research   []map[string]any
			Intent     string
			Reply      string
			Fault      llmtest.Fault
			Status     int
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		r := llmtest.Reply{Text: l.Reply, Fault: l.Fault, Status: l.Status}
		if l.Intent != "" {
			r.JSON = reading(l.Intent, l.Findings...)
			if l.Research != nil {
				r.JSON.(map[string]any)["research"] = l.Research
			}
			understand = append(understand, r)
		} else {
			reply = append(reply, r)
		}
	}
	srv.OnUnderstand(understand...)
	srv.OnReply(reply...)
	return srv
}

// shown says which fields of an event golden turns show: those that are not ids,
// and not derived from others.
var shown = map[sessions.Kind][]string{
	sessions.KindSession:      {"turn", "contextType", "message", "userId", "interviewer"},
	sessions.KindMessage:      {"complete", "interviewer", "degraded", "content"},
	sessions.KindQuestion:     {"purpose", "key", "attempt", "mayDefer", "prompt", "proposal", "values", "examples", "fields"},
	sessions.KindObligation:   {"key", "status", "confidence", "value", "previousValue", "skipReason", "evidence"},
	sessions.KindNegotiation:  {"key", "state", "rounds"},
	sessions.KindConflict:     {"kind", "keys", "status", "raisedTurn"},
	sessions.KindCompleteness: {"score", "progress", "met", "satisfied", "partial", "skipped", "total", "missingRequired"},
	sessions.KindPhase:        {"phase", "from"},
	sessions.KindResearch:     {"key", "taskType", "trigger", "status", "query", "note", "steering"},
	sessions.KindMemory:       {"memory"},
	sessions.KindError:        {"code", "detail", "retryable"},
	sessions.KindDone:         {"reason", "unresolved"},
}

// describe writes an event as lines a person can review.
func describe(t *testing.T, e sessions.Event) string {
	t.Helper()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(e.Data, &fields); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	out.WriteString(string(e.Kind))
	for _, name := range shown[e.Kind] {
		if v, ok := fields[name]; ok {
			fmt.Fprintf(&out, " %s=%s", name, brief(name, v))
		}
	}
	return out.String() + "\n"
}

// brief shortens what would drown the rest.
func brief(name string, v json.RawMessage) string {
	switch name {
	case "fields":
		var list []sessions.Question
		_ = json.Unmarshal(v, &list)
		keys := make([]string, len(list))
		for i, q := range list {
			keys[i] = q.Key
		}
		return strings.Join(keys, ",")
	case "evidence":
		var list []obligations.Evidence
		_ = json.Unmarshal(v, &list)
		words := make([]string, len(list))
		for i, ev := range list {
			words[i] = fmt.Sprintf("%s@%d%q", ev.Kind, ev.Turn, ev.Quote)
		}
		return strings.Join(words, ",")
	}
	var compact bytes.Buffer
	if json.Compact(&compact, v) != nil {
		return string(v)
	}
	return compact.String()
}

// faults are all the ways in which a model can fail, and whether its reply can be
// whole all the same.
var faults = []struct {
	reply    llmtest.Reply
	survives bool
}{
	{llmtest.Reply{}, true},
	{llmtest.Reply{Fault: llmtest.CleanCloseMidStream}, false},
	{llmtest.Reply{Fault: llmtest.EarlyDone}, false},
	{llmtest.Reply{Fault: llmtest.HTML200}, false},
	{llmtest.Reply{Fault: llmtest.EmptyChoices}, false},
	{llmtest.Reply{Fault: llmtest.ResetMidStream}, false},
	{llmtest.Reply{Fault: llmtest.ErrorEvent}, false},
	{llmtest.Reply{Fault: llmtest.BadChunk}, false},
	{llmtest.Reply{Fault: llmtest.HugeLine}, false},
	{llmtest.Reply{Fault: llmtest.StallBeforeFirst}, false},
	{llmtest.Reply{Fault: llmtest.StallMid}, false},
	{llmtest.Reply{Fault: llmtest.EndlessText}, false},
	{llmtest.Reply{Fault: llmtest.ToolCall}, false},
	{llmtest.Reply{Fault: llmtest.Refusal}, false},
	{llmtest.Reply{Fault: llmtest.SlowDrip}, true},
	{llmtest.Reply{Fault: llmtest.ChangedModel}, true},
	{llmtest.Reply{Fault: llmtest.StallAfterFinish}, true},
	{llmtest.Reply{Fault: llmtest.ResetAfterFinish}, true},
	{llmtest.Reply{Fault: llmtest.ThinkBlock}, true},
	{llmtest.Reply{Status: 429}, false},
	{llmtest.Reply{Status: 500}, false},
	{llmtest.Reply{Status: 503}, false},
	{llmtest.Reply{Status: 401}, false},
	{llmtest.Reply{FinishReason: "length"}, false},
}

// R5: whatever the model's reply comes to, the person gets a whole one, and half
// of one is never kept as whole.
func TestReplyIsWholeWhateverTheModelDoes(t *testing.T) {
	t.Parallel()

	const said = "And how many people work in your shop today?"
	for _, tt := range faults {
		t.Run(fmt.Sprintf("%s%s%d", tt.reply.Fault, tt.reply.FinishReason, tt.reply.Status), func(t *testing.T) {
			t.Parallel()

			model := llmtest.New(t)
			reply := tt.reply
			reply.Text = said
			if reply.Fault == llmtest.EndlessText {
				reply.PieceDelay = time.Millisecond
			}
			model.OnReply(reply)
			model.OnUnderstand(llmtest.Reply{JSON: reading("answer", map[string]any{"key": "business", "value": "bread", "quote": "We sell bread"})})
			d := newHarness(t, setup{model: model})

			events := d.take(d.input("We sell bread"))

			m := payload[sessions.MessageEvent](t, events, sessions.KindMessage)
			checkWhole(t, d, m, said, tt.survives)
			if o := obligations.Find(d.list(), "business"); o.Status != obligations.Satisfied {
				t.Errorf("what the person said is %s, want satisfied", o.Status)
			}
		})
	}
}

// A key that is refused made every turn poorer, and the log said nothing of it.
func TestTurnWithoutItsModelIsLogged(t *testing.T) {
	t.Parallel()

	model := llmtest.New(t)
	model.Handle(func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Status: 401} })
	var out bytes.Buffer // written by the turn alone, and read after its report
	d := newHarness(t, setup{model: model, log: slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelWarn}))})
	d.take(d.input("We sell bread"))
	select {
	case <-d.reports:
	case <-time.After(patience):
		t.Fatal("the turn was never reported")
	}

	want := fmt.Sprintf(`level=WARN msg="turn was answered without the model" tenant=%s session=%s turn=1 err=refused`+"\n", d.scope.Tenant, d.scope.Session)
	if _, got, _ := strings.Cut(out.String(), " "); got != want {
		t.Errorf("the log says %q, want %q", got, want)
	}
}

func checkWhole(t *testing.T, d *harness, m sessions.MessageEvent, said string, survives bool) {
	t.Helper()
	if !m.Complete || m.Content == "" {
		t.Errorf("the reply is not whole: %+v", m)
	}
	if byModel := m.Degraded == ""; byModel != survives || byModel != (m.Content == said) {
		t.Errorf("by the model: %v (degraded %q), want %v: %q", byModel, m.Degraded, survives, m.Content)
	}
	if wantInterviewer := map[bool]string{true: "model scripted", false: "rules"}[survives]; m.Interviewer != wantInterviewer {
		t.Errorf("interviewer %q, want %q", m.Interviewer, wantInterviewer)
	}
	list := d.transcript()
	if last := list[len(list)-1]; len(list) != 2 || last.Content != m.Content || !last.Complete {
		t.Errorf("transcript %+v does not end with the reply", list)
	}
}

// A model whose reading is of no use does not cost the person what they said.
func TestReadingFallsBackToTheRules(t *testing.T) {
	t.Parallel()

	good := reading("answer", map[string]any{"key": "business", "value": "bread", "quote": "We sell bread"})
	for _, reply := range []llmtest.Reply{{JSON: good, Fault: llmtest.WrongKeys}, {JSON: good, Fault: llmtest.WrongTypes}, {Text: "Certainly! They sell bread."},
		{JSON: good, Fault: llmtest.HTML200}, {JSON: good, Fault: llmtest.EmptyChoices}, {JSON: good, Fault: llmtest.Refusal}, {Status: 500}, {Status: 429},
		{JSON: good, Fault: llmtest.StallBeforeFirst}, {JSON: good, Fault: llmtest.ResetMidStream}} {
		t.Run(fmt.Sprintf("%s%d", reply.Fault, reply.Status), func(t *testing.T) {
			t.Parallel()

			model := llmtest.New(t)
			model.OnUnderstand(reply)
			model.OnReply(llmtest.Reply{Text: "Hello. What do you sell?"}, llmtest.Reply{Fault: llmtest.StallBeforeFirst}) // so that no words go out before the reading fails
			d := newHarness(t, setup{model: model})
			d.take(d.input(""))

			m := payload[sessions.MessageEvent](t, d.take(d.input("We sell bread")), sessions.KindMessage)

			if m.Degraded == "" || m.Interviewer != "rules" || !m.Complete {
				t.Errorf("reply %+v, want one by the rules that says why", m)
			}
			if o := obligations.Find(d.list(), "business"); o.Value == nil {
				t.Error("what the person said was lost")
			}
		})
	}
}

// The head start: a slow reading does not hold up the reply, and counts all the
// same.
func TestReplyDoesNotWaitForASlowReading(t *testing.T) {
	t.Parallel()

	model := llmtest.New(t)
	model.OnUnderstand(llmtest.Reply{JSON: reading("answer", map[string]any{"key": "business", "value": "bread", "quote": "We sell bread"}), FirstDelay: 600 * time.Millisecond})
	model.OnReply(llmtest.Reply{Text: "Thank you."})
	d := newHarness(t, setup{model: model, atOnce: true, wait: 50 * time.Millisecond})

	events := d.take(d.input("We sell bread"))
	report := <-d.reports

	if report.FirstPiece == 0 || report.FirstPiece > 500*time.Millisecond || report.Total < 600*time.Millisecond {
		t.Errorf("the first piece came after %v, the end after %v; the reading took 600 ms", report.FirstPiece, report.Total)
	}
	o := obligations.Find(d.list(), "business")
	if o.Status != obligations.Satisfied || string(o.Value) != `"bread"` {
		t.Errorf("business is %s %s, want satisfied, bread", o.Status, o.Value)
	}
	if learnt := payload[sessions.ObligationEvent](t, events, sessions.KindObligation); learnt.Key != "business" {
		t.Errorf("the event tells of %s", learnt.Key)
	}
}

// While a model still reads, what the person wants of the talk itself is heard, and
// what they just told is not asked.
func TestSlowReadingHearsWhatIsWantedOfTheTalk(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name, message string
		heard         map[string]any
		reason        string
		asks          []string
	}{
		{"why", "Why do you ask that?", reading("why"), "answered", []string{"team_size", "founded", "channel"}},
		{"how far", "How far are we?", reading("progress"), "answered", []string{"team_size", "founded", "channel"}},
		{"goodbye", "I have to stop here for today, bye", reading("leave"), "left", nil},
		{"an answer", "In 2019", reading("answer", map[string]any{"key": "founded", "value": "2019", "quote": "In 2019"}), "answered", []string{"market_size"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			model := llmtest.New(t)
			model.OnUnderstand(llmtest.Reply{JSON: reading("answer", map[string]any{"key": "business", "value": "bread", "quote": "We sell bread"})},
				llmtest.Reply{JSON: tt.heard, FirstDelay: 2 * time.Second}) // long after the head start, on any machine
			model.OnReply(llmtest.Reply{Text: "Thank you. How many people work there?"}, llmtest.Reply{Text: "Thank you."})
			d := newHarness(t, setup{model: model, atOnce: true, wait: 300 * time.Millisecond})
			d.take(d.input("We sell bread"))

			events := d.take(d.input(tt.message))

			if done := payload[sessions.DoneEvent](t, events, sessions.KindDone); done.Reason != tt.reason {
				t.Errorf("the turn ended with %q, want %q", done.Reason, tt.reason)
			}
			if tt.asks == nil {
				return
			}
			if q := payload[sessions.QuestionEvent](t, events, sessions.KindQuestion); !slices.Equal(q.Keys(), tt.asks) {
				t.Errorf("%v is asked, want %v", q.Keys(), tt.asks)
			}
		})
	}
}

// An interview is not ended over an answer that is still being read.
func TestSlowReadingOfTheLastAnswerIsWaitedFor(t *testing.T) {
	t.Parallel()

	s := planScene(t, 6)
	know(s, map[string]string{"business": `"bread"`, "founded": `"2019"`, "channel": `"street"`, "market_size": `"large"`})
	asking(s, "team_size")

	if p := chat.Decide(s, chat.Understanding{}); !p.Premature() {
		t.Errorf("without knowing the answer the plan asks %+v, ends %q", p.Question, p.Ends)
	}
	if p := chat.Decide(s, chat.Understanding{Intent: chat.Leave}); p.Premature() {
		t.Error("somebody who leaves is kept waiting")
	}
}

func TestStopKeepsWhatWasSaidOnBothSides(t *testing.T) {
	t.Parallel()

	model := llmtest.New(t)
	model.OnUnderstand(llmtest.Reply{JSON: reading("answer", map[string]any{"key": "business", "value": "bread", "quote": "We sell bread"})})
	model.OnReply(llmtest.Reply{Text: "One thing after the other, slowly, and then the rest.", PieceDelay: 300 * time.Millisecond})
	d := newHarness(t, setup{model: model})
	started := d.start(d.input("We sell bread"))
	d.piece(started.Turn)

	if err := d.engine.Stop(t.Context(), d.scope, started.Turn.Number); err != nil {
		t.Fatal(err)
	}
	events := d.ended(started.Turn)

	if done := payload[sessions.DoneEvent](t, events, sessions.KindDone); done.Reason != "stopped" {
		t.Errorf("done %+v, want stopped", done)
	}
	m := payload[sessions.MessageEvent](t, events, sessions.KindMessage)
	if m.Complete || m.Content == "" || !strings.HasPrefix("One thing after the other, slowly, and then", m.Content) {
		t.Errorf("the reply %+v, want its beginning, not complete", m)
	}
	if o := obligations.Find(d.list(), "business"); o.Status != obligations.Satisfied {
		t.Errorf("business is %s, want satisfied", o.Status)
	}
	for _, e := range events {
		if e.Kind == sessions.KindQuestion {
			t.Errorf("a question that was cut off counts as asked: %s", e.Data)
		}
	}
}

// Stopped before the model has read the message: the rules read it.
func TestStopBeforeTheReadingKeepsWhatThePersonSaid(t *testing.T) {
	t.Parallel()

	model := llmtest.New(t)
	model.OnUnderstand(llmtest.Reply{JSON: reading("answer"), FirstDelay: patience})
	d := newHarness(t, setup{model: model})
	d.take(d.input("")) // asks what they sell
	started := d.start(d.input("We sell bread"))

	if err := d.engine.Stop(t.Context(), d.scope, started.Turn.Number); err != nil {
		t.Fatal(err)
	}
	d.ended(started.Turn)

	if o := obligations.Find(d.list(), "business"); o.Value == nil {
		t.Error("what the person said was lost")
	}
}

// What the person does not know goes to research, its job in the transaction
// that makes it true.
func TestResearchIsQueuedWithTheTurn(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.take(d.input(""))
	d.take(d.input("We sell bread"))
	d.take(chat.Input{Tenant: d.scope.Tenant, User: "person", SessionID: d.scope.Session, Answers: map[string]json.RawMessage{
		"team_size": json.RawMessage(`4`), "founded": json.RawMessage(`"2019"`), "channel": json.RawMessage(`"street"`)}})

	asked := payload[sessions.ResearchEvent](t, d.take(d.input("I don't know")), sessions.KindResearch)

	if asked.Key != "market_size" || asked.Type != "market_research" || asked.Why == "user_request" {
		t.Errorf("research %+v", asked)
	}
	var jobs int
	var kind string
	err := postgrestest.Superuser(t, d.pool).QueryRow(t.Context(), `SELECT count(*), max(r.kind) FROM river.river_job AS r JOIN discovery_research_tasks AS t
		ON t.id::text = r.args ->> 'task' AND t.xmin = r.xmin WHERE t.id = $1`, asked.TaskID).Scan(&jobs, &kind)
	if err != nil || jobs != 1 || kind != "research_desk" {
		t.Errorf("%d jobs of kind %q in the task's transaction (%v), want 1", jobs, kind, err)
	}
}
