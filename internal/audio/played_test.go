package audio

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPlayed(t *testing.T) {
	t.Parallel()

	const text = "Thank you, Peter. How many people work there?"
	for played, want := range map[time.Duration]string{
		-1 * time.Second: "", 0: "", 100 * ms: "", 3 * time.Second: text, 4 * time.Second: text,
		2900 * ms: "Thank you, Peter. How many people work",
	} {
		if got := Played(text, 3*time.Second, played); got != want {
			t.Errorf("after %s of 3 s: %q, want %q", played, got, want)
		}
	}
	if got := Played("", time.Second, 500*ms); got != "" {
		t.Errorf("of nothing: %q", got)
	}
	if got := Played("  Ja.  ", 0, 0); got != "  Ja.  " {
		t.Errorf("of a sentence without sound: %q", got)
	}
}

// What was heard grows with time, word by word, and is always a beginning of the text.
func TestPlayedGrows(t *testing.T) {
	t.Parallel()

	text := "Wie viele Leute arbeiten dort – ungefähr? Im Jahr 2024 waren es 150, sagten Sie …"
	before := ""
	for played := time.Duration(0); played <= 6*time.Second; played += 10 * ms {
		got := Played(text, 6*time.Second, played)
		if !strings.HasPrefix(text, got) || !strings.HasPrefix(got, before) || len(strings.Fields(got)) > len(strings.Fields(before))+2 {
			t.Fatalf("after %s %q, before %q", played, got, before)
		}
		before = got
	}
	if before != text {
		t.Errorf("at the end: %q", before)
	}
}

// The ends of words are estimated within a word's length of where flite has them.
func TestPlayedAgreesWithAVoice(t *testing.T) {
	t.Parallel()

	var off []time.Duration
	for _, text := range []string{
		"Thank you, that helps. How many people work in your company today?",
		"You said that six hundred euros a month would be possible, is that right?",
		"Let us talk about your customers: who buys these machines, and why do they choose you?",
	} {
		whole := spoken(t, text)
		words := strings.Fields(text)
		for n := 1; n < len(words); n++ {
			beginning := Duration(len(spoken(t, strings.Join(words[:n], " "))), Rate)
			// A sentence that ends is slower than one that goes on, so words are compared.
			heard := len(strings.Fields(Played(text, Duration(len(whole), Rate), beginning)))
			off = append(off, time.Duration(heard-n))
		}
	}
	slices.Sort(off)
	near := 0
	for _, n := range off {
		if n >= -1 && n <= 1 {
			near++
		}
	}
	t.Logf("within one word: %d of %d; from %d to %d", near, len(off), off[0], off[len(off)-1])
	if near*10 < len(off)*9 {
		t.Errorf("only %d of %d are within one word", near, len(off))
	}
}
