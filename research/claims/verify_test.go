package claims_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quaestor/research/claims"
)

// verify holds text against a source that is its own quote.
func verify(text, quote string) (claims.Claim, error) {
	return claims.Verify(claims.Claim{Text: text, Quote: quote}, claims.Source{N: 3, URL: "https://www.example.com/a", Text: "Some words before. " + quote + " And some after."})
}

// reasonOf is "" for no error.
func reasonOf(t *testing.T, err error) claims.Reason {
	t.Helper()
	if err == nil {
		return ""
	}
	var u *claims.Unsupported
	if !errors.As(err, &u) {
		t.Fatalf("error %v is no *Unsupported", err)
	}
	return u.Reason
}

var verdicts = []struct {
	text, quote string
	want        claims.Reason
}{
	// Ways to write the same number.
	{"Acme has 12 million users.", "Acme has 12,000,000 users.", ""},
	{"Acme has 12,000,000 users.", "Acme has 12 million users.", ""},
	{"Acme has 12m users.", "Acme has 12 million users.", ""},
	{"Acme has 12 000 000 users.", "Acme has 12 million users.", ""},
	{"Acme has twelve million users.", "Acme has 12 million users.", ""},
	{"Revenue was $4.2 billion in 2023.", "Revenue was USD 4.2bn in 2023.", ""},
	{"Revenue was $4.2 billion in 2023.", "In 2023, revenue was US$4,200 million.", ""},
	{"Revenue was €4.2 billion.", "Revenue was EUR 4.2bn.", ""},
	{"Revenue was 4.2 billion euros.", "Revenue was €4.2bn.", ""},
	{"Churn is 5 percent.", "Churn is 5%.", ""},
	{"Churn is 5 per cent.", "Churn is 5 %.", ""},
	{"Acme employs 250 people.", "Acme employs two hundred and fifty people.", ""},
	{"The fine was 12.5 million euros.", "The fine was 12,5 million euros.", ""},
	{"Acme employs 80k people.", "Acme employs 80,000 people.", ""},
	{"Acme has 12 million users.", "Acme had 1.2 million users.", claims.BadFigure},
	{"Acme has 12 million users.", "Acme has 12 billion users.", claims.BadFigure},
	{"Acme has 12 users.", "Acme has 12 million users.", claims.BadFigure},
	{"Acme has 13 million users.", "Acme has 12 million users.", claims.BadFigure},
	{"Acme has users and 3 offices in Berlin.", "Acme has users and offices in Berlin.", claims.BadFigure},
	{"The dose is 1,234 units.", "The dose is 1.234 units.", claims.BadFigure},
	{"Half of the clinics use Acme.", "A third of the clinics use Acme.", claims.BadFigure},
	{"Acme is the third largest vendor.", "Acme is the second largest vendor.", claims.BadFigure},
	{"Acme is certified for ISO 27001.", "Acme is certified for ISO 27018.", claims.BadFigure},
	{"Acme runs on 5G networks.", "Acme runs on 4G networks.", claims.BadFigure},
	{"Acme doubled its revenue.", "Acme tripled its revenue.", claims.BadFigure},
	// Units.
	{"The plan costs $12.", "The plan costs €12.", claims.BadUnit},
	{"The plan costs $12 per month.", "The plan costs $12 per year.", claims.BadUnit},
	{"The plan costs $12 per month.", "The plan costs $12 a month.", ""},
	{"The plan costs $12 per month.", "The plan costs $12 per user per month.", claims.BadUnit},
	{"The plan costs $12/month.", "The plan costs $12 monthly.", ""},
	{"The truck drives 300 km.", "The truck drives 300 miles.", claims.BadUnit},
	{"Shares rose 3%.", "Shares rose 3 percentage points.", claims.BadUnit},
	{"Acme has 12 million users.", "Acme has 12 million customers.", claims.BadUnit},
	{"Acme has 12 million downloads.", "Acme has 12 million users who made 40 million downloads.", claims.BadUnit},
	{"The contract runs 12 months.", "The contract runs 12 weeks.", claims.BadUnit},
	{"It is a 12-month contract with Acme.", "It is a 12-month contract with Acme.", ""},
	{"The market is worth $5 billion.", "The market is worth 5 billion Australian dollars.", claims.BadUnit},
	// Dates.
	{"Acme had 12 million users in 2023.", "Acme had 12 million users in 2023.", ""},
	{"Acme had 12 million users in 2024.", "Acme had 12 million users in 2023.", claims.BadDate},
	{"Acme had 12 million users in 2024.", "Acme had 12 million users.", claims.BadDate},
	{"Acme had 12 million users in 2024.", "Acme had 12 million users in 2023 and 15 million in 2024.", claims.BadDate},
	{"Acme had 15 million users in 2024.", "Acme had 12 million users in 2023 and 15 million users in 2024.", ""},
	{"Acme was founded in 2015.", "Acme was founded in May 2015.", ""},
	{"Acme was founded in May 2015.", "Acme was founded in 2015.", claims.BadDate},
	{"Acme was founded in June 2015.", "Acme was founded in May 2015.", claims.BadDate},
	{"Acme was founded on 12 May 2015.", "Acme was founded on May 12, 2015.", ""},
	{"Acme was founded on 2015-05-12.", "Acme was founded on 12.05.2015.", ""},
	{"Acme was founded on 13 May 2015.", "Acme was founded on May 12, 2015.", claims.BadDate},
	{"Sales were $3 million in Q3 2024.", "Sales were $3 million in the third quarter of 2024.", ""},
	{"Sales were $3 million in Q2 2024.", "Sales were $3 million in the third quarter of 2024.", claims.BadDate},
	{"Acme has sold bikes since 2015.", "Acme sold bikes until 2015.", claims.BadDate},
	{"The market grows 5% a year between 2023 and 2030.", "The market grows 5% a year from 2023 to 2030.", ""},
	{"The market grows 5% a year between 2023 and 2031.", "The market grows 5% a year from 2023 to 2030.", claims.BadDate},
	// Polarity.
	{"Acme supports SAML.", "Acme does not support SAML.", claims.BadPolarity},
	{"Acme does not support SAML.", "Acme supports SAML.", claims.BadPolarity},
	{"Acme does not support SAML.", "Acme does not support SAML.", ""},
	{"Acme supports SAML.", "Acme no longer supports SAML.", claims.BadPolarity},
	{"Acme no longer supports SAML.", "Acme no longer supports SAML.", ""},
	{"SAML is available.", "SAML is unavailable.", claims.BadPolarity},
	{"Globex supports SAML.", "Acme supports SAML, but Globex does not support SAML.", claims.BadPolarity},
	{"Acme supports SAML.", "Acme supports SAML, but Globex does not support SAML.", ""},
	{"Acme has more than 500 stores.", "Acme has fewer than 500 stores.", claims.BadPolarity},
	{"Acme has 500 stores.", "Acme has up to 500 stores.", claims.BadPolarity},
	{"Acme has at least 500 stores.", "Acme has 500 stores.", claims.BadPolarity},
	{"Acme has over 500 stores.", "Acme has more than 500 stores.", ""},
	{"Acme has at least 500 stores.", "Acme has 500+ stores.", ""},
	{"Revenue grew 12% in 2023.", "Revenue declined 12% in 2023.", claims.BadPolarity},
	{"Revenue grew 12% in 2023.", "Revenue rose by 12% in 2023.", ""},
	{"Revenue fell.", "Revenue grew while costs fell.", claims.BadPolarity},
	{"Costs grew while revenue fell.", "Revenue grew while costs fell.", claims.BadPolarity},
	{"Revenue grew while costs fell.", "Revenue grew while costs fell.", ""},
	{"Revenue grew from 15 to 10 million euros.", "Revenue grew from 10 to 15 million euros.", claims.BadFigure},
	{"Revenue grew from 15 million to 10 million euros.", "Revenue grew from 10 million to 15 million euros.", claims.BadPolarity},
	{"The market is worth $12 billion.", "The market could be worth $12 billion.", claims.BadPolarity},
	{"The market could be worth $12 billion.", "The market could be worth $12 billion.", ""},
	{"Registration is mandatory for clinics.", "Registration is optional for clinics.", claims.BadPolarity},
	{"Globex is cheaper than Acme.", "Acme is cheaper than Globex.", claims.BadPolarity},
	{"The rule allows exports.", "The rule prohibits exports.", claims.BadPolarity},
	{"Acme offers an API and supports SAML.", "Acme offers an API; it does not support SAML.", claims.BadPolarity},
	{"The plan costs $5.", "The plan, which is not available in Germany, costs $5.", ""},
	{"No more than 30 users may join.", "Up to 30 users may join.", ""},
	{"Acme acquired Globex.", "Globex acquired Acme.", claims.BadPolarity},
	{"Acme acquired Globex.", "Acme was acquired by Globex.", claims.BadPolarity},
	{"Globex acquired Acme.", "Acme was acquired by Globex.", ""},
	{"Acme acquired Globex.", "In May 2021 Acme acquired the Dutch firm Globex.", ""},
	{"It is expected that Acme sells bikes.", "It is expected that Acme sells bikes.", ""},
	{"Acme failed the audit of 2021.", "Acme passed the audit of 2021.", claims.BadPolarity},
	{"Acme includes hosting in Leipzig.", "Acme excludes hosting in Leipzig.", claims.BadPolarity},
	{"All plans cost less than $5.", "All plans cost more than $5.", claims.BadPolarity},
	// Words and names.
	{"Acme builds electric bikes in Leipzig.", "Acme builds bikes in Leipzig.", ""},
	{"Penguins enjoy warm winters abroad.", "Acme builds bikes in Leipzig.", claims.BadWords},
	{"Globex builds bikes in Leipzig.", "Acme builds bikes in Leipzig.", claims.BadWords},
	{"Acme builds bikes in Dresden.", "Acme builds bikes in Leipzig.", claims.BadWords},
	// Numbers that belong to something else.
	{"Acme has 40 stores.", "Acme has 12 stores and Globex has 40 stores.", claims.BadFigure},
	{"Globex has 40 stores.", "Acme has 12 stores and Globex has 40 stores.", ""},
	{"The Pro plan costs $12.", "The Basic plan costs $12 and the Pro plan costs $20.", claims.BadFigure},
	{"The Pro plan costs $20.", "The Basic plan costs $12 and the Pro plan costs $20.", ""},
	// Size.
	{"Acme.", "Acme is.", claims.TooShort},
	{"", "Acme builds bikes in Leipzig.", claims.TooShort},
	{strings.Repeat("Acme builds bikes. ", 30), "Acme builds bikes in Leipzig.", claims.TooLong},
	{"Acme builds bikes.", strings.Repeat("Acme builds bikes in Leipzig. ", 21), claims.TooLong},
	{"Acme builds bikes.", "Acme builds bikes.\n\nIn Leipzig.\n\nAnd elsewhere.", claims.TooLong},
}

