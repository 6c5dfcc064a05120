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

// Bounds and weights of a search.
const (
	maxFound       = 200 // texts of each kind that words find
	maxNearest     = 100 // texts of each kind that are nearest
	exactUpTo      = 500 // vectors that are compared one by one; of more, the index guesses
	searchPatience = 5 * time.Second
	rankOffset     = 20   // keeps the first places of one ranking from outweighing the agreement of two
	wordsWeight    = 3    // of the ranking by words beside that by meaning, for a table that meets all of them
	columnWeight   = 0.6  // of the meaning of a column beside that of its table
	rowsPrior      = 0.05 // for each power of ten of rows
	priorShare     = 0.1  // of the prior in a ranking, so that size decides between likes only
)

// Search finds tables of a snapshot by words, the best first, at most topK of them;
// zero means warehouse.DefaultSearchTopK, and more than warehouse.MaxSearchTopK is
// as many. It looks for the words in names and comments of tables and columns, also
// where they are abbreviated, and for what is near in meaning, and says of each hit
// why it is one. Without vectors words decide alone; who finds too little by them
// gets fewer. It asks the database once and the warehouse never.
func (x *Index) Search(ctx context.Context, s *Snapshot, words string, topK int) ([]warehouse.Hit, error) {
	if topK <= 0 {
		topK = warehouse.DefaultSearchTopK
	}
	topK = min(topK, warehouse.MaxSearchTopK)
	s.find.Do(s.lookIn)
	q := questionOf(words)
	f, err := x.find(ctx, s, q, words, topK)
	if err != nil {
		return nil, err
	}
	return s.fuse(q, f, topK), nil
}

// found are ids of texts, the best first.
type found struct {
	tables, columns         []string
	nearTables, nearColumns []similar
}

// similar is a text and its cosine similarity to the query.
type similar struct {
	id  string
	cos float64
}

// find asks the database, once, unless the index of the vectors stopped short: it
// looks at so many only, and those of other warehouses may stand before ours.
func (x *Index) find(ctx context.Context, s *Snapshot, q question, words string, topK int) (found, error) {
	var f found
	vector := x.vectorOf(ctx, s, words)
	if len(q) == 0 && vector == "" {
		return f, ctx.Err()
	}
	b := postgres.NewBatch(s.tenant)
	_ = queries.SearchFor(ctx, b, &dbsqlc.SearchForParams{Query: q.String(), Milliseconds: strconv.FormatInt(searchPatience.Milliseconds(), 10)})
	if len(q) > 0 {
		for kind, list := range map[string]*[]string{kindTable: &f.tables, kindColumn: &f.columns} {
			postgres.Rows[dbsqlc.TextFoundRow](b, func(r *dbsqlc.TextFoundRow) error {
				*list = append(*list, r.ID)
				return nil
			}, dbsqlc.TextFound, s.tenant, s.warehouse, kind, q.main(), int32(maxFound))
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

func searchFailed(err error) error {
	if postgres.Code(err) == "57014" {
		return fault.New(fault.Unavailable, "the search for tables takes too long; look for rarer words").Because(err)
	}
	return fmt.Errorf("search tables: %w", err)
}

// vectorOf returns the vector of a query; none without an encoder, and none when it
// fails, which is no error: words are searched for all the same.
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

// queueNear asks for the nearest tables and columns: few are all compared, of many
// the index is asked.
func (x *Index) queueNear(b *postgres.Batch, s *Snapshot, vector string, f *found) {
	if len(s.Tables) <= exactUpTo {
		x.queueExact(b, s, kindTable, vector, &f.nearTables)
	} else {
		postgres.Rows[dbsqlc.VectorNearTablesRow](b, func(r *dbsqlc.VectorNearTablesRow) error {
			f.nearTables = append(f.nearTables, similar{r.ID, r.Similarity})
			return nil
		}, dbsqlc.VectorNearTables, vector, s.tenant, s.warehouse, x.encoder.Name(), int32(maxNearest))
	}
	if len(s.with) <= exactUpTo {
		x.queueExact(b, s, kindColumn, vector, &f.nearColumns)
	} else {
		postgres.Rows[dbsqlc.VectorNearColumnsRow](b, func(r *dbsqlc.VectorNearColumnsRow) error {
			f.nearColumns = append(f.nearColumns, similar{r.ID, r.Similarity})
			return nil
		}, dbsqlc.VectorNearColumns, vector, s.tenant, s.warehouse, x.encoder.Name(), int32(maxNearest))
	}
}

// queueExact asks for the nearest of a kind by comparing them all.
func (x *Index) queueExact(b *postgres.Batch, s *Snapshot, kind, vector string, list *[]similar) {
	postgres.Rows[dbsqlc.VectorExactRow](b, func(r *dbsqlc.VectorExactRow) error {
		*list = append(*list, similar{r.ID, r.Similarity})
		return nil
	}, dbsqlc.VectorExact, vector, s.tenant, s.warehouse, kind, x.encoder.Name(), int32(maxNearest))
}

// prior is what the size of a table adds to its place in a ranking.
func prior(rows int64) float64 {
	return priorShare * rowsPrior * math.Log10(1+float64(max(rows, 0)))
}

// ranked is a table in one ranking.
type ranked struct {
	table   int32
	score   float64
	because reason
}

// order puts the best first; ties go by the order of tables.
func order(list []ranked) {
	slices.SortFunc(list, func(a, b ranked) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.table, b.table)) })
}

// fuse returns the best tables of all rankings.
func (s *Snapshot) fuse(q question, f found, topK int) []warehouse.Hit {
	byWords, matches := s.byWords(q, f)
	byMeaning, byColumn := s.byMeaning(f.nearTables), s.byColumn(f.nearColumns)
	sum, why, most := map[int32]float64{}, map[int32]reason{}, 0.0
	for _, r := range []struct {
		list   []ranked
		weight float64
		graded bool // by how much the words are met
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
	list := make([]ranked, 0, len(sum))
	for table, score := range sum {
		list = append(list, ranked{table, score / most, why[table]})
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

// byMeaning ranks the tables that are near.
func (s *Snapshot) byMeaning(near []similar) []ranked {
	out := make([]ranked, 0, len(near))
	for _, n := range near {
		if i, ok := s.byID[n.id]; ok { // else it is newer than the snapshot, or gone
			out = append(out, ranked{i, n.cos + prior(s.Tables[i].Rows), reason{meaning: true}})
		}
	}
	order(out)
	return out
}

// common reports whether so many tables have a column that it tells none of them from
// the others.
func (s *Snapshot) common(n int) bool { return n > max(20, len(s.Tables)/50) }

// byColumn ranks the tables that have a column that is near.
func (s *Snapshot) byColumn(near []similar) []ranked {
	best := map[int32]ranked{}
	for _, n := range near {
		spots := s.with[n.id]
		if s.common(len(spots)) {
			continue
		}
		for _, at := range spots {
			t := &s.Tables[at.table]
			score := n.cos + prior(t.Rows)
			if b, ok := best[at.table]; !ok || score > b.score {
				best[at.table] = ranked{at.table, score, reason{column: t.Columns[at.column].Name}}
			}
		}
	}
	out := make([]ranked, 0, len(best))
	for _, r := range best {
		out = append(out, r)
	}
	order(out)
	return out[:min(len(out), maxNearest)]
}
