package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
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
// sound of the reply, how much of it is the server's own, and the CPU and memory of each.
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
	t := table{left: 1, head: []string{"calls", "n", "after speech", "own share", "CPU ms/turn: server", "postgres", "quiet ms/s", "others", "RSS before MB", "quiet MB", "KB each", "at most MB", "KB each"}}
	for _, n := range []int{1, b.calls} {
		m, err := b.talkAloud(ctx, s, n)
		if err != nil {
			return err
		}
		each := func(rss int64) string { return figure(float64(rss-m.before) / float64(n) / 1024) }
		turn := func(cpu time.Duration) string { return millis(cpu / time.Duration(max(m.own.len(), 1))) }
		t.add(fmt.Sprint(n), fmt.Sprint(m.own.len()), m.whole.String(), m.own.String(), turn(m.talking.server), turn(m.talking.postgres),
			millis(m.listening.server/time.Duration(n)/(idleSettle/time.Second)), figure(m.talking.others().Seconds()/b.window.Seconds()), fmt.Sprint(m.before>>20), fmt.Sprint(m.quiet>>20), each(m.quiet), fmt.Sprint(m.peak>>20), each(m.peak))
	}
	b.tell("Spoken sessions, with the rules and speech that takes no time", &t, "after speech: from the end of what is said to the first byte of the reply, p50 / p99 in ms, the patience included;",
		"own share: from the decision that the person has finished; quiet ms/s: CPU of a call for a second in which nobody speaks;",
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
	whole, own          sample // from the end of speech, and from the decision; guarded by mu
	listening, talking  cost   // while nobody speaks, and while all talk in turns
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
			defer calls[i].close()
		}
	}
	if err == nil {
		m.listening, err = b.costs(s, func() error { return b.pause(ctx, idleSettle) })
	}
	if err == nil {
		m.quiet, err = resident(s.pid())
	}
	if err == nil {
		m.talking, err = b.costs(s, func() error { return b.round(ctx, s, calls, m) })
	}
	return m, err
}

// costs returns the CPU time that is used while do runs.
func (b *bench) costs(s *server, do func() error) (cost, error) {
	before, err := b.spent(s)
	if err == nil {
		err = do()
	}
	if err != nil {
		return cost{}, err
	}
	after, err := b.spent(s)
	return after.minus(before), err
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
				whole, own, err := c.speak(ctx, b.clock)
				if err != nil {
					failures <- err
					return
				}
				m.mu.Lock()
				m.whole.add(whole)
				m.own.add(own)
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

// spokenCall is one call whose microphone is always on.
type spokenCall struct {
	conn   *websocket.Conn
	begins chan chan time.Duration // somebody says something, and is told when it has ended
	hangUp context.CancelFunc
	ended  chan struct{}
}

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
	c := &spokenCall{conn: conn, begins: make(chan chan time.Duration), ended: make(chan struct{})}
	err = c.send(ctx, map[string]any{"type": "start", "rate": callRate, "call": t.name})
	streaming, hangUp := context.WithCancel(ctx)
	c.hangUp = hangUp
	go c.stream(streaming, t.clock)
	if err == nil {
		err = c.until(ctx, func(f callFrame) bool { return f.sound })
	}
	if err == nil {
		err = c.hush(ctx)
	}
	if err != nil {
		c.close()
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

// packet is how much sound a frame has.
const packet = 20 * time.Millisecond

// voiceSound is a vowel of the length of an utterance, in which the server finds speech.
var voiceSound = sync.OnceValue(func() []byte {
	n := int(utterance * callRate / time.Second)
	out := make([]byte, 0, 2*n)
	for i := range n {
		at := float64(i) / callRate
		v := 0.0
		for k := 1.0; k < 12; k++ {
			v += math.Sin(2*math.Pi*k*140*at) / k
		}
		out = binary.LittleEndian.AppendUint16(out, uint16(int16(5000*v*(1+0.3*math.Sin(2*math.Pi*4*at)))))
	}
	return out
})

// stream sends sound as a microphone does, a packet every 20 ms: silence, and what is said.
func (c *spokenCall) stream(ctx context.Context, now clock) {
	defer close(c.ended)
	const size = 2 * callRate * int(packet/time.Millisecond) / 1000
	silent := make([]byte, size)
	var said []byte
	var over chan time.Duration
	for at := now.now(); now.waitUntil(ctx, at); at += packet {
		sound := silent
		if len(said) > 0 {
			sound, said = said[:size], said[size:]
		} else {
			select {
			case over = <-c.begins:
				said = voiceSound()
			default:
			}
		}
		if c.conn.Write(ctx, websocket.MessageBinary, sound) != nil {
			return // whoever reads is told
		}
		if over != nil && len(said) == 0 {
			over <- now.now()
			over = nil
		}
	}
}

// close ends the call.
func (c *spokenCall) close() {
	c.hangUp()
	_ = c.conn.CloseNow()
	<-c.ended
}

// speak says something, and returns how long it took to the first sound of the reply: from its
// end, and from the decision of the server that it has ended.
func (c *spokenCall) speak(ctx context.Context, now clock) (whole, own time.Duration, err error) {
	over := make(chan time.Duration, 1)
	select {
	case c.begins <- over:
	case <-c.ended:
		return 0, 0, errors.New("the call broke")
	}
	if err := c.until(ctx, func(f callFrame) bool { return f.Type == "state" && f.State == "thinking" }); err != nil {
		return 0, 0, err
	}
	decided := now.now()
	if err := c.until(ctx, func(f callFrame) bool { return f.sound }); err != nil {
		return 0, 0, err
	}
	sounds := now.now()
	return sounds - <-over, sounds - decided, c.hush(ctx)
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
