package llm

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/openai/openai-go/v3"

	"quaestor/internal/fault"
	"quaestor/internal/secret"
)

// What the zero values of [Options] mean.
const (
	defaultBaseURL    = "https://api.openai.com/v1"
	defaultFirstToken = 20 * time.Second
	defaultIdle       = 10 * time.Second
	defaultTotal      = 60 * time.Second
	defaultMaxBytes   = 4 << 20
	defaultRetries    = 2
)

// A server that failed this many calls in a row is left alone for a while.
const (
	breakerFailures = 5
	breakerRest     = 10 * time.Second
)

// Options configure which model to call and how long to wait for it.
type Options struct {
	BaseURL string        // such as "http://127.0.0.1:11434/v1"; zero means https://api.openai.com/v1
	Key     secret.Secret // sent as a bearer token; may be zero for local servers
	Model   string        // required

	FirstToken time.Duration // from sending a request to the first content, in each attempt; zero means 20 s. For an answer that is not streamed, to its headers
	Idle       time.Duration // between two pieces of an answer; zero means 10 s
	Total      time.Duration // for a call with all its retries; zero means 60 s
	MaxBytes   int64         // of one answer; zero means 4 MiB
	Retries    int           // extra attempts for what retrying may cure; zero means 2, -1 none
	MaxTokens  int           // most of an answer, whatever a request allows; zero leaves it to the request
	Context    int           // tokens of a prompt and its answer that the model is known to take; zero means unknown
	Format     Format        // the best way the server is known to take of asking for JSON; zero finds out

	HTTP    *http.Client // zero means an own one without a proxy for loopback; its redirects are always limited to the same origin
	Observe func(Call)   // told about each finished call, on the caller's goroutine; may be nil

	// Admit is asked before each chat call. An error keeps it from being made: the call
	// fails as [Limited], with [ReasonQuota]. Nil admits all.
	Admit func(context.Context) error
}

// Call is what [Options.Observe] learns about one call.
type Call struct {
	Purpose    string // as given in the request; else "embed", "speak" or "transcribe"
	Model      string
	Usage      Usage
	Attempts   int
	FirstToken time.Duration // zero if no text came
	Total      time.Duration
	Class      Class // empty when the call succeeded
	Status     int   // of the HTTP answer that failed; 0 if none
}

// Client talks to one model on one server, or to the models of a [Chain]. It is safe for
// concurrent use.
type Client struct {
	*endpoint
	next []*Client // asked in this order when the endpoint fails
}

// endpoint is one model on one server, with what was learnt about it.
type endpoint struct {
	api      openai.Client
	official bool // the server is OpenAI's own
	model    string
	first    time.Duration
	idle     time.Duration
	total    time.Duration
	maxBytes int64
	retries  int
	most     int // tokens of an answer; 0 for any
	context  int // tokens that the model takes; 0 for unknown
	http     *http.Client
	ownHTTP  bool
	observe  func(Call)
	admit    func(context.Context) error // may be nil
	breaker  circuitbreaker.CircuitBreaker[any]
	refused  abilities
}

// New returns a client. It refuses a base URL that is not plain http or https, a
// missing model and negative limits with [fault.Invalid], and connects to nothing.
func New(o Options) (*Client, error) {
	base, err := baseURL(o.BaseURL)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(o.Model) == "" {
		return nil, fault.New(fault.Invalid, "name the model to use").At("model")
	}
	if o.FirstToken < 0 || o.Idle < 0 || o.Total < 0 || o.MaxBytes < 0 || o.MaxTokens < 0 || o.Context < 0 || o.Retries < -1 {
		return nil, fault.New(fault.Invalid, "limits of the language model must not be negative")
	}
	c := &endpoint{
		official: base == defaultBaseURL, model: o.Model,
		first:    cmp.Or(o.FirstToken, defaultFirstToken),
		idle:     cmp.Or(o.Idle, defaultIdle),
		total:    cmp.Or(o.Total, defaultTotal),
		maxBytes: cmp.Or(o.MaxBytes, defaultMaxBytes),
		retries:  max(0, cmp.Or(o.Retries, defaultRetries)),
		most:     o.MaxTokens,
		context:  o.Context,
		ownHTTP:  o.HTTP == nil,
		observe:  o.Observe,
		admit:    o.Admit,
		breaker:  newBreaker(),
	}
	c.http = sameOrigin(o.HTTP)
	c.api = newAPI(base, o.Key, c.http)
	c.refused.refuse(o.Format.beyond())
	return &Client{endpoint: c}, nil
}

// Model returns the name of the model; of a chain, that of the first.
func (c *Client) Model() string { return c.model }

// Close gives up idle connections of the client's own making. Calls under way
// are not disturbed, and the client can still be used. The models of a chain are closed
// one by one.
func (c *Client) Close() {
	if c.ownHTTP {
		c.http.CloseIdleConnections()
	}
}

// newBreaker opens after a row of failed calls, and after its rest lets one call
// through to see.
func newBreaker() circuitbreaker.CircuitBreaker[any] {
	return circuitbreaker.NewBuilder[any]().
		WithFailureThreshold(breakerFailures).
		WithSuccessThreshold(1).
		WithDelay(breakerRest).
		Build()
}

// baseURL checks raw and returns it without a final slash. The answer never
// repeats raw, which may hold a password by mistake.
func baseURL(raw string) (string, error) {
	u, err := url.Parse(cmp.Or(raw, defaultBaseURL))
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return "", fault.New(fault.Invalid, "must be an address such as https://host/v1").At("base_url")
	case u.User != nil:
		return "", fault.New(fault.Invalid, "must not hold a user or password; give the key apart").At("base_url")
	case u.RawQuery != "" || u.Fragment != "":
		return "", fault.New(fault.Invalid, "must not hold a query or fragment").At("base_url")
	}
	return strings.TrimRight(u.String(), "/"), nil
}
