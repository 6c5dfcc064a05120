package audio

import (
	"strings"
	"time"
	"unicode"
)

// Lengths of what is said, in syllables. A syllable of English takes about 200 ms, and
// consonants beyond the first two of it make it longer; the pauses are those that flite
// makes after marks.
const (
	perSyllable  = 1.0
	perConsonant = 0.22
	commaPause   = 0.9
	stopPause    = 1.6
)

// Played returns the beginning of text that was heard when played of total was played: all
// words that were heard to their end. A word that was cut off does not count. Before the
// beginning that is nothing, and from the end on it is all of text.
//
// No voice tells when it says which word, so that is estimated: each word takes the part of
// total that its syllables and consonants have in the text, and the pause after a mark counts
// to the word before it, whose end is heard without.
func Played(text string, total, played time.Duration) string {
	if played >= total {
		return text
	}
	whole := 0.0
	for _, w := range timed(text) {
		whole += w.length + w.pause
	}
	reached, end := whole*float64(max(played, 0))/float64(total), 0
	before := 0.0
	for _, w := range timed(text) {
		if before+w.length > reached {
			break
		}
		end, before = w.end, before+w.length+w.pause
	}
	return text[:end]
}

// timedWord is a word with what follows it up to the next space.
type timedWord struct {
	end           int // byte of the text
	length, pause float64
}

// timed returns the words of a text with how long they take.
func timed(text string) []timedWord {
	var out []timedWord
	at := 0
	for word := range strings.FieldsSeq(text) {
		at += strings.Index(text[at:], word) + len(word)
		w := timedWord{end: at, length: wordLength(word)}
		switch last := strings.TrimRight(word, `"'”’)»“`); {
		case strings.HasSuffix(last, ",") || strings.HasSuffix(last, ";") || word == "–":
			w.pause = commaPause
		case strings.ContainsAny(last[max(len(last)-1, 0):], ".?!:") || strings.HasSuffix(last, "…"):
			w.pause = stopPause
		}
		out = append(out, w)
	}
	if len(out) > 0 {
		out[len(out)-1].pause = 0 // the end of the sound
	}
	return out
}

// wordLength estimates how long a word takes, in syllables. A digit is said as a word.
func wordLength(word string) float64 {
	syllables, consonants, vowel := 0, 0, false
	runes := []rune(strings.ToLower(word))
	for i, r := range runes {
		switch {
		case unicode.IsDigit(r):
			syllables, vowel = syllables+1, false
		case strings.ContainsRune("aeiouyäöüàâéèêëîïôùûáíóúå", r):
			silent := r == 'e' && i == len(runes)-1 && syllables > 0 // "like"
			if !vowel && !silent {
				syllables++
			}
			vowel = true
		case unicode.IsLetter(r):
			consonants, vowel = consonants+1, false
		}
	}
	if syllables == 0 && consonants == 0 {
		return 0
	}
	return perSyllable*float64(max(syllables, 1)) + perConsonant*float64(consonants)
}
