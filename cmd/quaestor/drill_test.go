package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres/cluster"
)

// drill is a talk of many people on three instances of the program over one database,
// into which faults are put.
type drill struct {
	t    *testing.T
	db   *cluster.Cluster
	dir  string
	args []string

	mu        sync.Mutex
	instances []*program // guarded by mu
	talks     []*talker
	progress  chan struct{} // a token for each turn that was acknowledged
}

// talker is one person with what they said.
type talker struct {
	user    string
	session string   // known from the first turn on
	said    []string // what was acknowledged to its end, in order
	failed  []string // events that a turn failed
}

// TestDrill puts a hundred faults into a talk: instances are killed and told to end,
// connections are cut and PostgreSQL is restarted. Every message that was acknowledged
// is in its session once, with its whole reply, and no turn failed.
func TestDrill(t *testing.T) {
	t.Parallel()

	const faults, people = 100, 6
	d := openDrill(t, people)
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for _, talk := range d.talks {
		all.Go(func() { d.talk(ctx, talk) })
	}
	for n := range faults {
		d.awaitTurns(2)
		d.fault(n)
	}
	d.awaitTurns(people)
	stop()
	all.Wait()

	turns := 0
	for _, talk := range d.talks {
		d.check(talk)
		turns += len(talk.said)
	}
	t.Logf("%d turns under %d faults", turns, faults)
}

func openDrill(t *testing.T, people int) *drill {
	t.Helper()
	dir, err := os.MkdirTemp("", "qst-drill-") // short, for the socket's path
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	db, err := cluster.Start(t.Context(), cluster.Options{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Stop(context.Background()) })
	model := llmtest.New(t)
	model.Handle(func(r llmtest.Request) llmtest.Reply {
		if r.Structured() {
			return llmtest.Reply{JSON: map[string]any{"intent": "answer", "about": nil, "research": []any{}, "proposals": []any{}, "topic": nil, "follow_ups": []any{},
				"relationships": []any{}, "preferences": []any{}, "style": nil, "findings": []any{}}}
		}
		return llmtest.Reply{Text: sentence, FirstDelay: 50 * time.Millisecond, PieceDelay: 20 * time.Millisecond}
	})
	d := &drill{t: t, db: db, dir: dir, progress: make(chan struct{}, 10_000), args: []string{"--database-url", db.URL(), "--model", "test", "--model-url", model.URL()}}
	for range 3 {
		d.instances = append(d.instances, spawn(t, d.args...))
	}
	for n := range people {
		d.talks = append(d.talks, &talker{user: "person" + strconv.Itoa(n)})
	}
	return d
}

// awaitTurns waits until so many more turns were acknowledged.
func (d *drill) awaitTurns(n int) {
	d.t.Helper()
	for len(d.progress) > 0 {
		<-d.progress
	}
	for range n {
		select {
		case <-d.progress:
		case <-time.After(patience):
			d.t.Fatal("nobody gets on with their talk")
		}
	}
}

// fault puts the n-th fault into the talk.
func (d *drill) fault(n int) {
	at := n % len(d.instances)
	switch {
	case n%50 == 24:
		d.restartDatabase(syscall.SIGINT) // fast
		return
	case n%50 == 49:
		d.restartDatabase(syscall.SIGQUIT) // immediate: it recovers from its log
		return
	}
	switch n % 10 {
	case 0, 4:
		d.replace(at, (*program).kill)
	case 2, 6:
		d.replace(at, func(p *program) { p.stop() })
	default:
		d.cut(1 + n%3*10)
	}
}

// replace ends an instance and starts another in its place.
func (d *drill) replace(at int, end func(*program)) {
	d.t.Helper()
	old := d.instance(at)
	end(old)
	old.ended()
	heir := spawn(d.t, d.args...)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.instances[at] = heir
}

func (d *drill) instance(at int) *program {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.instances[at]
}

