package brief

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"quaestor/internal/language"
)

// Sizes on paper: in millimetres, and in points for type.
const (
	paperWide, paperHigh = 210.0, 297.0 // A4
	margin               = 20.0
	bottom               = paperHigh - 22.0
	column               = paperWide - 2*margin
	nameColumn           = 48.0 // left column of a table
	indent               = 6.0  // for each level of a list
	textSize             = 10.0
	smallSize            = 8.0
	point                = 25.4 / 72
	leading              = 1.4 // height of a line relative to its type
)

// PDF writes a brief as a PDF of A4 pages, with bookmarks, page numbers, links to the
// sources, and embedded fonts. Characters that the fonts do not have are drawn as a box, and
// the document states how many. The same brief gives the same bytes.
func PDF(b Brief) ([]byte, error) {
	return writePDF(properties{b.Title, b.Description, b.At}, outline(b), "The Word and Markdown forms of this brief hold all of them.")
}

// properties are those of a file.
type properties struct {
	title, description string
	at                 time.Time
}

// writePDF writes blocks as a PDF. elsewhere says which other forms have all characters.
func writePDF(about properties, blocks []block, elsewhere string) ([]byte, error) {
	blocks, lost := drawable(blocks)
	p := newPaper(about)
	for i, part := range blocks {
		if i == 1 && lost > 0 {
			p.block(block{kind: paragraph, runs: []run{{text: lostWords(lost, elsewhere), soft: true}}})
		}
		p.block(part)
	}
	p.footers(about.title)
	var out bytes.Buffer
	if err := p.f.Output(&out); err != nil {
		return nil, fmt.Errorf("write brief as PDF: %w", err)
	}
	return narrowTextMaps(out.Bytes()), nil
}

// lostWords tells the reader that n characters are not in the document, and where they are.
func lostWords(n int, elsewhere string) string {
	return fmt.Sprintf("%c stands for %s that the fonts of this file do not have. %s", placeholder, language.Count(n, "character"), elsewhere)
}

// drawable returns blocks with only characters that can be drawn, and how many were
// replaced.
func drawable(blocks []block) ([]block, int) {
	lost := 0
	draw := func(s string) string {
		out, n := replaceMissing(s)
		lost += n
		return out
	}
	for i := range blocks {
		blocks[i].runs = slices.Clone(blocks[i].runs) // which may belong to a document
		for j := range blocks[i].runs {
			blocks[i].runs[j].text = draw(blocks[i].runs[j].text)
		}
		var rows []Fact // a copy, since the rows belong to the brief
		for _, r := range blocks[i].rows {
			rows = append(rows, Fact{draw(r.Name), draw(oneLine(r.Value))})
		}
		blocks[i].rows = rows
	}
	return blocks, lost
}

// paper is a PDF that is being written from top to bottom.
type paper struct {
	f *fpdf.Fpdf
	y float64 // where the next line begins
}

// newPaper returns an empty document with its properties set. The catalog is sorted, and all
// times are those of the document, so that the same document gives the same bytes.
func newPaper(about properties) *paper {
	f := fpdf.New("P", "mm", "A4", "")
	f.SetCatalogSort(true)
	f.SetCreationDate(about.at)
	f.SetModificationDate(about.at)
	f.SetTitle(about.title, true)
	f.SetSubject(language.Clip(line(about.description), 250), true)
	f.SetCreator("Quaestor", true)
	f.SetLang("en")
	f.SetMargins(margin, margin, margin)
	f.SetCellMargin(0)
	f.SetAutoPageBreak(false, 0)
	f.AddUTF8FontFromBytes("go", "", bytes.Clone(typefaces()[false].ttf))
	f.AddUTF8FontFromBytes("go", "B", bytes.Clone(typefaces()[true].ttf))
	p := &paper{f: f}
	p.page()
	return p
}

// page starts a new page.
func (p *paper) page() {
	p.f.AddPage()
	p.y = margin
}

// room starts a new page unless that height is left on this one.
func (p *paper) room(high float64) {
	if p.y+high > bottom {
		p.page()
	}
}

// block writes a block according to its kind.
func (p *paper) block(b block) {
	switch b.kind {
	case heading:
		p.heading(b)
	case paragraph:
		p.text(b.runs, textSize, 0)
		p.y += 2
	case item:
		p.bullet(b)
	case quote:
		p.quote(b.runs)
	case table:
		p.table(b.rows)
	}
}

