package data

import (
	"context"

	"quaestor/internal/language"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/runs"
	"quaestor/web/ui"
)

// extentView is how far a run came with looking for effects and with checking them.
type extentView struct {
	Searched  []string          // tables that were searched
	Left      []runs.Unsearched // those that were not, or not in all
	Unchecked int               // findings whose check failed, so that nothing is known of them
}

// fillExtent adds how far the run came.
func (s *Handlers) fillExtent(ctx context.Context, v *RunView, found []runs.Insight) (err error) {
	for i := range found {
		if found[i].Review.Status == insight.Failed {
			v.Unchecked++
		}
	}
	v.Searched, v.Left, err = runs.SearchedTables(ctx, s.Pool, v.Tenant, v.ID)
	return err
}

// leftOut reports whether a phase that is over left something out.
func (e extentView) leftOut(p runs.Phase) bool {
	switch p {
	case runs.Schema:
		return false
	case runs.Analysis:
		return runs.Lacks(e.Left)
	case runs.Validation:
		return e.Unchecked > 0
	}
	return false
}

// gaps say what was not searched and not checked, and why, in sentences.
func (e extentView) gaps() []string {
	out := runs.UnsearchedWords(e.Left)
	if e.Unchecked > 0 {
		out = append(out, language.Count(e.Unchecked, "finding")+" could not be checked, and may hold or not.")
	}
	return out
}

// nothing says why there are no findings that stand. It says that there is nothing to find only if all was searched.
func (v RunView) nothing() string {
	switch {
	case !v.Status.Over():
		return "They come when the tables have been searched for effects and each was checked."
	case v.Status != runs.Completed:
		return "The run ended before its findings were complete, so nothing is known of them."
	case v.Unchecked > 0:
		return "No finding could be confirmed."
	case len(v.Searched) == 0 && runs.Lacks(v.Left):
		return "No table was searched for effects, so nothing is known of them."
	case v.Fallen > 0:
		return "No finding stood up to its check" + v.elsewhere()
	case len(v.Searched) == 0:
		return "No table was searched for effects: none has enough records, or something to compare them by."
	}
	return "No effect was found that is larger than chance" + v.elsewhere()
}

// elsewhere ends a sentence about what was searched, if something was not.
func (v RunView) elsewhere() string {
	if len(v.Left) == 0 {
		return "."
	}
	return " in what was searched: " + ui.Count(len(v.Searched), "table") + ". Of the rest nothing is known."
}
