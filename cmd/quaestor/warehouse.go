package main

import (
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
	"quaestor/research/warehouse/mysql"
	"quaestor/research/warehouse/pgwire"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/repair"
	"quaestor/research/warehouse/runs"
	"quaestor/research/warehouse/sampledata"
	"quaestor/research/warehouse/schema"
	"quaestor/research/warehouse/snowflake"
	"quaestor/research/warehouse/sqlserver"
	"quaestor/research/warehouse/wire"
	"quaestor/web/data"
)

// governance are the middlewares of this program: each sees every statement that is
// meant for a warehouse, after the guard passed it, and may refuse or rewrite it. A
// program of one's own puts its plug-ins here.
var governance []warehouse.Middleware

// duckdbChild is the hidden subcommand that runs DuckDB in a process of its own.
const duckdbChild = "duckdb-child"

// runWorkers is how many runs one process works at once.
const runWorkers = 4

// catalogTokens is how many tokens of a prompt the list of tables may take.
const catalogTokens = 7_500

// explorer is what explores warehouses.
type explorer struct {
	store    *connections.Store
	index    *schema.Index
	projects projects.Store
	hub      *runs.Hub
	runner   *runs.Runner
	model    *llm.Client // nil for the built-in analyst
	samples  *sampledata.Store
}

// newObservatory builds what explores warehouses; close takes it down.
func newObservatory(s *Settings, pool *pgxpool.Pool, encoder embedding.Encoder, log *slog.Logger) (*explorer, error) {
	sealer, err := s.sealer()
	if err != nil {
		return nil, err
	}
	connectors, err := s.connectors()
	if err != nil {
		return nil, err
	}
	see, err := s.governance()
	if err != nil {
		return nil, err
	}
	o := &explorer{projects: projects.Store{Pool: pool}, samples: sampledata.New(sampleFolder(), duckdb.Built())}
	if o.index, err = schema.New(schema.Options{Pool: pool, Encoder: encoder, Log: log}); err != nil {
		return nil, err
	}
	if o.model, err = newClient(s); err != nil {
		return nil, err
	}
	o.store = connections.New(connections.Options{Pool: pool, Sealer: sealer, Connectors: connectors, Index: o.index, Middleware: see, Allow: s.allowWarehouse, Log: log})
	o.hub = runs.NewHub(pool, log)
	o.runner = runs.NewRunner(runs.Options{Pool: pool, Hub: o.hub, Log: log, Open: o.open, Schema: o.schema, Brief: o.brief, Analyst: o.analyst(s), Mend: o.repair, Price: s.price, Encoder: encoder, Lease: s.ResearchLease})
	return o, nil
}

func (o *explorer) close() {
	o.samples.Close()
	o.hub.Close()
}

// workers add those of runs and of the index to a queue's.
func (o *explorer) workers() []research.AddFunc {
	return []research.AddFunc{o.store.Workers, o.runner.AddTo(migrations.RiverSchema)}
}

// lanes are the queues of runs.
func (o *explorer) lanes() map[string]river.QueueConfig {
	return map[string]river.QueueConfig{runs.Lane: runs.LaneConfig(runWorkers)}
}

// pages is what the pages of warehouses work with.
func (o *explorer) pages(pool *pgxpool.Pool, queue *research.Queue) data.Options {
	return data.Options{Connections: o.store, Index: o.index, Projects: o.projects, Commands: runs.Commands{Pool: pool, Queue: queue, Hub: o.hub}, Queue: queue, Sample: o.sample, SampleData: o.samples}
}

// sealer returns what seals secrets: with the keys of the file that is set, or else
// of one beside a private database, which is made. An outside database without a
// file has none, since every server on it needs the same.
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

// secretsFile is the file of keys; empty for none.
func (s *Settings) secretsFile() string {
	if s.SecretsFile == "" && s.DatabaseURL.IsZero() {
		return filepath.Join(s.DataDir, "secrets.json")
	}
	return s.SecretsFile
}

