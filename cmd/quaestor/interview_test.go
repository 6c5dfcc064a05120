package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"quaestor/internal/postgres/postgrestest"
)

// question is what the interviewer asks.
type question struct {
	Purpose    string
	Key        string
	Widget     string `json:"widgetType"`
	Attempt    int
	Choices    []struct{ Value, Label string }
	Unit       string
	Min, Max   *float64
	Values     []json.RawMessage
	Fields     []question
	AllowOther bool
}

// known is an obligation as a person's script and the checks need it.
type known struct {
	Key, FieldPath, Status string
	Examples               []string
	Value                  json.RawMessage
	WidgetType             string
}

// interview is a person who is interviewed, and what the checks remember.
type interview struct {
	*program
	session   string
	known     map[string]known
	required  []string
	difficult bool
	status    map[string]string // of each obligation, by its last event
	progress  float64
	phase     string
	troubles  int
	formulas  int // answers that a spreadsheet would take for a formula
}

// phases in their order.
var phases = []string{"opening", "exploration", "validation", "closing"}

// Whole conversations with the rules, in each objective that is shipped, with a
// person who helps and one who does not.
func TestInterviewsReachTheirEnd(t *testing.T) {
	t.Parallel()

	url := postgrestest.URL(t)
	p := launch(t, "--database-url", url)
	for _, objective := range []string{"business_profile", "idea_discovery", "project_discovery"} {
		for person, difficult := range map[string]bool{"cooperative": false, "difficult": true} {
			t.Run(objective+" "+person, func(t *testing.T) {
				t.Parallel()

				own := *p
				own.t = t
				v := &interview{program: &own, difficult: difficult, status: map[string]string{}, phase: "opening"}
				v.hold(objective, person)
				v.checkExports()
				v.checkReplay(url)
			})
		}
	}
}

// maxTurns bounds an interview.
const maxTurns = 120

// hold has the conversation.
func (v *interview) hold(objective, person string) {
	v.t.Helper()
	body := map[string]any{"contextType": objective, "message": "", "userId": person}
	for range maxTurns {
		events := v.turn(body)
		v.check(events, body)
		if v.session == "" {
			v.session = fmt.Sprint(events[0].Data["sessionId"])
			v.learn()
		}
		switch reason := events[len(events)-1].Data["reason"]; reason {
		case "completed":
			return
		case "answered":
		default:
			v.t.Fatalf("the conversation ended with %v after %v", reason, body)
		}
		var q question
		if raw := first(events, "question").Raw; raw == "" || json.Unmarshal([]byte(raw), &q) != nil {
			v.t.Fatalf("nothing is asked after %v: %s", body, first(events, "message").Raw)
		}
		body = v.answer(q)
		body["sessionId"] = v.session
		body["userId"] = person
	}
	v.t.Fatalf("no end after %d turns; the obligations stand at %v", maxTurns, v.status)
}

// learn reads what the objective wants.
func (v *interview) learn() {
	v.t.Helper()
	v.known = map[string]known{}
	for _, o := range fetch[struct{ Items []known }](v.program, "/api/v1/sessions/"+v.session+"/obligations").Items {
		v.known[o.Key] = o
	}
	v.required = fetch[struct {
		Completeness struct{ MissingRequired []string }
	}](v.program, "/api/v1/sessions/"+v.session).Completeness.MissingRequired
}

// answer is what the person says to a question.
func (v *interview) answer(q question) map[string]any {
	switch q.Purpose {
	case "widen":
		return map[string]any{"message": "Nothing else"}
	case "finish", "confirm", "approve":
		return map[string]any{"message": "yes"}
	case "conflict":
		return map[string]any{"answers": map[string]any{q.Key: q.Values[0]}}
	case "form":
		answers := map[string]any{}
		for _, f := range q.Fields {
			answers[f.Key] = v.widget(f)
		}
		return map[string]any{"answers": answers}
	}
	if trouble := v.trouble(q); trouble != "" {
		return map[string]any{"message": trouble}
	}
	if q.Widget == "text" {
		if v.difficult && v.formulas == 0 && q.Attempt > 1 {
			v.formulas++
			return map[string]any{"answers": map[string]any{q.Key: "=1+2 " + v.tell(q)}} // typed into the field, it is kept as it is
		}
		return map[string]any{"message": v.tell(q)}
	}
	return map[string]any{"answers": map[string]any{q.Key: v.widget(q)}}
}

// trouble is what a difficult person says when a question comes for the first
// time, now and then.
func (v *interview) trouble(q question) string {
	if !v.difficult || q.Attempt > 1 {
		return ""
	}
	v.troubles++
	list := []string{"why do you ask?", "", "what do you mean?", "later", "", "how far are we?", "hmm, what a day"}
	if !slices.Contains(v.required, q.Key) {
		list = append(list, "skip", "I don't know", "that does not apply to us")
	}
	return list[v.troubles%len(list)]
}

// tell answers a question for a text by one of its examples.
func (v *interview) tell(q question) string {
	o := v.known[q.Key]
	if len(o.Examples) == 0 {
		return "We have thought about that for a long time and settled on a plan for it"
	}
	return o.Examples[min(q.Attempt-1, len(o.Examples)-1)]
}

// widget fills in a field.
func (v *interview) widget(q question) any {
	switch q.Widget {
	case "choice":
		return q.Choices[0].Value
	case "multiselect":
		return []string{q.Choices[0].Value}
	case "date":
		return "2027-03"
	case "number":
		n := 12.0
		if q.Min != nil {
			n = max(n, *q.Min)
		}
		if q.Max != nil {
			n = min(n, *q.Max)
		}
		return n
	}
	return v.tell(q)
}

