package reader

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
)

// A table of nothing but separators, quotes or lines takes no more memory than a few
// times its length, and says that there was more.
func TestTablesOfManyCellsAreBounded(t *testing.T) {
	for name, body := range map[string]string{
		"commas":            strings.Repeat(",", 9<<20),
		"cells":             strings.Repeat("a,", 4<<20),
		"rows of commas":    strings.Repeat(strings.Repeat(",", 9_000)+"\n", 1_000),
		"short rows":        strings.Repeat("a,b\n", 2<<20),
		"quotes":            "a,b\n" + strings.Repeat(`"`, 9<<20),
		"quotes and commas": "a,b\n" + strings.Repeat(`",`, 4<<20),
		"lines":             "a,b\n" + strings.Repeat("\n", 9<<20),
		"one long cell":     "a,b\n" + strings.Repeat("x", 9<<20),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		doc, err := Text("table.csv", "text/csv", []byte(body))
		runtime.ReadMemStats(&after)
		if grown := (after.TotalAlloc - before.TotalAlloc) >> 20; grown > 120 {
			t.Errorf("%s: %d MB were allocated to read %d MB", name, grown, len(body)>>20)
		}
		if err == nil && !doc.Truncated {
			t.Errorf("%s: %d bytes are all that is said of %d", name, len(doc.Text), len(body))
		}
	}
}

func TestCellsThatAreReadStay(t *testing.T) {
	t.Parallel()

	row := strings.Repeat("x,", 9_000) + "end\n"
	for name, tt := range map[string]struct {
		in, want string
		cut      bool
	}{
		"a small table":          {"a,b\n1,2\n", "a,b\n1,2\n", false},
		"a wide row":             {row, row, false},
		"a row that is too wide": {"a,b\n" + strings.Repeat("x,", 12_000) + "y\nc,d\n", "a,b\n" + strings.Repeat("x,", 10_000) + "x\nc,d\n", true},
	} {
		got, cut := fewCells(tt.in, ',')
		if cut != tt.cut || got != tt.want {
			t.Errorf("%s: cut %t, %d bytes %q, want %t, %d bytes", name, cut, len(got), got[max(0, len(got)-40):], tt.cut, len(tt.want))
		}
	}
}

func TestCellsOfATableHaveAnEnd(t *testing.T) {
	t.Parallel()

	whole := strings.Repeat(strings.Repeat("x,", 9_000)+"end\n", 120)
	got, cut := fewCells(whole, ',')
	if n := strings.Count(got, ","); !cut || n != allCells || !strings.HasPrefix(whole, got) {
		t.Errorf("cut %t, %d separators are left, want %d", cut, n, allCells)
	}
}

// All but plain text is read apart.
func TestWhatIsTakenApartIsReadInAChild(t *testing.T) {
	t.Parallel()

	r, err := New(Options{Child: []string{"/bin/false"}})
	if err != nil {
		t.Fatal(err)
	}
	docx := append([]byte("PK\x03\x04"), bytes.Repeat([]byte{0}, 40)...)
	for name, tt := range map[string]struct {
		body  string
		apart bool
	}{
		"page.html": {"<!doctype html><title>T</title><p>Words", true}, "table.csv": {"a,b\n1,2", true}, "file.pdf": {"%PDF-1.4 words", true}, "file.docx": {string(docx), true},
		"notes.txt": {"words", false}, "notes.md": {"# words", false},
	} {
		if _, err := r.Text(t.Context(), name, "", []byte(tt.body)); (err != nil) != tt.apart {
			t.Errorf("%s: %v, want it read apart: %t", name, err, tt.apart)
		}
	}
}
