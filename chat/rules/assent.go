package rules

import (
	"encoding/json"
	"slices"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
)

// proposal is the value the last question offered.
func (r *reader) proposal() json.RawMessage {
	if v := r.scene.Asked.Proposal; v != nil {
		return v
	}
	return r.asked.Value
}

// accept adds a finding that the person agreed to v in the words of c.
func (r *reader) accept(o *obligations.Obligation, v json.RawMessage, act obligations.Act, c clause) {
	if e, ok := r.stated(reading{from: c.from, to: c.to}); ok {
		r.accepted(o, v, act, e, r.u.hedged(c.from, c.to))
	}
}

// accepted adds a finding that the person agreed to v in the words of e.
func (r *reader) accepted(o *obligations.Obligation, v json.RawMessage, act obligations.Act, e obligations.Evidence, hedged bool) {
	if v == nil || o.Check(v) != nil {
		return
	}
	e.Kind = obligations.Accepted
	e.Proposal = &obligations.Proposal{Value: v}
	if said := r.scene.LastReply(); said != nil {
		e.Proposal.Message = said.ID()
		if span, _, ok := obligations.Locate(said.Content, r.scene.Asked.Prompt); ok {
			e.Proposal.Span = &span
		}
	}
	r.add(obligations.Finding{Key: o.Key, Act: act, Value: v, Evidence: e, Grade: obligations.Grade{Kind: e.Kind, Hedged: hedged}, Reason: "the person agreed"})
}

// deny adds a finding that what o holds, or was proposed for it, is wrong.
func (r *reader) deny(o *obligations.Obligation) {
	f := obligations.Finding{Key: o.Key, Act: obligations.Deny, Reason: "the person says this is not right"}
	if r.asked != nil && o.Key == r.asked.Key && r.purpose() == sessions.ToConfirm {
		f.Value = r.proposal()
	}
	r.add(f)
}

// restate reads content as the value itself, said instead of yes or no.
func (r *reader) restate(content []clause) bool {
	before := len(r.out.Findings) + len(r.out.Refused)
	r.answer(content)
	r.out.Intent = chat.Answer
	for i := before; i < len(r.out.Findings); i++ {
		f := &r.out.Findings[i]
		if f.Key == r.asked.Key && !obligations.SameValue(f.Value, r.proposal()) {
			f.Act, f.Reason = obligations.Correct, "the person gave another value instead of agreeing"
			r.out.Intent, r.out.About = chat.Correction, f.Key
		}
	}
	return len(r.out.Findings)+len(r.out.Refused) > before
}

// finish reads the answer to "shall we end here".
func (r *reader) finish() bool {
	lead, content := r.lead().intent, r.content()
	if r.unchanged() {
		r.out.Intent = chat.Finish
		return true
	}
	leaves := lead == chat.Leave && r.marked(chat.Agree) != nil // "yes, let us leave it there"
	if len(content) == 0 && (lead == chat.Agree || lead == chat.Finish || leaves || lead == chat.SmallTalk && r.marked(chat.Agree) != nil) {
		r.out.Intent = chat.Finish
		return true
	}
	return false
}

// nothingToChange says of what was put to somebody that it may stay as it is.
var nothingToChange = compile(
	"no|nope? there_is|i_have|i_see|we_have? nothing|none to? change|correct|fix|alter|amend thanks|thank_you|here|from_me|from_us|please?",
	"no|nope? there_are? no changes|corrections|change|edits|amendments thanks|thank_you|needed|please|from_me|from_us|here|necessary?",
	"no|nope? i|we do_not|would_not want|need|wish|have|like to? change|correct|alter anything|a_thing|something|any_of_it|it thanks|thank_you?",
	"no|nope? everything|all|it|that|all_of_it is? all? right|correct|fine|good|ok|okay|perfect no|without changes|corrections|change thanks?",
	"no|nope that|it|all|everything|this is all? fine|good|okay|ok|right|correct|perfect thanks|thank_you|as_it_is?",
	"no|nope nothing|none|thanks|thank_you thanks?")

// unchanged reports whether the message says no more than that.
func (r *reader) unchanged() bool {
	return len(r.u.words) <= maxUnchanged && nothingToChange.fits(r.u.texts(0, len(r.u.words)))
}

// maxUnchanged bounds such a message, in words.
const maxUnchanged = 12

// resolve reads which of the values that cannot both hold is right.
func (r *reader) resolve() bool {
	values := r.scene.Asked.Values
	content := r.content()
	if len(values) == 0 {
		return false
	}
	if len(content) == 0 {
		return r.picksNeither()
	}
	var said verdict
	if len(r.u.words) <= maxCorrection {
		said = r.judge(values, content)
	}
	if len(said.wrong) > 0 {
		return r.rejected(values, said)
	}
	if r.asked.Widget == obligations.Text && r.undecided(values, said, content) {
		return true
	}
	if i := said.only(len(values)); i >= 0 && len(said.other) > 0 && r.u.ordinal(said.at.from, said.at.to) && !r.sentenceEnds(content[0].from, said.at.from) {
		r.settleOn(values[i], said.at, false)
		r.volunteer(said.other)
		return true
	}
	from, to := content[0].from, content[len(content)-1].to
	if i := r.whichValue(values, from, to); i >= 0 {
		r.settleOn(values[i], clause{from: from, to: to}, r.u.places(from, to, len(values)) == nil)
		return true
	}
	return r.correct() || r.restate(content)
}

