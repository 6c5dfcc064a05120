package reading

import (
	"testing"

	"quaestor/chat/chattest"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// TestWrongFigureNamedBesideItsPeriod holds that a figure that is put right goes to what held the wrong one,
// brought to the period that is asked for, and that a count which is not quite right is the one told last.
func TestWrongFigureNamedBesideItsPeriod(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 0)

	for _, tt := range []struct {
		german  bool
		confirm string // what is read back; empty where something else is asked
		in      string
		sales   string // what becomes of the sales of a year; held are 6000
		people  string // what becomes of the count, which was told last; held are 40
	}{
		{false, "sales", "No, 6 thousand is a month, for the kiosk; now it is 15 thousand a month", "sales=180000!~", ""},
		{false, "", "No, the 6 thousand was a month, now it's 15 thousand a month", "sales=180000!~", ""},
		{false, "", "6,000 is what we make in a month; it's 90,000 a year", "sales=90000!", ""},
		{false, "", "No, 6 thousand is a month, for the old shop; now it is 15 thousand a month", "sales=180000!~", ""},
		{false, "sales", "No. 6000 is a week. It's 7000 a week now.", "sales=364000!~", ""},
		{false, "", "the number isn't quite right, 43", "", "people=43!"},
		{false, "", "Number's not quite right: 43.", "", "people=43!"},
		{false, "", "40 come in, plus 3 of us, 43 together", "", "people=43!"},
		{true, "sales", "Nein, 6 Tausend sind im Monat, vom Kiosk; jetzt sind es 15 Tausend im Monat", "sales=180000!~", ""},
		{true, "", "Die 6 Tausend waren im Monat, jetzt sind es 15 Tausend im Monat", "sales=180000!~", ""},
		{true, "", "Zahl stimmt nicht ganz, 43", "", "people=43!"},
		{true, "", "Zahl stimmt nicht ganz, 43. Tschüss.", "", "people=43!"},
		{true, "", "40 kommen von außen, plus 3 von uns, zusammen 43", "", "people=43!"},
		// Nothing is put right:
		{false, "", "We lose 12 trays a month to mould", "", ""},
		{false, "", "the ovens are from 2009, plus 3 fryers", "", ""},
		{true, "", "Im Monat fallen 12 Bleche weg", "", ""},
		{true, "", "Die Zahl der Feiertage ist hier 13", "", ""},
	} {
		d := &objectives.Definition{ContextType: "kiosk", Obligations: []obligations.Template{
			{Key: "sales", Label: "Sales", Prompt: "What are your sales in a year?", Widget: obligations.Number, Unit: "money", Min: chattest.Float(0), Priority: 9, Category: "Money", Cues: []string{"sales", "turnover"}},
			{Key: "people", Label: "Customers", Prompt: "How many people come to you?", Widget: obligations.Number, Unit: "people", Integer: true, Min: chattest.Float(0), Priority: 8, Category: "People"},
			{Key: "trouble", Label: "Trouble", Prompt: "What gives you trouble?", Widget: obligations.Text, Priority: 7, Category: "People"},
			{Key: "place", Label: "Place", Prompt: "Where is it?", Widget: obligations.Text, Priority: 6, Category: "People"}}}
		if tt.german {
			d.Obligations[0].Label, d.Obligations[0].Prompt, d.Obligations[0].Cues = "Umsatz", "Wie hoch ist Ihr Umsatz im Jahr?", []string{"umsatz"}
			d.Obligations[1].Label, d.Obligations[1].Prompt = "Kunden", "Wie viele Menschen kommen zu Ihnen?"
			d.Obligations[2].Label, d.Obligations[2].Prompt = "Ärger", "Was macht Ihnen Ärger?"
		}
		s := chattest.SceneIn(d, "trouble", tt.in)
		if tt.german {
			s.Session.Language = "de"
		}
		chattest.Hold(s, "sales", "6000", 3)
		chattest.Hold(s, "people", "40", 4)
		chattest.Hold(s, "place", `"by the lock"`, 4)
		if tt.confirm != "" {
			s.Asked = chattest.Ask(obligations.Find(s.Obligations, tt.confirm), sessions.ToConfirm)
		}
		var sales, people []obligations.Finding
		for _, f := range understand(m, s).Findings {
			switch f.Key {
			case "sales":
				sales = append(sales, f)
			case "people":
				people = append(people, f)
			}
		}
		if got := chattest.Brief(sales); got != tt.sales {
			m.Errorf("Understand(%q): sales %s, want %s", tt.in, got, tt.sales)
		}
		if got := chattest.Brief(people); got != tt.people {
			m.Errorf("Understand(%q): people %s, want %s", tt.in, got, tt.people)
		}
	}
}
