package main

import (
	"runtime/debug"
	"testing"
)

// It sets what the process has one of, so it runs beside nothing.
func TestCollectorIsSetUnlessTheEnvironmentDoes(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	for _, tt := range []struct {
		name, gogc, limit string
		ballast, percent  int
	}{
		{"nothing said", "", "", ballastBytes, roomPercent},
		{"GOGC says", "70", "", 0, 100},
		{"GOMEMLIMIT says", "", "1GiB", 0, 100},
	} {
		t.Setenv("GOGC", tt.gogc)
		t.Setenv("GOMEMLIMIT", tt.limit)
		ballast := setCollector()
		if percent := debug.SetGCPercent(100); len(ballast) != tt.ballast || percent != tt.percent {
			t.Errorf("%s: a ballast of %d and %d %%, want %d and %d %%", tt.name, len(ballast), percent, tt.ballast, tt.percent)
		}
	}
}
