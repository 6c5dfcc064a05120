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

// memoryPatch is a change to the memory, as a JSON merge patch. The body is raw, because a
// patch tells a null from a field that is absent.
type memoryPatch struct {
	web.SessionPath
	IfMatch string `header:"If-Match" doc:"ETag of the memory as it was read; required"`
	RawBody []byte `contentType:"application/merge-patch+json"`
}

// memoryNote names one note.
type memoryNote struct {
	web.SessionPath
	Part    string `path:"part" enum:"recentTopics,pendingFollowUps,inferredRelationships,userPreferences"`
	Note    string `path:"note" doc:"name of the preference; in the lists the position, counted from 0"`
	IfMatch string `header:"If-Match" doc:"ETag of the memory as it was read; required"`
}

type summaryQuery struct {
	web.SessionPath
	Level  int    `query:"level" minimum:"0" maximum:"20" doc:"0 for summaries of turns; a higher level sums up three summaries of the level below"`
	Cursor string `query:"cursor"`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
}

// summaryBody is a summary on the wire.
type summaryBody struct {
	Level     int                                 `json:"level"`
	From      int                                 `json:"turnRangeStart"`
	To        int                                 `json:"turnRangeEnd"`
	Text      string                              `json:"summaryText"`
	SoFar     string                              `json:"soFar,omitempty" doc:"what the interviewer is told about all turns up to turnRangeEnd"`
	Known     map[string]sessions.ObligationState `json:"obligationSnapshot" doc:"what was known after turnRangeEnd, by key"`
	Research  []sessions.Lookup                   `json:"researchSummary"`
	By        string                              `json:"madeBy"`
	Degraded  string                              `json:"degraded,omitempty" doc:"why the model did not word it"`
	CreatedAt time.Time                           `json:"createdAt"`
}

func toSummaryBody(m sessions.Summary) summaryBody {
	return summaryBody{m.Level, m.From, m.To, m.Text, m.SoFar, m.Known, append([]sessions.Lookup{}, m.Research...), m.By, m.Degraded, m.At}
}

// describeMemory adds to the description what huma cannot know: that edits are
// conditional, and the schema of the raw body.
func describeMemory(doc *huma.OpenAPI) {
	patch := doc.Paths["/api/v1/sessions/{id}/memory"].Patch
	web.DescribeEdit(doc, patch)
	web.DescribeEdit(doc, doc.Paths["/api/v1/sessions/{id}/memory/{part}/{note}"].Delete)
	patch.RequestBody.Content["application/merge-patch+json"].Schema = doc.Components.Schemas.Schema(reflect.TypeFor[sessions.Memory](), true, "")
}

func (s *Handlers) getMemory(_ context.Context, found sessions.Session, _ *web.SessionPath) (sessions.Memory, error) {
	return found.Memory, nil
}

// patchMemory applies a merge patch to the memory of an open session.
func (s *Handlers) patchMemory(ctx context.Context, in *memoryPatch) (sessions.Memory, error) {
	if err := web.CheckJSON(in.RawBody); err != nil {
		return sessions.Memory{}, err
	}
	return s.editMemory(ctx, in.ID, in.IfMatch, func(at sessions.Session, isKey func(string) bool) (sessions.Memory, error) {
		if at.Status == sessions.Completed {
			return at.Memory, fault.New(fault.Conflict, "this session is completed and takes no changes until it is reopened; notes can still be forgotten").Coded("session_completed")
		}
		return at.Memory.Patch(in.RawBody, isKey)
	})
}

// forgetNote removes one note, also of a completed session: people may have forgotten what
// was noted about them.
func (s *Handlers) forgetNote(ctx context.Context, in *memoryNote) (sessions.Memory, error) {
	return s.editMemory(ctx, in.ID, in.IfMatch, func(at sessions.Session, _ func(string) bool) (sessions.Memory, error) {
		return at.Memory.Forget(in.Part, in.Note)
	})
}

// editMemory runs an edit of a session's memory if it still has the state that ifMatch
// names. The owner of the session may do so, and reviewers.
func (s *Handlers) editMemory(ctx context.Context, id, ifMatch string, edit chat.MemoryEdit) (sessions.Memory, error) {
	found, err := s.Session(ctx, id)
	if err != nil {
		return sessions.Memory{}, err
	}
	a := web.ActorFrom(ctx)
	if err := mayEditMemory(a, found); err != nil {
		return sessions.Memory{}, err
	}
	address := "/api/v1/sessions/" + found.ID + "/memory"
	if ifMatch == "" {
		return sessions.Memory{}, web.ErrUnconditional("read the memory at %s and send its ETag as If-Match", address)
	}
	// The tag is compared while the session is locked: of several edits of one state, one
	// holds.
	return s.Engine.EditMemory(ctx, found.Scope(), a.User, func(at sessions.Session, isKey func(string) bool) (sessions.Memory, error) {
		stale := web.ErrStale("the memory has changed since it was read; read it again at %s and send its ETag as If-Match", address)
		if err := web.CheckTag(ifMatch, at.Memory, stale); err != nil {
			return at.Memory, err
		}
		return edit(at, isKey)
	})
}

// mayEditMemory refuses everybody but reviewers and the owner of a session; other people
// who take part may not change what was noted about the owner.
func mayEditMemory(a auth.Actor, session sessions.Session) error {
	if a.May(auth.Review) {
		return nil
	}
	if session.User != a.User {
		return fault.New(fault.Forbidden, "only the owner of the session or a reviewer may change its memory").Coded("not_your_memory")
	}
	return web.Need(a, auth.Talk)
}

// listSummaries lists the summaries of one level. The cursor is the first turn of the last
// summary of a page.
func (s *Handlers) listSummaries(ctx context.Context, found sessions.Session, in *summaryQuery) (web.Page[summaryBody], error) {
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
