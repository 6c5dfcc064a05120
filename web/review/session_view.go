package review

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// ReviewView is what [ReviewSession] shows: a session as it stood after a turn,
// with the part of the transcript that is being read.
type ReviewView struct {
	Nav          ui.Nav
	Session      sessions.Session
	Title        string // of the objective
	Turn         int    // after which the values stood so; 0 before the first
	Place        ReviewPlace
	Values       []ReviewValue
	Completeness obligations.Completeness
	Phase        sessions.Phase
	Changed      []obligations.StoredEvent // what that turn changed, oldest first
	Conflicts    []obligations.Conflict    // found by then, oldest first
	Research     []research.Task           // asked for by then, oldest first
	Timeline     Timeline
	Messages     []sessions.Message // of the turns From to To, oldest first
	From, To     int
	Details      *TurnDetails       // of that turn; nil when there is none
	Comments     []sessions.Comment // of reviewers, oldest first
	More         bool               // there are more of them than are shown
	Refused      Refused            // a form that could not be done
}

// ReviewPlace is what of a session's review is looked at.
type ReviewPlace struct {
	Turn     int    // 0 means the latest
	At       int    // turn to read the transcript at; 0 means where the evidence or the turn is
	Key      string // of the value whose evidence is marked; empty for none
	Evidence int    // which piece of it, from 0
	Tab      string // shown on narrow screens: "transcript" or "values"
}

// ReviewValue is one obligation under review.
type ReviewValue struct {
	*obligations.Obligation
	Events []obligations.StoredEvent // the latest of its history, oldest first
	Total  int                       // events in all
}

// ReadReviewPlace reads a place from an address. What makes no sense is left out.
func ReadReviewPlace(q url.Values) ReviewPlace {
	p := ReviewPlace{Turn: turnNumber(q.Get("turn")), At: turnNumber(q.Get("at")), Tab: q.Get("tab")}
	key, n, cut := strings.Cut(q.Get("evidence"), ".")
	if i, err := strconv.Atoi(n); cut && err == nil && i >= 0 {
		p.Key, p.Evidence = key, i
	}
	if p.Tab != "transcript" {
		p.Tab = "values"
	}
	return p
}

func turnNumber(s string) int {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil || n < 0 {
		return 0
	}
	return int(n)
}

// Now reports whether the session is shown as it stands.
func (v ReviewView) Now() bool { return v.Place.Turn == 0 || v.Place.Turn >= v.Session.Turns }

// decides reports whether the reader may change values here: not in the past.
func (v ReviewView) decides() bool { return v.Now() }

// over reports whether the interview asks nothing more.
func (v ReviewView) over() bool { return v.Session.Status == sessions.Completed }

// asksAgain reports whether one side of a conflict can be chosen: over several
// obligations the others are asked again, and a completed interview asks nothing.
func (v ReviewView) asksAgain(c obligations.Conflict) bool { return len(c.Keys) == 1 || !v.over() }

// cameUp returns what came up in the session and waits for a reviewer.
func (v ReviewView) cameUp() []ReviewValue {
	var out []ReviewValue
	for _, o := range v.Values {
		if o.Origin.Source == obligations.SourceEmergent && o.MergedInto == "" && v.decides() {
			out = append(out, o)
		}
	}
	return out
}

// base is the address of the session's review.
func (v ReviewView) base() string { return "/review/" + url.PathEscape(v.Session.ID) }

// path is the address of the review at a place, up to its fragment.
func (v ReviewView) path(p ReviewPlace) string {
	q := url.Values{}
	for name, n := range map[string]int{"turn": p.Turn, "at": p.At} {
		if n > 0 {
			q.Set(name, strconv.Itoa(n))
		}
	}
	if p.Key != "" {
		q.Set("evidence", evidenceName(p.Key, p.Evidence))
	}
	if p.Tab == "transcript" {
		q.Set("tab", p.Tab)
	}
	if len(q) == 0 {
		return v.base()
	}
	return v.base() + "?" + q.Encode()
}

// turnPath is where the session is shown as it stood after turn n.
func (v ReviewView) turnPath(n int) string {
	if n >= v.Session.Turns {
		n = 0
	}
	return v.path(ReviewPlace{Turn: n, Tab: v.Place.Tab})
}

// callsPath is where is told how turn n was answered.
func (v ReviewView) callsPath(n int) string { return v.base() + "/turns/" + strconv.Itoa(n) }

// tabPath is the same place with the other half in front.
func (v ReviewView) tabPath(tab string) string {
	p := v.Place
	p.Tab = tab
	return v.path(p)
}

// readPath is where the transcript is read at turn n.
func (v ReviewView) readPath(n int) string {
	p := v.Place
	p.At, p.Key, p.Evidence, p.Tab = n, "", 0, "transcript"
	return v.path(p) + "#transcript"
}

