package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"quaestor/internal/embedding"
	"quaestor/internal/fault"
	"quaestor/internal/llm"
	"quaestor/internal/postgres/cluster"
	"quaestor/internal/secret/seal"
	"quaestor/migrations"
	"quaestor/research"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/analyst"
	"quaestor/research/warehouse/bigquery"
	"quaestor/research/warehouse/builtin"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/clickhouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/duckdb"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/metrics"
	"quaestor/research/warehouse/mysql"
	"quaestor/research/warehouse/packdrafts"
	"quaestor/research/warehouse/pgwire"
	"quaestor/research/warehouse/prices"
	"quaestor/research/warehouse/projects"
	dataquestion "quaestor/research/warehouse/question"
	"quaestor/research/warehouse/repair"
	"quaestor/research/warehouse/runs"
	"quaestor/research/warehouse/sampledata"
	"quaestor/research/warehouse/schema"
	"quaestor/research/warehouse/snowflake"
	"quaestor/research/warehouse/sqlserver"
	"quaestor/research/warehouse/wire"
	"quaestor/sessions/settings"
	"quaestor/sessions/settings/models"
	"quaestor/web"
	"quaestor/web/data"
)

// governance are the middlewares that are compiled in, none by default. Each sees every
// statement for a warehouse once the guard has passed it, and may refuse or rewrite
// it; the result is guarded again. A build with rules of its own adds them here.
var governance []warehouse.Middleware

// duckdbChild is the argument that makes this program a child that runs DuckDB; see
// [main]. It is not shown in the help.
const duckdbChild = "duckdb-child"

// runWorkers is how many runs one process works at once. A run waits for its warehouse
// and its model nearly all the time, and holds a connection of ours only for moments.
const runWorkers = 4

// catalogWorkers and packWorkers are how many catalogs of warehouses one process reads at once, and how many
// packs it drafts. Both wait for what organisations named most of the time.
const (
	catalogWorkers = 8
	packWorkers    = 4
)

// catalogTokens is how many tokens of a prompt the list of tables may take: about a
// quarter of the default window of 32,000, so that the steps of the run have the rest.
const catalogTokens = 7_500

// explorer is what warehouses are explored with.
type explorer struct {
	store    *connections.Store
	index    *schema.Index
	projects projects.Store
	prices   prices.Store
	hub      *runs.Hub
	runner   *runs.Runner
	schedule *runs.Scheduler
	model    func(ctx context.Context, tenant string) *llm.Client // of a tenant; nil when the built-in analyst explores
	models   *models.Store                                        // those that projects choose from
	window   int                                                  // tokens that the server's models take
	samples  *sampledata.Store
	drafts   *packdrafts.Store // of packs; Read is set when there is a reader of pages

	warehouses *dataquestion.Warehouses // answers single questions
	findings   *runs.Searcher
}

// newExplorer builds what warehouses are explored with. The caller closes it.
func newExplorer(s *Settings, pool *pgxpool.Pool, encoder embedding.Encoder, t *tenantModels, log *slog.Logger) (*explorer, error) {
	sealer, errSealer := s.sealer()
	connectors, errConnectors := s.connectors()
	middleware, errGovernance := s.governance()
	index, errIndex := schema.New(schema.Options{Pool: pool, Encoder: encoder, Log: log})
	if err := cmp.Or(errSealer, errConnectors, errGovernance, errIndex); err != nil {
		return nil, err
	}
	o := &explorer{index: index, projects: projects.Store{Pool: pool, Journal: inJournal(settings.Projects)}, prices: prices.Store{Pool: pool, Default: s.ownPrice(), Journal: inJournal(settings.Prices)},
		model: t.talking, models: t.store, window: s.ModelWindow, samples: sampledata.New(sampleFolder(), duckdb.Built())}
	o.store = connections.New(connections.Options{Pool: pool, Sealer: sealer, Connectors: connectors, Index: o.index, Middleware: middleware, Allow: s.allowWarehouse, Log: log})
	o.drafts = &packdrafts.Store{Pool: pool, Projects: o.projects, Model: t.talking, Tables: o.tables, Metrics: o.defined}
	o.warehouses = &dataquestion.Warehouses{Store: o.store, Metrics: &metrics.Store{Pool: pool, Connections: o.store}, Model: t.talking, Preferred: o.preferred}
	o.findings = &runs.Searcher{Pool: pool, Encoder: encoder, Model: t.talking, Log: log}
	o.hub = runs.NewHub(pool, log)
	o.runner = runs.NewRunner(runs.Options{Pool: pool, Hub: o.hub, Log: log, Open: o.open, Schema: o.schema, Instructions: o.brief, Analyst: o.analyst, Definitions: o.definitions(&metrics.Store{Pool: pool, Connections: o.store}), Repair: o.repair, Prices: o.prices.List, Encoder: encoder, Lease: s.ResearchLease})
	o.schedule = &runs.Scheduler{Pool: pool, Hub: o.hub, Projects: o.projects, Tenants: tenantIDs(pool), Log: log}
	return o, nil
}

