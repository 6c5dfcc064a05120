// Package bigquery connects to BigQuery by its REST API.
//
// A statement is tried before it runs, by a dry run, which costs nothing: it must be
// a SELECT, read from the datasets that were chosen only, and scan no more bytes
// than the limit says. Then it runs with that limit as its maximumBytesBilled, so
// that the service itself refuses what would cost more.
package bigquery
