package talk

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"quaestor/chat/voice"
	"quaestor/internal/audio"
	"quaestor/internal/auth"
	"quaestor/sessions"
)

// realtimeCall is a call with a client of OpenAI Realtime. What is played becomes responses,
// one for each stretch that is not interrupted; what the person says becomes items.
type realtimeCall struct {
	*Handlers
	conn    *websocket.Conn
	session sessions.Session
	actor   auth.Actor
	began   time.Time

	events  chan realtimeRead
	over    chan struct{} // closed when the call is over
	pumping sync.WaitGroup
	first   *realtimeEvent

	// The reader's.
	samples int  // taken so far, of realtimeRate
	pressed bool // an utterance of a client that ends them itself is under way

	mu         sync.Mutex
	format     realtimeFormat // guarded by mu, as is all below
	hears      *audio.Resampler
	speaks     *audio.Resampler
	ids        int
	last       string // item that came last
	typed      []string
	typedBytes int // of typed, with what joins them

	hearing   string           // item of the utterance under way; empty for none
	uttered   string           // item of the utterance that is written down; empty for none
	cancelled bool             // the client wants silence
	response  *response        // under way; nil for none
	reply     replyPlace       // where the next sound belongs
	spoken    map[string]heard // items of the interviewer, by id
	items     items            // that can be asked for
}

// realtimeRead is what reading brought.
type realtimeRead struct {
	realtimeEvent

	err error
}

// heard is the sound of an item: of which turn's reply, from which millisecond of it, how much
// was sent, and of which sentences.
type heard struct {
	turn, from, sent int
	sentences        []sentence
}

// replyPlace is a place in the sound of a reply.
type replyPlace struct {
	turn    int
	samples int
}

// response is one that is under way.
type response struct {
	id, item   string
	turn, from int // the turn, and the millisecond of its reply at which it began
	sent       int // samples
	sentences  []sentence
}

// fields are what an event has beside its type.
type fields map[string]any

// item is one of the conversation.
type item struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Type    string `json:"type"`
	Status  string `json:"status"`
	Role    string `json:"role"`
	Content []part `json:"content"`
}

// part is a part of an item.
type part struct {
	Type       string  `json:"type"`
	Text       string  `json:"text,omitempty"`
	Transcript *string `json:"transcript,omitempty"`
}

func newRealtimeCall(s *Handlers, conn *websocket.Conn, session sessions.Session, actor auth.Actor) *realtimeCall {
	c := &realtimeCall{Handlers: s, conn: conn, session: session, actor: actor, began: time.Now(),
		events: make(chan realtimeRead), over: make(chan struct{}), spoken: map[string]heard{}}
	_ = c.resampled(realtimeFormat{}, realtimeFormat{in: "audio/pcm", out: "audio/pcm"}) // both are known
	return c
}

// newID returns an id that this connection has not used. It must hold mu.
func (c *realtimeCall) newID(kind string) string {
	c.ids++
	return fmt.Sprintf("%s_%d", kind, c.ids)
}

// emit sends an event. It must not hold mu.
func (c *realtimeCall) emit(ctx context.Context, kind string, f fields) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.send(ctx, kind, f)
}

// send sends an event. It must hold mu, so that events leave in the order of their making.
func (c *realtimeCall) send(ctx context.Context, kind string, f fields) error {
	out := fields{"type": kind, "event_id": c.newID("event")}
	for name, v := range f {
		out[name] = v
	}
	data, err := json.Marshal(out)
	if err != nil {
		return err
	}
	return write(ctx, c.conn, data)
}

// refuse answers an event that cannot be served.
func (c *realtimeCall) refuse(ctx context.Context, e realtimeEvent, code, message string) error {
	return c.emit(ctx, "error", fields{"error": fields{"type": "invalid_request_error", "code": code, "message": message, "param": nil, "event_id": e.ID}})
}

// added tells of an item of the conversation. It must hold mu.
func (c *realtimeCall) added(ctx context.Context, i item) error {
	if err := c.send(ctx, "conversation.item.added", fields{"previous_item_id": nullable(c.last), "item": i}); err != nil {
		return err
	}
	before := c.last
	c.last = i.ID
	c.items.put(i)
	if i.Status != "completed" {
		return nil
	}
	return c.send(ctx, "conversation.item.done", fields{"previous_item_id": nullable(before), "item": i})
}

