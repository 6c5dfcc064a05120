package share

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/chat/brief"
	"quaestor/internal/fault"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/ui"
)

// briefView reads what the page of a brief shows. The links to it are included when the
// reader may make some.
func (s *Handlers) briefView(r *http.Request) (BriefView, error) {
	ctx := web.AsRead(r.Context()) // reading is all it does, even when a form was posted and refused
	session, err := s.Session(ctx, r.PathValue("id"))
	if err != nil {
		return BriefView{}, err
	}
	extent, err := web.ExtentOf(r)
	if err != nil {
		return BriefView{}, err
	}
	revision, err := web.RevisionOf(r)
	if err != nil {
		return BriefView{}, err
	}
	m, err := brief.LoadRevision(ctx, s.Pool, s.Library, session, revision, extent)
	if err != nil {
		return BriefView{}, err
	}
	v := BriefView{Latest: session.Revision, Revision: m.Session.Revision, Nav: web.NavOf(ctx, ui.AtInterviews), Session: session.ID, Brief: brief.Of(m), Extent: extent, Now: time.Now(),
		Form: ShareForm{Days: strconv.Itoa(sessions.ShareDays), Extent: sessions.BriefOnly}}
	if _, err := s.owned(ctx, session.ID); err != nil {
		if fault.Is(err, fault.Forbidden) {
			return v, nil
		}
		return v, err
	}
	v.Decides = true
	v.Links, err = sessions.Shares(ctx, s.Pool, session.Scope())
	return v, err
}

// postShare makes a link and shows it, once. What is wrong with the form is shown at it.
func (s *Handlers) postShare(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	form := ShareForm{Days: strings.TrimSpace(r.PostFormValue("days")), Extent: sessions.Extent(cmp.Or(r.PostFormValue("extent"), string(sessions.BriefOnly)))}
	days, err := strconv.Atoi(form.Days)
	if err != nil || days == 0 {
		days = -1 // is refused, while 0 means the default, which the form does not offer
	}
	made, secret, err := s.newShare(r.Context(), r.PathValue("id"), sessions.NewShare{Extent: form.Extent, Days: days})
	if fault.Is(err, fault.Unprocessable) || fault.Is(err, fault.Limited) {
		return s.showShareRefusal(w, r, form, err)
	}
	if err != nil {
		return err
	}
	return web.Render(w, r, ShareMade(ShareMadeView{made, web.BaseOf(r) + web.SharedPath + secret}))
}

// showShareRefusal shows the page of the brief again, with the form as it was sent and what
// is wrong with it.
func (s *Handlers) showShareRefusal(w http.ResponseWriter, r *http.Request, form ShareForm, err error) error {
	v, failed := s.briefView(r)
	if failed != nil {
		return failed
	}
	// The API words the fault by its own field; the form words it by its label.
	p := web.ProblemOf(err, "")
	form.Wrong = web.Sentence(p.Detail)
	if len(p.Errors) > 0 && p.Errors[0].Location == "days" {
		form.Wrong = "Write a whole number of days, from 1 to " + strconv.Itoa(sessions.MaxShareDays) + "."
	}
	v.Form = form
	return web.RenderAs(w, r, p.Status, Brief(v))
}

// postRevoke revokes a link. A link that was revoked before is no error, because the person
// gets what they asked for.
func (s *Handlers) postRevoke(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	if err := s.endShare(r.Context(), r.PathValue("id"), r.PathValue("share")); err != nil && web.ProblemOf(err, "").Code != "share_not_found" {
		return err
	}
	return web.SeeOther(w, r, ui.BriefPath(web.CanonicalID(r.PathValue("id")))+"#share")
}

// export answers with the results of a session as a file, in the format and to the extent
// that the address names.
func (s *Handlers) export(w http.ResponseWriter, r *http.Request, found sessions.Session) error {
	format, err := web.FormatOf(r)
	if err != nil {
		return err
	}
	extent, err := web.ExtentOf(r)
	if err != nil {
		return err
	}
	revision, err := web.RevisionOf(r)
	if err != nil {
		return err
	}
	m, err := brief.LoadRevision(r.Context(), s.Pool, s.Library, found, revision, extent)
	if err != nil {
		return err
	}
	body, err := brief.Write(format, m)
	if err != nil {
		return err
	}
	return web.SendFile(w, format, fileName(m.Session, found.Revision), body)
}

// fileName is the name of a session's export, which tells the revision if it is not the
// latest.
func fileName(s sessions.Session, latest int) string {
	name := s.ContextType + "-" + s.ID[:8]
	if s.Revision != latest {
		name += "-revision-" + strconv.Itoa(s.Revision)
	}
	return name
}

// describeExport adds the export to the description of the API. It is described by hand
// because its answer is a file, which huma does not serve.
func describeExport(doc *huma.OpenAPI) {
	id := &huma.Param{Name: "id", In: "path", Required: true, Schema: &huma.Schema{Type: "string", Format: "uuid"}}
	doc.AddOperation(&huma.Operation{OperationID: "session-export", Method: http.MethodGet, Path: "/api/v1/sessions/{id}/export", Summary: "The results of the session: data as json, csv or an instance of its JSON Schema, a brief as md, docx or pdf",
		Tags: []string{"sessions"}, Parameters: []*huma.Param{id, {Name: "format", In: "query", Schema: &huma.Schema{Type: "string", Enum: []any{"json", "csv", "md", "docx", "pdf", "json-schema-instance"}}},
			{Name: "extent", In: "query", Description: "what a brief contains: the results alone, or the conversation too", Schema: &huma.Schema{Type: "string", Enum: []any{"brief", "transcript"}}},
			{Name: "revision", In: "query", Description: "an earlier revision, as it stood when it was reopened; without it, the latest", Schema: &huma.Schema{Type: "integer", Minimum: new(1.0)}}},
		Responses: map[string]*huma.Response{"200": {Description: "OK", Content: exported()}, "default": web.DescribeRefusal(doc, "Refused")}})
}

// exported describes the answer in each format: text, a binary file, or JSON.
func exported() map[string]*huma.MediaType {
	out := map[string]*huma.MediaType{}
	for f, schema := range map[sessions.Format]huma.Schema{
		sessions.CSV: {Type: "string"}, sessions.Markdown: {Type: "string"},
		sessions.DOCX: {Type: "string", Format: "binary"}, sessions.PDF: {Type: "string", Format: "binary"},
		sessions.JSON: {Type: "object", AdditionalProperties: true}, sessions.SchemaInstance: {Type: "object", AdditionalProperties: true},
	} {
		out[web.BareMediaType(f.MediaType())] = &huma.MediaType{Schema: &schema}
	}
	return out
}
