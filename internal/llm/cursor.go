package llm

import (
	"strconv"
	"unicode/utf8"
)

// maxDepth is how deep a chunk may nest where we do not look.
const maxDepth = 64

// cursor walks through one JSON document without allocating. After the first
// fault bad is set and every method returns at once.
type cursor struct {
	b   []byte
	i   int
	bad bool
}

// fail marks the document as bad.
func (c *cursor) fail() { c.bad = true }

// peek returns the current byte, 0 at the end.
func (c *cursor) peek() byte {
	if c.i < len(c.b) {
		return c.b[c.i]
	}
	return 0
}

// space moves past white space.
func (c *cursor) space() {
	for c.i < len(c.b) {
		switch c.b[c.i] {
		case ' ', '\t', '\r', '\n':
			c.i++
		default:
			return
		}
	}
}

// open enters an object or a list and reports whether it has a first member.
func (c *cursor) open(begin, end byte) bool {
	if c.bad || c.peek() != begin {
		c.fail()
		return false
	}
	c.i++
	c.space()
	if c.peek() == end {
		c.i++
		return false
	}
	return true
}

// next moves past a comma to the next member, or past end, and says which.
func (c *cursor) next(end byte) bool {
	c.space()
	if c.bad {
		return false
	}
	switch c.peek() {
	case ',':
		c.i++
		c.space()
		return true
	case end:
		c.i++
		return false
	}
	c.fail()
	return false
}

// key reads a member's name, without quotes, and moves to its value.
func (c *cursor) key() []byte {
	raw, _ := c.text()
	c.space()
	if c.bad || c.peek() != ':' {
		c.fail()
		return nil
	}
	c.i++
	c.space()
	return raw[1 : len(raw)-1]
}

// text reads a string and returns it with its quotes, and whether it is plain:
// free of escapes and of bad UTF-8.
func (c *cursor) text() (raw []byte, plain bool) {
	if c.bad || c.peek() != '"' {
		c.fail()
		return nil, false
	}
	start, ascii := c.i, true
	plain = true
	for c.i++; c.i < len(c.b); c.i++ {
		switch ch := c.b[c.i]; {
		case ch == '"':
			c.i++
			raw = c.b[start:c.i]
			return raw, plain && (ascii || utf8.Valid(raw))
		case ch == '\\':
			plain = false
			c.escape()
		case ch < ' ':
			c.fail()
			return nil, false
		case ch >= utf8.RuneSelf:
			ascii = false
		}
	}
	c.fail()
	return nil, false
}

// escape checks the escape at the current byte and stays on its last byte.
func (c *cursor) escape() {
	c.i++
	switch c.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
	case 'u':
		for range 4 {
			c.i++
			if !isHex(c.peek()) {
				c.fail()
			}
		}
	default:
		c.fail()
	}
}

// isHex reports whether b is a hexadecimal digit.
func isHex(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F'
}

// null moves past a null and reports whether there was one.
func (c *cursor) null() bool {
	if c.bad || c.peek() != 'n' {
		return false
	}
	c.word("null")
	return true
}

// word moves past a literal.
func (c *cursor) word(want string) {
	end := c.i + len(want)
	if end > len(c.b) || string(c.b[c.i:end]) != want {
		c.fail()
		return
	}
	c.i = end
}

// count reads a number as a count; what is negative or absurd is 0.
func (c *cursor) count() int {
	if c.null() {
		return 0
	}
	start := c.i
	c.number()
	if c.bad {
		return 0
	}
	f, err := strconv.ParseFloat(string(c.b[start:c.i]), 64)
	if err != nil || f < 0 || f > 1e9 {
		return 0
	}
	return int(f)
}

// number moves past a number.
func (c *cursor) number() {
	if c.peek() == '-' {
		c.i++
	}
	if c.peek() == '0' {
		c.i++
	} else {
		c.digits()
	}
	if c.peek() == '.' {
		c.i++
		c.digits()
	}
	if e := c.peek(); e == 'e' || e == 'E' {
		c.i++
		if s := c.peek(); s == '+' || s == '-' {
			c.i++
		}
		c.digits()
	}
}

// digits moves past one digit or more.
func (c *cursor) digits() {
	start := c.i
	for b := c.peek(); b >= '0' && b <= '9'; b = c.peek() {
		c.i++
	}
	if c.i == start {
		c.fail()
	}
}

// skip moves past any value, depth levels down.
func (c *cursor) skip(depth int) {
	if c.bad || depth > maxDepth {
		c.fail()
		return
	}
	switch b := c.peek(); {
	case b == '"':
		c.text()
	case b == '{':
		for more := c.open('{', '}'); more; more = c.next('}') {
			c.key()
			c.skip(depth + 1)
		}
	case b == '[':
		for more := c.open('[', ']'); more; more = c.next(']') {
			c.skip(depth + 1)
		}
	case b == 't':
		c.word("true")
	case b == 'f':
		c.word("false")
	case b == 'n':
		c.word("null")
	default:
		c.number()
	}
}
