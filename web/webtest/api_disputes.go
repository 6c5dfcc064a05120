package webtest

import (
	"encoding/json"
	"net/http"
	"testing"

	"quaestor/internal/auth"
	"quaestor/obligations"
	"quaestor/web"
	"quaestor/web/talk"
)

// Planned is an objective whose dates must be in order.
const Planned = `{"contextType":"planned","version":"1.0.0","displayName":"Planned","description":"A plan.",
	"obligations":[
	 {"key":"team","fieldPath":"team","label":"Team","prompt":"How many people are you?","widgetType":"number","integer":true,"min":1,"max":99,"priority":9},
	 {"key":"start","fieldPath":"start","label":"Start","prompt":"When does it start?","widgetType":"date","priority":8},
	 {"key":"launch","fieldPath":"launch","label":"Launch","prompt":"When does it launch?","widgetType":"date","priority":7}],
	"constraints":[{"name":"in_order","when":"launch < start","message":"The launch lies before the start."}],
	"phases":{"opening":{"goal":"g"},"exploration":{"goal":"g"},"validation":{"goal":"g"},"closing":{"goal":"g"}},
	"completion":{"minObligationsSatisfied":3,"minConfidenceScore":0.5,"requiredObligations":["team"]}}`

// reviewWorld is a world with a session in which values are known.
type reviewWorld struct {
	Anna, Ben, Vera, Rae, Mallory *World
	Path                          string // of anna's session
	ID                            string
}

func OpenCourt(t *testing.T) reviewWorld {
	t.Helper()
	w := Open(t, Terms{Tokens: true})
	other, err := auth.EnsureTenant(t.Context(), w.Pool, "elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	boss := w.As(w.Tenant, "boss", auth.Owner)
	Fetch[web.ObjectiveBody](boss, http.StatusCreated, Request{Path: "/api/v1/objectives", Body: Planned})
	c := reviewWorld{Anna: w.As(w.Tenant, "anna", auth.Member), Ben: w.As(w.Tenant, "ben", auth.Member), Vera: w.As(w.Tenant, "vera", auth.Viewer),
		Rae: w.As(w.Tenant, "rae", auth.Reviewer), Mallory: w.As(other.ID, "mallory", auth.Owner)}
	c.ID = c.Anna.Begin("planned")
	c.Path = "/api/v1/sessions/" + c.ID
	c.Anna.Say(talk.TurnBody{SessionID: c.ID, Answers: map[string]json.RawMessage{"team": json.RawMessage(`4`)}})
	return c
}

func (c reviewWorld) Obligation(w *World, key string) DisputeSeen {
	w.T.Helper()
	return Fetch[DisputeSeen](w, http.StatusOK, Request{Path: c.Path + "/obligations/" + key})
}

// DisputeSeen is what these tests look at.
type DisputeSeen struct {
	Status      obligations.Status       `json:"status"`
	Value       json.RawMessage          `json:"value"`
	Confidence  float64                  `json:"confidence"`
	Evidence    []obligations.Evidence   `json:"evidence"`
	SkipReason  obligations.SkipReason   `json:"skipReason"`
	Negotiation *obligations.Negotiation `json:"negotiation"`
}

func (c reviewWorld) Post(w *World, path string, body any) DisputeSeen {
	w.T.Helper()
	return Fetch[DisputeSeen](w, http.StatusOK, Request{Path: c.Path + path, Body: body})
}

// Kinds counts the events of the session's log after seq.
func (c reviewWorld) Kinds(t *testing.T) map[string]int {
	t.Helper()
	rows, err := c.Anna.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Rollback(t.Context()) }()
	if _, err := rows.Exec(t.Context(), `SELECT set_config('app.tenant', $1, true)`, c.Anna.Tenant); err != nil {
		t.Fatal(err)
	}
	list, err := rows.Query(t.Context(), `SELECT unnest(kinds) FROM session_events WHERE session_id = $1`, c.ID)
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
