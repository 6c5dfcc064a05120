package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// pace is how fast the model writes.
type pace struct {
	first time.Duration // before the first token
	every time.Duration // between two tokens
}

// What the model is called, and how much it writes. Tokens of five bytes and replies of
// 40 tokens, two or three sentences, are what models answer in interviews.
const (
	modelLabel  = "bench"
	bytesAToken = 5
	replyTokens = 40
)

// reply is the model's answer to every message.
var reply = strings.Repeat("word ", replyTokens)

// call is one request to the model. Instants are of the run's clock.
type call struct {
	arrived time.Duration
	ended   time.Duration // zero while it is answered
}

// model is an OpenAI-compatible server that answers by a script, at a pace: what
// wants JSON gets the understanding of the turn whose marker is in it, anything
// else a reply. It keeps when each turn's calls came and ended, so that its own
// time can be told from the server's.
type model struct {
	clock
	pace   pace
	server *http.Server
	ended  chan struct{} // closed when the server has ended
	url    string

	mu    sync.Mutex
	calls map[string][]*call // by the turn's marker; guarded by mu, with what it holds
}

// startModel starts a model on loopback; the caller closes it.
func startModel(c clock, p pace) (*model, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the model: %w", err)
	}
	m := &model{clock: c, pace: p, url: "http://" + l.Addr().String() + "/v1", ended: make(chan struct{}), calls: map[string][]*call{}}
	m.server = &http.Server{Handler: http.HandlerFunc(m.answer), ReadHeaderTimeout: 5 * time.Second}
	go func() {
		defer close(m.ended)
		_ = m.server.Serve(l)
	}()
	return m, nil
}

// close ends all answers and waits for the server to be gone.
func (m *model) close() error {
	err := m.server.Close()
	<-m.ended
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// begin notes a call of the turn with that marker.
func (m *model) begin(marker string) *call {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := &call{arrived: m.now()}
	m.calls[marker] = append(m.calls[marker], c)
	return c
}

// end records that a call has been answered.
func (m *model) end(c *call) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c.ended = m.now()
}

// take returns the calls of a turn so far and forgets them.
func (m *model) take(marker string) []call {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []call
	for _, c := range m.calls[marker] {
		out = append(out, *c)
	}
	delete(m.calls, marker)
	return out
}

// underway returns for how long between two instants at least one of the calls was
// being answered. The calls are in the order they came.
func underway(calls []call, from, to time.Duration) (total time.Duration) {
	for _, c := range calls {
		end := c.ended
		if end == 0 {
			end = to
		}
		if start, end := max(c.arrived, from), min(end, to); end > start {
			total += end - start
			from = end
		}
	}
	return total
}

// answer answers one call. A call for JSON is the reading of a message.
func (m *model) answer(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	marker, turn := markerIn(body)
	c := m.begin(marker)
	defer m.end(c)
	content := reply
	if bytes.Contains(body, []byte(`"response_format"`)) {
		content = understanding(turn)
	}
	step, ofRun := stepReply(body)
	if ofRun { // at once: what a run takes beside its model is measured
		content, c.arrived = step, m.now()-m.due(0, len(step))
	}
	if bytes.Contains(body, []byte(`"stream":true`)) {
		m.stream(r.Context(), w, c.arrived, content)
		return
	}
	if !m.waitUntil(r.Context(), m.due(c.arrived, len(content)/bytesAToken)) {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"id":"b","object":"chat.completion","created":0,"model":"bench","choices":[{"index":0,"message":{"role":"assistant","content":%s},"finish_reason":"stop"}],%s}`, quoted(content), usage)
}

// due is when the model sends a token of the answer to a call.
func (m *model) due(arrived time.Duration, token int) time.Duration {
	return arrived + m.pace.first + time.Duration(token)*m.pace.every
}

// quoted returns s as JSON.
func quoted(s string) []byte {
	out, _ := json.Marshal(s) // a string always can be written
	return out
}

// What goes around the text of a piece, and what ends a reply.
const (
	usage     = `"usage":{"prompt_tokens":900,"completion_tokens":100,"total_tokens":1000}`
	pieceHead = `data: {"id":"b","object":"chat.completion.chunk","created":0,"model":"bench","choices":[{"index":0,"delta":{"content":`
	pieceTail = "},\"finish_reason\":null}]}\n\n"
	replyEnd  = `data: {"id":"b","object":"chat.completion.chunk","created":0,"model":"bench","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n" +
		`data: {"id":"b","object":"chat.completion.chunk","created":0,"model":"bench","choices":[],` + usage + "}\n\ndata: [DONE]\n\n"
)

// stream sends a text token by token.
func (m *model) stream(ctx context.Context, w http.ResponseWriter, arrived time.Duration, content string) {
	w.Header().Set("Content-Type", "text/event-stream")
	rc := http.NewResponseController(w)
	token := 0
	for piece := range slices.Chunk([]byte(content), bytesAToken) {
		if !m.waitUntil(ctx, m.due(arrived, token)) {
			return
		}
		token++
		if _, err := fmt.Fprintf(w, "%s%s%s", pieceHead, quoted(string(piece)), pieceTail); err != nil || rc.Flush() != nil {
			return
		}
	}
	_, _ = io.WriteString(w, replyEnd)
}
