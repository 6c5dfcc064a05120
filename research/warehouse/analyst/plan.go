package analyst

// plan says how each step is told: those before folded in one line, those before
// short in a short one, those before start in a line, the rest in full.
type plan struct{ folded, short, start int }

// lay lays out the steps, as it was done when each was the newest: the same steps
// give the same plan, and one more changes it in blocks only.
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

// shorten makes room in a notebook that is full: its older lines become short, then
// its oldest are folded.
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
