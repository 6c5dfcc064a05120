package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"unicode/utf8"
)

// results is everything that was measured.
type results struct {
	modelless bool // the program has no interviewer with a model

	flows    []*flow
	works    []*work
	holdings []holding
	depths   []*depth
	starts   []*coldStart
	relay    *relay
	errand   *errand
	growths  []*growth
}

// table is rows under headings. The first columns are flush left, the others
// right.
type table struct {
	left int // columns flush left
	head []string
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// String lays the table out in columns as wide as their widest cell.
func (t *table) String() string {
	width := make([]int, len(t.head))
	all := append([][]string{t.head}, t.rows...)
	for _, row := range all {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range all {
		var line strings.Builder
		for i, cell := range row {
			space := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if i > 0 {
				line.WriteString("  ")
			}
			if i < t.left {
				line.WriteString(cell + space)
				continue
			}
			line.WriteString(space + cell)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

func (b *bench) tell(title string, t *table, notes ...string) {
	fmt.Fprintf(b.out, "\n== %s\n%s", title, t)
	for _, note := range notes {
		fmt.Fprintln(b.out, "   "+note)
	}
}

// preface says on what and how it is measured.
func (b *bench) preface() {
	load, _ := os.ReadFile("/proc/loadavg") // absent elsewhere; the line is then shorter
	fmt.Fprintf(b.out, "Quaestor bench: %d CPUs, %s, PostgreSQL %s with fsync on, load %s\n",
		runtime.NumCPU(), runtime.Version(), b.cluster.Version(), strings.TrimSpace(string(load)))
	fmt.Fprintf(b.out, "warm-up up to %s, window %s, %d pieces a reply, %d obligations changed a turn; times in ms as p50 / p99\n", b.warm, b.window, b.pieces, toldATurn)
}

// manyStreams is how many it takes to tell the memory of one from the rest.
const manyStreams = 50

func (b *bench) tellFlow() {
	t := table{left: 1, head: []string{"server", "clients", "turns/s", "n", "TTFT+", "turn+", "tail", "token delay", "CPU s/1000: server", "postgres", "RSS MB", "KB/stream", "others", "bad"}}
	for _, f := range b.results.flows {
		clients := fmt.Sprint(f.clients)
		if f.period == 0 {
			clients += " flat"
		}
		stream := "–"
		if f.clients >= manyStreams && f.period > 0 {
			stream = fmt.Sprintf("%.0f", f.perStream()/1024)
		}
		t.add(f.target.kind, clients, figure(f.perSecond()), fmt.Sprint(f.overhead.len()), f.ttft.String(), f.overhead.String(), f.tail.String(), f.delay.String(),
			figure(f.perThousand(f.cost.server)), figure(f.perThousand(f.cost.postgres)), fmt.Sprintf("%d → %d", f.idle>>20, f.peak>>20), stream,
			fmt.Sprintf("%.2f", f.othersCores()), f.bad())
	}
	notes := []string{"n is the number of turns behind the times; others is what processes outside of the run used, in cores: above 0.2 the times are doubtful."}
	for _, f := range b.results.flows {
		if f.why != "" {
			notes = append(notes, fmt.Sprintf("%s, %d clients: %d turns failed, the first with %q", f.target.kind, f.clients, f.failed, f.why))
		}
	}
	b.tell("Turns (added to the model's own time)", &t, notes...)
}

// bad counts turns that failed and turns the rules had to answer for the model.
func (f *flow) bad() string {
	if f.failed+f.degraded == 0 {
		return "0"
	}
	return fmt.Sprintf("%d failed, %d degraded", f.failed, f.degraded)
}

func (b *bench) tellWork() {
	t := table{left: 1, head: []string{"server", "round trips", "statements", "commits", "WAL bytes", "bytes to", "from", "wakes", "first turn", "idle trips/s"}}
	for _, w := range b.results.works {
		t.add(w.kind, figure(w.trips), figure(w.statements), figure(w.commits), fmt.Sprintf("%.0f", w.wal), fmt.Sprintf("%.0f", w.up), fmt.Sprintf("%.0f", w.down),
			figure(w.wakes), figure(w.first), figure(w.idleTrips))
	}
	b.tell("Database work a turn", &t, fmt.Sprintf("turns 2 to %d of %d sessions side by side; first turn: its round trips, the session's making included;", turnsASession, countTalkers),
		"wakes: round trips after the turn that wake other instances, several turns in one when busy; idle WAL and writes are taken off.")
}

func (b *bench) tellHeld() {
	t := table{left: 2, head: []string{"server", "what", "count", "RSS idle MB", "held MB", "KB each"}}
	for _, h := range b.results.holdings {
		t.add(h.kind, h.what, fmt.Sprint(h.count), fmt.Sprint(h.idle>>20), fmt.Sprint(h.held>>20), figure(h.each()/1024))
	}
	b.tell("Memory of streams on which nothing flows", &t, "reply: a turn that waits for the model's first piece; listener: a reader of a quiet session.")
}

func (b *bench) tellDepth() {
	t := table{left: 1, head: []string{"server", "turn", "n", "turn+", "prompt bytes: reply", "understanding"}}
	for _, d := range b.results.depths {
		t.add(d.kind, fmt.Sprint(d.turn), fmt.Sprint(d.overhead.len()), d.overhead.String(), fmt.Sprint(d.prompt), orDash(float64(d.reading)))
	}
	b.tell("Depth of a conversation", &t, fmt.Sprintf("%d conversations, one after another; the %d turns up to the one named (8 at turn 10)", depthSessions, depthNear))
}

func (b *bench) tellStart() {
	t := table{left: 2, head: []string{"server", "database", "n", "median ms", "worst ms"}}
	for _, c := range b.results.starts {
		database := "current"
		if c.empty {
			database = "empty"
		}
		if c.kind == proxyKind {
			database = "none"
		}
		t.add(c.kind, database, fmt.Sprint(c.took.len()), millis(c.took.p50()), millis(c.took.p99()))
	}
	b.tell("From start to the end of the first turn", &t)
}

func (b *bench) tellRelay() {
	r := b.results.relay
	t := table{left: 1, head: []string{"what", "n", "p50 / p99 ms"}}
	t.add("event here seen there", fmt.Sprint(r.lag.len()), r.lag.String())
	t.add("floor: row and notification", fmt.Sprint(r.notify.len()), r.notify.String())
	t.add(fmt.Sprintf("resume of %d missed events", r.missed), fmt.Sprint(r.resume.len()), r.resume.String())
	t.add("floor: the query alone", fmt.Sprint(r.query.len()), r.query.String())
	b.tell("Two instances", &t, fmt.Sprintf("%.0f events a second, %d never came; the log holds %d events", r.perSecond, r.missing, r.logged))
}

func (b *bench) tellResearch() {
	e := b.results.errand
	t := table{left: 1, head: []string{"what", "n", "p50 / p99 ms", "a second", "round trips"}}
	t.add("turn's commit → desk takes the task", fmt.Sprint(e.pickup.len()), e.pickup.String(), "–", "–")
	t.add("floor: River tuned, commit → empty job", fmt.Sprint(e.tuned.pickup.len()), e.tuned.pickup.String(), figure(e.tuned.rate), "–")
	t.add("River as set here, commit → empty job", fmt.Sprint(e.ours.pickup.len()), e.ours.pickup.String(), figure(e.ours.rate), "–")
	t.add("task that finds nothing to read", fmt.Sprint(e.drained), "–", figure(e.perSecond()), figure(e.deskTrips))
	t.add("turn whose wish is refused", fmt.Sprint(e.refused.len()), e.refused.String(), "–", figure(e.refusedTrips))
	t.add("turn that orders it", fmt.Sprint(e.ordered.len()), e.ordered.String(), "–", figure(e.orderedTrips))
	b.tell("Research (rules, a search engine that finds nothing)", &t, fmt.Sprintf("one order each %s on average, at random instants; the tuned queue has %d workers and a cooldown of %s.", errandEvery, tunedWorkers, tunedCooldown),
		fmt.Sprintf("The round trips of a task are %s statements; turns are those of a session after its first, with nothing worked meanwhile.", figure(e.deskStatements)))
}

func (b *bench) tellGrowth() {
	t := table{left: 1, head: []string{"sessions", "n", "load one", "turn that looks up its session", "turn in a known one", "page of 50"}}
	for _, g := range b.results.growths {
		t.add(fmt.Sprint(g.rows), fmt.Sprint(g.load.len()), g.load.String(), g.lookup.String(), g.write.String(), g.page.String())
	}
	b.tell("Size of the sessions table (rules, whole requests)", &t)
}
