package web

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"quaestor/internal/auth"
	"quaestor/obligations"
)

// planned is an objective whose dates must be in order.
const planned = `{"contextType":"planned","version":"1.0.0","displayName":"Planned","description":"A plan.",
	"obligations":[
	 {"key":"team","fieldPath":"team","label":"Team","prompt":"How many people are you?","widgetType":"number","integer":true,"min":1,"max":99,"priority":9},
	 {"key":"start","fieldPath":"start","label":"Start","prompt":"When does it start?","widgetType":"date","priority":8},
	 {"key":"launch","fieldPath":"launch","label":"Launch","prompt":"When does it launch?","widgetType":"date","priority":7}],
	"constraints":[{"name":"in_order","when":"launch < start","message":"The launch lies before the start."}],
	"phases":{"opening":{"goal":"g"},"exploration":{"goal":"g"},"validation":{"goal":"g"},"closing":{"goal":"g"}},
	"completion":{"minObligationsSatisfied":3,"minConfidenceScore":0.5,"requiredObligations":["team"]}}`

// reviewWorld is a world with a session in which values are known.
type reviewWorld struct {
	anna, ben, vera, rae, mallory *world
	path                          string // of anna's session
	id                            string
}

func openCourt(t *testing.T) reviewWorld {
	t.Helper()
	w := open(t, terms{tokens: true})
	other, err := auth.EnsureTenant(t.Context(), w.pool, "elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	boss := w.as(w.tenant, "boss", auth.Owner)
	fetch[objectiveBody](boss, http.StatusCreated, request{path: "/api/v1/objectives", body: planned})
	c := reviewWorld{anna: w.as(w.tenant, "anna", auth.Member), ben: w.as(w.tenant, "ben", auth.Member), vera: w.as(w.tenant, "vera", auth.Viewer),
		rae: w.as(w.tenant, "rae", auth.Reviewer), mallory: w.as(other.ID, "mallory", auth.Owner)}
	c.id = c.anna.begin("planned")
	c.path = "/api/v1/sessions/" + c.id
	c.anna.say(turnBody{SessionID: c.id, Answers: map[string]json.RawMessage{"team": json.RawMessage(`4`)}})
	return c
}

func (c reviewWorld) obligation(w *world, key string) disputeSeen {
	w.t.Helper()
	return fetch[disputeSeen](w, http.StatusOK, request{path: c.path + "/obligations/" + key})
}

// disputeSeen is what these tests look at.
type disputeSeen struct {
	Status      obligations.Status       `json:"status"`
	Value       json.RawMessage          `json:"value"`
	Confidence  float64                  `json:"confidence"`
	Evidence    []obligations.Evidence   `json:"evidence"`
	SkipReason  obligations.SkipReason   `json:"skipReason"`
	Negotiation *obligations.Negotiation `json:"negotiation"`
}

func (c reviewWorld) post(w *world, path string, body any) disputeSeen {
	w.t.Helper()
	return fetch[disputeSeen](w, http.StatusOK, request{path: c.path + path, body: body})
}

// kinds counts the events of the session's log after seq.
func (c reviewWorld) kinds(t *testing.T) map[string]int {
	t.Helper()
	rows, err := c.anna.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Rollback(t.Context()) }()
	if _, err := rows.Exec(t.Context(), `SELECT set_config('app.tenant', $1, true)`, c.anna.tenant); err != nil {
		t.Fatal(err)
	}
	list, err := rows.Query(t.Context(), `SELECT unnest(kinds) FROM session_events WHERE session_id = $1`, c.id)
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	out := map[string]int{}
	for list.Next() {
		var kind string
		if err := list.Scan(&kind); err != nil {
			t.Fatal(err)
		}
		out[kind]++
	}
	return out
}

func TestDisputeInThreeCalls(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	before := c.kinds(t)
	began := c.post(c.anna, "/obligations/team/negotiation", map[string]any{"agentProposal": 4, "userRejection": "we are five"})
	if n := began.Negotiation; began.Value != nil || began.Status != obligations.InProgress || n == nil || n.Status != obligations.NegotiationActive || len(n.Rounds) != 1 {
		t.Fatalf("after the rejection: %+v", began)
	}
	named := c.post(c.anna, "/obligations/team/negotiation/value", map[string]any{"userValue": 5})
	if string(named.Value) != "5" || named.Status != obligations.Partial || string(named.Negotiation.Rounds[0].UserValue) != "5" {
		t.Fatalf("after the person's value: %+v", named)
	}
	done := c.post(c.anna, "/obligations/team/negotiation/resolve", map[string]any{"resolution": "agent_accepted"})

	if n := done.Negotiation; done.Status != obligations.Satisfied || n.Status != obligations.NegotiationResolved || n.Resolution != obligations.AgentAccepted || n.ResolvedBy != "anna" || string(n.FinalValue) != "5" || len(n.Rounds) != 1 {
		t.Errorf("in the end: %+v, %+v", done, n)
	}
	after := c.kinds(t)
	for kind, want := range map[string]int{"negotiation": 3, "obligation": 3, "completeness": 3} {
		if got := after[kind] - before[kind]; got != want {
			t.Errorf("%d events %s, want %d", got, kind, want)
		}
	}
	trail := fetch[page[historyBody]](c.anna, http.StatusOK, request{path: c.path + "/obligations/team/history"})
	disputed := 0
	for _, e := range trail.Items {
		if e.Type == obligations.Negotiated {
			disputed++
		}
	}
	if disputed != 3 {
		t.Errorf("%d lines of the dispute in the history, want 3", disputed)
	}
}

