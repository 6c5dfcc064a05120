package mcp

import (
	"cmp"
	"context"
	"errors"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/language/messages"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/metrics"
	"quaestor/research/warehouse/question"
	"quaestor/web"
)

type askArgs struct {
	Question    string `json:"question" jsonschema:"one question with one figure as its answer, such as: how many orders were paid in March?"`
	WarehouseID string `json:"warehouseId,omitempty" jsonschema:"from list_warehouses; without it, the warehouse whose tables fit the question best"`
	Language    string `json:"language,omitempty" jsonschema:"BCP 47 tag of the question's language; en without it"`
}

// dataAnswer is the answer to one question.
type dataAnswer struct {
	Sentence    string   `json:"sentence" jsonschema:"the answer, with what it rests on"`
	Figure      float64  `json:"figure"`
	Exact       string   `json:"exact" jsonschema:"the figure as the warehouse has it"`
	Period      string   `json:"period,omitempty" jsonschema:"an ISO date, or two with a slash between; absent for all of the data"`
	Table       string   `json:"table"`
	SQL         string   `json:"sql" jsonschema:"that was sent"`
	WarehouseID string   `json:"warehouseId"`
	Warehouse   string   `json:"warehouse" jsonschema:"its name"`
	By          string   `json:"by" jsonschema:"who wrote the statement: rules, a model, or a verified question"`
	Metric      string   `json:"metric,omitempty" jsonschema:"name of the organisation's metric by whose definition the figure was computed"`
	Defined     []string `json:"defined,omitempty" jsonschema:"definitions of the organisation that the question names; the SQL follows that of metric, and need not follow the others, so compare"`
}

func (s *Handlers) addAskTools(server *sdk.Server) {
	add(s, server, tool{name: "ask_warehouse", title: "Ask a warehouse", needs: auth.Review,
		description: "Answers one question about the data with one figure: the question is read, written as a read-only query, and answered in a sentence with its SQL. What is not understood is an error that says which word."}, s.askWarehouse)
}

func (s *Handlers) askWarehouse(ctx context.Context, in askArgs) (dataAnswer, error) {
	if err := checkWords("question", in.Question); err != nil {
		return dataAnswer{}, err
	}
	if err := withoutNUL(map[string]string{"language": in.Language}); err != nil {
		return dataAnswer{}, err
	}
	tenant := web.ActorFrom(ctx).Tenant
	if in.WarehouseID != "" {
		if _, err := s.Connections.Find(ctx, tenant, in.WarehouseID); err != nil {
			return dataAnswer{}, err
		}
	}
	found, err := s.Warehouses.Ask(ctx, tenant, question.Asked{Warehouse: in.WarehouseID, Text: question.Text{Words: in.Question, Language: cmp.Or(in.Language, "en"), Now: time.Now().UTC()}})
	if err != nil {
		return dataAnswer{}, unanswered(err)
	}
	matches, err := metrics.Store{Pool: s.Pool, Connections: s.Connections}.Find(ctx, tenant, found.Warehouse, in.Question)
	if err != nil {
		return dataAnswer{}, err
	}
	return dataAnswer{Sentence: clip(found.Sentence, maxReply), Figure: found.Figure, Exact: clip(found.Exact, maxValue), Period: found.Period, Table: found.Table, SQL: clip(found.Sent, 2*maxText),
		WarehouseID: found.Warehouse, Warehouse: found.Name, By: found.By, Metric: found.Metric, Defined: web.Map(matches[:min(len(matches), maxRows)], func(m metrics.Match) string { return clip(m.Says(), maxText) })}, nil
}

// unanswered words why a question was not answered, in English as all errors of tools are.
func unanswered(err error) error {
	var away *warehouse.QueryError
	if errors.As(err, &away) && away.Class == warehouse.Unreachable {
		return fault.New(fault.Unavailable, "the warehouse does not answer: %s", away.Error()).Coded("warehouse_away").Because(err)
	}
	if words, ok := question.Refused(err, messages.In("en")); ok {
		return fault.New(fault.Unprocessable, "%s", words).At("question").Coded("question_unclear").Because(err)
	}
	return err
}

func (v dataAnswer) text() string {
	out := []string{v.Sentence}
	for _, d := range v.Defined {
		out = append(out, "Note: "+d)
	}
	return lines(append(out, v.SQL))
}
