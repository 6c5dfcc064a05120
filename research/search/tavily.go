package search

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// Tavily searches with the Tavily API.
type Tavily struct{ *client }

// NewTavily returns the engine; o.Key is required. It makes no request.
func NewTavily(o Options) (*Tavily, error) {
	if o.Key.IsZero() {
		return nil, needsKey("tavily")
	}
	c, err := newClient("tavily", "https://api.tavily.com", o)
	if err != nil {
		return nil, err
	}
	return &Tavily{c}, nil
}

// The limits of the API, which refuses anything beyond them.
const (
	tavilyRunes = 400
	tavilyHits  = 20
)

// The API's own statuses.
const (
	tavilyPlanUsed   = 432
	tavilyBudgetUsed = 433
)

// Name implements [Engine].
func (*Tavily) Name() string { return "tavily" }

// tavilyQuery is the body of a request. The API has no language.
type tavilyQuery struct {
	Query      string `json:"query"`
	MaxResults int    `json:"max_results"`
	Depth      string `json:"search_depth"`
	Answer     bool   `json:"include_answer"`
	Raw        bool   `json:"include_raw_content"`
	Images     bool   `json:"include_images"`
}

// tavilyResult is the part of a result that is used.
type tavilyResult struct {
	URL       string `json:"url"`
	Title     string `json:"title"`
	Content   string `json:"content"`
	Published string `json:"published_date"`
}

// Search implements [Engine]. It never asks the API for a generated answer: claims
// must come from pages that were read.
func (t *Tavily) Search(ctx context.Context, q Query) ([]Hit, error) {
	words := asked(q.Words, tavilyRunes, 0)
	if words == "" {
		return nil, nil
	}
	n := q.most(tavilyHits)
	a, err := t.post(ctx, "/search", tavilyQuery{Query: words, MaxResults: n, Depth: "basic"},
		http.Header{"Authorization": {"Bearer " + t.key.Reveal()}})
	if err != nil {
		return nil, err
	}
	if a.status != http.StatusOK {
		return nil, t.refusal(a)
	}
	var doc struct {
		Results *[]json.RawMessage `json:"results"`
	}
	if err := t.read(a, &doc); err != nil {
		return nil, err
	}
	if doc.Results == nil {
		return nil, t.malformed("no results")
	}
	return gather(t.client, *doc.Results, n, func(r tavilyResult) Hit {
		return Hit{URL: r.URL, Title: r.Title, Snippet: r.Content, Published: r.Published}
	})
}

// refusal classifies a response other than 200.
func (t *Tavily) refusal(a answer) *Error {
	e := statusError(t.engine, a.status, a.header, time.Now())
	if a.status == tavilyPlanUsed || a.status == tavilyBudgetUsed {
		e.Kind = Quota
	}
	return e
}
