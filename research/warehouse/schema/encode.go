package schema

import (
	"context"
	"fmt"

	"github.com/pgvector/pgvector-go"

	"quaestor/internal/embedding"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/schema/internal/dbsqlc"
)

// encodedAtOnce is how many texts are sent to the encoder in one call.
const encodedAtOnce = 64

// noID sorts before every id.
const noID = "00000000-0000-0000-0000-000000000000"

// Encode computes the missing vectors of a warehouse's texts, tables first and then columns, in small
// batches that are stored one by one, and returns how many it computed. If the encoder fails or ctx
// ends, what was stored stays and the next call continues. Without an encoder it does nothing. While
// another process encodes the same warehouse it is a Conflict. progress may be nil.
func (x *Index) Encode(ctx context.Context, tenant, id string, progress func(Progress)) (encoded int, err error) {
	if x.encoder == nil {
		return 0, nil
	}
	of := place{tenant, id}
	h, err := x.hold(ctx, of, "encode", "this warehouse is being encoded")
	if err != nil {
		return 0, err
	}
	defer h.leave(ctx)
	e := &encoding{Index: x, place: of, db: h.Conn}
	if e.left, err = e.count(ctx); err != nil {
		return 0, err
	}
	for _, kind := range []string{kindTable, kindColumn} {
		if err := e.kind(ctx, kind, progress); err != nil {
			return e.done, err
		}
	}
	return e.done, nil
}

// encoding is the state of one call of Encode.
type encoding struct {
	*Index
	place
	db         postgres.DB
	done, left int // texts
}

// pendingText is a text without a vector.
type pendingText struct {
	Kind      string  `json:"kind"`
	ID        string  `json:"id"`
	Digest    string  `json:"digest"`    // of the text, so that a vector of an older text is not stored
	Embedding *string `json:"embedding"` // as the database reads a vector; nil for a text without words
	content   string  // what is encoded
}

// kind encodes all texts of one kind.
func (e *encoding) kind(ctx context.Context, kind string, progress func(Progress)) error {
	after := noID
	for {
		list, err := e.next(ctx, kind, after)
		if err != nil || len(list) == 0 {
			return err
		}
		if err := e.encode(ctx, list); err != nil {
			return err
		}
		if err := e.save(ctx, list); err != nil {
			return err
		}
		e.done += len(list)
		after = list[len(list)-1].ID
		if progress != nil {
			progress(Progress{"encoding", e.done, e.left})
		}
	}
}

// count returns how many texts have no vector.
func (e *encoding) count(ctx context.Context) (n int, err error) {
	err = queriesIn(ctx, e.db, e.tenant, func(b *postgres.Batch) {
		postgres.Many(b, queries.TextUnencodedCount, &dbsqlc.TextUnencodedCountParams{TenantID: e.tenant, WarehouseID: e.warehouse, Encoder: e.encoder.Name()}, func(count int64) error {
			n = int(count)
			return nil
		})
	})
	if err != nil {
		return 0, fmt.Errorf("count what is to be encoded of warehouse %s: %w", e.warehouse, err)
	}
	return n, nil
}

// next returns the next texts without a vector, after the id after.
func (e *encoding) next(ctx context.Context, kind, after string) (list []pendingText, err error) {
	err = queriesIn(ctx, e.db, e.tenant, func(b *postgres.Batch) {
		postgres.Many(b, queries.TextUnencoded, &dbsqlc.TextUnencodedParams{
			TenantID: e.tenant, WarehouseID: e.warehouse, Kind: kind, After: after, Encoder: e.encoder.Name(),
			Max: int32(encodedAtOnce),
		}, func(r *dbsqlc.TextUnencodedRow) error {
			list = append(list, pendingText{Kind: r.Kind, ID: r.ID, Digest: r.Digest, content: r.Content})
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("look for what is to be encoded of warehouse %s: %w", e.warehouse, err)
	}
	return list, nil
}

// encode computes the vectors of list.
func (e *encoding) encode(ctx context.Context, list []pendingText) error {
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = list[i].content
	}
	vectors, err := e.encoder.Encode(ctx, texts)
	if err != nil {
		return fmt.Errorf("encode what warehouse %s holds: %w", e.warehouse, err)
	}
	for i, v := range vectors {
		if v != nil {
			text := halfvec(v)
			list[i].Embedding = &text
		}
	}
	return nil
}

// save stores vectors, except those of texts that changed meanwhile.
func (e *encoding) save(ctx context.Context, list []pendingText) error {
	b := postgres.NewBatch(e.tenant)
	err := rows(list, func(body []byte) {
		_ = queries.VectorSave(ctx, b, &dbsqlc.VectorSaveParams{TenantID: e.tenant, WarehouseID: e.warehouse, Encoder: e.encoder.Name(), Rows: body})
	})
	if err != nil {
		return err
	}
	if err := b.Send(ctx, e.db); err != nil {
		return fmt.Errorf("save vectors of warehouse %s: %w", e.warehouse, err)
	}
	return nil
}

// halfvec returns a vector in the database's text format, padded with zeros.
func halfvec(v []float32) string {
	full := make([]float32, embedding.Stored)
	copy(full, v)
	return pgvector.NewHalfVector(full).String()
}
