package review_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/web"
	"quaestor/web/review"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

func TestReviewDecidesValues(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	act := func(status int, path string, form url.Values) string {
		t.Helper()
		location, body := c.Rae.Send(status, "/review/"+c.ID+"/values/team/"+path, form)
		if want := "/review/" + c.ID + "#ob-team"; status == http.StatusSeeOther && location != want {
			t.Errorf("%s leads to %q, want %q", path, location, want)
		}
		return body
	}
	act(http.StatusConflict, "confirm", url.Values{"value": {"5"}}) // the page it was sent from is old
	act(http.StatusUnprocessableEntity, "confirm", url.Values{"value": {"{"}})
	act(http.StatusSeeOther, "confirm", url.Values{"value": {"4"}})
	if got := c.Obligation(c.Rae, "team"); got.Confidence != 1 || got.Evidence[len(got.Evidence)-1].By != "rae" {
		t.Errorf("after rae confirmed: %+v", got)
	}
	if body := act(http.StatusUnprocessableEntity, "decide", url.Values{"answer.team": {"many"}}); !strings.Contains(body, "must be a number") {
		t.Errorf("a value that does not fit is refused without saying why: %.500s", body)
	}
	act(http.StatusSeeOther, "decide", url.Values{"answer.team": {"5"}, "upto.team": {"8"}, "note": {"the register says so"}})
	if got := c.Obligation(c.Rae, "team"); string(got.Value) != `{"max":8,"min":5}` || got.Evidence[len(got.Evidence)-1].Quote != "the register says so" {
		t.Errorf("after rae decided: %s %+v", got.Value, got.Evidence)
	}
	act(http.StatusSeeOther, "reopen", url.Values{"note": {"let them say"}})
	act(http.StatusSeeOther, "skip", url.Values{"reason": {"not_applicable"}})
	if got := c.Obligation(c.Rae, "team"); got.SkipReason != "not_applicable" || got.Value != nil {
		t.Errorf("after rae left it out: %+v", got)
	}
}

func TestReviewSettlesDisputes(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	c.Rae.Send(http.StatusSeeOther, "/review/"+c.ID+"/values/team/dispute", url.Values{"value": {"4"}, "reason": {"The register says five"}})
	c.Post(c.Anna, "/obligations/team/negotiation/value", map[string]any{"userValue": 5})
	root := c.Rae.Drawn("/review/" + c.ID)
	if got := webtest.Words(webtest.Only(t, root, "dispute-team")); !strings.Contains(got, "The register says five") || !strings.Contains(got, "Take “5”") {
		t.Errorf("the dispute shows %q", got)
	}
	if got := webtest.Words(webtest.Only(t, root, "review-waiting")); got != "1" {
		t.Errorf("%s to decide, want 1", got)
	}
	c.Rae.Send(http.StatusSeeOther, "/review/"+c.ID+"/values/team/settle", url.Values{"resolution": {"agent_accepted"}})

	if got := c.Obligation(c.Rae, "team"); string(got.Value) != "5" || got.Negotiation.Open() {
		t.Errorf("after the dispute: %+v", got)
	}
	if root := c.Rae.Drawn("/review/" + c.ID); len(webtest.Tested(root, "dispute-team")) != 0 {
		t.Error("the dispute still waits")
	}
}

func TestReviewDecidesConflicts(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	c.Anna.Say(talk.TurnBody{SessionID: c.ID, Answers: map[string]json.RawMessage{"start": json.RawMessage(`"2027-05-01"`)}})
	c.Anna.Say(talk.TurnBody{SessionID: c.ID, Answers: map[string]json.RawMessage{"launch": json.RawMessage(`"2027-01-01"`)}})
	open := webtest.Tested(c.Rae.Drawn("/review/"+c.ID), "conflict-")
	if len(open) == 0 {
		t.Fatal("no conflict is shown")
	}
	if got := webtest.Words(open[0]); !strings.Contains(got, "The launch lies before the start.") || !strings.Contains(got, "1 May 2027") || !strings.Contains(got, "1 January 2027") {
		t.Errorf("the conflict shows %q", got)
	}
	id := strings.TrimPrefix(webtest.Attribute(open[0], "data-testid"), "conflict-")
	c.Rae.Send(http.StatusUnprocessableEntity, "/review/"+c.ID+"/conflicts/"+id, url.Values{})
	c.Rae.Send(http.StatusSeeOther, "/review/"+c.ID+"/conflicts/"+id, url.Values{"side": {"both"}, "note": {"a soft launch"}})

	root := c.Rae.Drawn("/review/" + c.ID)
	if len(webtest.Tested(root, "conflict-"+id)) != 0 || !strings.Contains(webtest.Words(root), "a soft launch") {
		t.Error("the conflict still waits, or what decided it is not told")
	}
	c.Rae.Send(http.StatusConflict, "/review/"+c.ID+"/conflicts/"+id, url.Values{"side": {"both"}})
}

