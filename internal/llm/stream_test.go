package llm_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
)

func TestStreamPassesPiecesOn(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name  string
		reply llmtest.Reply
		want  []string
	}{
		{"words", llmtest.Reply{Text: "How many people?"}, []string{"How ", "many ", "people?"}},
		{"escapes", llmtest.Reply{Pieces: []string{"a\n\"b\"", " <ü> ", "\u2028🙂"}}, []string{"a\n\"b\"", " <ü> ", "\u2028🙂"}},
		{"empty pieces", llmtest.Reply{Pieces: []string{"", "a", "", "b"}}, []string{"a", "b"}},
		{"slow drip", llmtest.Reply{Text: "one two", Fault: llmtest.SlowDrip}, []string{"one ", "two"}},
		{"bad utf8", llmtest.Reply{Text: "one two", Fault: llmtest.BadUTF8}, []string{"one \ufffd\ufffd", "two"}},
		{"changed model", llmtest.Reply{Text: "one two", Fault: llmtest.ChangedModel}, []string{"one ", "two"}},
		{"duplicate chunk", llmtest.Reply{Text: "one two", Fault: llmtest.DuplicateChunk}, []string{"one ", "two", "two"}},
		{"stall after finish", llmtest.Reply{Text: "one two", Fault: llmtest.StallAfterFinish}, []string{"one ", "two"}},
		{"reset after finish", llmtest.Reply{Text: "one two", Fault: llmtest.ResetAfterFinish}, []string{"one ", "two"}},
		{"think block", llmtest.Reply{Pieces: []string{"<th", "ink>hm", " </thi", "nk>\n\n", " He", "llo"}}, []string{"He", "llo"}},
		{"think in one piece", llmtest.Reply{Text: "Hello", Fault: llmtest.ThinkBlock}, []string{"Hello"}},
		{"almost a think block", llmtest.Reply{Pieces: []string{" <", "b>", "x"}}, []string{" <b>", "x"}},
		{"only the start of a mark", llmtest.Reply{Pieces: []string{"<thi"}}, []string{"<thi"}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			c, srv := setup(t, nil)
			srv.OnReply(tc.reply)
			onText, pieces := collect()

			reply, err := c.Stream(background(t), ask("hi"), onText)
			if err != nil {
				t.Fatalf("Stream: %v", err)
			}
			if diff := cmp.Diff(tc.want, *pieces); diff != "" {
				t.Errorf("pieces (-want +got):\n%s", diff)
			}
			if want := strings.Join(tc.want, ""); reply.Text != want {
				t.Errorf("Text = %q, want %q", reply.Text, want)
			}
			if reply.FinishReason != "stop" || reply.Attempts != 1 {
				t.Errorf("FinishReason = %q, Attempts = %d, want stop and 1", reply.FinishReason, reply.Attempts)
			}
			if reply.FirstToken <= 0 || reply.Total < reply.FirstToken {
				t.Errorf("FirstToken = %v, Total = %v", reply.FirstToken, reply.Total)
			}
		})
	}
}

