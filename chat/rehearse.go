package chat

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// Rehearsal is a conversation in memory. It does what [Engine] does in a turn, without
// rows, streams or jobs, and so answers what the same messages would lead to with another
// objective or another interviewer. It must not be used concurrently.
type Rehearsal struct {
	Prices Prices // of the model, for objectives with a budget in money

	interviewer Interviewer
	rules       Interviewer
	session     sessions.Session
	objective   *objectives.Definition
	list        []obligations.Obligation
	conflicts   []obligations.Conflict
	spent       BudgetUse
	transcript  []sessions.Message
}

// RehearsalTurn is the result of one turn of a rehearsal.
type RehearsalTurn struct {
	Turn     int
	Reply    string
	Question *sessions.Question // nil when nothing is asked
	Intent   Intent             // what the person wanted
	Beside   []Remark           // what else they said that is no answer
	Changes  []obligations.Change
	Ends     sessions.StopReason // empty when the conversation goes on
	Degraded string              // why the model did not answer; empty when it did, or there is none
	Usage    Usage
}

// RehearsalInput is what a person contributes to a turn.
type RehearsalInput struct {
	Person  string
	Message string                     // may be empty
	Answers map[string]json.RawMessage // values of widgets, by obligation key
	Files   []sessions.File            // given with the message, including their texts
	At      time.Time                  // the time of the turn, from which "tomorrow" counts

	reopens bool // nobody says anything: the session is reopened
}

// NewRehearsal returns a conversation about d that has not begun. The rules read widgets
// and answer where the interviewer fails; the two may be the same.
func NewRehearsal(d *objectives.Definition, interviewer, rules Interviewer) *Rehearsal {
	return &Rehearsal{interviewer: interviewer, rules: rules, objective: d,
		session: sessions.Session{ContextType: d.ContextType, Status: sessions.Active, Phase: sessions.Opening, Revision: 1, Language: d.OwnLanguage(), LanguageSource: sessions.LanguageOfObjective},
		list:    obligations.Fresh(d.Obligations, obligations.Origin{Layer: obligations.SessionOnly, Source: "rehearsal"})}
}

// In lets the conversation begin in a language that was asked for or accepted. It changes
// nothing when the objective does not speak it.
func (h *Rehearsal) In(tag string, source sessions.LanguageSource) {
	if slices.Contains(h.objective.Languages(), tag) {
		h.session.Language, h.session.LanguageSource = tag, source
	}
}

// reopen begins the next revision of the conversation, with what it knows. In one that goes
// on it changes nothing.
func (h *Rehearsal) reopen() {
	if h.session.Status != sessions.Completed {
		return
	}
	h.session.Status, h.session.StopReason, h.session.Question = sessions.Active, "", nil
	h.session.Revision, h.session.RevisedTurns = h.session.Revision+1, h.session.Turns
	h.spent = BudgetUse{}
}

// Session returns the state of the conversation.
func (h *Rehearsal) Session() sessions.Session { return h.session }

// Obligations returns what is known. The caller must not change the list.
func (h *Rehearsal) Obligations() []obligations.Obligation { return h.list }

// Say runs one turn. Once the session is completed it returns the zero value. The only
// error is that of ctx, because the rules answer where a model cannot.
func (h *Rehearsal) Say(ctx context.Context, l RehearsalInput) (RehearsalTurn, error) {
	if h.session.Status == sessions.Completed {
		return RehearsalTurn{}, nil
	}
	h.session.Turns++
	h.session.Language, h.session.LanguageSource = h.session.Detect(h.objective, h.transcript, l.Message)
	s := h.scene(l)
	u, err := h.understand(ctx, s)
	if err != nil {
		return RehearsalTurn{}, err
	}
	p := Decide(s, u)
	text, usage, degraded, err := h.reply(ctx, s, p)
	if err != nil {
		return RehearsalTurn{}, err
	}
	out := RehearsalTurn{Turn: s.Turn, Reply: text, Question: p.Question, Intent: u.Intent, Beside: u.Beside, Ends: p.Ends, Degraded: u.Degraded, Usage: u.Usage}
	if degraded != "" {
		out.Degraded = degraded
	}
	out.Usage.add(usage)
	h.spent = s.Spent
	h.spent.Money += h.Prices.Of(out.Usage)
	h.spent.Warned = h.spent.Warned || p.Left > 0
	out.Changes = h.settle(s, p, u)
	h.note(s, text)
	return out, nil
}

