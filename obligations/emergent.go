package obligations

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations/internal/dbsqlc"
)

// Where obligations that no objective defines come from.
const (
	SourceEmergent  = "emergent"  // it came up in conversation; no reviewer has decided on it
	SourceApproved  = "approved"  // a reviewer took it into the objective
	SourceDismissed = "dismissed" // a reviewer does not want it
	SourceSplit     = "split"     // a reviewer split another into it
)

// MaxEmergent is how many obligations may come up in one session. Those that were
// merged into others do not count, up to maxMerged.
const (
	MaxEmergent = 5
	maxMerged   = 20
)

// Bounds of what comes up, where a proposal does not say.
const (
	emergentPriority = 5
	emergentAttempts = 2
	emergentCategory = "Came up"
	emergentPath     = "came_up."
)

// EmergentQuestion is something to learn that no obligation covers, and the person's
// words that say so.
type EmergentQuestion struct {
	Template Template // prompt at least; the rest is made from it
	Evidence Evidence // stated, found in the transcript
}

// EmergentChanges is what came up in a turn.
type EmergentChanges struct {
	Born     []Obligation // new ones, pending
	Evidence [][]Evidence // of each of Born: the words it came up in
	Changes  []Change     // near-duplicates among them that were merged at once
}

// Propose returns the obligations that proposals make, as long as the session
// has fewer than [MaxEmergent]. A proposal without sound evidence, or without a
// question, is left out. One that asks what another asks already is merged into
// that; vectors of the list's questions, by key, may be nil. It touches nothing.
func Propose(list []Obligation, proposals []EmergentQuestion, vectors map[string]Vector, turn int) EmergentChanges {
	var out EmergentChanges
	if len(proposals) == 0 {
		return out
	}
	all := slices.Clone(list)
	for _, p := range proposals {
		if full(all) {
			break
		}
		if p.Evidence.Kind != Stated || !p.Evidence.Sound() {
			continue
		}
		o, err := emergent(all, p)
		if err != nil {
			continue
		}
		p.Evidence.Turn = turn
		out.Born, out.Evidence = append(out.Born, o), append(out.Evidence, []Evidence{p.Evidence})
		twin := Twin(all, o.Template, Vector{}, vectors)
		all = append(all, o)
		if twin == nil {
			continue
		}
		changes, err := Unite(all, o.Key, twin.Key, ReviewDecision{Turn: turn, Source: SourceEmergent, Reason: "it asks what " + twin.Name() + " asks"})
		if err == nil {
			out.Changes, all = append(out.Changes, changes...), Merge(all, changes)
		}
	}
	return out
}

// full reports whether no more may come up in a session.
func full(list []Obligation) bool {
	standing, merged := 0, 0
	for i := range list {
		switch {
		case !slices.Contains([]string{SourceEmergent, SourceApproved, SourceDismissed}, list[i].Origin.Source):
		case list[i].MergedInto != "":
			merged++
		default:
			standing++
		}
	}
	return standing >= MaxEmergent || merged >= maxMerged
}

// emergent makes a proposal an obligation at the end of list.
func emergent(list []Obligation, p EmergentQuestion) (Obligation, error) {
	t := p.Template
	t.Prompt = strings.TrimSpace(t.Prompt)
	t.Key = freeKey(list, keyFrom(t.Key, t.Label, t.Prompt))
	t.FieldPath, t.Dependencies, t.SatisfiedWhen = emergentPath+t.Key, nil, ""
	t.Collection = DirectQuestion
	if t.Widget == "" {
		t.Widget = Text
	}
	if t.Category == "" {
		t.Category = emergentCategory
	}
	if t.Why == "" {
		t.Why = fmt.Sprintf("You brought it up yourself: “%s”", clip(p.Evidence.Quote))
	}
	if t.Priority < 1 || t.Priority > 10 {
		t.Priority = emergentPriority
	}
	t.MaxAttempts = emergentAttempts
	if err := admit(list, []Template{t}); err != nil {
		return Obligation{}, err
	}
	return Obligation{Template: &t, Status: Pending, Unlocked: true, Position: nextPosition(list), Origin: Origin{Layer: SessionOnly, Source: SourceEmergent}}, nil
}

// admit refuses templates that may not stand beside those of list.
func admit(list []Obligation, more []Template) error {
	all := make([]Template, 0, len(list)+len(more))
	for i := range list {
		all = append(all, *list[i].Template)
	}
	faults := Validate(append(all, more...))
	for _, f := range faults {
		var i int
		if n, _ := fmt.Sscanf(f.Field, "obligations[%d]", &i); n == 0 || i >= len(list) {
			_, field, _ := strings.Cut(f.Field, "].")
			return f.At(fmt.Sprintf("children[%d].%s", i-len(list), field))
		}
	}
	return nil
}

func nextPosition(list []Obligation) int {
	next := 0
	for i := range list {
		next = max(next, list[i].Position+1)
	}
	return next
}

// maxMadeKey bounds a key that is made of words, in bytes.
const maxMadeKey = 40

