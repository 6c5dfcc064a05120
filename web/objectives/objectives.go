package objectives

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/a-h/templ"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web"
)

// library is everything a tenant has of objectives, with the sessions on each version.
type library struct {
	objectives.Inventory
	sessions.VersionCounts
}

// loadLibrary reads the library of the actor's tenant, in two round trips.
func (s *Handlers) loadLibrary(r *http.Request) (out library, err error) {
	tenant := web.ActorFrom(r.Context()).Tenant
	if out.Inventory, err = s.Library.Inventory(r.Context(), tenant); err != nil {
		return out, err
	}
	out.VersionCounts, err = sessions.CountByVersion(r.Context(), s.Pool, tenant)
	return out, err
}

// versionsOf lists the versions of a context type, the active one first. Releases tell
// who published each; there may be none.
func (l *library) versionsOf(contextType string, releases []objectives.Release) []VersionRow {
	var out []VersionRow
	for _, o := range l.Versions {
		if o.ContextType != contextType {
			continue
		}
		row := l.row(o)
		for _, rel := range releases {
			if rel.ObjectiveID == o.ID && rel.Act == objectives.Published {
				row.By, row.Note = rel.By, rel.Note
			}
		}
		out = append(out, row)
	}
	return out
}

// row returns a version with the sessions on it.
func (l *library) row(o objectives.Objective) VersionRow {
	return VersionRow{Objective: o, Sessions: l.On(o.ContextType, o.Version)}
}

// listView groups versions and drafts by context type.
func (s *Handlers) listView(r *http.Request) (ListView, error) {
	v := ListView{PageView: pageOf(r)}
	lib, err := s.loadLibrary(r)
	if err != nil {
		return v, err
	}
	at := map[string]int{}
	for _, o := range lib.Versions {
		i, known := at[o.ContextType]
		if !known {
			i = len(v.Objectives)
			at[o.ContextType] = i
			v.Objectives = append(v.Objectives, ObjectiveRow{Objective: o})
		}
		row, on := &v.Objectives[i], lib.On(o.ContextType, o.Version)
		row.Versions++
		row.Sessions.Running += on.Running
		row.Sessions.Total += on.Total
	}
	for _, d := range lib.Drafts {
		if i, known := at[d.Definition.ContextType]; known {
			v.Objectives[i].Drafts = append(v.Objectives[i].Drafts, d)
		} else {
			v.Unpublished = append(v.Unpublished, d)
		}
	}
	return v, nil
}

// errNoObjective refuses a context type under which nothing is published.
func errNoObjective() error {
	return fault.New(fault.NotFound, "there is no such objective").Coded("objective_not_found")
}

// objectiveView reads everything about one context type, in three round trips.
func (s *Handlers) objectiveView(r *http.Request) (ObjectiveView, error) {
	v := ObjectiveView{PageView: pageOf(r), ContextType: r.PathValue("context")}
	lib, err := s.loadLibrary(r)
	if err != nil {
		return v, err
	}
	releases, err := s.Library.Releases(r.Context(), web.ActorFrom(r.Context()).Tenant, v.ContextType)
	if err != nil {
		return v, err
	}
	if v.Versions = lib.versionsOf(v.ContextType, releases); len(v.Versions) == 0 {
		return v, errNoObjective()
	}
	v.Name = v.Versions[0].DisplayName
	v.Drafts = web.Where(lib.Drafts, func(d objectives.Draft) bool { return d.Definition.ContextType == v.ContextType })
	numbers := map[string]string{}
	for _, row := range v.Versions {
		numbers[row.ID] = row.Version
	}
	for _, rel := range releases {
		if version, known := numbers[rel.ObjectiveID]; known {
			v.Releases = append(v.Releases, ReleaseRow{Release: rel, Version: version})
		}
	}
	return v, nil
}

// routedVersion returns the version an address names.
func (s *Handlers) routedVersion(r *http.Request) (objectives.Objective, error) {
	return s.Library.Version(r.Context(), web.ActorFrom(r.Context()).Tenant, r.PathValue("context"), r.PathValue("version"))
}

// versionView reads a published version with its drawing.
func (s *Handlers) versionView(r *http.Request) (VersionView, error) {
	o, err := s.routedVersion(r)
	if err != nil {
		return VersionView{}, err
	}
	return VersionView{PageView: pageOf(r), Objective: o, Graph: GraphOf(o.Definition)}, nil
}

// versionJSON answers with a version as a file, all layers merged.
func (s *Handlers) versionJSON(w http.ResponseWriter, r *http.Request) error {
	o, err := s.routedVersion(r)
	if err != nil {
		return err
	}
	return sendDefinition(w, o.Definition)
}

