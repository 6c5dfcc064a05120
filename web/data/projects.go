package data

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"quaestor/internal/fault"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/packs"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/web"
	"quaestor/web/ui"
)

// projectNotices are what the page of a project tells after a form, by the value of
// done in its address.
var projectNotices = map[string]string{"made": "It is made. Start exploring whenever you like.", "saved": "It is saved. Runs that are under way go on as they began.", "deleted": "The run is deleted.", "scheduled": "The schedule is changed.", "model": "The model is changed. It explores from the next run on.", "filled": "The answers are in the profile, and the areas that they are about come first in the next run."}

// shownRuns is how many runs of a project its page lists.
const shownRuns = 20

// projectView shows the project that the address names, else a new one. The button that
// shows what another pack asks sends the form here with choose, and what was typed stays.
// It takes six round trips.
func (s *Handlers) projectView(r *http.Request) (ProjectView, error) {
	ctx, tenant, q := r.Context(), web.ActorFrom(r.Context()).Tenant, r.URL.Query()
	v := ProjectView{Nav: web.NavOf(ctx, ui.AtData), Notice: projectNotices[q.Get("done")]}
	if q.Get("choose") != "" {
		v.Form = ui.FormView{Name: "project", Values: q}
	}
	if id := r.PathValue("id"); id != "" {
		if err := s.fillProject(ctx, tenant, id, &v); err != nil {
			return v, err
		}
	} else {
		v.Pack.Slug, v.Language = projects.DefaultPack, "en"
	}
	connected, errWarehouses := s.Connections.List(ctx, tenant)
	packs, errPacks := s.packGroups(ctx, tenant)
	if err := cmp.Or(errWarehouses, errPacks); err != nil {
		return v, err
	}
	v.Packs = packs
	v.Warehouses = web.Map(connected, func(w connections.Warehouse) ui.Choice { return ui.Choice{Value: w.ID, Name: warehouseName(w)} })
	for _, w := range connected {
		if slices.Contains(v.Others, w.ID) {
			v.RunHouses = append(v.RunHouses, ui.Choice{Value: w.ID, Name: warehouseName(w)})
		} else if w.ID == v.Warehouse {
			v.RunHouses = append([]ui.Choice{{Value: "", Name: warehouseName(w)}}, v.RunHouses...)
		}
	}
	v.PackChoice = cmp.Or(r.PostForm.Get("pack"), q.Get("pack"), v.Pack.Slug+"/"+v.Category)
	return v, s.fillPack(ctx, tenant, &v)
}

// fillProject adds an existing project and its latest runs.
func (s *Handlers) fillProject(ctx context.Context, tenant, id string, v *ProjectView) error {
	var err error
	if v.Project, err = s.Projects.Find(ctx, tenant, id); err != nil {
		return err
	}
	v.Request = uuid.NewString()
	list, err := runs.List(ctx, s.Pool, tenant, runs.Filter{Project: id, Max: shownRuns + 1})
	v.MoreRuns = len(list) > shownRuns
	v.Runs = web.Map(list[:min(len(list), shownRuns)], func(r runs.Run) RunCard { return RunCard{r, v.Name} })
	return cmp.Or(err, s.fillPlan(ctx, tenant, v))
}

