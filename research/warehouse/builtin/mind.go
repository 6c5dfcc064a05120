package builtin

import (
	"cmp"
	"slices"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
)

// mind is what is known at a point of a run.
type mind struct {
	d      *dialect
	s      warehouse.Situation
	tables []*table // that are worth a look, the best first
	byAt   map[int]*table
	areas  []area
	rest   int // tables that are not looked at

	turn     int // steps that are done
	asked    map[string]bool
	tried    map[kind]int
	failed   map[kind]int
	worked   map[kind]bool
	last     *idea
	queries  int
	answered int
	broken   int // connections that failed, one after the other
	searched int
	probes   int
	unheard  int // replies that were not understood
	found    []fact
}

// move is what is done next.
type move struct {
	idea   *idea
	say    asking
	tables []*table // to look up
	search string
	done   bool
}

// newMind returns what is known before the first step.
func newMind(s warehouse.Situation) *mind {
	m := &mind{d: dialectOf(s.Instructions.Dialect), s: s, byAt: map[int]*table{}, asked: map[string]bool{}, tried: map[kind]int{}, failed: map[kind]int{}, worked: map[kind]bool{}}
	m.areas = areasOf(s.Instructions.Areas)
	m.rank()
	return m
}

// live goes through what was done. What is decided at each step is decided as it
// was then, from what was known then.
func (m *mind) live() {
	for i := range m.s.Steps {
		then := m.decide()
		m.take(then, &m.s.Steps[i])
		m.turn++
	}
}

// take learns from a step what it was about, if it is the one that was decided.
func (m *mind) take(then move, step *warehouse.Step) {
	switch {
	case step.Type == warehouse.LookupStep && len(then.tables) > 0:
		m.takeLookup(then.tables, step)
	case step.Type == warehouse.SearchStep && then.search != "":
		m.takeSearch(step)
	case step.Type == warehouse.QueryStep && then.idea != nil && step.Query == then.say.query:
		m.takeAnswer(then, step)
	case step.Type == warehouse.ErrorStep:
		m.unheard++
		m.drop(then)
	}
}

// drop does not think of a move again.
func (m *mind) drop(then move) {
	if then.idea != nil {
		m.spend(then.idea)
	}
	for _, t := range then.tables {
		t.looked = true
	}
	if then.search != "" {
		m.searched++
	}
}

// takeLookup marks the tables that were found.
func (m *mind) takeLookup(asked []*table, step *warehouse.Step) {
	for _, t := range asked {
		t.looked = true
		if len(step.Tables) > 0 && !slices.ContainsFunc(step.Tables, func(ref string) bool { return m.means(ref, t) }) {
			t.dead = true
		}
		if step.Error != "" && len(step.Tables) == 0 && step.Class != warehouse.Unreachable {
			t.dead = true
		}
	}
}

// means says whether a name is that of t.
func (m *mind) means(ref string, t *table) bool {
	i, ok, _ := m.s.Catalog.Find(ref)
	return ok && i == t.at
}

// spend notes that an idea was asked.
func (m *mind) spend(i *idea) {
	m.asked[i.key] = true
	m.last = i
	m.tried[i.kind]++
	i.of.used++
	i.of.ideas = slices.DeleteFunc(i.of.ideas, func(o *idea) bool { return o.key == i.key })
	for _, a := range i.areas {
		m.areas[a].used++
	}
}

// takeAnswer learns from the answer to an idea, unless a mended statement read other
// columns than were asked for.
func (m *mind) takeAnswer(then move, step *warehouse.Step) {
	i := then.idea
	m.spend(i)
	m.queries++
	if step.Error != "" {
		m.takeFailure(i, step.Class)
		return
	}
	m.answered++
	m.broken, m.worked[i.kind] = 0, true
	i.of.tire(i.kind, step.Took)
	if g := readGrid(step.Digest); g != nil && i.learn != nil && g.answers(then.say.query) {
		i.learn(g)
	}
	for _, t := range m.tables { // what is known of one bears on others by joins
		t.stale = t.stale || t == i.of || i.kind == profiling || i.kind == probe
	}
}

// A statement has half a minute unless a connection says otherwise. One that took a third of it is a warning: joins and
// rarer groups take longer still, and would not be answered at all. From then on a part is read, of as many rows as are
// read in some seconds at the pace that the table has shown.
const (
	nearlyTooLong = 10 * time.Second
	goodTime      = 4 * time.Second
)

// tire notes how long a statement over t took. Profiles do not count: they ask for much more than what follows, and fewer
// columns are asked for at a time when one fails.
func (t *table) tire(k kind, took time.Duration) {
	if k == profiling || took < nearlyTooLong || t.rows <= heavyRows {
		return
	}
	rows := int64(float64(t.rows) * float64(goodTime) / float64(took))
	if t.heavy {
		rows = min(rows, t.part)
	}
	t.heavy, t.part = true, max(rows, heavyRows)
}

