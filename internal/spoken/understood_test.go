package spoken_test

import (
	"testing"
	"time"

	"quaestor/internal/language/messages"
	"quaestor/internal/spoken"
)

func TestChoose(t *testing.T) {
	t.Parallel()

	ten, hundred := 10.0, 100.0
	now := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name     string
		language string
		wanted   spoken.Wanted
		heard    []string
		want     int
	}{
		{"nothing", "en", spoken.Wanted{Kind: spoken.Figure}, nil, 0},
		{"the first of equals", "en", spoken.Wanted{Kind: spoken.Prose}, []string{"bakeries", "batteries"}, 0},
		{"a figure", "en", spoken.Wanted{Kind: spoken.Figure}, []string{"fifty teen", "fit teen", "fifteen"}, 0},
		{"a figure before words", "en", spoken.Wanted{Kind: spoken.Figure}, []string{"for tea", "forty"}, 1},
		{"a figure within bounds", "en", spoken.Wanted{Kind: spoken.Figure, Min: &ten, Max: &hundred}, []string{"five hundred", "five", "fifty"}, 2},
		{"a figure of what is asked", "en", spoken.Wanted{Kind: spoken.Figure, About: "People in the team"}, []string{"there are fifteen detail", "there are fifteen people", "there are people"}, 1},
		{"a date", "en", spoken.Wanted{Kind: spoken.Date, Now: now}, []string{"the end of marge", "the end of March"}, 1},
		{"an address", "en", spoken.Wanted{Kind: spoken.Email}, []string{"anna at example", "anna at example dot org"}, 1},
		{"a number", "de", spoken.Wanted{Kind: spoken.Phone}, []string{"null drei, ein fünftel", "null drei eins fünf fünf zwei"}, 1},
		{"a choice", "en", spoken.Wanted{Kind: spoken.Choice, Choices: []string{"Retail", "Wholesale"}}, []string{"whole sail", "wholesale"}, 1},
		{"yes or no", "de", spoken.Wanted{Kind: spoken.Choice}, []string{"jahr", "ja"}, 1},
		{"a correction before a no", "en", spoken.Wanted{Kind: spoken.Choice, Held: "15", HeldKind: spoken.Figure}, []string{"no fifty nine fifteen", "no fifty not fifteen", "yes"}, 1},
		{"an answer before a yes", "en", spoken.Wanted{Kind: spoken.Choice, Choices: []string{"Retail"}}, []string{"yes", "retail yes"}, 1},
	} {
		if got := spoken.Choose(tt.language, tt.heard, tt.wanted); got != tt.want {
			t.Errorf("%s: %d is chosen, want %d", tt.name, got, tt.want)
		}
	}
}

