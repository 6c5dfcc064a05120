package obligations

import (
	"encoding/json"
	"fmt"
	"slices"

	"quaestor/internal/postgres"
	"quaestor/obligations/internal/dbsqlc"
)

// definitionRow is an obligation as it is inserted.
type definitionRow struct {
	Key          string   `json:"obligation_key"`
	Position     int      `json:"position"`
	FieldPath    string   `json:"field_path"`
	Collection   string   `json:"collection_type"`
	Widget       string   `json:"widget_type"`
	Dependencies []string `json:"dependencies"`
	Source       string   `json:"source"`
	Layer        string   `json:"origin_layer"`
	SourceID     *string  `json:"origin_source_id"`
	Published    *string  `json:"published_as"`
	PoolID       *string  `json:"pool_id"`
	Priority     int      `json:"task_priority"`
	MaxAttempts  int      `json:"max_attempts"`
	Category     *string  `json:"category"`
	Notes        *string  `json:"agent_notes"`
	FollowUp     *string  `json:"follow_up_strategy"`
	Condition    *string  `json:"satisfied_when"`
	Expertise    *string  `json:"expertise_required"`
	Template     any      `json:"template"`
	Status       string   `json:"status"`
	Unlocked     bool     `json:"dependencies_resolved"`
}

func toDefinitionRow(o Obligation) definitionRow {
	r := definitionRow{
		Key: o.Key, Position: o.Position, FieldPath: o.FieldPath, Collection: string(o.Collection), Widget: string(o.Widget),
		Dependencies: append([]string{}, o.Dependencies...), Source: o.Origin.Source, Layer: string(o.Origin.Layer), SourceID: postgres.OrNull(o.Origin.ID), Published: postgres.OrNull(o.Origin.Published),
		PoolID: postgres.OrNull(o.PoolID), Priority: o.Priority, MaxAttempts: o.maxAttempts(), Category: postgres.OrNull(o.Category), Notes: postgres.OrNull(o.AgentNotes),
		FollowUp: postgres.OrNull(o.FollowUpStrategy), Condition: postgres.OrNull(o.SatisfiedWhen), Expertise: postgres.OrNull(o.ExpertiseRequired),
		Status: string(o.Status), Unlocked: o.Unlocked,
	}
	if o.Origin.Layer == SessionOnly {
		r.Template = o.Template
	}
	return r
}

// states builds the column arrays that update the obligations in list.
func states(s Scope, list []Obligation) (*dbsqlc.ObligationUpdateAllParams, error) {
	n := len(list)
	p := &dbsqlc.ObligationUpdateAllParams{
		TenantID: s.Tenant, SessionID: s.Session,
		Keys: make([]string, 0, n), Statuses: make([]string, 0, n), Hundredths: make([]int32, 0, n), ExtractedValues: make([][]byte, 0, n), Evidences: make([][]byte, 0, n),
		Attempts: make([]int32, 0, n), LastAttemptTurns: make([]int32, 0, n), SatisfiedAtTurns: make([]int32, 0, n), NegotiationStates: make([][]byte, 0, n),
		SkipReasons: make([]string, 0, n), DependenciesResolved: make([]bool, 0, n), MergedInto: make([]string, 0, n), SplitInto: make([][]byte, 0, n), Stands: make([][]byte, 0, n),
	}
	for _, o := range list {
		p.Keys = append(p.Keys, o.Key)
		p.Statuses = append(p.Statuses, string(o.Status))
		p.Hundredths = append(p.Hundredths, int32(o.Confidence))
		p.ExtractedValues = append(p.ExtractedValues, o.Value)
		p.Attempts = append(p.Attempts, int32(o.Attempts))
		p.LastAttemptTurns = append(p.LastAttemptTurns, int32(o.LastTurn))
		p.SatisfiedAtTurns = append(p.SatisfiedAtTurns, int32(o.SatisfiedTurn))
		p.SkipReasons = append(p.SkipReasons, string(o.SkipReason))
		p.DependenciesResolved = append(p.DependenciesResolved, o.Unlocked)
		p.MergedInto = append(p.MergedInto, o.MergedInto)
		if err := addDocuments(p, o); err != nil {
			return nil, fmt.Errorf("obligation %s: %w", o.Key, err)
		}
	}
	return p, nil
}

// addDocuments appends o's JSON columns. A missing one is null, except evidence, which is
// an empty list.
func addDocuments(p *dbsqlc.ObligationUpdateAllParams, o Obligation) error {
	for _, d := range []struct {
		column *[][]byte
		there  bool
		value  any
	}{
		{&p.Evidences, true, append([]Evidence{}, o.Evidence...)},
		{&p.NegotiationStates, o.Negotiation != nil, o.Negotiation},
		{&p.SplitInto, o.SplitInto != nil, o.SplitInto},
		{&p.Stands, o.Stands != nil, o.Stands},
	} {
		var body []byte
		if d.there {
			var err error
			if body, err = json.Marshal(d.value); err != nil {
				return err
			}
		}
		*d.column = append(*d.column, body)
	}
	return nil
}

