package ui

import (
	"strings"
)

// colours are the tokens of colour, by their names in tokens.css.
var colours = []string{"paper", "surface", "sunken", "line", "edge", "ink", "quiet", "accent", "accent-strong", "on-accent", "accent-soft", "focus",
	"known", "part", "now", "later", "warn", "warn-soft", "mark"}

// pictures are the names of the icons.
var pictures = []string{"pending", "in_progress", "partial", "satisfied", "deferred", "skipped", "send", "stop", "down", "close", "warning", "menu",
	"look", "light", "dark", "system", "interviews", "research", "data", "review", "objectives", "manage", "search", "download", "onward", "answer", "edit", "more", "add", "attach", "mic", "file"}

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return word
}

func lastWord(s string) string { return s[strings.LastIndexByte(s, ' ')+1:] }