func TestReviewerDecides(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	put := func(w *world, v any, status int) disputeSeen {
		t.Helper()
		return fetch[disputeSeen](w, status, request{method: http.MethodPut, path: c.path + "/obligations/team/value", body: map[string]any{"value": v, "note": "as in the contract"}})
	}
	decided := put(c.rae, 6, http.StatusOK)
	if e := decided.Evidence; string(decided.Value) != "6" || decided.Status != obligations.Satisfied || decided.Confidence != 1 || len(e) != 1 || e[0].Kind != obligations.Reviewer || e[0].By != "rae" || e[0].Quote != "as in the contract" {
		t.Fatalf("after the decision: %+v", decided)
	}
	if n := decided.Negotiation; len(n.Rounds) != 1 || n.Status != obligations.NegotiationResolved || n.ResolvedBy != "rae" {
		t.Errorf("the decision left the dispute %+v, want one round", n)
	}
	trail := fetch[page[historyBody]](c.rae, http.StatusOK, request{path: c.path + "/obligations/team/history"})
	if last := trail.Items[len(trail.Items)-1]; last.Source != obligations.SourceReviewer {
		t.Errorf("the history says %s decided, want reviewer", last.Source)
	}
	lines := len(trail.Items)
	put(c.rae, 6, http.StatusOK)
	if again := fetch[page[historyBody]](c.rae, http.StatusOK, request{path: c.path + "/obligations/team/history"}); len(again.Items) != lines {
		t.Errorf("the same decision again wrote %d lines", len(again.Items)-lines)
	}

	disputed := c.post(c.anna, "/obligations/team/negotiation", map[string]any{"userRejection": "the contract is old"})
	if string(disputed.Value) != "6" || disputed.Negotiation.Status != obligations.NegotiationEscalated {
		t.Fatalf("the person's dispute of a decision: %+v", disputed)
	}
	checkRefusal(t, c.anna, refusal{request: request{path: c.path + "/obligations/team/negotiation/resolve", body: map[string]any{"resolution": "compromise", "finalValue": 8}}, status: 409, code: "negotiation_escalated", says: []string{"reviewer"}})
	if noted := c.post(c.anna, "/obligations/team/negotiation/value", map[string]any{"userValue": 8}); string(noted.Value) != "6" || string(noted.Negotiation.Rounds[len(noted.Negotiation.Rounds)-1].UserValue) != "8" {
		t.Errorf("the person's value against a decision: %+v", noted)
	}
	open := fetch[page[obligations.Conflict]](c.rae, http.StatusOK, request{path: c.path + "/conflicts?status=open"})
	if len(open.Items) != 1 || open.Items[0].Kind != obligations.BetweenPersons {
		t.Errorf("open conflicts %+v, want one between persons", open.Items)
	}
	ended := c.post(c.rae, "/obligations/team/negotiation/resolve", map[string]any{"resolution": "agent_accepted"})
	if string(ended.Value) != "8" || ended.Negotiation.Status != obligations.NegotiationResolved || ended.Evidence[0].Kind != obligations.Reviewer {
		t.Errorf("after the reviewer took the person's value: %+v", ended)
	}
	if open := fetch[page[obligations.Conflict]](c.rae, http.StatusOK, request{path: c.path + "/conflicts?status=open"}); len(open.Items) != 0 {
		t.Errorf("conflicts left open: %+v", open.Items)
	}
	reopened := c.post(c.rae, "/obligations/team/reopen", map[string]any{})
	if reopened.Value != nil || reopened.Status != obligations.Pending {
		t.Errorf("after a reviewer reopened it: %+v", reopened)
	}
}

func TestSkipAndReopen(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	skipped := c.post(c.anna, "/obligations/team/skip", map[string]any{"reason": "not_applicable", "note": "nobody works here"})
	if skipped.Status != obligations.Skipped || skipped.SkipReason != obligations.NotApplicable || skipped.Value != nil {
		t.Errorf("skipped: %+v", skipped)
	}
	back := fetch[disputeSeen](c.anna, http.StatusOK, request{method: http.MethodPost, path: c.path + "/obligations/team/reopen"})
	if back.Status != obligations.Pending || back.SkipReason != "" {
		t.Errorf("reopened: %+v", back)
	}
	if got := c.obligation(c.rae, "team").Status; got != obligations.Pending {
		t.Errorf("stored as %s", got)
	}
}

