package objectives

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web"
	"quaestor/web/ui"
)

// moveRow tries what would become of an interview.
func (s *Handlers) moveRow(ctx context.Context, a auth.Actor, one sessions.OutdatedSession, version string) MoveRow {
	row := MoveRow{Session: one.Session, User: one.User, From: one.Version}
	m, err := s.Engine.Migrate(ctx, obligations.Scope{Tenant: a.Tenant, Session: one.Session}, sessions.MigrationTarget{Version: version, By: a.User, DryRun: true})
	if err != nil {
		row.Why = web.ErrorWords(err)
		return row
	}
	row.Migration = &m
	return row
}

// partly reports whether a page's own htmx asks, for a part of the page.
func partly(r *http.Request) bool { return r.Header.Get("HX-Request") == "true" }

// uploaded reads a form that may carry a file, and returns the file's text.
func uploaded(w http.ResponseWriter, r *http.Request) (string, error) {
	r.Body = http.MaxBytesReader(w, r.Body, web.MaxObjectiveForm)
	if web.MediaType(r) != "multipart/form-data" {
		return "", r.ParseForm()
	}
	if err := r.ParseMultipartForm(web.MaxObjectiveForm); err != nil {
		return "", err
	}
	file, _, err := r.FormFile("file")
	if errors.Is(err, http.ErrMissingFile) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }() // it was only read
	data, err := io.ReadAll(file)
	return string(data), err
}

// beginDraft begins a draft from nothing, from a version, or from a file.
func (s *Handlers) beginDraft(w http.ResponseWriter, r *http.Request) error {
	text, err := uploaded(w, r)
	if err != nil {
		return fault.New(fault.Invalid, "the form cannot be read, or is longer than %d bytes", web.MaxObjectiveForm).Because(err)
	}
	f := BeginForm{From: r.PostFormValue("from"), Version: r.PostFormValue("version"), Name: strings.TrimSpace(r.PostFormValue("displayName")),
		ContextType: strings.TrimSpace(r.PostFormValue("contextType")), Document: cmp.Or(text, r.PostFormValue("document")), Schema: r.PostForm.Has("schema")}
	a := web.ActorFrom(r.Context())
	d, base, err := s.begun(r.Context(), a.Tenant, &f)
	if err != nil {
		return err
	}
	if d == nil {
		return s.beginFailed(w, r, f)
	}
	draft, err := objectives.BeginDraft(r.Context(), s.Pool, a.Tenant, a.User, base, d)
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/drafts/"+draft.ID, http.StatusSeeOther)
	return nil
}

func (s *Handlers) beginFailed(w http.ResponseWriter, r *http.Request, f BeginForm) error {
	v, err := s.shelfView(r)
	if err != nil {
		return err
	}
	v.Begin = f
	return web.RenderAs(w, r, http.StatusUnprocessableEntity, Shelf(v))
}

// begun is the definition a draft begins with; nil when the form has faults,
// which it then holds.
func (s *Handlers) begun(ctx context.Context, tenant string, f *BeginForm) (d *objectives.Definition, base string, err error) {
	switch f.From {
	case "version":
		return s.copied(ctx, tenant, f)
	case "file":
		return imported(f), "", nil
	}
	f.ContextType = cmp.Or(f.ContextType, Slug(f.Name))
	if f.Name == "" {
		f.Wrong = append(f.Wrong, Wrong{Field: "displayName", Message: "The objective needs a name for people."})
		return nil, "", nil
	}
	return &objectives.Definition{ContextType: f.ContextType, Version: firstVersion, DisplayName: f.Name, Obligations: []obligations.Template{newQuestion("")},
		Completion: obligations.Criteria{MinSatisfied: 1, MinConfidence: obligations.Of(0.7)}}, "", nil
}

const firstVersion = "1.0.0"

// newQuestion is an obligation that says nothing yet.
func newQuestion(category string) obligations.Template {
	return obligations.Template{Widget: obligations.Text, Collection: obligations.DirectQuestion, Priority: 5, Category: category}
}

func (s *Handlers) copied(ctx context.Context, tenant string, f *BeginForm) (*objectives.Definition, string, error) {
	o, err := s.Library.Find(ctx, tenant, f.Version)
	if err != nil {
		return nil, "", err
	}
	d := *o.Definition
	d.DisplayName = cmp.Or(f.Name, d.DisplayName)
	if f.ContextType == "" && f.Name != "" && f.Name != o.DisplayName {
		f.ContextType = Slug(f.Name)
	}
	if f.ContextType != "" && f.ContextType != d.ContextType {
		d.ContextType, d.Version = f.ContextType, firstVersion
	}
	return &d, o.ID, nil
}

