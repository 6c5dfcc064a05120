package prices

import (
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"quaestor/internal/fault"
	"quaestor/research/warehouse"
)

// Price is the price of a model or of a warehouse, in US dollars. Exactly one of Model and Warehouse is
// set.
type Price struct {
	ID        string
	Model     string // its name, as its API calls it
	Warehouse string // id of the connection

	In, Cached, Out float64 // of a model: of a million tokens of prompts, of those that the provider had cached, and of answers
	Terabyte        float64 // of a warehouse: of 10^12 bytes that a query scans
	Hour            float64 // of a warehouse: of an hour in which a query runs

	Source    string // where the price is from, in the words of whoever set it; may be empty
	ChangedBy string
	ChangedAt time.Time // when it was set
}

// The bounds of a price.
const (
	maxPrice  = 1_000_000
	maxModel  = 200 // characters
	maxSource = 500
)

// check returns p normalized, or the first fault.
func (p Price) check() (Price, error) {
	p.Model, p.Source = strings.TrimSpace(p.Model), strings.TrimSpace(p.Source)
	bad := func(field, format string, args ...any) (Price, error) {
		return p, fault.New(fault.Unprocessable, format, args...).At(field)
	}
	switch {
	case (p.Model == "") == (p.Warehouse == ""):
		return bad("model", "name a model or a warehouse, and not both")
	case utf8.RuneCountInString(p.Model) > maxModel:
		return bad("model", "must have at most %d characters", maxModel)
	case utf8.RuneCountInString(p.Source) > maxSource:
		return bad("source", "must have at most %d characters", maxSource)
	}
	for _, one := range []struct {
		field string
		value float64
		other bool // it belongs to the other kind of price
	}{{"in", p.In, p.Model == ""}, {"cached", p.Cached, p.Model == ""}, {"out", p.Out, p.Model == ""}, {"terabyte", p.Terabyte, p.Model != ""}, {"hour", p.Hour, p.Model != ""}} {
		if !(one.value >= 0 && one.value <= maxPrice) || math.IsNaN(one.value) {
			return bad(one.field, "must be 0 to %d US dollars", maxPrice)
		}
		if one.other && one.value != 0 {
			return bad(one.field, "is a price of models, or of warehouses, which this is not")
		}
	}
	return p, nil
}

// List holds the prices of an organisation. The zero List knows none.
type List struct {
	models, warehouses map[string]Price
}

// NewList returns a list of prices. Of two for the same thing the later counts.
func NewList(all ...Price) List {
	l := List{map[string]Price{}, map[string]Price{}}
	for _, p := range all {
		if p.Model != "" {
			l.models[p.Model] = p
		} else {
			l.warehouses[p.Warehouse] = p
		}
	}
	return l
}

// million and terabyte are the units of prices; see [Price].
const (
	million  = 1e6
	terabyte = 1e12
)

// OfTokens returns what calls of a model cost, by its name. known is false if its price is not set.
func (l List) OfTokens(model string, u warehouse.TokenUsage) (usd float64, known bool) {
	p, known := l.models[model]
	fresh := u.In - u.Cached
	return (float64(fresh)*p.In + float64(u.Cached)*p.Cached + float64(u.Out)*p.Out) / million, known
}

// OfStatements returns what statements cost in a warehouse, by its id. known is false if its price is
// not set.
func (l List) OfStatements(id string, u warehouse.StatementUsage) (usd float64, known bool) {
	p, known := l.warehouses[id]
	return float64(u.Scanned)/terabyte*p.Terabyte + u.Took.Hours()*p.Hour, known
}

// Model returns the price of a model.
func (l List) Model(name string) (p Price, known bool) {
	p, known = l.models[name]
	return p, known
}

// Warehouse returns the price of a warehouse.
func (l List) Warehouse(id string) (p Price, known bool) {
	p, known = l.warehouses[id]
	return p, known
}

// All returns the prices in no order.
func (l List) All() []Price {
	var out []Price
	for _, p := range l.models {
		out = append(out, p)
	}
	for _, p := range l.warehouses {
		out = append(out, p)
	}
	return out
}
