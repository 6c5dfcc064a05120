package data

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"quaestor/internal/fault"
	"quaestor/research/warehouse/runs"
	"quaestor/web"
	"quaestor/web/ui"
)

// findingsPath is the address of the search of a project's findings.
func findingsPath(project string) string { return projectPath(project) + "/findings" }

// SearchView is what [Search] shows.
type SearchView struct {
	Nav         ui.Nav
	Failure     string // why nothing was searched; may be empty
	Project     string
	ProjectName string
	Words       string
	Asked       bool // the words are a question to be answered
	Found       []runs.Finding
	Answer      *runs.FindingAnswer // nil if nobody asked
}

// findingPath is the address of a finding, or of a recommendation among all of the project.
func findingPath(project string, f runs.Finding) string {
	if f.Kind == runs.RecommendationFinding {
		return boardPath(project) + "#" + f.Ref + "-" + f.Run
	}
	return runPath(f.Run) + "/insights/" + f.Ref
}

// kindWords name what was found.
var kindWords = map[runs.FindingKind]string{runs.InsightFinding: "Finding", runs.RecommendationFinding: "Recommendation"}

// searchView searches the findings of a project, or answers a question from them.
func (s *Handlers) searchView(r *http.Request) (SearchView, error) {
	ctx, tenant, q := r.Context(), web.ActorFrom(r.Context()).Tenant, r.URL.Query()
	v := SearchView{Nav: web.NavOf(ctx, ui.AtData), Project: r.PathValue("id"), Words: strings.TrimSpace(q.Get("q")), Asked: q.Get("ask") != ""}
	p, err := s.Projects.Find(ctx, tenant, v.Project)
	if err != nil {
		return v, err
	}
	v.ProjectName = p.Name
	switch {
	case v.Words == "":
		return v, nil
	case v.Asked:
		var a runs.FindingAnswer
		a, err = s.Findings.Ask(ctx, tenant, p.ID, v.Words)
		v.Answer = &a
	default:
		v.Found, err = s.Findings.Search(ctx, tenant, p.ID, v.Words)
	}
	if fault.Is(err, fault.Unprocessable) {
		v.Failure, v.Answer = refusal(err), nil
		return v, nil
	}
	return v, err
}

type findingQuery struct {
	ID string `path:"id" doc:"id of the project"`
	Q  string `query:"q" required:"true" minLength:"1" maxLength:"500" doc:"words to search for"`
}

func (s *Handlers) searchFindings(ctx context.Context, in *findingQuery) (web.Page[runs.Finding], error) {
	tenant := web.ActorFrom(ctx).Tenant
	p, err := s.Projects.Find(ctx, tenant, in.ID)
	if err != nil {
		return web.Page[runs.Finding]{}, err
	}
	list, err := s.Findings.Search(ctx, tenant, p.ID, in.Q)
	return web.Page[runs.Finding]{Items: listed(list)}, err
}

type findingQuestion struct {
	ID   string `path:"id" doc:"id of the project"`
	Body struct {
		Question string `json:"question" minLength:"1" maxLength:"500"`
	}
}

func (s *Handlers) askFindings(ctx context.Context, in *findingQuestion) (runs.FindingAnswer, error) {
	tenant := web.ActorFrom(ctx).Tenant
	p, err := s.Projects.Find(ctx, tenant, in.ID)
	if err != nil {
		return runs.FindingAnswer{}, err
	}
	return s.Findings.Ask(ctx, tenant, p.ID, in.Body.Question)
}

// refusal is what a fault says, as a sentence for a page.
func refusal(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return web.Sentence(f.Error())
	}
	return ""
}
