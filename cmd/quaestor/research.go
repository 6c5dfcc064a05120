package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/auth"
	"quaestor/internal/embedding"
	"quaestor/internal/fault"
	"quaestor/internal/llm"
	"quaestor/research"
	"quaestor/research/documents"
	"quaestor/research/reader"
	"quaestor/research/search"
	"quaestor/sessions"
	"quaestor/sessions/settings"
	"quaestor/web"
	"quaestor/web/talk"
)

// readable returns the private networks that research may read pages from.
func (s *Settings) readable() ([]netip.Prefix, error) {
	return prefixes(s.ReadPrivate, "--read-private")
}

// prefixes parses the networks that a flag lists.
func prefixes(list []string, flag string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, text := range list {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fault.New(fault.Invalid, "must be networks such as 10.1.0.0/16, not %q", text).At(flag)
		}
		out = append(out, p)
	}
	return out, nil
}

// engines returns the configured search engines of the web, in the order in which
// research asks them.
func (s *Settings) engines() ([]search.Engine, error) {
	var out []search.Engine
	for _, e := range []struct {
		wanted bool
		open   func() (search.Engine, error)
	}{
		{s.SearXNGURL != "", func() (search.Engine, error) { return search.NewSearXNG(search.Options{Base: s.SearXNGURL}) }},
		{!s.BraveKey.IsZero(), func() (search.Engine, error) {
			return search.NewBrave(search.Options{Base: s.BraveURL, Key: s.BraveKey})
		}},
		{!s.TavilyKey.IsZero(), func() (search.Engine, error) {
			return search.NewTavily(search.Options{Base: s.TavilyURL, Key: s.TavilyKey})
		}},
	} {
		if !e.wanted {
			continue
		}
		engine, err := e.open()
		if err != nil {
			return nil, fmt.Errorf("search engine: %w", err)
		}
		out = append(out, engine)
	}
	return out, nil
}

// documentsDir returns the folder of documents: the one that is set, else the one in
// the data folder. It is empty when there is neither.
func (s *Settings) documentsDir() string {
	if s.DocumentsDir != "" || s.DataDir == "" {
		return s.DocumentsDir
	}
	return filepath.Join(s.DataDir, "documents")
}

// researchParts is what research is done with.
type researchParts struct {
	researcher *research.Researcher
	reader     *reader.Reader
	documents  *documents.Documents
	web        bool // whether a search engine of the web is configured
}

// newResearchParts builds what research is done with; model returns that of an organisation. The documents are the last of
// the engines, after those of the web.
func newResearchParts(s *Settings, pool *pgxpool.Pool, editor sessions.Editor, encoder embedding.Encoder, model func(context.Context, string) *llm.Client, data *bridged, log *slog.Logger) (*researchParts, error) {
	engines, errEngines := s.engines()
	private, errNetworks := s.readable()
	if err := cmp.Or(errEngines, errNetworks); err != nil {
		return nil, err
	}
	pages, err := reader.New(reader.Options{Allow: private, Version: version()})
	if err != nil {
		return nil, fmt.Errorf("page reader: %w", err)
	}
	own, err := documents.New(documents.Options{Pool: pool, Root: s.documentsDir(), Encoder: encoder, Extract: extract(pages), Log: log})
	if err != nil {
		return nil, err
	}
	o := research.ResearcherOptions{Editor: editor, Engines: append(engines, own.Engine()), Pages: pages.Read, Files: research.FileReader(own),
		Data: data.explorer.warehouses.ForInterviews(), Discoveries: data.discoveries(), Models: model, Encoder: encoder, Log: log, Limit: dailyLimit(s, pool), Lease: s.ResearchLease}
	if len(engines) == 0 {
		// Without the web there is only something to search when the tenant has documents.
		o.Ready = research.Stocked(pool)
	}
	return &researchParts{research.NewResearcher(o), pages, own, len(engines) > 0}, nil
}

// dailyLimit returns what looks up how much research an organisation may begin in 24
// hours. It asks the database each time, so a change takes effect at once.
func dailyLimit(s *Settings, pool *pgxpool.Pool) func(context.Context, string) (int, error) {
	return func(ctx context.Context, tenant string) (int, error) {
		saved, err := settings.Find(ctx, pool, tenant)
		return saved.Over(s.defaults()).ResearchDaily, err
	}
}

// keptPrompts returns what looks up how long an organisation keeps what models were
// asked.
func keptPrompts(s *Settings, pool *pgxpool.Pool) func(context.Context, string) (time.Duration, error) {
	return func(ctx context.Context, tenant string) (time.Duration, error) {
		saved, err := settings.Find(ctx, pool, tenant)
		return saved.Over(s.defaults()).Prompts(), err
	}
}

// extract returns what reads the text of documents: the page reader, which knows the
// same formats and works in the same sandbox.
func extract(r *reader.Reader) func(ctx context.Context, name string, body []byte) (documents.Doc, error) {
	return func(ctx context.Context, name string, body []byte) (documents.Doc, error) {
		d, err := r.Text(ctx, name, "", body)
		return documents.Doc{Title: d.Title, Text: d.Text, Type: d.Type, Published: d.Published, Truncated: d.Truncated}, err
	}
}

// attachments returns what reads the files that people give to interviews.
func (r *researchParts) attachments() talk.ReadFile {
	return func(ctx context.Context, name, mediaType string, body []byte) (sessions.File, error) {
		return research.ReadAttachment(ctx, r.reader, name, mediaType, body)
	}
}

// folders returns the worker that reads the folders of documents. Each tenant has the
// folder of its name; in development the one tenant has the whole.
func (r *researchParts) folders(s *Settings, pool *pgxpool.Pool, log *slog.Logger) research.AddFunc {
	return research.SyncFolders(research.FolderOptions{Pool: pool, Documents: r.documents, Log: log, Folders: func(ctx context.Context) ([]research.Folder, error) {
		if s.documentsDir() == "" {
			return nil, nil
		}
		tenants, err := auth.Tenants(ctx, pool)
		if err != nil {
			return nil, err
		}
		var out []research.Folder
		for _, t := range tenants {
			dir, err := r.documents.Folder(t.Name)
			if s.Auth == "development" && t.Name == developmentTenant {
				dir = s.documentsDir()
			}
			if err == nil { // a tenant whose name cannot be a folder's has no documents
				out = append(out, research.Folder{Tenant: t.ID, Dir: dir})
			}
		}
		return out, nil
	}})
}

// researchable returns what reports whether there is anything to search: a search
// engine of the web, or a file in the folder of documents.
func (r *researchParts) researchable(s *Settings) func() bool {
	return func() bool {
		if r.web {
			return true
		}
		list, err := os.ReadDir(s.documentsDir())
		return err == nil && len(list) > 0
	}
}

// checkSearch reports to the doctor what research can search.
func checkSearch(s *Settings) finding {
	engines, err := s.engines()
	if err != nil {
		return finding{"bad", words(err), ""}
	}
	names := web.Map(engines, search.Engine.Name)
	dir := s.documentsDir()
	if _, err := os.Stat(dir); dir != "" && err == nil {
		names = append(names, "documents in "+dir)
	}
	if len(names) == 0 {
		return finding{"note", "research: there is nothing to search", "put documents into " + cmp.Or(dir, "the folder of QUAESTOR_DOCUMENTS_DIR") + ", or set QUAESTOR_SEARXNG_URL, QUAESTOR_BRAVE_KEY or QUAESTOR_TAVILY_KEY"}
	}
	return finding{"ok", "research: " + strings.Join(names, ", "), ""}
}
