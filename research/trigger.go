package research

import (
	"cmp"
	"quaestor/research/warehouse/inquiry"
	"slices"
	"strings"
	"unicode"

	"quaestor/internal/language"
	"quaestor/obligations"
)

// Kind is a kind of research.
type Kind string

// The kinds of research, by what an answer takes.
const (
	CompetitiveAnalysis Kind = "competitive_analysis"
	TechFeasibility     Kind = "tech_feasibility"
	MarketResearch      Kind = "market_research"
	DomainResearch      Kind = "domain_research"
	IntegrationResearch Kind = "integration_research"
)

// kinds lists the valid kinds.
var kinds = []Kind{CompetitiveAnalysis, TechFeasibility, MarketResearch, DomainResearch, IntegrationResearch, WarehouseQuestion, WarehouseDiscovery}

// Valid reports whether k is one of the kinds.
func (k Kind) Valid() bool { return slices.Contains(kinds, k) }

// kindNames lists the kinds for messages.
func kindNames() string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k)
	}
	return strings.Join(names, ", ")
}

// Trigger is the reason why research is due.
type Trigger string

// The triggers, most urgent first.
const (
	UserRequest       Trigger = "user_request"       // the person asked for it
	LowConfidence     Trigger = "low_confidence"     // below 0.60 after two attempts
	Ambiguous         Trigger = "ambiguous"          // the answer is vague, or contradicts an earlier one
	ExpertiseRequired Trigger = "expertise_required" // it takes an expert to answer, and the person is not sure
	Collection        Trigger = "collection"         // the objective has it looked up before anybody is asked
)

// A confidence below lowConfidence after minAttempts questions calls for research.
const (
	lowConfidence obligations.Confidence = 60
	minAttempts   int                    = 2
)

// Order is a piece of research to be done.
type Order struct {
	Key      string // the obligation it would answer; may be empty
	Kind     Kind
	Trigger  Trigger
	Query    string
	Priority int // 1–10

	Of string // id of the task whose question of one's own data is asked again; empty for none
}

// Request is something the person asked to have looked up.
type Request struct {
	Key, Query string
	Of         string // id of the task whose question of one's own data is asked again, of other rows perhaps; empty for none
}

// TurnFindings is what a turn established, as far as research is concerned.
type TurnFindings struct {
	List     []obligations.Obligation // after the turn
	Changes  []obligations.Change
	Unsure   []string // keys the person could not answer in this turn
	Requests []Request
	Past     History // the session's research, including changes of this turn
	Context  string  // what the session is about; becomes part of the query
	Said     string  // what the person said in this turn

	Data DataAccess // whether the person's own data may be asked

	Off bool // nothing is looked up unasked, so what the objective would have looked up is asked
}

// Limits on orders: per turn, open at a time in a session, and per session in all.
const (
	maxOrders  = 3
	MaxOpen    = 5
	MaxSession = 40

	requestPriority = 8 // the least priority of a person's request
)

// Agenda is the research a turn calls for.
type Agenda struct {
	Orders  []Order           // the most important first, three at most
	Refused []DeclinedRequest // the declined requests, in the order they were made
}

// DeclinedRequest is a request that leads to no order, with the reason.
type DeclinedRequest struct {
	Request Request
	Why     DeclineReason
	Had     string           // id of the task that already covers it; may be empty
	Data    *inquiry.Missing // of OwnSystems: why the data cannot be asked; nil if no warehouse is connected
}

// DeclineReason is the reason why a request leads to no order.
type DeclineReason string

// The reasons to decline a request.
const (
	Underway   DeclineReason = "underway"   // research on it is open
	Known      DeclineReason = "known"      // research on it has found something
	Unknowable DeclineReason = "unknowable" // no outside source can know it, see [obligations.NoResearch]
	TurnFull   DeclineReason = "turn_full"  // the turn has as many orders as it may have
	TooMany    DeclineReason = "too_many"   // the session has as many open tasks as it may have
	UsedUp     DeclineReason = "used_up"    // the session has had as many tasks as it may have
	OwnSystems DeclineReason = "own_data"   // it asks for the person's own data, see [OwnData]
)

// Due returns the research a turn calls for, within the limits: what the person
// asks for comes before what a doubt calls for, and that before what the objective
// has looked up, see [obligations.Research]. At most one task about an
// obligation is open at a time. A doubt is researched once, whatever the outcome;
// a person may ask again once that is over. A question with the same words as one
// that is open, or as one that found something, counts as the same question. A
// question for the person's own data is not ordered, and in a turn that asks one,
// no doubt is researched either.
func Due(t TurnFindings) Agenda {
	var a Agenda
	for _, w := range t.Requests {
		if why, had := a.obstacle(t, w); why != "" {
			a.Refused = append(a.Refused, DeclinedRequest{w, why, had, t.closed()})
		} else {
			a.Orders = append(a.Orders, requested(t, w))
		}
	}
	private := slices.ContainsFunc(a.Refused, func(r DeclinedRequest) bool { return r.Why == OwnSystems }) ||
		slices.ContainsFunc(a.Orders, func(o Order) bool { return o.Kind.OwnData() })
	for _, o := range append(doubts(t), t.collected()...) {
		if !private && (o.Kind.OwnData() || !OwnData(o.Query)) && !a.has(o.Key) && a.room(t.Past) == "" {
			a.Orders = append(a.Orders, o)
		}
	}
	slices.SortStableFunc(a.Orders, moreUrgent)
	return a
}

