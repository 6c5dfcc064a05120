package admin

import (
	"context"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/llm"
	"quaestor/internal/secret"
	"quaestor/sessions/settings/models"
	"quaestor/web"
)

// modelBody is a language model of the organisation in the API. Its key is never shown.
type modelBody struct {
	ID        string          `json:"id"`
	Name      string          `json:"name" example:"gpt-4o-mini"`
	BaseURL   string          `json:"baseUrl" example:"https://api.openai.com/v1"`
	HasKey    bool            `json:"hasKey"`
	Role      models.Role     `json:"role" enum:"both,talking,reading"`
	Limits    modelLimitsBody `json:"limits"`
	Version   int             `json:"version" doc:"counts the changes"`
	Test      *modelTestBody  `json:"test,omitempty" doc:"the last one since it was changed"`
	CreatedBy string          `json:"createdBy,omitempty"`
	CreatedAt time.Time       `json:"createdAt"`
	ChangedAt time.Time       `json:"changedAt"`
}

// modelLimitsBody bounds the use of a model; 0 leaves a bound to the server.
type modelLimitsBody struct {
	Seconds    int `json:"seconds,omitempty" minimum:"0" maximum:"600" doc:"of a call; 0 for 60"`
	Tokens     int `json:"tokens,omitempty" minimum:"0" maximum:"1000000" doc:"of an answer; 0 for as many as each request allows"`
	DailyCalls int `json:"dailyCalls,omitempty" minimum:"0" maximum:"10000000" doc:"in a day, which begins at midnight UTC; 0 for any number"`
}

// modelTestBody is what a test of a model came to.
type modelTestBody struct {
	At           time.Time  `json:"at"`
	Well         bool       `json:"well" doc:"it can be used for its role"`
	Says         string     `json:"says"`
	Remedy       string     `json:"remedy,omitempty" doc:"what mends it"`
	Field        string     `json:"field,omitempty" doc:"the setting at fault"`
	Format       llm.Format `json:"format,omitempty" enum:"json_schema,json_object,text" doc:"how it answers in JSON: by a schema, by JSON mode, or asked in words; absent when it does not"`
	Usage        bool       `json:"usage" doc:"it counts tokens"`
	Context      int        `json:"context,omitempty" doc:"tokens of a prompt and its answer; absent when its API does not tell"`
	Milliseconds float64    `json:"milliseconds"`
}

// modelDraft describes a model that is added, changed or tested.
type modelDraft struct {
	Name    string          `json:"name" minLength:"1" maxLength:"200" pattern:"^[^\\x00]*$" doc:"as its API calls it"`
	BaseURL string          `json:"baseUrl" minLength:"1" maxLength:"2000" pattern:"^[^\\x00]*$" doc:"of an OpenAI-compatible API, usually ending in /v1"`
	Key     string          `json:"key,omitempty" maxLength:"4096" doc:"sealed, and never shown. Absent keeps the one there is, unless the address changes" writeOnly:"true"`
	Role    models.Role     `json:"role,omitempty" enum:"both,talking,reading" default:"both" doc:"talking words replies, researches and explores; reading understands messages and sums up"`
	Limits  modelLimitsBody `json:"limits,omitempty"`
}

type modelID struct {
	ID string `path:"id" doc:"id of the model"`
}

type newModel struct {
	Body modelDraft
}

type modelChange struct {
	ID      string `path:"id" doc:"id of the model"`
	IfMatch string `header:"If-Match" doc:"the ETag that reading gave"`
	Body    modelDraft
}

type modelOrder struct {
	Body struct {
		IDs []string `json:"ids" maxItems:"100" nullable:"false" doc:"of all models, the first to be asked first"`
	}
}

func toModelBody(m models.Model) modelBody {
	out := modelBody{ID: m.ID, Name: m.Name, BaseURL: m.BaseURL, HasKey: m.HasKey, Role: m.Role, Limits: modelLimitsBody(m.Limits), Version: m.Version,
		CreatedBy: m.CreatedBy, CreatedAt: m.CreatedAt.UTC(), ChangedAt: m.ChangedAt.UTC()}
	if m.Test != nil {
		t := modelTestBody(*m.Test)
		out.Test = &t
	}
	return out
}

func (b modelDraft) spec() models.Spec {
	return models.Spec{Name: b.Name, BaseURL: b.BaseURL, Key: secret.New(b.Key), Role: b.Role, Limits: models.Limits(b.Limits)}
}

func (s *Handlers) listModels(ctx context.Context, _ *struct{}) (web.Page[modelBody], error) {
	list, err := s.Models.List(ctx, web.ActorFrom(ctx).Tenant)
	return web.Page[modelBody]{Items: web.Map(list, toModelBody)}, err
}

func (s *Handlers) getModel(ctx context.Context, in *modelID) (modelBody, error) {
	m, err := s.Models.Find(ctx, web.ActorFrom(ctx).Tenant, in.ID)
	return toModelBody(m), err
}

func (s *Handlers) createModel(ctx context.Context, in *newModel) (modelBody, error) {
	a := web.ActorFrom(ctx)
	m, err := s.Models.Create(ctx, a.Tenant, a.User, in.Body.spec())
	return toModelBody(m), err
}

func (s *Handlers) putModel(ctx context.Context, in *modelChange) (modelBody, error) {
	a := web.ActorFrom(ctx)
	old, err := s.Models.Find(ctx, a.Tenant, in.ID)
	if err != nil {
		return modelBody{}, err
	}
	if err := web.CheckUnchanged(in.IfMatch, toModelBody(old), "the model"); err != nil {
		return modelBody{}, err
	}
	m, err := s.Models.Update(ctx, a.Tenant, a.User, in.ID, old.Version, in.Body.spec())
	if fault.Is(err, fault.Conflict) { // changed since they were compared
		return modelBody{}, web.ErrStale("the model was changed meanwhile; read it again")
	}
	return toModelBody(m), err
}

func (s *Handlers) deleteModel(ctx context.Context, in *modelID) error {
	a := web.ActorFrom(ctx)
	return s.Models.Delete(ctx, a.Tenant, a.User, in.ID)
}

// orderModels answers with the models in their new order.
func (s *Handlers) orderModels(ctx context.Context, in *modelOrder) (web.Page[modelBody], error) {
	a := web.ActorFrom(ctx)
	if err := s.Models.Order(ctx, a.Tenant, a.User, in.Body.IDs); err != nil {
		return web.Page[modelBody]{}, err
	}
	return s.listModels(ctx, nil)
}

// testModel tests a saved model and stores the outcome. A model that does not answer is an
// outcome, not an error.
func (s *Handlers) testModel(ctx context.Context, in *modelID) (modelTestBody, error) {
	t, err := s.Models.Test(ctx, web.ActorFrom(ctx).Tenant, in.ID)
	return modelTestBody(t), err
}

// testModelDraft tests settings that are not saved, and stores nothing.
func (s *Handlers) testModelDraft(ctx context.Context, in *newModel) (modelTestBody, error) {
	t, err := s.Models.TestSpec(ctx, web.ActorFrom(ctx).Tenant, "", in.Body.spec())
	return modelTestBody(t), err
}