// close ends what runs in the background: the download of sample data and the hub.
func (o *explorer) close() {
	o.samples.Close()
	o.hub.Close()
}

// workers returns what adds the workers of runs and of refreshes to a queue.
func (o *explorer) workers() []research.AddFunc {
	return []research.AddFunc{o.store.Workers, o.drafts.Workers, o.runner.AddTo(migrations.RiverSchema), o.schedule.Workers}
}

// tables returns the tables of a warehouse as its filter lets them be seen.
func (o *explorer) tables(ctx context.Context, tenant, id string) ([]catalog.Table, error) {
	snapshot, err := o.store.Load(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	return snapshot.Tables, nil
}

// preferred returns the warehouses of the project whose profile a session fills, else of those that a question names.
func (o *explorer) preferred(ctx context.Context, tenant, session, words string) ([]string, error) {
	list, err := o.projects.List(ctx, tenant, projects.Cursor{}, mostProjects)
	if err != nil {
		return nil, err
	}
	var named []string
	for _, p := range list {
		if session != "" && p.Interview == session {
			return p.Warehouses(), nil
		}
		if names(words, p.Name) {
			named = append(named, p.Warehouses()...)
		}
	}
	return named, nil
}

// defined returns the metrics over a warehouse as drafts of packs have them.
func (o *explorer) defined(ctx context.Context, tenant, id string) ([]packdrafts.Metric, error) {
	list, err := o.warehouses.Metrics.Usable(ctx, tenant, id)
	var out []packdrafts.Metric
	for _, d := range list {
		if d.Kind == metrics.Metric {
			out = append(out, packdrafts.Metric{Name: d.Name, Table: d.Table, Words: append([]string{d.Label}, d.Synonyms...)})
		}
	}
	return out, err
}

// lanes returns River's queues for runs, which keep them from holding up the jobs of
// interviews.
func (o *explorer) lanes() map[string]river.QueueConfig {
	return map[string]river.QueueConfig{runs.Lane: runs.LaneConfig(runWorkers), connections.Lane: connections.LaneConfig(catalogWorkers), packdrafts.Lane: packdrafts.LaneConfig(packWorkers)}
}

// pages returns what the pages and the API of warehouses work with.
func (o *explorer) pages(pool *pgxpool.Pool, queue *research.Queue, begin func(ctx context.Context, tenant, user, contextType string) (string, error)) data.Options {
	return data.Options{Models: o.models, Prices: o.prices, Estimate: o.estimate, Open: o.open, Connections: o.store, Index: o.index, Projects: o.projects, Commands: runs.Commands{Pool: pool, Queue: queue, Hub: o.hub}, Queue: queue, Begin: begin, Sample: o.sample, SampleData: o.samples, Findings: o.findings, Drafts: o.drafts}
}

// sealer returns what seals passwords, with the keys in [Settings.secretsFile], which
// is made when it is missing. Without a file the sealer has no keys and refuses.
func (s *Settings) sealer() (seal.Sealer, error) {
	path := s.secretsFile()
	if path == "" {
		return seal.Sealer{}, nil
	}
	keys, err := seal.FromFile(path)
	if err != nil {
		return seal.Sealer{}, fault.New(fault.Invalid, "%s", err).At("--secrets-file")
	}
	out, err := seal.New(keys)
	if err != nil {
		return out, fault.New(fault.Invalid, "%s: %s", path, err).At("--secrets-file")
	}
	return out, nil
}

// secretsFile returns the path of the file with the keys: the one that is set, else
// the one in the data folder of a private database. With an outside database there is
// no default, because every server on it needs the same keys.
func (s *Settings) secretsFile() string {
	if s.SecretsFile == "" && s.DatabaseURL.IsZero() {
		return filepath.Join(s.DataDir, "secrets.json")
	}
	return s.SecretsFile
}

// everywhere is every address. In development the only user is the one who runs the
// program, and could reach these networks without it.
var everywhere = []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("::/0")}

