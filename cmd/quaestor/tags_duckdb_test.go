//go:build duckdb

package main

// builtWith are the tags of the program that tests run: those of the tests.
const builtWith = "duckdb,minicore_disabled"
