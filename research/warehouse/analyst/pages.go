package analyst

import (
	"hash/maphash"
	"strconv"
	"sync"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/tokens"
)

// maxPages is how many steps are cached, for many runs together.
const maxPages = 16 << 10

// page is the cached form of a step: its notebook lines, and its sizes.
type page struct {
	line, short string // of the notebook
	lineTokens  int
	shortTokens int
	turnTokens  int
}

// pages caches pages, so that only the newest step of a prompt needs work. Its content is derived
// from the steps alone. The zero value is ready to use.
type pages struct {
	mu   sync.Mutex // guards seen
	seen map[pageKey]*page
}

// pageKey identifies a step under certain limits. Two steps collide with a probability of about
// 10^-19.
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

// newPage computes the page of a step.
func newPage(s *warehouse.Step, l limits) *page {
	d := read(s)
	out := &page{line: line(s, d), short: short(s)}
	out.lineTokens, out.shortTokens = tokens.Count(out.line), tokens.Count(out.short)
	said, gave := turn(s, d, l)
	out.turnTokens = tokens.Count(said) + tokens.Count(gave) + 2*ofMessage
	return out
}

// hashedEnd is how many bytes at both ends of a text are hashed, together with its length.
const hashedEnd = 4 << 10

// hash returns a hash of everything in a step that a prompt may show.
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

// addText hashes a text with its length, so that the boundary between two texts matters.
func addText(h *maphash.Hash, t string) {
	_, _ = h.WriteString(strconv.Itoa(len(t)))
	_ = h.WriteByte(' ')
	_, _ = h.WriteString(t[:min(len(t), hashedEnd)])
	_, _ = h.WriteString(t[max(len(t)-hashedEnd, 0):])
}
