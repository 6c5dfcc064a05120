package brief_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"quaestor/chat/brief"
)

// A document that is no brief is written as one: its parts in order, and the same bytes each time.
func TestDocumentIsAPDF(t *testing.T) {
	t.Parallel()

	d := brief.Document{Title: "Findings for Flights", At: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)}
	d.Table([]brief.Fact{{Name: "Run of", Value: "1 March"}})
	d.Table(nil)
	d.Heading(1, "Findings")
	d.Say("Delays rose.\nThey rose on Fridays.")
	d.Bullet("Look at the timetable 面.")
	d.Note("Each figure was computed.")
	body, err := d.PDF()
	if err != nil {
		t.Fatal(err)
	}
	text, last := plain(readBack(t, "findings.pdf", body)), 0
	for _, want := range []string{"Findings for Flights", "1 March", "Findings", "Delays rose.", "They rose on Fridays.", "Look at the timetable", "Each figure was computed."} {
		at := strings.Index(text[last:], plain(want))
		if at < 0 {
			t.Fatalf("%q does not stand behind what was before it:\n%s", want, text)
		}
		last += at
	}
	if !strings.Contains(text, plain("The other forms of this document hold all of them.")) {
		t.Errorf("it does not say where to find what it cannot draw:\n%s", text)
	}
	if again, err := d.PDF(); err != nil || !bytes.Equal(body, again) {
		t.Errorf("written again it has other bytes (%v)", err)
	}
}
