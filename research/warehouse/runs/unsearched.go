package runs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/catalog"
)

// Unsearched is a table of a run in which effects were not looked for, or not in all of it. What holds for that is not
// known.
type Unsearched struct {
	Table  string `json:"table"`
	Reason string `json:"reason" doc:"a phrase, or sentences that end with a full stop"`
	Partly bool   `json:"partly,omitempty" doc:"it was searched, but for what the reason names"`
}

// Reasons for leaving out a table that could have been read.
const (
	overBudget = "the budget of the run was used up"
	overNumber = "a run searches 24 tables at most, those first that it read and those that are largest" // [MaxSearched]
)

// SearchedTables returns the tables in which a run looked for effects, and those in which it did not, or not in all,
// both by name. Neither is complete before the analysis is over.
func SearchedTables(ctx context.Context, db postgres.DB, tenant, run string) (searched []string, left []Unsearched, err error) {
	known, err := scans(ctx, db, tenant, run)
	for _, table := range sortedTables(known) {
		if known[table].err == "" {
			searched = append(searched, table)
		}
	}
	return searched, unsearchedOf(known), err
}

func unsearchedOf(known map[string]scan) []Unsearched {
	var out []Unsearched
	for _, table := range sortedTables(known) {
		switch s := known[table]; {
		case s.err != "":
			out = append(out, Unsearched{Table: table, Reason: s.err})
		case len(s.Missed) > 0:
			missed := s.Missed[:min(len(s.Missed), maxMissed)]
			if more := len(s.Missed) - maxMissed; more > 0 {
				missed = append(slices.Clone(missed), fmt.Sprintf("So it was %s more.", language.Count(more, "time")))
			}
			out = append(out, Unsearched{table, strings.Join(missed, " "), true})
		}
	}
	return out
}

// Lacks reports whether a run is partial for want of these tables. Those that come after the most that any run searches
// are left out by plan.
func Lacks(list []Unsearched) bool {
	return slices.ContainsFunc(list, func(u Unsearched) bool { return u.Reason != overNumber })
}

// maxMissed bounds what is told of a table that was searched in part.
const maxMissed = 3

// maxNamed bounds the tables that one sentence names.
const maxNamed = 8

// UnsearchedWords say in sentences which tables were not searched and why, one sentence for each reason.
func UnsearchedWords(list []Unsearched) []string {
	var reasons []string
	tables := map[string][]string{}
	for _, u := range list {
		if tables[u.Reason] == nil {
			reasons = append(reasons, u.Reason)
		}
		tables[u.Reason] = append(tables[u.Reason], u.Table)
	}
	out := make([]string, len(reasons))
	for i, reason := range reasons {
		of := tables[reason]
		names := strings.Join(of[:min(len(of), maxNamed)], ", ")
		if more := len(of) - maxNamed; more > 0 {
			names += fmt.Sprintf(" and %d more", more)
		}
		subject := names + " was not searched"
		if slices.ContainsFunc(list, func(u Unsearched) bool { return u.Partly && u.Reason == reason }) {
			subject = names + " was not searched in full"
		}
		if len(of) > 1 {
			subject = language.Count(len(of), "table") + " were not searched (" + names + ")"
		}
		if stop := strings.HasSuffix(reason, "."); stop {
			out[i] = subject + ". " + reason
		} else {
			out[i] = subject + ": " + reason + "."
		}
	}
	return out
}

// within reports whether the run is about a table.
func (w *work) within(t *catalog.Table) bool {
	d := w.run.Instructions.Datasets
	return len(d) == 0 || t.Schema == "" || slices.Contains(d, t.Schema)
}

// unread returns the tables that the warehouse shows and cannot read.
func (w *work) unread() []Unsearched {
	var out []Unsearched
	x := w.gateway.Catalog()
	for i := range x.Len() {
		if t := x.Table(i); t.Unread != "" && w.within(t) {
			out = append(out, Unsearched{Table: t.Ref(), Reason: t.Unread})
		}
	}
	return out
}

// passedOver returns those of the tables that may hold effects of which nothing is known.
func (w *work) passedOver(worth []string, known map[string]scan) []Unsearched {
	var out []Unsearched
	for n, table := range worth {
		if _, ok := known[table]; ok {
			continue
		}
		reason := overBudget
		if n >= MaxSearched && !w.spentUp.Load() {
			reason = overNumber
		}
		out = append(out, Unsearched{Table: table, Reason: reason})
	}
	return out
}
