package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTable(t *testing.T) {
	t.Parallel()

	table := table{left: 2, head: []string{"server", "what", "ms"}}
	table.add("model", "p50 – p99", "1.50")
	table.add("floor-readtx", "→", "12.0")

	want := strings.Join([]string{
		"server        what         ms",
		"model         p50 – p99  1.50",
		"floor-readtx  →          12.0",
		"",
	}, "\n")
	if diff := cmp.Diff(want, table.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestVerdict(t *testing.T) {
	t.Parallel()

	more := against("5", "turns/s", "/s", 500, 1000, 0.4, 0.7)
	more.atLeast = true
	tests := []struct {
		name           string
		in             goal
		verdict, ratio string
	}{
		{"below the better limit", against("1", "", "ms", 1.4, 1, 2.5, 1.5), "excellent", "1.40 ×"},
		{"between the limits", against("1", "", "ms", 4, 2, 2.5, 1.5), "ok", "2.00 ×"},
		{"beyond both", against("1", "", "ms", 6, 2, 2.5, 1.5), "short", "3.00 ×"},
		{"more is better", more, "ok", "0.50 ×"},
		{"disturbed", goal{value: 2, must: 1, doubtful: true}, "short?", "–"},
		{"no floor", within("10", "", "ms", 3, 20, 2), "ok", "–"},
		{"only the better limit is set", within("8", "", "KB", 26, 0, 25), "short", "–"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got := tt.in.verdict(); got != tt.verdict {
				t.Errorf("verdict() of %+v = %q, want %q", tt.in, got, tt.verdict)
			}
			if got := tt.in.ratio(); got != tt.ratio {
				t.Errorf("ratio() of %+v = %q, want %q", tt.in, got, tt.ratio)
			}
		})
	}
}

func TestGoalsOfAFlow(t *testing.T) {
	t.Parallel()

	at := func(kind string, period time.Duration, overhead ...time.Duration) *flow {
		f := &flow{load: load{target: &server{kind: kind}, clients: 50, period: period, window: time.Second}, turns: len(overhead)}
		f.ttft.add(overhead...)
		f.overhead.add(overhead...)
		return f
	}
	r := results{flows: []*flow{
		at(proxyKind, time.Second, time.Millisecond), at(readKind, time.Second, 2*time.Millisecond), at(modelKind, time.Second, 5*time.Millisecond),
		at(readKind, 0, 1, 1, 1, 1), at(modelKind, 0, 1, 1),
	}}

	got := map[string]string{}
	for _, g := range r.goals() {
		got[g.what] = g.ratio() + " " + g.verdict()
	}

	want := map[string]string{
		"TTFT+ p50, 50 streams": "2.50 × ok", "TTFT+ p99, 50 streams": "2.50 × ok", "TTFT+ p99 for a voice, 50 streams": "– excellent",
		"turn+ p50, 50 streams": "2.50 × ok", "turn+ p99, 50 streams": "2.50 × ok", "turns/s flat out, 50 clients": "0.50 × ok",
	}
	for what, verdict := range want {
		if got[what] != verdict {
			t.Errorf("%s: %q, want %q", what, got[what], verdict)
		}
	}
}

func TestLags(t *testing.T) {
	t.Parallel()

	w := witness{here: map[int64]time.Duration{1: 10, 2: 20, 3: 30}, there: map[int64]time.Duration{1: 15, 3: 28, 4: 99}}

	list, missing := w.lags()

	if len(list) != 2 || list[0]+list[1] != 3 || missing != 1 {
		t.Errorf("lags() = %v, %d missing, want 5 and -2, 1 missing", list, missing)
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()

	tests := []struct {
		name, in string
		want     []int
	}{
		{"a list", "1, 50,500", []int{1, 50, 500}},
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
	f.Add("1,50,500")
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
