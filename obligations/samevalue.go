package obligations

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// SameValue reports whether two JSON values are equal, ignoring white space, the order of
// fields and, in texts, letter case.
func SameValue(a, b json.RawMessage) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	if bytes.Equal(a, b) {
		return true
	}
	if x, ok := plainString(a); ok {
		if y, ok := plainString(b); ok {
			return sameFolded(x, y)
		}
	}
	return bytes.Equal(canonical(a), canonical(b))
}

// plainString returns the content of a JSON string without escapes; ok is false for
// anything else.
func plainString(v json.RawMessage) (text string, ok bool) {
	if len(v) < 2 || v[0] != '"' || v[len(v)-1] != '"' {
		return "", false
	}
	v = v[1 : len(v)-1]
	for _, c := range v {
		if c < ' ' || c == '"' || c == '\\' {
			return "", false
		}
	}
	return string(v), utf8.Valid(v)
}

func canonical(v json.RawMessage) []byte {
	var x any
	if json.Unmarshal(v, &x) != nil {
		return v
	}
	out, err := json.Marshal(foldValue(x))
	if err != nil {
		return v
	}
	return out
}

func foldValue(x any) any {
	switch x := x.(type) {
	case string:
		folded, _ := fold(x)
		return folded
	case []any:
		for i := range x {
			x[i] = foldValue(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = foldValue(x[k])
		}
	}
	return x
}
