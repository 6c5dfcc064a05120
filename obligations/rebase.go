package obligations

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"quaestor/internal/postgres"
	"quaestor/obligations/internal/dbsqlc"
)

// Disposition is what happens to an obligation when its session moves to another version
// of the objective.
type Disposition string

// The dispositions.
const (
	Kept     Disposition = "kept"     // it goes on with what is known
	Retyped  Disposition = "retyped"  // its value was converted to another shape without loss
	Reopened Disposition = "reopened" // its value does not fit; it is asked again, and the audit trail keeps the old value
	Added    Disposition = "added"    // it is new
	Removed  Disposition = "removed"  // the version does not ask for it; it is skipped and keeps its value
	Restored Disposition = "restored" // an earlier version had removed it
)

// KeyMigration is the disposition of one obligation.
type KeyMigration struct {
	Key    string          `json:"key"`
	Label  string          `json:"label"`
	Fate   Disposition     `json:"fate"`
	Reason string          `json:"reason,omitempty"`
	Old    json.RawMessage `json:"previousValue,omitempty"` // nil if nothing was known
	Value  json.RawMessage `json:"value,omitempty"`         // nil if nothing is known now
}

// RebaseInput describes the version that a list is rebased onto.
type RebaseInput struct {
	From   string                  // id of the version the session is on
	Onto   []Template              // the other version's obligations
	Origin func(key string) Origin // origin of the obligations of Onto
	Turn   int                     // the session's latest turn
	Reason string                  // for the audit trail
}

// RebaseResult is the outcome of [Rebase].
type RebaseResult struct {
	List    []Obligation   // in order of position: those of the new version, then the others
	Moves   []KeyMigration // one for each obligation, in the order of List
	Changes []Change       // of obligations that existed before
	Born    []Obligation   // new obligations
}

// sourceMigration marks the audit events of a rebase.
const sourceMigration = "migration"

// Rebase returns what a session's obligations become under another version of its
// objective. It does not modify its arguments. A value is kept if the new definition
// accepts it, converted if that loses nothing, and otherwise retracted together with what
// was inferred from it; the audit trail and the moves keep the old value. An obligation
// that came up in the session itself stays as it is.
func Rebase(list []Obligation, r RebaseInput) RebaseResult {
	b := rebaser{RebaseInput: r, old: list, fates: map[string]KeyMigration{}}
	for i := range r.Onto {
		b.adopt(&r.Onto[i])
	}
	b.leave()
	b.settle()
	return b.result()
}

// rebaser collects the result of a rebase.
type rebaser struct {
	RebaseInput
	old    []Obligation
	list   []Obligation
	fates  map[string]KeyMigration
	reopen []Finding
	rerate []string // keys whose status has to be derived again
}

// adopt gives the obligation with t's key the new definition, or creates it.
func (b *rebaser) adopt(t *Template) {
	held := Find(b.old, t.Key)
	if held == nil && b.asksAlready(t) {
		return
	}
	if held == nil {
		b.list = append(b.list, Obligation{Template: t, Status: Pending, Origin: b.Origin(t.Key)})
		b.fates[t.Key] = KeyMigration{Fate: Added, Reason: "the new version asks for it"}
		return
	}
	o := *held
	if o.Origin.Source != objectiveSource { // emergent: the session's own definition takes precedence
		b.list = append(b.list, o)
		b.fates[o.Key] = KeyMigration{Fate: Kept, Reason: "it came up in this session"}
		return
	}
	parked := o.Origin.ID != b.From
	o.Template, o.Origin = t, b.Origin(t.Key)
	o.Stands = recastStands(held.Template, t, held.Stands)
	move := b.convert(held, &o)
	if parked && o.Status == Skipped && o.SkipReason == NotApplicable {
		o.Status, o.SkipReason = Pending, ""
		b.rerate = append(b.rerate, o.Key)
		if move.Fate == Kept {
			move = KeyMigration{Fate: Restored, Reason: "the new version asks for it again"}
		}
	}
	b.list = append(b.list, o)
	b.fates[o.Key] = move
}

// asksAlready reports whether t is the published form of an obligation that came up in this
// session, which makes asking t superfluous. It is asked nevertheless if something depends
// on it.
func (b *rebaser) asksAlready(t *Template) bool {
	if slices.ContainsFunc(b.Onto, func(other Template) bool { return slices.Contains(other.Dependencies, t.Key) }) {
		return false
	}
	return slices.ContainsFunc(b.old, func(o Obligation) bool { return o.Origin.Published == t.Key })
}

