package webtest

import (
	"net/http"
	"strings"

	"quaestor/research"
	"quaestor/web/tasks"
)

const TasksPath = "/api/v1/research-tasks"

// Asks has something looked up and returns the task.
func (w *World) Asks(body map[string]any) tasks.TaskBody {
	w.T.Helper()
	return Fetch[tasks.TaskBody](w, http.StatusCreated, Request{Path: TasksPath, Body: body})
}

// Staged is what a task is made to have read.
type Staged struct {
	URL, Title, Text string
	Failure          string // why it could not be read; empty when it was
	Quotes           []string
	Against          []int // numbers of claims that say otherwise
}

// Stages gives a task what a researcher would have found: each quote is a claim.
func (w *World) Stages(id string, outcome research.Outcome, list ...Staged) {
	w.T.Helper()
	w.Exec(`UPDATE discovery_research_tasks SET status = 'completed', step = 'propose', outcome = $2, summary = 'Two sources give figures.', started_at = now(), completed_at = now(),
		plan = '{"revision": 0, "queries": ["bicycle repair market"], "by": "rules"}' WHERE id = $1`, id, string(outcome))
	w.Exec(`INSERT INTO research_searches (tenant_id, task_id, revision, n, query, engine, hits) VALUES ($1, $2, 0, 1, 'bicycle repair market', 'searxng', '[{"url": "https://a.example/", "title": "A"}]')`, w.Tenant, id)
	w.Exec(`INSERT INTO research_searches (tenant_id, task_id, revision, n, query, engine, failure) VALUES ($1, $2, 0, 1, 'bicycle repair market', 'brave', 'it answered with 429')`, w.Tenant, id)
	claim := 0
	for i, s := range list {
		if s.Failure != "" {
			w.Exec(`INSERT INTO research_sources (tenant_id, task_id, n, revision, url, title, state, failure, reason, read_at) VALUES ($1, $2, $3, 0, $4, $5, 'failed', 'refused', $6, now())`,
				w.Tenant, id, i+1, s.URL, s.Title, s.Failure)
			continue
		}
		w.Exec(`INSERT INTO research_sources (tenant_id, task_id, n, revision, url, final_url, http_status, media_type, title, state, bytes, sha256, content, published, read_at)
			VALUES ($1, $2, $3, 0, $4, $4, 200, 'text/html', $5, 'read', convert_to('<html>' || $6, 'UTF8'), repeat('ab', 32), $6, '2024-05-12', now())`, w.Tenant, id, i+1, s.URL, s.Title, s.Text)
		for _, quote := range s.Quotes {
			claim++
			at := len(utf16Of(s.Text[:strings.Index(s.Text, quote)]))
			w.Exec(`INSERT INTO research_claims (tenant_id, task_id, n, source, claim, quote, span_start, span_end, sha256, figures, rank, made_by, against)
				VALUES ($1, $2, $3, $4, 'It says: ' || $5, $5, $6, $7, repeat('ab', 32), '[{"words": "12 million EUR", "value": 12000000, "unit": "EUR", "when": "2024", "approximate": true}]', 0.8, 'extract', $8)`,
				w.Tenant, id, claim, i+1, quote, at, at+len(utf16Of(quote)), append([]int{}, s.Against...))
		}
	}
}

var Market = []Staged{
	{URL: "https://trade.example/report", Title: "Trade report", Text: "🚲 Some words before. The market for bicycle repair is about 12 million EUR in 2024. Some words after it.",
		Quotes: []string{"The market for bicycle repair is about 12 million EUR in 2024."}},
	{URL: "https://city.example/figures", Title: "Figures of the city", Text: "In 2024 the market for repairs was 30 million EUR, says the office.",
		Quotes: []string{"the market for repairs was 30 million EUR"}},
	{URL: "https://closed.example/", Title: "Closed", Failure: "robots.txt does not allow it"},
}