// cut ends connections of the instances to the database, so many at most.
func (d *drill) cut(most int) {
	d.t.Helper()
	conn, err := pgx.Connect(d.t.Context(), d.db.URL())
	if err != nil {
		return // it is starting; the fault before goes on
	}
	defer func() { _ = conn.Close(context.Background()) }()
	_, _ = conn.Exec(d.t.Context(), `SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY random() LIMIT $1) AS a`, most)
}

// restartDatabase ends PostgreSQL; who watches over it starts it again.
func (d *drill) restartDatabase(how syscall.Signal) {
	d.t.Helper()
	raw, err := os.ReadFile(filepath.Join(d.dir, "pg", "postmaster.pid"))
	if err != nil {
		return // it is down
	}
	line, _, _ := bytes.Cut(raw, []byte("\n"))
	pid, err := strconv.Atoi(string(line))
	if err != nil {
		d.t.Fatalf("the database's process is %q", line)
	}
	_ = syscall.Kill(pid, how)
}

// talk says one thing after another until ctx ends, each until it is acknowledged to
// its end.
func (d *drill) talk(ctx context.Context, talk *talker) {
	for n := 0; ctx.Err() == nil; n++ {
		message := fmt.Sprintf("This is thing %d of %s", n, talk.user)
		for !d.say(talk, message, n) {
			if d.t.Context().Err() != nil {
				return
			}
			time.Sleep(20 * time.Millisecond) // as a client does before it sends again
		}
		talk.said = append(talk.said, message)
		d.progress <- struct{}{}
	}
}

// say sends a message to some instance and reports whether its turn was seen to its
// end.
func (d *drill) say(talk *talker, message string, n int) bool {
	ctx, cancel := context.WithTimeout(d.t.Context(), patience)
	defer cancel()
	p := d.instance(rand.IntN(len(d.instances)))
	resp, err := p.ask(ctx, "/api/discovery-chat", map[string]any{"contextType": "business_profile", "message": message, "userId": talk.user, "clientMessageId": strconv.Itoa(n)})
	if err != nil {
		return false
	}
	defer func() { _ = resp.Body.Close() }()
	s := &stream{t: d.t, lines: bufio.NewReader(resp.Body)}
	if resp.Header.Get("Content-Type") != "text/event-stream" {
		raw, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != http.StatusServiceUnavailable && resp.StatusCode != http.StatusConflict {
			d.t.Errorf("%s was answered %d: %s", message, resp.StatusCode, raw)
		}
		return false
	}
	for e, ok := s.next(); ok; e, ok = s.next() {
		switch e.Type {
		case "session":
			talk.session = fmt.Sprint(e.Data["sessionId"])
		case "error":
			talk.failed = append(talk.failed, e.Raw)
			return true
		case "done":
			return true
		}
	}
	return false
}

// check holds a session against what was acknowledged in it.
func (d *drill) check(talk *talker) {
	d.t.Helper()
	p := d.instance(0)
	if len(talk.failed) > 0 {
		d.t.Errorf("%s: %d turns failed, such as %s", talk.user, len(talk.failed), talk.failed[0])
	}
	var said []string
	replies := 0
	for _, m := range d.messages(p, talk.session) {
		if m.Role == "user" {
			said = append(said, m.Content)
		} else if m.Complete {
			replies++
		}
	}
	if diff := cmp.Diff(talk.said, said); diff != "" {
		d.t.Errorf("%s (-acknowledged +stored):\n%s", talk.user, diff)
	}
	if replies != len(said) {
		d.t.Errorf("%s: %d whole replies to %d messages", talk.user, replies, len(said))
	}
}

type saidMessage struct {
	Role     string
	Content  string
	Complete bool
}

// messages returns a session's transcript, page by page.
func (d *drill) messages(p *program, session string) (out []saidMessage) {
	d.t.Helper()
	for cursor := ""; ; {
		var page struct {
			Items      []saidMessage
			NextCursor string
		}
		if err := json.Unmarshal(p.get(fmt.Sprintf("/api/v1/sessions/%s/messages?cursor=%s", session, cursor)), &page); err != nil {
			d.t.Fatal(err)
		}
		out = append(out, page.Items...)
		if cursor = page.NextCursor; cursor == "" {
			return out
		}
	}
}
