package web

import (
	"cmp"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"quaestor/internal/fault"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// FormatOf returns the format that a request asks for; JSON when it names none.
func FormatOf(r *http.Request) (sessions.Format, error) {
	f := cmp.Or(sessions.Format(r.URL.Query().Get("format")), sessions.JSON)
	if f.MediaType() == "" {
		return f, fault.New(fault.Unprocessable, "format is %s, or json-schema-instance, not %q", sessions.Formats, Clip(string(f))).At("format")
	}
	return f, nil
}

// ExtentOf returns how much of a session a request asks for; the result alone when it
// names no extent.
func ExtentOf(r *http.Request) (sessions.Extent, error) {
	return sessions.ParseExtent(cmp.Or(r.URL.Query().Get("extent"), string(sessions.BriefOnly)))
}

// RevisionOf returns the revision of a session that a request asks for; 0, which means the
// latest, when it names none.
func RevisionOf(r *http.Request) (int, error) {
	name := r.URL.Query().Get("revision")
	if name == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(name, 10, 32)
	if err != nil || n < 1 {
		return 0, fault.New(fault.Unprocessable, "revision is a number from 1, not %q; leave it out for the latest", Clip(name)).At("revision")
	}
	return int(n), nil
}

// SendFile answers with a file to keep, called name.
func SendFile(w http.ResponseWriter, f sessions.Format, name string, body []byte) error {
	h := w.Header()
	h.Set("Content-Type", f.MediaType())
	h.Set("Content-Disposition", `attachment; filename="`+name+"."+f.Extension()+`"`)
	h.Set("Cache-Control", "no-store")
	_, err := w.Write(body)
	return err
}

// signs escapes what has a meaning in Markdown, and keeps readers that look for addresses
// from making links of them.
var signs = strings.NewReplacer(`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `<`, `\<`, `>`, `\>`, `#`, `\#`, `|`, `\|`, `!`, `\!`, `~`, `\~`,
	`&`, `\&`, `$`, `\$`, `://`, `\://`, `www.`, `www\.`)

// listSign matches the beginning of a line that Markdown takes for an entry of a list, for a
// rule, or for the underline of a heading.
var listSign = regexp.MustCompile(`^(?:(\d+)([.)])|([-+=]))`)

// MarkdownText returns s as one line of plain text in Markdown: what others wrote makes no
// link, no picture and no structure. Characters that cannot be seen are left out.
func MarkdownText(s string) string {
	return listSign.ReplaceAllString(signs.Replace(strings.Join(strings.Fields(ui.Visible(s)), " ")), `$1\$2$3`)
}
