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

// IndexOptions configures an index. All fields but the encoder are required.
type IndexOptions struct {
	Pool    *pgxpool.Pool
	Hub     *sessions.Hub
	Library *objectives.Library
	Encoder embedding.Encoder                       // nil means full-text search only
	Tenants func(context.Context) ([]string, error) // whose sessions to index
	Log     *slog.Logger
}

// Index keeps the search index up to date, after turns and apart from them, and searches
// it. While the encoder fails, full-text search goes on. It is safe for concurrent use.
type Index struct {
	IndexOptions

	mu     sync.Mutex
	resume time.Time            // the encoder failed and is not used before then; guarded by mu
	known  map[string][]float32 // vectors of questions, which most sessions share; guarded by mu
}

// NewIndex returns an index.
func NewIndex(o IndexOptions) *Index {
	return &Index{IndexOptions: o, known: map[string][]float32{}}
}

// SweepArgs is the job that indexes what has changed, for all tenants. Only one runs at a
// time.
type SweepArgs struct{}

// Kind returns the name of the job.
func (SweepArgs) Kind() string { return "search_sweep" }

// InsertOpts makes the job unique and gives it a lower priority than research, which people
// wait for.
func (SweepArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Priority: 4, MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: unfinished}}
}

// unfinished are the states in which a sweep keeps out another.
var unfinished = []rivertype.JobState{rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled}

// Bounds of a sweep. Nobody waits for the index, while encoding takes the processors that
// turns need. So a sweep rests as long as it has worked, three times as long for each reply
// that is being made, and at most 49 times: a busy server still gives it a fiftieth of a
// processor. Small batches keep each stretch of work short.
const (
	sweepEvery      = 5 * time.Second
	sweepLimit      = 30 * time.Second // for one job; the next continues
	sessionsPerLook = 100              // of a tenant
	textsPerBatch   = 8
	restPerReply    = 3
	maxRest         = 49
	maxKnown        = 4000        // vectors kept, 2 to 6 KB each
	encoderPause    = time.Minute // after it failed
)

// Workers returns the worker of [SweepArgs] for a queue.
func (x *Index) Workers() research.AddFunc {
	return func(w *river.Workers) error {
		return river.AddWorkerSafely(w, river.WorkFunc(func(ctx context.Context, _ *river.Job[SweepArgs]) error {
			ctx, cancel := context.WithTimeout(ctx, sweepLimit)
			defer cancel()
			return x.Sweep(ctx)
		}))
	}
}

// Schedule has q run a sweep every few seconds.
func (x *Index) Schedule(q *research.Queue) {
	q.PeriodicJobs().Add(river.NewPeriodicJob(river.PeriodicInterval(sweepEvery), func() (river.JobArgs, *river.InsertOpts) { return SweepArgs{}, nil },
		&river.PeriodicJobOpts{RunOnStart: true}))
}

// Sweep indexes sessions that have changed since they were indexed, tenant by tenant and
// at most 100 of each. A session takes a few transactions of its own, so that the next
// sweep continues what this one leaves or is interrupted in.
func (x *Index) Sweep(ctx context.Context) error {
	tenants, err := x.Tenants(ctx)
	if err != nil {
		return fmt.Errorf("tenants to index: %w", err)
	}
	w := &throttle{replying: x.Hub.Replying, start: time.Now()}
	for _, tenant := range tenants {
		due, err := sessions.Due(ctx, x.Pool, tenant, x.encoderName(), sessionsPerLook)
		if err != nil {
			return err
		}
		for _, u := range due {
			err := x.indexSession(ctx, u, w)
			if err != nil && ctx.Err() == nil {
				x.Log.WarnContext(ctx, "index session", "tenant", tenant, "session", u.Scope.Session, "err", err)
			}
			if !w.rest(ctx) {
				return nil // the next sweep continues
			}
		}
	}
	return nil
}

// throttle makes work rest in proportion to how long it took.
type throttle struct {
	replying func() int // number of replies that are being made here
	start    time.Time  // of the work since the last rest
}

// rest pauses for the time that the bounds of a sweep demand. It returns false when ctx
// has ended.
func (w *throttle) rest(ctx context.Context) bool {
	pause := time.NewTimer(time.Since(w.start) * time.Duration(min(max(1, restPerReply*w.replying()), maxRest)))
	defer pause.Stop()
	select {
	case <-ctx.Done():
	case <-pause.C:
	}
	w.start = time.Now()
	return ctx.Err() == nil
}

// encoderName returns the name of the encoder, or "" while none works.
func (x *Index) encoderName() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.Encoder == nil || time.Now().Before(x.resume) {
		return ""
	}
	return x.Encoder.Name()
}

// indexSession indexes the texts of a session, then their vectors, and then merges
// emergent questions that turn out to be the same.
func (x *Index) indexSession(ctx context.Context, u sessions.PendingIndex, w *throttle) error {
	turn, err := sessions.Index(ctx, x.Pool, x.Library, u)
	if err != nil {
		return err
	}
	u.Indexed = max(turn, u.Indexed)
	name := x.encoderName()
	if name != "" {
		if err := x.encode(ctx, u.Scope, name, w); err != nil {
			x.pauseEncoder(ctx, err)
			name = ""
		}
	}
	if err := sessions.Indexed(ctx, x.Pool, u, name); err != nil || name == "" {
		return err
	}
	return x.unite(ctx, u.Scope, name)
}

