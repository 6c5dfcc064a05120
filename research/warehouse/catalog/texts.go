package catalog

import (
	"bytes"
	"math/bits"
	"unicode/utf8"
)

// maxWords is how many words of the subject a line names.
const maxWords = 3

// texts are some in lower case, that words are looked for in.
type texts struct {
	all   []byte // each with a line end behind each of its parts
	ends  []int  // of each in all
	often [256]int
}

// add adds a text of some parts.
func (t *texts) add(parts ...string) {
	for _, p := range parts {
		t.all = appendFold(t.all, p)
	}
	t.ends = append(t.ends, len(t.all))
}

// counted is how many bytes of texts are counted, about.
const counted = 1 << 15

// count counts how often texts have each byte: a sample of them, once they are all
// there.
func (t *texts) count() {
	for i := 0; i < len(t.all); i += 1 + len(t.all)/counted {
		t.often[t.all[i]]++
	}
}

// each calls f with each text that has a word, ascending. It looks for the rarest
// byte of the word in all texts at once, which is far quicker than for the word.
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

// appendFold writes s in lower case and a line end.
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

// hints are the first words of the subject that a table has in all its names and
// comments, by their places.
type hints struct {
	n     int32
	words [maxWords]int32
}

// findHints returns the hints of each table; nil without words.
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

// whichHas returns which of at most 64 words each table has, a bit for each.
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
