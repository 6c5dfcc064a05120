package review_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"quaestor/obligations"
	"quaestor/web"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

func TestDisputeInThreeCalls(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	before := c.Kinds(t)
	began := c.Post(c.Anna, "/obligations/team/negotiation", map[string]any{"agentProposal": 4, "userRejection": "we are five"})
	if n := began.Negotiation; began.Value != nil || began.Status != obligations.InProgress || n == nil || n.Status != obligations.NegotiationActive || len(n.Rounds) != 1 {
		t.Fatalf("after the rejection: %+v", began)
	}
	named := c.Post(c.Anna, "/obligations/team/negotiation/value", map[string]any{"userValue": 5})
	if string(named.Value) != "5" || named.Status != obligations.Partial || string(named.Negotiation.Rounds[0].UserValue) != "5" {
		t.Fatalf("after the person's value: %+v", named)
	}
	done := c.Post(c.Anna, "/obligations/team/negotiation/resolve", map[string]any{"resolution": "agent_accepted"})

	if n := done.Negotiation; done.Status != obligations.Satisfied || n.Status != obligations.NegotiationResolved || n.Resolution != obligations.AgentAccepted || n.ResolvedBy != "anna" || string(n.FinalValue) != "5" || len(n.Rounds) != 1 {
		t.Errorf("in the end: %+v, %+v", done, n)
	}
	after := c.Kinds(t)
	for kind, want := range map[string]int{"negotiation": 3, "obligation": 3, "completeness": 3} {
		if got := after[kind] - before[kind]; got != want {
			t.Errorf("%d events %s, want %d", got, kind, want)
		}
	}
	trail := webtest.Fetch[web.Page[web.HistoryBody]](c.Anna, http.StatusOK, webtest.Request{Path: c.Path + "/obligations/team/history"})
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

	c := webtest.OpenCourt(t)
	put := func(w *webtest.World, v any, status int) webtest.DisputeSeen {
		t.Helper()
		return webtest.Fetch[webtest.DisputeSeen](w, status, webtest.Request{Method: http.MethodPut, Path: c.Path + "/obligations/team/value", Body: map[string]any{"value": v, "note": "as in the contract"}})
	}
	decided := put(c.Rae, 6, http.StatusOK)
	if e := decided.Evidence; string(decided.Value) != "6" || decided.Status != obligations.Satisfied || decided.Confidence != 1 || len(e) != 1 || e[0].Kind != obligations.Reviewer || e[0].By != "rae" || e[0].Quote != "as in the contract" {
		t.Fatalf("after the decision: %+v", decided)
	}
	if n := decided.Negotiation; len(n.Rounds) != 1 || n.Status != obligations.NegotiationResolved || n.ResolvedBy != "rae" {
		t.Errorf("the decision left the dispute %+v, want one round", n)
	}
	trail := webtest.Fetch[web.Page[web.HistoryBody]](c.Rae, http.StatusOK, webtest.Request{Path: c.Path + "/obligations/team/history"})
	if last := trail.Items[len(trail.Items)-1]; last.Source != obligations.SourceReviewer {
		t.Errorf("the history names %s as the decider, want reviewer", last.Source)
	}
	lines := len(trail.Items)
	put(c.Rae, 6, http.StatusOK)
	if again := webtest.Fetch[web.Page[web.HistoryBody]](c.Rae, http.StatusOK, webtest.Request{Path: c.Path + "/obligations/team/history"}); len(again.Items) != lines {
		t.Errorf("the same decision again wrote %d lines", len(again.Items)-lines)
	}

	disputed := c.Post(c.Anna, "/obligations/team/negotiation", map[string]any{"userRejection": "the contract is old"})
	if string(disputed.Value) != "6" || disputed.Negotiation.Status != obligations.NegotiationEscalated {
		t.Fatalf("the person's dispute of a decision: %+v", disputed)
	}
	webtest.CheckRefusal(t, c.Anna, webtest.Refusal{Request: webtest.Request{Path: c.Path + "/obligations/team/negotiation/resolve", Body: map[string]any{"resolution": "compromise", "finalValue": 8}}, Status: 409, Code: "negotiation_escalated", Says: []string{"reviewer"}})
	if noted := c.Post(c.Anna, "/obligations/team/negotiation/value", map[string]any{"userValue": 8}); string(noted.Value) != "6" || string(noted.Negotiation.Rounds[len(noted.Negotiation.Rounds)-1].UserValue) != "8" {
		t.Errorf("the person's value against a decision: %+v", noted)
	}
	open := webtest.Fetch[web.Page[obligations.Conflict]](c.Rae, http.StatusOK, webtest.Request{Path: c.Path + "/conflicts?status=open"})
	if len(open.Items) != 1 || open.Items[0].Kind != obligations.BetweenPersons {
		t.Errorf("open conflicts %+v, want one between persons", open.Items)
	}
	ended := c.Post(c.Rae, "/obligations/team/negotiation/resolve", map[string]any{"resolution": "agent_accepted"})
	if string(ended.Value) != "8" || ended.Negotiation.Status != obligations.NegotiationResolved || ended.Evidence[0].Kind != obligations.Reviewer {
		t.Errorf("after the reviewer took the person's value: %+v", ended)
	}
	if open := webtest.Fetch[web.Page[obligations.Conflict]](c.Rae, http.StatusOK, webtest.Request{Path: c.Path + "/conflicts?status=open"}); len(open.Items) != 0 {
		t.Errorf("conflicts left open: %+v", open.Items)
	}
	reopened := c.Post(c.Rae, "/obligations/team/reopen", map[string]any{})
	if reopened.Value != nil || reopened.Status != obligations.Pending {
		t.Errorf("after a reviewer reopened it: %+v", reopened)
	}
}

