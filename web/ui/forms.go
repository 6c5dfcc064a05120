package ui

import (
	"net/url"
	"strings"
)

// TypedText returns the first text of a field, with the line ends of the
// transcript: forms post CR LF, spans are counted over LF.
func TypedText(form url.Values, name string) string {
	for _, s := range NonBlank(form[name]) {
		return strings.ReplaceAll(s, "\r\n", "\n")
	}
	return ""
}

func NonBlank(list []string) []string {
	var out []string
	for _, s := range list {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}
