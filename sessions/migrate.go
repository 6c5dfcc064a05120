package sessions

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
	"quaestor/sessions/objectives"
)

// MigrationTarget is the version of its objective that a session should move to.
type MigrationTarget struct {
	Version string // empty means the active one
	By      string // the user who asks for it, for the audit trail
	DryRun  bool   // report what would happen and change nothing
}

// Migration is the report of a move to another version, or of what one would do.
type Migration struct {
	SessionID   string                     `json:"sessionId"`
	ContextType string                     `json:"contextType"`
	From        string                     `json:"from"` // version
	To          string                     `json:"to"`
	DryRun      bool                       `json:"dryRun"`
	Changed     bool                       `json:"changed"` // false when the session is already on that version
	Moves       []obligations.KeyMigration `json:"moves"`   // one for each obligation
	Settled     []string                   `json:"settledConflicts,omitempty"`
	Before      float64                    `json:"progressBefore"`
	After       float64                    `json:"progressAfter"`
}

// Count returns how many obligations have that disposition.
func (m *Migration) Count(f obligations.Disposition) int {
	n := 0
	for _, move := range m.Moves {
		if move.Fate == f {
			n++
		}
	}
	return n
}

// fates are the dispositions in the order of a report.
var fates = []obligations.Disposition{obligations.Reopened, obligations.Removed, obligations.Retyped, obligations.Restored, obligations.Added, obligations.Kept}

