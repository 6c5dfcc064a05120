package objectives

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
	"quaestor/web"
)

// readLargeForm reads a form that may hold a whole objective, and returns the text of
// its file; empty when it has none.
func readLargeForm(w http.ResponseWriter, r *http.Request) (text string, err error) {
	r.Body = http.MaxBytesReader(w, r.Body, web.MaxObjectiveForm)
	if web.MediaType(r) == "multipart/form-data" {
		text, err = readUpload(r)
	} else {
		err = r.ParseForm()
	}
	if err != nil {
		return "", fault.New(fault.Invalid, "the form cannot be read, or is longer than %d bytes", web.MaxObjectiveForm).Because(err)
	}
	return text, nil
}

// readUpload reads a form with a file, and returns the file's text.
func readUpload(r *http.Request) (string, error) {
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

// beginDraft begins a draft from nothing, from a version, or from a file. A form with
// faults is shown again above the list, with what was typed.
func (s *Handlers) beginDraft(w http.ResponseWriter, r *http.Request) error {
	text, err := readLargeForm(w, r)
	if err != nil {
		return err
	}
	f := BeginForm{From: r.PostFormValue("from"), Version: r.PostFormValue("version"), Name: strings.TrimSpace(r.PostFormValue("displayName")),
		ContextType: strings.TrimSpace(r.PostFormValue("contextType")), Document: cmp.Or(text, r.PostFormValue("document")), Schema: r.PostForm.Has("schema")}
	d, base, err := s.firstDefinition(r, &f)
	if err != nil {
		return err
	}
	if d == nil {
		v, err := s.listView(r)
		if err != nil {
			return err
		}
		v.Begin = f
		return web.RenderAs(w, r, http.StatusUnprocessableEntity, List(v))
	}
	a := web.ActorFrom(r.Context())
	draft, err := objectives.BeginDraft(r.Context(), s.Pool, a.Tenant, a.User, base, d)
	if err != nil {
		return err
	}
	return web.SeeOther(w, r, draftPath(draft.ID))
}

// firstDefinition returns what a draft begins with, and the id of the version it was
// copied from. It returns nil, without an error, when the form has faults; the form
// then holds them.
func (s *Handlers) firstDefinition(r *http.Request, f *BeginForm) (d *objectives.Definition, base string, err error) {
	switch f.From {
	case "version":
		return s.copyVersion(r, f)
	case "file":
		return importDocument(f), "", nil
	}
	f.ContextType = cmp.Or(f.ContextType, Slug(f.Name)) // lint tells when neither makes one
	if f.Name == "" {
		f.Faults = append(f.Faults, FieldFault{"displayName", "The objective needs a name for people."})
		return nil, "", nil
	}
	return &objectives.Definition{ContextType: f.ContextType, Version: firstVersion, DisplayName: f.Name, Obligations: []obligations.Template{newQuestion("")},
		Completion: obligations.Criteria{MinSatisfied: 1, MinConfidence: obligations.Of(firstConfidence)}}, "", nil
}

// firstVersion and firstConfidence are what a new objective begins with. The shipped
// objectives ask for an average confidence of 0.7, too.
const (
	firstVersion    = "1.0.0"
	firstConfidence = 0.7
)

// newQuestion returns a question of which nothing is written yet. Its priority is the
// middle of 1 to 10.
func newQuestion(category string) obligations.Template {
	return obligations.Template{Widget: obligations.Text, Collection: obligations.DirectQuestion, Priority: 5, Category: category}
}

// copyVersion copies a version. Another context type, or another name, makes it an
// objective of its own that begins to count versions anew.
func (s *Handlers) copyVersion(r *http.Request, f *BeginForm) (*objectives.Definition, string, error) {
	o, err := s.Library.Find(r.Context(), web.ActorFrom(r.Context()).Tenant, f.Version)
	if err != nil {
		return nil, "", err
	}
	d := *o.Definition // versions are shared; only its own fields are changed
	d.DisplayName = cmp.Or(f.Name, d.DisplayName)
	if f.ContextType == "" && f.Name != "" && f.Name != o.DisplayName {
		f.ContextType = Slug(f.Name)
	}
	if f.ContextType != "" && f.ContextType != d.ContextType {
		d.ContextType, d.Version = f.ContextType, firstVersion
	}
	return &d, o.ID, nil
}

// importDocument reads the form's document as an objective, a layer or a JSON Schema.
// It returns nil when the document cannot be a draft; the form then says why.
func importDocument(f *BeginForm) *objectives.Definition {
	refuse := func(message string) *objectives.Definition {
		f.Faults = append(f.Faults, FieldFault{"document", message})
		return nil
	}
	if strings.TrimSpace(f.Document) == "" {
		return refuse("Choose a file, or paste its text.")
	}
	if !utf8.ValidString(f.Document) {
		f.Document = validText(f.Document)
		return refuse("This is not UTF-8 text.")
	}
	if f.Schema {
		d, _, err := objectives.FromSchema([]byte(f.Document), objectives.SchemaOptions{ContextType: f.ContextType})
		if err != nil {
			return refuse(web.Sentence(placedFaults(web.ProblemOf(err, ""))))
		}
		return &d
	}
	d, remarks := objectives.ReadDraft([]byte(f.Document))
	if f.Remarks = remarks; len(remarks) > 0 {
		return nil
	}
	return &d
}

// validText replaces what is not UTF-8, so that the text can be shown again.
func validText(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// placedFaults words a problem's faults with their places; its detail when it lists none.
func placedFaults(p *web.Problem) string {
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

// viewOf returns a draft as a part of the editor shows it.
func viewOf(r *http.Request, draft objectives.Draft, tab DraftTab) (DraftView, error) {
	remarks, err := draft.Remarks()
	return DraftView{PageView: pageOf(r), Draft: draft, Tab: tab, Remarks: remarks}, err
}

// questionsView shows the list of questions, with none of them open.
func (s *Handlers) questionsView(r *http.Request) (DraftView, error) {
	return s.draftView(r, QuestionsTab)
}

// questionView opens the question an address names by its place. Places change when people
// move questions, so a form also carries the fingerprint of what it was filled with.
func (s *Handlers) questionView(r *http.Request) (QuestionView, error) {
	v, err := s.draftView(r, QuestionsTab)
	if err != nil {
		return QuestionView{}, err
	}
	n, err := routedNumber(r)
	if err == nil && n > len(v.Draft.Definition.Obligations) {
		err = errNoQuestion()
	}
	if err != nil {
		return QuestionView{}, err
	}
	return questionViewOf(v, n), nil
}

// errNoQuestion refuses a number that no question of a draft has.
func errNoQuestion() error {
	return fault.New(fault.NotFound, "this draft has no such question").Coded("question_not_found")
}

// routedNumber returns the number of the question an address names, from 1. The draft
// need not have that many.
func routedNumber(r *http.Request) (int, error) {
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 1 {
		return 0, errNoQuestion()
	}
	return n, nil
}

// questionViewOf returns the form of the n-th question, filled with what is saved.
func questionViewOf(v DraftView, n int) QuestionView {
	v.N = n
	d := v.Draft.Definition
	return QuestionView{FormView: FormView{DraftView: v, Seen: questionPrint(d, n-1)}, Form: QuestionFormOf(d, n-1), Shares: d.Shares(n - 1)}
}

// generalView opens the form of everything beside the questions.
func (s *Handlers) generalView(r *http.Request) (GeneralView, error) {
	v, err := s.draftView(r, GeneralTab)
	if err != nil {
		return GeneralView{}, err
	}
	return generalViewOf(v), nil
}

// generalViewOf returns the form of the general part, filled with what is saved.
func generalViewOf(v DraftView) GeneralView {
	return GeneralView{FormView: FormView{DraftView: v, Seen: generalPrint(v.Draft.Definition)}, Form: GeneralFormOf(v.Draft.Definition)}
}

// graphView draws a draft, whatever is wrong with it.
func (s *Handlers) graphView(r *http.Request) (GraphView, error) {
	v, err := s.draftView(r, GraphTab)
	if err != nil {
		return GraphView{}, err
	}
	return GraphView{DraftView: v, Graph: GraphOf(v.Draft.Definition)}, nil
}

// sourceView opens the whole draft as JSON, in the layout that files of objectives have.
func (s *Handlers) sourceView(r *http.Request) (SourceView, error) {
	v, err := s.draftView(r, SourceTab)
	if err != nil {
		return SourceView{}, err
	}
	text, err := v.Draft.Definition.JSON()
	return SourceView{FormView: FormView{DraftView: v, Seen: fingerprint(v.Draft.Definition)}, Text: string(text)}, err
}

// draftJSON answers with a draft as a file, faults included.
func (s *Handlers) draftJSON(w http.ResponseWriter, r *http.Request) error {
	draft, err := objectives.FindDraft(r.Context(), s.Pool, web.ActorFrom(r.Context()).Tenant, r.PathValue("draft"))
	if err != nil {
		return err
	}
	return sendDefinition(w, draft.Definition)
}

// discardDraft deletes a draft for good. It is logged, because nothing else records it.
func (s *Handlers) discardDraft(w http.ResponseWriter, r *http.Request) error {
	a, id := web.ActorFrom(r.Context()), r.PathValue("draft")
	if err := objectives.DiscardDraft(r.Context(), s.Pool, a.Tenant, id); err != nil {
		return fmt.Errorf("discard a draft: %w", err)
	}
	s.Log.InfoContext(r.Context(), "draft of an objective discarded", "tenant", a.Tenant, "draft", id, "by", a.User)
	return web.EndForm(w, r, "/objectives")
}
