package ui_test

import (
	"strings"
	"testing"

	"quaestor/research/warehouse/sampledata"
	"quaestor/web/ui"
)

// The card of the sample data says why it is not there, and offers what helps to
// those who may do it.
func TestSampleDataIsOfferedOrExplained(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name    string
		sample  ui.SampleView
		manages bool
		says    string
		offers  string // the test ID of the button; empty for none
	}{
		{"there", ui.SampleView{State: sampledata.Ready}, false, "Three million flights", "sample"},
		{"missing", ui.SampleView{State: sampledata.Missing}, true, "isn’t on this server yet", "fetch-sample"},
		{"missing, for a reviewer", ui.SampleView{State: sampledata.Missing}, false, "An admin can fetch it here", ""},
		{"on its way", ui.SampleView{State: sampledata.Fetching}, true, "Fetching the sample data", ""},
		{"failed", ui.SampleView{State: sampledata.Failed, Reason: "npm is not installed"}, true, "couldn’t be fetched: npm is not installed.", "fetch-sample"},
		{"no engine", ui.SampleView{State: sampledata.Unsupported}, true, "built without DuckDB", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			p := render(t, ui.Data(ui.DataView{Sample: tt.sample, Manages: tt.manages}))

			card := p.test("sample-card")
			if said := text(card); !strings.Contains(said, tt.says) {
				t.Errorf("the card says %q, want %q in it", said, tt.says)
			}
			buttons := p.within(card).all(tag("button"))
			if offered := len(buttons) == 1 && attr(buttons[0], "data-testid") == tt.offers; tt.offers != "" && !offered || tt.offers == "" && len(buttons) != 0 {
				t.Errorf("%d buttons, want %q", len(buttons), tt.offers)
			}
			if live := has(card, "data-live"); live != (tt.sample.State == sampledata.Fetching) {
				t.Errorf("live: %t", live)
			}
		})
	}
}
