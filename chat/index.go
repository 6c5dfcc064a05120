package chat

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"quaestor/internal/embedding"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// IndexOptions say what an index works with; all are needed but the encoder.
type IndexOptions struct {
	Pool    *pgxpool.Pool
	Hub     *sessions.Hub
	Library *objectives.Library
	Encoder embedding.Encoder                       // nil means full text only
	Tenants func(context.Context) ([]string, error) // whose sessions to index
	Log     *slog.Logger
}

// Index keeps what people can find up to date, after the turns and apart from
// them, and finds it. While the encoder does not work, full text goes on. It is
// safe for concurrent use.
type Index struct {
	IndexOptions

	mu     sync.Mutex
	resume time.Time         // the encoder failed; not before then is it asked again; guarded by mu
	known  map[string]cached // vectors of questions, which most sessions share; guarded by mu
}

type cached struct {
	encoder string
	vector  []float32
}

// NewIndex returns an index.
func NewIndex(o IndexOptions) *Index { return &Index{IndexOptions: o, known: map[string]cached{}} }

// SweepArgs is the job that indexes what changed, of all tenants. There is one at
// a time.
type SweepArgs struct{}

// Kind names the job.
func (SweepArgs) Kind() string { return "search_sweep" }

// InsertOpts makes the job unique, and lets people's research go first.
func (SweepArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Priority: 4, MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: underWay}}
}

// underWay are the states in which a sweep keeps another one out.
var underWay = []rivertype.JobState{rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled}

// Bounds of a sweep.
const (
	sweepEvery      = 5 * time.Second
	sweepLimit      = 30 * time.Second // of one job; what is left is the next one's
	sessionsPerLook = 100              // of a tenant
	textsPerBatch   = 8
	restEach        = 3               // times as long as it worked, for each reply that is being made
	mostRest        = 49              // times as long at most, so that a busy server gives it a fiftieth of a processor
	maxKnown        = 4000            // vectors of questions kept, 2 to 6 KB each
	encoderPause    = 1 * time.Minute // after it failed
)

// Workers returns what adds the index's worker to a queue; see
// [research.QueueOptions].
func (x *Index) Workers() research.AddFunc {
	return func(w *river.Workers) error { return river.AddWorkerSafely(w, &sweepWorker{index: x}) }
}

// Schedule has q sweep every few seconds.
func (x *Index) Schedule(q *research.Queue) {
	q.PeriodicJobs().Add(river.NewPeriodicJob(river.PeriodicInterval(sweepEvery), func() (river.JobArgs, *river.InsertOpts) { return SweepArgs{}, nil },
		&river.PeriodicJobOpts{RunOnStart: true}))
}

type sweepWorker struct {
	river.WorkerDefaults[SweepArgs]
	index *Index
}

// Work sweeps once.
func (w *sweepWorker) Work(ctx context.Context, _ *river.Job[SweepArgs]) error {
	ctx, cancel := context.WithTimeout(ctx, sweepLimit)
	defer cancel()
	return w.index.Sweep(ctx)
}

// Sweep indexes sessions that changed since they were indexed, tenant by tenant,
// of each at most 100, so that a busy server answers people before it indexes.
// Each session is a few transactions of its own: what a sweep leaves, or is cut
// short in, the next goes on with.
func (x *Index) Sweep(ctx context.Context) error {
	tenants, err := x.Tenants(ctx)
	if err != nil {
		return fmt.Errorf("tenants to index: %w", err)
	}
	w := &throttle{waiting: x.Hub.Replying, began: time.Now()}
	for _, tenant := range tenants {
		due, err := sessions.Due(ctx, x.Pool, tenant, x.encoder(), sessionsPerLook)
		if err != nil {
			return err
		}
		for _, u := range due {
			err := x.session(ctx, u, w)
			if err != nil && ctx.Err() == nil {
				x.Log.WarnContext(ctx, "index session", "tenant", tenant, "session", u.Scope.Session, "err", err)
			}
			if !w.rest(ctx) {
				return nil // the next sweep goes on
			}
		}
	}
	return nil
}

// throttle is work of an index that makes room for people: encoding takes the
// processors that turns want, and nobody waits for an index.
type throttle struct {
	waiting func() int // replies that are being made here
	began   time.Time  // to work; reset by each rest
}

// rest lets as long pass as the work took, since somebody may be about to say
// something, and three times as long for each reply that is being made here, at most
// 49 times. It is false when ctx has ended.
func (w *throttle) rest(ctx context.Context) bool {
	pause := time.NewTimer(time.Since(w.began) * time.Duration(min(max(1, restEach*w.waiting()), mostRest)))
	defer pause.Stop()
	select {
	case <-ctx.Done():
	case <-pause.C:
	}
	w.began = time.Now()
	return ctx.Err() == nil
}

// encoder is the name of the encoder, empty while there is none that works.
func (x *Index) encoder() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.Encoder == nil || time.Now().Before(x.resume) {
		return ""
	}
	return x.Encoder.Name()
}

// session indexes one session: its texts, then their vectors, then the merging of
// what turns out to be the same.
func (x *Index) session(ctx context.Context, u sessions.PendingIndex, w *throttle) error {
	turn, err := sessions.Index(ctx, x.Pool, x.Library, u)
	if err != nil {
		return err
	}
	u.Indexed = max(turn, u.Indexed)
	name := x.encoder()
	if name != "" {
		if err := x.vectors(ctx, u.Scope, name, w); err != nil {
			x.rest(ctx, err)
			name = ""
		}
	}
	if err := sessions.Indexed(ctx, x.Pool, u, name); err != nil || name == "" {
		return err
	}
	return x.unite(ctx, u.Scope, name)
}

