package reader

import (
	"bytes"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// form is the format in which a body is read, named by its media type.
type form string

const (
	formHTML     form = "text/html"
	formPlain    form = "text/plain"
	formMarkdown form = "text/markdown"
	formCSV      form = "text/csv"
	formDOCX     form = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	formPDF      form = "application/pdf"
)

// signatures are the first bytes of formats without text, beyond those net/http
// recognizes, with a name for each.
var signatures = []struct{ magic, name string }{
	{"MZ", "a program"}, {"\x7fELF", "a program"}, {"\xca\xfe\xba\xbe", "a program"}, {"\xcf\xfa\xed\xfe", "a program"}, {"\x00asm", "a program"},
	{"\xd0\xcf\x11\xe0", "a file of an old office program"}, {"SQLite format 3\x00", "a database"}, {"PAR1", "a data file"},
	{"BZh", "an archive"}, {"\xfd7zXZ", "an archive"}, {"7z\xbc\xaf", "an archive"}, {"\x28\xb5\x2f\xfd", "an archive"}, {"Rar!", "an archive"}, {"\x1f\x8b", "an archive"},
	{"%!PS", "a file for a printer"}, {"{\\rtf", "a file of an old office program"},
}

// formOf determines the format of body. Magic numbers come first, then the sender's
// media type, then the name's ending, then the text itself.
func formOf(name, mediaType string, body []byte) (form, error) {
	if len(body) > maxInput {
		return "", &Error{Kind: TooLarge, URL: name, Detail: fmt.Sprintf("%s has more than %d MiB", short(name), maxInput>>20)}
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return "", &Error{Kind: Empty, URL: name, Detail: short(name) + " is empty"}
	}
	switch {
	case bytes.Contains(body[:min(len(body), 1024)], []byte("%PDF-")):
		return formPDF, nil
	case bytes.HasPrefix(body, []byte("PK\x03\x04")):
		return formDOCX, nil
	}
	sniffed := http.DetectContentType(body)
	if what := binary(sniffed, body); what != "" {
		return "", unreadable(name, fmt.Sprintf("%s is %s and holds no text", short(name), what))
	}
	declared, _, _ := mime.ParseMediaType(mediaType)
	f := textForm(declared, name, strings.HasPrefix(sniffed, "text/html"), body)
	if f == "" {
		return "", unreadable(name, fmt.Sprintf("%s is sent as %s and is no text", short(name), declared))
	}
	return f, nil
}

// binary names the format of a body that is not text, or returns "".
func binary(sniffed string, body []byte) string {
	for _, s := range signatures {
		if bytes.HasPrefix(body, []byte(s.magic)) && (s.magic != "MZ" && s.magic != "BZh" || bytes.IndexByte(body, 0) >= 0) {
			return s.name
		}
	}
	class, _, _ := strings.Cut(sniffed, "/")
	switch {
	case class == "image" && !strings.HasPrefix(sniffed, "image/svg"):
		return "a picture"
	case class == "audio" || class == "video" || class == "font":
		return "of the kind " + sniffed
	case !hasBOM(body) && utf16Order(body) == "" && controls(body) > max(len(body)/200, 4):
		return "of an unknown kind"
	}
	return ""
}

// controls counts the control bytes that texts do not contain.
func controls(body []byte) int {
	n := 0
	for _, c := range body {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v' && c != 0x1b {
			n++
		}
	}
	return n
}

// textForm determines the format of a body that is text. It is empty when the
// declared type cannot be text, such as a picture, which indicates a fault on the
// way, unless the body looks like HTML.
func textForm(declared, name string, looksHTML bool, body []byte) form {
	switch declared {
	case "text/html", "application/xhtml+xml":
		return formHTML
	case "text/csv", "application/csv", "text/tab-separated-values":
		return formCSV
	case "text/markdown", "text/x-markdown":
		return formMarkdown
	case "", "application/octet-stream", "text/plain", "binary/octet-stream":
		return byName(name, looksHTML)
	case "application/xml", "text/xml":
		if bytes.Contains(bytes.ToLower(body[:min(len(body), 1024)]), []byte("<html")) {
			return formHTML
		}
		return formPlain
	case "text/css", "text/javascript":
		return ""
	}
	switch {
	case looksHTML:
		return formHTML
	case strings.HasPrefix(declared, "text/") || strings.HasSuffix(declared, "json") || strings.HasSuffix(declared, "+xml") && declared != "image/svg+xml":
		return byName(name, false)
	}
	return ""
}

// byName determines the format when the sender does not.
func byName(name string, looksHTML bool) form {
	switch ending(name) {
	case ".html", ".htm", ".xhtml":
		return formHTML
	case ".md", ".markdown":
		return formMarkdown
	case ".csv", ".tsv":
		return formCSV
	}
	if looksHTML {
		return formHTML
	}
	return formPlain
}

// ending returns the extension of a file name or of a URL's path, in lower case.
func ending(name string) string {
	if u, err := url.Parse(name); err == nil && u.Path != "" {
		name = u.Path
	}
	return strings.ToLower(path.Ext(name))
}
