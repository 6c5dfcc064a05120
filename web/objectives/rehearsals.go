package objectives

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web"
	"quaestor/web/ui"
)

// Rehearsals tries drafts of objectives on simulated people. The zero value offers
// nobody.
type Rehearsals struct {
	// Personas returns the people that d can be tried on. D must be fit to be published.
	Personas func(d *objectives.Definition) ([]Persona, error)
	// Rehearse holds an interview about d with the persona of that name, and stores
	// nothing. A name that Personas does not return is NotFound.
	Rehearse func(ctx context.Context, d *objectives.Definition, name string) (Rehearsal, error)
}

// Persona is a simulated person that a draft can be tried on.
type Persona struct {
	Name  string // in forms
	Kind  string // how they answer; empty when About tells
	About string
}

// Rehearsal is a simulated interview about a draft, and what it came to.
type Rehearsal struct {
	Turns   []RehearsalTurn
	Ended   string // one of the session's stop reasons; empty when the budget ran out first
	Score   obligations.Completeness
	Settled []RehearsedKey
	Open    []RehearsedKey // asked for and not settled
	Unasked []RehearsedKey // never asked for
	Again   []RehearsedKey // asked for more than once
}

// RehearsedKey is an obligation and what became of it in a rehearsal.
type RehearsedKey struct {
	Name    string
	Value   string // as people read it; empty when none is held
	Skipped bool
	Turn    int // in which it was settled; 0 for none
	Times   int // how often it was asked for; set in Rehearsal.Again only
}

// RehearsalTurn is one turn: what the persona said or filled in, and the reply.
type RehearsalTurn struct {
	N      int
	Said   string // empty where the interviewer opened, or a form was filled in
	Filled []RehearsedKey
	Reply  string
	Learnt []RehearsedKey
}

// endWords tell why a rehearsal ended.
func (p *Rehearsal) endWords() string {
	if p.Ended == "" {
		return "The budget of turns was used up first"
	}
	return cmp.Or(ui.EndWords(sessions.StopReason(p.Ended)), p.Ended)
}

// outcome tells what became of an obligation, beside its name.
func (k *RehearsedKey) outcome() string {
	switch {
	case k.Times > 0:
		return ui.Numeral(k.Times) + " times"
	case k.Skipped:
		return "skipped"
	case k.Turn > 0:
		return k.Value + " (turn " + ui.Numeral(k.Turn) + ")"
	}
	return k.Value
}

// rehearsalLimit bounds a rehearsal. The rules answer a whole interview in a fraction of
// it; the limit is for a draft that keeps them busy without end.
const rehearsalLimit = 20 * time.Second

// TryView is the page that tries a draft on somebody.
type TryView struct {
	DraftView
	Personas  []Persona
	Chosen    string     // name of a persona; empty before the first rehearsal
	Rehearsal *Rehearsal // nil before the first

	definition *objectives.Definition // what is tried; nil when the draft has faults
}

// tryView reads a draft, and whom it can be tried on.
func (s *Handlers) tryView(r *http.Request) (TryView, error) {
	dv, err := s.draftView(r, TryTab)
	v := TryView{DraftView: dv}
	if err != nil || objectives.Broken(dv.Remarks) || s.Rehearsals.Personas == nil {
		return v, err
	}
	data, err := dv.Draft.Definition.JSON()
	if err != nil {
		return v, err
	}
	d, err := objectives.ParseDefinition(data)
	if err != nil {
		return v, err
	}
	v.definition = &d
	v.Personas, err = s.Rehearsals.Personas(&d)
	return v, err
}

// tryDraft holds an interview with the chosen persona and shows it.
func (s *Handlers) tryDraft(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	v, err := s.tryView(r)
	if err != nil {
		return err
	}
	v.Chosen = r.PostFormValue("who")
	if v.definition == nil {
		return web.RenderAs(w, r, http.StatusUnprocessableEntity, Try(v))
	}
	ctx, cancel := context.WithTimeout(r.Context(), rehearsalLimit)
	defer cancel()
	held, err := s.Rehearsals.Rehearse(ctx, v.definition, v.Chosen)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		v.Failure = "The interview did not end within " + strconv.Itoa(int(rehearsalLimit.Seconds())) + " seconds. Try it on somebody who says less."
		return web.RenderAs(w, r, http.StatusServiceUnavailable, Try(v))
	case fault.Is(err, fault.NotFound):
		v.Failure = web.Sentence(web.ProblemOf(err, "").Detail)
		return web.RenderAs(w, r, http.StatusUnprocessableEntity, Try(v))
	case err != nil:
		return err
	}
	v.Rehearsal = &held
	return web.Render(w, r, Try(v))
}
