package research

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"quaestor/internal/language"
	"quaestor/obligations"
)

// Kind is a kind of research.
type Kind string

// The kinds, by what an answer needs.
const (
	CompetitiveAnalysis Kind = "competitive_analysis"
	TechFeasibility     Kind = "tech_feasibility"
	MarketResearch      Kind = "market_research"
	DomainResearch      Kind = "domain_research"
	IntegrationResearch Kind = "integration_research"
)

var kinds = []Kind{CompetitiveAnalysis, TechFeasibility, MarketResearch, DomainResearch, IntegrationResearch}

// Valid reports whether k is one of the kinds.
func (k Kind) Valid() bool { return slices.Contains(kinds, k) }

func kindNames() string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k)
	}
	return strings.Join(names, ", ")
}

// Trigger is why research is due.
type Trigger string

// The triggers, the most pressing first.
const (
	UserRequest       Trigger = "user_request"       // the person asks for it
	LowConfidence     Trigger = "low_confidence"     // below 0.60 after two attempts
	Ambiguous         Trigger = "ambiguous"          // vague, or against what is held
	ExpertiseRequired Trigger = "expertise_required" // it takes an expert, and the person does not know
)

// When a confidence is low enough for research: below lowConfidence, after
// minAttempts questions.
const (
	lowConfidence obligations.Confidence = 60
	minAttempts   int                    = 2
)

// Order is a piece of research that is due.
type Order struct {
	Key      string // obligation it would answer; empty for a question of its own
	Kind     Kind
	Trigger  Trigger
	Query    string
	Priority int // 1–10
}

// Request is something the person wants looked up.
type Request struct {
	Key, Query string
}

// TurnFindings is what a turn found out, as far as research goes.
type TurnFindings struct {
	List    []obligations.Obligation // after the turn
	Changes []obligations.Change
	Unsure  []string // keys the person could not answer in this turn
	Wishes  []Request
	Past    History // research the session has had, as this turn leaves it
	Context string  // what the session is about, for the query
	Said    string  // what the person said in it
}

// What may be queued: by one turn, at once in a session, and in all its life.
const (
	maxOrders  = 3
	MaxOpen    = 5
	MaxSession = 40

	wishPriority = 8 // of what a person asked for, at least
)

// Agenda is what a turn calls for.
type Agenda struct {
	Orders  []Order   // the most important first, three at most
	Refused []Refusal // requests nothing is ordered for, in the order they were uttered
}

// Refusal is a request that comes to no order, and why.
type Refusal struct {
	Wish Request
	Why  DeclineReason
	Had  string // id of the task that is about it already; empty for none
}

// DeclineReason is what keeps a request from being ordered.
type DeclineReason string

// The obstacles.
const (
	Underway   DeclineReason = "underway"   // it is being looked up already
	Known      DeclineReason = "known"      // it was looked up, and something was found
	Unknowable DeclineReason = "unknowable" // no source outside can know it, see [obligations.NoResearch]
	TurnFull   DeclineReason = "turn_full"  // more at once than a turn may order
	TooMany    DeclineReason = "too_many"   // as many are open as a session may have
	UsedUp     DeclineReason = "used_up"    // the session has had as many as it may
	OwnSystems DeclineReason = "own_data"   // it asks for the person's own data, see [OwnData]
)

// Due returns the research a turn calls for: what the person asks for before
// what a doubt asks for, within the budgets. Of two tasks about one obligation one
// is open at most. A doubt is looked up once, whatever comes of it; a person may
// ask for it again once it is over. A question equal in its words to one that is
// open, or to one that found something, is the same question. Nothing that asks for
// the person's own data is ordered, nor is anything else in a turn that asks for it.
func Due(t TurnFindings) Agenda {
	var a Agenda
	for _, w := range t.Wishes {
		if why, had := a.obstacle(t, w); why != "" {
			a.Refused = append(a.Refused, Refusal{w, why, had})
		} else {
			a.Orders = append(a.Orders, requested(t, w))
		}
	}
	private := slices.ContainsFunc(a.Refused, func(r Refusal) bool { return r.Why == OwnSystems })
	for _, o := range doubts(t) {
		if !private && !OwnData(o.Query) && !a.has(o.Key) && a.room(t.Past) == "" {
			a.Orders = append(a.Orders, o)
		}
	}
	slices.SortStableFunc(a.Orders, moreUrgent)
	return a
}

