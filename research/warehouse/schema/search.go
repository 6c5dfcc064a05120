package schema

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/schema/internal/dbsqlc"
)

// Bounds and weights of a search. The weights were set with the questions in questions_test.go.
const (
	maxFound       = 200 // texts of each kind found by words
	maxNearest     = 100 // nearest texts of each kind
	exactUpTo      = 500 // vectors that are compared one by one; for more, the approximate index is used
	searchPatience = 5 * time.Second
	columnWeight   = 0.8   // of the meaning of a column, beside that of a table
	rowsPrior      = 0.001 // for each power of ten of rows, so that size only decides between equals
)

// Search finds tables of a snapshot by words, best first, at most topK of them. Zero means
// warehouse.DefaultSearchTopK, and warehouse.MaxSearchTopK is the maximum. It searches names and
// comments of tables and columns and the values of columns with few of them for the words, including
// abbreviations, parts of words and their translations between English and German, and for what is
// near in meaning; each hit has a score from 0 to 1 (see [match.score]) and the reason. Without vectors it uses words alone and may find less. It makes
// one round trip to the database (seldom two) and never asks the warehouse.
func (x *Index) Search(ctx context.Context, s *Snapshot, words string, topK int) ([]warehouse.Hit, error) {
	if topK <= 0 {
		topK = warehouse.DefaultSearchTopK
	}
	topK = min(topK, warehouse.MaxSearchTopK)
	s.find.Do(s.prepareSearch)
	q := questionOf(words)
	f, err := x.find(ctx, s, q, words, topK)
	if err != nil {
		return nil, err
	}
	return s.answer(q, f, topK), nil
}

// searchHits are the ids of the texts that were found, best first.
type searchHits struct {
	tables, columns         []string     // by words
	nearTables, nearColumns []scoredText // by meaning; empty without vectors
}

// scoredText is a text with its cosine similarity to the query.
type scoredText struct {
	id  string  // of the text
	cos float64 // in [-1, 1]
}

// find asks the database, usually once. The approximate index looks at a limited number of
// vectors, among which those of other warehouses may leave too few of ours; then it compares
// exactly. Results may hold ids that the snapshot does not have, because the tables were written
// since.
func (x *Index) find(ctx context.Context, s *Snapshot, q question, words string, topK int) (searchHits, error) {
	var f searchHits
	vector := x.vectorOf(ctx, s, words)
	if len(q) == 0 && vector == "" {
		return f, ctx.Err()
	}
	b := postgres.NewBatch(s.tenant)
	_ = queries.SearchFor(ctx, b, &dbsqlc.SearchForParams{Query: q.String(), Milliseconds: strconv.FormatInt(searchPatience.Milliseconds(), 10)})
	if len(q) > 0 {
		for kind, list := range map[string]*[]string{kindTable: &f.tables, kindColumn: &f.columns} {
			postgres.Many(b, queries.TextFound, &dbsqlc.TextFoundParams{TenantID: s.tenant, WarehouseID: s.warehouse, Kind: kind, Main: q.main(), Max: int32(maxFound)}, func(r *dbsqlc.TextFoundRow) error {
				*list = append(*list, r.ID)
				return nil
			})
		}
	}
	if vector != "" {
		x.queueNear(b, s, vector, &f)
	}
	if err := b.Send(ctx, x.pool); err != nil {
		return f, searchFailed(err)
	}
	if vector == "" || len(f.nearTables) >= topK || len(s.Tables) <= exactUpTo {
		return f, nil
	}
	f.nearTables = nil
	b = postgres.NewBatch(s.tenant)
	x.queueExact(b, s, kindTable, vector, &f.nearTables)
	if err := b.Send(ctx, x.pool); err != nil {
		return f, searchFailed(err)
	}
	return f, nil
}

// searchFailed words the error of a search that timed out.
func searchFailed(err error) error {
	if postgres.Code(err) == "57014" {
		return fault.New(fault.Unavailable, "the search for tables takes too long; look for rarer words").Because(err)
	}
	return fmt.Errorf("search tables: %w", err)
}