// shortKey is key without the last words that are too many.
func shortKey(key string) string {
	if len(key) <= maxMadeKey {
		return key
	}
	if at := strings.LastIndexByte(key[:maxMadeKey+1], '_'); at > 0 {
		return key[:at]
	}
	return key[:maxMadeKey]
}

// keyFrom makes the first of texts that has letters a key of at most maxMadeKey
// bytes.
func keyFrom(texts ...string) string {
	for _, text := range texts {
		var b strings.Builder
		for _, r := range strings.ToLower(text) {
			switch {
			case r >= 'a' && r <= 'z', r >= '0' && r <= '9' && b.Len() > 0:
				b.WriteRune(r)
			case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
				b.WriteByte('_')
			}
		}
		if key := shortKey(strings.Trim(b.String(), "_")); key != "" {
			return key
		}
	}
	return "came_up"
}

// freeKey is key, or with a number behind it when list has it already.
func freeKey(list []Obligation, key string) string {
	free := key
	for n := 2; Find(list, free) != nil; n++ {
		free = fmt.Sprintf("%s_%d", key, n)
	}
	return free
}

// Twin returns the obligation of list that asks most nearly what t asks, nil when
// none is a near-duplicate. Ties go to the earlier one. Those that another stands
// for are left out.
func Twin(list []Obligation, t *Template, v Vector, vectors map[string]Vector) *Obligation {
	var best *Obligation
	score := 0.0
	for i := range list {
		o := &list[i]
		if o.MergedInto != "" || o.SplitInto != nil || o.Key == t.Key {
			continue
		}
		if l := Alike(t, o.Template, v, vectors[o.Key]); l.Same() && l.Score() > score {
			best, score = o, l.Score()
		}
	}
	return best
}

// Decide returns what a reviewer's decision on an obligation that came up makes
// of it: one that is approved goes on as it is, one that is dismissed is skipped.
// What was decided already, or did not come up, is a Conflict.
func Decide(list []Obligation, key string, approve bool, r ReviewDecision) ([]Change, error) {
	o := Find(list, key)
	switch {
	case o == nil:
		return nil, fault.New(fault.NotFound, "the session has no obligation %q", clip(key)).Coded("obligation_not_found")
	case o.Origin.Source != SourceEmergent:
		return nil, fault.New(fault.Conflict, "%s is no proposal that waits for a decision", key).Coded("not_a_proposal")
	case o.MergedInto != "":
		return nil, fault.New(fault.Conflict, "%s was merged into %s; decide on that", key, o.MergedInto).Coded("obligation_merged")
	}
	a := newApplier(list, r.Turn)
	p := Find(a.list, key)
	p.Origin.Source, p.Origin.Published = SourceApproved, r.Published
	what := "a reviewer approved it"
	if !approve {
		p.Origin.Source, p.Origin.Published, what = SourceDismissed, "", "a reviewer dismissed it"
		p.park()
	}
	a.note(Finding{Key: key, Source: r.Source, Reason: r.reason("%s", what)})
	a.rollUp()
	a.unlock()
	changes := a.changes(list)
	for i := range changes {
		changes[i].stampOrigin(r)
	}
	return changes, nil
}

// stampOrigin has the history tell of an origin that changed.
func (c *Change) stampOrigin(r ReviewDecision) {
	if c.Before.Origin == c.After.Origin {
		return
	}
	if len(c.Events) == 0 {
		c.Events = []Event{{Key: c.After.Key, Type: StatusChanged, OldStatus: c.Before.Status, NewStatus: c.After.Status, OldConfidence: c.Before.Confidence,
			NewConfidence: c.After.Confidence, Source: r.Source, Turn: r.Turn, Meta: Meta{Reason: r.reason("a reviewer approved it")}}}
	}
	c.Events[0].Meta.Set.Origin = &c.After.Origin
}

// SaveEmerged queues what came up in a turn, with its audit trail.
func SaveEmerged(b *postgres.Batch, s Scope, e EmergentChanges, turn int) error {
	if len(e.Born) == 0 {
		return nil
	}
	rows := make([]definitionRow, len(e.Born))
	events := make([]Event, len(e.Born))
	for i, o := range e.Born {
		rows[i], events[i] = toDefinitionRow(o), Birth(o, turn)
		events[i].Meta.Evidence = e.Evidence[i]
	}
	body, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("encode obligations of session %s: %w", s.Session, err)
	}
	_ = queries.ObligationInsertAll(context.Background(), b, &dbsqlc.ObligationInsertAllParams{TenantID: s.Tenant, SessionID: s.Session, Rows: body})
	if err := saveEvents(b, s, events); err != nil {
		return err
	}
	return Save(b, s, e.Changes)
}

// SaveDecided queues changes that may touch where an obligation comes from.
func SaveDecided(b *postgres.Batch, s Scope, changes []Change) error {
	if err := redefine(b, s, changes); err != nil {
		return err
	}
	return Save(b, s, changes)
}
