package insight

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/builtin"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
)

// Asker runs a statement, given what it is for in a clause, and returns all of its rows up to
// the limits of the warehouse.
type Asker func(ctx context.Context, purpose, sql string) (*warehouse.Result, error)

// Finder finds effects. It is safe for concurrent use; tables that several others refer to are
// looked at once. Use NewFinder.
type Finder struct {
	sql     builtin.Pieces
	dialect guard.Dialect
	catalog *catalog.Index
	ask     Asker
	defined []Definition
	spread  int // among how many tables a discovery may be a false one

	mu     sync.Mutex
	tables map[int]*table
}

// NewFinder returns a finder over the tables of a catalog. tables is how many of them will be
// searched, at least 1: the more there are, the stronger an effect has to be. Measures that an
// organisation has defined take the place of those that would be made of the same columns.
func NewFinder(d guard.Dialect, x *catalog.Index, tables int, ask Asker, defined ...Definition) *Finder {
	return &Finder{defined: defined, dialect: d, sql: builtin.PiecesOf(d), catalog: x, ask: ask, spread: max(tables, 1), tables: map[int]*table{}}
}

// The bounds of a profile.
const (
	maxColumns    = 80     // of one table that are looked at
	sampledRows   = 20_000 // from which the number of values of a column is estimated
	sampleColumns = 24     // of one statement over a sample
	fullColumns   = 14     // of one statement over all rows
	maxValues     = 400    // of a dimension
	leastRows     = 200    // of a table that is searched
)

// table is what is known of a table.
type table struct {
	once sync.Once
	err  error

	i           int
	ref, quoted string
	name, say   string
	noun        string // its records in the plural
	cols        []*column
	joins       []edge
	rows        int64
	left        []string // what was left out by plan and why, in sentences
	missed      []string // what could not be read and why, in sentences
}

// edge is a way to another table by one column.
type edge struct {
	from     *column
	to       int // in the catalog
	key      string
	declared bool
}

// column is what is known of a column.
type column struct {
	name, quoted, say string
	pattern           string // of what is read, with %s for the quoted column; empty for the column itself
	unit              string // what its name says that it is counted in, such as km; empty for nothing
	typ               string
	role              builtin.Role
	key               bool

	values    int // different ones in a sample
	filled    float64
	total     float64
	low, high float64
	ranged    bool
	from, to  time.Time // of a time
	timed     bool      // its type has times of day
	hours     bool      // its values have
	spoilt    bool      // what is asked of it fails

	iso         float64 // rows of a text that begin with an ISO date
	first, last string  // least and greatest value of what codes a time
}

// at is what is read of a column, given what stands in front of its name: empty, or an alias and a point.
func (c *column) at(alias string) string {
	if c.pattern == "" {
		return alias + c.quoted
	}
	return strings.ReplaceAll(c.pattern, "%s", alias+c.quoted)
}

// table returns a table with its profile, which is asked for once.
func (f *Finder) table(ctx context.Context, i int) (*table, error) {
	f.mu.Lock()
	t := f.tables[i]
	if t == nil {
		t = f.newTable(i)
		f.tables[i] = t
	}
	f.mu.Unlock()
	t.once.Do(func() { t.err = f.profile(ctx, t) })
	return t, t.err
}

