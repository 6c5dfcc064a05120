package warehouse

import (
	"slices"
	"strings"
)

// replyFields is what an object of a reply holds of what an action is made of.
type replyFields struct {
	thinking, query, purpose, search, summary, reason string
	tables, listed                                    []string // of lookup_schema, of tables
	topK                                              int
	done                                              bool
	said                                              string       // by "action" or "name"
	input                                             *replyFields // of an envelope
	inner                                             *replyFields // the last one among values of other keys
	cut                                               string       // what was cut off, when the reply ended within; empty when it is whole
	spoilt                                            string       // why a value of ours is not of its kind; empty when all are
}

// asks says whether w is about doing something.
func (w *replyFields) asks() bool {
	return w.done || w.query != "" || len(w.tables) > 0 || w.search != "" || w.said != "" || w.spoilt != ""
}

// outermost returns w, or the request within it when w has none itself.
func (w *replyFields) outermost() *replyFields {
	for w.inner != nil && !w.asks() && w.cut == "" {
		w = w.inner
	}
	return w
}

// action returns what w asks for.
func (w *replyFields) action() (Action, error) {
	a := Action{Thinking: w.thinking, Purpose: w.purpose}
	switch {
	case w.done:
		a.Kind, a.Summary = Complete, w.last()
	case w.query != "" && w.said != string(SearchTables): // whose words may stand as its query
		a.Kind, a.Query = QueryData, w.query
	case len(w.tables) > 0:
		a.Kind = LookupSchema
	case w.search != "":
		a.Kind = SearchTables
	case w.said != "":
		return w.named(a)
	default:
		return Action{}, w.fault()
	}
	return w.bounded(a)
}

// last is what a request to be done says.
func (w *replyFields) last() string {
	if w.summary != "" {
		return w.summary
	}
	return w.reason
}

// named returns what an object asks for that names it, its content beside the name
// or in an envelope.
func (w *replyFields) named(a Action) (Action, error) {
	in := w
	if w.input != nil {
		in = w.input
	}
	if a.Thinking == "" {
		a.Thinking = in.thinking
	}
	switch a.Kind = ActionKind(w.said); a.Kind {
	case QueryData:
		a.Query, a.Purpose = in.query, firstOf(in.purpose, w.purpose)
	case LookupSchema, Complete:
		a.Summary = in.last()
	case SearchTables:
		in.search = firstOf(in.search, in.query)
	default:
		return Action{}, &ActionError{Reason: "there is no action " + quoted(w.said), Remedy: "use one of: " + names(Anything)}
	}
	return in.bounded(a)
}

// bounded returns a with the lists and numbers of w, if it is whole.
func (w *replyFields) bounded(a Action) (Action, error) {
	switch {
	case a.Kind == QueryData && strings.TrimSpace(a.Query) == "":
		return Action{}, w.missing("query")
	case a.Kind == LookupSchema:
		if a.Tables = tidy(append(w.tables, w.listed...)); len(a.Tables) == 0 {
			return Action{}, w.missing("lookup_schema")
		}
	case a.Kind == SearchTables:
		if a.Search = strings.TrimSpace(w.search); a.Search == "" {
			return Action{}, w.missing("search_tables")
		}
		a.TopK = DefaultSearchTopK
		if w.topK > 0 {
			a.TopK = min(w.topK, MaxSearchTopK)
		}
	}
	return a, nil
}

// missing is the fault of an action without what it is about.
func (w *replyFields) missing(key string) error {
	if f := w.fault(); w.cut != "" || w.spoilt != "" {
		return f
	}
	return &ActionError{Reason: "the value of " + key + " is missing or empty", Remedy: "give it, or ask for something else"}
}

// fault says why w is no action.
func (w *replyFields) fault() *ActionError {
	switch {
	case w.spoilt != "":
		return &ActionError{Reason: w.spoilt, Remedy: "send the object again with the value mended"}
	case w.cut != "":
		return &ActionError{Reason: "the reply ends too early: " + w.cut, Remedy: "send the whole object again, shorter"}
	default:
		return &ActionError{Reason: "the object asks for nothing", Remedy: "give it one of the keys query, lookup_schema, search_tables, or done with true"}
	}
}

// tidy returns names without spaces around them, without empty ones, each once.
func tidy(names []string) []string {
	out := names[:0:0]
	for _, n := range names {
		if n = strings.TrimSpace(n); n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// firstOf returns the first that is not empty.
func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// quoted returns at most 40 characters of s in quotes.
func quoted(s string) string {
	if r := []rune(s); len(r) > 40 {
		s = string(r[:40]) + "…"
	}
	return `"` + s + `"`
}
