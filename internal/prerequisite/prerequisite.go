// Package prerequisite is for tests that need a program or data which is neither
// part of the module nor of every machine.
//
// A missing prerequisite fails a test. Only make test, which names in its last line
// what it did not run, may leave parts out: it puts their names into
// QUAESTOR_TEST_WITHOUT, and the tests that need them are skipped.
package prerequisite

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// Part is something that tests may need.
type Part string

// The parts, by the names that internal/tools/test.sh gives them.
const (
	MariaDB    Part = "mariadb"
	ClickHouse Part = "clickhouse"
	Encoder    Part = "encoder" // the weights of the text encoder
	Sample     Part = "sample"  // the sample data
	Speech     Part = "speech"  // flite, which speaks, and pocketsphinx, which hears
)

// variable names what is left out: parts, with blanks between them.
const variable = "QUAESTOR_TEST_WITHOUT"

// remedies are how to get each part.
var remedies = map[Part]string{
	MariaDB:    "apt-get install -y --no-install-recommends mariadb-server (the service need not run)",
	ClickHouse: "apt-get install -y --no-install-recommends clickhouse-server (in Debian 12; the service need not run)",
	Encoder:    "make provision (it needs npm)",
	Sample:     "make provision (it needs npm)",
	Speech:     "apt-get install -y --no-install-recommends flite sox pocketsphinx pocketsphinx-en-us (in Debian 12)",
}

// LeftOut reports whether this run of the tests does without p.
func LeftOut(p Part) bool {
	return slices.Contains(strings.Fields(os.Getenv(variable)), string(p))
}

// Missing returns the error of a test that needs p and does not find it, with why
// and how to get it.
func Missing(p Part, why error) error {
	return fmt.Errorf("%s: %w; to get it: %s", p, why, remedies[p])
}

// Skipper is a test or a benchmark.
type Skipper interface {
	Helper()
	Skipf(format string, args ...any)
}

// Need skips t if this run of the tests does without p.
func Need(t Skipper, p Part) {
	t.Helper()
	if LeftOut(p) {
		t.Skipf("%s is left out: %s", p, variable)
	}
}

// Scale returns how many cases a test should try that finds more, and takes longer,
// the more it tries: short, or long when make test-long has set QUAESTOR_TEST_LONG.
// The short number must be enough to catch what the test is there for.
func Scale(short, long int) int {
	if os.Getenv("QUAESTOR_TEST_LONG") != "" {
		return long
	}
	return short
}
