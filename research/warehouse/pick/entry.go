package pick

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/tokens"
)

// words limit the characters of a step's purpose and statement.
type words struct{ purpose, sql int }

var (
	allWords = words{300, 1500}
	fewWords = words{140, 400} // for a step that is cut
)

// entry is a step as it goes into a prompt: one line of JSON with a comma and a line break. The
// sizes of lines add up, in bytes and in tokens.
type entry struct {
	line   []byte
	tokens int
}

// write writes c with the digest d, within the limits of w.
func (c *Candidate) write(d *digest.CompactResult, w words) entry {
	return closed(d.AppendPrompt(c.open(w)))
}

// open writes what precedes the digest.
func (c *Candidate) open(w words) []byte {
	b := appendInt([]byte(`{"step":`), c.N)
	b = appendText(append(b, `,"purpose":`...), c.purpose, w.purpose)
	b = appendText(append(b, `,"sql":`...), c.sql, w.sql)
	b = appendInt(append(b, `,"rows":`...), c.rows)
	return append(b, `,"result":`...)
}

// closed completes an entry. It escapes "</", so that no text in it can close the tag around it.
func closed(b []byte) entry {
	b = append(bytes.ReplaceAll(b, []byte("</"), []byte(`<\/`)), "},\n"...)
	return entry{b, tokens.Count(string(b))}
}

// within returns as much of c as fits into limit tokens; false if nothing does.
func (c *Candidate) within(limit int) (entry, bool) {
	var last entry
	_, ok := c.digest.PromptWithin(limit, func(result string) int {
		last = closed(append(c.open(fewWords), result...))
		return last.tokens
	})
	return last, ok
}

// appendInt appends n in decimal.
func appendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

// appendText writes at most limit characters of s as a JSON string.
func appendText(b []byte, s string, limit int) []byte {
	if len(s) > limit {
		if r := []rune(s[:min(len(s), utf8.UTFMax*limit)]); len(r) > limit {
			s = string(r[:limit-1]) + "…"
		}
	}
	quoted, err := json.Marshal(s)
	if err != nil { // cannot happen for a string
		return append(b, `""`...)
	}
	return append(b, quoted...)
}
