// Package data holds the pages and the API for exploring data warehouses: the
// warehouses that an organisation connects and their tables, the packs that
// analysts work by, the projects over warehouses, and the runs that explore them
// step by step. It also offers the sample data.
//
// The package reads requests, calls the packages below research/warehouse, and shows
// what they return. It knows no SQL and no connector, and decides nothing about
// a run: pausing, resuming and cancelling are orders to [runs.Commands].
//
// All routes are in routes.go, with the permission that each takes. Each subject has
// up to four files: warehouses.go handles its pages and forms, warehouse_view.go
// words what they show, warehouse.templ draws it, and warehouses_api.go is its part
// of the API. The files of projects and runs are named in the same way. Packs have
// an API only. Results of queries are drawn by result.templ with the charts of
// chart.go. A page of a run is drawn on the server; run.js follows the events of
// stream.go and fetches the changed parts again.
package data