func TestVerify(t *testing.T) {
	t.Parallel()

	for _, tt := range verdicts {
		_, err := verify(tt.text, tt.quote)
		if got := reasonOf(t, err); got != tt.want {
			t.Errorf("Verify(%q) against %q: %q (%v), want %q", tt.text, tt.quote, got, err, tt.want)
		}
	}
}

func TestVerifyReturnsTheSourcesOwnWords(t *testing.T) {
	t.Parallel()

	s := claims.Source{N: 7, URL: "https://www.Acme.example/about", Text: "🙂 Über uns.\n\nAcme  employs\n“250” people in 2024, and 10 more."}
	c, err := claims.Verify(claims.Claim{Text: "Acme employs 250 people.", Quote: "acme employs \"250\" people in 2024"}, s)
	if err != nil {
		t.Fatal(err)
	}
	if want := "Acme  employs\n“250” people in 2024"; c.Quote != want {
		t.Errorf("quote %q, want %q", c.Quote, want)
	}
	if got, ok := c.Span.Slice(s.Text); !ok || got != c.Quote {
		t.Errorf("span gives %q, want the quote", got)
	}
	if c.Source != 7 || c.Host != "acme.example" {
		t.Errorf("source %d at %q, want 7 at acme.example", c.Source, c.Host)
	}
	if want := []claims.Figure{{Words: "250 people", Value: 250, Unit: "people", When: "2024"}}; !reflect.DeepEqual(c.Figures, want) {
		t.Errorf("figures %+v, want %+v: the date is the quote's", c.Figures, want)
	}
}

