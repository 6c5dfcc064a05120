package mcp

import (
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"quaestor/chat/brief"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web"
)

// maxBrief bounds a brief as text, in characters: some thirty pages.
const maxBrief = 60_000

// noArgs is what a tool without arguments takes.
type noArgs struct{}

type briefArgs struct {
	SessionID string `json:"sessionId" jsonschema:"id of the interview"`
	Revision  int    `json:"revision,omitempty" jsonschema:"an earlier revision, counted from 1; without it the latest"`
}

// objectiveList is what there is to talk about.
type objectiveList struct {
	Objectives []objectiveItem `json:"objectives"`
	More       bool            `json:"more" jsonschema:"there are more than are listed"`
}

type objectiveItem struct {
	ContextType string `json:"contextType" jsonschema:"for start_interview"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Version     string `json:"version"`
	Questions   int    `json:"questions" jsonschema:"how many points it asks for"`
}

// briefDocument is the result of an interview.
type briefDocument struct {
	SessionID string `json:"sessionId"`
	Title     string `json:"title"`
	Summary   string `json:"summary"`
	Progress  int    `json:"progress" jsonschema:"percentage of points that are resolved"`
	Completed bool   `json:"completed" jsonschema:"until it is, all of this may change"`
	Markdown  string `json:"markdown" jsonschema:"the whole brief: values with their evidence, disputes, open points, research, next steps"`
	Cut       bool   `json:"cut" jsonschema:"the brief is longer than the text"`
}

func (s *Handlers) addBriefTools(server *sdk.Server) {
	add(s, server, tool{name: "list_objectives", title: "List objectives", needs: auth.Read,
		description: "What interviews can be about."}, s.listObjectives)
	add(s, server, tool{name: "read_brief", title: "Read a brief", needs: auth.Read,
		description: "What an interview came to: each value with the words it rests on, what is disputed or open, what research found, and what to do next."}, s.readBrief)
}

func (s *Handlers) listObjectives(ctx context.Context, _ noArgs) (objectiveList, error) {
	list, err := s.Library.List(ctx, web.ActorFrom(ctx).Tenant, objectives.OnlyActive)
	if err != nil {
		return objectiveList{}, err
	}
	out := objectiveList{More: len(list) > maxRows}
	out.Objectives = web.Map(list[:min(len(list), maxRows)], func(o objectives.Objective) objectiveItem {
		return objectiveItem{o.ContextType, o.DisplayName, clip(o.Definition.Description, maxValue), o.Version, len(o.Definition.Obligations)}
	})
	return out, nil
}

func (v objectiveList) text() string {
	out := []string{fmt.Sprintf("%d objectives:", len(v.Objectives))}
	for _, o := range v.Objectives {
		out = append(out, fmt.Sprintf("- %s: %s. %s", o.ContextType, o.Name, o.Description))
	}
	return lines(out)
}

func (s *Handlers) readBrief(ctx context.Context, in briefArgs) (briefDocument, error) {
	if in.Revision < 0 || in.Revision > 1<<30 {
		return briefDocument{}, fault.New(fault.Unprocessable, "is a number from 1, not %d; leave it out for the latest", in.Revision).At("revision")
	}
	found, err := s.Session(ctx, in.SessionID)
	if err != nil {
		return briefDocument{}, err
	}
	m, err := brief.LoadRevision(ctx, s.Pool, s.Library, found, in.Revision, sessions.BriefOnly)
	if err != nil {
		return briefDocument{}, err
	}
	b := brief.Of(m)
	whole := string(brief.Markdown(b))
	text := clip(whole, maxBrief)
	return briefDocument{SessionID: found.ID, Title: b.Title, Summary: b.Summary, Progress: b.Progress, Completed: b.Ended, Markdown: text, Cut: text != whole}, nil
}

// text is the brief itself, which is what it was called for.
func (v briefDocument) text() string { return v.Markdown }
