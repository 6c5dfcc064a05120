package analyst_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"quaestor/internal/llm/llmtest"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/analyst"
	"quaestor/research/warehouse/insight"
)

// A model that words findings is told what steps returned and what earlier runs found, as far as its
// window goes: the results are left out first.
func TestWordTellsWhatFits(t *testing.T) {
	t.Parallel()

	results, err := json.Marshal([]string{strings.Repeat("rows of orders ", 400)})
	if err != nil {
		t.Fatal(err)
	}
	memory := "AVOID finding again: „Umsatz“ fell. " + strings.Repeat("It fell again. ", 300)
	task := insight.WordingTask{Area: warehouse.Area{ID: "trade", Name: "Trade"}, Language: "en", Results: string(results), Memory: memory,
		Insights: []insight.Insight{{ID: "trade-1", Headline: "Orders fell by {{change}}", Text: "They fell.", Figures: []insight.Figure{{ID: "change", Name: "change", Value: 40}}}}}
	for name, tt := range map[string]struct {
		window          int
		results, memory bool
	}{
		"all of it":        {0, true, true},
		"no results":       {analyst.MaxReply + 2_400, false, true},
		"the findings":     {analyst.MaxReply + 900, false, false},
		"not even the lot": {analyst.MaxReply + 50, false, false},
	} {
		m, srv := setup(t)
		m.Window = tt.window
		srv.Enqueue(llmtest.Reply{Text: `{"wordings": [{"id": "trade-1", "headline": "Orders are down by {{change}}", "text": "They fell."}]}`})
		got, err := m.Word(t.Context(), task)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if name == "not even the lot" {
			if len(srv.Requests()) > 0 || len(got.Wordings) > 0 || got.Results+got.Memory > 0 {
				t.Errorf("%s: the model is asked, and the answer is %+v", name, got)
			}
			continue
		}
		if got.Wordings["trade-1"].Headline != "Orders are down by {{change}}" || got.Spent.Calls != 1 {
			t.Errorf("%s: the answer is %+v", name, got)
		}
		if got.Prompt != srv.Requests()[0].LastUser() || !strings.Contains(got.Reply, "Orders are down") {
			t.Errorf("%s: the dialog is %q and %q", name, got.Prompt, got.Reply)
		}
		said, wantResults, wantMemory := srv.Requests()[0].LastUser(), 0, 0
		if tt.results {
			wantResults = utf8.RuneCount(results)
		}
		if tt.memory {
			wantMemory = utf8.RuneCountInString(memory)
		}
		if strings.Contains(said, "rows of orders") != tt.results || strings.Contains(said, "It fell again.") != tt.memory || got.Results != wantResults || got.Memory != wantMemory {
			t.Errorf("%s: the model is told %d and %d characters, want %d and %d: %.300s", name, got.Results, got.Memory, wantResults, wantMemory, said)
		}
	}
}