// scene returns what the turn reads, as [Engine] would load it.
func (h *Rehearsal) scene(l RehearsalInput) *Scene {
	spoken := h.session.Speak(h.objective, h.list)
	h.session.Question.Translate(h.objective, spoken)
	h.session.Question.Complete(obligations.TemplateOf(h.list))
	s := &Scene{Turn: h.session.Turns, Now: l.At, Person: l.Person, Session: h.session, Objective: spoken, Obligations: h.list,
		Unresearched: true, Memory: h.session.Memory, Spent: h.spent.Until(l.At), Asked: h.session.Question, Message: l.Message, Answers: l.Answers, Files: l.Files,
		Transcript: h.transcript[max(0, len(h.transcript)-2*windowTurns):]}
	for _, c := range h.conflicts {
		if c.Status == obligations.ConflictOpen {
			s.Conflicts = append(s.Conflicts, c)
		}
	}
	return s
}

// understand reads the message as [Engine] does, except that it waits for the model.
func (h *Rehearsal) understand(ctx context.Context, s *Scene) (Understanding, error) {
	if s.mute() {
		return Understanding{Intent: muteIntent(s)}, ctx.Err()
	}
	by := h.interviewer
	if s.widgetsOnly() {
		by = h.rules
	}
	u, err := by.Understand(ctx, s)
	if err == nil {
		return Screen(s, u, similarity(ctx, h.rules)), nil
	}
	usage, why := u.Usage, FailureClass(err)
	if u, err = h.rules.Understand(context.WithoutCancel(ctx), s); err != nil {
		u = Understanding{Intent: Unclear}
	}
	u.Usage, u.Degraded = usage, why
	return Screen(s, u, similarity(ctx, h.rules)), ctx.Err()
}

// reply words the plan, with the question that it asks. degraded is why the model could
// not, or "".
func (h *Rehearsal) reply(ctx context.Context, s *Scene, p *Plan) (text string, usage Usage, degraded string, err error) {
	var b strings.Builder
	say := func(piece string) error { b.WriteString(piece); return ctx.Err() }
	if p.Understanding.Degraded != "" || h.interviewer.Name() == h.rules.Name() {
		usage, err = h.rules.Reply(ctx, s, p, say)
		return b.String(), usage, "", err
	}
	spoken := &speech{say: say, check: factsOf(s, p).fit}
	usage, err = h.interviewer.Reply(ctx, s, p, spoken.add)
	if err == nil {
		err = spoken.end()
	}
	if err == nil {
		err = h.ask(ctx, s, p, spoken)
		return b.String(), usage, "", err
	}
	if ctx.Err() != nil {
		return b.String(), usage, "", ctx.Err()
	}
	degraded = FailureClass(err)
	b.Reset()
	_, err = h.rules.Reply(ctx, s, p, say)
	return b.String(), usage, degraded, err
}

// ask ends a reply with its own question where that is the plan's, and the plan's else.
func (h *Rehearsal) ask(ctx context.Context, s *Scene, p *Plan, spoken *speech) error {
	if len(faultsOf(s, p, spoken.questions(), similarity(ctx, h.rules))) == 0 {
		return spoken.release()
	}
	spoken.drop()
	p.Begun = spoken.begun()
	_, err := h.rules.Reply(ctx, s, p, spoken.next())
	return err
}

// settle applies the turn and returns what it changed.
func (h *Rehearsal) settle(s *Scene, p *Plan, u Understanding) []obligations.Change {
	rec := outcome(s, p, u, true, h.session, h.list, h.conflicts)
	for _, c := range rec.closed {
		for i := range h.conflicts {
			if h.conflicts[i].ID == c.ID {
				h.conflicts[i] = c
			}
		}
	}
	h.conflicts = append(h.conflicts, rec.found...)
	rec.next.Question.Complete(obligations.TemplateOf(rec.after))
	h.session, h.list = rec.next, rec.after
	return rec.changes
}

// note adds the messages of a turn to the transcript.
func (h *Rehearsal) note(s *Scene, reply string) {
	for _, m := range []sessions.Message{{Role: sessions.FromUser, User: s.Person, Content: s.Message}, {Role: sessions.FromAssistant, Content: reply}} {
		if m.Content != "" {
			m.Turn, m.Complete, m.At = s.Turn, true, s.Now
			h.transcript = append(h.transcript, m)
		}
	}
}
