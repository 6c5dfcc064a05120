package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// What is said in a call, and how it is heard: the speech is scripted and takes no time, so that
// what is measured is the server's own.
const (
	callRate   = 16000                            // samples a second
	utterance  = time.Second                      // that a person speaks
	heardWords = "Our baker is Firm number nine." // an answer that needs no question back
	maxFrame   = 1 << 20
)

// speaker is an OpenAI-compatible API of speech that answers at once.
type speaker struct {
	url    string
	server *http.Server
	ended  chan struct{}
}

func startSpeaker() (*speaker, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for speech: %w", err)
	}
	sound := silentWAV(callRate) // of a second
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/audio/speech", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = w.Write(sound)
	})
	mux.HandleFunc("POST /v1/audio/transcriptions", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_ = json.NewEncoder(w).Encode(map[string]string{"text": heardWords})
	})
	s := &speaker{url: "http://" + l.Addr().String() + "/v1", server: &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}, ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		_ = s.server.Serve(l)
	}()
	return s, nil
}

// close ends all answers and waits for the server to be gone.
func (s *speaker) close() error {
	err := s.server.Close()
	<-s.ended
	return err
}

// silentWAV is a WAV file of n samples at callRate.
func silentWAV(n int) []byte {
	le := func(v, bytes int) []byte {
		var out []byte
		for range bytes {
			out = append(out, byte(v))
			v >>= 8
		}
		return out
	}
	b := append([]byte("RIFF"), le(36+2*n, 4)...)
	b = append(b, "WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00"...)
	b = append(b, le(callRate, 4)...)
	b = append(b, le(2*callRate, 4)...)
	b = append(b, "\x02\x00\x10\x00data"...)
	b = append(b, le(2*n, 4)...)
	return append(b, make([]byte, 2*n)...)
}

// measureCalls measures spoken sessions: the time from the end of what a person says to the first
// sound of the reply, and the memory of each.
func (b *bench) measureCalls(ctx context.Context) (err error) {
	speech, err := startSpeaker()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, speech.close()) }()
	s, err := b.launchSpeaking(ctx, speech.url)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	t := table{left: 1, head: []string{"calls", "n", "first sound", "RSS before MB", "quiet MB", "KB each", "at most MB", "KB each"}}
	for _, n := range []int{1, b.calls} {
		m, err := b.talkAloud(ctx, s, n)
		if err != nil {
			return err
		}
		each := func(rss int64) string { return figure(float64(rss-m.before) / float64(n) / 1024) }
		t.add(fmt.Sprint(n), fmt.Sprint(m.first.len()), m.first.String(), fmt.Sprint(m.before>>20), fmt.Sprint(m.quiet>>20), each(m.quiet), fmt.Sprint(m.peak>>20), each(m.peak))
	}
	b.tell("Spoken sessions, with the rules and speech that takes no time", &t, "first sound: from the end of what is said, which a button tells, to the first byte of the reply, p50 / p99 in ms;",
		"quiet: memory while all listen; at most: while all talk.")
	return nil
}

// launchSpeaking starts a server that speaks through an API.
func (b *bench) launchSpeaking(ctx context.Context, api string) (*server, error) {
	env := append(bare(b.home), "DATABASE_URL="+b.cluster.URL(), "QUAESTOR_SPEECH_URL="+api)
	return launch(ctx, rulesKind, b.home, env, b.bin, "serve", "--addr", "127.0.0.1:0")
}

// callsMeasured is what came of a number of calls at once.
type callsMeasured struct {
	mu                  sync.Mutex
	first               sample // guarded by mu
	before, quiet, peak int64  // bytes of memory
}

// talkAloud holds n calls at once, each about a session of its own.
func (b *bench) talkAloud(ctx context.Context, s *server, n int) (*callsMeasured, error) {
	fmt.Fprintf(b.out, "   measuring %d calls …\n", n)
	talkers := make([]*talker, n)
	for i := range talkers {
		talkers[i] = b.talker(s, "caller")
		if _, err := talkers[i].say(ctx); err != nil {
			return nil, err
		}
	}
	m := &callsMeasured{}
	var err error
	if err = b.pause(ctx, idleSettle); err == nil {
		m.before, err = resident(s.pid())
	}
	calls := make([]*spokenCall, n)
	for i := range calls {
		if err != nil {
			break
		}
		calls[i], err = openCall(ctx, talkers[i])
		if err == nil {
			defer func() { _ = calls[i].conn.CloseNow() }()
		}
	}
	if err == nil {
		err = b.pause(ctx, idleSettle)
	}
	if err == nil {
		m.quiet, err = resident(s.pid())
	}
	if err != nil {
		return nil, err
	}
	return m, b.round(ctx, s, calls, m)
}

