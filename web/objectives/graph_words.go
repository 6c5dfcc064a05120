package objectives

import (
	"fmt"
	"strings"

	"quaestor/internal/language"
	"quaestor/web/ui"
)

// maxNodeName is how many characters of a name fit into nodeWidth beside its shape.
const maxNodeName = 18

// tip returns the arrow at an edge's end.
func (e *GraphEdge) tip() string {
	if e.Cyclic {
		return "url(#arrow-circle)"
	}
	return "url(#arrow)"
}

// shortName returns the name as far as there is room for it.
func (n *GraphNode) shortName() string { return language.Clip(n.Name, maxNodeName) }

// fact returns the second line of a node.
func (n *GraphNode) fact() string {
	if n.Required {
		return fmt.Sprintf("Required · priority %d", n.Priority)
	}
	return fmt.Sprintf("Priority %d", n.Priority)
}

// label tells a screen reader everything the drawing shows of a node.
func (n *GraphNode) label(c GraphGroup) string {
	return fmt.Sprintf("%s, %s, %s. %s", n.Name, strings.ToLower(n.fact()), c.Name, n.words())
}

// words tell what a node waits for, and what waits for it.
func (n *GraphNode) words() string {
	out := "Can be asked at once."
	if len(n.Needs) > 0 {
		out = "Waits for " + strings.Join(n.Needs, ", ") + "."
	}
	if len(n.Lacks) > 0 {
		out += " Waits for questions that are not there: " + strings.Join(n.Lacks, ", ") + "."
	}
	if n.Cyclic {
		out += " It waits for itself, through other questions or directly."
	}
	if len(n.Unlocks) > 0 {
		out += " Then come " + strings.Join(n.Unlocks, ", ") + "."
	}
	return out
}

// href returns the address of the question's form in a draft; without a draft, of its
// place on the page of the version.
func (n *GraphNode) href(draft string) string {
	if draft == "" {
		return "#q-" + ui.Numeral(n.N)
	}
	return questionPath(draft, n.N)
}

// describe sums the drawing up in a sentence.
func (g *Graph) describe() string {
	columns := 0
	for _, n := range g.Nodes {
		columns = max(columns, n.Column+1)
	}
	return fmt.Sprintf("%s, %s, in %s from left to right. The list below says the same in words.", ui.Count(len(g.Nodes), "question"), ui.Count(len(g.Edges), "line"), ui.Count(columns, "step"))
}

// shapePath draws one of graphShapes shapes around a point. Together with colours they
// tell categories apart, for people who see no colours, too.
func shapePath(shape, x, y int) string {
	switch shape {
	case 0: // circle
		return fmt.Sprintf("M%d %da6 6 0 1 0 12 0a6 6 0 1 0 -12 0z", x-6, y)
	case 1: // square
		return fmt.Sprintf("M%d %dh10v10h-10z", x-5, y-5)
	case 2: // diamond
		return fmt.Sprintf("M%d %dl7 7l-7 7l-7 -7z", x, y-7)
	case 3: // triangle
		return fmt.Sprintf("M%d %dl7 12h-14z", x, y-7)
	case 4: // cross
		return fmt.Sprintf("M%d %dh4v4h4v4h-4v4h-4v-4h-4v-4h4z", x-2, y-6)
	}
	return fmt.Sprintf("M%d %dh12l-6 12z", x-6, y-6) // triangle on its tip
}