func TestVerifyMissingQuote(t *testing.T) {
	t.Parallel()

	for _, s := range []claims.Source{{}, {Text: "Something else entirely."}, {Text: "Acme employs\xff 250 people."}} {
		for _, quote := range []string{"", "Acme employs 250 people.", "Acme employs\xff 250 people."} {
			_, err := claims.Verify(claims.Claim{Text: "Acme employs 250 people.", Quote: quote}, s)
			if got := reasonOf(t, err); got != claims.QuoteMissing {
				t.Errorf("quote %q in %q: %q, want quote_missing", quote, s.Text, got)
			}
		}
	}
}

func TestVerifyTakesNamesFromTheTitle(t *testing.T) {
	t.Parallel()

	s := claims.Source{Title: "About Globex", Text: "The company employs 250 people."}
	if _, err := claims.Verify(claims.Claim{Text: "Globex, the company, employs 250 people.", Quote: s.Text}, s); err != nil {
		t.Error(err)
	}
}

// TestVerifyAcceptsVerbatim holds real ways of writing: a sentence is always
// supported by itself.
func TestVerifyAcceptsVerbatim(t *testing.T) {
	t.Parallel()

	for _, s := range []string{
		"The global market was valued at USD 4.23 billion in 2023 and is projected to grow at a CAGR of 8.7% from 2024 to 2030.",
		"Between 10 and 15 % of the 1,200 clinics (up from 7 % in 2019) no longer accept paper forms.",
		"Prices start at €9.99 per user per month, billed annually, while the Enterprise plan is not sold online.",
		"Under Article 6(1) of Regulation (EU) 2016/679, processing is lawful only if at least one condition applies.",
		"The API allows up to 600 requests per minute; beyond that, HTTP 429 is returned for 30 seconds.",
		"In Q3 2024 revenue fell 12% year on year to $1.2bn, whereas costs rose by 3 percentage points.",
		"As of 31 December 2023, it employed 12,345 people in more than 40 countries, 5,000 fewer than in 2022.",
		"Roughly one in five dentists works part-time, and two thirds of them are women.",
		"The 12-month contract costs £120 a year or £12/month; there is no set-up fee.",
		"Version 2.4.1 of the connector supports SAP S/4HANA but does not yet support TLS 1.3.",
		"Der Markt wuchs 2023 um 5,4 % auf 12,8 Milliarden Euro und ist nicht mehr rückläufig.",
		"Its 5G modem draws 3.5 W at −20 °C, i.e. 30% less than the 4G one from the 1990s.",
		"First launched in May 2019, the service had doubled to about 2 million users by 2021.",
		"The half-life is 24/7 irrelevant to 3rd parties in the U.S. and on 03/04/2024.",
	} {
		for _, quote := range []string{s, "Before it there was nothing. " + s + " Nothing came after it in 1999, or 12 % more."} {
			if _, err := verify(s, quote); err != nil {
				t.Errorf("%q is refused: %v", s, err)
			}
		}
	}
}

