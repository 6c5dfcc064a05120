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
	rankOffset     = 20   // the constant of reciprocal rank fusion; keeps one first place from outweighing two good ones
	wordsWeight    = 3    // of the ranking by words, for a table that matches all of them; the ranking by meaning has 1
	columnWeight   = 0.6  // of the ranking by meaning of columns
	rowsPrior      = 0.05 // for each power of ten of rows
	priorShare     = 0.1  // of the prior in a ranking, so that size only decides between equals
)

// Search finds tables of a snapshot by words, best first, at most topK of them. Zero means
// warehouse.DefaultSearchTopK, and warehouse.MaxSearchTopK is the maximum. It searches names and
// comments of tables and columns for the words, including abbreviations, and for what is near in
// meaning; each hit has the reason. Without vectors it uses words alone and may find less. It makes
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
	return s.fuse(q, f, topK), nil
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
	return priorShare * rowsPrior * math.Log10(1+float64(max(rows, 0)))
}

// rankedTable is a table in a ranking.
type rankedTable struct {
	table   int32 // index in the snapshot
	score   float64
	because reason // why it was found, for people
}

// order sorts by score, best first; ties keep the order of tables.
func order(list []rankedTable) {
	slices.SortFunc(list, func(a, b rankedTable) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.table, b.table))
	})
}

// fuse combines the rankings by reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009) and
// returns the best tables. Scores are in [0, 1]: 1 is a table that is first in every ranking that
// found anything and matches all words.
func (s *Snapshot) fuse(q question, f searchHits, topK int) []warehouse.Hit {
	byWords, matches := s.byWords(q, f)
	byMeaning, byColumn := s.byMeaning(f.nearTables), s.byColumn(f.nearColumns)
	sum, why, most := map[int32]float64{}, map[int32]reason{}, 0.0
	for _, r := range []struct {
		list   []rankedTable
		weight float64
		graded bool // weighted by how well the words match
	}{{byWords, wordsWeight, true}, {byMeaning, 1, false}, {byColumn, columnWeight, false}} {
		if len(r.list) > 0 {
			most += r.weight / (rankOffset + 1)
		}
		for i, hit := range r.list {
			share := r.weight / float64(rankOffset+1+i)
			if r.graded {
				share *= min(hit.score, 1)
			}
			sum[hit.table] += share
			why[hit.table] = why[hit.table].with(hit.because)
		}
	}
	list := make([]rankedTable, 0, len(sum))
	for table, score := range sum {
		list = append(list, rankedTable{table, score / most, why[table]})
	}
	order(list)
	list = list[:min(len(list), topK)]
	out := make([]warehouse.Hit, len(list))
	for i, r := range list {
		if m := matches[r.table]; m != nil {
			r.because = s.because(q, r.table, m).with(r.because)
		}
		out[i] = warehouse.Hit{Ref: s.Tables[r.table].Ref(), Line: s.Index.Line(int(r.table)), Score: r.score, Because: r.because.String()}
	}
	return out
}

// byMeaning ranks the tables whose own text is near in meaning.
func (s *Snapshot) byMeaning(near []scoredText) []rankedTable {
	out := make([]rankedTable, 0, len(near))
	for _, n := range near {
		if i, ok := s.byID[n.id]; ok { // otherwise it is newer than the snapshot, or gone
			out = append(out, rankedTable{i, n.cos + prior(s.Tables[i].Rows), reason{meaning: true}})
		}
	}
	order(out)
	return out
}

// common reports whether n tables are so many that a column they share does not distinguish them.
// A column such as created_at, which half of the tables have, does not help to find one of them.
func (s *Snapshot) common(n int) bool { return n > max(20, len(s.Tables)/50) }

// byColumn ranks the tables that have a column near in meaning.
func (s *Snapshot) byColumn(near []scoredText) []rankedTable {
	best := map[int32]rankedTable{}
	for _, n := range near {
		spots := s.with[n.id]
		if s.common(len(spots)) {
			continue
		}
		for _, at := range spots {
			t := &s.Tables[at.table]
			score := n.cos + prior(t.Rows)
			if b, ok := best[at.table]; !ok || score > b.score {
				best[at.table] = rankedTable{at.table, score, reason{column: t.Columns[at.column].Name}}
			}
		}
	}
	out := make([]rankedTable, 0, len(best))
	for _, r := range best {
		out = append(out, r)
	}
	order(out)
	return out[:min(len(out), maxNearest)]
}
