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

func TestAServerRestsWhenLittleHappensAndThereIsGarbage(t *testing.T) {
	t.Parallel()

	before := heap{allocated: 500 << 20, held: 60 << 20, alive: 30 << 20}
	for _, tt := range []struct {
		name string
		now  heap
		want bool
	}{
		{"quiet, with garbage", heap{500 << 20, 61 << 20, 30 << 20, 0}, true},
		{"quiet, collected and not given back", heap{500 << 20, 30 << 20, 30 << 20, 20 << 20}, true},
		{"busy", heap{503 << 20, 63 << 20, 30 << 20, 0}, false},
		{"quiet and clean", heap{500 << 20, 31 << 20, 30 << 20, 1 << 20}, false},
		{"collected meanwhile", heap{500 << 20, 38 << 20, 40 << 20, 0}, false},
	} {
		if got := tt.now.resting(before); got != tt.want {
			t.Errorf("%s: resting = %t, want %t", tt.name, got, tt.want)
		}
	}
}

func TestABusyServerMayHoldMoreGarbage(t *testing.T) {
	t.Parallel()

	before := heap{allocated: 500 << 20}
	for _, tt := range []struct {
		name      string
		allocated uint64
		want      int
	}{
		{"streams flow", 516 << 20, roomPercent},
		{"flat out", 500<<20 + busyAllocs, busyPercent},
	} {
		if got := percent(heap{allocated: tt.allocated}.busy(before)); got != tt.want {
			t.Errorf("%s: %d %% of room, want %d", tt.name, got, tt.want)
		}
	}
}

func TestTheHeapIsReadByNamesThatExist(t *testing.T) {
	t.Parallel()

	if h := lookAtHeap(); h.allocated == 0 || h.held == 0 || h.allocated < h.alive {
		t.Errorf("lookAtHeap() = %+v, want figures of this process", h)
	}
}
