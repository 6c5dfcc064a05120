package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"quaestor/internal/llm/llmtest"
)

// TestBombsLeaveTheServerSmall runs the program with a model that asks for bombs, and
// weighs it.
func TestBombsLeaveTheServerSmall(t *testing.T) {
	t.Parallel()

	m := newMart(t, small...)
	replies := []llmtest.Reply{{Text: asks(countOrders)}}
	for _, b := range bombs {
		replies = append(replies, llmtest.Reply{Text: asks(b)})
	}
	model := llmtest.New(t)
	model.On(func(r llmtest.Request) bool { return strings.Contains(r.LastUser(), "fixed_sql") }, llmtest.Reply{Text: "That cannot be repaired."})
	model.On(func(llmtest.Request) bool { return true }, append(replies, llmtest.Reply{Text: `{"done": true, "summary": "That is all."}`})...)
	p := spawn(t, "--data-dir", t.TempDir(), "--model", "bomber", "--model-url", model.URL())
	d := m.draft()
	w := post[struct{ ID string }](p, "/api/v1/warehouses", map[string]any{"name": d.Name, "kind": d.Kind, "options": d.Options, "schemas": d.Schemas, "limits": map[string]any{"seconds": 1}})
	project := post[struct{ ID string }](p, "/api/v1/projects", map[string]any{"name": d.Name, "warehouseId": w.ID})
	run := post[runShown](p, "/api/v1/projects/"+project.ID+"/runs", map[string]any{"maxSteps": len(bombs) + 2})
	p.exploring(run.ID, func(r runShown) bool { return r.Counters.Steps >= 1 })
	before := weight(t, p.proc.Pid)
	most := before
	r := p.exploring(run.ID, func(runShown) bool {
		most = max(most, weight(t, p.proc.Pid))
		return false
	})
	most = max(most, weight(t, p.proc.Pid))

	if r.Status != "completed" || r.Counters.Steps != len(bombs)+2 {
		t.Errorf("%+v", r)
	}
	t.Logf("%d MB before, %d MB at most", before, most)
	if most-before > 100 { // the largest result there may be, read and summed up, and as much again that the collector leaves for later; the bombs would be gigabytes
		t.Errorf("the server grew from %d to %d MB", before, most)
	}
}

// weight is what a process has of memory for itself, in megabytes; its program and
// files are left out.
func weight(t *testing.T, pid int) int {
	t.Helper()
	f, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ":")
		if name != "RssAnon" {
			continue
		}
		kb, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB"))
		if err != nil {
			t.Fatal(err)
		}
		return kb >> 10
	}
	t.Fatalf("process %d does not say", pid)
	return 0
}
