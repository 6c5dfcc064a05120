package digest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// one returns the digest of a column of the given values.
func one(name string, values ...any) *CompactResult {
	return Compact([]Column{{Name: name, Values: values}}, Mask{})
}

// repeated returns n values, f of each index.
func repeated(n int, f func(i int) any) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

func TestKinds(t *testing.T) {
	t.Parallel()

	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	var none *int64
	for _, tt := range []struct {
		name   string
		values []any
		want   ColumnKind
		nulls  int
	}{
		{"whole numbers", []any{1, int64(2), uint8(3)}, Number, 0},
		{"numbers of all widths", []any{float32(1.5), 2.5, json.Number("3"), big.NewInt(4), big.NewRat(1, 2)}, Number, 0},
		{"decimals as text", []any{"12.50", "-0.10", nil}, Number, 1},
		{"decimals as bytes", []any{[]byte("12.50"), []byte("3")}, Number, 0},
		{"numbers and decimals as text", []any{1, "2.5"}, Number, 0},
		{"postal codes", []any{"01067", "80331"}, String, 0},
		{"telephone numbers", []any{"+4930123456", "+4930123457"}, String, 0},
		{"words", []any{"a", "b"}, String, 0},
		{"bytes that are words", []any{[]byte("a"), "b"}, String, 0},
		{"bytes", []any{[]byte{0, 1, 2}}, Binary, 0},
		{"days as text", []any{"2026-03-01", "2026-03-02"}, Timestamp, 0},
		{"times as text", []any{"2026-03-01 10:00:00", "2026-03-01T10:00:00Z", "2026-03-01 10:00:00.25+02"}, Timestamp, 0},
		{"a month without a day", []any{"2026-03", "2026-04"}, String, 0},
		{"times", []any{day, nil, day.Add(time.Hour)}, Timestamp, 1},
		{"yes and no", []any{true, false, nil}, Boolean, 1},
		{"nothing", []any{nil, nil}, Null, 2},
		{"typed nothing", []any{none, none}, Null, 2},
		{"no numbers", []any{math.NaN(), math.Inf(1)}, Null, 2},
		{"numbers and words", []any{1, "one"}, Mixed, 0},
		{"numbers and times", []any{1, day}, Mixed, 0},
		{"lists", []any{[]any{1, 2}, map[string]any{"a": 1}}, JSON, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := one("v", tt.values...).Columns[0]
			if got.Kind != tt.want || got.NullCount != tt.nulls {
				t.Errorf("%s with %d nulls, want %s with %d", got.Kind, got.NullCount, tt.want, tt.nulls)
			}
		})
	}
}

