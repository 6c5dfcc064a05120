package runs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"quaestor/internal/postgres"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// Event is one change of a run that people may watch. Data is the JSON object
// sent, its "type" included.
type Event struct {
	Seq  int64 // from 1, rises by one
	Kind EventKind
	Data json.RawMessage
	At   time.Time
}

// Number is the event's place in its run's log.
func (e Event) Number() int64 { return e.Seq }

// EventKind is the type of an event.
type EventKind string

// The kinds.
const (
	EventQueued      EventKind = "queued"
	EventStarted     EventKind = "started" // by a worker, the first or another
	EventPhase       EventKind = "phase"
	EventStep        EventKind = "step"
	EventFix         EventKind = "fix"
	EventCounters    EventKind = "counters"
	EventPaused      EventKind = "paused"
	EventResumed     EventKind = "resumed"
	EventInterrupted EventKind = "interrupted"
	EventAlert       EventKind = "alert"    // a finding that somebody watches is another now
	EventFinished    EventKind = "finished" // completed, failed or cancelled; a failed run may be resumed
)

// Payload is what an event says; its JSON gets the field "type".
type Payload interface{ kind() EventKind }

// StatusEvent tells of a run that is in another status: events "queued", "started",
// "paused", "resumed", "interrupted" and "finished".
type StatusEvent struct {
	as      EventKind  // its kind in the log
	Status  Status     `json:"status"`
	Attempt int        `json:"attempt,omitempty"`
	By      string     `json:"by,omitempty"`  // who wanted it; empty for nobody
	Why     string     `json:"why,omitempty"` // a sentence; empty for none
	Outcome Outcome    `json:"runType,omitempty"`
	Stop    StopReason `json:"stopReason,omitempty"`
	Summary string     `json:"summary,omitempty"`
	Trouble Trouble    `json:"trouble,omitempty"` // of a failed run
	Remedy  string     `json:"remedy,omitempty"`  // what helps against it
}

// PhaseEvent tells how far a run is: event "phase".
type PhaseEvent struct {
	Phase    Phase  `json:"phase"`
	Detail   string `json:"detail,omitempty"`
	Progress int    `json:"progress"`
}

// StepEvent tells of a step, without the words of its reply and its digest: event
// "step".
type StepEvent struct {
	State    StepState            `json:"state"`
	N        int                  `json:"n"`
	Type     warehouse.StepType   `json:"stepType"`
	Thinking string               `json:"thinking,omitempty"`
	Purpose  string               `json:"purpose,omitempty"`
	Query    string               `json:"query,omitempty"`
	Tables   []string             `json:"tables,omitempty"`
	Search   string               `json:"search,omitempty"`
	Rows     int                  `json:"rows,omitempty"`
	More     bool                 `json:"more,omitempty"`
	Millis   float64              `json:"milliseconds,omitempty"`
	Repeats  int                  `json:"repeats,omitempty"`
	Error    string               `json:"error,omitempty"`
	Class    warehouse.ErrorClass `json:"class,omitempty"`
	Nudges   int                  `json:"nudges,omitempty"` // corrections that were asked for
	Fixes    int                  `json:"fixes,omitempty"`  // how many it took
}

// FixEvent tells of an attempt to repair a query: event "fix".
type FixEvent struct {
	N int `json:"n"` // of the step
	warehouse.Fix
}

// CountersEvent tells what a run has done and spent: event "counters". Counters are of its steps, all
// else is of the whole run.
type CountersEvent struct {
	Counters
	Progress int                      `json:"progress"`
	Tokens   int64                    `json:"tokens"`
	USD      float64                  `json:"usd"`   // of models and warehouse, as far as prices are known
	Asked    warehouse.StatementUsage `json:"asked"` // what all statements took

	Unpriced           int `json:"unpriced,omitempty"`           // calls of models whose price is not known
	UnpricedStatements int `json:"unpricedStatements,omitempty"` // statements whose price is not known
}

// The kind of an event is its name in the stream.
func (m StatusEvent) kind() EventKind { return m.as }
func (PhaseEvent) kind() EventKind    { return EventPhase }
func (StepEvent) kind() EventKind     { return EventStep }
func (FixEvent) kind() EventKind      { return EventFix }
func (CountersEvent) kind() EventKind { return EventCounters }

