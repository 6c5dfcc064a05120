package objectives

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
	"quaestor/web"
)

// errNotSaved ends an edit that must not be stored; why stands in the edit.
var errNotSaved = errors.New("web: the edit is not to be stored")

// fingerprint tells whether something is as it was shown.
func fingerprint(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// questionPrint is the fingerprint of the obligation at i with all its form
// holds, and its key, by which it is found when it is no longer the same.
func questionPrint(d *objectives.Definition, i int) string {
	t := &d.Obligations[i]
	return fingerprint([]any{t, d.Pools[t.PoolID], slices.Contains(d.Completion.Required, t.Key)}) + ":" + t.Key
}

// generalPrint is the fingerprint of what the general form holds.
func generalPrint(d *objectives.Definition) string { return fingerprint(GeneralFormOf(d)) }

func wholePrint(d *objectives.Definition) string { return fingerprint(d) }

// locate finds the obligation that was shown as the n-th: at its place, or where
// it was moved to. Changed says that it is there and is not as it was shown; -1
// that it is gone.
func locate(d *objectives.Definition, n int, seen string) (i int, changed bool) {
	for _, i := range append([]int{n - 1}, upTo(len(d.Obligations))...) {
		if i >= 0 && i < len(d.Obligations) && questionPrint(d, i) == seen {
			return i, false
		}
	}
	_, key, _ := strings.Cut(seen, ":")
	i = slices.IndexFunc(d.Obligations, func(t obligations.Template) bool { return t.Key == key })
	if i < 0 && n <= len(d.Obligations) && d.Obligations[n-1].Key == KeyMadeOf(d, n-1, d.Obligations[n-1].Label) {
		i = n - 1 // its key follows what is typed as its name
	}
	return i, true
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// questionEdit is a change of one question.
type questionEdit struct {
	n    int // its number when the form was made
	seen string
	form QuestionForm

	at    int // where it is
	wrong []Wrong
	clash *Clash
}

// apply is the edit, for [objectives.EditDraft].
func (e *questionEdit) apply(draft *objectives.Draft) error {
	var changed bool
	if e.at, changed = locate(draft.Definition, e.n, e.seen); changed {
		return e.collide(draft)
	}
	if e.wrong = e.form.Into(draft.Definition, e.at); len(e.wrong) > 0 {
		return errNotSaved
	}
	return nil
}

// collide refuses an edit of what somebody else changed, unless it comes to the
// same, and says what differs.
func (e *questionEdit) collide(draft *objectives.Draft) error {
	e.clash = &Clash{By: draft.EditedBy, Gone: e.at < 0}
	if e.at < 0 {
		e.at = min(e.n, len(draft.Definition.Obligations)) - 1
		return errNotSaved
	}
	mine, err := draft.Definition.Clone()
	if err != nil {
		return err
	}
	e.clash.Seen = questionPrint(draft.Definition, e.at)
	if e.wrong = e.form.Into(mine, e.at); len(e.wrong) > 0 {
		return errNotSaved
	}
	if e.clash.Rows, err = clashRows(draft.Definition, mine); err != nil {
		return err
	}
	if len(e.clash.Rows) == 0 {
		e.clash = nil
		return nil
	}
	return errNotSaved
}

// clashRows holds what is saved against what somebody wants to save.
func clashRows(saved, mine *objectives.Definition) ([]DiffRow, error) {
	diff, err := objectives.DiffOf(saved, mine)
	if err != nil {
		return nil, err
	}
	var out []DiffRow
	for _, part := range DiffParts(saved, mine, diff) {
		for _, row := range part.Rows {
			row.Field = part.Name + ": " + row.Field
			out = append(out, row)
		}
	}
	return out, nil
}

// seenBy is the fingerprint a form was filled with, or the one its sender knows
// of and wants to write over.
func seenBy(r *http.Request) string {
	if over := r.PostFormValue("over"); over != "" {
		return over
	}
	return r.PostFormValue("seen")
}

// saveQuestion takes the form of a question: as it is typed, or sent.
func (s *Handlers) saveQuestion(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 1 {
		return fault.New(fault.NotFound, "this draft has no such question").Coded("question_not_found")
	}
	if r.PostFormValue("do") == "remove" {
		return s.removeQuestion(w, r, n)
	}
	e := questionEdit{n: n, seen: seenBy(r), form: ReadQuestion(r.PostForm)}
	a := web.ActorFrom(r.Context())
	draft, err := objectives.EditDraft(r.Context(), s.Pool, a.Tenant, r.PathValue("draft"), a.User, e.apply)
	refused := errors.Is(err, errNotSaved)
	if err != nil && !refused {
		return err
	}
	if !refused && !partly(r) {
		http.Redirect(w, r, "/drafts/"+draft.ID+"/q/"+strconv.Itoa(e.at+1), http.StatusSeeOther)
		return nil
	}
	return s.questionAgain(w, r, draft, &e)
}

// questionAgain shows a question's form after an edit: with what was typed when
// it was not stored.
func (s *Handlers) questionAgain(w http.ResponseWriter, r *http.Request, draft objectives.Draft, e *questionEdit) error {
	dv, err := viewOf(r, draft, QuestionsTab)
	if err != nil {
		return err
	}
	if e.at < 0 { // nothing is left of the draft's questions
		dv.Failure = "All questions of this draft were removed by " + draft.EditedBy + "."
		return web.RenderAs(w, r, http.StatusConflict, Questions(dv))
	}
	v := questionView(dv, e.at+1)
	if e.wrong != nil || e.clash != nil {
		v.Form, v.Wrong, v.Clash, v.Seen = e.form, e.wrong, e.clash, e.seen
	}
	if partly(r) {
		return web.Render(w, r, QuestionSaved(v))
	}
	return web.RenderAs(w, r, refusedWith(e.clash), Question(v))
}

// refusedWith is the status of a form that is shown again.
func refusedWith(c *Clash) int {
	if c != nil {
		return http.StatusConflict
	}
	return http.StatusUnprocessableEntity
}

func (s *Handlers) removeQuestion(w http.ResponseWriter, r *http.Request, n int) error {
	e := questionEdit{n: n, seen: seenBy(r), form: ReadQuestion(r.PostForm)}
	a := web.ActorFrom(r.Context())
	draft, err := objectives.EditDraft(r.Context(), s.Pool, a.Tenant, r.PathValue("draft"), a.User, func(draft *objectives.Draft) error {
		var changed bool
		if e.at, changed = locate(draft.Definition, n, e.seen); changed {
			return e.collide(draft)
		}
		draft.Definition.Remove(e.at)
		return nil
	})
	if errors.Is(err, errNotSaved) {
		return s.questionAgain(w, r, draft, &e)
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/drafts/"+draft.ID, http.StatusSeeOther)
	return nil
}

// addQuestion adds an empty question behind the one that is open, in its
// category; at the end when none is.
func (s *Handlers) addQuestion(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	after, _ := strconv.Atoi(r.PostFormValue("after"))
	a := web.ActorFrom(r.Context())
	at := 0
	draft, err := objectives.EditDraft(r.Context(), s.Pool, a.Tenant, r.PathValue("draft"), a.User, func(draft *objectives.Draft) error {
		d := draft.Definition
		if at = len(d.Obligations); after > 0 && after <= at {
			at = after
		}
		category := ""
		if at > 0 {
			category = d.Obligations[at-1].Category
		}
		d.Obligations = slices.Insert(d.Obligations, at, newQuestion(category))
		return nil
	})
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/drafts/"+draft.ID+"/q/"+strconv.Itoa(at+1), http.StatusSeeOther)
	return nil
}

// moveQuestion changes the order: the question n, which has that key, goes to the
// place of another.
func (s *Handlers) moveQuestion(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	n, _ := strconv.Atoi(r.PostFormValue("n"))
	to, _ := strconv.Atoi(r.PostFormValue("to"))
	open, _ := strconv.Atoi(r.PostFormValue("open"))
	a, key := web.ActorFrom(r.Context()), r.PostFormValue("key")
	draft, err := objectives.EditDraft(r.Context(), s.Pool, a.Tenant, r.PathValue("draft"), a.User, func(draft *objectives.Draft) error {
		d := draft.Definition
		if n < 1 || to < 1 || max(n, to) > len(d.Obligations) || d.Obligations[n-1].Key != key {
			return errNotSaved
		}
		d.Move(n-1, to-1)
		return nil
	})
	stale := errors.Is(err, errNotSaved)
	if err != nil && !stale {
		return err
	}
	v, err := viewOf(r, draft, QuestionsTab)
	if err != nil {
		return err
	}
	if v.N = open; !stale {
		v.N = movedTo(open, n, to)
	}
	switch {
	case partly(r):
		return web.Render(w, r, Outline(v, false))
	case stale:
		v.Failure = draft.EditedBy + " changed the list after you opened it; this is how it stands now."
		return web.RenderAs(w, r, http.StatusConflict, Questions(v))
	}
	http.Redirect(w, r, "/drafts/"+draft.ID, http.StatusSeeOther)
	return nil
}

// movedTo is the number of the open question after another, or it, went from n
// to to.
func movedTo(open, n, to int) int {
	switch {
	case open == n:
		return to
	case n < open && open <= to:
		return open - 1
	case to <= open && open < n:
		return open + 1
	}
	return open
}

// saveGeneral takes the form of what is said beside the questions.
func (s *Handlers) saveGeneral(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	form, seen := ReadGeneral(r.PostForm), seenBy(r)
	var wrong []Wrong
	var clash *Clash
	a := web.ActorFrom(r.Context())
	draft, err := objectives.EditDraft(r.Context(), s.Pool, a.Tenant, r.PathValue("draft"), a.User, func(draft *objectives.Draft) (err error) {
		mine, err := draft.Definition.Clone()
		if err != nil {
			return err
		}
		if wrong = form.Into(mine); len(wrong) > 0 {
			return errNotSaved
		}
		if now := generalPrint(draft.Definition); now != seen {
			rows, err := clashRows(draft.Definition, mine)
			if err != nil {
				return err
			}
			if len(rows) > 0 {
				clash = &Clash{By: draft.EditedBy, Seen: now, Rows: rows}
				return errNotSaved
			}
		}
		draft.Definition = mine
		return nil
	})
	refused := errors.Is(err, errNotSaved)
	if err != nil && !refused {
		return err
	}
	if !refused && !partly(r) {
		http.Redirect(w, r, "/drafts/"+draft.ID+"/general", http.StatusSeeOther)
		return nil
	}
	dv, err := viewOf(r, draft, GeneralTab)
	if err != nil {
		return err
	}
	v := generalView(dv)
	if refused {
		v.Form, v.Wrong, v.Clash, v.Seen = form, wrong, clash, seen
	}
	if partly(r) {
		return web.Render(w, r, GeneralSaved(v))
	}
	return web.RenderAs(w, r, refusedWith(clash), General(v))
}

// saveSource takes the whole draft as JSON.
func (s *Handlers) saveSource(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, web.MaxObjectiveForm)
	if err := r.ParseForm(); err != nil {
		return fault.New(fault.Invalid, "the form cannot be read, or is longer than %d bytes", web.MaxObjectiveForm).Because(err)
	}
	text, seen := strings.ReplaceAll(r.PostFormValue("source"), "\r\n", "\n"), seenBy(r)
	mine, faults := objectives.ReadDraft([]byte(strings.ToValidUTF8(text, "\uFFFD")))
	var clash *Clash
	a := web.ActorFrom(r.Context())
	draft, err := objectives.EditDraft(r.Context(), s.Pool, a.Tenant, r.PathValue("draft"), a.User, func(draft *objectives.Draft) error {
		if len(faults) > 0 {
			return errNotSaved
		}
		if now := wholePrint(draft.Definition); now != seen {
			rows, err := clashRows(draft.Definition, &mine)
			if err != nil {
				return err
			}
			if len(rows) > 0 {
				clash = &Clash{By: draft.EditedBy, Seen: now, Rows: rows}
				return errNotSaved
			}
		}
		draft.Definition = &mine
		return nil
	})
	if err == nil {
		http.Redirect(w, r, "/drafts/"+draft.ID+"/source", http.StatusSeeOther)
		return nil
	}
	if !errors.Is(err, errNotSaved) {
		return err
	}
	v, err := viewOf(r, draft, SourceTab)
	if err != nil {
		return err
	}
	return web.RenderAs(w, r, refusedWith(clash), DraftSource(DraftSourceView{DraftView: v, Text: text, Seen: seen, Faults: faults, Clash: clash}))
}
