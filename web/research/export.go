package research

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"regexp"
	"strings"
	"time"

	"quaestor/research"
	"quaestor/web/tasks"
	"quaestor/web/ui"
)

// writeReport writes a report as Markdown. Words of sources are text in it, never
// markup.
func writeReport(b *bytes.Buffer, v ReportView) {
	t := v.Report.Task
	fmt.Fprintf(b, "# %s\n\n", markdownText(t.Order.Query))
	for _, line := range ReportFacts(v) {
		fmt.Fprintf(b, "- %s: %s\n", line.Name, markdownText(line.Value))
	}
	if t.Summary != "" {
		fmt.Fprintf(b, "\n## Summary\n\n%s\n", markdownText(t.Summary))
	}
	if v.Value() != "" {
		fmt.Fprintf(b, "\nProposed: %s\n", markdownText(v.Value()))
	}
	writeFound(b, v.Report)
	writeSources(b, v.Report)
	writeSearches(b, v.Report)
	b.WriteString("\nWords in quotation marks or block quotes are those of the sources. They were written by others and are not checked for truth.\n")
}

func writeFound(b *bytes.Buffer, r research.Report) {
	if len(r.Claims) == 0 {
		return
	}
	b.WriteString("\n## What the sources say\n")
	for _, c := range r.Claims {
		fmt.Fprintf(b, "\n### Claim %d\n\n%s [source %d]\n\n%s\n", c.N, markdownText(c.Text), c.Source, blockQuote(c.Quote))
		if figures := FigureWords(c.Figures); figures != "" {
			fmt.Fprintf(b, "\nFigures: %s\n", markdownText(figures))
		}
		if len(c.Against) > 0 {
			fmt.Fprintf(b, "\nSays otherwise: %s\n", claimList(c.Against))
		}
	}
}

func claimList(numbers []int) string {
	out := make([]string, len(numbers))
	for i, n := range numbers {
		out[i] = fmt.Sprintf("claim %d", n)
	}
	return strings.Join(out, ", ")
}

func writeSources(b *bytes.Buffer, r research.Report) {
	if len(r.Sources) == 0 {
		return
	}
	b.WriteString("\n## Sources\n")
	for _, s := range r.Sources {
		fmt.Fprintf(b, "\n- **Source %d**: %s\n  - Address: %s\n", s.N, markdownText(tasks.SourceName(s)), codeText(tasks.SourceAddress(s)))
		for _, line := range SourceFacts(s) {
			fmt.Fprintf(b, "  - %s: %s\n", line.Name, markdownText(line.Value))
		}
	}
}

func writeSearches(b *bytes.Buffer, r research.Report) {
	if len(r.Searches) == 0 {
		return
	}
	b.WriteString("\n## Searches\n\n")
	for _, s := range r.Searches {
		fmt.Fprintf(b, "- %s, %s: %s\n", stamp(&s.At), markdownText(s.Engine), markdownText(s.Query+" ("+SearchWords(s)+")"))
	}
}

// signs keeps characters from being read as Markdown's, and addresses from being
// made links.
var signs = strings.NewReplacer(`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `<`, `\<`, `>`, `\>`, `#`, `\#`, `|`, `\|`, `!`, `\!`, `~`, `\~`,
	`&`, `\&`, `$`, `\$`, `://`, `\://`, `www.`, `www\.`)

// listSign is how a line begins that Markdown takes for an entry of a list, a rule
// or the line under a heading.
var listSign = regexp.MustCompile(`^(?:(\d+)([.)])|([-+=]))`)

// markdownText is s as a line of plain text in Markdown.
func markdownText(s string) string {
	return listSign.ReplaceAllString(signs.Replace(strings.Join(strings.Fields(ui.Visible(s)), " ")), `$1\$2$3`)
}

// blockQuote is the words of a source as a block quote of plain text.
func blockQuote(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight("> "+markdownText(line), " ")
	}
	return strings.Join(lines, "\n")
}

// codeText is s as a piece of code in Markdown, which is no link.
func codeText(s string) string {
	return "`" + strings.NewReplacer("`", "%60", "\n", "%0A", "\r", "%0D").Replace(ui.Visible(s)) + "`"
}

func stamp(at *time.Time) string {
	if at == nil {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// writeClaims writes a report's claims as a table, with cells that a spreadsheet
// would take for formulas made plain text.
func writeClaims(b *bytes.Buffer, r research.Report) error {
	w := csv.NewWriter(b)
	rows := [][]string{{"claim", "text", "quote", "figures", "says_otherwise", "rank", "by", "source", "title", "address", "published", "read_at", "sha256"}}
	sources := map[int]research.Source{}
	for _, s := range r.Sources {
		sources[s.N] = s
	}
	for _, c := range r.Claims {
		s := sources[c.Source]
		rows = append(rows, []string{fmt.Sprint(c.N), c.Text, c.Quote, FigureWords(c.Figures), claimList(c.Against), fmt.Sprintf("%.2f", c.Rank), c.By,
			fmt.Sprint(c.Source), s.Title, tasks.SourceAddress(s), s.Published, stamp(s.ReadAt), c.SHA256})
	}
	for _, row := range rows {
		for i := range row {
			row[i] = plainCell(row[i])
		}
		if err := w.Write(row); err != nil {
			return fmt.Errorf("write claims: %w", err)
		}
	}
	w.Flush()
	return w.Error()
}

// plainCell keeps a spreadsheet from taking a cell for a formula, also after
// space it would leave out.
func plainCell(s string) string {
	if start := strings.TrimLeft(s, " \t\r\n\u00a0"); start != "" && strings.ContainsRune("=+-@", rune(start[0])) || s != "" && strings.ContainsRune("\t\r\n", rune(s[0])) {
		return "'" + s
	}
	return s
}
