package llm

import (
	"encoding/json"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// quoteJSON returns s as a JSON string.
func quoteJSON(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()

	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	cases := []struct {
		name, in string
		want     time.Duration
	}{
		{"none", "", 0},
		{"seconds", "7", 7 * time.Second},
		{"parts of a second", "0.5", 500 * time.Millisecond},
		{"negative", "-1", 0},
		{"absurd", "1e99", 0},
		{"date", "Fri, 02 Jan 2026 03:04:35 GMT", 30 * time.Second},
		{"past date", "Fri, 02 Jan 2026 03:04:00 GMT", 0},
		{"words", "soon", 0},
	}
	for _, tc := range cases {
		if got := retryAfter(http.Header{"Retry-After": {tc.in}}, now); got != tc.want {
			t.Errorf("%s: retryAfter(%q) = %v, want %v", tc.name, tc.in, got, tc.want)
		}
	}
}

func TestRestGrowsWithinBounds(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name     string
		in       Error
		n        int
		min, max time.Duration
	}{
		{"first", Error{}, 1, 100 * time.Millisecond, 300 * time.Millisecond},
		{"second", Error{}, 2, 200 * time.Millisecond, 600 * time.Millisecond},
		{"far", Error{}, 60, time.Second, 3 * time.Second},
		{"as asked", Error{RetryAfter: time.Second}, 1, time.Second, 1050 * time.Millisecond},
	}
	for _, tc := range cases {
		for range 200 {
			if got := tc.in.rest(tc.n); got < tc.min || got > tc.max {
				t.Fatalf("%s: rest(%d) = %v, want %v to %v", tc.name, tc.n, got, tc.min, tc.max)
			}
		}
	}
}

func TestMayRetryByClass(t *testing.T) {
	t.Parallel()

	cases := []struct {
		in   Error
		want int
	}{
		{Error{Class: Limited}, 5}, {Error{Class: Limited, RetryAfter: 2 * time.Second}, 5}, {Error{Class: Limited, RetryAfter: 3 * time.Second}, 0},
		{Error{Class: Upstream}, 5}, {Error{Class: Upstream, RetryAfter: time.Hour}, 0}, {Error{Class: Broken}, 5}, {Error{Class: Truncated}, 5},
		{Error{Class: NotJSON}, 1}, {Error{Class: Empty}, 1},
		{Error{Class: Timeout}, 0}, {Error{Class: Refused}, 0}, {Error{Class: TooLarge}, 0}, {Error{Class: BadJSON}, 0}, {Error{Class: Canceled}, 0},
	}
	for _, tc := range cases {
		if got := tc.in.mayRetry(5); got != tc.want {
			t.Errorf("mayRetry(%+v) = %d, want %d", tc.in, got, tc.want)
		}
		if got := tc.in.mayRetry(0); got != 0 {
			t.Errorf("mayRetry(%+v) with none allowed = %d", tc.in, got)
		}
	}
}

// The breaker opens after five failed calls in a row, rests, and one call then
// decides.
func TestBreakerRestsAndTries(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name  string
		trial *Error
		open  bool
	}{
		{"the trial succeeds", nil, false},
		{"the trial is refused", &Error{Class: Refused}, false},
		{"the trial fails", &Error{Class: Timeout, Reason: ReasonIdle}, true},
		{"the trial is given up", &Error{Class: Canceled}, true},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			synctest.Test(t, func(t *testing.T) {
				c := &Client{breaker: newBreaker()}
				for i := range breakerFailures {
					if !c.breaker.TryAcquirePermit() {
						t.Fatalf("open after %d failures", i)
					}
					c.judge(&Error{Class: Broken})
				}
				if c.breaker.TryAcquirePermit() {
					t.Fatal("still closed after the fifth failure")
				}
				<-time.After(breakerRest + time.Millisecond)
				if !c.breaker.TryAcquirePermit() {
					t.Fatal("no trial after the rest")
				}
				if c.breaker.TryAcquirePermit() {
					t.Fatal("a second trial while the first is under way")
				}
				c.judge(tc.trial)
				if open := !c.breaker.TryAcquirePermit(); open != tc.open {
					t.Errorf("open after the trial = %t, want %t", open, tc.open)
				}
			})
		})
	}
}

func TestBreakerForgetsFailuresAfterASuccess(t *testing.T) {
	t.Parallel()

	c := &Client{breaker: newBreaker()}
	for range 4 * breakerFailures {
		c.judge(&Error{Class: Upstream})
		c.judge(&Error{Class: Upstream})
		c.judge(&Error{Class: Canceled})
		c.judge(nil)
	}
	if !c.breaker.TryAcquirePermit() {
		t.Error("open although failures never came five in a row")
	}
}
