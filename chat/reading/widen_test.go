package reading

import (
	"strings"
	"testing"

	"quaestor/chat/chattest"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// marked returns text without its brackets, as one segment heard in it whose values are the
// words that stood in brackets.
func marked(kind listening.Type, text string) (*heard, *listening.Segment) {
	seg := listening.Segment{Act: listening.Answer, Sure: 1}
	var plain strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "[")
		plain.WriteString(before)
		if !ok {
			break
		}
		words, after, _ := strings.Cut(rest, "]")
		seg.Values = append(seg.Values, listening.Span{Type: kind, From: plain.Len(), To: plain.Len() + len(words), Answers: true, Star: 1, Sure: 1})
		plain.WriteString(words)
		text = after
	}
	seg.To = plain.Len()
	h := &heard{reader: newReader(chattest.Scene("business", plain.String())), values: language.NewReader("en")}
	h.said = listening.Heard{Text: plain.String(), Segments: []listening.Segment{seg}}
	return h, &h.said.Segments[0]
}

func TestNamesGoOnAsTheyAreWritten(t *testing.T) {
	t.Parallel()

	for _, x := range []struct {
		kind     listening.Type
		in, want string
	}{
		{listening.Person, "my wife [Margaret] Ellen Pask, she never liked it", "Margaret Ellen Pask"},
		{listening.Person, "it is Mr [Leonard] Pike.", "Mr Leonard Pike"},
		{listening.Person, "That would be [Jodie] Marsh-Okafor and Tom", "Jodie Marsh-Okafor"},
		{listening.Person, "ask [Anna] on Monday", "Anna"},
		{listening.Organisation, "Brook [Lane] Veterinary Surgery", "Brook Lane Veterinary Surgery"},
		{listening.Place, "behind the [Bank] of Scotland in town", "Bank of Scotland"},
		{listening.Place, "in [leeds] by the station", "leeds"},
		{listening.Person, "SEND IT TO [ANNA] MARIA AT ONCE PLEASE", "ANNA"},
		{listening.Identifier, "NV[209], and hurry", "NV209"},
		{listening.Date, "on [Friday] Morning", "Friday"},
	} {
		h, seg := marked(x.kind, x.in)
		s := h.widened(seg.Values[0], seg)
		if got := h.said.Text[s.From:s.To]; got != x.want {
			t.Errorf("%q goes on to %q, want %q", x.in, got, x.want)
		}
	}
}

func TestItemsStandBetweenTheirSeparators(t *testing.T) {
	t.Parallel()

	for _, x := range []struct{ in, want string }{
		{"The water [butt], and the wife's [trellis], and I suppose the [dog].", "water butt; wife's trellis; dog"},
		{"[bicycle] shed, old [scaffolding] that nobody takes away", "bicycle shed; old scaffolding that nobody takes away"},
		{"[The Lark Ascending], Abide With Me and [Jerusalem]", "The Lark Ascending; Abide With Me; Jerusalem"},
		{"[Hafer], Möhre und [Teufelskralle]", "Hafer; Möhre; Teufelskralle"},
	} {
		h, seg := marked(listening.Product, x.in)
		if got := strings.Join(h.itemsOf(seg.Values, seg), "; "); got != x.want {
			t.Errorf("%q lists %q, want %q", x.in, got, x.want)
		}
	}
}

func TestSharesAndNothingInWords(t *testing.T) {
	t.Parallel()

	percent := obligations.Template{Key: "share", Widget: obligations.Number, Unit: "percent"}
	for _, x := range []struct{ in, want string }{
		{"[half] of it, I think", "50"}, {"about a [third]", "33"}, {"lol [none] of it", "0"}, {"[alles]", "100"},
		{"[none] of the people we asked last summer would say", ""}, {"[40] percent of half", ""},
	} {
		h, seg := marked(listening.Percentage, x.in)
		s := seg.Values[0]
		if got := string(h.shareOf(&percent, h.words, s.From, s.To)); got != x.want {
			t.Errorf("%q is %q, want %q", x.in, got, x.want)
		}
	}
}

func TestWhatIsDeniedIsNotTheValue(t *testing.T) {
	t.Parallel()

	for _, x := range []struct {
		in     string
		denied bool
	}{
		{"the budget is not [85 thousand], it is less", true}, {"the budget is [85 thousand]", false}, {"not today, but [85 thousand]", false},
		{"it isn't [Saturday]", true}, {"kein [Hund]", true}, {"nicht heute, aber [morgen]", false},
	} {
		h, seg := marked(listening.Amount, x.in)
		if got := h.deniedValue(&seg.Values[0]); got != x.denied {
			t.Errorf("in %q it is denied: %t", x.in, got)
		}
	}
}
