package voice

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"quaestor/chat"
	"quaestor/internal/speech"
	"quaestor/sessions"
)

// sentence is a part of a reply that is spoken in one go.
type sentence struct {
	from, to int    // bytes of the reply
	written  string // those bytes
	text     string // what is said; empty for a part without words
}

// reply is the text of a turn's reply as it comes.
type reply struct {
	turn, attempt int
	text          string
	units         int // UTF-16 units of text
	cut           int // bytes that were cut into sentences
	skip          int // bytes of the first attempt that were heard before; 0 once that is done
	whole         bool
}

// add takes a piece of the reply. again is true when the reply begins again, and what was
// cut before is not said any more.
func (r *reply) add(d sessions.DeltaEvent) (again bool) {
	if r.whole || d.Attempt < r.attempt {
		return false
	}
	if d.Attempt > r.attempt {
		again = r.cut > 0
		r.text, r.units, r.cut, r.attempt = "", 0, 0, d.Attempt
		if d.Attempt > 1 {
			r.skip = 0 // another text
		}
	}
	known := r.units - d.Offset
	if known < 0 { // a piece was missed; the whole text follows
		return again
	}
	fresh := utf16.Encode([]rune(d.Content))
	if known < len(fresh) {
		r.text += string(utf16.Decode(fresh[known:]))
		r.units += len(fresh) - known
	}
	return again
}

// finish takes the whole reply. again is true when it is another than its pieces were.
func (r *reply) finish(content string) (again bool) {
	again = !strings.HasPrefix(content, r.text[:r.cut])
	if again {
		r.cut = 0
	}
	r.text, r.whole = content, true
	return again
}

// sentences returns what can be said by now and was not returned before.
func (r *reply) sentences() []sentence {
	var out []sentence
	if !r.skipped() {
		return nil
	}
	for r.cut < len(r.text) {
		rest := r.text[r.cut:]
		end, ok := chat.CompleteSentence(rest)
		switch {
		case ok:
		case r.whole:
			end = len(rest)
		default:
			return out
		}
		out = append(out, parts(rest[:end], r.cut)...)
		r.cut += end
	}
	return out
}

// skipped passes over what was heard before, and reports whether that is done. A place that the
// reply does not have is its beginning.
func (r *reply) skipped() bool {
	switch {
	case r.skip <= 0 || r.cut > 0:
	case len(r.text) > r.skip && utf8.RuneStart(r.text[r.skip]):
		r.cut = r.skip
	case !r.whole && len(r.text) <= r.skip:
		return false
	}
	r.skip = 0
	return true
}

// ripe reports whether what was not cut yet ends as a sentence does.
func (r *reply) ripe() bool {
	rest := r.text[r.cut:]
	return !r.whole && r.skip <= 0 && rest != "" && strings.ContainsAny(rest[len(rest)-1:], ".!?")
}

// take cuts what there is as a sentence.
func (r *reply) take() []sentence {
	if !r.ripe() {
		return nil
	}
	rest := r.text[r.cut:]
	out := parts(rest, r.cut)
	r.cut = len(r.text)
	return out
}

// parts returns text, which begins at byte from of the reply, in pieces that can be
// spoken: mostly one.
func parts(text string, from int) []sentence {
	if utf8.RuneCountInString(text) <= speech.MaxText {
		return []sentence{{from, from + len(text), text, aloud(text)}}
	}
	at := strings.LastIndexByte(text[:speech.MaxText], ' ') + 1
	if at == 0 {
		at = speech.MaxText
		for !utf8.RuneStart(text[at]) {
			at--
		}
	}
	return append(parts(text[:at], from), parts(text[at:], from+at)...)
}

// What is written and not said: marks of Markdown, and addresses of links.
var (
	linkMark = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	lineMark = regexp.MustCompile(`(?m)^[ \t]*(#{1,6}|>|[-*+]|\d{1,3}[.)])[ \t]+`)
	tilted   = regexp.MustCompile(`(^|[\s(])_([^_\n]+)_`)
	wordMark = strings.NewReplacer("**", "", "__", "", "*", "", "`", "", "|", " ", "…", ".")
)

// aloud returns text as it is said.
func aloud(text string) string {
	text = tilted.ReplaceAllString(linkMark.ReplaceAllString(text, "$1"), "$1$2")
	text = wordMark.Replace(lineMark.ReplaceAllString(text, ""))
	text = strings.Join(strings.Fields(text), " ")
	if !strings.ContainsFunc(text, isWord) {
		return ""
	}
	return text
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// cutAt returns how many bytes of text, which is written, its first n words are.
func cutAt(text string, n int) int {
	at := 0
	for n > 0 {
		rest := strings.TrimLeftFunc(text[at:], unicode.IsSpace)
		begins := len(text) - len(rest)
		if rest == "" {
			break
		}
		ends := strings.IndexFunc(rest, unicode.IsSpace)
		if ends < 0 {
			ends = len(rest)
		}
		if strings.ContainsFunc(rest[:ends], isWord) {
			n--
		}
		at = begins + ends
	}
	return at
}

// wordsIn returns how many words text has.
func wordsIn(text string) int {
	n := 0
	for w := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(w, isWord) {
			n++
		}
	}
	return n
}
