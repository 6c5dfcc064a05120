package insight

import (
	"slices"
	"strings"
)

// Proof is a statement that shows what a headline says: one row, whose first column, [FigureColumn], has the first
// figure of the headline. The others have the figures that it is held against, and the main one.
type Proof struct {
	SQL     string
	Columns []string
	Figures []Figure // in the order of Columns
}

// ProofColumn is the column of a proof that has a figure, unless it is the first.
func ProofColumn(id string) string { return "figure_" + id }

// Proof returns what shows the headline of an insight: its figures, as far as one statement computes them. A headline
// without figures is shown by the main one. It is false for an insight without figures.
func (i *Insight) Proof() (Proof, bool) {
	main, ok := i.Main()
	if !ok {
		return Proof{}, false
	}
	list := i.headlined()
	if !slices.ContainsFunc(list, func(f Figure) bool { return f.ID == main.ID }) {
		list = append(list, main)
	}
	expr, from, whole := list[0].parts()
	out := Proof{SQL: list[0].SQL, Columns: []string{FigureColumn}, Figures: list[:1]}
	if !whole {
		return out, true
	}
	exprs := []string{expr + " AS " + FigureColumn}
	for _, f := range list[1:] {
		if x, rest, ok := f.parts(); ok && rest == from {
			column := ProofColumn(f.ID)
			exprs, out.Columns, out.Figures = append(exprs, x+" AS "+column), append(out.Columns, column), append(out.Figures[:len(out.Figures):len(out.Figures)], f)
		}
	}
	out.SQL = "SELECT " + strings.Join(exprs, ",\n       ") + from
	return out, true
}

// headlined returns the figures of the headline, in its order.
func (i *Insight) headlined() []Figure {
	var out []Figure
	for _, id := range placeholdersOf(i.Headline) {
		at := slices.IndexFunc(i.Figures, func(f Figure) bool { return f.ID == id })
		if at >= 0 && !slices.ContainsFunc(out, func(f Figure) bool { return f.ID == id }) {
			out = append(out, i.Figures[at])
		}
	}
	return out
}

// parts divides the statement of a figure into what it computes and what it computes that from, which begins a line.
func (f *Figure) parts() (expr, from string, ok bool) {
	expr, ok = strings.CutPrefix(f.SQL, "SELECT ")
	if !ok {
		return "", "", false
	}
	expr, from, ok = strings.Cut(expr, " AS "+FigureColumn+"\nFROM ")
	return expr, "\nFROM " + from, ok && !strings.Contains(expr, "\n")
}