func moreUrgent(first, other Order) int { return cmp.Compare(other.Priority, first.Priority) }

// obstacle returns what keeps a request from being ordered, or "", and the task that
// is about it already.
func (a *Agenda) obstacle(t TurnFindings, w Request) (why DeclineReason, had string) {
	o := obligations.Find(t.List, w.Key)
	switch {
	case asksOwnData(w.Query, t.Said), o != nil && w.Query == "" && OwnData(query(t.Context, o)):
		return OwnSystems, ""
	case o != nil && !Researchable(o.Template):
		return Unknowable, ""
	}
	if w.Key != "" && a.has(w.Key) || slices.ContainsFunc(a.Orders, func(o Order) bool { return o.Key == "" && w.Key == "" && sameQuestion(o.Query, w.Query) }) {
		return Underway, ""
	}
	for _, f := range slices.Backward(t.Past) {
		switch same := f.about(w); {
		case same && f.Open():
			return Underway, f.ID
		case same && w.Key == "" && (f.Outcome == Found || f.Outcome == Contradicting):
			return Known, f.ID
		}
	}
	return a.room(t.Past), ""
}

// about reports whether the task answers the request.
func (f TaskSummary) about(w Request) bool {
	return f.Key == w.Key && (w.Key != "" || sameQuestion(f.Query, w.Query))
}

// has reports whether research on key is ordered already.
func (a *Agenda) has(key string) bool {
	return slices.ContainsFunc(a.Orders, func(o Order) bool { return o.Key == key })
}

// room returns which budget one more order would break, or "".
func (a *Agenda) room(p History) DeclineReason {
	switch n := len(a.Orders); {
	case len(p)+n >= MaxSession:
		return UsedUp
	case len(p.Open())+n >= MaxOpen:
		return TooMany
	case n >= maxOrders:
		return TurnFull
	}
	return ""
}

// doubts returns what the turn leaves in doubt and research can know, the most
// important first.
func doubts(t TurnFindings) []Order {
	var out []Order
	for _, key := range t.touched() {
		o := obligations.Find(t.List, key)
		had := slices.ContainsFunc(t.Past, func(f TaskSummary) bool { return f.Key == key })
		if o == nil || had || !Researchable(o.Template) {
			continue
		}
		if why := t.trigger(o); why != "" {
			out = append(out, Order{Key: key, Kind: KindFor(o.Template), Trigger: why, Query: query(t.Context, o), Priority: o.Priority})
		}
	}
	slices.SortStableFunc(out, moreUrgent)
	return out
}

// touched returns the keys this turn was about.
func (t TurnFindings) touched() []string {
	keys := slices.Clone(t.Unsure)
	for _, c := range t.Changes {
		if !slices.Contains(keys, c.After.Key) {
			keys = append(keys, c.After.Key)
		}
	}
	return keys
}

// trigger returns why o deserves research, or "". What is resolved does not,
// unless the turn left it in conflict.
func (t TurnFindings) trigger(o *obligations.Obligation) Trigger {
	c := t.change(o.Key)
	spoken := slices.Contains(t.Unsure, o.Key) || c != nil && answered(c)
	switch {
	case c != nil && c.Conflict != nil && c.Conflict.Status == obligations.ConflictOpen && c.Conflict.Kind != obligations.AgainstDocument: // of two words about themselves the person knows which holds
		return Ambiguous
	case o.Resolved():
		return ""
	case timesAsked(o, c) >= minAttempts && o.Confidence < lowConfidence:
		return LowConfidence
	case spoken && o.ExpertiseRequired != "":
		return ExpertiseRequired
	case spoken && vague(o):
		return Ambiguous
	}
	return ""
}

// change returns what the turn changed about key; nil when nothing did.
func (t TurnFindings) change(key string) *obligations.Change {
	if i := slices.IndexFunc(t.Changes, func(c obligations.Change) bool { return c.After.Key == key }); i >= 0 {
		return &t.Changes[i]
	}
	return nil
}

