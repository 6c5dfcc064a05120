package metrics

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/research/warehouse/guard"
)

// Kind is what a definition defines.
type Kind string

// The kinds.
const (
	Metric    Kind = "metric"    // a figure: an aggregate over a table, or a ratio of two metrics
	Dimension Kind = "dimension" // what figures are divided by
)

// Grain is the span of time that a metric is reported in.
type Grain string

// The grains.
const (
	Day     Grain = "day"
	Week    Grain = "week"
	Month   Grain = "month"
	Quarter Grain = "quarter"
	Year    Grain = "year"
)

// Grains lists the grains, the finest first.
var Grains = []Grain{Day, Week, Month, Quarter, Year}

// Spec is what somebody writes of a definition.
type Spec struct {
	Kind        Kind     `json:"kind" yaml:"-"`
	Name        string   `json:"name" yaml:"name"`                                   // unique in its warehouse; a–z, 0–9, _, at most 63, a letter first
	Label       string   `json:"label,omitempty" yaml:"label,omitempty"`             // for people; empty means the name in words
	Description string   `json:"description,omitempty" yaml:"description,omitempty"` // at most 2,000 characters
	Synonyms    []string `json:"synonyms,omitempty" yaml:"synonyms,omitempty"`       // other names that people have for it; at most 20
	Table       string   `json:"table,omitempty" yaml:"table,omitempty"`             // qualified, as the catalog has it; empty for a ratio
	Expression  string   `json:"expression,omitempty" yaml:"expression,omitempty"`   // SQL of the warehouse: an aggregate, of a dimension a value of a row; empty for a ratio
	Filters     []string `json:"filters,omitempty" yaml:"filters,omitempty"`         // SQL conditions, all of which hold; at most 10
	Time        string   `json:"time,omitempty" yaml:"time,omitempty"`               // SQL: the date that a metric goes by; may be empty
	Grain       Grain    `json:"grain,omitempty" yaml:"grain,omitempty"`             // that it is reported in; may be empty
	Numerator   string   `json:"numerator,omitempty" yaml:"numerator,omitempty"`     // of a ratio: name of a metric that is none itself
	Denominator string   `json:"denominator,omitempty" yaml:"denominator,omitempty"` // of a ratio: likewise
	Owner       string   `json:"owner,omitempty" yaml:"owner,omitempty"`             // the person or team that answers for it
}

// Definition is a stored spec.
type Definition struct {
	ID, Warehouse string
	Spec
	Unchecked bool   // it was saved before the tables of the warehouse were read, and is not used yet
	Problem   string // what was wrong with it when the tables were read; empty for nothing
	Version   int    // number of the latest change
	CreatedBy string
	CreatedAt time.Time
	ChangedBy string
	ChangedAt time.Time
}

// Bounds of a spec.
const (
	maxName        = 63
	maxLabel       = 200
	maxDescription = 2_000
	maxSQL         = 4_000 // bytes of an expression or condition
	maxSynonyms    = 20
	maxFilters     = 10
)

var namePattern = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// IsRatio reports whether s is the ratio of two metrics.
func (s *Spec) IsRatio() bool { return s.Numerator != "" || s.Denominator != "" }

// Title returns the name for people.
func (s *Spec) Title() string {
	return cmp.Or(s.Label, language.UpperFirst(strings.ReplaceAll(s.Name, "_", " ")))
}

// trimmed returns s without white space around its texts, and without empty ones in its lists.
func (s Spec) trimmed() Spec {
	for _, field := range []*string{&s.Name, &s.Label, &s.Description, &s.Table, &s.Expression, &s.Time, &s.Numerator, &s.Denominator, &s.Owner} {
		*field = strings.TrimSpace(*field)
	}
	for _, field := range []*string{&s.Label, &s.Description, &s.Owner} { // they stand in prompts; the guard refuses such SQL
		*field = language.Visible(*field)
	}
	for i := range s.Synonyms {
		s.Synonyms[i] = language.Visible(s.Synonyms[i])
	}
	s.Synonyms, s.Filters = nonBlank(s.Synonyms), nonBlank(s.Filters)
	return s
}

