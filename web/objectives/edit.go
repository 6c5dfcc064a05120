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

	"quaestor/obligations"
	"quaestor/sessions/objectives"
	"quaestor/web"
)

// errNotSaved ends an edit that must not be stored. The reason stands with the edit.
var errNotSaved = errors.New("web: the edit is not to be stored")

// edit changes the draft an address names and stores it. When change returns
// errNotSaved, the draft is returned as it is stored and saved is false.
func (s *Handlers) edit(r *http.Request, change func(*objectives.Draft) error) (draft objectives.Draft, saved bool, err error) {
	a := web.ActorFrom(r.Context())
	draft, err = objectives.EditDraft(r.Context(), s.Pool, a.Tenant, r.PathValue("draft"), a.User, change)
	if errors.Is(err, errNotSaved) {
		return draft, false, nil
	}
	return draft, err == nil, err
}

// wantsPart reports whether a page's own script asks. It swaps parts of the page, and
// shows a refusal in the form itself, so it is answered 200 either way.
func wantsPart(r *http.Request) bool { return r.Header.Get("HX-Request") == "true" }

// fingerprint returns a short text that differs when v does. Eight bytes are enough to
// notice an edit; nobody gains by forging one.
func fingerprint(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// questionPrint returns the fingerprint of everything the form of the obligation at i
// holds, and its key, by which the obligation is found when it has changed.
func questionPrint(d *objectives.Definition, i int) string {
	t := &d.Obligations[i]
	return fingerprint([]any{t, d.Pools[t.PoolID], slices.Contains(d.Completion.Required, t.Key)}) + ":" + t.Key
}

// generalPrint returns the fingerprint of what the general form holds.
func generalPrint(d *objectives.Definition) string { return fingerprint(GeneralFormOf(d)) }

// locate finds the obligation that was shown as the n-th: at its place, or where it was
// moved to. Changed reports that it is not as it was shown; i is -1 when it is gone.
func locate(d *objectives.Definition, n int, seen string) (i int, changed bool) {
	if n <= len(d.Obligations) && questionPrint(d, n-1) == seen {
		return n - 1, false
	}
	for i := range d.Obligations {
		if questionPrint(d, i) == seen {
			return i, false
		}
	}
	_, key, _ := strings.Cut(seen, ":")
	i = slices.IndexFunc(d.Obligations, func(t obligations.Template) bool { return t.Key == key })
	if i < 0 && n <= len(d.Obligations) && d.Obligations[n-1].Key == KeyMadeOf(d, n-1, d.Obligations[n-1].Label) {
		i = n - 1 // its key follows its name, so it changes while the name is typed
	}
	return i, true
}

// EditConflict is an edit that would undo another person's.
type EditConflict struct {
	By   string    // who edited the draft last
	Gone bool      // what was edited is no longer there
	Seen string    // fingerprint of what is saved now
	Rows []DiffRow // what is saved, beside what was to be saved
}

// conflictWith compares what is saved with what somebody wants to save, when the saved
// part changed since they saw it: now is its fingerprint, seen the one of their form. It
// returns nil when nothing would be undone.
func conflictWith(draft *objectives.Draft, mine *objectives.Definition, now, seen string) (*EditConflict, error) {
	if now == seen {
		return nil, nil
	}
	diff, err := objectives.DiffOf(draft.Definition, mine)
	if err != nil || len(diff.Changes) == 0 {
		return nil, err
	}
	out := &EditConflict{By: draft.EditedBy, Seen: now}
	for _, part := range DiffParts(draft.Definition, mine, diff) {
		for _, row := range part.Rows {
			row.Field = part.Name + ": " + row.Field
			out.Rows = append(out.Rows, row)
		}
	}
	return out, errNotSaved
}

// questionEdit is a change of one question.
type questionEdit struct {
	n      int // its number when the form was made
	seen   string
	form   QuestionForm
	remove bool // the question goes; the form does not count

	at       int // where the question is
	faults   []FieldFault
	conflict *EditConflict
}

// apply makes the edit; it is the function that [objectives.EditDraft] calls.
func (e *questionEdit) apply(draft *objectives.Draft) (err error) {
	d := draft.Definition
	at, changed := locate(d, e.n, e.seen)
	e.at = at
	switch {
	case changed && e.at < 0:
		e.at = min(e.n, len(d.Obligations)) - 1
		e.conflict = &EditConflict{By: draft.EditedBy, Gone: true}
		return errNotSaved
	case changed:
		return e.collide(draft)
	case e.remove:
		d.Remove(e.at)
		return nil
	}
	if e.faults = e.form.Into(d, e.at); len(e.faults) > 0 {
		return errNotSaved
	}
	return nil
}

// collide refuses an edit of a question that somebody else changed, unless both edits
// come to the same.
func (e *questionEdit) collide(draft *objectives.Draft) error {
	mine, err := draft.Definition.Clone()
	if err != nil {
		return err
	}
	now := questionPrint(draft.Definition, e.at)
	if e.faults = e.form.Into(mine, e.at); len(e.faults) > 0 {
		e.conflict = &EditConflict{By: draft.EditedBy, Seen: now}
		return errNotSaved
	}
	e.conflict, err = conflictWith(draft, mine, now, e.seen)
	return err
}

// seenBy returns the fingerprint a form was filled with; after a conflict, the one of
// what its sender has been shown and wants to overwrite.
func seenBy(r *http.Request) string {
	if over := r.PostFormValue("over"); over != "" {
		return over
	}
	return r.PostFormValue("seen")
}

// saveQuestion stores the form of a question, while it is typed or when it is sent, or
// removes the question.
func (s *Handlers) saveQuestion(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	n, err := routedNumber(r)
	if err != nil {
		return err
	}
	e := questionEdit{n: n, seen: seenBy(r), form: ReadQuestion(r.PostForm), remove: r.PostFormValue("do") == "remove"}
	draft, saved, err := s.edit(r, e.apply)
	switch {
	case err != nil:
		return err
	case saved && e.remove:
		return web.SeeOther(w, r, draftPath(draft.ID))
	case saved && !wantsPart(r):
		return web.SeeOther(w, r, questionPath(draft.ID, e.at+1))
	}
	dv, err := viewOf(r, draft, QuestionsTab)
	if err != nil {
		return err
	}
	if e.at < 0 { // nothing is left of the draft's questions
		dv.Failure = "All questions of this draft were removed by " + draft.EditedBy + "."
		return web.RenderAs(w, r, http.StatusConflict, Questions(dv))
	}
	v := questionViewOf(dv, e.at+1)
	if !saved {
		v.Form, v.Seen, v.Faults, v.Conflict = e.form, e.seen, e.faults, e.conflict
	}
	if wantsPart(r) {
		return web.Render(w, r, QuestionSaved(v))
	}
	return web.RenderAs(w, r, v.refusal(), Question(v))
}

// addQuestion adds an empty question behind the one that is open, in its category; at
// the end when none is open.
func (s *Handlers) addQuestion(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	after, _ := strconv.Atoi(r.PostFormValue("after")) // what is not a number is none
	at := 0
	draft, _, err := s.edit(r, func(draft *objectives.Draft) error {
		d, category := draft.Definition, ""
		if at = len(d.Obligations); after > 0 && after <= at {
			at = after
		}
		if at > 0 {
			category = d.Obligations[at-1].Category
		}
		d.Obligations = slices.Insert(d.Obligations, at, newQuestion(category))
		return nil
	})
	if err != nil {
		return err
	}
	return web.SeeOther(w, r, questionPath(draft.ID, at+1))
}

// moveQuestion moves a question to the place of another. The form names it by number
// and key: when they no longer belong together, the list changed and nothing is moved.
func (s *Handlers) moveQuestion(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	number := func(name string) int {
		n, _ := strconv.Atoi(r.PostFormValue(name)) // what is not a number is none
		return n
	}
	n, to, open := number("n"), number("to"), number("open")
	draft, saved, err := s.edit(r, func(draft *objectives.Draft) error {
		d := draft.Definition
		if n < 1 || to < 1 || max(n, to) > len(d.Obligations) || d.Obligations[n-1].Key != r.PostFormValue("key") {
			return errNotSaved
		}
		d.Move(n-1, to-1)
		return nil
	})
	if err != nil {
		return err
	}
	v, err := viewOf(r, draft, QuestionsTab)
	if err != nil {
		return err
	}
	if v.N = open; saved {
		v.N = numberAfterMove(open, n, to)
	}
	switch {
	case wantsPart(r):
		return web.Render(w, r, Outline(v, false))
	case !saved:
		v.Failure = draft.EditedBy + " changed the list after you opened it; this is how it stands now."
		return web.RenderAs(w, r, http.StatusConflict, Questions(v))
	}
	return web.SeeOther(w, r, draftPath(draft.ID))
}

// numberAfterMove returns the number of the question that was number open, after
// question n took the place of question to.
func numberAfterMove(open, n, to int) int {
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

// saveGeneral stores the form of what is said beside the questions.
func (s *Handlers) saveGeneral(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	form, seen := ReadGeneral(r.PostForm), seenBy(r)
	var faults []FieldFault
	var conflict *EditConflict
	draft, saved, err := s.edit(r, func(draft *objectives.Draft) error {
		mine, err := draft.Definition.Clone()
		if err != nil {
			return err
		}
		if faults = form.Into(mine); len(faults) > 0 {
			return errNotSaved
		}
		if conflict, err = conflictWith(draft, mine, generalPrint(draft.Definition), seen); err == nil {
			draft.Definition = mine
		}
		return err
	})
	if err != nil {
		return err
	}
	if saved && !wantsPart(r) {
		return web.SeeOther(w, r, tabPath(draft.ID, GeneralTab))
	}
	dv, err := viewOf(r, draft, GeneralTab)
	if err != nil {
		return err
	}
	v := generalViewOf(dv)
	if !saved {
		v.Form, v.Seen, v.Faults, v.Conflict = form, seen, faults, conflict
	}
	if wantsPart(r) {
		return web.Render(w, r, GeneralSaved(v))
	}
	return web.RenderAs(w, r, v.refusal(), General(v))
}

// saveSource stores a whole draft that was edited as JSON.
func (s *Handlers) saveSource(w http.ResponseWriter, r *http.Request) error {
	if _, err := readLargeForm(w, r); err != nil {
		return err
	}
	v := SourceView{Text: typedText(r.PostForm.Get("source"))}
	mine, remarks := objectives.ReadDraft([]byte(validText(v.Text)))
	seen := seenBy(r)
	var conflict *EditConflict
	draft, saved, err := s.edit(r, func(draft *objectives.Draft) (err error) {
		if len(remarks) > 0 {
			return errNotSaved
		}
		if conflict, err = conflictWith(draft, &mine, fingerprint(draft.Definition), seen); err == nil {
			draft.Definition = &mine
		}
		return err
	})
	if err != nil {
		return err
	}
	if saved {
		return web.SeeOther(w, r, tabPath(draft.ID, SourceTab))
	}
	dv, err := viewOf(r, draft, SourceTab)
	if err != nil {
		return err
	}
	v.FormView, v.TextFaults = FormView{DraftView: dv, Seen: seen, Conflict: conflict}, remarks
	return web.RenderAs(w, r, v.refusal(), DraftSource(v))
}
