package research

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/web"
	"quaestor/web/tasks"
)

var reportType = reflect.TypeFor[researchReport]()

// researchReport is all that is known of a task on the wire.
type researchReport struct {
	Task     tasks.TaskBody   `json:"task"`
	Searches []researchSearch `json:"searches" nullable:"false" doc:"what was asked of search engines, in order"`
	Sources  []researchSource `json:"sources" nullable:"false" doc:"the best first"`
	Claims   []researchClaim  `json:"claims" nullable:"false" doc:"the best first; each stands in its source"`
}

type researchSearch struct {
	Revision int                  `json:"revision" doc:"of the steering it took into account"`
	Query    string               `json:"query"`
	Engine   string               `json:"engine"`
	Hits     []research.SearchHit `json:"hits" nullable:"false"`
	Failure  string               `json:"failure,omitempty"`
	At       time.Time            `json:"at"`
}

type researchSource struct {
	N         int                  `json:"n" doc:"counts from 1 within the task"`
	URL       string               `json:"url"`
	Final     string               `json:"finalUrl,omitempty" doc:"where redirects led"`
	Title     string               `json:"title,omitempty"`
	Snippet   string               `json:"snippet,omitempty" doc:"what the search engine said of it"`
	State     research.SourceState `json:"state" enum:"queued,reading,read,failed,interrupted"`
	Failure   string               `json:"failure,omitempty" doc:"kind of failure"`
	Reason    string               `json:"reason,omitempty" doc:"why it could not be read"`
	Status    int                  `json:"httpStatus,omitempty"`
	MediaType string               `json:"mediaType,omitempty"`
	Size      int                  `json:"size,omitempty" doc:"bytes as received"`
	SHA256    string               `json:"sha256,omitempty" doc:"of those bytes"`
	Published string               `json:"published,omitempty" doc:"as the page says"`
	Truncated bool                 `json:"truncated,omitempty" doc:"only its beginning was read"`
	ReadAt    *time.Time           `json:"readAt,omitempty"`
	Text      string               `json:"text,omitempty" doc:"what was read, of one source only; untrusted text of somebody else"`
}

type researchClaim struct {
	N       int              `json:"n" doc:"counts from 1 within the task"`
	Source  int              `json:"source" doc:"number of its source"`
	Text    string           `json:"text"`
	Quote   string           `json:"quote" doc:"exactly the source's text at span"`
	Span    obligations.Span `json:"span" doc:"UTF-16 units of the source's text, end excluded"`
	SHA256  string           `json:"sha256" doc:"of the source's bytes"`
	Figures json.RawMessage  `json:"figures,omitempty" doc:"the numbers in it with unit and date"`
	Rank    float64          `json:"rank" doc:"0 to 1"`
	By      string           `json:"by" example:"extract"`
	Against []int            `json:"against,omitempty" doc:"numbers of claims that say otherwise"`
}

func toResearchReport(r research.Report) researchReport {
	return researchReport{tasks.ToTaskBody(r.Task), web.Map(r.Searches, toResearchSearch), web.Map(r.Sources, toResearchSource), web.Map(r.Claims, toResearchClaim)}
}

func toResearchSearch(s research.Search) researchSearch {
	return researchSearch{s.Revision, s.Query, s.Engine, append([]research.SearchHit{}, s.Hits...), s.Failure, s.At}
}

func toResearchSource(s research.Source) researchSource {
	return researchSource{N: s.N, URL: s.URL, Final: s.Final, Title: s.Title, Snippet: s.Snippet, State: s.State, Failure: s.Failure, Reason: s.Reason, Status: s.Status,
		MediaType: s.MediaType, Size: s.Size, SHA256: s.SHA256, Published: s.Published, Truncated: s.Truncated, ReadAt: s.ReadAt}
}

func toResearchClaim(c research.Claim) researchClaim {
	return researchClaim{c.N, c.Source, c.Text, c.Quote, c.Span, c.SHA256, c.Figures, c.Rank, c.By, c.Against}
}

type sourcePath struct {
	ID string `path:"id" doc:"id of the task"`
	N  int    `path:"n" minimum:"1" maximum:"2147483647" doc:"number of the source"`
}

func (s *Handlers) getSource(ctx context.Context, in *sourcePath) (researchSource, error) {
	d, err := s.document(ctx, in.ID, in.N)
	out := toResearchSource(d.Source)
	out.Text = d.Content
	return out, err
}

// document returns a source of a task the actor may see.
func (s *Handlers) document(ctx context.Context, task string, n int) (research.Document, error) {
	t, err := s.task(ctx, task)
	if err != nil {
		return research.Document{}, err
	}
	return research.FindSource(ctx, s.Pool, t.Scope.Tenant, t.ID, n)
}

// researchFiles are what a report is downloaded as; json is the answer to
// programs when no format is asked for.
var researchFiles = map[string]struct {
	media string
	write func(context.Context, *bytes.Buffer, ReportView) error
}{
	"json": {"application/json", func(_ context.Context, b *bytes.Buffer, v ReportView) error {
		return json.NewEncoder(b).Encode(toResearchReport(v.Report))
	}},
	"md":  {"text/markdown; charset=utf-8", func(_ context.Context, b *bytes.Buffer, v ReportView) error { writeReport(b, v); return nil }},
	"csv": {"text/csv; charset=utf-8", func(_ context.Context, b *bytes.Buffer, v ReportView) error { return writeClaims(b, v.Report) }},
	"html": {"text/html; charset=utf-8", func(ctx context.Context, b *bytes.Buffer, v ReportView) error {
		return ReportFile(v).Render(ctx, b)
	}},
}

