package share

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/chat/brief"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/ui"
)

// briefPage shows what an interview came to.
func (s *Handlers) briefPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.briefView(r)
	if err != nil {
		return err
	}
	return web.Render(w, r, Brief(v))
}

// briefView reads what the page of a brief shows; the links to it when the reader
// may make some.
func (s *Handlers) briefView(r *http.Request) (BriefView, error) {
	ctx := web.AsRead(r.Context()) // a refused form is shown to who may read, too
	session, err := s.Session(ctx, r.PathValue("id"))
	if err != nil {
		return BriefView{}, err
	}
	extent, err := web.ExtentOf(r)
	if err != nil {
		return BriefView{}, err
	}
	m, err := brief.Load(ctx, s.Pool, s.Library, session, extent)
	if err != nil {
		return BriefView{}, err
	}
	a := web.ActorFrom(ctx)
	v := BriefView{Nav: web.NavOf(ctx, ui.AtInterviews), Session: session.ID, Brief: brief.Of(m), Extent: extent, Now: time.Now(),
		Form: ShareForm{Days: strconv.Itoa(sessions.ShareDays), Extent: sessions.BriefOnly}}
	if v.Decides, err = s.decides(ctx, a, session); err != nil || !v.Decides {
		return v, err
	}
	v.Links, err = sessions.Shares(ctx, s.Pool, session.Scope())
	return v, err
}

// decides reports whether an actor may share a session they see.
func (s *Handlers) decides(ctx context.Context, a auth.Actor, session sessions.Session) (bool, error) {
	_, err := s.owned(ctx, session.ID)
	if fault.Is(err, fault.Forbidden) {
		return false, nil
	}
	return err == nil, err
}

// shareHere takes the form of a page: it makes a link and shows it, once.
func (s *Handlers) shareHere(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	form := ShareForm{Days: strings.TrimSpace(r.PostFormValue("days")), Extent: sessions.Extent(cmp.Or(r.PostFormValue("extent"), string(sessions.BriefOnly)))}
	days, err := strconv.Atoi(form.Days)
	if err != nil || days == 0 {
		days = -1 // no number of days is 0 for who has to write it
	}
	made, secret, err := s.newShare(r.Context(), r.PathValue("id"), sessions.NewShare{Extent: form.Extent, Days: days})
	if fault.Is(err, fault.Unprocessable) || fault.Is(err, fault.Limited) {
		return s.shareRefused(w, r, form, err)
	}
	if err != nil {
		return err
	}
	return web.Render(w, r, ShareMade(ShareMadeView{Session: made.Scope.Session, Extent: made.Extent, Until: made.ExpiresAt, Link: web.BaseOf(r) + web.SharedPath + secret}))
}

// shareRefused shows the page again, with what was written and what is wrong.
func (s *Handlers) shareRefused(w http.ResponseWriter, r *http.Request, form ShareForm, err error) error {
	v, failed := s.briefView(r)
	if failed != nil {
		return failed
	}
	p := web.ProblemOf(err, "")
	form.Wrong = web.Sentence(p.Detail)
	if len(p.Errors) > 0 && p.Errors[0].Location == "days" {
		form.Wrong = "Write a whole number of days, from 1 to " + strconv.Itoa(sessions.MaxShareDays) + "."
	}
	v.Form = form
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(p.Status)
	return Brief(v).Render(r.Context(), w)
}

// takeBack takes the form of a page: a link shows nothing from then on.
func (s *Handlers) takeBack(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	if err := s.endShare(r.Context(), r.PathValue("id"), r.PathValue("share")); err != nil && web.ProblemOf(err, "").Code != "share_not_found" {
		return err // one that was taken back before is what the reader wants
	}
	http.Redirect(w, r, BriefPath(web.CanonicalID(r.PathValue("id")))+"#share", http.StatusSeeOther)
	return nil
}

// export writes what a session found out, as a file.
func (s *Handlers) export(w http.ResponseWriter, r *http.Request) error {
	found, err := s.Session(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	format, err := web.FormatOf(r)
	if err != nil {
		return err
	}
	extent, err := web.ExtentOf(r)
	if err != nil {
		return err
	}
	m, err := brief.Load(r.Context(), s.Pool, s.Library, found, extent)
	if err != nil {
		return err
	}
	body, err := brief.Write(format, m)
	if err != nil {
		return err
	}
	return web.SendFile(w, format, found.ContextType+"-"+found.ID[:8], body)
}

// describeExport adds the export, which huma does not serve, to the description.
func describeExport(doc *huma.OpenAPI) {
	id := &huma.Param{Name: "id", In: "path", Required: true, Schema: &huma.Schema{Type: "string", Format: "uuid"}}
	doc.AddOperation(&huma.Operation{OperationID: "session-export", Method: http.MethodGet, Path: "/api/v1/sessions/{id}/export", Summary: "What the session found out: data as json, csv or an instance of its JSON Schema, a brief as md, docx or pdf",
		Tags: []string{"sessions"}, Parameters: []*huma.Param{id, {Name: "format", In: "query", Schema: &huma.Schema{Type: "string", Enum: []any{"json", "csv", "md", "docx", "pdf", "json-schema-instance"}}},
			{Name: "extent", In: "query", Description: "what a brief tells: the result alone, or the conversation too", Schema: &huma.Schema{Type: "string", Enum: []any{"brief", "transcript"}}}},
		Responses: map[string]*huma.Response{"200": {Description: "OK", Content: exported()}, "default": web.DescribeRefusal(doc, "Refused")}})
}

// exported describes an export in each of its formats.
func exported() map[string]*huma.MediaType {
	out := map[string]*huma.MediaType{}
	for _, f := range []sessions.Format{sessions.CSV, sessions.Markdown} {
		out[web.BareMediaType(f.MediaType())] = &huma.MediaType{Schema: &huma.Schema{Type: "string"}}
	}
	for _, f := range []sessions.Format{sessions.DOCX, sessions.PDF} {
		out[web.BareMediaType(f.MediaType())] = &huma.MediaType{Schema: &huma.Schema{Type: "string", Format: "binary"}}
	}
	for _, f := range []sessions.Format{sessions.JSON, sessions.SchemaInstance} {
		out[web.BareMediaType(f.MediaType())] = &huma.MediaType{Schema: &huma.Schema{Type: "object", AdditionalProperties: true}}
	}
	return out
}
