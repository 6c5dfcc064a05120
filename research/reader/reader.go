package reader

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/outbound"
)

// Options configures [New]. The zero value reads public pages.
type Options struct {
	Allow         []netip.Prefix // private networks that may be read; may be nil
	Version       string         // of the program, sent to servers. Empty means "dev"
	About         string         // page about this program for owners of sites, sent to servers; may be empty
	MaxBytes      int            // of a body. Zero means 2 MiB
	Timeout       time.Duration  // of a whole read, except waiting for a host's turn. Zero means 20 s
	HeaderTimeout time.Duration  // until a response begins. Zero means 10 s
	Stall         time.Duration  // interval in which at least 1 KB of a body must arrive. Zero means 5 s
	Gap           time.Duration  // between two requests to a host. Zero means 1 s
	Child         []string       // command that runs [Child]. Nil means this program with "extract-text"
	ChildTime     time.Duration  // processor time of a child; by the clock it may take three times as long. Zero means 10 s
	InProcess     bool           // parse everything in this process; for tests only
}

// Reader reads pages and files. It is safe for concurrent use.
type Reader struct {
	o        Options
	pages    http.RoundTripper // does not follow redirects: each is a visit of its own
	robots   *http.Client
	hosts    hosts
	children chan struct{}
}

// New returns a Reader, which must be closed. Invalid options are a fault of kind
// Invalid.
func New(o Options) (*Reader, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	robots := outbound.NewClient(outbound.Options{
		Allow: o.Allow, Timeout: o.Timeout, HeaderTimeout: o.HeaderTimeout, UserAgent: o.userAgent(),
	})
	return &Reader{
		o: o, robots: robots, pages: robots.Transport,
		hosts: hosts{all: make(map[string]*host)}, children: make(chan struct{}, maxChildren),
	}, nil
}

// Close closes idle connections. Reads in progress continue.
func (r *Reader) Close() { r.robots.CloseIdleConnections() }

// withDefaults checks the options and fills in defaults.
func (o Options) withDefaults() (Options, error) {
	if o.MaxBytes == 0 {
		o.MaxBytes = 2 << 20
	}
	if o.MaxBytes < 0 || o.MaxBytes > maxInput {
		return o, fault.New(fault.Invalid, "the bytes of a page must be 1 to %d, not %d", maxInput, o.MaxBytes)
	}
	for _, d := range []struct {
		name  string
		field *time.Duration
		value time.Duration
	}{
		{"timeout", &o.Timeout, 20 * time.Second}, {"header timeout", &o.HeaderTimeout, 10 * time.Second}, {"stall", &o.Stall, 5 * time.Second},
		{"gap", &o.Gap, time.Second}, {"child time", &o.ChildTime, childTime},
	} {
		if *d.field == 0 {
			*d.field = d.value
		}
		if *d.field < 0 {
			return o, fault.New(fault.Invalid, "the %s must be above 0, not %s", d.name, *d.field)
		}
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	return o.withChild()
}

// withChild fills in the command of a child.
func (o Options) withChild() (Options, error) {
	if len(o.Child) > 0 {
		return o, nil
	}
	self, err := os.Executable()
	if err != nil {
		return o, fmt.Errorf("find this program to read files with: %w", err)
	}
	o.Child = []string{self, childCommand}
	return o, nil
}

// userAgent identifies the program and says where to learn about it.
func (o Options) userAgent() string {
	agent := "Quaestor/" + o.Version
	if o.About != "" {
		agent += " (+" + o.About + ")"
	}
	return agent
}

// Page is a page that was read, with the evidence: the bytes, their hash, the time.
type Page struct {
	URL       string // as asked for
	Final     string // after redirects
	Title     string
	Type      string // as in [Doc], not as the server said
	Text      string // Text(Final, Type, Bytes).Text, always
	Published string // as [Doc] has it
	Status    int    // 200 to 299
	Bytes     []byte // the body, unpacked, at most Options.MaxBytes
	SHA256    string // of Bytes, in hex
	ReadAt    time.Time
	Truncated bool // bytes or text were cut
}

// Read reads the page or file at a URL. Errors are [*Error], which wrap the
// context's error if that was the cause.
func (r *Reader) Read(ctx context.Context, url string) (Page, error) {
	e := &fetch{r: r, asked: url, left: r.o.Timeout}
	got, err := e.run(ctx)
	if err != nil {
		return Page{}, err
	}
	final, mediaType := got.url.String(), got.header.Get("Content-Type")
	if err := got.whole(mediaType, r.o.MaxBytes); err != nil {
		return Page{}, err
	}
	doc, err := r.Text(ctx, final, mediaType, got.body)
	if err != nil {
		return Page{}, err
	}
	sum := sha256.Sum256(got.body)
	return Page{
		URL: url, Final: final, Title: doc.Title, Type: doc.Type, Text: doc.Text, Published: doc.Published,
		Status: got.status, Bytes: got.body, SHA256: hex.EncodeToString(sum[:]), ReadAt: got.at, Truncated: got.cut || doc.Truncated,
	}, nil
}

// Text is like [Text], but parses everything except plain text in a child process.
// Servers should use it.
func (r *Reader) Text(ctx context.Context, name, mediaType string, body []byte) (Doc, error) {
	f, err := formOf(name, mediaType, body)
	if err != nil {
		return Doc{}, err
	}
	if r.o.InProcess || f == formPlain || f == formMarkdown {
		return Text(name, mediaType, body)
	}
	if f == formHTML || f == formCSV {
		body = body[:min(len(body), maxChars+1)] // the rest would be cut anyway
	}
	return r.readApart(ctx, name, mediaType, body)
}
