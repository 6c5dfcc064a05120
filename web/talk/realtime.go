package talk

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/google/uuid"

	"quaestor/chat"
	"quaestor/chat/voice"
	"quaestor/internal/audio"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/sessions"
	"quaestor/web"
)

// Names of the protocol of OpenAI Realtime. A browser, which cannot set headers, sends its key
// as a protocol of the websocket.
const (
	realtimeProtocol = "realtime"
	keyProtocol      = "openai-insecure-api-key."
	realtimeRate     = 24000
)

// settleTime is how long a client that has connected may take to say which sound it sends
// before the interviewer speaks to it: the clients of OpenAI do at once.
const settleTime = time.Second

// realtime holds a call with a client of OpenAI Realtime. Its model is the session, by its id,
// or the objective, by its key, of which a session begins. docs/voice.md tells what differs
// from OpenAI.
func (s *Handlers) realtime(w http.ResponseWriter, r *http.Request) error {
	ctx, session, err := s.realtimeSession(r)
	if err != nil {
		return err
	}
	closed, err := s.Streaming(ctx)
	if err != nil {
		return err
	}
	defer closed()
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols:       []string{realtimeProtocol},
		InsecureSkipVerify: realtimeKey(r) != "", // a key is no cookie: a page that has it may use it from anywhere
	})
	if err != nil {
		return nil // it answered the request itself
	}
	conn.SetReadLimit(maxRealtime)
	c := newRealtimeCall(s, conn, session, web.ActorFrom(ctx))
	defer c.pumping.Wait()
	defer close(c.over)
	defer func() { _ = conn.CloseNow() }()
	if err := c.introduced(context.WithoutCancel(ctx)); err != nil {
		hangUpFor(conn, s.endOf(ctx, err))
		return nil
	}
	s.converse(ctx, conn, c, lineOptions{session: session, name: "rt-" + uuid.NewString(), rate: realtimeRate, push: c.format.push, after: -1})
	return nil
}

// realtimeKey returns the token or ticket that a client sends; empty for none.
func realtimeKey(r *http.Request) string {
	if key := bearer(r); key != "" {
		return key
	}
	for _, list := range r.Header.Values("Sec-WebSocket-Protocol") {
		for p := range strings.SplitSeq(list, ",") {
			if key, ok := strings.CutPrefix(strings.TrimSpace(p), keyProtocol); ok {
				return key
			}
		}
	}
	return ""
}

// realtimeSession returns ctx as that of who calls, and the session that the model names.
func (s *Handlers) realtimeSession(r *http.Request) (context.Context, sessions.Session, error) {
	ctx, id, err := s.realtimeCaller(r)
	if err != nil {
		return nil, sessions.Session{}, err
	}
	if !s.speaks() {
		return nil, sessions.Session{}, errNoSpeech()
	}
	model := r.URL.Query().Get("model")
	if id == "" {
		if id, err = s.modelSession(ctx, model); err != nil {
			return nil, sessions.Session{}, err
		}
	}
	session, err := s.mayTalk(ctx, id)
	if err == nil && !s.speaksIn(session.Language) {
		err = errNoSpeech()
	}
	return ctx, session, err
}

// realtimeCaller returns ctx as that of who calls, and the session of a ticket; empty for none.
func (s *Handlers) realtimeCaller(r *http.Request) (context.Context, string, error) {
	if key := realtimeKey(r); key != "" {
		return s.identified(r, key)
	}
	if web.CrossOrigin(r) {
		return nil, "", web.ErrCrossSite()
	}
	actor, came, err := s.ActorOf(r)
	if err != nil {
		return nil, "", err
	}
	return web.WithCredential(r.Context(), actor, came), "", nil
}

// modelSession returns the session that a model names, by its id or, for a new one, by the key
// of its objective.
func (s *Handlers) modelSession(ctx context.Context, model string) (string, error) {
	if id, err := uuid.Parse(model); err == nil {
		return id.String(), nil
	}
	if model == "" {
		return "", fault.New(fault.Unprocessable, "model is the id of a session, or the key of an objective of which one begins").At("model")
	}
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Talk); err != nil {
		return "", err
	}
	made, err := s.Engine.CreateFor(ctx, chat.SessionRequest{Tenant: a.Tenant, User: a.User, ContextType: model})
	return made.ID, err
}

// maxRealtime bounds a frame, in bytes. OpenAI takes 15 MiB of sound; clients send a tenth of
// a second at a time.
const maxRealtime = 512 << 10