// round has all calls talk for a window, and watches the memory.
func (b *bench) round(ctx context.Context, s *server, calls []*spokenCall, m *callsMeasured) error {
	until := b.now() + b.window
	failures := make(chan error, len(calls))
	var all sync.WaitGroup
	for i, c := range calls {
		all.Go(func() {
			b.waitUntil(ctx, b.now()+b.think*time.Duration(i)/time.Duration(len(calls))) // they do not begin in the same moment
			for b.now() < until {
				d, err := c.speak(ctx, b.clock)
				if err != nil {
					failures <- err
					return
				}
				m.mu.Lock()
				m.first.add(d)
				m.mu.Unlock()
				if b.pause(ctx, b.think) != nil {
					return
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	for {
		rss, err := resident(s.pid())
		m.peak = max(m.peak, rss)
		select {
		case err := <-failures:
			return err
		case <-done:
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// spokenCall is one call of somebody who pushes to talk.
type spokenCall struct{ conn *websocket.Conn }

// openCall begins a call about the session of a talker, and silences what is said first.
func openCall(ctx context.Context, t *talker) (*spokenCall, error) {
	conn, resp, err := websocket.Dial(ctx, fmt.Sprintf("%s/api/v1/sessions/%s/voice", t.base, t.session), &websocket.DialOptions{HTTPClient: t.http})
	if resp != nil && resp.Body != nil {
		_ = resp.Body.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("call about session %s: %w", t.session, err)
	}
	conn.SetReadLimit(maxFrame)
	c := &spokenCall{conn}
	err = c.send(ctx, map[string]any{"type": "start", "rate": callRate, "mode": "push", "call": t.name})
	if err == nil {
		err = c.until(ctx, func(f callFrame) bool { return f.sound })
	}
	if err == nil {
		err = c.hush(ctx)
	}
	return c, err
}

// callFrame is what the server sends.
type callFrame struct {
	sound  bool
	Type   string
	State  string
	Detail string
}

// speak says something, and returns how long it took from its end to the first sound of the reply.
func (c *spokenCall) speak(ctx context.Context, now clock) (time.Duration, error) {
	if err := c.send(ctx, map[string]any{"type": "press"}); err != nil {
		return 0, err
	}
	for range 10 {
		if err := c.conn.Write(ctx, websocket.MessageBinary, make([]byte, 2*callRate*int(utterance/time.Millisecond)/1000/10)); err != nil {
			return 0, err
		}
	}
	if err := c.send(ctx, map[string]any{"type": "release"}); err != nil {
		return 0, err
	}
	ended := now.now()
	if err := c.until(ctx, func(f callFrame) bool { return f.sound }); err != nil {
		return 0, err
	}
	took := now.now() - ended
	return took, c.hush(ctx)
}

// hush breaks off what is said.
func (c *spokenCall) hush(ctx context.Context) error {
	if err := c.send(ctx, map[string]any{"type": "interrupt"}); err != nil {
		return err
	}
	return c.until(ctx, func(f callFrame) bool { return f.Type == "state" && f.State == "listening" })
}

func (c *spokenCall) send(ctx context.Context, frame map[string]any) error {
	body, err := json.Marshal(frame)
	if err != nil {
		return err
	}
	return c.conn.Write(ctx, websocket.MessageText, body)
}

// until reads up to the first frame that fits.
func (c *spokenCall) until(ctx context.Context, fits func(callFrame) bool) error {
	for {
		kind, data, err := c.conn.Read(ctx)
		if err != nil {
			return fmt.Errorf("the call broke: %w", err)
		}
		f := callFrame{sound: kind == websocket.MessageBinary}
		if !f.sound {
			if err := json.Unmarshal(data, &f); err != nil {
				return err
			}
		}
		if f.Type == "end" || f.Type == "trouble" {
			return fmt.Errorf("the call told %s: %s", f.Type, f.Detail)
		}
		if fits(f) {
			return nil
		}
	}
}
