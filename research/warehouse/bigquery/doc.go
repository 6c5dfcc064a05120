// Package bigquery connects to BigQuery by its REST API.
//
// Before a statement runs it is tried in a dry run, which costs nothing: it must be a SELECT, read
// only from the chosen datasets, and scan no more bytes than the limit. Then it runs with the limit
// as its maximumBytesBilled, so that the service itself refuses a statement that would cost more.
package bigquery
