package model

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/chat"
	"quaestor/internal/postgres"
	"quaestor/sessions"
)

// CallLogOptions configures a call log. Pool and Log are required.
type CallLogOptions struct {
	Pool   *pgxpool.Pool
	Log    *slog.Logger
	Prices chat.Prices // of the model; the zero value costs nothing

	Every time.Duration // how long calls are gathered before a write; zero means 1 s
	Queue int           // calls that may wait to be written; zero means 256
	Pace  int           // most calls written a second; zero means 50
	Rest  time.Duration // pause after a failed write, doubled each time; zero means 200 ms
}

// The log must not take from the database what turns need. 50 calls a second are
// those of 25 turns; a call with its prompt is about 20 KB,
// so a full queue is about 5 MB. The rest is judgement.
const (
	defaultEvery = time.Second
	defaultQueue = 256
	defaultPace  = 50
	defaultRest  = 200 * time.Millisecond

	maxBatch   = 64 // calls written in one transaction
	writeTries = 4
	writeLimit = 10 * time.Second // for one try
)

// CallLog keeps the calls of a model for reviewers. A turn hands its calls over and
// never waits: one goroutine writes them, many at a time and at a limited pace. A call
// that finds the queue full is counted and dropped. It is safe for concurrent use.
type CallLog struct {
	CallLogOptions

	queue   chan sessions.ModelCall
	dropped atomic.Int64
	closing sync.Once
	stop    chan struct{}   // closed when no more calls are accepted
	over    chan struct{}   // closed when everything is written or given up
	life    context.Context //nolint:containedctx // the writer's own life, which no caller provides
	halt    context.CancelFunc

	// Only the writer uses these.
	known  map[rulesKey]time.Time // rules that are in the table, and until when the table says they are used
	packer sessions.Packer
}

// rulesKey identifies a text of rules: each tenant stores its own.
type rulesKey struct {
	tenant string
	hash   sessions.RulesHash
}

// NewCallLog returns a log that writes until [CallLog.Close].
func NewCallLog(o CallLogOptions) *CallLog {
	o.Every, o.Queue, o.Pace, o.Rest = cmp.Or(o.Every, defaultEvery), cmp.Or(o.Queue, defaultQueue), cmp.Or(o.Pace, defaultPace), cmp.Or(o.Rest, defaultRest)
	l := &CallLog{CallLogOptions: o, queue: make(chan sessions.ModelCall, o.Queue), stop: make(chan struct{}), over: make(chan struct{}), known: map[rulesKey]time.Time{}}
	l.life, l.halt = context.WithCancel(context.Background())
	go l.run() // ends with Close, which waits for it
	return l
}

// Keep accepts a finished call. It never blocks.
func (l *CallLog) Keep(c sessions.ModelCall) {
	c.Money = l.Prices.Of(chat.Usage{PromptTokens: c.PromptTokens, CompletionTokens: c.CompletionTokens})
	select {
	case <-l.stop:
		l.dropped.Add(1)
		return
	default:
	}
	select {
	case l.queue <- c:
	default:
		l.dropped.Add(1)
	}
}

// Dropped returns how many calls were not kept because the queue was full or the
// database did not accept them.
func (l *CallLog) Dropped() int64 { return l.dropped.Load() }

// Close accepts no more calls, writes those that wait until ctx ends, and drops the
// rest.
func (l *CallLog) Close(ctx context.Context) {
	l.closing.Do(func() { close(l.stop) })
	select {
	case <-l.over:
	case <-ctx.Done():
	}
	l.halt()
	<-l.over
}

// run gathers calls for a while, writes them, and then pauses to keep the pace. When the
// log closes, it writes what is left without pausing.
func (l *CallLog) run() {
	defer close(l.over)
	for {
		select {
		case c := <-l.queue:
			start := time.Now()
			sleep(l.Every, l.stop)
			batch := l.waiting(c)
			l.save(batch)
			sleep(time.Duration(len(batch))*time.Second/time.Duration(l.Pace)-time.Since(start), l.stop)
		case <-l.stop:
			for batch := l.waiting(); len(batch) > 0; batch = l.waiting() {
				l.save(batch)
			}
			return
		}
	}
}

