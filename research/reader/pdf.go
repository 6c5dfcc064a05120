package reader

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/ledongthuc/pdf"
)

// maxPages is how many pages of a PDF are read.
const maxPages = 2_000

// readPDF reads a PDF in this process. The parser was not written with hostile files
// in mind: it may panic, which is caught here, or loop or use up memory, which only
// the limits of a process can stop.
func readPDF(name string, body []byte) (doc Doc, err error) {
	defer func() {
		if p := recover(); p != nil {
			doc, err = Doc{}, brokenPDF(name, fmt.Errorf("parse: %v", p))
		}
	}()
	r, err := pdf.NewReader(bytes.NewReader(body), int64(len(body)))
	if errors.Is(err, pdf.ErrInvalidPassword) {
		return Doc{}, unreadable(name, short(name)+" is a PDF locked with a password")
	}
	if err != nil {
		return Doc{}, brokenPDF(name, err)
	}
	doc.Type = string(formPDF)
	info := r.Trailer().Key("Info")
	doc.Title, doc.Published = info.Key("Title").Text(), pdfDay(info.Key("CreationDate").RawString())
	doc.Pages = r.NumPage()
	doc.Text, doc.Truncated = pages(r)
	if !strings.ContainsFunc(doc.Text, legible) {
		return Doc{}, &Error{Kind: Empty, URL: name, Detail: short(name) + " is a PDF of pictures, without text"}
	}
	return doc, nil
}

// brokenPDF is the failure of a PDF that cannot be parsed.
func brokenPDF(name string, cause error) *Error {
	return unreadable(name, short(name)+" is a PDF that cannot be read").because(cause)
}

// pages returns the text of the pages up to the limits, and whether there is more.
func pages(r *pdf.Reader) (string, bool) {
	var b strings.Builder
	n := r.NumPage()
	for i := 1; i <= min(n, maxPages); i++ {
		if b.Len() > maxText {
			return b.String(), true
		}
		b.WriteString(layOut(glyphs(r.Page(i))) + "\n\n")
	}
	return b.String(), n > maxPages
}

// glyphs returns the letters of a page with their positions. A page that cannot be
// read has none, and does not affect the others.
func glyphs(p pdf.Page) (found []pdf.Text) {
	defer func() {
		if recover() != nil {
			found = nil
		}
	}()
	if p.V.IsNull() {
		return nil
	}
	return p.Content().Text
}

// layOut joins letters into words and lines by their positions: a different height
// starts a new line, and a gap of a fifth of a letter is a blank.
func layOut(letters []pdf.Text) string {
	var b strings.Builder
	for i, t := range letters {
		if i > 0 {
			b.WriteString(between(letters[i-1], t))
		}
		b.WriteString(t.S)
	}
	return b.String()
}

// between returns the separator between two letters: nothing, a blank, a line break
// or, after a gap of more than two lines, an empty line.
func between(a, b pdf.Text) string {
	size := math.Max(math.Abs(a.FontSize), 1)
	switch drop := math.Abs(a.Y - b.Y); {
	case drop > 2.2*size:
		return "\n\n"
	case drop > 0.5*size:
		return "\n"
	}
	gap := b.X - (a.X + a.W)
	if gap > 0.2*size || gap < -2*size {
		return " "
	}
	return ""
}

// pdfDay returns the date of a PDF timestamp, such as "D:20240131…".
func pdfDay(s string) string {
	s = strings.TrimPrefix(s, "D:")
	if len(s) < 8 {
		return ""
	}
	return day(s[:4] + "-" + s[4:6] + "-" + s[6:8])
}