// undecided reads an answer that does not choose between two texts, and is no third one:
// both hold, or it cannot be told which.
func (r *reader) undecided(values []json.RawMessage, said verdict, content []clause) bool {
	from, to := content[0].from, content[len(content)-1].to
	whole := clause{from: from, to: to}
	got := r.u.readText(r.asked.Template, from, to)
	switch {
	case r.u.at(r.u.skipLeadIns(from, to)) == "both" && len(values) == 2:
		r.out.Intent, r.out.About = chat.Answer, r.asked.Key
		r.tell(r.asked.Key, reading{value: encode(text(values[0]) + "; also " + text(values[1])), from: from, to: to}, obligations.Correct, "the person said that both hold")
	case len(said.right) > 1 && said.only(len(values)) < 0, r.whichValue(values, from, to) < 0 && (got.vague || r.u.counts(from, to)) && !r.all(whole):
		r.out.Intent, r.out.About = chat.Unclear, r.asked.Key
	default:
		return false
	}
	return true
}

// rejected settles what a message says that calls one of the values wrong: on the
// value it gives instead, on the one it stands by, else on the one that is left.
func (r *reader) rejected(values []json.RawMessage, said verdict) bool {
	i := said.only(len(values))
	instead := r.anew(said.other)
	switch {
	case len(said.right) == 0 && len(instead) > 0 && r.restate(instead):
	case i < 0:
		r.out.Intent, r.out.About = chat.Disagree, r.asked.Key
		r.deny(r.asked)
	case len(said.right) > 0:
		r.settleOn(values[i], said.at, true)
	default:
		r.settleOn(values[i], said.at, false)
	}
	return true
}

// picksNeither reads a yes where one of two has to be named: it cannot be told
// which. Who says "neither" has told that both are wrong.
func (r *reader) picksNeither() bool {
	switch {
	case r.lead().intent == chat.Disagree && r.all(clause{to: len(r.u.words)}):
		r.out.Intent, r.out.About = chat.Disagree, r.asked.Key
		r.deny(r.asked)
		return true
	case r.lead().intent != chat.Agree:
		return false
	}
	r.out.Intent, r.out.About = chat.Unclear, r.asked.Key
	return true
}

var (
	newerWords = set("new newer latter later latest recent second now")
	olderWords = set("old older former earlier previous original first")
)

// whichValue returns the index of the value that words from to (excluded) point
// at: by place, by age, or by naming it; -1 when it is none or more than one.
func (r *reader) whichValue(values []json.RawMessage, from, to int) int {
	if places := r.u.places(from, to, len(values)); len(places) == 1 && (!r.asked.Closed() || r.u.ordinal(from, to)) {
		return places[0]
	}
	if got := r.u.read(r.asked.Template, from, to, r.scene.Now); r.asked.Closed() && got.value != nil {
		return slices.IndexFunc(values, func(v json.RawMessage) bool { return obligations.SameValue(v, got.value) })
	}
	if i := r.byOverlap(values, from, to, false); i >= 0 {
		return i
	}
	for i := from; i < to && to-from <= 6 && len(values) == 2; i++ {
		switch w := r.u.at(i); {
		case newerWords[w], w == "last" && (i+1 == to || r.u.at(i+1) == "one"):
			return 1
		case olderWords[w]:
			return 0
		}
	}
	return -1
}

// ordinal reports whether a few words point at a place in letters: "the first one".
// A figure would be a value.
func (u *utterance) ordinal(from, to int) bool {
	found := false
	for i := from; i < to; i++ {
		if isDigit(u.at(i)) {
			return false
		}
		found = found || ordinals[u.at(i)] != 0
	}
	return found && to-from <= 6
}

// byOverlap finds the text value that shares the most words with what was said; with
// those that were denied only when denied.
func (r *reader) byOverlap(values []json.RawMessage, from, to int, denied bool) int {
	said := map[string]bool{}
	for j := from; j < to; j++ {
		if denied || !r.u.negatedAt(j, from) {
			said[r.u.words[j].stem] = true
		}
	}
	best, most := -1, 0
	for i, v := range values {
		shared := 0
		for _, w := range cut(text(v)) {
			if !chaff[w] && said[stem(w)] {
				shared++
			}
		}
		switch {
		case shared > most:
			best, most = i, shared
		case shared == most:
			best = -1
		}
	}
	return best
}

// settleOn notes the value chosen. named says whether the person named it in
// their own words rather than pointed at it.
func (r *reader) settleOn(v json.RawMessage, c clause, named bool) {
	r.out.Intent, r.out.About = chat.Answer, r.asked.Key
	act, reason := obligations.Confirm, "the person chose between two values"
	if named { // their own words may bring back what was taken back before
		if !obligations.SameValue(r.asked.Value, v) {
			act = obligations.Correct
		}
		r.tell(r.asked.Key, reading{value: v, from: c.from, to: c.to}, act, reason)
		return
	}
	r.accept(r.asked, v, act, c)
}