// sleep waits for d, or until stop is closed, and reports whether d passed.
func sleep(d time.Duration, stop <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-stop:
		return false
	}
}

// waiting adds what is in the queue to batch, up to the size of one write.
func (l *CallLog) waiting(batch ...sessions.ModelCall) []sessions.ModelCall {
	for len(batch) < maxBatch {
		select {
		case c := <-l.queue:
			batch = append(batch, c)
		default:
			return batch
		}
	}
	return batch
}

// save writes calls tenant by tenant.
func (l *CallLog) save(batch []sessions.ModelCall) {
	byTenant := map[string][]sessions.ModelCall{}
	for _, c := range batch {
		if err := c.Check(); err != nil {
			l.drop(c.Scope.Tenant, 1, err)
			continue
		}
		byTenant[c.Scope.Tenant] = append(byTenant[c.Scope.Tenant], bounded(c))
	}
	for tenant, calls := range byTenant {
		l.persist(tenant, calls)
	}
}

// drop counts calls that are lost, and logs why.
func (l *CallLog) drop(tenant string, calls int, err error) {
	l.dropped.Add(int64(calls))
	l.Log.WarnContext(l.life, "calls of the model were not kept", "tenant", tenant, "calls", calls, "err", err)
}

// persist writes calls of one tenant. While the database is away it tries again after
// a rest. What the database refuses is written call by call, so that one it cannot
// take does not cost the others.
func (l *CallLog) persist(tenant string, calls []sessions.ModelCall) {
	rest := l.Rest
	for try := 1; ; try++ {
		err := l.write(tenant, calls)
		switch {
		case err == nil:
			return
		case l.life.Err() == nil && postgres.Code(err) != "" && len(calls) > 1:
			for i := range calls {
				l.persist(tenant, calls[i:i+1])
			}
			return
		case try == writeTries || !sleep(rest, l.life.Done()):
			l.drop(tenant, len(calls), err)
			return
		}
		rest *= 2
	}
}

// Rules are large and the same in most calls, so each text is stored once, with the
// time of its latest use, for which an hour is exact enough.
const (
	maxKnownRules = 1000
	rulesUseEvery = time.Hour
)

// write stores calls of one tenant, those of a turn in one row.
func (l *CallLog) write(tenant string, calls []sessions.ModelCall) error {
	ctx, cancel := context.WithTimeout(l.life, writeLimit)
	defer cancel()
	packs := sessions.PackCalls(calls)
	words := postgres.NewBatch(tenant)
	for _, p := range packs {
		p.QueueWords(words)
	}
	if err := words.Send(ctx, l.Pool); err != nil {
		return err
	}
	b := postgres.NewBatch(tenant)
	b.Relax() // a crash of the database may lose the last second of the log
	saved := map[rulesKey]time.Time{}
	for _, p := range packs {
		hash, list, used := p.Rules()
		key := rulesKey{tenant, hash}
		if until, known := l.known[key]; !known || used.After(until.Add(rulesUseEvery)) {
			sessions.SavePromptRules(b, hash, list, used)
			saved[key] = used
		}
		if err := p.Save(b, hash, &l.packer); err != nil {
			return err
		}
	}
	err := b.Send(ctx, l.Pool)
	if err != nil || len(l.known) > maxKnownRules {
		clear(l.known) // the rules may have been pruned
	}
	if err == nil {
		maps.Copy(l.known, saved)
	}
	return err
}

// Bounds of what is kept of one call, in bytes: several times what prompts and answers
// come to.
const (
	maxText  = 64 << 10
	maxModel = 200
)

// bounded returns c within bounds and as text that the database can store. It sets
// Cut when that is not all of it.
func bounded(c sessions.ModelCall) sessions.ModelCall {
	cut := func(s string, n int) string {
		if len(s) > n {
			s, c.Cut = s[:n], true
		}
		return strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\x00", "")
	}
	c.Model, c.Rules, c.Response = cut(c.Model, maxModel), cut(c.Rules, maxText), cut(c.Response, maxText)
	prompt := make([]sessions.CallMessage, len(c.Prompt))
	for i, m := range c.Prompt {
		prompt[i] = sessions.CallMessage{Role: m.Role, Content: cut(m.Content, maxText)}
	}
	c.Prompt = prompt
	return c
}
