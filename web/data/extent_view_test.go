package data

import (
	"bytes"
	"strings"
	"testing"

	"quaestor/research/warehouse/runs"
)

// Only a run that has searched all says that there is nothing to find.
func TestNothingIsSaidOfWhatWasNotSearched(t *testing.T) {
	t.Parallel()

	lost := runs.Unsearched{Table: "orders", Reason: "The file orders.csv cannot be read: line 17."}
	for _, c := range []struct {
		name   string
		run    runs.Run
		extent extentView
		fallen int
		want   string
	}{
		{"all was searched", runs.Run{Status: runs.Completed}, extentView{Searched: []string{"orders"}}, 0, "No effect was found that is larger than chance."},
		{"one table is missing", runs.Run{Status: runs.Completed}, extentView{Searched: []string{"customers"}, Left: []runs.Unsearched{lost}}, 0, "No effect was found that is larger than chance in what was searched: 1 table. Of the rest nothing is known."},
		{"every table is missing", runs.Run{Status: runs.Completed}, extentView{Left: []runs.Unsearched{lost}}, 0, "No table was searched for effects, so nothing is known of them."},
		{"no table is worth it", runs.Run{Status: runs.Completed}, extentView{}, 0, "No table was searched for effects: none has enough records, or something to compare them by."},
		{"checks failed", runs.Run{Status: runs.Completed}, extentView{Searched: []string{"orders"}, Unchecked: 2}, 2, "No finding could be confirmed."},
		{"all fell", runs.Run{Status: runs.Completed}, extentView{Searched: []string{"orders"}}, 2, "No finding stood up to its check."},
		{"cancelled", runs.Run{Status: runs.Cancelled}, extentView{}, 0, "The run ended before its findings were complete, so nothing is known of them."},
		{"failed", runs.Run{Status: runs.Failed}, extentView{}, 0, "The run ended before its findings were complete, so nothing is known of them."},
		{"under way", runs.Run{Status: runs.Running}, extentView{}, 0, "They come when the tables have been searched for effects and each was checked."},
	} {
		if got := (RunView{RunCard: RunCard{Run: c.run}, extentView: c.extent, Fallen: c.fallen}).nothing(); got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// A run that left something out does not look done, nor do the phases that did.
func TestPartialRunLooksPartial(t *testing.T) {
	t.Parallel()

	run := runs.Run{Status: runs.Completed, Outcome: runs.PartialOutcome}
	v := RunView{RunCard: RunCard{Run: run}, extentView: extentView{Left: []runs.Unsearched{{Table: "orders", Reason: "there was no time"}}, Unchecked: 1}}
	if v.look().Words != "Done in part" {
		t.Errorf("it looks %q", v.look().Words)
	}
	for _, p := range v.phases() {
		if partly := p.Name == "Looking for effects" || p.Name == "Checking"; (p.State == "partly") != partly {
			t.Errorf("%s is %s", p.Name, p.State)
		}
	}
	run.Outcome = runs.FullOutcome
	if (RunCard{Run: run}).look().Words != "Done" {
		t.Error("a full run does not look done")
	}
}

// Files of findings say what they are not about, whoever is given them.
func TestFilesOfFindingsTellGaps(t *testing.T) {
	t.Parallel()

	f := findings{Project: "Shop", RunType: runs.PartialOutcome, Nothing: "No table was searched for effects, so nothing is known of them.", Gaps: []string{"orders was not searched: there was no time."},
		Unsearched: []runs.Unsearched{{Table: "orders", Reason: "there was no time"}}}
	for name, write := range map[string]func(*bytes.Buffer, findings) error{"md": writeFindings, "csv": writeFindingTable, "ipynb": writeNotebook, "json": findingFormats["json"].write} {
		var b bytes.Buffer
		if err := write(&b, f); err != nil || !strings.Contains(b.String(), "orders was not searched: there was no time.") && !strings.Contains(b.String(), "orders was not searched: there was no time") {
			t.Errorf("%s, %v: %s", name, err, b.String())
		}
	}
}
