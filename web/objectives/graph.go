package objectives

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// Sizes of the drawing, in CSS pixels, which are the units of its view box. A node has
// room for two lines of small text; the gaps leave lines apart where they meet nodes.
const (
	nodeWidth  = 200
	nodeHeight = 48
	nodeGap    = 14 // between nodes of a column
	laneHeight = 10 // of a line where it passes a column
	columnGap  = 76
	graphEdge  = 12 // around everything
	looseWide  = 4  // unconnected nodes in a row, at least
	sweeps     = 8  // rounds of ordering; further ones hardly uncross a line
)

// Graph is a drawing of what waits for what in an objective. It is layered from left to
// right: a question stands in a column right of everything it waits for. It is drawn on
// the server, so it is the same without scripts and can be tested.
//
// The method is Sugiyama's: break cycles, assign columns, lead long lines through lanes of
// the columns they pass, and sweep through the columns to order each by its neighbours.
type Graph struct {
	Nodes  []GraphNode // in the objective's order
	Edges  []GraphEdge
	Groups []GraphGroup
	Width  int
	Height int
	Cyclic bool // a question waits for itself
}

// GraphNode is an obligation.
type GraphNode struct {
	N        int // its number in the objective, from 1
	Key      string
	Name     string
	Group    int // place of its category in Groups
	Required bool
	Priority int
	Cyclic   bool     // it waits for itself, directly or through others
	X, Y     int      // of the upper left corner
	Column   int      // from 0
	Needs    []string // names of the questions it waits for
	Unlocks  []string // names of the questions that wait for it
	Lacks    []string // keys it waits for that no obligation has
}

// GraphEdge leads from an obligation to one that waits for it.
type GraphEdge struct {
	From, To int    // places in Nodes
	Path     string // of an SVG path element
	Cyclic   bool   // part of a cycle
}

// GraphGroup is a category: its name, and the colour and shape that stand for it.
type GraphGroup struct {
	Name   string
	Colour string // one of graphColours
	Shape  int    // 0–5; the pair differs for 36 categories
}

// mostShrunk is the width up to which a drawing is shrunk to the room there is. Names in a
// wider one would be too small to read, so it is scrolled.
const mostShrunk = 1600

// graphColours are the tokens that categories are drawn in.
var graphColours = [...]string{"var(--accent)", "var(--now)", "var(--known)", "var(--part)", "var(--later)", "var(--quiet)"}

// graphShapes is how many shapes shapePath draws.
const graphShapes = 6

// GraphOf draws an objective. It accepts drafts with any fault: keys that are used twice
// (the first counts), dependencies that do not exist, and cycles.
func GraphOf(d *objectives.Definition) Graph {
	g := Graph{}
	at, groups := map[string]int{}, map[string]int{}
	for i := range d.Obligations {
		t := &d.Obligations[i]
		if _, twice := at[t.Key]; !twice {
			at[t.Key] = i
		}
		if _, known := groups[t.Category]; !known {
			n := len(g.Groups)
			groups[t.Category] = n
			g.Groups = append(g.Groups, GraphGroup{Name: cmp.Or(t.Category, noCategory), Colour: graphColours[n%len(graphColours)], Shape: (n + n/len(graphColours)) % graphShapes})
		}
		g.Nodes = append(g.Nodes, GraphNode{N: i + 1, Key: t.Key, Name: questionName(t), Group: groups[t.Category], Priority: t.Priority, Required: isRequired(d, i)})
	}
	for i := range d.Obligations {
		g.connect(i, d.Obligations[i].Dependencies, at)
	}
	l := layout{g: &g, out: make([][]int, len(g.Nodes)), in: make([][]int, len(g.Nodes)), lanes: map[int][]*slot{}}
	l.draw()
	return g
}

// questionName returns what an obligation is called. In a draft it may have neither a
// label nor a key yet.
func questionName(t *obligations.Template) string {
	if t.Label == "" && t.Key == "" {
		return "New question"
	}
	return t.Name()
}

// noCategory is what the empty category is called.
const noCategory = "Without a category"

