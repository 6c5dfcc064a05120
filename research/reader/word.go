package reader

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"quaestor/internal/language"
)

// wordReader extracts the text of a Word document's XML in one pass. Elements are
// identified by their local names, since documents bind different prefixes and
// versions of the same namespace.
type wordReader struct {
	text   strings.Builder
	line   strings.Builder // the paragraph being read
	prefix string          // of that paragraph, such as "## " or "- "
	cells  []string        // of the table row being read
	cell   strings.Builder // the cell being read
	tables int             // open tables
	run    runLook
	shaded int // open elements with a shaded background
	cut    bool
}

// runLook records why the letters of a run are invisible.
type runLook struct {
	hidden, white, shaded, tiny bool
}

// parse reads the document up to the limit of the text.
func (w *wordReader) parse(d *xml.Decoder) error {
	var open []string
	for w.text.Len() <= maxText {
		t, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			w.endParagraph()
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the document: %w", err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			if open = append(open, t.Name.Local); len(open) > maxXML {
				return fmt.Errorf("read the document: %w", errBounds)
			}
			if err := w.start(d, t, &open); err != nil {
				return err
			}
		case xml.EndElement:
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
			w.end(t.Name.Local)
		case xml.CharData:
			if len(open) > 0 && open[len(open)-1] == "t" && w.run.seen() {
				w.write(string(t))
			}
		}
	}
	w.cut = true
	return nil
}

// seen reports whether a run is visible: not hidden, not white on the white page, and
// not too small.
func (r runLook) seen() bool {
	return !r.hidden && !r.tiny && (!r.white || r.shaded)
}

// write appends to the paragraph, within the limit of the whole text.
func (w *wordReader) write(s string) {
	if w.line.Len()+len(s) > 2*maxText {
		w.cut = true
		s = language.HeadBytes(s, max(2*maxText-w.line.Len(), 0))
	}
	w.line.WriteString(s)
}

// start handles the start of an element.
func (w *wordReader) start(d *xml.Decoder, t xml.StartElement, open *[]string) error {
	switch t.Name.Local {
	case "p":
		w.endParagraph()
	case "r":
		w.run = runLook{shaded: w.shaded > 0}
	case "tab":
		if last(*open, 2) == "r" {
			w.write("\t")
		}
	case "br", "cr":
		w.write("\n")
	case "tbl":
		w.endParagraph()
		w.tables++
	case "tr":
		w.cells = nil
	case "tc":
		w.cell.Reset()
		w.shaded = 0
	case "Fallback": // repeats the text for older programs
		*open = (*open)[:len(*open)-1]
		return skip(d)
	default:
		w.look(t, last(*open, 2))
	}
	return nil
}

// last returns the n-th name from the end, or "".
func last(open []string, n int) string {
	if len(open) < n {
		return ""
	}
	return open[len(open)-n]
}

// skip reads to the end of the element that just started.
func skip(d *xml.Decoder) error {
	for depth := 1; depth > 0; {
		t, err := d.RawToken()
		if err != nil {
			return fmt.Errorf("read the document: %w", err)
		}
		switch t.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	return nil
}

// look records what a property element says about its parent's appearance.
func (w *wordReader) look(t xml.StartElement, parent string) {
	value := attribute(t, "val")
	switch name := t.Name.Local; {
	case name == "pStyle" && parent == "pPr":
		w.prefix = headingPrefix(value)
	case name == "numPr" && w.prefix == "":
		w.prefix = "- "
	case parent == "tcPr" && name == "shd", parent == "pPr" && name == "shd":
		if attribute(t, "fill") != "auto" {
			w.shaded++
		}
	case parent != "rPr":
	case name == "vanish" || name == "webHidden" || name == "specVanish":
		w.run.hidden = value != "0" && value != "false"
	case name == "color":
		w.run.white = alike("#"+strings.ToLower(value), "#ffffff")
	case name == "shd" || name == "highlight":
		w.run.shaded = true
	case name == "sz":
		w.run.tiny = len(value) == 1 && value <= "3" // in half points
	}
}

// headingPrefix is the Markdown prefix of a heading style: "Heading2" gives "## ".
func headingPrefix(style string) string {
	style = strings.ToLower(strings.ReplaceAll(style, " ", ""))
	if style == "title" {
		return "# "
	}
	level, ok := strings.CutPrefix(style, "heading")
	if !ok || len(level) != 1 || level < "1" || level > "6" {
		return ""
	}
	return strings.Repeat("#", int(level[0]-'0')) + " "
}

// attribute returns an attribute by its local name, or "".
func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// end handles the end of an element.
func (w *wordReader) end(name string) {
	switch name {
	case "p":
		w.endParagraph()
		if w.tables == 0 {
			w.shaded = 0
		}
	case "tc":
		w.endParagraph()
		w.cells = append(w.cells, strings.TrimSpace(w.cell.String()))
		w.cell.Reset()
	case "tr":
		if strings.Join(w.cells, "") != "" {
			w.text.WriteString("| " + strings.Join(w.cells, " | ") + " |\n")
		}
		w.cells = nil
	case "tbl":
		w.tables = max(w.tables-1, 0)
		w.text.WriteByte('\n')
	}
}

// endParagraph moves the paragraph to where it belongs: into the current table cell,
// on one line, or else into the text as a block.
func (w *wordReader) endParagraph() {
	line, prefix := strings.TrimSpace(w.line.String()), w.prefix
	w.line.Reset()
	w.prefix = ""
	switch {
	case line == "":
	case w.tables > 0:
		w.cell.WriteString(strings.Join(strings.Fields(line), " ") + " ")
	case prefix == "- ":
		w.text.WriteString(prefix + line + "\n")
	default:
		w.text.WriteString("\n" + prefix + line + "\n")
	}
}
