package review

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/ui"
)

// sessionView is what [sessionPage] shows: a session as it stood after a turn, and the part
// of the transcript that is being read.
type sessionView struct {
	page
	Turn         int // after which everything stood as shown; 0 before the first
	Place        place
	Values       []valueView // of the same order as Known
	Completeness obligations.Completeness
	Phase        sessions.Phase
	Changed      []obligations.StoredEvent // what the turn changed, oldest first
	Conflicts    []obligations.Conflict    // detected until then, oldest first
	Research     []research.Task           // requested until then, oldest first
	Timeline     timeline
	Recordings   []sessions.Recording // of what was said until now
	Messages     []sessions.Message   // of the turns From to To, oldest first
	From, To     int
	Details      *turnSummary          // of the turn; nil before the first
	Comments     []sessions.Comment    // of reviewers, oldest first
	More         bool                  // there are more comments than these
	Revisions    []chat.RevisionReport // oldest first; none for a session that was never reopened
	Handover     *handoverView         // nil when no wish for a human being is open
	Refusal      formRefusal
}

// place is what a reviewer looks at in a session, as an address holds it.
type place struct {
	Turn     int    // after which the session is shown; 0 means the latest
	At       int    // turn at which the transcript is read; 0 means that of the evidence, or else Turn
	Key      string // of the value whose evidence is marked; empty for none
	Evidence int    // index of the piece of evidence that is marked
	Tab      string // the half shown on narrow screens, "transcript" or "values"
}

// valueView is one obligation under review.
type valueView struct {
	*obligations.Obligation
	Events []obligations.StoredEvent // the latest of its history, oldest first
	Total  int                       // number of events in its history
}

// readPlace reads a place from an address. Parameters that make no sense are ignored.
func readPlace(q url.Values) place {
	p := place{Turn: turnNumber(q.Get("turn")), At: turnNumber(q.Get("at")), Tab: q.Get("tab")}
	key, n, cut := strings.Cut(q.Get("evidence"), ".")
	if i, err := strconv.Atoi(n); cut && err == nil && i >= 0 {
		p.Key, p.Evidence = key, i
	}
	if p.Tab != "transcript" {
		p.Tab = "values"
	}
	return p
}

// turnNumber reads the number of a turn; 0 for what is none. Turns are 32 bits wide in the
// database.
func turnNumber(s string) int {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil || n < 0 {
		return 0
	}
	return int(n)
}

// Now reports whether the session is shown as it stands. Only then may values be changed.
func (v sessionView) Now() bool { return v.Place.Turn == 0 || v.Place.Turn >= v.Session.Turns }

// over reports whether the interview is completed and asks nothing more.
func (v sessionView) over() bool { return v.Session.Status == sessions.Completed }

// sidesStand reports whether one side of a conflict can be chosen. Over several obligations
// that asks for the others again, which a completed interview cannot do.
func (v sessionView) sidesStand(c obligations.Conflict) bool { return len(c.Keys) == 1 || !v.over() }

// emergent returns the emergent questions that a reviewer may decide about now.
func (v sessionView) emergent() []valueView {
	return web.Where(v.Values, func(o valueView) bool {
		return o.Origin.Source == obligations.SourceEmergent && o.MergedInto == "" && v.Now()
	})
}

