package chat

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/language/messages"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
)

// MemoryEdit returns what shall be remembered in place of what the session holds. Nobody
// else changes the session meanwhile. isKey reports whether the session has an obligation
// of that key.
type MemoryEdit func(in sessions.Session, isKey func(key string) bool) (sessions.Memory, error)

// EditMemory changes what is remembered of a session because by wants it, and records
// that in the log. When edit returns an error nothing changes; when it returns what is
// held nothing is written. A turn that runs meanwhile applies its own notes on top of the
// edit.
func (e *Engine) EditMemory(ctx context.Context, s obligations.Scope, by string, edit MemoryEdit) (sessions.Memory, error) {
	var after sessions.Memory
	var events []sessions.Event
	err := postgres.InTx(ctx, e.Pool, s.Tenant, func(tx pgx.Tx) error {
		session, list, err := lockSession(ctx, tx, e.Library, s)
		if err != nil {
			return err
		}
		after, err = edit(session, func(key string) bool { return obligations.Find(list, key) != nil })
		if err != nil {
			return err
		}
		changed := session.Memory.Changes(after)
		if len(changed) == 0 {
			return nil
		}
		turn := max(session.Turns, 1)
		events = sessions.Events(turn, []sessions.Payload{sessions.MemoryEvent{Turn: turn, Memory: after, By: by, Changed: changed}})
		return recordEdit(ctx, tx, s, events, func(b *postgres.Batch) error { return sessions.SaveMemory(b, s, after) })
	})
	if err != nil {
		return after, err
	}
	e.Hub.Publish(s, events)
	return after, nil
}

// Names of the preferences that change how replies are worded. Others are kept, and
// shown to a model as they are.
const (
	Brevity         = "brevity"          // true: short replies
	PrefersExamples = "prefers_examples" // true: examples without being asked
	TechnicalDepth  = "technical_depth"  // low, medium or high
	WritesIn        = "writes_in"        // the language of a person who was told that it is not understood without a model
)

// ConversationStyle is how a person wants to be talked to, as far as they have said or
// shown it.
type ConversationStyle struct {
	Style    sessions.Style // empty while it is not known
	Brief    bool
	Examples bool
	Depth    string // low or high; empty for neither
}

// StyleOf returns the style that a memory shows.
func StyleOf(m sessions.Memory) ConversationStyle {
	out := ConversationStyle{Style: m.Style, Brief: affirmed(m.Preferences[Brevity]), Examples: affirmed(m.Preferences[PrefersExamples])}
	switch strings.ToLower(m.Preferences[TechnicalDepth]) {
	case "low", "none", "beginner":
		out.Depth = "low"
	case "high", "expert":
		out.Depth = "high"
	}
	return out
}

// affirmed reports whether the value of a preference means yes. Models write it in many
// ways.
func affirmed(v string) bool {
	return slices.Contains([]string{"true", "yes", "on", "high", "always", "short", "brief", "1"}, strings.ToLower(strings.TrimSpace(v)))
}

// Bounds of what [Recall] tells: more would be a lecture.
const (
	maxRecalled      = 3 // notes of each kind
	maxRecalledRunes = 200
)

// Recall returns sentences, in a language, about what is remembered beside the values: how the person
// likes to talk, what to come back to, which answers are related. name returns the label
// of an obligation, or "" for an unknown key. The texts of notes are clipped and otherwise
// as they were noted.
func Recall(l *messages.Language, m sessions.Memory, name func(key string) string) []string {
	out := recallStyle(l, m)
	for _, f := range m.FollowUps[:min(len(m.FollowUps), maxRecalled)] {
		if label := name(f.Key); label != "" {
			out = append(out, l.Text("recall.follow-up", messages.Args{"label": messages.Text(label), "reason": messages.Text(strings.TrimSuffix(Clip(f.Reason, maxRecalledRunes), "."))}))
		}
	}
	for _, r := range m.Relationships[:min(len(m.Relationships), maxRecalled)] {
		from, to := name(r.From), name(r.To)
		if from != "" && to != "" {
			out = append(out, l.Text("recall.related", messages.Args{"from": messages.Text(from), "to": messages.Text(to)}))
		}
	}
	return out
}

// recallStyle returns sentences on how the person likes to talk.
func recallStyle(l *messages.Language, m sessions.Memory) []string {
	var out, manner []string
	note := func(holds bool, to *[]string, key string, args messages.Args) {
		if holds {
			*to = append(*to, l.Text(key, args))
		}
	}
	style := StyleOf(m)
	note(m.Style == sessions.Formal, &manner, "manner.formal", nil)
	note(m.Style == sessions.Casual, &manner, "manner.casual", nil)
	note(style.Brief, &manner, "manner.short", nil)
	note(style.Depth == "low", &manner, "manner.plain", nil)
	note(len(manner) > 0, &out, "recall.manner", messages.Args{"manner": messages.And(manner)})
	note(style.Examples, &out, "recall.examples", nil)
	note(style.Depth == "high", &out, "recall.technical", nil)
	for _, name := range slices.Sorted(maps.Keys(m.Preferences)) {
		if !slices.Contains([]string{Brevity, PrefersExamples, TechnicalDepth, WritesIn}, name) && len(out) < 3*maxRecalled {
			out = append(out, l.Text("recall.likes", messages.Args{"name": messages.Text(Clip(strings.ReplaceAll(name, "_", " "), maxRecalledRunes)), "value": messages.Text(Clip(m.Preferences[name], maxRecalledRunes))}))
		}
	}
	return out
}
