package runs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
)

// act carries out the action of a step and stores the result. An error of warehouse or index
// becomes part of the step; the error returned is one that keeps the run from going on.
func (w *work) act(ctx context.Context, s *warehouse.Step, a warehouse.Action) error {
	var err error
	switch a.Kind {
	case warehouse.QueryData:
		err = w.query(ctx, s)
	case warehouse.LookupSchema:
		err = w.lookup(ctx, s, a.Tables)
	case warehouse.SearchTables:
		err = w.search(ctx, s)
	case warehouse.Complete:
		w.complete(s)
	default:
		err = fmt.Errorf("no step does %q", a.Kind)
	}
	if ctx.Err() != nil {
		return ctx.Err() // which may be why the warehouse failed
	}
	if err != nil {
		return err
	}
	return w.done(ctx, s)
}

// complete ends exploration, or replies that it is too early.
func (w *work) complete(s *warehouse.Step) {
	if s.N >= w.run.MinSteps {
		return
	}
	s.Type = warehouse.CompleteRejectedStep
	s.Answer = fmt.Sprintf("Not yet: the end is accepted from step %d on, and this is step %d. %d more are to be made. Look into what was not looked into yet.",
		w.run.MinSteps, s.N, w.run.MinSteps-s.N)
}

// query answers a step from the warehouse, or from an earlier step with the same query. A query
// that was answered before is not sent again.
func (w *work) query(ctx context.Context, s *warehouse.Step) error {
	if was := asksAgain(w.steps, s.Query); was != nil {
		repeat(s, was)
		return nil
	}
	answer, fixes, err := w.Repair(ctx, w.run.Tenant, w.gateway, warehouse.Query{SQL: s.Query, Run: w.run.ID, Step: s.N})
	s.Fixes = fixes
	if err != nil {
		fail(s, err)
		return nil
	}
	return w.digest(s, answer)
}

// maxDigest bounds the digest of a result in prompts, in bytes. At four bytes a token it is about
// 8,000 tokens.
const maxDigest = 32 << 10

// digest stores the result of a query in its masked, summarised form. Values are masked with the
// key of the run, so that the same value has the same pseudonym in all its steps. No rows are
// stored but those in the digest.
func (w *work) digest(s *warehouse.Step, a warehouse.Answer) error {
	if a.Result == nil {
		fail(s, errors.New("the warehouse answered with nothing"))
		return nil
	}
	r := a.Result
	s.SQL, s.Tables, s.Rows, s.More, s.Scanned, s.Took = a.Sent.SQL, a.Sent.Tables, r.Rows, r.More, r.Scanned, r.Took
	d, ok := digest.Compact(r.Columns, digest.Mask{Key: w.run.maskKey}).Within(maxDigest)
	if !ok {
		s.Answer = fmt.Sprintf("The result has %d rows and %d columns, too wide to be shown. Ask for fewer columns.", r.Rows, len(r.Columns))
		return nil
	}
	var err error
	s.Digest, err = json.Marshal(d)
	return err
}

// lookup answers a step from the index, except for tables that were shown before. At most
// warehouse.MaxLookupTables new tables are described, and the rest is named in the answer. A run
// has warehouse.MaxLookups lookups of new tables; repeated ones are free.
func (w *work) lookup(ctx context.Context, s *warehouse.Step, refs []string) error {
	fresh, old := w.splitShown(refs)
	switch {
	case len(fresh) == 0:
		for _, o := range old {
			s.Tables, s.Repeats = append(s.Tables, o.ref), max(s.Repeats, o.step)
		}
		return w.shownAgain(ctx, s, old)
	case spentOn(w.steps, warehouse.LookupStep) >= warehouse.MaxLookups:
		exhaust(s, "lookups", warehouse.MaxLookups)
		return nil
	}
	left := fresh[min(len(fresh), warehouse.MaxLookupTables):]
	found, err := w.gateway.Lookup(ctx, fresh[:len(fresh)-len(left)])
	if err != nil {
		fail(s, err)
		return nil
	}
	for _, t := range found.Tables {
		s.Tables = append(s.Tables, t.Ref)
	}
	for _, o := range old {
		s.Tables = append(s.Tables, o.ref)
	}
	s.Answer = lookedUp(found, old, left, warehouse.MaxLookups-spentOn(w.steps, warehouse.LookupStep)-1)
	return nil
}

// promptSteps is the number of steps for which a description is likely to be still in
// the analyst's prompt, where older ones are reduced to the names of their tables.
const promptSteps = 6

// shownAgain answers a lookup that names only known tables. Tables whose description
// has left the prompt are described again. This takes nothing from the budget.
func (w *work) shownAgain(ctx context.Context, s *warehouse.Step, old []describedTable) error {
	var far []string
	for _, o := range old {
		if s.N-o.step > promptSteps && len(far) < warehouse.MaxLookupTables {
			far = append(far, o.ref)
		}
	}
	s.Answer = oldLines(old) + "Nothing was looked up; ask for something else."
	if len(far) == 0 {
		return nil
	}
	found, err := w.gateway.Lookup(ctx, far)
	if err != nil {
		fail(s, err)
		return nil
	}
	s.Answer = oldLines(old) + "Here they are again:\n\n" + described(found)
	return nil
}

