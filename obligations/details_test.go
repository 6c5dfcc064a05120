package obligations

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadDetails(t *testing.T) {
	t.Parallel()

	money := &Template{Key: "rent", Widget: Number, Unit: "money"}
	distance := &Template{Key: "way", Widget: Number, Unit: "km"}
	plain := &Template{Key: "n", Widget: Number}
	date := &Template{Key: "start", Widget: Date}
	now := time.Date(2026, 8, 12, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		t                  *Template
		value, text, quote string
		want               *Details
	}{
		{money, "450", "We pay about 450 euros a month for it", "450 euros", &Details{Currency: "EUR", Period: "month", Approximate: true}},
		{money, "450", "We pay 450 for it", "450", nil},
		{money, "1500", "ungefähr 1.500 Euro im Monat", "1.500 Euro", &Details{Currency: "EUR", Period: "month", Approximate: true}},
		{money, `{"min":400,"max":500}`, "between 400 and 500 dollars", "400 and 500 dollars", &Details{Currency: "USD"}},
		{money, "5400", "450 euros a month", "450 euros a month", &Details{Currency: "EUR"}},
		{distance, "3", "at least 3 km", "3 km", &Details{Least: true}},
		{distance, "3", "at most 3000 m", "3000 m", &Details{Most: true}},
		{plain, "80", "80 kg", "80 kg", &Details{Unit: "kg"}},
		{plain, "3", "me and my two sisters", "me and my two sisters", nil},
		{plain, "4", "14 tables, about 4 chairs", "4 chairs", &Details{Approximate: true}},
		{date, `"2026-11"`, "It starts in three months", "in three months", &Details{Approximate: true}},
		{date, `"2027-05"`, "in May 2027", "May 2027", nil},
		{&Template{Widget: Text}, `"450 euros"`, "450 euros", "450 euros", nil},
	} {
		span, _, ok := Locate(tt.text, tt.quote)
		if !ok {
			t.Fatalf("%q is not in %q", tt.quote, tt.text)
		}
		if diff := cmp.Diff(tt.want, ReadDetails(tt.t, raw(tt.value), tt.text, span, now)); diff != "" {
			t.Errorf("%s in %q (-want +got):\n%s", tt.value, tt.text, diff)
		}
	}
}

func TestDetailsAreOfTheLatestWordsThatTell(t *testing.T) {
	t.Parallel()

	o := Obligation{Template: &Template{Widget: Number, Unit: "people"}, Value: raw("12"), Evidence: []Evidence{
		{Kind: Stated, Details: &Details{Approximate: true}}, {Kind: Accepted}}}
	if diff := cmp.Diff(&Details{Unit: "people", Approximate: true}, o.Details()); diff != "" {
		t.Error(diff)
	}
	if empty := (&Obligation{Template: &Template{Widget: Number, Unit: "people"}}); empty.Details() != nil {
		t.Errorf("without a value: %+v", empty.Details())
	}
}
