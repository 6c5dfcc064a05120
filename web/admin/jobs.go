package admin

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/research"
	"quaestor/web"
	"quaestor/web/ui"
)

// operates reports whether an actor decides about what all organisations of the server
// share: the owner in development, and the owners of an organisation that has the
// server to itself.
func (s *Handlers) operates(ctx context.Context, a auth.Actor) (bool, error) {
	if a.Role != auth.Owner {
		return false, nil
	}
	if s.Develop != nil && s.Develop.Tenant == a.Tenant {
		return true, nil
	}
	tenants, err := auth.Tenants(ctx, s.Pool)
	return len(tenants) == 1, err
}

// Limits of the page of jobs. A dependency that does not answer within healthLimit is
// shown as ill, so that the page comes even when one hangs.
const (
	jobRows     = 50
	taskRows    = 20
	healthLimit = 3 * time.Second // for each thing that is asked how it is
)

// jobsPage shows the queue; with part=now only what changes, for the page's own
// script.
func (s *Handlers) jobsPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.jobsView(r)
	if err != nil {
		return err
	}
	if r.URL.Query().Get("part") == "now" {
		return web.Render(w, r, JobsNow(v))
	}
	return web.Render(w, r, Jobs(v))
}

// jobsView takes some fifteen round trips, whatever the number of jobs.
func (s *Handlers) jobsView(r *http.Request) (JobsView, error) {
	ctx, a := r.Context(), web.ActorFrom(r.Context())
	v := JobsView{Nav: web.NavOf(ctx, ui.AtManage), Filter: ReadJobsFilter(r.URL.Query()), Everyone: a.Role == auth.Owner, At: time.Now()}
	whose := a.Tenant
	if v.Everyone {
		whose = ""
	}
	q := s.Commands.Queue
	// None of these needs another, so only the first error matters.
	var errOperates, errLanes, errTallies, errJobs, errTasks, errResearch error
	v.Operates, errOperates = s.operates(ctx, a)
	v.Lanes, errLanes = research.Lanes(ctx, q)
	v.Tallies, errTallies = research.TallyJobs(ctx, s.Pool, q, whose)
	v.Jobs, v.Next, errJobs = research.Jobs(ctx, q, research.JobFilter{Tenant: a.Tenant, Of: v.Filter.Of, State: v.Filter.State, Ended: v.Filter.Ended, Kind: v.Filter.Kind, Cursor: v.Filter.Cursor, Max: jobRows})
	v.Tasks, errTasks = research.Page(ctx, s.Pool, a.Tenant, research.Filter{Max: taskRows})
	v.Research, errResearch = research.Count(ctx, s.Pool, a.Tenant)
	if err := cmp.Or(errOperates, errLanes, errTallies, errJobs, errTasks, errResearch); err != nil {
		return v, err
	}
	v.Health = s.health(ctx, v.Research)
	return v, s.fillLoad(ctx, &v, whose)
}

// troubleRows is how many of the latest failures are shown.
const troubleRows = 5

// fillLoad measures the queues, and finds what was worked and what failed lately.
func (s *Handlers) fillLoad(ctx context.Context, v *JobsView, whose string) error {
	q, tenant := s.Commands.Queue, web.ActorFrom(ctx).Tenant
	var errLoads, errHours, errTroubles error
	v.Loads, errLoads = research.Loads(ctx, s.Pool, q)
	v.Hours, errHours = research.Hours(ctx, s.Pool, q, whose)
	v.Troubles, errTroubles = research.Troubles(ctx, s.Pool, q, tenant, v.Operates, troubleRows)
	runs, errRuns := research.LastRuns(ctx, s.Pool, q)
	for _, k := range s.Setup.Regular {
		row := RegularRow{PeriodicJob: k}
		if r, ok := runs[k.Kind]; ok {
			row.Last = &r
		}
		v.Regular = append(v.Regular, row)
	}
	return cmp.Or(errLoads, errHours, errTroubles, errRuns)
}

// routedJob returns the job an address names, if the actor may see it.
func (s *Handlers) routedJob(r *http.Request) (research.Job, error) {
	id, err := strconv.ParseInt(r.PathValue("job"), 10, 64)
	if err != nil {
		return research.Job{}, fault.New(fault.NotFound, "there is no such job").Coded("job_not_found")
	}
	return research.FindJob(r.Context(), s.Commands.Queue, web.ActorFrom(r.Context()).Tenant, id)
}

func (s *Handlers) jobView(r *http.Request) (JobView, error) {
	j, errJob := s.routedJob(r)
	operates, errOperates := s.operates(r.Context(), web.ActorFrom(r.Context()))
	return JobView{Nav: web.NavOf(r.Context(), ui.AtManage), Job: j, Operates: operates}, cmp.Or(errJob, errOperates)
}

func (s *Handlers) retryJob(ctx context.Context, j research.Job) error {
	return research.RetryJob(ctx, s.Commands.Queue, j.ID)
}

func (s *Handlers) cancelJob(ctx context.Context, j research.Job) error {
	return s.Commands.CancelJob(ctx, j, web.ActorFrom(ctx).User)
}

// submitJob returns the handler that does something with a job of the actor's tenant, or
// with one of the server itself when the actor operates that.
func (s *Handlers) submitJob(do func(context.Context, research.Job) error) http.HandlerFunc {
	return s.Handle(func(w http.ResponseWriter, r *http.Request) error {
		j, err := s.routedJob(r)
		if err == nil && j.Tenant == "" {
			err = s.needOperator(r.Context())
		}
		if err == nil {
			err = do(r.Context(), j)
		}
		if err != nil {
			return err
		}
		return web.EndForm(w, r, jobPath(j.ID))
	})
}

