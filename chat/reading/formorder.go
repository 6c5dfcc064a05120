package reading

import (
	"slices"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/obligations"
)

// Bounds of what is matched: forms have a few fields, and who answers them says little more.
const (
	mostFields = 6
	mostPieces = 8
)

// inOrder reads the answers to a form that are said one after the other ("March, 20k, 3"): each piece
// of the message goes to the field that it suits best, as a whole and in the order of the fields
// rather than in another.
func (h *heard) inOrder() {
	var fields []*obligations.Obligation
	for _, key := range h.scene.Asked.Keys() {
		if o := h.find(key); o != nil && o.Value == nil {
			fields = append(fields, o)
		}
	}
	pieces := h.pieces()
	if len(fields) < 2 || len(fields) > mostFields || len(pieces) < 2 || len(pieces) > min(len(fields)+1, mostPieces) || !h.terse(pieces) {
		return
	}
	m := matching{suits: make([][]float64, len(fields)), inStep: len(pieces) == len(fields)}
	for i, o := range fields {
		m.suits[i] = make([]float64, len(pieces))
		for k, p := range pieces {
			if !h.told(o.Key) && h.asideIn(p).intent == "" && !h.quotes(h.words[p.from].From, h.words[p.to-1].To) {
				m.suits[i][k] = h.suits(o, p)
			}
		}
	}
	of := m.best()
	if m.answered(of) < 2 && !m.inStep {
		return
	}
	for k, p := range pieces {
		if i := slices.Index(of, k); i >= 0 {
			h.noteInOrder(fields[i], p)
		} else if m.inStep && of[k] < 0 && !h.told(fields[k].Key) {
			h.putAside(fields[k], p)
		}
	}
}

// terse reports whether no piece says much beside an answer: in a sentence a figure may be of anything.
func (h *heard) terse(pieces []wordRange) bool {
	return !slices.ContainsFunc(pieces, func(p wordRange) bool { return h.spelledOut(p) > mostBesideAnswer })
}

// spelledOut is how many words of a stretch are no figure and no part of one.
func (h *heard) spelledOut(p wordRange) int {
	n := h.spoken(p).len()
	for _, f := range h.values.Figures(h.words[p.from:p.to]) {
		n -= f.To - f.From
	}
	return n
}

// mostBesideAnswer is how many words a piece has at most beside its figure.
const mostBesideAnswer = 4

// noteInOrder adds what a piece says to the field that it answers.
func (h *heard) noteInOrder(o *obligations.Obligation, p wordRange) {
	from, to := h.words[p.from].From, h.words[p.to-1].To
	v := h.plain(o.Template, from, to)
	if len(o.Choices) > 0 {
		v = valueRead{value: field.Pick(o.Template, h.choicesSaid(o.Template, from, to), leastSaid), from: from, to: to, sure: 1}
	}
	h.note(o.Key, v, obligations.Tell, 0)
}

// putAside notes that a field is left out, put off or not known where the piece that stands in its
// place says so.
func (h *heard) putAside(o *obligations.Obligation, p wordRange) {
	switch m := h.asideIn(p); m.intent {
	case chat.SkipThis:
		h.add(obligations.Finding{Key: o.Key, Act: obligations.Skip, Skip: m.skip, Reason: skipReasons[m.skip]})
	case chat.Later:
		h.add(obligations.Finding{Key: o.Key, Act: obligations.Defer, Reason: wantsLater})
	case chat.DontKnow:
		h.add(obligations.Finding{Key: o.Key, Act: obligations.Unsure, Reason: notKnown})
	default:
	}
}

// asideIn returns how a piece leaves out, puts off or does not know what was asked; nothing where it
// does not.
func (h *heard) asideIn(p wordRange) mark {
	from, to := h.words[p.from].From, h.words[p.to-1].To
	for _, said := range h.phrases {
		if said.from >= from && said.to <= to {
			return aside(said.mark)
		}
	}
	if seg := h.segmentAt(from); seg != nil && seg.From >= from && h.spelled(to, seg.To) == 0 {
		m, _ := markOf(seg.Act)
		return aside(m)
	}
	return mark{}
}

