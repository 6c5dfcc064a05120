package objectives

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web"
	"quaestor/web/ui"
)

// needing refuses everybody who lacks a permission, whatever they ask for.
func (s *Handlers) needing(p auth.Permission) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return s.Handle(func(w http.ResponseWriter, r *http.Request) error {
			if err := web.Need(web.ActorFrom(r.Context()), p); err != nil {
				return err
			}
			next.ServeHTTP(w, r)
			return nil
		})
	}
}

func (s *Handlers) shelfPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.shelfView(r)
	if err != nil {
		return err
	}
	return web.Render(w, r, Shelf(v))
}

// shelf is what a tenant has of objectives, with the sessions on each version.
type shelf struct {
	objectives.Inventory
	sessions.VersionCounts
}

// shelf takes two round trips.
func (s *Handlers) shelf(ctx context.Context, tenant string) (out shelf, err error) {
	if out.Inventory, err = s.Library.Inventory(ctx, tenant); err != nil {
		return out, err
	}
	out.VersionCounts, err = sessions.CountByVersion(ctx, s.Pool, tenant)
	return out, err
}

// shelfView takes two round trips.
func (s *Handlers) shelfView(r *http.Request) (ShelfView, error) {
	a := web.ActorFrom(r.Context())
	v := ShelfView{Nav: web.NavOf(r.Context(), ui.AtObjectives), MayEdit: a.May(auth.Author)}
	shelf, err := s.shelf(r.Context(), a.Tenant)
	if err != nil {
		return v, err
	}
	at := map[string]int{}
	for _, o := range shelf.Versions {
		i, known := at[o.ContextType]
		if !known {
			i = len(v.Topics)
			at[o.ContextType] = i
			v.Topics = append(v.Topics, TopicRow{ContextType: o.ContextType, Name: o.DisplayName, Description: o.Definition.Description, Version: o.Version, ID: o.ID,
				Layer: o.Layer, Questions: len(o.Definition.Obligations)})
		}
		n := shelf.On(o.ContextType, o.Version)
		v.Topics[i].Versions++
		v.Topics[i].On.Running += n.Running
		v.Topics[i].On.Total += n.Total
	}
	for _, d := range shelf.Drafts {
		row := toDraftRow(d)
		if i, known := at[d.Definition.ContextType]; known {
			v.Topics[i].Drafts = append(v.Topics[i].Drafts, row)
		} else {
			v.Adrift = append(v.Adrift, row)
		}
	}
	return v, nil
}

func toDraftRow(d objectives.Draft) DraftRow {
	return DraftRow{ID: d.ID, Name: cmp.Or(d.Definition.DisplayName, d.Definition.ContextType, "an objective without a name"), Version: d.Definition.Version, By: d.EditedBy,
		Questions: len(d.Definition.Obligations), At: d.EditedAt}
}

// errNoTopic says that nothing is published under a context type.
func errNoTopic() error {
	return fault.New(fault.NotFound, "there is no such objective").Coded("objective_not_found")
}

func (s *Handlers) topicPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.topicView(r)
	if err != nil {
		return err
	}
	return web.Render(w, r, Topic(v))
}

// topicView takes three round trips.
func (s *Handlers) topicView(r *http.Request) (TopicView, error) {
	a, contextType := web.ActorFrom(r.Context()), r.PathValue("context")
	v := TopicView{Nav: web.NavOf(r.Context(), ui.AtObjectives), ContextType: contextType, MayEdit: a.May(auth.Author)}
	shelf, err := s.shelf(r.Context(), a.Tenant)
	if err != nil {
		return v, err
	}
	releases, err := s.Library.Releases(r.Context(), a.Tenant, contextType)
	if err != nil {
		return v, err
	}
	if v.Versions = versionRows(&shelf, contextType, releases); len(v.Versions) == 0 {
		return v, errNoTopic()
	}
	for _, o := range shelf.Versions {
		if o.ContextType == contextType && (v.Name == "" || o.Active) {
			v.Name = o.DisplayName
		}
	}
	for _, d := range shelf.Drafts {
		if d.Definition.ContextType == contextType {
			v.Drafts = append(v.Drafts, toDraftRow(d))
		}
	}
	for _, rel := range releases {
		i := slices.IndexFunc(v.Versions, func(row VersionRow) bool { return row.ID == rel.ObjectiveID })
		if i >= 0 {
			v.Releases = append(v.Releases, ReleaseRow{Version: v.Versions[i].Version, By: rel.By, Note: rel.Note, Act: rel.Act, At: rel.At})
		}
	}
	return v, nil
}

// versionRows lists the versions of a context, the active one first.
func versionRows(shelf *shelf, contextType string, releases []objectives.Release) []VersionRow {
	var out []VersionRow
	for _, o := range shelf.Versions {
		if o.ContextType != contextType {
			continue
		}
		row := toVersionRow(o)
		row.On = shelf.On(contextType, o.Version)
		for _, rel := range releases {
			if rel.ObjectiveID == o.ID && rel.Act == objectives.Published {
				row.By, row.Note = rel.By, rel.Note
			}
		}
		out = append(out, row)
	}
	return out
}

