package ui

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quaestor/obligations"
)

func TestWhatWasPickedIsToldOnce(t *testing.T) {
	t.Parallel()

	raw, err := os.ReadFile("testdata/evidence.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name       string
		List, Want []obligations.Evidence
	}
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	for _, tt := range cases {
		if diff := cmp.Diff(tt.Want, DistinctEvidence(tt.List), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.Name, diff)
		}
	}
}
