package main

import (
	"fmt"
	"time"
)

// goal is one thing to reach, all figures in the same unit. A floor of 0 means
// that there is none, a limit of 0 that none is set.
type goal struct {
	number    string
	what      string
	unit      string
	value     float64
	floor     float64
	must      float64
	excellent float64
	atLeast   bool // more is better
	doubtful  bool // others disturbed what it was measured with
}

// verdict says how far a goal is reached, with a question mark when it is
// doubtful.
func (g goal) verdict() string {
	if g.doubtful {
		g.doubtful = false
		return g.verdict() + "?"
	}
	switch {
	case g.reaches(g.excellent):
		return "excellent"
	case g.reaches(g.must):
		return "ok"
	}
	return "short"
}

// reaches reports whether the value is on the right side of a limit.
func (g goal) reaches(limit float64) bool {
	if limit == 0 {
		return false
	}
	if g.atLeast {
		return g.value >= limit
	}
	return g.value <= limit
}

// ratio returns value over floor as "1.50 ×".
func (g goal) ratio() string {
	if g.floor == 0 {
		return "–"
	}
	return figure(g.value/g.floor) + " ×"
}

// against returns a goal that is judged by its ratio to a floor.
func against(number, what, unit string, value, floor, must, excellent float64) goal {
	return goal{number: number, what: what, unit: unit, value: value, floor: floor, must: must * floor, excellent: excellent * floor}
}

// within returns a goal that is judged as it is.
func within(number, what, unit string, value, must, excellent float64) goal {
	return goal{number: number, what: what, unit: unit, value: value, must: must, excellent: excellent}
}

func (b *bench) tellGoals() {
	t := table{left: 2, head: []string{"goal", "what", "measured", "floor", "ratio", "must", "excellent", "verdict"}}
	r := &b.results
	for _, g := range r.goals() {
		t.add(g.number, g.what, figure(g.value)+" "+g.unit, orDash(g.floor), g.ratio(), orDash(g.must), orDash(g.excellent), g.verdict())
	}
	b.tell("Goals, judged for the interviewer "+r.subject(), &t, "floor, must and excellent are in the unit of what was measured; numbers as in the goals table of docs/benchmarks.md.",
		fmt.Sprintf("A verdict with ? is doubtful: processes outside of the run used more than %.1f cores meanwhile.", quietCores))
}

func orDash(x float64) string {
	if x == 0 {
		return "–"
	}
	return figure(x)
}

// subject is the kind of server the goals are judged for: the one with a model,
// unless the program has none.
func (r *results) subject() string {
	if r.modelless {
		return rulesKind
	}
	return modelKind
}

// goals lists what can be judged by what was measured.
func (r *results) goals() []goal {
	var out []goal
	for _, list := range [][]goal{r.flowGoals(), r.flatGoals(), r.workGoals(), r.memoryGoals(), r.relayGoals(), r.errandGoals(), r.startGoals(), r.depthGoals(), r.growthGoals()} {
		out = append(out, list...)
	}
	return out
}

// flow returns the load of a kind of server with so many clients.
func (r *results) flow(kind string, clients int, flat bool) *flow {
	for _, f := range r.flows {
		if f.target.kind == kind && f.clients == clients && (f.period == 0) == flat {
			return f
		}
	}
	return nil
}

// flowGoals judges each number of streams.
func (r *results) flowGoals() []goal {
	var out []goal
	for _, f := range r.flows {
		if f.target.kind != r.subject() || f.period == 0 {
			continue
		}
		if read, proxy := r.flow(readKind, f.clients, false), r.flow(proxyKind, f.clients, false); read != nil && proxy != nil {
			out = append(out, doubted(levelGoals(f, read), f, read)...)
			if f.delay.len() > 0 {
				delay := against("3", fmt.Sprintf("token delay p50, %d streams", f.clients), "ms", ms(f.delay.p50()), ms(proxy.delay.p50()), 2, 1.3)
				out = append(out, doubted([]goal{delay}, f, proxy)...)
			}
		}
	}
	return out
}

// quietCores is how much others may use before times are doubtful.
const quietCores = 0.2

