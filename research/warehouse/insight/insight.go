package insight

import (
	"time"
)

// Kind is the kind of an effect.
type Kind string

// The kinds.
const (
	Drop         Kind = "drop"             // a measure is lower from a day on, or between two days
	Rise         Kind = "rise"             // a measure is higher
	Shift        Kind = "segment_shift"    // the share of a segment changed while the whole did not
	TrendBreak   Kind = "trend_break"      // a measure goes another way from a day on
	Outlier      Kind = "outlier_record"   // one record is a large part of a sum
	NullSpike    Kind = "null_spike"       // values are missing in a period or a segment
	DateRate     Kind = "date_rate"        // the share of records with a date, such as that of shipping, changed
	Retention    Kind = "retention_change" // fewer or more come back after their first record
	Simpson      Kind = "simpson"          // a difference has the opposite sign within every stratum
	Difference   Kind = "difference"       // a segment differs from all others
	Concentrated Kind = "concentration"    // few values have most of the records
)

// Severity is how much an insight matters.
type Severity string

// The severities, most severe first.
const (
	Critical Severity = "critical"
	High     Severity = "high"
	Medium   Severity = "medium"
	Low      Severity = "low"
)

// rank orders severities, the most severe first.
func (s Severity) rank() int {
	return map[Severity]int{Critical: 0, High: 1, Medium: 2, Low: 3}[s]
}

// Unit is what a figure is measured in.
type Unit string

// The units.
const (
	Records  Unit = "records"
	PerDay   Unit = "per_day"   // of records or of an amount
	PerWeek  Unit = "per_week"  // of records that are fewer than one a day
	PerMonth Unit = "per_month" // in thirty days, of records that are fewer than one a week
	Percent  Unit = "percent"
	Points   Unit = "points" // percentage points
	Plain    Unit = "number" // in the unit of its column
)

// Figure is one number of an insight.
type Figure struct {
	ID    string  `json:"id"`   // its placeholder in the text is {{id}}
	Name  string  `json:"name"` // for people
	SQL   string  `json:"sql"`  // returns Value in one row and one column
	Value float64 `json:"value"`
	Unit  Unit    `json:"unit"`
	Of    string  `json:"of,omitempty"` // the unit of its column as the column's name says it, such as km; empty for none

	Recount string `json:"recount,omitempty"` // computes it by another way, for a check; empty if there is none
}

// Condition is a value of a column that all records of a segment have.
type Condition struct {
	Table  string `json:"table"`
	Column string `json:"column"`
	Value  string `json:"value"`
}

// Period is a span of days. To is the first day that does not belong to it.
type Period struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// IsZero reports whether p is no period.
func (p Period) IsZero() bool { return p.From.IsZero() && p.To.IsZero() }

// days is how many days p has.
func (p Period) days() float64 { return p.To.Sub(p.From).Hours() / 24 }

// Point is a value of the series that a chart shows.
type Point struct {
	At    time.Time `json:"at,omitzero"`
	Label string    `json:"label,omitempty"`
	Value float64   `json:"value"`
}

// Series is what a chart of an insight shows: values over time, or by label.
type Series struct {
	Name   string  `json:"name"`
	Unit   Unit    `json:"unit"`
	Of     string  `json:"of,omitempty"` // as of a figure
	Points []Point `json:"points"`
}

// Insight is a statement about the data, as data.
type Insight struct {
	ID       string      `json:"id"`   // {area}-{n}, unique within a run; empty before areas are assigned
	Area     string      `json:"area"` // id of the area
	Key      string      `json:"key"`  // what it is about, the same in later runs
	Kind     Kind        `json:"kind"`
	Table    string      `json:"table"`
	Measure  string      `json:"measure"` // for people, such as "average order total"
	Segment  []Condition `json:"segment,omitempty"`
	Record   []Condition `json:"record,omitempty"` // what tells the one record that it is about from all others: its key, then the keys of what it refers to; without a key its amounts
	Period   Period      `json:"period,omitzero"`
	Before   Period      `json:"before,omitzero"` // what Period is compared with
	Onset    Period      `json:"onset,omitzero"`  // the days on one of which it began, with 95 % confidence; zero if that is known to the day or not at all
	Headline string      `json:"headline"`        // with the placeholders of figures
	Text     string      `json:"text"`            // a paragraph, with placeholders too
	Severity Severity    `json:"severity"`

	Affected    int64    `json:"affected"`    // records of the segment in the period
	AffectedSQL string   `json:"affectedSql"` // counts them
	Risk        float64  `json:"risk"`        // 0 to 1, how much of the whole is at stake
	Confidence  float64  `json:"confidence"`  // 0 to 1
	Indicators  []string `json:"indicators,omitempty"`
	Figures     []Figure `json:"figures"`
	Steps       []int    `json:"steps,omitempty"` // numbers of the steps that show it too
	Chart       Series   `json:"chart,omitzero"`
	Effect      float64  `json:"effect"` // relative change, or difference of shares
	Q           float64  `json:"q"`      // false discovery rate at which it is found (Benjamini and Hochberg 1995)

	Review  Review `json:"review,omitzero"`
	Gauge   *Gauge `json:"gauge,omitempty"`      // measures its main figure later; nil for one that has no time of its own
	Metric  string `json:"metric,omitempty"`     // name of the team's definition by which it is measured; empty for none
	Defined string `json:"definition,omitempty"` // that definition in one line

	Strength    float64      `json:"strength"` // of the evidence; orders insights of one severity
	least       int64        // affected records below which it is not told
	Refutations []Refutation `json:"refutations,omitempty"` // how its trivial explanations are looked for
}

// Status is what a check of an insight came to.
type Status string

// The statuses.
const (
	Confirmed Status = "confirmed" // the count is within 20 % of what was said
	Adjusted  Status = "adjusted"  // it is another, which the review holds
	Rejected  Status = "rejected"  // nothing is left of it
	Failed    Status = "error"     // it could not be checked
)

// Review is how an insight was checked.
type Review struct {
	Status   Status        `json:"status,omitempty"`
	Claimed  int64         `json:"originalCount"`
	Verified int64         `json:"verifiedCount"`
	SQL      string        `json:"query,omitempty"` // that counted anew, by another way than the insight
	Reason   string        `json:"reasoning,omitempty"`
	Figures  []Recounted   `json:"figures,omitempty"` // what the sentences say, computed anew
	Tried    []Explanation `json:"tried,omitempty"`   // trivial explanations that were looked for
}

// Recounted is a figure that a check computed anew.
type Recounted struct {
	ID      string  `json:"id"`
	Claimed float64 `json:"claimed"`
	Counted float64 `json:"counted"`
	SQL     string  `json:"sql,omitempty"` // by which it was; empty for one that follows from others
}

// Explanation is a trivial explanation that was looked for.
type Explanation struct {
	Name  string `json:"name"`
	Holds bool   `json:"holds"` // it explains the insight, which therefore falls
	Note  string `json:"note"`
	SQL   string `json:"sql,omitempty"`
}

// Refutation is a query that looks for a trivial explanation. It returns one row of one number.
type Refutation struct {
	Name   string  `json:"name"`
	SQL    string  `json:"sql"`
	Breaks float64 `json:"breaks"` // the explanation holds if the number is at least this
	Broken string  `json:"broken"` // what it means if it holds
	Held   string  `json:"held"`   // and if it does not
}
