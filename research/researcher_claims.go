package research

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research/claims"
	"quaestor/research/internal/dbsqlc"
)

// maxClaims is how many claims of a task are kept.
const maxClaims = 12

// byExtraction marks claims that were found by the built-in rules.
const byExtraction = "extract"

// sourceReading is a source with its text.
type sourceReading struct {
	claims.Source
	sha256 string
	drafts []draft // what a model says it claims; nil before it was asked
}

// draft is a model's statement of what a source claims. It counts for nothing until
// it is verified.
type draft struct {
	Claim string `json:"claim"`
	Quote string `json:"quote"`
	By    string `json:"by"`
}

// texts returns the sources that were read.
func (w *taskRun) texts(ctx context.Context) ([]sourceReading, error) {
	var out []sourceReading
	b := postgres.NewBatch(w.task.Scope.Tenant)
	postgres.Many(b, queries.SourceTexts, &dbsqlc.SourceTextsParams{TenantID: w.task.Scope.Tenant, TaskID: w.task.ID}, func(r *dbsqlc.SourceTextsRow) error {
		s := sourceReading{sha256: r.Sha256, Source: claims.Source{N: int(r.N), URL: r.Url, Title: r.Title, Text: r.Content, Published: r.Published, Document: isDocument(r.Url)}}
		out = append(out, s)
		if r.Drafts == nil {
			return nil
		}
		return json.Unmarshal(r.Drafts, &out[len(out)-1].drafts)
	})
	err := b.Send(ctx, w.Editor.Pool)
	return out, err
}

// claim asks the model what each source claims, and stores the drafts source by
// source. Without a model there is nothing to do here: claims are then extracted
// by the built-in rules when they are verified.
func (w *taskRun) claim(ctx context.Context) error {
	list, err := w.texts(ctx)
	if err != nil {
		return err
	}
	for _, s := range list {
		if s.drafts != nil || !w.modelled() {
			continue
		}
		drafts, err := w.modelClaims(ctx, s)
		if err != nil {
			if err := w.degrade(ctx, err); err != nil {
				return err
			}
			break
		}
		if err := w.keepDrafts(ctx, s, drafts); err != nil {
			return err
		}
	}
	return w.commit(ctx, Claiming, fmt.Sprintf("Weighing what %d sources say", len(list)), nil)
}

// keepDrafts stores a source's drafts, an empty list if there are none, so that the
// source is not drafted again.
func (w *taskRun) keepDrafts(ctx context.Context, s sourceReading, drafts []draft) error {
	body, err := json.Marshal(append([]draft{}, drafts...))
	if err != nil {
		return err
	}
	return w.commit(ctx, "", "Weighing what "+Source{URL: s.URL, Title: s.Title}.Name()+" says", func(b *postgres.Batch) error {
		return queries.SourceDrafted(ctx, b, &dbsqlc.SourceDraftedParams{Drafts: body, TenantID: w.task.Scope.Tenant, TaskID: w.task.ID, N: int32(s.N)})
	})
}

// verify stores the claims that their sources really support.
func (w *taskRun) verify(ctx context.Context) error {
	list, err := w.texts(ctx)
	if err != nil {
		return err
	}
	found := drafted(list)
	if len(found) == 0 && !allRead(list) {
		if found, err = claims.Extract(w.question, sourcesOf(list), w.similar(ctx)); err != nil {
			return err
		}
	}
	kept := keep(found, list)
	return w.commit(ctx, Verifying, fmt.Sprintf("%d statements stand in their sources", len(kept)), func(b *postgres.Batch) error {
		_ = queries.ClaimsClear(ctx, b, &dbsqlc.ClaimsClearParams{TenantID: w.task.Scope.Tenant, TaskID: w.task.ID})
		for _, c := range kept {
			if err := w.insert(ctx, b, c, list); err != nil {
				return err
			}
		}
		return nil
	})
}

// sourcesOf returns the sources without their drafts.
func sourcesOf(list []sourceReading) []claims.Source {
	out := make([]claims.Source, len(list))
	for i, s := range list {
		out[i] = s.Source
	}
	return out
}