// evidencePath is where the words of evidence i of key are marked. Values and
// transcript stay those of the turn that is shown.
func (v ReviewView) evidencePath(key string, i int) string {
	return v.path(ReviewPlace{Turn: v.Place.Turn, Key: key, Evidence: i, Tab: "transcript"}) + "#evidence"
}

func evidenceName(key string, i int) string { return key + "." + strconv.Itoa(i) }

// valuePath is where all that happened to a value is told.
func (v ReviewView) valuePath(key string) string { return v.base() + "/values/" + url.PathEscape(key) }

// Chosen returns the evidence the place names; nil when there is none of that name.
func (v ReviewView) Chosen() *obligations.Evidence {
	for _, o := range v.Values {
		if o.Key == v.Place.Key && v.Place.Evidence < len(o.Evidence) {
			return &o.Evidence[v.Place.Evidence]
		}
	}
	return nil
}

// name gives the label of a key.
func (v ReviewView) name(key string) string {
	for _, o := range v.Values {
		if o.Key == key {
			return o.Name()
		}
	}
	return strings.ReplaceAll(key, "_", " ")
}

// templateOf returns what is said of an obligation; the empty template for one
// that is not there.
func (v ReviewView) templateOf(key string) *obligations.Template {
	for _, o := range v.Values {
		if o.Key == key {
			return o.Template
		}
	}
	return &obligations.Template{Key: key}
}

// groups are the values by category, in their order.
func (v ReviewView) groups() []reviewGroup {
	var out []reviewGroup
	for _, o := range v.Values {
		name := o.Category
		if name == "" {
			name = ui.NoCategory
		}
		i := slices.IndexFunc(out, func(g reviewGroup) bool { return g.Name == name })
		if i < 0 {
			i, out = len(out), append(out, reviewGroup{Name: name})
		}
		out[i].List = append(out[i].List, o)
	}
	return out
}

type reviewGroup struct {
	Name string
	List []ReviewValue
}

// conflicts returns those that are open, or those that are not.
func (v ReviewView) conflicts(open bool) []obligations.Conflict {
	var out []obligations.Conflict
	for _, c := range v.Conflicts {
		if (c.Status == obligations.ConflictOpen) == open {
			out = append(out, c)
		}
	}
	return out
}

// disputes returns the values whose dispute waits for somebody.
func (v ReviewView) disputes() []ReviewValue {
	var out []ReviewValue
	for _, o := range v.Values {
		if o.Negotiation.Open() {
			out = append(out, o)
		}
	}
	return out
}

// proposes reports whether t proposes a value that can be decided now.
func (v ReviewView) proposes(t research.Task) bool {
	if t.Proposal == nil || t.Status != research.Completed || !v.decides() {
		return false
	}
	for _, o := range v.Values {
		if o.Key == t.Proposal.Key {
			return !o.Resolved() && obligations.SameValue(o.Value, t.Proposal.Value)
		}
	}
	return false
}

// waiting counts what can be decided here.
func (v ReviewView) waiting() int {
	n := len(v.conflicts(true)) + len(v.disputes()) + len(v.cameUp())
	for _, t := range v.Research {
		if v.proposes(t) {
			n++
		}
	}
	return n
}

// turns are the numbers of the turns whose messages are shown.
func (v ReviewView) turns() []reviewTurn {
	var out []reviewTurn
	for _, m := range v.Messages {
		if n := len(out); n == 0 || out[n-1].Number != m.Turn {
			out = append(out, reviewTurn{Number: m.Turn})
		}
		last := &out[len(out)-1]
		last.Messages = append(last.Messages, m)
	}
	return out
}

type reviewTurn struct {
	Number   int
	Messages []sessions.Message
}

// cites returns which pieces of evidence rest on a message: its own words, or for
// what Quaestor proposed, the words that were agreed to.
func (v ReviewView) cites(message string) []citation {
	var out []citation
	for _, o := range v.Values {
		for i, e := range o.Evidence {
			c := citation{Key: o.Key, N: i, Name: o.Name(), Chosen: o.Key == v.Place.Key && i == v.Place.Evidence}
			switch {
			case e.Message == message:
				c.Span = e.Span
			case e.Proposal != nil && e.Proposal.Message == message:
				c.Span = e.Proposal.Span
			default:
				continue
			}
			out = append(out, c)
		}
	}
	return out
}

// citation is a piece of evidence that rests on words of a message.
type citation struct {
	Key    string
	N      int
	Name   string            // of the obligation
	Span   *obligations.Span // nil for the whole message
	Chosen bool
}

// held words a value for a form's hidden field.
func held(v json.RawMessage) string { return string(v) }

// turnWords says which state is shown.
func (v ReviewView) turnWords() string {
	if v.Session.Turns == 0 {
		return "Nothing has been said yet"
	}
	if v.Now() {
		return fmt.Sprintf("As it stands, after turn %d", v.Session.Turns)
	}
	return fmt.Sprintf("As it stood after turn %d of %d", v.Turn, v.Session.Turns)
}