// objectiveSource is the source of obligations that an objective defines.
const objectiveSource = "objective"

// convert converts o's value to the shape of its new template.
func (b *rebaser) convert(held, o *Obligation) KeyMigration {
	if held.Value == nil {
		return KeyMigration{Fate: Kept}
	}
	value, why := Convert(held.Template, o.Template, held.Value)
	switch {
	case value == nil:
		b.reopen = append(b.reopen, Finding{Key: o.Key, Act: Reopen, Source: sourceMigration, Reason: b.Reason + ": " + why})
		return KeyMigration{Fate: Reopened, Reason: why}
	case !bytes.Equal(value, held.Value):
		o.Value = value
		b.rerate = append(b.rerate, o.Key)
		return KeyMigration{Fate: Retyped, Reason: why}
	case held.SatisfiedWhen != o.SatisfiedWhen:
		b.rerate = append(b.rerate, o.Key)
	}
	return KeyMigration{Fate: Kept}
}

// leave carries over the obligations that the new version does not have. Those that the
// objective had defined are skipped.
func (b *rebaser) leave() {
	for _, o := range b.old {
		if slices.ContainsFunc(b.Onto, func(t Template) bool { return t.Key == o.Key }) {
			continue
		}
		move := KeyMigration{Fate: Kept, Reason: "it came up in this session"}
		if o.Origin.Source == objectiveSource {
			move = KeyMigration{Fate: Removed, Reason: "the new version does not ask for it"}
			o.park()
		}
		b.list = append(b.list, o)
		b.fates[o.Key] = move
	}
}

// park skips o without losing its value.
func (o *Obligation) park() {
	if o.Status != Skipped {
		o.Status, o.SkipReason, o.SatisfiedTurn = Skipped, NotApplicable, 0
	}
}

// settle retracts values that do not fit, derives statuses again where the conditions
// changed, and updates dependencies.
func (b *rebaser) settle() {
	for i := range b.list {
		b.list[i].Position = i
	}
	for _, key := range b.rerate {
		if o := Find(b.list, key); o.Value != nil && (o.Status == Pending || o.Status == InProgress || o.Status == Partial || o.Status == Satisfied) {
			(&applier{turn: b.Turn}).rate(o)
		}
	}
	b.list = Merge(b.list, Apply(b.list, b.reopen, b.Turn))
	for i := range b.list {
		if b.fates[b.list[i].Key].Fate == Removed {
			b.list[i].park() // retracting an inferred value would otherwise make it open again
		}
	}
	for i := range b.list {
		b.list[i].Unlocked = Ready(b.list, &b.list[i])
	}
}

func (b *rebaser) result() RebaseResult {
	out := RebaseResult{List: b.list}
	for i := range b.list {
		now := b.list[i]
		held := Find(b.old, now.Key)
		move := b.fates[now.Key]
		move.Key, move.Label, move.Value = now.Key, now.Name(), now.Value
		if held == nil {
			out.Born = append(out.Born, now)
			out.Moves = append(out.Moves, move)
			continue
		}
		move.Old = held.Value
		if held.Value != nil && now.Value == nil && move.Fate != Reopened {
			move.Fate, move.Reason = Reopened, "it was concluded from a value that does not fit the new version"
		}
		out.Moves = append(out.Moves, move)
		if c := b.change(*held, now, move); len(c.Events) > 0 {
			out.Changes = append(out.Changes, c)
		}
	}
	return out
}

// change returns the change from held to now, with its audit events.
func (b *rebaser) change(held, now Obligation, m KeyMigration) Change {
	reason := b.Reason
	if m.Reason != "" {
		reason += ": " + m.Reason
	}
	events := diff(held, now, b.Turn, sourceMigration, reason)
	if held.Position == now.Position && held.Origin == now.Origin {
		return Change{Before: held, After: now, Events: events}
	}
	if len(events) == 0 || events[0].Type == Negotiated {
		moved := Event{Key: now.Key, Type: StatusChanged, OldStatus: held.Status, NewStatus: now.Status, OldConfidence: held.Confidence,
			NewConfidence: now.Confidence, Source: sourceMigration, Turn: b.Turn, Meta: Meta{Reason: reason}}
		events = slices.Insert(events, 0, moved)
	}
	events[0].Meta.Set.Position, events[0].Meta.Set.Origin = &now.Position, &now.Origin
	return Change{Before: held, After: now, Events: events}
}