// pauseEncoder stops using the encoder for a while because of err.
func (x *Index) pauseEncoder(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	x.mu.Lock()
	x.resume = time.Now().Add(encoderPause)
	x.mu.Unlock()
	x.Log.WarnContext(ctx, "text encoder does not work; searching by words", "err", err)
}

// encode stores the vectors that a session lacks: of its texts, then of its questions.
func (x *Index) encode(ctx context.Context, s obligations.Scope, encoder string, w *throttle) error {
	for {
		texts, err := sessions.LoadUnencoded(ctx, x.Pool, s, encoder, textsPerBatch)
		if err != nil {
			return err
		}
		if len(texts) == 0 {
			return x.encodeQuestions(ctx, s, encoder)
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

// encodeQuestions stores the vectors of a session's questions. They are the same in most
// sessions of an objective.
func (x *Index) encodeQuestions(ctx context.Context, s obligations.Scope, encoder string) error {
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
		if vectors[key], err = x.questionVector(ctx, obligations.Subject(o.Prompt)); err != nil {
			return err
		}
	}
	return obligations.SaveVectors(ctx, x.Pool, s, encoder, vectors)
}

// questionVector returns the vector of a question, from memory if possible.
func (x *Index) questionVector(ctx context.Context, prompt string) ([]float32, error) {
	x.mu.Lock()
	vector, ok := x.known[prompt]
	x.mu.Unlock()
	if ok {
		return vector, nil
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
	x.known[prompt] = made[0]
	return made[0], nil
}

// load returns a session's obligations. Unless vectors is nil, it is filled with the
// vectors of their questions, by key.
func (x *Index) load(ctx context.Context, s obligations.Scope, encoder string, vectors map[string]obligations.Vector) ([]obligations.Obligation, error) {
	var list []obligations.Obligation
	var session *sessions.Session
	b := postgres.NewBatch(s.Tenant)
	sessions.Load(b, s, &session)
	obligations.Load(b, s, x.Library.Templates(ctx, s.Tenant), &list)
	if vectors != nil {
		obligations.LoadVectors(b, s, encoder, vectors)
	}
	if err := b.Send(ctx, x.Pool); err != nil || session == nil {
		return list, fault.Wrap(err, "read obligations of session %s", s.Session)
	}
	d, err := x.Library.Definition(ctx, s.Tenant, session.ObjectiveID)
	if err == nil {
		session.Speak(d, list)
	}
	return list, fault.Wrap(err, "read obligations of session %s", s.Session)
}

// unite merges emergent questions into obligations that ask the same, now that meanings
// can be compared. Whatever a reviewer has decided about stays.
func (x *Index) unite(ctx context.Context, s obligations.Scope, encoder string) error {
	vectors := map[string]obligations.Vector{}
	list, err := x.load(ctx, s, encoder, vectors)
	if err != nil {
		return err
	}
	for from, into := range twins(list, vectors) {
		editor := sessions.Editor{Pool: x.Pool, Hub: x.Hub, Library: x.Library}
		err := review(ctx, editor, s, false, func(list []obligations.Obligation, turn int) (reviewOutcome, error) {
			changes, err := obligations.Unite(list, from, into, obligations.ReviewDecision{Turn: turn, Source: obligations.SourceEmergent, Reason: from + " asks what " + into + " asks"})
			return reviewOutcome{changes: changes}, err
		})
		if err != nil && fault.KindOf(err) == fault.Internal { // what is refused stays as it is
			return err
		}
	}
	return nil
}

// twins returns the emergent questions that ask what another obligation asks, with the
// key of that one. Of two emergent questions the later one is merged.
func twins(list []obligations.Obligation, vectors map[string]obligations.Vector) map[string]string {
	out := map[string]string{}
	for i := range list {
		o := &list[i]
		if o.Origin.Source != obligations.SourceEmergent || o.MergedInto != "" {
			continue
		}
		if twin := obligations.Twin(list[:i], o.Template, vectors[o.Key], vectors); twin != nil {
			out[o.Key] = twin.Key
		}
	}
	return out
}

// queryLimit is how long a search waits for the vector of its query. A person who searches
// would rather see full-text results than wait longer.
const queryLimit = 2 * time.Second

// exact reports whether a query demands or excludes exact words. Results that are only
// similar in meaning would ignore that.
func exact(words string) bool {
	return strings.Contains(words, `"`) || strings.HasPrefix(words, "-") || strings.Contains(words, " -")
}

// Search returns what matches the words of a query and, while the encoder works, what is
// similar in meaning. See [sessions.Search].
func (x *Index) Search(ctx context.Context, q sessions.Query) ([]sessions.Hit, error) {
	if name := x.encoderName(); name != "" && q.Words != "" && !exact(q.Words) {
		limited, cancel := context.WithTimeout(ctx, queryLimit)
		defer cancel()
		if made, err := x.Encoder.Encode(limited, []string{q.Words}); err == nil {
			q.Encoder, q.Vector = name, made[0]
		} else {
			x.pauseEncoder(ctx, err)
		}
	}
	return sessions.Search(ctx, x.Pool, q)
}