func TestConflictOfAConstraint(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	c.anna.say(turnBody{SessionID: c.id, Answers: map[string]json.RawMessage{"start": json.RawMessage(`"2026-03-01"`), "launch": json.RawMessage(`"2025-12-01"`)}})
	list := func() []obligations.Conflict {
		return fetch[page[obligations.Conflict]](c.anna, http.StatusOK, request{path: c.path + "/conflicts?status=open"}).Items
	}
	open := list()
	if len(open) != 1 || open[0].Kind != obligations.Constrained || open[0].Constraint != "in_order" || open[0].Message != "The launch lies before the start." || len(open[0].Sides) != 2 {
		t.Fatalf("open conflicts %+v, want the constraint's", open)
	}
	path := c.path + "/conflicts/" + open[0].ID + "/resolve"
	before := c.anna.fingerprint()
	for _, tt := range []refusal{
		{name: "no choice", request: request{path: path, body: map[string]any{}}, status: 422, field: "side"},
		{name: "two choices", request: request{path: path, body: map[string]any{"side": 0, "both": true}}, status: 422, field: "side"},
		{name: "no such side", request: request{path: path, body: map[string]any{"side": 2}}, status: 422, field: "side"},
		{name: "value of nothing", request: request{path: path, body: map[string]any{"value": "2027"}}, status: 422, field: "key"},
		{name: "value of another key", request: request{path: path, body: map[string]any{"value": 5, "key": "team"}}, status: 422, field: "key"},
		{name: "value of the wrong shape", request: request{path: path, body: map[string]any{"value": "soon", "key": "launch"}}, status: 422, field: "value"},
		{name: "value that does not fit either", request: request{path: path, body: map[string]any{"value": "2026-02", "key": "launch"}}, status: 422, code: "still_violated", field: "value"},
		{name: "no such conflict", request: request{path: c.path + "/conflicts/" + uuid.NewString() + "/resolve", body: map[string]any{"side": 0}}, status: 404, code: "conflict_not_found"},
	} {
		t.Run(tt.name, func(t *testing.T) { checkRefusal(t, c.anna, tt) })
	}
	if diff := cmp.Diff(before, c.anna.fingerprint()); diff != "" {
		t.Errorf("refused choices changed tables (-before +after):\n%s", diff)
	}

	side := 0
	if open[0].Sides[0].Key != "start" {
		side = 1
	}
	got := fetch[obligations.Conflict](c.anna, http.StatusOK, request{path: path, body: map[string]any{"side": side}})
	if got.Status != obligations.ConflictResolved || got.ResolvedBy != "anna" || len(list()) != 0 {
		t.Errorf("resolved: %+v, open %+v", got, list())
	}
	if o := c.obligation(c.anna, "launch"); o.Value != nil || o.Status != obligations.Pending || o.Negotiation != nil {
		t.Errorf("the other value was not taken back, to be asked for again without a dispute: %+v", o)
	}
	checkRefusal(t, c.anna, refusal{request: request{path: path, body: map[string]any{"side": side}}, status: 409, code: "conflict_resolved"})

	c.anna.say(turnBody{SessionID: c.id, Answers: map[string]json.RawMessage{"launch": json.RawMessage(`"2025-12-01"`)}})
	if open := list(); len(open) != 0 {
		t.Errorf("the same values were raised again: %+v", open)
	}
	c.anna.say(turnBody{SessionID: c.id, Answers: map[string]json.RawMessage{"launch": json.RawMessage(`"2025-11-01"`)}})
	other := list()
	var constraint []obligations.Conflict
	for _, o := range other {
		if o.Kind == obligations.Constrained {
			constraint = append(constraint, o)
		}
	}
	if len(constraint) != 1 {
		t.Fatalf("other values that clash gave %+v, want one conflict", constraint)
	}
	fixed := fetch[obligations.Conflict](c.rae, http.StatusOK, request{path: c.path + "/conflicts/" + constraint[0].ID + "/resolve", body: map[string]any{"key": "launch", "value": "2026-09-01"}})
	if o := c.obligation(c.rae, "launch"); fixed.ResolvedBy != "rae" || string(o.Value) != `"2026-09-01"` || o.Evidence[0].Kind != obligations.Reviewer {
		t.Errorf("after the reviewer's third value: %+v, %+v", fixed, o)
	}
}

