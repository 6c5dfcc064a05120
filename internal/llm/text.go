package llm

import "unicode/utf8"

// appendMessages adds a conversation as encoding/json writes it.
func appendMessages(out []byte, list []Message) []byte {
	out = append(out, '[')
	for i, m := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendText(append(out, `{"role":`...), m.Role)
		out = appendText(append(out, `,"content":`...), m.Content)
		out = append(out, '}')
	}
	return append(out, ']')
}

// appendText adds text as encoding/json writes it. A turn sends some 40 KB of
// prompts, in which few characters are not written as they are.
func appendText(out []byte, text string) []byte {
	out = append(out, '"')
	for text != "" {
		n := ordinary(text)
		out = append(out, text[:n]...)
		if text = text[n:]; text == "" {
			break
		}
		if c := text[0]; c < utf8.RuneSelf {
			out, text = appendEscape(out, c), text[1:]
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			out = append(out, `\ufffd`...)
		case r == '\u2028', r == '\u2029': // line ends to JavaScript
			out = append(append(out, `\u202`...), hex[r&0xF])
		default:
			out = append(out, text[:size]...)
		}
		text = text[size:]
	}
	return append(out, '"')
}

const hex = "0123456789abcdef"

func appendEscape(out []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(out, '\\', c)
	case '\b':
		return append(out, `\b`...)
	case '\f':
		return append(out, `\f`...)
	case '\n':
		return append(out, `\n`...)
	case '\r':
		return append(out, `\r`...)
	case '\t':
		return append(out, `\t`...)
	}
	return append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xF])
}

// ordinary returns how many bytes at the beginning of text are written as they
// are and are ASCII. It looks at eight at a time.
func ordinary(text string) int {
	n := 0
	for ; n+8 <= len(text); n += 8 {
		if special(eight(text[n : n+8])) {
			break
		}
	}
	for n < len(text) && plainByte[text[n]] {
		n++
	}
	return n
}

// eight returns the eight bytes of s, which the compiler reads at once.
func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// Eight bytes of one kind.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special reports whether one of eight bytes is no ASCII, a control character, or
// one of "\\<>&. A byte below n has its high bit once n is taken from it, and so
// has nothing above that is ASCII; borrows reach only past a byte that is found.
func special(word uint64) bool {
	found := word | (word - 0x20*ones)
	found |= (word ^ '"'*ones) - ones
	found |= (word ^ '\\'*ones) - ones
	found |= (word ^ '<'*ones) - ones
	found |= (word ^ '>'*ones) - ones
	found |= (word ^ '&'*ones) - ones
	return found&highs != 0
}

// plainByte says which bytes are written as they are.
var plainByte = func() (plain [256]bool) {
	for c := range plain {
		plain[c] = c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'
	}
	return plain
}()
