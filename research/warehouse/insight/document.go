package insight

import (
	"cmp"
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"quaestor/research/warehouse/builtin"
)

// The bounds of what is read of documents.
const (
	sampledDocuments = 500
	maxDocuments     = 4    // columns of a table
	maxKeys          = 12   // of a column, those that most documents have
	leastKeyed       = 0.05 // of the documents that have a key
)

// documents adds the keys of documents as columns of their own: JSON, and texts whose names say that they may be. What
// keys there are is seen in a sample.
func (f *Finder) documents(ctx context.Context, t *table) error {
	var found []*column
	read := 0
	for _, c := range t.cols {
		if read == maxDocuments || !builtin.Document(c.typ) && !(builtin.TextType(c.typ) && builtin.MayBeDocument(c.name)) {
			continue
		}
		read++
		x := "part." + c.quoted
		r, err := f.query(ctx, "what keys the documents in "+c.name+" of "+t.ref+" have", "SELECT "+f.sql.AsText(x)+" AS a0\nFROM ("+f.sql.Some([]string{c.quoted}, t.quoted, sampledDocuments)+") AS part")
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			continue
		}
		if keys := f.keys(t, c, r); len(keys) > 0 {
			found = append(found, keys...)
			c.role = builtin.Unused // as a whole it says nothing
		}
	}
	t.cols = append(t.cols, found[:min(len(found), max(maxColumns-len(t.cols), 0))]...)
	return nil
}

// keyed is what the values of a key are.
type keyed struct {
	path                      []string
	n, texts, numbers, broken int // broken are lists and documents
	dates, truths, whole      int
	longest                   int
}

// keys returns the keys of sampled documents as columns.
func (f *Finder) keys(t *table, of *column, r rows) []*column {
	known := map[string]*keyed{}
	documents := 0
	for row := range r.Rows {
		var doc map[string]any
		if r.null(row, 0) || json.Unmarshal([]byte(r.text(row, 0)), &doc) != nil {
			continue
		}
		documents++
		learn(known, nil, doc)
	}
	all := make([]*keyed, 0, len(known))
	for _, name := range sortedKeys(known) {
		if k := known[name]; k.broken == 0 && float64(k.n) >= leastKeyed*float64(documents) && k.longest <= 80 {
			all = append(all, k)
		}
	}
	slices.SortStableFunc(all, func(a, b *keyed) int { return cmp.Compare(b.n, a.n) })
	var out []*column
	for _, k := range all[:min(len(all), maxKeys)] {
		number := k.numbers == k.n
		last := k.path[len(k.path)-1]
		say, unit := builtin.Measured(last)
		if slices.ContainsFunc(t.cols, func(c *column) bool { return c.say == say }) {
			say = of.say + " " + say
		}
		c := &column{name: of.name + "." + strings.Join(k.path, "."), quoted: of.quoted, say: say, unit: unit, typ: "text", pattern: f.sql.Key("%s", k.path, number)}
		switch {
		case number && k.whole == k.n:
			c.typ = "bigint"
		case number:
			c.typ = "double precision"
		}
		c.role = builtin.RoleOf(last, c.typ, false, false, t.name)
		switch {
		case k.dates == k.n:
			c.role = builtin.Coded
		case k.truths == k.n:
			c.role = builtin.Dimension
		}
		out = append(out, c)
	}
	return out
}

// isoDated matches texts that begin with a date.
var isoDated = regexp.MustCompile(`^\d{4}-[01]\d-[0-3]\d($|[T ])`)

// learn notes what the keys of a document hold, and those of documents within it.
func learn(known map[string]*keyed, path []string, doc map[string]any) {
	for key, v := range doc {
		if !builtin.PlainKey(key) {
			continue
		}
		at := append(slices.Clone(path), key)
		if inner, ok := v.(map[string]any); ok && len(path) == 0 {
			learn(known, at, inner)
			continue
		}
		if v == nil {
			continue
		}
		name := strings.Join(at, ".")
		if known[name] == nil {
			known[name] = &keyed{path: at}
		}
		k := known[name]
		k.n++
		switch v := v.(type) {
		case string:
			k.texts++
			k.longest = max(k.longest, len(v))
			if isoDated.MatchString(v) {
				k.dates++
			}
		case float64:
			k.numbers++
			if v == float64(int64(v)) {
				k.whole++
			}
		case bool:
			k.truths++
		default:
			k.broken++
		}
	}
}

// decode makes a time of a column that codes one in a number or a text, if its values do.
func (f *Finder) decode(c *column) {
	if c.role != builtin.Coded || c.spoilt || c.filled == 0 {
		return
	}
	text := builtin.TextType(c.typ)
	if text && c.iso < c.filled {
		c.role = builtin.Prose
		return
	}
	x, ok := f.sql.Instant(c.at("%s"), c.typ, c.low, c.high)
	if !ok {
		return
	}
	x = strings.ReplaceAll(x, "%s"+c.quoted, "%s")
	if text {
		c.from, c.to = isoTime(c.first), isoTime(c.last)
	} else {
		k, _ := f.sql.Clock(c.quoted, c.typ, c.low, c.high)
		c.from, c.to = k.Time(c.low), k.Time(c.high)
		c.hours = !c.from.Equal(dayOf(c.from)) || !c.to.Equal(dayOf(c.to))
		c.timed = c.hours
	}
	if c.from.IsZero() || c.to.IsZero() {
		return
	}
	c.pattern, c.role = x, builtin.Moment
}

// isoTime is the day with which a text begins; zero for none.
func isoTime(s string) time.Time {
	t, _ := time.Parse(time.DateOnly, s[:min(len(s), len(time.DateOnly))])
	return t
}
