package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTable(t *testing.T) {
	t.Parallel()

	table := table{left: 2, head: []string{"server", "what", "ms"}}
	table.add("model", "p50 / p99", "1.50")
	table.add("rules", "→", "12.0")

	want := strings.Join([]string{
		"server  what         ms",
		"model   p50 / p99  1.50",
		"rules   →          12.0",
		"",
	}, "\n")
	if diff := cmp.Diff(want, table.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLoadCountsWhatEndedInTheWindow(t *testing.T) {
	t.Parallel()

	l := load{target: &server{kind: modelKind}, window: time.Second}
	for _, e := range []exchange{
		{began: 40, first: 60, ended: 90},                 // before the window
		{began: 90, first: 110, ended: 120},               // in time
		{began: 90, first: 190, ended: 195},               // late
		{began: 90, first: 110, ended: 130, opened: true}, // made its session
		{began: 150, first: 180, ended: 200},              // after the window
	} {
		l.note(&e, nil, 100, 200, 50)
	}
	l.note(&exchange{}, errors.New("refused"), 100, 200, 50)
	l.note(&exchange{began: 99, first: 100, ended: 101, degraded: true}, nil, 100, 200, 50)

	if l.turns != 4 || l.first.len() != 3 || l.prompt != 2 || l.perSecond() != 4 {
		t.Errorf("%d turns, %d timed, %d prompt, %v a second; want 4, 3, 2, 4", l.turns, l.first.len(), l.prompt, l.perSecond())
	}
	if got, want := l.bad()+": "+l.why, "1 failed, 1 degraded: refused"; got != want {
		t.Errorf("bad() and why = %q, want %q", got, want)
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()

	tests := []struct {
		name, in string
		want     []int
	}{
		{"a list", "1, 50", []int{1, 50}},
		{"empty", "", nil},
		{"a word", "1,many", nil},
		{"too small", "0", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			got, err := numbers(tt.in)
			if (err == nil) != (tt.want != nil) || !cmp.Equal(got[:len(tt.want)], tt.want) {
				t.Errorf("numbers(%q) = %v, %v, want %v", tt.in, got, err, tt.want)
			}
		})
	}
}

func FuzzNumbers(f *testing.F) {
	f.Add("1,50")
	f.Add(",")
	f.Fuzz(func(t *testing.T, list string) {
		got, err := numbers(list)
		for _, n := range got {
			if n < 1 {
				t.Errorf("numbers(%q) = %v, %v", list, got, err)
			}
		}
	})
}
