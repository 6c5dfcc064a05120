package rules

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
)

// change is a change of mind as it was said.
type change struct {
	about      *obligations.Obligation // named; nil when it is not
	from, to   int                     // words of the right value, to excluded; none when equal
	lead       int                     // the word after those that say it is a change of mind; at most from
	old        clause                  // words of the wrong value; none when empty
	strong     bool                    // cannot be read as an answer
	no, rather bool                    // "no …", "actually …": may be an answer as well
	opposes    bool                    // "it is not 12, it is 14": counts where the first is a value held
	denies     bool                    // says what stands is wrong
}

// maxCorrection bounds the messages read as corrections, in words; a change of
// mind is short, a long text is an answer.
const maxCorrection = 60

// correct reads changes of mind and adds one finding for each. It reports whether the
// message was one.
func (r *reader) correct() bool {
	if r.ofTheTalk() {
		return false
	}
	var last *obligations.Obligation
	var read []clause
	for i, c := range r.corrigenda() {
		if i > 0 && !r.named(c) {
			continue
		}
		ch, o := r.correctIn(c)
		if o == nil && last == nil && r.purpose() != sessions.ToFinish {
			return false
		}
		if o != nil {
			last, read = o, append(read, clause{from: c.from, to: max(ch.to, ch.old.to)})
		}
	}
	if last != nil {
		r.rest(read, last)
	}
	return last != nil
}

// correctIn reads one change of mind in c and adds a finding for it. It returns no
// obligation when there is none.
func (r *reader) correctIn(c clause) (change, *obligations.Obligation) {
	if c.len() > maxCorrection {
		return change{}, nil
	}
	if o := r.amend(c.from, c.to); o != nil {
		return change{from: c.to, to: c.to}, o
	}
	ch, ok := r.change(c.from, c.to)
	if !ok || len(r.content()) == 0 && !ch.strong {
		return ch, nil
	}
	r.narrow(&ch)
	o, got := r.target(&ch)
	switch {
	case o == nil:
	case got.value != nil:
		got.value = r.mended(o, ch, got.value)
		r.corrected(o, got)
		r.mending = true
	case got.remedy.Key != "":
		r.out.Intent, r.out.About = chat.Correction, o.Key
		r.refuse(o.Key, got)
	case o.Value != nil && (ch.denies || ch.about != nil):
		r.out.Intent, r.out.About, r.revising = chat.Disagree, o.Key, true
		r.deny(o)
	default:
		o = nil
	}
	return ch, o
}

// ofTheTalk reports whether the message is about what to talk of: "no, I meant the
// question before" has no right value in it.
func (r *reader) ofTheTalk() bool {
	return slices.ContainsFunc(r.parts, func(p part) bool { return p.marked && p.mark.keeps() })
}

// firstSentence returns the words a correction is read from: the first sentence,
// and the next one when the first only says that something is wrong.
func (r *reader) firstSentence() (from, to int) {
	to = len(r.u.words)
	content := false
	for _, p := range r.parts {
		content = content || !p.marked
		if p.ends && content && r.u.starts(p.to, to, goOn) == 0 {
			return 0, p.to
		}
	}
	return 0, to
}

// change finds out how a change of mind is said in words from to (excluded).
func (r *reader) change(from, to int) (change, bool) {
	for _, read := range []func(int, int) (change, bool){r.saidBut, r.changeTo, r.andTo, r.shouldBe, r.isWrong, r.isNow, r.notBut, r.soMake} {
		if ch, ok := read(from, to); ok {
			return ch, true
		}
	}
	return r.opened(from, to)
}

// saidBut reads "I said 20 but it is 12".
func (r *reader) saidBut(from, to int) (change, bool) {
	from = r.skip(from, to, idleOpeners, actuallyOpeners)
	n := r.u.starts(from, to, saidOpeners)
	if n == 0 {
		return change{}, false
	}
	for i := from + n; i < to; i++ {
		if k := r.u.starts(i, to, wrongTurns); k > 0 {
			right := r.skip(i+k, to, idleOpeners, actuallyOpeners, strongOpeners, beings)
			return change{from: right, to: to, old: clause{from: from + n, to: i}, opposes: true}, right < to
		}
		if k := r.u.starts(i, to, turnWords); k > 0 && i+k < to {
			ch := change{from: i + k, to: to, old: clause{from: from + n, to: i}, strong: true}
			if h, ok := r.mentioned(from, to, isHeld); ok {
				ch.about = h.o
			}
			return ch, true
		}
	}
	return change{}, false
}

