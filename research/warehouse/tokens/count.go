package tokens

import (
	"hash/maphash"
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"
)

// The bounds of what is counted and remembered.
const (
	exactBytes   = 1 << 20 // of a text, beyond which the count is an estimate
	stableBytes  = 512     // of a text from which on its count is remembered
	maxTexts     = 8 << 10 // remembered
	maxWords     = 64 << 10
	maxWordBytes = 24
	partBytes    = 1 << 10 // of a word that are counted at once
)

// Count returns the tokens of s. It may be called by many at once. The first call
// loads the vocabulary, which takes some 30 ms.
func Count(s string) int {
	switch {
	case len(s) > exactBytes:
		return Estimate(s)
	case len(s) >= stableBytes:
		return shared.text(s)
	default:
		return shared.words(s)
	}
}

// shared is what is remembered for all who count.
var shared counter

// counter remembers counts. The zero counter is ready.
type counter struct {
	mu    sync.RWMutex // guards what follows
	short map[string]uint8
	texts map[textKey]int
}

// textKey tells texts apart: two in some 10^19 of one length share one.
type textKey struct {
	hash  uint64
	bytes int
}

var seed = maphash.MakeSeed()

// text returns the tokens of a text that may come again.
func (c *counter) text(s string) int {
	key := textKey{maphash.String(seed, s), len(s)}
	c.mu.RLock()
	n, ok := c.texts[key]
	c.mu.RUnlock()
	if ok {
		return n
	}
	n = c.words(s)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.texts == nil || len(c.texts) >= maxTexts {
		c.texts = make(map[textKey]int)
	}
	c.texts[key] = n
	return n
}

// words returns the tokens of s, summed up over its words.
func (c *counter) words(s string) int {
	var missing [][2]int // the words nobody counted yet, from and to
	total := 0
	c.mu.RLock()
	for from := 0; from < len(s); {
		to := wordEnd(s, from)
		if figure(s[from]) {
			total += figures(s[from:to])
		} else if n, ok := c.short[s[from:to]]; ok {
			total += int(n)
		} else {
			missing = append(missing, [2]int{from, to})
		}
		from = to
	}
	c.mu.RUnlock()
	for _, at := range missing {
		total += c.learn(s[at[0]:at[1]])
	}
	return total
}

// learn counts a word, and remembers it when it is short.
func (c *counter) learn(word string) int {
	n := whole(word)
	if len(word) > maxWordBytes {
		return n
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.short == nil || len(c.short) >= maxWords {
		c.short = make(map[string]uint8)
	}
	c.short[string([]byte(word))] = uint8(n) // a copy, so that the text around it can go
	return n
}

// whole returns the tokens of a word. One that is very long is counted in parts,
// since the library takes time that grows with the square of some; that may add a
// token for each part.
func whole(word string) int {
	n := 0
	for len(word) > partBytes {
		to := partBytes
		for to > partBytes-utf8.UTFMax && !utf8.RuneStart(word[to]) {
			to--
		}
		n, word = n+exact(word[:to]), word[to:]
	}
	return n + exact(word)
}

// exact asks the vocabulary.
func exact(s string) int {
	n, err := codec().Count(s)
	if err != nil { // only for modes and limits that are not set
		return len(s)
	}
	return n
}

// codec is the vocabulary; the compiled tables of the library never fail to load.
var codec = sync.OnceValue(func() tokenizer.Codec {
	c, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		panic("tokens: " + err.Error())
	}
	return c
})
