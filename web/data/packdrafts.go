package data

import (
	"cmp"
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"quaestor/internal/fault"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/packdrafts"
	"quaestor/web"
	"quaestor/web/ui"
)

// draftNotices are what the pages of packs tell after a form, by the value of done in the address.
var draftNotices = map[string]string{"made": "It is being drafted. This page shows each section as it comes.", "saved": "The section is saved.", "accepted": "The section is accepted.",
	"again": "The section is drafted again.", "dropped": "The area is left out.", "deleted": "The draft is deleted.", "version": "The pack is accepted. Projects can use it."}

// packsView shows the packs that projects can use, and those that are being made.
func (s *Handlers) packsView(r *http.Request) (PacksView, error) {
	ctx, tenant := r.Context(), web.ActorFrom(r.Context()).Tenant
	v := PacksView{Nav: web.NavOf(ctx, ui.AtData), Notice: draftNotices[r.URL.Query().Get("done")]}
	var errPacks, errDrafts error
	v.Packs, errPacks = s.Projects.Packs(ctx, tenant)
	v.Drafts, errDrafts = s.Drafts.List(ctx, tenant)
	return v, cmp.Or(errPacks, errDrafts)
}

// newDraftView shows the first step: what a pack is made of.
func (s *Handlers) newDraftView(r *http.Request) (NewDraftView, error) {
	v := NewDraftView{Nav: web.NavOf(r.Context(), ui.AtData), HasModel: s.hasModel(r.Context())}
	list, err := s.Connections.List(r.Context(), web.ActorFrom(r.Context()).Tenant)
	v.Warehouses = web.Map(list, func(w connections.Warehouse) ui.Choice { return ui.Choice{Value: w.ID, Name: warehouseName(w)} })
	return v, err
}

// hasModel reports whether a model drafts for the organisation.
func (s *Handlers) hasModel(ctx context.Context) bool {
	return s.Drafts.Model != nil && s.Drafts.Model(ctx, web.ActorFrom(ctx).Tenant) != nil
}

// submitDraft begins a draft from addresses, files and notes.
func (s *Handlers) submitDraft(w http.ResponseWriter, r *http.Request) error {
	if err := readPackForm(w, r); err != nil {
		return err
	}
	a := web.ActorFrom(r.Context())
	d, err := s.postedDraft(r)
	var made packdrafts.Draft
	if err == nil {
		made, err = s.Drafts.Create(r.Context(), s.Queue, a.Tenant, a.User, d)
	}
	if err != nil {
		return web.ShowAgain(w, r, err, func(reason string) (templ.Component, error) {
			v, bad := s.newDraftView(r)
			v.Form = web.FormOf(r, "draft", err)
			v.Failure = v.Form.FailureOr(reason)
			return NewDraft(v), bad
		})
	}
	return web.EndForm(w, r, draftPath(made.ID)+"?done=made")
}

// readPackForm reads a form with files, or one without.
func readPackForm(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, web.MaxPackForm)
	var err error
	if web.MediaType(r) == "multipart/form-data" {
		err = r.ParseMultipartForm(web.MaxPackForm)
	} else {
		err = r.ParseForm()
	}
	if err != nil {
		return fault.New(fault.TooLarge, "the form cannot be read, or its files have more than %d MB together", web.MaxPackForm>>20).At("files").Because(err)
	}
	return nil
}

// postedDraft reads the form of a draft.
func (s *Handlers) postedDraft(r *http.Request) (packdrafts.Spec, error) {
	d := packdrafts.Spec{Name: r.PostForm.Get("name"), Warehouse: r.PostForm.Get("warehouse"), Slice: ui.NonBlank(strings.Split(r.PostForm.Get("slice"), ","))}
	for _, line := range ui.NonBlank(strings.Split(r.PostForm.Get("urls"), "\n")) {
		d.Sources = append(d.Sources, packdrafts.Source{Kind: packdrafts.FromURL, Name: line})
	}
	if notes := r.PostForm.Get("notes"); strings.TrimSpace(notes) != "" {
		d.Sources = append(d.Sources, packdrafts.Source{Kind: packdrafts.Notes, Name: "Notes", Text: notes})
	}
	if r.MultipartForm == nil {
		return d, nil
	}
	if err := fewFiles(len(r.MultipartForm.File["files"])); err != nil {
		return d, err
	}
	for _, h := range r.MultipartForm.File["files"] {
		one, err := s.readUpload(r.Context(), h)
		if err != nil {
			return d, err
		}
		if one.Name != "" {
			d.Sources = append(d.Sources, one)
		}
	}
	return d, nil
}

// fewFiles refuses more files than a draft has sources, before any is read.
func fewFiles(n int) error {
	if n > packdrafts.MaxSources {
		return fault.New(fault.Unprocessable, "are at most %d, not %d", packdrafts.MaxSources, n).At("files")
	}
	return nil
}

// readUpload returns the text of a file of a form; browsers send a nameless one for none.
func (s *Handlers) readUpload(ctx context.Context, h *multipart.FileHeader) (packdrafts.Source, error) {
	if h.Filename == "" && h.Size == 0 {
		return packdrafts.Source{}, nil
	}
	f, err := h.Open()
	if err != nil {
		return packdrafts.Source{}, err
	}
	body, err := io.ReadAll(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return packdrafts.Source{}, err
	}
	return s.readSource(ctx, h.Filename, h.Header.Get("Content-Type"), body)
}

// sourceTime bounds the reading of a file of a pack, with the wait for its place.
const sourceTime = 60 * time.Second

