package inquiry

import (
	"encoding/json"
	"testing"

	"quaestor/research/warehouse/digest"
)

// What a measure is now may stand beside the figure that a sentence tells.
func TestMeasured(t *testing.T) {
	t.Parallel()

	r := Record{Figure: 64, Columns: []string{"value", "figure_now"}, Rows: []digest.Row{{json.RawMessage("64"), json.RawMessage("24.5")}}}
	if v, ok := r.Measured(); !ok || v != 64 {
		t.Errorf("the figure is %v, %t", v, ok)
	}
	r.Now = &Cell{Row: 1, Column: "figure_now"}
	if v, ok := r.Measured(); !ok || v != 24.5 {
		t.Errorf("beside it is %v, %t", v, ok)
	}
	for _, c := range []Cell{{Row: 1, Column: "other"}, {Row: 2, Column: "figure_now"}, {Column: "figure_now"}} {
		r.Now = &c
		if v, ok := r.Measured(); ok {
			t.Errorf("%+v has %v", c, v)
		}
	}
}
