package analyst

import (
	"hash/maphash"
	"strconv"
	"sync"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/tokens"
)

// maxPages is how many steps are remembered: those of many runs at once.
const maxPages = 16 << 10

// page is what a step takes, told in full or as a line.
type page struct {
	line, short string // of the notebook
	lineTokens  int
	shortTokens int
	turnTokens  int
}

// pages remembers pages, so that a prompt needs work for its newest step only. What
// it holds follows from the steps. The zero value is ready.
type pages struct {
	mu   sync.Mutex // guards seen
	seen map[pageKey]*page
}

// pageKey tells steps and limits apart: two in some 10^19 share one.
type pageKey struct {
	step uint64
	limits
}

var seed = maphash.MakeSeed()

// of returns the page of a step.
func (p *pages) of(s *warehouse.Step, l limits) *page {
	key := pageKey{hash(s), l}
	p.mu.Lock()
	found := p.seen[key]
	p.mu.Unlock()
	if found != nil {
		return found
	}
	found = newPage(s, l)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seen == nil || len(p.seen) >= maxPages {
		p.seen = make(map[pageKey]*page)
	}
	p.seen[key] = found
	return found
}

// newPage sizes up a step.
func newPage(s *warehouse.Step, l limits) *page {
	d := read(s)
	out := &page{line: line(s, d), short: short(s)}
	out.lineTokens, out.shortTokens = tokens.Count(out.line), tokens.Count(out.short)
	said, gave := turn(s, d, l)
	out.turnTokens = tokens.Count(said) + tokens.Count(gave) + 2*ofMessage
	return out
}

// hashedEnd is how many bytes of each end of a text tell it from others, with its
// length.
const hashedEnd = 4 << 10

// hash returns a number for all of a step that a prompt may show.
func hash(s *warehouse.Step) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, t := range [...]string{strconv.Itoa(s.N), string(s.Type), s.Thinking, s.Purpose, s.Query, s.SQL, s.Search, strconv.Itoa(s.TopK), strconv.Itoa(s.Rows), strconv.FormatBool(s.More), s.Answer, s.Error, string(s.Class), s.Reply} {
		addText(&h, t)
	}
	for _, t := range s.Tables {
		addText(&h, t)
	}
	_, _ = h.WriteString(strconv.Itoa(len(s.Digest)))
	_, _ = h.Write(s.Digest[:min(len(s.Digest), hashedEnd)])
	_, _ = h.Write(s.Digest[max(len(s.Digest)-hashedEnd, 0):])
	return h.Sum64()
}

// addText adds a text with its length, so that two are not taken for another two.
func addText(h *maphash.Hash, t string) {
	_, _ = h.WriteString(strconv.Itoa(len(t)))
	_ = h.WriteByte(' ')
	_, _ = h.WriteString(t[:min(len(t), hashedEnd)])
	_, _ = h.WriteString(t[max(len(t)-hashedEnd, 0):])
}
