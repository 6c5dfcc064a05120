package connections

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections/internal/dbsqlc"
	"quaestor/research/warehouse/guard"
)

// Warehouse is a data warehouse that an organisation has connected.
type Warehouse struct {
	Tenant, ID string
	Name       string
	Kind       warehouse.Kind
	Options    map[string]string // by the names of the make's fields
	HasSecret  bool              // whether a secret is stored; it is never returned
	Schemas    []string          // whose tables are read; empty for the make's default ones
	Filter     guard.Filter      // restricts rows; its column is empty for none
	Open       []string          // qualified names of tables that may be read as a whole although nothing ties them to the filter
	Limits     warehouse.Limits  // of each statement; zero for the defaults
	Interviews Interviews        // who may ask single questions in an interview
	Version    int               // number of the latest change
	Test       *Test             // the latest since the last change; nil if there was none
	CreatedBy  string
	CreatedAt  time.Time
	ChangedAt  time.Time

	sealed []byte // the secret; nil for none
}

// Spec is the description of a warehouse.
type Spec struct {
	Name    string         // unique in the organisation; 1 to 200 characters
	Kind    warehouse.Kind // cannot be changed later
	Options map[string]string
	Secret  secret.Secret // unset leaves the stored one
	Schemas []string
	Filter  guard.Filter
	Open    []string // qualified names of tables, at most 1,000
	Limits  warehouse.Limits

	Interviews Interviews // empty means MembersAsk
}

// Interviews says who may ask single questions of a warehouse in an interview. Whoever may
// query warehouses on the pages may ask anyway.
type Interviews string

// The choices.
const (
	NobodyAsks    Interviews = "nobody"
	MembersAsk    Interviews = "members"   // people of the organisation
	EverybodyAsks Interviews = "everybody" // guests with a link as well
)

// Test is the outcome of connecting to a warehouse.
type Test struct {
	At           time.Time            `json:"at"`                   // in UTC
	Well         bool                 `json:"well"`                 // it succeeded
	Says         string               `json:"says"`                 // one sentence for people
	Class        warehouse.ErrorClass `json:"class,omitempty"`      // of the error; empty if there was none
	Field        string               `json:"field,omitempty"`      // the setting at fault
	Role         string               `json:"role,omitempty"`       // in the warehouse
	Server       string               `json:"server,omitempty"`     // make and version
	CanWrite     bool                 `json:"canWrite,omitempty"`   // or it cannot be ruled out
	Why          []string             `json:"why,omitempty"`        // what the role may do beyond reading
	Tables       int                  `json:"tables,omitempty"`     // that were counted, at most 1,000
	MoreTables   bool                 `json:"moreTables,omitempty"` // there are more than Tables
	Unread       []UnreadTable        `json:"unread,omitempty"`     // of Tables, those that cannot be read
	Milliseconds float64              `json:"milliseconds"`
}

// UnreadTable is a table that a warehouse shows and cannot read.
type UnreadTable struct {
	Table string `json:"table"`
	Why   string `json:"why"` // a sentence
}

// Bounds of a draft.
const (
	maxName    = 200
	maxValue   = 64 << 10 // bytes; enough for a chain of certificates
	maxSchemas = 200
	maxOpen    = 1000
	maxSecret  = 64 << 10
)

// check returns d normalized, with defaults, or the first fault.
func (d Spec) check(c warehouse.Connector) (Spec, error) {
	d.Name = language.VisibleLine(d.Name) // it stands in titles and in prompts
	if n := utf8.RuneCountInString(d.Name); n < 1 || n > maxName {
		return d, invalid("name", "needs 1 to %d characters, not %d", maxName, n)
	}
	var err error
	if d.Options, err = options(c, d.Options); err != nil {
		return d, err
	}
	if d.Schemas, err = names("schemas", d.Schemas, maxSchemas); err != nil {
		return d, err
	}
	if d.Open, err = names("open", d.Open, maxOpen); err != nil {
		return d, err
	}
	d.Filter.Column, d.Filter.Value = strings.TrimSpace(d.Filter.Column), strings.TrimSpace(d.Filter.Value)
	d.Interviews = cmp.Or(d.Interviews, MembersAsk)
	switch {
	case (d.Filter.Column == "") != (d.Filter.Value == ""):
		return d, invalid("filter", "needs both a column and a value, or neither")
	case len(d.Filter.Column) > maxValue || len(d.Filter.Value) > maxValue:
		return d, invalid("filter", "is longer than %d bytes", maxValue)
	case d.Interviews != NobodyAsks && d.Interviews != MembersAsk && d.Interviews != EverybodyAsks:
		return d, invalid("interviews", "is one of %s, %s, %s, not %q", EverybodyAsks, MembersAsk, NobodyAsks, language.Short(string(d.Interviews)))
	case len(d.Secret.Reveal()) > maxSecret:
		return d, invalid("secret", "is longer than %d bytes", maxSecret)
	}
	return d, checkLimits(d.Limits)
}

