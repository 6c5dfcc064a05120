package documents

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/research/documents/internal/dbsqlc"
)

// Passage is a part of a document that matches a query. Its text is untrusted.
type Passage struct {
	Document  string // id
	Path      string
	Title     string // of the document; may be empty
	Type      string // of the document
	Published string // of the document, as 2006-01-02, or empty
	SHA256    string // of the document
	ReadAt    time.Time
	N         int // position in the document, from 0
	Start     int // offset in the document's text, in bytes
	End       int
	Heading   string // the title and the headings above it
	Content   string
	Score     float64 // comparable only within one search
}

// The limits of a search.
const (
	maxPassages    = 100
	maxCandidates  = 200  // of each ranking
	maxQueryWords  = 48   // further words add nothing
	maxWordRunes   = 60   // anything longer is not a word
	exactUpTo      = 5000 // number of vectors up to which all are compared; beyond, the approximate index is used
	searchPatience = 5 * time.Second
	minSimilarity  = 0.25 // low, because a question is less similar to its answer than to another question
	rankOffset     = 60   // keeps the first ranks of one ranking from outweighing the agreement of two
)

// place identifies a passage.
type place struct {
	document string
	n        int32
}

// Search returns the passages of the tenant's documents that match a query best:
// by all of its words, by any of them, and by meaning. The three rankings are
// combined by reciprocal rank fusion; ties are sorted by path and position. Zero
// means 20 passages; the maximum is 100. Without an encoder, or while it fails, the
// words alone decide. A query without words finds nothing; one that takes too long
// is Unavailable.
func (d *Documents) Search(ctx context.Context, tenant, query string, most int) ([]Passage, error) {
	q := searchable(query)
	if q == "" {
		return nil, nil
	}
	if most <= 0 {
		most = 20
	}
	most = min(most, maxPassages)
	rankings, vectors, err := d.byText(ctx, tenant, q)
	if err != nil {
		return nil, failed(err)
	}
	byMeaning, err := d.byMeaning(ctx, tenant, q, vectors)
	if err != nil {
		return nil, failed(err)
	}
	found, err := d.passages(ctx, tenant, fuse(append(rankings, byMeaning)...), most)
	if err != nil {
		return nil, failed(err)
	}
	return found, nil
}

// failed turns an error of the database into the fault of a search.
func failed(err error) error {
	if postgres.Code(err) == "57014" {
		return fault.New(fault.Unavailable, "the search of documents takes too long; look for rarer words").Because(err)
	}
	return fmt.Errorf("search documents: %w", err)
}

// searchable reduces a query to what the database accepts: words of letters and
// digits, of limited number and length.
func searchable(s string) string {
	words := strings.FieldsFunc(clean(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("-_.'’@/+&%$€£", r)
	})
	var out []string
	for _, w := range words {
		w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		r := []rune(w)
		if w != "" && len(out) < maxQueryWords {
			out = append(out, string(r[:min(len(r), maxWordRunes)]))
		}
	}
	return strings.Join(out, " ")
}

// stopWords carry no meaning alone. The database removes English ones too, but only in its
// English interpretation of a query.
var stopWords = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(`a about after all also am an and any are as at be been before being between both but by can could did do does done down
		during each few for from further had has have having he her here hers him his how i if in into is it its just like many may me might more most much must my no
		nor not now of off on once one only or other our ours out over own per please same shall she should so some such than that the their theirs them then there
		these they this those through to too under until up upon us very was we were what when where which while who whom whose why will with within without would
		you your yours aber als am an auch auf aus bei bin bis das dass dem den der des die du ein eine einem einen einer eines er es für hat ich im in ist mit nach
		nicht oder sich sie sind so und uns von vor war was wer wie wir wird wo zu zum zur au aux avec ce ces dans de des du elle en est et il la le les leur ne nous
		ou par pas pour que qui sa se ses son sont sur un une vous con del el las los para por y`) {
		out[w] = true
	}
	return out
}()

