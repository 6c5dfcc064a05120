package brief

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// Material is everything that a brief is made from.
type Material struct {
	Session     sessions.Session
	Definition  *objectives.Definition   // of the session's objective
	Obligations []obligations.Obligation // in the order of the objective
	Conflicts   []obligations.Conflict   // the open ones
	People      []sessions.Participant
	Research    []research.Report // of the session's tasks, oldest first
	Omitted     int               // number of earlier tasks that are not in Research
	Messages    []sessions.Message
	Earlier     bool // there are earlier messages

	Reopened *time.Time // when the next revision began; nil in the latest
}

// maker makes one brief.
type maker struct {
	Material
	names *names
}

// Of returns the brief of a session.
func Of(s Material) Brief {
	m := &maker{s, newNames(s.Session, s.People)}
	b := Brief{Title: line(s.Definition.DisplayName), Description: clean(s.Definition.Description), Progress: int(obligations.Of(s.Session.Progress)),
		Ended: s.Session.Status == sessions.Completed, At: s.Session.UpdatedAt.UTC(), Completed: s.Session.CompletedAt, Reopened: s.Reopened, Omitted: s.Omitted, Earlier: s.Earlier}
	b.Known, b.Open, b.Skipped = m.known(), m.open(), m.skipped()
	b.Disputed = m.disputed()
	for _, r := range s.Research {
		b.Research = append(b.Research, m.lookup(r))
	}
	b.Gist, b.Next, b.Talk = m.gist(), m.next(), m.talk()
	b.About, b.Summary = m.about(), m.summary()
	return b
}

// about returns who took part, when, and how far the interview is.
func (m *maker) about() []Fact {
	s := m.Session
	out := []Fact{{"Interview with", m.names.of(s.User)}}
	if others := m.others(); others != "" {
		out = append(out, Fact{"Also took part", others})
	}
	out = append(out, Fact{"Begun", day(s.CreatedAt)})
	out = append(out, m.revisionFact()...)
	if s.CompletedAt != nil {
		out = append(out, Fact{"Completed", day(*s.CompletedAt)})
	} else {
		out = append(out, Fact{"Last changed", day(s.UpdatedAt)})
	}
	if s.Language != "" {
		out = append(out, Fact{"Held in", language.EnglishName(s.Language)})
	}
	out = append(out, Fact{"State", stateOfSession(s)}, Fact{"Resolved", percent(s.Progress)})
	if sure := m.sureOnTheWhole(); sure != "" {
		out = append(out, Fact{"How sure, on the whole", sure})
	}
	return out
}

// sureOnTheWhole words the mean confidence of what is known; "" when nothing is.
func (m *maker) sureOnTheWhole() string {
	var sum, n obligations.Confidence
	for i := range m.Obligations {
		if o := &m.Obligations[i]; o.Value != nil && o.Status != obligations.Skipped {
			sum, n = sum+o.Confidence, n+1
		}
	}
	if n == 0 {
		return ""
	}
	return sureWords(sum / n)
}

// others names the people who took part besides the one who started the interview:
// participants, and people whose words are evidence.
func (m *maker) others() string {
	ids := []string{m.Session.User, ""}
	var out []string
	add := func(id string) {
		if !slices.Contains(ids, id) {
			ids, out = append(ids, id), append(out, m.names.of(id))
		}
	}
	for _, p := range m.People {
		add(p.User)
	}
	for i := range m.Obligations {
		for _, e := range m.Obligations[i].Evidence {
			add(e.By)
		}
	}
	return strings.Join(out, ", ")
}

// maxEvidence bounds the evidence shown of a value. The latest counts most.
const maxEvidence = 5

// known returns the obligations that have a value, by category and in the order of the
// objective.
func (m *maker) known() []Category {
	var out []Category
	for i := range m.Obligations {
		o := &m.Obligations[i]
		if o.Value == nil || o.Status == obligations.Skipped {
			continue
		}
		name := cmp.Or(line(o.Category), "Other")
		at := slices.IndexFunc(out, func(c Category) bool { return c.Name == name })
		if at < 0 {
			at, out = len(out), append(out, Category{Name: name})
		}
		out[at].Items = append(out[at].Items, m.item(o))
	}
	return out
}

// item returns a value that is known, with the latest evidence first.
func (m *maker) item(o *obligations.Obligation) Item {
	it := Item{Name: line(o.Name()), Value: m.value(o), Sure: sureWords(o.Confidence), Band: o.Confidence.Band(),
		Part: o.Status != obligations.Satisfied, Note: m.note(o)}
	for _, e := range slices.Backward(o.Evidence) {
		if len(it.Evidence) == maxEvidence {
			it.Further = len(o.Evidence) - maxEvidence
			break
		}
		it.Evidence = append(it.Evidence, m.evidence(o, e))
	}
	return it
}

// note returns what is not settled about a value, or "".
func (m *maker) note(o *obligations.Obligation) string {
	if words := disputeWords[o.Negotiation.Standing()]; words != "" {
		return words
	}
	if slices.ContainsFunc(m.Conflicts, func(c obligations.Conflict) bool { return slices.Contains(c.Keys, o.Key) }) {
		return "Two answers to this do not agree."
	}
	return ""
}

// value returns the value of o in words. A value may consist of invisible characters only.
func (m *maker) value(o *obligations.Obligation) string {
	return cmp.Or(clean(sessions.ShownIn(messages.In(m.Session.Language), o)), "(nothing that can be shown)")
}

// template returns the template of a key, or an empty one when the session has no such
// obligation any more.
func (m *maker) template(key string) *obligations.Template {
	if o := obligations.Find(m.Obligations, key); o != nil {
		return o.Template
	}
	return &obligations.Template{Key: key}
}

// name returns the label of an obligation, or its key as words when it is gone.
func (m *maker) name(key string) string {
	if o := obligations.Find(m.Obligations, key); o != nil {
		return line(o.Name())
	}
	return strings.ReplaceAll(line(key), "_", " ")
}

// Bounds of the table at the top, which must fit the first page.
const (
	maxGist      = 5
	maxGistRunes = 300
)

// gist returns the satisfied values of highest priority, in the order of the objective.
func (m *maker) gist() []Fact {
	var best []*obligations.Obligation
	for i := range m.Obligations {
		if o := &m.Obligations[i]; o.Value != nil && o.Status == obligations.Satisfied {
			best = append(best, o)
		}
	}
	slices.SortStableFunc(best, func(a, b *obligations.Obligation) int { return cmp.Compare(b.Priority, a.Priority) })
	best = best[:min(len(best), maxGist)]
	slices.SortStableFunc(best, func(a, b *obligations.Obligation) int { return cmp.Compare(a.Position, b.Position) })
	out := make([]Fact, len(best))
	for i, o := range best {
		out[i] = Fact{line(o.Name()), language.Clip(line(m.value(o)), maxGistRunes)}
	}
	return out
}

// talk returns the conversation, or nil when it was not loaded.
func (m *maker) talk() []TranscriptLine {
	var out []TranscriptLine
	for _, msg := range m.Messages {
		who, own := "Quaestor", msg.Role == sessions.FromUser
		if own {
			who = cmp.Or(m.names.of(msg.User), m.names.of(m.Session.User))
		}
		out = append(out, TranscriptLine{Who: who, Turn: msg.Turn, Text: clean(msg.Content), Own: own})
	}
	return out
}

// day words a date. All times in a brief are UTC.
func day(at time.Time) string { return at.UTC().Format("2 January 2006") }
