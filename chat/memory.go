package chat

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
)

// MemoryEdit returns what shall be remembered in place of what the session holds, which
// nobody else changes meanwhile; isKey knows the session's obligations.
type MemoryEdit func(in sessions.Session, isKey func(key string) bool) (sessions.Memory, error)

// EditMemory changes what is remembered of a session, as somebody wants it, and
// says so in the log. When edit returns an error nothing has changed; when it
// returns what is held nothing is written. A turn that runs meanwhile keeps its
// own notes on top of the edit.
func (e *Engine) EditMemory(ctx context.Context, s obligations.Scope, by string, edit MemoryEdit) (sessions.Memory, error) {
	var after sessions.Memory
	var events []sessions.Event
	err := postgres.InTx(ctx, e.Pool, s.Tenant, func(tx pgx.Tx) error {
		session, list, err := e.locked(ctx, tx, s)
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
		return saveMemory(ctx, tx, s, after, events)
	})
	if err != nil {
		return after, err
	}
	e.Hub.Publish(s, events)
	return after, nil
}

func saveMemory(ctx context.Context, tx pgx.Tx, s obligations.Scope, m sessions.Memory, events []sessions.Event) error {
	var last int64
	b := postgres.NewBatch(s.Tenant)
	if err := sessions.SaveMemory(b, s, m); err != nil {
		return err
	}
	sessions.Append(b, s, events, &last)
	if err := b.Send(ctx, tx); err != nil {
		return fmt.Errorf("save memory of session %s: %w", s.Session, err)
	}
	sessions.Number(events, last)
	return nil
}

// Names of the preferences that change how replies are worded. Others are kept
// and shown to a model as they are.
const (
	Brevity         = "brevity"          // true: short replies
	PrefersExamples = "prefers_examples" // true: examples come unasked
	TechnicalDepth  = "technical_depth"  // low, medium or high
)

// ConversationStyle is how a person wants to be talked to, as far as they have said or
// shown it.
type ConversationStyle struct {
	Style    sessions.Style // empty while it is not known
	Brief    bool
	Examples bool
	Depth    string // low or high; empty for neither
}

// StyleOf reads the manner out of a memory.
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

// with returns the manner after what a turn shows of it: who asks for short
// replies gets one at once.
func (m ConversationStyle) with(s sessions.Signals) ConversationStyle {
	if s.Style == "" && len(s.Preferences) == 0 {
		return m
	}
	memory := sessions.Memory{Style: m.Style, Preferences: map[string]string{Brevity: yes(m.Brief), PrefersExamples: yes(m.Examples), TechnicalDepth: m.Depth}}
	return StyleOf(memory.Note(s))
}

func yes(holds bool) string {
	if holds {
		return "true"
	}
	return ""
}

// affirmed reports whether a preference's value means yes.
func affirmed(v string) bool {
	return slices.Contains([]string{"true", "yes", "on", "high", "always", "short", "brief", "1"}, strings.ToLower(strings.TrimSpace(v)))
}

// most of each kind that [Recall] tells.
const maxRecalled = 3

// Recall says in sentences what is remembered beside the values: how the person
// likes to talk, what is to be come back to, what bears on what. name returns an
// obligation's label, or "" for a key it does not know. The texts of notes are
// theirs: they are clipped and otherwise as they were noted.
func Recall(m sessions.Memory, name func(key string) string) []string {
	out := recallManner(m)
	for _, f := range m.FollowUps[:min(len(m.FollowUps), maxRecalled)] {
		if label := name(f.Key); label != "" {
			out = append(out, fmt.Sprintf("I mean to come back to “%s”: %s.", label, strings.TrimSuffix(clipped(f.Reason, limits.ValueRunes), ".")))
		}
	}
	for _, r := range m.Relationships[:min(len(m.Relationships), maxRecalled)] {
		from, to := name(r.From), name(r.To)
		if from != "" && to != "" {
			out = append(out, fmt.Sprintf("I take it that “%s” has to do with “%s”.", from, to))
		}
	}
	return out
}

func recallManner(m sessions.Memory) []string {
	var out, ways []string
	note := func(holds bool, to *[]string, words string) {
		if holds {
			*to = append(*to, words)
		}
	}
	manner := StyleOf(m)
	note(m.Style != "", &ways, string(m.Style))
	note(manner.Brief, &ways, "short")
	note(manner.Depth == "low", &ways, "in plain words")
	note(len(ways) > 0, &out, "You like it "+inOne(ways)+".")
	note(manner.Examples, &out, "You like examples.")
	note(manner.Depth == "high", &out, "You are fine with technical detail.")
	for _, name := range sorted(m.Preferences) {
		if !slices.Contains([]string{Brevity, PrefersExamples, TechnicalDepth}, name) && len(out) < 3*maxRecalled {
			out = append(out, fmt.Sprintf("You like: %s, %s.", clipped(strings.ReplaceAll(name, "_", " "), limits.ValueRunes), clipped(m.Preferences[name], limits.ValueRunes)))
		}
	}
	return out
}

