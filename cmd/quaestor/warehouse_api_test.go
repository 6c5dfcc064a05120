package main

import (
	"encoding/json"
	"io"
	"net/http"
	"time"

	"quaestor/research/warehouse/runs"
)

// runShown is a run as the API shows it.
type runShown struct {
	ID, Status, Error, StopReason string
	Attempt                       int
	Counters                      struct{ Steps, TotalQueries, SuccessfulQueries, FailedQueries int }
}

// post makes something, which must succeed, and returns it.
func post[T any](p *program, path string, body any) T {
	p.t.Helper()
	var out T
	resp, err := p.ask(p.t.Context(), path, body)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusCreated || json.Unmarshal(raw, &out) != nil {
		p.t.Fatalf("%s answered %d: %s (%v)", path, resp.StatusCode, raw, err)
	}
	return out
}

// exploring reads a run until it is over or stop says so, and returns it.
func (p *program) exploring(id string, stop func(runShown) bool) runShown {
	p.t.Helper()
	end := time.Now().Add(patience)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		r := fetch[runShown](p, "/api/v1/runs/"+id)
		if runs.Status(r.Status).Over() || stop(r) {
			return r
		}
		if time.Now().After(end) {
			p.t.Fatalf("the run did not end: %+v", r)
		}
		<-tick.C
	}
}

func never(runShown) bool { return false }
