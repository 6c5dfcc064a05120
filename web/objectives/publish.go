package objectives

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/sessions/objectives"
	"quaestor/web"
)

// playLimit bounds an interview that tries a draft. It takes a fraction of that.
const playLimit = 20 * time.Second

func (s *Handlers) tryPage(w http.ResponseWriter, r *http.Request) error {
	v, _, err := s.tryView(r)
	if err != nil {
		return err
	}
	return web.Render(w, r, Try(v))
}

// tryView is the page that tries a draft, and the definition to be tried; nil for
// one that has faults.
func (s *Handlers) tryView(r *http.Request) (TryView, *objectives.Definition, error) {
	dv, err := s.draftView(r, TryTab)
	v := TryView{DraftView: dv}
	if err != nil || objectives.Broken(dv.Remarks) || s.Rehearsals.Personas == nil {
		return v, nil, err
	}
	data, err := dv.Draft.Definition.JSON()
	if err != nil {
		return v, nil, err
	}
	d, err := objectives.ParseDefinition(data)
	if err != nil {
		return v, nil, err
	}
	v.Cast, err = s.Rehearsals.Personas(&d)
	return v, &d, err
}

// tryDraft holds an interview with somebody of the cast and shows it. Nothing is
// stored.
func (s *Handlers) tryDraft(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	v, d, err := s.tryView(r)
	if err != nil {
		return err
	}
	v.Chosen = r.PostFormValue("who")
	if d == nil {
		return web.RenderAs(w, r, http.StatusUnprocessableEntity, Try(v))
	}
	ctx, cancel := context.WithTimeout(r.Context(), playLimit)
	defer cancel()
	played, err := s.Rehearsals.Play(ctx, d, v.Chosen)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		v.Failure = "The interview did not end within " + strconv.Itoa(int(playLimit.Seconds())) + " seconds. Try it on somebody who says less."
		return web.RenderAs(w, r, http.StatusServiceUnavailable, Try(v))
	case fault.Is(err, fault.NotFound):
		v.Failure = web.Sentence(web.ProblemOf(err, "").Detail)
		return web.RenderAs(w, r, http.StatusUnprocessableEntity, Try(v))
	case err != nil:
		return err
	}
	v.Played = &played
	return web.Render(w, r, Try(v))
}

func (s *Handlers) publishPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.publishView(r)
	if err != nil {
		return err
	}
	return web.Render(w, r, Publish(v))
}

// publishView says what publishing a draft would change, and proposes a number.
func (s *Handlers) publishView(r *http.Request) (PublishView, error) {
	dv, err := s.draftView(r, PublishTab)
	v := PublishView{DraftView: dv}
	if err != nil {
		return v, err
	}
	shelf, err := s.shelf(r.Context(), web.ActorFrom(r.Context()).Tenant)
	if err != nil {
		return v, err
	}
	d := v.Draft.Definition
	v.Version = d.Version
	i := slices.IndexFunc(shelf.Versions, func(o objectives.Objective) bool { return o.Active && o.ContextType == d.ContextType })
	if i < 0 {
		return v, nil
	}
	active := shelf.Versions[i]
	row := toVersionRow(active)
	row.On = shelf.On(active.ContextType, active.Version)
	v.Replaces = &row
	diff, err := objectives.DiffOf(active.Definition, d)
	if err != nil {
		return v, err
	}
	v.Step, v.Parts = diff.Step(), DiffParts(active.Definition, d, diff)
	v.Version = objectives.NextVersion(objectives.VersionsOf(shelf.Versions, d.ContextType), v.Step)
	return v, nil
}

// publishDraft publishes a draft as its publisher has seen it.
func (s *Handlers) publishDraft(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	a := web.ActorFrom(r.Context())
	if err := web.Need(a, auth.Author); err != nil {
		return err
	}
	revision, _ := strconv.Atoi(r.PostFormValue("revision"))
	p := objectives.Publication{Draft: r.PathValue("draft"), Revision: revision, Replaces: r.PostFormValue("replaces"), Version: strings.TrimSpace(r.PostFormValue("version")),
		Signature: objectives.Signature{By: a.User, Note: strings.ReplaceAll(r.PostFormValue("note"), "\r\n", "\n")}}
	s.Publishing.Lock()
	o, err := s.Library.PublishDraft(r.Context(), a.Tenant, p)
	s.Publishing.Unlock()
	if err != nil {
		return s.publishFailed(w, r, p, err)
	}
	s.Log.InfoContext(r.Context(), "objective published", "tenant", a.Tenant, "objective", o.ID, "by", a.User)
	return web.EndForm(w, r, "/objectives/"+o.ContextType)
}

// publishFailed shows the page again with why the draft was not published, at
// its field or above everything.
func (s *Handlers) publishFailed(w http.ResponseWriter, r *http.Request, p objectives.Publication, err error) error {
	if !web.WantsPage(r) || fault.Is(err, fault.Internal) || fault.Is(err, fault.NotFound) {
		return err
	}
	problem := web.ProblemOf(err, web.RequestID(r.Context()))
	if problem.Status >= http.StatusInternalServerError {
		return err
	}
	v, failed := s.publishView(r)
	if failed != nil {
		return errors.Join(err, failed)
	}
	v.Note = p.Signature.Note
	for _, e := range problem.Errors {
		if e.Location == "version" || e.Location == "note" {
			v.Wrong = append(v.Wrong, Wrong{Field: e.Location, Message: web.Sentence(e.Message)})
			v.Version = p.Version
		}
	}
	v.Failure = "Not published: " + problem.Detail + "."
	return web.RenderAs(w, r, problem.Status, Publish(v))
}
