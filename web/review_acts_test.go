package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
)

func TestReviewDecidesValues(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	act := func(status int, path string, form url.Values) string {
		t.Helper()
		location, body := c.rae.send(status, "/review/"+c.id+"/values/team/"+path, form)
		if want := "/review/" + c.id + "#ob-team"; status == http.StatusSeeOther && location != want {
			t.Errorf("%s leads to %q, want %q", path, location, want)
		}
		return body
	}
	act(http.StatusConflict, "confirm", url.Values{"value": {"5"}}) // the page it was sent from is old
	act(http.StatusUnprocessableEntity, "confirm", url.Values{"value": {"{"}})
	act(http.StatusSeeOther, "confirm", url.Values{"value": {"4"}})
	if got := c.obligation(c.rae, "team"); got.Confidence != 1 || got.Evidence[len(got.Evidence)-1].By != "rae" {
		t.Errorf("after rae confirmed: %+v", got)
	}
	if body := act(http.StatusUnprocessableEntity, "decide", url.Values{"answer.team": {"many"}}); !strings.Contains(body, "must be a number") {
		t.Errorf("a value that does not fit is refused without saying why: %.500s", body)
	}
	act(http.StatusSeeOther, "decide", url.Values{"answer.team": {"5"}, "upto.team": {"8"}, "note": {"the register says so"}})
	if got := c.obligation(c.rae, "team"); string(got.Value) != `{"max":8,"min":5}` || got.Evidence[len(got.Evidence)-1].Quote != "the register says so" {
		t.Errorf("after rae decided: %s %+v", got.Value, got.Evidence)
	}
	act(http.StatusSeeOther, "reopen", url.Values{"note": {"let them say"}})
	act(http.StatusSeeOther, "skip", url.Values{"reason": {"not_applicable"}})
	if got := c.obligation(c.rae, "team"); got.SkipReason != "not_applicable" || got.Value != nil {
		t.Errorf("after rae left it out: %+v", got)
	}
}

func TestReviewSettlesDisputes(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	c.rae.send(http.StatusSeeOther, "/review/"+c.id+"/values/team/dispute", url.Values{"value": {"4"}, "reason": {"The register says five"}})
	c.post(c.anna, "/obligations/team/negotiation/value", map[string]any{"userValue": 5})
	root := c.rae.drawn("/review/" + c.id)
	if got := words(only(t, root, "dispute-team")); !strings.Contains(got, "The register says five") || !strings.Contains(got, "Take “5”") {
		t.Errorf("the dispute says %q", got)
	}
	if got := words(only(t, root, "review-waiting")); got != "1" {
		t.Errorf("%s to decide, want 1", got)
	}
	c.rae.send(http.StatusSeeOther, "/review/"+c.id+"/values/team/settle", url.Values{"resolution": {"agent_accepted"}})

	if got := c.obligation(c.rae, "team"); string(got.Value) != "5" || got.Negotiation.Open() {
		t.Errorf("after the dispute: %+v", got)
	}
	if root := c.rae.drawn("/review/" + c.id); len(tested(root, "dispute-team")) != 0 {
		t.Error("the dispute still waits")
	}
}

func TestReviewDecidesConflicts(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	c.anna.say(turnBody{SessionID: c.id, Answers: map[string]json.RawMessage{"start": json.RawMessage(`"2027-05-01"`)}})
	c.anna.say(turnBody{SessionID: c.id, Answers: map[string]json.RawMessage{"launch": json.RawMessage(`"2027-01-01"`)}})
	open := tested(c.rae.drawn("/review/"+c.id), "conflict-")
	if len(open) == 0 {
		t.Fatal("no conflict is shown")
	}
	if got := words(open[0]); !strings.Contains(got, "The launch lies before the start.") || !strings.Contains(got, "1 May 2027") || !strings.Contains(got, "1 January 2027") {
		t.Errorf("the conflict says %q", got)
	}
	id := strings.TrimPrefix(attribute(open[0], "data-testid"), "conflict-")
	c.rae.send(http.StatusUnprocessableEntity, "/review/"+c.id+"/conflicts/"+id, url.Values{})
	c.rae.send(http.StatusSeeOther, "/review/"+c.id+"/conflicts/"+id, url.Values{"side": {"both"}, "note": {"a soft launch"}})

	root := c.rae.drawn("/review/" + c.id)
	if len(tested(root, "conflict-"+id)) != 0 || !strings.Contains(words(root), "a soft launch") {
		t.Error("the conflict still waits, or what decided it is not told")
	}
	c.rae.send(http.StatusConflict, "/review/"+c.id+"/conflicts/"+id, url.Values{"side": {"both"}})
}

func TestReviewApprovesWhatResearchProposes(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	super := postgrestest.Superuser(t, c.rae.pool)
	defer super.Close()
	if _, err := super.Exec(t.Context(), `UPDATE elicitation_obligations SET status = 'partial', confidence = 0.65 WHERE session_id = $1 AND obligation_key = 'team'`, c.id); err != nil {
		t.Fatal(err)
	}
	var task string
	err := super.QueryRow(t.Context(), `INSERT INTO discovery_research_tasks (tenant_id, session_id, obligation_key, task_type, trigger, query, status, turn, outcome, summary, proposal, started_at, completed_at)
		VALUES ($1, $2, 'team', 'domain_research', 'user_request', 'How many are they?', 'completed', 2, 'found', 'The register <i>lists</i> four.', '{"obligationKey": "team", "value": 4, "claims": [1], "by": "rules"}', now(), now()) RETURNING id`, c.rae.tenant, c.id).Scan(&task)
	if err != nil {
		t.Fatal(err)
	}
	if got := words(only(t, c.rae.drawn("/review?need=research"), "row-"+c.id)); !strings.Contains(got, "1 research waiting") {
		t.Errorf("the row says %q", got)
	}
	if got := words(only(t, c.rae.drawn("/review/"+c.id), "proposal-"+task)); !strings.Contains(got, "Research proposes Team 4 The register <i>lists</i> four.") {
		t.Errorf("the proposal says %q", got)
	}

	c.rae.send(http.StatusSeeOther, "/review/"+c.id+"/values/team/confirm", url.Values{"value": {"4"}})

	if got := c.obligation(c.rae, "team"); got.Status != "satisfied" {
		t.Errorf("the value is %s after it was approved, want satisfied", got.Status)
	}
	if n := len(tested(c.rae.drawn("/review/"+c.id), "proposal-")); n != 0 {
		t.Errorf("%d proposals still wait", n)
	}
	only(t, c.rae.drawn("/review?need=research"), "review-empty")
}

