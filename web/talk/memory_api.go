package talk

import (
	"context"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/sessions"
	"quaestor/web"
)

var memoryType = reflect.TypeFor[sessions.Memory]()

// memoryPatch is a change of what is remembered, as a JSON merge patch.
type memoryPatch struct {
	ID      string `path:"id" doc:"id of the session"`
	IfMatch string `header:"If-Match" doc:"ETag of the memory as it was read; needed"`
	RawBody []byte `contentType:"application/merge-patch+json"`
}

// memoryNote names one note.
type memoryNote struct {
	ID      string `path:"id" doc:"id of the session"`
	Part    string `path:"part" enum:"recentTopics,pendingFollowUps,inferredRelationships,userPreferences"`
	Note    string `path:"note" doc:"name of the preference; of the lists the place, counted from 0"`
	IfMatch string `header:"If-Match" doc:"ETag of the memory as it was read; needed"`
}

type summaryQuery struct {
	ID     string `path:"id" doc:"id of the session"`
	Level  int    `query:"level" minimum:"0" maximum:"20" doc:"0: of turns; above it: of three summaries of the level below"`
	Cursor string `query:"cursor"`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
}

// summaryBody is a summary on the wire.
type summaryBody struct {
	Level     int                                 `json:"level"`
	From      int                                 `json:"turnRangeStart"`
	To        int                                 `json:"turnRangeEnd"`
	Text      string                              `json:"summaryText"`
	SoFar     string                              `json:"soFar,omitempty" doc:"what the interviewer is told of all turns up to turnRangeEnd"`
	Known     map[string]sessions.ObligationState `json:"obligationSnapshot" doc:"what was known after turnRangeEnd, by key"`
	Research  []sessions.Lookup                   `json:"researchSummary"`
	By        string                              `json:"madeBy"`
	Degraded  string                              `json:"degraded,omitempty" doc:"why the model did not word it"`
	CreatedAt time.Time                           `json:"createdAt"`
}

func toSummaryBody(m sessions.Summary) summaryBody {
	return summaryBody{m.Level, m.From, m.To, m.Text, m.SoFar, m.Known, append([]sessions.Lookup{}, m.Research...), m.By, m.Degraded, m.At}
}

// describeMemory adds to the description what a stale edit is answered.
func describeMemory(doc *huma.OpenAPI) {
	for _, op := range []*huma.Operation{doc.Paths["/api/v1/sessions/{id}/memory"].Patch, doc.Paths["/api/v1/sessions/{id}/memory/{part}/{note}"].Delete} {
		web.DescribeEdit(doc, op)
	}
	patch := doc.Components.Schemas.Schema(memoryType, true, "")
	doc.Paths["/api/v1/sessions/{id}/memory"].Patch.RequestBody.Content["application/merge-patch+json"].Schema = patch
}

func (s *Handlers) getMemory(ctx context.Context, in *web.SessionPath) (sessions.Memory, error) {
	found, err := s.Session(ctx, in.ID)
	return found.Memory, err
}

func (s *Handlers) patchMemory(ctx context.Context, in *memoryPatch) (sessions.Memory, error) {
	if err := web.CheckJSON(in.RawBody); err != nil {
		return sessions.Memory{}, err
	}
	found, err := s.Session(ctx, in.ID)
	if err != nil {
		return sessions.Memory{}, err
	}
	return s.editMemory(ctx, found, in.IfMatch, func(at sessions.Session, isKey func(string) bool) (sessions.Memory, error) {
		if at.Status == sessions.Completed {
			return at.Memory, fault.New(fault.Conflict, "this session is completed and takes no changes; what is remembered can only be forgotten").Coded("session_completed")
		}
		return at.Memory.Patch(in.RawBody, isKey)
	})
}

func (s *Handlers) forgetNote(ctx context.Context, in *memoryNote) (sessions.Memory, error) {
	found, err := s.Session(ctx, in.ID)
	if err != nil {
		return sessions.Memory{}, err
	}
	return s.editMemory(ctx, found, in.IfMatch, func(at sessions.Session, _ func(string) bool) (sessions.Memory, error) {
		return at.Memory.Forget(in.Part, in.Note)
	})
}

// editMemory changes the memory of a session that is the actor's own, or
// anybody's for reviewers, if it is still as the actor read it.
func (s *Handlers) editMemory(ctx context.Context, found sessions.Session, ifMatch string, edit chat.MemoryEdit) (sessions.Memory, error) {
	a := web.ActorFrom(ctx)
	if err := mayEditMemory(a, found); err != nil {
		return sessions.Memory{}, err
	}
	address := "/api/v1/sessions/" + found.ID + "/memory"
	if ifMatch == "" {
		return sessions.Memory{}, web.ErrUnconditional("read the memory at %s and send its ETag as If-Match", address)
	}
	return s.Engine.EditMemory(ctx, found.Scope(), a.User, func(at sessions.Session, isKey func(string) bool) (sessions.Memory, error) {
		tag, err := web.TagOf(at.Memory)
		if err != nil {
			return at.Memory, err
		}
		if !web.TagMatches(ifMatch, tag) {
			return at.Memory, web.ErrStale("the memory has changed since it was read; read it again at %s and send its ETag as If-Match", address)
		}
		return edit(at, isKey)
	})
}

func mayEditMemory(a auth.Actor, session sessions.Session) error {
	if a.May(auth.Review) {
		return nil
	}
	if session.User != a.User {
		return fault.New(fault.Forbidden, "what is remembered is changed by whom the session belongs to, or by a reviewer").Coded("not_your_memory")
	}
	return web.Need(a, auth.Talk)
}

func (s *Handlers) listSummaries(ctx context.Context, in *summaryQuery) (web.Page[summaryBody], error) {
	found, err := s.Session(ctx, in.ID)
	if err != nil {
		return web.Page[summaryBody]{}, err
	}
	after, err := web.ParsePage(in.Cursor)
	if err != nil {
		return web.Page[summaryBody]{}, err
	}
	list, err := sessions.Summaries(ctx, s.Pool, found.Scope(), sessions.SummaryPage{Level: in.Level, After: int(min(after, 1<<31-1)), Max: in.Limit})
	if err != nil {
		return web.Page[summaryBody]{}, err
	}
	out := web.Page[summaryBody]{Items: web.Map(list, toSummaryBody)}
	if n := len(list); n == in.Limit {
		out.NextCursor = strconv.Itoa(list[n-1].From)
	}
	return out, nil
}
