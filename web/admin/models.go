package admin

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"quaestor/internal/fault"
	"quaestor/internal/secret"
	"quaestor/sessions/settings/models"
	"quaestor/web"
	"quaestor/web/ui"
)

// fillModels adds the language models of the organisation, and which are used.
func (s *Handlers) fillModels(r *http.Request, v *SettingsView) error {
	list, err := s.Models.List(r.Context(), web.ActorFrom(r.Context()).Tenant)
	v.Models = ModelsView{Rows: list}
	if s.Models.Server != nil {
		v.Models.Server = s.Models.Server.Model()
	}
	return err
}

// modelView reads what [EditModel] shows: the model of the address, or a new one.
func (s *Handlers) modelView(r *http.Request) (ModelView, error) {
	v := ModelView{Nav: web.NavOf(r.Context(), ui.AtManage)}
	id := r.PathValue("model")
	if id == "" {
		v.Role = models.Both
		return v, nil
	}
	var err error
	v.Model, err = s.Models.Find(r.Context(), web.ActorFrom(r.Context()).Tenant, id)
	return v, err
}

// submitModel saves the model that the address names, or adds a new one, and tests it at
// once. A test that fails is shown on the page; the model stays saved.
func (s *Handlers) submitModel(w http.ResponseWriter, r *http.Request) error {
	ctx, a, id := r.Context(), web.ActorFrom(r.Context()), r.PathValue("model")
	d, err := postedModel(r.PostForm)
	switch {
	case err != nil:
	case id == "":
		var made models.Model
		made, err = s.Models.Create(ctx, a.Tenant, a.User, d)
		id = made.ID
	default:
		version, _ := strconv.Atoi(r.PostFormValue("version")) // 0 is no version, and refused as an old one would be
		_, err = s.Models.Update(ctx, a.Tenant, a.User, id, version, d)
	}
	if err != nil {
		return s.modelAgain(w, r, err)
	}
	if _, err := s.Models.Test(ctx, a.Tenant, id); err != nil {
		return err
	}
	return settingsDone(w, r, ModelsTab, "model-saved", "#model-"+id)
}

// modelAgain shows the form with what was typed, except the key, and what is wrong with it.
func (s *Handlers) modelAgain(w http.ResponseWriter, r *http.Request, err error) error {
	return web.ShowAgain(w, r, err, func(reason string) (templ.Component, error) {
		v, bad := s.modelView(r)
		v.Form = web.FormOf(r, "model", err)
		v.Form.Values.Del("key")
		v.Failure = v.Form.FailureOr(reason)
		return EditModel(v), bad
	})
}

// postedModel reads the form of a model. The error is about the first limit that is no
// number; everything else is checked when the model is saved.
func postedModel(form url.Values) (models.Spec, error) {
	d := models.Spec{Name: form.Get("name"), BaseURL: form.Get("baseUrl"), Key: secret.New(strings.TrimSpace(form.Get("key"))), Role: models.Role(form.Get("role"))}
	for name, into := range map[string]*int{"seconds": &d.Limits.Seconds, "tokens": &d.Limits.Tokens, "dailyCalls": &d.Limits.DailyCalls} {
		text := strings.TrimSpace(form.Get(name))
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			return d, fault.New(fault.Unprocessable, "is a whole number, or empty for what the server says").At(name)
		}
		*into = n
	}
	return d, nil
}

// submitModelTest tests a model as it is saved.
func (s *Handlers) submitModelTest(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("model")
	if _, err := s.Models.Test(r.Context(), web.ActorFrom(r.Context()).Tenant, id); err != nil {
		return s.settingsFailed(w, r, ModelsTab, "", err)
	}
	return settingsDone(w, r, ModelsTab, "model-tested", "#model-"+id)
}

// moveModel returns what asks a model by places later; by is negative for earlier. At the
// end of the list nothing changes.
func (s *Handlers) moveModel(by int) func(*http.Request) error {
	return func(r *http.Request) error {
		ctx, a := r.Context(), web.ActorFrom(r.Context())
		list, err := s.Models.List(ctx, a.Tenant)
		if err != nil {
			return err
		}
		ids := web.Map(list, func(m models.Model) string { return m.ID })
		at := slices.Index(ids, r.PathValue("model"))
		if at < 0 {
			return fault.New(fault.NotFound, "there is no such model").Coded("model_not_found")
		}
		if to := at + by; to >= 0 && to < len(ids) {
			ids[at], ids[to] = ids[to], ids[at]
		}
		return s.Models.Order(ctx, a.Tenant, a.User, ids)
	}
}

// removeModel deletes a model if the box beside the button is ticked.
func (s *Handlers) removeModel(r *http.Request) error {
	if r.PostFormValue("sure") != "yes" {
		return fault.New(fault.Unprocessable, "tick the box beside the button to delete the model")
	}
	return s.deleteModel(r.Context(), &modelID{r.PathValue("model")})
}

// interviewer returns the name of who words replies for the reader's organisation.
func (s *Handlers) interviewer(ctx context.Context) string {
	return s.Engine.InterviewerOf(ctx, web.ActorFrom(ctx).Tenant)
}
