package embedding

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"quaestor/internal/fault"
	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
)

// client returns a client of the server at url, without retries.
func client(t *testing.T, url string) *llm.Client {
	t.Helper()
	c, err := llm.New(llm.Options{BaseURL: url, Model: "m", Retries: -1})
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	t.Cleanup(c.Close)
	return c
}

// remote returns an encoder on a scripted server.
func remote(t *testing.T, dimension int) (*Remote, *llmtest.Server) {
	t.Helper()
	srv := llmtest.New(t)
	r, err := NewRemote(client(t, srv.URL()), dimension)
	if err != nil {
		t.Fatalf("NewRemote: %v", err)
	}
	return r, srv
}

func TestRemoteEncodes(t *testing.T) {
	t.Parallel()

	r, srv := remote(t, 64)
	vectors, err := r.Encode(soon(t), []string{"number of employees", " \n", "employees, what number", "", "delivery date"})
	if err != nil {
		t.Fatalf("Encode: %v", err)
	}
	if len(vectors) != 5 || vectors[1] != nil || vectors[3] != nil || r.Name() != "m/64" || len(vectors[4]) != 64 {
		t.Fatalf("Encode = %v", vectors)
	}
	if near, far := similar(t, vectors[0], vectors[2]), similar(t, vectors[0], vectors[4]); near < far+0.3 {
		t.Errorf("near %.2f, far %.2f: vectors belong to other texts", near, far)
	}
	requests := srv.Requests()
	if len(requests) != 1 || len(requests[0].Input) != 3 || requests[0].Dimensions != 64 {
		t.Errorf("requests = %+v, want one with three texts and 64 dimensions", requests)
	}
}

func TestRemoteSendsManyTextsInBatches(t *testing.T) {
	t.Parallel()

	r, srv := remote(t, 0)
	var texts []string
	for i := range 150 {
		texts = append(texts, fmt.Sprintf("text%d", i))
	}
	got, err := r.Encode(soon(t), texts)
	if err != nil || len(got) != len(texts) || len(srv.Requests()) < 2 {
		t.Fatalf("Encode = %d vectors in %d requests, %v", len(got), len(srv.Requests()), err)
	}
	for i, v := range got {
		if len(v) != Stored || similar(t, v, llmtest.Embedding(texts[i], Stored)) < 0.999 {
			t.Fatalf("vector %d belongs to another text", i)
		}
	}
}

func TestRemoteAsksNothingForNothing(t *testing.T) {
	t.Parallel()

	r, srv := remote(t, 8)
	none, err := r.Encode(soon(t), nil)
	blank, blankErr := r.Encode(soon(t), []string{"", "\t"})
	if none != nil || err != nil || len(blank) != 2 || blank[0] != nil || blankErr != nil || len(srv.Requests()) != 0 {
		t.Errorf("Encode = %v, %v and %v, %v after %d requests", none, err, blank, blankErr, len(srv.Requests()))
	}
}

func TestRemoteSendsWhatServersTake(t *testing.T) {
	t.Parallel()

	r, srv := remote(t, 8)
	if _, err := r.Encode(soon(t), []string{strings.Repeat("ж", 50_000), "a\xffb"}); err != nil {
		t.Fatalf("Encode: %v", err)
	}
	sent := srv.Requests()[0].Input
	if n := utf8.RuneCountInString(sent[0]); n != maxRemoteRunes || !utf8.ValidString(sent[0]) || sent[1] != "a\uFFFDb" {
		t.Errorf("sent %d runes and %q", n, sent[1])
	}
}

func TestNewRemoteChecksTheDimension(t *testing.T) {
	t.Parallel()

	for _, dimension := range []int{-1, Stored + 1} {
		if _, err := NewRemote(client(t, "http://127.0.0.1:1/v1"), dimension); !fault.Is(err, fault.Invalid) {
			t.Errorf("NewRemote with %d numbers = %v, want it refused", dimension, err)
		}
	}
	r, err := NewRemote(client(t, "http://127.0.0.1:1/v1"), 0)
	if err != nil || r.Dimension() != Stored || r.Name() != "m/1536" {
		t.Errorf("NewRemote = %q of %d, %v", r.Name(), r.Dimension(), err)
	}
}

func TestRemoteChecksTheAnswer(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name, body string
		status     int
		class      llm.Class // empty means success
		kind       fault.Kind
	}{
		{"out of order", `{"data":[{"index":1,"embedding":[0,1]},{"index":0,"embedding":[1,0]}]}`, 200, "", ""},
		{"too short", `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[2]}]}`, 200, llm.BadJSON, fault.Unavailable},
		{"too long", `{"data":[{"index":0,"embedding":[1,2,3]},{"index":1,"embedding":[1,2,3]}]}`, 200, llm.BadJSON, fault.Unavailable},
		{"zeros", `{"data":[{"index":0,"embedding":[1,0]},{"index":1,"embedding":[0,0]}]}`, 200, llm.BadJSON, fault.Unavailable},
		{"NaN", `{"data":[{"index":0,"embedding":[1,NaN]},{"index":1,"embedding":[1,0]}]}`, 200, llm.NotJSON, fault.Unavailable},
		{"out of range", `{"data":[{"index":0,"embedding":[1,1e99]},{"index":1,"embedding":[1,0]}]}`, 200, llm.NotJSON, fault.Unavailable},
		{"one missing", `{"data":[{"index":0,"embedding":[1,0]}]}`, 200, llm.NotJSON, fault.Unavailable},
		{"no key", `{}`, 401, llm.Refused, fault.Unavailable},
		{"too often", `{}`, 429, llm.Limited, fault.Limited},
		{"down", `{}`, 503, llm.Upstream, fault.Unavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(tt.status)
				_, _ = w.Write([]byte(tt.body))
			}))
			t.Cleanup(srv.Close)
			r, err := NewRemote(client(t, srv.URL), 2)
			if err != nil {
				t.Fatalf("NewRemote: %v", err)
			}

			got, err := r.Encode(soon(t), []string{"a", "b"})

			if tt.class == "" {
				if err != nil || got[0][0] != 1 || got[1][1] != 1 {
					t.Fatalf("Encode = %v, %v, want the texts' order", got, err)
				}
				return
			}
			var e *llm.Error
			if !errors.As(err, &e) || e.Class != tt.class || !fault.Is(err, tt.kind) || got != nil {
				t.Errorf("Encode = %v, %v, want class %s and kind %s", got, err, tt.class, tt.kind)
			}
		})
	}
}

func TestRemoteStopsWhenTheContextEnds(t *testing.T) {
	t.Parallel()

	r, _ := remote(t, 8)
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := r.Encode(ended, []string{"x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Encode = %v, want %v", err, context.Canceled)
	}
}
