package main

import (
	"testing"
	"time"
)

func TestParseProcess(t *testing.T) {
	t.Parallel()

	tests := []struct {
		name, in string
		want     process
		fails    bool
	}{
		{"a plain one", "812 (postgres) S 800 812 812 0 -1 4194560 1 2 3 4 50 25 7 3 20 0 1 0 99 18446744073709551615 1", process{800, 750 * time.Millisecond, 100 * time.Millisecond}, false},
		{"a name with blanks and brackets", "5 (a (b) c) S 1 5 5 0 -1 0 0 0 0 0 1 2 0 0 20 0 1 0 99", process{1, 30 * time.Millisecond, 0}, false},
		{"too short", "5 (x) S 1", process{}, true},
		{"empty", "", process{}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			got, err := parseProcess(tt.in)
			if got != tt.want || (err != nil) != tt.fails {
				t.Errorf("parseProcess(%q) = %+v, %v, want %+v", tt.in, got, err, tt.want)
			}
		})
	}
}

func TestBusyTime(t *testing.T) {
	t.Parallel()

	tests := []struct {
		name, in string
		want     time.Duration
		fails    bool
	}{
		{"waiting is not busy", "cpu  10 2 30 4000 500 1 2 0 0 0", 450 * time.Millisecond, false},
		{"another line", "intr 1 2 3 4 5 6 7 8", 0, true},
		{"empty", "", 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			got, err := busyTime(tt.in)
			if got != tt.want || (err != nil) != tt.fails {
				t.Errorf("busyTime(%q) = %s, %v, want %s", tt.in, got, err, tt.want)
			}
		})
	}
}

func FuzzParseProcess(f *testing.F) {
	f.Add("812 (postgres) S 800 812 812 0 -1 4194560 1 2 3 4 50 25 7 3 20 0 1 0 99")
	f.Add(")")
	f.Fuzz(func(t *testing.T, line string) {
		if p, err := parseProcess(line); err != nil && p != (process{}) {
			t.Errorf("parseProcess(%q) = %+v beside %v", line, p, err)
		}
	})
}