// readSource returns a file as a source. Its fault is at the field files.
func (s *Handlers) readSource(ctx context.Context, name, mediaType string, body []byte) (packdrafts.Source, error) {
	ctx, cancel := context.WithTimeout(ctx, sourceTime)
	defer cancel()
	select {
	case s.reading <- struct{}{}:
		defer func() { <-s.reading }()
	case <-ctx.Done():
		return packdrafts.Source{}, fault.New(fault.Unavailable, "another file is being read just now; try again in a moment").At("files").Coded("files_busy")
	}
	read, err := s.ReadFile(ctx, name, mediaType, body)
	var f *fault.Error
	if errors.As(err, &f) {
		return packdrafts.Source{}, fault.New(f.Kind, "%s", f.Message).At("files").Coded(f.Code).Because(err)
	}
	return packdrafts.Source{Kind: packdrafts.FromFile, Name: read.Name, Text: read.Text}, err
}

// draftView shows a draft with its sections.
func (s *Handlers) draftView(r *http.Request) (PackDraftView, error) {
	ctx := r.Context()
	v := PackDraftView{Nav: web.NavOf(ctx, ui.AtData), Notice: draftNotices[r.URL.Query().Get("done")], HasModel: s.hasModel(ctx)}
	var err error
	v.Draft, err = s.Drafts.Find(ctx, web.ActorFrom(ctx).Tenant, r.PathValue("draft"))
	return v, err
}

// submitSection does with a section what the pressed button says.
func (s *Handlers) submitSection(w http.ResponseWriter, r *http.Request) error {
	ctx, tenant, id, key := r.Context(), web.ActorFrom(r.Context()).Tenant, r.PathValue("draft"), r.PathValue("key")
	version, _ := strconv.Atoi(r.PostFormValue("version")) // 0 is no version, and refused as an old one would be
	content, done := postedContent(r.PostForm), "saved"
	var err error
	switch r.PostFormValue("act") {
	case "accept":
		done, err = "accepted", s.Drafts.Save(ctx, tenant, id, key, version, content, true)
	case "again":
		done, err = "again", s.Drafts.Again(ctx, s.Queue, tenant, id, key, version, strings.TrimSpace(r.PostFormValue("feedback")))
	case "drop":
		done, err = "dropped", s.Drafts.Drop(ctx, tenant, id, key, version)
	default:
		err = s.Drafts.Save(ctx, tenant, id, key, version, content, false)
	}
	if err != nil {
		return s.draftAgain(w, r, key, err)
	}
	return web.EndForm(w, r, draftPath(id)+"?done="+done+"#"+url.PathEscape(key))
}

// postedContent reads the fields of a section. Keywords are separated by commas; a question of the
// profile is a line "name: question", with a * before it if it takes several answers.
func postedContent(form url.Values) packdrafts.Content {
	plain := func(name string) string { return strings.TrimSpace(strings.ReplaceAll(form.Get(name), "\r\n", "\n")) }
	c := packdrafts.Content{Name: plain("name"), Description: plain("description"), Text: plain("text"), Keywords: ui.NonBlank(strings.Split(form.Get("keywords"), ","))}
	if len(c.Keywords) == 0 {
		c.Keywords = nil
	}
	for _, line := range ui.NonBlank(strings.Split(form.Get("fields"), "\n")) {
		name, title, _ := strings.Cut(line, ":")
		name, list := strings.CutPrefix(strings.TrimSpace(name), "*")
		c.Fields = append(c.Fields, packdrafts.Field{Name: strings.TrimSpace(name), Title: strings.TrimSpace(title), List: list})
	}
	return c
}

// fieldLines writes the questions of a profile as [postedContent] reads them.
func fieldLines(list []packdrafts.Field) string {
	return strings.Join(web.Map(list, func(f packdrafts.Field) string {
		if f.List {
			return "* " + f.Name + ": " + f.Title
		}
		return f.Name + ": " + f.Title
	}), "\n")
}

// submitDraftAccept makes the draft a version of its pack.
func (s *Handlers) submitDraftAccept(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.acceptDraft(r.Context(), r.PathValue("draft")); err != nil {
		return s.draftAgain(w, r, "", err)
	}
	return web.EndForm(w, r, draftPath(r.PathValue("draft"))+"?done=version")
}

// acceptDraft makes a draft a version of its pack, and writes that into the journal.
func (s *Handlers) acceptDraft(ctx context.Context, id string) (string, error) {
	a := web.ActorFrom(ctx)
	v, err := s.Drafts.Accept(ctx, a.Tenant, a.User, id)
	if err != nil {
		return "", err
	}
	return v.Version, s.note(ctx, v.String(), "accepted the pack")
}

func (s *Handlers) submitDraftDelete(w http.ResponseWriter, r *http.Request) error {
	if err := s.Drafts.Delete(r.Context(), web.ActorFrom(r.Context()).Tenant, r.PathValue("draft")); err != nil {
		return err
	}
	return web.EndForm(w, r, "/data/packs?done=deleted")
}

// draftAgain shows the page of a draft with what was typed into a section and what is wrong with it.
func (s *Handlers) draftAgain(w http.ResponseWriter, r *http.Request, key string, err error) error {
	return web.ShowAgain(w, r, err, func(reason string) (templ.Component, error) {
		v, bad := s.draftView(r)
		v.Form = web.FormOf(r, "section."+key, err)
		v.Failure = v.Form.FailureOr(reason)
		if v.Failure == "" {
			v.Failure = reason
		}
		return PackDraft(v), bad
	})
}

// draftPath is the address of the page of a draft.
func draftPath(id string) string { return "/data/packs/drafts/" + id }