// stepEvent returns what people are told of a step; long texts are cut.
func stepEvent(s *warehouse.Step, state StepState) StepEvent {
	return StepEvent{State: state, N: s.N, Type: s.Type, Thinking: cut(s.Thinking, maxTold), Purpose: cut(s.Purpose, maxTold), Query: cut(s.Query, maxTold), Tables: s.Tables,
		Search: cut(s.Search, maxTold), Rows: s.Rows, More: s.More, Millis: float64(s.Took) / float64(time.Millisecond), Repeats: s.Repeats,
		Error: cut(s.Error, maxTold), Class: s.Class, Nudges: s.Corrections, Fixes: len(s.Fixes)}
}

// maxTold bounds the texts of an event, in bytes; the rows have all of it.
const maxTold = 4000

// encode returns the JSON of p with its type in front.
func encode(p Payload) (json.RawMessage, error) {
	body, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("encode event %s: %w", p.kind(), err)
	}
	body = bytes.ReplaceAll(body, []byte(`\u0000`), []byte(`\ufffd`)) // which the database takes for no character
	out := fmt.Appendf(nil, `{"type":%q`, p.kind())
	if len(body) > 2 {
		out = append(out, ',')
	}
	return append(out, body[1:]...), nil
}

// eventRow is an event as it is inserted.
type eventRow struct {
	Seq  int64           `json:"seq"`
	Type EventKind       `json:"type"`
	Data json.RawMessage `json:"data"`
}

// queueEvents queues events of a run after the last one and returns the number of
// the last. The run must be locked.
func queueEvents(b *postgres.Batch, run string, last int64, payloads []Payload) (int64, error) {
	rows := make([]eventRow, len(payloads))
	for i, p := range payloads {
		data, err := encode(p)
		if err != nil {
			return 0, err
		}
		last++
		rows[i] = eventRow{last, p.kind(), data}
	}
	if len(rows) == 0 {
		return last, nil
	}
	body, err := json.Marshal(rows)
	if err != nil {
		return 0, fmt.Errorf("encode events: %w", err)
	}
	return last, queries.EventInsert(context.Background(), b, &dbsqlc.EventInsertParams{TenantID: b.Tenant(), RunID: run, Rows: body})
}

// maxRead bounds the events that one read returns.
const maxRead = 200

// Durations returns how long a run was in each phase, without the time in which it was not worked. It is empty for a run
// that has not begun.
func Durations(ctx context.Context, db postgres.DB, r Run) (map[Phase]time.Duration, error) {
	type mark struct {
		phase Phase
		at    time.Time
	}
	list, err := postgres.List(ctx, db, r.Tenant, queries.EventPhases, &dbsqlc.EventPhasesParams{TenantID: r.Tenant, RunID: r.ID}, func(e *dbsqlc.EventPhasesRow) (mark, error) {
		return mark{Phase(e.Phase), e.At}, nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the phases of run %s: %w", r.ID, notID(err))
	}
	out := map[Phase]time.Duration{}
	var now Phase
	var total time.Duration
	for i, m := range list {
		if i > 0 && now != "" {
			out[now] += m.at.Sub(list[i-1].at)
			total += m.at.Sub(list[i-1].at)
		}
		if m.phase != "" {
			now = m.phase
		}
	}
	if r.Counters.Active > 0 && total > r.Counters.Active { // it was paused, or waited for another server
		for p := range out {
			out[p] = time.Duration(float64(out[p]) * float64(r.Counters.Active) / float64(total))
		}
	}
	return out, nil
}

// Events returns events of a run with numbers above after, in order, and whether
// there may be more of them. An unknown run has none.
func Events(ctx context.Context, db postgres.DB, tenant, run string, after int64) (events []Event, more bool, err error) {
	b := postgres.NewBatch(tenant)
	postgres.Many(b, queries.EventsAfter, &dbsqlc.EventsAfterParams{TenantID: tenant, RunID: run, After: after, Most: int32(maxRead)}, func(r *dbsqlc.EventsAfterRow) error {
		events = append(events, Event{r.Seq, EventKind(r.Type), r.Data, r.At})
		return nil
	})
	if err := b.Send(ctx, db); err != nil {
		return nil, false, fmt.Errorf("read events of run %s: %w", run, err)
	}
	return events, len(events) == maxRead, nil
}
