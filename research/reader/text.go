package reader

import (
	"fmt"
	"strings"
	"unicode"
)

const (
	maxText  = 400_000  // bytes of a Doc's text
	maxTitle = 300      // bytes of a Doc's title
	maxInput = 32 << 20 // bytes of a file
	maxChars = 4 << 20  // bytes of a text file that are examined
)

// Doc is the text of a page or file.
type Doc struct {
	Title     string // one line, at most 300 bytes; may be empty
	Text      string // see [Text]
	Type      string // the format it was read as, with the character set: "text/html; charset=utf-8"
	Published string // the date it states as its own, "2006-01-02"; may be empty
	Truncated bool   // the text was cut
	Pages     int    // of a PDF, including any that were not read; else 0
}

// Text extracts the text of body that a reader would see. The content determines
// the format; mediaType (a Content-Type header, may be empty) and the ending of name
// (a file name or URL) matter only where the content leaves it open. The formats
// are HTML, plain text, Markdown, CSV, DOCX and PDF.
//
// The result is UTF-8 in NFC, at most 400,000 bytes, with "\n" and "\t" as its only
// control characters and without characters that have no shape. Headings, lists
// and tables of HTML and DOCX are written as in Markdown, links and emphasis as
// plain words, rows of CSV as "header: value; header: value".
//
// Text is pure, and Text(name, doc.Type, body) gives the same doc. Errors are
// [*Error] of kind NotText, Empty or TooLarge. It parses PDFs in this process;
// servers should use [Reader.Text], which does not.
func Text(name, mediaType string, body []byte) (Doc, error) {
	f, err := formOf(name, mediaType, body)
	if err != nil {
		return Doc{}, err
	}
	doc, err := read(f, name, mediaType, body)
	if err != nil {
		return Doc{}, err
	}
	return finish(name, doc)
}

// read reads body in the given format.
func read(f form, name, mediaType string, body []byte) (Doc, error) {
	switch f {
	case formPDF:
		return readPDF(name, body)
	case formDOCX:
		return readDOCX(name, body)
	case formHTML, formPlain, formMarkdown, formCSV:
		return readText(f, mediaType, body), nil
	}
	return Doc{}, fmt.Errorf("read %q: unknown form %q", name, f)
}

// readText reads the formats that consist of characters.
func readText(f form, mediaType string, body []byte) Doc {
	whole := len(body)
	body = body[:min(whole, maxChars)]
	text, charset := decode(f, mediaType, body)
	var doc Doc
	switch f {
	case formHTML:
		doc = readHTML(text)
	case formCSV:
		doc.Text, doc.Truncated = readCSV(text)
	case formMarkdown:
		doc = Doc{Title: markdownTitle(text), Text: text}
	case formPlain, formPDF, formDOCX:
		doc = Doc{Text: text}
	}
	doc.Type = string(f) + "; charset=" + charset
	doc.Truncated = doc.Truncated || whole > maxChars
	return doc
}

// markdownTitle returns the first heading, or "".
func markdownTitle(text string) string {
	for line := range strings.Lines(text) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			return title
		}
	}
	return ""
}

// finish brings a doc into the form that [Text] promises. It is idempotent.
func finish(name string, doc Doc) (Doc, error) {
	var cut bool
	doc.Text, cut = clean(doc.Text, maxText)
	doc.Truncated = doc.Truncated || cut
	title, _ := clean(strings.Join(strings.Fields(doc.Title), " "), maxTitle)
	doc.Title = strings.Join(strings.Fields(title), " ")
	if !strings.ContainsFunc(doc.Text, legible) {
		return Doc{}, &Error{Kind: Empty, URL: name, Detail: "there are no words to read in " + short(name)}
	}
	return doc, nil
}

// legible reports whether r is a letter or a number.
func legible(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// short cuts a name to a length that fits into a sentence.
func short(name string) string {
	name, _ = clean(name, 200)
	if name == "" {
		return "the file"
	}
	return name
}