// invalid returns the fault of a field.
func invalid(field, format string, args ...any) error {
	return fault.New(fault.Unprocessable, format, args...).At(field)
}

// options returns the settings of a make: a value for each of its fields that has one, and nothing
// else.
func options(c warehouse.Connector, given map[string]string) (map[string]string, error) {
	out := map[string]string{}
	fields := c.Fields()
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(fields, func(f warehouse.Field) bool { return f.Name == name }) {
			return nil, invalid("options."+language.Short(name), "is no setting of %s; there are %s", c.Kind(), fieldNames(fields))
		}
	}
	for _, f := range fields {
		v := strings.TrimSpace(given[f.Name])
		if v == "" {
			v = f.Default
		}
		switch {
		case v == "" && f.Required:
			return nil, invalid("options."+f.Name, "is needed: %s", strings.ToLower(f.Label))
		case len(v) > maxValue || !utf8.ValidString(v) || strings.ContainsRune(v, 0):
			return nil, invalid("options."+f.Name, "is text of at most %d bytes", maxValue)
		case v != "" && len(f.Choices) > 0 && !slices.Contains(f.Choices, v):
			return nil, invalid("options."+f.Name, "is one of %s, not %q", strings.Join(f.Choices, ", "), language.Short(v))
		case f.Unfit(v) != "":
			return nil, invalid("options."+f.Name, "%s", f.Unfit(v))
		}
		if v != "" {
			out[f.Name] = v
		}
	}
	return out, nil
}

// fieldNames lists the names of fields.
func fieldNames(fields []warehouse.Field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return strings.Join(names, ", ")
}

// names returns the names in a field, at most most, without empty ones and duplicates.
func names(field string, given []string, most int) ([]string, error) {
	out := []string{}
	for _, s := range given {
		if s = strings.TrimSpace(s); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
		if len(s) > maxName || strings.ContainsRune(s, 0) {
			return nil, invalid(field, "%q is too long for a name", language.Short(s))
		}
	}
	if len(out) > most {
		return nil, invalid(field, "are at most %d, not %d", most, len(out))
	}
	return out, nil
}

// The largest values of limits.
const (
	// They are far above what a run needs, and only keep a typing error from turning a limit off.
	mostRows    = 5_000_000
	mostBytes   = 1 << 30
	mostTime    = 10 * time.Minute
	mostScanned = 1 << 50
	mostMemory  = 16 << 30
	leastMemory = 64 << 20
)

// checkLimits refuses limits that are too large to protect anything, or too small for any statement.
func checkLimits(l warehouse.Limits) error {
	switch {
	case l.Rows < 0 || l.Rows > mostRows:
		return invalid("limits.rows", "is 0 (for %d) to %d, not %d", warehouse.DefaultRows, mostRows, l.Rows)
	case l.Bytes < 0 || l.Bytes > mostBytes:
		return invalid("limits.bytes", "is 0 to %d, not %d", mostBytes, l.Bytes)
	case l.Time < 0 || l.Time > mostTime || l.Time > 0 && l.Time < time.Second:
		return invalid("limits.time", "is 1 s to %s, or 0 for %s, not %s", mostTime, warehouse.DefaultTime, l.Time)
	case l.Scanned < 0 || l.Scanned > mostScanned:
		return invalid("limits.scanned", "is 0 to %d, not %d", int64(mostScanned), l.Scanned)
	case l.Memory < 0 || l.Memory > mostMemory || l.Memory > 0 && l.Memory < leastMemory:
		return invalid("limits.memory", "is %d to %d, or 0 for %d, not %d", leastMemory, int64(mostMemory), warehouse.DefaultMemory, l.Memory)
	case l.AtOnce < 0 || l.AtOnce > warehouse.MaxAtOnce:
		return invalid("limits.atOnce", "is 1 to %d, or 0 for %d, not %d", warehouse.MaxAtOnce, warehouse.DefaultAtOnce, l.AtOnce)
	}
	return nil
}

// fromRow returns the warehouse of a row.
func fromRow(r *dbsqlc.Warehouse) (Warehouse, error) {
	w := Warehouse{Tenant: r.TenantID, ID: r.ID, Name: r.Name, Kind: warehouse.Kind(r.Kind), HasSecret: len(r.Sealed) > 0, Schemas: r.Schemas,
		Filter: guard.Filter{Column: r.FilterColumn, Value: r.FilterValue}, Open: r.Opened, Interviews: Interviews(r.Interviews), Version: int(r.Version), CreatedBy: r.CreatedBy, CreatedAt: r.CreatedAt, ChangedAt: r.ChangedAt, sealed: r.Sealed}
	if err := json.Unmarshal(r.Options, &w.Options); err != nil {
		return w, err
	}
	if err := json.Unmarshal(r.Limits, &w.Limits); err != nil {
		return w, err
	}
	if r.Test == nil {
		return w, nil
	}
	w.Test = &Test{}
	return w, json.Unmarshal(r.Test, w.Test)
}
