package documents_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/embedding"
	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/internal/secret"
	"quaestor/research/documents"
)

// lab is a tenant with a folder.
type lab struct {
	t      *testing.T
	pool   *pgxpool.Pool
	tenant string
	dir    string
	docs   *documents.Documents

	mu     sync.Mutex // guards what follows
	opened []string   // names that were read for their text
	before func(name string)
}

func newLab(t *testing.T, encoder embedding.Encoder) *lab {
	t.Helper()
	pool := postgrestest.DB(t)
	l := &lab{t: t, pool: pool, tenant: postgrestest.Tenant(t, pool), dir: t.TempDir()}
	l.docs = l.documents(encoder)
	return l
}

func (l *lab) documents(encoder embedding.Encoder) *documents.Documents {
	l.t.Helper()
	d, err := documents.New(documents.Options{Pool: l.pool, Encoder: encoder, Extract: l.extract})
	if err != nil {
		l.t.Fatal(err)
	}
	return d
}

// extract takes a file for its text. Those that begin with "broken" and "panic"
// cannot be read.
func (l *lab) extract(_ context.Context, name string, body []byte) (documents.Doc, error) {
	l.mu.Lock()
	l.opened = append(l.opened, name)
	before := l.before
	l.mu.Unlock()
	if before != nil {
		before(name)
	}
	text := string(body)
	switch {
	case strings.HasPrefix(text, "broken"):
		return documents.Doc{}, errors.New("the file is broken\nin two lines")
	case strings.HasPrefix(text, "panic"):
		panic("a reader gave up")
	}
	kind := map[string]string{".csv": "text/csv", ".md": "text/markdown"}[path.Ext(name)]
	if kind == "" {
		kind = "text/plain"
	}
	title, _, _ := strings.Cut(text, "\n")
	return documents.Doc{Title: strings.Trim(title, "# "), Text: text, Type: kind, Published: "2025-03-01"}, nil
}

// read returns the names that were read since it was last called.
func (l *lab) read() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	names := l.opened
	l.opened = nil
	return names
}

func (l *lab) write(name, text string) {
	l.t.Helper()
	full := filepath.Join(l.dir, name)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		l.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) sync() documents.Report {
	l.t.Helper()
	r, err := l.docs.Sync(l.t.Context(), l.tenant, l.dir)
	if err != nil {
		l.t.Fatal(err)
	}
	l.consistent()
	return r
}

// want compares the counts of a report.
func want(t *testing.T, got, want documents.Report) {
	t.Helper()
	got.Problems = nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func (l *lab) list() map[string]documents.Document {
	l.t.Helper()
	out := map[string]documents.Document{}
	after := ""
	for {
		page, next, err := documents.List(l.t.Context(), l.pool, l.tenant, after, 3)
		if err != nil {
			l.t.Fatal(err)
		}
		for _, d := range page {
			out[d.Path] = d
		}
		if next == "" {
			return out
		}
		after = next
	}
}

func (l *lab) find(id string) documents.Document {
	l.t.Helper()
	d, err := l.docs.Find(l.t.Context(), l.tenant, id)
	if err != nil {
		l.t.Fatal(err)
	}
	return d
}

func (l *lab) search(query string) []documents.Passage {
	l.t.Helper()
	got, err := l.docs.Search(l.t.Context(), l.tenant, query, 0)
	if err != nil {
		l.t.Fatalf("search %q: %v", query, err)
	}
	return got
}

// paths returns the documents of passages, in order, each once.
func paths(list []documents.Passage) []string {
	var out []string
	seen := map[string]bool{}
	for _, p := range list {
		if !seen[p.Path] {
			out = append(out, p.Path)
		}
		seen[p.Path] = true
	}
	return out
}

// passageRow is a passage as it is stored.
type passageRow struct {
	N, Start, End int32
	Content       string
}

// consistent checks that what is stored of each document was read at one moment.
func (l *lab) consistent() {
	l.t.Helper()
	for _, d := range l.list() {
		var stored []passageRow
		b := postgres.NewBatch(l.tenant)
		postgrestest.Rows[passageRow](b, func(r *passageRow) error {
			stored = append(stored, *r)
			return nil
		}, `SELECT n, start_byte, end_byte, content FROM research_passages WHERE tenant_id = $1 AND document_id = $2 ORDER BY n`, l.tenant, d.ID)
		if err := b.Send(context.Background(), l.pool); err != nil {
			l.t.Fatal(err)
		}
		whole, err := l.docs.Find(context.Background(), l.tenant, d.ID)
		if err != nil {
			l.t.Fatal(err)
		}
		if whole.State != documents.Read {
			if len(stored) > 0 || whole.Text != "" || whole.Bytes != nil {
				l.t.Errorf("%s is %s and has %d passages", d.Path, d.State, len(stored))
			}
			continue
		}
		sum := sha256.Sum256(whole.Bytes)
		if hex.EncodeToString(sum[:]) != whole.SHA256 || whole.Text != string(whole.Bytes) {
			l.t.Errorf("%s: text, bytes and hash are of different moments", d.Path)
		}
		var expected []passageRow
		for i, p := range documents.Pieces(whole.Text, whole.Type) {
			expected = append(expected, passageRow{int32(i), int32(p.Start), int32(p.End), whole.Text[p.Start:p.End]})
		}
		if diff := cmp.Diff(expected, stored); diff != "" {
			l.t.Errorf("%s: passages (-want +got):\n%s", d.Path, diff)
		}
	}
}

// encoder returns an encoder over HTTP that knows words only, and its server.
func encoder(t *testing.T, model string) (embedding.Encoder, *llmtest.Server) {
	t.Helper()
	srv := llmtest.New(t)
	client, err := llm.New(llm.Options{BaseURL: srv.URL(), Key: secret.New("k"), Model: model})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	e, err := embedding.NewRemote(client, 256)
	if err != nil {
		t.Fatal(err)
	}
	return e, srv
}
