package duckdb

import (
	"encoding/binary"
	"testing"
)

// heads returns columns of the kinds that bytes say.
func heads(kinds []byte) []columnHead {
	all := []columnKind{ints, floats, bools, micros, texts, decimals, objects, blobs}
	out := make([]columnHead, len(kinds))
	for i, k := range kinds {
		out[i].Kind = all[int(k)%len(all)]
	}
	return out
}

// A batch is read whole or refused, and every column has a value for each row.
func FuzzBatch(f *testing.F) {
	one := binary.LittleEndian.AppendUint32(nil, 1)
	f.Add([]byte{0}, append(one, 0, 1, 0, 0, 0, 0, 0, 0, 0))
	f.Add([]byte{4}, append(one, 1, 1, 0, 0, 0, 0))
	f.Add([]byte{5, 6, 7}, append(one, 0, 1, 0, 0, 0, '7', 0, 2, 0, 0, 0, '{', '}', 0, 0, 0, 0, 0))
	f.Add([]byte{}, []byte{255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, kinds, batch []byte) {
		r := newResult(heads(kinds))
		for range 2 {
			if r.add(batch) != nil {
				return
			}
		}
		for i := range r.columns {
			c := &r.columns[i]
			if c.Len() != r.rows || c.Null != nil && len(c.Null) != r.rows {
				t.Fatalf("column %d has %d values and %d nulls of %d rows", i, c.Len(), len(c.Null), r.rows)
			}
		}
	})
}

func TestTableName(t *testing.T) {
	t.Parallel()

	for file, want := range map[string]string{
		"sales.csv": "sales", "Sales Report (2024).csv": "sales_report_2024", "a.b.parquet": "a_b", "x.csv.gz": "x", "2024.csv": "t_2024", "😀.csv": "file", "Größe.json": "größe", "--.tsv": "file", "a__b.csv": "a_b",
	} {
		if got := tableName(file); got != want {
			t.Errorf("tableName(%q) = %q, want %q", file, got, want)
		}
	}
}
