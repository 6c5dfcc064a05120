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
	maxChars = 4 << 20  // bytes of a file of characters that are looked at
)

// Doc is what a page or file says.
type Doc struct {
	Title     string // one line, at most 300 bytes; empty if it gives none
	Text      string // see [Text]
	Type      string // what it was read as, with the character set: "text/html; charset=utf-8"
	Published string // the day it gives as its own, "2006-01-02"; empty if it gives none
	Truncated bool   // the text was longer
	Pages     int    // of a PDF, those that were not read included; else 0
}

// Text returns what body says to a reader. The content decides what it is;
// mediaType (a Content-Type header, may be empty) and the ending of name (a file
// name or URL) only where the content leaves it open. Known are HTML, plain text,
// Markdown, CSV, DOCX and PDF.
//
// The text is UTF-8 in NFC, at most 400,000 bytes, with "\n" and "\t" as its only
// control characters and without characters that have no shape. Headings, lists
// and tables of HTML and DOCX stand as in Markdown, links and emphasis as plain
// words, rows of CSV as "header: value; header: value".
//
// Text is pure, and Text(name, doc.Type, body) is doc again. Errors are
// [*Error] of kind NotText, Empty or TooLarge. It reads PDFs in this process; a
// server uses [Reader.Text], which does not.
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

// read reads body as the form says.
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

// readText reads the forms that are made of characters.
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

// finish brings a doc into the shape [Text] promises. Done twice it changes
// nothing.
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

func legible(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// short is a name as a sentence can carry it.
func short(name string) string {
	name, _ = clean(name, 200)
	if name == "" {
		return "the file"
	}
	return name
}
