package research

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
	"time"

	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/tasks"
	"quaestor/web/ui"
)

// writeReport writes a report as Markdown, in which the words of sources are text and never
// markup.
func writeReport(b *bytes.Buffer, v ReportView) {
	t := v.Report.Task
	fmt.Fprintf(b, "# %s\n\n", web.MarkdownText(t.Order.Query))
	for _, line := range ReportFacts(v) {
		fmt.Fprintf(b, "- %s: %s\n", line.Name, web.MarkdownText(line.Value))
	}
	if t.Summary != "" {
		fmt.Fprintf(b, "\n## Summary\n\n%s\n", web.MarkdownText(t.Summary))
	}
	if v.Value() != "" {
		fmt.Fprintf(b, "\nProposed: %s\n", web.MarkdownText(v.Value()))
	}
	writeFound(b, v.Report)
	writeSources(b, v.Report)
	writeSearches(b, v.Report)
	b.WriteString("\nWords in quotation marks or block quotes are those of the sources. They were written by others and are not checked for truth.\n")
}

// writeFound writes the claims with their quotes.
func writeFound(b *bytes.Buffer, r research.Report) {
	if len(r.Claims) == 0 {
		return
	}
	b.WriteString("\n## What the sources say\n")
	for _, c := range r.Claims {
		fmt.Fprintf(b, "\n### Claim %d\n\n%s [source %d]\n\n%s\n", c.N, web.MarkdownText(c.Text), c.Source, blockQuote(c.Quote))
		if figures := FigureWords(c.Figures); figures != "" {
			fmt.Fprintf(b, "\nFigures: %s\n", web.MarkdownText(figures))
		}
		if len(c.Against) > 0 {
			fmt.Fprintf(b, "\nSays otherwise: %s\n", claimNumbers(c.Against))
		}
	}
}

// claimNumbers names claims by their numbers.
func claimNumbers(numbers []int) string {
	return strings.Join(web.Map(numbers, func(n int) string { return fmt.Sprintf("claim %d", n) }), ", ")
}

// writeSources writes what was read, and what was not and why.
func writeSources(b *bytes.Buffer, r research.Report) {
	if len(r.Sources) == 0 {
		return
	}
	b.WriteString("\n## Sources\n")
	for _, s := range r.Sources {
		fmt.Fprintf(b, "\n- **Source %d**: %s\n  - Address: %s\n", s.N, web.MarkdownText(tasks.SourceName(s)), codeText(tasks.SourceAddress(s)))
		for _, line := range SourceFacts(s) {
			fmt.Fprintf(b, "  - %s: %s\n", line.Name, web.MarkdownText(line.Value))
		}
	}
}

// writeSearches writes what was asked of search engines, and when.
func writeSearches(b *bytes.Buffer, r research.Report) {
	if len(r.Searches) == 0 {
		return
	}
	b.WriteString("\n## Searches\n\n")
	for _, s := range r.Searches {
		fmt.Fprintf(b, "- %s, %s: %s\n", stamp(&s.At), web.MarkdownText(s.Engine), web.MarkdownText(s.Query+" ("+SearchWords(s)+")"))
	}
}

// blockQuote returns the words of a source as a block quote of plain text.
func blockQuote(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i, line := range lines { // a line without the sign would end the quote
		lines[i] = strings.TrimRight("> "+web.MarkdownText(line), " ")
	}
	return strings.Join(lines, "\n")
}

// codeText returns s as code in Markdown, in which nothing becomes a link.
func codeText(s string) string {
	return "`" + strings.NewReplacer("`", "%60", "\n", "%0A", "\r", "%0D").Replace(ui.Visible(s)) + "`"
}

// stamp returns a time for programs; empty for none.
func stamp(at *time.Time) string {
	if at == nil {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// writeClaims writes a report's claims as CSV. No cell begins like a formula, because a
// spreadsheet would run what a source wrote.
func writeClaims(b *bytes.Buffer, r research.Report) error {
	w := csv.NewWriter(b)
	rows := [][]string{{"claim", "text", "quote", "figures", "says_otherwise", "rank", "by", "source", "title", "address", "published", "read_at", "sha256"}}
	sources := map[int]research.Source{} // by number; a claim without its source gets empty cells
	for _, s := range r.Sources {
		sources[s.N] = s
	}
	for _, c := range r.Claims {
		s := sources[c.Source]
		rows = append(rows, []string{fmt.Sprint(c.N), c.Text, c.Quote, FigureWords(c.Figures), claimNumbers(c.Against), fmt.Sprintf("%.2f", c.Rank), c.By,
			fmt.Sprint(c.Source), s.Title, tasks.SourceAddress(s), s.Published, stamp(s.ReadAt), c.SHA256})
	}
	for _, row := range rows {
		if err := w.Write(web.Map(row, sessions.PlainCell)); err != nil {
			return fmt.Errorf("write claims: %w", err)
		}
	}
	w.Flush()
	return w.Error()
}
