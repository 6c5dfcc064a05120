package data

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"quaestor/web"
)

// notebook is a Jupyter notebook, format 4.5 (https://nbformat.readthedocs.io/en/5.10/format_description.html).
type notebook struct {
	Cells    []any            `json:"cells"`
	Metadata notebookMetadata `json:"metadata"`
	Format   int              `json:"nbformat"`
	Minor    int              `json:"nbformat_minor"`
}

type notebookMetadata struct {
	Kernel   notebookKernel   `json:"kernelspec"`
	Language notebookLanguage `json:"language_info"`
}

type notebookKernel struct {
	Name    string `json:"name"`
	Display string `json:"display_name"`
}

type notebookLanguage struct {
	Name string `json:"name"`
}

// textCell and codeCell are cells. Source is a list of lines, each with its line end but the last.
type textCell struct {
	ID       string   `json:"id"`
	Type     string   `json:"cell_type"` // markdown
	Metadata struct{} `json:"metadata"`
	Source   []string `json:"source"`
}

type codeCell struct {
	ID       string   `json:"id"`
	Type     string   `json:"cell_type"` // code
	Metadata struct{} `json:"metadata"`
	Source   []string `json:"source"`
	Count    *int     `json:"execution_count"` // null: it was not run in a notebook
	Outputs  []any    `json:"outputs"`
}

// connect opens the warehouse in a notebook. The address is the reader's to set: passwords stay here.
const connect = `# Set WAREHOUSE to the address of the warehouse as SQLAlchemy writes it, such as
# postgresql+psycopg://reader@host/database or duckdb:///file.duckdb
import os
import sqlalchemy

engine = sqlalchemy.create_engine(os.environ["WAREHOUSE"])


def figure(statement):
    """The only value that a statement returns."""
    with engine.connect() as connection:
        return connection.execute(sqlalchemy.text(statement)).scalar()`

// writeNotebook writes a notebook in Python: each finding in words, and below it a cell for each of its
// figures that sends the statement and shows the value beside that of the run.
func writeNotebook(b *bytes.Buffer, f findings) error {
	n := notebook{Format: 4, Minor: 5, Metadata: notebookMetadata{notebookKernel{"python3", "Python 3"}, notebookLanguage{"python"}}}
	n.text("intro", fmt.Sprintf("# Findings for %s\n\nEach figure below was computed by its statement on %s, over all rows. Run a cell to compute it again.\n\nThe statements are in the SQL of %s. It takes Python with `sqlalchemy` and the driver of the warehouse.", web.MarkdownText(f.Project), f.at.UTC().Format("2 January 2006"), web.MarkdownText(orWarehouse(f))))
	if gaps := f.extent(); len(gaps) > 0 {
		n.text("extent", strings.Join(web.Map(gaps, web.MarkdownText), "\n\n"))
	}
	n.code("connect", connect)
	for _, i := range f.Insights {
		n.text(i.ID, fmt.Sprintf("## %s\n\n%s\n\nSeverity: %s. Records: %s. Check: %s", web.MarkdownText(i.Name), web.MarkdownText(i.Text), i.Severity, countWords(i.Affected), web.MarkdownText(i.Review.Reason)))
		for _, g := range i.Figures {
			statement, value := pythonText(g.SQL), strings.TrimSpace(oneLine(g.Text))
			n.code(i.ID+"/"+g.ID, fmt.Sprintf("# %s: the run computed %s\nfigure(%s)", oneLine(g.Name), value, statement))
		}
	}
	for _, c := range f.Recommendations {
		text := fmt.Sprintf("## Recommendation: %s\n\n%s\n", web.MarkdownText(c.Title), web.MarkdownText(c.Text))
		for k, a := range c.Actions {
			text += fmt.Sprintf("\n%d. %s", k+1, web.MarkdownText(a))
		}
		n.text("recommendation/"+c.ID, text)
	}
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(n)
}

// orWarehouse names the product that the statements are for.
func orWarehouse(f findings) string {
	if f.dialect == "" {
		return "the warehouse"
	}
	return f.dialect
}

// text adds words, and code a cell to run. name makes the id of the cell, which the same findings have
// again.
func (n *notebook) text(name, source string) {
	n.Cells = append(n.Cells, textCell{ID: cellID(name), Type: "markdown", Source: lines(source)})
}

func (n *notebook) code(name, source string) {
	n.Cells = append(n.Cells, codeCell{ID: cellID(name), Type: "code", Source: lines(source), Outputs: []any{}})
}

// cellID is the id of a cell: 1 to 64 of A–Z, a–z, 0–9, - and _, unique in its notebook.
func cellID(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:8])
}

// lines divides a text after its line ends.
func lines(s string) []string { return strings.SplitAfter(s, "\n") }

// oneLine keeps a text from ending the comment that it stands in.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// pythonText writes a text as a constant of Python over several lines. A colon is escaped as
// SQLAlchemy wants it, which would otherwise take a word behind it for a parameter.
func pythonText(s string) string {
	s = strings.NewReplacer("\\", `\\`, `"""`, `\"\"\"`, ":", `\\:`, "\r", `\r`, "\x00", "").Replace(s)
	if head, ok := strings.CutSuffix(s, `"`); ok {
		s = head + `\"`
	}
	return `"""` + s + `"""`
}
