package runs

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/embedding"
	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/llm"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// Searcher searches the findings and recommendations of projects, and answers questions from them. It
// is safe for concurrent use.
type Searcher struct {
	Pool    *pgxpool.Pool
	Encoder embedding.Encoder                                    // nil leaves the search to words
	Model   func(ctx context.Context, tenant string) *llm.Client // of a tenant, nil for none; nil means that nobody has one
	Log     *slog.Logger                                         // nil for the default
}

// searcher returns what indexes the findings of runs.
func (r *Runner) searcher() *Searcher {
	return &Searcher{Pool: r.Pool, Encoder: r.Encoder, Log: r.Log}
}

// FindingKind is what was found by a search.
type FindingKind string

// The kinds.
const (
	InsightFinding        FindingKind = "insight"
	RecommendationFinding FindingKind = "recommendation"
)

// Finding is an insight or a recommendation that a search found.
type Finding struct {
	Kind  FindingKind `json:"kind" enum:"insight,recommendation"`
	Run   string      `json:"runId"`
	Ref   string      `json:"id" doc:"of the insight or recommendation within the run"`
	Title string      `json:"title"`
	Text  string      `json:"text"`
	Score float64     `json:"score" doc:"0 to 1, by words and meaning; 1 is first in both"`
	At    time.Time   `json:"at"`
}

// Bounds of a search.
const (
	MaxSearch   = 500  // characters of what is searched for
	maxFindings = 20   // that a search returns
	maxCompared = 2000 // texts of a project that are compared
	leastNear   = 0.30 // cosine similarity below which a text is not near; that of package pick
	rankOffset  = 20   // the constant of reciprocal rank fusion, as in package schema
	indexedOnce = 200  // texts that are made at once
)

// Search returns the findings and recommendations of a project's completed runs that have words of a
// text or are near to it in meaning, the best first, at most 20. Of those that say the same, the latest is
// returned. The rankings by words and by meaning are combined by reciprocal rank fusion (Cormack, Clarke
// and Büttcher, 2009). A text without words is Unprocessable.
func (s *Searcher) Search(ctx context.Context, tenant, project, text string) ([]Finding, error) {
	text = strings.TrimSpace(clean(text))
	if text == "" || len([]rune(text)) > MaxSearch {
		return nil, fault.New(fault.Unprocessable, "has 1 to %d characters", MaxSearch).At("q")
	}
	if err := s.Index(ctx, tenant, project); err != nil {
		return nil, err
	}
	encoder, vector := s.vector(ctx, tenant, text)
	type match struct {
		Finding
		fits, near float64
	}
	list, err := postgres.List(ctx, s.Pool, tenant, queries.TextSearch, &dbsqlc.TextSearchParams{Words: text, Encoder: encoder, Vector: vector, TenantID: tenant, ProjectID: project, Least: leastNear, Most: maxCompared}, func(r *dbsqlc.TextSearchRow) (match, error) {
		return match{Finding{Kind: FindingKind(r.Kind), Run: r.RunID, Ref: r.Ref, Title: r.Title, Text: r.Body, At: r.At}, r.Fits, r.Near}, nil
	})
	if err != nil {
		return nil, fmt.Errorf("search the findings of project %s: %w", project, notProject(err))
	}
	seen, kept := map[string]bool{}, list[:0]
	for _, m := range list { // the latest first
		if key := string(m.Kind) + m.Title; !seen[key] {
			seen[key] = true
			kept = append(kept, m)
		}
	}
	rankings := 0.0
	for _, score := range []func(match) float64{func(m match) float64 { return m.fits }, func(m match) float64 { return m.near }} {
		order := make([]int, len(kept))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score(kept[b]), score(kept[a])) })
		if len(order) > 0 && score(kept[order[0]]) > 0 {
			rankings++
		}
		for place, i := range order {
			if score(kept[i]) > 0 {
				kept[i].Score += float64(rankOffset+1) / float64(rankOffset+1+place)
			}
		}
	}
	slices.SortStableFunc(kept, func(a, b match) int { return cmp.Compare(b.Score, a.Score) })
	out := make([]Finding, min(len(kept), maxFindings))
	for i := range out {
		out[i] = kept[i].Finding
		out[i].Score /= max(rankings, 1)
	}
	return out, nil
}

// vector returns the vector of a text for the database, with the name of what made it. Both are empty
// without an encoder, and if it fails, since the words are enough for a search.
func (s *Searcher) vector(ctx context.Context, tenant, text string) (encoder, vector string) {
	if s.Encoder == nil {
		return "", ""
	}
	list, err := s.Encoder.Encode(ctx, []string{text})
	if err != nil || len(list) != 1 || list[0] == nil {
		s.log().WarnContext(ctx, "findings are searched by words only", "tenant", tenant, "err", err)
		return "", ""
	}
	return s.Encoder.Name(), halfvec(list[0])
}