// skip passes over the phrases of lists at from.
func (r *reader) skip(from, to int, lists ...[][]string) int {
	for again := true; again; {
		again = false
		for _, list := range lists {
			if n := r.u.starts(from, to, list); n > 0 && from+n < to {
				from, again = from+n, true
			}
		}
	}
	return from
}

func isHeld(o *obligations.Obligation) bool { return o.Value != nil }

// changeTo reads "change the budget to 30k" and "replace Acme with Bolt".
func (r *reader) changeTo(from, to int) (change, bool) {
	from = r.skip(from, to, changeLeads)
	if !changeVerbs[r.u.at(from)] {
		return change{}, false
	}
	h, ok := r.changeable(from+1, to)
	if !ok {
		return change{}, false
	}
	ch := change{about: h.o, strong: true, denies: true, from: to, to: to}
	for i := to - 2; i >= h.to; i-- {
		if w := r.u.at(i); w == "to" || w == "with" || w == "into" || w == "at" {
			ch.from = i + 1
		}
	}
	if from := r.u.join(h.to, min(h.to+1, to)); from == "from" {
		ch.from = r.lastTo(h.to, to)
	}
	if next := r.skip(h.to, to, idleOpeners, strongOpeners); ch.from == to && next > h.to { // "…, it is 6"
		ch.from = next
	}
	return ch, true
}

// lastTo returns the word after the last "to" among words from to (excluded).
func (r *reader) lastTo(from, to int) int {
	for i := to - 2; i >= from; i-- {
		if r.u.at(i) == "to" {
			return i + 1
		}
	}
	return to
}

// shouldBe reads "the budget should be 30k".
func (r *reader) shouldBe(from, to int) (change, bool) {
	h, ok := r.opensWith(from, to)
	if !ok || h.to >= to {
		return change{}, false
	}
	n := r.u.starts(h.to, to, shouldWords)
	if n == 0 || h.to+n >= to {
		return change{}, false
	}
	return change{about: h.o, from: h.to + n, to: to, strong: true}, true
}

// opensWith returns the obligation that the words open with, after fillers
// and "our" or "the", by name or by a key word.
func (r *reader) opensWith(from, to int) (cueHit, bool) {
	from = r.skip(from, to, idleOpeners, actuallyOpeners, noOpeners, nearlyOpeners, thinkLeads)
	if h, ok := r.lineOf(from, to); ok {
		return h, true
	}
	if owners[r.u.at(from)] {
		from++
	}
	h, ok := r.mentioned(from, min(from+6, to), func(*obligations.Obligation) bool { return true })
	if ok && h.from == from {
		if h.to-h.from > 1 && linkVerbs[r.u.at(h.to-1)] { // "users are": what it says of them comes after the name
			h.to--
		}
		return h, true
	}
	if h, ok := r.keyWord(from, to); ok {
		return h, true
	}
	return r.akin(from, to)
}

// isWrong reads "the deadline is wrong" and what may follow it.
func (r *reader) isWrong(from, to int) (change, bool) {
	h, ok := r.opensWith(from, to)
	if !ok || h.to >= to {
		return change{}, false
	}
	n := r.u.starts(h.to, to, wrongWords)
	if n == 0 || r.u.starts(h.to, to, measuredWrong) > 0 && h.o.Widget != obligations.Number {
		return change{}, false
	}
	ch := change{about: h.o, from: h.to + n, to: to, strong: true, denies: true}
	ch.from = r.skip(ch.from, to, shouldWords, strongOpeners, actuallyOpeners, idleOpeners, alsoWords)
	return ch, true
}

