package data

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"quaestor/research/warehouse/packs"
	"quaestor/research/warehouse/projects"
	"quaestor/web"
	"quaestor/web/ui"
)

// promptNotices are what the page of prompts tells after a form, by the value of done in its address.
var promptNotices = map[string]string{"saved": "The prompt is saved. Runs that are under way go on as they began.", "reset": "The prompt is the pack's again.", "upgraded": "The project is on the new version of its pack."}

// PromptsView is what [Prompts] shows.
type PromptsView struct {
	Nav             ui.Nav
	Notice, Failure string
	Form            ui.FormView // of a prompt, called prompt. and its name, or of the upgrade
	Project         projects.Project
	Prompts         []projects.Prompt
	Upgrade         *projects.Upgrade // nil if the pack has no newer version
}

// own is how many of the prompts the project has changed.
func (v PromptsView) own() int {
	n := 0
	for _, p := range v.Prompts {
		if p.Own {
			n++
		}
	}
	return n
}

// path is the address of the page.
func (v PromptsView) path() string { return promptsPath(v.Project.ID) }

// upgradeWords tells what an upgrade does with a text.
func upgradeWords(p projects.PromptUpgrade) string {
	switch p.Change {
	case projects.Upgraded:
		return "changed by the pack; the project takes that over"
	case projects.Kept:
		return "yours stays; the pack's did not change"
	case projects.Both:
		return "changed by you and by the pack"
	case projects.Added:
		return "new"
	case projects.Removed:
		if p.Own != "" {
			return "not in the new version; your text is dropped"
		}
		return "not in the new version"
	case projects.Unchanged:
	}
	return "unchanged"
}

// promptsPath is the address of the prompts of a project.
func promptsPath(project string) string { return projectPath(project) + "/prompts" }

// promptsView shows the prompts of a project beside those of its pack.
func (s *Handlers) promptsView(r *http.Request) (PromptsView, error) {
	ctx, tenant := r.Context(), web.ActorFrom(r.Context()).Tenant
	v := PromptsView{Nav: web.NavOf(ctx, ui.AtData), Notice: promptNotices[r.URL.Query().Get("done")]}
	var err error
	if v.Project, err = s.Projects.Find(ctx, tenant, r.PathValue("id")); err != nil {
		return v, err
	}
	var pack *packs.Pack
	if pack, err = s.Projects.Pack(ctx, tenant, v.Project.Pack); err != nil {
		return v, err
	}
	v.Prompts = v.Project.PromptsOver(pack)
	v.Upgrade, err = s.Projects.UpgradeOf(ctx, tenant, v.Project)
	return v, err
}

// submitPrompt saves a prompt of a project, or takes it back.
func (s *Handlers) submitPrompt(w http.ResponseWriter, r *http.Request) error {
	ctx, a, name, done := r.Context(), web.ActorFrom(r.Context()), r.PathValue("name"), "saved"
	version, _ := strconv.Atoi(r.PostFormValue("version")) // 0 is no version, and refused as an old one would be
	body := r.PostFormValue("text")
	text := &body
	if r.PostFormValue("act") == "reset" {
		text, done = nil, "reset"
	}
	p, err := s.changePrompt(ctx, r.PathValue("id"), a.User, max(version, 1), name, text)
	if err != nil {
		return s.promptsAgain(w, r, "prompt."+name, err)
	}
	return web.EndForm(w, r, promptsPath(p.ID)+"?done="+done+"#"+name)
}

// submitUpgrade moves a project to the newest version of its pack. Of a text that both changed, the
// form has whose is taken, or another text.
func (s *Handlers) submitUpgrade(w http.ResponseWriter, r *http.Request) error {
	version, _ := strconv.Atoi(r.PostFormValue("version"))
	decided := map[string]string{}
	for field := range r.PostForm {
		name, ok := strings.CutPrefix(field, "choice.")
		if !ok {
			continue
		}
		switch choice := r.PostForm.Get(field); choice {
		case projects.TakePack, projects.KeepOwn:
			decided[name] = choice
		case "other":
			decided[name] = r.PostForm.Get("other." + name)
		}
	}
	if _, err := s.upgrade(r.Context(), r.PathValue("id"), max(version, 1), decided); err != nil {
		return s.promptsAgain(w, r, "upgrade", err)
	}
	return web.EndForm(w, r, promptsPath(r.PathValue("id"))+"?done=upgraded")
}

// promptsAgain shows the page with what was typed into a form and what is wrong with it.
func (s *Handlers) promptsAgain(w http.ResponseWriter, r *http.Request, form string, err error) error {
	return web.ShowAgain(w, r, err, func(reason string) (templ.Component, error) {
		v, bad := s.promptsView(r)
		v.Form = web.FormOf(r, form, err)
		for field, words := range v.Form.Faults {
			if form != "upgrade" && strings.HasPrefix(field, "prompts.") {
				v.Form.Faults["text"] = words
			}
		}
		v.Failure = v.Form.FailureOr(reason)
		if v.Failure == "" || form == "upgrade" {
			v.Failure = reason
		}
		return Prompts(v), bad
	})
}