func TestReviewApprovesWhatResearchProposes(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	super := postgrestest.Superuser(t, c.Rae.Pool)
	defer super.Close()
	if _, err := super.Exec(t.Context(), `UPDATE elicitation_obligations SET status = 'partial', confidence = 0.65 WHERE session_id = $1 AND obligation_key = 'team'`, c.ID); err != nil {
		t.Fatal(err)
	}
	var task string
	err := super.QueryRow(t.Context(), `INSERT INTO discovery_research_tasks (tenant_id, session_id, obligation_key, task_type, trigger, query, status, turn, outcome, summary, proposal, started_at, completed_at)
		VALUES ($1, $2, 'team', 'domain_research', 'user_request', 'How many are they?', 'completed', 2, 'found', 'The register <i>lists</i> four.', '{"obligationKey": "team", "value": 4, "claims": [1], "by": "rules"}', now(), now()) RETURNING id`, c.Rae.Tenant, c.ID).Scan(&task)
	if err != nil {
		t.Fatal(err)
	}
	if got := webtest.Words(webtest.Only(t, c.Rae.Drawn("/review?need=research"), "row-"+c.ID)); !strings.Contains(got, "1 research waiting") {
		t.Errorf("the row shows %q", got)
	}
	if got := webtest.Words(webtest.Only(t, c.Rae.Drawn("/review/"+c.ID), "proposal-"+task)); !strings.Contains(got, "Research proposes Team 4 The register <i>lists</i> four.") {
		t.Errorf("the proposal shows %q", got)
	}

	c.Rae.Send(http.StatusSeeOther, "/review/"+c.ID+"/values/team/confirm", url.Values{"value": {"4"}})

	if got := c.Obligation(c.Rae, "team"); got.Status != "satisfied" {
		t.Errorf("the value is %s after it was approved, want satisfied", got.Status)
	}
	if n := len(webtest.Tested(c.Rae.Drawn("/review/"+c.ID), "proposal-")); n != 0 {
		t.Errorf("%d proposals still wait", n)
	}
	webtest.Only(t, c.Rae.Drawn("/review?need=research"), "review-empty")
}

func TestReviewDecidesConflictsWithAThirdValue(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	c.Anna.Say(talk.TurnBody{SessionID: c.ID, Answers: map[string]json.RawMessage{"start": json.RawMessage(`"2027-05-01"`)}})
	c.Anna.Say(talk.TurnBody{SessionID: c.ID, Answers: map[string]json.RawMessage{"launch": json.RawMessage(`"2027-01-01"`)}})
	id := strings.TrimPrefix(webtest.Attribute(webtest.Tested(c.Rae.Drawn("/review/"+c.ID), "conflict-")[0], "data-testid"), "conflict-")
	form := url.Values{"form": {"conflict." + id}, "side": {"values"}, "key": {"start", "launch"}, "answer.launch": {"2027-02-01"}, "note": {"the plan says so"}}
	path := "/review/" + c.ID + "/conflicts/" + id

	_, body := c.Rae.Send(http.StatusUnprocessableEntity, path, form)
	root := parsed(t, body)
	if got := webtest.Words(webtest.Only(t, root, "refused")); !strings.Contains(got, "it does not fit either") {
		t.Errorf("the form shows %q", got)
	}
	conflict := webtest.Only(t, root, "conflict-"+id)
	if field := webtest.Only(t, conflict, "set-launch"); webtest.Attribute(field, "value") != "2027-02-01" || webtest.Attribute(field, "aria-invalid") != "true" || webtest.Attribute(field, "aria-describedby") != "refused" {
		t.Errorf("the field is shown as %+v, want what was typed, marked", field.Attr)
	}
	if note := webtest.Only(t, conflict, "conflict-note"); webtest.Attribute(note, "value") != "the plan says so" {
		t.Errorf("the note is shown as %q", webtest.Attribute(note, "value"))
	}
	if got := c.Obligation(c.Rae, "launch"); string(got.Value) != `"2027-01-01"` {
		t.Errorf("a refused form changed the value to %s", got.Value)
	}

	form.Set("answer.launch", "2027-06-01")
	location, _ := c.Rae.Send(http.StatusSeeOther, path, form)
	if location != "/review/"+c.ID+"#ob-launch" && location != "/review/"+c.ID+"#ob-start" {
		t.Errorf("it leads to %q", location)
	}
	if got := c.Obligation(c.Rae, "launch"); string(got.Value) != `"2027-06-01"` || got.Evidence[len(got.Evidence)-1].Kind != obligations.Reviewer {
		t.Errorf("after the third value: %s %+v", got.Value, got.Evidence)
	}
}

