package embedding

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
)

// stream writes numbers as the shards hold them.
func stream(numbers ...float32) *bytes.Buffer {
	var buf bytes.Buffer
	for _, v := range numbers {
		_ = binary.Write(&buf, binary.LittleEndian, v)
	}
	return &buf
}

func TestFill(t *testing.T) {
	t.Parallel()

	list := []tensor{{"skipped", nil}, {"wanted", []int{1, 1, 2, 3}}}
	nan := float32(math.NaN())
	for _, tt := range []struct {
		name    string
		rows    int
		columns int
		slot    string
		data    *bytes.Buffer
		want    string // of the error; empty means none
	}{
		{"fits", 2, 3, "wanted", stream(9, 1, 2, 3, 4, 5, 6), ""},
		{"other shape", 3, 2, "wanted", stream(9, 1, 2, 3, 4, 5, 6), "has shape [1 1 2 3], want 3 by 2"},
		{"other size", 2, 4, "wanted", stream(9, 1, 2, 3, 4, 5, 6), "want 2 by 4"},
		{"absent", 2, 3, "else", stream(9, 1, 2, 3, 4, 5, 6), "0 of 1 tensors"},
		{"cut", 2, 3, "wanted", stream(9, 1, 2, 3), "read tensor wanted"},
		{"cut early", 2, 3, "wanted", stream(), "skip tensor skipped"},
		{"not finite", 2, 3, "wanted", stream(9, 1, nan, 3, 4, 5, 6), "not finite"},
	} {
		var got []float32
		err := fill(map[string]slot{tt.slot: {tt.rows, tt.columns, func(v []float32) { got = v }}}, list, tt.data)
		if tt.want == "" && (err != nil || !slices.Equal(got, []float32{1, 2, 3, 4, 5, 6})) {
			t.Errorf("%s: fill = %v, %v", tt.name, got, err)
		}
		if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: fill = %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestListedRefusesWhatIsNoList(t *testing.T) {
	t.Parallel()

	if _, err := listed([]byte(`{"weightsManifest":`)); err == nil {
		t.Error("half a document is taken")
	}
	list, err := listed([]byte(`{"weightsManifest":[{"weights":[{"name":"a","shape":[2,3]}]},{"weights":[{"name":"b","shape":[]}]}]}`))
	if err != nil || len(list) != 2 || list[0].size() != 6 || list[1].size() != 1 {
		t.Errorf("listed = %v, %v", list, err)
	}
}
