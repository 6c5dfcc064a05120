package chat

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// Propose returns the obligations that come up in a turn: what the model says the
// person wants to be asked about, else what their own words announce. list is
// what the session must learn after the turn's findings. It touches nothing.
func Propose(s *Scene, u Understanding, list []obligations.Obligation) obligations.EmergentChanges {
	proposals := u.Proposals
	if len(proposals) == 0 {
		proposals = announced(s.Message, u)
	}
	heard := []obligations.Utterance{{ID: s.MessageID(), Content: s.Message, User: true}}
	checked := slices.Clone(proposals)
	for i := range checked {
		checked[i].Evidence.Kind, checked[i].Evidence.By = obligations.Stated, s.Person
		checked[i].Evidence = obligations.Check(checked[i].Evidence, heard)
	}
	return obligations.Propose(list, checked, nil, s.Turn)
}

// announcements are ways to say that something is to be asked about; the last
// group is what. Messages without any of the words in them are not searched.
var announcements = []announcement{
	{[]string{"thing", "point", "matter"}, regexp.MustCompile(`(?i)\b(?:one|another) (?:more |other )?(?:important )?(?:thing|point|matter)(?: (?:that )?(?:we|you|one) (?:must|should|may|can)(?: not|n['’]t|not) forget)?(?: is)?\s*[:–—-]\s*(.+)`)},
	{[]string{"forget"}, regexp.MustCompile(`(?i)\b(?:we|you) (?:(?:must|should|may|can)(?: not|n['’]t|not)|do not want to|don['’]t want to) forget(?: about)?:?\s+(.+)`)},
	{[]string{"forget"}, regexp.MustCompile(`(?i)\b(?:do not|don['’]t|never) forget(?: about)?:?\s+(.+)`)},
	{[]string{"ask"}, regexp.MustCompile(`(?i)\byou (?:should|must|need to|have to|ought to) (?:also|still|really) ask(?: me| us)?(?: about)?:?\s+(.+)`)},
	{[]string{"ask"}, regexp.MustCompile(`(?i)\byou (?:have not|haven['’]t|did not|didn['’]t) (?:yet )?ask(?:ed)?(?: me| us)?(?: anything)? about:?\s+(.+)`)},
}

type announcement struct {
	words []string // one of them is in each, in lower case
	*regexp.Regexp
}

// possible reports whether a text in lower case may match. Patterns that begin with
// choices take long to find nothing, and nearly every message announces nothing.
func (a announcement) possible(lower string) bool {
	return slices.ContainsFunc(a.words, func(w string) bool { return strings.Contains(lower, w) }) || strings.ContainsRune(lower, 'ſ') // a letter s to patterns
}

// AnnouncedAt returns the byte at which a message begins to announce that
// something is to be asked about, -1 when it does not: what follows is no answer
// to what was asked.
func AnnouncedAt(message string) int {
	at := -1
	if len(message) > maxAnnouncement {
		return at
	}
	lower := strings.ToLower(message)
	for _, a := range announcements {
		if !a.possible(lower) {
			continue
		}
		if m := a.FindStringIndex(message); m != nil && (at < 0 || m[0] < at) {
			at = m[0]
		}
	}
	return at
}

// Bounds of what a person's own words propose.
const (
	maxAnnouncement = 8 << 10 // bytes of a message; who writes more announces more than one thing
	minTopicRunes   = 4
	maxTopicWords   = 14
	maxLabelRunes   = 48
)

// announced reads what a message announces in so many words, at most one thing.
// What a finding rests on is covered, and no more to be asked.
func announced(message string, u Understanding) []obligations.EmergentQuestion {
	if len(message) > maxAnnouncement {
		return nil
	}
	lower := strings.ToLower(message)
	for _, a := range announcements {
		if !a.possible(lower) {
			continue
		}
		m := a.FindStringSubmatch(message)
		if m == nil {
			continue
		}
		topic := topicOf(m[1])
		if len([]rune(topic)) < minTopicRunes || covered(topic, strings.TrimSuffix(m[0], m[1]), u.Findings) {
			continue
		}
		t := obligations.Template{Label: labelOf(topic), Prompt: fmt.Sprintf("You brought up “%s”. What do we need to know about it?", topic)}
		return []obligations.EmergentQuestion{{Template: t, Evidence: obligations.Evidence{Quote: topic}}}
	}
	return nil
}

