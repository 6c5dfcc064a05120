package research

import (
	"cmp"
	"slices"
	"strings"

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

// Trigger is why research is due.
type Trigger string

// The triggers, the most pressing first.
const (
	UserRequest       Trigger = "user_request"       // the person asks for it
	LowConfidence     Trigger = "low_confidence"     // below 0.60 after two attempts
	Ambiguous         Trigger = "ambiguous"          // vague, or against what was said before
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

// Wish is something the person wants looked up.
type Wish struct {
	Key, Query string
}

// Turn is what a turn found out, as far as research goes.
type Turn struct {
	List    []obligations.Obligation // after the turn
	Changes []obligations.Change
	Unsure  []string // keys the person could not answer in this turn
	Wishes  []Wish
	Queued  []string // keys that have had research already
	Context string   // what the session is about, for the query
}

// maxOrders bounds what one turn may queue.
const maxOrders = 3

// Due returns the research a turn calls for, the most important first. Nothing
// is ordered twice for an obligation, nor for one that is resolved, unless the
// person asks.
func Due(t Turn) []Order {
	var out []Order
	add := func(o Order) {
		known := slices.Contains(t.Queued, o.Key) || slices.ContainsFunc(out, func(p Order) bool { return p.Key == o.Key })
		if o.Key == "" || !known {
			out = append(out, o)
		}
	}
	for _, w := range t.Wishes {
		add(wished(t, w))
	}
	for _, key := range t.touched() {
		if o := obligations.Find(t.List, key); o != nil {
			if why := trigger(t, o); why != "" {
				add(Order{Key: key, Kind: KindFor(o.Template), Trigger: why, Query: query(t.Context, o), Priority: o.Priority})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Order) int { return cmp.Compare(b.Priority, a.Priority) })
	return out[:min(len(out), maxOrders)]
}

// touched returns the keys this turn was about.
func (t Turn) touched() []string {
	keys := slices.Clone(t.Unsure)
	for _, c := range t.Changes {
		if !slices.Contains(keys, c.After.Key) {
			keys = append(keys, c.After.Key)
		}
	}
	return keys
}

// trigger returns why o deserves research, or "".
func trigger(t Turn, o *obligations.Obligation) Trigger {
	unsure := slices.Contains(t.Unsure, o.Key)
	switch {
	case o.Resolved():
		return ""
	case o.Attempts >= minAttempts && o.Confidence < lowConfidence && (unsure || o.Value != nil):
		return LowConfidence
	case o.ExpertiseRequired != "" && unsure:
		return ExpertiseRequired
	case ambiguous(t, o):
		return Ambiguous
	}
	return ""
}

// ambiguous reports whether this turn's answer was vague in a field that takes
// an expert, or clashed with a document or research.
func ambiguous(t Turn, o *obligations.Obligation) bool {
	for _, c := range t.Changes {
		if c.After.Key != o.Key {
			continue
		}
		if c.Conflict != nil && (c.Conflict.Kind == obligations.AgainstDocument || c.Conflict.Kind == obligations.AgainstResearch) {
			return true
		}
		if n := len(c.After.Evidence); n > 0 && c.After.Evidence[n-1].Grade != nil {
			return c.After.Evidence[n-1].Grade.Vague && o.ExpertiseRequired != ""
		}
	}
	return false
}

func wished(t Turn, w Wish) Order {
	o := Order{Key: w.Key, Kind: DomainResearch, Trigger: UserRequest, Query: clip(w.Query), Priority: 8}
	if found := obligations.Find(t.List, w.Key); found != nil {
		o.Kind, o.Priority = KindFor(found.Template), max(found.Priority, 8)
		if o.Query == "" {
			o.Query = query(t.Context, found)
		}
	}
	return o
}

// words that point to a kind of research, by what a template is about.
var kindWords = []struct {
	kind  Kind
	words []string
}{
	{CompetitiveAnalysis, []string{"compet", "rival", "alternative", "differentiat"}},
	{IntegrationResearch, []string{"integrat", "api", "third-party", "third party", "existing system", "interface"}},
	{TechFeasibility, []string{"technolog", "technical", "feasib", "platform", "architecture", "stack", "security", "performance", "engineering"}},
	{MarketResearch, []string{"market", "customer", "segment", "pricing", "demand", "revenue", "trend"}},
}

// KindFor returns the kind of research that can answer t: the one it names, else
// what its words suggest, else domain research.
func KindFor(t *obligations.Template) Kind {
	if k := Kind(t.ResearchType); slices.Contains(kinds, k) {
		return k
	}
	about := strings.ToLower(strings.Join([]string{t.Key, t.Label, t.Category, t.ExpertiseRequired, t.FieldPath}, " "))
	for _, k := range kindWords {
		if slices.ContainsFunc(k.words, func(w string) bool { return strings.Contains(about, w) }) {
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
	return clip(strings.Join(parts, " "))
}

const maxQuery = 1000

func clip(s string) string {
	if r := []rune(strings.TrimSpace(s)); len(r) > maxQuery {
		return string(r[:maxQuery])
	}
	return strings.TrimSpace(s)
}