// anyOf returns a query that matches any word of q that is not a stop word, or "".
func anyOf(q string) string {
	var out []string
	for _, w := range strings.Fields(q) {
		if !stopWords[strings.ToLower(w)] && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return strings.Join(out, " or ")
}

// byText returns the passages that match all words and those that match any, each
// best first, and the number of vectors to compare, counted up to exactUpTo+1.
func (d *Documents) byText(ctx context.Context, tenant, q string) (rankings [][]place, vectors int, err error) {
	b := d.batch(ctx, tenant)
	if d.encoder != nil {
		postgres.Many(b, queries.VectorCount, &dbsqlc.VectorCountParams{TenantID: tenant, Encoder: d.encoder.Name(), Max: int32(exactUpTo + 1)}, func(n int64) error {
			vectors = int(n)
			return nil
		})
	}
	wordings := []string{q, anyOf(q)}
	if wordings[1] == "" {
		wordings = wordings[:1] // a query of stop words only is meant literally
	}
	rankings = make([][]place, len(wordings))
	for i, words := range wordings {
		_ = queries.SearchFor(ctx, b, words)
		postgres.Many(b, queries.PassageByText, &dbsqlc.PassageByTextParams{TenantID: tenant, Max: int32(maxCandidates)}, func(r *dbsqlc.PassageByTextRow) error {
			rankings[i] = append(rankings[i], place{r.DocumentID, r.N})
			return nil
		})
	}
	err = b.Send(ctx, d.pool)
	return rankings, vectors, err
}

// batch returns a batch with the settings of a search.
func (d *Documents) batch(ctx context.Context, tenant string) *postgres.Batch {
	b := postgres.NewBatch(tenant)
	_ = queries.SearchPatience(ctx, b, strconv.FormatInt(searchPatience.Milliseconds(), 10))
	return b
}

// byMeaning returns the passages whose vectors are nearest to the query's, nearest
// first. If there are few vectors, all are compared; otherwise the index is used. A
// failure of the encoder is not an error.
func (d *Documents) byMeaning(ctx context.Context, tenant, q string, vectors int) (list []place, err error) {
	if vectors == 0 {
		return nil, nil
	}
	encoded, err := d.encoder.Encode(ctx, []string{q})
	if err != nil || encoded[0] == nil {
		if err != nil {
			d.log.WarnContext(ctx, "documents are searched by words only", "tenant", tenant, "err", err)
		}
		return nil, ctx.Err()
	}
	v := halfvec(encoded[0])
	b := d.batch(ctx, tenant)
	if vectors <= exactUpTo {
		postgres.Many(b, queries.VectorExact, &dbsqlc.VectorExactParams{Vector: v, TenantID: tenant, Encoder: d.encoder.Name(), Max: int32(maxCandidates)}, func(r *dbsqlc.VectorExactRow) error {
			list = near(list, r.DocumentID, r.N, r.Similarity)
			return nil
		})
		err := b.Send(ctx, d.pool)
		return list, err
	}
	_ = queries.SearchWidely(ctx, b)
	postgres.Many(b, queries.VectorNear, &dbsqlc.VectorNearParams{Vector: v, TenantID: tenant, Encoder: d.encoder.Name(), Max: int32(maxCandidates)}, func(r *dbsqlc.VectorNearRow) error {
		list = near(list, r.DocumentID, r.N, r.Similarity)
		return nil
	})
	err = b.Send(ctx, d.pool)
	return list, err
}

// near appends a passage if it is similar enough.
func near(list []place, document string, n int32, similarity float64) []place {
	if similarity < minSimilarity {
		return list
	}
	return append(list, place{document, n})
}

// fuse scores places by the sum of 1/(60 + rank) over the rankings.
func fuse(rankings ...[]place) map[place]float64 {
	scores := map[place]float64{}
	for _, list := range rankings {
		for i, p := range list {
			scores[p] += 1 / float64(rankOffset+i+1)
		}
	}
	return scores
}

// passages loads the best places.
func (d *Documents) passages(ctx context.Context, tenant string, scores map[place]float64, most int) ([]Passage, error) {
	order := func(a, b place) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a.document, b.document), cmp.Compare(a.n, b.n))
	}
	var best []place
	for p := range scores {
		best = append(best, p)
	}
	slices.SortFunc(best, order)
	best = best[:min(len(best), most)]
	if len(best) == 0 {
		return nil, nil
	}
	var ids []string
	var ns []int32
	for _, p := range best {
		ids, ns = append(ids, p.document), append(ns, p.n)
	}
	var out []Passage
	b := d.batch(ctx, tenant)
	postgres.Many(b, queries.PassageRead, &dbsqlc.PassageReadParams{TenantID: tenant, Documents: ids, Ns: ns}, func(r *dbsqlc.PassageReadRow) error {
		out = append(out, Passage{Document: r.DocumentID, Path: r.Path, Title: r.Title, Type: r.MediaType, Published: r.Published, SHA256: r.Sha256, ReadAt: r.ReadAt,
			N: int(r.N), Start: int(r.StartByte), End: int(r.EndByte), Heading: r.Heading, Content: r.Content, Score: scores[place{r.DocumentID, r.N}]})
		return nil
	})
	err := b.Send(ctx, d.pool)
	slices.SortFunc(out, func(a, b Passage) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path), cmp.Compare(a.N, b.N))
	})
	return out, err
}