// timesAsked returns how often o was asked before this turn's own question, which
// nobody could answer yet.
func timesAsked(o *obligations.Obligation, c *obligations.Change) int {
	if c != nil {
		return c.Before.Attempts
	}
	return o.Attempts
}

// answered reports whether somebody said something of the value, rather than that
// it was asked, put off or unlocked.
func answered(c *obligations.Change) bool {
	was, is := &c.Before, &c.After
	return !obligations.SameValue(was.Value, is.Value) || len(was.Evidence) != len(is.Evidence) || was.Confidence != is.Confidence
}

// vague reports whether the latest answer to o is too general to act on.
func vague(o *obligations.Obligation) bool {
	if len(o.Evidence) == 0 {
		return false
	}
	grade := o.Evidence[len(o.Evidence)-1].Grade
	return grade != nil && grade.Vague
}

// Researchable reports whether research may know what t asks for: names, contacts
// and the person's own figures it cannot.
func Researchable(t *obligations.Template) bool { return t.ResearchType != obligations.NoResearch }

func requested(t TurnFindings, w Request) Order {
	o := Order{Key: w.Key, Kind: kindOf(w.Query), Trigger: UserRequest, Query: language.Head(strings.TrimSpace(w.Query), maxQuery), Priority: wishPriority}
	if found := obligations.Find(t.List, w.Key); found != nil {
		o.Kind, o.Priority = KindFor(found.Template), max(found.Priority, wishPriority)
		if o.Query == "" {
			o.Query = query(t.Context, found)
		}
	}
	return o
}

// hollow are the words that say nothing of what a question is about.
var hollow = strings.Fields(`a about an and any are as at be been by can could did do does for from has have how i if in is it its many me much my of on or our that the
	their there these they this those to us was we were what when where whether which who whose why will with would you your`)

// sameQuestion reports whether two questions have the same words, those that say
// nothing left out, in whatever order.
func sameQuestion(a, b string) bool {
	first, other := contentWords(a), contentWords(b)
	return len(first) > 0 && slices.Equal(first, other)
}

// contentWords returns the words of s that say something, each once, in order of
// the alphabet.
func contentWords(s string) []string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	words = slices.DeleteFunc(words, func(w string) bool { return slices.Contains(hollow, w) })
	slices.Sort(words)
	return slices.Compact(words)
}

// beginnings of words that point to a kind of research, by what a template is
// about.
var kindWords = []struct {
	kind  Kind
	words []string
}{
	{CompetitiveAnalysis, []string{"compet", "rival", "alternative", "differentiat"}},
	{IntegrationResearch, []string{"integrat", "api ", "apis", "third party", "existing system", "interface"}},
	{TechFeasibility, []string{"technolog", "technical", "feasib", "platform", "architecture", "stack", "security", "performance", "engineering"}},
	{MarketResearch, []string{"market", "customer", "segment", "pricing", "demand", "revenue", "trend"}},
}

// KindFor returns the kind of research that can answer t: the one it names, else
// what its words suggest, else domain research.
func KindFor(t *obligations.Template) Kind {
	if k := Kind(t.ResearchType); slices.Contains(kinds, k) {
		return k
	}
	return kindOf(strings.Join([]string{t.Key, t.Label, t.Category, t.ExpertiseRequired, t.FieldPath}, " "))
}

// kindOf returns the kind of research that words suggest.
func kindOf(about string) Kind {
	words := strings.FieldsFunc(strings.ToLower(about), func(r rune) bool { return !unicode.IsLetter(r) })
	line := " " + strings.Join(words, " ") + " "
	for _, k := range kindWords {
		if slices.ContainsFunc(k.words, func(w string) bool { return strings.Contains(line, " "+w) }) {
			return k.kind
		}
	}
	return DomainResearch
}

func query(context string, o *obligations.Obligation) string {
	parts := []string{o.Prompt}
	if o.Value != nil {
		parts = append(parts, "(answer so far: "+strings.Trim(string(o.Value), `"`)+")")
	}
	if context != "" {
		parts = append(parts, "Context: "+context)
	}
	return language.Head(strings.TrimSpace(strings.Join(parts, " ")), maxQuery)
}

const maxQuery = 1000
