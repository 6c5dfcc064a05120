package pgwire

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"quaestor/research/warehouse/catalog"
)

// catalogTime is the time limit for reading a whole catalog.
const catalogTime = 10 * time.Minute

// Tables implements [warehouse.Conn]. It reads the given schemas, or else those of the settings, or
// else all except the system's. It takes two queries however many tables there are. The second one
// is streamed, so that only the foreign keys are held in memory.
func (c *conn) Tables(ctx context.Context, schemas []string, found func(catalog.Table) error) error {
	if len(schemas) == 0 {
		schemas = c.schemas
	}
	ownCtx, cancel := context.WithTimeout(ctx, catalogTime)
	defer cancel()
	var err error
	for _, query := range c.flavour.tables {
		r := tableReader{found: found}
		if err = c.readTables(ownCtx, query, schemas, &r); err == nil || r.begun || r.stopped != nil {
			err = r.failure(err)
			break
		}
	}
	if err == nil {
		return nil
	}
	return c.callersOr(ctx, err)
}

// readTables reads the foreign keys and then the tables.
func (c *conn) readTables(ctx context.Context, query string, schemas []string, r *tableReader) error {
	l := c.limits
	l.Time = catalogTime
	s, err := c.pool.Acquire(ctx, c.begin(l))
	if err != nil {
		return err
	}
	defer c.giveBack(s)
	wanted := []string{c.flavour.wanted(schemas)}
	keys := foreignReader{of: map[string][]catalog.Foreign{}}
	if err := s.each(ctx, c.flavour.foreign, wanted, keys.take); err != nil {
		return err
	}
	r.foreign = keys.of
	if err := s.each(ctx, query, wanted, r.take); err != nil {
		return err
	}
	return r.end()
}

// callersError is an error that the caller's own function returned.
type callersError struct{ error }

// callersOr returns the caller's own error unchanged, and turns any other into a fault of the
// warehouse.
func (c *conn) callersOr(ctx context.Context, err error) error {
	if own, ok := err.(callersError); ok {
		return own.error
	}
	return c.fault(ctx, err)
}

// tableReader assembles tables from rows of (schema, table, comment, rows, column, type, not null,
// key, comment) that are grouped by table. A table without columns has one row with nulls.
type tableReader struct {
	found   func(catalog.Table) error
	foreign map[string][]catalog.Foreign
	table   catalog.Table
	open    bool  // a table is being assembled
	begun   bool  // at least one table was passed on
	stopped error // the error that found returned
}

// take reads one row, a column of a table. A new table ends the one before.
func (r *tableReader) take(row [][]byte) error {
	if !r.open || r.table.Name != string(row[1]) || r.table.Schema != string(row[0]) {
		if err := r.end(); err != nil {
			return err
		}
		r.open = true
		r.table = catalog.Table{Schema: string(row[0]), Name: string(row[1]), Comment: string(row[2]), Rows: rowsOf(row[3])}
	}
	if row[4] == nil {
		return nil
	}
	r.table.Columns = append(r.table.Columns, catalog.Column{Name: string(row[4]), Type: string(row[5]), NotNull: isTrue(row[6]), Key: isTrue(row[7]), Comment: string(row[8])})
	return nil
}

// end passes on the table that was being assembled.
func (r *tableReader) end() error {
	if !r.open {
		return nil
	}
	r.open, r.begun = false, true
	r.table.Foreign = r.foreign[r.table.Schema+"\x00"+r.table.Name]
	r.stopped = r.found(r.table)
	return r.failure(r.stopped)
}

// failure marks an error as the caller's own if found returned it.
func (r *tableReader) failure(err error) error {
	if err != nil && r.stopped != nil {
		return callersError{r.stopped}
	}
	return err
}

// isTrue reads a boolean in the text format.
func isTrue(b []byte) bool { return string(b) == "t" }

// rowsOf parses an estimate of rows; negative or missing means unknown.
func rowsOf(b []byte) int64 {
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil || v < 0 {
		return catalog.UnknownRows
	}
	return int64(v)
}

// foreignReader assembles foreign keys from rows of (schema, table, key, column, schema and table
// referred to, column referred to) that are grouped by key.
type foreignReader struct {
	of   map[string][]catalog.Foreign // by "schema\x00table"
	last string
}

// take reads one row, a column of a foreign key.
func (r *foreignReader) take(row [][]byte) error {
	table := string(row[0]) + "\x00" + string(row[1])
	key, list := table+"\x00"+string(row[2]), r.of[table]
	if key != r.last {
		list = append(list, catalog.Foreign{Table: string(row[4]) + "." + string(row[5])})
		r.last = key
	}
	f := &list[len(list)-1]
	f.Columns, f.To = append(f.Columns, string(row[3])), append(f.To, string(row[6]))
	r.of[table] = list
	return nil
}

// textArray returns the literal of a text array. NULL and empty texts are quoted like all others,
// so every list of texts has a literal.
func textArray(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
	}
	return "{" + strings.Join(quoted, ",") + "}"
}

// textLines returns list as lines with a line break before and after each. Redshift has no arrays
// of text as parameters; its queries look for a schema between two line breaks.
func textLines(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return "\n" + strings.Join(list, "\n") + "\n"
}

// sampleSQL returns a query for n rows of a table, without sorting or counting.
func sampleSQL(t catalog.Table, n int) string {
	names := []string{t.Schema, t.Name}
	return "SELECT * FROM " + pgx.Identifier(slices.DeleteFunc(names, func(s string) bool { return s == "" })).Sanitize() + " LIMIT " + strconv.Itoa(max(n, 0))
}