// describedTable is a table that an earlier step has described.
type describedTable struct {
	ref  string // qualified
	step int    // the first that described it
}

// splitShown divides the names of tables into those to look up and those described before, without
// duplicates. Names are resolved by the catalog, so that two spellings of a table count as one.
// Both lists are in the order of refs.
func (w *work) splitShown(refs []string) (fresh []string, old []describedTable) {
	at := map[string]int{}
	for i := range w.steps {
		if s := &w.steps[i]; s.Type == warehouse.LookupStep && s.Repeats == 0 {
			for _, t := range s.Tables {
				at[t] = cmp.Or(at[t], s.N)
			}
		}
	}
	seen := map[string]bool{}
	catalog := w.gateway.Catalog()
	for _, ref := range refs {
		name := ref
		if i, ok, _ := catalog.Find(ref); ok {
			name = catalog.Table(i).Ref()
		}
		switch n, known := at[name]; {
		case seen[name]:
		case known:
			old = append(old, describedTable{name, n})
		default:
			fresh = append(fresh, ref)
		}
		seen[name] = true
	}
	return fresh, old
}

// search answers a step from the index, or from an earlier step with the same
// search.
func (w *work) search(ctx context.Context, s *warehouse.Step) error {
	if was := searchesAgain(w.steps, s); was != nil {
		s.Repeats, s.Tables = was.N, was.Tables
		s.Answer = fmt.Sprintf("This is the search of step %d again; what it found stands. Search for something else.", was.N)
		return nil
	}
	used := spentOn(w.steps, warehouse.SearchStep)
	if used >= warehouse.MaxSearches {
		exhaust(s, "searches", warehouse.MaxSearches)
		return nil
	}
	hits, err := w.gateway.Search(ctx, s.Search, s.TopK)
	if err != nil {
		fail(s, err)
		return nil
	}
	for _, h := range hits {
		s.Tables = append(s.Tables, h.Ref)
	}
	s.Answer = searched(hits, warehouse.MaxSearches-used-1)
	return nil
}

// exhaust ends a step for which no budget is left.
func exhaust(s *warehouse.Step, what string, most int) {
	s.Error, s.Class = fmt.Sprintf("the %d %s of a run are used up", most, what), Exhausted
	s.Answer = fmt.Sprintf("The %d %s of this run are used up. Go on with queries over the tables that are known.", most, what)
}

// fail ends a step with an error of the warehouse or the index.
func fail(s *warehouse.Step, err error) {
	s.Class, s.Error = warehouse.ClassOf(err), err.Error()
	var q *warehouse.QueryError
	if errors.As(err, &q) {
		s.Error = q.Message
	}
	s.Error = cut(s.Error, maxError)
	s.Answer = fmt.Sprintf("That failed (%s): %s", s.Class, s.Error)
}

// maxError is how many bytes of an error are kept.
const maxError = 4000

// maxDescribed bounds the description of one table, in bytes.
const maxDescribed = 16 << 10

// lookedUp phrases the result of a lookup.
func lookedUp(found warehouse.LookupAnswer, old []describedTable, left []string, more int) string {
	var b strings.Builder
	b.WriteString(described(found))
	for _, n := range found.NotFound {
		fmt.Fprintf(&b, "There is no table %s.", n.Ref)
		if len(n.Candidates) > 0 {
			b.WriteString(" It may be one of: " + strings.Join(n.Candidates, ", ") + ".")
		}
		b.WriteByte('\n')
	}
	b.WriteString(oldLines(old))
	if len(left) > 0 {
		fmt.Fprintf(&b, "At most %d tables are looked up at once; these were not: %s.\n", warehouse.MaxLookupTables, strings.Join(left, ", "))
	}
	fmt.Fprintf(&b, "Lookups left: %d.", more)
	return b.String()
}

// described joins the descriptions of the tables found.
func described(found warehouse.LookupAnswer) string {
	var b strings.Builder
	for _, t := range found.Tables {
		b.WriteString(cut(strings.TrimSpace(t.Text), maxDescribed) + "\n\n")
	}
	return b.String()
}

// oldLines says in which steps tables were shown.
func oldLines(old []describedTable) string {
	var b strings.Builder
	for _, o := range old {
		fmt.Fprintf(&b, "%s: already shown at step %d.\n", o.ref, o.step)
	}
	return b.String()
}

// searched phrases the result of a search.
func searched(hits []warehouse.Hit, more int) string {
	var b strings.Builder
	for _, h := range hits {
		fmt.Fprintf(&b, "%s (%.2f", h.Line, h.Score)
		if h.Because != "" {
			b.WriteString("; " + h.Because)
		}
		b.WriteString(")\n")
	}
	if len(hits) == 0 {
		b.WriteString("No table was found.\n")
	}
	fmt.Fprintf(&b, "Searches left: %d.", more)
	return b.String()
}