// nonBlank returns the texts of list that are more than white space, without such around them.
func nonBlank(list []string) []string {
	var out []string
	for _, text := range list {
		if text = strings.TrimSpace(text); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// Check returns the first thing that is wrong with s by itself: an Unprocessable that names the
// field and what would be right. Whether its SQL may run is asked of the guard, see [Store.Save].
func (s *Spec) Check() error {
	if s.Kind != Metric && s.Kind != Dimension {
		return wrong("kind", "is metric or dimension, not %q", s.Kind)
	}
	if len(s.Name) > maxName || !namePattern.MatchString(s.Name) {
		return wrong("name", "is 1 to %d of a–z, 0–9 and _, and begins with a letter, such as net_revenue", maxName)
	}
	for _, f := range []struct{ field, text string }{{"label", s.Label}, {"owner", s.Owner}, {"table", s.Table}, {"numerator", s.Numerator}, {"denominator", s.Denominator}} {
		if utf8.RuneCountInString(f.text) > maxLabel {
			return wrong(f.field, "has at most %d characters", maxLabel)
		}
	}
	if utf8.RuneCountInString(s.Description) > maxDescription {
		return wrong("description", "has at most %d characters", maxDescription)
	}
	if err := s.checkLists(); err != nil {
		return err
	}
	if s.Grain != "" && !slices.Contains(Grains, s.Grain) {
		return wrong("grain", "is day, week, month, quarter or year, not %q", s.Grain)
	}
	if s.IsRatio() {
		return s.checkRatio()
	}
	if s.Table == "" {
		return wrong("table", "is missing; name the table that the expression is over, such as shop.orders")
	}
	if s.Expression == "" {
		return wrong("expression", "is missing; write SQL of the warehouse, such as SUM(total)")
	}
	if len(s.Expression) > maxSQL || len(s.Time) > maxSQL {
		return wrong("expression", "has at most %d bytes", maxSQL)
	}
	if s.Kind == Dimension && s.Time+string(s.Grain) != "" {
		return wrong("grain", "is of metrics; leave time and grain of a dimension out")
	}
	return nil
}

func (s *Spec) checkLists() error {
	if len(s.Synonyms) > maxSynonyms {
		return wrong("synonyms", "are at most %d", maxSynonyms)
	}
	for i, synonym := range s.Synonyms {
		if utf8.RuneCountInString(synonym) > maxLabel || len(wordsOf(synonym)) == 0 {
			return wrong(fmt.Sprintf("synonyms[%d]", i), "is a word or several, at most %d characters", maxLabel)
		}
	}
	if len(s.Filters) > maxFilters {
		return wrong("filters", "are at most %d", maxFilters)
	}
	for i, f := range s.Filters {
		if len(f) > maxSQL {
			return wrong(fmt.Sprintf("filters[%d]", i), "has at most %d bytes", maxSQL)
		}
	}
	return nil
}

func (s *Spec) checkRatio() error {
	switch {
	case s.Kind != Metric:
		return wrong("numerator", "is of metrics; leave it out of a dimension")
	case s.Numerator == "":
		return wrong("numerator", "is missing; name the metric that is divided")
	case s.Denominator == "":
		return wrong("denominator", "is missing; name the metric that it is divided by")
	case s.Numerator == s.Name || s.Denominator == s.Name:
		return wrong("numerator", "is the ratio itself; name another metric")
	case s.Table+s.Expression+s.Time != "" || len(s.Filters) > 0:
		return wrong("expression", "of a ratio comes from its two metrics; leave table, expression, filters and time out")
	}
	return nil
}

func wrong(field, format string, args ...any) *fault.Error {
	return fault.New(fault.Unprocessable, format, args...).At(field)
}

// from returns the FROM and WHERE of s.
func (s *Spec) from(d guard.Dialect) string {
	schema, name := "", s.Table
	if i := strings.LastIndexByte(s.Table, '.'); i >= 0 {
		schema, name = s.Table[:i], s.Table[i+1:]
	}
	out := " FROM " + guard.QuoteTable(d, schema, name)
	for i, f := range s.Filters {
		out += []string{" WHERE (", " AND ("}[min(i, 1)] + f + ")"
	}
	return out
}

// query returns the query for the value of s, a metric that is no ratio.
func (s *Spec) query(d guard.Dialect) string {
	return "SELECT (" + s.Expression + ") AS metric_value" + s.from(d)
}

// Statement returns the query for the current value of a metric: one row with one column. of
// are the two metrics of a ratio, numerator first.
func (s *Spec) Statement(d guard.Dialect, of ...Spec) string {
	if !s.IsRatio() || len(of) != 2 {
		return s.query(d)
	}
	return "SELECT (" + of[0].query(d) + ") * 1.0 / NULLIF((" + of[1].query(d) + "), 0) AS metric_value"
}

// Members returns the query for the most frequent values of a dimension, with how many rows
// have each.
func (s *Spec) Members(d guard.Dialect) string {
	first, last := "", fmt.Sprintf(" LIMIT %d", maxMembers)
	if d == guard.SQLServer {
		first, last = fmt.Sprintf("TOP %d ", maxMembers), ""
	}
	return "SELECT " + first + "(" + s.Expression + ") AS member, COUNT(*) AS row_count" + s.from(d) + " GROUP BY " + s.Expression + " ORDER BY COUNT(*) DESC" + last
}

// Line returns s in one line, for prompts and for people who want to know what a name means.
func (s *Spec) Line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s): ", s.Name, s.Kind)
	if s.IsRatio() {
		b.WriteString(s.Numerator + " / " + s.Denominator)
	} else {
		b.WriteString(s.Expression + " of " + s.Table)
	}
	if len(s.Filters) > 0 {
		b.WriteString(" where " + strings.Join(s.Filters, " and "))
	}
	if s.Grain != "" {
		fmt.Fprintf(&b, ", by %s", s.Grain)
		if s.Time != "" {
			b.WriteString(" of " + s.Time)
		}
	}
	for _, more := range []string{s.Description, owned(s.Owner)} {
		if more != "" {
			b.WriteString(". " + strings.TrimSuffix(more, "."))
		}
	}
	return b.String() + "."
}

func owned(by string) string {
	if by == "" {
		return ""
	}
	return "Owner: " + by
}
