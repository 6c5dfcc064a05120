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

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/web"
	"quaestor/web/tasks"
)

// reportType is described by hand, because huma does not serve reports.
var reportType = reflect.TypeFor[researchReport]()

// researchReport is everything that is known of a task, on the wire.
type researchReport struct {
	Task     tasks.TaskBody   `json:"task"`
	Searches []researchSearch `json:"searches" nullable:"false" doc:"what was asked of search engines, in order"`
	Sources  []researchSource `json:"sources" nullable:"false" doc:"the best first"`
	Claims   []researchClaim  `json:"claims" nullable:"false" doc:"the best first; each stands in its source"`
}

// researchSearch is what was asked of a search engine, on the wire.
type researchSearch struct {
	Revision int                  `json:"revision" doc:"of the steering it took into account"`
	Query    string               `json:"query"`
	Engine   string               `json:"engine"`
	Hits     []research.SearchHit `json:"hits" nullable:"false"`
	Failure  string               `json:"failure,omitempty"`
	At       time.Time            `json:"at"`
}

// researchSource is a source on the wire.
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

// researchClaim is a claim on the wire. It has the fields of [research.Claim], in that
// order.
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

// toResearchReport returns a report as it is sent, with empty lists instead of null.
func toResearchReport(r research.Report) researchReport {
	return researchReport{tasks.ToTaskBody(r.Task), web.Map(r.Searches, toResearchSearch), web.Map(r.Sources, toResearchSource), web.Map(r.Claims, func(c research.Claim) researchClaim { return researchClaim(c) })}
}

// toResearchSearch returns a search as it is sent.
func toResearchSearch(s research.Search) researchSearch {
	out := researchSearch(s)
	out.Hits = append([]research.SearchHit{}, s.Hits...) // an empty list, not null
	return out
}

// toResearchSource returns a source as it is sent in a report: without its text, which may be
// long and is asked for by itself.
func toResearchSource(s research.Source) researchSource {
	return researchSource{N: s.N, URL: s.URL, Final: s.Final, Title: s.Title, Snippet: s.Snippet, State: s.State, Failure: s.Failure, Reason: s.Reason, Status: s.Status,
		MediaType: s.MediaType, Size: s.Size, SHA256: s.SHA256, Published: s.Published, Truncated: s.Truncated, ReadAt: s.ReadAt}
}

// sourcePath names a source of a task. Its maximum is the database's.
type sourcePath struct {
	ID string `path:"id" doc:"id of the task"`
	N  int    `path:"n" minimum:"1" maximum:"2147483647" doc:"number of the source"`
}

// getSource returns a source with its text.
func (s *Handlers) getSource(ctx context.Context, in *sourcePath) (researchSource, error) {
	t, err := s.task(ctx, in.ID)
	if err != nil {
		return researchSource{}, err
	}
	d, err := research.FindSource(ctx, s.Pool, t.Scope.Tenant, t.ID, in.N)
	out := toResearchSource(d.Source)
	out.Text = d.Content
	return out, err
}

// researchFiles are the formats of a report. Programs that ask for none get JSON.
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

// report answers with everything a task found: as JSON, or as a file when a format is asked
// for. It is written whole before anything is sent, so that a failure is still a problem.
func (s *Handlers) report(w http.ResponseWriter, r *http.Request) error {
	asked := r.URL.Query().Get("format")
	file, ok := researchFiles[cmp.Or(asked, "json")]
	if !ok {
		return fault.New(fault.Unprocessable, "format is json, md, html or csv, not %q", web.Clip(asked)).At("format")
	}
	v, err := s.reportView(r)
	if err != nil {
		return err
	}
	t := v.Report.Task
	v.Base = "" // a file leads nowhere into the program
	var body bytes.Buffer
	if err := file.write(r.Context(), &body, v); err != nil {
		return fmt.Errorf("report of research task %s: %w", t.ID, err)
	}
	if asked != "" {
		w.Header().Set("Content-Disposition", `attachment; filename="research-`+t.ID[:8]+"."+asked+`"`)
	}
	return send(w, file.media, body.Bytes())
}