func TestStatistics(t *testing.T) {
	t.Parallel()

	got := one("v", 4, 1, nil, math.NaN(), 3, 2, 0, -10, math.Inf(-1)).Columns[0]
	f := func(v float64) *float64 { return &v }
	want := ColumnSummary{Name: "v", Kind: Number, NullCount: 3, Distinct: 6,
		Min: f(-10), P25: f(0.25), Median: f(1.5), P75: f(2.75), Max: f(4), Mean: f(0), StdDev: f(math.Sqrt(26)), Sum: f(0), Zeros: 1, Negatives: 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTop(t *testing.T) {
	t.Parallel()

	got := one("v", "b", "a", "c", "b", "a", "d", "d", "d").Columns[0].Top
	if diff := cmp.Diff([]ValueCount{{"d", 3}, {"a", 2}, {"b", 2}}, got); diff != "" {
		t.Error(diff)
	}
	many := one("v", repeated(TopValueCardinality+1, func(i int) any { return fmt.Sprint("v", i) })...).Columns[0]
	if many.Top != nil || many.Distinct != TopValueCardinality+1 {
		t.Errorf("%d values are named: %v", many.Distinct, many.Top)
	}
}

func TestDistinctHasALimit(t *testing.T) {
	t.Parallel()

	for _, n := range []int{DistinctLimit, DistinctLimit + 1} {
		got := one("v", repeated(n, func(i int) any { return i << 40 })...).Columns[0]
		if got.Distinct != DistinctLimit || got.DistinctMore != (n > DistinctLimit) {
			t.Errorf("%d values count as %d, more %v", n, got.Distinct, got.DistinctMore)
		}
	}
}

// Numbers that a float64 does not tell apart are still told apart.
func TestLongNumbersStayExact(t *testing.T) {
	t.Parallel()

	const id = int64(1_234_567_890_123_456_789)
	got := one("sku", id, id+1, id+2)
	if got.Columns[0].Distinct != 3 {
		t.Errorf("%d values", got.Columns[0].Distinct)
	}
	if prompt := string(got.AppendPrompt(nil)); !strings.Contains(prompt, "1234567890123456791") {
		t.Error(prompt)
	}
	exact := one("price", "0.10000000000000000001", "0.10000000000000000002", "0.100000000000000000020")
	if exact.Columns[0].Distinct != 2 || !strings.Contains(string(exact.AppendPrompt(nil)), "0.10000000000000000001") {
		t.Errorf("%d values: %s", exact.Columns[0].Distinct, exact.AppendPrompt(nil))
	}
}

func TestColumnsStayInOrder(t *testing.T) {
	t.Parallel()

	d := Compact(FromRows([]string{"z", "a", "a", "a_2"}, [][]any{{1, 2, 3, 4}}), Mask{})
	if got := string(d.appendObjects(nil)); got != `[{"z":1,"a":2,"a_2":3,"a_2_2":4}]` {
		t.Error(got)
	}
}

func TestRowsKept(t *testing.T) {
	t.Parallel()

	wide := func(n int) *CompactResult {
		return one("words", repeated(n, func(i int) any { return strings.Repeat(string(rune('a'+i%3)), 200) })...)
	}
	for n, want := range map[int][3]int{0: {0, 0, 0}, 1: {0, 0, 1}, 20: {0, 0, 20}, 21: {5, 5, 0}, 5000: {5, 5, 0}} {
		d := wide(n)
		if got := [3]int{len(d.HeadRows), len(d.TailRows), len(d.AllRows)}; got != want {
			t.Errorf("of %d rows head, tail and all have %v, want %v", n, got, want)
		}
	}
	if d := one("n", repeated(25, func(i int) any { return i % 7 })...); len(d.AllRows) != 25 {
		t.Errorf("25 short rows are not kept: %s", d.AppendPrompt(nil))
	}
}

func TestWhoIsWhoIsHidden(t *testing.T) {
	t.Parallel()

	words := func(f func(i int) any) string {
		d := one("name", repeated(400, f)...)
		return string(d.AppendPrompt(nil))
	}
	if got := words(func(i int) any { return fmt.Sprintf("Somebody %03d", i) }); strings.Contains(got, "Somebody") {
		t.Errorf("names are shown: %s", got)
	}
	if got := words(func(i int) any { return fmt.Sprintf("kind%d@example.org", i%3) }); strings.Contains(got, "@") {
		t.Errorf("addresses are shown: %s", got)
	}
	one := Compact([]Column{{Name: "customer_id", Ints: make([]int64, 100)}, {Name: "level", Ints: make([]int64, 100)}}, Mask{})
	if strings.Contains(string(one.AppendPrompt(nil)), "~") {
		t.Error("few numbers are hidden")
	}
	ids := make([]int64, 2000)
	for i := range ids {
		ids[i] = int64(70_000_000 + i%50)
	}
	d := Compact([]Column{{Name: "customer_id", Ints: ids}, {Name: "also", Ints: ids}}, Mask{Key: []byte("k")})
	if row := d.HeadRows[0]; row[0][0] != '"' || row[1][0] == '"' {
		t.Errorf("the first row is %s", row)
	}
	if !bytes.Equal(d.HeadRows[0][0], Compact([]Column{{Name: "user_id", Ints: ids}}, Mask{Key: []byte("k")}).HeadRows[0][0]) {
		t.Error("one person has two names in a run")
	}
}

func TestPatterns(t *testing.T) {
	t.Parallel()

	for v, hidden := range map[string]bool{
		"write to ada@example.org":  true,
		"+49 30 1234567":            true,
		"(030) 123-4567":            true,
		"0049301234567":             true,
		"4111 1111 1111 1111":       true,
		"4111111111111112":          false, // not a card
		"2026-03-01 10:00:00":       false,
		"01/02/2026 10:11":          false,
		"order 12345678":            false,
		"level 7 of 30":             false,
		"a@b":                       false,
		"1,234,567 of 2,345,678.90": false,
	} {
		if got := (Mask{}).patterns(v); (got != v) != hidden {
			t.Errorf("%q is shown as %q", v, got)
		}
	}
}

// anyValue draws what drivers give.
func anyValue(t *rapid.T, kind int) any {
	switch kind {
	case 0:
		return rapid.Int64().Draw(t, "int")
	case 1:
		return rapid.Float64().Draw(t, "float")
	case 2:
		return rapid.String().Draw(t, "string")
	case 3:
		return rapid.Bool().Draw(t, "bool")
	case 4:
		return time.UnixMicro(rapid.Int64Range(-1e15, 4e15).Draw(t, "time")).UTC()
	case 5:
		return rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "bytes")
	case 6:
		return rapid.StringMatching(`-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,20})?`).Draw(t, "decimal")
	case 7:
		return map[string]any{rapid.String().Draw(t, "key"): rapid.Int().Draw(t, "value")}
	case 8:
		return math.Inf(1)
	default:
		return nil
	}
}

// anyResult draws a result of one kind a column, or of many.
func anyResult(t *rapid.T) ([]string, []map[string]any) {
	names := rapid.SliceOfNDistinct(rapid.String(), 0, 5, rapid.ID[string]).Draw(t, "names")
	rows := make([]map[string]any, rapid.IntRange(0, 60).Draw(t, "rows"))
	kinds := rapid.SliceOfN(rapid.IntRange(0, 12), len(names), len(names)).Draw(t, "kinds")
	few := rapid.Bool().Draw(t, "few")
	pool := make([][]any, len(names))
	for r := range rows {
		rows[r] = map[string]any{}
		for i, name := range names {
			if few && len(pool[i]) > 2 {
				rows[r][name] = pool[i][rapid.IntRange(0, len(pool[i])-1).Draw(t, "again")]
				continue
			}
			kind := kinds[i]
			if kind == 12 || kind < 9 && rapid.IntRange(0, 9).Draw(t, "null") == 0 {
				kind = rapid.IntRange(0, 9).Draw(t, "kind")
			}
			rows[r][name] = anyValue(t, kind)
			pool[i] = append(pool[i], rows[r][name])
		}
	}
	return names, rows
}

// rawSize returns how many bytes rows take as JSON, what JSON cannot say as null.
func rawSize(rows []map[string]any) int {
	plain := make([]map[string]any, len(rows))
	for r, row := range rows {
		plain[r] = map[string]any{}
		for name, v := range row {
			if f, ok := v.(float64); ok && f-f != 0 {
				v = nil
			} else if o, ok := v.(map[string]any); ok {
				v = json.RawMessage(appendWhole(nil, o))
			}
			plain[r][name] = v
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(plain); err != nil {
		panic(err)
	}
	return b.Len() - 1
}

// Whatever a result holds, its digest is JSON, the same each time, and never
// larger than the rows.
func TestDigestProperties(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		names, rows := anyResult(t)
		d := Compact(FromMaps(names, rows), Mask{})
		prompt := d.AppendPrompt(nil)
		if !json.Valid(prompt) {
			t.Fatalf("not JSON: %s", prompt)
		}
		if d.PromptSize() != len(prompt) {
			t.Fatalf("its size is said to be %d: %d", d.PromptSize(), len(prompt))
		}
		if raw := rawSize(rows); len(prompt) > raw {
			t.Fatalf("%d bytes for rows of %d: %s", len(prompt), raw, prompt)
		}
		if again := Compact(FromMaps(names, rows), Mask{}).AppendPrompt(nil); !bytes.Equal(prompt, again) {
			t.Fatalf("not the same twice:\n%s\n%s", prompt, again)
		}
		var back CompactResult
		stored, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(stored, &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(decoded(t, prompt), decoded(t, back.AppendPrompt(nil))); diff != "" {
			t.Fatalf("stored and read again it is another (-was +is):\n%s", diff)
		}
	})
}

// decoded returns what JSON says, however it is escaped.
func decoded(t *rapid.T, b []byte) any {
	var v any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestQuartilesProperties(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-1e6, 1e6), rapid.Map(rapid.IntRange(0, 5), func(i int) float64 { return float64(i) })), 1, 200).Draw(t, "v")
		sorted := slices.Sorted(slices.Values(v))
		p25, p50, p75 := quartiles(v)
		for _, q := range [][2]float64{{0.25, p25}, {0.5, p50}, {0.75, p75}} {
			h := q[0] * float64(len(v)-1)
			k := int(math.Floor(h))
			want := sorted[k]
			if f := h - float64(k); f > 0 {
				want = sorted[k]*(1-f) + sorted[k+1]*f
			}
			if math.Abs(q[1]-want) > 1e-9 {
				t.Fatalf("%v of %v is %v, want %v", q[0], sorted, q[1], want)
			}
		}
		slices.Sort(v)
		if !slices.Equal(v, sorted) {
			t.Fatal("values were lost")
		}
	})
}