// report answers with all that a task found, as JSON or as a file.
func (s *Handlers) report(w http.ResponseWriter, r *http.Request) error {
	asked := r.URL.Query().Get("format")
	file, ok := researchFiles[cmp.Or(asked, "json")]
	if !ok {
		return fault.New(fault.Unprocessable, "format is json, md, html or csv, not %q", web.Clip(asked)).At("format")
	}
	t, err := s.routedTask(r)
	if err != nil {
		return err
	}
	v, err := s.reportView(r.Context(), t)
	if err != nil {
		return err
	}
	v.Base = ""
	var body bytes.Buffer
	if err := file.write(r.Context(), &body, v); err != nil {
		return fmt.Errorf("report of research task %s: %w", t.ID, err)
	}
	h := w.Header()
	h.Set("Content-Type", file.media)
	h.Set("Cache-Control", "no-store")
	if asked != "" {
		h.Set("Content-Disposition", `attachment; filename="research-`+t.ID[:8]+"."+asked+`"`)
	}
	_, _ = w.Write(body.Bytes()) // a reader that left needs no answer
	return nil
}

// rawSource answers with a source as it was received, for no browser to draw.
func (s *Handlers) rawSource(w http.ResponseWriter, r *http.Request) error {
	t, err := s.routedTask(r)
	if err != nil {
		return err
	}
	d, err := s.routedSource(r, t)
	if err != nil {
		return err
	}
	if d.State != research.SourceRead {
		return fault.New(fault.NotFound, "nothing of this source was read").Coded("research_source_unread")
	}
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", fmt.Sprintf(`attachment; filename="research-%s-source-%d.bin"`, t.ID[:8], d.N))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "no-store")
	_, _ = w.Write(d.Bytes) // a reader that left needs no answer
	return nil
}

// routedTask returns the task a request's address names: as a task of programs,
// as a page, or as a page of its session.
func (s *Handlers) routedTask(r *http.Request) (research.Task, error) {
	id, session := r.PathValue("task"), r.PathValue("id")
	if id == "" {
		id, session = session, ""
	}
	t, err := s.task(r.Context(), id)
	if err == nil && session != "" && t.Scope.Session != web.CanonicalID(session) {
		err = tasks.ErrNoTask()
	}
	return t, err
}

// routedSource returns the source of a task that a request's address names.
func (s *Handlers) routedSource(r *http.Request, t research.Task) (research.Document, error) {
	n, err := strconv.ParseInt(r.PathValue("n"), 10, 32)
	if err != nil {
		n = 0 // which no source has
	}
	return research.FindSource(r.Context(), s.Pool, t.Scope.Tenant, t.ID, int(n))
}

// reportView reads what a report shows: what was found and, to show quotes where
// they stand, the texts of the sources that are quoted.
func (s *Handlers) reportView(ctx context.Context, t research.Task) (ReportView, error) {
	found, err := research.LoadReport(ctx, s.Pool, t.Scope.Tenant, t.ID)
	if err != nil {
		return ReportView{}, err
	}
	texts, err := research.Quoted(ctx, s.Pool, t.Scope.Tenant, t.ID)
	if err != nil {
		return ReportView{}, err
	}
	v := ReportView{Report: found, Texts: texts}
	if t.Scope.Session == "" {
		return v, nil
	}
	session, err := s.Session(ctx, t.Scope.Session)
	if err != nil {
		return v, err
	}
	d, list, err := s.Known(ctx, session)
	if err != nil {
		return v, err
	}
	v.Interview, v.About = d.DisplayName, obligations.Find(list, t.Order.Key)
	return v, nil
}

// describeResearch adds what huma does not serve to the description.
func describeResearch(doc *huma.OpenAPI) {
	id := &huma.Param{Name: "id", In: "path", Required: true, Description: "id of the task", Schema: &huma.Schema{Type: "string", Format: "uuid"}}
	n := &huma.Param{Name: "n", In: "path", Required: true, Description: "number of the source", Schema: &huma.Schema{Type: "integer"}}
	format := &huma.Param{Name: "format", In: "query", Description: "a file to keep; JSON to read when left out", Schema: &huma.Schema{Type: "string", Enum: []any{"json", "md", "html", "csv"}}}
	text := &huma.MediaType{Schema: &huma.Schema{Type: "string"}}
	refusal := web.DescribeRefusal(doc, "Refused")
	doc.AddOperation(&huma.Operation{OperationID: "research-report", Method: http.MethodGet, Path: "/api/v1/research-tasks/{id}/report",
		Summary: "What was asked, read and found", Tags: []string{"research-tasks"}, Parameters: []*huma.Param{id, format},
		Responses: map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{
			"application/json": {Schema: doc.Components.Schemas.Schema(reportType, true, "")}, "text/markdown": text, "text/html": text, "text/csv": text}}, "default": refusal}})
	doc.AddOperation(&huma.Operation{OperationID: "research-source-raw", Method: http.MethodGet, Path: "/api/v1/research-tasks/{id}/sources/{n}/raw",
		Summary: "A source as it was received, as a download", Tags: []string{"research-tasks"}, Parameters: []*huma.Param{id, n},
		Responses: map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{
			"application/octet-stream": {Schema: &huma.Schema{Type: "string", Format: "binary"}}}}, "default": refusal}})
	made := doc.Paths["/api/v1/research-tasks"].Post.Responses
	made["200"] = &huma.Response{Description: "OK: the same request made this task before", Headers: made["201"].Headers, Content: made["201"].Content}
}