// doubted marks goals whose loads others disturbed.
func doubted(list []goal, loads ...*flow) []goal {
	for _, f := range loads {
		if f.othersCores() <= quietCores {
			continue
		}
		for i := range list {
			list[i].doubtful = true
		}
	}
	return list
}

// othersCores is how many cores processes outside of the run used.
func (f *flow) othersCores() float64 { return f.cost.others().Seconds() / f.window.Seconds() }

func levelGoals(f, read *flow) []goal {
	at := fmt.Sprintf(", %d streams", f.clients)
	out := []goal{
		against("1", "TTFT+ p50"+at, "ms", ms(f.ttft.p50()), ms(read.ttft.p50()), 2.5, 1.5),
		against("1", "TTFT+ p99"+at, "ms", ms(f.ttft.p99()), ms(read.ttft.p99()), 3, 2),
	}
	if f.clients <= 50 {
		out = append(out, within("1c", "TTFT+ p99 for a voice"+at, "ms", ms(f.ttft.p99()), 10, 5))
	}
	out = append(out,
		against("2", "turn+ p50"+at, "ms", ms(f.overhead.p50()), ms(read.overhead.p50()), 3, 1.5),
		against("2", "turn+ p99"+at, "ms", ms(f.overhead.p99()), ms(read.overhead.p99()), 3, 2))
	if f.clients >= 1000 {
		out = append(out, within("7", "turn+ p99"+at, "ms", ms(f.overhead.p99()), 100, 100))
	}
	if f.clients >= 500 {
		out = append(out, against("8", "memory of a flowing stream"+at, "KB", f.perStream()/1024, read.perStream()/1024, 1.6, 1.2))
	}
	return out
}

// flatGoals judges clients that never wait. The limits of CPU are those of the
// reference machine, as ratios to the floor there.
func (r *results) flatGoals() []goal {
	var f, read *flow
	for _, one := range r.flows {
		if one.period == 0 && one.target.kind == r.subject() {
			f = one
			read = r.flow(readKind, one.clients, true)
		}
	}
	if f == nil || read == nil {
		return nil
	}
	speed := against("5", fmt.Sprintf("turns/s flat out, %d clients", f.clients), "/s", f.perSecond(), read.perSecond(), 0.4, 0.7)
	speed.atLeast = true
	return []goal{doubted([]goal{speed}, f, read)[0],
		against("6", "CPU of the server per 1,000 turns flat out", "s", f.perThousand(f.cost.server), read.perThousand(read.cost.server), 1.6/0.54, 0.9/0.54),
		against("6", "CPU of PostgreSQL per 1,000 turns flat out", "s", f.perThousand(f.cost.postgres), read.perThousand(read.cost.postgres), 0.8/0.38, 0.6/0.38)}
}

func (r *results) workGoals() []goal {
	var out []goal
	var floor work
	for _, w := range r.works {
		if w.kind == readKind {
			floor = *w
		}
		if w.kind != r.subject() {
			continue
		}
		trips, commits, wal := within("4", "database round trips a turn", "", w.trips, 4, 2.05), within("4", "commits a turn", "", w.commits, 1.05, 1.05), within("4", "WAL a turn", "bytes", w.wal, 8<<10, 4<<10)
		trips.floor, commits.floor, wal.floor = floor.trips, floor.commits, floor.wal
		out = append(out, trips, commits, wal)
	}
	return out
}

func (r *results) memoryGoals() []goal {
	var out []goal
	floor := 0.0
	for _, h := range r.holdings {
		kb := h.each() / 1024
		switch {
		case h.kind == proxyKind:
			floor = kb
		case h.what == "listener":
			out = append(out, within("8", "memory of a listener", "KB", kb, 0, 25))
		case h.kind == r.subject():
			out = append(out, against("8", "memory of a held stream", "KB", kb, floor, 1.6, 1.0))
		}
	}
	return out
}

