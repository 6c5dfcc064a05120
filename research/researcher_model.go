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

// What a model may write, in tokens. Models that think first spend most of it on
// that.
const (
	planTokens    = 2000
	claimTokens   = 4000
	proposeTokens = 2500
)

func (w *desk) modelled() bool { return w.Model != nil && !w.degraded }

func (w *desk) modelName() string { return "model " + w.Model.Model() }

// degrade goes on by rules after a model failed. What is returned is the end of
// the work itself, if that is what ended the call.
func (w *desk) degrade(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if err != nil {
		w.degraded = true
		w.Log.InfoContext(ctx, "research without the model", "tenant", w.task.Scope.Tenant, "task", w.task.ID, "err", err)
	}
	return nil
}

func (w *desk) askModel(ctx context.Context, purpose string, tokens int, m []llm.Message, s llm.Schema, out any) error {
	steady := 0.0
	_, err := w.Model.JSON(ctx, llm.Request{Purpose: purpose, Messages: m, MaxTokens: tokens, Temperature: &steady}, s, out)
	return err
}

// modelPlan has the model work out what to ask. What it names goes out to search
// engines, so it is held to what the rules would let out.
func (w *desk) modelPlan(ctx context.Context) ([]string, error) {
	b := w.brief()
	var out struct {
		Queries []string `json:"queries"`
	}
	m := messages(render("plan.tmpl", b), render("plan_data.tmpl", b), "Which searches?")
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

// modelClaims has the model say what a source claims.
func (w *desk) modelClaims(ctx context.Context, s sourceReading) ([]draft, error) {
	b := w.brief()
	b.Title, b.Published = language.Clip(s.Title, 200), s.Published
	b.Text, b.Cut = excerpt(s.Text, w.question, limits.TextRunes)
	var out struct {
		Claims []draft `json:"claims"`
	}
	m := messages(render("claims.tmpl", b), render("claims_data.tmpl", b), "What does it say?")
	if err := w.askModel(ctx, "research_claims", claimTokens, m, claimsSchema, &out); err != nil {
		return nil, err
	}
	list := out.Claims[:min(len(out.Claims), limits.Drafts)]
	for i := range list {
		list[i].By = w.modelName()
	}
	return list, nil
}

var errUnfounded = errors.New("the model's value does not stand in the claims it names")

// modelProposal has the model say which value the claims speak for. A value that
// is not in them is not taken; nil when the model sees none.
func (w *desk) modelProposal(ctx context.Context, o *obligations.Obligation, found []claims.Claim) (*Proposal, error) {
	b := w.brief()
	b.Prompt, b.Form = o.Prompt, form(o)
	for _, c := range found {
		b.Claims = append(b.Claims, claimBrief{c.N, c.Text, c.Host, c.Against})
	}
	var out struct {
		Value  json.RawMessage `json:"value"`
		Claims []int           `json:"claims"`
	}
	m := messages(render("propose.tmpl", b), render("propose_data.tmpl", b), "Which value?")
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

// form says what an answer to o looks like.
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
