package obligations

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"quaestor/internal/postgres"
	"quaestor/obligations/internal/dbsqlc"
)

var queries = dbsqlc.New()

// Create queues the inserts and first audit events of obligations that are new in turn;
// turn is 0 for a new session.
func Create(b *postgres.Batch, s Scope, list []Obligation, turn int) error {
	rows := make([]definitionRow, len(list))
	events := make([]Event, len(list))
	for i, o := range list {
		rows[i], events[i] = toDefinitionRow(o), Birth(o, turn)
	}
	body, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("encode obligations of session %s: %w", s.Session, err)
	}
	_ = queries.ObligationInsertAll(context.Background(), b, &dbsqlc.ObligationInsertAllParams{TenantID: s.Tenant, SessionID: s.Session, Rows: body})
	return saveEvents(b, s, events)
}

// Load queues a read of a session's obligations into list, in order of position. Their
// templates come from the objective, or from the row if no objective defines them.
func Load(b *postgres.Batch, s Scope, templates func(objectiveID string) ([]Template, error), list *[]Obligation) {
	postgres.Many(b, queries.ObligationStates, &dbsqlc.ObligationStatesParams{TenantID: s.Tenant, SessionID: s.Session}, func(r *dbsqlc.ObligationStatesRow) error {
		o, err := fromRow(r, templates)
		if err != nil {
			return err
		}
		if n := len(*list); n == 0 {
			*list = make([]Obligation, 0, expected(r, templates))
		} else if before := &(*list)[n-1]; before.Origin == o.Origin {
			o.Origin = before.Origin // share the strings: nearly all have one origin, and lists live as long as a reply streams
		}
		*list = append(*list, o)
		return nil
	})
}

// expected returns how many obligations a session has whose first row is r, not counting
// emergent ones.
func expected(r *dbsqlc.ObligationStatesRow, templates func(objectiveID string) ([]Template, error)) int {
	if r.Template != nil { // itself emergent
		return 1
	}
	list, err := templates(postgres.OrEmpty(r.OriginSourceID))
	if err != nil {
		return 1
	}
	return max(len(list), 1)
}

// Save queues the changed obligations and their audit events.
func Save(b *postgres.Batch, s Scope, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	list := make([]Obligation, len(changes))
	var events []Event
	for i, c := range changes {
		list[i] = c.After
		events = append(events, c.Events...)
	}
	columns, err := states(s, list)
	if err != nil {
		return fmt.Errorf("encode obligations of session %s: %w", s.Session, err)
	}
	_ = queries.ObligationUpdateAll(context.Background(), b, columns)
	return saveEvents(b, s, events)
}

// StoredEvent is an audit event with its id and time.
type StoredEvent struct {
	Event
	ID int64
	At time.Time
}

// HistoryPage selects a part of an audit trail.
type HistoryPage struct {
	Key   string // empty means all obligations
	Until int    // last turn; 0 means all
	After int64  // id of the last event read; 0 means from the start
	Max   int    // most events to read; 0 means 1000
}

// LoadHistory queues a read of a session's audit trail, oldest first, into list.
func LoadHistory(b *postgres.Batch, s Scope, p HistoryPage, list *[]StoredEvent) {
	var key *string
	if p.Key != "" {
		key = &p.Key
	}
	if p.Until == 0 {
		p.Until = 1<<31 - 1
	}
	if p.Max == 0 {
		p.Max = 1000
	}
	postgres.Many(b, queries.TrailPage, &dbsqlc.TrailPageParams{
		TenantID: s.Tenant, SessionID: s.Session, Until: int32(p.Until), AfterRow: p.After / maxTogether,
		After: p.After, ObligationKey: key, Max: int32(p.Max),
	}, func(r *dbsqlc.TrailPageRow) error {
		e, err := fromEventRow(r)
		if err == nil {
			*list = append(*list, e)
		}
		return err
	})
}

// History returns a session's audit trail, oldest first.
func History(ctx context.Context, db postgres.DB, s Scope, p HistoryPage) ([]StoredEvent, error) {
	var out []StoredEvent
	b := postgres.NewBatch(s.Tenant)
	LoadHistory(b, s, p, &out)
	if err := b.Send(ctx, db); err != nil {
		return nil, fmt.Errorf("read history of session %s: %w", s.Session, err)
	}
	return out, nil
}

