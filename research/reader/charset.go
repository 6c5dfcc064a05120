package reader

import (
	"bytes"
	"cmp"
	"mime"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/net/html/charset"
)

// sample is how much of a body is looked at to guess its character set.
const sample = 64 << 10

// inMeta finds the character set a page gives itself.
var inMeta = regexp.MustCompile(`(?i)<meta[^>]{0,200}?charset\s*=\s*["']?\s*([a-z0-9_:.+-]{1,40})`)

// markup is what of a page says nothing about its language.
var markup = regexp.MustCompile(`(?is)<script\b.*?</script>|<style\b.*?</style>|<[^>]*>`)

// decode returns body in UTF-8 and the character set it was in.
//
// What the bytes prove comes before what anybody says: a mark at the beginning,
// the zeros of UTF-16, the pattern of UTF-8. Then the sender's word, then the
// page's own, each only if the bytes can be of that set; then a guess. So the
// answer given back as the sender's word gives the same answer.
func decode(f form, mediaType string, body []byte) (text, set string) {
	set = proven(body)
	if set == "" {
		_, params, _ := mime.ParseMediaType(mediaType)
		set = claimed(params["charset"], body)
	}
	if set == "" && f == formHTML {
		if m := inMeta.FindSubmatch(body[:min(len(body), 2048)]); m != nil {
			set = claimed(string(m[1]), body)
		}
	}
	if set == "" {
		set = guessed(f, body)
	}
	return strings.TrimPrefix(convert(set, body), "\uFEFF"), set
}

// proven returns the character set the bytes leave no doubt about, or "".
func proven(body []byte) string {
	switch {
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		return "utf-8"
	case bytes.HasPrefix(body, []byte("\xff\xfe")):
		return "utf-16le"
	case bytes.HasPrefix(body, []byte("\xfe\xff")):
		return "utf-16be"
	}
	if set := wide(body); set != "" {
		return set
	}
	many, broken, escapes := sequences(body)
	if broken == 0 && (many > 0 || !escapes) || many >= 10*broken && broken > 0 {
		return "utf-8"
	}
	return ""
}

// marked reports whether body begins with the mark of UTF-16.
func marked(body []byte) bool {
	return bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff"))
}

// wide returns the kind of UTF-16 whose zeros body has, or "": the blanks and
// marks of any language have one, always on the same side.
func wide(body []byte) string {
	b := body[:min(len(body), sample)&^1]
	var zeros [2]int
	for i, c := range b {
		if c == 0 {
			zeros[i&1]++
		}
	}
	switch least := max(len(b)/50, 2); {
	case zeros[0] >= least && zeros[1] == 0:
		return "utf-16be"
	case zeros[1] >= least && zeros[0] == 0:
		return "utf-16le"
	}
	return ""
}

// sequences counts the characters of several bytes, the bytes that are part of
// none, and whether there are escapes, with which some old sets of 7 bits begin.
func sequences(body []byte) (many, broken int, escapes bool) {
	for i := 0; i < len(body); {
		if c := body[i]; c < utf8.RuneSelf {
			escapes = escapes || c == 0x1b
			i++
			continue
		}
		r, n := utf8.DecodeRune(body[i:])
		if r == utf8.RuneError && n == 1 {
			broken++
		} else {
			many++
		}
		i += n
	}
	return many, broken, escapes
}

// claimed returns the canonical name of a set somebody says body is in, or "" if
// it is unknown or one character in a hundred is not in it.
func claimed(label string, body []byte) string {
	e, set := charset.Lookup(label)
	if e == nil || set == "utf-8" || set == "replacement" || set == "x-user-defined" {
		return ""
	}
	text := convert(set, body)
	if strings.Count(text, "\uFFFD")*100 > utf8.RuneCountInString(text) {
		return ""
	}
	return set
}

// guessed returns the likeliest set. The library asks its experts at once; equal
// scores are put in order, so that the guess is always the same.
func guessed(f form, body []byte) string {
	words := body[:min(len(body), 4*sample)]
	if f == formHTML {
		words = markup.ReplaceAll(words, []byte(" "))
	}
	results, _ := chardet.NewTextDetector().DetectAll(words[:min(len(words), sample)])
	slices.SortFunc(results, func(a, b chardet.Result) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.Charset, b.Charset))
	})
	for _, r := range results {
		if set := claimed(r.Charset, body); set != "" && !strings.HasPrefix(set, "utf-16") {
			return set
		}
	}
	return "windows-1252"
}

// convert returns body in UTF-8; what is not in the set becomes U+FFFD.
func convert(set string, body []byte) string {
	if set == "utf-8" {
		return strings.ToValidUTF8(string(body), "\uFFFD")
	}
	e, _ := charset.Lookup(set)
	text, err := e.NewDecoder().Bytes(body)
	if err != nil {
		return strings.ToValidUTF8(string(body), "\uFFFD")
	}
	return string(text)
}