// maxItemID bounds the id that a client gives an item, in bytes; those of OpenAI have 32.
const maxItemID = 128

// realtimeEvent is an event of a client. Fields of events that are not served are not read.
type realtimeEvent struct {
	Type       string          `json:"type"`
	ID         string          `json:"event_id"`
	Audio      string          `json:"audio"`        // input_audio_buffer.append
	Session    json.RawMessage `json:"session"`      // session.update
	Item       realtimeInput   `json:"item"`         // conversation.item.create
	ItemID     string          `json:"item_id"`      // conversation.item.truncate, conversation.item.retrieve
	AudioEndMS *int            `json:"audio_end_ms"` // conversation.item.truncate
}

// realtimeInput is an item that a client creates.
type realtimeInput struct {
	ID      string `json:"id"`
	Type    string `json:"type"`
	Role    string `json:"role"`
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
}

// next reads one event of the client.
func (c *realtimeCall) next(ctx context.Context) (realtimeEvent, error) {
	var e realtimeEvent
	kind, data, err := c.conn.Read(ctx)
	switch {
	case errors.Is(err, websocket.ErrMessageTooBig):
		return e, protocol("a frame has at most 512 KiB")
	case err != nil:
		return e, errClosed
	case kind != websocket.MessageText:
		return e, protocol("events are JSON in text frames; sound is base64 in them")
	}
	if err := json.Unmarshal(data, &e); err != nil || e.Type == "" {
		return e, protocol("an event is a JSON object with a type")
	}
	return e, nil
}

// introduced greets the client and takes its settings, until it sends something else or
// nothing for a while.
func (c *realtimeCall) introduced(ctx context.Context) error {
	if err := c.emit(ctx, "session.created", fields{"session": c.sessionBody()}); err != nil {
		return errClosed
	}
	c.pumping.Go(func() { c.pump(ctx) })
	timer := time.NewTimer(settleTime)
	defer timer.Stop()
	for {
		select {
		case e := <-c.events:
			if e.err != nil {
				return e.err
			}
			if e.Type != "session.update" {
				c.first = &e.realtimeEvent
				return nil
			}
			if err := c.update(ctx, nil, e.realtimeEvent); err != nil {
				return err
			}
		case <-timer.C:
			return nil
		}
	}
}

// pump reads events until the connection is closed. What cannot be read is the last.
func (c *realtimeCall) pump(ctx context.Context) {
	for {
		e, err := c.next(ctx)
		select {
		case c.events <- realtimeRead{e, err}:
		case <-c.over:
			return
		}
		if err != nil {
			return
		}
	}
}

// read takes events until the call is over.
func (c *realtimeCall) read(ctx context.Context, call *voice.Call) error {
	if c.first != nil {
		if err := c.take(ctx, call, *c.first); err != nil {
			return err
		}
	}
	for e := range c.events {
		if e.err != nil {
			return e.err
		}
		if err := c.take(ctx, call, e.realtimeEvent); err != nil {
			return err
		}
	}
	return errClosed
}

// take does what an event asks for. A request that cannot be served is answered by an error,
// and the call goes on.
func (c *realtimeCall) take(ctx context.Context, call *voice.Call, e realtimeEvent) error {
	switch e.Type {
	case "session.update":
		return c.update(ctx, call, e)
	case "input_audio_buffer.append":
		return c.sound(call, e)
	case "input_audio_buffer.commit":
		return c.commit(ctx, call, e)
	case "input_audio_buffer.clear":
		c.pressed = false
		call.Mute(true)
		call.Mute(false)
		return c.emit(ctx, "input_audio_buffer.cleared", nil)
	case "conversation.item.create":
		return c.create(ctx, e)
	case "conversation.item.truncate":
		return c.truncate(ctx, call, e)
	case "conversation.item.retrieve":
		return c.retrieve(ctx, e)
	case "response.create":
		return c.respond(ctx, call, e)
	case "response.cancel", "output_audio_buffer.clear":
		c.silence(call)
		return nil
	}
	return c.refuse(ctx, e, "unknown_event", "this server does not serve "+clipped(e.Type)+"; an interview takes sound and messages")
}

func clipped(s string) string { return s[:min(len(s), 60)] }

