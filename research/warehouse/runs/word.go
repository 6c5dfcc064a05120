package runs

import (
	"cmp"
	"context"
	"slices"

	"quaestor/internal/postgres"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/insight"
)

// writer is an analyst that words insights. The built-in one does not: what it finds is worded as
// it is found.
type writer interface {
	Word(ctx context.Context, t insight.WordingTask) (insight.Worded, error)
	Room() int // tokens that the results of steps may take in its prompt
}

// worded is an area with its insights in their final words.
type worded struct {
	area     Area
	place    int
	insights []insight.Insight
	places   []int // of the insights among all of the run
	spent    warehouse.TokenUsage
}

// word has the analyst word the insights of each area, if it does, and stores each area as it is
// done. An area that is stored is not worded again.
func (w *work) word(ctx context.Context, areas []Area, all []insight.Insight) error {
	stored, err := Areas(ctx, w.Pool, w.run.Tenant, w.run.ID)
	if err != nil {
		return err
	}
	var left []worded
	for place, a := range areas {
		if slices.ContainsFunc(stored, func(s Area) bool { return s.ID == a.ID }) {
			continue
		}
		one := worded{area: a, place: place + 1}
		for k, i := range all {
			if i.Area == a.ID {
				one.insights, one.places = append(one.insights, i), append(one.places, k+1)
			}
		}
		left = append(left, one)
	}
	return inParallel(ctx, w.atOnce(), left, w.inWords, func(one worded) error {
		paid := price(w.prices, Analysing, w.run.Analyst, one.spent)
		next := w.run
		next.Spent = with(w.run.Spent, paid)
		return w.commit(ctx, func(b *postgres.Batch) error {
			if err := one.area.save(ctx, b, &w.run, one.place); err != nil {
				return err
			}
			for k := range one.insights {
				if err := saveInsight(ctx, b, &w.run, one.places[k], &one.insights[k]); err != nil {
					return err
				}
			}
			return cmp.Or(paid.add(b, w.run.ID), w.exhaustedAfter(b, next.Spent))
		}, countersEvent(&next))
	})
}

// inWords asks the analyst to word the insights of one area. A wording that is refused leaves the words as they are. So
// does a model that fails, or does not answer in time, but then the area is not analysed as it was meant to be: it fails.
func (w *work) inWords(ctx context.Context, one worded) (worded, error) {
	by, ok := w.analyst.(writer)
	if !ok || len(one.insights) == 0 {
		return one, nil
	}
	if w.spentUp.Load() {
		one.area.Reason = "Its findings have the built-in words, because the budget of the run was used up."
		return one, nil
	}
	area := general
	for _, a := range w.run.Instructions.Areas {
		if a.ID == one.area.ID {
			area = a
		}
	}
	said, err := by.Word(ctx, insight.WordingTask{Area: area, Insights: one.insights, Language: w.run.Instructions.Language, Results: one.area.text, Memory: w.run.Instructions.Previous})
	if ctx.Err() != nil {
		return one, ctx.Err()
	}
	one.spent, one.area.Results, one.area.Memory = said.Spent, said.Results, said.Memory
	one.area.dialog = AreaDialog{cut(clean(said.Prompt), maxDialog), cut(clean(said.Reply), maxDialog)}
	if err != nil {
		one.area.Status, one.area.Reason = AreaFailed, cut(clean("The model gave no answer, so that its findings have the built-in words: "+err.Error()+"."), maxDetail)
		return one, nil
	}
	for k := range one.insights {
		i := &one.insights[k]
		proposed, ok := said.Wordings[i.ID]
		if !ok {
			continue
		}
		other, err := i.Reword(insight.Wording{Headline: clean(proposed.Headline), Text: clean(proposed.Text)})
		if err != nil {
			w.Log.DebugContext(ctx, "a wording is refused", "tenant", w.run.Tenant, "run", w.run.ID, "err", err)
			continue
		}
		*i = other
	}
	return one, nil
}