// rest leaves the encoder alone for a while.
func (x *Index) rest(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	x.mu.Lock()
	x.resume = time.Now().Add(encoderPause)
	x.mu.Unlock()
	x.Log.WarnContext(ctx, "text encoder does not work; searching by words", "err", err)
}

// vectors encodes what a session has without a vector of the encoder.
func (x *Index) vectors(ctx context.Context, s obligations.Scope, encoder string, w *throttle) error {
	for {
		texts, err := sessions.LoadUnencoded(ctx, x.Pool, s, encoder, textsPerBatch)
		if err != nil {
			return err
		}
		if len(texts) == 0 {
			return x.questions(ctx, s, encoder)
		}
		contents := make([]string, len(texts))
		for i, t := range texts {
			contents[i] = t.Content
		}
		made, err := x.Encoder.Encode(ctx, contents)
		if err != nil {
			return err
		}
		if err := sessions.SaveVectors(ctx, x.Pool, s, encoder, texts, made); err != nil {
			return err
		}
		if !w.rest(ctx) {
			return ctx.Err()
		}
	}
}

// questions encodes a session's questions, which are the same in most sessions of
// an objective.
func (x *Index) questions(ctx context.Context, s obligations.Scope, encoder string) error {
	const all = 1000
	keys, err := obligations.Unencoded(ctx, x.Pool, s, encoder, all)
	if err != nil || len(keys) == 0 {
		return err
	}
	list, err := x.load(ctx, s, encoder, nil)
	if err != nil {
		return err
	}
	vectors := map[string][]float32{}
	for _, key := range keys {
		o := obligations.Find(list, key)
		if o == nil {
			continue
		}
		if vectors[key], err = x.question(ctx, obligations.Subject(o.Prompt), encoder); err != nil {
			return err
		}
	}
	return obligations.SaveVectors(ctx, x.Pool, s, encoder, vectors)
}

// question returns the vector of a question, from memory where it can.
func (x *Index) question(ctx context.Context, prompt, encoder string) ([]float32, error) {
	x.mu.Lock()
	held, ok := x.known[prompt]
	x.mu.Unlock()
	if ok && held.encoder == encoder {
		return held.vector, nil
	}
	made, err := x.Encoder.Encode(ctx, []string{prompt})
	if err != nil {
		return nil, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.known) >= maxKnown {
		clear(x.known)
	}
	x.known[prompt] = cached{encoder, made[0]}
	return made[0], nil
}

// load reads a session's obligations and, unless vectors is nil, where their
// questions lie.
func (x *Index) load(ctx context.Context, s obligations.Scope, encoder string, vectors map[string]obligations.Vector) ([]obligations.Obligation, error) {
	var list []obligations.Obligation
	b := postgres.NewBatch(s.Tenant)
	obligations.Load(b, s, x.Library.Templates(ctx, s.Tenant), &list)
	if vectors != nil {
		obligations.LoadVectors(b, s, encoder, vectors)
	}
	if err := b.Send(ctx, x.Pool); err != nil {
		return nil, fmt.Errorf("read obligations of session %s: %w", s.Session, err)
	}
	return list, nil
}

// unite merges what came up in a session into what asks the same, now that
// meanings can be compared. What a reviewer has decided on stays.
func (x *Index) unite(ctx context.Context, s obligations.Scope, encoder string) error {
	vectors := map[string]obligations.Vector{}
	list, err := x.load(ctx, s, encoder, vectors)
	if err != nil {
		return err
	}
	for from, into := range twins(list, vectors) {
		c := reviewEditor{pool: x.Pool, hub: x.Hub, library: x.Library}
		err := c.rule(ctx, s, func(list []obligations.Obligation, turn int) (reviewOutcome, error) {
			changes, err := obligations.Unite(list, from, into, obligations.ReviewDecision{Turn: turn, Source: obligations.SourceEmergent, Reason: from + " asks what " + into + " asks"})
			return reviewOutcome{changes: changes}, err
		})
		if err != nil && fault.KindOf(err) == fault.Internal { // what is refused stays as it is
			return err
		}
	}
	return nil
}

// twins returns which proposals ask what another obligation asks.
func twins(list []obligations.Obligation, vectors map[string]obligations.Vector) map[string]string {
	out := map[string]string{}
	for i := range list {
		o := &list[i]
		if o.Origin.Source != obligations.SourceEmergent || o.MergedInto != "" {
			continue
		}
		earlier := list[:i] // of two proposals the later one goes
		if twin := obligations.Twin(earlier, o.Template, vectors[o.Key], vectors); twin != nil {
			out[o.Key] = twin.Key
		}
	}
	return out
}

// queryPatience is how long a search waits for the vector of its words.
const queryPatience = 2 * time.Second

// exact reports whether a query says what must be there to the letter, or must
// not: what is near it in meaning keeps to neither.
func exact(words string) bool {
	return strings.Contains(words, `"`) || strings.HasPrefix(words, "-") || strings.Contains(words, " -")
}

// Search finds what is nearest to a query's words, in words and, where the
// encoder works, in meaning. See [sessions.Search].
func (x *Index) Search(ctx context.Context, q sessions.Query) ([]sessions.Hit, error) {
	if name := x.encoder(); name != "" && q.Words != "" && !exact(q.Words) {
		patient, cancel := context.WithTimeout(ctx, queryPatience)
		defer cancel()
		if made, err := x.Encoder.Encode(patient, []string{q.Words}); err == nil {
			q.Encoder, q.Vector = name, made[0]
		} else {
			x.rest(ctx, err)
		}
	}
	return sessions.Search(ctx, x.Pool, q)
}