// warehouseNetworks are the private networks that warehouses may be in.
func (s *Settings) warehouseNetworks() ([]netip.Prefix, error) {
	if s.Auth == "development" {
		return everywhere, nil
	}
	return prefixes(s.WarehousePrivate, "--warehouse-private")
}

// connectors returns a connector for each make of warehouse, in the order of the form
// that connects one.
func (s *Settings) connectors() ([]warehouse.Connector, error) {
	networks, err := s.warehouseNetworks()
	if err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	reach := wire.Reach{Allow: networks, Sockets: s.Auth == "development"}
	// In development any file may be read; elsewhere no roots at all means no files, while
	// nil roots would mean every file.
	files := &duckdb.Connector{Child: []string{program, duckdbChild}, Sample: sampleFolder()}
	if s.Auth != "development" {
		files.Roots = []string{s.WarehouseDir}
		if s.WarehouseDir == "" {
			files.Roots = []string{}
		}
	}
	return []warehouse.Connector{files, &pgwire.Connector{Reach: reach, Make: warehouse.PostgreSQL}, &mysql.Connector{Reach: reach, Make: warehouse.MySQL}, &mysql.Connector{Reach: reach, Make: warehouse.MariaDB},
		&clickhouse.Connector{Reach: reach}, &sqlserver.Connector{Reach: reach}, &bigquery.Connector{Reach: reach}, &snowflake.Connector{Reach: reach}, &pgwire.Connector{Reach: reach, Make: warehouse.Redshift}}, nil
}

// allowWarehouse returns a fault when a warehouse's file is not in the folder of its
// organisation, which is called by its id. Links are resolved before that is decided.
// In development there is one organisation, and it may use any file.
func (s *Settings) allowWarehouse(tenant string, kind warehouse.Kind, options map[string]string) error {
	path := options["path"]
	if kind != warehouse.DuckDB || s.Auth == "development" || path == "" || path == duckdb.Sample {
		return nil
	}
	if s.WarehouseDir == "" {
		return fault.New(fault.Unprocessable, "files of this server are not offered; its operator sets QUAESTOR_WAREHOUSE_DIR").At("options.path")
	}
	root := filepath.Join(s.WarehouseDir, tenant)
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = filepath.Clean(path)
	}
	if rel, err := filepath.Rel(root, real); err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return fault.New(fault.Unprocessable, "is not in the folder of your organisation, which is %s", root).At("options.path")
	}
	return nil
}

// sampleFolder returns the folder of the sample data, which may not be there yet. It is
// empty when there is no place for one.
func sampleFolder() string {
	if cluster.SharedDir() == "" {
		return ""
	}
	return filepath.Join(cluster.SharedDir(), "sample")
}

// governance returns the middlewares that see statements: those that are compiled in,
// and then the service that is set. Redirects of the service are not followed, since
// they could take statements elsewhere.
func (s *Settings) governance() ([]warehouse.Middleware, error) {
	out := slices.Clone(governance)
	if s.GovernanceURL == "" {
		return out, nil
	}
	if u, err := url.Parse(s.GovernanceURL); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fault.New(fault.Invalid, "must be the address of a service, such as https://governance.example.org/sql").At("--governance-url")
	}
	return append(out, connections.Hook{URL: s.GovernanceURL, Token: s.GovernanceToken, Client: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}.Middleware), nil
}

