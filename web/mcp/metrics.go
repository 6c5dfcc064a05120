package mcp

import (
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"quaestor/internal/auth"
	"quaestor/research/warehouse/metrics"
	"quaestor/web"
)

type metricArgs struct {
	WarehouseID string `json:"warehouseId" jsonschema:"from list_warehouses"`
	Question    string `json:"question,omitempty" jsonschema:"only what this question names, by name or synonym; without it all"`
}

// metricList is what an organisation has defined over a warehouse.
type metricList struct {
	Metrics  []metricItem  `json:"metrics"`
	Examples []exampleItem `json:"examples" jsonschema:"questions with a query that somebody has verified"`
	More     bool          `json:"more" jsonschema:"there are more than are listed; give a question"`
}

type metricItem struct {
	Name       string   `json:"name"`
	Kind       string   `json:"kind" jsonschema:"metric or dimension"`
	Definition string   `json:"definition" jsonschema:"what it is, with its SQL, in one line"`
	Synonyms   []string `json:"synonyms,omitempty"`
	Owner      string   `json:"owner,omitempty"`
	Words      string   `json:"words,omitempty" jsonschema:"of the question that name it"`
}

type exampleItem struct {
	Question string `json:"question"`
	SQL      string `json:"sql"`
}

func (s *Handlers) addMetricTools(server *sdk.Server) {
	add(s, server, tool{name: "list_metrics", title: "List metrics", needs: auth.Review,
		description: "What the organisation means by the names of its figures: metrics and dimensions over a warehouse, or those that a question names, with their SQL. Use these definitions and say so."}, s.listMetrics)
}

func (s *Handlers) listMetrics(ctx context.Context, in metricArgs) (metricList, error) {
	out := metricList{Metrics: []metricItem{}, Examples: []exampleItem{}}
	if in.Question != "" {
		if err := checkWords("question", in.Question); err != nil {
			return out, err
		}
	}
	tenant, store := web.ActorFrom(ctx).Tenant, metrics.Store{Pool: s.Pool, Connections: s.Connections}
	if _, err := s.Connections.Find(ctx, tenant, in.WarehouseID); err != nil {
		return out, err
	}
	list, err := store.Usable(ctx, tenant, in.WarehouseID)
	if err != nil {
		return out, err
	}
	examples, err := store.Examples(ctx, tenant, in.WarehouseID)
	if err != nil {
		return out, err
	}
	found := web.Map(list, func(d metrics.Definition) metrics.Match { return metrics.Match{Definition: d} })
	if in.Question != "" {
		found = metrics.Find(list, in.Question)
	}
	out.More = len(found) > maxRows || len(examples) > maxRows
	out.Metrics = web.Map(found[:min(len(found), maxRows)], func(m metrics.Match) metricItem {
		return metricItem{m.Name, string(m.Kind), clip(m.Line(), maxText), m.Synonyms, m.Owner, m.Words}
	})
	out.Examples = web.Map(examples[:min(len(examples), maxRows)], func(e metrics.Example) exampleItem { return exampleItem{e.Question, clip(e.SQL, maxText)} })
	return out, nil
}

func (v metricList) text() string {
	out := []string{fmt.Sprintf("%d metrics and dimensions:", len(v.Metrics))}
	for _, m := range v.Metrics {
		out = append(out, "- "+m.Definition)
	}
	for _, e := range v.Examples {
		out = append(out, fmt.Sprintf("Example: %s\n%s", e.Question, e.SQL))
	}
	return lines(out)
}
