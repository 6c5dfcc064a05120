package digest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// wide returns the digest of rows of so many columns.
func wide(columns, rows int) *CompactResult {
	all := make([]Column, columns)
	for i := range all {
		all[i].Name = fmt.Sprint("c", i)
		for r := range rows {
			all[i].Floats = append(all[i].Floats, float64(r*i)+0.125)
		}
	}
	return Compact(all, Mask{})
}

func TestWithin(t *testing.T) {
	t.Parallel()

	d := wide(10_000, 400)
	got, ok := d.Within(4_000)
	prompt := string(got.AppendPrompt(nil))
	if !ok || len(prompt) > 4_000 || len(prompt) < 3_500 || !json.Valid([]byte(prompt)) {
		t.Fatalf("%v, %d bytes: %s", ok, len(prompt), prompt)
	}
	if want := fmt.Sprintf(`"columns_left_out":%d`, 10_000-len(got.Columns)); !strings.Contains(prompt, want) {
		t.Errorf("it does not say %s: %s", want, prompt)
	}
	if same, ok := d.Within(1 << 30); !ok || same != d {
		t.Error("one that fits is changed")
	}
	if _, ok := d.Within(40); ok {
		t.Error("there is room for a column in 40 bytes")
	}
}

func TestWithinTakesRowsFirst(t *testing.T) {
	t.Parallel()

	d := wide(6, 400)
	got, ok := d.Within(d.PromptSize() - 1)
	if !ok || len(got.Columns) != 6 || got.Columns[0].P25 == nil || len(got.HeadRows) != 2 || len(got.TailRows) != 2 {
		t.Errorf("%v: %s", ok, got.AppendPrompt(nil))
	}
	got, ok = d.Within(got.PromptSize() - 1)
	if !ok || len(got.Columns) != 6 || got.Columns[0].P25 != nil || len(got.HeadRows) != 1 || got.TailRows != nil {
		t.Errorf("%v: %s", ok, got.AppendPrompt(nil))
	}
}

// Whatever a digest holds, what is within a limit is JSON and within it, and the
// digest itself stays as it was.
func TestWithinProperties(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		names, rows := anyResult(t)
		d := CompactMaps(names, rows, Mask{})
		before := string(d.AppendPrompt(nil))
		limit := rapid.IntRange(0, 2000).Draw(t, "limit")
		got, ok := d.Within(limit)
		if ok {
			if prompt := got.AppendPrompt(nil); len(prompt) > limit || !json.Valid(prompt) || len(prompt) != got.PromptSize() {
				t.Fatalf("%d bytes of %d: %s", len(prompt), limit, prompt)
			}
			if len(got.Columns)+got.ColumnsLeft != len(d.Columns) {
				t.Fatalf("%d columns and %d left of %d", len(got.Columns), got.ColumnsLeft, len(d.Columns))
			}
		}
		if after := string(d.AppendPrompt(nil)); after != before {
			t.Fatalf("it was\n%s\nand is\n%s", before, after)
		}
	})
}

func TestPromptWithin(t *testing.T) {
	t.Parallel()

	count := func(s string) int { return len(s) / 3 }
	d := wide(2_000, 100)
	if got, ok := d.PromptWithin(900, count); !ok || count(got) > 900 || count(got) < 700 || !json.Valid([]byte(got)) {
		t.Errorf("%v, %d of 900: %s", ok, count(got), got)
	}
	if got, ok := d.PromptWithin(1e6, count); !ok || got != string(d.AppendPrompt(nil)) {
		t.Error("one that fits is changed")
	}
	if got, ok := d.PromptWithin(5, count); ok {
		t.Errorf("there is room for %s", got)
	}
}