// sendDefinition answers with an objective as a file to keep.
func sendDefinition(w http.ResponseWriter, d *objectives.Definition) error {
	data, err := d.JSON()
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s-%s.json"`, fileWord(d.ContextType), fileWord(d.Version)))
	_, _ = w.Write(data) // nobody is left to be told when the browser has gone
	return nil
}

// fileWord replaces everything in a text that may have a meaning in a file's name: a
// draft's context type and version are whatever was typed.
func fileWord(text string) string {
	out := []byte(text)
	for i, c := range out {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '.' && c != '_' {
			out[i] = '_'
		}
	}
	return cmp.Or(string(out), "objective")
}

// diffView compares the versions that the parameters from and to name. Without them it
// compares the active version with the one before it.
func (s *Handlers) diffView(r *http.Request) (DiffView, error) {
	v := DiffView{PageView: pageOf(r), ContextType: r.PathValue("context")}
	lib, err := s.loadLibrary(r)
	if err != nil {
		return v, err
	}
	if v.Versions = lib.versionsOf(v.ContextType, nil); len(v.Versions) == 0 {
		return v, errNoObjective()
	}
	find := func(name string, otherwise VersionRow) (objectives.Objective, error) {
		return s.Library.Version(r.Context(), web.ActorFrom(r.Context()).Tenant, v.ContextType, cmp.Or(r.URL.Query().Get(name), otherwise.Version))
	}
	from, err := find("from", v.Versions[min(1, len(v.Versions)-1)])
	if err != nil {
		return v, err
	}
	to, err := find("to", v.Versions[0])
	if err != nil {
		return v, err
	}
	v.From, v.To, v.Name = from.Version, to.Version, to.DisplayName
	diff, err := objectives.DiffOf(from.Definition, to.Definition)
	v.Step, v.Parts = diff.Step(), DiffParts(from.Definition, to.Definition, diff)
	return v, err
}

// activateVersion makes an older version the active one again.
func (s *Handlers) activateVersion(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	o, err := s.routedVersion(r)
	if err != nil {
		return err
	}
	a := web.ActorFrom(r.Context())
	s.Publishing.Lock()
	defer s.Publishing.Unlock()
	if _, err = s.Library.Activate(r.Context(), a.Tenant, o.ID, objectives.Signature{By: a.User, Note: r.PostFormValue("note")}); err != nil {
		return s.activationFailed(w, r, err)
	}
	return web.EndForm(w, r, objectivePath(o.ContextType))
}

// activationFailed shows the objective's page with the reason.
func (s *Handlers) activationFailed(w http.ResponseWriter, r *http.Request, err error) error {
	return web.ShowAgain(w, r, err, func(reason string) (templ.Component, error) {
		v, err := s.objectiveView(r)
		v.Failure = reason
		return Objective(v), err
	})
}

// Each row of the page of running interviews is a migration that is worked out in full
// and thrown away. The bounds keep one page from doing so for every interview there is,
// or for as long as a slow database takes.
const (
	migrationRows  = 20
	migrationLimit = 15 * time.Second
)

// runningView reports what the active version would do to the running interviews that
// are on other versions. It tries each migration, and stores none.
func (s *Handlers) runningView(r *http.Request) (RunningView, error) {
	a := web.ActorFrom(r.Context())
	active, err := s.Library.Version(r.Context(), a.Tenant, r.PathValue("context"), "")
	if fault.Is(err, fault.Unprocessable) {
		err = errNoObjective()
	}
	if err != nil {
		return RunningView{}, err
	}
	v := RunningView{PageView: pageOf(r), Active: active}
	list, err := sessions.Stragglers(r.Context(), s.Pool, a.Tenant, active.ContextType, active.Version, migrationRows+1)
	if err != nil {
		return v, err
	}
	v.More = len(list) > migrationRows
	ctx, cancel := context.WithTimeout(r.Context(), migrationLimit)
	defer cancel()
	for _, one := range list[:min(len(list), migrationRows)] {
		row := MigrationRow{OutdatedSession: one}
		scope := obligations.Scope{Tenant: a.Tenant, Session: one.Session}
		m, err := s.Engine.Migrate(ctx, scope, sessions.MigrationTarget{Version: active.Version, By: a.User, DryRun: true})
		if err != nil {
			row.Failure = web.ErrorWords(err)
		} else {
			row.Migration = &m
		}
		v.Rows = append(v.Rows, row)
	}
	return v, nil
}
