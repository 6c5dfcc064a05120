package llm_test

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"

	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
)

func cosine(a, b []float32) float64 {
	var dot, aa, bb float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return dot / math.Sqrt(aa*bb)
}

func TestEmbedPutsSharedWordsNear(t *testing.T) {
	t.Parallel()

	c, srv := setup(t, nil)
	texts := []string{"number of employees", "how many employees, what number", "delivery date"}

	vectors, usage, err := c.Embed(background(t), texts, 512)
	if err != nil {
		t.Fatalf("Embed: %v", err)
	}
	if len(vectors) != 3 || len(vectors[0]) != 512 || usage.PromptTokens == 0 || usage.Estimated {
		t.Fatalf("Embed gave %d vectors of %d, usage %+v", len(vectors), len(vectors[0]), usage)
	}
	near, far := cosine(vectors[0], vectors[1]), cosine(vectors[0], vectors[2])
	if near < far+0.3 {
		t.Errorf("cosine of sharing texts %.2f, of others %.2f, want a clear gap", near, far)
	}
	if got := srv.Requests()[0].Dimensions; got != 512 {
		t.Errorf("asked for %d dimensions, want 512", got)
	}
}

func TestEmbedCutsManyTextsIntoRequests(t *testing.T) {
	t.Parallel()

	c, srv := setup(t, nil)
	var texts []string
	for i := range 150 {
		texts = append(texts, fmt.Sprintf("text%d", i))
	}

	vectors, _, err := c.Embed(background(t), texts, 64)
	if err != nil || len(vectors) != len(texts) || len(srv.Requests()) != 3 {
		t.Fatalf("Embed = %d vectors in %d requests, %v, want 150 in 3", len(vectors), len(srv.Requests()), err)
	}
	for i, v := range vectors {
		if got := cosine(v, llmtest.Embedding(texts[i], 64)); got < 0.999 {
			t.Fatalf("vector %d belongs to another text (cosine %.2f)", i, got)
		}
	}
}

func TestEmbedOfNothingAsksNothing(t *testing.T) {
	t.Parallel()

	c, srv := setup(t, nil)
	vectors, _, err := c.Embed(background(t), nil, 8)
	if err != nil || vectors != nil || len(srv.Requests()) != 0 {
		t.Errorf("Embed(nil) = %v, %v after %d requests, want nothing", vectors, err, len(srv.Requests()))
	}
}

func TestEmbedFaults(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name  string
		reply llmtest.Reply
		want  llm.Class
	}{
		{"html", llmtest.Reply{Fault: llmtest.HTML200}, llm.NotJSON},
		{"no vectors", llmtest.Reply{Fault: llmtest.EmptyChoices}, llm.Empty},
		{"401", llmtest.Status(401, 0), llm.Refused},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			c, srv := setup(t, nil)
			srv.Enqueue(tc.reply, tc.reply)
			vectors, _, err := c.Embed(background(t), []string{"a", "b"}, 8)
			failure(t, err, tc.want)
			if vectors != nil {
				t.Errorf("vectors = %v, want none", vectors)
			}
		})
	}
}

func TestEmbedChecksTheAnswer(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name, body string
		dims       int
		want       llm.Class // empty means success
	}{
		{"out of order", `{"data":[{"index":1,"embedding":[0,1]},{"index":0,"embedding":[1,0]}]}`, 2, ""},
		{"model's own length", `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[2]}]}`, 0, ""},
		{"wrong length", `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[2]}]}`, 2, llm.BadJSON},
		{"one missing", `{"data":[{"index":0,"embedding":[1,0]}]}`, 2, llm.NotJSON},
		{"twice the same", `{"data":[{"index":0,"embedding":[1,0]},{"index":0,"embedding":[1,0]}]}`, 2, llm.NotJSON},
		{"index out of range", `{"data":[{"index":0,"embedding":[1,0]},{"index":7,"embedding":[1,0]}]}`, 2, llm.NotJSON},
		{"not numbers", `{"data":[{"index":0,"embedding":["a","b"]}]}`, 2, llm.NotJSON},
		{"cut", `{"data":[{"index":0,"embe`, 2, llm.Truncated},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()

			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = fmt.Fprint(w, tc.body)
			}))
			t.Cleanup(srv.Close)
			c, err := llm.New(llm.Options{BaseURL: srv.URL, Model: "m", Retries: -1})
			if err != nil {
				t.Fatalf("New: %v", err)
			}
			t.Cleanup(c.Close)

			vectors, usage, err := c.Embed(background(t), []string{"a", "b"}, tc.dims)
			if tc.want != "" {
				failure(t, err, tc.want)
				return
			}
			if err != nil || len(vectors) != 2 || !usage.Estimated {
				t.Fatalf("Embed = %v, %+v, %v, want two vectors and an estimate", vectors, usage, err)
			}
			if tc.dims == 2 && vectors[0][0] != 1 {
				t.Errorf("vectors = %v, want the texts' order", vectors)
			}
		})
	}
}
