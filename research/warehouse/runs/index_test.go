package runs_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"quaestor/internal/embedding"
	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/runs"
)

// encoder returns one over HTTP that knows words only.
func encoder(t *testing.T, model string) embedding.Encoder {
	t.Helper()
	srv := llmtest.New(t)
	client, err := llm.New(llm.Options{BaseURL: srv.URL(), Key: secret.New("k"), Model: model})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	e, err := embedding.NewRemote(client, 256)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// moody is an encoder that fails while it is away.
type moody struct {
	embedding.Encoder
	away  bool
	fails int // calls that still fail
}

func (m *moody) Encode(ctx context.Context, texts []string) ([][]float32, error) {
	if m.away || m.fails > 0 {
		m.fails--
		return nil, errors.New("the encoder is away")
	}
	return m.Encoder.Encode(ctx, texts)
}

func TestStepsAreIndexedAsTheyAreDone(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.o.Encoder = encoder(t, "one")
	w.analyst.says(`{"query":"SELECT churn","query_purpose":"churn of customers"}`, `{"query":"SELECT revenue","query_purpose":"revenue by month"}`, ask("SELECT churn"), ask("SELECT gone"))
	w.shop.answers["SELECT gone"] = func() (*warehouse.Result, error) {
		return nil, warehouse.NewQueryError(warehouse.UnknownColumn, "no gone", "gone", nil)
	}

	r := w.work(w.order(runs.Order{}).ID)

	if r.Counters.Indexed != 3 { // not the one that repeats another
		t.Errorf("%d steps are indexed", r.Counters.Indexed)
	}
	if got := r.Spent[runs.Embedding]; got.Calls != 3 || got.Unpriced != 3 {
		t.Errorf("indexing cost %+v", got)
	}
	vectors, err := w.o.Encoder.Encode(t.Context(), []string{"revenue by month"})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := runs.Scores(t.Context(), w.pool, w.tenant, r.ID, w.o.Encoder.Name(), vectors[0], "churn customers")
	if err != nil || len(scores) != 3 || scores[0].Step != 2 || scores[0].Near < 0.5 || scores[0].Near > 1.001 {
		t.Fatalf("Scores = %+v, %v", scores, err)
	}
	for _, s := range scores {
		if (s.Fits > 0) != (s.Step == 1) {
			t.Errorf("the words fit step %d by %f", s.Step, s.Fits)
		}
	}
	other, err := runs.Scores(t.Context(), w.pool, w.tenant, r.ID, "another encoder", vectors[0], "")
	for _, s := range other {
		if s.Near != 0 || s.Fits != 0 || err != nil {
			t.Errorf("vectors of different encoders are compared: %+v, %v", s, err)
		}
	}
}

// An encoder that is away keeps no step from being done; what is missing is made
// up for later.
func TestStepsWithoutVectorsGetThemLater(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	m := &moody{Encoder: encoder(t, "one"), away: true}
	w.o.Encoder = m
	w.analyst.says(ask("SELECT 1"), ask("SELECT 2"), ask("SELECT 3"), ask("SELECT 4"), ask("SELECT 5"))

	r := w.work(w.order(runs.Order{}).ID)

	if r.Status != runs.Completed || r.Counters.Indexed != 0 || r.Counters.Successful != 5 {
		t.Fatalf("the run is %+v", r)
	}
	runner := runs.NewRunner(w.o)
	if n, err := runner.EncodeMissing(t.Context(), w.tenant, r.ID); err == nil || n != 0 {
		t.Errorf("EncodeMissing = %d, %v while the encoder is away", n, err)
	}
	m.away = false
	for i, want := range []int{5, 0} {
		if n, err := runner.EncodeMissing(t.Context(), w.tenant, r.ID); err != nil || n != want || w.find(r.ID).Counters.Indexed != 5 {
			t.Errorf("call %d: EncodeMissing = %d, %v, want %d; %d are counted", i, n, err, want, w.find(r.ID).Counters.Indexed)
		}
	}
	w.o.Encoder = encoder(t, "two") // whose vectors are of another kind
	if n, err := runs.NewRunner(w.o).EncodeMissing(t.Context(), w.tenant, r.ID); err != nil || n != 5 {
		t.Errorf("EncodeMissing of another encoder = %d, %v", n, err)
	}
}

// A step whose vector could not be made when it was done is ranked by meaning all the same.
func TestStepsGetTheirVectorsBeforeTheyAreRanked(t *testing.T) {
	t.Parallel()

	w := newWorld(t)
	w.o.Encoder = &moody{Encoder: encoder(t, "one"), fails: 2}
	var replies []string
	for _, at := range []string{"revenue", "visits", "orders"} {
		replies = append(replies, `{"query":"SELECT `+at+`","query_purpose":"general `+at+` by month"}`)
	}
	w.analyst.says(replies...)

	r := w.work(w.order(runs.Order{}).ID)

	areas, err := runs.Areas(t.Context(), w.pool, w.tenant, r.ID)
	if err != nil || len(areas) == 0 {
		t.Fatalf("the areas are %v, %v", areas, err)
	}
	for _, a := range areas {
		for _, d := range a.Dropped {
			if d.Score == 0 {
				t.Errorf("of %s, step %d is dropped as if it were about nothing: %v", a.Name, d.Step, d)
			}
		}
		if len(a.Selected)+len(a.Dropped) != 3 {
			t.Errorf("%s is chosen from %v and %v", a.Name, a.Selected, a.Dropped)
		}
	}
}

// What a run keeps of a step does not depend on how many rows it gave, and a long
// run stays within memory.
func TestLongRunStaysWithinMemory(t *testing.T) { // alone, for what others allocate would count
	w := newWorld(t)
	w.analyst.always = func(s warehouse.Situation) (string, error) {
		w.analyst.mu.Lock()
		w.analyst.seen = nil
		w.analyst.mu.Unlock()
		return ask(fmt.Sprintf("SELECT %d", len(s.Steps))), nil
	}
	var most uint64
	big := sales(5_000)
	answer := func() (*warehouse.Result, error) { return big, nil }
	for i := range runs.MaxSteps {
		w.shop.answers[fmt.Sprintf("SELECT %d", i)] = answer
	}
	w.shop.before = func(_ context.Context, q warehouse.Query) {
		if q.Step%100 == 0 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
		}
	}
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)

	r := w.work(w.order(runs.Order{MaxSteps: runs.MaxSteps}).ID)

	if r.Counters.Steps != runs.MaxSteps || r.Stop != runs.StopMaxSteps {
		t.Fatalf("the run is %+v", r)
	}
	if grown := int64(most) - int64(before.HeapAlloc); grown > 50<<20 {
		t.Errorf("the heap grew by %d MB", grown>>20)
	} else {
		t.Logf("the heap grew by %d KB over %d steps", grown>>10, r.Counters.Steps)
	}
}
