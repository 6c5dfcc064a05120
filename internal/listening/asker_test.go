package listening_test

import (
	"slices"
	"testing"

	"quaestor/internal/listening"
)

// party are the fields of a small objective, all open; the place is asked for.
func party() []listening.Field {
	list := []listening.Field{
		{Key: "place", Type: listening.Place, Name: "Town", Question: "In which town will the party be?", Asked: true},
		{Key: "guests", Type: listening.Count, Name: "Guests", Question: "How many guests do you expect?"},
		{Key: "tables", Type: listening.Count, Name: "Tables", Question: "How many tables do you need?"},
		{Key: "budget", Type: listening.Amount, Name: "Budget", Question: "How much may it cost?"},
		{Key: "start", Type: listening.Time, Name: "Start", Question: "At what time does it start?"},
		{Key: "deposit", Type: listening.Amount, Name: "Deposit", Question: "How much did you pay in advance?"},
	}
	for i := range list {
		list[i].Open = true
	}
	return list
}

const aside = "It is in Harrogate, and we expect eighty guests, so six tables will do."

func TestValuesInPassingFindTheirFields(t *testing.T) {
	t.Parallel()

	l, fields := listening.New(nil), party()
	for said, want := range map[string]string{
		"It is in Harrogate, and six tables will do.": "tables",
	} {
		h, err := l.Hear(t.Context(), listening.Place, fields[0].Question, said)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range h.Segments {
			seg := &h.Segments[i]
			for k := range seg.Values {
				c := l.Candidates(t.Context(), &h, seg, &seg.Values[k], fields, false)
				if of, _ := c.Likeliest(); of >= 0 && seg.Values[k].Type == listening.Count {
					got = append(got, fields[of].Key)
				}
			}
		}
		if !slices.Equal(got, []string{want}) {
			t.Errorf("%q tells %v", said, got)
		}
	}
}

func TestWhatIsToldIsOpenAndUnasked(t *testing.T) {
	t.Parallel()

	l, fields := listening.New(nil), party()
	fields[1].Open = false
	h, err := l.Hear(t.Context(), listening.Place, fields[0].Question, aside)
	if err != nil {
		t.Fatal(err)
	}
	for _, told := range l.Told(t.Context(), &h, fields) {
		f := fields[told.Field]
		if !f.Open || f.Asked {
			t.Errorf("told %s, which is held or asked for", f.Key)
		}
		if told.From >= told.To || told.To > len(aside) || told.Segment < 0 || told.Sure <= 0.5 {
			t.Errorf("told %s by bytes %d to %d of segment %d, %v sure", f.Key, told.From, told.To, told.Segment, told.Sure)
		}
	}
	if list := l.Told(t.Context(), &listening.Heard{}, fields); len(list) > 0 {
		t.Errorf("an empty message tells %v", list)
	}
}

func BenchmarkTold(b *testing.B) {
	l, fields := listening.New(nil), party()
	for len(fields) < 15 {
		fields = append(fields, party()[len(fields)%6])
	}
	for b.Loop() {
		h, err := l.Hear(b.Context(), listening.Place, fields[0].Question, aside)
		if err != nil {
			b.Fatal(err)
		}
		l.Told(b.Context(), &h, fields)
	}
}
