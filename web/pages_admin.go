package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/research"
	"quaestor/web/ui"
)

// adminPages registers the pages of those who manage an organisation: the queue
// with the server's health, and the settings; and what their forms are sent to.
func (s *Server) adminPages(r chi.Router) {
	r.Route("/admin", func(r chi.Router) {
		r.Use(s.managing)
		r.Get("/jobs", s.handle(s.jobsPage))
		r.Get("/jobs/{job}", s.handle(s.jobPage))
		r.Post("/jobs/{job}/retry", s.handle(s.retryJob))
		r.Post("/jobs/{job}/cancel", s.handle(s.cancelJob))
		r.Post("/queues/{lane}/pause", s.handle(s.pauseLane(research.Pause)))
		r.Post("/queues/{lane}/resume", s.handle(s.pauseLane(research.Resume)))
		s.settingsPages(r)
	})
}

// managing refuses everybody but owners and admins, whatever they ask for.
func (s *Server) managing(next http.Handler) http.Handler {
	return s.handle(func(w http.ResponseWriter, r *http.Request) error {
		if err := need(actorFrom(r.Context()), auth.Manage); err != nil {
			return err
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// operates reports whether an actor decides about what all tenants share: the
// owner in development, and the owners of a tenant that has the server to itself.
func (s *Server) operates(ctx context.Context, a auth.Actor) (bool, error) {
	if a.Role != auth.Owner {
		return false, nil
	}
	if s.Develop != nil && s.Develop.Tenant == a.Tenant {
		return true, nil
	}
	tenants, err := auth.Tenants(ctx, s.Pool)
	return len(tenants) == 1, err
}

// Bounds of the page of jobs.
const (
	jobRows     = 50
	taskRows    = 20
	healthLimit = 3 * time.Second // for each thing that is asked how it is
)

// jobsPage shows the queue; with part=now only what changes, for the page's own
// script.
func (s *Server) jobsPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.jobsView(r)
	if err != nil {
		return err
	}
	if r.URL.Query().Get("part") == "now" {
		return render(w, r, ui.JobsNow(v))
	}
	return render(w, r, ui.Jobs(v))
}

// jobsView takes some fifteen round trips, whatever the number of jobs.
func (s *Server) jobsView(r *http.Request) (ui.JobsView, error) {
	ctx, a := r.Context(), actorFrom(r.Context())
	v := ui.JobsView{Nav: navOf(ctx, ui.AtManage), Filter: ui.ReadJobsFilter(r.URL.Query()), Everyone: a.Role == auth.Owner, At: time.Now()}
	var err error
	if v.Operates, err = s.operates(ctx, a); err != nil {
		return v, err
	}
	q := s.Office.Queue
	if v.Lanes, err = research.Lanes(ctx, q); err != nil {
		return v, err
	}
	whose := a.Tenant
	if v.Everyone {
		whose = ""
	}
	if v.Tallies, err = research.TallyJobs(ctx, s.Pool, q, whose); err != nil {
		return v, err
	}
	v.Jobs, v.Next, err = research.Jobs(ctx, q, research.JobFilter{Tenant: a.Tenant, Of: v.Filter.Of, State: v.Filter.State, Ended: v.Filter.Ended, Kind: v.Filter.Kind, Cursor: v.Filter.Cursor, Max: jobRows})
	if err != nil {
		return v, err
	}
	if v.Tasks, err = research.Page(ctx, s.Pool, a.Tenant, research.Filter{Max: taskRows}); err != nil {
		return v, err
	}
	if v.Research, err = research.Count(ctx, s.Pool, a.Tenant); err != nil {
		return v, err
	}
	v.Health = s.health(ctx, v.Research)
	return v, s.fillLoad(ctx, &v, whose)
}

// troubleRows is how many of the latest failures are shown.
const troubleRows = 5

// fillLoad measures the queues, and finds what was worked and what failed lately.
func (s *Server) fillLoad(ctx context.Context, v *ui.JobsView, whose string) error {
	q, tenant := s.Office.Queue, actorFrom(ctx).Tenant
	var err error
	if v.Loads, err = research.Loads(ctx, s.Pool, q); err != nil {
		return err
	}
	if v.Hours, err = research.Hours(ctx, s.Pool, q, whose); err != nil {
		return err
	}
	if v.Troubles, err = research.Troubles(ctx, s.Pool, q, tenant, v.Operates, troubleRows); err != nil {
		return err
	}
	runs, err := research.LastRuns(ctx, s.Pool, q)
	for _, k := range s.Setup.Regular {
		row := ui.RegularRow{Kind: k.Kind, Every: k.Every}
		if r, ok := runs[k.Kind]; ok {
			row.Last = &r
		}
		v.Regular = append(v.Regular, row)
	}
	return err
}

// routedJob returns the job an address names, if the actor may see it.
func (s *Server) routedJob(r *http.Request) (research.Job, error) {
	id, err := strconv.ParseInt(r.PathValue("job"), 10, 64)
	if err != nil {
		return research.Job{}, fault.New(fault.NotFound, "there is no such job").Coded("job_not_found")
	}
	return research.FindJob(r.Context(), s.Office.Queue, actorFrom(r.Context()).Tenant, id)
}

func (s *Server) jobPage(w http.ResponseWriter, r *http.Request) error {
	j, err := s.routedJob(r)
	if err != nil {
		return err
	}
	operates, err := s.operates(r.Context(), actorFrom(r.Context()))
	if err != nil {
		return err
	}
	return render(w, r, ui.Job(ui.JobView{Nav: navOf(r.Context(), ui.AtManage), Job: j, Operates: operates}))
}

func (s *Server) retryJob(w http.ResponseWriter, r *http.Request) error {
	return s.actOnJob(w, r, func(ctx context.Context, j research.Job) error {
		return research.RetryJob(ctx, s.Office.Queue, j.ID)
	})
}

func (s *Server) cancelJob(w http.ResponseWriter, r *http.Request) error {
	return s.actOnJob(w, r, func(ctx context.Context, j research.Job) error {
		return s.Office.CancelJob(ctx, j, actorFrom(ctx).User)
	})
}

// actOnJob does something with a job of the actor's tenant, or with one of the
// server itself when the actor operates that.
func (s *Server) actOnJob(w http.ResponseWriter, r *http.Request, do func(context.Context, research.Job) error) error {
	j, err := s.routedJob(r)
	if err != nil {
		return err
	}
	if j.Tenant == "" {
		if err := s.needOperator(r.Context()); err != nil {
			return err
		}
	}
	if err := do(r.Context(), j); err != nil {
		return err
	}
	return heard(w, r, "/admin/jobs/"+strconv.FormatInt(j.ID, 10))
}

// pauseLane stops or starts a queue, which all tenants share.
func (s *Server) pauseLane(do func(context.Context, *research.Queue, string) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := s.needOperator(r.Context()); err != nil {
			return err
		}
		if err := do(r.Context(), s.Office.Queue, r.PathValue("lane")); err != nil {
			return err
		}
		return heard(w, r, "/admin/jobs")
	}
}

func (s *Server) needOperator(ctx context.Context) error {
	ok, err := s.operates(ctx, actorFrom(ctx))
	if err == nil && !ok {
		err = fault.New(fault.Forbidden, "this is shared by all organisations of the server; only an owner of the only one decides about it").Coded("shared_by_all")
	}
	return err
}

// health asks everything the server needs how it is.
func (s *Server) health(ctx context.Context, r research.Tally) []ui.Vital {
	out := []ui.Vital{s.databaseHealth(ctx), s.schemaHealth(ctx), s.leaderHealth(ctx), s.serversHealth(ctx),
		{Name: "Interviewer", Well: true, Words: s.Engine.Interviewer()}}
	for _, p := range s.Setup.Parts {
		if p.Name != modelPart { // which is the interviewer
			out = append(out, ui.Vital{Name: p.Title, Well: true, Off: !p.On, Words: p.State})
		}
	}
	if s.Setup.Vitals != nil {
		for _, v := range s.Setup.Vitals(ctx) {
			out = append(out, ui.Vital{Name: v.Name, Well: v.Well, Words: v.Words})
		}
	}
	return append(out, documentsHealth(r.Documents), researchHealth(r))
}

// modelPart is the name of the part that interviews.
const modelPart = "model"

// databaseState is what the database says of itself: its version, its size in bytes,
// connections to it that are open, and how many there may be.
const databaseState = `SELECT current_setting('server_version'), pg_database_size(current_database()),
    (SELECT sum(numbackends) FROM pg_stat_database)::integer, current_setting('max_connections')::integer`

func (s *Server) databaseHealth(ctx context.Context) ui.Vital {
	ctx, cancel := context.WithTimeout(ctx, healthLimit)
	defer cancel()
	began := time.Now()
	v := ui.Vital{Name: "Database"}
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
		ui.Size(size), open, most, st.AcquiredConns(), st.MaxConns())
	return v
}

func (s *Server) schemaHealth(ctx context.Context) ui.Vital {
	v := ui.Vital{Name: "Schema"}
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

func (s *Server) leaderHealth(ctx context.Context) ui.Vital {
	v := ui.Vital{Name: "Leader of the queue"}
	l, err := research.FindLeader(ctx, s.Pool, s.Office.Queue)
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

// serversSeen counts the servers that said lately that they are there.
const serversSeen = `SELECT count(*) FROM instances WHERE seen_at > now() - interval '30 seconds'`

func (s *Server) serversHealth(ctx context.Context) ui.Vital {
	v := ui.Vital{Name: "Servers"}
	n := 0
	if err := s.Pool.QueryRow(ctx, serversSeen).Scan(&n); err != nil {
		v.Words = "cannot be read"
		return v
	}
	v.Well, v.Words = n > 0, fmt.Sprintf("%d seen in the last 30 seconds", n)
	return v
}

func documentsHealth(n map[string]int) ui.Vital {
	return ui.Vital{Name: "Your documents", Well: n["refused"] == 0, Words: fmt.Sprintf("%d read, %d not read, %d gone", n["read"], n["refused"], n["gone"])}
}

func researchHealth(r research.Tally) ui.Vital {
	v := ui.Vital{Name: "Research waiting", Well: true, Words: "nothing waits for something"}
	if len(r.Waiting) > 0 {
		n := 0
		for _, w := range r.Waiting {
			n += w.Count
		}
		v.Well, v.Words = false, fmt.Sprintf("%d: %s", n, r.Waiting[0].Why)
	}
	return v
}

// wordsOf says why something failed: a fault's own words, else that it is not
// known. Nothing of what others sent is shown.
func wordsOf(err error) string {
	var f *fault.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "No answer in time."
	case errors.As(err, &f) && f.Kind != fault.Internal:
		return sentence(f.Error())
	}
	return "It could not be done; the log of the server says why."
}