// topicOf is the first clause of what follows an announcement, without what
// politeness puts behind it.
func topicOf(rest string) string {
	if i := strings.IndexAny(rest, ".!?;\n"); i >= 0 {
		rest = rest[:i]
	}
	if len(strings.Fields(rest)) > maxTopicWords {
		return ""
	}
	for {
		rest = strings.Trim(rest, " ,:–—-\"“”")
		shorter := topicTails.ReplaceAllString(rest, "")
		if shorter == rest || shorter == "" {
			return rest
		}
		rest = shorter
	}
}

// topicTails end an announcement and say nothing of its topic.
var topicTails = regexp.MustCompile(`(?i)[ ,]+(?:please|yet|too|as well|also|either|though|by the way|thanks|thank you|at all|so far)$`)

// labelOf is a topic as it is called: all of it or, when that is too long, as
// many of its phrases as fit. A phrase that is too long by itself is cut between
// words.
func labelOf(topic string) string {
	words := strings.Fields(topic)
	fits, phrase := 0, 0
	for i := range words {
		if utf8.RuneCountInString(strings.Join(words[:i+1], " ")) > maxLabelRunes {
			break
		}
		fits = i + 1
		if end := i+1 == len(words) || opens(words[i+1]) || strings.HasSuffix(words[i], ","); end && !opens(words[i]) {
			phrase = i + 1
		}
	}
	if phrase == 0 {
		phrase = fits
	}
	label := []rune(strings.Trim(strings.Join(words[:max(phrase, 1)], " "), ",:"))
	label = label[:min(len(label), maxLabelRunes)]
	return strings.ToUpper(string(label[:1])) + string(label[1:])
}

// openers begin a phrase; a label that ends with one is torn.
var openers = strings.Fields(`a an the of for to in into at on onto with without by from about over under after before until during since between against and or but nor because
	if since when where while as than that which who whom whose how why our your my their its his her is are was were be will would can could should must may has have had not`)

func opens(word string) bool {
	return slices.Contains(openers, strings.ToLower(strings.Trim(word, ",:")))
}

// covered reports whether a finding rests on words of topic. One that took the
// announcement along for an answer does not.
func covered(topic, announcement string, findings []obligations.Finding) bool {
	topic, announcement = strings.ToLower(topic), strings.ToLower(announcement)
	return slices.ContainsFunc(findings, func(f obligations.Finding) bool {
		q := strings.ToLower(f.Evidence.Quote)
		return q != "" && !strings.Contains(q, announcement) && (strings.Contains(topic, q) || strings.Contains(q, topic))
	})
}

// cameUp returns the events that tell of what came up, merged ones left out.
func cameUp(e obligations.EmergentChanges, turn int) []sessions.Payload {
	var out []sessions.Payload
	for _, o := range obligations.Merge(e.Born, e.Changes) {
		if o.MergedInto == "" {
			out = append(out, sessions.LearntFrom(obligations.Change{Before: o, After: o}, turn))
		}
	}
	return out
}

// reviewOutcome is what a decision makes of a session's obligations.
type reviewOutcome struct {
	changes []obligations.Change
	born    []obligations.Obligation
}

// reviewEditor changes what obligations a session has, outside its turns.
type reviewEditor struct {
	pool    *pgxpool.Pool
	hub     *sessions.Hub
	library *objectives.Library
	ended   bool // it also decides on sessions that are completed
}

func (e *Engine) court() *reviewEditor {
	return &reviewEditor{pool: e.Pool, hub: e.Hub, library: e.Library}
}

// rule has f decide on a session that nobody else writes meanwhile, records what
// it decides, and tells the readers. A turn that runs is worked out again on it.
// A session that is completed is a Conflict, unless the court decides on those too.
func (c *reviewEditor) rule(ctx context.Context, s obligations.Scope, f func(list []obligations.Obligation, turn int) (reviewOutcome, error)) error {
	var events []sessions.Event
	err := postgres.InTx(ctx, c.pool, s.Tenant, func(tx pgx.Tx) error {
		events = nil
		session, list, err := c.locked(ctx, tx, s)
		if err != nil {
			return err
		}
		if session.Status == sessions.Completed && !c.ended {
			return fault.New(fault.Conflict, "this session is completed").Coded("session_completed")
		}
		turn := max(session.Turns, 1)
		r, err := f(list, turn)
		if err != nil || len(r.changes)+len(r.born) == 0 {
			return err
		}
		events, err = c.record(ctx, tx, session, list, r, turn)
		return err
	})
	if err == nil && len(events) > 0 {
		c.hub.Publish(s, events)
	}
	return err
}