// inOne lists words: "a, b and c".
func inOne(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

func sorted(m map[string]string) []string {
	out := make([]string, 0, len(m))
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// ReadStyle tells from a message how the person wants to be talked to: what they
// ask for ("keep it short, please"), else the tone they use. It reads English.
// What a message says about other things ("our queue is too long") is not taken
// for a request: a request is a clause of its own, and short. The style is empty, and
// the map nil, when the message shows none.
func ReadStyle(message string) (sessions.Style, map[string]string) {
	var style sessions.Style
	var preferences map[string]string
	for _, clause := range clauses(clippedBytes(message)) {
		for _, w := range wishes {
			if !w.in(clause) {
				continue
			}
			if w.name == "" {
				style = sessions.Style(w.value)
				continue
			}
			if preferences == nil {
				preferences = map[string]string{}
			}
			preferences[w.name] = w.value
		}
	}
	if style == "" {
		style = tone(message)
	}
	return style, preferences
}

// maxMannerBytes is how much of a message is read for its manner.
const maxMannerBytes = 4 << 10

func clippedBytes(s string) string { return strings.ToValidUTF8(s[:min(len(s), maxMannerBytes)], "") }

// clauses returns the clauses of a message in lower case, as their words with one
// space between them.
func clauses(message string) []string {
	message = strings.NewReplacer("’", "'", " and ", ".", " but ", ".", " so ", ".", " because ", ".").Replace(strings.ToLower(message))
	var out []string
	for _, part := range strings.FieldsFunc(message, func(r rune) bool { return strings.ContainsRune(".,;:!?\n()–—", r) }) {
		words := strings.FieldsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' })
		if len(words) > 0 && len(words) <= maxWishWords {
			out = append(out, strings.Join(words, " "))
		}
	}
	return out
}

// maxWishWords is the length from which a clause is about something else.
const maxWishWords = 12

// styleRequest is something people ask of an interviewer. Its phrases are whole clauses
// but for what politeness puts around them.
type styleRequest struct {
	name, value string // no name: the style
	phrases     []string
}

var wishes = []styleRequest{
	{Brevity, "true", []string{"keep it short", "keep it brief", "keep this short", "be brief", "be quick", "be concise", "make it quick", "make it short", "get to the point", "shorter", "shorter answers",
		"shorter questions", "shorter messages", "short answers", "short questions", "less text", "stop rambling", "the short version", "keep your answers short", "keep your questions short",
		"keep your messages short", "keep your replies short", "that is too long", "that's too long", "this is too long", "your questions are too long", "your answers are too long",
		"your messages are too long", "your replies are too long", "that is too much text", "that's too much text", "too much text", "too wordy", "i don't have much time", "i don't have a lot of time"}},
	{Brevity, "false", []string{"more detail", "give me more detail", "more details", "take your time", "you can be longer", "no need to be brief", "no need to keep it short", "don't be so brief", "explain more", "explain a bit more"}},
	{PrefersExamples, "true", []string{"always give examples", "always give me examples", "always give an example", "always give me an example", "give me examples each time", "give an example each time", "examples help",
		"examples always help", "examples help me", "i like examples", "i prefer examples", "use examples", "use more examples", "give more examples", "more examples"}},
	{PrefersExamples, "false", []string{"no examples", "no more examples", "no need for examples", "without examples", "skip the examples", "stop giving examples", "stop giving me examples", "i don't need examples", "i don't need any examples"}},
	{TechnicalDepth, "low", []string{"i'm not technical", "i am not technical", "i'm not a technical person", "i am not a technical person", "i'm not a techie", "in plain words", "in plain english", "in simple words",
		"without jargon", "no jargon", "less technical", "less jargon", "explain it simply", "explain it in plain words", "explain it in simple words", "not so technical"}},
	{TechnicalDepth, "high", []string{"get technical", "be technical", "i'm technical", "i am technical", "more technical", "use technical terms", "you can be technical", "you can get technical"}},
	{"", string(sessions.Formal), []string{"be formal", "be more formal", "keep it formal", "keep it professional", "use formal language", "address me formally"}},
	{"", string(sessions.Casual), []string{"be casual", "be more casual", "keep it casual", "be informal", "you can be casual", "you can be informal", "no need to be formal", "no need to be so formal", "don't be so formal"}},
}

// What politeness puts before and after a request.
var (
	wishLeads = []string{"please", "can you", "could you", "would you", "can we", "could we", "could i have", "can i have", "i would like", "i'd like", "i want", "just", "ok", "okay", "well", "sorry", "hey", "thanks",
		"let's", "feel free to", "you may", "maybe", "and", "try to", "you can", "i'd like you to", "i want you to", "i would like you to", "with", "then", "really", "also"}
	wishTails = []string{"please", "thanks", "thank you", "ok", "okay", "from now on", "if you can", "if possible", "next time", "for me", "a bit", "a little", "with me", "then", "now", "today", "again"}
)

// in reports whether a clause is the request.
func (w styleRequest) in(clause string) bool {
	for {
		if slices.Contains(w.phrases, clause) {
			return true
		}
		shorter := stripped(clause)
		if shorter == clause || shorter == "" {
			return false
		}
		clause = shorter
	}
}

// stripped returns a clause without one polite phrase at its beginning or end.
func stripped(clause string) string {
	for _, lead := range wishLeads {
		if rest, ok := strings.CutPrefix(clause, lead+" "); ok {
			return rest
		}
	}
	for _, tail := range wishTails {
		if rest, ok := strings.CutSuffix(clause, " "+tail); ok {
			return rest
		}
	}
	return clause
}

// Words that show a tone.
var (
	casualTone = strings.Fields("yeah yep yup nope nah hey hi lol haha gonna wanna gotta awesome btw cheers thx kinda sorta dunno idk yo folks guys cool")
	formalTone = strings.Fields("kindly regards sincerely furthermore moreover respectively pursuant dear sir madam whilst hereby hence therefore")
)

// tone tells the style a message is written in; "" when it shows none.
func tone(message string) sessions.Style {
	score := 0 // above 0 is formal
	for _, word := range strings.FieldsFunc(strings.ToLower(clippedBytes(message)), func(r rune) bool { return !unicode.IsLetter(r) }) {
		switch {
		case slices.Contains(formalTone, word):
			score++
		case slices.Contains(casualTone, word):
			score--
		}
	}
	switch {
	case score > 0:
		return sessions.Formal
	case score < 0:
		return sessions.Casual
	}
	return ""
}
