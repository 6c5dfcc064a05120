package metrics

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
)

// Bounds of proposals: what a person reads through.
const (
	maxProposals = 60
	maxCategory  = 60 // distinct values of a text up to which it divides figures usefully
)

// What the names of columns tell of them, in English and German.
var (
	addedWords    = nameOf(`amount|total|price|revenue|sales|cost|costs|profit|quantity|qty|count|volume|payment|fee|tax|discount|betrag|umsatz|preis|kosten|menge|anzahl|gewinn`)
	averagedWords = nameOf(`rate|ratio|percent|percentage|pct|score|rating|duration|delay|age|temperature|price|quote|dauer|alter|bewertung`)
	keyWords      = nameOf(`id|key|code|no|number|nr|uuid|zip|phone|year|month|day|plz|lat|lon|latitude|longitude|version`)
	numericTypes  = regexp.MustCompile(`(?i)^(n?u?int|integer|bigint|smallint|tinyint|mediumint|hugeint|numeric|decimal|number|float|double|real|money|bignumeric|nullable\((u?int|float|decimal))`)
	dateTypes     = regexp.MustCompile(`(?i)(date|timestamp|^time)`)
	textTypes     = regexp.MustCompile(`(?i)(char|text|string|enum|bool)`)
)

// nameOf matches names, as [nameFrom] returns them, whose last word is one of some words.
func nameOf(words string) *regexp.Regexp {
	return regexp.MustCompile(`(^|_)(` + words + `)s?$`)
}

// humps matches where a word begins within a name such as totalAmount.
var humps = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// Propose returns definitions that the tables of a catalog suggest: how many rows there are, sums
// and averages of columns whose name tells what they measure, and dates and short lists of values
// to divide by. The largest tables come first. Nobody has confirmed any of them.
func Propose(d guard.Dialect, list []catalog.Table) []Spec {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b catalog.Table) int { return cmp.Compare(b.Rows, a.Rows) })
	var out []Spec
	taken := map[string]bool{}
	for i := range sorted {
		for _, s := range proposals(d, &sorted[i]) {
			if s.Name == "" || taken[s.Name] || len(out) == maxProposals {
				continue
			}
			taken[s.Name] = true
			out = append(out, s)
		}
	}
	return out
}

// proposals returns what one table suggests.
func proposals(d guard.Dialect, t *catalog.Table) []Spec {
	quote := guard.QuoterOf(d)
	var time string
	for _, c := range t.Columns {
		if dateTypes.MatchString(c.Type) {
			time = quote(c.Name)
			break
		}
	}
	metric := Spec{Kind: Metric, Table: t.Ref(), Time: time}
	if time != "" {
		metric.Grain = Month
	}
	rows := metric
	rows.Name, rows.Expression, rows.Description = nameFrom(t.Name, "count"), "COUNT(*)", "Rows of "+t.Ref()
	out := []Spec{rows}
	for _, c := range t.Columns {
		s := metric
		s.Description = c.Comment
		name := nameFrom(humps.ReplaceAllString(c.Name, "${1}_$2"))
		switch {
		case c.Key || keyWords.MatchString(name) && !dateTypes.MatchString(c.Type):
			continue
		case numericTypes.MatchString(c.Type) && averagedWords.MatchString(name):
			s.Name, s.Expression = nameFrom(t.Name, "average", c.Name), "AVG("+quote(c.Name)+")"
		case numericTypes.MatchString(c.Type) && addedWords.MatchString(name):
			s.Name, s.Expression = nameFrom(t.Name, c.Name), "SUM("+quote(c.Name)+")"
		case dateTypes.MatchString(c.Type), textTypes.MatchString(c.Type) && c.Distinct >= 2 && c.Distinct <= maxCategory:
			s = Spec{Kind: Dimension, Name: nameFrom(t.Name, c.Name), Table: t.Ref(), Expression: quote(c.Name), Description: c.Comment}
		default:
			continue
		}
		out = append(out, s)
	}
	return out
}

// nameFrom returns a name of parts; empty if they do not give one.
func nameFrom(parts ...string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.Join(parts, "_")) {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9' && b.Len() > 0:
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	out := strings.TrimRight(b.String(), "_")
	return out[:min(len(out), maxName)]
}

// Proposals returns what the tables of a warehouse suggest and is not defined yet, checked as
// [Store.Save] checks it.
func (s Store) Proposals(ctx context.Context, tenant, warehouse string) ([]Spec, error) {
	c, err := s.checker(ctx, tenant, warehouse)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.Close() }() // nothing was sent through it
	defined := map[string]bool{}
	for _, have := range c.known {
		defined[have.Table+"\x00"+have.Expression] = true
	}
	var out []Spec
	for _, p := range Propose(c.Dialect(), c.Snapshot().Tables) {
		if _, taken := c.known[p.Name]; taken || defined[p.Table+"\x00"+p.Expression] {
			continue
		}
		if checked, err := c.check(p); err == nil {
			out = append(out, checked)
		}
	}
	return out, nil
}