func (c *reviewEditor) locked(ctx context.Context, tx pgx.Tx, s obligations.Scope) (sessions.Session, []obligations.Obligation, error) {
	var session *sessions.Session
	var list []obligations.Obligation
	b := postgres.NewBatch(s.Tenant)
	sessions.Lock(b, s, &session)
	obligations.Load(b, s, c.library.Templates(ctx, s.Tenant), &list)
	if err := b.Send(ctx, tx); err != nil {
		return sessions.Session{}, nil, fmt.Errorf("lock session %s: %w", s.Session, err)
	}
	if session == nil {
		return sessions.Session{}, nil, sessions.NoSession()
	}
	return *session, list, nil
}

// record writes a ruling and returns the events that tell of it.
func (c *reviewEditor) record(ctx context.Context, tx pgx.Tx, session sessions.Session, list []obligations.Obligation, r reviewOutcome, turn int) ([]sessions.Event, error) {
	d, err := c.library.Definition(ctx, session.Tenant, session.ObjectiveID)
	if err != nil {
		return nil, err
	}
	var found []obligations.Conflict
	for i := range r.changes {
		if conflict := r.changes[i].Conflict; conflict != nil {
			conflict.ID = uuid.NewString()
			found = append(found, *conflict)
		}
	}
	after := obligations.Merge(append(slices.Clone(list), r.born...), r.changes)
	next, told := sessions.Advance(session, d, after, r.changes, turn)
	next.Question = standingQuestion(next.Question, after)
	events := sessions.Events(turn, append(cameUp(obligations.EmergentChanges{Born: r.born}, turn), told...))
	var last int64
	b := postgres.NewBatch(session.Tenant)
	if err := c.queue(b, next, found, r, turn); err != nil {
		return nil, err
	}
	sessions.Append(b, session.Scope(), events, &last)
	if err := b.Send(ctx, tx); err != nil {
		return nil, fmt.Errorf("record ruling on session %s: %w", session.ID, err)
	}
	sessions.Number(events, last)
	return events, nil
}

func (c *reviewEditor) queue(b *postgres.Batch, next sessions.Session, found []obligations.Conflict, r reviewOutcome, turn int) error {
	s := next.Scope()
	if len(r.born) > 0 {
		if err := obligations.Create(b, s, r.born, turn); err != nil {
			return err
		}
	}
	if err := obligations.SaveDecided(b, s, r.changes); err != nil {
		return err
	}
	if err := obligations.SaveConflicts(b, s, found, nil); err != nil {
		return err
	}
	return sessions.Save(b, next)
}

// standingQuestion is q, unless what it asks about is not asked any more: then
// the next turn chooses anew.
func standingQuestion(q *sessions.Question, after []obligations.Obligation) *sessions.Question {
	for _, key := range q.Keys() {
		if o := obligations.Find(after, key); o == nil || o.MergedInto != "" || o.SplitInto != nil {
			return nil
		}
	}
	return q
}

// Unite merges a session's obligation into another, on a reviewer's word; see
// [obligations.Unite] for what is refused.
func (e *Engine) Unite(ctx context.Context, s obligations.Scope, from, into, reviewer string) error {
	return e.court().rule(ctx, s, func(list []obligations.Obligation, turn int) (reviewOutcome, error) {
		changes, err := obligations.Unite(list, from, into, byReviewer(turn, reviewer, "merged "+from+" into "+into))
		return reviewOutcome{changes: changes}, err
	})
}

// Divide splits a session's obligation, on a reviewer's word; see
// [obligations.Divide] for what is refused.
func (e *Engine) Divide(ctx context.Context, s obligations.Scope, key string, children []obligations.Template, reviewer string) error {
	return e.court().rule(ctx, s, func(list []obligations.Obligation, turn int) (reviewOutcome, error) {
		changes, born, err := obligations.Divide(list, key, children, byReviewer(turn, reviewer, "split "+key))
		return reviewOutcome{changes, born}, err
	})
}

func byReviewer(turn int, reviewer, what string) obligations.ReviewDecision {
	return obligations.ReviewDecision{Turn: turn, Source: "reviewer", Reason: reviewer + " " + what}
}

