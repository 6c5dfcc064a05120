package pgwire

import (
	"encoding/json"
	"slices"
)

// arrayJSON converts the literal of an array to JSON: {1,NULL,"a,b"} becomes [1,null,"a,b"].
// Elements are strings unless bare is set; even then an element without a JSON form, such as NaN,
// becomes a string. It returns false for anything else, such as an array with explicit bounds.
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

// element returns the text of the element that b begins with, and its length in b; 0 if it is not
// terminated.
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

// appendElement appends an element as JSON.
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
		word, _ := json.Marshal(s) // cannot fail for a string
		return append(out, word...)
	}
}