func TestSkipAndReopen(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	skipped := c.Post(c.Anna, "/obligations/team/skip", map[string]any{"reason": "not_applicable", "note": "nobody works here"})
	if skipped.Status != obligations.Skipped || skipped.SkipReason != obligations.NotApplicable || skipped.Value != nil {
		t.Errorf("skipped: %+v", skipped)
	}
	back := webtest.Fetch[webtest.DisputeSeen](c.Anna, http.StatusOK, webtest.Request{Method: http.MethodPost, Path: c.Path + "/obligations/team/reopen"})
	if back.Status != obligations.Pending || back.SkipReason != "" {
		t.Errorf("reopened: %+v", back)
	}
	if got := c.Obligation(c.Rae, "team").Status; got != obligations.Pending {
		t.Errorf("stored as %s", got)
	}
}

func TestConflictOfAConstraint(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	c.Anna.Say(talk.TurnBody{SessionID: c.ID, Answers: map[string]json.RawMessage{"start": json.RawMessage(`"2026-03-01"`), "launch": json.RawMessage(`"2025-12-01"`)}})
	list := func() []obligations.Conflict {
		return webtest.Fetch[web.Page[obligations.Conflict]](c.Anna, http.StatusOK, webtest.Request{Path: c.Path + "/conflicts?status=open"}).Items
	}
	open := list()
	if len(open) != 1 || open[0].Kind != obligations.Constrained || open[0].Constraint != "in_order" || open[0].Message != "The launch lies before the start." || len(open[0].Sides) != 2 {
		t.Fatalf("open conflicts %+v, want the constraint's", open)
	}
	path := c.Path + "/conflicts/" + open[0].ID + "/resolve"
	before := c.Anna.Fingerprint()
	for _, tt := range []webtest.Refusal{
		{Name: "no choice", Request: webtest.Request{Path: path, Body: map[string]any{}}, Status: 422, Field: "side"},
		{Name: "two choices", Request: webtest.Request{Path: path, Body: map[string]any{"side": 0, "both": true}}, Status: 422, Field: "side"},
		{Name: "no such side", Request: webtest.Request{Path: path, Body: map[string]any{"side": 2}}, Status: 422, Field: "side"},
		{Name: "value of nothing", Request: webtest.Request{Path: path, Body: map[string]any{"value": "2027"}}, Status: 422, Field: "key"},
		{Name: "value of another key", Request: webtest.Request{Path: path, Body: map[string]any{"value": 5, "key": "team"}}, Status: 422, Field: "key"},
		{Name: "value of the wrong shape", Request: webtest.Request{Path: path, Body: map[string]any{"value": "soon", "key": "launch"}}, Status: 422, Field: "value"},
		{Name: "value that does not fit either", Request: webtest.Request{Path: path, Body: map[string]any{"value": "2026-02", "key": "launch"}}, Status: 422, Code: "still_violated", Field: "value"},
		{Name: "no such conflict", Request: webtest.Request{Path: c.Path + "/conflicts/" + uuid.NewString() + "/resolve", Body: map[string]any{"side": 0}}, Status: 404, Code: "conflict_not_found"},
	} {
		t.Run(tt.Name, func(t *testing.T) { webtest.CheckRefusal(t, c.Anna, tt) })
	}
	if diff := cmp.Diff(before, c.Anna.Fingerprint()); diff != "" {
		t.Errorf("refused choices changed tables (-before +after):\n%s", diff)
	}

	side := 0
	if open[0].Sides[0].Key != "start" {
		side = 1
	}
	got := webtest.Fetch[obligations.Conflict](c.Anna, http.StatusOK, webtest.Request{Path: path, Body: map[string]any{"side": side}})
	if got.Status != obligations.ConflictResolved || got.ResolvedBy != "anna" || len(list()) != 0 {
		t.Errorf("resolved: %+v, open %+v", got, list())
	}
	if o := c.Obligation(c.Anna, "launch"); o.Value != nil || o.Status != obligations.Pending || o.Negotiation != nil {
		t.Errorf("the other value was not taken back, to be asked for again without a dispute: %+v", o)
	}
	webtest.CheckRefusal(t, c.Anna, webtest.Refusal{Request: webtest.Request{Path: path, Body: map[string]any{"side": side}}, Status: 409, Code: "conflict_resolved"})

	c.Anna.Say(talk.TurnBody{SessionID: c.ID, Answers: map[string]json.RawMessage{"launch": json.RawMessage(`"2025-12-01"`)}})
	if open := list(); len(open) != 0 {
		t.Errorf("the same values were raised again: %+v", open)
	}
	c.Anna.Say(talk.TurnBody{SessionID: c.ID, Answers: map[string]json.RawMessage{"launch": json.RawMessage(`"2025-11-01"`)}})
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
	fixed := webtest.Fetch[obligations.Conflict](c.Rae, http.StatusOK, webtest.Request{Path: c.Path + "/conflicts/" + constraint[0].ID + "/resolve", Body: map[string]any{"key": "launch", "value": "2026-09-01"}})
	if o := c.Obligation(c.Rae, "launch"); fixed.ResolvedBy != "rae" || string(o.Value) != `"2026-09-01"` || o.Evidence[0].Kind != obligations.Reviewer {
		t.Errorf("after the reviewer's third value: %+v, %+v", fixed, o)
	}
}