func (r *results) relayGoals() []goal {
	if r.relay == nil {
		return nil
	}
	lag, tail := within("9", "event on A seen on B, p50", "ms", ms(r.relay.lag.p50()), 5, 2*ms(r.relay.notify.p50())), within("9", "event on A seen on B, p99", "ms", ms(r.relay.lag.p99()), 50, 10)
	lag.floor, tail.floor = ms(r.relay.notify.p50()), ms(r.relay.notify.p99())
	back, late := within("10", "resume, p50", "ms", ms(r.relay.resume.p50()), 20, 2), within("10", "resume, p99", "ms", ms(r.relay.resume.p99()), 20, 10)
	back.floor, late.floor = ms(r.relay.query.p50()), ms(r.relay.query.p99())
	return []goal{lag, tail, back, late}
}

// errandGoals judges research. A turn that orders some may take a millisecond more,
// and one round trip more than the two of any other.
func (r *results) errandGoals() []goal {
	e := r.errand
	if e == nil {
		return nil
	}
	soon, late := within("11", "research pick-up, p50", "ms", ms(e.pickup.p50()), 100, 1.5*ms(e.tuned.pickup.p50())), within("11", "research pick-up, p99", "ms", ms(e.pickup.p99()), 100, 1.5*ms(e.tuned.pickup.p99()))
	soon.floor, late.floor = ms(e.tuned.pickup.p50()), ms(e.tuned.pickup.p99())
	rate := goal{number: "12", what: "empty research jobs/s", unit: "/s", value: e.ours.rate, floor: e.tuned.rate, must: 3000, excellent: 0.6 * e.tuned.rate, atLeast: true}
	return []goal{soon, late, rate,
		within("12", "an order adds to its turn, p50", "ms", ms(e.ordered.p50()-e.refused.p50()), 1, 1),
		within("4", "round trips of a turn that orders research", "", e.orderedTrips, 4, 3.05)}
}

func (r *results) startGoals() []goal {
	var out []goal
	floor := 0.0
	for _, c := range r.starts {
		median := ms(c.took.p50())
		switch {
		case c.kind == readKind:
			floor = median
		case c.empty:
			out = append(out, within("20", "start to first turn, empty database", "ms", median, 0, 2000))
		case c.kind == r.subject():
			g := within("20", "start to first turn, tables current", "ms", median, 500, 3*floor)
			g.floor = floor
			out = append(out, g)
		}
	}
	return out
}

func (r *results) depthGoals() []goal {
	var shallow, full, deep *depth
	for _, d := range r.depths {
		if d.kind != r.subject() {
			continue
		}
		switch d.turn {
		case 10:
			shallow = d
		case 40:
			full = d
		}
		deep = d
	}
	if shallow == nil || deep == shallow {
		return nil
	}
	out := []goal{against("21", fmt.Sprintf("turn+ p50 at turn %d, over turn 10", deep.turn), "ms", ms(deep.overhead.p50()), ms(shallow.overhead.p50()), 1.5, 1.1),
		against("21", fmt.Sprintf("reply prompt at turn %d, over turn 10", deep.turn), "bytes", float64(deep.prompt), float64(shallow.prompt), 0, 1.05)}
	if full != nil && full != deep {
		out = append(out, against("21", fmt.Sprintf("reply prompt at turn %d, over turn 40", deep.turn), "bytes", float64(deep.prompt), float64(full.prompt), 0, 1.05))
	}
	return out
}

func (r *results) growthGoals() []goal {
	if len(r.growths) < 2 {
		return nil
	}
	small, large := r.growths[0], r.growths[len(r.growths)-1]
	over := fmt.Sprintf(", %d sessions over %d", large.rows, small.rows)
	return []goal{
		against("22", "load one session"+over, "ms", ms(large.load.p50()), ms(small.load.p50()), 2, 1.2),
		against("22", "turn that looks up its session"+over, "ms", ms(large.lookup.p50()), ms(small.lookup.p50()), 2, 1.7),
		against("22", "turn in a known session"+over, "ms", ms(large.write.p50()), ms(small.write.p50()), 2, 1.2),
		against("22", "page of the list"+over, "ms", ms(large.page.p50()), ms(small.page.p50()), 2, 1.5),
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