// send answers with bytes that no cache keeps.
func send(w http.ResponseWriter, media string, body []byte) error {
	w.Header().Set("Content-Type", media)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(body) // nobody is left to be told when the reader has gone
	return nil
}

// rawSource answers with a source as it was received. The bytes are a stranger's: the type,
// the disposition and the policy each keep a browser from drawing them as a page of ours.
func (s *Handlers) rawSource(w http.ResponseWriter, r *http.Request) error {
	t, d, err := s.routedSource(r)
	if err != nil {
		return err
	}
	if d.State != research.SourceRead {
		return fault.New(fault.NotFound, "nothing of this source was read").Coded("research_source_unread")
	}
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="research-%s-source-%d.bin"`, t.ID[:8], d.N))
	w.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox")
	return send(w, "application/octet-stream", d.Bytes)
}

// routedTask returns the task an address names. The API calls it id; pages call it task,
// and may name its session as id. A task of another session is not found.
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

// routedSource returns the source that an address names, and its task.
func (s *Handlers) routedSource(r *http.Request) (research.Task, research.Document, error) {
	t, err := s.routedTask(r)
	if err != nil {
		return t, research.Document{}, err
	}
	n, err := strconv.ParseInt(r.PathValue("n"), 10, 32)
	if err != nil {
		n = 0 // sources count from 1, so it is not found
	}
	d, err := research.FindSource(r.Context(), s.Pool, t.Scope.Tenant, t.ID, int(n))
	return t, d, err
}

// reportView reads what a report of the task that an address names shows: what was found,
// and the texts of the sources that are quoted, so that quotes can be shown where they stand.
func (s *Handlers) reportView(r *http.Request) (ReportView, error) {
	ctx := r.Context()
	t, err := s.routedTask(r)
	if err != nil {
		return ReportView{}, err
	}
	found, errReport := research.LoadReport(ctx, s.Pool, t.Scope.Tenant, t.ID)
	texts, errTexts := research.Quoted(ctx, s.Pool, t.Scope.Tenant, t.ID)
	v := ReportView{Report: found, Texts: texts}
	v.Runs = web.ActorFrom(ctx).May(auth.Review)
	if err := cmp.Or(errReport, errTexts, s.statementViews(ctx, &v)); err != nil || t.Scope.Session == "" {
		return v, err
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

// describeResearch describes what huma does not serve: reports and raw sources, which are
// files, and the second status of a question that is asked again.
func describeResearch(doc *huma.OpenAPI) {
	id := &huma.Param{Name: "id", In: "path", Required: true, Description: "id of the task", Schema: &huma.Schema{Type: "string", Format: "uuid"}}
	n := &huma.Param{Name: "n", In: "path", Required: true, Description: "number of the source", Schema: &huma.Schema{Type: "integer"}}
	format := &huma.Param{Name: "format", In: "query", Description: "a file to keep; JSON to read when left out", Schema: &huma.Schema{Type: "string", Enum: []any{"json", "md", "html", "csv"}}}
	text := &huma.MediaType{Schema: &huma.Schema{Type: "string"}}
	refusal := web.DescribeRefusal(doc, "Refused")
	file := func(operation, path, summary string, content map[string]*huma.MediaType, params ...*huma.Param) {
		doc.AddOperation(&huma.Operation{OperationID: operation, Method: http.MethodGet, Path: tasksPath + path, Summary: summary, Tags: []string{"research-tasks"}, Parameters: params,
			Responses: map[string]*huma.Response{"200": {Description: "OK", Content: content}, "default": refusal}})
	}
	file("research-report", "/{id}/report", "What was asked, read and found", map[string]*huma.MediaType{
		"application/json": {Schema: doc.Components.Schemas.Schema(reportType, true, "")}, "text/markdown": text, "text/html": text, "text/csv": text}, id, format)
	file("research-source-raw", "/{id}/sources/{n}/raw", "A source as it was received, as a download", map[string]*huma.MediaType{
		"application/octet-stream": {Schema: &huma.Schema{Type: "string", Format: "binary"}}}, id, n)
	made := doc.Paths[tasksPath].Post.Responses
	made["200"] = &huma.Response{Description: "OK: the same request made this task before", Headers: made["201"].Headers, Content: made["201"].Content}
}