// controlQueue returns the handler that pauses or resumes a queue, which all
// organisations share.
func (s *Handlers) controlQueue(do func(context.Context, *research.Queue, string) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		err := s.needOperator(r.Context())
		if err == nil {
			err = do(r.Context(), s.Commands.Queue, r.PathValue("queue"))
		}
		if err != nil {
			return err
		}
		return web.EndForm(w, r, "/admin/jobs")
	}
}

// needOperator refuses actors who may not decide about what all organisations share.
func (s *Handlers) needOperator(ctx context.Context) error {
	ok, err := s.operates(ctx, web.ActorFrom(ctx))
	if err == nil && !ok {
		err = fault.New(fault.Forbidden, "this is shared by all organisations of the server; only an owner of the only one decides about it").Coded("shared_by_all")
	}
	return err
}

// health asks everything that the server needs for its health. None of it fails the
// page: what cannot be asked is shown as ill.
func (s *Handlers) health(ctx context.Context, r research.Tally) []Dependency {
	out := []Dependency{s.databaseHealth(ctx), s.schemaHealth(ctx), s.leaderHealth(ctx), s.serversHealth(ctx),
		{Name: "Interviewer", Well: true, Words: s.interviewer(ctx)}}
	for _, p := range s.Setup.Parts {
		if p.Name != modelPart { // which is the interviewer
			out = append(out, Dependency{Name: p.Title, Well: true, Off: !p.On, Words: p.State})
		}
	}
	if s.Setup.Vitals != nil {
		out = append(out, s.Setup.Vitals(ctx)...)
	}
	return append(out, documentsHealth(r.Documents), researchHealth(r))
}

// modelPart is the name of the part that interviews.
const modelPart = "model"

// databaseState is what the database says of itself: its version, its size in bytes,
// connections to it that are open, and how many there may be.
const databaseState = `SELECT current_setting('server_version'), pg_database_size(current_database()),
    (SELECT sum(numbackends) FROM pg_stat_database)::integer, current_setting('max_connections')::integer`

// databaseHealth is ill from nine tenths of the connections on: migrations and psql need
// some as well.
func (s *Handlers) databaseHealth(ctx context.Context) Dependency {
	ctx, cancel := context.WithTimeout(ctx, healthLimit)
	defer cancel()
	began := time.Now()
	v := Dependency{Name: "Database"}
	var version string
	var size int64
	var open, most int
	if err := s.Pool.QueryRow(ctx, databaseState).Scan(&version, &size, &open, &most); err != nil {
		v.Words = "does not answer"
		return v
	}
	st := s.Pool.Stat()
	v.Well = open*10 < most*9
	v.Words = fmt.Sprintf("PostgreSQL %s answers in %.1f ms; %s; %d of its %d connections are taken, %d of this server's %d are in use", version, float64(time.Since(began).Microseconds())/1000,
		ui.SizeName(size), open, most, st.AcquiredConns(), st.MaxConns())
	return v
}

// schemaHealth is ill while migrations are pending.
func (s *Handlers) schemaHealth(ctx context.Context) Dependency {
	v := Dependency{Name: "Schema"}
	if s.Setup.Pending == nil {
		v.Well, v.Words = true, "not asked"
		return v
	}
	ctx, cancel := context.WithTimeout(ctx, healthLimit)
	defer cancel()
	n, err := s.Setup.Pending(ctx)
	switch {
	case err != nil:
		v.Words = "cannot be read"
	case n > 0:
		v.Words = fmt.Sprintf("%d migrations are pending: quaestor migrate", n)
	default:
		v.Well, v.Words = true, "newest"
	}
	return v
}

// leaderHealth is ill without a leader, the one server that queues periodic jobs.
func (s *Handlers) leaderHealth(ctx context.Context) Dependency {
	v := Dependency{Name: "Leader of the queue"}
	l, err := research.FindLeader(ctx, s.Pool, s.Commands.Queue)
	switch {
	case err != nil:
		v.Words = "cannot be read"
	case l == nil:
		v.Words = "none: what is due now and then is not queued"
	default:
		v.Well, v.Words = true, l.ID+", since "+l.Since.UTC().Format("2 Jan 2006, 15:04 UTC")
	}
	return v
}

// serversSeen counts the servers that gave a sign of life lately.
const serversSeen = `SELECT count(*) FROM instances WHERE seen_at > now() - interval '30 seconds'`

// serversHealth counts this server too; none means that even it cannot write.
func (s *Handlers) serversHealth(ctx context.Context) Dependency {
	v := Dependency{Name: "Servers"}
	n := 0
	if err := s.Pool.QueryRow(ctx, serversSeen).Scan(&n); err != nil {
		v.Words = "cannot be read"
		return v
	}
	v.Well, v.Words = n > 0, fmt.Sprintf("%d seen in the last 30 seconds", n)
	return v
}

// documentsHealth is ill while a document could not be read.
func documentsHealth(n map[string]int) Dependency {
	return Dependency{Name: "Your documents", Well: n["refused"] == 0, Words: fmt.Sprintf("%d read, %d not read, %d gone", n["read"], n["refused"], n["gone"])}
}

// researchHealth is ill while tasks wait for something, such as a search engine.
func researchHealth(r research.Tally) Dependency {
	v := Dependency{Name: "Research waiting", Well: true, Words: "nothing waits for something"}
	if len(r.Waiting) > 0 {
		n := 0
		for _, w := range r.Waiting {
			n += w.Count
		}
		v.Well, v.Words = false, fmt.Sprintf("%d: %s", n, r.Waiting[0].Why)
	}
	return v
}