// A column in its native form has the digest of the same values as maps hold them.
func TestNativeFormsAgree(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 80).Draw(t, "n")
		ints, floats, words := make([]int64, n), make([]float64, n), make([]string, n)
		times, yes, null := make([]int64, n), make([]bool, n), make([]bool, n)
		rows := make([][]any, n)
		for r := range n {
			ints[r], floats[r] = rapid.Int64().Draw(t, "int"), rapid.Float64().Draw(t, "float")
			words[r] = rapid.SampledFrom([]string{"a", "b", "", "7x", "c d"}).Draw(t, "word")
			times[r], yes[r] = rapid.Int64Range(1, 1<<50).Draw(t, "time")|1, rapid.Bool().Draw(t, "bool")
			rows[r] = []any{ints[r], floats[r], words[r], time.UnixMicro(times[r]), yes[r]}
			if null[r] = rapid.IntRange(0, 4).Draw(t, "null") == 0; null[r] {
				rows[r] = make([]any, 5)
			}
		}
		names := []string{"i", "f", "w", "t", "b"}
		native := Compact([]Column{{Name: "i", Ints: ints, Null: null}, {Name: "f", Floats: floats, Null: null}, {Name: "w", Strings: words, Null: null},
			{Name: "t", Micros: times, Null: null}, {Name: "b", Bools: yes, Null: null}}, Mask{})
		if diff := cmp.Diff(Compact(FromRows(names, rows), Mask{}), native); diff != "" {
			t.Fatal(diff)
		}
	})
}

func FuzzCell(f *testing.F) {
	for _, s := range []string{"", "a\x00b", "\xff", "\u2028", `"\`, "12", "-0", "1e5", "2026-03-01"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d := one(s, s, nil, s+"x")
		if prompt := d.AppendPrompt(nil); !json.Valid(prompt) {
			t.Errorf("%q gives %q", s, prompt)
		}
	})
}
