package scripted

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"quaestor/internal/listening"
	"quaestor/sessions/objectives"
)

// Behaviour is how a model keeps to what it is told.
type Behaviour string

// The behaviours.
const (
	Obedient    Behaviour = "obedient"    // meets the person briefly and asks what the plan asks
	Wordy       Behaviour = "wordy"       // says five sentences where two will do, and something after the question
	Disobedient Behaviour = "disobedient" // asks something else, and claims what nobody said
	Weak        Behaviour = "weak"        // like a model of 3 billion parameters: broken JSON now and then, two questions or none
	Foreign     Behaviour = "foreign"     // answers in French, whatever the person writes
	Injected    Behaviour = "injected"    // does what a text in the data tells it to
)

// Behaviours are all of them, in the order of reports.
var Behaviours = []Behaviour{Obedient, Wordy, Disobedient, Weak, Foreign, Injected}

// Pace is how fast a model writes.
type Pace struct {
	First time.Duration // before the first token
	Every time.Duration // between two tokens
}

// bytesAToken is how long a token of a model is, on average.
const bytesAToken = 4

// Model answers as its behaviour wants. It is safe for concurrent use, and its fields must
// not change once it serves.
type Model struct {
	Behaviour Behaviour
	Pace      Pace
	Failing   bool // every call is answered with status 500

	said    map[string]*listening.Said // labelled messages by their text
	others  map[string][]string        // questions by the name of the objective
	written atomic.Int64               // tokens
}

// New returns an obedient model that knows the messages of those dialogs, and the questions
// of those objectives.
func New(dialogs []*listening.Dialog, defs []*objectives.Definition) *Model {
	m := &Model{Behaviour: Obedient, said: map[string]*listening.Said{}, others: map[string][]string{}}
	for _, d := range dialogs {
		for t := range d.Talks {
			for i := range d.Talks[t].Said {
				s := &d.Talks[t].Said[i]
				m.said[strings.TrimSpace(s.Text)] = s
			}
		}
	}
	for _, def := range defs {
		for i := range def.Obligations {
			m.others[def.DisplayName] = append(m.others[def.DisplayName], def.Obligations[i].Prompt)
		}
	}
	return m
}

// Written returns how many tokens the model has written, about.
func (m *Model) Written() int64 { return m.written.Load() }

// completion is a request as far as the script needs it.
type completion struct {
	Stream         bool            `json:"stream"`
	ResponseFormat json.RawMessage `json:"response_format"`
	Messages       []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
}

// maxRequest bounds a request, in bytes.
const maxRequest = 4 << 20

// ServeHTTP implements [http.Handler].
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	arrived := time.Now()
	var c completion
	if err := json.NewDecoder(io.LimitReader(r.Body, maxRequest)).Decode(&c); err != nil || len(c.Messages) == 0 {
		http.Error(w, `{"error":{"message":"no chat completion"}}`, http.StatusBadRequest)
		return
	}
	if m.Failing {
		http.Error(w, `{"error":{"message":"out of order"}}`, http.StatusInternalServerError)
		return
	}
	p := readPrompt(c)
	text := m.words(p)
	switch {
	case len(c.ResponseFormat) > 0:
		text = m.meaning(p)
	case p.oneCall:
		text += "\n=====\n" + m.meaning(p)
	}
	pacer := pacer{pace: m.Pace, arrived: arrived, done: r.Context().Done()}
	if c.Stream {
		m.stream(w, &pacer, text)
		return
	}
	m.whole(w, &pacer, text)
}

// pacer waits for the tokens of one answer.
type pacer struct {
	pace    Pace
	arrived time.Time
	done    <-chan struct{}
	token   int
}

// next waits for n more tokens and reports whether anybody still listens.
func (p *pacer) next(n int) bool {
	due := p.arrived.Add(p.pace.First + time.Duration(p.token)*p.pace.Every)
	p.token += n
	select {
	case <-p.done:
		return false
	case <-time.After(time.Until(due)):
		return true
	}
}

// whole answers in one piece.
func (m *Model) whole(w http.ResponseWriter, p *pacer, text string) {
	tokens := (len(text) + bytesAToken - 1) / bytesAToken
	if !p.next(tokens) || !p.next(0) {
		return
	}
	m.written.Add(int64(tokens))
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"id":"s","object":"chat.completion","created":0,"model":"scripted","choices":[{"index":0,"message":{"role":"assistant","content":%s},"finish_reason":"stop"}],%s}`, quoted(text), usage(tokens))
}

// stream answers token by token.
func (m *Model) stream(w http.ResponseWriter, p *pacer, text string) {
	w.Header().Set("Content-Type", "text/event-stream")
	rc := http.NewResponseController(w)
	tokens := 0
	for rest := []rune(text); len(rest) > 0; tokens++ {
		n := min(bytesAToken, len(rest))
		if !p.next(1) {
			return
		}
		m.written.Add(1)
		_, err := fmt.Fprintf(w, "data: {\"id\":\"s\",\"object\":\"chat.completion.chunk\",\"created\":0,\"model\":\"scripted\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%s},\"finish_reason\":null}]}\n\n", quoted(string(rest[:n])))
		if err != nil || rc.Flush() != nil {
			return
		}
		rest = rest[n:]
	}
	_, _ = fmt.Fprintf(w, "data: {\"id\":\"s\",\"object\":\"chat.completion.chunk\",\"created\":0,\"model\":\"scripted\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"+
		"data: {\"id\":\"s\",\"object\":\"chat.completion.chunk\",\"created\":0,\"model\":\"scripted\",\"choices\":[],%s}\n\ndata: [DONE]\n\n", usage(tokens))
}

func usage(tokens int) string {
	return fmt.Sprintf(`"usage":{"prompt_tokens":2000,"completion_tokens":%d,"total_tokens":%d}`, tokens, 2000+tokens)
}

func quoted(s string) []byte {
	out, _ := json.Marshal(s) // a string always can be
	return out
}