// imported reads the form's document; nil when it cannot be a draft.
func imported(f *BeginForm) *objectives.Definition {
	if strings.TrimSpace(f.Document) == "" {
		f.Wrong = append(f.Wrong, Wrong{Field: "document", Message: "Choose a file, or paste its text."})
		return nil
	}
	if !utf8.ValidString(f.Document) {
		f.Document = strings.ToValidUTF8(f.Document, "\uFFFD")
		f.Wrong = append(f.Wrong, Wrong{Field: "document", Message: "This is no UTF-8 text."})
		return nil
	}
	if f.Schema {
		d, _, err := objectives.FromSchema([]byte(f.Document), objectives.SchemaOptions{ContextType: f.ContextType})
		if err == nil {
			return &d
		}
		p := web.ProblemOf(err, "")
		f.Wrong = append(f.Wrong, Wrong{Field: "document", Message: web.Sentence(placed(p))})
		return nil
	}
	d, remarks := objectives.ReadDraft([]byte(f.Document))
	if len(remarks) > 0 {
		f.Remarks = remarks
		return nil
	}
	return &d
}

// placed words a problem with the places of what is at fault.
func placed(p *web.Problem) string {
	var out []string
	for _, e := range p.Errors {
		out = append(out, e.Location+": "+e.Message)
	}
	return cmp.Or(strings.Join(out, "; "), p.Detail)
}

// draftView reads the draft an address names, and what is wrong with it.
func (s *Handlers) draftView(r *http.Request, tab DraftTab) (DraftView, error) {
	draft, err := objectives.FindDraft(r.Context(), s.Pool, web.ActorFrom(r.Context()).Tenant, r.PathValue("draft"))
	if err != nil {
		return DraftView{}, err
	}
	return viewOf(r, draft, tab)
}

func viewOf(r *http.Request, draft objectives.Draft, tab DraftTab) (DraftView, error) {
	a := web.ActorFrom(r.Context())
	v := DraftView{Nav: web.NavOf(r.Context(), ui.AtObjectives), Draft: draft, Tab: tab, MayEdit: a.May(auth.Author)}
	var err error
	v.Remarks, err = draft.Remarks()
	return v, err
}

func (s *Handlers) questionsPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.draftView(r, QuestionsTab)
	if err != nil {
		return err
	}
	return web.Render(w, r, Questions(v))
}

func (s *Handlers) questionPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.draftView(r, QuestionsTab)
	if err != nil {
		return err
	}
	n, err := routedNumber(r, &v.Draft)
	if err != nil {
		return err
	}
	return web.Render(w, r, Question(questionView(v, n)))
}

// routedNumber returns the number of the question an address names, from 1.
func routedNumber(r *http.Request, d *objectives.Draft) (int, error) {
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 1 || n > len(d.Definition.Obligations) {
		return 0, fault.New(fault.NotFound, "this draft has no such question").Coded("question_not_found")
	}
	return n, nil
}

// questionView is the form of the n-th question, as it is saved.
func questionView(v DraftView, n int) QuestionView {
	v.N = n
	d := v.Draft.Definition
	return QuestionView{DraftView: v, Form: QuestionFormOf(d, n-1), Seen: questionPrint(d, n-1), Shares: d.Shares(n - 1)}
}

func (s *Handlers) generalPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.draftView(r, GeneralTab)
	if err != nil {
		return err
	}
	return web.Render(w, r, General(generalView(v)))
}

func generalView(v DraftView) GeneralView {
	return GeneralView{DraftView: v, Form: GeneralFormOf(v.Draft.Definition), Seen: generalPrint(v.Draft.Definition)}
}

func (s *Handlers) orderPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.draftView(r, GraphTab)
	if err != nil {
		return err
	}
	return web.Render(w, r, Order(GraphView{DraftView: v, Graph: GraphOf(v.Draft.Definition)}))
}

func (s *Handlers) draftSourcePage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.draftView(r, SourceTab)
	if err != nil {
		return err
	}
	text, err := v.Draft.Definition.JSON()
	if err != nil {
		return err
	}
	return web.Render(w, r, DraftSource(DraftSourceView{DraftView: v, Text: string(text), Seen: wholePrint(v.Draft.Definition)}))
}

func (s *Handlers) draftJSON(w http.ResponseWriter, r *http.Request) error {
	draft, err := objectives.FindDraft(r.Context(), s.Pool, web.ActorFrom(r.Context()).Tenant, r.PathValue("draft"))
	if err != nil {
		return err
	}
	return sendDefinition(w, draft.Definition)
}

func (s *Handlers) discardDraft(w http.ResponseWriter, r *http.Request) error {
	a, id := web.ActorFrom(r.Context()), r.PathValue("draft")
	if err := objectives.DiscardDraft(r.Context(), s.Pool, a.Tenant, id); err != nil {
		return fmt.Errorf("discard a draft: %w", err)
	}
	s.Log.InfoContext(r.Context(), "draft of an objective discarded", "tenant", a.Tenant, "draft", id, "by", a.User)
	return web.EndForm(w, r, "/objectives")
}