func TestDisputesThatAreRefusedChangeNothing(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	fetch[disputeSeen](c.rae, http.StatusOK, request{method: http.MethodPut, path: c.path + "/obligations/start/value", body: map[string]any{"value": "2026-03-01"}})
	c.post(c.anna, "/obligations/team/negotiation", map[string]any{"userRejection": "no"})
	post := func(path string, body any) request { return request{path: c.path + path, body: body} }
	put := request{method: http.MethodPut, path: c.path + "/obligations/team/value", body: map[string]any{"value": 5}}
	before := c.anna.fingerprint()
	for name, tt := range map[string]struct {
		who *world
		refusal
	}{
		"begun twice":                {c.anna, refusal{request: post("/obligations/team/negotiation", map[string]any{"agentProposal": 4, "userRejection": "no"}), status: 409, code: "negotiation_active"}},
		"no reason":                  {c.anna, refusal{request: post("/obligations/start/negotiation", map[string]any{"userRejection": "  "}), status: 422, field: "userRejection"}},
		"nothing to reject":          {c.anna, refusal{request: post("/obligations/launch/negotiation", map[string]any{"userRejection": "no"}), status: 422, field: "agentProposal"}},
		"another value by now":       {c.anna, refusal{request: post("/obligations/start/negotiation", map[string]any{"agentProposal": "2020", "userRejection": "no"}), status: 409, code: "value_changed"}},
		"proposal of no shape":       {c.anna, refusal{request: post("/obligations/launch/negotiation", map[string]any{"agentProposal": 7, "userRejection": "no"}), status: 422, field: "agentProposal"}},
		"value without a dispute":    {c.anna, refusal{request: post("/obligations/launch/negotiation/value", map[string]any{"userValue": "2026"}), status: 409, code: "negotiation_none"}},
		"value of no shape":          {c.anna, refusal{request: post("/obligations/team/negotiation/value", map[string]any{"userValue": 0}), status: 422, field: "userValue"}},
		"end without a dispute":      {c.anna, refusal{request: post("/obligations/launch/negotiation/resolve", map[string]any{"resolution": "compromise", "finalValue": "2026"}), status: 409, code: "negotiation_none"}},
		"end with nothing named":     {c.anna, refusal{request: post("/obligations/team/negotiation/resolve", map[string]any{"resolution": "agent_accepted"}), status: 422, field: "finalValue"}},
		"end with another proposal":  {c.anna, refusal{request: post("/obligations/team/negotiation/resolve", map[string]any{"resolution": "user_accepted", "finalValue": 9}), status: 422, field: "finalValue"}},
		"compromise without a value": {c.anna, refusal{request: post("/obligations/team/negotiation/resolve", map[string]any{"resolution": "compromise"}), status: 422, field: "finalValue"}},
		"unknown resolution":         {c.anna, refusal{request: post("/obligations/team/negotiation/resolve", map[string]any{"resolution": "peace"}), status: 422}},
		"member decides":             {c.anna, refusal{request: put, status: 403, code: "role_too_low"}},
		"member acts as reviewer":    {c.anna, refusal{request: post("/obligations/team/negotiation/value", map[string]any{"userValue": 5, "as": "reviewer"}), status: 403, code: "role_too_low"}},
		"reviewer acts as person":    {c.rae, refusal{request: post("/obligations/team/negotiation/value", map[string]any{"userValue": 5, "as": "person"}), status: 403, code: "not_your_session"}},
		"person reopens a decision":  {c.anna, refusal{request: post("/obligations/start/reopen", map[string]any{}), status: 403, code: "reviewer_decided"}},
		"person skips a decision":    {c.anna, refusal{request: post("/obligations/start/skip", map[string]any{"reason": "declined"}), status: 403, code: "reviewer_decided"}},
		"skipped for no reason":      {c.anna, refusal{request: post("/obligations/launch/skip", map[string]any{"reason": "bored"}), status: 422}},
		"unknown obligation":         {c.anna, refusal{request: post("/obligations/nothing/reopen", map[string]any{}), status: 404, code: "obligation_not_found"}},
		"other member":               {c.ben, refusal{request: post("/obligations/team/negotiation/value", map[string]any{"userValue": 5}), status: 404, code: "session_not_found"}},
		"viewer":                     {c.vera, refusal{request: post("/obligations/team/reopen", map[string]any{}), status: 404, code: "session_not_found"}},
		"foreign tenant":             {c.mallory, refusal{request: put, status: 404, code: "session_not_found"}},
		"value as null":              {c.rae, refusal{request: request{method: http.MethodPut, path: put.path, body: map[string]any{"value": nil}}, status: 422}},
	} {
		t.Run(name, func(t *testing.T) { checkRefusal(t, tt.who, tt.refusal) }) // in turn: each must leave the tables as they are
	}
	if diff := cmp.Diff(before, c.anna.fingerprint()); diff != "" {
		t.Errorf("refused requests changed tables (-before +after):\n%s", diff)
	}
}
