package search

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Brave searches with the Brave Search API.
type Brave struct{ *client }

// NewBrave returns the engine; o.Key is required. It makes no request.
func NewBrave(o Options) (*Brave, error) {
	if o.Key.IsZero() {
		return nil, needsKey("brave")
	}
	c, err := newClient("brave", "https://api.search.brave.com", o)
	if err != nil {
		return nil, err
	}
	return &Brave{c}, nil
}

// The limits of the API, which refuses anything beyond them.
const (
	braveRunes = 400
	braveWords = 50
	braveHits  = 20
)

// Name implements [Engine].
func (*Brave) Name() string { return "brave" }

// braveLanguages are the languages the API accepts; it refuses others.
var braveLanguages = set(`ar eu bn bg ca zh-hans zh-hant hr cs da nl en en-gb et fi fr gl de el gu he hi hu is it jp kn ko lv lt ms ml mr nb pl
	pt-br pt-pt pa ro ru sr sk sl es sv ta te th tr uk vi`)

// braveNames are the languages for which the API uses other codes.
var braveNames = map[string]string{"ja": "jp", "zh": "zh-hans", "zh-cn": "zh-hans", "zh-tw": "zh-hant", "pt": "pt-pt", "no": "nb"}

// set returns the words of a string as a set.
func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// braveLanguage returns the API's code of a language, without the country if the API
// only knows the language, or "" if it knows neither.
func braveLanguage(language string) string {
	language = strings.ToLower(language)
	short, _, _ := strings.Cut(language, "-")
	for _, l := range []string{language, braveNames[language], short, braveNames[short]} {
		if braveLanguages[l] {
			return l
		}
	}
	return ""
}

// braveResult is the part of a result that is used.
type braveResult struct {
	URL         string   `json:"url"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	PageAge     string   `json:"page_age"`
	Age         string   `json:"age"`
	Extra       []string `json:"extra_snippets"`
}

// Search implements [Engine].
func (b *Brave) Search(ctx context.Context, q Query) ([]Hit, error) {
	words := asked(q.Words, braveRunes, braveWords)
	if words == "" {
		return nil, nil
	}
	n := q.most(braveHits)
	params := url.Values{"q": {words}, "count": {strconv.Itoa(n)}, "result_filter": {"web"}, "text_decorations": {"false"}}
	if l := braveLanguage(q.Language); l != "" {
		params.Set("search_lang", l)
	}
	a, err := b.get(ctx, "/res/v1/web/search", params, http.Header{"X-Subscription-Token": {b.key.Reveal()}})
	if err != nil {
		return nil, err
	}
	if a.status != http.StatusOK {
		return nil, b.refusal(a)
	}
	return b.hits(a, n)
}

// hits decodes a response.
func (b *Brave) hits(a answer, n int) ([]Hit, error) {
	var doc struct {
		Type string `json:"type"`
		Web  *struct {
			Results []json.RawMessage `json:"results"`
		} `json:"web"`
	}
	if err := b.read(a, &doc); err != nil {
		return nil, err
	}
	if doc.Type != "search" {
		return nil, b.malformed("no search")
	}
	if doc.Web == nil {
		return nil, nil // the API's way to say that nothing was found
	}
	return gather(b.client, doc.Web.Results, n, func(r braveResult) Hit {
		published := day(r.PageAge)
		if published == "" {
			published = r.Age
		}
		return Hit{URL: r.URL, Title: r.Title, Snippet: strings.Join(append([]string{r.Description}, r.Extra...), " "), Published: published}
	})
}

// braveKinds maps the API's error codes that are more precise than its status.
var braveKinds = map[string]Kind{
	"SUBSCRIPTION_TOKEN_INVALID": Unauthorized, "SUBSCRIPTION_NOT_FOUND": Unauthorized, "OPTION_NOT_IN_PLAN": Unauthorized, "RESOURCE_NOT_ALLOWED": Unauthorized,
	"QUOTA_LIMITED": Quota, "USAGE_LIMIT_EXCEEDED": Quota, "RATE_LIMITED": RateLimited,
}

// refusal classifies a response other than 200. The API answers 422 to an unknown
// key, and 429 to both limits, per second and per month.
func (b *Brave) refusal(a answer) *Error {
	e := statusError(b.engine, a.status, a.header, time.Now())
	var doc struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	_ = json.Unmarshal(a.body, &doc)
	if name := code(doc.Error.Code); name != "" {
		e.Detail += " " + name
		if kind, known := braveKinds[name]; known {
			e.Kind = kind
		}
	}
	if wait := exhausted(a.header); wait > 0 && (e.Kind == RateLimited || e.Kind == Quota) {
		e.RetryAfter = max(e.RetryAfter, wait)
		if wait > longWindow {
			e.Kind = Quota
		}
	}
	return e
}

// longWindow separates a plan's quota from a rate limit.
const longWindow = time.Hour

// exhausted returns how long it takes until all used-up limits of the X-RateLimit
// headers are reset. The headers list one number per limit, such as "0, 1400".
func exhausted(h http.Header) (until time.Duration) {
	reset := strings.Split(h.Get("X-RateLimit-Reset"), ",")
	for i, remaining := range strings.Split(h.Get("X-RateLimit-Remaining"), ",") {
		if strings.TrimSpace(remaining) != "0" || i >= len(reset) {
			continue
		}
		if s, err := strconv.ParseFloat(strings.TrimSpace(reset[i]), 64); err == nil {
			until = max(until, wait(s))
		}
	}
	return until
}
