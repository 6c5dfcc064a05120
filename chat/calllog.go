package chat

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/postgres"
	"quaestor/sessions"
)

// CallLogOptions say what a call log works with; pool and log are needed.
type CallLogOptions struct {
	Pool   *pgxpool.Pool
	Log    *slog.Logger
	Prices Prices // of the model; the zero value is one that costs nothing

	Every time.Duration // how long calls are gathered; zero means 1 s
	Queue int           // calls that may wait to be written; zero means 256
	Pace  int           // calls written in a second at most; zero means 50
	Rest  time.Duration // after a write that failed, doubled each time; zero means 200 ms
}

const (
	gatherCalls = time.Second
	queuedCalls = 256
	callsPace   = 50
	restCalls   = 200 * time.Millisecond

	callsAtOnce = 64 // written in one transaction
	callTries   = 4
	callLimit   = 10 * time.Second // for one write
)

// CallLog keeps the calls of a model for reviewers. A turn hands its calls over
// and never waits: one goroutine writes what has come, many at a time and so many a
// second, and a call that finds the queue full is not kept but counted. It is safe
// for concurrent use.
type CallLog struct {
	CallLogOptions

	queue   chan sessions.ModelCall
	dropped atomic.Int64
	closing sync.Once
	stop    chan struct{}   // closed when no more calls are taken
	over    chan struct{}   // closed when everything is written, or given up
	life    context.Context //nolint:containedctx // the writer's own life, which no call brings along
	halt    context.CancelFunc

	known  map[knownRules]time.Time // rules that are in the table, and until when that says they are used; the writer's own
	packer sessions.Packer          // the writer's own
}

type knownRules struct {
	tenant string
	hash   sessions.RulesHash
}

// NewCallLog returns a log that writes until [CallLog.Close].
func NewCallLog(o CallLogOptions) *CallLog {
	if o.Every == 0 {
		o.Every = gatherCalls
	}
	if o.Queue == 0 {
		o.Queue = queuedCalls
	}
	if o.Pace == 0 {
		o.Pace = callsPace
	}
	if o.Rest == 0 {
		o.Rest = restCalls
	}
	l := &CallLog{CallLogOptions: o, queue: make(chan sessions.ModelCall, o.Queue), stop: make(chan struct{}), over: make(chan struct{}), known: map[knownRules]time.Time{}}
	l.life, l.halt = context.WithCancel(context.Background())
	go l.run() // ends with Close, which waits for it
	return l
}

// Keep takes a call that is over. It never blocks.
func (l *CallLog) Keep(c sessions.ModelCall) {
	c.Money = l.Prices.Of(Usage{PromptTokens: c.PromptTokens, CompletionTokens: c.CompletionTokens})
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

// Dropped returns how many calls were not kept: the queue was full, or the
// database did not take them.
func (l *CallLog) Dropped() int64 { return l.dropped.Load() }

// Close takes no more calls, writes those that wait until ctx ends, and gives up
// the rest.
func (l *CallLog) Close(ctx context.Context) {
	l.closing.Do(func() { close(l.stop) })
	select {
	case <-l.over:
	case <-ctx.Done():
	}
	l.halt()
	<-l.over
}

func (l *CallLog) run() {
	defer close(l.over)
	for {
		select {
		case c := <-l.queue:
			began := time.Now()
			list := l.gather(c)
			l.save(list)
			l.breathe(time.Duration(len(list))*time.Second/time.Duration(l.Pace) - time.Since(began))
		case <-l.stop:
			for list := l.waiting(nil); len(list) > 0; list = l.waiting(nil) {
				l.save(list)
			}
			return
		}
	}
}

// breathe lets d pass, so that a crowd's prompts do not take from the database what
// its turns need; what finds the queue full meanwhile is dropped. The end of the log
// ends it.
func (l *CallLog) breathe(d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-l.stop:
	}
}

// gather waits for more calls to be written with the first one.
func (l *CallLog) gather(first sessions.ModelCall) []sessions.ModelCall {
	list := []sessions.ModelCall{first}
	timer := time.NewTimer(l.Every)
	defer timer.Stop()
	for len(list) < callsAtOnce {
		select {
		case c := <-l.queue:
			list = append(list, c)
		case <-timer.C:
			return list
		case <-l.stop:
			return l.waiting(list)
		}
	}
	return list
}

// waiting adds to list what is in the queue, up to one write.
func (l *CallLog) waiting(list []sessions.ModelCall) []sessions.ModelCall {
	for len(list) < callsAtOnce {
		select {
		case c := <-l.queue:
			list = append(list, c)
		default:
			return list
		}
	}
	return list
}

