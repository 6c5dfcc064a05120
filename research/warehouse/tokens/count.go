package tokens

import (
	"hash/maphash"
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"
)

// Bounds of what is counted exactly and of what is cached.
const (
	exactBytes   = 1 << 20 // bytes of a text; longer ones are estimated
	stableBytes  = 512     // bytes of a text from which on its count is cached as a whole
	maxTexts     = 8 << 10 // cached texts
	maxWords     = 64 << 10
	maxWordBytes = 24
	partBytes    = 1 << 10 // bytes of a word that are counted at once
)

// Count returns the number of tokens in s. It is safe for concurrent use. The first call loads
// the vocabulary, which takes some 30 ms.
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

// shared is the cache of the process.
var shared counter

// counter caches counts. The zero value is ready to use.
type counter struct {
	mu    sync.RWMutex // guards what follows
	short map[string]uint8
	texts map[textKey]int
}

// textKey identifies a text. Two texts of the same length collide with a probability of about
// 10^-19.
type textKey struct {
	hash  uint64
	bytes int
}

var seed = maphash.MakeSeed()

// text returns the tokens of a text that is likely to be counted again.
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

// words returns the tokens of s as the sum over its words.
func (c *counter) words(s string) int {
	var missing [][2]int // begin and end of the words that are not cached yet
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

// learn counts a word, and caches the count if the word is short.
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
	c.short[string([]byte(word))] = uint8(n) // a copy, which does not keep the whole text alive
	return n
}

// whole returns the tokens of a word. A very long one is counted in parts, because the library's
// time grows with the square of the length for some texts. Each cut may add a token.
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
	if err != nil { // cannot happen with the options we use
		return len(s)
	}
	return n
}

// codec loads the vocabulary, whose tables are compiled in and never fail to load.
var codec = sync.OnceValue(func() tokenizer.Codec {
	c, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		panic("tokens: " + err.Error())
	}
	return c
})