func nullable(id string) any {
	if id == "" {
		return nil
	}
	return id
}

// Play sends sound of the reply.
func (c *realtimeCall) Play(ctx context.Context, samples []int16) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.open(ctx); err != nil {
		return err
	}
	r := c.response
	r.sent += len(samples)
	c.reply.samples += len(samples)
	c.spoken[r.item] = heard{r.turn, r.from, milliseconds(r.sent), r.sentences}
	if c.format.text {
		return nil
	}
	return c.send(ctx, "response.output_audio.delta", r.at(fields{"delta": base64.StdEncoding.EncodeToString(c.encode(samples))}))
}

func milliseconds(samples int) int { return samples * 1000 / realtimeRate }

// at adds to an event where in the response it belongs.
func (r *response) at(f fields) fields {
	f["response_id"], f["item_id"], f["output_index"], f["content_index"] = r.id, r.item, 0, 0
	return f
}

// open makes sure that a response is under way. It must hold mu.
func (c *realtimeCall) open(ctx context.Context) error {
	if c.response != nil {
		return nil
	}
	r := &response{id: c.newID("resp"), item: c.newID("item"), turn: c.reply.turn, from: milliseconds(c.reply.samples)}
	c.response = r
	if err := c.send(ctx, "response.created", fields{"response": c.body(r, "in_progress", nil)}); err != nil {
		return err
	}
	i := c.item(r, "in_progress")
	i.Content = []part{}
	if err := c.send(ctx, "response.output_item.added", fields{"response_id": r.id, "output_index": 0, "item": i}); err != nil {
		return err
	}
	if err := c.added(ctx, i); err != nil {
		return err
	}
	return c.send(ctx, "response.content_part.added", r.at(fields{"part": c.part(r)}))
}

// body is the response as OpenAI Realtime shows one.
func (c *realtimeCall) body(r *response, status string, details fields) fields {
	out := fields{"object": "realtime.response", "id": r.id, "status": status, "output": []item{}}
	if status != "in_progress" {
		out["output"] = []item{c.item(r, status)}
	}
	if details != nil {
		out["status_details"] = details
	}
	return out
}

func (c *realtimeCall) item(r *response, status string) item {
	if status == "cancelled" {
		status = "incomplete"
	}
	return item{ID: r.item, Object: "realtime.item", Type: "message", Status: status, Role: "assistant", Content: []part{c.part(r)}}
}

// text is what was said so far.
func (r *response) text() string {
	texts := make([]string, len(r.sentences))
	for i, s := range r.sentences {
		texts[i] = s.text
	}
	return strings.Join(texts, " ")
}

// part is what was said so far.
func (c *realtimeCall) part(r *response) part {
	text := r.text()
	if c.format.text {
		return part{Type: "output_text", Text: text}
	}
	return part{Type: "output_audio", Transcript: &text}
}

// say adds a sentence to the response. It must hold mu.
func (c *realtimeCall) say(ctx context.Context, e voice.CaptionEvent) error {
	if err := c.open(ctx); err != nil {
		return err
	}
	r, text := c.response, e.Text
	if len(r.sentences) > 0 {
		text = " " + text
	}
	c.says(r, e)
	kind := "response.output_audio_transcript.delta"
	if c.format.text {
		kind = "response.output_text.delta"
	}
	return c.send(ctx, kind, r.at(fields{"delta": text}))
}

