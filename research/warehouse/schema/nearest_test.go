package schema_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/postgres"
	"quaestor/research/warehouse/schema/internal/dbsqlc"
)

// The space of scattered vectors: as wide as that of the built-in encoder, with a
// subject for so many texts, around which they lie.
const (
	numbers = 512
	alike   = 25
	spread  = 0.6 // of a text around its subject, beside the 1 of subjects
	subject = 1 << 32
)

// scattered returns vector i among n.
func scattered(i, n int) []float32 {
	about := rand.New(rand.NewPCG(subject, uint64(i%max(1, n/alike))))
	own := rand.New(rand.NewPCG(1, uint64(i)))
	out := make([]float32, numbers)
	for k := range out {
		out[k] = float32(about.NormFloat64() + spread*own.NormFloat64())
	}
	return out
}

// ready is an encoder that has made its vectors already: what is measured is the
// search without it. Each call has another, near a subject that there is.
type ready struct {
	vectors [][]float32
	calls   atomic.Int64
}

// readyFor returns one for n texts.
func readyFor(n int) *ready {
	e := &ready{}
	for i := range 64 {
		e.vectors = append(e.vectors, scattered(n+i*31, n))
	}
	return e
}

func (*ready) Name() string   { return "ready" }
func (*ready) Dimension() int { return numbers }
func (e *ready) Encode(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = e.vectors[e.calls.Add(1)%int64(len(e.vectors))]
	}
	return out, nil
}

// appendVector writes v as the database reads it.
func appendVector(b []byte, v []float32) []byte {
	b = append(b, '[')
	for _, x := range v {
		b = append(strconv.AppendFloat(b, float64(x), 'f', 3, 32), ',')
	}
	return append(append(b, strings.Repeat("0,", 1535-len(v))...), "0]"...)
}

// scatter gives every text a vector among those of its subject.
func (l *lab) scatter(encoder string) {
	l.t.Helper()
	l.withoutIndexes(func(owner *pgxpool.Pool) error {
		conn, err := owner.Acquire(l.t.Context())
		if err != nil {
			return err
		}
		defer conn.Release()
		texts, err := conn.Conn().PgConn().Exec(l.t.Context(), `SELECT tenant_id, warehouse_id, kind, id, '`+encoder+`', digest FROM warehouse_texts ORDER BY kind DESC, id`).ReadAll()
		if err != nil {
			return err
		}
		_, err = conn.Conn().PgConn().CopyFrom(l.t.Context(), &lines{rows: texts[0].Rows}, `COPY warehouse_vectors (tenant_id, warehouse_id, kind, id, encoder, digest, embedding) FROM STDIN`)
		return err
	})
}

// lines are rows as COPY reads them, with the vectors of their places.
type lines struct {
	rows [][][]byte
	at   int
	buf  []byte
	left []byte
}

func (l *lines) Read(p []byte) (int, error) {
	if len(l.left) == 0 && l.at < len(l.rows) {
		l.buf = append(append(l.buf[:0], bytes.Join(l.rows[l.at], []byte("\t"))...), '\t')
		l.buf = append(appendVector(l.buf, scattered(l.at, len(l.rows))), '\n')
		l.left, l.at = l.buf, l.at+1
	}
	if len(l.left) == 0 {
		return 0, io.EOF
	}
	n := copy(p, l.left)
	l.left = l.left[n:]
	return n, nil
}

// nearest returns the ids of the ten nearest tables, by the index or compared one by
// one, as a search asks for them.
func (l *lab) nearest(e *ready, vector []float32, exact bool) (ids []string) {
	l.t.Helper()
	full := string(appendVector(nil, vector))
	b := postgres.NewBatch(l.tenant)
	_ = dbsqlc.New().SearchFor(l.t.Context(), b, &dbsqlc.SearchForParams{Milliseconds: "60000"})
	if exact {
		postgres.Many(b, dbsqlc.New().VectorExact, &dbsqlc.VectorExactParams{Vector: full, TenantID: l.tenant, WarehouseID: l.id, Kind: "table", Encoder: e.Name(), Max: int32(10)}, func(r *dbsqlc.VectorExactRow) error {
			ids = append(ids, r.ID)
			return nil
		})
	} else {
		postgres.Many(b, dbsqlc.New().VectorNearTables, &dbsqlc.VectorNearTablesParams{Vector: full, TenantID: l.tenant, WarehouseID: l.id, Encoder: e.Name(), Max: int32(100)}, func(r *dbsqlc.VectorNearTablesRow) error {
			ids = append(ids, r.ID)
			return nil
		})
	}
	if err := b.Send(l.t.Context(), l.pool); err != nil {
		l.t.Fatal(err)
	}
	return ids[:min(len(ids), 10)]
}

// nearRecall returns the share of the ten nearest that the index finds, of the
// first vectors.
func (l *lab) nearRecall(e *ready, vectors int) float64 {
	l.t.Helper()
	met, of := 0, 0
	for _, v := range e.vectors[:vectors] {
		found := l.nearest(e, v, false)
		for _, id := range l.nearest(e, v, true) {
			of++
			if slices.Contains(found, id) {
				met++
			}
		}
	}
	return float64(met) / float64(of)
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{2_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("%d tables", n), func(b *testing.B) { benchmarkSearch(b, n) })
	}
}

// benchmarkSearch measures searches among n tables.
func benchmarkSearch(b *testing.B, n int) {
	e := readyFor(n)
	l := newLab(b, e, asked(n)...)
	l.refresh()
	l.scatter(e.Name())
	s := l.load()
	recall := l.nearRecall(e, 20)
	b.Run("vectors", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			l.nearest(e, e.vectors[i%len(e.vectors)], false)
		}
		b.ReportMetric(recall, "recall@10")
	})
	for _, words := range []string{"sick leave", "which table has the items of an order with quantity and unit price"} {
		b.Run(fmt.Sprintf("%d words", len(strings.Fields(words))), func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				began := time.Now()
				if hits, err := l.index.Search(b.Context(), s, words, 10); err != nil || len(hits) != 10 {
					b.Fatalf("%d hits, %v", len(hits), err)
				}
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2])/1e6, "p50-ms")
			b.ReportMetric(float64(took[len(took)*99/100])/1e6, "p99-ms")
		})
	}
}