// newTable returns what the catalog says of a table.
func (f *Finder) newTable(i int) *table {
	c := f.catalog.Table(i)
	t := &table{i: i, ref: c.Ref(), name: c.Name, say: builtin.Said(c.Name), quoted: f.sql.Quote(c.Name)}
	t.noun = recordsOf(t.say)
	if c.Schema != "" {
		t.quoted = f.sql.Quote(c.Schema) + "." + t.quoted
	}
	joins := f.catalog.Joins(i)
	for k := range c.Columns {
		of := &c.Columns[k]
		refers := slices.ContainsFunc(joins, func(j catalog.Join) bool { return slices.Contains(j.Columns, of.Name) })
		say, unit := builtin.Measured(of.Name)
		t.cols = append(t.cols, &column{name: of.Name, quoted: f.sql.Quote(of.Name), say: say, unit: unit, typ: of.Type, key: of.Key, timed: builtin.Timed(of.Type),
			role: builtin.RoleOf(of.Name, of.Type, of.Key, refers, c.Name)})
	}
	if len(t.cols) > maxColumns {
		slices.SortStableFunc(t.cols, func(a, b *column) int { return promise(a) - promise(b) })
		t.left = append(t.left, fmt.Sprintf("%s has %d columns, of which the %d that promise most were looked at.", t.ref, len(t.cols), maxColumns))
		t.cols = t.cols[:maxColumns]
	}
	for _, j := range joins {
		to, ok, _ := f.catalog.Find(j.Table)
		if len(j.Columns) != 1 || len(j.To) != 1 || !ok || to == i {
			continue
		}
		if from := t.column(j.Columns[0]); from != nil {
			t.joins = append(t.joins, edge{from, to, j.To[0], j.Declared})
		}
	}
	return t
}

// promise orders columns, those first that may be used most.
func promise(c *column) int {
	switch c.role {
	case builtin.Moment:
		return 0
	case builtin.Amount, builtin.Dimension, builtin.Flag:
		return 1
	case builtin.Level, builtin.Ratio, builtin.Code, builtin.Identifier:
		return 2
	default:
		return 3
	}
}

// column returns the column called name, nil if there is none.
func (t *table) column(name string) *column {
	for _, c := range t.cols {
		if strings.EqualFold(c.name, name) {
			return c
		}
	}
	return nil
}

// profile asks for the rows of a table and for what its columns hold.
func (f *Finder) profile(ctx context.Context, t *table) error {
	if err := f.documents(ctx, t); err != nil {
		return err
	}
	asked := slices.DeleteFunc(slices.Clone(t.cols), func(c *column) bool { return c.role == builtin.Unused })
	for some := range slices.Chunk(asked, sampleColumns) {
		if err := f.sample(ctx, t, some); err != nil {
			return err
		}
	}
	if len(asked) == 0 {
		asked = t.cols[:min(1, len(t.cols))]
	}
	var last error
	for some := range slices.Chunk(asked, fullColumns) {
		if err := f.full(ctx, t, some); err != nil {
			last = err
		}
	}
	if t.rows == 0 && last != nil {
		return fmt.Errorf("profile %s: %w", t.ref, last)
	}
	for _, c := range t.cols {
		f.decode(c)
		if c.role == builtin.Level && builtin.Whole(c.typ) && float64(c.values) >= 0.99*float64(min(t.rows, sampledRows)) && t.rows > 100 {
			c.role = builtin.Identifier // whole numbers, each once
		}
	}
	return nil
}

// sample estimates how many values columns have. Columns that cannot be asked for are left out.
func (f *Finder) sample(ctx context.Context, t *table, cols []*column) error {
	var inner, list []string
	for _, c := range cols {
		x := c.quoted
		if c.pattern != "" {
			x = fmt.Sprintf("k%d", len(list))
			inner = append(inner, c.at("")+" AS "+x)
		} else {
			inner = append(inner, x)
		}
		list = append(list, fmt.Sprintf("COUNT(DISTINCT %s) AS a%d", x, len(list)))
	}
	r, err := f.query(ctx, "how many values the columns of "+t.ref+" have", "SELECT "+strings.Join(list, ", ")+"\nFROM ("+f.sql.Some(inner, t.quoted, sampledRows)+") AS part")
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && len(cols) > 1 {
		half := len(cols) / 2
		return errors.Join(f.sample(ctx, t, cols[:half]), f.sample(ctx, t, cols[half:]))
	}
	for i, c := range cols {
		c.spoilt = err != nil
		if err == nil && r.Rows > 0 {
			c.values = int(r.number(0, i))
		}
	}
	return nil
}

