package cluster

import (
	"regexp"
	"strconv"
	"strings"
)

// oldestVector is the oldest pgvector that is supported: the first with HNSW indexes.
const oldestVector = "0.5.0"

// parseVersion reads what "postgres --version" prints and returns the version
// ("15.18", "18beta1") and its major, or zero values when it reads nothing.
func parseVersion(out string) (version string, major int) {
	_, rest, ok := strings.Cut(out, "(PostgreSQL) ")
	if !ok {
		return "", 0
	}
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return "", 0
	}
	digits := fields[0]
	if i := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
		digits = digits[:i]
	}
	major, err := strconv.Atoi(digits)
	if err != nil {
		return "", 0
	}
	return fields[0], major
}

var controlVersion = regexp.MustCompile(`(?m)^\s*default_version\s*=\s*'([0-9]+(?:\.[0-9]+)*)'`)

// parseControl reads an extension's control file and returns its default
// version, or an empty string.
func parseControl(control string) string {
	m := controlVersion.FindStringSubmatch(control)
	if m == nil {
		return ""
	}
	return m[1]
}

// older reports whether the dotted version a comes before b.
func older(a, b string) bool {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range max(len(as), len(bs)) {
		x, y := numberAt(as, i), numberAt(bs, i)
		if x != y {
			return x < y
		}
	}
	return false
}

// numberAt returns the number at place i, zero when there is none.
func numberAt(parts []string, i int) int {
	if i >= len(parts) {
		return 0
	}
	n, _ := strconv.Atoi(parts[i])
	return n
}
