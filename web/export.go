package web

import (
	"cmp"
	"net/http"

	"quaestor/internal/fault"
	"quaestor/sessions"
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

// SendFile answers with a file to keep, called name.
func SendFile(w http.ResponseWriter, f sessions.Format, name string, body []byte) error {
	h := w.Header()
	h.Set("Content-Type", f.MediaType())
	h.Set("Content-Disposition", `attachment; filename="`+name+"."+f.Extension()+`"`)
	h.Set("Cache-Control", "no-store")
	_, err := w.Write(body)
	return err
}
