package embedding

import (
	"context"
	"slices"

	"golang.org/x/text/unicode/norm"
)

// Word is a stretch of a text as its reader cuts it: a word, a figure, a mark.
type Word struct {
	Text   string
	Spaced bool // white space or the beginning of the text comes before it
}

// States is what the encoder makes of each word of a text in its surroundings: row i,
// 512 numbers, is the mean of the last layer's states over the pieces that word i
// shares. Texts of more than 128 pieces are read in windows, each by itself, so all
// words have a row. Rows are zeros for words that fold to nothing.
func (l *Lite) States(ctx context.Context, words []Word) ([][]float32, error) {
	m, err := l.loaded(ctx)
	if err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case b := <-l.workspaces:
		if b == nil {
			b = newWorkspace()
		}
		defer func() { l.workspaces <- b }()
		out := make([][]float32, 0, len(words))
		for len(words) > 0 && ctx.Err() == nil {
			n, pieces := m.tokenizer.window(words)
			out = append(out, m.states(ctx, b, pieces, n)...)
			words = words[n:]
		}
		return out, ctx.Err()
	}
}

// Pieces returns how words are cut for [Lite.States], a list for each window that is read by
// itself.
func (l *Lite) Pieces(ctx context.Context, words []Word) ([][]Piece, error) {
	m, err := l.loaded(ctx)
	if err != nil {
		return nil, err
	}
	var out [][]Piece
	for at := 0; at < len(words); {
		n, pieces := m.tokenizer.window(words[at:])
		for i := range pieces {
			pieces[i].From, pieces[i].To = pieces[i].From+at, pieces[i].To+at
		}
		out, at = append(out, pieces), at+n
	}
	return out, nil
}

// Piece is a piece of a text and the words it covers.
type Piece struct {
	ID       int32 // its row in the table of pieces
	From, To int   // words, To excluded
}

// window returns the pieces of as many words as 128 pieces hold, at least one, and how
// many words those are.
func (t *tokenizer) window(words []Word) (int, []Piece) {
	n := min(len(words), maxTokens)
	for {
		pieces := t.cut(words[:n])
		if len(pieces) <= maxTokens || n == 1 {
			return n, pieces[:min(len(pieces), maxTokens)]
		}
		n = max(1, min(n-1, n*maxTokens/len(pieces)))
	}
}

// cut returns the pieces of the best cut of words, however many there are.
func (t *tokenizer) cut(words []Word) []Piece {
	var runes []rune
	var owner []int
	for i, w := range words {
		if w.Spaced {
			runes, owner = append(runes, space), append(owner, i)
		}
		for _, r := range norm.NFKC.String(w.Text) {
			runes, owner = append(runes, r), append(owner, i)
		}
		if len(runes) > maxRunes {
			break
		}
	}
	if len(runes) == 0 {
		return nil
	}
	best := t.lattice(runes)
	var out []Piece
	for at := len(best) - 1; at > 0; at = best[at].from {
		p := Piece{ID: best[at].id, From: owner[best[at].from], To: owner[at-1] + 1}
		if n := len(out); p.ID == unknown && n > 0 && out[n-1].ID == unknown {
			out[n-1].From = p.From
			continue
		}
		out = append(out, p)
	}
	slices.Reverse(out)
	return out
}

// states returns a row for each of n words.
func (m *model) states(ctx context.Context, b *workspace, pieces []Piece, n int) [][]float32 {
	flat := make([]float32, n*width)
	out := make([][]float32, n)
	for i := range out {
		out[i] = flat[i*width:][:width]
	}
	if len(pieces) == 0 {
		return out
	}
	ids := make([]int32, len(pieces))
	for i, p := range pieces {
		ids[i] = p.ID
	}
	if !m.run(ctx, b, ids) {
		return out
	}
	shared := make([]float32, n)
	for i, p := range pieces {
		for w := p.From; w < p.To; w++ {
			add(out[w], b.x[i*width:][:width])
			shared[w]++
		}
	}
	for w, k := range shared {
		for i := range out[w] {
			if k > 1 {
				out[w][i] /= k
			}
		}
	}
	return out
}