// Convert returns v, a value of old, as a value of now with the same meaning, and describes
// the conversion in words; the description is empty if v fits as it is. A nil value means
// that v cannot be converted without loss, and the words give the reason.
func Convert(old, now *Template, v json.RawMessage) (value json.RawMessage, why string) {
	if old.Widget == Number && now.Widget == Number && old.Unit != now.Unit {
		return nil, fmt.Sprintf("the unit changed from %q to %q", old.Unit, now.Unit)
	}
	fits := now.Check(v)
	if fits == nil && (old.Widget == now.Widget || now.Widget != Text) {
		return v, ""
	}
	for _, c := range recast(old, now, v) {
		if now.Check(c) == nil {
			return c, fmt.Sprintf("from %s to %s", described(old, v), described(now, c))
		}
	}
	if fits == nil {
		return v, ""
	}
	return nil, fits.Error()
}

// described returns a value and its widget in words, for the report.
func described(t *Template, v json.RawMessage) string {
	return string(t.Widget) + " " + clip(string(v))
}

// recastStands converts each person's answer to the shape of now and drops those that do
// not fit. If none fits, the list stays as it was, for the record.
func recastStands(old, now *Template, stands []Contribution) []Contribution {
	var out []Contribution
	for _, c := range stands {
		if v, _ := Convert(old, now, c.Value); v != nil {
			c.Value = v
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return stands
	}
	return out
}

// recast returns candidate conversions of v; the first that now accepts is the right one.
func recast(old, now *Template, v json.RawMessage) []json.RawMessage {
	words, err := decode[[]string](v)
	if one, single := decode[string](v); single == nil {
		words, err = []string{one}, nil
	}
	if err != nil {
		return recastNumber(now, v)
	}
	renamed := make([]string, len(words))
	for i, w := range words {
		renamed[i] = renamedChoice(old, now, w)
	}
	switch {
	case now.Widget == MultiSelect:
		return encoded(renamed)
	case now.Widget == Text:
		return encoded(labels(old, words))
	case len(renamed) != 1:
		return nil
	case now.Widget == Number && old.Widget == Text:
		return []json.RawMessage{json.RawMessage(strings.TrimSpace(words[0]))}
	}
	return encoded(renamed[0])
}

// labels joins the labels of choices into one line.
func labels(t *Template, values []string) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = v
		if c := t.Pick(v); c != nil {
			out[i] = c.Label
		}
	}
	return strings.Join(out, ", ")
}

// recastNumber converts a plain number to text; a range has no such conversion.
func recastNumber(now *Template, v json.RawMessage) []json.RawMessage {
	if _, err := decode[float64](v); err != nil || now.Widget == Number || now.Widget == MultiSelect {
		return nil
	}
	return encoded(string(bytes.TrimSpace(v)))
}

// renamedChoice returns the value of now's choice that has the label w had in old; w
// itself if there is none.
func renamedChoice(old, now *Template, w string) string {
	label := strings.TrimSpace(w)
	if c := old.Pick(w); c != nil {
		label = c.Label
	}
	if now.Pick(w) != nil {
		return w
	}
	i := slices.IndexFunc(now.Choices, func(c Choice) bool { return strings.EqualFold(c.Label, label) })
	if i < 0 {
		return w
	}
	return now.Choices[i].Value
}

func encoded(v any) []json.RawMessage {
	out, err := json.Marshal(v)
	if err != nil { // cannot happen: v is made of strings
		return nil
	}
	return []json.RawMessage{out}
}

// SaveRebased queues the changes of a rebase and their audit events.
func SaveRebased(b *postgres.Batch, s Scope, r RebaseResult, turn int) error {
	if err := redefine(b, s, r.Changes); err != nil {
		return err
	}
	if err := Save(b, s, r.Changes); err != nil || len(r.Born) == 0 {
		return err
	}
	return Create(b, s, r.Born, turn)
}

func redefine(b *postgres.Batch, s Scope, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	rows := make([]definitionRow, len(changes))
	for i, c := range changes {
		rows[i] = toDefinitionRow(c.After)
	}
	body, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("encode obligations of session %s: %w", s.Session, err)
	}
	_ = queries.ObligationRedefine(context.Background(), b, &dbsqlc.ObligationRedefineParams{TenantID: s.Tenant, SessionID: s.Session, Rows: body})
	return nil
}
