package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/sessions"
	"quaestor/web"
)

// turnWait is how long a tool waits for a reply: less than the minute after which clients
// give up a request. The turn itself goes on.
const turnWait = 50 * time.Second

type startArgs struct {
	Objective string `json:"objective" jsonschema:"contextType of an objective, from list_objectives"`
	Language  string `json:"language,omitempty" jsonschema:"BCP 47 tag of a language that the objective speaks, such as de; without it the objective's own, or what the person writes first"`
}

type continueArgs struct {
	SessionID string         `json:"sessionId" jsonschema:"from start_interview"`
	Message   string         `json:"message,omitempty" jsonschema:"what the person said, word for word, at most 64 KiB; may be empty with answers"`
	Answers   map[string]any `json:"answers,omitempty" jsonschema:"values the person chose or entered, by the key of the question: the value of a choice, a list of values, a number, or a date as YYYY-MM-DD"`
	MessageID string         `json:"messageId,omitempty" jsonschema:"an id of your own for the message: sent again with it, the message is taken once"`
}

type sessionArgs struct {
	SessionID string `json:"sessionId" jsonschema:"id of the interview"`
}

func (s *Handlers) addInterviewTools(server *sdk.Server) {
	add(s, server, tool{name: "start_interview", title: "Start an interview", needs: auth.Talk, writes: true,
		description: "Starts an interview about an objective and returns its opening words and its first question, to be shown to the person."}, s.startInterview)
	add(s, server, tool{name: "continue_interview", title: "Continue an interview", needs: auth.Talk, writes: true,
		description: "Gives the interview what the person said, and returns the reply, the next question and what is known by now. Never answer for the person."}, s.continueInterview)
	add(s, server, tool{name: "get_interview", title: "Look at an interview", needs: auth.Read,
		description: "Where an interview stands: the latest reply, the question that is asked, and what is known."}, s.getInterview)
}

// startInterview creates a session and waits for the interviewer's opening.
func (s *Handlers) startInterview(ctx context.Context, in startArgs) (interview, error) {
	if err := withoutNUL(map[string]string{"objective": in.Objective, "language": in.Language}); err != nil {
		return interview{}, err
	}
	a := web.ActorFrom(ctx)
	created, err := s.Engine.CreateFor(ctx, chat.SessionRequest{Tenant: a.Tenant, User: a.User, ContextType: in.Objective, Language: sessions.LanguageRequest{Asked: in.Language}})
	if err != nil {
		return interview{}, asArgument(err, "contextType", "objective")
	}
	return s.take(ctx, chat.Input{Tenant: a.Tenant, User: a.User, SessionID: created.ID})
}

// continueInterview takes a turn in a session that the actor may speak in.
func (s *Handlers) continueInterview(ctx context.Context, in continueArgs) (interview, error) {
	if err := withoutNUL(map[string]string{"messageId": in.MessageID}); err != nil {
		return interview{}, err
	}
	found, err := s.Session(web.AsWrite(ctx), in.SessionID)
	if err != nil {
		return interview{}, err
	}
	a := web.ActorFrom(ctx)
	answers := make(map[string]json.RawMessage, len(in.Answers))
	for key, value := range in.Answers {
		raw, err := json.Marshal(value)
		if err != nil {
			return interview{}, fault.New(fault.Unprocessable, "is not JSON").At("answers." + key).Because(err)
		}
		answers[key] = raw
	}
	return s.take(ctx, chat.Input{Tenant: a.Tenant, User: a.User, SessionID: found.ID, Anyone: a.May(auth.Review), Message: in.Message, Answers: answers, ClientMessageID: in.MessageID})
}

func (s *Handlers) getInterview(ctx context.Context, in sessionArgs) (interview, error) {
	found, err := s.Session(ctx, in.SessionID)
	if err != nil {
		return interview{}, err
	}
	return s.state(ctx, found, found.Turns)
}

// take takes a turn, waits until it ends or [turnWait] has passed, and returns the interview
// as it is then.
func (s *Handlers) take(ctx context.Context, in chat.Input) (interview, error) {
	started, err := s.Engine.Start(ctx, in)
	if err != nil {
		return interview{}, asArgument(err, "clientMessageId", "messageId")
	}
	var sub *sessions.Subscription
	if started.Replay {
		sub = s.Hub.Subscribe(s.Pool, started.Scope, started.Turn.FirstSeq-1)
	} else {
		sub = s.Hub.Follow(s.Pool, started.Scope, started.Log)
	}
	defer sub.Close()
	ended, err := await(ctx, sub, started.Turn.Number)
	if err != nil {
		return interview{}, err
	}
	found, err := s.Session(web.AsRead(ctx), started.Scope.Session)
	if err != nil {
		return interview{}, err
	}
	out, err := s.state(ctx, found, started.Turn.Number)
	out.Running = !ended
	return out, err
}

// await reads the events of a turn up to its last, and reports whether that came in time.
// A turn that failed is an error.
func await(ctx context.Context, sub *sessions.Subscription, turn int) (ended bool, err error) {
	for end := time.Now().Add(turnWait); time.Now().Before(end); {
		events, err := sub.Next(ctx, time.Until(end))
		if err != nil {
			return false, err
		}
		for _, e := range events {
			if e.Turn != turn || !e.Kind.Last() {
				continue
			}
			return true, failure(e)
		}
	}
	return false, nil
}

// failure returns the error that a turn ended with, if it did.
func failure(e sessions.Event) error {
	if e.Kind != sessions.KindError {
		return nil
	}
	var told sessions.ErrorEvent
	if err := json.Unmarshal(e.Data, &told); err != nil {
		return fault.Wrap(err, "read the error of a turn")
	}
	kind := fault.Conflict
	if told.Retryable {
		kind = fault.Unavailable
	}
	return fault.New(kind, "%s", told.Detail).Coded(told.Code)
}

// asArgument names the argument of a tool in an error that names a field of the API.
func asArgument(err error, field, argument string) error {
	var f *fault.Error
	if errors.As(err, &f) && f.Field == field {
		return f.At(argument)
	}
	return err
}