func TestCorrected(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		language, held, said string
		kind                 spoken.Kind
		want                 string // empty when nothing is corrected
	}{
		{"en", "Peter Schmitt", "no, Schmidt with d-t", spoken.Name, "Peter Schmidt"},
		{"en", "Peter Schmitt", "No, sorry, with d t.", spoken.Name, "Peter Schmidt"},
		{"en", "Anna Meier", "it's with a Y", spoken.Name, "Anna Meyer"},
		{"en", "Anna Meier", "no, M A Y E R", spoken.Name, "Anna Mayer"},
		{"en", "Stefan Meier", "Stephan with p h", spoken.Name, "Stephan Meier"},
		{"de", "Schmitt", "nein, mit d t", spoken.Name, "Schmidt"},
		{"de", "Peter Schmitt", "nicht Schmitt, sondern Schmidt", spoken.Name, "Peter Schmidt"},
		{"en", "Peter Schmitt", "Schmidt, not Schmitt", spoken.Name, "Peter Schmidt"},
		{"en", "15 people", "not fifteen, fifty", spoken.Figure, "50 people"},
		{"en", "15", "no, not 15, 50.", spoken.Figure, "50"},
		{"en", "fifteen people", "not fifteen but fifty", spoken.Figure, "50 people"},
		{"de", "rund 15 Leute", "nein, nicht fünfzehn, fünfzig", spoken.Figure, "rund 50 Leute"},
		{"de", "15", "fünfzig, nicht fünfzehn", spoken.Figure, "50"},
		{"en", "15 people", "not sixteen, fifty", spoken.Figure, ""},
		{"en", "15 people", "no", spoken.Figure, ""},
		{"en", "Peter Schmitt", "no, that is my colleague", spoken.Name, ""},
		{"en", "Peter Schmitt", "with a team of five", spoken.Name, ""},
		{"en", "Peter Schmitt", "", spoken.Name, ""},
		{"en", "Peter Schmitt", "no schmitt with d t", spoken.Name, "Peter Schmidt"}, // as a recogniser writes
		{"en", "50", "no fifteen not fifty", spoken.Figure, "15"},
		{"en", "50", "No, fifteen, not fifty.", spoken.Figure, "15"},
		{"en", "0315529", "not five five, five nine", spoken.Phone, "0315929"},
		{"en", "0315529", "not five five five nine", spoken.Phone, "0315929"}, // as a recogniser writes
		{"en", "0315529", "not nine five five nine", spoken.Phone, ""},
		{"en", "2090", "it's two thousand nineteen", spoken.Figure, "2019"},
		{"en", "19 people", "now ninety", spoken.Figure, "90 people"},
		{"en", "19", "no nineteen", spoken.Figure, ""},
		{"en", "19", "no, that was in ninety cases", spoken.Figure, ""},
		{"en", "2027-03-31", "no not the thirty first the thirtieth", spoken.Date, "2027-03-30"},
		{"en", "0315555", "not five five, five nine", spoken.Phone, ""},
		{"de", "0315529", "nicht fünf fünf, sondern fünf neun", spoken.Phone, "0315929"},
		{"en", "anna.meier@example.org", "no, M A Y E R", spoken.Email, "anna.mayer@example.org"},
		{"en", "anna.meier@example.org", "not meier, mayer", spoken.Email, "anna.mayer@example.org"},
		{"en", "12 High Street, Bath", "not Bath, Bristol", spoken.Address, "12 High Street, Bristol"},
		{"en", "2027-03-31", "no, not the thirty-first, the thirtieth", spoken.Date, "2027-03-30"},
		{"en", "2027-03-30", "no, in May", spoken.Date, "2027-05-30"},
		{"en", "2027-03-30", "the twelfth of February", spoken.Date, "2027-02-12"},
		{"en", "2027-03-30", "no, 2028", spoken.Date, "2028-03-30"},
		{"en", "2027-03-30", "30 March 2028", spoken.Date, "2028-03-30"},
		{"de", "2027-03-30", "nein, nicht im März, sondern im Mai", spoken.Date, "2027-05-30"},
		{"en", "2027-03-31", "no, in April", spoken.Date, ""},
		{"en", "2027-03-31", "no", spoken.Date, ""},
		{"en", "Ann", "not Ann, Anne", spoken.Name, "Anne"},
		{"en", "Anna", "not Ann, Anne", spoken.Name, ""},
	} {
		want := tt.want
		if want == "" {
			want = tt.held
		}
		if got, ok := spoken.Corrected(tt.language, tt.held, tt.said, tt.kind); got != want || ok != (tt.want != "") {
			t.Errorf("%q, corrected by %q, is %q, %t; want %q", tt.held, tt.said, got, ok, want)
		}
	}
}

func TestReadBack(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		language, value string
		kind            spoken.Kind
		want            string
	}{
		{"en", "Peter Schmidt", spoken.Name, "Peter Schmidt, spelled P, E, T, E, R; S, C, H, M, I, D, T. Is that right?"},
		{"de", "Müller", spoken.Name, "Müller, buchstabiert M, Ü, L, L, E, R. Stimmt das?"},
		{"en", "0315529", spoken.Phone, "0 3 1, 5 5, 2 9. Is that right?"},
		{"en", "030 12 34", spoken.Phone, "0 3 0, 1 2, 3 4. Is that right?"},
		{"en", "anna.meyer_2@my-firm.org", spoken.Email, "anna dot meyer underscore 2 at my dash firm dot org. Is that right?"},
		{"de", "k.l@firma.de", spoken.Email, "k Punkt l ät firma Punkt de. Stimmt das?"},
		{"en", "50", spoken.Figure, "50, that is 5 0. Is that right?"},
		{"en", "115 people", spoken.Figure, "115 people, that is 1 1 5. Is that right?"},
		{"en", "12", spoken.Figure, ""},
		{"de", "2027-03-31", spoken.Date, "31. März 2027. Stimmt das?"},
		{"en", "12 High Street, Bath", spoken.Address, "12 High Street, Bath. Is that right?"},
		{"en", "small bakeries", spoken.Prose, ""},
		{"en", "Retail", spoken.Choice, ""},
	} {
		if got := spoken.ReadBack(messages.In(tt.language), tt.value, tt.kind); got != tt.want {
			t.Errorf("%s %s is read back as %q, want %q", tt.kind, tt.value, got, tt.want)
		}
	}
}

func TestKindOf(t *testing.T) {
	t.Parallel()

	for called, want := range map[string]spoken.Kind{
		"Work e-mail": spoken.Email, "contact_email": spoken.Email, "Telefonnummer": spoken.Phone, "Your name contact_name": spoken.Name, "Postleitzahl": spoken.Identifier, "Lieferanschrift": spoken.Prose, "Anschrift": spoken.Address, "Email address": spoken.Email,
		"target market": spoken.Prose, "": spoken.Prose, "unnamed": spoken.Prose,
	} {
		if got := spoken.KindOf(called); got != want {
			t.Errorf("%q asks for %s, want %s", called, got, want)
		}
	}
}
