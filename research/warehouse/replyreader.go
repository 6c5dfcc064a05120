package warehouse

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth is how deep objects may be nested, which bounds the recursion.
const maxDepth = 32

// lastRequest returns the last object of a text that asks for something, or else why there is
// none. An object that was cut off counts if it names what it asks for.
func lastRequest(text string) (*replyFields, *ActionError) {
	var found *replyFields
	fault := errNothing
	r := replyReader{text: text}
	for {
		at := strings.IndexByte(text[r.at:], '{')
		if at < 0 {
			return found, fault
		}
		start := r.at + at
		r.at = start
		w, ok := r.object(0)
		if !ok {
			r.at = max(start+1, r.deep)
			continue
		}
		w = w.outermost()
		fault = w.fault()
		if w.asks() || w.cut != "" && w.about() {
			found = w
		}
		if w.cut != "" && !w.asks() {
			r.at = start + 1 // an object nested in it may be complete
		}
	}
}

// about reports whether the incomplete part of w is what it asks for.
func (w *replyFields) about() bool {
	return strings.Contains(w.cut, " query ") || strings.Contains(w.cut, " lookup_schema ") || strings.Contains(w.cut, " search_tables ") ||
		strings.Contains(w.cut, " input ") || strings.Contains(w.cut, " tables ")
}

// replyReader parses the objects of a reply in one pass from front to back. Its methods
// report whether they succeeded. At the end of the text they return what they have and set
// ended.
type replyReader struct {
	text  string
	at    int
	ended bool
	deep  int // where nesting was last too deep; parsing continues there, so that no text is parsed repeatedly
}

// object parses an object, starting at its brace.
func (r *replyReader) object(depth int) (*replyFields, bool) {
	if depth > maxDepth {
		r.deep = r.at
		return nil, false
	}
	r.at++
	r.ended = false
	if r.skipSpace(); !r.quote() && r.peek() != '}' && r.peek() != ',' && r.peek() != 0 {
		return nil, false // a brace in prose, not an object
	}
	w := &replyFields{}
	for {
		switch r.skipSpace(); r.peek() {
		case 0:
			return r.cutOff(w, "the object is not closed")
		case '}':
			r.at++
			return w, true
		case ',':
			r.at++
			continue
		}
		key, ok := r.str()
		if r.ended {
			return r.cutOff(w, "a key is not closed")
		}
		if !ok || !r.colon() {
			if r.ended {
				return r.cutOff(w, "a key has no value")
			}
			return nil, false
		}
		if !r.field(w, key, depth) {
			return nil, false
		}
		if r.ended {
			return r.cutOff(w, "the value of "+key+" is not closed")
		}
	}
}

// cutOff marks w as incomplete.
func (r *replyReader) cutOff(w *replyFields, what string) (*replyFields, bool) {
	r.ended = true
	w.cut = what
	return w, true
}

// colon parses the colon after a key.
func (r *replyReader) colon() bool {
	r.skipSpace()
	if r.peek() == ':' {
		r.at++
		r.skipSpace()
		return true
	}
	r.ended = r.peek() == 0
	return false
}

// field parses the value of key into w. A value that is cut off is dropped.
func (r *replyReader) field(w *replyFields, key string, depth int) bool {
	switch key {
	case "query":
		return r.textField(&w.query, w, key, depth)
	case "thinking":
		return r.textField(&w.thinking, w, "", depth)
	case "query_purpose", "purpose":
		return r.textField(&w.purpose, w, "", depth)
	case "summary":
		return r.textField(&w.summary, w, "", depth)
	case "reason":
		return r.textField(&w.reason, w, "", depth)
	case "action", "name":
		return r.name(w, key, depth)
	case "lookup_schema":
		return r.list(&w.tables, w, key, depth)
	case "tables":
		return r.list(&w.listed, w, key, depth)
	case "search_tables":
		return r.searched(w, depth)
	case "search_top_k", "top_k":
		return r.number(&w.topK, w, depth)
	case "done":
		return r.truth(&w.done, w, depth)
	case "input", "arguments", "parameters":
		return r.envelope(w, depth)
	default:
		return r.other(w, depth)
	}
}

// textField parses a string into out. A non-empty key means that any other type is an error.
func (r *replyReader) textField(out *string, w *replyFields, key string, depth int) bool {
	if !r.quote() {
		if key != "" && r.peek() != 'n' && r.peek() != 0 {
			w.invalid = "the value of " + key + " is no string"
		}
		return r.other(w, depth)
	}
	s, ok := r.str()
	if ok && !r.ended {
		*out = s
	}
	return ok
}