// sound takes what the person says.
func (c *realtimeCall) sound(call *voice.Call, e realtimeEvent) error {
	data, err := base64.StdEncoding.DecodeString(e.Audio)
	if err != nil {
		return protocol("audio is sound in base64")
	}
	samples, err := c.decode(data)
	if err != nil {
		return protocol(err.Error())
	}
	c.samples += len(samples)
	if audio.Duration(c.samples, realtimeRate) > time.Since(c.began)+maxAhead {
		return protocol("there is more sound than time; sound is sent as it is recorded, at the rate of the session")
	}
	c.mu.Lock()
	push := c.format.push
	c.mu.Unlock()
	if push && !c.pressed {
		c.pressed = true
		call.Press()
	}
	call.Hear(samples)
	return nil
}

// commit ends an utterance of a client that finds its ends by itself.
func (c *realtimeCall) commit(ctx context.Context, call *voice.Call, e realtimeEvent) error {
	if !c.pressed {
		return c.refuse(ctx, e, "input_audio_buffer_commit_empty", "there is no sound to commit, or the server finds the ends of speech: set turn_detection to null to do that yourself")
	}
	c.pressed = false
	call.Release()
	return nil
}

// create takes a message that is typed; it is a turn from response.create on.
func (c *realtimeCall) create(ctx context.Context, e realtimeEvent) error {
	var texts []string
	for _, part := range e.Item.Content {
		if part.Type == "input_text" {
			texts = append(texts, part.Text)
		}
	}
	text := strings.TrimSpace(strings.Join(texts, "\n"))
	if e.Item.Type != "message" || e.Item.Role != "user" || text == "" || len(texts) != len(e.Item.Content) {
		return c.refuse(ctx, e, "unsupported_item", "an item is a message of the user with input_text; what the interviewer says is its own")
	}
	if len(e.Item.ID) > maxItemID {
		return c.refuse(ctx, e, "invalid_value", fmt.Sprintf("the id of an item has at most %d bytes", maxItemID))
	}
	c.mu.Lock()
	full := c.typedBytes+len(text) > chat.MaxMessageBytes
	c.mu.Unlock()
	if full {
		return c.refuse(ctx, e, "message_too_large", fmt.Sprintf("items have at most %d KiB together until response.create", chat.MaxMessageBytes>>10))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	id := e.Item.ID
	if id == "" {
		id = c.newID("item")
	}
	c.typed, c.typedBytes = append(c.typed, text), c.typedBytes+len(text)+1
	return c.added(ctx, item{ID: id, Type: "message", Object: "realtime.item", Status: "completed", Role: "user", Content: []part{{Type: "input_text", Text: text}}})
}

// respond begins the turn of what was typed. Without that there is nothing to answer: the
// interviewer speaks by itself, first of all to open the interview.
func (c *realtimeCall) respond(ctx context.Context, call *voice.Call, e realtimeEvent) error {
	c.mu.Lock()
	text := strings.Join(c.typed, "\n")
	c.typed, c.typedBytes = nil, 0
	c.mu.Unlock()
	if text == "" {
		return nil
	}
	c.silence(call)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), startLimit)
	defer cancel()
	in := inputOf(c.actor, c.session.ID)
	in.Message = text
	_, err := c.Engine.Start(ctx, in)
	var f *fault.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &f):
		return c.refuse(ctx, e, f.Code, f.Message)
	}
	return c.refuse(ctx, e, "internal", "this could not be taken just now")
}

// silence stops the response that is under way, because the client asks for that.
func (c *realtimeCall) silence(call *voice.Call) {
	c.mu.Lock()
	c.cancelled = c.response != nil
	c.mu.Unlock()
	call.Interrupt()
}

// truncate tells how much of a reply was heard.
func (c *realtimeCall) truncate(ctx context.Context, call *voice.Call, e realtimeEvent) error {
	c.mu.Lock()
	heard, known := c.spoken[e.ItemID]
	c.mu.Unlock()
	if !known || e.AudioEndMS == nil {
		return c.refuse(ctx, e, "item_not_found", "truncate names an item of the interviewer and how much of it was played, audio_end_ms")
	}
	at := min(max(*e.AudioEndMS, 0), heard.sent)
	call.Played(heard.turn, time.Duration(heard.from+at)*time.Millisecond)
	c.mu.Lock()
	c.truncated(e.ItemID, heard, at)
	c.mu.Unlock()
	return c.emit(ctx, "conversation.item.truncated", fields{"item_id": e.ItemID, "content_index": 0, "audio_end_ms": at})
}