func fromRow(r *dbsqlc.ObligationStatesRow, templates func(string) ([]Template, error)) (Obligation, error) {
	o := Obligation{
		Status: Status(r.Status), Confidence: Of(r.Confidence), Value: r.ExtractedValue, Attempts: int(r.Attempts), LastTurn: int(r.LastAttemptTurn),
		SatisfiedTurn: int(r.SatisfiedAtTurn), SkipReason: SkipReason(postgres.OrEmpty(r.SkipReason)), Unlocked: r.DependenciesResolved,
		Origin: Origin{Layer: Layer(r.OriginLayer), Source: r.Source, ID: postgres.OrEmpty(r.OriginSourceID), Published: postgres.OrEmpty(r.PublishedAs)}, Position: int(r.Position), MergedInto: postgres.OrEmpty(r.MergedInto),
	}
	if len(r.SplitInto) > len("null") {
		if err := json.Unmarshal(r.SplitInto, &o.SplitInto); err != nil {
			return o, fmt.Errorf("children of obligation %s: %w", r.ObligationKey, err)
		}
	}
	if err := decodeTemplate(&o, r, templates); err != nil {
		return o, fmt.Errorf("template of obligation %s: %w", r.ObligationKey, err)
	}
	if len(r.Evidence) > len("[]") {
		if err := decodeEvidence(r.Evidence, &o.Evidence); err != nil {
			return o, fmt.Errorf("evidence of obligation %s: %w", r.ObligationKey, err)
		}
	}
	if len(r.Stands) > len("null") {
		if err := json.Unmarshal(r.Stands, &o.Stands); err != nil {
			return o, fmt.Errorf("stands on obligation %s: %w", r.ObligationKey, err)
		}
	}
	if r.NegotiationState != nil {
		if err := json.Unmarshal(r.NegotiationState, &o.Negotiation); err != nil {
			return o, fmt.Errorf("negotiation of obligation %s: %w", r.ObligationKey, err)
		}
	}
	return o, nil
}

func decodeTemplate(o *Obligation, r *dbsqlc.ObligationStatesRow, templates func(string) ([]Template, error)) error {
	if r.Template != nil {
		return json.Unmarshal(r.Template, &o.Template)
	}
	list, err := templates(o.Origin.ID)
	if err != nil {
		return err
	}
	if p := o.Position; p < len(list) && list[p].Key == r.ObligationKey {
		o.Template = &list[p]
		return nil
	}
	i := slices.IndexFunc(list, func(t Template) bool { return t.Key == r.ObligationKey })
	if i < 0 {
		return fmt.Errorf("objective %s does not define it", o.Origin.ID)
	}
	o.Template = &list[i]
	return nil
}

// eventRow is an audit event as it is stored.
type eventRow struct {
	Key           string     `json:"obligation_key"`
	Type          EventType  `json:"event_type"`
	OldStatus     Status     `json:"old_status,omitempty"`
	NewStatus     Status     `json:"new_status,omitempty"`
	OldConfidence Confidence `json:"old_confidence"`
	NewConfidence Confidence `json:"new_confidence"`
	Source        string     `json:"source"`
	Meta          Meta       `json:"metadata"`
}

func toEventRow(e Event) eventRow {
	return eventRow{e.Key, e.Type, e.OldStatus, e.NewStatus, e.OldConfidence, e.NewConfidence, e.Source, e.Meta}
}

func fromEventRow(r *dbsqlc.TrailPageRow) (StoredEvent, error) {
	var e eventRow
	if err := json.Unmarshal(r.Event, &e); err != nil {
		return StoredEvent{}, fmt.Errorf("obligation event %d: %w", r.ID, err)
	}
	return StoredEvent{ID: r.ID, At: r.CreatedAt, Event: Event{Key: e.Key, Type: e.Type, OldStatus: e.OldStatus, NewStatus: e.NewStatus,
		OldConfidence: e.OldConfidence, NewConfidence: e.NewConfidence, Source: e.Source, Meta: e.Meta, Turn: int(r.TurnNumber)}}, nil
}

type conflictRow struct {
	ID         string   `json:"id"`
	Kind       string   `json:"kind"`
	Keys       []string `json:"obligation_keys"`
	Sides      []Side   `json:"sides"`
	Status     string   `json:"status"`
	Detected   int      `json:"detected_turn"`
	Raised     int      `json:"raised_turn"`
	Constraint *string  `json:"constraint_name"`
	Message    *string  `json:"message"`
	Resolution *string  `json:"resolution"`
	ResolvedBy *string  `json:"resolved_by"`
}

func toConflictRows(list []Conflict) []conflictRow {
	rows := make([]conflictRow, len(list))
	for i, c := range list {
		rows[i] = conflictRow{c.ID, string(c.Kind), c.Keys, c.Sides, c.Status, c.Detected, c.Raised, postgres.OrNull(c.Constraint), postgres.OrNull(c.Message),
			postgres.OrNull(c.Resolution), postgres.OrNull(c.ResolvedBy)}
	}
	return rows
}

func fromConflictRow(r *dbsqlc.ConflictListRow) (Conflict, error) {
	c := Conflict{ID: r.ID, Kind: ConflictKind(r.Kind), Status: r.Status, Detected: int(r.DetectedTurn), Raised: int(r.RaisedTurn), Resolution: postgres.OrEmpty(r.Resolution),
		Constraint: postgres.OrEmpty(r.ConstraintName), Message: postgres.OrEmpty(r.Message), ResolvedBy: postgres.OrEmpty(r.ResolvedBy)}
	if err := json.Unmarshal(r.ObligationKeys, &c.Keys); err != nil {
		return c, fmt.Errorf("keys of conflict %s: %w", r.ID, err)
	}
	if err := json.Unmarshal(r.Sides, &c.Sides); err != nil {
		return c, fmt.Errorf("sides of conflict %s: %w", r.ID, err)
	}
	return c, nil
}
