package talk

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/ui"
)

// filePage shows the text that was read in a file. The address may name the span of a
// piece of evidence, which is marked, or a part of the text.
func (s *Handlers) filePage(w http.ResponseWriter, r *http.Request, session sessions.Session) error {
	f, err := sessions.FindFile(r.Context(), s.Pool, session.Scope(), r.PathValue("file"))
	if err != nil {
		return err
	}
	_, list, err := s.Known(r.Context(), session)
	if err != nil {
		return err
	}
	number := func(name string) int {
		n, _ := strconv.Atoi(r.URL.Query().Get(name)) // anything else counts as absent
		return n
	}
	v := FileView{Session: session, File: f, Obligations: list, Marked: obligations.Span{Start: number("from"), End: number("to")}, Part: number("part"),
		Nav: web.NavOf(r.Context(), ui.AtInterviews)}
	return web.Render(w, r, FilePage(v))
}

// removeFile removes a file that waits to be sent, for pages without JavaScript.
func (s *Handlers) removeFile(w http.ResponseWriter, r *http.Request, session sessions.Session) error {
	if err := s.deleteFile(r.Context(), &filePath{SessionPath: web.SessionPath{ID: session.ID}, File: r.PathValue("file")}); err != nil {
		return s.chatAgain(w, r, session, Refusal{}, err)
	}
	return web.SeeOther(w, r, "/s/"+session.ID+"#dock")
}

// readMessageForm reads the form of a message and stores the files that it brings. It
// returns the ids of all files that go with the message: those, and the ones that were
// given before. It fills r.PostForm as [http.Request.ParseForm] does, also when it fails,
// so that what was typed can be shown again.
func (s *Handlers) readMessageForm(w http.ResponseWriter, r *http.Request, session sessions.Session) (files []string, err error) {
	if !strings.HasPrefix(web.MediaType(r), "multipart/") {
		r.Body = http.MaxBytesReader(w, r.Body, web.MaxBody)
		err := r.ParseForm()
		return r.PostForm["files"], err
	}
	form, err := s.readForm(w, r)
	r.PostForm = url.Values(form.values)
	r.Form = r.PostForm
	if err != nil {
		return nil, err
	}
	ids := r.PostForm["files"]
	if len(form.files) == 0 {
		return ids, nil
	}
	if len(ids)+len(form.files) > sessions.MaxGiven {
		return nil, fault.New(fault.Unprocessable, "at most %d files go into one message; send the others with the next", sessions.MaxGiven).At("files")
	}
	stored, _, err := sessions.AddFiles(r.Context(), s.Pool, session.Scope(), web.ActorFrom(r.Context()).User, form.files)
	return append(ids, web.Map(stored, func(f sessions.File) string { return f.ID })...), err
}