// connect adds the edges to node i from the nodes it waits for, each once.
func (g *Graph) connect(i int, deps []string, at map[string]int) {
	for k, dep := range deps {
		from, there := at[dep]
		if slices.Contains(deps[:k], dep) {
			continue
		}
		if !there {
			g.Nodes[i].Lacks = append(g.Nodes[i].Lacks, dep)
			continue
		}
		g.Nodes[i].Needs = append(g.Nodes[i].Needs, g.Nodes[from].Name)
		g.Nodes[from].Unlocks = append(g.Nodes[from].Unlocks, g.Nodes[i].Name)
		g.Edges = append(g.Edges, GraphEdge{From: from, To: i})
	}
}

// layout gives the nodes and edges of a graph their places.
type layout struct {
	g       *Graph
	out, in [][]int // edges by node, without the ones that are dropped to break cycles
	columns [][]*slot
	lanes   map[int][]*slot // by edge: its slots in the columns it passes, left to right
}

// slot is a row of a column: a node, or an edge that passes.
type slot struct {
	node        int // -1 for an edge
	y           int // row in the column while columns are ordered, then the upper end
	left, right []*slot
}

// draw runs the steps in their order; each rests on those before it.
func (l *layout) draw() {
	l.breakCycles()
	l.assignColumns()
	l.fillColumns()
	for i := range sweeps {
		l.sweep(i%2 == 0)
	}
	l.placeColumns()
	l.placeLoose()
	for i := range l.g.Edges {
		l.g.Edges[i].Path = l.path(i)
	}
}

// breakCycles marks what waits for itself, and keeps the edges that make no cycle.
func (l *layout) breakCycles() {
	all := make([][]int, len(l.g.Nodes))
	for _, e := range l.g.Edges {
		all[e.From] = append(all[e.From], e.To)
	}
	reach := make([][]bool, len(all))
	for i := range all {
		reach[i] = reachable(all, i)
	}
	for i := range l.g.Edges {
		e := &l.g.Edges[i]
		if e.Cyclic = reach[e.To][e.From]; e.Cyclic {
			l.g.Nodes[e.From].Cyclic, l.g.Nodes[e.To].Cyclic, l.g.Cyclic = true, true, true
		}
		// Edges from a lower to a higher number cannot make a cycle among themselves.
		if !e.Cyclic || e.From < e.To {
			l.out[e.From], l.in[e.To] = append(l.out[e.From], i), append(l.in[e.To], i)
		}
	}
}

