package warehouse

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ActionKind is what a reply asks for.
type ActionKind string

// The kinds, by their names in the contract with the model.
const (
	QueryData    ActionKind = "query_data"
	LookupSchema ActionKind = "lookup_schema"
	SearchTables ActionKind = "search_tables"
	Complete     ActionKind = "complete"
)

// The bounds of an action. Prompts get them from here.
const (
	MaxLookupTables   = 10      // tables of one lookup
	MaxLookups        = 30      // lookups of a run
	MaxSearches       = 30      // searches of a run
	DefaultSearchTopK = 10      // tables that a search finds, unless it says how many
	MaxSearchTopK     = 30      // tables that a search finds at most
	maxReply          = 1 << 20 // bytes of a reply that are read
)

// Anything are all kinds, for a run; a verifier may ask for [Verifying] only.
var (
	Anything  = []ActionKind{QueryData, LookupSchema, SearchTables, Complete}
	Verifying = []ActionKind{LookupSchema, QueryData}
)

// Action is one thing to do.
type Action struct {
	Kind     ActionKind
	Thinking string // why, in the model's words; may be empty

	Query   string // of QueryData, one statement, as the model wrote it
	Purpose string // what it is to find out, in a clause; may be empty

	Tables []string // of LookupSchema, as the model named them, each once
	Search string   // of SearchTables
	TopK   int      // 1 to MaxSearchTopK

	Summary string // of Complete
}

// ParseAction finds the action in a model's reply: the last JSON object of it that
// asks for something, outside <think> … </think>. Fences, prose around it, trailing
// commas, quotes that an editor bent and a few other slips do not matter, and an
// object that was cut off is read when what it asks for is whole. Words outside of
// objects never count, so that talk of being done ends nothing.
//
// Of several requests in one object the first of these counts: done, query,
// lookup_schema, search_tables, and what "action" or "name" says. An object that
// asks for what is not allowed is an error, as is a reply without one; the error is
// an [*ActionError], which says what to do about it.
func ParseAction(reply string, allowed []ActionKind) (Action, error) {
	if len(reply) > maxReply {
		reply = reply[len(reply)-maxReply:]
	}
	found, fault := lastWish(withoutThoughts(reply))
	if found == nil {
		return Action{}, fault
	}
	a, err := found.action()
	if err != nil {
		return Action{}, err
	}
	if !slices.Contains(allowed, a.Kind) {
		return Action{}, &ActionError{Reason: fmt.Sprintf("%s is not possible here", a.Kind), Remedy: "use one of: " + names(allowed)}
	}
	return a, nil
}

// ActionError says why a reply holds no action, and what would be one. Both are
// short clauses for the model to read.
type ActionError struct {
	Reason string
	Remedy string
}

func (e *ActionError) Error() string {
	if e.Remedy == "" {
		return e.Reason
	}
	return e.Reason + "; " + e.Remedy
}

// errNothing is the fault of a reply without any object.
var errNothing = &ActionError{Reason: "the reply holds no JSON object", Remedy: "answer with one JSON object and nothing else"}

// IsNoAction says whether err is of a reply that could not be read.
func IsNoAction(err error) bool {
	var e *ActionError
	return errors.As(err, &e)
}

// names lists kinds.
func names(kinds []ActionKind) string {
	list := make([]string, len(kinds))
	for i, k := range kinds {
		list[i] = string(k)
	}
	return strings.Join(list, ", ")
}

// withoutThoughts returns what a reply says after and beside <think> … </think>. An
// end without a beginning ends thoughts that began before the reply; a beginning
// without an end hides what follows, unless that is all there is.
func withoutThoughts(reply string) string {
	const open, end = "<think>", "</think>"
	var out strings.Builder
	rest := reply
	for {
		at := strings.Index(rest, end)
		if at < 0 {
			break
		}
		if begin := strings.Index(rest[:at], open); begin >= 0 {
			out.WriteString(rest[:begin])
			out.WriteByte('\n')
		} else {
			out.Reset()
		}
		rest = rest[at+len(end):]
	}
	if begin := strings.Index(rest, open); begin >= 0 && strings.Contains(out.String()+rest[:begin], "{") {
		rest = rest[:begin]
	}
	if out.Len() == 0 {
		return rest
	}
	return out.String() + rest
}
