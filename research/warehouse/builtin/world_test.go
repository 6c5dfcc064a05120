package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
)

// asker answers statements.
type asker func(t testing.TB, sql string) (*digest.CompactResult, error)

// world is a warehouse in which an analyst works.
type world struct {
	situation warehouse.Situation
	ask       asker
	after     func(*warehouse.Step) // may spoil a step
}

// newWorld returns one with the catalog of tables.
func newWorld(dialect guard.Dialect, tables []catalog.Table, max int, ask asker) *world {
	return &world{ask: ask, situation: warehouse.Situation{
		Instructions: warehouse.Instructions{Dialect: dialect}, Catalog: catalog.NewIndex(tables), MaxSteps: max, LookupsLeft: 30, SearchesLeft: 30,
	}}
}

// run lets the analyst work until it is done or all steps are taken, and returns
// the summary.
func (w *world) run(t testing.TB) string {
	t.Helper()
	s := &w.situation
	for len(s.Steps) < s.MaxSteps {
		reply, err := Analyst{}.Next(context.Background(), *s)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Steps)%10 == 9 {
			again, _ := Analyst{}.Next(context.Background(), *s)
			if diff := cmp.Diff(reply, again); diff != "" {
				t.Fatalf("the same situation has two replies: %s", diff)
			}
		}
		action, err := warehouse.ParseAction(reply.Text, warehouse.AllActions)
		if err != nil {
			t.Fatalf("%s: %v", reply.Text, err)
		}
		step := w.act(t, action)
		step.Thinking, step.Purpose = action.Thinking, action.Purpose
		step.N, step.Reply = len(s.Steps)+1, reply.Text
		if w.after != nil {
			w.after(&step)
		}
		s.Steps = append(s.Steps, step)
		if step.Type == warehouse.CompleteStep {
			return action.Summary
		}
	}
	return ""
}

// act does what a run does with an action.
func (w *world) act(t testing.TB, a warehouse.Action) warehouse.Step {
	t.Helper()
	step := warehouse.Step{}
	s := &w.situation
	switch a.Kind {
	case warehouse.QueryData:
		step.Type, step.Query = warehouse.QueryStep, a.Query
		d, err := w.ask(t, a.Query)
		if err != nil {
			step.Error, step.Class = err.Error(), warehouse.ClassOf(err)
			return step
		}
		return *stepOf(t, a.Query, d)
	case warehouse.LookupSchema:
		s.LookupsLeft--
		step.Type, step.Tables = warehouse.LookupStep, a.Tables
	case warehouse.SearchTables:
		s.SearchesLeft--
		step.Type, step.Search = warehouse.SearchStep, a.Search
	case warehouse.Complete:
		step.Type = warehouse.CompleteStep
		if len(s.Steps) < s.MinSteps {
			step.Type = warehouse.CompleteRejectedStep
		}
	}
	return step
}

// stepOf returns the step of an answer.
func stepOf(t testing.TB, sql string, d *digest.CompactResult) *warehouse.Step {
	t.Helper()
	raw, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return &warehouse.Step{Type: warehouse.QueryStep, Query: sql, Digest: raw, Rows: d.RowCount}
}

// story writes the steps of a run as people read them.
func (w *world) story() string {
	var b strings.Builder
	for _, s := range w.situation.Steps {
		fmt.Fprintf(&b, "## %d %s", s.N, s.Type)
		if s.Purpose != "" {
			fmt.Fprintf(&b, ": %s", s.Purpose)
		}
		fmt.Fprintf(&b, "\n%s\n", s.Thinking)
		switch {
		case s.Query != "":
			fmt.Fprintf(&b, "%s\n", s.Query)
		case s.Search != "":
			fmt.Fprintf(&b, "search: %s\n", s.Search)
		case len(s.Tables) > 0:
			fmt.Fprintf(&b, "tables: %s\n", strings.Join(s.Tables, ", "))
		case s.Type == warehouse.CompleteStep:
			a, _ := warehouse.ParseAction(s.Reply, warehouse.AllActions)
			fmt.Fprintf(&b, "%s\n", a.Summary)
		}
		switch {
		case s.Error != "":
			fmt.Fprintf(&b, "! %s\n", s.Error)
		case s.Digest != nil:
			var d digest.CompactResult
			if json.Unmarshal(s.Digest, &d) == nil {
				fmt.Fprintf(&b, "= %d rows: %s\n", d.RowCount, d.AppendPrompt(nil))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// failures returns what was asked and refused, or failed.
func (w *world) failures() []string {
	var out []string
	for _, s := range w.situation.Steps {
		if s.Error != "" {
			out = append(out, s.Query+"\n"+s.Error)
		}
	}
	return out
}

// refused is a guard's refusal as a source says it.
func refused(err error) error {
	var r *guard.Refusal
	if errors.As(err, &r) {
		return warehouse.NewQueryError(warehouse.Forbidden, r.Error(), "", err)
	}
	return err
}
