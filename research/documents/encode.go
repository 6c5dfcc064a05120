package documents

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/pgvector/pgvector-go"

	"quaestor/internal/embedding"
	"quaestor/internal/postgres"
	"quaestor/research/documents/internal/dbsqlc"
)

// encodedAtOnce is how many passages are sent to the encoder per call.
const encodedAtOnce = 32

// pendingPassage is a passage without a vector.
type pendingPassage struct {
	document string
	n        int32
	digest   string // of the text to encode
	text     string
}

// encode makes vectors for all passages of the tenant without one from the current
// encoder, whichever sync left them so. If the encoder fails, only that ends: the
// passages wait for the next sync.
func (r *syncRun) encode(ctx context.Context) error {
	if r.encoder == nil {
		return nil
	}
	after := pendingPassage{document: "00000000-0000-0000-0000-000000000000", n: -1}
	for {
		list, err := r.loadUnencoded(ctx, after)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return nil
		}
		vectors, err := r.encoder.Encode(ctx, texts(list))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			r.log.WarnContext(ctx, "documents are found by words only for now", "tenant", r.tenant, "err", err)
			return r.countUnencoded(ctx)
		}
		if err := r.saveVectors(ctx, list, vectors); err != nil {
			return err
		}
		after = list[len(list)-1]
	}
}

// texts returns the texts to encode.
func texts(list []pendingPassage) []string {
	out := make([]string, len(list))
	for i, u := range list {
		out[i] = u.text
	}
	return out
}

// loadUnencoded returns the next passages without a vector.
func (r *syncRun) loadUnencoded(ctx context.Context, after pendingPassage) (list []pendingPassage, err error) {
	b := postgres.NewBatch(r.tenant)
	postgres.Many(b, queries.PassageUnencoded, &dbsqlc.PassageUnencodedParams{
		TenantID: r.tenant, Encoder: r.encoder.Name(), AfterDocument: after.document, AfterN: after.n,
		Max: int32(encodedAtOnce),
	}, func(row *dbsqlc.PassageUnencodedRow) error {
		list = append(list, pendingPassage{row.DocumentID, row.N, row.Digest, row.Heading + "\n" + row.Content})
		return nil
	})
	if err := b.Send(ctx, r.pool); err != nil {
		return nil, fmt.Errorf("look for passages to encode: %w", err)
	}
	return list, nil
}

// countUnencoded counts the passages that are left without a vector.
func (r *syncRun) countUnencoded(ctx context.Context) error {
	b := postgres.NewBatch(r.tenant)
	postgres.Many(b, queries.PassageUnencodedCount, &dbsqlc.PassageUnencodedCountParams{TenantID: r.tenant, Encoder: r.encoder.Name()}, func(n int64) error {
		r.report.Unencoded = int(n)
		return nil
	})
	if err := b.Send(ctx, r.pool); err != nil {
		return fmt.Errorf("count passages to encode: %w", err)
	}
	return nil
}

// saveVectors stores the vectors of passages that have not changed since.
func (r *syncRun) saveVectors(ctx context.Context, list []pendingPassage, vectors [][]float32) error {
	type vectorRow struct {
		Document  string  `json:"document_id"`
		N         int32   `json:"n"`
		Digest    string  `json:"digest"`
		Embedding *string `json:"embedding"`
	}
	rows, ids := make([]vectorRow, len(list)), make([]string, len(list))
	for i, u := range list {
		ids[i], rows[i] = u.document, vectorRow{u.document, u.n, u.digest, nil}
		if vectors[i] != nil {
			v := halfvec(vectors[i])
			rows[i].Embedding = &v
		}
	}
	body, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("encode vectors: %w", err)
	}
	b := postgres.NewBatch(r.tenant)
	_ = queries.DocumentHold(ctx, b, &dbsqlc.DocumentHoldParams{TenantID: r.tenant, Ids: ids})
	postgres.Many(b, queries.VectorSave, &dbsqlc.VectorSaveParams{Encoder: r.encoder.Name(), Rows: body, TenantID: r.tenant}, func(int32) error {
		r.report.Encoded++
		return nil
	})
	if err := b.Send(ctx, r.pool); err != nil {
		return fmt.Errorf("save vectors: %w", err)
	}
	return nil
}

// halfvec formats a vector for the database, padded with zeros.
func halfvec(v []float32) string {
	full := make([]float32, embedding.Stored)
	copy(full, v)
	return pgvector.NewHalfVector(full).String()
}
