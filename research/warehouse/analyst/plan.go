package analyst

// plan decides how each step is shown: those before folded in one common line, those before short
// in a shortened line, those before start in a line, the rest in full. Each is an index.
type plan struct{ folded, short, start int }

// lay computes the plan by replaying the run step by step. The same steps therefore always give
// the same plan, and one more step changes it only in blocks.
func lay(steps []*page, l limits) plan {
	var p plan
	turns := 0
	for n, s := range steps {
		turns += s.turnTokens
		if turns <= l.hard && (turns <= l.full || n+1-p.start <= keptTurns) {
			continue
		}
		for p.start < n && (turns > l.hard || turns > l.left && n+1-p.start > keptTurns) {
			turns -= steps[p.start].turnTokens
			p.start++
		}
		p.shorten(steps, l)
	}
	return p
}

// shorten makes room in a full notebook: older lines are shortened until full lines take three
// tenths of the room, and the oldest are folded until all take six tenths, so that the notebook
// changes rarely.
func (p *plan) shorten(steps []*page, l limits) {
	room := l.notes - l.folded
	full, brief := 0, 0
	for _, s := range steps[p.short:p.start] {
		full += s.lineTokens
	}
	for _, s := range steps[p.folded:p.short] {
		brief += s.shortTokens
	}
	if full+brief <= room {
		return
	}
	for ; p.short < p.start && full > room*3/10; p.short++ {
		full -= steps[p.short].lineTokens
		brief += steps[p.short].shortTokens
	}
	for ; p.folded < p.short && full+brief > room*6/10; p.folded++ {
		brief -= steps[p.folded].shortTokens
	}
}