// finish ends the response that is under way, if there is one. It must hold mu.
func (c *realtimeCall) finish(ctx context.Context, status string, details fields) error {
	r := c.response
	if r == nil {
		return nil
	}
	c.response = nil
	type ending struct {
		kind string
		f    fields
	}
	text := r.text()
	list := []ending{{"response.output_audio.done", r.at(fields{})}, {"response.output_audio_transcript.done", r.at(fields{"transcript": text})}}
	if c.format.text {
		list = []ending{{"response.output_text.done", r.at(fields{"text": text})}}
	}
	i := c.item(r, status)
	c.items.put(i)
	list = append(list, ending{"response.content_part.done", r.at(fields{"part": c.part(r)})},
		ending{"response.output_item.done", fields{"response_id": r.id, "output_index": 0, "item": i}},
		ending{"conversation.item.done", fields{"item": i, "previous_item_id": nil}},
		ending{"response.done", fields{"response": c.body(r, status, details)}})
	for _, e := range list {
		if err := c.send(ctx, e.kind, e.f); err != nil {
			return err
		}
	}
	return nil
}

// Tell sends what happens in the call.
func (c *realtimeCall) Tell(ctx context.Context, e voice.Event) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch e := e.(type) {
	case voice.CaptionEvent:
		if c.response != nil && c.response.turn != e.Turn {
			if err := c.finish(ctx, "completed", nil); err != nil {
				return err
			}
		}
		c.reply = replyPlace{e.Turn, e.At * realtimeRate / 1000}
		return c.say(ctx, e)
	case voice.ResumeEvent:
		c.reply = replyPlace{e.Turn, e.At * realtimeRate / 1000}
	case voice.StopEvent:
		return c.stopped(ctx)
	case voice.SpokenEvent:
		return c.finish(ctx, "completed", nil)
	case voice.StateEvent:
		c.cancelled = false
		return c.hear(ctx, e.State == voice.Hearing)
	case voice.HeardEvent:
		return c.transcribed(ctx, e)
	case voice.TroubleEvent:
		return c.send(ctx, "error", fields{"error": fields{"type": "server_error", "code": e.Code, "message": e.Detail}})
	case voice.UnsentEvent:
		return c.send(ctx, "error", fields{"error": fields{"type": "server_error", "code": e.Code, "message": e.Detail}})
	}
	return nil
}

// stopped ends the response because the client asked for that, or else because the person
// speaks, which clients are told first. It must hold mu.
func (c *realtimeCall) stopped(ctx context.Context) error {
	reason := "client_cancelled"
	if !c.cancelled {
		reason = "turn_detected"
		if err := c.hear(ctx, true); err != nil {
			return err
		}
	}
	c.cancelled = false
	return c.finish(ctx, "cancelled", fields{"type": "cancelled", "reason": reason})
}

// hear tells that the person begins or ends to speak. It must hold mu.
func (c *realtimeCall) hear(ctx context.Context, on bool) error {
	if on == (c.hearing != "") || c.format.push {
		return nil
	}
	at := int(time.Since(c.began).Milliseconds())
	if on {
		c.hearing = c.newID("item")
		return c.send(ctx, "input_audio_buffer.speech_started", fields{"audio_start_ms": at, "item_id": c.hearing})
	}
	id := c.hearing
	c.hearing = ""
	c.uttered = id
	return c.send(ctx, "input_audio_buffer.speech_stopped", fields{"audio_end_ms": at, "item_id": id})
}

// transcribed tells what was heard in an utterance, which is an item from now on. It must
// hold mu.
func (c *realtimeCall) transcribed(ctx context.Context, e voice.HeardEvent) error {
	id := c.uttered
	if c.uttered = ""; id == "" {
		id = c.newID("item")
	}
	if err := c.send(ctx, "input_audio_buffer.committed", fields{"item_id": id, "previous_item_id": nullable(c.last)}); err != nil {
		return err
	}
	i := item{ID: id, Object: "realtime.item", Type: "message", Status: "completed", Role: "user", Content: []part{{Type: "input_audio", Transcript: &e.Text}}}
	if err := c.added(ctx, i); err != nil {
		return err
	}
	return c.send(ctx, "conversation.item.input_audio_transcription.completed", fields{"item_id": id, "content_index": 0, "transcript": e.Text})
}

// Log sends an event of the session under a name of ours.
func (c *realtimeCall) Log(ctx context.Context, e sessions.Event) error {
	if e.Kind == sessions.KindDelta { // the captions have the same words
		return nil
	}
	return c.emit(ctx, "quaestor."+string(e.Kind), fields{"seq": e.Seq, "data": e.Data})
}