// LoadTrailEnd queues a read of the end of a session's audit trail into end: the id of no
// event exceeds it by now, and those of all later events do.
func LoadTrailEnd(b *postgres.Batch, s Scope, end *int64) {
	postgres.One(b, queries.TrailEnd, &dbsqlc.TrailEndParams{TenantID: s.Tenant, SessionID: s.Session}, func(id int64) error {
		*end = id
		return nil
	})
}

// SaveConflicts queues new conflicts and changed ones; all of them have ids.
func SaveConflicts(b *postgres.Batch, s Scope, found, changed []Conflict) error {
	if len(found) > 0 {
		body, err := json.Marshal(toConflictRows(found))
		if err != nil {
			return fmt.Errorf("encode conflicts of session %s: %w", s.Session, err)
		}
		_ = queries.ConflictInsertAll(context.Background(), b, &dbsqlc.ConflictInsertAllParams{TenantID: s.Tenant, SessionID: s.Session, Rows: body})
	}
	if len(changed) > 0 {
		body, err := json.Marshal(toConflictRows(changed))
		if err != nil {
			return fmt.Errorf("encode conflicts of session %s: %w", s.Session, err)
		}
		_ = queries.ConflictUpdateAll(context.Background(), b, &dbsqlc.ConflictUpdateAllParams{TenantID: s.Tenant, SessionID: s.Session, Rows: body})
	}
	return nil
}

// LoadConflicts queues a read of a session's conflicts, oldest first, into list.
func LoadConflicts(b *postgres.Batch, s Scope, which ConflictFilter, list *[]Conflict) {
	postgres.Many(b, queries.ConflictList, &dbsqlc.ConflictListParams{
		TenantID: s.Tenant, SessionID: s.Session, OpenOnly: which == OpenConflicts,
		ConstraintsOnly: which == ConstraintConflicts,
	}, func(r *dbsqlc.ConflictListRow) error {
		c, err := fromConflictRow(r)
		if err == nil {
			*list = append(*list, c)
		}
		return err
	})
}

// ConflictFilter selects conflicts.
type ConflictFilter string

// The filters.
const (
	OpenConflicts       ConflictFilter = "open"
	AllConflicts        ConflictFilter = "all"
	ConstraintConflicts ConflictFilter = "constraint" // open or not
)

// maxTogether is how many events one row of the trail may hold. An event's id is its
// row's id times 1000 plus its place in the row.
const maxTogether = 1000

// saveEvents queues events of the trail in order; those of one turn share a row.
func saveEvents(b *postgres.Batch, s Scope, events []Event) error {
	for len(events) > 0 {
		n := 1
		for n < len(events) && n < maxTogether && events[n].Turn == events[0].Turn {
			n++
		}
		rows := make([]eventRow, n)
		for i, e := range events[:n] {
			rows[i] = toEventRow(e)
		}
		body, err := json.Marshal(rows)
		if err != nil {
			return fmt.Errorf("encode history of session %s: %w", s.Session, err)
		}
		_ = queries.TrailAppend(context.Background(), b, &dbsqlc.TrailAppendParams{TenantID: s.Tenant, SessionID: s.Session, TurnNumber: int32(events[0].Turn), Events: padded(body)})
		events = events[n:]
	}
	return nil
}

// PostgreSQL does not compress rows of 2,032 bytes or less (TOAST_TUPLE_THRESHOLD), yet
// events written together compress to a third. So a list that is nearly long enough is
// padded with blanks, which JSON allows and which cost nothing once compressed.
const (
	padFrom = 1000 // bytes of a list; a shorter one repeats too little to gain
	padTo   = 2000 // the row's other columns make up the rest
)

// padded pads list with blanks if that makes PostgreSQL compress its row.
func padded(list []byte) []byte {
	if len(list) < padFrom || len(list) >= padTo {
		return list
	}
	return append(list, bytes.Repeat([]byte{' '}, padTo-len(list))...)
}

// LoadChanged queues a read, into ids, of at most limit sessions that changed since they
// were last reassessed and have no turn running.
func LoadChanged(b *postgres.Batch, limit int, ids *[]string) {
	postgres.Many(b, queries.ReassessDue, &dbsqlc.ReassessDueParams{TenantID: b.Tenant(), Max: int32(limit)}, func(id string) error {
		*ids = append(*ids, id)
		return nil
	})
}

// MarkReassessed queues that a session was reassessed in its present state.
func MarkReassessed(b *postgres.Batch, s Scope) {
	_ = queries.ReassessMark(context.Background(), b, &dbsqlc.ReassessMarkParams{TenantID: s.Tenant, ID: s.Session})
}
