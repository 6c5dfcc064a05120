package catalog

import (
	"slices"
	"strconv"
	"strings"

	"quaestor/internal/language"
)

// maxColumns is how many columns of a table are described one by one. The others are listed
// with their types on one line.
const maxColumns = 50

// Describe returns the detailed description of table i: its name and row count, a line for each
// column, its joins, and its samples.
func (x *Index) Describe(i int) string {
	t := &x.tables[i]
	b := append(appendRef([]byte("## "), t), " ("...)
	b = append(appendRows(b, t.Rows), " rows)\n"...)
	if t.Comment != "" {
		b = append(append(b, language.OneLine(t.Comment)...), '\n')
	}
	for c := range t.Columns[:min(len(t.Columns), maxColumns)] {
		b = t.Columns[c].append(b, x.roles(i, &t.Columns[c]))
	}
	if rest := t.Columns[min(len(t.Columns), maxColumns):]; len(rest) > 0 {
		b = appendRest(b, rest)
	}
	for _, j := range x.Joins(i) {
		b = append(b, strings.Join(j.Columns, ", ")+" "+j.arrow()+j.Table+" ("+strings.Join(j.To, ", ")+")\n"...)
	}
	return string(appendSamples(b, t))
}

// append writes a column: name, type, whether it may be null, roles, distinct values, comment.
func (c *Column) append(b []byte, roles []string) []byte {
	b = append(append(append(append(b, "- "...), c.Name...), ' '), c.Type...)
	if c.NotNull {
		b = append(b, " NOT NULL"...)
	}
	if len(roles) > 0 {
		b = append(append(append(b, " ["...), strings.Join(roles, "|")...), ']')
	}
	if c.Distinct > 0 {
		b = append(append(append(b, ", "...), appendRows(nil, c.Distinct)...), " distinct"...)
	}
	if c.Comment != "" {
		b = append(append(b, ": "...), language.OneLine(c.Comment)...)
	}
	return append(b, '\n')
}

// roles returns the roles that a column may play in a query.
func (x *Index) roles(i int, c *Column) []string {
	switch {
	case c.Key:
		return []string{"primary_key"}
	case slices.ContainsFunc(x.Joins(i), func(j Join) bool { return slices.Contains(j.Columns, c.Name) }):
		return []string{"foreign_key"}
	}
	switch kind := family(c.Type); {
	case strings.HasPrefix(kind, "time"), strings.HasPrefix(kind, "date"):
		return []string{"time"}
	case (kind == "number" || kind == "double" || kind == "float" || kind == "real" || kind == "money") && reference(c.Name) == "" && !strings.EqualFold(c.Name, "id"):
		return []string{"metric"}
	case kind == "text", strings.HasPrefix(kind, "bool"), strings.HasPrefix(kind, "enum"):
		return []string{"dimension"}
	}
	return nil
}

// appendRest lists the columns that are not described one by one.
func appendRest(b []byte, rest []Column) []byte {
	b = strconv.AppendInt(append(b, "- and "...), int64(len(rest)), 10)
	b = append(b, " more: "...)
	for i := range rest {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(append(append(b, rest[i].Name...), ' '), rest[i].Type...)
	}
	return append(b, '\n')
}

// appendSamples writes the sample rows of a table.
func appendSamples(b []byte, t *Table) []byte {
	if len(t.Samples) == 0 {
		return b
	}
	b = append(b, "Samples:\n"...)
	for _, row := range t.Samples {
		for c, cell := range row[:min(len(row), maxColumns)] {
			if c > 0 {
				b = append(b, " | "...)
			}
			b = append(b, cellText(cell)...)
		}
		b = append(b, '\n')
	}
	return b
}

// maxSample is how many characters of a sample cell are shown.
const maxSample = 80

// cellText returns a cell on one line, cut at maxSample characters.
func cellText(s string) string {
	return language.Clip(language.OneLine(s), maxSample)
}
