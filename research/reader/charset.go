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

// sample is how many bytes of a body are examined to guess its character set.
const sample = 64 << 10

// inMeta matches the character set a page declares in a meta element.
var inMeta = regexp.MustCompile(`(?i)<meta[^>]{0,200}?charset\s*=\s*["']?\s*([a-z0-9_:.+-]{1,40})`)

// markup matches the parts of a page that say nothing about its language.
var markup = regexp.MustCompile(`(?is)<script\b.*?</script>|<style\b.*?</style>|<[^>]*>`)

// decode converts body to UTF-8 and returns the character set it was in.
//
// Evidence in the bytes outranks any declaration: a byte-order mark, the zero
// bytes of UTF-16, the patterns of UTF-8. Next comes the sender's declaration,
// then the page's own, each only if the bytes are plausible in that set; last, a
// guess. Declaring the resulting set for the same bytes gives the same result.
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
	if set := utf16Order(body); set != "" {
		return set
	}
	many, broken, escapes := sequences(body)
	if broken == 0 && (many > 0 || !escapes) || many >= 10*broken && broken > 0 {
		return "utf-8"
	}
	return ""
}

// hasBOM reports whether body begins with a byte-order mark of UTF-16.
func hasBOM(body []byte) bool {
	return bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff"))
}

// utf16Order returns the byte order of UTF-16 without a mark, or "". The blanks and the
// punctuation of any language have a zero byte, always on the same side.
func utf16Order(body []byte) string {
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

// sequences counts the valid multi-byte sequences and the bytes that belong to none,
// and reports whether there are escapes, which some old 7-bit sets begin with.
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

// claimed returns the canonical name of a declared character set. It is "" if the
// set is unknown, or if one character in a hundred is not in it.
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

// guessed returns the most likely set. The detector runs its recognizers
// concurrently; equal scores are sorted, so that the guess is deterministic.
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

// convert decodes body from the set; what is not in the set becomes U+FFFD.
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
