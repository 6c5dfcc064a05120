package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/packs"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/web/ui"
)

// projectPages registers the pages of projects, and what their forms are sent to.
func (s *Server) projectPages(r chi.Router) {
	const one = "/data/projects/{id}"
	r.Get("/data/projects/new", s.handle(s.newProjectPage))
	r.Get(one, s.handle(s.projectPage))
	r.Post("/data/projects", s.handle(s.makeProjectHere))
	r.Post(one, s.handle(s.changeProjectHere))
	r.Post(one+"/runs", s.handle(s.startHere))
	r.Post(one+"/delete", s.handle(s.deleteProjectHere))
}

// projectDone says what was just done, by the name that stands in the address.
var projectDone = map[string]string{"made": "It is made. Start exploring whenever you like.", "saved": "It is saved. Runs that are under way go on as they began.", "deleted": "The run is deleted."}

// shownRuns are the runs of a project that its page lists.
const shownRuns = 20

func (s *Server) newProjectPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.projectForm(r, projects.Project{})
	if err != nil {
		return err
	}
	if r.URL.Query().Get("choose") != "" {
		v.Form = ui.FormView{Name: "project", Values: r.URL.Query(), Faults: map[string]string{}}
	}
	return render(w, r, ui.Project(v))
}

func (s *Server) projectPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.projectView(r)
	if err != nil {
		return err
	}
	v.Notice = projectDone[r.URL.Query().Get("done")]
	if r.URL.Query().Get("choose") != "" {
		v.Form = ui.FormView{Name: "project", Values: r.URL.Query(), Faults: map[string]string{}}
	}
	return render(w, r, ui.Project(v))
}

// projectView takes six round trips.
func (s *Server) projectView(r *http.Request) (ui.ProjectView, error) {
	p, err := s.project(r.Context(), r.PathValue("id"))
	if err != nil {
		return ui.ProjectView{}, err
	}
	v, err := s.projectForm(r, p)
	if err != nil {
		return v, err
	}
	if err := p.State.MayRun(); err != nil {
		v.MayNotRun = "Its pack is still being made; it can be explored after that."
	}
	v.Request = uuid.NewString()
	list, err := runs.List(r.Context(), s.Pool, actorFrom(r.Context()).Tenant, runs.Filter{Project: p.ID, Max: shownRuns + 1})
	v.MoreRuns = len(list) > shownRuns
	for _, run := range list[:min(len(list), shownRuns)] {
		v.Runs = append(v.Runs, toRunCard(run, p.Name))
	}
	return v, err
}

// projectForm is the form of a project, new when it has no id, with what the chosen
// pack asks.
func (s *Server) projectForm(r *http.Request, p projects.Project) (ui.ProjectView, error) {
	ctx, a := r.Context(), actorFrom(r.Context())
	v := ui.ProjectView{Nav: navOf(ctx, ui.AtData), ID: p.ID, Version: p.Version, Name: p.Name, Language: p.Language, Warehouse: p.Warehouse, PackVersion: p.Pack.Version,
		Datasets: p.Datasets, Filter: [2]string{p.Filter.Column, p.Filter.Value}}
	if err := need(a, auth.Review); err != nil {
		return v, err
	}
	houses, err := s.Warehouses.Connections.List(ctx, a.Tenant)
	if err != nil {
		return v, err
	}
	v.Warehouses = items(houses, func(h connections.Warehouse) ui.PickLine { return ui.PickLine{Value: h.ID, Name: nameOfWarehouse(h)} })
	if v.Packs, err = s.packLines(ctx); err != nil {
		return v, err
	}
	if p.ID == "" {
		p.Pack.Slug, v.Language = projects.DefaultPack, "en"
	}
	v.Pack = p.Pack.Slug + "/" + p.Category
	if chosen := choiceIn(r, "pack"); chosen != "" {
		v.Pack = chosen
	}
	return v, s.fillPack(ctx, p, &v)
}

// choiceIn is what stands in a form that was sent, by either way.
func choiceIn(r *http.Request, field string) string {
	if r.PostForm != nil {
		return r.PostForm.Get(field)
	}
	return r.URL.Query().Get(field)
}