// takeFailure changes what is asked after a failure.
func (m *mind) takeFailure(i *idea, class warehouse.ErrorClass) {
	for _, t := range m.tables {
		t.stale = true
	}
	switch class {
	case warehouse.Unreachable:
		m.broken++
		delete(m.asked, i.key)
	case warehouse.NoPermission, warehouse.UnknownTable:
		i.of.dead = true
	case warehouse.TimedOut, warehouse.OverQuota:
		i.of.dead = i.of.heavy && i.kind == profiling
		i.of.heavy = true
		if i.kind == profiling {
			delete(m.asked, i.key)
		}
	default:
		m.failed[i.kind]++
		if i.fail != nil {
			i.fail()
		}
	}
}

// The bounds of what is looked at.
const (
	maxBatch   = 8   // tables of one lookup
	maxTables  = 300 // that are thought about
	maxBroken  = 3   // connections that fail before it gives up
	manyTables = 300 // beyond these it searches for the areas, too
	maxSearch  = 3
	maxUnheard = 3
)

// decide returns the move that promises most.
func (m *mind) decide() move {
	if m.over() {
		return move{done: true}
	}
	if !slices.ContainsFunc(m.tables, func(t *table) bool { return t.looked }) {
		if batch := m.batch(); batch != nil {
			return move{tables: batch}
		}
	}
	if words := m.wanted(); words != "" {
		return move{search: words}
	}
	best := m.best()
	if best == nil || m.worth(best) < m.fresh() {
		if batch := m.batch(); batch != nil {
			return move{tables: batch}
		}
	}
	if best == nil {
		return move{done: true}
	}
	return move{idea: best, say: best.say()}
}

// over says whether there is no sense in going on.
func (m *mind) over() bool {
	last := m.s.MaxSteps > 0 && m.turn >= m.s.MaxSteps-1
	return last || m.broken >= maxBroken || m.unheard >= maxUnheard || len(m.tables) == 0
}

// batch returns the tables to look up next, nil when there are none, or no lookups
// left.
func (m *mind) batch() []*table {
	if m.left(warehouse.LookupStep, m.s.LookupsLeft) <= 0 {
		for _, t := range m.tables { // what the catalog says has to do
			t.looked = true
		}
		return nil
	}
	var out []*table
	for _, t := range m.tables {
		if !t.looked && !t.dead && len(out) < m.batchSize() {
			out = append(out, t)
		}
	}
	return out
}

// batchSize is how many tables are taken in at once, by how many steps there are.
func (m *mind) batchSize() int {
	if m.s.MaxSteps <= 0 {
		return maxBatch
	}
	return min(max(m.s.MaxSteps/5, 1), maxBatch, warehouse.MaxLookupTables)
}

// left is how many lookups or searches were left at this point, when so many are
// left now.
func (m *mind) left(of warehouse.StepType, now int) int {
	for _, s := range m.s.Steps[m.turn:] {
		if s.Type == of {
			now++
		}
	}
	return now
}

// rank finds the tables worth a look.
func (m *mind) rank() {
	x := m.s.Catalog
	if x == nil {
		return
	}
	type scored struct {
		at    int
		score float64
	}
	var all []scored
	for i := range x.Len() {
		if c := x.Table(i); len(c.Columns) > 0 && c.Rows != 0 && !m.superseded(i) {
			all = append(all, scored{i, m.score(x, i)})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	m.rest = max(len(all)-maxTables, 0)
	for n, s := range all[:min(len(all), maxTables)] {
		t := newTable(m.d, x, s.at)
		t.place = n
		t.weight = 0.3 + 1.2*max(s.score, 0)/max(all[0].score, 1)
		m.tables, m.byAt[s.at] = append(m.tables, t), t
	}
}

// superseded says whether table i is of a family that differs in a number at the
// end, and not the last of it.
func (m *mind) superseded(i int) bool {
	x := m.s.Catalog
	stem := numbered(x.Table(i).Name)
	if stem == "" || i+1 >= x.Len() {
		return false
	}
	next := x.Table(i + 1)
	return next.Schema == x.Table(i).Schema && numbered(next.Name) == stem && len(next.Columns) == len(x.Table(i).Columns)
}

// numbered returns a name up to the number that ends it behind an underscore.
func numbered(name string) string {
	n := len(name)
	for n > 0 && name[n-1] >= '0' && name[n-1] <= '9' {
		n--
	}
	if n == len(name) || n < 2 || name[n-1] != '_' {
		return ""
	}
	return name[:n]
}

// tableFor returns what is known of the table called ref, nil if it is not looked
// at.
func (m *mind) tableFor(ref string) *table {
	i, ok, _ := m.s.Catalog.Find(ref)
	if !ok {
		return nil
	}
	return m.byAt[i]
}

// unknownRows says whether nobody counted.
func unknownRows(c *catalog.Table) bool { return c.Rows == catalog.UnknownRows }