// name parses the name of an object. Many objects have a name; only that of an action
// counts.
func (r *replyReader) name(w *replyFields, key string, depth int) bool {
	var s string
	if !r.textField(&s, w, "", depth) {
		return false
	}
	if s = strings.ToLower(s); key == "action" || slices.Contains(AllActions, ActionKind(s)) {
		w.said = firstOf(w.said, s)
	}
	return true
}

// list parses table names: an array of strings, one string with commas, or an object that
// contains such an array.
func (r *replyReader) list(out *[]string, w *replyFields, key string, depth int) bool {
	switch {
	case r.quote():
		var s string
		ok := r.textField(&s, w, "", depth)
		if s != "" {
			*out = strings.Split(s, ",")
		}
		return ok
	case r.peek() == '[':
		return r.strings(out, w, key, depth)
	case r.peek() == '{':
		in, ok := r.object(depth + 1)
		if ok {
			*out = append(in.tables, in.listed...)
		}
		return ok
	default:
		if r.peek() != 'n' && r.peek() != 0 {
			w.invalid = "the value of " + key + " is no list of names"
		}
		return r.other(w, depth)
	}
}

// strings parses an array of strings.
func (r *replyReader) strings(out *[]string, w *replyFields, key string, depth int) bool {
	r.at++
	var list []string
	for {
		switch r.skipSpace(); {
		case r.peek() == ']':
			r.at++
			*out = list
			return true
		case r.peek() == ',':
			r.at++
		case r.quote():
			s, ok := r.str()
			if !ok || r.ended {
				return ok
			}
			list = append(list, s)
		case r.peek() == 0:
			r.ended = true
			return true
		default:
			w.invalid = "the list of " + key + " holds what is no string"
			if !r.value(w, depth) || r.ended {
				return r.ended
			}
		}
	}
}

// searched parses what to search for: a string, an array of words, or an object with query
// and top_k.
func (r *replyReader) searched(w *replyFields, depth int) bool {
	switch {
	case r.peek() == '[':
		var words []string
		ok := r.strings(&words, w, "search_tables", depth)
		w.search = strings.Join(words, " ")
		return ok
	case r.peek() == '{':
		in, ok := r.object(depth + 1)
		if ok {
			w.search, w.topK = firstOf(in.query, in.search), max(w.topK, in.topK)
		}
		return ok
	default:
		return r.textField(&w.search, w, "search_tables", depth)
	}
}

// envelope parses the content of a named action: an object, or a string that contains one.
func (r *replyReader) envelope(w *replyFields, depth int) bool {
	switch {
	case r.peek() == '{':
		in, ok := r.object(depth + 1)
		if ok {
			w.input = in
		}
		return ok
	case r.quote():
		s, ok := r.str()
		if ok && !r.ended {
			if in, ok := (&replyReader{text: strings.TrimSpace(s)}).whole(depth); ok {
				w.input = in
			}
		}
		return ok
	default:
		return r.other(w, depth)
	}
}

// whole parses a text that consists of one object.
func (r *replyReader) whole(depth int) (*replyFields, bool) {
	if r.peek() != '{' {
		return nil, false
	}
	return r.object(depth + 1)
}

// other parses the value of an unknown key and keeps a request nested in it.
func (r *replyReader) other(w *replyFields, depth int) bool { return r.value(w, depth) }

// value parses any value and keeps the last request nested in it in w.
func (r *replyReader) value(w *replyFields, depth int) bool {
	switch c := r.peek(); {
	case c == 0:
		r.ended = true
		return true
	case c == '{':
		in, ok := r.object(depth + 1)
		if ok {
			if in = in.outermost(); in.asks() {
				w.inner = in
			}
		}
		return ok
	case c == '[':
		return r.array(w, depth+1)
	case r.quote():
		_, ok := r.str()
		return ok
	default:
		return r.word() != ""
	}
}

// array parses an array of any values.
func (r *replyReader) array(w *replyFields, depth int) bool {
	if depth > maxDepth {
		return false
	}
	r.at++
	for {
		switch r.skipSpace(); r.peek() {
		case 0:
			r.ended = true
			return true
		case ']':
			r.at++
			return true
		case ',':
			r.at++
			continue
		}
		if !r.value(w, depth) {
			return false
		}
		if r.ended {
			return true
		}
	}
}

