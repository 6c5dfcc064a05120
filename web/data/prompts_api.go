package data

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/auth"
	"quaestor/research/warehouse/projects"
	"quaestor/web"
)

// promptOperations registers the prompts of projects.
func (s *Handlers) promptOperations(a huma.API) {
	const all = "/api/v1/projects/{id}/prompts"
	web.Add(a, web.Get(all, "project-prompt-list", "The prompts of a project beside those of its pack, and what an upgrade of the pack would do").Needing(auth.Review), s.listPrompts)
	web.Add(a, web.Put(all+"/{name}", "project-prompt-put", "Give a project its own prompt in the place of the pack's").Needing(auth.Review), s.putPrompt)
	web.Add(a, web.Delete(all+"/{name}", "project-prompt-reset", "Take a project's own prompt back").Needing(auth.Review), s.resetPrompt)
	web.Add(a, web.Post("/api/v1/projects/{id}/upgrade", "project-upgrade", "Move a project to the newest version of its pack; of texts that both changed, somebody has to choose").Needing(auth.Review), s.upgradeProject)
}

// promptsBody are the prompts of a project.
type promptsBody struct {
	Version int           `json:"version" doc:"of the project"`
	Pack    string        `json:"pack" doc:"slug@version"`
	Items   []promptBody  `json:"items" nullable:"false"`
	Upgrade *promptsMerge `json:"upgrade,omitempty" doc:"absent if the pack has no newer version"`
}

// promptBody is one prompt.
type promptBody struct {
	Name  string     `json:"name"`
	Title string     `json:"title"`
	Own   bool       `json:"own" doc:"the project has its own"`
	Text  string     `json:"text" doc:"in force"`
	Pack  string     `json:"pack" doc:"the pack's"`
	Lines []lineBody `json:"diff,omitempty" doc:"of the project's own against the pack's"`
}

// lineBody is a line of a comparison.
type lineBody struct {
	Mark string `json:"mark" enum:"-,+," doc:"- is the pack's alone, + the project's alone"`
	Text string `json:"text"`
}

// promptsMerge is what an upgrade would do.
type promptsMerge struct {
	To      string          `json:"to" doc:"slug@version"`
	Prompts []promptUpgrade `json:"prompts" nullable:"false"`
}

// promptUpgrade is one prompt in an upgrade.
type promptUpgrade struct {
	Name   string          `json:"name"`
	Title  string          `json:"title"`
	Change projects.Change `json:"change" enum:"unchanged,upgraded,kept,both,added,removed"`
	Before string          `json:"before,omitempty" doc:"the pack's that the project is on, if anything changes"`
	After  string          `json:"after,omitempty" doc:"the pack's new one, if anything changes"`
	Own    string          `json:"own,omitempty" doc:"the project's"`
}

type promptPath struct {
	ID   string `path:"id" doc:"id of the project"`
	Name string `path:"name" doc:"of the prompt"`
}

type promptChange struct {
	ID   string `path:"id" doc:"id of the project"`
	Name string `path:"name" doc:"of the prompt"`
	Body struct {
		Version int    `json:"version,omitempty" doc:"of the project, as it was read; 0 for any"`
		Text    string `json:"text" minLength:"1" maxLength:"100000" pattern:"^[^\\x00]*$"`
	}
}

type projectUpgrade struct {
	ID   string `path:"id" doc:"id of the project"`
	Body struct {
		Version   int               `json:"version,omitempty" doc:"of the project, as it was read; 0 for any"`
		Decisions map[string]string `json:"decisions,omitempty" doc:"by name of a prompt that both changed: pack, own, or the text that is to be used"`
	}
}

func (s *Handlers) listPrompts(ctx context.Context, in *projectID) (promptsBody, error) {
	return s.promptsOf(ctx, in.ID)
}

// promptsOf returns the prompts of a project as they are now.
func (s *Handlers) promptsOf(ctx context.Context, id string) (promptsBody, error) {
	tenant := web.ActorFrom(ctx).Tenant
	p, err := s.Projects.Find(ctx, tenant, id)
	if err != nil {
		return promptsBody{}, err
	}
	pack, err := s.Projects.Pack(ctx, tenant, p.Pack)
	if err != nil {
		return promptsBody{}, err
	}
	u, err := s.Projects.UpgradeOf(ctx, tenant, p)
	out := promptsBody{Version: p.Version, Pack: p.Pack.String(), Items: web.Map(p.PromptsOver(pack), toPromptBody)}
	if u != nil {
		out.Upgrade = &promptsMerge{u.To.String(), web.Map(u.Prompts, toPromptUpgrade)}
	}
	return out, err
}

func toPromptBody(p projects.Prompt) promptBody {
	out := promptBody{Name: p.Name, Title: p.Title, Own: p.Own, Text: p.Now, Pack: p.Pack}
	if p.Own {
		out.Lines = web.Map(projects.Lines(p.Pack, p.Now), func(l projects.Line) lineBody { return lineBody{l.Mark, l.Text} })
	}
	return out
}

func toPromptUpgrade(p projects.PromptUpgrade) promptUpgrade {
	out := promptUpgrade{Name: p.Name, Title: p.Title, Change: p.Change, Own: p.Own}
	if p.Change != projects.Unchanged && p.Change != projects.Kept {
		out.Before, out.After = p.Before, p.After
	}
	return out
}

func (s *Handlers) putPrompt(ctx context.Context, in *promptChange) (promptsBody, error) {
	if _, err := s.changePrompt(ctx, in.ID, web.ActorFrom(ctx).User, in.Body.Version, in.Name, &in.Body.Text); err != nil {
		return promptsBody{}, err
	}
	return s.promptsOf(ctx, in.ID)
}

func (s *Handlers) resetPrompt(ctx context.Context, in *promptPath) (promptsBody, error) {
	if _, err := s.changePrompt(ctx, in.ID, web.ActorFrom(ctx).User, 0, in.Name, nil); err != nil {
		return promptsBody{}, err
	}
	return s.promptsOf(ctx, in.ID)
}

// changePrompt changes a prompt of a project, or takes it back if text is nil, and writes that into
// the journal.
func (s *Handlers) changePrompt(ctx context.Context, id, user string, version int, name string, text *string) (projects.Project, error) {
	p, err := s.Projects.SetPrompt(ctx, web.ActorFrom(ctx).Tenant, id, user, version, name, text)
	if err != nil {
		return p, err
	}
	says := "changed the prompt " + name + " of"
	if _, own := p.Prompts[name]; !own {
		says = "took back the prompt " + name + " of"
	}
	return p, s.note(ctx, p.Name, says)
}

// upgrade moves a project to the newest version of its pack, and writes that into the journal.
func (s *Handlers) upgrade(ctx context.Context, id string, version int, decided map[string]string) (projects.Project, error) {
	a := web.ActorFrom(ctx)
	p, err := s.Projects.Upgrade(ctx, a.Tenant, id, a.User, version, decided)
	if err != nil {
		return p, err
	}
	return p, s.note(ctx, p.Name, "moved to "+p.Pack.String()+":")
}

func (s *Handlers) upgradeProject(ctx context.Context, in *projectUpgrade) (promptsBody, error) {
	if _, err := s.upgrade(ctx, in.ID, in.Body.Version, in.Body.Decisions); err != nil {
		return promptsBody{}, err
	}
	return s.promptsOf(ctx, in.ID)
}
