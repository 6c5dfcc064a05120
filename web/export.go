package web

import (
	"cmp"
	"context"
	"net/http"

	"quaestor/chat/brief"
	"quaestor/internal/fault"
	"quaestor/sessions"
)

// export writes what a session found out, as a file.
func (s *Server) export(w http.ResponseWriter, r *http.Request) error {
	found, err := s.session(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	format, err := formatOf(r)
	if err != nil {
		return err
	}
	extent, err := extentOf(r)
	if err != nil {
		return err
	}
	body, err := s.exportOf(r.Context(), found, format, extent)
	if err != nil {
		return err
	}
	return sendFile(w, format, found.ContextType+"-"+found.ID[:8], body)
}

// exportOf renders a session in a format; the extent is that of a brief.
func (s *Server) exportOf(ctx context.Context, session sessions.Session, f sessions.Format, e sessions.Extent) ([]byte, error) {
	if !f.IsBrief() {
		d, list, err := s.known(ctx, session)
		if err != nil {
			return nil, err
		}
		return sessions.Export(f, d, list)
	}
	m, err := brief.Load(ctx, s.Pool, s.Library, session, e)
	if err != nil {
		return nil, err
	}
	return brief.Write(f, m)
}

// formatOf is the format a request asks for; JSON unless it says.
func formatOf(r *http.Request) (sessions.Format, error) {
	f := cmp.Or(sessions.Format(r.URL.Query().Get("format")), sessions.JSON)
	if f.MediaType() == "" {
		return f, fault.New(fault.Unprocessable, "format is %s, or json-schema-instance, not %q", sessions.Formats, clip(string(f))).At("format")
	}
	return f, nil
}

// extentOf is how much of a session a request asks for; the result alone unless
// it says.
func extentOf(r *http.Request) (sessions.Extent, error) {
	return sessions.ParseExtent(cmp.Or(r.URL.Query().Get("extent"), string(sessions.BriefOnly)))
}

// sendFile answers with a file to keep, called name.
func sendFile(w http.ResponseWriter, f sessions.Format, name string, body []byte) error {
	h := w.Header()
	h.Set("Content-Type", f.MediaType())
	h.Set("Content-Disposition", `attachment; filename="`+name+"."+f.Extension()+`"`)
	h.Set("Cache-Control", "no-store")
	_, err := w.Write(body)
	return err
}
