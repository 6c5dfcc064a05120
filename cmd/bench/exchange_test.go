package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const recorded = `retry: 250

id: 41
data: {"type":"session","sessionId":"8a","turn":3,"contextType":"bench","interviewer":"model bench"}

: keep-alive

data: {"type":"delta","turn":3,"offset":0,"content":"So "}

data: {"type":"delta","turn":3,"offset":3,"content":"far."}

id: 42
data: {"type":"message","turn":3,"messageId":"m","role":"assistant","content":"So far.","complete":true,"interviewer":"model bench"}

id: 43
data: {"type":"done","turn":3,"reason":"answered"}

`

func TestExchangeReadsAStream(t *testing.T) {
	t.Parallel()

	e := exchange{began: 50, calls: []call{{60, 150}, {140, 195}}}
	at, ended := time.Duration(100), false
	for line := range strings.SplitSeq(recorded, "\n") {
		if at += 10; e.line([]byte(line), at) {
			ended = true
			break
		}
	}

	if !ended || e.session != "8a" || e.failed != "" || e.degraded {
		t.Errorf("ended %v, %+v", ended, e)
	}
	// The first piece came with line 8, the end with line 16; the model was busy from 60 to 195.
	got := []time.Duration{e.firstWords(), e.whole(), e.addedToFirst(), e.added()}
	want := []time.Duration{180 - 50, 260 - 50, 60 - 50, 60 - 50 + 260 - 195}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("first words, whole, added to each (-want +got):\n%s", diff)
	}
}

func TestUnderway(t *testing.T) {
	t.Parallel()

	tests := []struct {
		name  string
		calls []call
		want  time.Duration
	}{
		{"none", nil, 0},
		{"one inside", []call{{20, 30}}, 10},
		{"apart", []call{{20, 30}, {40, 60}}, 30},
		{"side by side", []call{{20, 50}, {30, 60}}, 40},
		{"one within another", []call{{20, 60}, {30, 40}}, 40},
		{"beyond both ends", []call{{0, 200}}, 90},
		{"still answered", []call{{80, 0}}, 20},
		{"before and after", []call{{1, 5}, {150, 160}}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if got := underway(tt.calls, 10, 100); got != tt.want {
				t.Errorf("underway(%v, 10, 100) = %d, want %d", tt.calls, got, tt.want)
			}
		})
	}
}

func TestExchangeEnds(t *testing.T) {
	t.Parallel()

	tests := []struct {
		name, in, failed string
		end, degraded    bool
	}{
		{"done", `data: {"type":"done","turn":1}`, "", true, false},
		{"error", `data: {"type":"error","code":"turn_failed"}`, "event error: turn_failed", true, false},
		{"degraded message", `data: {"type":"message","content":"Hm.","degraded":"timeout"}`, "", false, true},
		{"empty", "", "", false, false},
		{"no event", `data: {"turn":1}`, "", false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			var e exchange
			if end := e.line([]byte(tt.in), 5); end != tt.end || e.failed != tt.failed || e.degraded != tt.degraded {
				t.Errorf("line(%q) = %v, failed %q, degraded %v", tt.in, end, e.failed, e.degraded)
			}
		})
	}
}

func FuzzExchangeLine(f *testing.F) {
	for line := range strings.SplitSeq(recorded, "\n") {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var e exchange
		if e.line(line, 7) && e.ended != 7 {
			t.Errorf("line(%q) ended at %d, want 7", line, e.ended)
		}
	})
}
