package talk

import (
	"strings"
	"testing"

	"quaestor/research"
	"quaestor/web/ui"
)

// TestRunOfATaskIsLinked holds that the card of a task that explored the data leads to the run for whoever may open it,
// and for nobody else.
func TestRunOfATaskIsLinked(t *testing.T) {
	t.Parallel()

	explored := research.Task{ID: "t-1", Run: "7a1e", Status: research.Completed, Outcome: research.Found}
	for _, c := range []struct {
		name   string
		task   research.Task
		places []ui.Place
		want   bool
	}{
		{"a reviewer", explored, []ui.Place{ui.AtInterviews, ui.AtData}, true},
		{"a guest", explored, nil, false},
		{"no run", research.Task{ID: "t-1", Status: research.Completed}, []ui.Place{ui.AtData}, false},
	} {
		var b strings.Builder
		if err := task(c.task, ChatView{Nav: ui.Nav{Places: c.places}}).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), `href="/data/runs/7a1e"`); got != c.want {
			t.Errorf("%s: the run is linked: %v", c.name, got)
		}
	}
}