// drafted returns the drafts as claims. It takes one of each source in turn, so
// that no source crowds out the others.
func drafted(list []sourceReading) []claims.Claim {
	var out []claims.Claim
	for i := range longest(list) {
		for _, s := range list {
			if i < len(s.drafts) {
				d := s.drafts[i]
				out = append(out, claims.Claim{Source: s.N, Text: d.Claim, Quote: d.Quote, By: d.By, Rank: 1 / float64(i+2)})
			}
		}
	}
	return out
}

// longest returns the greatest number of drafts of a source.
func longest(list []sourceReading) int {
	n := 0
	for _, s := range list {
		n = max(n, len(s.drafts))
	}
	return n
}

// allRead reports whether a model has read every source.
func allRead(list []sourceReading) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(s sourceReading) bool { return s.drafts == nil })
}

// keep verifies claims, drops those their source does not support, numbers the rest
// from 1, and notes which of them contradict each other.
func keep(found []claims.Claim, list []sourceReading) []claims.Claim {
	var out []claims.Claim
	for _, c := range found {
		i := slices.IndexFunc(list, func(s sourceReading) bool { return s.N == c.Source })
		if i < 0 || len(out) == maxClaims {
			continue
		}
		held, err := claims.Verify(c, list[i].Source)
		if err != nil || slices.ContainsFunc(out, func(o claims.Claim) bool { return o.Source == held.Source && o.Quote == held.Quote }) {
			continue
		}
		held.N = len(out) + 1
		out = append(out, held)
	}
	return claims.Contradict(out)
}

// insert queues a verified claim.
func (w *taskRun) insert(ctx context.Context, b *postgres.Batch, c claims.Claim, list []sourceReading) error {
	figures, err := json.Marshal(append([]claims.Figure{}, c.Figures...))
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(s sourceReading) bool { return s.N == c.Source })
	against := make([]int32, len(c.Against))
	for k, n := range c.Against {
		against[k] = int32(n)
	}
	return queries.ClaimInsert(ctx, b, &dbsqlc.ClaimInsertParams{TenantID: w.task.Scope.Tenant, TaskID: w.task.ID, N: int32(c.N), Source: int32(c.Source),
		Claim: c.Text, Quote: c.Quote, SpanStart: int32(c.Span.Start), SpanEnd: int32(c.Span.End), Sha256: list[i].sha256, Figures: figures, Rank: c.Rank,
		MadeBy: c.By, Against: against})
}

// similar returns a function that measures how close in meaning texts are to the
// question, or nil without an encoder.
func (w *taskRun) similar(ctx context.Context) func([]string) ([]float64, error) {
	if w.Encoder == nil {
		return nil
	}
	return func(texts []string) ([]float64, error) {
		vectors, err := w.Encoder.Encode(ctx, append([]string{w.question.Text}, texts...))
		if err != nil {
			return nil, err
		}
		out := make([]float64, len(texts))
		for i := range texts {
			out[i] = cosine(vectors[0], vectors[i+1])
		}
		return out, nil
	}
}

// cosine returns the cosine similarity of two vectors, and 0 if one is missing.
func cosine(a, b []float32) float64 {
	var dot, aa, bb float64
	for i := range min(len(a), len(b)) {
		dot += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return dot / math.Sqrt(aa*bb)
}

// stored returns the task's claims from the database.
func (w *taskRun) stored(ctx context.Context) ([]claims.Claim, error) {
	var rows []Claim
	b := postgres.NewBatch(w.task.Scope.Tenant)
	loadClaims(b, w.task.Scope.Tenant, w.task.ID, &rows)
	if err := b.Send(ctx, w.Editor.Pool); err != nil {
		return nil, err
	}
	out := make([]claims.Claim, len(rows))
	for i, r := range rows {
		out[i] = claims.Claim{N: r.N, Source: r.Source, Text: r.Text, Quote: r.Quote, Span: r.Span, Rank: r.Rank, By: r.By, Against: r.Against}
		if err := json.Unmarshal(r.Figures, &out[i].Figures); err != nil {
			return nil, fmt.Errorf("figures of claim %d: %w", r.N, err)
		}
	}
	return out, nil
}

// evidence returns a claim as evidence for a value.
func (w *taskRun) evidence(c claims.Claim, url string) obligations.Evidence {
	return obligations.Evidence{Kind: obligations.ResearchEvidence, Quote: c.Quote, Span: &c.Span, Source: url, Task: w.task.ID, Claim: c.N}
}
