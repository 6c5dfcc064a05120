package objectives

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"quaestor/internal/fault"
	"quaestor/sessions/objectives"
	"quaestor/web"
)

// publishView reads what publishing a draft would change, and proposes a version: the
// next one after all that are published, by how far the change reaches.
func (s *Handlers) publishView(r *http.Request) (PublishView, error) {
	dv, err := s.draftView(r, PublishTab)
	v := PublishView{FormView: FormView{DraftView: dv}}
	if err != nil {
		return v, err
	}
	lib, err := s.loadLibrary(r)
	if err != nil {
		return v, err
	}
	d := v.Draft.Definition
	v.Version = d.Version
	i := slices.IndexFunc(lib.Versions, func(o objectives.Objective) bool { return o.Active && o.ContextType == d.ContextType })
	if i < 0 {
		return v, nil
	}
	active := lib.row(lib.Versions[i])
	diff, err := objectives.DiffOf(active.Definition, d)
	if err != nil {
		return v, err
	}
	v.Replaces, v.Step, v.Parts = &active, diff.Step(), DiffParts(active.Definition, d, diff)
	v.Version = objectives.NextVersion(objectives.VersionsOf(lib.Versions, d.ContextType), v.Step)
	return v, nil
}

// publishDraft publishes a draft as its publisher has seen it: the form carries the
// draft's revision and the version it replaces, and a change of either is refused.
func (s *Handlers) publishDraft(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	a := web.ActorFrom(r.Context())
	revision, _ := strconv.Atoi(r.PostFormValue("revision")) // what is not a number is no revision
	p := objectives.Publication{Draft: r.PathValue("draft"), Revision: revision, Replaces: r.PostFormValue("replaces"), Version: strings.TrimSpace(r.PostFormValue("version")),
		Signature: objectives.Signature{By: a.User, Note: strings.ReplaceAll(r.PostFormValue("note"), "\r\n", "\n")}}
	// One release after the other: this server publishes and activates one version at a time,
	// here and over the API alike.
	s.Publishing.Lock()
	o, err := s.Library.PublishDraft(r.Context(), a.Tenant, p)
	s.Publishing.Unlock()
	if err != nil {
		return s.publishFailed(w, r, p, err)
	}
	s.Log.InfoContext(r.Context(), "objective published", "tenant", a.Tenant, "objective", o.ID, "by", a.User)
	return web.EndForm(w, r, objectivePath(o.ContextType))
}

// publishFailed shows the page again with the reason above everything, and at its field
// when it is about one. Programs, and faults of our own, get the error as it is.
func (s *Handlers) publishFailed(w http.ResponseWriter, r *http.Request, p objectives.Publication, err error) error {
	problem := web.ProblemOf(err, web.RequestID(r.Context()))
	if fault.Is(err, fault.NotFound) || problem.Status >= http.StatusInternalServerError {
		return err
	}
	return web.ShowAgain(w, r, err, func(string) (templ.Component, error) {
		v, err := s.publishView(r)
		v.Note = p.Signature.Note
		for _, e := range problem.Errors {
			if e.Location == "version" || e.Location == "note" {
				v.Faults = append(v.Faults, FieldFault{e.Location, web.Sentence(e.Message)})
				v.Version = p.Version
			}
		}
		v.Failure = "Not published: " + problem.Detail + "."
		return Publish(v), err
	})
}
