package data

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/research/warehouse/metrics"
	"quaestor/web"
)

// metricBody is a metric or dimension in the API.
type metricBody struct {
	metrics.Spec
	Unchecked bool      `json:"unchecked,omitempty" doc:"it is not used: it was saved before the tables of the warehouse were read, or does not fit them"`
	Problem   string    `json:"problem,omitempty" doc:"what was wrong with it when the tables were read"`
	Version   int       `json:"version" doc:"counts the changes"`
	CreatedBy string    `json:"createdBy,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
	ChangedBy string    `json:"changedBy,omitempty"`
	ChangedAt time.Time `json:"changedAt"`
}

func toMetricBody(d metrics.Definition) metricBody {
	return metricBody{d.Spec, d.Unchecked, d.Problem, d.Version, d.CreatedBy, d.CreatedAt, d.ChangedBy, d.ChangedAt}
}

// metricDraft describes a metric or dimension that is created or changed.
type metricDraft struct {
	Kind        metrics.Kind  `json:"kind,omitempty" enum:"metric,dimension" doc:"metric when left out"`
	Name        string        `json:"name,omitempty" pattern:"^[^\\x00]*$" example:"revenue" doc:"a–z, 0–9 and _; cannot be changed later"`
	Label       string        `json:"label,omitempty" pattern:"^[^\\x00]*$"`
	Description string        `json:"description,omitempty" pattern:"^[^\\x00]*$"`
	Synonyms    []string      `json:"synonyms,omitempty" doc:"other names that people have for it"`
	Table       string        `json:"table,omitempty" pattern:"^[^\\x00]*$" example:"shop.orders"`
	Expression  string        `json:"expression,omitempty" pattern:"^[^\\x00]*$" example:"SUM(total)" doc:"SQL of the warehouse: an aggregate, of a dimension a value of a row"`
	Filters     []string      `json:"filters,omitempty" doc:"SQL conditions, all of which hold"`
	Time        string        `json:"time,omitempty" pattern:"^[^\\x00]*$" doc:"SQL: the date that a metric goes by"`
	Grain       metrics.Grain `json:"grain,omitempty" enum:"day,week,month,quarter,year"`
	Numerator   string        `json:"numerator,omitempty" pattern:"^[^\\x00]*$" doc:"of a ratio: name of a metric; table and expression are left out then"`
	Denominator string        `json:"denominator,omitempty" pattern:"^[^\\x00]*$"`
	Owner       string        `json:"owner,omitempty" pattern:"^[^\\x00]*$" doc:"the person or team that answers for it"`
}

func (b metricDraft) spec() metrics.Spec {
	if b.Kind == "" {
		b.Kind = metrics.Metric
	}
	return metrics.Spec{Kind: b.Kind, Name: b.Name, Label: b.Label, Description: b.Description, Synonyms: b.Synonyms, Table: b.Table, Expression: b.Expression, Filters: b.Filters,
		Time: b.Time, Grain: b.Grain, Numerator: b.Numerator, Denominator: b.Denominator, Owner: b.Owner}
}

type metricQuery struct {
	ID       string `path:"id" doc:"id of the warehouse"`
	Question string `query:"question" maxLength:"500" pattern:"^[^\\x00]*$" doc:"only those that it names, by name or synonym, in its order"`
}

// namedMetric is a metric, with the words of the question that name it.
type namedMetric struct {
	metricBody
	Words string `json:"words,omitempty" doc:"of the question"`
}

type newMetric struct {
	ID   string `path:"id" doc:"id of the warehouse"`
	Body metricDraft
}

type metricName struct {
	ID   string `path:"id" doc:"id of the warehouse"`
	Name string `path:"name" doc:"of the metric or dimension"`
}

type metricChange struct {
	ID      string `path:"id" doc:"id of the warehouse"`
	Name    string `path:"name" doc:"of the metric or dimension"`
	IfMatch string `header:"If-Match" doc:"the ETag that reading gave"`
	Body    metricDraft
}

// metricValue is what a metric or dimension comes to at present.
type metricValue struct {
	Value        json.RawMessage `json:"value,omitempty" doc:"of a metric"`
	Members      []metricMember  `json:"members,omitempty" doc:"of a dimension, the most frequent first, at most 20"`
	More         bool            `json:"more,omitempty" doc:"there may be more members"`
	SQL          string          `json:"sql" doc:"that was sent"`
	Milliseconds float64         `json:"milliseconds"`
}

type metricMember struct {
	Value json.RawMessage `json:"value"`
	Rows  int64           `json:"rows"`
}

type metricImport struct {
	ID   string `path:"id" doc:"id of the warehouse"`
	Body struct {
		Text    string `json:"text" doc:"YAML of Quaestor, MetricFlow or LookML, or a dbt manifest"`
		Preview bool   `json:"preview,omitempty" doc:"tell what would be done, and do nothing"`
	}
}

// importBody is what an import does, or would do.
type importBody struct {
	Format   metrics.Format    `json:"format" enum:"quaestor,metricflow,dbt manifest,lookml"`
	Metrics  []importedMetric  `json:"metrics" nullable:"false"`
	Examples []importedExample `json:"examples" nullable:"false"`
	Skipped  []metrics.Skipped `json:"skipped" nullable:"false" doc:"parts that are not taken over, and why"`
}

type importedMetric struct {
	metrics.Spec
	Change  metrics.Change `json:"change" enum:"new,changed,same,refused"`
	Field   string         `json:"field,omitempty" doc:"that is at fault"`
	Problem string         `json:"problem,omitempty"`
}

type importedExample struct {
	metrics.WrittenExample
	Problem string `json:"problem,omitempty"`
}

func toImportBody(p metrics.Plan) importBody {
	return importBody{p.Format, web.Map(p.Rows, func(r metrics.Planned) importedMetric { return importedMetric{r.Spec, r.Change, r.Field, r.Problem} }),
		web.Map(p.Examples, func(e metrics.PlannedExample) importedExample { return importedExample{e.WrittenExample, e.Problem} }), append([]metrics.Skipped{}, p.Skipped...)}
}

// exampleBody is a verified question in the API.
type exampleBody struct {
	ID         string    `json:"id"`
	Question   string    `json:"question"`
	SQL        string    `json:"sql"`
	VerifiedBy string    `json:"verifiedBy,omitempty"`
	VerifiedAt time.Time `json:"verifiedAt"`
}

func toExampleBody(e metrics.Example) exampleBody {
	return exampleBody{e.ID, e.Question, e.SQL, e.VerifiedBy, e.VerifiedAt}
}

type newExample struct {
	ID   string `path:"id" doc:"id of the warehouse"`
	Body struct {
		Question string `json:"question" maxLength:"500" pattern:"^[^\\x00]*$"`
		SQL      string `json:"sql" pattern:"^[^\\x00]*$" doc:"checked by the guard as every query"`
	}
}

type exampleID struct {
	ID      string `path:"id" doc:"id of the warehouse"`
	Example string `path:"example" format:"uuid"`
}

// metricOperations are for who may explore: a definition takes no password.
func (s *Handlers) metricOperations(a huma.API) {
	const all, one, examples = "/api/v1/warehouses/{id}/metrics", "/api/v1/warehouses/{id}/metrics/{name}", "/api/v1/warehouses/{id}/examples"
	web.Add(a, web.Get(all, "metric-list", "Metrics and dimensions over a warehouse, or those that a question names").Needing(auth.Review), s.listMetrics)
	web.Add(a, web.Post(all, "metric-create", "Define a metric or dimension; its SQL is checked").Answering(http.StatusCreated).Needing(auth.Review), s.createMetric)
	web.Add(a, web.Get(one, "metric-get", "One metric or dimension").Needing(auth.Review), s.getMetric)
	web.AddEdit(a, web.Put(one, "metric-put", "Change a metric or dimension").Needing(auth.Review), s.putMetric)
	web.AddEmpty(a, web.Delete(one, "metric-delete", "Delete a metric or dimension; refused while a ratio is made of it").Needing(auth.Review), s.deleteMetric)
	web.Add(a, web.Post(one+"/test", "metric-test", "Ask the warehouse what it comes to at present").Needing(auth.Review), s.testMetric)
	web.Add(a, web.Get("/api/v1/warehouses/{id}/metric-proposals", "metric-proposal-list", "What the tables of a warehouse suggest and is not defined yet").Needing(auth.Review), s.listProposals)
	web.Add(a, web.Get(examples, "example-list", "Questions with a query that somebody has verified, the latest first").Needing(auth.Review), s.listExamples)
	web.Add(a, web.Post(examples, "example-create", "Keep a verified query, in the place of an earlier one for the question").Answering(http.StatusCreated).Needing(auth.Review), s.createExample)
	web.AddEmpty(a, web.Delete(examples+"/{example}", "example-delete", "Delete a verified question").Needing(auth.Review), s.deleteExample)
	op := web.Operation(a, web.Post("/api/v1/warehouses/{id}/metric-import", "metric-import", "Import metrics, or tell what an import would do").Needing(auth.Review))
	op.MaxBodyBytes = 2 * metrics.MaxDocument // quotes and lines of a document are escaped in JSON
	huma.Register(a, op, s.importMetrics)
	web.DescribeEdit(a.OpenAPI(), a.OpenAPI().Paths[one].Put)
}

// ofWarehouse refuses ids of warehouses that the actor's organisation does not have.
func (s *Handlers) ofWarehouse(ctx context.Context, id string) (tenant string, err error) {
	tenant = web.ActorFrom(ctx).Tenant
	_, err = s.Connections.Find(ctx, tenant, id)
	return tenant, err
}

func (s *Handlers) listMetrics(ctx context.Context, in *metricQuery) (web.Page[namedMetric], error) {
	tenant, err := s.ofWarehouse(ctx, in.ID)
	if err != nil {
		return web.Page[namedMetric]{}, err
	}
	list, err := s.Definitions.List(ctx, tenant, in.ID)
	if err != nil || in.Question == "" {
		return web.Page[namedMetric]{Items: web.Map(list, func(d metrics.Definition) namedMetric { return namedMetric{toMetricBody(d), ""} })}, err
	}
	list = slices.DeleteFunc(list, func(d metrics.Definition) bool { return d.Unchecked })
	return web.Page[namedMetric]{Items: web.Map(metrics.Find(list, in.Question), func(m metrics.Match) namedMetric { return namedMetric{toMetricBody(m.Definition), m.Words} })}, nil
}

func (s *Handlers) createMetric(ctx context.Context, in *newMetric) (metricBody, error) {
	a := web.ActorFrom(ctx)
	if err := withoutNUL(in.Body); err != nil {
		return metricBody{}, err
	}
	d, err := s.Definitions.Save(ctx, a.Tenant, in.ID, a.User, 0, in.Body.spec())
	return toMetricBody(d), err
}

func (s *Handlers) getMetric(ctx context.Context, in *metricName) (metricBody, error) {
	tenant, err := s.ofWarehouse(ctx, in.ID)
	if err != nil {
		return metricBody{}, err
	}
	d, err := s.Definitions.Named(ctx, tenant, in.ID, in.Name)
	return toMetricBody(d), err
}

// putMetric replaces all of a definition but its name.
func (s *Handlers) putMetric(ctx context.Context, in *metricChange) (metricBody, error) {
	old, err := s.getMetric(ctx, &metricName{in.ID, in.Name})
	if err != nil {
		return metricBody{}, err
	}
	if err := web.CheckUnchanged(in.IfMatch, old, "the metric"); err != nil {
		return metricBody{}, err
	}
	if in.Body.Name != "" && in.Body.Name != in.Name {
		return metricBody{}, fault.New(fault.Unprocessable, "is %s and cannot be changed; define another metric", in.Name).At("name")
	}
	if err := withoutNUL(in.Body); err != nil {
		return metricBody{}, err
	}
	in.Body.Name = in.Name
	a := web.ActorFrom(ctx)
	d, err := s.Definitions.Save(ctx, a.Tenant, in.ID, a.User, old.Version, in.Body.spec())
	return toMetricBody(d), err
}

func (s *Handlers) deleteMetric(ctx context.Context, in *metricName) error {
	tenant, err := s.ofWarehouse(ctx, in.ID)
	if err != nil {
		return err
	}
	return s.Definitions.Delete(ctx, tenant, in.ID, in.Name)
}

func (s *Handlers) testMetric(ctx context.Context, in *metricName) (metricValue, error) {
	tenant, err := s.ofWarehouse(ctx, in.ID)
	if err != nil {
		return metricValue{}, err
	}
	v, err := s.Definitions.Value(ctx, tenant, in.ID, in.Name)
	return metricValue{json.RawMessage(v.Value), web.Map(v.Members, func(m metrics.Member) metricMember { return metricMember{json.RawMessage(m.Value), m.Rows} }), v.More, v.SQL, milliseconds(v.Took)}, err
}

func (s *Handlers) listProposals(ctx context.Context, in *warehouseID) (web.Page[metrics.Spec], error) {
	list, err := s.Definitions.Proposals(ctx, web.ActorFrom(ctx).Tenant, in.ID)
	return web.Page[metrics.Spec]{Items: append([]metrics.Spec{}, list...)}, err
}

// importMetrics checks its permission itself, as it is registered without [web.Add].
func (s *Handlers) importMetrics(ctx context.Context, in *metricImport) (*struct{ Body importBody }, error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Review); err != nil {
		return nil, web.AsProblem(ctx, err)
	}
	var p metrics.Plan
	var err error
	if in.Body.Preview {
		p, err = s.Definitions.Plan(ctx, a.Tenant, in.ID, []byte(in.Body.Text))
	} else {
		p, err = s.Definitions.Import(ctx, a.Tenant, in.ID, a.User, []byte(in.Body.Text))
	}
	if err != nil {
		return nil, web.AsProblem(ctx, err)
	}
	return &struct{ Body importBody }{toImportBody(p)}, nil
}

func (s *Handlers) listExamples(ctx context.Context, in *warehouseID) (web.Page[exampleBody], error) {
	tenant, err := s.ofWarehouse(ctx, in.ID)
	if err != nil {
		return web.Page[exampleBody]{}, err
	}
	list, err := s.Definitions.Examples(ctx, tenant, in.ID)
	return web.Page[exampleBody]{Items: web.Map(list, toExampleBody)}, err
}

func (s *Handlers) createExample(ctx context.Context, in *newExample) (exampleBody, error) {
	a := web.ActorFrom(ctx)
	e, err := s.Definitions.Verify(ctx, a.Tenant, in.ID, a.User, in.Body.Question, in.Body.SQL)
	return toExampleBody(e), err
}

func (s *Handlers) deleteExample(ctx context.Context, in *exampleID) error {
	tenant, err := s.ofWarehouse(ctx, in.ID)
	if err != nil {
		return err
	}
	return s.Definitions.Unverify(ctx, tenant, in.ID, in.Example)
}