func (s *Searcher) log() *slog.Logger {
	if s.Log == nil {
		return slog.Default()
	}
	return s.Log
}

// Index makes the texts and the vectors of a project's completed runs that are missing. It may run
// concurrently with itself.
func (s *Searcher) Index(ctx context.Context, tenant, project string) error {
	for more := true; more; {
		n, err := s.write(ctx, tenant, project)
		if err != nil {
			return fmt.Errorf("index the findings of project %s: %w", project, notProject(err))
		}
		more = n == indexedOnce
	}
	if s.Encoder == nil {
		return nil
	}
	for more := true; more; {
		n, err := s.encode(ctx, tenant, project)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.log().WarnContext(ctx, "findings are found by words only", "tenant", tenant, "project", project, "err", err)
			return nil
		}
		more = n == encodedAtOnce
	}
	return nil
}

// write makes texts that are missing, and returns how many.
func (s *Searcher) write(ctx context.Context, tenant, project string) (int, error) {
	missing, err := postgres.List(ctx, s.Pool, tenant, queries.TextMissing, &dbsqlc.TextMissingParams{TenantID: tenant, ProjectID: project, Most: indexedOnce}, func(r *dbsqlc.TextMissingRow) (Finding, error) {
		return Finding{Kind: FindingKind(r.Kind), Run: r.RunID, Ref: r.Ref}, nil
	})
	if err != nil || len(missing) == 0 {
		return 0, err
	}
	texts := map[Finding]Finding{} // by what names them
	read := map[string]bool{}
	for _, m := range missing {
		if read[m.Run] {
			continue
		}
		read[m.Run] = true
		insights, errInsights := Insights(ctx, s.Pool, tenant, Selection{Run: m.Run})
		list, errList := Recommendations(ctx, s.Pool, tenant, Selection{Run: m.Run})
		if err := cmp.Or(errInsights, errList); err != nil {
			return 0, err
		}
		for _, i := range insights {
			texts[Finding{Kind: InsightFinding, Run: m.Run, Ref: i.ID}] = Finding{Title: i.Title, Text: i.Prose, At: i.At}
		}
		for _, c := range list {
			texts[Finding{Kind: RecommendationFinding, Run: m.Run, Ref: c.ID}] = Finding{Title: c.Title, Text: c.Text + " " + strings.Join(c.Actions, " "), At: c.At}
		}
	}
	b := postgres.NewBatch(tenant)
	for _, m := range missing {
		t := texts[m]
		err := queries.TextInsert(ctx, b, &dbsqlc.TextInsertParams{TenantID: tenant, RunID: m.Run, Kind: string(m.Kind), Ref: m.Ref, ProjectID: project, Title: cut(clean(t.Title), maxAlertText), Body: language.HeadBytes(clean(t.Text), 20000), At: t.At})
		if err != nil {
			return 0, err
		}
	}
	return len(missing), b.Send(ctx, s.Pool)
}

// encode makes vectors that are missing, and returns how many.
func (s *Searcher) encode(ctx context.Context, tenant, project string) (int, error) {
	list, err := postgres.List(ctx, s.Pool, tenant, queries.TextUnencoded, &dbsqlc.TextUnencodedParams{TenantID: tenant, ProjectID: project, Encoder: s.Encoder.Name(), Most: encodedAtOnce}, func(r *dbsqlc.TextUnencodedRow) (Finding, error) {
		return Finding{Kind: FindingKind(r.Kind), Run: r.RunID, Ref: r.Ref, Title: r.Title, Text: r.Body}, nil
	})
	if err != nil || len(list) == 0 {
		return 0, err
	}
	texts := make([]string, len(list))
	for i, f := range list {
		texts[i] = cut(f.Title+"\n"+f.Text, maxEncoded)
	}
	vectors, err := s.Encoder.Encode(ctx, texts)
	if err != nil {
		return 0, err
	}
	b := postgres.NewBatch(tenant)
	for i, f := range list {
		vector := ""
		if vectors[i] != nil {
			vector = halfvec(vectors[i])
		}
		if err := queries.TextEncode(ctx, b, &dbsqlc.TextEncodeParams{Encoder: s.Encoder.Name(), Vector: vector, TenantID: tenant, RunID: f.Run, Kind: string(f.Kind), Ref: f.Ref}); err != nil {
			return 0, err
		}
	}
	return len(list), b.Send(ctx, s.Pool)
}
