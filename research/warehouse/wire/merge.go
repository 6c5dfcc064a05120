package wire

import "quaestor/research/warehouse/catalog"

// Merger assigns columns and foreign keys to their tables and passes the tables on, in the order
// in which they and their columns arrive. A table without columns (a view of something that was
// dropped) is passed on without them. Only table-level facts are held in memory; columns stream
// through. Its zero value with Found is ready. It is used for one listing and is not safe for
// concurrent use.
type Merger struct {
	Found func(catalog.Table) error

	tables  []catalog.Table
	passed  int // tables before this index were passed on
	at      map[tableName]int
	foreign map[foreignName]int // index in its table of a foreign key whose columns are arriving
	stopped error               // the error of Found
}

// tableName identifies a table.
type tableName struct{ schema, name string }

// foreignName identifies a foreign key.
type foreignName struct {
	table tableName
	key   string
}

// Table adds a table. All tables must be added before the first column.
func (m *Merger) Table(t catalog.Table) {
	if m.at == nil {
		m.at, m.foreign = map[tableName]int{}, map[foreignName]int{}
	}
	m.at[tableName{t.Schema, t.Name}] = len(m.tables)
	m.tables = append(m.tables, t)
}

// Foreign adds one column of a foreign key. The columns of a key must come in order, and
// before the first column of any table.
func (m *Merger) Foreign(schema, name, key, column, table, to string) {
	where := tableName{schema, name}
	i, ok := m.at[where]
	if !ok {
		return
	}
	t := &m.tables[i]
	n, begun := m.foreign[foreignName{where, key}]
	if !begun {
		n = len(t.Foreign)
		m.foreign[foreignName{where, key}] = n
		t.Foreign = append(t.Foreign, catalog.Foreign{Table: table})
	}
	f := &t.Foreign[n]
	f.Columns, f.To = append(f.Columns, column), append(f.To, to)
}

// Column adds a column to its table and passes on the tables before that. A column of an
// unknown table, or of one already passed on, is ignored.
func (m *Merger) Column(schema, name string, c catalog.Column) error {
	i, ok := m.at[tableName{schema, name}]
	if !ok || i < m.passed {
		return nil
	}
	if err := m.passUntil(i); err != nil {
		return err
	}
	m.tables[i].Columns = append(m.tables[i].Columns, c)
	return nil
}

// End passes on the remaining tables.
func (m *Merger) End() error { return m.passUntil(len(m.tables)) }

// Stopped returns the error of Found, which is the caller's own, or nil.
func (m *Merger) Stopped() error { return m.stopped }

// passUntil passes on the tables up to index end, which are complete, and frees
// them.
func (m *Merger) passUntil(end int) error {
	for ; m.passed < end; m.passed++ {
		t := m.tables[m.passed]
		m.tables[m.passed] = catalog.Table{}
		if m.stopped = m.Found(t); m.stopped != nil {
			m.passed++
			return m.stopped
		}
	}
	return nil
}

// Grouper passes on tables whose columns arrive grouped by table, in the order in which they
// arrive. Unlike a [Merger] it needs no list of the tables beforehand, so that tables without
// columns never appear.
type Grouper struct {
	Found func(catalog.Table) error

	table catalog.Table // the one whose columns are arriving; without a name before the first
}

// Column adds one column to t, which comes without columns of its own. The first column of
// another table passes on the table before it and returns the error of Found.
func (g *Grouper) Column(t catalog.Table, c catalog.Column) error {
	if t.Schema != g.table.Schema || t.Name != g.table.Name {
		if err := g.End(); err != nil {
			return err
		}
		g.table = t
	}
	g.table.Columns = append(g.table.Columns, c)
	return nil
}

// End passes on the last table, if there was any.
func (g *Grouper) End() error {
	if g.table.Name == "" {
		return nil
	}
	return g.Found(g.table)
}
