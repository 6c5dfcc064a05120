package data

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/packs"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/web"
	"quaestor/web/ui"
)

// projectDone says what was just done, by the name that stands in the address.
var projectDone = map[string]string{"made": "It is made. Start exploring whenever you like.", "saved": "It is saved. Runs that are under way go on as they began.", "deleted": "The run is deleted."}

// shownRuns are the runs of a project that its page lists.
const shownRuns = 20

func (s *Handlers) newProjectPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.projectForm(r, projects.Project{})
	if err != nil {
		return err
	}
	if r.URL.Query().Get("choose") != "" {
		v.Form = ui.FormView{Name: "project", Values: r.URL.Query(), Faults: map[string]string{}}
	}
	return web.Render(w, r, Project(v))
}

func (s *Handlers) projectPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.projectView(r)
	if err != nil {
		return err
	}
	v.Notice = projectDone[r.URL.Query().Get("done")]
	if r.URL.Query().Get("choose") != "" {
		v.Form = ui.FormView{Name: "project", Values: r.URL.Query(), Faults: map[string]string{}}
	}
	return web.Render(w, r, Project(v))
}

// projectView takes six round trips.
func (s *Handlers) projectView(r *http.Request) (ProjectView, error) {
	p, err := s.project(r.Context(), r.PathValue("id"))
	if err != nil {
		return ProjectView{}, err
	}
	v, err := s.projectForm(r, p)
	if err != nil {
		return v, err
	}
	if err := p.State.MayRun(); err != nil {
		v.MayNotRun = "Its pack is still being made; it can be explored after that."
	}
	v.Request = uuid.NewString()
	list, err := runs.List(r.Context(), s.Pool, web.ActorFrom(r.Context()).Tenant, runs.Filter{Project: p.ID, Max: shownRuns + 1})
	v.MoreRuns = len(list) > shownRuns
	for _, run := range list[:min(len(list), shownRuns)] {
		v.Runs = append(v.Runs, toRunCard(run, p.Name))
	}
	return v, err
}

