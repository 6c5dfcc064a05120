package spoken

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"quaestor/internal/language"
)

// Wanted is what the answer to a question may be.
type Wanted struct {
	Kind     Kind
	Choices  []string // of a Choice: the names of its answers; none for yes or no
	Min, Max *float64 // of a Figure; nil is no bound
	About    string   // what the value is of, such as "people": between transcripts that fit alike, its words decide
	Now      time.Time

	// Held is the value that was read back, and HeldKind what it is; empty where none was. A
	// correction of a part of it is wanted before a yes or a no.
	Held     string
	HeldKind Kind
}

// Choose returns which of several transcripts of the same words is taken: the first of those
// that fit best what is wanted. They come as whatever heard them ranks them, the most likely
// first. It returns 0 for none.
func Choose(tag string, transcripts []string, w Wanted) int {
	best, most := 0, -1
	about := folded(w.About)
	for i, t := range transcripts {
		fit := 2 * w.fit(tag, t)
		if slices.ContainsFunc(folded(t), func(word string) bool { return slices.Contains(about, word) }) {
			fit++
		}
		if fit > most {
			best, most = i, fit
		}
	}
	return best
}

// fit returns how well a transcript fits: 3 for a correction of what was read back, or a yes to it, 2 for a value that is wanted, 1 for one of the
// kind, 0 for none.
func (w Wanted) fit(tag, transcript string) int {
	switch w.Kind {
	case Figure:
		return w.figure(tag, transcript)
	case Date:
		if dates := language.NewReader(tag).Dates(language.Words(transcript), w.Now, language.Ahead); len(dates) > 0 {
			return 2
		}
	case Email:
		if anAddress.MatchString(Written(tag, transcript, Email)) {
			return 2
		}
	case Phone:
		if countDigits(Written(tag, transcript, Phone)) >= leastPhone {
			return 2
		}
	case Identifier:
		if countDigits(Written(tag, transcript, Identifier)) > 0 {
			return 1
		}
	case Choice:
		if yes, clear := YesOrNo(transcript); w.Held != "" && yes && clear {
			return 3
		}
		if _, ok := Corrected(tag, w.Held, transcript, w.HeldKind); ok && w.Held != "" {
			return 3
		}
		return w.choice(transcript)
	case Prose, Name, Address:
	}
	return 0
}

var anAddress = regexp.MustCompile(`[^\s@]+@[^\s@]+\.\pL{2,}`)

// leastPhone is how many digits a number has that is called from elsewhere.
const leastPhone = 6

func countDigits(s string) int {
	n := 0
	for _, r := range s {
		if r >= '0' && r <= '9' {
			n++
		}
	}
	return n
}

func (w Wanted) figure(tag, transcript string) int {
	figures := language.NewReader(tag).Figures(language.Words(transcript))
	if len(figures) == 0 {
		return 0
	}
	for _, f := range figures {
		if w.Min != nil && f.Low < *w.Min || w.Max != nil && f.High > *w.Max {
			return 1
		}
	}
	return 2
}

// choice looks for the name of an answer, or for yes or no.
func (w Wanted) choice(transcript string) int {
	said := " " + strings.Join(folded(transcript), " ") + " "
	for _, c := range w.Choices {
		if strings.Contains(said, " "+strings.Join(folded(c), " ")+" ") {
			return 2
		}
	}
	for _, word := range folded(transcript) {
		if language.IsWord("yes", word) || language.IsWord("no", word) {
			return 2 - min(len(w.Choices), 1)
		}
	}
	return 0
}

// folded returns the words of a text, folded.
func folded(text string) []string {
	var out []string
	for _, w := range language.Words(text) {
		if f := language.Fold(w.Text); strings.Trim(f, ".,;:!?-") != "" {
			out = append(out, f)
		}
	}
	return out
}
