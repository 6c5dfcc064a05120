package main

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const recorded = `retry: 250

id: 41
data: {"type":"session","sessionId":"8a","turn":3,"contextType":"bench","interviewer":"model bench"}

: keep-alive

data: {"type":"delta","turn":3,"offset":0,"content":"^rs ~2s "}

data: {"type":"delta","turn":3,"offset":8,"content":"~34 ~3c "}

id: 42
data: {"type":"message","turn":3,"messageId":"m","role":"assistant","content":"…","complete":true,"interviewer":"model bench"}

id: 43
data: {"type":"done","turn":3,"reason":"answered"}

`

func TestExchangeReadsAStream(t *testing.T) {
	t.Parallel()

	var ids []int64
	e := exchange{began: 50, seen: func(id int64, _ time.Duration) { ids = append(ids, id) }}
	at, ended := time.Duration(100), false
	for line := range strings.SplitSeq(recorded, "\n") {
		if at += 10; e.line([]byte(line), at) {
			ended = true
			break
		}
	}

	if !ended || e.session != "8a" || e.lastID != 43 || e.failed != "" || e.degraded {
		t.Errorf("ended %v, %+v", ended, e)
	}
	if diff := cmp.Diff([]int64{41, 42, 43}, ids); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
	// The stamps are 1000 (arrived), 100, 112 and 120 in base 36; the pieces came
	// with lines 8 and 10, the end with line 16.
	if diff := cmp.Diff([]time.Duration{180 - 100, 200 - 112, 200 - 120}, e.delays); diff != "" {
		t.Errorf("delays (-want +got):\n%s", diff)
	}
	e.arrived = 90
	for name, pair := range map[string][2]time.Duration{
		"own":        {e.own(), 120 - 90},
		"firstAdded": {e.firstAdded(), 180 - 50 - (100 - 90)},
		"overhead":   {e.overhead(), e.ended - 50 - (120 - 90)},
		"tail":       {e.tail(), e.ended - 120},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s = %d, want %d", name, pair[0], pair[1])
		}
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
		{"words with stray marks", `data: {"type":"delta","content":"about ~50 ^ ~ ~! people"}`, "", false, false},
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

func TestNextLine(t *testing.T) {
	t.Parallel()

	long := strings.Repeat("x", 3*lineBuffer+5)
	in := bufio.NewReaderSize(strings.NewReader("a\n\n"+long+"\nrest"), lineBuffer)

	var got []string
	var err error
	for err == nil {
		var line []byte
		if line, err = nextLine(in); err == nil {
			got = append(got, string(line))
		}
	}

	if diff := cmp.Diff([]string{"a", "", long}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !errors.Is(err, io.EOF) {
		t.Errorf("the end is %v, want one that wraps %v", err, io.EOF)
	}
}
