package reader

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

const (
	maxEntries = 2_000    // files in the archive
	maxEntry   = 16 << 20 // bytes of one file, unpacked
	maxXML     = 256      // elements within elements
)

// errBounds stops the reading of a document that is larger or nested deeper than
// allowed.
var errBounds = errors.New("over the bounds of a document")

// readDOCX reads a Word document, a ZIP archive with the text in one of its files.
func readDOCX(name string, body []byte) (Doc, error) {
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return Doc{}, unreadable(name, short(name)+" is an archive that cannot be opened")
	}
	if len(z.File) > maxEntries {
		return Doc{}, &Error{Kind: TooLarge, URL: name, Detail: fmt.Sprintf("%s is an archive of %d files", short(name), len(z.File))}
	}
	at := mainPart(z)
	if at == nil {
		return Doc{}, unreadable(name, short(name)+" is an archive and no document")
	}
	var w wordReader
	if err := w.readPart(at); err != nil && w.text.Len() == 0 {
		return Doc{}, unreadable(name, short(name)+" is a document whose text cannot be read").because(err)
	} else if err != nil {
		w.cut = true
	}
	doc := Doc{Type: string(formDOCX), Text: w.text.String(), Truncated: w.cut}
	doc.Title, doc.Published = properties(z)
	return doc, nil
}

// because returns e with its cause.
func (e *Error) because(cause error) *Error {
	e.cause = cause
	return e
}

// mainPart returns the file with the text: the one named by the archive's
// relationships, else the usual one.
func mainPart(z *zip.Reader) *zip.File {
	var list struct {
		Relations []struct {
			Type   string `xml:"Type,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	unmarshalPart(z, "_rels/.rels", &list)
	for _, r := range list.Relations {
		if f := file(z, strings.TrimPrefix(path.Clean(r.Target), "/")); strings.HasSuffix(r.Type, "/officeDocument") && f != nil && strings.HasPrefix(f.Name, "word/") {
			return f
		}
	}
	return file(z, "word/document.xml")
}

// properties returns the title and the date from the document's properties.
func properties(z *zip.Reader) (title, published string) {
	var core struct {
		Title   string `xml:"title"`
		Created string `xml:"created"`
	}
	unmarshalPart(z, "docProps/core.xml", &core)
	return core.Title, day(core.Created)
}

// unmarshalPart decodes a small file of the archive into v. On failure v keeps its
// value, since everything read this way is optional.
func unmarshalPart(z *zip.Reader, name string, v any) {
	f := file(z, name)
	if f == nil {
		return
	}
	r, err := f.Open()
	if err != nil {
		return
	}
	defer func() { _ = r.Close() }() // opened for reading only
	b, err := io.ReadAll(io.LimitReader(r, 64<<10))
	if err == nil && bytes.Count(b, []byte("<")) < 4*maxXML {
		_ = xml.Unmarshal(b, v) // as far as it is well formed
	}
}

// file returns the archive's file of that name, or nil.
func file(z *zip.Reader, name string) *zip.File {
	i := slices.IndexFunc(z.File, func(f *zip.File) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return z.File[i]
}

// readPart reads the text of one file of the archive.
func (w *wordReader) readPart(f *zip.File) error {
	r, err := f.Open()
	if err != nil {
		return fmt.Errorf("open %q: %w", f.Name, err)
	}
	defer func() { _ = r.Close() }() // opened for reading only
	limited := &io.LimitedReader{R: r, N: maxEntry + 1}
	err = w.parse(xml.NewDecoder(limited))
	if limited.N <= 0 {
		return fmt.Errorf("read %q: %w", f.Name, errBounds)
	}
	return err
}
