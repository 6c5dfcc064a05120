package warehouse

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth is how deep objects may lie in each other.
const maxDepth = 32

// lastWish returns the last object of a text that asks for something, or why there
// is none. One that was cut off counts when it names what it asks for.
func lastWish(text string) (*replyFields, *ActionError) {
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
			r.at = start + 1 // what lies in it may be whole
		}
	}
}

// about says whether what was cut off of w is what it asks for.
func (w *replyFields) about() bool {
	return strings.Contains(w.cut, " query ") || strings.Contains(w.cut, " lookup_schema ") || strings.Contains(w.cut, " search_tables ") ||
		strings.Contains(w.cut, " input ") || strings.Contains(w.cut, " tables ")
}

// replyReader reads the objects of a reply, once from front to back. Each of its
// methods says whether it could; at the end of the text it returns what it has,
// with ended set.
type replyReader struct {
	text  string
	at    int
	ended bool
	deep  int // where objects lay too deep last; reading goes on there, so that no text is read time and again
}

// object reads one from its brace on.
func (r *replyReader) object(depth int) (*replyFields, bool) {
	if depth > maxDepth {
		r.deep = r.at
		return nil, false
	}
	r.at++
	r.ended = false
	if r.skipSpace(); !r.quote() && r.peek() != '}' && r.peek() != ',' && r.peek() != 0 {
		return nil, false // no object, but a brace in prose
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

// cutOff returns w as one whose rest is missing.
func (r *replyReader) cutOff(w *replyFields, what string) (*replyFields, bool) {
	r.ended = true
	w.cut = what
	return w, true
}

// colon reads the colon behind a key.
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

// field reads the value of a key into w. A value that is cut off is not taken.
func (r *replyReader) field(w *replyFields, key string, depth int) bool {
	switch key {
	case "query":
		return r.text1(&w.query, w, key, depth)
	case "thinking":
		return r.text1(&w.thinking, w, "", depth)
	case "query_purpose", "purpose":
		return r.text1(&w.purpose, w, "", depth)
	case "summary":
		return r.text1(&w.summary, w, "", depth)
	case "reason":
		return r.text1(&w.reason, w, "", depth)
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

// text1 reads a string into out. key is that of a value that must be one.
func (r *replyReader) text1(out *string, w *replyFields, key string, depth int) bool {
	if !r.quote() {
		if key != "" && r.peek() != 'n' && r.peek() != 0 {
			w.spoilt = "the value of " + key + " is no string"
		}
		return r.other(w, depth)
	}
	s, ok := r.str()
	if ok && !r.ended {
		*out = s
	}
	return ok
}

// name reads what an object says it is. Many objects have a name, and only that of
// an action counts.
func (r *replyReader) name(w *replyFields, key string, depth int) bool {
	var s string
	if !r.text1(&s, w, "", depth) {
		return false
	}
	if s = strings.ToLower(s); key == "action" || slices.Contains(Anything, ActionKind(s)) {
		w.said = firstOf(w.said, s)
	}
	return true
}

// list reads the names of tables: an array of strings, one string, or an object
// with such an array.
func (r *replyReader) list(out *[]string, w *replyFields, key string, depth int) bool {
	switch {
	case r.quote():
		var s string
		ok := r.text1(&s, w, "", depth)
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
			w.spoilt = "the value of " + key + " is no list of names"
		}
		return r.other(w, depth)
	}
}

// strings reads an array of strings.
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
			w.spoilt = "the list of " + key + " holds what is no string"
			if !r.value(w, depth) || r.ended {
				return r.ended
			}
		}
	}
}

// searched reads what to search for: a string, an array of words, or an object
// with query and top_k.
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
		return r.text1(&w.search, w, "search_tables", depth)
	}
}

// envelope reads the content of an action that is named beside it: an object, or a
// string that holds one.
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

// whole reads a text that is one object.
func (r *replyReader) whole(depth int) (*replyFields, bool) {
	if r.peek() != '{' {
		return nil, false
	}
	return r.object(depth + 1)
}

// other reads a value that is none of ours, but for the requests in it.
func (r *replyReader) other(w *replyFields, depth int) bool { return r.value(w, depth) }

// value reads any value, and keeps in w the last wish that lies in it.
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

// array reads an array of any values.
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

// number reads a whole number, which may stand in quotes.
func (r *replyReader) number(out *int, w *replyFields, depth int) bool {
	s := ""
	if r.quote() {
		if !r.text1(&s, w, "", depth) {
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

// truth reads true, which may stand in quotes, or anything else, which is false.
func (r *replyReader) truth(out *bool, w *replyFields, depth int) bool {
	s := ""
	if r.quote() {
		if !r.text1(&s, w, "", depth) {
			return false
		}
	} else if s = r.word(); s == "" {
		return r.value(w, depth)
	}
	*out = strings.EqualFold(s, "true")
	return true
}

// word reads a number or a name, such as true or None; nothing when there is none.
// One at the end of the text may be cut off.
func (r *replyReader) word() string {
	start := r.at
	for r.at < len(r.text) && isWord(r.text[r.at]) {
		r.at++
	}
	r.ended = r.at == len(r.text) && r.text[start:] != "true"
	return r.text[start:r.at]
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '+' || c == '.'
}

// The quotes that editors put in the place of ".
const (
	openQuote  = "“"
	closeQuote = "”"
)

// quote says whether a string begins here.
func (r *replyReader) quote() bool {
	return r.peek() == '"' || strings.HasPrefix(r.text[r.at:], openQuote) || strings.HasPrefix(r.text[r.at:], closeQuote)
}

// str reads a string. Line ends may stand in it as they are, and what is no escape
// stands for itself. It is false when no string begins here.
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

// unescape returns s with its escapes replaced by what they stand for. Halves of
// pairs that stand alone become the character for what cannot be read.
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

// escapes returns what a backslash with c stands for.
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

// hexRune returns the character whose four digits s begins with, or that of a pair,
// and the rest of s.
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

func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:4], 16, 16)
	return rune(n), err == nil
}

// skipSpace goes on to what is no space.
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

// peek returns the byte here, 0 at the end.
func (r *replyReader) peek() byte {
	if r.at >= len(r.text) {
		return 0
	}
	return r.text[r.at]
}
