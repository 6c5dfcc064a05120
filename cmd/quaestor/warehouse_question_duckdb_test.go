//go:build duckdb

package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"quaestor/internal/prerequisite"
	dataquestion "quaestor/research/warehouse/question"
)

// TestQuestionsOfTheSampleData asks the sample data what newcomers ask first.
func TestQuestionsOfTheSampleData(t *testing.T) {
	prerequisite.Need(t, prerequisite.Sample)
	if _, err := os.Stat(sampleFolder()); err != nil {
		t.Fatal(prerequisite.Missing(prerequisite.Sample, err))
	}
	o := newRemoteServer(t, Settings{}, nil)
	w, err := o.explorer.sampleWarehouse(t.Context(), o.tenant, "someone")
	if err != nil {
		t.Fatal(err)
	}
	if err := o.explorer.store.Refresh(t.Context(), o.tenant, w.ID); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	// The figures were counted in the published files: the flights of 2001 with a delay above
	// zero, those from Atlanta, the bird strikes of 1999, the mean of Seattle's rain in 2013.
	for _, c := range []struct {
		tag, ask string
		figure   float64
		says     string
	}{
		{"en", "please look that up in our warehouse: how many flights were late in March?", 239466, "March 2001"},
		{"de", "Schaut mal in unserer Datenbank, wie viele Flüge wir im März hatten", 511502, "März 2001"},
		{"en", "how many flights from ATL were there", 124711, "origin is “ATL”"},
		{"en", "How many bird strikes did we have in 1999 in our warehouse?", 941, "birdstrikes"},
		{"de", "Wie hoch war der durchschnittliche Niederschlag in unserer Datenbank im Jahr 2013?", 2.27, "2013"},
	} {
		found, err := o.explorer.warehouses.Ask(t.Context(), o.tenant, dataquestion.Asked{Text: dataquestion.Text{Words: c.ask, Language: c.tag, Now: now}})
		if err != nil {
			t.Errorf("Ask(%q): %v", c.ask, err)
			continue
		}
		if found.Figure != c.figure || !strings.Contains(found.Sentence, c.says) {
			t.Errorf("Ask(%q) = %v: %s, want %v with %q", c.ask, found.Figure, found.Sentence, c.figure, c.says)
		}
		if again, err := o.explorer.warehouses.Again(t.Context(), o.tenant, found.Record()); err != nil || !again.Same {
			t.Errorf("%q asked again: %+v, %v", c.ask, again, err)
		}
	}
}
