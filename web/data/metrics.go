package data

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"quaestor/internal/fault"
	"quaestor/research/warehouse/metrics"
	"quaestor/web"
	"quaestor/web/ui"
)

// metricNotices are what the page of metrics tells after a form, by the value of done in its
// address.
var metricNotices = map[string]string{"saved": "It is saved.",
	"unchecked": "It is saved, but not checked yet: the tables of this warehouse were not read. It is checked as soon as they are, and is not used before.", "deleted": "It is deleted.", "imported": "The document is imported.", "verified": "The question is kept with its query."}

// metricsView shows the definitions over a warehouse. ?edit= and ?proposed= name the one that
// the form shows, ?proposals= lists what the tables suggest.
func (s *Handlers) metricsView(r *http.Request) (MetricsView, error) {
	ctx, tenant, q := r.Context(), web.ActorFrom(r.Context()).Tenant, r.URL.Query()
	v := MetricsView{Nav: web.NavOf(ctx, ui.AtData), Notice: metricNotices[q.Get("done")], Edited: metrics.Definition{Spec: metrics.Spec{Kind: metrics.Metric}}}
	var err error
	if v.Warehouse, err = s.Connections.Find(ctx, tenant, r.PathValue("id")); err != nil {
		return v, err
	}
	if v.List, err = s.Definitions.List(ctx, tenant, v.Warehouse.ID); err != nil {
		return v, err
	}
	if v.Examples, err = s.Definitions.Examples(ctx, tenant, v.Warehouse.ID); err != nil {
		return v, err
	}
	for _, d := range v.List {
		if d.Name == q.Get("edit") {
			v.Edited = d
		}
	}
	if q.Get("proposals") == "" && q.Get("proposed") == "" {
		return v, nil
	}
	v.Proposed = true
	v.Proposals, err = s.Definitions.Proposals(ctx, tenant, v.Warehouse.ID)
	if fault.Is(err, fault.Conflict) || fault.Is(err, fault.Unavailable) { // its tables were not read, or it does not answer
		v.Failure, err = web.ErrorWords(err), nil
	}
	for _, p := range v.Proposals {
		if p.Name == q.Get("proposed") {
			v.Edited = metrics.Definition{Spec: p}
		}
	}
	return v, err
}

// submitMetric stores a definition: the edited one, or a new one where the form has no version.
func (s *Handlers) submitMetric(w http.ResponseWriter, r *http.Request) error {
	a, id, form := web.ActorFrom(r.Context()), r.PathValue("id"), r.PostForm
	version, _ := strconv.Atoi(form.Get("version"))
	lines := func(field string) []string { return ui.NonBlank(strings.Split(form.Get(field), "\n")) }
	saved, err := s.Definitions.Save(r.Context(), a.Tenant, id, a.User, version, metrics.Spec{Kind: metrics.Kind(form.Get("kind")), Name: form.Get("name"), Label: form.Get("label"),
		Description: form.Get("description"), Synonyms: ui.NonBlank(strings.Split(form.Get("synonyms"), ",")), Table: form.Get("table"), Expression: form.Get("expression"),
		Filters: lines("filters"), Time: form.Get("time"), Grain: metrics.Grain(form.Get("grain")), Numerator: form.Get("numerator"), Denominator: form.Get("denominator"), Owner: form.Get("owner")})
	if err != nil {
		return s.metricsAgain(w, r, "metric", err)
	}
	if saved.Unchecked {
		return web.EndForm(w, r, metricsPath(id)+"?done=unchecked")
	}
	return web.EndForm(w, r, metricsPath(id)+"?done=saved")
}

func (s *Handlers) submitMetricDelete(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if err := s.Definitions.Delete(r.Context(), web.ActorFrom(r.Context()).Tenant, id, r.PathValue("name")); err != nil {
		return s.metricsAgain(w, r, "", err)
	}
	return web.EndForm(w, r, metricsPath(id)+"?done=deleted")
}

// submitMetricTest shows the page with what a definition comes to at present.
func (s *Handlers) submitMetricTest(w http.ResponseWriter, r *http.Request) error {
	id, name := r.PathValue("id"), r.PathValue("name")
	value, err := s.Definitions.Value(r.Context(), web.ActorFrom(r.Context()).Tenant, id, name)
	if err != nil {
		return s.metricsAgain(w, r, "", err)
	}
	v, err := s.metricsView(r)
	if err != nil {
		return err
	}
	v.Tested, v.Value = name, value
	return web.Render(w, r, Metrics(v))
}

// submitMetricImport shows what an import would do, or does it once that was seen.
func (s *Handlers) submitMetricImport(w http.ResponseWriter, r *http.Request) error {
	a, id, text := web.ActorFrom(r.Context()), r.PathValue("id"), []byte(r.PostForm.Get("text"))
	if r.PostForm.Get("act") == "import" {
		if _, err := s.Definitions.Import(r.Context(), a.Tenant, id, a.User, text); err != nil {
			return s.metricsAgain(w, r, "import", err)
		}
		return web.EndForm(w, r, metricsPath(id)+"?done=imported")
	}
	plan, err := s.Definitions.Plan(r.Context(), a.Tenant, id, text)
	if err != nil {
		return s.metricsAgain(w, r, "import", err)
	}
	v, err := s.metricsView(r)
	if err != nil {
		return err
	}
	v.Plan, v.Form = &plan, ui.FormView{Name: "import", Values: r.PostForm}
	return web.Render(w, r, Metrics(v))
}

func (s *Handlers) submitExample(w http.ResponseWriter, r *http.Request) error {
	a, id := web.ActorFrom(r.Context()), r.PathValue("id")
	if _, err := s.Definitions.Verify(r.Context(), a.Tenant, id, a.User, r.PostForm.Get("question"), r.PostForm.Get("sql")); err != nil {
		return s.metricsAgain(w, r, "example", err)
	}
	return web.EndForm(w, r, metricsPath(id)+"?done=verified")
}

func (s *Handlers) submitExampleDelete(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if err := s.Definitions.Unverify(r.Context(), web.ActorFrom(r.Context()).Tenant, id, r.PathValue("example")); err != nil {
		return s.metricsAgain(w, r, "", err)
	}
	return web.EndForm(w, r, metricsPath(id)+"?done=deleted")
}

// metricsDownload sends the definitions and examples in our own format, to be kept in a team's
// files and imported again.
func (s *Handlers) metricsDownload(w http.ResponseWriter, r *http.Request) error {
	tenant, err := s.ofWarehouse(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	list, err := s.Definitions.List(r.Context(), tenant, r.PathValue("id"))
	if err != nil {
		return err
	}
	examples, err := s.Definitions.Examples(r.Context(), tenant, r.PathValue("id"))
	if err != nil {
		return err
	}
	body, err := metrics.Write(list, examples)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/yaml; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="metrics.yml"`)
	w.Header().Set("Cache-Control", "no-store")
	_, err = w.Write(body)
	return err
}

// metricsAgain shows the page with what was typed into a form and what is wrong with it.
func (s *Handlers) metricsAgain(w http.ResponseWriter, r *http.Request, form string, err error) error {
	return web.ShowAgain(w, r, err, func(reason string) (templ.Component, error) {
		v, bad := s.metricsView(r)
		v.Form = web.FormOf(r, form, err)
		for field, words := range v.Form.Faults { // of a line of a list
			if i := strings.IndexByte(field, '['); i > 0 {
				v.Form.Faults[field[:i]] = words
			}
		}
		v.Failure = v.Form.FailureOr(reason)
		return Metrics(v), bad
	})
}
