package chat

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"quaestor/obligations"
	"quaestor/research/documents"
	"quaestor/sessions"
)

// passageBrief is a stretch of a file as a model reads it.
type passageBrief struct {
	File  string `json:"file"`
	Under string `json:"under,omitempty"` // the headings it stands under
	Text  string `json:"text"`
}

// passage is a stretch of a file on its way into a prompt.
type passage struct {
	file  *sessions.File
	piece documents.Piece
	place int // among all
	worth float64
}

func (p passage) text() string { return p.file.Text[p.piece.Start:p.piece.End] }

// passages returns what a model reads of the files of s: all of it where it is
// short, else the beginning of each file and what bears most on the obligations
// that are open, in the order it stands; at most so many characters.
func passages(s *Scene, most int) []passageBrief {
	all := cutFiles(s.Files)
	weigh(all, s.Obligations)
	slices.SortStableFunc(all, func(a, b passage) int { return cmp.Compare(b.worth, a.worth) })
	kept := all[:0]
	for _, p := range all {
		if n := utf8.RuneCountInString(p.text()); n <= most {
			kept, most = append(kept, p), most-n
		}
	}
	slices.SortFunc(kept, func(a, b passage) int { return a.place - b.place })
	var out []passageBrief
	for _, p := range kept {
		out = append(out, passageBrief{clipped(p.file.Name, limits.LabelRunes), clipped(p.piece.Heading, limits.LabelRunes), p.text()})
	}
	return out
}

func cutFiles(list []sessions.File) []passage {
	var out []passage
	for i := range list {
		kind, _, _ := strings.Cut(list[i].Type, ";")
		for n, piece := range documents.Pieces(list[i].Text, kind) {
			p := passage{file: &list[i], piece: piece, place: len(out)}
			if n == 0 {
				p.worth = math.Inf(1)
			}
			out = append(out, p)
		}
	}
	return out
}

// weigh sets what passages are worth: the words of open obligations in them, rare
// words more than those that many obligations share.
func weigh(list []passage, all []obligations.Obligation) {
	words := map[string]float64{}
	for i := range all {
		if o := &all[i]; !o.Resolved() {
			for w := range telling(names(o) + " " + strings.ToLower(o.Prompt+" "+strings.Join(o.Cues, " "))) {
				words[w]++
			}
		}
	}
	for i := range list {
		for w := range telling(strings.ToLower(list[i].piece.Heading + " " + list[i].text())) {
			if n := words[w]; n > 0 {
				list[i].worth += 1 / math.Sqrt(n)
			}
		}
	}
}

// fileBrief is a file of the turn as a reply speaks of it.
type fileBrief struct {
	Name  string `json:"name"`
	Begun bool   `json:"onlyItsBeginningWasRead,omitempty"`
	Found bool   `json:"answersSomething"`
}

func fileBriefs(s *Scene, p *Plan) []fileBrief {
	var out []fileBrief
	for _, f := range s.Files {
		found := slices.ContainsFunc(p.Understanding.Findings, func(g obligations.Finding) bool { return g.Evidence.File == f.ID })
		out = append(out, fileBrief{clipped(f.Name, limits.LabelRunes), f.Truncated, found})
	}
	return out
}

// ReadIn returns the name of the file of this turn that the value o holds was read
// in; empty when it was not.
func (s *Scene) ReadIn(o *obligations.Obligation) string {
	for _, e := range o.Evidence {
		if e.Kind == obligations.Document && e.Turn == s.Turn && len(s.Files) > 0 {
			return e.Source
		}
	}
	return ""
}
