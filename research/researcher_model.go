package research

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"unicode/utf8"

	"quaestor/internal/language"
	"quaestor/internal/llm"
	"quaestor/obligations"
	"quaestor/research/claims"
)

// The most a model may write, in tokens. Reasoning models spend most of it on their
// reasoning.
const (
	planTokens    = 2000
	claimTokens   = 4000
	proposeTokens = 2500
)

// modelOf returns the model that works for a tenant; nil for none.
func (d *Researcher) modelOf(ctx context.Context, tenant string) *llm.Client {
	if d.Models != nil {
		return d.Models(ctx, tenant)
	}
	return d.Model
}

// modelled reports whether a model does the work: one is configured and has not
// failed in this attempt.
func (w *taskRun) modelled() bool { return w.model != nil && !w.degraded }

// modelName is the author recorded for the model's work.
func (w *taskRun) modelName() string { return "model " + w.model.Model() }

// degrade continues without the model after it failed. If the work itself was
// ended, it returns the cause instead.
func (w *taskRun) degrade(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if err != nil {
		w.degraded = true
		w.Log.InfoContext(ctx, "research without the model", "tenant", w.task.Scope.Tenant, "task", w.task.ID, "err", err)
	}
	return nil
}

// askModel asks for an answer in the given schema, at temperature 0.
func (w *taskRun) askModel(ctx context.Context, purpose string, tokens int, m []llm.Message, s llm.Schema, out any) error {
	steady := 0.0
	_, err := w.model.JSON(ctx, llm.Request{Purpose: purpose, Messages: m, MaxTokens: tokens, Temperature: &steady}, s, out)
	return err
}

// modelPlan lets the model choose the queries. As they go out to search engines,
// they are restricted to what the built-in rules would let out.
func (w *taskRun) modelPlan(ctx context.Context) ([]string, error) {
	b := w.brief()
	var out struct {
		Queries []string `json:"queries"`
	}
	m := promptMessages(render("plan.tmpl", b), render("plan_data.tmpl", b), "Which searches?")
	if err := w.askModel(ctx, "research_plan", planTokens, m, planSchema, &out); err != nil {
		return nil, err
	}
	var list []string
	for _, q := range out.Queries {
		q = claims.CleanQuery(q)
		if q != "" && !slices.Contains(list, q) {
			list = append(list, q)
		}
	}
	return list[:min(len(list), maxQueries)], nil
}

// modelClaims asks the model what a source claims.
func (w *taskRun) modelClaims(ctx context.Context, s sourceReading) ([]draft, error) {
	b := w.brief()
	b.Title, b.Published = language.Clip(s.Title, 200), s.Published
	b.Text, b.Cut = excerpt(s.Text, w.question, limits.TextRunes)
	var out struct {
		Claims []draft `json:"claims"`
	}
	m := promptMessages(render("claims.tmpl", b), render("claims_data.tmpl", b), "What does it say?")
	if err := w.askModel(ctx, "research_claims", claimTokens, m, claimsSchema, &out); err != nil {
		return nil, err
	}
	list := out.Claims[:min(len(out.Claims), limits.Drafts)]
	for i := range list {
		list[i].By = w.modelName()
	}
	return list, nil
}

// errUnfounded rejects a value that the model made up.
var errUnfounded = errors.New("the model's value does not stand in the claims it names")

// modelProposal asks the model which value the claims support. It returns nil when
// the model sees none, and errUnfounded when the value is not in the claims.
func (w *taskRun) modelProposal(ctx context.Context, o *obligations.Obligation, found []claims.Claim) (*Proposal, error) {
	b := w.brief()
	b.Prompt, b.Form = o.Prompt, form(o)
	for _, c := range found {
		b.Claims = append(b.Claims, claimBrief{c.N, c.Text, c.Host, c.Against})
	}
	var out struct {
		Value  json.RawMessage `json:"value"`
		Claims []int           `json:"claims"`
	}
	m := promptMessages(render("propose.tmpl", b), render("propose_data.tmpl", b), "Which value?")
	if err := w.askModel(ctx, "research_propose", proposeTokens, m, proposeSchema, &out); err != nil {
		return nil, err
	}
	if len(out.Value) == 0 || string(out.Value) == "null" {
		return nil, nil
	}
	var used []claims.Claim
	for _, c := range found {
		if slices.Contains(out.Claims, c.N) {
			used = append(used, c)
		}
	}
	if len(used) == 0 || o.Check(out.Value) != nil || claims.CheckAnswer(o, out.Value, used) != nil || utf8.RuneCount(out.Value) > 2*limits.ValueRunes {
		return nil, errUnfounded
	}
	p := &Proposal{Key: o.Key, Value: out.Value, By: w.modelName()}
	for _, c := range used {
		p.Claims = append(p.Claims, c.N)
	}
	return p, nil
}

// form describes to the model what an answer to o looks like.
func form(o *obligations.Obligation) any {
	out := map[string]any{"widget": o.Widget}
	if o.Unit != "" {
		out["unit"] = o.Unit
	}
	if len(o.Choices) > 0 {
		out["choices"] = o.Choices[:min(len(o.Choices), limits.Choices)]
	}
	return out
}