// vectorOf returns the vector of a query. It is empty without an encoder, and also if the encoder
// fails, which is not an error because the search then uses words alone.
func (x *Index) vectorOf(ctx context.Context, s *Snapshot, words string) string {
	if x.encoder == nil {
		return ""
	}
	vectors, err := x.encoder.Encode(ctx, []string{language.Clip(clean(words), maxContent)})
	if err != nil {
		x.log.WarnContext(ctx, "tables are searched by words only", "tenant", s.tenant, "err", err)
		return ""
	}
	if vectors[0] == nil {
		return ""
	}
	return halfvec(vectors[0])
}

// queueNear queues a search for the nearest tables and columns: exactly if there are few, by the
// approximate index otherwise.
func (x *Index) queueNear(b *postgres.Batch, s *Snapshot, vector string, f *searchHits) {
	if len(s.Tables) <= exactUpTo {
		x.queueExact(b, s, kindTable, vector, &f.nearTables)
	} else {
		postgres.Many(b, queries.VectorNearTables, &dbsqlc.VectorNearTablesParams{
			Vector: vector, TenantID: s.tenant, WarehouseID: s.warehouse, Encoder: x.encoder.Name(),
			Max: int32(maxNearest),
		}, func(r *dbsqlc.VectorNearTablesRow) error {
			f.nearTables = append(f.nearTables, scoredText{r.ID, r.Similarity})
			return nil
		})
	}
	if len(s.with) <= exactUpTo {
		x.queueExact(b, s, kindColumn, vector, &f.nearColumns)
	} else {
		postgres.Many(b, queries.VectorNearColumns, &dbsqlc.VectorNearColumnsParams{
			Vector: vector, TenantID: s.tenant, WarehouseID: s.warehouse, Encoder: x.encoder.Name(),
			Max: int32(maxNearest),
		}, func(r *dbsqlc.VectorNearColumnsRow) error {
			f.nearColumns = append(f.nearColumns, scoredText{r.ID, r.Similarity})
			return nil
		})
	}
}

// queueExact queues a search for the nearest texts of a kind that compares all of them.
func (x *Index) queueExact(b *postgres.Batch, s *Snapshot, kind, vector string, list *[]scoredText) {
	postgres.Many(b, queries.VectorExact, &dbsqlc.VectorExactParams{
		Vector: vector, TenantID: s.tenant, WarehouseID: s.warehouse, Kind: kind, Encoder: x.encoder.Name(),
		Max: int32(maxNearest),
	}, func(r *dbsqlc.VectorExactRow) error {
		*list = append(*list, scoredText{r.ID, r.Similarity})
		return nil
	})
}

// prior returns what the size of a table adds to its score. It is at most a few hundredths, so
// that size decides between equals only. Unknown sizes count as none.
func prior(rows int64) float64 {
	return rowsPrior * math.Log10(1+float64(max(rows, 0)))
}

// rankedTable is a table in a ranking.
type rankedTable struct {
	table int32   // index in the snapshot
	score float64 // in [0, 1]
	rank  float64 // the score and the prior
}

// order sorts by rank, best first; ties keep the order of tables.
func order(list []rankedTable) {
	slices.SortFunc(list, func(a, b rankedTable) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.table, b.table))
	})
}

// answer returns the best tables for a question, with scores in [0, 1]; see [match.score].
func (s *Snapshot) answer(q question, f searchHits, topK int) []warehouse.Hit {
	list, matches := s.scored(q, f)
	list = list[:min(len(list), topK)]
	out := make([]warehouse.Hit, len(list))
	for i, r := range list {
		out[i] = warehouse.Hit{Ref: s.Tables[r.table].Ref(), Line: s.Index.Line(int(r.table)), Score: r.score, Because: s.because(q, r.table, matches[r.table])}
	}
	return out
}

// common reports whether n tables are so many that a column they share does not distinguish them.
// A column such as created_at, which half of the tables have, does not help to find one of them.
func (s *Snapshot) common(n int) bool { return n > max(20, len(s.Tables)/50) }
