package data_test

import (
	"strings"
	"testing"

	"quaestor/research/warehouse/sampledata"
	"quaestor/web/data"
	"quaestor/web/webtest"
)

// The card of the sample data says why it is not there, and offers what helps to
// those who may do it.
func TestSampleDataIsOfferedOrExplained(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name    string
		sample  data.SampleView
		manages bool
		says    string
		offers  string // the test ID of the button; empty for none
	}{
		{"there", data.SampleView{State: sampledata.Ready}, false, "Three million flights", "sample"},
		{"missing", data.SampleView{State: sampledata.Missing}, true, "isn’t on this server yet", "fetch-sample"},
		{"missing, for a reviewer", data.SampleView{State: sampledata.Missing}, false, "An admin can fetch it here", ""},
		{"on its way", data.SampleView{State: sampledata.Fetching}, true, "Fetching the sample data", ""},
		{"failed", data.SampleView{State: sampledata.Failed, Reason: "npm is not installed"}, true, "couldn’t be fetched: npm is not installed.", "fetch-sample"},
		{"no engine", data.SampleView{State: sampledata.Unsupported}, true, "built without DuckDB", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			p := webtest.Render(t, data.Data(data.DataView{Sample: tt.sample, Manages: tt.manages}))

			card := p.Test("sample-card")
			if said := webtest.Text(card); !strings.Contains(said, tt.says) {
				t.Errorf("the card says %q, want %q in it", said, tt.says)
			}
			buttons := p.Within(card).All(webtest.Tag("button"))
			if offered := len(buttons) == 1 && webtest.Attr(buttons[0], "data-testid") == tt.offers; tt.offers != "" && !offered || tt.offers == "" && len(buttons) != 0 {
				t.Errorf("%d buttons, want %q", len(buttons), tt.offers)
			}
			if live := webtest.Has(card, "data-live"); live != (tt.sample.State == sampledata.Fetching) {
				t.Errorf("live: %t", live)
			}
		})
	}
}