// packGroups lists the packs that a project may use by name, the newest version of
// each.
func (s *Handlers) packGroups(ctx context.Context, tenant string) ([]PackGroup, error) {
	list, err := s.Projects.Packs(ctx, tenant)
	if err != nil {
		return nil, err
	}
	list = slices.CompactFunc(list, func(a, b projects.PackVersion) bool { return a.Slug == b.Slug })
	var out []PackGroup
	for _, l := range list {
		p, err := s.Projects.Pack(ctx, tenant, l.Version)
		if err != nil {
			return nil, err
		}
		group := PackGroup{Name: p.Name, Choices: []ui.Choice{{Value: p.Slug + "/", Name: p.Name}}}
		group.Choices = append(group.Choices, web.Map(p.Categories, func(c packs.Category) ui.Choice {
			return ui.Choice{Value: p.Slug + "/" + c.ID, Name: p.Name + ": " + c.Name}
		})...)
		out = append(out, group)
	}
	slices.SortStableFunc(out, func(a, b PackGroup) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// packOf reads the choice of a pack and a category. A project keeps the version that
// it is on while it keeps the pack; another pack comes in its newest version.
func packOf(choice string, on packs.Version) (packs.Version, string) {
	slug, category, _ := strings.Cut(choice, "/")
	if slug == on.Slug {
		return on, category
	}
	return packs.Version{Slug: slug}, category
}

// fillPack adds what the chosen pack looks into and asks. A pack that does not exist
// adds nothing; the form is refused when it is sent.
func (s *Handlers) fillPack(ctx context.Context, tenant string, v *ProjectView) error {
	at, category := packOf(v.PackChoice, v.Pack)
	pack, err := s.Projects.Pack(ctx, tenant, at)
	if fault.Is(err, fault.Unprocessable) {
		return nil
	}
	if err != nil {
		return err
	}
	v.PackName, v.PackText = pack.Name, pack.Description
	for _, c := range pack.Categories {
		if c.ID == category {
			v.PackName, v.PackText = pack.Name+": "+c.Name, c.Description
		}
	}
	kit, _ := pack.For(category, nil)
	if kit == nil {
		return nil
	}
	v.Areas = kit.Areas
	v.Fields, err = profileFields(kit.Form, v.Profile)
	return err
}

// postedProject reads the form of a project, which changes old. Prompts have no field
// and stay.
func (s *Handlers) postedProject(r *http.Request, old projects.Project) (projects.Spec, error) {
	form := r.PostForm
	d := projects.Spec{Name: form.Get("name"), Language: strings.TrimSpace(form.Get("language")), Warehouse: form.Get("warehouse"),
		Datasets: ui.NonBlank(strings.Split(form.Get("datasets"), ",")),
		Filter:   guard.Filter{Column: strings.TrimSpace(form.Get("filter.column")), Value: form.Get("filter.value")}, Prompts: old.Prompts, Others: form["others"]}
	b, err := postedBudget(r)
	if err != nil {
		return d, err
	}
	d.Budget = b.budget()
	d.Pack, d.Category = packOf(form.Get("pack"), old.Pack)
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

// submitProject saves the project that the address names, or creates one.
func (s *Handlers) submitProject(w http.ResponseWriter, r *http.Request) error {
	ctx, a, done := r.Context(), web.ActorFrom(r.Context()), "made"
	var p projects.Project
	var err error
	if id := r.PathValue("id"); id != "" {
		done = "saved"
		if p, err = s.Projects.Find(ctx, a.Tenant, id); err != nil {
			return err
		}
	}
	d, err := s.postedProject(r, p)
	switch {
	case err != nil:
	case p.ID == "":
		p, err = s.Projects.Create(ctx, a.Tenant, a.User, d, "")
	default:
		version, _ := strconv.Atoi(r.PostFormValue("version")) // 0 is no version, and refused as an old one would be
		_, err = s.Projects.Update(ctx, a.Tenant, p.ID, a.User, max(version, 1), d)
	}
	if err != nil {
		return s.projectAgain(w, r, "project", err)
	}
	return web.EndForm(w, r, projectPath(p.ID)+"?done="+done)
}

// submitRun starts a run of a project and leads to it.
func (s *Handlers) submitRun(w http.ResponseWriter, r *http.Request) error {
	o, err := s.postedOrder(r)
	var run runs.Run
	if err == nil {
		run, _, err = s.explore(r.Context(), o)
	}
	if err != nil {
		return s.projectAgain(w, r, "run", err)
	}
	return web.EndForm(w, r, runPath(run.ID)+"?done=started")
}

// postedOrder reads the form of a run.
func (s *Handlers) postedOrder(r *http.Request) (runs.Order, error) {
	const hint = "is a whole number, or empty"
	o := runs.Order{Project: r.PathValue("id"), Request: r.PostForm.Get("request"), Warehouse: r.PostForm.Get("warehouseId")}
	most, errMost := wholeNumber(r.PostForm, "maxSteps", hint)
	least, errLeast := wholeNumber(r.PostForm, "minSteps", hint)
	tokens, errTokens := wholeNumber(r.PostForm, "tokens", hint)
	o.MaxSteps, o.MinSteps, o.Budget.Tokens = int(most), int(least), tokens
	err := cmp.Or(errMost, errLeast, errTokens)
	if err == nil {
		o.Areas, err = s.postedAreas(r)
	}
	return o, err
}

// wholeNumber reads a field that takes a whole number from 0 to 2³¹-1; empty is 0.
// hint tells in the fault what the field takes.
func wholeNumber(form url.Values, field, hint string) (int64, error) {
	text := strings.TrimSpace(form.Get(field))
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 0 {
		return 0, fault.New(fault.Unprocessable, "%s", hint).At(field)
	}
	return n, nil
}

// postedAreas returns the areas that are ticked, and none if all of them are: an order
// without areas also explores those that a later version of the pack adds.
func (s *Handlers) postedAreas(r *http.Request) ([]string, error) {
	p, err := s.Projects.Find(r.Context(), web.ActorFrom(r.Context()).Tenant, r.PathValue("id"))
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

// submitProjectDelete deletes a project if the box beside the button is ticked.
func (s *Handlers) submitProjectDelete(w http.ResponseWriter, r *http.Request) error {
	err := confirmed(r, "tick the box beside the button to delete it")
	if err == nil {
		err = s.deleteProject(r.Context(), &projectID{r.PathValue("id")})
	}
	if err != nil {
		return s.projectAgain(w, r, "", err)
	}
	return web.EndForm(w, r, "/data?done=deleted")
}

// confirmed refuses a form whose box sure is not ticked. Browsers demand the tick
// already.
func confirmed(r *http.Request, otherwise string) error {
	if r.PostFormValue("sure") == "yes" {
		return nil
	}
	return fault.New(fault.Unprocessable, "%s", otherwise)
}

// projectAgain shows the page of a project with what was typed into a form and what
// is wrong with it.
func (s *Handlers) projectAgain(w http.ResponseWriter, r *http.Request, form string, err error) error {
	return web.ShowAgain(w, r, err, func(reason string) (templ.Component, error) {
		v, bad := s.projectView(r)
		v.Form = web.FormOf(r, form, err)
		for field, words := range v.Form.Faults {
			v.Form.Faults[fieldOf(field)] = words
		}
		v.Failure = v.Form.FailureOr(reason)
		return Project(v), bad
	})
}

// fieldOf returns the field of the form that the path of a fault belongs to: faults
// of profiles name a place within a field, and faults of categories have no field of
// their own.
func fieldOf(path string) string {
	if path == "category" {
		return "pack"
	}
	rest, ok := strings.CutPrefix(path, "profile.")
	if !ok {
		return path
	}
	if i := strings.IndexAny(rest, ".["); i >= 0 {
		rest = rest[:i]
	}
	return "profile." + rest
}