func TestStreamCountsTokens(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name  string
		reply llmtest.Reply
		want  llm.Usage
	}{
		{"as the server says", llmtest.Reply{Text: "a b", Usage: &llmtest.Usage{PromptTokens: 7, CompletionTokens: 3, TotalTokens: 10}},
			llm.Usage{PromptTokens: 7, CompletionTokens: 3}},
		{"estimated", llmtest.Reply{Text: strings.Repeat("x", 31), NoUsage: true},
			llm.Usage{PromptTokens: 8, CompletionTokens: 10, Estimated: true}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			c, srv := setup(t, nil)
			srv.OnReply(tc.reply)
			onText, _ := collect()

			reply, err := c.Stream(background(t), ask("hi"), onText)
			if err != nil {
				t.Fatalf("Stream: %v", err)
			}
			if diff := cmp.Diff(tc.want, reply.Usage); diff != "" {
				t.Errorf("Usage (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStreamKeepsTextCutByItsLimit(t *testing.T) {
	t.Parallel()

	c, srv := setup(t, nil)
	srv.OnReply(llmtest.Reply{Text: "cut", FinishReason: "length"})
	onText, _ := collect()

	reply, err := c.Stream(background(t), ask("hi"), onText)
	if err != nil || reply.Text != "cut" || reply.FinishReason != "length" {
		t.Errorf("Stream = %q, %q, %v, want the text with length", reply.Text, reply.FinishReason, err)
	}
}

// Every row of the table of model faults: what the client says, how often it
// tried, and what of the text had gone out.
func TestStreamFaults(t *testing.T) {
	t.Parallel()

	const twoWords = "one two three four"
	cases := []struct {
		name     string
		reply    llmtest.Reply
		want     llm.Class
		reason   string
		attempts int
		text     string
	}{
		{"clean close before text", llmtest.Reply{Pieces: []string{}, Fault: llmtest.CleanCloseMidStream}, llm.NotJSON, "no events", 2, ""},
		{"clean close mid-stream", llmtest.Reply{Text: twoWords, Fault: llmtest.CleanCloseMidStream}, llm.Truncated, "no finish reason", 1, "one two "},
		{"early done", llmtest.Reply{Text: twoWords, Fault: llmtest.EarlyDone}, llm.Truncated, "no finish reason", 1, "one two "},
		{"early done without text", llmtest.Reply{Pieces: []string{}, Fault: llmtest.EarlyDone}, llm.Empty, "", 2, ""},
		{"html", llmtest.Reply{Fault: llmtest.HTML200}, llm.NotJSON, "content type", 2, ""},
		{"empty choices", llmtest.Reply{Fault: llmtest.EmptyChoices}, llm.Empty, "", 2, ""},
		{"no text", llmtest.Reply{}, llm.Empty, "no text", 2, ""},
		{"only thoughts", llmtest.Reply{Text: "<think>hm</think> "}, llm.Empty, "no text", 2, ""},
		{"tool call", llmtest.Reply{Fault: llmtest.ToolCall}, llm.Empty, "tool call", 2, ""},
		{"refusal", llmtest.Reply{Fault: llmtest.Refusal}, llm.Refused, "refusal", 1, ""},
		{"content filter", llmtest.Reply{Text: "x", FinishReason: "content_filter"}, llm.Refused, "content filter", 1, "x"},
		{"unknown finish reason", llmtest.Reply{Text: "x", FinishReason: "error"}, llm.Broken, "finish reason", 1, "x"},
		{"reset", llmtest.Reply{Text: twoWords, Fault: llmtest.ResetMidStream}, llm.Broken, "connection reset", 1, "one two "},
		{"reset before text", llmtest.Reply{Pieces: []string{}, Fault: llmtest.ResetMidStream}, llm.Broken, "connection reset", 3, ""},
		{"error event", llmtest.Reply{Text: twoWords, Fault: llmtest.ErrorEvent}, llm.Broken, "error event", 1, "one two "},
		{"error event first", llmtest.Reply{Pieces: []string{}, Fault: llmtest.ErrorEvent}, llm.Broken, "error event", 3, ""},
		{"bad chunk", llmtest.Reply{Text: twoWords, Fault: llmtest.BadChunk}, llm.Broken, "bad chunk", 1, "one two "},
		{"huge line", llmtest.Reply{Text: twoWords, Fault: llmtest.HugeLine}, llm.TooLarge, "", 1, "one two "},
		{"429", llmtest.Status(429, 0), llm.Limited, "", 3, ""},
		{"429, come back in an hour", llmtest.Status(429, time.Hour), llm.Limited, "", 1, ""},
		{"500", llmtest.Status(500, 0), llm.Upstream, "", 3, ""},
		{"502", llmtest.Status(502, 0), llm.Upstream, "", 3, ""},
		{"503, come back in an hour", llmtest.Status(503, time.Hour), llm.Upstream, "", 1, ""},
		{"400", llmtest.Status(400, 0), llm.Refused, "", 1, ""},
		{"401", llmtest.Status(401, 0), llm.Refused, "", 1, ""},
		{"403", llmtest.Status(403, 0), llm.Refused, "", 1, ""},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			c, srv := setup(t, nil)
			srv.OnReply(tc.reply)
			onText, pieces := collect()

			reply, err := c.Stream(background(t), ask("hi"), onText)
			e := failure(t, err, tc.want)
			if e.Reason != tc.reason || e.Status != wantStatus(tc.reply) {
				t.Errorf("error = %+v, want reason %q and status %d", e, tc.reason, wantStatus(tc.reply))
			}
			if reply.Text != tc.text || strings.Join(*pieces, "") != tc.text {
				t.Errorf("Text = %q, passed on %q, want %q", reply.Text, *pieces, tc.text)
			}
			if e.Attempts != tc.attempts || reply.Attempts != tc.attempts || len(srv.Requests()) != tc.attempts {
				t.Errorf("attempts: error %d, reply %d, server %d, want %d", e.Attempts, reply.Attempts, len(srv.Requests()), tc.attempts)
			}
		})
	}
}

// wantStatus is the HTTP status an error for r names.
func wantStatus(r llmtest.Reply) int {
	if r.Fault == llmtest.HTML200 {
		return 200
	}
	return r.Status
}

func TestStreamWaitsHaveEnds(t *testing.T) {
	t.Parallel()

	const short = 60 * time.Millisecond
	cases := []struct {
		name   string
		reply  llmtest.Reply
		limits func(*llm.Options)
		want   llm.Class
		reason string
	}{
		{"first token", llmtest.Reply{Fault: llmtest.StallBeforeFirst},
			func(o *llm.Options) { o.FirstToken = short }, llm.Timeout, llm.ReasonFirstToken},
		{"first token after headers", llmtest.Reply{Pieces: []string{"", ""}, Fault: llmtest.StallMid},
			func(o *llm.Options) { o.FirstToken = short }, llm.Timeout, llm.ReasonFirstToken},
		{"idle", llmtest.Reply{Text: "one two three", Fault: llmtest.StallMid},
			func(o *llm.Options) { o.Idle = short }, llm.Timeout, llm.ReasonIdle},
		{"total", llmtest.Reply{PieceDelay: 5 * time.Millisecond, Fault: llmtest.EndlessText},
			func(o *llm.Options) { o.Total = 2 * short }, llm.Timeout, llm.ReasonTotal},
		{"total in the rest between attempts", llmtest.Status(500, 0),
			func(o *llm.Options) { o.Total = short }, llm.Timeout, llm.ReasonTotal},
		{"bytes", llmtest.Reply{Fault: llmtest.EndlessText},
			func(o *llm.Options) { o.MaxBytes = 10_000 }, llm.TooLarge, ""},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			c, srv := setup(t, tc.limits)
			srv.OnReply(tc.reply)
			onText, _ := collect()
			began := time.Now()

			_, err := c.Stream(background(t), ask("hi"), onText)
			if e := failure(t, err, tc.want); e.Reason != tc.reason {
				t.Errorf("Reason = %q, want %q", e.Reason, tc.reason)
			}
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("took %v, want far less", took)
			}
		})
	}
}

