package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"quaestor/research/warehouse/catalog"
)

// idOf returns an id that differs when any of the parts does.
func idOf(parts ...string) string {
	var room [256]byte
	sum := sha256.Sum256(appendParts(room[:0], parts...))
	var out [36]byte // as the database writes a uuid
	to := 0
	for i, b := range sum[:16] {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			out[to] = '-'
			to++
		}
		hex.Encode(out[to:], []byte{b})
		to += 2
	}
	return string(out[:])
}

// appendParts writes parts so that their ends can be told.
func appendParts(b []byte, parts ...string) []byte {
	for _, p := range parts {
		b = append(append(strconv.AppendInt(b, int64(len(p)), 10), ':'), p...)
	}
	return b
}

// tableID returns the id of a table of a warehouse.
func tableID(schema, name string) string { return idOf("table", schema, name) }

// columnID returns the id of columns that are alike.
func columnID(c *catalog.Column) string { return idOf("column", c.Name, c.Type, c.Comment) }

// contentHash is of what a table is described by: columns, types, keys and comment.
// The number of its rows is no part of it.
func contentHash(t *catalog.Table) []byte {
	b := appendParts(make([]byte, 0, 32*len(t.Columns)+64), t.Comment)
	for i := range t.Columns {
		c := &t.Columns[i]
		b = appendParts(b, c.Name, c.Type, c.Comment, flags(c))
	}
	for _, f := range t.Foreign {
		b = append(appendParts(appendParts(append(b, '>'), f.Columns...), f.Table), '>')
		b = appendParts(b, f.To...)
	}
	sum := sha256.Sum256(b)
	return sum[:]
}

// flags writes what a column is beside its type.
func flags(c *catalog.Column) string {
	out := ""
	if c.NotNull {
		out = "n"
	}
	if c.Key {
		out += "k"
	}
	return out
}

// cleaned returns t in texts that the database takes.
func cleaned(t catalog.Table) catalog.Table {
	t.Schema, t.Name, t.Comment = clean(t.Schema), clean(t.Name), clean(t.Comment)
	for i := range t.Columns {
		c := &t.Columns[i]
		c.Name, c.Type, c.Comment = clean(c.Name), clean(c.Type), clean(c.Comment)
	}
	return t
}

// clean makes s a text the database takes: valid, without NUL.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}
