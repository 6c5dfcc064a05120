package builtin

import (
	"bufio"
	"encoding/json"
	goflag "flag"
	"os"
	"strings"
	"testing"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
)

var (
	update = goflag.Bool("update", false, "write the golden story of the sample data anew")
	record = goflag.String("record", "", "the folder of the sample data: ask DuckDB and keep its answers (needs -tags duckdb, and -update)")
)

const (
	answersFile = "testdata/sample_answers.jsonl"
	storyFile   = "testdata/sample_story.md"
)

// sample is the catalog of the sample data, without any keys, as files have none.
func sample() []catalog.Table {
	columns := func(list string) []catalog.Column {
		var out []catalog.Column
		for _, c := range strings.Split(list, ", ") {
			name, typ, _ := strings.Cut(c, ": ")
			out = append(out, catalog.Column{Name: name, Type: typ})
		}
		return out
	}
	return []catalog.Table{
		{Schema: "main", Name: "flights", Rows: 3_000_000, Columns: columns("date: TIMESTAMP, delay: BIGINT, distance: BIGINT, origin: VARCHAR, destination: VARCHAR")},
		{Schema: "main", Name: "airports", Rows: 3376, Columns: columns("iata: VARCHAR, name: VARCHAR, city: VARCHAR, state: VARCHAR, country: VARCHAR, latitude: DOUBLE, longitude: DOUBLE")},
		{Schema: "main", Name: "birdstrikes", Rows: 10_000, Columns: columns("Airport Name: VARCHAR, Aircraft Make Model: VARCHAR, Effect Amount of damage: VARCHAR, Flight Date: DATE, Aircraft Airline Operator: VARCHAR, Origin State: VARCHAR, Phase of flight: VARCHAR, Wildlife Size: VARCHAR, Wildlife Species: VARCHAR, Time of day: VARCHAR, Cost Other: BIGINT, Cost Repair: BIGINT, Cost Total $: BIGINT, Speed IAS in knots: BIGINT")},
		{Schema: "main", Name: "seattle_weather", Rows: 1461, Columns: columns("date: DATE, precipitation: DOUBLE, temp_max: DOUBLE, temp_min: DOUBLE, wind: DOUBLE, weather: VARCHAR")},
	}
}

// answer is one that was recorded.
type answer struct {
	Query  string                `json:"query"`
	Digest *digest.CompactResult `json:"digest"`
}

// The steps over the sample data, as a person reads them. They are prose to be
// reviewed: would one show them to a customer?
func TestSampleStory(t *testing.T) {
	t.Parallel()

	ask, keep := recorded(t)
	w := newWorld(guard.DuckDB, sample(), 40, ask)
	summary := w.run(t)
	keep()
	if n := len(w.situation.Steps); n != 40 || !strings.Contains(summary, "What stands out: ") {
		t.Errorf("after %d steps: %s", n, summary)
	}
	for _, f := range w.failures() {
		t.Error(f)
	}
	checkSteps(t, w)
	checkFigures(t, w, summary)
	if *update {
		if err := os.WriteFile(storyFile, []byte(w.story()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(storyFile)
	if err != nil {
		t.Fatal(err)
	}
	if got := w.story(); got != string(want) {
		t.Errorf("the story is another; look at it with -update:\n%s", firstDifference(got, string(want)))
	}
}

// recorded returns the answers that were recorded, or DuckDB's, which keep writes.
func recorded(t *testing.T) (ask asker, keep func()) {
	t.Helper()
	if *record != "" {
		return recording(t)
	}
	f, err := os.Open(answersFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	known := map[string]*digest.CompactResult{}
	for lines := bufio.NewReader(f); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var a answer
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatal(err)
		}
		known[a.Query] = a.Digest
	}
	return func(t testing.TB, sql string) (*digest.CompactResult, error) {
		if known[sql] == nil {
			t.Fatalf("no answer is recorded for\n%s\nrecord them with -tags duckdb -record FOLDER -update", sql)
		}
		return known[sql], nil
	}, func() {}
}

// recording asks DuckDB.
func recording(t *testing.T) (asker, func()) {
	t.Helper()
	inner := duck(t, *record)
	var all strings.Builder
	return func(t testing.TB, sql string) (*digest.CompactResult, error) {
			d, err := inner(t, sql)
			if err != nil {
				return nil, err
			}
			line, err := json.Marshal(answer{sql, d})
			if err != nil {
				t.Fatal(err)
			}
			all.Write(append(line, '\n'))
			return d, nil
		}, func() {
			if err := os.WriteFile(answersFile, []byte(all.String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
}

// firstDifference returns where two texts part.
func firstDifference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range as {
		if i >= len(bs) || as[i] != bs[i] {
			return "line " + as[i]
		}
	}
	return "the end is missing"
}

// checkFigures checks that each figure that a summary says strikes stands in a
// digest.
func checkFigures(t *testing.T, w *world, summary string) {
	t.Helper()
	var all strings.Builder
	for _, s := range w.situation.Steps {
		if s.Type == warehouse.QueryStep {
			all.Write(s.Digest)
		}
	}
	_, facts, _ := strings.Cut(summary, "What stands out: ")
	for _, word := range strings.Fields(facts) {
		word = strings.ReplaceAll(strings.Trim(word, "();,.%"), ",", "")
		if word != "" && word[0] >= '0' && word[0] <= '9' && !strings.Contains(word, ":") && !strings.Contains(word, "-") && !strings.Contains(all.String(), word) {
			t.Errorf("%s stands in no digest: %s", word, facts)
		}
	}
}
