package llm

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestMayRetryByClass(t *testing.T) {
	t.Parallel()

	cases := []struct {
		in   Error
		want int
	}{
		{Error{Class: Broken}, 5}, {Error{Class: Truncated}, 5},
		{Error{Class: NotJSON}, 1}, {Error{Class: Empty}, 1},
		{Error{Class: Limited}, 0}, {Error{Class: Upstream}, 0}, // openai-go retried those
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
				c := &Client{endpoint: &endpoint{breaker: newBreaker()}}
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

	c := &Client{endpoint: &endpoint{breaker: newBreaker()}}
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

// failsOnce answers the first request with a status and later ones with a stream.
type failsOnce struct{ asked int }

func (f *failsOnce) RoundTrip(r *http.Request) (*http.Response, error) {
	status, body := http.StatusServiceUnavailable, "busy"
	if f.asked++; f.asked > 1 {
		status, body = http.StatusOK, `data: {"choices":[{"delta":{"content":"one"},"finish_reason":"stop"}]}`
	}
	return &http.Response{StatusCode: status, Request: r, ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"text/event-stream"}, "Retry-After": {"2"}}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// The wait for the first token is each attempt's own: the rest that a server asks for
// does not count.
func TestRestBetweenAttemptsIsNoWaitForTheFirstToken(t *testing.T) {
	t.Parallel()

	synctest.Test(t, func(t *testing.T) {
		server := &failsOnce{}
		c, err := New(Options{Model: "m", FirstToken: time.Second, HTTP: &http.Client{Transport: server}})
		if err != nil {
			t.Fatal(err)
		}
		reply, err := c.Stream(t.Context(), Request{Messages: []Message{{Role: "user", Content: "hi"}}}, func(string) error { return nil })
		if err != nil || reply.Text != "one" || reply.Attempts != 2 || reply.Total != 2*time.Second {
			t.Errorf("Stream = %q in %d attempts and %v, %v, want one in 2 and 2s", reply.Text, reply.Attempts, reply.Total, err)
		}
	})
}
