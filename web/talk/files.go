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

// filePage shows the text that was read in a file, with the words of a piece of
// evidence marked.
func (s *Handlers) filePage(w http.ResponseWriter, r *http.Request) error {
	session, err := s.Session(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	f, err := sessions.FindFile(r.Context(), s.Pool, session.Scope(), r.PathValue("file"))
	if err != nil {
		return err
	}
	_, list, err := s.Known(r.Context(), session)
	if err != nil {
		return err
	}
	at := func(name string) int {
		n, _ := strconv.Atoi(r.URL.Query().Get(name)) // what is no number marks nothing
		return n
	}
	v := FileView{Session: session, File: f, Obligations: list, Marked: obligations.Span{Start: at("from"), End: at("to")}, Part: at("part"),
		Nav: web.NavOf(r.Context(), ui.AtInterviews)}
	return web.Render(w, r, FilePage(v))
}

// removeFile takes away a file that waits to be sent, for pages without scripts.
func (s *Handlers) removeFile(w http.ResponseWriter, r *http.Request) error {
	session, err := s.Session(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	if err := s.deleteFile(r.Context(), &filePath{ID: session.ID, File: r.PathValue("file")}); err != nil {
		return s.chatAgain(w, r, session, Refusal{}, err)
	}
	http.Redirect(w, r, "/s/"+session.ID+"#dock", http.StatusSeeOther)
	return nil
}

// postedMessage reads the form that says something, with the files it brings kept:
// r.PostForm is filled as [http.Request.ParseForm] does. A refusal leaves what was
// typed in r.PostForm.
func (s *Handlers) postedMessage(w http.ResponseWriter, r *http.Request, session sessions.Session) (files []string, err error) {
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
	kept, _, err := sessions.AddFiles(r.Context(), s.Pool, session.Scope(), web.ActorFrom(r.Context()).User, form.files)
	for _, f := range kept {
		ids = append(ids, f.ID)
	}
	return ids, err
}

// waiting returns the files of a list that a user gave and has not sent yet.
func waiting(list []sessions.File, user string) []sessions.File {
	var out []sessions.File
	for _, f := range list {
		if len(f.Turns) == 0 && f.User == user {
			out = append(out, f)
		}
	}
	return out
}