// aside returns m if it leaves out, puts off or does not know what was asked.
func aside(m mark) mark {
	switch m.intent {
	case chat.SkipThis, chat.Later, chat.DontKnow:
		return m
	default:
		return mark{}
	}
}

// How well a piece suits a field, by what is said in it.
const (
	suitsUnit  = 1.0  // in the field's own unit, or by the words of a choice
	suitsLarge = 0.8  // thousands, for money
	suitsBare  = 0.65 // a figure without a unit
	suitsYear  = 0.2  // a figure that may be a year
	leastSuits = 0.3
	leastSaid  = 0.6 // of a choice
	inPlace    = 0.15
)

// suits returns how well a piece answers a field by what is written in it, 0 to 1.
func (h *heard) suits(o *obligations.Obligation, p wordRange) float64 {
	words := h.words[p.from:p.to]
	from, to := words[0].From, words[len(words)-1].To
	switch {
	case len(o.Choices) > 0:
		if field.Pick(o.Template, h.choicesSaid(o.Template, from, to), leastSaid) != nil {
			return suitsUnit
		}
	case o.Widget == obligations.Date:
		v := h.plain(o.Template, from, to)
		switch {
		case v.value == nil:
		case len(field.Text(v.value)) == len("2006"):
			return suitsLarge
		default:
			return suitsUnit
		}
	case o.Widget == obligations.Number:
		return h.suitsNumber(o, p)
	}
	return 0
}

// suitsNumber is suits for a field that takes a number.
func (h *heard) suitsNumber(o *obligations.Obligation, p wordRange) float64 {
	from, to := h.words[p.from].From, h.words[p.to-1].To
	if h.plain(o.Template, from, to).value == nil {
		return 0
	}
	best := suitsBare // "just me"
	for i, f := range h.values.Figures(h.words[p.from:p.to]) {
		like := suitsBare
		at := wordRange{p.from + f.From, p.from + f.To}
		money := field.Unit(o.Template) == "money"
		year := f.Unit == "" && f.Currency == "" && f.Low == f.High && f.Low >= 1900 && f.Low < 2100 && len(h.words[at.from].Text) == len("2006")
		switch {
		case field.Figure(o.Template, &f) == nil, money && f.Period != "" && field.Period(o.Template) == "":
			like = 0
		case f.Currency != "" || f.Unit != "" && !money || h.hasUnit(o, &f, at, p):
			like = suitsUnit
		case year:
			like = suitsYear
		case money && f.High >= 1000:
			like = suitsLarge
		case money, f.High >= 1000:
			like = leastSuits
		}
		if i == 0 || like > best {
			best = like
		}
	}
	return best
}

// matching finds which piece each field is answered by.
type matching struct {
	suits  [][]float64 // of each field and piece
	inStep bool        // there are as many pieces as fields
}

// answered is how many fields have a piece.
func (m *matching) answered(of []int) int {
	n := 0
	for _, k := range of {
		if k >= 0 {
			n++
		}
	}
	return n
}

// best returns for each field the piece that answers it, -1 for none, so that all suit best together.
func (m *matching) best() []int {
	of := slices.Repeat([]int{-1}, len(m.suits))
	found, top := slices.Clone(of), 0.0
	var try func(i int, sum float64)
	try = func(i int, sum float64) {
		if i == len(of) {
			if sum > top {
				top, found = sum, slices.Clone(of)
			}
			return
		}
		try(i+1, sum)
		for k, like := range m.suits[i] {
			if like < leastSuits || slices.Contains(of[:i], k) {
				continue
			}
			if m.inStep && k == i || !m.inStep && !slices.ContainsFunc(of[:i], func(before int) bool { return before > k }) {
				like += inPlace
			}
			of[i] = k
			try(i+1, sum+like)
			of[i] = -1
		}
	}
	try(0, 0)
	return found
}

// quotes reports whether what is told already rests on words between two bytes.
func (h *heard) quotes(from, to int) bool {
	return slices.ContainsFunc(h.out.Findings, func(f obligations.Finding) bool {
		return f.Evidence.Span != nil && f.Evidence.Span.Start < to && f.Evidence.Span.End > from
	})
}