// packLines lists the packs that a project may be on, the newest version of each.
func (s *Server) packLines(ctx context.Context) ([]ui.PackLine, error) {
	tenant := actorFrom(ctx).Tenant
	list, err := s.Warehouses.Projects.Packs(ctx, tenant)
	if err != nil {
		return nil, err
	}
	var out []ui.PackLine
	seen := map[string]bool{}
	for _, l := range list {
		if seen[l.Slug] {
			continue
		}
		seen[l.Slug] = true
		p, err := s.Warehouses.Projects.Pack(ctx, tenant, l.Version)
		if err != nil {
			return nil, err
		}
		line := ui.PackLine{Name: p.Name, Says: p.Description, Choices: []ui.PickLine{{Value: p.Slug + "/", Name: p.Name}}}
		for _, c := range p.Categories {
			line.Choices = append(line.Choices, ui.PickLine{Value: p.Slug + "/" + c.ID, Name: p.Name + ": " + c.Name})
		}
		out = append(out, line)
	}
	slices.SortStableFunc(out, func(a, b ui.PackLine) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// packOf reads the choice of a pack and its category. The version that the project
// is on stays, as long as it stays on the pack.
func packOf(choice, onSlug, onVersion string) (packs.Version, string) {
	slug, category, _ := strings.Cut(choice, "/")
	if slug == onSlug {
		return packs.Version{Slug: slug, Version: onVersion}, category
	}
	return packs.Version{Slug: slug}, category
}

// fillPack says what the chosen pack looks into and asks. One that is not there asks
// nothing, and the form says so when it is sent.
func (s *Server) fillPack(ctx context.Context, p projects.Project, v *ui.ProjectView) error {
	at, category := packOf(v.Pack, p.Pack.Slug, p.Pack.Version)
	pack, err := s.Warehouses.Projects.Pack(ctx, actorFrom(ctx).Tenant, at)
	if fault.Is(err, fault.Unprocessable) {
		return nil
	}
	if err != nil {
		return err
	}
	v.PackName, v.PackSays = pack.Name, pack.Description
	for _, c := range pack.Categories {
		if c.ID == category {
			v.PackName, v.PackSays = pack.Name+": "+c.Name, c.Description
		}
	}
	kit, _ := pack.For(category, nil)
	if kit == nil {
		return nil
	}
	v.Areas = items(kit.Areas, func(a warehouse.Area) ui.AreaLine { return ui.AreaLine{ID: a.ID, Name: a.Name, Says: a.Description} })
	v.Fields, err = profileFields(kit.Form, p.Profile)
	return err
}

// postedProject reads the form of a project.
func (s *Server) postedProject(r *http.Request, on projects.Project) (projects.Spec, error) {
	form := r.PostForm
	d := projects.Spec{Name: form.Get("name"), Language: strings.TrimSpace(form.Get("language")), Warehouse: form.Get("warehouse"), Datasets: commaList(form.Get("datasets")),
		Filter: guard.Filter{Column: strings.TrimSpace(form.Get("filter.column")), Value: form.Get("filter.value")}, Prompts: on.Prompts}
	d.Pack, d.Category = packOf(form.Get("pack"), on.Pack.Slug, on.Pack.Version)
	pack, err := s.Warehouses.Projects.Pack(r.Context(), actorFrom(r.Context()).Tenant, d.Pack)
	if err != nil {
		return d, err
	}
	kit, faults := pack.For(d.Category, nil)
	if kit == nil {
		return d, packs.Refuse(faults)
	}
	d.Profile, err = postedProfile(kit.Form, form)
	return d, err
}

// commaList reads names with commas between.
func commaList(text string) []string {
	var out []string
	for _, one := range strings.Split(text, ",") {
		if one = strings.TrimSpace(one); one != "" {
			out = append(out, one)
		}
	}
	return out
}

func (s *Server) makeProjectHere(w http.ResponseWriter, r *http.Request) error {
	a := actorFrom(r.Context())
	if err := errors.Join(need(a, auth.Review), posted(w, r)); err != nil {
		return err
	}
	d, err := s.postedProject(r, projects.Project{})
	var p projects.Project
	if err == nil {
		p, err = s.Warehouses.Projects.Create(r.Context(), a.Tenant, a.User, d, "")
	}
	if err != nil {
		v, bad := s.projectForm(r, projects.Project{})
		return s.projectAgain(w, r, "project", v, err, bad)
	}
	return heard(w, r, "/data/projects/"+p.ID+"?done=made")
}

func (s *Server) changeProjectHere(w http.ResponseWriter, r *http.Request) error {
	a := actorFrom(r.Context())
	if err := posted(w, r); err != nil {
		return err
	}
	old, err := s.project(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	d, err := s.postedProject(r, old)
	if err == nil {
		version, _ := strconv.Atoi(r.PostFormValue("version")) // one that is none is taken for none that there is
		_, err = s.Warehouses.Projects.Update(r.Context(), a.Tenant, old.ID, a.User, max(version, 1), d)
	}
	if err != nil {
		v, bad := s.projectView(r)
		return s.projectAgain(w, r, "project", v, err, bad)
	}
	return heard(w, r, "/data/projects/"+old.ID+"?done=saved")
}

// startHere starts a run of a project.
func (s *Server) startHere(w http.ResponseWriter, r *http.Request) error {
	if err := posted(w, r); err != nil {
		return err
	}
	o, err := orderOf(r.PostForm)
	o.Project = r.PathValue("id")
	var run runs.Run
	if err == nil {
		if o.Areas, err = s.postedAreas(r, o.Project); err == nil {
			run, _, err = s.explore(r.Context(), o)
		}
	}
	if err != nil {
		v, bad := s.projectView(r)
		return s.projectAgain(w, r, "run", v, err, bad)
	}
	return heard(w, r, "/data/runs/"+run.ID+"?done=started")
}

// postedAreas are the areas that are ticked; none when all of them are.
func (s *Server) postedAreas(r *http.Request, project string) ([]string, error) {
	p, err := s.project(r.Context(), project)
	if err != nil {
		return nil, err
	}
	all, err := s.areasOf(r.Context(), p)
	if err != nil {
		return nil, err
	}
	ticked := r.PostForm["areas"]
	if len(all) > 0 && len(ticked) == 0 {
		return nil, fault.New(fault.Unprocessable, "tick at least one area").At("areas")
	}
	if len(ticked) == len(all) {
		return nil, nil
	}
	return ticked, nil
}

// orderOf reads the form of a run.
func orderOf(form url.Values) (runs.Order, error) {
	o := runs.Order{Request: form.Get("request")}
	for _, f := range []struct {
		name string
		put  func(int64)
	}{
		{"maxSteps", func(n int64) { o.MaxSteps = int(n) }},
		{"minSteps", func(n int64) { o.MinSteps = int(n) }},
		{"tokens", func(n int64) { o.Budget.Tokens = n }},
	} {
		text := strings.TrimSpace(form.Get(f.name))
		if text == "" {
			continue
		}
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 0 {
			return o, fault.New(fault.Unprocessable, "is a whole number, or empty").At(f.name)
		}
		f.put(n)
	}
	return o, nil
}

func (s *Server) deleteProjectHere(w http.ResponseWriter, r *http.Request) error {
	if err := posted(w, r); err != nil {
		return err
	}
	p, err := s.project(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	if r.PostFormValue("sure") != "yes" {
		err = fault.New(fault.Unprocessable, "tick the box beside the button to delete it")
	} else {
		err = s.Warehouses.Projects.Delete(r.Context(), actorFrom(r.Context()).Tenant, p.ID, 0)
	}
	if err != nil {
		v, bad := s.projectView(r)
		return s.projectAgain(w, r, "", v, err, bad)
	}
	return heard(w, r, "/data?done=deleted")
}

// projectAgain shows a form again with what was typed; bad is why the page cannot be
// drawn.
func (s *Server) projectAgain(w http.ResponseWriter, r *http.Request, form string, v ui.ProjectView, err, bad error) error {
	if !wantsPage(r) || fault.KindOf(err) == fault.Internal || bad != nil {
		return errors.Join(err, bad)
	}
	p := problemOf(err, idOf(r))
	v.Form = formOf(r, form, err)
	for field, says := range v.Form.Faults {
		v.Form.Faults[fieldOf(field)] = says
	}
	if v.Failure = "That cannot be so; see the field that is marked."; len(v.Form.Faults) == 0 {
		v.Failure = sentence(p.Detail)
	}
	return renderRefused(w, r, p.Status, ui.Project(v))
}

// fieldOf is the field of a form that a path in a profile or a pack belongs to.
func fieldOf(path string) string {
	rest, ok := strings.CutPrefix(path, "profile.")
	if !ok {
		if path == "category" {
			return "pack"
		}
		return path
	}
	if i := strings.IndexAny(rest, ".["); i >= 0 {
		rest = rest[:i]
	}
	return "profile." + rest
}
