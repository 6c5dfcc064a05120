package research

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research/internal/dbsqlc"
)

// Report is all that is known of a task: what was asked, read and found.
type Report struct {
	Task     Task
	Searches []Search
	Sources  []Source // the best first
	Claims   []Claim  // the best first
}

// Search is one query to one search engine, with the engine's answer.
type Search struct {
	Revision int
	Query    string
	Engine   string
	Hits     []SearchHit
	Failure  string // in words; empty when it answered
	At       time.Time
}

// SearchHit is a page that a search engine returned.
type SearchHit struct {
	URL   string `json:"url"`
	Title string `json:"title"`
}

// SourceState is how far the reading of a source has got.
type SourceState string

// The states of a source. One that is being read has been requested; if its worker
// dies it becomes interrupted, and is not requested again.
const (
	SourceQueued      SourceState = "queued"
	SourceReading     SourceState = "reading"
	SourceRead        SourceState = "read"
	SourceFailed      SourceState = "failed"
	SourceInterrupted SourceState = "interrupted"
)

// Source is a page or document that a task found.
type Source struct {
	N         int // counts from 1 within the task
	URL       string
	Final     string // where redirects led; empty when it was not read
	Title     string
	Snippet   string
	State     SourceState
	Failure   string // kind of failure; empty for none
	Reason    string // why it could not be read, in words; empty when it was
	Status    int    // of HTTP; 0 for a document
	MediaType string
	Size      int    // bytes as received
	SHA256    string // of those bytes
	Published string // as the page says; empty when it does not
	Truncated bool
	ReadAt    *time.Time
}

// Claim is a statement found in a source, with the words that support it.
type Claim struct {
	N       int // counts from 1 within the task, the best first
	Source  int
	Text    string
	Quote   string           // exactly the source's text at Span
	Span    obligations.Span // UTF-16 units of the source's text
	SHA256  string           // of the source's bytes
	Figures json.RawMessage  // numbers in it with unit and date, see claims.Figure
	Rank    float64          // 0–1
	By      string           // "extract" or "model NAME"
	Against []int            // numbers of claims that say otherwise
}

// LoadReport returns a tenant's task with everything that was found.
func LoadReport(ctx context.Context, db postgres.DB, tenant, id string) (Report, error) {
	t, err := Find(ctx, db, tenant, id)
	if err != nil {
		return Report{}, err
	}
	out := Report{Task: t}
	b := postgres.NewBatch(tenant)
	out.load(b, tenant, id)
	if err := b.Send(ctx, db); err != nil {
		return Report{}, fmt.Errorf("report of research task %s: %w", id, err)
	}
	return out, nil
}

// load queues the reads of a report's searches, sources and claims.
func (r *Report) load(b *postgres.Batch, tenant, id string) {
	postgres.Many(b, queries.SearchList, &dbsqlc.SearchListParams{TenantID: tenant, TaskID: id}, func(row *dbsqlc.ResearchSearch) error {
		s := Search{Revision: int(row.Revision), Query: row.Query, Engine: row.Engine, Failure: untext(row.Failure), At: row.At}
		r.Searches = append(r.Searches, s)
		return json.Unmarshal(row.Hits, &r.Searches[len(r.Searches)-1].Hits)
	})
	loadSources(b, tenant, id, &r.Sources)
	loadClaims(b, tenant, id, &r.Claims)
}

// loadSources queues a read of a task's sources, without their content.
func loadSources(b *postgres.Batch, tenant, id string, list *[]Source) {
	postgres.Many(b, queries.SourceHeads, &dbsqlc.SourceHeadsParams{TenantID: tenant, TaskID: id}, func(row *dbsqlc.SourceHeadsRow) error {
		*list = append(*list, Source{N: int(row.N), URL: row.Url, Final: row.FinalUrl, Title: row.Title, Snippet: row.Snippet, State: SourceState(row.State),
			Failure: row.Failure, Reason: row.Reason, Status: int(row.HttpStatus), MediaType: row.MediaType, Size: int(row.Size), SHA256: row.Sha256,
			Published: row.Published, Truncated: row.Truncated, ReadAt: row.ReadAt})
		return nil
	})
}

// loadClaims queues a read of a task's claims.
func loadClaims(b *postgres.Batch, tenant, id string, list *[]Claim) {
	postgres.Many(b, queries.ClaimList, &dbsqlc.ClaimListParams{TenantID: tenant, TaskID: id}, func(row *dbsqlc.ResearchClaim) error {
		c := Claim{N: int(row.N), Source: int(row.Source), Text: row.Claim, Quote: row.Quote, Span: obligations.Span{Start: int(row.SpanStart), End: int(row.SpanEnd)},
			SHA256: row.Sha256, Figures: row.Figures, Rank: row.Rank, By: row.MadeBy}
		for _, n := range row.Against {
			c.Against = append(c.Against, int(n))
		}
		*list = append(*list, c)
		return nil
	})
}

// Quoted returns the texts of the sources that a task's claims quote, by the
// source's number.
func Quoted(ctx context.Context, db postgres.DB, tenant, task string) (map[int]string, error) {
	out := map[int]string{}
	b := postgres.NewBatch(tenant)
	postgres.Many(b, queries.SourceContents, &dbsqlc.SourceContentsParams{TenantID: tenant, TaskID: task}, func(r *dbsqlc.SourceContentsRow) error { out[int(r.N)] = r.Content; return nil })
	if err := b.Send(ctx, db); err != nil {
		return nil, fmt.Errorf("texts of research task %s: %w", task, err)
	}
	return out, nil
}

// Document is a source together with its content.
type Document struct {
	Source
	Content string // what people would read in it
	Bytes   []byte // as received
}

// FindSource returns a source of a tenant's task with its content; one that does
// not exist is NotFound.
func FindSource(ctx context.Context, db postgres.DB, tenant, task string, n int) (Document, error) {
	out, err := postgres.Find(ctx, db, tenant, queries.SourceFind, &dbsqlc.SourceFindParams{TenantID: tenant, TaskID: task, N: int32(n)}, func(r *dbsqlc.ResearchSource) (Document, error) {
		d := Document{Source: Source{N: int(r.N), URL: r.Url, Final: untext(r.FinalUrl), Title: r.Title, Snippet: r.Snippet, State: SourceState(r.State),
			Failure: untext(r.Failure), Reason: untext(r.Reason), MediaType: untext(r.MediaType), Size: len(r.Bytes), SHA256: untext(r.Sha256),
			Published: untext(r.Published), Truncated: r.Truncated, ReadAt: r.ReadAt}, Content: untext(r.Content), Bytes: r.Bytes}
		if r.HttpStatus != nil {
			d.Status = int(*r.HttpStatus)
		}
		return d, nil
	})
	if err != nil && postgres.Code(err) != "22P02" {
		return Document{}, fmt.Errorf("source %d of research task %s: %w", n, task, err)
	}
	if out == nil {
		return Document{}, fault.New(fault.NotFound, "the task has no such source").Coded("research_source_not_found")
	}
	return *out, nil
}
