package chat

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// hear cuts a text into pieces and returns what goes out at once, and what is held back.
func hear(t interface{ Fatal(...any) }, pieces []string, check func(string) error) (out, held string, asked []string, err error) {
	var b strings.Builder
	s := &speech{check: check, say: func(text string) error { b.WriteString(text); return nil }}
	for _, p := range pieces {
		if err := s.add(p); err != nil {
			return b.String(), "", s.asked, err
		}
	}
	if err := s.end(); err != nil {
		return b.String(), "", s.asked, err
	}
	if b.String() != s.text.String() {
		t.Fatal("what went out is not what the speech remembers")
	}
	return b.String(), strings.Join(s.held, ""), s.asked, nil
}

func TestSpeechHoldsQuestionsBack(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ said, out, held string }{
		{"Bread, then. How many work there?", "Bread, then. ", "How many work there?"},
		{"Bread, then. No hurry. How many work there? Take your time.", "Bread, then. No hurry. ", "How many work there? Take your time."},
		{"How many work there?", "", "How many work there?"},
		{"What a day. How many work there?", "What a day. ", "How many work there?"},
		{"Wie viele arbeiten dort?", "", "Wie viele arbeiten dort?"},
		{"Das klingt gut.\n\nWie viele arbeiten dort?", "Das klingt gut.\n", "\nWie viele arbeiten dort?"},
		{"You sell bread?", "You sell bread?", ""}, // seen too late
		{"Thank you", "Thank you", ""},
		{"It costs 3.50 a loaf. Good.", "It costs 3.50 a loaf. Good.", ""},
		{"  \n Thank you.", "Thank you.", ""},
	} {
		if out, held, _, err := hear(t, []string{tt.said}, nil); strings.TrimSpace(out) != strings.TrimSpace(tt.out) || strings.TrimSpace(held) != strings.TrimSpace(tt.held) || err != nil {
			t.Errorf("%q says %q and holds %q back (%v), want %q, %q", tt.said, out, held, err, tt.out, tt.held)
		}
	}
}

// However a reply is cut into pieces, the same goes out.
func TestSpeechDoesNotDependOnThePieces(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"Bread", "so", "what", "Was", "is", "that.", "Good!", "really?", "\n\n", "3.5", "Dr.", "ok…", "¿Y", "ya"}), 1, 12).Draw(t, "words")
		text := strings.Join(words, " ")
		var pieces []string
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			for n < len(rest) && rest[n]&0xC0 == 0x80 {
				n++
			}
			pieces = append(pieces, rest[:n])
			rest = rest[n:]
		}
		out, held, asked, _ := hear(t, pieces, nil)
		whole, wholeHeld, _, _ := hear(t, []string{text}, nil)
		if strings.TrimSpace(out+held) != strings.TrimSpace(whole+wholeHeld) {
			t.Fatalf("in pieces %q: %q and %q; at once: %q and %q", pieces, out, held, whole, wholeHeld)
		}
		if len(asked) > 1 {
			t.Fatalf("%d questions went out: %q", len(asked), asked)
		}
	})
}

// A statement that is not fit is left out, unless it has begun to go out.
func TestSpeechLeavesOutWhatIsNotFit(t *testing.T) {
	t.Parallel()

	unfit := errors.New("not fit")
	check := func(s string) error {
		if strings.Contains(s, "bad") {
			return unfit
		}
		return nil
	}
	if out, _, _, err := hear(t, []string{"Good. A bad thing. ", "Better."}, check); out != "Good. Better." || err != nil {
		t.Errorf("said %q, %v", out, err)
	}
	if _, _, _, err := hear(t, []string{"A bad thing. Better."}, check); err != nil {
		t.Errorf("a whole first sentence that is not fit: %v", err)
	}
	if _, _, _, err := hear(t, []string{"A b", "ad thing. Better."}, check); !errors.Is(err, unfit) {
		t.Errorf("a first sentence that had begun: %v, want that the reply is given up", err)
	}
}