// full asks for what columns hold over all rows. If that fails it asks for half of them at a time.
func (f *Finder) full(ctx context.Context, t *table, cols []*column) error {
	list := []string{"COUNT(*) AS a0"}
	learn := []func(rows){func(r rows) { t.rows = int64(r.number(0, 0)) }}
	add := func(x string, f func(r rows, col int)) {
		at := len(list)
		list, learn = append(list, fmt.Sprintf("%s AS a%d", x, at)), append(learn, func(r rows) { f(r, at) })
	}
	for _, c := range cols {
		if c.spoilt {
			continue
		}
		x := c.at("")
		add("COUNT("+x+")", func(r rows, at int) { c.filled = r.number(0, at) })
		switch c.role {
		case builtin.Moment:
			add("MIN("+x+")", func(r rows, at int) { c.from, _ = r.time(0, at) })
			add("MAX("+x+")", func(r rows, at int) {
				c.to, _ = r.time(0, at)
				c.hours = !c.to.Equal(dayOf(c.to)) || !c.from.Equal(dayOf(c.from))
			})
		case builtin.Coded:
			if builtin.TextType(c.typ) {
				add(f.sql.ISODated(x), func(r rows, at int) { c.iso = r.number(0, at) })
			}
			add("MIN("+x+")", func(r rows, at int) { c.first, c.low = r.text(0, at), r.number(0, at) })
			add("MAX("+x+")", func(r rows, at int) { c.last, c.high = r.text(0, at), r.number(0, at) })
		case builtin.Amount, builtin.Level, builtin.Ratio, builtin.Code:
			if builtin.TextType(c.typ) {
				break
			}
			add("MIN("+x+")", func(r rows, at int) { c.low, c.ranged = r.numberOK(0, at) })
			add("MAX("+x+")", func(r rows, at int) { c.high = r.number(0, at) })
			add("SUM("+f.sql.Float(x)+")", func(r rows, at int) { c.total = r.number(0, at) })
		}
	}
	r, err := f.query(ctx, "rows, completeness and ranges of "+t.ref, "SELECT "+strings.Join(list, ",\n       ")+"\nFROM "+t.quoted)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		if len(cols) > 1 {
			half := len(cols) / 2
			if first := f.full(ctx, t, cols[:half]); first != nil && t.rows == 0 {
				return first // one column is too much already: the table cannot be read in time
			}
			return f.full(ctx, t, cols[half:])
		}
		cols[0].spoilt = true
		t.missed = append(t.missed, fmt.Sprintf("Column %s of %s could not be read: %s.", cols[0].name, t.ref, short(err)))
		return err
	}
	for _, take := range learn {
		take(r)
	}
	return nil
}

// query asks the warehouse.
func (f *Finder) query(ctx context.Context, purpose, sql string) (rows, error) {
	r, err := f.ask(ctx, purpose, sql)
	if err != nil {
		return rows{}, err
	}
	if r == nil {
		return rows{}, errors.New("the warehouse answered with nothing")
	}
	return rows{r}, nil
}

// short is the beginning of an error.
func short(err error) string {
	s := err.Error()
	var q *warehouse.QueryError
	if errors.As(err, &q) {
		s = q.Message
	}
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 120 {
		s = string(r[:120]) + "…"
	}
	return strings.TrimRight(s, ".")
}

// joinable reports whether column key of t is filled and different in every row, so that a join
// by it repeats no row.
func (f *Finder) joinable(ctx context.Context, t *table, key string, declared bool) bool {
	c := t.column(key)
	if c == nil {
		return false
	}
	if declared || c.key && !slices.ContainsFunc(t.cols, func(o *column) bool { return o.key && o != c }) {
		return true
	}
	r, err := f.query(ctx, "whether "+key+" tells the rows of "+t.ref+" apart", "SELECT COUNT("+c.quoted+") AS a0, COUNT(DISTINCT "+c.quoted+") AS a1\nFROM "+t.quoted)
	return err == nil && r.Rows == 1 && r.number(0, 0) > 0 && r.number(0, 0) == r.number(0, 1)
}
