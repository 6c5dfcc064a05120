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

// Options of [New]. The zero value reads public pages.
type Options struct {
	Allow         []netip.Prefix // private addresses that may be read all the same; nil for none
	Version       string         // of the program, told to servers. Empty means "dev"
	About         string         // where a site's owner learns who reads, told to servers; empty tells nothing
	MaxBytes      int            // of a body. Zero means 2 MiB
	Timeout       time.Duration  // of a whole read, waiting for a host's turn not counted. Zero means 20 s
	HeaderTimeout time.Duration  // until an answer begins. Zero means 10 s
	Stall         time.Duration  // in which a body must bring 1 KB at least. Zero means 5 s
	Gap           time.Duration  // between two visits to a host. Zero means 1 s
	Child         []string       // the command that runs [Child]. Nil means this program with "extract-text"
	ChildTime     time.Duration  // of a processor a child may take; it may last three times as long. Zero means 10 s
	InProcess     bool           // all is read in this process: for tests, and no server
}

// Reader reads pages. It is safe for concurrent use.
type Reader struct {
	o        Options
	pages    http.RoundTripper // follows nothing: each step of a redirect is a visit of its own
	robots   *http.Client
	hosts    hosts
	children chan struct{}
}

// New returns a Reader, which Close frees. Options that cannot hold are a fault
// of kind Invalid.
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

// Close frees the connections that are kept. Reads under way go on.
func (r *Reader) Close() { r.robots.CloseIdleConnections() }

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

// withChild names the command of a child.
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

// userAgent says who asks and where to read about it.
func (o Options) userAgent() string {
	agent := "Quaestor/" + o.Version
	if o.About != "" {
		agent += " (+" + o.About + ")"
	}
	return agent
}

// Page is what was read, with what proves it: the bytes, their hash, the moment.
type Page struct {
	URL       string // as asked for
	Final     string // after redirects
	Title     string
	Type      string // as [Doc] has it, not as the server said
	Text      string // Text(Final, Type, Bytes).Text, always
	Published string // as [Doc] has it
	Status    int    // 200 to 299
	Bytes     []byte // the body, unpacked, at most Options.MaxBytes
	SHA256    string // of Bytes, in hex
	ReadAt    time.Time
	Truncated bool // there was more, of the bytes or of the text
}

// Read reads the page or file at a URL. Failures are [*Error], with the
// context's error below them when that ended it.
func (r *Reader) Read(ctx context.Context, url string) (Page, error) {
	e := &errand{r: r, asked: url, left: r.o.Timeout}
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

// Text is [Text], with all that has to be taken apart read in a child process: what is
// plain text is only decoded. It is what a server calls.
func (r *Reader) Text(ctx context.Context, name, mediaType string, body []byte) (Doc, error) {
	f, err := formOf(name, mediaType, body)
	if err != nil {
		return Doc{}, err
	}
	if r.o.InProcess || f == formPlain || f == formMarkdown {
		return Text(name, mediaType, body)
	}
	if f == formHTML || f == formCSV {
		body = body[:min(len(body), maxChars+1)] // more is not looked at
	}
	return r.readApart(ctx, name, mediaType, body)
}
