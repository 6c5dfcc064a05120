package embedding

import (
	"os"
	"slices"
	"testing"
)

// An adapted encoder reads otherwise, and leaves the one whose weights it changes as it was.
func TestAdaptedLeavesItsBaseAsItWas(t *testing.T) {
	t.Parallel()

	raw, err := os.ReadFile("../listening/adapterweights.bin")
	if err != nil {
		t.Fatal(err)
	}
	base := NewLite(weights(t))
	texts := []string{"Who has the final say?"}
	before, err := base.Encode(soon(t), texts)
	if err != nil {
		t.Fatal(err)
	}
	adapted, err := base.Adapted(raw, "/other")
	if err != nil {
		t.Fatal(err)
	}
	other, err := adapted.Encode(soon(t), texts)
	if err != nil {
		t.Fatal(err)
	}
	after, err := base.Encode(soon(t), texts)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(before[0], after[0]) {
		t.Error("the vectors of the base have changed")
	}
	if c := similar(t, before[0], other[0]); c > 0.99 || adapted.Name() == base.Name() {
		t.Errorf("%s is as %s: the cosine is %.3f", adapted.Name(), base.Name(), c)
	}
}

func TestAdaptersThatCannotBeRead(t *testing.T) {
	t.Parallel()

	raw, err := os.ReadFile("../listening/adapterweights.bin")
	if err != nil {
		t.Fatal(err)
	}
	l := NewLite("")
	for want, raw := range map[string][]byte{
		"read adapter: 1288 bytes too few":                                    {},
		"read adapter: 1 bytes too few":                                       raw[:len(raw)-1],
		"read adapter: 1 bytes too many":                                      append(slices.Clone(raw), 0),
		"read adapter: a matrix of 257 × 1 stands in place of one of 256 × 1": append([]byte{1, 1}, raw[2:]...),
	} {
		if _, err := l.Adapted(raw, ""); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
