package data

import (
	"bytes"
	"cmp"
	"strings"

	"quaestor/chat/brief"
	"quaestor/web"
	"quaestor/web/ui"
)

// writeFindingPDF writes a document to print and to send. It has no statements, which the notebook and
// Markdown have.
func writeFindingPDF(b *bytes.Buffer, f findings) error {
	d := brief.Document{Title: "Findings for " + f.Project, Description: "What a run found and recommends", At: f.at}
	about := []brief.Fact{{Name: "Run of", Value: ui.When(f.at)}, {Name: "Findings", Value: countWords(int64(len(f.Insights)))}}
	if f.warehouse != "" {
		about = append(about, brief.Fact{Name: "Warehouse", Value: f.warehouse})
	}
	d.Table(about)
	for _, s := range f.extent() {
		d.Say(s)
	}
	for n, i := range f.Insights {
		if n == 0 {
			d.Heading(1, "Findings")
		}
		d.Heading(2, i.Name)
		d.Say(i.Text)
		facts := web.Map(i.Figures, func(g insightFigure) brief.Fact { return brief.Fact{Name: ui.Capital(g.Name), Value: g.Text} })
		facts = append(facts, brief.Fact{Name: "Severity", Value: ui.Capital(string(i.Severity))}, brief.Fact{Name: "Records it is about", Value: countWords(i.Affected)},
			brief.Fact{Name: "Check", Value: strings.TrimSpace(ui.Capital(cmp.Or(string(i.Review.Status), "none yet")) + ". " + i.Review.Reason)}, brief.Fact{Name: "Table", Value: i.Table})
		if i.Metric != "" {
			facts = append(facts, brief.Fact{Name: "Measured as defined", Value: i.Metric})
		}
		d.Table(facts)
	}
	for n, c := range f.Recommendations {
		if n == 0 {
			d.Heading(1, "Recommendations")
		}
		d.Heading(2, c.Title)
		d.Say(c.Text)
		d.Table([]brief.Fact{{Name: "Expected", Value: c.Impact.Metric + ": " + c.Impact.Improvement}, {Name: "Effort", Value: ui.Capital(string(c.Effort))}, {Name: "Status", Value: ui.Capital(string(c.Status))}, {Name: "Rests on", Value: strings.Join(c.Insights, ", ")}})
		for _, a := range c.Actions {
			d.Bullet(a)
		}
	}
	d.Note("Each figure was computed by a statement over all rows. The notebook of the same run has the statements, to be run again.")
	body, err := d.PDF()
	if err != nil {
		return err
	}
	b.Write(body)
	return nil
}
