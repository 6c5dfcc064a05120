package web

import (
	"context"

	"quaestor/research"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/research/warehouse/sampledata"
	"quaestor/research/warehouse/schema"
)

// Warehouses are the parts that explore data warehouses.
type Warehouses struct {
	Connections *connections.Store
	Index       *schema.Index
	Projects    projects.Store
	Office      runs.Commands // takes what people want explored
	Queue       *research.Queue

	// Sample returns the project of the sample data, made when it is not there.
	Sample func(ctx context.Context, tenant, user string) (project string, err error)
	// SampleData tells whether the sample data is there, and fetches it.
	SampleData *sampledata.Store
}

// Refresh has the tables of a warehouse read.
func (w Warehouses) Refresh(ctx context.Context, tenant, id string) error {
	return w.Connections.EnqueueRefresh(ctx, w.Queue, tenant, id)
}

// Refreshing says whether the tables of a warehouse are being read, or are to be.
func (w Warehouses) Refreshing(ctx context.Context, tenant, id string) (bool, error) {
	return w.Connections.Refreshing(ctx, w.Queue, tenant, id)
}

// Sampled says whether a warehouse is the sample data.
func (w Warehouses) Sampled(h connections.Warehouse) bool {
	return h.Kind == warehouse.DuckDB && h.Options["path"] == "sample"
}