// Values may still be reviewed after the interview is over: a reviewer confirms, rejects,
// sets and comments, and nothing is asked again.
func TestReviewDecidesAfterCompletion(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	c.Anna.Say(talk.TurnBody{SessionID: c.ID, Answers: map[string]json.RawMessage{"start": json.RawMessage(`"2027-05-01"`), "launch": json.RawMessage(`"2027-06-01"`)}})
	webtest.Fetch[web.SessionBody](c.Anna, http.StatusOK, webtest.Request{Method: http.MethodPost, Path: c.Path + "/complete"})
	act := func(status int, key, act string, form url.Values) {
		t.Helper()
		c.Rae.Send(status, "/review/"+c.ID+"/values/"+key+"/"+act, form)
	}

	act(http.StatusSeeOther, "team", "confirm", url.Values{"value": {"4"}})
	if got := c.Obligation(c.Rae, "team"); got.Confidence != 1 || got.Evidence[len(got.Evidence)-1].By != "rae" {
		t.Errorf("after rae confirmed: %+v", got)
	}
	act(http.StatusSeeOther, "launch", "decide", url.Values{"answer.launch": {"2027-01-01"}})
	act(http.StatusSeeOther, "team", "decide", url.Values{"answer.team": {"6"}})
	act(http.StatusSeeOther, "team", "dispute", url.Values{"value": {"6"}, "reason": {"The register says five"}})
	root := c.Rae.Drawn("/review/" + c.ID)
	if got := webtest.Words(webtest.Only(t, root, "held-team")); !strings.HasPrefix(got, "6") {
		t.Errorf("the value in dispute is shown as %q", got)
	}
	if len(webtest.Tested(root, "reopen-")) != 0 || len(webtest.Tested(root, "side-0")) != 1 || len(webtest.Tested(root, "side-1")) != 1 {
		t.Error("the page offers to ask again, or does not show both sides of the conflict")
	}
	act(http.StatusSeeOther, "team", "decide", url.Values{"answer.team": {"5"}})
	if got := c.Obligation(c.Rae, "team"); string(got.Value) != "5" || got.Negotiation.Open() {
		t.Errorf("after rae set the value: %+v", got)
	}
	act(http.StatusConflict, "team", "reopen", url.Values{"note": {"again"}})

	id := strings.TrimPrefix(webtest.Attribute(webtest.Tested(root, "conflict-")[0], "data-testid"), "conflict-")
	path := "/review/" + c.ID + "/conflicts/" + id
	c.Rae.Send(http.StatusConflict, path, url.Values{"side": {"0"}})
	c.Rae.Send(http.StatusSeeOther, path, url.Values{"side": {"values"}, "key": {"start", "launch"}, "answer.start": {"2027-02-01"}, "answer.launch": {"2027-03-01"}})
	for key, want := range map[string]string{"start": `"2027-02-01"`, "launch": `"2027-03-01"`} {
		if got := c.Obligation(c.Rae, key); string(got.Value) != want || got.Evidence[len(got.Evidence)-1].Kind != obligations.Reviewer {
			t.Errorf("%s is %s on %+v, want %s by a reviewer", key, got.Value, got.Evidence, want)
		}
	}
	webtest.Fetch[review.CommentSeen](c.Rae, http.StatusCreated, webtest.Request{Path: c.Path + "/comments", Body: map[string]any{"text": "Settled with the register.", "key": "team"}})
	got := webtest.Fetch[web.SessionBody](c.Anna, http.StatusOK, webtest.Request{Path: c.Path})
	if got.Status != "completed" {
		t.Errorf("the session is %s", got.Status)
	}
	webtest.CheckRefusal(t, c.Anna, webtest.Refusal{Request: webtest.Request{Path: c.Path + "/obligations/team/negotiation", Body: map[string]any{"userRejection": "no"}}, Status: 409, Code: "session_completed"})
}

// A value in dispute stays visible, to the person and to reviewers.
func TestDisputedValueStaysInSight(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	c.Rae.Send(http.StatusSeeOther, "/review/"+c.ID+"/values/team/dispute", url.Values{"value": {"4"}, "reason": {"The register says five"}})
	if got := webtest.Words(webtest.Only(t, c.Rae.Drawn("/review/"+c.ID), "held-team")); got != "4 (in dispute)" {
		t.Errorf("reviewers see %q", got)
	}
	if got := webtest.Words(webtest.Only(t, c.Anna.Drawn("/s/"+c.ID), "obligation-team")); !strings.Contains(got, "4 (in dispute)") {
		t.Errorf("anna sees %q", got)
	}
}