func TestStreamEndsWithItsCaller(t *testing.T) {
	t.Parallel()

	t.Run("cancel", func(t *testing.T) {
		t.Parallel()

		c, srv := setup(t, nil)
		srv.OnReply(llmtest.Reply{Text: "one two three", Fault: llmtest.StallMid})
		ctx, cancel := context.WithCancel(background(t))
		defer cancel()

		_, err := c.Stream(ctx, ask("hi"), func(string) error { cancel(); return nil })
		failure(t, err, llm.Canceled)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("errors.Is(%v, context.Canceled) = false", err)
		}
	})
	t.Run("deadline", func(t *testing.T) {
		t.Parallel()

		c, srv := setup(t, nil)
		srv.OnReply(llmtest.Reply{Fault: llmtest.StallBeforeFirst})
		ctx, cancel := context.WithTimeout(background(t), 50*time.Millisecond)
		defer cancel()

		_, err := c.Stream(ctx, ask("hi"), func(string) error { return nil })
		if e := failure(t, err, llm.Timeout); e.Reason != llm.ReasonDeadline || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error = %v, want the caller's deadline", err)
		}
	})
	t.Run("callback", func(t *testing.T) {
		t.Parallel()

		c, srv := setup(t, nil)
		srv.OnReply(llmtest.Reply{Text: "one two three"})
		errFull := errors.New("disk full")
		var calls int

		reply, err := c.Stream(background(t), ask("hi"), func(string) error { calls++; return errFull })
		failure(t, err, llm.Canceled)
		if !errors.Is(err, errFull) || calls != 1 || reply.Text != "one " {
			t.Errorf("error = %v after %d calls with %q, want the callback's after one", err, calls, reply.Text)
		}
	})
}

func TestStreamRetriesBeforeTextOnly(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name  string
		first llmtest.Reply
		min   time.Duration
	}{
		{"429 with Retry-After", llmtest.Status(429, time.Second), time.Second},
		{"503", llmtest.Status(503, 0), 0},
		{"reset", llmtest.Reply{Pieces: []string{}, Fault: llmtest.ResetMidStream}, 0},
		{"html", llmtest.Reply{Fault: llmtest.HTML200}, 0},
		{"empty", llmtest.Reply{Fault: llmtest.EmptyChoices}, 0},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			c, srv := setup(t, nil)
			srv.Enqueue(tc.first)
			srv.OnReply(llmtest.Reply{Text: "fine"})
			onText, pieces := collect()

			reply, err := c.Stream(background(t), ask("hi"), onText)
			if err != nil {
				t.Fatalf("Stream: %v", err)
			}
			if reply.Attempts != 2 || reply.Text != "fine" || len(*pieces) != 1 {
				t.Errorf("got %q in %d attempts, passed on %q, want fine in 2", reply.Text, reply.Attempts, *pieces)
			}
			if reply.Total < tc.min {
				t.Errorf("Total = %v, want at least %v", reply.Total, tc.min)
			}
		})
	}
}

func TestStreamWithoutRetries(t *testing.T) {
	t.Parallel()

	c, srv := setup(t, func(o *llm.Options) { o.Retries = -1 })
	srv.OnReply(llmtest.Status(500, 0))

	_, err := c.Stream(background(t), ask("hi"), func(string) error { return nil })
	if e := failure(t, err, llm.Upstream); e.Attempts != 1 {
		t.Errorf("Attempts = %d, want 1", e.Attempts)
	}
}

func TestStreamUsesOneConnectionAgain(t *testing.T) {
	t.Parallel()

	c, srv := setup(t, nil)
	srv.OnReply(llmtest.Reply{Text: "one two"})
	ports := map[string]bool{}
	for range 5 {
		trace := traced(background(t), func(local string) { ports[local] = true })
		if _, err := c.Stream(trace, ask("hi"), func(string) error { return nil }); err != nil {
			t.Fatalf("Stream: %v", err)
		}
	}

	if len(ports) != 1 {
		t.Errorf("5 streams took %d connections, want 1", len(ports))
	}
}
