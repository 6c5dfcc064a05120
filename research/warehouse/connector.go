package warehouse

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"quaestor/internal/secret"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
)

// Kind is a make of warehouse, such as PostgreSQL or BigQuery.
type Kind string

// The makes.
const (
	DuckDB     Kind = "duckdb"
	PostgreSQL Kind = "postgresql"
	Redshift   Kind = "redshift"
	MySQL      Kind = "mysql"
	MariaDB    Kind = "mariadb"
	ClickHouse Kind = "clickhouse"
	SQLServer  Kind = "sqlserver"
	BigQuery   Kind = "bigquery"
	Snowflake  Kind = "snowflake"
)

// Connector opens warehouses of one make. It is safe for concurrent use.
type Connector interface {
	Kind() Kind
	Dialect() guard.Dialect
	// Fields returns the settings besides the secret, for forms and validation, in the
	// order in which people fill them in.
	Fields() []Field
	// Grant returns the statements, in the make's own dialect, with which an administrator
	// gives Quaestor read access and nothing more. Names are taken from s if it has them.
	Grant(s Settings) string
	// Open connects and checks that the warehouse answers. If a setting is at fault, the
	// error is a [*fault.Error] that names its field; otherwise it is a [*QueryError].
	Open(ctx context.Context, s Settings) (Conn, error)
}

// Field is one setting of a make.
type Field struct {
	Name     string // in Settings.Options
	Label    string
	Help     string // a sentence; may be empty
	Default  string
	Choices  []string // the allowed values; nil for any
	Required bool

	// Least and Most bound a whole number. Most is zero for a field that is not a number.
	Least, Most int
}

// Unfit returns why v is not a number that f accepts. It is empty for a valid number and for
// a field that accepts any text.
func (f Field) Unfit(v string) string {
	if f.Most == 0 || v == "" {
		return ""
	}
	if n, err := strconv.Atoi(v); err != nil || n < f.Least || n > f.Most || strconv.Itoa(n) != v {
		return fmt.Sprintf("must be a whole number from %d to %d, not %.60q", f.Least, f.Most, v)
	}
	return ""
}

// Settings describe how a warehouse is reached. Only Secret is confidential.
type Settings struct {
	Kind    Kind
	Options map[string]string // by Field.Name; a field without a value gets its default
	Secret  secret.Secret     // a password, or the content of a key file
	Schemas []string          // the schemas whose tables are read; empty means the make's default ones
	Limits  Limits
}

// Limits bound one statement. Zero means the default; see [Limits.OrDefault].
type Limits struct {
	Rows    int           `json:"rows,omitempty"`    // rows of a result that are kept; the rest is not read
	Bytes   int64         `json:"bytes,omitempty"`   // bytes of a result that are read; the rest is not
	Time    time.Duration `json:"time,omitempty"`    // after which the warehouse is told to stop
	Scanned int64         `json:"scanned,omitempty"` // bytes the warehouse may scan, if it can estimate them beforehand
	Memory  int64         `json:"memory,omitempty"`  // bytes the warehouse may use, if that can be set
	AtOnce  int           `json:"atOnce,omitempty"`  // statements that the analysis of a run sends at the same time; at most MaxAtOnce
}

// The default limits. A digest needs no more than some thousand rows to describe a result;
// the others keep one statement from being felt by other users of the warehouse.
const (
	DefaultRows    = 20_000
	DefaultBytes   = 8 << 20
	DefaultTime    = 30 * time.Second
	DefaultScanned = 20 << 30
	DefaultMemory  = 512 << 20
	DefaultAtOnce  = MaxAtOnce / 2 // which leaves the other connections for other runs and for people
)

// MaxAtOnce is how many connections to one warehouse there are: enough for a few runs at a time
// without using up a small server's connections.
const MaxAtOnce = 6

// OrDefault returns l with zeros replaced by the defaults.
func (l Limits) OrDefault() Limits {
	set(&l.Rows, DefaultRows)
	set(&l.Bytes, DefaultBytes)
	set(&l.Time, DefaultTime)
	set(&l.Scanned, DefaultScanned)
	set(&l.Memory, DefaultMemory)
	set(&l.AtOnce, DefaultAtOnce)
	return l
}

// set replaces a limit that is not positive by its default.
func set[T int | int64 | time.Duration](v *T, otherwise T) {
	if *v <= 0 {
		*v = otherwise
	}
}

// Conn is an open connection to a warehouse. It is safe for concurrent use and read-only,
// and enforces every limit that its make is able to enforce, whatever the guard has passed.
type Conn interface {
	// Tables reads the tables of the schemas, ordered by schema and name, without system
	// tables. A table that cannot be described is passed without columns. If found returns
	// an error, Tables stops and returns it.
	Tables(ctx context.Context, schemas []string, found func(catalog.Table) error) error
	// Sample reads at most n rows of a table.
	Sample(ctx context.Context, t catalog.Table, n int) (*Result, error)
	// Query runs a statement that the guard has passed; it must not be given any other. It
	// returns within l.Time and 2 s. The error is a [*QueryError] or that of ctx.
	Query(ctx context.Context, s guard.Statement, l Limits) (*Result, error)
	// Rights finds out whether the role could write, without writing.
	Rights(ctx context.Context) (Rights, error)
	Close() error
}

// Rights describe what a role may do beyond reading.
type Rights struct {
	Role     string   // the role's name in the warehouse
	Server   string   // make and version, as the warehouse reports them
	CanWrite bool     // the role can change data, or it cannot be ruled out
	Why      []string // what the role may do, one clause each, such as "insert into sales.orders"; empty if it only reads
}

// Result is the result of a statement, with columns in the order of the SELECT.
type Result struct {
	Columns []digest.Column
	Rows    int
	More    bool          // a limit cut the result; there were more rows
	Bytes   int64         // size of the values as they were read
	Scanned int64         // bytes the warehouse scanned; 0 if it does not report them
	Took    time.Duration // until the last row was read
}

// Names returns the names of the columns.
func (r *Result) Names() []string {
	out := make([]string, len(r.Columns))
	for i := range r.Columns {
		out[i] = r.Columns[i].Name
	}
	return out
}
