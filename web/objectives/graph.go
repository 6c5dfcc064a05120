package objectives

import (
	"fmt"
	"slices"
	"strings"

	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// Sizes of the graph, in the units of its view box, which are CSS pixels.
const (
	nodeWidth  = 200
	nodeHeight = 48
	nodeGap    = 14 // between nodes of a column
	laneHeight = 10 // that a line takes where it passes a column
	columnGap  = 76
	graphEdge  = 12 // around everything
	looseWide  = 4  // nodes in a row of those that no line leads to or from
	sweeps     = 8  // rounds of ordering
)

// Graph is the dependencies of an objective, drawn from left to right: what is
// asked first stands at the left.
type Graph struct {
	Nodes  []GraphNode // in the objective's order
	Edges  []GraphEdge
	Groups []GraphGroup
	Width  int
	Height int
	Cyclic bool // something waits for itself
}

// GraphNode is an obligation.
type GraphNode struct {
	N        int // its number in the objective, from 1
	Key      string
	Name     string
	Group    int // its category's place in Groups
	Required bool
	Priority int
	Cyclic   bool // it waits for itself, directly or through others
	X, Y     int  // of its upper left corner
	Column   int  // from 0
	Needs    []string
	Unlocks  []string // names of those that wait for it
	Lacks    []string // keys it names that no obligation has
}

// GraphEdge leads from an obligation to one that waits for it.
type GraphEdge struct {
	From, To int // places in Nodes
	Path     string
	Cyclic   bool // part of a circle
}

// GraphGroup is a category: its name, and the colour and shape that stand for it.
type GraphGroup struct {
	Name   string
	Colour string // one of graphColours
	Shape  int    // 0–5; the pair differs for 36 categories
}

// mostShrunk is the width to which a graph is drawn smaller where there is less room.
const mostShrunk = 1600

// graphColours are the tokens that categories are drawn in.
var graphColours = [...]string{"var(--accent)", "var(--now)", "var(--known)", "var(--part)", "var(--later)", "var(--quiet)"}

const graphShapes = 6

// GraphOf draws an objective. It copes with every fault a draft may have.
func GraphOf(d *objectives.Definition) Graph {
	g := Graph{}
	at := map[string]int{}
	groups := map[string]int{}
	for i := range d.Obligations {
		t := &d.Obligations[i]
		if _, twice := at[t.Key]; !twice {
			at[t.Key] = i
		}
		if _, known := groups[t.Category]; !known {
			n := len(g.Groups)
			groups[t.Category] = n
			g.Groups = append(g.Groups, GraphGroup{Name: categoryName(t.Category), Colour: graphColours[n%len(graphColours)], Shape: (n + n/len(graphColours)) % graphShapes})
		}
		g.Nodes = append(g.Nodes, GraphNode{N: i + 1, Key: t.Key, Name: questionName(t), Group: groups[t.Category], Priority: t.Priority, Required: slices.Contains(d.Completion.Required, t.Key)})
	}
	for i := range d.Obligations {
		g.connect(i, d.Obligations[i].Dependencies, at)
	}
	p := plan{g: &g, out: make([][]int, len(g.Nodes)), in: make([][]int, len(g.Nodes))}
	p.lay()
	return g
}

// questionName is what an obligation is called, a draft's too, whose key may be empty.
func questionName(t *obligations.Template) string {
	if t.Label == "" && t.Key == "" {
		return "New question"
	}
	return t.Name()
}

func categoryName(c string) string {
	if c == "" {
		return "Without a category"
	}
	return c
}

// connect draws lines to the node at i from those it waits for.
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

// plan lays a graph out in columns.
type plan struct {
	g       *Graph
	out, in [][]int // edges by node, those that lead back in a circle left out
	columns [][]*place
	lanes   map[int][]*place // by edge: where it passes columns, left to right
}

// place is a row of a column: a node, or a line that passes.
type place struct {
	node  int // -1 for a line
	y     int
	above []*place // neighbours in the column to the left
	below []*place // and to the right
	rank  float64
}

func (p *plan) lay() {
	p.circles()
	p.rank()
	p.fill()
	for i := range sweeps {
		p.sweep(i%2 == 0)
	}
	p.put()
	for i := range p.g.Edges {
		p.g.Edges[i].Path = p.path(i)
	}
}

// circles marks what waits for itself, and keeps the lines that make no circle.
func (p *plan) circles() {
	all := make([][]int, len(p.g.Nodes))
	for _, e := range p.g.Edges {
		all[e.From] = append(all[e.From], e.To)
	}
	reach := make([][]bool, len(all))
	for i := range all {
		reach[i] = reachable(all, i)
	}
	for i := range p.g.Edges {
		e := &p.g.Edges[i]
		if e.Cyclic = reach[e.To][e.From]; e.Cyclic {
			p.g.Nodes[e.From].Cyclic, p.g.Nodes[e.To].Cyclic, p.g.Cyclic = true, true, true
		}
		// Of a circle's lines those that go up in number are kept: they make none.
		if !e.Cyclic || e.From < e.To {
			p.out[e.From], p.in[e.To] = append(p.out[e.From], i), append(p.in[e.To], i)
		}
	}
}

// reachable returns what can be come to from a node; itself only by a circle or
// at no distance.
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

// rank gives each node the first column right of all it waits for.
func (p *plan) rank() {
	waits := make([]int, len(p.g.Nodes))
	var ready []int
	for i := range p.g.Nodes {
		if waits[i] = len(p.in[i]); waits[i] == 0 {
			ready = append(ready, i)
		}
	}
	for len(ready) > 0 {
		n := ready[0]
		ready = ready[1:]
		for _, e := range p.out[n] {
			to := p.g.Edges[e].To
			p.g.Nodes[to].Column = max(p.g.Nodes[to].Column, p.g.Nodes[n].Column+1)
			if waits[to]--; waits[to] == 0 {
				ready = append(ready, to)
			}
		}
	}
}

// loose reports whether no line leads to or from a node.
func (p *plan) loose(i int) bool {
	return !slices.ContainsFunc(p.g.Edges, func(e GraphEdge) bool { return e.From == i || e.To == i })
}

// fill puts nodes and passing lines into columns, in the order of the objective.
func (p *plan) fill() {
	p.lanes = map[int][]*place{}
	at := make([]*place, len(p.g.Nodes))
	for i, n := range p.g.Nodes {
		if !p.loose(i) {
			at[i] = p.add(n.Column, i)
		}
	}
	for i, e := range p.g.Edges {
		from, to := p.g.Nodes[e.From].Column, p.g.Nodes[e.To].Column
		last := at[e.From]
		for c := from + 1; c < to; c++ {
			lane := p.add(c, -1)
			join(last, lane)
			p.lanes[i] = append(p.lanes[i], lane)
			last = lane
		}
		if to > from {
			join(last, at[e.To])
		}
	}
}

func (p *plan) add(column, node int) *place {
	for len(p.columns) <= column {
		p.columns = append(p.columns, nil)
	}
	one := &place{node: node}
	p.columns[column] = append(p.columns[column], one)
	return one
}

func join(left, right *place) {
	left.below, right.above = append(left.below, right), append(right.above, left)
}

// sweep orders each column by where its neighbours on one side stand, so that
// fewer lines cross.
func (p *plan) sweep(rightward bool) {
	for i := range p.columns {
		c := i
		if !rightward {
			c = len(p.columns) - 1 - i
		}
		for n, one := range p.columns[c] {
			beside := one.above
			if !rightward {
				beside = one.below
			}
			one.rank = float64(n)
			if len(beside) > 0 {
				one.rank = mean(beside)
			}
		}
		slices.SortStableFunc(p.columns[c], func(a, b *place) int {
			switch {
			case a.rank < b.rank:
				return -1
			case a.rank > b.rank:
				return 1
			}
			return 0
		})
		for n, one := range p.columns[c] {
			one.y = n
		}
	}
}

// mean is where places stand among those of their column, on average.
func mean(list []*place) float64 {
	sum := 0
	for _, one := range list {
		sum += one.y
	}
	return float64(sum) / float64(len(list))
}

func (one *place) height() int {
	if one.node < 0 {
		return laneHeight
	}
	return nodeHeight
}

// put gives everything its place: columns side by side, centred on each other,
// and below them what no line leads to or from.
func (p *plan) put() {
	tallest := 0
	heights := make([]int, len(p.columns))
	for c, column := range p.columns {
		for _, one := range column {
			heights[c] += one.height() + nodeGap
		}
		tallest = max(tallest, heights[c])
	}
	for c, column := range p.columns {
		y := graphEdge + (tallest-heights[c])/2
		for _, one := range column {
			one.y = y
			if one.node >= 0 {
				p.g.Nodes[one.node].X, p.g.Nodes[one.node].Y = columnX(c), y
			}
			y += one.height() + nodeGap
		}
	}
	p.g.Width, p.g.Height = columnX(len(p.columns))-columnGap+graphEdge, graphEdge+tallest
	p.putLoose()
}

func columnX(c int) int { return graphEdge + c*(nodeWidth+columnGap) }

// putLoose stands the others in rows below.
func (p *plan) putLoose() {
	wide := max(looseWide, len(p.columns))
	n := 0
	top := p.g.Height
	if len(p.columns) > 0 {
		top += nodeGap
	}
	for i := range p.g.Nodes {
		if !p.loose(i) {
			continue
		}
		p.g.Nodes[i].X = graphEdge + n%wide*(nodeWidth+nodeGap)
		p.g.Nodes[i].Y = top + n/wide*(nodeHeight+nodeGap)
		p.g.Width = max(p.g.Width, p.g.Nodes[i].X+nodeWidth+graphEdge)
		p.g.Height = p.g.Nodes[i].Y + nodeHeight + graphEdge
		n++
	}
	p.g.Width = max(p.g.Width, 2*graphEdge)
}

// path is the line of an edge: curves between columns, straight through them.
// One that leads back, which only a circle's does, runs below its nodes.
func (p *plan) path(i int) string {
	e := p.g.Edges[i]
	from, to := p.g.Nodes[e.From], p.g.Nodes[e.To]
	x, y := from.X+nodeWidth, from.Y+nodeHeight/2
	var b strings.Builder
	fmt.Fprintf(&b, "M%d %d", x, y)
	if to.Column <= from.Column {
		low := max(from.Y, to.Y) + nodeHeight + nodeGap/2
		fmt.Fprintf(&b, "C%d %d %d %d %d %d", x+columnGap/2, y, x+columnGap/2, low, x, low)
		fmt.Fprintf(&b, "H%dC%d %d %d %d %d %d", to.X, to.X-columnGap/2, low, to.X-columnGap/2, to.Y+nodeHeight/2, to.X-2, to.Y+nodeHeight/2)
		return b.String()
	}
	for k, lane := range p.lanes[i] {
		left := columnX(from.Column + 1 + k)
		curve(&b, x, y, left, lane.y+laneHeight/2)
		x, y = left+nodeWidth, lane.y+laneHeight/2
		fmt.Fprintf(&b, "H%d", x)
	}
	curve(&b, x, y, to.X-2, to.Y+nodeHeight/2)
	return b.String()
}

func curve(b *strings.Builder, x, y, toX, toY int) {
	half := (toX - x) / 2
	fmt.Fprintf(b, "C%d %d %d %d %d %d", x+half, y, toX-half, toY, toX, toY)
}
