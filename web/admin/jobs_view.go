package admin

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"quaestor/research"
	"quaestor/web/ui"
)

// JobsView is what [Jobs] and [JobsNow] show.
type JobsView struct {
	Nav      ui.Nav
	Health   []Dependency
	Hours    []research.Hour // the last day's, the oldest first
	Troubles []research.LastFailure
	Regular  []RegularRow
	Lanes    []research.QueueState
	Loads    map[string]research.QueueLoad
	Tallies  []research.JobTally // of all that are counted, whatever the filter
	Filter   JobsFilter
	Jobs     []research.Job // newest first, or as the filter says
	Next     string         // cursor of the next page; empty on the last
	Research research.Tally
	Tasks    []research.Task // the tenant's latest
	Everyone bool            // jobs of all organisations are counted
	Operates bool            // the reader decides about what all organisations share
	At       time.Time       // when this was read
}

// JobsFilter says which jobs are wanted; the zero value wants all of both the
// tenant's and the server's own.
type JobsFilter struct {
	Of     research.JobsOf
	State  research.JobState
	Ended  bool // those that are over, the one that ended last first
	Kind   string
	Cursor string // where the page before ended
}

// RegularRow is a kind of job that is due now and then.
type RegularRow struct {
	PeriodicJob
	Last *research.JobRun // nil when it did not run yet, or is not kept any more
}

// JobView is what [Job] shows.
type JobView struct {
	Nav      ui.Nav
	Job      research.Job
	Operates bool // see [JobsView]
}

// Path is the address of the list under f, at a cursor; empty for the first page.
func (f JobsFilter) Path(cursor string) string {
	q := url.Values{}
	for name, value := range map[string]string{"of": string(f.Of), "state": string(f.State), "kind": f.Kind, "cursor": cursor} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if f.Ended {
		q.Set("order", "ended")
	}
	if len(q) == 0 {
		return "/admin/jobs"
	}
	return "/admin/jobs?" + q.Encode()
}

// ReadJobsFilter reads a filter from an address. What is none is left out.
func ReadJobsFilter(q url.Values) JobsFilter {
	f := JobsFilter{Of: research.JobsOf(q.Get("of")), State: research.JobState(q.Get("state")), Kind: q.Get("kind"), Cursor: q.Get("cursor")}
	if f.Of != research.OfTenant && f.Of != research.OfServer {
		f.Of = research.OfBoth
	}
	if !slices.Contains(research.JobStates(), f.State) {
		f.State = ""
	}
	if f.Ended = q.Get("order") == "ended"; f.Ended {
		f.State = ""
	}
	return f
}

// ownerNames name the choices of whose jobs are shown.
var ownerNames = map[research.JobsOf]string{research.OfBoth: "Both", research.OfTenant: "Your organisation", research.OfServer: "The server itself"}

// stateCount counts the jobs in a state.
func (v JobsView) stateCount(s research.JobState) int {
	n := 0
	for _, t := range v.Tallies {
		if s == "" || t.State == s {
			n += t.Count
		}
	}
	return n
}

// kindRow is a kind of job with how many of it are where.
type kindRow struct {
	Kind              string
	Open, Done, Ended int
}

// kinds sums up the tallies by kind, in their order.
func (v JobsView) kinds() []kindRow {
	var out []kindRow
	for _, t := range v.Tallies {
		if len(out) == 0 || out[len(out)-1].Kind != t.Kind {
			out = append(out, kindRow{Kind: t.Kind})
		}
		k := &out[len(out)-1]
		switch t.State {
		case research.JobCompleted:
			k.Done += t.Count
		case research.JobDiscarded, research.JobCancelled:
			k.Ended += t.Count
		default:
			k.Open += t.Count
		}
	}
	return out
}

// jobsCounted says whose jobs are counted.
func (v JobsView) jobsCounted() string {
	if v.Everyone {
		return "Counts are of all organisations on this server; the rows below are those of yours and of the server itself."
	}
	return "Counts and rows are the jobs of your organisation and of the server itself."
}

// mayAct reports whether the reader decides about a job: about those of the server
// itself only who decides about what all share.
func mayAct(j research.Job, operates bool) bool { return j.Tenant != "" || operates }

// jobKindName says what a job of a kind does.
func jobKindName(kind string) string {
	names := map[string]string{"research_desk": "Look something up", "research_rescue": "Find research whose worker died", "documents_sync": "Read folders of documents",
		"search_sweep": "Index what was said", "retention_sweep": "Delete what is over its time", "prompts_prune": "Let go of old prompts", "session_fold": "Summarise an interview", "session_reassess": "Weigh values again",
		"warehouse_run": "Explore data", "warehouse_rescue": "Find explorations whose worker died", "warehouse_refresh": "Read what a warehouse holds", "pack_draft": "Draft a pack", "pack_draft_rescue": "Go on with drafts of packs whose worker died", "warehouse_schedule": "Begin explorations that are due"}
	return cmp.Or(names[kind], strings.ReplaceAll(kind, "_", " "))
}

// laneName says what a queue is for.
func laneName(lane string) string {
	names := map[string]string{"default": "Housekeeping", "research": "Research", "warehouse": "Data", "catalogs": "Catalogs of warehouses", "packs": "Packs"}
	return cmp.Or(names[lane], lane)
}