// Approve takes an obligation that came up into the tenant's objective, in words
// that are not the person's: it publishes the next minor version with it, unless
// that asks for it already, and marks the proposal as approved. It returns the
// version that is active then. Words that may not be published are Unprocessable,
// see [obligations.Wording.Check].
func (e *Engine) Approve(ctx context.Context, s obligations.Scope, key string, words obligations.Wording, reviewer string) (objectives.Objective, error) {
	p, err := e.proposal(ctx, s, key)
	if err != nil {
		return objectives.Objective{}, err
	}
	words = visible(words)
	if err := words.Check(p.quotes); err != nil {
		return objectives.Objective{}, err
	}
	active, err := e.Library.Active(ctx, s.Tenant, p.session.ContextType)
	if err != nil {
		return active, err
	}
	d, published, grown := grownBy(active.Definition, &p.template, words)
	if grown {
		if active, err = e.Library.Publish(ctx, s.Tenant, obligations.TenantLayer, d); err != nil {
			return active, err
		}
	}
	r := obligations.ReviewDecision{Source: "reviewer", Reason: reviewer + " approved it", Published: published}
	return active, e.decide(ctx, s, key, true, r)
}

// visible is a wording without characters that nobody sees.
func visible(w obligations.Wording) obligations.Wording {
	out := obligations.Wording{Label: Visible(w.Label), Prompt: Visible(w.Prompt), Why: Visible(w.Why)}
	for _, example := range w.Examples {
		out.Examples = append(out.Examples, Visible(example))
	}
	return out.Tidy()
}

// Dismiss says that an obligation that came up is not wanted: its session skips
// it.
func (e *Engine) Dismiss(ctx context.Context, s obligations.Scope, key, reviewer string) error {
	return e.decide(ctx, s, key, false, obligations.ReviewDecision{Source: "reviewer", Reason: reviewer + " dismissed it"})
}

// decide records a decision, also on what came up in a session that is completed.
func (e *Engine) decide(ctx context.Context, s obligations.Scope, key string, approve bool, r obligations.ReviewDecision) error {
	c := e.court()
	c.ended = true
	return c.rule(ctx, s, func(list []obligations.Obligation, turn int) (reviewOutcome, error) {
		r.Turn = turn
		changes, err := obligations.Decide(list, key, approve, r)
		return reviewOutcome{changes: changes}, err
	})
}

// proposal is what came up in a session and waits for a reviewer.
type proposal struct {
	session  sessions.Session
	template obligations.Template
	quotes   []string // the words it came up in, and those its question was answered in
}

// proposal reads what came up under a key, and the words that it rests on.
func (e *Engine) proposal(ctx context.Context, s obligations.Scope, key string) (proposal, error) {
	session, list, err := e.current(ctx, s)
	if err != nil {
		return proposal{}, err
	}
	if _, err := obligations.Decide(list, key, true, obligations.ReviewDecision{Turn: 1}); err != nil {
		return proposal{}, err
	}
	p := proposal{session: session, template: *obligations.Find(list, key).Template}
	for i := range list {
		if o := &list[i]; o.Key != key && o.MergedInto != key {
			continue
		}
		history, err := obligations.History(ctx, e.Pool, s, obligations.HistoryPage{Key: list[i].Key})
		if err != nil {
			return proposal{}, err
		}
		for _, h := range history {
			for _, ev := range h.Meta.Evidence {
				p.quotes = append(p.quotes, ev.Quote)
			}
		}
	}
	return p, nil
}

// grownBy returns the next minor version of d that asks for t in these words, under
// which key, and false when d asks for it already.
func grownBy(d *objectives.Definition, t *obligations.Template, words obligations.Wording) (objectives.Definition, string, bool) {
	worded := obligations.Worded(t, words, d.Obligations)
	for i := range d.Obligations {
		if o := &d.Obligations[i]; obligations.Alike(o, &worded, obligations.Vector{}, obligations.Vector{}).Same() {
			return *d, o.Key, false
		}
	}
	out := *d
	out.Obligations = append(slices.Clone(d.Obligations), worded)
	var major, minor, patch int
	_, _ = fmt.Sscanf(d.Version, "%d.%d.%d", &major, &minor, &patch)
	out.Version = fmt.Sprintf("%d.%d.0", major, minor+1)
	return out, worded.Key, true
}