// number parses a whole number, with or without quotes.
func (r *replyReader) number(out *int, w *replyFields, depth int) bool {
	s := ""
	if r.quote() {
		if !r.textField(&s, w, "", depth) {
			return false
		}
	} else if s = r.word(); s == "" {
		return r.value(w, depth)
	}
	if f, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil && f >= 1 {
		*out = int(math.Min(f, 1<<20))
	}
	return true
}

// truth parses true, with or without quotes; everything else counts as false.
func (r *replyReader) truth(out *bool, w *replyFields, depth int) bool {
	s := ""
	if r.quote() {
		if !r.textField(&s, w, "", depth) {
			return false
		}
	} else if s = r.word(); s == "" {
		return r.value(w, depth)
	}
	*out = strings.EqualFold(s, "true")
	return true
}

// word parses a number or a name such as true or None; empty if there is none. One at the
// very end of the text may have been cut off.
func (r *replyReader) word() string {
	start := r.at
	for r.at < len(r.text) && isWord(r.text[r.at]) {
		r.at++
	}
	r.ended = r.at == len(r.text) && r.text[start:] != "true"
	return r.text[start:r.at]
}

// isWord reports whether c can be part of a number or of a bare word.
func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '+' || c == '.'
}

// The typographic quotes that editors put in place of ".
const (
	openQuote  = "“"
	closeQuote = "”"
)

// quote reports whether a string begins here.
func (r *replyReader) quote() bool {
	return r.peek() == '"' || strings.HasPrefix(r.text[r.at:], openQuote) || strings.HasPrefix(r.text[r.at:], closeQuote)
}

// str parses a string. It accepts raw line breaks, and an unknown escape stands for its
// character. It returns false if no string begins here.
func (r *replyReader) str() (string, bool) {
	if !r.quote() {
		return "", false
	}
	bent := r.peek() != '"'
	if bent {
		r.at += len(openQuote)
	} else {
		r.at++
	}
	start, plain := r.at, true
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '\\':
			plain = false
			r.at += 2
			continue
		case c == '"', bent && strings.HasPrefix(r.text[r.at:], closeQuote):
			s := r.text[start:r.at]
			r.at++
			if c != '"' {
				r.at += len(closeQuote) - 1
			}
			if !plain {
				s = unescape(s)
			}
			return s, true
		}
		r.at++
	}
	r.at, r.ended = len(r.text), true
	return "", true
}

// unescape replaces the escapes in s by what they stand for. Unpaired surrogates become the
// replacement character.
func unescape(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	for {
		at := strings.IndexByte(s, '\\')
		if at < 0 || at+1 >= len(s) {
			out.WriteString(s)
			return out.String()
		}
		out.WriteString(s[:at])
		c := s[at+1]
		s = s[at+2:]
		if c == 'u' {
			var r rune
			r, s = hexRune(s)
			out.WriteRune(r)
			continue
		}
		out.WriteByte(escapes(c))
	}
}

// escapes returns the character that a backslash followed by c stands for.
func escapes(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	default:
		return c
	}
}

// hexRune returns the character given by the four hex digits that s begins with, or by a
// surrogate pair, and the rest of s.
func hexRune(s string) (rune, string) {
	first, ok := hex4(s)
	if !ok {
		return utf8.RuneError, s
	}
	s = s[4:]
	if first < 0xd800 || first > 0xdfff {
		return first, s
	}
	if len(s) >= 6 && s[0] == '\\' && s[1] == 'u' {
		if second, ok := hex4(s[2:]); ok && first < 0xdc00 && second >= 0xdc00 && second <= 0xdfff {
			return (first-0xd800)<<10 + second - 0xdc00 + 0x10000, s[6:]
		}
	}
	return utf8.RuneError, s
}

// hex4 reads the four hexadecimal digits of a \u escape; false if they are not.
func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:4], 16, 16)
	return rune(n), err == nil
}

// skipSpace advances to the next character that is not white space.
func (r *replyReader) skipSpace() {
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case ' ', '\n', '\t', '\r':
			r.at++
		default:
			return
		}
	}
}

// peek returns the current byte, or 0 at the end.
func (r *replyReader) peek() byte {
	if r.at >= len(r.text) {
		return 0
	}
	return r.text[r.at]
}
