package chat

import (
	"context"
	"slices"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/settings"
)

// windowTurns is how many of the latest turns a scene holds: those that are not yet
// folded into a summary, and two more in case the fold is late.
const windowTurns = sessions.KeepTurns + sessions.FoldTurns + 2

// snapshot is what was read of a session for a turn.
type snapshot struct {
	session *sessions.Session // nil when there is none
	sent    *sessions.Turn    // the turn that the same client message began; nil for none
	running *sessions.Turn    // nil for none
	scene   *Scene            // incomplete until enter
}

// load reads a session in one batch, as seen by the person who speaks, with the
// messages of its latest turns.
func (e *Engine) load(ctx context.Context, s obligations.Scope, user, clientMessageID string, turns int) (*snapshot, error) {
	l := &snapshot{scene: &Scene{}}
	sc := l.scene
	b := postgres.NewBatch(s.Tenant)
	sessions.LoadAs(b, s, user, &l.session, &sc.Part)
	sessions.LoadRunning(b, s, &l.running)
	if clientMessageID != "" {
		sessions.LoadSent(b, s, clientMessageID, &l.sent)
	}
	obligations.Load(b, s, e.Library.Templates(ctx, s.Tenant), &sc.Obligations)
	obligations.LoadConflicts(b, s, obligations.OpenConflicts, &sc.Conflicts)
	sessions.LoadWindow(b, s, turns, &sc.Transcript)
	sessions.LoadSummary(b, s, &sc.Summary, &sc.Folded)
	research.LoadHistory(b, s, &sc.Research)
	settings.Load(b, &sc.policy)
	err := b.Send(ctx, e.Pool)
	return l, fault.Wrap(err, "read session %s", s.Session)
}

// detect finds out the language of the session once the message of turn number is said.
func (e *Engine) detect(ctx context.Context, l *snapshot, number int, message string) error {
	d, err := e.Library.Definition(ctx, l.session.Tenant, l.session.ObjectiveID)
	if err != nil || number > windowTurns { // the first messages are not in the transcript any more
		return err
	}
	var before []sessions.Message
	for _, m := range l.scene.Transcript {
		if m.Turn < number {
			before = append(before, m)
		}
	}
	l.session.Language, l.session.LanguageSource = l.session.Detect(d, before, message)
	return nil
}

// enter completes the scene with the turn that has begun.
func (e *Engine) enter(ctx context.Context, l *snapshot, t sessions.Turn, message string) error {
	d, err := e.Library.Definition(ctx, t.Scope.Tenant, l.session.ObjectiveID)
	if err != nil {
		return err
	}
	l.session.Turns = t.Number
	sc := l.scene
	sc.Scope, sc.Turn, sc.Attempt, sc.Now, sc.Person = t.Scope, t.Number, t.Attempt, time.Now(), t.User
	sc.Session, sc.Objective, sc.Memory, sc.Asked = *l.session, l.session.Speak(d, sc.Obligations), l.session.Memory, l.session.Question
	sc.Asked.Translate(d, sc.Objective) // the language may have changed since
	sc.Asked.Complete(obligations.TemplateOf(sc.Obligations))
	sc.Message, sc.Answers = message, t.Answers
	sc.Sourceless = e.Researchable != nil && !e.Researchable()
	sc.Unresearched = sc.Sourceless || sc.policy.ResearchDaily != nil && *sc.policy.ResearchDaily == 0
	if err := e.admit(ctx, sc); err != nil {
		return err
	}
	if sc.policy.Contact != nil {
		sc.Contact = *sc.policy.Contact
	}
	sc.Bounds = sc.policy.Over(e.Defaults).Budget()
	for i := range sc.Transcript { // the message of this turn is not part of what came before
		if sc.Transcript[i].Turn >= t.Number {
			sc.Transcript = sc.Transcript[:i]
			break
		}
	}
	if !sc.accounted() {
		return nil
	}
	before, err := e.spentBefore(ctx, t.Scope, t.Number)
	sc.Spent = before.Until(sc.Now)
	return err
}

// measures reports whether the objective has a figure that is to be asked of the data first.
func measures(sc *Scene) bool {
	return slices.ContainsFunc(sc.Obligations, func(o obligations.Obligation) bool {
		return o.Metric != nil && o.Value == nil && o.Attempts == 0 && !slices.Contains(sc.Research.Keys(), o.Key)
	})
}

// admit finds out whether the person may ask their organisation's own data, if the message is about
// it or the objective wants a figure of it.
func (e *Engine) admit(ctx context.Context, sc *Scene) error {
	if _, undecided := sc.Research.Undecided(); e.Warehouses == nil || !research.OwnData(sc.Message) && !measures(sc) && !undecided && aboutFigure(sc) == nil {
		return nil
	}
	var who research.Asker // empty for a reviewer, who may query the warehouses anyway
	var err error
	if !sc.Reviewer {
		if who, err = research.AskerOf(ctx, e.Pool, sc.Scope, sc.Person); err != nil {
			return err
		}
	}
	sc.Data, err = research.Access(ctx, e.Warehouses, sc.Scope.Tenant, who)
	sc.Data.Runs = sc.Reviewer
	return err
}
