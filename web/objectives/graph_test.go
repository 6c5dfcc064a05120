package objectives

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// anyGraph draws a random objective. Its questions wait for any others; when acyclic, only
// for ones that come before them in a random order.
func anyGraph(t *rapid.T, acyclic bool) *objectives.Definition {
	n := rapid.IntRange(0, 40).Draw(t, "questions")
	order := rapid.Permutation(numbers(n)).Draw(t, "order")
	d := &objectives.Definition{Obligations: make([]obligations.Template, n)}
	for i := range n {
		d.Obligations[i] = obligations.Template{Key: fmt.Sprintf("q%d", i), Priority: 5, Category: rapid.SampledFrom([]string{"", "One", "Two"}).Draw(t, "category")}
	}
	for _, pair := range rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, max(n-1, 0)), 2, 2), 0, 60).Draw(t, "lines") {
		from, to := pair[0], pair[1]
		if n == 0 || acyclic && order[from] >= order[to] {
			continue
		}
		d.Obligations[to].Dependencies = append(d.Obligations[to].Dependencies, fmt.Sprintf("q%d", from))
	}
	return d
}

func numbers(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func TestGraphOfWhatMakesNoCircleLeadsFromLeftToRight(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		d := anyGraph(t, true)
		g := GraphOf(d)

		lines := 0
		for _, o := range d.Obligations {
			lines += len(slices.Compact(slices.Sorted(slices.Values(o.Dependencies))))
		}
		if g.Cyclic || len(g.Edges) != lines {
			t.Fatalf("cyclic %t, %d lines of %d", g.Cyclic, len(g.Edges), lines)
		}
		for _, e := range g.Edges {
			from, to := g.Nodes[e.From], g.Nodes[e.To]
			if from.Column >= to.Column || from.X+nodeWidth >= to.X || e.Cyclic {
				t.Fatalf("the line from %s in column %d to %s in column %d does not lead right", from.Key, from.Column, to.Key, to.Column)
			}
		}
		checkApart(t, g)
	})
}

func TestGraphCopesWithCircles(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		d := anyGraph(t, false)
		g := GraphOf(d)

		for i, n := range g.Nodes {
			if want := waitsForItself(d, i); n.Cyclic != want {
				t.Fatalf("%s: drawn in a circle %t, want %t", n.Key, n.Cyclic, want)
			}
		}
		for _, e := range g.Edges {
			if e.Path == "" || !e.Cyclic && g.Nodes[e.From].Column >= g.Nodes[e.To].Column {
				t.Fatalf("the line %+v is not drawn, or leads back", e)
			}
		}
		checkApart(t, g)
	})
}

// waitsForItself reports whether the dependencies of the obligation at i lead back to it.
func waitsForItself(d *objectives.Definition, i int) bool {
	seen := map[string]bool{}
	queue := slices.Clone(d.Obligations[i].Dependencies)
	for len(queue) > 0 {
		key := queue[0]
		queue = queue[1:]
		if key == d.Obligations[i].Key {
			return true
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		for _, o := range d.Obligations {
			if o.Key == key {
				queue = append(queue, o.Dependencies...)
			}
		}
	}
	return false
}

// checkApart fails when two nodes overlap or one lies outside of the drawing.
func checkApart(t *rapid.T, g Graph) {
	for i, a := range g.Nodes {
		if a.X < 0 || a.Y < 0 || a.X+nodeWidth > g.Width || a.Y+nodeHeight > g.Height {
			t.Fatalf("%s at %d,%d lies outside of %d×%d", a.Key, a.X, a.Y, g.Width, g.Height)
		}
		for _, b := range g.Nodes[:i] {
			if abs(a.X-b.X) < nodeWidth && abs(a.Y-b.Y) < nodeHeight {
				t.Fatalf("%s at %d,%d overlaps %s at %d,%d", a.Key, a.X, a.Y, b.Key, b.X, b.Y)
			}
		}
	}
}

func abs(n int) int { return max(n, -n) }

func TestGraphSaysWhatIsMissing(t *testing.T) {
	t.Parallel()

	g := GraphOf(&objectives.Definition{Obligations: []obligations.Template{
		{Key: "one", Label: "The first", Dependencies: []string{"gone"}}, {Key: "two", Dependencies: []string{"one"}}, {Key: "two"}}})

	words := g.Nodes[0].words()
	for _, want := range []string{"not there: gone", "Then come Two"} {
		if !strings.Contains(words, want) {
			t.Errorf("words = %q, want %q in it", words, want)
		}
	}
	if len(g.Edges) != 1 || g.Nodes[2].Column != 0 {
		t.Errorf("%d lines, the second of the same key in column %d, want 1 and 0", len(g.Edges), g.Nodes[2].Column)
	}
}
