package builtin

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"quaestor/research/warehouse/guard"
)

func TestFormOf(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		low, high float64
		want      form
	}{
		{20010115, 20231231, yyyymmdd}, {20010115, 20231331, none}, {20010100, 20231231, none}, {200101, 202312, yyyymm}, {200101, 202313, none}, {1990, 2024, yearOnly}, {1, 2024, none},
		{1010001, 6302359, none}, // month, day, hour and minute, as some flight data have it
		{1_600_000_000, 1_700_000_000, seconds}, {1_600_000_000_000, 1_700_000_000_000, millis}, {1.6e15, 1.7e15, micros}, {5, 1_700_000_000, none},
		{0, 0, none}, {-5, 5, none}, {20010115.5, 20010116, none}, {2024, 1990, none}, {1e18, 1e19, none},
	} {
		if got := formOf(tt.low, tt.high); got != tt.want {
			t.Errorf("formOf(%v, %v) = %q, want %q", tt.low, tt.high, got, tt.want)
		}
	}
}

// A day that is coded reads back as that day.
func TestCodesReadBack(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(660_000_000, 4_000_000_000).Draw(t, "at"), 0).UTC()
		for f, v := range map[form]int64{
			yyyymmdd: int64(at.Year()*10000 + int(at.Month())*100 + at.Day()), yyyymm: int64(at.Year()*100 + int(at.Month())), yearOnly: int64(at.Year()),
			seconds: at.Unix(), millis: at.UnixMilli(), micros: at.UnixMicro(),
		} {
			if got := formOf(float64(v), float64(v)); got != f {
				t.Fatalf("%d is %q, want %q", v, got, f)
			}
			if got := timeOf(f, float64(v)); got.Year() != at.Year() || f != yearOnly && got.Month() != at.Month() || f != yearOnly && f != yyyymm && got.Day() != at.Day() {
				t.Fatalf("%d as %q is %s, want %s", v, f, got, at)
			}
		}
	})
}

// Spans that are cut off at an end of the data are not among the whole ones.
func TestEdges(t *testing.T) {
	t.Parallel()

	date := func(s string) time.Time {
		at, ok := parseTime(s)
		if !ok {
			t.Fatal(s)
		}
		return at
	}
	for _, tt := range []struct {
		g              grain
		from, to       string
		hours          bool
		first, pastEnd string
	}{
		{weekly, "2001-01-01", "2001-07-01", false, "", ""},
		{weekly, "2001-01-01", "2001-07-01", true, "", "2001-06-25"},
		{weekly, "2001-01-03", "2001-07-04", false, "2001-01-08", "2001-07-02"},
		{monthly, "2001-01-31", "2002-06-30", false, "2001-02-01", ""},
		{monthly, "2001-01-01", "2002-06-29T23:00:00Z", true, "", "2002-06-01"},
		{yearly, "1950-05-01", "1999-12-31", false, "1951-01-01", ""},
		{monthly, "2001-01-15", "2001-03-15", false, "", ""}, // too few to leave some out
	} {
		k := &clock{x: "t", form: asStamp, from: date(tt.from), to: date(tt.to), hours: tt.hours}
		from, to := k.edges(tt.g)
		for _, end := range []struct {
			got  time.Time
			want string
		}{{from, tt.first}, {to, tt.pastEnd}} {
			if end.got.IsZero() != (end.want == "") || end.want != "" && end.got != date(end.want) {
				t.Errorf("%s from %s to %s: %s, want %q", tt.g, tt.from, tt.to, end.got, end.want)
			}
		}
	}
}

// Coded times are compared and cut as numbers.
func TestCodedClock(t *testing.T) {
	t.Parallel()

	d, at := dialectOf(guard.PostgreSQL), time.Date(2001, 2, 3, 0, 0, 0, 0, time.UTC)
	for f, want := range map[form][3]string{
		yyyymmdd: {"FLOOR(t / 100.0)", "t >= 20010203", "FLOOR(t / 100.0) - FLOOR(t / 10000.0) * 100"},
		yyyymm:   {"t", "t >= 200102", "t - FLOOR(t / 100.0) * 100"},
		seconds:  {"CAST(date_trunc('month', (TIMESTAMP '1970-01-01' + t * INTERVAL '1 second')) AS date)", "t >= 981158400", "CAST(EXTRACT(MONTH FROM (TIMESTAMP '1970-01-01' + t * INTERVAL '1 second')) AS integer)"},
		isoText:  {"CAST(date_trunc('month', CASE WHEN t LIKE '____-__-__%' THEN CAST(SUBSTRING(t, 1, 10) AS date) END) AS date)", "t >= '2001-02-03'", "CAST(EXTRACT(MONTH FROM CASE WHEN t LIKE '____-__-__%' THEN CAST(SUBSTRING(t, 1, 10) AS date) END) AS integer)"},
	} {
		k := &clock{x: "t", form: f}
		part, _ := k.part(d, monthOf)
		if got := [3]string{k.period(d, monthly), k.since(d, at), part}; got != want {
			t.Errorf("%s: %q, want %q", f, got, want)
		}
	}
	if _, ok := (&clock{x: "t", form: yyyymmdd}).part(d, weekdayOf); ok {
		t.Error("a coded day has a weekday")
	}
}
