package embedding

import (
	"encoding/json"
	"fmt"
	"slices"
)

const (
	maxTokens  = 128  // of one text; the rest is not read
	vocabulary = 8000 // pieces, and so the first id that is none
	reserved   = 6    // ids that no text matches
	unknown    = 0    // the id of runes that begin no piece

	// Every rune of this vocabulary is a piece too, so that all cuts of a text have
	// the same unknown runes and what they cost decides nothing.
	unknownScore = -20
)

// tokenizer cuts texts into the pieces of a SentencePiece unigram vocabulary. It
// is a trie whose nodes are numbers; it does not change once made.
type tokenizer struct {
	edges  map[edge]int32
	pieces []int32   // by node: the id of the piece that ends here, or unknown
	scores []float64 // by id: the logarithm of how common the piece is
}

// edge is one rune's way on from a node; node 0 is the root.
type edge struct {
	node int32
	r    rune
}

// newTokenizer reads vocab.json: pairs of a piece and its score, by id. A few
// scores are null and count as 0.
func newTokenizer(raw []byte) (*tokenizer, error) {
	var pairs [][2]any
	if err := json.Unmarshal(raw, &pairs); err != nil {
		return nil, fmt.Errorf("read vocabulary: %w", err)
	}
	if len(pairs) != vocabulary {
		return nil, fmt.Errorf("read vocabulary: %d pieces, want %d", len(pairs), vocabulary)
	}
	t := &tokenizer{edges: make(map[edge]int32), pieces: []int32{unknown}, scores: make([]float64, len(pairs))}
	for id, pair := range pairs {
		piece, _ := pair[0].(string)
		score, _ := pair[1].(float64)
		t.scores[id] = score
		if id >= reserved {
			t.add([]rune(piece), int32(id))
		}
	}
	return t, nil
}

// add puts one piece into the trie.
func (t *tokenizer) add(piece []rune, id int32) {
	var node int32
	for _, r := range piece {
		next, ok := t.edges[edge{node, r}]
		if !ok {
			next = int32(len(t.pieces))
			t.edges[edge{node, r}] = next
			t.pieces = append(t.pieces, unknown)
		}
		node = next
	}
	t.pieces[node] = id
}

// tokens returns the ids of text's best cut into pieces, at most maxTokens; none
// for a text without words.
func (t *tokenizer) tokens(text string) []int32 {
	runes := symbols(text)
	if len(runes) == 0 {
		return nil
	}
	return path(t.lattice(runes))
}

// step is the best way to a place between two runes: the piece that ends there
// and where it began.
type step struct {
	score float64
	from  int
	id    int32
}

// lattice returns the best way to every place in runes, by Viterbi. Of equal
// ways the one whose last piece began later wins. A score of exactly 0 is
// always displaced: the original takes it for "none yet", and the vectors are
// to be the same.
func (t *tokenizer) lattice(runes []rune) []step {
	best := make([]step, len(runes)+1)
	reach := func(from, to int, id int32, score float64) {
		if score += best[from].score; best[to].score == 0 || score >= best[to].score {
			best[to] = step{score: score, from: from, id: id}
		}
	}
	for from := range runes {
		known := false
		t.matches(runes[from:], func(length int, id int32) {
			known = true
			reach(from, from+length, id, t.scores[id])
		})
		if !known {
			reach(from, from+1, unknown, unknownScore)
		}
	}
	return best
}

// matches reports every piece that runes begin with, shortest first.
func (t *tokenizer) matches(runes []rune, found func(length int, id int32)) {
	var node int32
	for i, r := range runes {
		next, ok := t.edges[edge{node, r}]
		if !ok {
			return
		}
		if node = next; t.pieces[node] != unknown {
			found(i+1, t.pieces[node])
		}
	}
}

// path returns the ids along the best way to the end, at most maxTokens, with
// each run of unknown runes as one.
func path(best []step) []int32 {
	var ids []int32
	for at := len(best) - 1; at > 0; at = best[at].from {
		id := best[at].id
		if id == unknown && len(ids) > 0 && ids[len(ids)-1] == unknown {
			continue
		}
		ids = append(ids, id)
	}
	slices.Reverse(ids)
	return ids[:min(len(ids), maxTokens)]
}
