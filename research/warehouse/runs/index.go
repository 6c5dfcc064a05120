package runs

import (
	"context"
	"fmt"
	"time"

	"github.com/pgvector/pgvector-go"

	"quaestor/internal/embedding"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/pick"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// The limits of encoding.
const (
	encodedAtOnce = 32              // steps of one call
	encodeTime    = 3 * time.Second // per step; the next step waits for it
	encodeTries   = 3               // consecutive failures after which steps are left for later
	maxEncoded    = 4000            // bytes of a step that are encoded
)

// index gives a step its vector. On failure the step stays without one for now.
func (w *work) index(ctx context.Context, s *warehouse.Step) {
	if w.Encoder == nil || s.Type != warehouse.QueryStep || s.Repeats > 0 || w.unindexed >= encodeTries {
		return
	}
	short, cancel := context.WithTimeout(ctx, encodeTime)
	defer cancel()
	paid, err := w.encode(short, w.run.Tenant, w.run.ID, []int32{int32(s.N)}, []string{indexed(s)})
	if err != nil {
		w.unindexed++
		if ctx.Err() == nil {
			w.Log.WarnContext(ctx, "encode a step", "tenant", w.run.Tenant, "run", w.run.ID, "err", err)
		}
		return
	}
	w.unindexed = 0
	w.run.Counters.Indexed++
	w.run.Spent = with(w.run.Spent, paid)
}

// indexMissing makes up for the vectors of steps that have none, because the encoder was away or
// slow or the worker died between a step and its vector. While the encoder is away such steps are
// found by words only; the error is only that of ctx.
func (w *work) indexMissing(ctx context.Context) error {
	if _, err := w.EncodeMissing(ctx, w.run.Tenant, w.run.ID); err != nil && ctx.Err() == nil {
		w.Log.WarnContext(ctx, "steps of a run are found by words only", "tenant", w.run.Tenant, "run", w.run.ID, "err", err)
	}
	return ctx.Err()
}

// indexed is the text of a step that is encoded.
func indexed(s *warehouse.Step) string { return cut(pick.Text(s), maxEncoded) }

// encode stores the vectors of steps, given their texts, and returns the cost.
// Encoders do not report how many tokens they read.
func (r *Runner) encode(ctx context.Context, tenant, run string, steps []int32, texts []string) (cost, error) {
	vectors, err := r.Encoder.Encode(ctx, texts)
	if err != nil {
		return cost{}, err
	}
	list, err := r.pricesOf(ctx, tenant)
	if err != nil {
		return cost{}, err
	}
	paid := price(list, Embedding, r.Encoder.Name(), warehouse.TokenUsage{Calls: 1})
	given := make([]string, len(vectors))
	for i, v := range vectors {
		if v != nil {
			given[i] = halfvec(v)
		}
	}
	b := postgres.NewBatch(tenant)
	_ = queries.StepEncode(ctx, b, &dbsqlc.StepEncodeParams{TenantID: tenant, RunID: run, Steps: steps, Vectors: given, Encoder: r.Encoder.Name()})
	if err := paid.add(b, run); err != nil {
		return cost{}, err
	}
	err = b.Send(ctx, r.Pool)
	return paid, err
}

// EncodeMissing makes vectors for the queries of a run that have none from the
// current encoder, and returns their number. It may run concurrently with a worker.
func (r *Runner) EncodeMissing(ctx context.Context, tenant, run string) (int, error) {
	if r.Encoder == nil {
		return 0, nil
	}
	for n := 0; ; {
		var steps []int32
		var texts []string
		b := postgres.NewBatch(tenant)
		postgres.Many(b, queries.StepUnencoded, &dbsqlc.StepUnencodedParams{TenantID: tenant, RunID: run, Encoder: r.Encoder.Name(), Most: int32(encodedAtOnce)}, func(row *dbsqlc.StepUnencodedRow) error {
			steps, texts = append(steps, row.N), append(texts, indexed(&warehouse.Step{Purpose: row.Purpose, Query: row.Query, SQL: row.Statement}))
			return nil
		})
		if err := b.Send(ctx, r.Pool); err != nil || len(steps) == 0 {
			return n, err
		}
		if _, err := r.encode(ctx, tenant, run, steps, texts); err != nil {
			return n, fmt.Errorf("encode steps of run %s: %w", run, err)
		}
		n += len(steps)
	}
}

// Score is how well a step matches a search.
type Score struct {
	Step int
	Near float64 // cosine of the vectors, -1 to 1; 0 for a step without a vector of the encoder
	Fits float64 // of the words, 0 to 1
}

// Scores returns how well each query of a run matches, nearest first: by similarity
// to a vector of the named encoder, if any, and by words, if any. Queries that
// repeat others are left out.
func Scores(ctx context.Context, db postgres.DB, tenant, run, encoder string, vector []float32, words string) ([]Score, error) {
	given := ""
	if vector != nil {
		given = halfvec(vector)
	}
	out, err := postgres.List(ctx, db, tenant, queries.StepScores, &dbsqlc.StepScoresParams{Encoder: encoder, Vector: given, Words: clean(words), TenantID: tenant, RunID: run}, func(r *dbsqlc.StepScoresRow) (Score, error) {
		return Score{int(r.N), r.Near, r.Fits}, nil
	})
	if err != nil {
		return nil, fmt.Errorf("score the steps of run %s: %w", run, notID(err))
	}
	return out, nil
}

// halfvec formats a vector for the database, padded with zeros.
func halfvec(v []float32) string {
	full := make([]float32, embedding.Stored)
	copy(full, v)
	return pgvector.NewHalfVector(full).String()
}
