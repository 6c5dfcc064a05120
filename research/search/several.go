package search

import (
	"context"
	"errors"
	"strings"
)

// several asks its engines in order.
type several []Engine

// Several returns an engine that asks the given engines in order and returns the
// first result that is not a failure; finding nothing is a result. If all engines
// fail, the error joins theirs in order. Hits keep the name of the engine that
// found them. Without any engines it finds nothing.
func Several(engines ...Engine) Engine { return several(engines) }

// Name implements [Engine]. It returns the names, separated by commas.
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