func TestDisputesThatAreRefusedChangeNothing(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	webtest.Fetch[webtest.DisputeSeen](c.Rae, http.StatusOK, webtest.Request{Method: http.MethodPut, Path: c.Path + "/obligations/start/value", Body: map[string]any{"value": "2026-03-01"}})
	c.Post(c.Anna, "/obligations/team/negotiation", map[string]any{"userRejection": "no"})
	post := func(path string, body any) webtest.Request { return webtest.Request{Path: c.Path + path, Body: body} }
	put := webtest.Request{Method: http.MethodPut, Path: c.Path + "/obligations/team/value", Body: map[string]any{"value": 5}}
	before := c.Anna.Fingerprint()
	for name, tt := range map[string]struct {
		who *webtest.World
		webtest.Refusal
	}{
		"begun twice":                {c.Anna, webtest.Refusal{Request: post("/obligations/team/negotiation", map[string]any{"agentProposal": 4, "userRejection": "no"}), Status: 409, Code: "negotiation_active"}},
		"no reason":                  {c.Anna, webtest.Refusal{Request: post("/obligations/start/negotiation", map[string]any{"userRejection": "  "}), Status: 422, Field: "userRejection"}},
		"nothing to reject":          {c.Anna, webtest.Refusal{Request: post("/obligations/launch/negotiation", map[string]any{"userRejection": "no"}), Status: 422, Field: "agentProposal"}},
		"another value by now":       {c.Anna, webtest.Refusal{Request: post("/obligations/start/negotiation", map[string]any{"agentProposal": "2020", "userRejection": "no"}), Status: 409, Code: "value_changed"}},
		"proposal of no shape":       {c.Anna, webtest.Refusal{Request: post("/obligations/launch/negotiation", map[string]any{"agentProposal": 7, "userRejection": "no"}), Status: 422, Field: "agentProposal"}},
		"value without a dispute":    {c.Anna, webtest.Refusal{Request: post("/obligations/launch/negotiation/value", map[string]any{"userValue": "2026"}), Status: 409, Code: "negotiation_none"}},
		"value of no shape":          {c.Anna, webtest.Refusal{Request: post("/obligations/team/negotiation/value", map[string]any{"userValue": 0}), Status: 422, Field: "userValue"}},
		"end without a dispute":      {c.Anna, webtest.Refusal{Request: post("/obligations/launch/negotiation/resolve", map[string]any{"resolution": "compromise", "finalValue": "2026"}), Status: 409, Code: "negotiation_none"}},
		"end with nothing named":     {c.Anna, webtest.Refusal{Request: post("/obligations/team/negotiation/resolve", map[string]any{"resolution": "agent_accepted"}), Status: 422, Field: "finalValue"}},
		"end with another proposal":  {c.Anna, webtest.Refusal{Request: post("/obligations/team/negotiation/resolve", map[string]any{"resolution": "user_accepted", "finalValue": 9}), Status: 422, Field: "finalValue"}},
		"compromise without a value": {c.Anna, webtest.Refusal{Request: post("/obligations/team/negotiation/resolve", map[string]any{"resolution": "compromise"}), Status: 422, Field: "finalValue"}},
		"unknown resolution":         {c.Anna, webtest.Refusal{Request: post("/obligations/team/negotiation/resolve", map[string]any{"resolution": "peace"}), Status: 422}},
		"member decides":             {c.Anna, webtest.Refusal{Request: put, Status: 403, Code: "role_too_low"}},
		"member acts as reviewer":    {c.Anna, webtest.Refusal{Request: post("/obligations/team/negotiation/value", map[string]any{"userValue": 5, "as": "reviewer"}), Status: 403, Code: "role_too_low"}},
		"reviewer acts as person":    {c.Rae, webtest.Refusal{Request: post("/obligations/team/negotiation/value", map[string]any{"userValue": 5, "as": "person"}), Status: 403, Code: "not_your_session"}},
		"person reopens a decision":  {c.Anna, webtest.Refusal{Request: post("/obligations/start/reopen", map[string]any{}), Status: 403, Code: "reviewer_decided"}},
		"person skips a decision":    {c.Anna, webtest.Refusal{Request: post("/obligations/start/skip", map[string]any{"reason": "declined"}), Status: 403, Code: "reviewer_decided"}},
		"skipped for no reason":      {c.Anna, webtest.Refusal{Request: post("/obligations/launch/skip", map[string]any{"reason": "bored"}), Status: 422}},
		"unknown obligation":         {c.Anna, webtest.Refusal{Request: post("/obligations/nothing/reopen", map[string]any{}), Status: 404, Code: "obligation_not_found"}},
		"other member":               {c.Ben, webtest.Refusal{Request: post("/obligations/team/negotiation/value", map[string]any{"userValue": 5}), Status: 404, Code: "session_not_found"}},
		"viewer":                     {c.Vera, webtest.Refusal{Request: post("/obligations/team/reopen", map[string]any{}), Status: 404, Code: "session_not_found"}},
		"foreign tenant":             {c.Mallory, webtest.Refusal{Request: put, Status: 404, Code: "session_not_found"}},
		"value as null":              {c.Rae, webtest.Refusal{Request: webtest.Request{Method: http.MethodPut, Path: put.Path, Body: map[string]any{"value": nil}}, Status: 422}},
	} {
		t.Run(name, func(t *testing.T) { webtest.CheckRefusal(t, tt.who, tt.Refusal) }) // in turn: each must leave the tables as they are
	}
	if diff := cmp.Diff(before, c.Anna.Fingerprint()); diff != "" {
		t.Errorf("refused requests changed tables (-before +after):\n%s", diff)
	}
}