// ownPrice returns the price of the server's own model, if the operator has set one. It is no
// price of the models that organisations bring along.
func (s *Settings) ownPrice() []prices.Price {
	if s.Model == "" || s.PromptPrice == 0 && s.ReplyPrice == 0 {
		return nil
	}
	return []prices.Price{{Model: s.Model, In: s.PromptPrice * 1000, Cached: s.PromptPrice * 1000, Out: s.ReplyPrice * 1000, Source: "set by the operator of the server"}}
}

// inJournal returns what records acts of a kind in the journal of an organisation.
func inJournal(kind settings.Kind) func(context.Context, pgx.Tx, string, string, string, string) error {
	return func(ctx context.Context, tx pgx.Tx, tenant, by, subject, did string) error {
		return settings.NoteIn(ctx, tx, tenant, settings.JournalEntry{Actor: by, Kind: kind, Subject: subject, Detail: settings.Detail{Says: did}})
	}
}

// modelOf returns the model that explores for a project: the one it has chosen, else that of its
// organisation; nil for none.
func (o *explorer) modelOf(ctx context.Context, tenant string, p projects.Project) (*llm.Client, error) {
	if p.Model == "" {
		return o.model(ctx, tenant), nil
	}
	return o.models.Client(ctx, tenant, p.Model)
}

// analyst returns the analyst of a run: the model of its project if there is one, else the built-in
// analyst. A project that has chosen a model is never explored by another one.
func (o *explorer) analyst(ctx context.Context, r runs.Run) (warehouse.Analyst, error) {
	p, err := o.projects.Find(ctx, r.Tenant, r.Project)
	if err != nil {
		return nil, err
	}
	client, err := o.modelOf(ctx, r.Tenant, p)
	if err != nil {
		return nil, err
	}
	return o.analystWith(client), nil
}

// analystWith returns the analyst with a model, which may be nil. The window is the server's, or what
// the model takes if that is known to be less.
func (o *explorer) analystWith(client *llm.Client) warehouse.Analyst {
	window := o.window
	if client != nil && client.Context() > 0 {
		window = min(window, client.Context())
	}
	if client == nil || window < analyst.MinWindow { // a run does not fit into less
		return builtin.Analyst{}
	}
	return &analyst.Model{Client: client, Window: window}
}

// repair sends a query and, when it fails, tries repaired ones: by rules, and with the model of the
// run's project if there is one.
func (o *explorer) repair(ctx context.Context, tenant string, src warehouse.Gateway, q warehouse.Query) (warehouse.Answer, []warehouse.Fix, error) {
	p, err := o.projectOf(ctx, tenant, q.Run)
	if err != nil {
		return warehouse.Answer{}, nil, err
	}
	client, err := o.modelOf(ctx, tenant, p)
	if err != nil {
		client = nil // the rules repair without it
	}
	return repair.Run(ctx, repair.Fixer{Model: client}, src, q, repair.Options{})
}

// open returns the warehouse of a run, restricted to the schemas and the filter of the
// run's project.
func (o *explorer) open(ctx context.Context, tenant, id, run string) (warehouse.Gateway, error) {
	p, err := o.projectOf(ctx, tenant, run)
	if err != nil {
		return nil, err
	}
	return o.store.Open(ctx, tenant, id, connections.View{Schemas: p.Datasets, Filter: p.Filter})
}

// projectOf returns the project of a run.
func (o *explorer) projectOf(ctx context.Context, tenant, run string) (projects.Project, error) {
	r, err := runs.Find(ctx, o.projects.Pool, tenant, run)
	if err != nil {
		return projects.Project{}, err
	}
	return o.projects.Find(ctx, tenant, r.Project)
}