func TestReviewDecidesConflictsWithAThirdValue(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	c.anna.say(turnBody{SessionID: c.id, Answers: map[string]json.RawMessage{"start": json.RawMessage(`"2027-05-01"`)}})
	c.anna.say(turnBody{SessionID: c.id, Answers: map[string]json.RawMessage{"launch": json.RawMessage(`"2027-01-01"`)}})
	id := strings.TrimPrefix(attribute(tested(c.rae.drawn("/review/"+c.id), "conflict-")[0], "data-testid"), "conflict-")
	form := url.Values{"form": {"conflict." + id}, "side": {"value.launch"}, "answer.launch": {"2027-02-01"}, "note": {"the plan says so"}}
	path := "/review/" + c.id + "/conflicts/" + id

	_, body := c.rae.send(http.StatusUnprocessableEntity, path, form)
	root := parsed(t, body)
	if got := words(only(t, root, "refused")); !strings.Contains(got, "it does not fit either") {
		t.Errorf("the form says %q", got)
	}
	conflict := only(t, root, "conflict-"+id)
	if field := only(t, conflict, "set-launch"); attribute(field, "value") != "2027-02-01" || attribute(field, "aria-invalid") != "true" || attribute(field, "aria-describedby") != "refused" {
		t.Errorf("the field is shown as %+v, want what was typed, marked", field.Attr)
	}
	if note := only(t, conflict, "conflict-note"); attribute(note, "value") != "the plan says so" {
		t.Errorf("the note is shown as %q", attribute(note, "value"))
	}
	if got := c.obligation(c.rae, "launch"); string(got.Value) != `"2027-01-01"` {
		t.Errorf("a refused form changed the value to %s", got.Value)
	}

	form.Set("answer.launch", "2027-06-01")
	location, _ := c.rae.send(http.StatusSeeOther, path, form)
	if location != "/review/"+c.id+"#ob-launch" && location != "/review/"+c.id+"#ob-start" {
		t.Errorf("it leads to %q", location)
	}
	if got := c.obligation(c.rae, "launch"); string(got.Value) != `"2027-06-01"` || got.Evidence[len(got.Evidence)-1].Kind != obligations.Reviewer {
		t.Errorf("after the third value: %s %+v", got.Value, got.Evidence)
	}
}

// Each form that cannot be done is shown again as it was sent, opened, with what is
// wrong at its field, and changes nothing.
func TestReviewShowsRefusedFormsAgain(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	before := c.rae.kept()
	long := strings.Repeat("so ", 2000)
	for _, tt := range []struct {
		act, field, typed, says string
		status                  int
		form                    url.Values
	}{
		{"confirm", "confirm-team", "", "Another value is held by now", http.StatusConflict, url.Values{"form": {"confirm.team"}, "value": {"5"}}},
		{"dispute", "reason-value-team", "", "", http.StatusUnprocessableEntity, url.Values{"form": {"dispute.value-team"}, "value": {"4"}, "reason": {" "}}},
		{"decide", "set-team", "many", "must be a number", http.StatusUnprocessableEntity, url.Values{"form": {"decide.team"}, "answer.team": {"many"}, "note": {"I know"}}},
		{"reopen", "reopen-note-team", long, "At most", http.StatusRequestEntityTooLarge, url.Values{"form": {"reopen.team"}, "note": {long}}},
		{"skip", "", "", "A reason is", http.StatusUnprocessableEntity, url.Values{"form": {"skip.team"}, "reason": {"tired"}}},
	} {
		_, body := c.rae.send(tt.status, "/review/"+c.id+"/values/team/"+tt.act, tt.form)
		root := parsed(t, body)
		if got := words(only(t, root, "refused")); !strings.Contains(strings.ToLower(got), strings.ToLower(tt.says)) {
			t.Errorf("%s: the form says %q, want %q", tt.act, got, tt.says)
		}
		only(t, root, "review")
		if tt.field == "" {
			continue
		}
		field := only(t, root, tt.field)
		if attribute(field, "aria-invalid") != "true" || attribute(field, "value") != tt.typed && tt.act != "dispute" {
			t.Errorf("%s: its field is %v", tt.act, field.Attr)
		}
	}
	if diff := cmp.Diff(before, c.rae.kept()); diff != "" {
		t.Errorf("refused forms changed something (-before +after):\n%s", diff)
	}
	form := url.Values{"form": {"decide.team"}, "answer.team": {"many"}}
	resp := c.rae.do(request{method: http.MethodPost, path: "/review/" + c.id + "/values/team/decide", body: form.Encode(), header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}})
	if resp.StatusCode != http.StatusUnprocessableEntity || resp.Header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("a program is answered %d, %s; want a problem", resp.StatusCode, resp.Header.Get("Content-Type"))
	}
}
