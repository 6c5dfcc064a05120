package search

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"time"
)

// SearXNG searches with a SearXNG server, which asks other engines.
type SearXNG struct{ *client }

// NewSearXNG returns the engine; o.Base is required. The server must have json in
// search.formats of its settings.yml. NewSearXNG makes no request.
func NewSearXNG(o Options) (*SearXNG, error) {
	c, err := newClient("searxng", "", o)
	if err != nil {
		return nil, err
	}
	return &SearXNG{c}, nil
}

// The limits of a search. SearXNG has none for queries, but the engines behind it do.
const (
	searxngRunes = 400
	searxngHits  = 50 // a page has about 10 per engine asked
)

// Name implements [Engine].
func (*SearXNG) Name() string { return "searxng" }

// searxngLanguage matches the languages the server accepts; it refuses others.
var searxngLanguage = regexp.MustCompile(`^[a-z]{2,3}(-[a-zA-Z]{2})?$`)

// searxngResult is the part of a result that is used.
type searxngResult struct {
	URL       string `json:"url"`
	Title     string `json:"title"`
	Content   string `json:"content"`
	Published string `json:"publishedDate"`
}

// Search implements [Engine]. If nothing is found and some of the engines behind the
// server did not answer, it is Unavailable, as those may have had hits.
func (s *SearXNG) Search(ctx context.Context, q Query) ([]Hit, error) {
	words := asked(q.Words, searxngRunes, 0)
	if words == "" {
		return nil, nil
	}
	params := url.Values{"q": {words}, "format": {"json"}, "categories": {"general"}}
	if searxngLanguage.MatchString(q.Language) {
		params.Set("language", q.Language)
	}
	header := http.Header{}
	if !s.key.IsZero() {
		header.Set("Authorization", "Bearer "+s.key.Reveal())
	}
	a, err := s.get(ctx, "/search", params, header)
	if err != nil {
		return nil, err
	}
	if a.status != http.StatusOK {
		return nil, s.refusal(a)
	}
	return s.hits(a, q.most(searxngHits))
}

// refusal classifies a response other than 200.
func (s *SearXNG) refusal(a answer) *Error {
	e := statusError(s.engine, a.status, a.header, time.Now())
	if a.status == http.StatusForbidden {
		e.Kind, e.Detail = BadRequest, "status 403: add json to search.formats in its settings.yml"
	}
	return e
}

// hits decodes a response.
func (s *SearXNG) hits(a answer, n int) ([]Hit, error) {
	var doc struct {
		Results      *[]json.RawMessage `json:"results"`
		Unresponsive []json.RawMessage  `json:"unresponsive_engines"`
	}
	if err := s.read(a, &doc); err != nil {
		return nil, err
	}
	if doc.Results == nil {
		return nil, s.malformed("no results")
	}
	if len(*doc.Results) == 0 && len(doc.Unresponsive) > 0 {
		return nil, &Error{Engine: s.engine, Kind: Unavailable, Detail: "the engines it asks do not answer"}
	}
	return gather(s.client, *doc.Results, n, func(r searxngResult) Hit {
		return Hit{URL: r.URL, Title: r.Title, Snippet: r.Content, Published: r.Published}
	})
}