// schema reads what a warehouse holds now, before a run. It encodes nothing, which
// would take minutes on a large schema: new tables are found by their words until they
// are read again from the warehouse's page or the API.
func (o *explorer) schema(ctx context.Context, tenant, id string) (runs.Readiness, error) {
	conn, w, err := o.store.Reach(ctx, tenant, id)
	if err != nil {
		return runs.Readiness{}, err
	}
	defer conn.Close() //nolint:errcheck // it was only read from
	drift, err := o.index.Refresh(ctx, tenant, id, conn, w.Schemas, nil)
	if fault.Is(err, fault.Conflict) { // another refresh is under way
		return runs.Readiness{Note: "Its tables are being read."}, nil
	}
	if err != nil {
		return runs.Readiness{}, err
	}
	return runs.Readiness{Ready: true, Note: driftWords(drift)}, nil
}

// driftWords returns a sentence on how the tables differ from those seen last.
func driftWords(d schema.Drift) string {
	if d.None() {
		return fmt.Sprintf("%d tables, as they were.", d.Tables)
	}
	return fmt.Sprintf("%d tables: %d new, %d gone, %d changed since the last look.", d.Tables, d.Added, d.Removed, d.Changed)
}

// brief returns the brief of a run, which every prompt of it begins with, and the name
// and version of the pack it is made from.
func (o *explorer) brief(ctx context.Context, r runs.Run) (warehouse.Instructions, string, error) {
	b, pack, _, err := o.briefOf(ctx, r)
	return b, pack, err
}

// briefOf returns the brief of a run, the pack it is made from, and the tables that it sees.
func (o *explorer) briefOf(ctx context.Context, r runs.Run) (b warehouse.Instructions, version string, x *catalog.Index, err error) {
	p, err := o.projects.Find(ctx, r.Tenant, r.Project)
	if err != nil {
		return b, "", nil, err
	}
	pack, err := o.projects.Pack(ctx, r.Tenant, p.Pack)
	if err != nil {
		return b, "", nil, err
	}
	kit, err := p.Kit(pack)
	if err != nil {
		return b, "", nil, err
	}
	facts, err := o.facts(ctx, r, p)
	if err != nil {
		return b, "", nil, err
	}
	for _, a := range kit.Areas {
		facts.words = append(facts.words, a.Keywords...)
	}
	facts.Catalog = facts.index.Render(catalog.Options{Budget: catalogTokens, Words: facts.words}).Text
	b, err = projects.NewInstructions(p, kit, facts.Facts)
	return b, pack.At().String(), facts.index, err
}

// runFacts are the facts of a run and what its list of tables is made from: the words
// that matter to it decide which tables come first when not all fit.
type runFacts struct {
	projects.Facts
	index *catalog.Index
	words []string
}

// facts returns what the brief of a run holds beside the project's own texts.
func (o *explorer) facts(ctx context.Context, r runs.Run, p projects.Project) (runFacts, error) {
	w, errWarehouse := o.store.Find(ctx, r.Tenant, r.Warehouse)
	snapshot, errIndex := o.store.Load(ctx, r.Tenant, r.Warehouse)
	feedback, errFeedback := o.projects.Feedback(ctx, r.Tenant, r.Project, "") // of all runs before
	watched, errWatched := o.watchedOf(ctx, r)
	if err := cmp.Or(errWarehouse, errIndex, errFeedback, errWatched); err != nil {
		return runFacts{}, err
	}
	c, err := o.store.Connector(w.Kind)
	if err != nil {
		return runFacts{}, err
	}
	out := runFacts{index: snapshot.Index, Facts: projects.Facts{Dialect: c.Dialect(), Filter: w.Filter, Areas: r.Areas, MaxSteps: r.MaxSteps, MinSteps: r.MinSteps,
		Previous: projects.PreviousContext(projects.Past{Runs: pastOf(r.Previous), Feedback: feedback, Watched: watched})}}
	if len(out.Areas) == 0 {
		out.Areas = nil // which stands for all areas
	}
	if p.Filter.Column != "" {
		out.Filter = p.Filter
	}
	tables := snapshot.Tables
	if len(p.Datasets) > 0 {
		tables = slices.DeleteFunc(slices.Clone(tables), func(t catalog.Table) bool { return !slices.Contains(p.Datasets, t.Schema) })
		out.index = catalog.NewIndex(tables)
	}
	for _, t := range tables {
		if !slices.Contains(out.Datasets, t.Schema) {
			out.Datasets = append(out.Datasets, t.Schema)
		}
	}
	return out, nil
}

