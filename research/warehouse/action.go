package warehouse

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ActionKind is the kind of action that a reply asks for.
type ActionKind string

// The kinds, by their names in the contract with the model.
const (
	QueryData    ActionKind = "query_data"
	LookupSchema ActionKind = "lookup_schema"
	SearchTables ActionKind = "search_tables"
	Complete     ActionKind = "complete"
)

// Bounds of actions. The prompts are filled with these constants, so that what a model is
// told and what is enforced cannot differ.
const (
	MaxLookupTables   = 10      // tables in one lookup
	MaxLookups        = 30      // lookups in a run
	MaxSearches       = 30      // searches in a run
	DefaultSearchTopK = 10      // tables that a search returns if it does not ask for a number
	MaxSearchTopK     = 30      // most tables that a search returns
	maxReply          = 1 << 20 // bytes of a reply that are parsed; only its end counts beyond that
)

// AllActions lists all kinds, which a run may ask for; a verifier may only ask for [VerifierActions].
var (
	AllActions      = []ActionKind{QueryData, LookupSchema, SearchTables, Complete}
	VerifierActions = []ActionKind{LookupSchema, QueryData}
)

// Action is one thing to do.
type Action struct {
	Kind     ActionKind
	Thinking string // why, in the model's words; may be empty

	Query   string // of QueryData: one statement, as the model wrote it
	Purpose string // what the statement is to find out, in a clause; may be empty

	Tables []string // of LookupSchema: names as the model wrote them, without duplicates
	Search string   // of SearchTables
	TopK   int      // 1 to MaxSearchTopK

	Summary string // of Complete
}

// ParseAction finds the action in a model's reply: the last JSON object outside
// <think> … </think> that asks for something. It tolerates code fences, prose around the
// object, trailing commas, typographic quotes and similar slips, and accepts an object that
// was cut off if the part that names the action is complete. Text outside objects never
// counts, so that a model that talks about being done does not end the run.
//
// If one object asks for several things, the first of these counts: done, query,
// lookup_schema, search_tables, and what "action" or "name" names. A reply without an
// action, or with one that is not in allowed, is an error of type [*ActionError], which
// tells the model what to do about it.
func ParseAction(reply string, allowed []ActionKind) (Action, error) {
	if len(reply) > maxReply {
		reply = reply[len(reply)-maxReply:]
	}
	found, fault := lastRequest(withoutThoughts(reply))
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

// ActionError tells why a reply holds no valid action, and what to send instead. Both are
// short clauses addressed to the model.
type ActionError struct {
	Reason string
	Remedy string
}

// Error returns the correction for the analyst.
func (e *ActionError) Error() string {
	if e.Remedy == "" {
		return e.Reason
	}
	return e.Reason + "; " + e.Remedy
}

// errNothing is the error of a reply without any JSON object.
var errNothing = &ActionError{Reason: "the reply holds no JSON object", Remedy: "answer with one JSON object and nothing else"}

// IsNoAction reports whether err means that a reply held no valid action.
func IsNoAction(err error) bool {
	var e *ActionError
	return errors.As(err, &e)
}

// names joins the names of kinds with commas.
func names(kinds []ActionKind) string {
	list := make([]string, len(kinds))
	for i, k := range kinds {
		list[i] = string(k)
	}
	return strings.Join(list, ", ")
}

// withoutThoughts returns the parts of a reply outside <think> … </think>. A closing tag
// without an opening one drops everything before it. An opening tag without a closing one
// drops everything after it, unless nothing else in the reply could hold an object.
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
