package model

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/research/documents"
)

// passageData is a passage of a file as a prompt shows it.
type passageData struct {
	File  string `json:"file"`
	Under string `json:"under,omitempty"` // the headings above it
	Text  string `json:"text"`
}

// passage is a candidate for a prompt.
type passage struct {
	passageData
	place int // among all passages, in reading order
	worth float64
}

// passages returns what a model reads of the files of s, in reading order and at most
// room runes: all of it when that fits, else the beginning of each file and whatever
// has most to do with the obligations that are open.
func passages(s *chat.Scene, room int) []passageData {
	words := openWords(s.Obligations)
	var all []passage
	for _, f := range s.Files {
		kind, _, _ := strings.Cut(f.Type, ";")
		for n, piece := range documents.Pieces(f.Text, kind) {
			text := f.Text[piece.Start:piece.End]
			p := passage{passageData: passageData{chat.Clip(f.Name, limits.LabelRunes), chat.Clip(piece.Heading, limits.LabelRunes), text}, place: len(all)}
			for w := range contentWords(strings.ToLower(piece.Heading + " " + text)) {
				p.worth += words[w]
			}
			if n == 0 {
				p.worth = math.Inf(1)
			}
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b passage) int { return cmp.Compare(b.worth, a.worth) })
	chosen := all[:0]
	for _, p := range all {
		if n := utf8.RuneCountInString(p.Text); n <= room {
			chosen, room = append(chosen, p), room-n
		}
	}
	slices.SortFunc(chosen, func(a, b passage) int { return a.place - b.place })
	var out []passageData
	for _, p := range chosen {
		out = append(out, p.passageData)
	}
	return out
}

// openWords returns the words of the obligations that are open, and what each is
// worth: one over the square root of the number of obligations that have it, so that
// rare words count more without drowning the others.
func openWords(list []obligations.Obligation) map[string]float64 {
	worth := map[string]float64{}
	for i := range list {
		if o := &list[i]; !o.Resolved() {
			for w := range contentWords(names(o) + " " + strings.ToLower(o.Prompt+" "+strings.Join(o.Cues, " "))) {
				worth[w]++
			}
		}
	}
	for w, n := range worth {
		worth[w] = 1 / math.Sqrt(n)
	}
	return worth
}