// pastOf returns the runs before this one as a prompt shows them: what they found, or, of those that
// found nothing, what they asked.
func pastOf(list []runs.Previous) []projects.PastRun {
	return web.Map(list, func(p runs.Previous) projects.PastRun {
		out := projects.PastRun{Run: p.ID, At: p.Ended, Findings: p.Found, Recommended: p.Recommended}
		if len(p.Found) > 0 {
			return out
		}
		if out.Findings = p.Asked; p.Summary != "" {
			out.Findings = append([]string{p.Summary}, p.Asked...)
		}
		return out
	})
}

// definitions returns what reads the metrics of a warehouse as findings are measured by them.
func (o *explorer) definitions(s *metrics.Store) func(ctx context.Context, tenant, warehouse string) ([]insight.Definition, error) {
	return func(ctx context.Context, tenant, warehouse string) ([]insight.Definition, error) {
		list, err := s.Usable(ctx, tenant, warehouse)
		byName, out := map[string]*insight.Definition{}, []insight.Definition(nil)
		for i := range list {
			d := &list[i]
			byName[d.Name] = &insight.Definition{Name: d.Name, Title: d.Title(), Table: d.Table, Expression: d.Expression, Filters: d.Filters, Line: d.Line()}
		}
		for i := range list {
			if d := byName[list[i].Name]; list[i].Kind == metrics.Metric {
				d.Numerator, d.Denominator = byName[list[i].Numerator], byName[list[i].Denominator]
				out = append(out, *d)
			}
		}
		return out, err
	}
}

// watchedOf returns the findings of a project that somebody watches, as they were seen last.
func (o *explorer) watchedOf(ctx context.Context, r runs.Run) ([]string, error) {
	watched, errWatches := runs.Watches(ctx, o.projects.Pool, r.Tenant, r.Project)
	ledger, errLedger := runs.Ledger(ctx, o.projects.Pool, r.Tenant, r.Project)
	var out []string
	for _, e := range ledger {
		if len(watched[e.Subject]) > 0 {
			out = append(out, e.Title)
		}
	}
	return out, cmp.Or(errWatches, errLedger)
}

// sampleName is what the sample's warehouse and project are called.
const sampleName = "Sample data"

// sample returns the id of the project of the sample data, after making the project
// and its warehouse if they are missing.
func (o *explorer) sample(ctx context.Context, tenant, user string) (string, error) {
	w, err := o.sampleWarehouse(ctx, tenant, user)
	if err != nil {
		return "", err
	}
	p, err := o.projects.Create(ctx, tenant, user, projects.Spec{Name: sampleName, Warehouse: w.ID}, "")
	if err == nil {
		return p.ID, nil
	}
	if !fault.Is(err, fault.Conflict) {
		return "", err
	}
	// The name is taken, by the sample of an earlier click or of another server.
	list, bad := o.projects.List(ctx, tenant, projects.Cursor{}, mostProjects)
	for _, p := range list {
		if p.Name == sampleName {
			return p.ID, nil
		}
	}
	return "", errors.Join(err, bad)
}

// mostProjects is how many projects the sample's is looked for among. Beyond that many
// the conflict is reported.
const mostProjects = 1000

// sampleWarehouse returns the warehouse of the sample data, after connecting it if it
// is missing.
func (o *explorer) sampleWarehouse(ctx context.Context, tenant, user string) (connections.Warehouse, error) {
	w, err := o.store.Create(ctx, tenant, user, connections.Spec{Name: sampleName, Kind: warehouse.DuckDB, Options: map[string]string{"path": duckdb.Sample}})
	if err == nil {
		_, err = o.store.Test(ctx, tenant, w.ID) // so that its page shows that it answers
	}
	if !fault.Is(err, fault.Conflict) {
		return w, err
	}
	list, err := o.store.List(ctx, tenant)
	for _, w := range list {
		if w.Name == sampleName && w.Kind == warehouse.DuckDB {
			return w, nil
		}
	}
	return connections.Warehouse{}, errors.Join(err, fault.New(fault.Conflict, "there is another warehouse called %q", sampleName))
}