// everywhere are all addresses: whoever develops on this machine decides alone what
// is reached from it.
var everywhere = []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("::/0")}

// warehouseNetworks are the private networks that warehouses may be in.
func (s *Settings) warehouseNetworks() ([]netip.Prefix, error) {
	if s.Auth == "development" {
		return everywhere, nil
	}
	return prefixes(s.WarehousePrivate, "--warehouse-private")
}

// connectors are the makes of warehouse there are.
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

// allowWarehouse keeps the files of one organisation from the others: each has a
// folder of its own, by its id. In development there is one, and any file is its.
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

// sampleFolder returns where the sample data is put, whether or not it is there yet;
// empty when there is no place for it.
func sampleFolder() string {
	if cluster.SharedDir() == "" {
		return ""
	}
	return filepath.Join(cluster.SharedDir(), "sample")
}

// governance returns what sees statements: the plug-ins, and then the service that
// is set.
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

// price is what calls of a model cost.
func (s *Settings) price(_ string, spent warehouse.TokenUsage) (float64, bool) {
	if s.PromptPrice == 0 && s.ReplyPrice == 0 {
		return 0, false
	}
	return (float64(spent.In)*s.PromptPrice + float64(spent.Out)*s.ReplyPrice) / 1000, true
}

// analyst returns who explores: the model, or else the built-in one.
func (o *explorer) analyst(s *Settings) func(context.Context, string) (warehouse.Analyst, error) {
	var who warehouse.Analyst = builtin.Analyst{}
	if o.model != nil {
		who = &analyst.Model{Client: o.model, Window: s.ModelWindow}
	}
	return func(context.Context, string) (warehouse.Analyst, error) { return who, nil }
}

// repair asks, and repairs what can be repaired.
func (o *explorer) repair(ctx context.Context, src warehouse.Source, q warehouse.Query) (warehouse.Answer, []warehouse.Fix, error) {
	return repair.Run(ctx, repair.Fixer{Model: o.model}, src, q, repair.Options{})
}

// open returns the warehouse of a run as its project sees it.
func (o *explorer) open(ctx context.Context, tenant, id, run string) (warehouse.Source, error) {
	p, err := o.projectOf(ctx, tenant, run)
	if err != nil {
		return nil, err
	}
	return o.store.Open(ctx, tenant, id, connections.View{Schemas: p.Datasets, Filter: p.Filter})
}

func (o *explorer) projectOf(ctx context.Context, tenant, run string) (projects.Project, error) {
	r, err := runs.Find(ctx, o.projects.Pool, tenant, run)
	if err != nil {
		return projects.Project{}, err
	}
	return o.projects.Find(ctx, tenant, r.Project)
}

// schema reads what a warehouse holds now. What is new is found by words; its vectors
// are made when the tables are read again from its page or the API.
func (o *explorer) schema(ctx context.Context, tenant, id string) (runs.Snapshot, error) {
	conn, w, err := o.store.Reach(ctx, tenant, id)
	if err != nil {
		return runs.Snapshot{}, err
	}
	defer conn.Close() //nolint:errcheck // it was read from only
	drift, err := o.index.Refresh(ctx, tenant, id, conn, w.Schemas, nil)
	if fault.Is(err, fault.Conflict) { // somebody else reads it
		return runs.Snapshot{Note: "Its tables are being read."}, nil
	}
	if err != nil {
		return runs.Snapshot{}, err
	}
	return runs.Snapshot{Ready: true, Note: driftWords(drift)}, nil
}

// driftWords say what a look found.
func driftWords(d schema.Drift) string {
	if d.None() {
		return fmt.Sprintf("%d tables, as they were.", d.Tables)
	}
	return fmt.Sprintf("%d tables: %d new, %d gone, %d changed since the last look.", d.Tables, d.Added, d.Removed, d.Changed)
}