func toVersionRow(o objectives.Objective) VersionRow {
	row := VersionRow{ID: o.ID, Version: o.Version, Layer: o.Layer, Active: o.Active, Questions: len(o.Definition.Obligations), At: o.CreatedAt}
	if o.Composition != nil {
		row.Base = o.Composition.Base
	}
	return row
}

// routedVersion returns the version an address names.
func (s *Handlers) routedVersion(r *http.Request) (objectives.Objective, error) {
	return s.Library.Version(r.Context(), web.ActorFrom(r.Context()).Tenant, r.PathValue("context"), r.PathValue("version"))
}

func (s *Handlers) versionPage(w http.ResponseWriter, r *http.Request) error {
	o, err := s.routedVersion(r)
	if err != nil {
		return err
	}
	a := web.ActorFrom(r.Context())
	return web.Render(w, r, Version(VersionView{Nav: web.NavOf(r.Context(), ui.AtObjectives), ContextType: o.ContextType, Version: toVersionRow(o), Definition: o.Definition,
		Graph: GraphOf(o.Definition), MayEdit: a.May(auth.Author)}))
}

func (s *Handlers) versionJSON(w http.ResponseWriter, r *http.Request) error {
	o, err := s.routedVersion(r)
	if err != nil {
		return err
	}
	return sendDefinition(w, o.Definition)
}

// sendDefinition hands an objective out as a file.
func sendDefinition(w http.ResponseWriter, d *objectives.Definition) error {
	data, err := d.JSON()
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s-%s.json"`, fileWord(d.ContextType), fileWord(d.Version)))
	_, _ = w.Write(data) // a browser that left needs no answer
	return nil
}

// fileWord is a text without what has a meaning in names of files.
func fileWord(text string) string {
	out := []byte(text)
	for i, c := range out {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '.' && c != '_' {
			out[i] = '_'
		}
	}
	return cmp.Or(string(out), "objective")
}

// diffPage compares two versions, by their numbers; the active one and the one
// before it when none are named.
func (s *Handlers) diffPage(w http.ResponseWriter, r *http.Request) error {
	ctx, a, contextType := r.Context(), web.ActorFrom(r.Context()), r.PathValue("context")
	shelf, err := s.shelf(ctx, a.Tenant)
	if err != nil {
		return err
	}
	list := versionRows(&shelf, contextType, nil)
	if len(list) == 0 {
		return errNoTopic()
	}
	before := list[min(1, len(list)-1)].Version
	from, err := s.Library.Version(ctx, a.Tenant, contextType, cmp.Or(r.URL.Query().Get("from"), before))
	if err != nil {
		return err
	}
	to, err := s.Library.Version(ctx, a.Tenant, contextType, cmp.Or(r.URL.Query().Get("to"), list[0].Version))
	if err != nil {
		return err
	}
	diff, err := objectives.DiffOf(from.Definition, to.Definition)
	if err != nil {
		return err
	}
	return web.Render(w, r, Differences(DiffView{Nav: web.NavOf(r.Context(), ui.AtObjectives), ContextType: contextType, Name: to.DisplayName, Versions: list, From: from.Version, To: to.Version,
		Parts: DiffParts(from.Definition, to.Definition, diff), Step: diff.Step(), MayEdit: a.May(auth.Author)}))
}

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
		return s.topicFailed(w, r, err)
	}
	return web.EndForm(w, r, "/objectives/"+o.ContextType)
}

// topicFailed shows the page of a context type with why something could not be
// done there.
func (s *Handlers) topicFailed(w http.ResponseWriter, r *http.Request, err error) error {
	if !web.WantsPage(r) || fault.Is(err, fault.Internal) {
		return err
	}
	v, failed := s.topicView(r)
	if failed != nil {
		return errors.Join(err, failed)
	}
	p := web.ProblemOf(err, web.RequestID(r.Context()))
	v.Failure = web.Sentence(p.Detail)
	return web.RenderAs(w, r, p.Status, Topic(v))
}

// Bounds of the page of running interviews.
const (
	moveRows  = 20
	moveLimit = 15 * time.Second
)

// runningPage says what going over to the active version would do to the running
// interviews that are on others. It tries each, and changes none.
func (s *Handlers) runningPage(w http.ResponseWriter, r *http.Request) error {
	a, contextType := web.ActorFrom(r.Context()), r.PathValue("context")
	active, err := s.Library.Version(r.Context(), a.Tenant, contextType, "")
	if err != nil {
		if fault.Is(err, fault.Unprocessable) {
			return errNoTopic()
		}
		return err
	}
	v := MoveView{Nav: web.NavOf(r.Context(), ui.AtObjectives), ContextType: contextType, Name: active.DisplayName, Version: active.Version}
	list, err := sessions.Stragglers(r.Context(), s.Pool, a.Tenant, contextType, active.Version, moveRows+1)
	if err != nil {
		return err
	}
	v.More = len(list) > moveRows
	ctx, cancel := context.WithTimeout(r.Context(), moveLimit)
	defer cancel()
	for _, one := range list[:min(len(list), moveRows)] {
		v.Moves = append(v.Moves, s.moveRow(ctx, a, one, active.Version))
	}
	return web.Render(w, r, Running(v))
}