// reachable returns which nodes can be reached from a node; it reaches itself, too.
func reachable(all [][]int, from int) []bool {
	seen := make([]bool, len(all))
	seen[from] = true
	for queue := []int{from}; len(queue) > 0; {
		n := queue[0]
		queue = queue[1:]
		for _, to := range all[n] {
			if !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	return seen
}

// assignColumns gives each node the first column right of everything it waits for.
func (l *layout) assignColumns() {
	waits := make([]int, len(l.g.Nodes))
	var ready []int
	for i := range l.g.Nodes {
		if waits[i] = len(l.in[i]); waits[i] == 0 {
			ready = append(ready, i)
		}
	}
	for len(ready) > 0 {
		n := ready[0]
		ready = ready[1:]
		for _, e := range l.out[n] {
			to := l.g.Edges[e].To
			l.g.Nodes[to].Column = max(l.g.Nodes[to].Column, l.g.Nodes[n].Column+1)
			if waits[to]--; waits[to] == 0 {
				ready = append(ready, to)
			}
		}
	}
}

// loose reports whether no edge leads to or from a node.
func (l *layout) loose(i int) bool {
	return !slices.ContainsFunc(l.g.Edges, func(e GraphEdge) bool { return e.From == i || e.To == i })
}

// fillColumns puts nodes and passing edges into columns, in the order of the objective.
func (l *layout) fillColumns() {
	at := make([]*slot, len(l.g.Nodes))
	for i, n := range l.g.Nodes {
		if !l.loose(i) {
			at[i] = l.add(n.Column, i)
		}
	}
	for i, e := range l.g.Edges {
		from, to := l.g.Nodes[e.From].Column, l.g.Nodes[e.To].Column
		last := at[e.From]
		for c := from + 1; c < to; c++ {
			lane := l.add(c, -1)
			join(last, lane)
			l.lanes[i] = append(l.lanes[i], lane)
			last = lane
		}
		if to > from {
			join(last, at[e.To])
		}
	}
}

// add puts a node, or -1 for an edge, at the end of a column.
func (l *layout) add(column, node int) *slot {
	for len(l.columns) <= column {
		l.columns = append(l.columns, nil)
	}
	one := &slot{node: node}
	l.columns[column] = append(l.columns[column], one)
	return one
}

// join makes two slots of neighbouring columns neighbours.
func join(left, right *slot) {
	left.right, right.left = append(left.right, right), append(right.left, left)
}

// sweep orders each column by where its neighbours on one side stand on average, so that
// fewer edges cross. A slot without neighbours there keeps its row.
func (l *layout) sweep(rightward bool) {
	for i := range l.columns {
		c := i
		if !rightward {
			c = len(l.columns) - 1 - i
		}
		mean := map[*slot]float64{}
		for n, one := range l.columns[c] {
			beside := one.left
			if !rightward {
				beside = one.right
			}
			mean[one] = float64(n)
			if len(beside) > 0 {
				sum := 0
				for _, b := range beside {
					sum += b.y
				}
				mean[one] = float64(sum) / float64(len(beside))
			}
		}
		slices.SortStableFunc(l.columns[c], func(a, b *slot) int { return cmp.Compare(mean[a], mean[b]) })
		for n, one := range l.columns[c] {
			one.y = n
		}
	}
}

// height returns the room that a slot takes in its column.
func (one *slot) height() int {
	if one.node < 0 {
		return laneHeight
	}
	return nodeHeight
}

// placeColumns puts the columns side by side, centred on each other.
func (l *layout) placeColumns() {
	tallest := 0
	heights := make([]int, len(l.columns))
	for c, column := range l.columns {
		for _, one := range column {
			heights[c] += one.height() + nodeGap
		}
		tallest = max(tallest, heights[c])
	}
	for c, column := range l.columns {
		y := graphEdge + (tallest-heights[c])/2
		for _, one := range column {
			one.y = y
			if one.node >= 0 {
				l.g.Nodes[one.node].X, l.g.Nodes[one.node].Y = columnX(c), y
			}
			y += one.height() + nodeGap
		}
	}
	l.g.Width, l.g.Height = columnX(len(l.columns))-columnGap+graphEdge, graphEdge+tallest
}

// columnX returns the left edge of a column.
func columnX(c int) int { return graphEdge + c*(nodeWidth+columnGap) }

// placeLoose puts the nodes without edges in rows below the columns.
func (l *layout) placeLoose() {
	wide := max(looseWide, len(l.columns))
	n, top := 0, l.g.Height
	if len(l.columns) > 0 {
		top += nodeGap
	}
	for i := range l.g.Nodes {
		if !l.loose(i) {
			continue
		}
		node := &l.g.Nodes[i]
		node.X = graphEdge + n%wide*(nodeWidth+nodeGap)
		node.Y = top + n/wide*(nodeHeight+nodeGap)
		l.g.Width = max(l.g.Width, node.X+nodeWidth+graphEdge)
		l.g.Height = node.Y + nodeHeight + graphEdge
		n++
	}
	l.g.Width = max(l.g.Width, 2*graphEdge)
}

// path draws an edge: curved between columns, straight through them. An edge that leads
// back, as one edge of every cycle does, runs below its nodes.
func (l *layout) path(i int) string {
	e := l.g.Edges[i]
	from, to := l.g.Nodes[e.From], l.g.Nodes[e.To]
	x, y := from.X+nodeWidth, from.Y+nodeHeight/2
	var b strings.Builder
	fmt.Fprintf(&b, "M%d %d", x, y)
	if to.Column <= from.Column {
		low := max(from.Y, to.Y) + nodeHeight + nodeGap/2
		fmt.Fprintf(&b, "C%d %d %d %d %d %d", x+columnGap/2, y, x+columnGap/2, low, x, low)
		fmt.Fprintf(&b, "H%dC%d %d %d %d %d %d", to.X, to.X-columnGap/2, low, to.X-columnGap/2, to.Y+nodeHeight/2, to.X-2, to.Y+nodeHeight/2)
		return b.String()
	}
	curve := func(toX, toY int) {
		half := (toX - x) / 2
		fmt.Fprintf(&b, "C%d %d %d %d %d %d", x+half, y, toX-half, toY, toX, toY)
		x, y = toX, toY
	}
	for k, lane := range l.lanes[i] {
		curve(columnX(from.Column+1+k), lane.y+laneHeight/2)
		x += nodeWidth
		fmt.Fprintf(&b, "H%d", x)
	}
	curve(to.X-2, to.Y+nodeHeight/2) // the arrow's tip ends at the node
	return b.String()
}