// jobStateNames are the names of the states for people.
var jobStateNames = map[research.JobState]string{
	research.JobAvailable: "Queued",
	research.JobRunning:   "Running",
	research.JobRetryable: "To be retried",
	research.JobScheduled: "Scheduled",
	research.JobPending:   "Pending",
	research.JobDiscarded: "Failed",
	research.JobCancelled: "Cancelled",
	research.JobCompleted: "Done",
}

// jobStateName is the name of a state for people.
func jobStateName(s research.JobState) string { return cmp.Or(jobStateNames[s], string(s)) }

// jobMoment is the moment that says most about a job, with what happened or will
// happen then.
func jobMoment(j research.Job) (says string, at time.Time) {
	switch {
	case j.Ended != nil:
		return "ended", *j.Ended
	case j.State == research.JobRunning && j.Attempted != nil:
		return "since", *j.Attempted
	}
	return "due", j.Scheduled
}

// jobAttempts says how often a job was tried, and how often it may be.
func jobAttempts(j research.Job) string {
	return strconv.Itoa(j.Attempt) + " of " + strconv.Itoa(j.MaxAttempts)
}

// lastError is what went wrong last; empty when nothing did.
func lastError(j research.Job) string {
	if n := len(j.Failures); n > 0 {
		return ui.Clip(j.Failures[n-1].Error, 160)
	}
	return ""
}

// jobPath is the address of a job's page.
func jobPath(id int64) string { return "/admin/jobs/" + strconv.FormatInt(id, 10) }

// lanePath is where what is to be done with a queue is posted.
func lanePath(name, do string) string { return "/admin/queues/" + url.PathEscape(name) + "/" + do }

// taskNote says why a task waits or what it failed of; empty for neither.
func taskNote(t research.Task) string {
	if t.Failure != "" {
		return t.Failure
	}
	if t.Open() {
		return t.Note
	}
	return ""
}

// hourBar is a rectangle of the picture of the hours, in the units of its view.
type hourBar struct{ Class, X, Y, W, H string }

// The picture of the hours, in its own units.
const (
	hoursWide = 480.0
	hoursHigh = 92.0
	hoursGap  = 4.0
)

// hoursMost is the largest number of jobs that ended in one hour.
func hoursMost(list []research.Hour) int {
	most := 0
	for _, h := range list {
		most = max(most, h.Done+h.Failed+h.Cancelled)
	}
	return most
}

// hourBars are the bars of the picture: for each hour those that are done, and on
// top those that are not.
func hourBars(list []research.Hour) []hourBar {
	most := hoursMost(list)
	if most == 0 {
		return nil
	}
	var out []hourBar
	wide := hoursWide / float64(len(list))
	for i, h := range list {
		x, ground := float64(i)*wide+hoursGap/2, hoursHigh+3
		for _, part := range []struct {
			class string
			n     int
		}{{"hours-done", h.Done}, {"hours-ill", h.Failed + h.Cancelled}} {
			if part.n == 0 {
				continue
			}
			high := max(hoursHigh*float64(part.n)/float64(most), 2)
			ground -= high
			out = append(out, hourBar{part.class, ui.Coordinate(x), ui.Coordinate(max(ground, 0)), ui.Coordinate(wide - hoursGap), ui.Coordinate(high)})
		}
	}
	return out
}

// hoursWords say what the picture shows.
func hoursWords(list []research.Hour) string {
	var done, failed, cancelled int
	for _, h := range list {
		done, failed, cancelled = done+h.Done, failed+h.Failed, cancelled+h.Cancelled
	}
	if done+failed+cancelled == 0 {
		return "No job ended in the last 24 hours."
	}
	return fmt.Sprintf("%s done, %s failed, %s cancelled; %s in the busiest hour.", ui.Thousands(float64(done)), ui.Thousands(float64(failed)), ui.Thousands(float64(cancelled)), ui.Thousands(float64(hoursMost(list))))
}

// hourName is when an hour begins.
func hourName(h research.Hour) string { return h.At.UTC().Format("15:04 UTC") }

// loadWords say what a queue has to do, and how long its jobs wait.
func loadWords(l research.QueueLoad) string {
	out := fmt.Sprintf("%s waiting, %s running, %s to be retried.", ui.Thousands(float64(l.Waiting)), ui.Thousands(float64(l.Running)), ui.Thousands(float64(l.Retrying)))
	if l.Waiting > 0 {
		out += " The oldest waits for " + spanName(l.Oldest) + "."
	}
	if l.Slow > 0 {
		out += " In the last hour half of them began within " + spanName(l.Typical) + ", 19 in 20 within " + spanName(l.Slow) + "."
	}
	return out
}

// spanName is a span of time for people, in its largest unit that fits.
func spanName(d time.Duration) string {
	switch {
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	case d < 10*time.Second:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	case d < 2*time.Minute:
		return strconv.Itoa(int(d.Seconds())) + " s"
	case d < 2*time.Hour:
		return strconv.Itoa(int(d.Minutes())) + " min"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d.Hours())) + " h"
	}
	return ui.Count(int(d.Hours()/24), "day")
}