// check holds a turn's events against what is promised of every turn.
func (v *interview) check(events []event, said map[string]any) {
	v.t.Helper()
	corrected := first(events, "conflict").Raw != ""
	for _, e := range events {
		switch e.Type {
		case "question":
			v.checkQuestion(e)
		case "obligation":
			v.status[fmt.Sprint(e.Data["key"])] = fmt.Sprint(e.Data["status"])
			corrected = corrected || e.Data["previousValue"] != nil
		case "completeness":
			now := e.Data["progress"].(float64)
			if now < v.progress && !corrected {
				v.t.Errorf("progress fell from %v to %v after %v", v.progress, now, said)
			}
			v.progress = now
		case "phase":
			v.checkPhase(e)
		}
	}
	if last := events[len(events)-1]; last.Type != "done" || first(events, "message").Data["content"] == "" {
		v.t.Errorf("the turn after %v has no whole end: %s", said, last.Raw)
	}
}

func (v *interview) checkQuestion(e event) {
	v.t.Helper()
	var q question
	if err := json.Unmarshal([]byte(e.Raw), &q); err != nil {
		v.t.Fatal(err)
	}
	keys := []string{q.Key}
	for _, f := range q.Fields {
		keys = append(keys, f.Key)
	}
	for _, key := range keys {
		if status := v.status[key]; (q.Purpose == "ask" || q.Purpose == "form") && (status == "satisfied" || status == "skipped") {
			v.t.Errorf("%s is %s and is asked again", key, status)
		}
	}
}

func (v *interview) checkPhase(e event) {
	v.t.Helper()
	from, to := slices.Index(phases, fmt.Sprint(e.Data["from"])), slices.Index(phases, fmt.Sprint(e.Data["phase"]))
	if phases[from] != v.phase || to < 1 {
		v.t.Errorf("phase moved from %s to %s, it was %s", e.Data["from"], e.Data["phase"], v.phase)
	}
	if thresholds := []float64{0, 0.2, 0.8, 0.95}; to > from && v.progress < thresholds[to]-1e-9 || to < from && v.progress > thresholds[from]-0.05+1e-9 {
		v.t.Errorf("phase moved from %s to %s at progress %v", phases[from], phases[to], v.progress)
	}
	v.phase = phases[to]
}

// checkExports reads the session in every format.
func (v *interview) checkExports() {
	v.t.Helper()
	path := "/api/v1/sessions/" + v.session
	if s := fetch[struct{ Status, StopReason string }](v.program, path); s.Status != "completed" || s.StopReason != "completed" {
		v.t.Errorf("the session is %+v, want completed", s)
	}
	list := fetch[struct{ Items []known }](v.program, path+"/obligations").Items
	tree := fetch[map[string]any](v.program, path+"/export?format=json")
	for _, o := range list {
		if o.Value == nil || o.Status == "skipped" {
			continue
		}
		var want any
		if err := json.Unmarshal(o.Value, &want); err != nil {
			v.t.Fatal(err)
		}
		if got := at(tree, o.FieldPath); fmt.Sprint(got) != fmt.Sprint(want) {
			v.t.Errorf("the export holds %v at %s, want %v", got, o.FieldPath, want)
		}
	}
	brief := string(v.get(path + "/export?format=md"))
	if !strings.HasPrefix(brief, "# ") || strings.Count(brief, "\n- **") != len(list) {
		v.t.Errorf("the brief lists %d of %d obligations", strings.Count(brief, "\n- **"), len(list))
	}
	v.checkSheet(string(v.get(path+"/export?format=csv")), len(list))
}

func (v *interview) checkSheet(text string, want int) {
	v.t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) != want+1 {
		v.t.Fatalf("the sheet has %d rows (%v), want %d", len(rows), err, want+1)
	}
	formulas := 0
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsRune("=+-@", rune(cell[0])) {
				v.t.Errorf("the cell %q is a formula", cell)
			}
			if strings.HasPrefix(cell, "'=") {
				formulas++
			}
		}
	}
	if v.formulas > 0 && formulas == 0 {
		v.t.Error("the answer that looks like a formula is not in the sheet")
	}
}

// at returns what stands at a dot path.
func at(tree map[string]any, path string) any {
	var node any = tree
	for _, name := range strings.Split(path, ".") {
		m, ok := node.(map[string]any)
		if !ok {
			return nil
		}
		node = m[name]
	}
	return node
}

// checkReplay rebuilds the session from its log and takes its messages through
// the same interviewer once more; both must give what is stored.
func (v *interview) checkReplay(url string) {
	v.t.Helper()
	for args, want := range map[string]string{
		"":                    "The record gives the stored state",
		"--until 4":           "after turn 4 of",
		"--interviewer rules": "Nothing differs.",
		"--until 9 --interviewer rules --format json": `"differences": []`,
	} {
		out, err := v.command(url, append([]string{"session", "replay", v.session}, strings.Fields(args)...)...)
		if err != nil || !strings.Contains(out, want) {
			v.t.Errorf("session replay %s: %v, want %q in\n%s", args, err, want, out)
		}
	}
	if _, err := v.command(url, "session", "replay", v.session, "--objective", "99.0.0"); err == nil || !strings.Contains(err.Error(), "there is no objective") {
		v.t.Errorf("replay with an unknown version: %v, want one that names those there are", err)
	}
	if _, err := v.command(url, "session", "replay", v.session, "--until", "1000"); err == nil {
		v.t.Error("replay until a turn that was never taken: no error")
	}
}

// command runs the program once, on the same database.
func (v *interview) command(url string, args ...string) (string, error) {
	v.t.Helper()
	var out bytes.Buffer
	err := run(v.t.Context(), append(args, "--database-url", url, "--log-level", "error"), &out, io.Discard)
	return out.String(), err
}