// Text returns the report for people: a summary, then a line for each obligation that is
// not simply kept.
func (m *Migration) Text() string {
	var b strings.Builder
	verb := "moved"
	switch {
	case !m.Changed:
		return fmt.Sprintf("Session %s is on %s %s already; nothing changes.\n", m.SessionID, m.ContextType, m.To)
	case m.DryRun:
		verb = "would move"
	}
	fmt.Fprintf(&b, "Session %s %s from %s %s to %s; progress %.0f %% before, %.0f %% after.\n", m.SessionID, verb, m.ContextType, m.From, m.To, m.Before*100, m.After*100)
	for _, f := range fates {
		if n := m.Count(f); n > 0 {
			fmt.Fprintf(&b, "  %-9s %d\n", f, n)
		}
	}
	for _, f := range fates[:len(fates)-1] {
		for _, move := range m.Moves {
			if move.Fate == f {
				fmt.Fprintf(&b, "\n%s %s: %s", f, move.Key, move.Reason)
				if move.Old != nil {
					fmt.Fprintf(&b, "; it held %s", language.Short(string(move.Old)))
				}
			}
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// Migrate moves a session to another version of its objective, in one transaction with
// its audit trail and its events, and returns the events to publish. A session's own
// overlay stays on top. It is a Conflict while a turn is running or when the session is
// completed. A version that does not exist is NotFound; one that the overlay does not
// fit returns [objectives.Faults].
func Migrate(ctx context.Context, pool *pgxpool.Pool, l *objectives.Library, s obligations.Scope, t MigrationTarget) (Migration, []Event, error) {
	var m Migration
	var events []Event
	session, err := Find(ctx, pool, s)
	if err != nil {
		return m, nil, err
	}
	to, err := l.Version(ctx, s.Tenant, session.ContextType, t.Version)
	if err != nil {
		return m, nil, err
	}
	if to.Layer == obligations.SessionOnly {
		return m, nil, fault.New(fault.Unprocessable, "version %s belongs to single sessions; name the version below it", to.Version).At("version").Coded("session_version")
	}
	err = postgres.InTx(ctx, pool, s.Tenant, func(tx pgx.Tx) error {
		v, err := loadMover(ctx, tx, l, s, to)
		if err != nil {
			return err
		}
		if err := v.move(ctx, tx, t); err != nil {
			return err
		}
		m, events = v.report, v.events
		return nil
	})
	return m, events, err
}

// mover moves one session.
type mover struct {
	library   *objectives.Library
	session   Session
	from, to  objectives.Objective
	list      []obligations.Obligation
	conflicts []obligations.Conflict

	report Migration
	events []Event
}

// loadMover locks and reads the session. It refuses a session that cannot be moved now.
func loadMover(ctx context.Context, tx pgx.Tx, l *objectives.Library, s obligations.Scope, to objectives.Objective) (*mover, error) {
	v := &mover{library: l, to: to}
	var session *Session
	b := postgres.NewBatch(s.Tenant)
	Lock(b, s, &session)
	obligations.Load(b, s, l.Templates(ctx, s.Tenant), &v.list)
	obligations.LoadConflicts(b, s, obligations.OpenConflicts, &v.conflicts)
	if err := b.Send(ctx, tx); err != nil {
		return nil, fmt.Errorf("lock session %s: %w", s.Session, err)
	}
	if session == nil {
		return nil, NoSession()
	}
	v.session = *session
	running, err := RunningTurn(ctx, tx, s)
	switch {
	case err != nil:
		return nil, err
	case session.Status == Completed:
		return nil, fault.New(fault.Conflict, "this session is completed and keeps the version it was completed with; reopen it to move it").Coded("session_completed")
	case running != nil:
		return nil, fault.New(fault.Conflict, "a turn is running in this session; wait for it to end, or stop it").Coded("turn_running")
	}
	v.from, err = l.Find(ctx, s.Tenant, session.ObjectiveID)
	return v, err
}

// move works out the report and, unless it is a dry run, writes the result.
func (v *mover) move(ctx context.Context, tx pgx.Tx, t MigrationTarget) error {
	v.report = Migration{SessionID: v.session.ID, ContextType: v.session.ContextType, From: v.from.Version, To: v.to.Version, DryRun: t.DryRun,
		Before: v.session.Progress, After: v.session.Progress, Moves: []obligations.KeyMigration{}}
	if v.from.ID == v.to.ID || v.from.Layer == obligations.SessionOnly && baseVersion(v.from.Version) == v.to.Version {
		return nil
	}
	v.report.Changed = true
	onto, err := v.onto(ctx, tx, t.DryRun)
	if err != nil {
		return err
	}
	r := obligations.Rebase(v.list, obligations.RebaseInput{From: v.from.ID, Onto: onto.Definition.Obligations, Origin: onto.Origin, Turn: v.session.Turns,
		Reason: strings.TrimSpace(fmt.Sprintf("moved from version %s to %s %s", v.from.Version, v.to.Version, by(t.By)))})
	v.report.Moves = r.Moves
	resolved := v.settled(r)
	payloads := v.advance(onto, r)
	v.report.After = v.session.Progress
	if t.DryRun {
		return nil
	}
	return v.write(ctx, tx, onto, r, resolved, payloads)
}

// by names the user who asked; empty when nobody is known.
func by(who string) string {
	if who == "" {
		return ""
	}
	return "by " + who
}

// baseVersion returns the version below a session's own, which is named base+hash.
func baseVersion(version string) string {
	base, _, _ := strings.Cut(version, "+")
	return base
}

// onto returns the version to move to with the session's own overlay on top. A dry run
// stores nothing.
func (v *mover) onto(ctx context.Context, tx pgx.Tx, dry bool) (objectives.Objective, error) {
	if v.from.Layer != obligations.SessionOnly || v.from.Composition == nil {
		return v.to, nil
	}
	doc, err := v.from.OverlayOn(v.to)
	if err != nil {
		return objectives.Objective{}, err
	}
	if dry {
		return objectives.Objective{Layer: obligations.SessionOnly, Composition: doc.Composition, Definition: &doc.Definition}, nil
	}
	return v.library.StoreOverlaid(ctx, tx, v.to.Tenant, doc)
}

// settled returns the open conflicts that end because the new version no longer has one
// of their obligations.
func (v *mover) settled(r obligations.RebaseResult) (out []obligations.Conflict) {
	for _, c := range v.conflicts {
		gone := slices.ContainsFunc(r.Moves, func(m obligations.KeyMigration) bool {
			return m.Fate == obligations.Removed && slices.Contains(c.Keys, m.Key)
		})
		if gone {
			c.Status, c.Resolution = "resolved", "the objective's new version does not ask for it"
			v.report.Settled = append(v.report.Settled, c.ID)
			out = append(out, c)
		}
	}
	return out
}

// advance updates the session and returns the events of the change.
func (v *mover) advance(onto objectives.Objective, r obligations.RebaseResult) []Payload {
	var changed []obligations.Change
	for _, c := range r.Changes {
		if told(c) || !sameDefinition(c) {
			changed = append(changed, c)
		}
	}
	var payloads []Payload
	v.session, payloads = Advance(v.session, onto.Definition, r.List, changed, v.session.Turns)
	var news []Payload
	for _, o := range r.Born {
		news = append(news, LearntFrom(obligations.Change{After: o}, v.session.Turns))
	}
	v.session.ObjectiveID = onto.ID
	if !v.asks(r) {
		v.session.Question = nil
	}
	return append(news, payloads...)
}

// sameDefinition reports whether an obligation is named as before.
func sameDefinition(c obligations.Change) bool { return c.Before.Name() == c.After.Name() }

// asks reports whether the open question can still be answered: the new version asks for
// all of its obligations in the same way.
func (v *mover) asks(r obligations.RebaseResult) bool {
	for _, key := range v.session.Question.Keys() {
		held, now := obligations.Find(v.list, key), obligations.Find(r.List, key)
		if held == nil || now == nil || now.Status == obligations.Skipped || held.Widget != now.Widget || !slices.EqualFunc(held.Choices, now.Choices, sameChoice) {
			return false
		}
	}
	return true
}

// sameChoice reports whether two choices look the same to people.
func sameChoice(a, b obligations.Choice) bool { return a.Value == b.Value && a.Label == b.Label }

// write stores the moved session and appends its events.
func (v *mover) write(ctx context.Context, tx pgx.Tx, onto objectives.Objective, r obligations.RebaseResult, resolved []obligations.Conflict, payloads []Payload) error {
	s := v.session.Scope()
	for _, c := range resolved {
		payloads = append(payloads, ConflictEvent{v.session.Turns, c})
	}
	v.events = Events(v.session.Turns, payloads)
	b := postgres.NewBatch(s.Tenant)
	if err := obligations.SaveRebased(b, s, r, v.session.Turns); err != nil {
		return err
	}
	if err := obligations.SaveConflicts(b, s, nil, resolved); err != nil {
		return err
	}
	if err := Save(b, v.session); err != nil {
		return err
	}
	_ = queries.SessionRebase(ctx, b, &dbsqlc.SessionRebaseParams{ObjectiveID: onto.ID, TenantID: s.Tenant, ID: s.Session})
	Append(b, s, v.events)
	return fault.Wrap(b.Send(ctx, tx), "move session %s to version %s", s.Session, v.to.Version)
}

// ReplayTemplates returns the templates that [obligations.Replay] needs for a session
// that moved between versions: for each obligation, that of the version it was last seen
// under, according to the audit trail alone.
func ReplayTemplates(history []obligations.Event, templates func(objectiveID string) ([]obligations.Template, error)) ([]obligations.Template, error) {
	var keys []string
	under := map[string]string{}
	own := map[string]bool{} // those that carry their definition
	for _, e := range history {
		own[e.Key] = own[e.Key] || e.Meta.Set.Template != nil
		if o := e.Meta.Set.Origin; o != nil && o.ID != "" && !own[e.Key] {
			if _, known := under[e.Key]; !known {
				keys = append(keys, e.Key)
			}
			under[e.Key] = o.ID
		}
	}
	var out []obligations.Template
	for _, key := range keys {
		list, err := templates(under[key])
		if err != nil {
			return nil, fmt.Errorf("templates of objective %s: %w", under[key], err)
		}
		i := slices.IndexFunc(list, func(t obligations.Template) bool { return t.Key == key })
		if i < 0 {
			return nil, fmt.Errorf("objective %s does not define %q", under[key], key)
		}
		out = append(out, list[i])
	}
	return out, nil
}
