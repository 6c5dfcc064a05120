package chat

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// Rehearsal is a conversation held in memory: what [Engine] does in a turn,
// without rows, streams or jobs. It answers "what if": the same messages against
// another objective, or another interviewer. It is for one goroutine.
type Rehearsal struct {
	Prices Prices // what a model costs, for objectives with a budget in money

	mind, rules Interviewer
	session     sessions.Session
	objective   *objectives.Definition
	list        []obligations.Obligation
	conflicts   []obligations.Conflict
	spent       BudgetUse
	transcript  []sessions.Message
}

// RehearsalTurn is what a turn of a rehearsal came to.
type RehearsalTurn struct {
	Turn     int
	Reply    string
	Question *sessions.Question // nil when nothing is asked
	Changes  []obligations.Change
	Ends     sessions.StopReason // empty when the conversation goes on
	Degraded string              // why the model did not answer; empty when it did, or none was asked
	Usage    Usage
}

// Line is what a person contributes to a turn.
type Line struct {
	Person  string
	Message string                     // empty lets the interviewer open
	Answers map[string]json.RawMessage // widgets filled in, by obligation key
	Files   []sessions.File            // given with it, with their texts
	At      time.Time                  // what "tomorrow" counts from
}

// NewRehearsal returns a conversation about d that has not begun. Mind talks;
// rules answer where it fails, and widgets.
func NewRehearsal(d *objectives.Definition, mind, rules Interviewer) *Rehearsal {
	return &Rehearsal{mind: mind, rules: rules, objective: d,
		session: sessions.Session{ContextType: d.ContextType, Status: sessions.Active, Phase: sessions.Opening},
		list:    obligations.Fresh(d.Obligations, obligations.Origin{Layer: obligations.SessionOnly, Source: "rehearsal"})}
}

// Session returns where the conversation stands.
func (h *Rehearsal) Session() sessions.Session { return h.session }

// Obligations returns what is known. The list is the rehearsal's: it is read,
// not changed.
func (h *Rehearsal) Obligations() []obligations.Obligation { return h.list }

// Transcript returns what was said, in order.
func (h *Rehearsal) Transcript() []sessions.Message { return h.transcript }

// Say takes a turn. After one that completed the session it returns the zero
// value: nothing is asked any more. The error is ctx's alone, for the rules answer
// where a model cannot.
func (h *Rehearsal) Say(ctx context.Context, l Line) (RehearsalTurn, error) {
	if h.session.Status == sessions.Completed {
		return RehearsalTurn{}, nil
	}
	h.session.Turns++
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
	out := RehearsalTurn{Turn: s.Turn, Reply: text, Question: p.Question, Ends: p.Ends, Degraded: u.Degraded, Usage: u.Usage}
	if degraded != "" {
		out.Degraded = degraded
	}
	out.Usage.add(usage)
	h.spent = s.Spent
	h.spent.Money += h.Prices.Of(out.Usage)
	h.spent.Warned = h.spent.Warned || p.Left > 0
	out.Changes = h.settle(s, p, u)
	h.heard(s, text)
	return out, nil
}

func (h *Rehearsal) scene(l Line) *Scene {
	s := &Scene{Turn: h.session.Turns, Now: l.At, Person: l.Person, Session: h.session, Objective: h.objective, Obligations: h.list,
		Memory: h.session.Memory, Spent: h.spent.Until(l.At), Asked: h.session.Question, Message: l.Message, Answers: l.Answers, Files: l.Files,
		Transcript: h.transcript[max(0, len(h.transcript)-2*windowTurns):]}
	for _, c := range h.conflicts {
		if c.Status == obligations.ConflictOpen {
			s.Conflicts = append(s.Conflicts, c)
		}
	}
	return s
}

func (h *Rehearsal) understand(ctx context.Context, s *Scene) (Understanding, error) {
	if s.mute() {
		return Understanding{Intent: silent(s)}, ctx.Err()
	}
	mind := h.mind
	if s.pickedOnly() {
		mind = h.rules
	}
	u, err := mind.Understand(ctx, s)
	if err == nil {
		return Screen(s, u), nil
	}
	usage, why := u.Usage, reason(err)
	if u, err = h.rules.Understand(context.WithoutCancel(ctx), s); err != nil {
		u = Understanding{Intent: Unclear}
	}
	u.Usage, u.Degraded = usage, why
	return Screen(s, u), ctx.Err()
}

func (h *Rehearsal) reply(ctx context.Context, s *Scene, p *Plan) (text string, usage Usage, degraded string, err error) {
	var b strings.Builder
	say := func(piece string) error { b.WriteString(piece); return ctx.Err() }
	mind := h.mind
	if p.Understanding.Degraded != "" {
		mind = h.rules
	}
	usage, err = mind.Reply(ctx, s, p, say)
	p.recall(s)
	if err == nil || ctx.Err() != nil {
		return h.asked(mind, s, p, b.String()), usage, "", ctx.Err()
	}
	degraded = reason(err)
	b.Reset()
	_, err = h.rules.Reply(ctx, s, p, say)
	return b.String(), usage, degraded, err
}

// asked is a reply that asks what the plan asks: a model's is repaired.
func (h *Rehearsal) asked(mind Interviewer, s *Scene, p *Plan, text string) string {
	if mind == h.rules {
		return text
	}
	text, _ = repaired(s, p, text)
	return text
}

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

func (h *Rehearsal) heard(s *Scene, reply string) {
	if s.Message != "" {
		h.transcript = append(h.transcript, sessions.Message{Turn: s.Turn, Role: sessions.FromUser, User: s.Person, Content: s.Message, Complete: true, At: s.Now})
	}
	if reply != "" {
		h.transcript = append(h.transcript, sessions.Message{Turn: s.Turn, Role: sessions.FromAssistant, Content: reply, Complete: true, At: s.Now})
	}
}
