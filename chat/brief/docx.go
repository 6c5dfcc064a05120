package brief

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"time"
)

// DOCX writes a brief as a Word document, with headings that Word can make a table of
// contents from, real lists and tables, page numbers, a title and dates. The same brief
// gives the same bytes.
func DOCX(b Brief) ([]byte, error) {
	d := &wordDoc{}
	for _, p := range outline(b) {
		d.block(p)
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, part := range []struct{ name, body string }{
		{"[Content_Types].xml", wordTypes},
		{"_rels/.rels", wordRels},
		{"docProps/core.xml", wordProperties(b)},
		{"word/document.xml", wordStart + d.body.String() + wordEnd},
		{"word/_rels/document.xml.rels", d.links()},
		{"word/styles.xml", wordStyles},
		{"word/numbering.xml", wordNumbering},
		{"word/settings.xml", wordSettings},
		{"word/footer1.xml", fmt.Sprintf(wordFooter, escaped(clip(b.Title, maxName)))},
	} {
		if err := writePart(z, part.name, part.body); err != nil {
			return nil, fmt.Errorf("write brief as DOCX: %w", err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("write brief as DOCX: %w", err)
	}
	return out.Bytes(), nil
}

// writePart adds a file to the archive. Files have no times, so that the same brief gives
// the same bytes.
func writePart(z *zip.Writer, name, body string) error {
	w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
	if err != nil {
		return err
	}
	_, err = w.Write([]byte(xml.Header + body))
	return err
}

// wordDoc collects the body of a document and the addresses that it links to.
type wordDoc struct {
	body      strings.Builder
	addresses []string // the relationship link1 leads to the first
}

// block writes a block in the style of its kind.
func (d *wordDoc) block(b block) {
	switch b.kind {
	case heading:
		d.paragraph(map[int]string{1: "Title", 2: "Heading1", 3: "Heading2"}[b.level], "", b.runs)
	case paragraph:
		d.paragraph("", "", b.runs)
	case item:
		d.paragraph("ListBullet", fmt.Sprintf(`<w:numPr><w:ilvl w:val="%d"/><w:numId w:val="1"/></w:numPr>`, b.level-1), b.runs)
	case quote:
		d.paragraph("Quote", "", b.runs)
	case table:
		d.table(b.rows)
	}
}

// paragraph writes runs in a style; "" means the default. properties is XML.
func (d *wordDoc) paragraph(style, properties string, runs []run) {
	d.body.WriteString("<w:p>")
	if style != "" {
		properties = `<w:pStyle w:val="` + style + `"/>` + properties
	}
	if properties != "" {
		d.body.WriteString("<w:pPr>" + properties + "</w:pPr>")
	}
	for _, r := range runs {
		d.run(r)
	}
	d.body.WriteString("</w:p>")
}

// run writes text in its look. A link gets a relationship, which is written later.
func (d *wordDoc) run(r run) {
	look := ""
	switch {
	case r.link != "":
		look = `<w:rPr><w:rStyle w:val="Hyperlink"/></w:rPr>`
	case r.bold:
		look = `<w:rPr><w:b/><w:bCs/></w:rPr>`
	case r.soft:
		look = `<w:rPr><w:rStyle w:val="Aside"/></w:rPr>`
	}
	text := `<w:r>` + look + `<w:t xml:space="preserve">` + escaped(r.text) + `</w:t></w:r>`
	if r.link != "" {
		d.addresses = append(d.addresses, r.link)
		text = fmt.Sprintf(`<w:hyperlink r:id="link%d" w:history="1">%s</w:hyperlink>`, len(d.addresses), text)
	}
	d.body.WriteString(text)
}

// table writes two columns, names and values. Widths are in twentieths of a point.
func (d *wordDoc) table(rows []Fact) {
	d.body.WriteString(`<w:tbl><w:tblPr><w:tblStyle w:val="Facts"/><w:tblW w:w="5000" w:type="pct"/><w:tblLayout w:type="fixed"/><w:tblLook w:val="0080" w:firstColumn="1"/></w:tblPr>` +
		`<w:tblGrid><w:gridCol w:w="2600"/><w:gridCol w:w="6426"/></w:tblGrid>`)
	for _, r := range rows {
		d.body.WriteString(`<w:tr><w:trPr><w:cantSplit/></w:trPr>`)
		d.cell(2600, run{text: r.Name, bold: true})
		d.cell(6426, run{text: oneLine(r.Value)})
		d.body.WriteString(`</w:tr>`)
	}
	d.body.WriteString(`</w:tbl><w:p><w:pPr><w:pStyle w:val="Gap"/></w:pPr></w:p>`)
}

// cell writes a cell of a table.
func (d *wordDoc) cell(width int, r run) {
	fmt.Fprintf(&d.body, `<w:tc><w:tcPr><w:tcW w:w="%d" w:type="dxa"/></w:tcPr>`, width)
	d.paragraph("Cell", "", []run{r})
	d.body.WriteString(`</w:tc>`)
}

// links returns the relationships of the document: its parts, and web addresses.
func (d *wordDoc) links() string {
	var out strings.Builder
	out.WriteString(wordParts)
	for i, address := range d.addresses {
		fmt.Fprintf(&out, `<Relationship Id="link%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="%s" TargetMode="External"/>`, i+1, escaped(address))
	}
	out.WriteString(`</Relationships>`)
	return out.String()
}

// wordProperties returns title, subject, author, language and dates of the document.
func wordProperties(b Brief) string {
	at := b.At.UTC().Format(time.RFC3339)
	return `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
		`xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">` +
		`<dc:title>` + escaped(b.Title) + `</dc:title><dc:subject>` + escaped(clip(line(b.Description), 250)) + `</dc:subject><dc:creator>Quaestor</dc:creator><dc:language>en</dc:language>` +
		`<dcterms:created xsi:type="dcterms:W3CDTF">` + at + `</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">` + at + `</dcterms:modified></cp:coreProperties>`
}

// escaped returns s as XML text. Characters that XML cannot hold become U+FFFD.
func escaped(s string) string {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(s)) // a builder takes everything
	return out.String()
}
