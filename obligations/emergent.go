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

// Sources of obligations that no objective defines.
const (
	SourceEmergent  = "emergent"  // it came up in conversation and no reviewer has decided on it
	SourceApproved  = "approved"  // a reviewer accepted it into the objective
	SourceDismissed = "dismissed" // a reviewer rejected it
	SourceSplit     = "split"     // a reviewer split another obligation into it
)

// MaxEmergent is how many obligations may come up in one session; more would crowd out the
// objective. Those merged into others do not count, up to maxMerged.
const (
	MaxEmergent = 5
	maxMerged   = 20
)

// Defaults of an emergent obligation for what its proposal leaves open.
const (
	emergentPriority = 5
	emergentAttempts = 2
	emergentCategory = "Came up"
	emergentPath     = "came_up."
)

// EmergentQuestion is something worth learning that no obligation covers, with the words
// of the person it was derived from.
type EmergentQuestion struct {
	Template Template // at least a prompt; defaults fill in the rest
	Evidence Evidence // stated, and found in the transcript
}

// EmergentChanges is what a turn's emergent questions change.
type EmergentChanges struct {
	Born     []Obligation // new ones, pending
	Evidence [][]Evidence // for each of Born, the words it was derived from
	Changes  []Change     // near-duplicates among them that were merged at once
}

// Propose returns the obligations made from proposals, as long as the session has fewer
// than [MaxEmergent]. Proposals without sound evidence or without a question are left out,
// and one that asks what another obligation asks already is merged into that. vectors are
// those of the list's questions by key and may be nil. Propose does not modify its
// arguments.
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

// full reports whether the session has reached its limit of emergent obligations.
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

// emergent makes a proposal an obligation positioned after those of list.
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

// admit refuses templates that are not valid together with those of list.
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

// maxMadeKey bounds a key made from words, in bytes.
const maxMadeKey = 40

// shortKey cuts key to maxMadeKey bytes, at the end of a word if possible.
func shortKey(key string) string {
	if len(key) <= maxMadeKey {
		return key
	}
	if at := strings.LastIndexByte(key[:maxMadeKey+1], '_'); at > 0 {
		return key[:at]
	}
	return key[:maxMadeKey]
}

// keyFrom makes a key of at most maxMadeKey bytes from the first of texts that has letters.
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

// freeKey returns key, with a number appended if list already has it.
func freeKey(list []Obligation, key string) string {
	free := key
	for n := 2; Find(list, free) != nil; n++ {
		free = fmt.Sprintf("%s_%d", key, n)
	}
	return free
}

// Twin returns the obligation of list whose question is most similar to t's, or nil if none
// is a near-duplicate. Ties go to the earlier one. Merged and split ones are left out.
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

// Decide returns the changes of a reviewer's decision on an emergent obligation: an approved
// one goes on as it is, a dismissed one is skipped. It is a Conflict if the obligation was
// already decided or did not come up in conversation.
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

// stampOrigin makes the audit trail record an origin that changed.
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

// SaveEmerged queues the emergent obligations of a turn, with their audit trail.
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

// SaveDecided queues changes that may include the origin of an obligation.
func SaveDecided(b *postgres.Batch, s Scope, changes []Change) error {
	if err := redefine(b, s, changes); err != nil {
		return err
	}
	return Save(b, s, changes)
}
