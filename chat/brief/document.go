package brief

import "time"

// Document is a document that is no brief and is written like one. Its parts stand in the order in
// which they are added.
type Document struct {
	Title       string
	Description string    // one line, for the properties of the file; may be empty
	At          time.Time // of the document and its properties; the same document gives the same bytes
	sheet       sheet
}

// Heading adds a heading. Level 1 is below the title.
func (d *Document) Heading(level int, text string) { d.sheet.head(level+1, text) }

// Say adds a paragraph for each line of text.
func (d *Document) Say(text string) { d.sheet.say(text) }

// Note adds a paragraph of minor importance.
func (d *Document) Note(text string) {
	d.sheet.add(block{kind: paragraph, runs: []run{{text: oneLine(text), soft: true}}})
}

// Bullet adds an item of a list.
func (d *Document) Bullet(text string) { d.sheet.bullet(1, run{text: oneLine(text)}) }

// Table adds rows of a name and a value.
func (d *Document) Table(rows []Fact) {
	if len(rows) > 0 {
		d.sheet.add(block{kind: table, rows: rows})
	}
}

// PDF writes the document as [PDF] writes a brief.
func (d *Document) PDF() ([]byte, error) {
	s := sheet{}
	s.head(1, d.Title)
	return writePDF(properties{d.Title, d.Description, d.At}, append(s.blocks, d.sheet.blocks...), "The other forms of this document hold all of them.")
}
