package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"quaestor/chat/eval"
	"quaestor/chat/eval/scripted"
	"quaestor/internal/listening"
	"quaestor/internal/listening/dialogs"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// talkModels are the models whose first words are measured, in the order of the table.
var talkModels = []struct {
	name    string
	talks   int // the first of the held-out dialogs
	pace    scripted.Pace
	failing bool
}{
	{"600 ms, 50 tokens/s", 6, scripted.Pace{First: 600 * time.Millisecond, Every: 20 * time.Millisecond}, false},
	{"300 ms, 150 tokens/s", 6, scripted.Pace{First: 300 * time.Millisecond, Every: time.Second / 150}, false},
	{"slow: 3 s, 10 tokens/s", 2, scripted.Pace{First: 3 * time.Second, Every: 100 * time.Millisecond}, false},
	{"out of order", 4, scripted.Pace{}, true},
}

// benchParallel is how many people talk at a time.
const benchParallel = 6

// measureTalk measures how soon the first words of a reply come in talks about the included
// objectives, by one model and another, with one call a turn and with two.
func (b *bench) measureTalk(ctx context.Context) error {
	list, err := eval.Dialogs(dialogs.HeldOut, "heldout-*/moor-*.txt")
	if err != nil {
		return err
	}
	t := table{left: 2, head: []string{"model", "calls", "n", "bare call", "first words", "prompt", "whole turn", "taken back", "degraded"}}
	for _, m := range talkModels {
		for _, calls := range []string{"2", "1"} {
			if err := b.talkWith(ctx, list, m.talks, m.name, m.pace, m.failing, calls, &t); err != nil {
				return err
			}
		}
	}
	b.tell("First words of a reply", &t, fmt.Sprintf("talks about the included objectives, %d at a time; bare call: the model's own first token; prompt: first words within %v of that.", benchParallel, promptness))
	return nil
}

// talkWith measures one model and adds a row to t.
func (b *bench) talkWith(ctx context.Context, list []*listening.Dialog, talks int, name string, pace scripted.Pace, failing bool, calls string, t *table) (err error) {
	m, url, end, err := startScripted(list)
	if err != nil {
		return err
	}
	defer end()
	m.Pace, m.Failing = pace, failing
	s, err := launch(ctx, modelKind, b.home, append(bare(b.home), "DATABASE_URL="+b.cluster.URL()), b.bin, "serve", "--addr", "127.0.0.1:0", "--model", modelLabel, "--model-url", url, "--model-calls", calls)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	host := func(_ context.Context, contextType, language string) (eval.Host, error) {
		return &httpHost{http: s.http, base: s.base, person: fmt.Sprintf("talker-%d", b.started.Add(1)), contextType: contextType, language: language}, nil
	}
	r, err := eval.RunPrompts(ctx, eval.PromptOptions{Host: host, Dialogs: list, Talks: talks, Parallel: benchParallel}, nil)
	if err != nil {
		return err
	}
	first, whole := sample{r.FirstWords}, sample{r.Whole}
	t.add(name, calls, fmt.Sprint(len(r.FirstWords)), fmt.Sprint(pace.First.Milliseconds()), first.String(), fmt.Sprintf("%.0f %%", 100*r.Within(pace.First, promptness)), whole.String(), fmt.Sprint(r.TakenBack), fmt.Sprint(r.Degraded))
	return nil
}

// startScripted serves a model that knows the dialogs on loopback, until end.
func startScripted(list []*listening.Dialog) (m *scripted.Model, url string, end func(), err error) {
	var defs []*objectives.Definition
	for _, d := range objectives.Shipped() {
		defs = append(defs, d.In("en"), d.In("de"))
	}
	m = scripted.New(list, defs)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", nil, fmt.Errorf("listen for the model: %w", err)
	}
	server := &http.Server{Handler: m, ReadHeaderTimeout: 5 * time.Second}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(l) }) // until it is closed
	return m, "http://" + l.Addr().String() + "/v1", func() { _ = server.Close(); serving.Wait() }, nil
}

// httpHost is a session on a running server.
type httpHost struct {
	http                                *http.Client
	base, person, contextType, language string
	session                             string
}

var _ eval.Host = (*httpHost)(nil)

// Say implements [eval.Host]. It knows nothing of obligations.
func (h *httpHost) Say(ctx context.Context, message string, _ map[string]json.RawMessage) (eval.TurnResult, error) {
	body, err := json.Marshal(map[string]string{"sessionId": h.session, "contextType": h.contextType, "userId": h.person, "message": message, "language": h.language})
	if err != nil {
		return eval.TurnResult{}, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.base+"/api/discovery-chat", bytes.NewReader(body))
	if err != nil {
		return eval.TurnResult{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	sent := time.Now()
	resp, err := h.http.Do(r)
	if err != nil {
		return eval.TurnResult{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 300))
		return eval.TurnResult{}, fmt.Errorf("turn of %s: %s: %s", h.person, resp.Status, text)
	}
	return h.read(resp.Body, sent)
}

// read reads the events of a turn to their end.
func (h *httpHost) read(body io.Reader, sent time.Time) (out eval.TurnResult, err error) {
	lines := bufio.NewScanner(body)
	lines.Buffer(make([]byte, 0, 8<<10), 4<<20)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok {
			continue
		}
		var e struct {
			Type        string
			SessionID   string
			Attempt     int
			Content     string
			Interviewer string
			Degraded    string
			Reason      string
			Detail      string
		}
		if err := json.Unmarshal(data, &e); err != nil {
			return out, err
		}
		switch e.Type {
		case "session":
			h.session = e.SessionID
		case "delta":
			if out.FirstWords == 0 {
				out.FirstWords = time.Since(sent)
			}
			out.TakenBack = out.TakenBack || e.Attempt > 1
		case "message":
			out.Reply, out.Interviewer, out.Degraded = e.Content, e.Interviewer, e.Degraded
		case "question":
			out.Question = new(sessions.Question)
			if err := json.Unmarshal(data, out.Question); err != nil {
				return out, err
			}
		case "error":
			return out, errors.New("event error: " + e.Detail)
		case "done":
			out.Reason = e.Reason
		}
	}
	return out, lines.Err()
}