// opened reads what opens with a word of correction: "no, actually …", "sorry, I
// meant …", "make it 15".
func (r *reader) opened(from, to int) (change, bool) {
	ch := change{from: from, to: to, lead: from}
	for ch.from < to {
		u, i := r.u, ch.from
		strong, no, rather, idle := u.starts(i, to, strongOpeners), u.starts(i, to, noOpeners), u.starts(i, to, actuallyOpeners), u.starts(i, to, idleOpeners)
		sorry, wrong := u.apology(i, to)
		if wrong {
			strong = max(strong, sorry)
		} else {
			idle = max(idle, sorry)
		}
		n := max(strong, no, rather, idle)
		if n == 0 {
			break
		}
		ch.strong = ch.strong || strong == n
		ch.no = ch.no || no == n && i+n < to && (breaks(u.gap(i+n), commaSigns) || breaks(u.gap(i+n), sentenceSigns) || u.at(i+n) == "actually" || u.at(i+n) == "it" || u.at(i+n) == "i" || u.at(i+n) == "wait" || u.at(i+n) == "sorry" || u.at(i+n) == "not")
		ch.rather = ch.rather || rather == n
		ch.denies = ch.denies || u.starts(i, to, denials) == n || wrong && i+n >= to
		if no == n && !ch.no && !ch.strong && u.starts(i+n, to, strongOpeners) == 0 {
			break
		}
		ch.from += n
		if n > idle || strong == n || no == n || rather == n {
			ch.lead = ch.from
		}
	}
	ch.about, ch.from = r.restated(ch.from, to)
	return ch, ch.strong || ch.no || ch.rather || r.contrast(ch.from, to) > ch.from
}

// contrast returns the place of "not" in "12, not 20", or from when there is
// none.
func (r *reader) contrast(from, to int) int {
	for i := from + 1; i+1 < to && to-from <= 14; i++ {
		if r.u.at(i) == "not" && r.u.content(from, i) > 0 && r.u.at(i-1) != "do" && r.u.at(i-1) != "does" && r.u.at(i-1) != "did" && r.u.at(i-1) != "can" && r.u.at(i-1) != "are" && r.u.at(i-1) != "is" && r.u.at(i-1) != "will" && r.u.at(i-1) != "have" {
			return i
		}
	}
	return from
}

// insteads part the right value from the wrong one after it.
var insteads = phrases("instead of", "rather than", "and not", "as opposed to")

// narrow leaves of ch's words the right value: "12 not 20" leaves 12, "not
// enterprise but small firms" leaves small firms.
func (r *reader) narrow(ch *change) {
	u := r.u
	if i := r.contrast(ch.from, ch.to); i > ch.from {
		ch.old, ch.to = clause{from: i + 1, to: ch.to}, i
	}
	for i := ch.from + 1; i < ch.to; i++ {
		if n := u.starts(i, ch.to, insteads); n > 0 {
			ch.old, ch.to = clause{from: i + n, to: ch.to}, i
			break
		}
	}
	if u.at(ch.from) != "not" || ch.to-ch.from < 2 {
		return
	}
	for i := ch.from + 1; i < ch.to; i++ {
		if u.at(i) == "but" || breaks(u.gap(i), commaSigns) || breaks(u.gap(i), sentenceSigns) {
			ch.old = clause{from: ch.from + 1, to: i}
			ch.from = r.skip(i, ch.to, idleOpeners, actuallyOpeners, strongOpeners)
			return
		}
	}
	ch.old, ch.from, ch.denies = clause{from: ch.from + 1, to: ch.to}, ch.to, true
}

// corrected adds the one finding of a change of mind.
func (r *reader) corrected(o *obligations.Obligation, got reading) {
	r.out.Intent, r.out.About = chat.Correction, o.Key
	got.hedged = got.hedged && o.Widget == obligations.Text || r.u.hedged(got.from, got.to)
	if words := text(got.value); o.Widget == obligations.Text && o.Value != nil && r.adds(got) {
		for _, end := range []string{" too", " also", " as well"} {
			words = strings.TrimSuffix(words, end)
		}
		got.value = encode(text(o.Value) + "; also " + strings.TrimPrefix(words, "also "))
	}
	if o.Value == nil || obligations.SameValue(o.Value, got.value) {
		r.tell(o.Key, got, obligations.Tell, "")
		return
	}
	reason := "the person changed “" + clip(show(o.Template, o.Value), 80) + "” to “" + clip(show(o.Template, got.value), 80) + "”"
	r.tell(o.Key, got, obligations.Correct, reason)
}

// adds reports whether the right value comes on top of the one held: "families
// too", "also families".
func (r *reader) adds(got reading) bool {
	last := r.u.at(got.to - 1)
	return r.u.at(got.from) == "also" || last == "too" || last == "also" || last == "well" && r.u.at(got.to-2) == "as"
}