// moreUrgent orders by priority, highest first.
func moreUrgent(first, other Order) int { return cmp.Compare(other.Priority, first.Priority) }

// obstacle returns the reason to decline a request, or "" for none, and the id of
// the task that already covers it, if any.
func (a *Agenda) obstacle(t TurnFindings, w Request) (why DeclineReason, had string) {
	o := obligations.Find(t.List, w.Key)
	switch {
	case t.own(w) && (!t.Data.Open || w.Of == "" && AsksDiscovery(t.Said) && !t.Data.Runs):
		return OwnSystems, ""
	case w.Of == "" && t.own(w) && AsksDiscovery(t.Said) && t.exploring() != "": // another run would find the same
		return Underway, t.exploring()
	case o != nil && !Researchable(o.Template) && !t.own(w):
		return Unknowable, ""
	}
	if w.Key != "" && a.has(w.Key) || slices.ContainsFunc(a.Orders, func(o Order) bool { return o.Key == "" && w.Key == "" && sameQuestion(o.Query, w.Query) }) {
		return Underway, ""
	}
	for _, f := range slices.Backward(t.Past) {
		switch same := f.about(w); {
		case same && f.Open():
			return Underway, f.ID
		case same && w.Key == "" && w.Of == "" && (f.Outcome == Found || f.Outcome == Contradicting):
			return Known, f.ID
		}
	}
	return a.room(t.Past), ""
}

// exploring returns the id of the task that explores the person's data now; empty for none.
func (t TurnFindings) exploring() string {
	for _, f := range t.Past.Open() {
		if f.Kind == WarehouseDiscovery {
			return f.ID
		}
	}
	return ""
}

// closed returns why the person's own data cannot be asked; nil if no warehouse is connected.
func (t TurnFindings) closed() *inquiry.Missing {
	if t.Data.Open && AsksDiscovery(t.Said) {
		return &inquiry.Missing{Why: inquiry.NoRuns}
	}
	return t.Data.Why
}

// own reports whether a request is for the person's own data.
func (t TurnFindings) own(w Request) bool {
	if w.Of != "" {
		return true
	}
	o := obligations.Find(t.List, w.Key)
	return asksOwnData(w.Query, t.Said) || t.picked(w.Query) || o != nil && w.Query == "" && OwnData(query(t.Context, o))
}

// about reports whether the task covers the request.
func (f TaskSummary) about(w Request) bool {
	return f.Key == w.Key && (w.Key != "" || sameQuestion(f.Query, w.Query))
}

// has reports whether research on key is already ordered.
func (a *Agenda) has(key string) bool {
	return slices.ContainsFunc(a.Orders, func(o Order) bool { return o.Key == key })
}

// room returns the limit that one more order would exceed, or "".
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

// doubts returns the researchable doubts that the turn leaves, most important first.
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

// collected returns orders for what the objective has looked up, most important first:
// what is unlocked, unknown, and was neither asked nor researched before.
func (t TurnFindings) collected() []Order {
	var out []Order
	for i := range t.List {
		o := &t.List[i]
		had := slices.ContainsFunc(t.Past, func(f TaskSummary) bool { return f.Key == o.Key })
		fresh := o.Status == obligations.Pending && o.Value == nil && o.Attempts == 0 && o.Unlocked && !had
		if fresh && o.Metric != nil && t.Data.Open {
			out = append(out, Order{Key: o.Key, Kind: WarehouseQuestion, Trigger: Collection, Query: metricQuery(o.Metric), Priority: o.Priority})
			continue
		}
		if fresh && o.Collection == obligations.Research && Researchable(o.Template) && !t.Off {
			out = append(out, Order{Key: o.Key, Kind: KindFor(o.Template), Trigger: Collection, Query: query(t.Context, o), Priority: o.Priority})
		}
	}
	slices.SortStableFunc(out, moreUrgent)
	return out
}

// metricQuery returns the question of a metric, with the warehouse it names.
func metricQuery(m *obligations.Metric) string {
	q := strings.TrimRight(strings.TrimSpace(m.Question), "?.! ")
	if m.Warehouse != "" {
		q += " in " + m.Warehouse
	}
	return language.Head(q, maxQuery)
}

// touched returns the keys of the obligations this turn was about.
func (t TurnFindings) touched() []string {
	keys := slices.Clone(t.Unsure)
	for _, c := range t.Changes {
		if !slices.Contains(keys, c.After.Key) {
			keys = append(keys, c.After.Key)
		}
	}
	return keys
}

// trigger returns why o deserves research, or "" if it does not. A resolved
// obligation does not, unless the turn left it in conflict.
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

// change returns the turn's change of key, or nil when there is none.
func (t TurnFindings) change(key string) *obligations.Change {
	if i := slices.IndexFunc(t.Changes, func(c obligations.Change) bool { return c.After.Key == key }); i >= 0 {
		return &t.Changes[i]
	}
	return nil
}

