package talk

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
)

// events streams a session's log from Last-Event-ID or ?after= on, until the reader
// leaves.
func (s *Handlers) events(w http.ResponseWriter, r *http.Request) error {
	scope, after, err := s.place(r)
	if err != nil {
		return err
	}
	return s.stream(w, r, scope, s.Hub.Subscribe(s.Pool, scope, after), 0)
}

// place returns the session that a request is about, which its actor may see, and the
// number of the last event that the reader has; 0 for none.
func (s *Handlers) place(r *http.Request) (scope obligations.Scope, after int64, err error) {
	session, err := s.Session(r.Context(), r.PathValue("id"))
	if err != nil {
		return scope, 0, err
	}
	scope = session.Scope()
	field, given := "Last-Event-ID", r.Header.Get("Last-Event-ID")
	if given == "" {
		field, given = "after", r.URL.Query().Get("after")
	}
	if after, err = web.ParseCursor(field, given); err != nil || after == 0 {
		return scope, 0, err
	}
	head, err := sessions.Head(r.Context(), s.Pool, scope)
	if err == nil && after > head {
		err = fault.New(fault.Invalid, "%d is beyond this session's last event, %d; leave it out to read from the start", after, head).At(field).Coded("bad_last_event_id")
	}
	return scope, after, err
}

// endsTurn reports whether e is the last event of a turn.
func endsTurn(e sessions.Event, turn int) bool { return e.Turn == turn && e.Kind.Last() }

// interrupted is sent at the end of a turn's stream that breaks off before the turn ends,
// for example because this server stops.
var interrupted = []web.ServerEvent{{Data: []byte(`{"type":"interrupted","detail":"This stream ends before the turn, which goes on. ` +
	`Read on in the events of the session after the last one, or send the message again with the same clientMessageId."}`)}}

// stream writes what sub brings as server-sent events, and closes sub. It ends when the
// reader leaves or may not read the session any more, and after the last event of turn; 0
// stands for no turn. It returns no error once the stream has begun.
//
// Pieces of a reply carry no number. A reader that comes back gets them again by their
// offset, or the whole text.
func (s *Handlers) stream(w http.ResponseWriter, r *http.Request, scope obligations.Scope, sub *sessions.Subscription, turn int) error {
	defer sub.Close()
	closed, err := s.Streaming(r.Context())
	if err != nil {
		return err
	}
	defer closed()
	out, err := web.OpenStream(w)
	if err != nil {
		return nil // the reader has left, so there is nobody to tell
	}
	watch := s.Watch(s.MayRead(scope.Session))
	for {
		events, err := sub.Next(r.Context(), watch.Left())
		if err != nil {
			s.StreamBroke(r.Context(), err)
			if turn > 0 {
				_ = out.Send(interrupted) // the reader may have left
			}
			return nil
		}
		if watch.Check(r.Context()) != nil {
			return nil // the reader learns the reason when it connects again
		}
		var shown []web.ServerEvent
		last := false
		for _, e := range events {
			shown = append(shown, web.ServerEvent{Id: e.Seq, Data: e.Data})
			if last = turn > 0 && endsTurn(e, turn) || s.dismissed(r.Context(), scope, e); last {
				break // the events that follow belong to other turns
			}
		}
		if out.Send(shown) != nil || last {
			return nil
		}
	}
}

// dismissed reports whether e ended the reader's part in the session. Somebody who was
// invited again since then may read on.
func (s *Handlers) dismissed(ctx context.Context, scope obligations.Scope, e sessions.Event) bool {
	if e.Kind != sessions.KindParticipant {
		return false
	}
	var told sessions.ParticipantEvent
	if json.Unmarshal(e.Data, &told) != nil || told.User != web.ActorFrom(ctx).User || told.Change == sessions.PersonJoined {
		return false
	}
	return s.MayRead(scope.Session)(ctx) != nil
}

// describeTalk adds to the description the operations that stream, which huma does not
// serve, and an answer that it does not know of.
func describeTalk(doc *huma.OpenAPI) {
	refusal := web.DescribeRefusal(doc, "Refused")
	stream := map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: "string"}}}}, "default": refusal}
	id := &huma.Param{Name: "id", In: "path", Required: true, Schema: &huma.Schema{Type: "string", Format: "uuid"}}
	after := &huma.Param{Name: "after", In: "query", Description: "number of the last event the reader has", Schema: &huma.Schema{Type: "integer"}}
	body := doc.Components.Schemas.Schema(reflect.TypeFor[TurnBody](), true, "")
	for _, op := range []*huma.Operation{
		{OperationID: "discovery-chat", Method: http.MethodPost, Path: "/api/discovery-chat", Summary: "Say something; the answer is the stream of the turn's events",
			Tags: []string{"conversation"}, RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": {Schema: body}}}, Responses: stream},
		{OperationID: "session-events", Method: http.MethodGet, Path: "/api/v1/sessions/{id}/events", Summary: "The session's events, live; resumes with Last-Event-ID",
			Tags: []string{"conversation"}, Parameters: []*huma.Param{id, after}, Responses: stream},
		{OperationID: "session-socket", Method: http.MethodGet, Path: "/api/v1/sessions/{id}/socket", Summary: "The same events over a websocket, and a way to talk",
			Tags: []string{"conversation"}, Parameters: []*huma.Param{id, after}, Responses: map[string]*huma.Response{"101": {Description: "Switching Protocols"}, "default": refusal}},
		{OperationID: "session-voice", Method: http.MethodGet, Path: "/api/v1/sessions/{id}/voice", Summary: "Speak about the session over a websocket: sound as PCM16, events as JSON",
			Tags: []string{"conversation"}, Parameters: []*huma.Param{id, {Name: "ticket", In: "query", Description: "a ticket for one call, instead of a credential", Schema: &huma.Schema{Type: "string"}}}, Responses: map[string]*huma.Response{"101": {Description: "Switching Protocols"}, "default": refusal}},
		{OperationID: "realtime", Method: http.MethodGet, Path: "/v1/realtime", Summary: "Speak over a websocket as clients of OpenAI Realtime do; the model is a session, or the objective of a new one",
			Tags: []string{"conversation"}, Parameters: []*huma.Param{{Name: "model", In: "query", Description: "id of a session, or key of an objective", Schema: &huma.Schema{Type: "string"}}},
			Responses: map[string]*huma.Response{"101": {Description: "Switching Protocols"}, "default": refusal}},
		{OperationID: "media-stream", Method: http.MethodGet, Path: "/api/v1/media-stream", Summary: "Speak over the media stream of a telephony provider: JSON frames with µ-law of 8 kHz; a ticket is a parameter of the frame start",
			Tags: []string{"conversation"}, Responses: map[string]*huma.Response{"101": {Description: "Switching Protocols"}, "default": refusal}},
	} {
		doc.AddOperation(op)
	}
	doc.Paths["/api/v1/sessions/{id}/complete"].Post.Responses["412"] = web.DescribeRefusal(doc, "Precondition Failed: the session has changed since it had the tag of If-Match")
}