// projectForm is the form of a project, new when it has no id, with what the chosen
// pack asks.
func (s *Handlers) projectForm(r *http.Request, p projects.Project) (ProjectView, error) {
	ctx, a := r.Context(), web.ActorFrom(r.Context())
	v := ProjectView{Nav: web.NavOf(ctx, ui.AtData), ID: p.ID, Version: p.Version, Name: p.Name, Language: p.Language, Warehouse: p.Warehouse, PackVersion: p.Pack.Version,
		Datasets: p.Datasets, Filter: [2]string{p.Filter.Column, p.Filter.Value}}
	if err := web.Need(a, auth.Review); err != nil {
		return v, err
	}
	houses, err := s.Connections.List(ctx, a.Tenant)
	if err != nil {
		return v, err
	}
	v.Warehouses = web.Map(houses, func(h connections.Warehouse) PickLine { return PickLine{Value: h.ID, Name: nameOfWarehouse(h)} })
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
func (s *Handlers) packLines(ctx context.Context) ([]PackLine, error) {
	tenant := web.ActorFrom(ctx).Tenant
	list, err := s.Projects.Packs(ctx, tenant)
	if err != nil {
		return nil, err
	}
	var out []PackLine
	seen := map[string]bool{}
	for _, l := range list {
		if seen[l.Slug] {
			continue
		}
		seen[l.Slug] = true
		p, err := s.Projects.Pack(ctx, tenant, l.Version)
		if err != nil {
			return nil, err
		}
		line := PackLine{Name: p.Name, Says: p.Description, Choices: []PickLine{{Value: p.Slug + "/", Name: p.Name}}}
		for _, c := range p.Categories {
			line.Choices = append(line.Choices, PickLine{Value: p.Slug + "/" + c.ID, Name: p.Name + ": " + c.Name})
		}
		out = append(out, line)
	}
	slices.SortStableFunc(out, func(a, b PackLine) int { return strings.Compare(a.Name, b.Name) })
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
func (s *Handlers) fillPack(ctx context.Context, p projects.Project, v *ProjectView) error {
	at, category := packOf(v.Pack, p.Pack.Slug, p.Pack.Version)
	pack, err := s.Projects.Pack(ctx, web.ActorFrom(ctx).Tenant, at)
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
	v.Areas = web.Map(kit.Areas, func(a warehouse.Area) AreaLine { return AreaLine{ID: a.ID, Name: a.Name, Says: a.Description} })
	v.Fields, err = profileFields(kit.Form, p.Profile)
	return err
}

// postedProject reads the form of a project.
func (s *Handlers) postedProject(r *http.Request, on projects.Project) (projects.Spec, error) {
	form := r.PostForm
	d := projects.Spec{Name: form.Get("name"), Language: strings.TrimSpace(form.Get("language")), Warehouse: form.Get("warehouse"), Datasets: commaList(form.Get("datasets")),
		Filter: guard.Filter{Column: strings.TrimSpace(form.Get("filter.column")), Value: form.Get("filter.value")}, Prompts: on.Prompts}
	d.Pack, d.Category = packOf(form.Get("pack"), on.Pack.Slug, on.Pack.Version)
	pack, err := s.Projects.Pack(r.Context(), web.ActorFrom(r.Context()).Tenant, d.Pack)
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

func (s *Handlers) makeProjectHere(w http.ResponseWriter, r *http.Request) error {
	a := web.ActorFrom(r.Context())
	if err := errors.Join(web.Need(a, auth.Review), web.ReadForm(w, r)); err != nil {
		return err
	}
	d, err := s.postedProject(r, projects.Project{})
	var p projects.Project
	if err == nil {
		p, err = s.Projects.Create(r.Context(), a.Tenant, a.User, d, "")
	}
	if err != nil {
		v, bad := s.projectForm(r, projects.Project{})
		return s.projectAgain(w, r, "project", v, err, bad)
	}
	return web.EndForm(w, r, "/data/projects/"+p.ID+"?done=made")
}

func (s *Handlers) changeProjectHere(w http.ResponseWriter, r *http.Request) error {
	a := web.ActorFrom(r.Context())
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	old, err := s.project(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	d, err := s.postedProject(r, old)
	if err == nil {
		version, _ := strconv.Atoi(r.PostFormValue("version")) // one that is none is taken for none that there is
		_, err = s.Projects.Update(r.Context(), a.Tenant, old.ID, a.User, max(version, 1), d)
	}
	if err != nil {
		v, bad := s.projectView(r)
		return s.projectAgain(w, r, "project", v, err, bad)
	}
	return web.EndForm(w, r, "/data/projects/"+old.ID+"?done=saved")
}

// startHere starts a run of a project.
func (s *Handlers) startHere(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
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
	return web.EndForm(w, r, "/data/runs/"+run.ID+"?done=started")
}

// postedAreas are the areas that are ticked; none when all of them are.
func (s *Handlers) postedAreas(r *http.Request, project string) ([]string, error) {
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

func (s *Handlers) deleteProjectHere(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	p, err := s.project(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	if r.PostFormValue("sure") != "yes" {
		err = fault.New(fault.Unprocessable, "tick the box beside the button to delete it")
	} else {
		err = s.Projects.Delete(r.Context(), web.ActorFrom(r.Context()).Tenant, p.ID, 0)
	}
	if err != nil {
		v, bad := s.projectView(r)
		return s.projectAgain(w, r, "", v, err, bad)
	}
	return web.EndForm(w, r, "/data?done=deleted")
}

// projectAgain shows a form again with what was typed; bad is why the page cannot be
// drawn.
func (s *Handlers) projectAgain(w http.ResponseWriter, r *http.Request, form string, v ProjectView, err, bad error) error {
	if !web.WantsPage(r) || fault.KindOf(err) == fault.Internal || bad != nil {
		return errors.Join(err, bad)
	}
	p := web.ProblemOf(err, web.RequestID(r.Context()))
	v.Form = web.FormOf(r, form, err)
	for field, says := range v.Form.Faults {
		v.Form.Faults[fieldOf(field)] = says
	}
	if v.Failure = "That cannot be so; see the field that is marked."; len(v.Form.Faults) == 0 {
		v.Failure = web.Sentence(p.Detail)
	}
	return renderRefused(w, r, p.Status, Project(v))
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
