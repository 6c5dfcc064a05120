package runs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"quaestor/internal/postgres"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/pick"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// MaxSearched bounds the tables that are searched, those first that exploration read.
const MaxSearched = 24

// atOnce is how many tables are searched, insights checked, and areas picked and worded at the same
// time: as many as the connection allows statements.
func (w *work) atOnce() int {
	if g, ok := w.meter.Gateway.(interface{ AtOnce() int }); ok {
		return max(g.AtOnce(), 1)
	}
	return warehouse.DefaultAtOnce
}

// scan is what was found in one table.
type scan struct {
	insight.Findings
	err    string // why it could not be read; empty if it could
	partly bool   // the budget was used up meanwhile; there is nothing but what was paid for it
}

// analyse searches the tables for effects, and then sorts these into areas. A table is searched
// once: what was found is stored before the next phase, and an area is made of what is stored.
func (w *work) analyse(ctx context.Context) error {
	if err := w.reopen(ctx); err != nil {
		return err
	}
	if budgetReason(w.run.Budget, &w.run, 0) != "" { // by exploration alone
		if err := w.commit(ctx, func(b *postgres.Batch) error { return w.exhaustedAfter(b, w.run.Spent) }); err != nil {
			return err
		}
	}
	w.keepWithinBudget()
	worth := w.searched()
	tables := worth[:min(len(worth), MaxSearched)]
	known, err := scans(ctx, w.Pool, w.run.Tenant, w.run.ID)
	if err != nil {
		return err
	}
	left := slices.DeleteFunc(slices.Clone(tables), func(t string) bool { _, ok := known[t]; return ok })
	var defined []insight.Definition
	if w.Definitions != nil {
		if defined, err = w.Definitions(ctx, w.run.Tenant, w.run.Warehouse); err != nil {
			return fmt.Errorf("read the metrics: %w", err)
		}
	}
	finder := insight.NewFinder(w.gateway.Dialect(), w.gateway.Catalog(), len(tables), w.asks, defined...)
	err = inParallel(ctx, w.atOnce(), left, func(ctx context.Context, table string) (scan, error) {
		if w.spentUp.Load() {
			return scan{}, nil
		}
		before := w.refused.Load()
		found, err := finder.Find(ctx, table)
		if ctx.Err() != nil {
			return scan{}, ctx.Err()
		}
		if w.refused.Load() > before { // something of it may have been left out
			return scan{partly: true}, nil
		}
		if err != nil {
			return scan{Findings: insight.Findings{Table: table}, err: cut(clean(err.Error()), maxDetail)}, nil
		}
		return scan{Findings: found}, nil
	}, func(s scan) error {
		switch {
		case s.partly:
			return w.spend(ctx, Analysing, func(*postgres.Batch) error { return nil })
		case s.Table == "": // left out, because the budget is used up
			return nil
		}
		known[s.Table] = s
		body, err := json.Marshal(s.Findings)
		if err != nil {
			return fmt.Errorf("encode what was found in %s: %w", s.Table, err)
		}
		err = w.spend(ctx, Analysing, func(b *postgres.Batch) error {
			return queries.ScanInsert(ctx, b, &dbsqlc.ScanInsertParams{TenantID: w.run.Tenant, RunID: w.run.ID, TableRef: s.Table, Findings: body, Error: s.err})
		})
		if err != nil {
			return err
		}
		return w.mayGoOn(ctx)
	})
	if err != nil {
		return err
	}
	areas, insights, err := w.areas(ctx, known)
	if err != nil {
		return err
	}
	if err := w.word(ctx, areas, insights); err != nil {
		return err
	}
	unsearched := append(w.unread(), w.passedOver(worth, known)...)
	return w.enter(ctx, Validation, "", func(b *postgres.Batch) error {
		for _, u := range unsearched {
			body, err := json.Marshal(insight.Findings{Table: u.Table})
			if err != nil {
				return fmt.Errorf("encode that %s was not searched: %w", u.Table, err)
			}
			err = queries.ScanInsert(ctx, b, &dbsqlc.ScanInsertParams{TenantID: w.run.Tenant, RunID: w.run.ID, TableRef: u.Table, Findings: body, Error: cut(clean(u.Reason), maxDetail)})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// spend stores what f queues together with what the statements for it have cost, and notes when the
// budget is used up.
func (w *work) spend(ctx context.Context, p Purpose, f func(*postgres.Batch) error) error {
	paid := w.statements(p)
	next := w.run
	next.Spent = with(w.run.Spent, paid)
	return w.commit(ctx, func(b *postgres.Batch) error {
		return cmp.Or(f(b), paid.add(b, w.run.ID), w.exhaustedAfter(b, next.Spent))
	}, countersEvent(&next))
}

// reopen opens the warehouse, unless this worker has it open.
func (w *work) reopen(ctx context.Context) error {
	if w.gateway != nil {
		return nil
	}
	return w.open(ctx)
}

// asks puts a statement of the analysis to the warehouse.
func (w *work) asks(ctx context.Context, _, sql string) (*warehouse.Result, error) {
	a, err := w.gateway.Ask(ctx, warehouse.Query{SQL: sql, Run: w.run.ID})
	if errors.Is(err, errBudget) {
		w.refused.Add(1)
	}
	return a.Result, err
}

// searched returns the tables that may hold effects, those that exploration read first, then the largest.
// Only the first [MaxSearched] are searched.
func (w *work) searched() []string {
	read := map[string]int{}
	for i := range w.steps {
		for _, t := range w.steps[i].Tables {
			read[t]++
		}
	}
	type candidate struct {
		ref  string
		read int
		rows int64
	}
	var all []candidate
	x := w.gateway.Catalog()
	for i := range x.Len() {
		t := x.Table(i)
		if !w.within(t) || t.Unread != "" || !insight.Worth(x, i) {
			continue
		}
		all = append(all, candidate{t.Ref(), min(read[t.Ref()], 1), t.Rows})
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.read, a.read), cmp.Compare(b.rows, a.rows), strings.Compare(a.ref, b.ref))
	})
	var out []string
	for _, c := range all {
		out = append(out, c.ref)
	}
	return out
}

// inParallel does several things at once, n at a time, and passes what comes of each to done,
// one after the other. The first error ends all of it.
func inParallel[T, R any](ctx context.Context, n int, all []T, do func(context.Context, T) (R, error), done func(R) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type outcome struct {
		r   R
		err error
	}
	work, out := make(chan T), make(chan outcome)
	var workers sync.WaitGroup
	for range min(n, len(all)) {
		workers.Go(func() {
			for one := range work {
				r, err := do(ctx, one)
				out <- outcome{r, err}
			}
		})
	}
	go func() {
		defer close(work)
		for _, one := range all {
			select {
			case work <- one:
			case <-ctx.Done():
				return
			}
		}
	}()
	go func() {
		workers.Wait()
		close(out)
	}()
	var first error
	for o := range out {
		err := o.err
		if first == nil && err == nil {
			err = done(o.r)
		}
		if first == nil && err != nil {
			first = err
			cancel()
		}
	}
	return cmp.Or(first, ctx.Err())
}

// general is the area of a run whose pack has none.
var general = warehouse.Area{ID: "general", Name: "General", Priority: 1}

// areas picks the steps of each area and sorts the insights into them. An area fails if none of
// the tables that its steps read could be searched, or, if they read none, no table at all.
func (w *work) areas(ctx context.Context, found map[string]scan) ([]Area, []insight.Insight, error) {
	areas := w.run.Instructions.Areas
	if len(areas) == 0 {
		areas = []warehouse.Area{general}
	}
	var all []insight.Insight
	for _, table := range sortedTables(found) {
		all = append(all, found[table].Insights...)
	}
	all = insight.Assign(areas, all)
	selections, err := w.picks(ctx, areas)
	if err != nil {
		return nil, nil, err
	}
	var out []Area
	for n, a := range areas {
		picked := selections[n]
		area := Area{ID: a.ID, Name: a.Name, Status: AreaComplete, Selected: picked.Selected, Dropped: picked.Dropped, text: picked.Text, ranked: picked.ranked}
		mine := slices.ContainsFunc(all, func(i insight.Insight) bool { return i.Area == a.ID })
		if why := cmp.Or(w.allUnread(picked.Selection, found), w.unsearched(picked.Selection, found)); why != "" && !mine {
			area.Status, area.Reason = AreaFailed, why
		}
		out = append(out, area)
		for k := range all {
			if all[k].Area == a.ID {
				all[k].Steps = w.evidence(&all[k], picked.Selection)
			}
		}
	}
	return out, all, nil
}

func sortedTables(found map[string]scan) []string {
	out := make([]string, 0, len(found))
	for t := range found {
		out = append(out, t)
	}
	slices.Sort(out)
	return out
}

// picked are the steps that an area rests on.
type picked struct {
	pick.Selection
	place  int  // of the area
	ranked bool // the vectors of steps were searched
}

// picks selects the steps of each area, several areas at a time. The result is in the order of the
// areas, whichever is done first.
func (w *work) picks(ctx context.Context, areas []warehouse.Area) ([]picked, error) {
	if err := w.indexMissing(ctx); err != nil { // or they would be ranked as if they were about nothing
		return nil, err
	}
	places := make([]int, len(areas))
	for i := range places {
		places[i] = i
	}
	out := make([]picked, len(areas))
	err := inParallel(ctx, w.atOnce(), places, func(ctx context.Context, at int) (picked, error) {
		p, err := w.pick(ctx, areas[at])
		p.place = at
		return p, err
	}, func(p picked) error {
		out[p.place] = p
		return nil
	})
	return out, err
}

// pick selects the steps that an area rests on. Those of a model fit into its prompt.
func (w *work) pick(ctx context.Context, a warehouse.Area) (picked, error) {
	near, ranked := map[int]float64{}, false
	if w.Encoder != nil {
		if v, err := w.Encoder.Encode(ctx, []string{pick.Query(a)}); err == nil && len(v) == 1 && v[0] != nil {
			list, err := Scores(ctx, w.Pool, w.run.Tenant, w.run.ID, w.Encoder.Name(), v[0], "")
			if err != nil {
				return picked{}, err
			}
			ranked = true
			for _, s := range list {
				near[s.Step] = s.Near
			}
		} else if ctx.Err() != nil {
			return picked{}, ctx.Err()
		} // without vectors the words decide
	}
	var candidates []pick.Candidate
	for i := range w.steps {
		s := &w.steps[i]
		if s.Type != warehouse.QueryStep || s.Repeats > 0 {
			continue
		}
		c := pick.Prepare(s)
		c.Score = near[s.N]
		candidates = append(candidates, c)
	}
	o := pick.Options{}
	if by, ok := w.analyst.(writer); ok {
		o.Budget = by.Room()
	}
	return picked{Selection: pick.Pick(candidates, a, o), ranked: ranked}, nil
}

// allUnread returns why nothing could be learnt for an area: all of the tables that its steps read
// failed; empty if not.
func (w *work) allUnread(picked pick.Selection, found map[string]scan) string {
	var relevant []string
	for _, p := range picked.Selected {
		for _, t := range w.steps[p.Step-1].Tables {
			if _, searched := found[t]; searched && !slices.Contains(relevant, t) {
				relevant = append(relevant, t)
			}
		}
	}
	if len(relevant) == 0 {
		relevant = sortedTables(found)
	}
	why := ""
	for _, t := range relevant {
		if found[t].err == "" {
			return ""
		}
		why = cmp.Or(why, "Its tables could not be read: "+found[t].err+".")
	}
	return why
}

// unsearched returns why nothing could be learnt for an area of a run whose budget is used up: none of
// the tables that its steps read, or none at all, was searched; empty if not.
func (w *work) unsearched(picked pick.Selection, found map[string]scan) string {
	if !w.spentUp.Load() {
		return ""
	}
	const why = "Its tables were not searched, because the budget of the run was used up."
	read := false
	for _, p := range picked.Selected {
		for _, t := range w.steps[p.Step-1].Tables {
			if _, searched := found[t]; searched {
				return ""
			}
			read = true
		}
	}
	if read || len(found) == 0 {
		return why
	}
	return ""
}

// maxEvidence bounds the steps that an insight names.
const maxEvidence = 5

// evidence returns the selected steps that read the table of an insight, those first that name
// its columns.
func (w *work) evidence(i *insight.Insight, picked pick.Selection) []int {
	var named, other []int
	for _, p := range picked.Selected {
		s := &w.steps[p.Step-1]
		if !slices.Contains(s.Tables, i.Table) {
			continue
		}
		text := strings.ToLower(s.Query + " " + s.Purpose)
		if slices.ContainsFunc(i.Segment, func(c insight.Condition) bool { return strings.Contains(text, strings.ToLower(c.Column)) }) || strings.Contains(text, strings.ToLower(i.Measure)) {
			named = append(named, s.N)
		} else {
			other = append(other, s.N)
		}
	}
	out := append(named, other...)
	return out[:min(len(out), maxEvidence)]
}
