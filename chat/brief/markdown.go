package brief

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// Markdown writes a brief as Markdown. Every word of the brief is escaped, so that none
// acts as markup.
func Markdown(b Brief) []byte {
	var out bytes.Buffer
	before := paragraph
	for i, p := range outline(b) {
		if i > 0 && (p.kind != item || before != item) {
			out.WriteByte('\n')
		}
		writeMarkdown(&out, p)
		before = p.kind
	}
	return out.Bytes()
}

// writeMarkdown writes a block and a line end.
func writeMarkdown(out *bytes.Buffer, b block) {
	switch b.kind {
	case heading:
		fmt.Fprintf(out, "%s %s\n", strings.Repeat("#", b.level), markdownRuns(b.runs))
	case paragraph:
		fmt.Fprintf(out, "%s\n", atStart(markdownRuns(b.runs)))
	case item:
		fmt.Fprintf(out, "%s- %s\n", strings.Repeat("  ", b.level-1), atStart(markdownRuns(b.runs)))
	case quote:
		fmt.Fprintf(out, "> %s\n", atStart(markdownRuns(b.runs)))
	case table:
		out.WriteString("| | |\n|---|---|\n")
		for _, r := range b.rows {
			fmt.Fprintf(out, "| %s | %s |\n", markdownText(r.Name), markdownText(oneLine(r.Value)))
		}
	}
}

// markdownRuns returns runs as inline Markdown. Spaces go outside of the asterisks, where
// they would keep these from working.
func markdownRuns(list []run) string {
	var out strings.Builder
	for _, r := range list {
		words := markdownText(r.text)
		switch {
		case r.link != "":
			words = "[" + words + "](<" + markdownAddress.Replace(r.link) + ">)"
		case r.bold && strings.TrimSpace(words) != "":
			lead := words[:len(words)-len(strings.TrimLeft(words, " "))]
			words = lead + "**" + strings.TrimSpace(words) + "**"
		}
		out.WriteString(words)
	}
	return strings.TrimSpace(out.String())
}

// markdownSigns escapes characters that have a meaning in Markdown, and keeps addresses
// from becoming links.
var markdownSigns = strings.NewReplacer(`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `<`, `\<`, `#`, `\#`, `|`, `\|`, `!`, `\!`, `~`, `\~`,
	`&`, `\&`, `$`, `\$`, `://`, `\://`, `www.`, `www\.`)

// markdownText returns s escaped, so that Markdown shows it as it is.
func markdownText(s string) string { return markdownSigns.Replace(s) }

// markdownAddress escapes the address of a link for use in angle brackets.
var markdownAddress = strings.NewReplacer("<", "%3C", ">", "%3E", `\`, "%5C", " ", "%20")

// lineStart matches the beginning of a line that Markdown takes for a list item, a quote,
// a rule or the underline of a heading.
var lineStart = regexp.MustCompile(`^(?:(\d+)([.)])|([-+=>]))`)

// atStart escapes what would have a meaning at the beginning of a line.
func atStart(s string) string { return lineStart.ReplaceAllString(s, `$1\$2$3`) }