// statement is a sentence of which every part can be turned.
type statement struct {
	text  string
	turns map[string]string // what is changed to the changed text
}

func statements() *rapid.Generator[statement] {
	return rapid.Custom(func(t *rapid.T) statement {
		subject := rapid.SampledFrom([]string{"Acme", "The clinic", "Globex GmbH", "The Leipzig plant"}).Draw(t, "subject")
		n := rapid.IntRange(11, 899).Draw(t, "n")
		scale := rapid.SampledFrom([]string{"", " million", ",000", " billion"}).Draw(t, "scale")
		units := rapid.Permutation([]string{"users", "employees", "km", "tonnes", "hours", "euros", "stores", "percent"}).Draw(t, "units")
		y := rapid.IntRange(1990, 2040).Draw(t, "year")
		verbs := rapid.SampledFrom([][2]string{{"counted", "did not count"}, {"handled", "never handled"}, {"delivered", "no longer delivered"}}).Draw(t, "verb")
		say := func(verb string, n int, unit string, y int) string {
			return fmt.Sprintf("%s %s %d%s %s in %d.", subject, verb, n, scale, unit, y)
		}
		return statement{say(verbs[0], n, units[0], y), map[string]string{
			"digit":    say(verbs[0], n+rapid.IntRange(1, 60).Draw(t, "more"), units[0], y),
			"unit":     say(verbs[0], n, units[1], y),
			"year":     say(verbs[0], n, units[0], y+rapid.SampledFrom([]int{-3, 1, 10}).Draw(t, "years")),
			"negation": say(verbs[1], n, units[0], y),
			"bound":    say(verbs[0]+" more than", n, units[0], y),
		}}
	})
}

