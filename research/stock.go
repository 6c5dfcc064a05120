package research

import (
	"context"

	"quaestor/internal/postgres"
	"quaestor/research/documents"
)

// Stock returns at most so many of a tenant's documents by path, those after a
// path first, and the path to go on after; see [documents.List].
func Stock(ctx context.Context, db postgres.DB, tenant, after string, most int) ([]documents.Document, string, error) {
	return documents.List(ctx, db, tenant, after, most)
}