// timesAsked returns how often o had been asked before this turn, whose own
// question nobody could have answered yet.
func timesAsked(o *obligations.Obligation, c *obligations.Change) int {
	if c != nil {
		return c.Before.Attempts
	}
	return o.Attempts
}

// answered reports whether a change comes from an answer, rather than from asking,
// deferring or unlocking the obligation.
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

// Researchable reports whether research can find what t asks for. It cannot find
// the person's names, contacts and own figures.
func Researchable(t *obligations.Template) bool { return t.ResearchType != obligations.NoResearch }

// requested returns the order for a request.
func requested(t TurnFindings, w Request) Order {
	o := Order{Key: w.Key, Kind: kindOf(w.Query), Trigger: UserRequest, Query: language.Head(strings.TrimSpace(w.Query), maxQuery), Priority: requestPriority}
	found := obligations.Find(t.List, w.Key)
	if w.Of != "" { // it is worded already
		o.Kind, o.Of = WarehouseQuestion, w.Of
		return o
	}
	if t.own(w) {
		return t.ofData(o, found)
	}
	if found != nil {
		o.Kind, o.Priority = KindFor(found.Template), max(found.Priority, requestPriority)
		if o.Query == "" {
			o.Query = query(t.Context, found)
		}
	}
	return o
}

// ofData completes an order that asks the person's own data. What they said is asked whole, since
// it has the words that name tables; if it names nothing ("look that up in our database"), the
// obligation's own question is asked.
func (t TurnFindings) ofData(o Order, found *obligations.Obligation) Order {
	o.Kind = WarehouseQuestion
	if AsksDiscovery(t.Said) {
		o.Kind, o.Query = WarehouseDiscovery, language.Head(strings.TrimSpace(t.Said), maxQuery)
		return o
	}
	if _, asks := OwnDataRequest(t.Said); asks && !t.picked(o.Query) {
		o.Query = language.Head(strings.TrimSpace(t.Said), maxQuery)
	}
	if o.Query != "" && !t.picked(o.Query) {
		o.Query = t.Data.clause(o.Query)
	}
	if found != nil {
		o.Priority = max(found.Priority, requestPriority)
		if o.Query == "" || t.Data.NamesNothing(o.Query) {
			o.Query = language.Head(found.Prompt, maxQuery)
		}
	}
	return o
}

// picked reports whether a request is a question of before, in the warehouse that is now said.
func (t TurnFindings) picked(query string) bool {
	task, name := t.Data.Picks(t.Past, t.Said)
	return name != "" && query == InWarehouse(task.Query, name)
}

// InWarehouse returns a question with the warehouse that it is for.
func InWarehouse(query, warehouse string) string {
	return language.Head(strings.TrimRight(query, "?.! "), maxQuery) + " in " + warehouse
}

// fillerWords lists words that do not distinguish one question from another.
var fillerWords = strings.Fields(`a about an and any are as at be been by can could did do does for from has have how i if in is it its many me much my of on or our that the
	their there these they this those to us was we were what when where whether which who whose why will with would you your`)

// sameQuestion reports whether two questions consist of the same content words, in
// any order.
func sameQuestion(a, b string) bool {
	first, other := contentWords(a), contentWords(b)
	return len(first) > 0 && slices.Equal(first, other)
}

// SharedWords returns how many words that carry meaning two texts share, in any of their forms that begin alike.
func SharedWords(a, b string) int {
	n, other := 0, contentWords(b)
	for _, w := range contentWords(a) {
		if len([]rune(w)) > 2 && !slices.Contains(generalWords, w) && slices.ContainsFunc(other, func(o string) bool { return sameStem(w, o) }) {
			n++
		}
	}
	return n
}

// generalWords lists words of research and figures, which stand in every question for data.
var generalWords = strings.Fields("data number numbers figure figures value according again only wrong right correct true not use take look warehouse database result results find found zahl daten falsch richtig nicht stimmt die der das war ist und")

// sameStem reports whether two words are the same but for an ending of up to two letters.
func sameStem(a, b string) bool {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n > 2 && len(a)-n <= 2 && len(b)-n <= 2
}

// contentWords returns the distinct words of s that carry meaning, in alphabetical
// order.
func contentWords(s string) []string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	words = slices.DeleteFunc(words, func(w string) bool { return slices.Contains(fillerWords, w) })
	slices.Sort(words)
	return slices.Compact(words)
}

// kindWords maps beginnings of words in a template or a question to a kind of
// research.
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
// the one its words suggest, else domain research.
func KindFor(t *obligations.Template) Kind {
	if k := Kind(t.ResearchType); slices.Contains(kinds, k) {
		return k
	}
	return kindOf(strings.Join([]string{t.Key, t.Label, t.Category, t.ExpertiseRequired, t.FieldPath}, " "))
}

// kindOf returns the kind of research that a text suggests.
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

// query phrases an obligation as a question for research.
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

// maxQuery is the longest query of an order, in characters.
const maxQuery = 1000
