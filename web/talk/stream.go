package talk

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
)

// events streams a session's log from Last-Event-ID or ?after= on, for as long
// as the reader stays.
func (s *Handlers) events(w http.ResponseWriter, r *http.Request) error {
	scope, after, err := s.place(r)
	if err != nil {
		return err
	}
	return s.stream(w, r, scope, s.Hub.Subscribe(s.Pool, scope, after), func(ctx context.Context, e sessions.Event) bool { return s.dismissed(ctx, scope, e) }, nil)
}

// place returns the session a request asks for, which its actor may see, and the
// number of the last event the reader has.
func (s *Handlers) place(r *http.Request) (scope obligations.Scope, after int64, err error) {
	session, err := s.Session(r.Context(), r.PathValue("id"))
	if err != nil {
		return scope, 0, err
	}
	after, err = s.cursor(r, session.Scope())
	return session.Scope(), after, err
}

// cursor returns the number of the last event the reader has; 0 for none.
func (s *Handlers) cursor(r *http.Request, scope obligations.Scope) (int64, error) {
	field, given := "Last-Event-ID", r.Header.Get("Last-Event-ID")
	if given == "" {
		field, given = "after", r.URL.Query().Get("after")
	}
	after, err := web.ParseCursor(field, given)
	if err != nil || after == 0 {
		return 0, err
	}
	head, err := sessions.Head(r.Context(), s.Pool, scope)
	if err == nil && after > head {
		err = fault.New(fault.Invalid, "%d is beyond this session's last event, %d; leave it out to read from the start", after, head).At(field).Coded("bad_last_event_id")
	}
	return after, err
}

// ending reports whether an event is the last of a stream. The context is the
// stream's, which knows who reads.
type ending func(context.Context, sessions.Event) bool

// endsTurn reports whether an event is the last of a turn.
func endsTurn(e sessions.Event, turn int) bool { return e.Turn == turn && e.Kind.Last() }

// stream writes what a subscription to a session brings as server-sent events until
// the reader leaves or may no longer read it, or an event ends it. When it breaks
// off instead, as it does when the server closes, cut is written last. It owns the subscription.
func (s *Handlers) stream(w http.ResponseWriter, r *http.Request, scope obligations.Scope, sub *sessions.Subscription, ends ending, cut []web.ServerEvent) error {
	defer s.Metrics.StreamOpened()()
	defer sub.Close()
	out, err := web.OpenStream(w)
	if err != nil {
		return nil // the reader is gone: there is nobody to tell
	}
	watch := s.Watch(s.MayRead(scope.Session))
	for {
		events, err := sub.Next(r.Context(), watch.Left())
		if err != nil {
			s.StreamBroke(r.Context(), err)
			if len(cut) > 0 {
				_ = out.Send(cut) // the reader may have left
			}
			return nil
		}
		if watch.Check(r.Context()) != nil {
			return nil // the reason is told when the reader comes back
		}
		shown, last := untilEnd(r.Context(), events, ends)
		if out.Send(shown) != nil || last {
			return nil
		}
	}
}

// untilEnd returns what a stream shows of events, up to the one that ends it: what
// follows belongs to other turns. Pieces of a reply carry no number: a reader that
// comes back gets them again by their offset, or the whole text.
func untilEnd(ctx context.Context, events []sessions.Event, ends ending) (shown []web.ServerEvent, last bool) {
	for _, e := range events {
		shown = append(shown, web.ServerEvent{Id: e.Seq, Data: e.Data})
		if ends(ctx, e) {
			return shown, true
		}
	}
	return shown, false
}

// dismissed reports whether an event says that the reader's part in the session
// ended, and it has not begun anew since.
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

// describeTalk adds what huma does not serve, or does not read itself, to the
// description.
func describeTalk(doc *huma.OpenAPI) {
	refusal := web.DescribeRefusal(doc, "Refused")
	stream := map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: "string"}}}}, "default": refusal}
	id := &huma.Param{Name: "id", In: "path", Required: true, Schema: &huma.Schema{Type: "string", Format: "uuid"}}
	after := &huma.Param{Name: "after", In: "query", Description: "number of the last event the reader has", Schema: &huma.Schema{Type: "integer"}}
	body := doc.Components.Schemas.Schema(turnType, true, "")
	for _, op := range []*huma.Operation{
		{OperationID: "discovery-chat", Method: http.MethodPost, Path: "/api/discovery-chat", Summary: "Say something; the answer is the turn's events",
			Tags: []string{"conversation"}, RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": {Schema: body}}}, Responses: stream},
		{OperationID: "session-events", Method: http.MethodGet, Path: "/api/v1/sessions/{id}/events", Summary: "The session's events, live; resumes with Last-Event-ID",
			Tags: []string{"conversation"}, Parameters: []*huma.Param{id, after}, Responses: stream},
		{OperationID: "session-socket", Method: http.MethodGet, Path: "/api/v1/sessions/{id}/socket", Summary: "The same events over a websocket, and a way to talk",
			Tags: []string{"conversation"}, Parameters: []*huma.Param{id, after}, Responses: map[string]*huma.Response{"101": {Description: "Switching Protocols"}, "default": refusal}},
	} {
		doc.AddOperation(op)
	}
	doc.Paths["/api/v1/sessions/{id}/complete"].Post.Responses["412"] = web.DescribeRefusal(doc, "Precondition Failed: If-Match names another state")
}
