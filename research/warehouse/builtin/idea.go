package builtin

// kind is a kind of question.
type kind string

// The kinds.
const (
	profiling   kind = "profile"
	volume      kind = "volume"
	season      kind = "season"
	years       kind = "years"
	gaps        kind = "gaps"
	jumps       kind = "jumps"
	segment     kind = "segment"
	tail        kind = "concentration"
	mover       kind = "mover"
	follow      kind = "follow"
	spread      kind = "spread"
	histogram   kind = "histogram"
	outliers    kind = "outliers"
	relation    kind = "relation"
	cross       kind = "cross"
	repeats     kind = "repeats"
	missing     kind = "missing"
	orphans     kind = "orphans"
	probe       kind = "probe"
	named       kind = "named"
	cohort      kind = "cohort"
	habit       kind = "habit"
	newcomers   kind = "newcomers"
	funnel      kind = "funnel"
	mix         kind = "mix"
	elapsed     kind = "elapsed"
	flags       kind = "flags"
	frequent    kind = "frequent"
	figuresOver kind = "figures over time"
	look        kind = "look"
)

// idea is a question that could be asked of a table.
type idea struct {
	key   string // of its kind and what it is about; asked once
	kind  kind
	of    *table
	cols  []*column
	base  float64 // 0 to 100, how much it promises
	areas []int   // of the brief, that it belongs to
	whole bool    // it reads all of its table, however large
	write func() asking
	learn func(g *grid) // may be nil
	fail  func()        // what is to be done differently; may be nil
}

// asking is an idea in words.
type asking struct {
	query    string
	thinking string
	purpose  string
}

// part says which part of its table an idea rests on; empty when it is all.
func (i *idea) part() string {
	if i.whole {
		return ""
	}
	return i.of.read()
}

// say puts an idea in words. What rests on a part of a table says so in its purpose,
// which is the title of what comes of it.
func (i *idea) say() asking {
	out := i.write()
	if part := i.part(); part != "" {
		out.purpose += ", in " + part
	}
	return out
}

// keyOf names an idea.
func keyOf(k kind, t *table, cols ...*column) string {
	key := string(k) + "\x00" + t.ref
	for _, c := range cols {
		key += "\x00" + c.name
	}
	return key
}

// add notes an idea of t, unless it was asked, or cannot be.
func (m *mind) add(i *idea) {
	if i.of.dead || m.asked[i.key] || m.failed[i.kind] >= maxFailures && !m.worked[i.kind] {
		return
	}
	for _, c := range i.cols {
		if c.spoilt {
			return
		}
	}
	i.areas = m.areasOf(i)
	i.of.ideas = append(i.of.ideas, i)
}

// maxFailures is how often a kind of question fails before it is given up.
const maxFailures = 2

// think collects the ideas of t from what is known.
func (m *mind) think(t *table) {
	t.ideas, t.stale = t.ideas[:0], false
	m.profiles(t)
	if !t.profiled() {
		return
	}
	t.bare = t.clock() == nil && len(t.figures()) == 0
	m.overTime(t)
	m.bySegment(t)
	m.ofFigures(t)
	m.ofKeys(t)
	m.ofThings(t)
	m.ofStates(t)
	m.ofTexts(t)
}
