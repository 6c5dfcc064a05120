package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"quaestor/research/warehouse/catalog"
)

// idOf returns a UUID derived from parts; it differs if any of them does.
func idOf(parts ...string) string {
	var room [256]byte
	sum := sha256.Sum256(appendParts(room[:0], parts...))
	var out [36]byte // the text form of a UUID
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

// appendParts writes parts with their lengths, so that their boundaries matter.
func appendParts(b []byte, parts ...string) []byte {
	for _, p := range parts {
		b = append(append(strconv.AppendInt(b, int64(len(p)), 10), ':'), p...)
	}
	return b
}

// tableID returns the id of a table within its warehouse.
func tableID(schema, name string) string { return idOf("table", schema, name) }

// columnID returns the id of a column; columns with equal name, type and comment share it.
func columnID(c *catalog.Column) string { return idOf("column", c.Name, c.Type, c.Comment) }

// contentHash returns a hash of a table's description: columns, types, keys and comment, but not its
// row count.
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

// flags encodes the properties of a column besides its type.
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

// cleaned returns t with all texts in a form that the database accepts.
func cleaned(t catalog.Table) catalog.Table {
	t.Schema, t.Name, t.Comment = clean(t.Schema), clean(t.Name), clean(t.Comment)
	for i := range t.Columns {
		c := &t.Columns[i]
		c.Name, c.Type, c.Comment = clean(c.Name), clean(c.Type), clean(c.Comment)
	}
	return t
}

// clean returns s as valid UTF-8 without NUL.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}
