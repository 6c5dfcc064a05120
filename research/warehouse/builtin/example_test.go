package builtin_test

import (
	"context"
	"fmt"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/builtin"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
)

func Example() {
	tables := []catalog.Table{{Schema: "sales", Name: "orders", Rows: 14_300, Columns: []catalog.Column{{Name: "total", Type: "numeric"}, {Name: "placed_at", Type: "timestamp"}}}}
	reply, err := builtin.Analyst{}.Next(context.Background(), warehouse.Situation{
		Instructions: warehouse.Instructions{Dialect: guard.PostgreSQL}, Catalog: catalog.NewIndex(tables), MaxSteps: 40, LookupsLeft: 30,
	})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(reply.Text)
	// Output: {"thinking":"There is one table; first of all its columns.","lookup_schema":["sales.orders"]}
}
