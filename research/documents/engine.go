package documents

import (
	"context"
	"errors"
	"path"
	"strings"

	"quaestor/research/search"
)

// EngineName is the name of the engine that searches folders.
const EngineName = "documents"

// Engine returns the search engine over the folder of each query's tenant. A hit is
// a document: its address is [URL], and its snippet the passage that matches best.
func (d *Documents) Engine() search.Engine { return engine{d} }

// engine implements [search.Engine].
type engine struct{ *Documents }

// Name implements [search.Engine].
func (engine) Name() string { return EngineName }

// The limits of a hit.
const (
	defaultHits    = 10
	maxHits        = 50
	passagesPerHit = 4 // passages examined per hit, as many may be of one long document
	snippetRunes   = 1000
	titleRunes     = 300
)

// Search implements [search.Engine].
func (e engine) Search(ctx context.Context, q search.Query) ([]search.Hit, error) {
	if q.Tenant == "" {
		return nil, errors.New("a search of documents needs a tenant")
	}
	most := q.Max
	if most <= 0 {
		most = defaultHits
	}
	most = min(most, maxHits)
	found, err := e.Documents.Search(ctx, q.Tenant, q.Words, most*passagesPerHit)
	if err != nil {
		return nil, err
	}
	var hits []search.Hit
	seen := map[string]bool{}
	for _, p := range found {
		if seen[p.Document] || len(hits) == most {
			continue
		}
		seen[p.Document] = true
		hits = append(hits, search.Hit{URL: URL(p.Document), Title: oneLine(p.name(), titleRunes), Snippet: oneLine(p.Content, snippetRunes),
			Published: p.Published, Engine: EngineName})
	}
	return hits, nil
}

// name is how people refer to the document.
func (p Passage) name() string {
	if strings.TrimSpace(p.Title) == "" {
		return path.Base(p.Path)
	}
	return p.Title
}

// oneLine collapses white space and cuts to so many characters.
func oneLine(s string, most int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