// brief says what a run is about.
func (o *explorer) brief(ctx context.Context, r runs.Run) (warehouse.Brief, string, error) {
	p, err := o.projects.Find(ctx, r.Tenant, r.Project)
	if err != nil {
		return warehouse.Brief{}, "", err
	}
	pack, err := o.projects.Pack(ctx, r.Tenant, p.Pack)
	if err != nil {
		return warehouse.Brief{}, "", err
	}
	kit, err := p.Kit(pack)
	if err != nil {
		return warehouse.Brief{}, "", err
	}
	facts, err := o.facts(ctx, r, p)
	if err != nil {
		return warehouse.Brief{}, "", err
	}
	for _, a := range kit.Areas {
		facts.words = append(facts.words, a.Keywords...)
	}
	facts.Catalog = facts.index.Render(catalog.Options{Budget: catalogTokens, Words: facts.words}).Text
	b, err := projects.NewBrief(p, kit, facts.Facts)
	return b, pack.At().String(), err
}

// runFacts are the facts of a run, and what its catalog is made of.
type runFacts struct {
	projects.Facts
	index *catalog.Index
	words []string
}

// facts returns what a run knows besides its project.
func (o *explorer) facts(ctx context.Context, r runs.Run, p projects.Project) (runFacts, error) {
	w, err := o.store.Find(ctx, r.Tenant, r.Warehouse)
	if err != nil {
		return runFacts{}, err
	}
	c, err := o.store.Connector(w.Kind)
	if err != nil {
		return runFacts{}, err
	}
	snapshot, err := o.index.Load(ctx, r.Tenant, r.Warehouse)
	if err != nil {
		return runFacts{}, err
	}
	feedback, err := o.feedback(ctx, r)
	if err != nil {
		return runFacts{}, err
	}
	out := runFacts{index: snapshot.Index, Facts: projects.Facts{Dialect: c.Dialect(), Filter: w.Filter, Areas: r.Areas, MaxSteps: r.MaxSteps, MinSteps: r.MinSteps,
		Previous: projects.PreviousContext(pastOf(r.Previous), feedback)}}
	if len(out.Areas) == 0 {
		out.Areas = nil // all
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

// feedback returns what people thought of the runs before.
func (o *explorer) feedback(ctx context.Context, r runs.Run) ([]projects.Feedback, error) {
	return o.projects.Feedback(ctx, r.Tenant, r.Project, "")
}

// pastOf are the runs before, as a prompt shows them.
func pastOf(list []runs.Previous) []projects.Past {
	out := make([]projects.Past, len(list))
	for i, p := range list {
		out[i] = projects.Past{Run: p.ID, At: p.Ended, Findings: p.Asked}
		if p.Summary != "" {
			out[i].Findings = append([]string{p.Summary}, p.Asked...)
		}
	}
	return out
}

// What the sample is called.
const sampleName = "Sample data"

// sample returns the project of the sample data, which is made when it is not there.
func (o *explorer) sample(ctx context.Context, tenant, user string) (string, error) {
	w, err := o.sampleWarehouse(ctx, tenant, user)
	if err != nil {
		return "", err
	}
	p, err := o.projects.Create(ctx, tenant, user, projects.Draft{Name: sampleName, Warehouse: w.ID}, "")
	if err == nil {
		return p.ID, nil
	}
	if !fault.Is(err, fault.Conflict) {
		return "", err
	}
	list, bad := o.projects.List(ctx, tenant, projects.Place{}, mostProjects)
	for _, p := range list {
		if p.Name == sampleName {
			return p.ID, nil
		}
	}
	return "", errors.Join(err, bad)
}

// mostProjects is among how many the sample is looked for.
const mostProjects = 1000

// sampleWarehouse returns the warehouse of the sample data.
func (o *explorer) sampleWarehouse(ctx context.Context, tenant, user string) (connections.Warehouse, error) {
	w, err := o.store.Create(ctx, tenant, user, connections.Draft{Name: sampleName, Kind: warehouse.DuckDB, Options: map[string]string{"path": duckdb.Sample}})
	if err == nil {
		_, err = o.store.Test(ctx, tenant, w.ID) // so that its page knows that it answers
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