// heading writes a heading and its bookmark. It starts a new page when little of what
// follows would fit beneath.
func (p *paper) heading(b block) {
	size := map[int]float64{1: 20, 2: 14, 3: 11}[b.level]
	below := map[int]float64{1: 60, 2: 70, 3: 30}[b.level] // height that must fit beneath
	if p.y > margin {
		p.y += map[int]float64{1: 0, 2: 6, 3: 3}[b.level]
	}
	p.room((size + below) * point * leading)
	p.look(run{bold: true}, size)
	p.f.Bookmark(language.Clip(b.runs[0].text, maxName), b.level-1, p.y)
	p.text([]run{{text: b.runs[0].text, bold: true}}, size, 0)
	p.y += 1.5
}

// bullet writes an item of a list with its mark.
func (p *paper) bullet(b block) {
	left := indent * float64(b.level)
	high := textSize * point * leading
	p.room(high)
	p.look(run{soft: true}, textSize)
	p.f.SetXY(margin+left-4, p.y)
	p.f.CellFormat(4, high, map[int]string{1: "•", 2: "–"}[b.level], "", 0, "L", false, 0, "")
	p.text(b.runs, textSize, left)
	p.y++
}

// quote draws a line beside the text, on each of its pages, line by line, because the text
// may continue on the next page.
func (p *paper) quote(runs []run) {
	high := textSize * point * leading
	for _, l := range breakLines(runs, ems(column-indent, textSize)) {
		p.room(high)
		p.f.SetDrawColor(0xdd, 0xd7, 0xd3)
		p.f.SetLineWidth(0.6)
		p.f.Line(margin+1, p.y, margin+1, p.y+high)
		p.line(l, textSize, indent)
		p.y += high
	}
	p.y++
}

// table writes two columns, with a rule below each row. A row may continue on the next page.
func (p *paper) table(rows []Fact) {
	high := textSize * point * leading
	for _, r := range rows {
		names := breakLines([]run{{text: r.Name, soft: true}}, ems(nameColumn-3, textSize))
		values := breakLines([]run{{text: r.Value}}, ems(column-nameColumn, textSize))
		for i := range max(len(names), len(values)) {
			p.room(high)
			if i < len(names) {
				p.line(names[i], textSize, 0)
			}
			if i < len(values) {
				p.line(values[i], textSize, nameColumn)
			}
			p.y += high
		}
		p.f.SetDrawColor(0xdd, 0xd7, 0xd3)
		p.f.SetLineWidth(0.2)
		p.f.Line(margin, p.y+0.7, margin+column, p.y+0.7)
		p.y += 1.8
	}
	p.y += 2
}

// text writes runs as lines, indented by left.
func (p *paper) text(runs []run, size, left float64) {
	high := size * point * leading
	for _, l := range breakLines(runs, ems(column-left, size)) {
		p.room(high)
		p.line(l, size, left)
		p.y += high
	}
}

// ems converts a width on paper to ems of a type size. It takes off a little for rounding
// in the font's metrics.
func ems(wide, size float64) float64 { return wide/(size*point) - 0.1 }

// line writes the pieces of one line. Each is placed by the width that it was measured
// with when the line was broken.
func (p *paper) line(pieces []piece, size, left float64) {
	x := margin + left
	for _, part := range pieces {
		wide := part.wide * size * point
		p.look(part.run, size)
		p.f.SetXY(x, p.y)
		p.f.CellFormat(wide, size*point*leading, part.text, "", 0, "L", false, 0, asciiLink(part.link))
		x += wide
	}
}

// look sets font and colour. The colours are those of the pages: links in the accent colour,
// minor text in a lighter one.
func (p *paper) look(r run, size float64) {
	style := ""
	if r.bold {
		style = "B"
	}
	p.f.SetFont("go", style, size)
	switch {
	case r.link != "":
		p.f.SetTextColor(0x6d, 0x1f, 0x4b)
	case r.soft:
		p.f.SetTextColor(0x5f, 0x56, 0x5b)
	default:
		p.f.SetTextColor(0x21, 0x1b, 0x1f)
	}
}

// asciiLink returns an address percent-encoded, as PDF requires.
func asciiLink(s string) string {
	if u, err := url.Parse(s); err == nil {
		return u.String()
	}
	return ""
}

// footers adds page numbers, once the number of pages is known.
func (p *paper) footers(title string) {
	name, _ := replaceMissing(cmp.Or(language.Clip(title, maxName), "Brief"))
	for n := 1; n <= p.f.PageCount(); n++ {
		p.f.SetPage(n)
		p.look(run{bold: true}, smallSize) // setting another font first makes the library write the next one on this page
		p.look(run{soft: true}, smallSize)
		p.f.SetXY(margin, paperHigh-15)
		p.f.CellFormat(column, smallSize*point*leading, fmt.Sprintf("%s, page %d of %d", name, n, p.f.PageCount()), "", 0, "C", false, 0, "")
	}
}