// path is the address of the review at a place, without a fragment.
func (v sessionView) path(p place) string {
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

// statePath is the review as it stood after turn n, with the same half in front.
func (v sessionView) statePath(n int) string {
	if n >= v.Session.Turns {
		n = 0
	}
	return v.path(place{Turn: n, Tab: v.Place.Tab})
}

// tabPath is the same place with the other half in front.
func (v sessionView) tabPath(tab string) string {
	p := v.Place
	p.Tab = tab
	return v.path(p)
}

// readPath is where the transcript is read at turn n, with no evidence marked.
func (v sessionView) readPath(n int) string {
	return v.path(place{Turn: v.Place.Turn, At: n, Tab: "transcript"}) + "#transcript"
}

// evidencePath is where the words of evidence i of key are marked, without leaving the
// turn that is shown.
func (v sessionView) evidencePath(key string, i int) string {
	return v.path(place{Turn: v.Place.Turn, Key: key, Evidence: i, Tab: "transcript"}) + "#evidence"
}

// evidenceName names a piece of evidence in addresses, as [readPlace] reads it.
func evidenceName(key string, i int) string { return key + "." + strconv.Itoa(i) }

// Chosen returns the evidence that the place names, and nil when there is no such evidence.
func (v sessionView) Chosen() *obligations.Evidence {
	o := obligations.Find(v.Known, v.Place.Key)
	if o == nil || v.Place.Evidence >= len(o.Evidence) {
		return nil
	}
	return &o.Evidence[v.Place.Evidence]
}

// shown returns the value of the obligation of key as people read it, for the list of what
// a conclusion was drawn from; a dash when it has none any more.
func (v sessionView) shown(key string) string {
	if o := obligations.Find(v.Known, key); o != nil && o.Value != nil {
		return sessions.Shown(o)
	}
	return "–"
}

// groups returns the values by category. Categories come in the order of their first value.
func (v sessionView) groups() []ui.Group[string, valueView] {
	return ui.GroupBy(v.Values, func(o valueView) string { return cmp.Or(o.Category, ui.NoCategory) })
}

// conflicts returns the open conflicts, or those that are decided.
func (v sessionView) conflicts(open bool) []obligations.Conflict {
	return web.Where(v.Conflicts, func(c obligations.Conflict) bool { return (c.Status == obligations.ConflictOpen) == open })
}

// disputes returns the values with an open dispute.
func (v sessionView) disputes() []valueView {
	return web.Where(v.Values, func(o valueView) bool { return o.Negotiation.Open() })
}

// proposals returns the research tasks that propose a value which is held, is not yet
// confirmed, and can be decided about now.
func (v sessionView) proposals() []research.Task {
	return web.Where(v.Research, func(t research.Task) bool {
		if t.Proposal == nil || t.Status != research.Completed || !v.Now() {
			return false
		}
		o := obligations.Find(v.Known, t.Proposal.Key)
		return o != nil && !o.Resolved() && obligations.SameValue(o.Value, t.Proposal.Value)
	})
}

// waiting counts what waits for the reviewer's decision.
func (v sessionView) waiting() int {
	return len(v.conflicts(true)) + len(v.disputes()) + len(v.emergent()) + len(v.proposals())
}

// turns returns the messages that are shown, by the number of their turn.
func (v sessionView) turns() []ui.Group[int, sessions.Message] {
	return ui.GroupBy(v.Messages, func(m sessions.Message) int { return m.Turn })
}

// citation is a piece of evidence that rests on words of a message.
type citation struct {
	Key    string
	Name   string            // of the obligation
	Span   *obligations.Span // the words; nil for the whole message
	Chosen bool              // it is the evidence that the place names
}

// cites returns the evidence that rests on a message: on words of the person, or on a
// proposal of Quaestor that the person accepted.
func (v sessionView) cites(message string) []citation {
	var out []citation
	for _, o := range v.Values {
		for i, e := range o.Evidence {
			c := citation{Key: o.Key, Name: o.Name(), Chosen: o.Key == v.Place.Key && i == v.Place.Evidence}
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

// marksEvidence reports whether the chosen evidence is marked in the messages shown.
func (v sessionView) marksEvidence() bool {
	return slices.ContainsFunc(v.Messages, func(m sessions.Message) bool {
		return chosenSegment(segments(m.Content, v.cites(m.ID()))) >= 0
	})
}

// stateWords names the state of the session that is shown.
func (v sessionView) stateWords() string {
	if v.Session.Turns == 0 {
		return "Nothing has been said yet"
	}
	if v.Now() {
		return fmt.Sprintf("As it stands, after turn %d", v.Session.Turns)
	}
	return fmt.Sprintf("As it stood after turn %d of %d", v.Turn, v.Session.Turns)
}

// sound returns the address of the recording in which a piece of evidence was said; empty where
// it was typed, or nothing is kept of it.
func (v sessionView) sound(e obligations.Evidence) string {
	if e.Kind != obligations.Stated && e.Kind != obligations.Accepted || e.Message != sessions.MessageID(e.Turn, sessions.FromUser) {
		return ""
	}
	for _, r := range v.Recordings {
		if r.Turn == e.Turn {
			return "/api/v1/sessions/" + v.Session.ID + "/recordings/" + strconv.Itoa(r.Turn)
		}
	}
	return ""
}