// rest reads what the message says beside the corrections read, the last of which was
// of o.
func (r *reader) rest(read []clause, o *obligations.Obligation) {
	content := slices.DeleteFunc(r.content(), func(c clause) bool {
		return slices.ContainsFunc(read, func(x clause) bool { return x.from <= c.from && c.from < x.to })
	})
	if r.asked != nil && r.asked.Key != o.Key && r.purpose() == sessions.ToAsk && len(content) > 0 {
		r.answer(content)
		return
	}
	r.noteClaims(slices.DeleteFunc(r.claims(content), func(c claim) bool { return c.o.Key == o.Key && !r.denied(o.Key) }))
}

// scratch denies what was answered last.
func (r *reader) scratch() {
	if list := r.answeredLast(); len(list) > 0 {
		r.out.Intent, r.out.About = chat.Disagree, list[0].Key
		r.deny(list[0])
	}
}

// answeredLast returns what the latest turn brought, what was answered before
// what was said in passing; older turns are left out.
func (r *reader) answeredLast() []*obligations.Obligation {
	latest := 0
	for i := range r.scene.Obligations {
		latest = max(latest, lastTurn(&r.scene.Obligations[i]))
	}
	var out, loose []*obligations.Obligation
	for i := range r.scene.Obligations {
		o := &r.scene.Obligations[i]
		if latest == 0 || lastTurn(o) != latest {
			continue
		}
		if g := o.Evidence[len(o.Evidence)-1].Grade; g != nil && g.Loose {
			loose = append(loose, o)
		} else {
			out = append(out, o)
		}
	}
	return append(out, loose...)
}

// lastTurn is the turn o's latest evidence comes from; 0 while it has no value.
func lastTurn(o *obligations.Obligation) int {
	if o.Value == nil || len(o.Evidence) == 0 {
		return 0
	}
	return o.Evidence[len(o.Evidence)-1].Turn
}

// confirming reports whether o is what the last question wants confirmed or
// settled.
func (r *reader) confirming(o *obligations.Obligation) bool {
	return r.asked != nil && o.Key == r.asked.Key && (r.purpose() == sessions.ToConfirm || r.purpose() == sessions.ToResolve)
}

// mended returns the held text with only its wrong words exchanged, when the
// person named both: "I meant 90 volunteers, not 80" of "about 80 volunteers and
// 5 coordinators". Otherwise it returns the new value as it is.
func (r *reader) mended(o *obligations.Obligation, ch change, value json.RawMessage) json.RawMessage {
	var held, now string
	if o.Widget != obligations.Text || ch.old.to <= ch.old.from || json.Unmarshal(o.Value, &held) != nil || json.Unmarshal(value, &now) != nil {
		return value
	}
	start, end := r.u.extent(ch.old.from, ch.old.to)
	text, ok := exchange(held, r.u.raw[start:end], now)
	if !ok {
		return value
	}
	body, err := json.Marshal(text)
	if err != nil || o.Check(body) != nil {
		return value
	}
	return body
}

// exchange puts now in the place of old, a part of held that stands there as
// whole words. Words of now that follow old in held anyway are not said twice.
func exchange(held, old, now string) (string, bool) {
	at := strings.Index(strings.ToLower(held), strings.ToLower(old))
	if old == "" || at < 0 || len(old) == len(held) || len(strings.ToLower(held)) != len(held) {
		return "", false
	}
	before, after := held[:at], held[at+len(old):]
	if letterAt(before, len(before)-1) || letterAt(after, 0) {
		return "", false
	}
	words := strings.Fields(now)
	for i := range words {
		if tail := strings.Join(words[i:], " "); strings.HasPrefix(strings.ToLower(strings.TrimSpace(after)), strings.ToLower(tail)) {
			words = words[:i]
			break
		}
	}
	if len(words) == 0 {
		return "", false
	}
	return before + strings.Join(words, " ") + after, true
}

// letterAt reports whether the byte of s there belongs to a word.
func letterAt(s string, i int) bool {
	return i >= 0 && i < len(s) && (s[i] >= utf8.RuneSelf || s[i] == '_' || '0' <= s[i] && s[i] <= '9' || 'a' <= s[i]|0x20 && s[i]|0x20 <= 'z')
}
