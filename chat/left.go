package chat

import (
	"container/list"
	"sync"
	"time"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/settings"
)

// left is what a turn leaves of its scene to the next turn of its session, if
// that begins here and nothing was written to the session in between: all that
// changes it adds to its log or moves its version. A session that was just made is
// left so, too.
type left struct {
	version     int64 // of the session
	last        int64 // number of its last event
	obligations []obligations.Obligation
	conflicts   []obligations.Conflict // those still open
	transcript  []sessions.Message
	rest        *leftRest // nil when that is read anew
	talker      *talker   // nil when it is not certain how the session reads
}

// leftRest is what else a scene is made of. What is folded or looked up in the
// background is no part of it while it moves.
type leftRest struct {
	summary  string
	folded   int
	research research.Past
	set      settings.Saved
}

// talker is who spoke last, and what they spoke in: what is needed beside the rest to
// work their next turn ahead.
type talker struct {
	user      string
	part      sessions.Part
	request   []byte           // hash of their last one
	session   sessions.Session // as their next turn will find it
	objective *sessions.Definition
	spent     *Spent // nil where no budget asks
}

// fits reports whether the session stands as it was left, but for the turn that
// begins.
func (k *left) fits(b *sessions.Begun) bool {
	return b.Session.Version == k.version && b.Event.Seq == k.last+1 && (k.rest == nil || b.Policy == k.rest.set.Version)
}

// stand returns what of the session the next turn rests on. The rest must be there.
func (k *left) stand() sessions.Stand {
	return sessions.Stand{Version: k.version, Last: k.last, Policy: k.rest.set.Version, Part: k.talker.part}
}

// into fills in a scene with what was left.
func (k *left) into(sc *Scene) {
	sc.Obligations, sc.Conflicts, sc.Transcript = k.obligations, k.conflicts, k.transcript
	if r := k.rest; r != nil {
		sc.Summary, sc.Folded, sc.Research, sc.policy = r.summary, r.folded, r.research, r.set
	}
}

// weight returns about how many bytes k takes.
func (k *left) weight() int {
	n := 4096
	for i := range k.obligations {
		o := &k.obligations[i]
		n += 400 + len(o.Value) + 400*len(o.Evidence) + 600*len(o.Stands)
	}
	for i := range k.transcript {
		n += 120 + len(k.transcript[i].Content)
	}
	return n
}

// Bounds of what is kept.
const (
	maxKept  = 16 << 20         // bytes, of all sessions
	keptLong = 10 * time.Minute // a session that is silent
)

// keeping holds what is kept of sessions between their turns; who has not talked
// for longest goes first. It is safe for concurrent use.
type keeping struct {
	mu    sync.Mutex
	order *list.List // of shelved, the latest first; guarded by mu
	at    map[obligations.Scope]*list.Element
	bytes int
}

type shelved struct {
	scope  obligations.Scope
	kept   *left
	weight int
	since  time.Time
}

func newKeeping() *keeping {
	return &keeping{order: list.New(), at: map[obligations.Scope]*list.Element{}}
}

// take removes and returns what is kept of a session; nil when nothing is.
func (k *keeping) take(s obligations.Scope) *left {
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.at[s]
	if e == nil {
		return nil
	}
	return k.drop(e).kept
}

// put keeps what is kept of a session, in place of what was kept before.
func (k *keeping) put(s obligations.Scope, what *left) {
	sh := shelved{s, what, what.weight(), time.Now()}
	k.mu.Lock()
	defer k.mu.Unlock()
	if e := k.at[s]; e != nil {
		k.drop(e)
	}
	k.at[s] = k.order.PushFront(sh)
	k.bytes += sh.weight
	for k.bytes > maxKept {
		k.drop(k.order.Back())
	}
}

// expire forgets what was put before a time.
func (k *keeping) expire(before time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for e := k.order.Back(); e != nil && e.Value.(shelved).since.Before(before); e = k.order.Back() { //nolint:forcetypeassert // nothing else is in the list
		k.drop(e)
	}
}

// clear forgets everything: of a session that was deleted nothing may be left.
func (k *keeping) clear() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.order.Init()
	clear(k.at)
	k.bytes = 0
}

// drop must be called with mu held.
func (k *keeping) drop(e *list.Element) shelved {
	sh := k.order.Remove(e).(shelved) //nolint:forcetypeassert // nothing else is in the list
	delete(k.at, sh.scope)
	k.bytes -= sh.weight
	return sh
}

// keep leaves to the session's next turn what this one read and wrote, unless it
// is not certain how that reads.
func (e *Engine) keep(r *run, rec record) {
	if rec.status != sessions.TurnDone || rec.next.Status == sessions.Completed || rec.session.Version != r.scene.Session.Version ||
		len(rec.found) > 0 || len(rec.closed) > 0 || len(rec.emerged.Born) > 0 || len(rec.emerged.Changes) > 0 {
		return
	}
	list := rec.after // nobody else's by now
	for _, c := range rec.changes {
		o, ok := obligations.Stored(c.After)
		if !ok {
			return
		}
		*obligations.Find(list, o.Key) = o
	}
	e.kept.put(r.turn.Scope, &left{version: rec.session.Version + 1, last: rec.events[len(rec.events)-1].Seq, obligations: list,
		conflicts: r.scene.Conflicts, transcript: r.scene.spoken(rec.message), rest: r.scene.rest(rec), talker: r.talker(rec)})
}

// fresh is what there is for the first turn of a session that was just made.
func fresh(n sessions.New, set settings.Saved) *left {
	first := n.First()
	return &left{version: first.Version, obligations: n.Obligations(), rest: &leftRest{set: set},
		talker: &talker{user: n.User, part: sessions.OwnerPart, session: first, objective: n.Objective.Definition, spent: &Spent{}}}
}

// rest returns what does not move by itself until the next turn.
func (s *Scene) rest(rec record) *leftRest {
	if len(s.Research.Open())+len(rec.tasks)+len(rec.steered)+len(rec.news) > 0 || sessions.FoldDue(s.Turn, s.Folded) > 0 {
		return nil
	}
	return &leftRest{summary: s.Summary, folded: s.Folded, research: s.Research, set: s.policy}
}

func (r *run) talker(rec record) *talker {
	next := rec.next
	q, ok := next.Question.Stored()
	if !ok {
		return nil
	}
	next.Question, next.Version, next.Turns = q, rec.session.Version+1, r.turn.Number+1
	return &talker{user: r.scene.Person, part: r.scene.Part, request: r.turn.BodyHash, session: next, objective: r.scene.Objective, spent: r.usage.Spent}
}

// spoken returns the transcript with what was said in this turn, as far as the
// next turn reads back.
func (s *Scene) spoken(reply *sessions.Message) []sessions.Message {
	out := make([]sessions.Message, 0, len(s.Transcript)+2)
	for _, m := range s.Transcript {
		if m.Turn > s.Turn+1-windowTurns {
			out = append(out, m)
		}
	}
	if s.Message != "" {
		out = append(out, sessions.Message{Turn: s.Turn, Role: sessions.FromUser, User: s.Person, Content: s.Message, Complete: true, At: s.Now})
	}
	if reply != nil {
		m := *reply
		m.At = s.Now
		out = append(out, m)
	}
	return out
}
