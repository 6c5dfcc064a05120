package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// Summary is a stretch of the transcript in a few sentences. Summaries are written once
// and never changed: those of a level follow each other without a gap, and no two have
// the same place.
type Summary struct {
	SummaryRange
	Text     string                     // at most [StretchRunes]
	SoFar    string                     // level 0 only: what a prompt is told of all turns up to To; at most [SummaryRunes]
	Known    map[string]ObligationState // the obligations that had been mentioned, as they were after the last turn
	Research []Lookup                   // ordered in the stretch
	By       string                     // "built-in", or "model NAME"
	Degraded string                     // why the model did not word it; empty when it did, or none is configured
	Usage    json.RawMessage            // what a model was given and gave; nil for none
	At       time.Time
}

// BuiltIn is [Summary].By of a summary that was worded without a model.
const BuiltIn = "built-in"

// LoadSummary queues a read of what a prompt is told of the turns before the window into
// out, and of the last of these turns into folded. Both stay as they are when nothing
// was folded yet.
func LoadSummary(b *postgres.Batch, s obligations.Scope, out *string, folded *int) {
	postgres.One(b, queries.SummarySoFar, &dbsqlc.SummarySoFarParams{TenantID: s.Tenant, SessionID: s.Session}, func(r *dbsqlc.SummarySoFarRow) error {
		*out, *folded = r.SoFar, int(r.TurnRangeEnd)
		return nil
	})
}

// PendingSummary is the next stretch of a session to fold, and the summaries of all that
// comes before it, oldest first.
type PendingSummary struct {
	Stretch SummaryInput
	Line    []Summary
}

// NextUnfolded reads the turns that follow the last summary of level 0. Their place is
// fixed, so it may reach beyond the turns there are.
func NextUnfolded(ctx context.Context, db postgres.DB, s obligations.Scope) (PendingSummary, error) {
	last, err := postgres.Find(ctx, db, s.Tenant, queries.SummaryLast, &dbsqlc.SummaryLastParams{TenantID: s.Tenant, SessionID: s.Session}, fromSummaryRow)
	if err != nil {
		return PendingSummary{}, fmt.Errorf("find last summary of session %s: %w", s.Session, notID(err))
	}
	if last == nil {
		last = &Summary{}
	}
	var out PendingSummary
	var messages []Message
	var events []Event
	place := leafAfter(last.To)
	b := postgres.NewBatch(s.Tenant)
	loadPlaces(b, s, Frontier(last.To), &out.Line)
	postgres.Many(b, queries.MessageRange, &dbsqlc.MessageRangeParams{TenantID: s.Tenant, SessionID: s.Session, FromTurn: int32(place.From), ToTurn: int32(place.To)}, func(r *dbsqlc.MessageRangeRow) error {
		messages = append(messages, fromMessageRow(dbsqlc.MessagePageRow(*r)))
		return nil
	})
	postgres.Many(b, queries.EventRange, &dbsqlc.EventRangeParams{TenantID: s.Tenant, SessionID: s.Session, FromTurn: int32(place.From), ToTurn: int32(place.To)}, func(r *dbsqlc.EventRangeRow) error {
		events = append(events, unpack((*dbsqlc.EventsAfterRow)(r), 0)...)
		return nil
	})
	if err := b.Send(ctx, db); err != nil {
		return PendingSummary{}, fmt.Errorf("read turns %d to %d of session %s: %w", place.From, place.To, s.Session, err)
	}
	out.Stretch = NewStretch(place, last.Known, messages, events)
	return out, nil
}

// loadPlaces queues a read of the summaries at those places into list.
func loadPlaces(b *postgres.Batch, s obligations.Scope, places []SummaryRange, list *[]Summary) {
	levels, starts := make([]int16, len(places)), make([]int32, len(places))
	for i, p := range places {
		levels[i], starts[i] = int16(p.Level), int32(p.From)
	}
	postgres.Many(b, queries.SummaryAt, &dbsqlc.SummaryAtParams{TenantID: s.Tenant, SessionID: s.Session, Levels: levels, Starts: starts}, func(r *dbsqlc.DiscoverySessionSummary) error {
		m, err := fromSummaryRow(r)
		*list = append(*list, m)
		return err
	})
}

// SaveSummaries queues summaries. One whose place is taken is ignored: another worker
// folded it first.
func SaveSummaries(b *postgres.Batch, s obligations.Scope, list []Summary) error {
	for _, m := range list {
		known, err := json.Marshal(m.Known)
		if err != nil {
			return fmt.Errorf("encode snapshot of turn %d: %w", m.To, err)
		}
		research, err := json.Marshal(append([]Lookup{}, m.Research...))
		if err != nil {
			return fmt.Errorf("encode research of turn %d: %w", m.To, err)
		}
		_ = queries.SummaryInsert(context.Background(), b, &dbsqlc.SummaryInsertParams{TenantID: s.Tenant, SessionID: s.Session, Level: int16(m.Level),
			TurnRangeStart: int32(m.From), TurnRangeEnd: int32(m.To), SummaryText: m.Text, SoFar: m.SoFar, ObligationSnapshot: known, ResearchSummary: research,
			MadeBy: m.By, Degraded: postgres.OrNull(m.Degraded), Usage: m.Usage})
	}
	return nil
}

// SummaryPage selects summaries of one level, in the order of turns.
type SummaryPage struct {
	Level int
	After int // first turn of the last summary of the previous page; 0 means from the start
	Max   int // zero means 50, at most 200
}

// Summaries returns a page of a session's summaries of one level.
func Summaries(ctx context.Context, db postgres.DB, s obligations.Scope, p SummaryPage) ([]Summary, error) {
	if p.Max <= 0 {
		p.Max = 50
	}
	out, err := postgres.List(ctx, db, s.Tenant, queries.SummaryPage, &dbsqlc.SummaryPageParams{
		TenantID: s.Tenant, SessionID: s.Session, Level: int16(p.Level), After: int32(p.After),
		Max: int32(min(p.Max, 200)),
	}, fromSummaryRow)
	return out, fault.Wrap(notID(err), "list summaries of session %s", s.Session)
}

// fromSummaryRow returns a summary as it is stored.
func fromSummaryRow(r *dbsqlc.DiscoverySessionSummary) (Summary, error) {
	m := Summary{SummaryRange: SummaryRange{int(r.Level), int(r.TurnRangeStart), int(r.TurnRangeEnd)}, Text: r.SummaryText, SoFar: r.SoFar, By: r.MadeBy,
		Degraded: postgres.OrEmpty(r.Degraded), Usage: r.Usage, At: r.CreatedAt}
	if err := json.Unmarshal(r.ObligationSnapshot, &m.Known); err != nil {
		return m, fmt.Errorf("snapshot of turn %d: %w", m.To, err)
	}
	err := json.Unmarshal(r.ResearchSummary, &m.Research)
	return m, fault.Wrap(err, "research of turn %d", m.To)
}