// A reviewer makes an emergent question part of the objective, in neutral words, on the page.
func TestReviewWordsWhatCameUp(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	c.Anna.Say(talk.TurnBody{SessionID: c.ID, Message: "One more thing we must not forget: the old patient cards must be scanned."})
	came := webtest.EmergentIn(c.Anna, c.ID)
	path := "/review/" + c.ID + "/values/" + came.Key
	if to := webtest.Attribute(webtest.Only(t, c.Rae.Drawn("/review/"+c.ID), "word-"+came.Key), "href"); to != path+"/wording" {
		t.Errorf("approving leads to %s", to)
	}
	editor := c.Rae.Drawn(path + "/wording")
	if got := webtest.Attribute(webtest.Only(t, editor, "wording-label-"+came.Key), "value"); got != "" {
		t.Errorf("the label is filled in with %q", got)
	}
	if got := webtest.Words(webtest.Only(t, editor, "background")); !strings.Contains(got, "the old patient cards must be scanned") {
		t.Errorf("beside the fields stands %q", got)
	}
	form := url.Values{"form": {"approve." + came.Key}, "label": {"Paper records"}}
	for _, quote := range []string{"What of the old patient cards?", "Is it more than what we must not forget?"} {
		form.Set("prompt", quote)
		_, body := c.Rae.Send(http.StatusUnprocessableEntity, path+"/approve", form)
		again := parsed(t, body)
		if why := webtest.Words(webtest.Only(t, again, "refused")); !strings.HasPrefix(why, "The question repeats the person's own words") || !strings.Contains(why, "replace them") {
			t.Errorf("%q is refused with %q", quote, why)
		}
		if field := webtest.Only(t, again, "wording-prompt-"+came.Key); webtest.Words(field) != quote || webtest.Attribute(field, "aria-invalid") != "true" {
			t.Errorf("the field holds %q", webtest.Words(field))
		}
	}
	form.Set("prompt", "Which records exist on paper only?")
	c.Rae.Send(http.StatusSeeOther, path+"/approve", form)
	webtest.CheckRefusal(t, c.Rae, webtest.Refusal{Request: webtest.Request{Path: path + "/wording"}, Status: 409})
	if n := len(webtest.Tested(c.Rae.Drawn("/review/"+c.ID), "came-up-")); n != 0 {
		t.Errorf("%d proposals still wait", n)
	}
	ben := c.Ben.Begin("planned")
	list := webtest.Fetch[web.Page[webtest.ObligationSeen]](c.Ben, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + ben + "/obligations"})
	if last := list.Items[len(list.Items)-1]; last.Key != "paper_records" {
		t.Errorf("ben is asked for %+v", list.Items)
	}
}

// A form that is refused is shown again as it was sent, opened, with the fault at its field.
// It changes nothing.
func TestReviewShowsRefusedFormsAgain(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	before := c.Rae.Kept()
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
		_, body := c.Rae.Send(tt.status, "/review/"+c.ID+"/values/team/"+tt.act, tt.form)
		root := parsed(t, body)
		if got := webtest.Words(webtest.Only(t, root, "refused")); !strings.Contains(strings.ToLower(got), strings.ToLower(tt.says)) {
			t.Errorf("%s: the form shows %q, want %q", tt.act, got, tt.says)
		}
		webtest.Only(t, root, "review")
		if tt.field == "" {
			continue
		}
		field := webtest.Only(t, root, tt.field)
		if webtest.Attribute(field, "aria-invalid") != "true" || webtest.Attribute(field, "value") != tt.typed && tt.act != "dispute" {
			t.Errorf("%s: its field is %v", tt.act, field.Attr)
		}
	}
	if diff := cmp.Diff(before, c.Rae.Kept()); diff != "" {
		t.Errorf("refused forms changed something (-before +after):\n%s", diff)
	}
	form := url.Values{"form": {"decide.team"}, "answer.team": {"many"}}
	resp := c.Rae.Do(webtest.Request{Method: http.MethodPost, Path: "/review/" + c.ID + "/values/team/decide", Body: form.Encode(), Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}})
	if resp.StatusCode != http.StatusUnprocessableEntity || resp.Header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("a program is answered %d, %s; want a problem", resp.StatusCode, resp.Header.Get("Content-Type"))
	}
}
