package digest

import (
	"fmt"
	"testing"
	"time"
)

// table returns a result of 12 columns: four of whole numbers, three of others, two
// of words, a time, a yes or no, and one with nulls.
func table(rows int) []map[string]any {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	out := make([]map[string]any, rows)
	for r := range out {
		out[r] = map[string]any{
			"user_id": int64(r*7919) % 100_003, "level": int64(r % 60), "sessions": int64(r*31) % 17, "installs": int64(r * r % 1009),
			"revenue": float64(r%977) * 1.25, "minutes": float64(r%311) / 3, "score": float64(r%89) - 20,
			"country": fmt.Sprint("C", r%12), "name": fmt.Sprint("player ", r), "at": at.Add(time.Duration(r) * time.Minute), "paying": r%9 == 0, "note": nil,
		}
	}
	return out
}

var tableNames = []string{"user_id", "level", "sessions", "installs", "revenue", "minutes", "score", "country", "name", "at", "paying", "note"}

// native returns a table as its driver would read it.
func native(rows []map[string]any) []Column {
	out := make([]Column, len(tableNames))
	for i, name := range tableNames {
		c := &out[i]
		c.Name = name
		for _, row := range rows {
			switch v := row[name].(type) {
			case int64:
				c.Ints = append(c.Ints, v)
			case float64:
				c.Floats = append(c.Floats, v)
			case string:
				c.Strings, c.Text = append(c.Strings, v), true
			case time.Time:
				c.Micros = append(c.Micros, v.UnixMicro())
			case bool:
				c.Bools = append(c.Bools, v)
			default:
				c.Values = append(c.Values, v)
			}
		}
	}
	return out
}

func BenchmarkCompact(b *testing.B) {
	for _, n := range []int{20, 2_000, 100_000} {
		rows := table(n)
		b.Run(fmt.Sprintf("maps/%dx12", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				CompactMaps(tableNames, rows, Mask{})
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
		columns := native(rows)
		b.Run(fmt.Sprintf("native/%dx12", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Compact(columns, Mask{})
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

func BenchmarkPrompt(b *testing.B) {
	d := Compact(native(table(2_000)), Mask{})
	buf := d.AppendPrompt(nil)
	b.ReportAllocs()
	for b.Loop() {
		buf = d.AppendPrompt(buf[:0])
	}
	b.ReportMetric(float64(len(buf)), "bytes")
}
