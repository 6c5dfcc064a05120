package research

import (
	"context"

	"quaestor/internal/postgres"
	"quaestor/research/documents"
)

// Stock returns a page of a tenant's documents in order of path: at most so many,
// those after a given path, and the path to continue after; see [documents.List].
func Stock(ctx context.Context, db postgres.DB, tenant, after string, most int) ([]documents.Document, string, error) {
	return documents.List(ctx, db, tenant, after, most)
}
