package catalog

import (
	"bytes"
	"math/bits"
	"unicode/utf8"
)

// maxWords is how many words of the subject a line lists.
const maxWords = 3

// texts are folded texts that can be searched for words.
type texts struct {
	all   []byte // the texts; every part ends in a line break
	ends  []int  // the end of each text in all
	often [256]int
}

// add adds a text that consists of some parts.
func (t *texts) add(parts ...string) {
	for _, p := range parts {
		t.all = appendFold(t.all, p)
	}
	t.ends = append(t.ends, len(t.all))
}

// counted is roughly how many bytes are sampled to count frequencies.
const counted = 1 << 15

// count estimates the frequency of each byte from a sample. It must be called after the last add.
func (t *texts) count() {
	for i := 0; i < len(t.all); i += 1 + len(t.all)/counted {
		t.often[t.all[i]]++
	}
}

// each calls f, in ascending order, with every text that contains word. It searches all texts at
// once for the word's rarest byte, which is much faster than searching for the word.
func (t *texts) each(word string, f func(i int)) {
	rarest := 0
	for i := range len(word) {
		if t.often[word[i]] < t.often[word[rarest]] {
			rarest = i
		}
	}
	i, at := 0, 0
	for at+len(word) <= len(t.all) {
		next := bytes.IndexByte(t.all[at+rarest:], word[rarest])
		if next < 0 {
			return
		}
		if at += next; at+len(word) > len(t.all) || string(t.all[at:at+len(word)]) != word {
			at++
			continue
		}
		for t.ends[i] <= at {
			i++
		}
		f(i)
		at = t.ends[i]
	}
}

// appendFold writes s in lower case and a line break.
func appendFold(b []byte, s string) []byte {
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf {
			return append(append(b, fold(s[i:])...), '\n')
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return append(b, '\n')
}

// hints are the first words of the subject that occur in a table's names and comments, as
// indexes.
type hints struct {
	n     int32
	words [maxWords]int32
}

// findHints returns the hints of each table; nil if there are no words.
func (x *Index) findHints(words []string) []hints {
	if len(words) == 0 {
		return nil
	}
	out := make([]hints, len(x.tables))
	for from := 0; from < len(words); from += 64 {
		for i, has := range x.whichHas(words[from:min(from+64, len(words))]) {
			for h := &out[i]; has != 0 && h.n < maxWords; has &= has - 1 {
				h.words[h.n] = int32(from + bits.TrailingZeros64(has))
				h.n++
			}
		}
	}
	return out
}

// whichHas returns for each table a bit set of those words, at most 64, that it contains.
func (x *Index) whichHas(words []string) []uint64 {
	out, columns, some := make([]uint64, len(x.tables)), make([]uint64, len(x.columns.ends)), false
	for k, w := range words {
		if w == "" {
			continue
		}
		x.own.each(w, func(i int) { out[i] |= 1 << k })
		x.columns.each(w, func(i int) { columns[i], some = columns[i]|1<<k, true })
	}
	if !some {
		return out
	}
	from := 0
	for i, to := range x.until {
		for _, text := range x.in[from:to] {
			out[i] |= columns[text]
		}
		from = to
	}
	return out
}
