package pgwire

import (
	"encoding/json"
	"slices"
)

// arrayJSON returns the literal of an array as JSON: {1,NULL,"a,b"} as
// [1,null,"a,b"]. Elements are strings unless they are bare; a bare element that
// JSON cannot say, such as NaN, is a string too. It fails on what is no literal, such
// as one with bounds of its own.
func arrayJSON(b []byte, bare bool) ([]byte, bool) {
	out := make([]byte, 0, len(b)+len(b)/4)
	depth := 0
	for i := 0; i < len(b); {
		switch c := b[i]; c {
		case '{':
			out, depth = append(out, '['), depth+1
			i++
		case '}':
			out, depth = append(out, ']'), depth-1
			i++
		case ',':
			out = append(out, ',')
			i++
		default:
			text, n, quoted := element(b[i:])
			if n == 0 || depth <= 0 {
				return nil, false
			}
			out = appendElement(out, text, quoted, bare)
			i += n
		}
	}
	return out, depth == 0 && json.Valid(out)
}

// element returns the text of the element that b begins with, and its length in b;
// 0 for one that has no end.
func element(b []byte) (text []byte, n int, quoted bool) {
	if b[0] != '"' {
		n = slices.IndexFunc(b, func(c byte) bool { return c == ',' || c == '}' })
		return b[:max(n, 0)], max(n, 0), false
	}
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '"':
			return text, i + 1, true
		case '\\':
			if i++; i == len(b) {
				return nil, 0, true
			}
		}
		text = append(text, b[i])
	}
	return nil, 0, true
}

func appendElement(out, text []byte, quoted, bare bool) []byte {
	switch s := string(text); {
	case !quoted && s == "NULL":
		return append(out, "null"...)
	case bare && s == "t":
		return append(out, "true"...)
	case bare && s == "f":
		return append(out, "false"...)
	case bare && json.Valid(text):
		return append(out, text...)
	default:
		word, _ := json.Marshal(s) // a string always has a form
		return append(out, word...)
	}
}
