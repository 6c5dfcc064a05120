package warehouse

import (
	"slices"
	"strings"

	"quaestor/internal/language"
)

// replyFields are the values in an object of a reply that an action can be made of.
type replyFields struct {
	thinking, query, purpose, search, summary, reason string
	tables, listed                                    []string // of lookup_schema, of tables
	topK                                              int
	done                                              bool
	said                                              string       // the kind that "action" or "name" names
	input                                             *replyFields // content of an envelope ("input", "arguments")
	inner                                             *replyFields // the last request among the values of other keys
	cut                                               string       // what was incomplete when the reply ended; empty if nothing was
	invalid                                           string       // why a value has the wrong type; empty if none has
}

// asks reports whether w asks for something, validly or not.
func (w *replyFields) asks() bool {
	return w.done || w.query != "" || len(w.tables) > 0 || w.search != "" || w.said != "" || w.invalid != ""
}

// outermost returns w, or the request nested in it if w itself asks for nothing.
func (w *replyFields) outermost() *replyFields {
	for w.inner != nil && !w.asks() && w.cut == "" {
		w = w.inner
	}
	return w
}

// action returns the action that w asks for.
func (w *replyFields) action() (Action, error) {
	a := Action{Thinking: w.thinking, Purpose: w.purpose}
	switch {
	case w.done:
		a.Kind, a.Summary = Complete, w.last()
	case w.query != "" && w.said != string(SearchTables): // a named search may carry its words in "query"
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

// last returns the closing words of a request to be done.
func (w *replyFields) last() string {
	if w.summary != "" {
		return w.summary
	}
	return w.reason
}

// named returns the action that the object names, with its content beside the name or in an
// envelope.
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
		return Action{}, &ActionError{Reason: "there is no action " + quoted(w.said), Remedy: "use one of: " + names(AllActions)}
	}
	return in.bounded(a)
}

// bounded returns a with w's lists and numbers within their bounds; it is an error if
// something required is missing.
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

// missing returns the error of an action that lacks the value of key.
func (w *replyFields) missing(key string) error {
	if f := w.fault(); w.cut != "" || w.invalid != "" {
		return f
	}
	return &ActionError{Reason: "the value of " + key + " is missing or empty", Remedy: "give it, or ask for something else"}
}

// fault returns why w is not an action.
func (w *replyFields) fault() *ActionError {
	switch {
	case w.invalid != "":
		return &ActionError{Reason: w.invalid, Remedy: "send the object again with the value mended"}
	case w.cut != "":
		return &ActionError{Reason: "the reply ends too early: " + w.cut, Remedy: "send the whole object again, shorter"}
	default:
		return &ActionError{Reason: "the object asks for nothing", Remedy: "give it one of the keys query, lookup_schema, search_tables, or done with true"}
	}
}

// tidy trims names and drops empty ones and duplicates.
func tidy(names []string) []string {
	out := names[:0:0]
	for _, n := range names {
		if n = strings.TrimSpace(n); n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// firstOf returns a, or b if a is empty.
func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// quoted returns at most 40 characters of s, in quotes.
func quoted(s string) string {
	return `"` + language.Short(s) + `"`
}
