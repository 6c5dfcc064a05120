package chat

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"quaestor/internal/language"
	"quaestor/obligations"
)

// ValueInWords returns a value of t in words: choices by their labels, numbers with
// their unit. It returns "" for invalid JSON.
func ValueInWords(t *obligations.Template, raw json.RawMessage) string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return ""
	}
	list, many := v.([]any)
	if !many {
		list = []any{v}
	}
	words := make([]string, 0, len(list))
	for _, item := range list {
		w := InWords(item)
		if c := t.Pick(w); c != nil {
			w = c.Label
		}
		words = append(words, w)
	}
	text := strings.Join(words, ", ")
	if t.Widget == obligations.Number && t.Unit != "" && text != "" {
		text += " " + t.Unit
	}
	return text
}

// InWords returns a decoded JSON value in words: a list with commas, a range as
// "min–max". It returns "" for null and for other objects.
func InWords(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(Visible(v))
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case []any:
		parts := make([]string, 0, len(v))
		for _, item := range v {
			if s := InWords(item); s != "" {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, ", ")
	case map[string]any:
		if low, high := InWords(v["min"]), InWords(v["max"]); low != "" && high != "" {
			return low + "–" + high
		}
	}
	return ""
}

// Clip returns the first n runes of s, with … when there are more.
func Clip(s string, n int) string {
	if head := language.Head(s, n); head != s {
		return head + "…"
	}
	return s
}

// Visible is [language.Visible].
func Visible(s string) string { return language.Visible(s) }

// Quotable returns s as one line of at most that many runes, without characters that would
// end a quotation, ask something or be taken for Markdown.
func Quotable(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("?!？！؟*_`<>#|[]“”\"", r):
			return -1
		case r < ' ':
			return ' '
		}
		return r
	}, Visible(s))
	return strings.TrimRight(Clip(strings.Join(strings.Fields(s), " "), most), ".,;: ")
}

// FirstWords returns text, cut after n words at most with an ellipsis where it has more.
func FirstWords(text string, n int) string {
	words := strings.Fields(text)
	if len(words) <= n {
		return text
	}
	for n > 1 && slices.ContainsFunc([]string{"dangler", "article", "particle", "boundary"}, func(kind string) bool { return language.IsWord(kind, words[n-1]) }) {
		n-- // it begins what is cut off
	}
	return strings.TrimRight(strings.Join(words[:n], " "), ",;:.–—-") + " …"
}
