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

// Kind is a make of warehouse.
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

// Connector opens warehouses of one make. It may be used by many at once.
type Connector interface {
	Kind() Kind
	Dialect() guard.Dialect
	// Fields are the settings it takes beside the secret, for forms and checks, in
	// the order in which they are asked for.
	Fields() []Field
	// Grant is what the administrator of a warehouse runs for Quaestor to read it and
	// to do nothing else, in its own dialect, with the names of s where it has them.
	Grant(s Settings) string
	// Open returns a connection that was reached once. A fault of s is a
	// *fault.Error that names the field; one of the warehouse a [*QueryError].
	Open(ctx context.Context, s Settings) (Conn, error)
}

// Field is one setting of a make.
type Field struct {
	Name     string // in Settings.Options
	Label    string
	Help     string // a sentence; may be empty
	Default  string
	Choices  []string // the values it takes; nil for any
	Required bool

	// Least and Most bound a whole number; Most is zero for what is none.
	Least, Most int
}

// Unfit says why v is no number that f takes; empty when it is, and for a field that
// takes any text.
func (f Field) Unfit(v string) string {
	if f.Most == 0 || v == "" {
		return ""
	}
	if n, err := strconv.Atoi(v); err != nil || n < f.Least || n > f.Most || strconv.Itoa(n) != v {
		return fmt.Sprintf("must be a whole number from %d to %d, not %.60q", f.Least, f.Most, v)
	}
	return ""
}

// Settings say how a warehouse is reached. Nothing of them is secret but Secret.
type Settings struct {
	Kind    Kind
	Options map[string]string // by Field.Name; every field without a value has its default
	Secret  secret.Secret     // a password, or a key file in the text it has
	Schemas []string          // within which tables are read; empty for the default ones of the make
	Limits  Limits
}

// Limits bound one statement. A zero means the default; see [Limits.OrDefault].
type Limits struct {
	Rows    int           `json:"rows,omitempty"`    // kept of a result; the rest is not read
	Bytes   int64         `json:"bytes,omitempty"`   // of a result as it is read; what is beyond is not read
	Time    time.Duration `json:"time,omitempty"`    // until the warehouse is told to stop
	Scanned int64         `json:"scanned,omitempty"` // bytes that the warehouse may read for it, where it can be asked beforehand
	Memory  int64         `json:"memory,omitempty"`  // bytes that the warehouse may use for it, where it can be told
}

// The default limits.
const (
	DefaultRows    = 20_000
	DefaultBytes   = 8 << 20
	DefaultTime    = 30 * time.Second
	DefaultScanned = 20 << 30
	DefaultMemory  = 512 << 20
)

// OrDefault returns l with the defaults in the places of its zeros.
func (l Limits) OrDefault() Limits {
	set(&l.Rows, DefaultRows)
	set(&l.Bytes, DefaultBytes)
	set(&l.Time, DefaultTime)
	set(&l.Scanned, DefaultScanned)
	set(&l.Memory, DefaultMemory)
	return l
}

func set[T int | int64 | time.Duration](v *T, otherwise T) {
	if *v <= 0 {
		*v = otherwise
	}
}

// Conn is a warehouse that was reached. It may be used by many at once, reads
// only, and holds by itself every limit that its make can hold.
type Conn interface {
	// Tables reads what the schemas hold, ordered by schema and name, and stops with
	// the error of found. A table that cannot be described is passed without columns.
	// System tables are left out.
	Tables(ctx context.Context, schemas []string, found func(catalog.Table) error) error
	// Sample reads at most n rows of a table.
	Sample(ctx context.Context, t catalog.Table, n int) (*Result, error)
	// Query runs a statement that the guard passed, and nothing else. It ends within
	// the time of l and 2 s. The error is a [*QueryError], or that of ctx.
	Query(ctx context.Context, s guard.Statement, l Limits) (*Result, error)
	// Rights tries whether the role could write, without writing.
	Rights(ctx context.Context) (Rights, error)
	Close() error
}

// Rights are what a role may do beyond reading.
type Rights struct {
	Role     string   // by the name the warehouse has for it
	Server   string   // the make and version, as the warehouse says them
	CanWrite bool     // it may change data, or it cannot be ruled out
	Why      []string // what it may do, a clause each: "insert into sales.orders"; empty when it only reads
}

// Result is what a statement gave: columns in the order of the SELECT.
type Result struct {
	Columns []digest.Column
	Rows    int
	More    bool          // a limit cut it; there were more rows
	Bytes   int64         // of the values, as they were read
	Scanned int64         // bytes the warehouse read; 0 when it does not say
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