// save writes calls, each tenant's by themselves.
func (l *CallLog) save(list []sessions.ModelCall) {
	byTenant := map[string][]sessions.ModelCall{}
	for _, c := range list {
		if err := c.Check(); err != nil {
			l.lose(c.Scope.Tenant, 1, err)
			continue
		}
		byTenant[c.Scope.Tenant] = append(byTenant[c.Scope.Tenant], keepable(c))
	}
	for tenant, calls := range byTenant {
		if lost, err := l.persist(tenant, calls); lost > 0 {
			l.lose(tenant, lost, err)
		}
	}
}

func (l *CallLog) lose(tenant string, calls int, err error) {
	l.dropped.Add(int64(calls))
	l.Log.WarnContext(l.life, "calls of the model were not kept", "tenant", tenant, "calls", calls, "err", err)
}

// persist writes calls of one tenant, again after a rest when the database is away,
// and returns how many were lost, and why. What the database refuses is written one
// by one: a call it cannot take does not cost the others.
func (l *CallLog) persist(tenant string, calls []sessions.ModelCall) (lost int, err error) {
	rest := l.Rest
	for try := 1; ; try++ {
		err := l.write(tenant, calls)
		switch {
		case err == nil:
			return 0, nil
		case l.life.Err() != nil:
			return len(calls), err
		case postgres.Code(err) != "" && len(calls) > 1:
			return l.persistEach(tenant, calls)
		case try == callTries:
			return len(calls), err
		}
		if !l.pause(rest) {
			return len(calls), err
		}
		rest *= 2
	}
}

func (l *CallLog) persistEach(tenant string, calls []sessions.ModelCall) (lost int, last error) {
	for i := range calls {
		n, err := l.persist(tenant, calls[i:i+1])
		if n > 0 {
			lost, last = lost+n, err
		}
	}
	return lost, last
}

// pause lets d pass and reports false when the log is given up first.
func (l *CallLog) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-l.life.Done():
		return false
	}
}

const (
	maxKnownRules = 1000      // that are remembered to be in the table
	toldRules     = time.Hour // after which their use is told again
)

// write keeps calls of one tenant, those of a turn in one row.
func (l *CallLog) write(tenant string, calls []sessions.ModelCall) error {
	ctx, cancel := context.WithTimeout(l.life, callLimit)
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
	b.Relax() // a crash of the database may cost a second of it
	told := map[knownRules]time.Time{}
	for _, p := range packs {
		if err := l.add(b, p, told); err != nil {
			return err
		}
	}
	err := b.Send(ctx, l.Pool)
	if err != nil || len(l.known) > maxKnownRules {
		clear(l.known) // what was known may have been pruned
	}
	if err == nil {
		maps.Copy(l.known, told)
	}
	return err
}

// add queues a pack in the batch, and its rules unless the table has them.
func (l *CallLog) add(b *postgres.Batch, p *sessions.CallPack, told map[knownRules]time.Time) error {
	hash, list, used := p.Rules()
	k := knownRules{b.Tenant(), hash}
	until, known := l.known[k]
	if already, ok := told[k]; ok {
		until, known = already, true
	}
	if !known || used.After(until.Add(toldRules)) {
		sessions.SavePromptRules(b, hash, list, used)
		told[k] = used
	}
	return p.Save(b, hash, &l.packer)
}

// Bounds of what is kept of one call, in bytes.
const (
	maxKeptRules    = 64 << 10
	maxKeptMessage  = 64 << 10
	maxKeptResponse = 64 << 10
	maxKeptModel    = 200
)

// keepable returns c within bounds, in text that a database takes.
func keepable(c sessions.ModelCall) sessions.ModelCall {
	c.Model = kept(c.Model, maxKeptModel, &c.Cut)
	c.Rules = kept(c.Rules, maxKeptRules, &c.Cut)
	c.Response = kept(c.Response, maxKeptResponse, &c.Cut)
	prompt := make([]sessions.CallMessage, len(c.Prompt))
	for i, m := range c.Prompt {
		prompt[i] = sessions.CallMessage{Role: m.Role, Content: kept(m.Content, maxKeptMessage, &c.Cut)}
	}
	c.Prompt = prompt
	return c
}

// kept returns at most the first n bytes of s, whole characters, and notes when
// that is not all.
func kept(s string, n int, cut *bool) string {
	if len(s) > n {
		s, *cut = s[:n], true
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\x00", "")
}

// failureOf names what went wrong with a call; empty when nothing did.
func failureOf(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, context.Canceled):
		return "canceled"
	}
	return reason(err)
}
