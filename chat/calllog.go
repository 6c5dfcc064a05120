package chat

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
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

	known map[knownText]bool // rules that are in the table; the writer's own
}

type knownText struct {
	tenant string
	hash   sessions.TextHash
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
	l := &CallLog{CallLogOptions: o, queue: make(chan sessions.ModelCall, o.Queue), stop: make(chan struct{}), over: make(chan struct{}), known: map[knownText]bool{}}
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
		byTenant[c.Scope.Tenant] = append(byTenant[c.Scope.Tenant], keepable(c))
	}
	for tenant, calls := range byTenant {
		lost := l.persist(tenant, calls)
		if lost == 0 {
			continue
		}
		l.dropped.Add(int64(lost))
		l.Log.WarnContext(l.life, "calls of the model were not kept", "tenant", tenant, "calls", lost)
	}
}

// persist writes calls of one tenant, again after a rest when the database is away,
// and returns how many were lost. What the database refuses is written one by one:
// a call it cannot take does not cost the others.
func (l *CallLog) persist(tenant string, calls []sessions.ModelCall) (lost int) {
	rest := l.Rest
	for try := 1; ; try++ {
		err := l.write(tenant, calls)
		switch {
		case err == nil:
			return 0
		case l.life.Err() != nil:
			return len(calls)
		case postgres.Code(err) != "" && len(calls) > 1:
			for i := range calls {
				lost += l.persist(tenant, calls[i:i+1])
			}
			return lost
		case try == callTries:
			return len(calls)
		}
		if !l.pause(rest) {
			return len(calls)
		}
		rest *= 2
	}
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

// maxKnownTexts bounds the rules that are remembered to be in the table.
const maxKnownTexts = 1000

func (l *CallLog) write(tenant string, calls []sessions.ModelCall) error {
	ctx, cancel := context.WithTimeout(l.life, callLimit)
	defer cancel()
	b := postgres.NewBatch(tenant)
	b.Relax() // a crash of the database may cost a second of it
	var told []knownText
	for _, c := range calls {
		k := knownText{tenant, sha256.Sum256([]byte(c.Rules))}
		if c.Rules != "" && !l.known[k] {
			sessions.SavePromptText(b, k.hash, c.Rules)
			told = append(told, k)
		}
		if err := sessions.SaveCall(b, c, k.hash); err != nil {
			return err
		}
	}
	err := b.Send(ctx, l.Pool)
	if err != nil || len(l.known) > maxKnownTexts {
		clear(l.known) // what was known may have been pruned
	}
	if err == nil {
		for _, k := range told {
			l.known[k] = true
		}
	}
	return err
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