func TestVerifyRefusesWhatIsTurned(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		st := statements().Draw(t, "statement")
		before := rapid.StringN(0, 40, 200).Draw(t, "before")
		s := claims.Source{N: 1, Text: before + "\n\n" + st.text + "\n\nThe end."}
		c, err := claims.Verify(claims.Claim{Text: st.text, Quote: st.text}, s)
		if err != nil {
			t.Fatalf("%q is refused: %v", st.text, err)
		}
		if got, ok := c.Span.Slice(s.Text); !ok || got != c.Quote {
			t.Fatalf("span gives %q, want %q", got, c.Quote)
		}
		again, err := claims.Verify(c, s)
		if err != nil || !reflect.DeepEqual(again, c) {
			t.Fatalf("verified again: %+v, %v; want %+v", again, err, c)
		}
		for what, text := range st.turns {
			turned := c
			if turned.Text = text; turned.Text == c.Text {
				continue
			}
			if _, err := claims.Verify(turned, s); err == nil {
				t.Fatalf("%s turned: %q is accepted for %q", what, text, c.Quote)
			}
		}
		for what, text := range st.turns { // the other way round: the source says the turned thing
			if _, err := claims.Verify(c, claims.Source{N: 1, Text: text}); err == nil {
				t.Fatalf("%s: %q is accepted against a source of %q", what, c.Text, text)
			}
		}
	})
}

// TestVerifyHoldsEveryDigit changes any one digit of a claim.
func TestVerifyHoldsEveryDigit(t *testing.T) {
	t.Parallel()

	for _, tt := range verdicts {
		c, err := verify(tt.text, tt.quote)
		if err != nil {
			continue
		}
		for i, b := range []byte(c.Text) {
			if b < '0' || b > '9' {
				continue
			}
			turned := c
			turned.Text = c.Text[:i] + string('0'+(b-'0'+3)%10) + c.Text[i+1:]
			if _, err := verify(turned.Text, tt.quote); err == nil {
				t.Errorf("%q is accepted for %q", turned.Text, tt.quote)
			}
		}
	}
}
