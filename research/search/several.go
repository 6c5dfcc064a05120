package search

import (
	"context"
	"errors"
	"strings"
)

// several asks engines in order.
type several []Engine

// Several returns an engine that asks the engines in order and returns what the
// first says that does not fail: an engine that finds nothing has answered. When
// all fail, the error joins theirs, the first one's first. Hits keep the name of
// who found them. Of no engines it finds nothing.
func Several(engines ...Engine) Engine { return several(engines) }

// Name implements [Engine]: the names, with commas between them.
func (s several) Name() string {
	names := make([]string, len(s))
	for i, e := range s {
		names[i] = e.Name()
	}
	return strings.Join(names, ",")
}

// Search implements [Engine].
func (s several) Search(ctx context.Context, q Query) ([]Hit, error) {
	var all []error
	for _, e := range s {
		hits, err := e.Search(ctx, q)
		if err == nil {
			return hits, nil
		}
		all = append(all, err)
		if ctx.Err() != nil {
			break
		}
	}
	return nil, errors.Join(all...)
}
