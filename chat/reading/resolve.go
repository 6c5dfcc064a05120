package reading

import (
	"encoding/json"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/listening"
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

// finishes reads the answer to "shall we end here": a yes, a goodbye, or that nothing is to be
// changed. It reports whether it was one.
func (h *heard) finishes() bool {
	if slices.ContainsFunc(h.said.Segments, func(s listening.Segment) bool { return !endingActs[s.Act] || len(s.Values) > 0 && !h.unchanged() }) {
		return false
	}
	if !h.unchanged() && (h.speaksOf(h.all(), "no") || !h.speaksOf(h.all(), "yes", "assent") && !h.only(listening.Stop)) {
		return false
	}
	h.out.Intent = chat.Finish
	return true
}

// endingActs are the acts of a message that ends the interview.
var endingActs = map[listening.Act]bool{listening.Confirm: true, listening.Deny: true, listening.Stop: true, listening.SmallTalk: true, listening.Answer: true, listening.Fact: true}

// maxUnchanged bounds, in words, a message that says that nothing is to be changed.
const maxUnchanged = 12

// unchanged reports whether the message says that what was put to somebody may stay as it is:
// "no, nothing to change", "alles gut so".
func (h *heard) unchanged() bool {
	if h.count() > maxUnchanged || h.count() == 1 && h.speaksOf(h.all(), "no") {
		return false
	}
	says := false
	for _, c := range h.clauses(h.all()) {
		c = h.courteous(c)
		if c.len() == 0 {
			continue
		}
		says = true
		if h.phraseIn(c) == "finish" || h.phraseIn(c) == "confirm" || h.speaksOf(c, "nought", "no", "not") && (h.speaksOf(c, "amended", "alter") || c.len() == 1) {
			continue
		}
		return false
	}
	return says
}

// resolves reads which of the values that cannot both hold is right: the one that is named, or
// pointed at, or left when the other is denied. It reports whether the message said so.
func (h *heard) resolves() bool {
	values := h.scene.Asked.Values
	if len(values) == 0 {
		return false
	}
	all := h.all()
	if h.picks(values) {
		return true
	}
	right, wrong := h.valuesSaid(values)
	switch {
	case len(right) == 1:
		h.settleOn(values[right[0]], true)
	case len(values) == 2 && h.speaksOf(all, "both") && !h.asked.Closed():
		h.out.Intent, h.out.About = chat.Answer, h.asked.Key
		h.note(h.asked.Key, valueRead{value: field.Encode(field.Text(values[0]) + "; " + field.Text(values[1])), from: 0, to: len(h.raw)}, obligations.Correct, 0)
	case h.pointed(len(values)) >= 0:
		h.settleOn(values[h.pointed(len(values))], false)
	case h.speaksOf(all, "both") && h.speaksOf(all, "wrongly", "not"):
		h.out.Intent, h.out.About = chat.Disagree, h.asked.Key
		h.deny(h.asked)
	case len(right) == 0 && h.saysRange(values):
		h.out.Intent, h.out.About = chat.Unclear, h.asked.Key
	case len(right) == 0 && h.another(values):
	case len(wrong) == 1 && len(values) == 2:
		h.settleOn(values[1-wrong[0]], false)
	case len(wrong) == len(values), h.speaksOf(all, "neither") && h.count() <= fewWords:
		h.out.Intent, h.out.About = chat.Disagree, h.asked.Key
		h.deny(h.asked)
	case len(right) > 1, h.only(listening.Confirm):
		h.out.Intent, h.out.About = chat.Unclear, h.asked.Key
	default:
		return false
	}
	return true
}

// picks reads that the message repeats one of some values word for word, or points at it and says no
// more in that clause. It reports whether it did.
func (h *heard) picks(values []json.RawMessage) bool {
	if i := h.saidWhole(values); i >= 0 {
		h.settleOn(values[i], true)
		return true
	}
	if i := h.pointedOnly(len(values)); i >= 0 {
		h.settleOn(values[i], false)
		return true
	}
	return false
}

// another takes a value that is none of those in question as the right one.
func (h *heard) another(values []json.RawMessage) bool {
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		if seg.Act != listening.Answer && seg.Act != listening.Correction && seg.Act != listening.Deny && !hasAnswer(seg) {
			continue
		}
		v := h.valueIn(h.asked.Template, seg, seg.Act == listening.Answer)
		same := func(x json.RawMessage) bool { return obligations.SameValue(x, v.value) }
		if v.value == nil || v.vague || slices.ContainsFunc(values, same) || h.isRejected(h.within(v.from, v.to).from) {
			continue
		}
		if h.wronglyIn(h.within(v.from, v.to)) {
			continue
		}
		h.out.Intent, h.out.About = chat.Correction, h.asked.Key
		return h.note(h.asked.Key, v, obligations.Correct, 0)
	}
	return false
}

// settleOn notes the value chosen. named says whether the person named it in their own words
// rather than pointed at it: those may bring back what was taken back before.
func (h *heard) settleOn(v json.RawMessage, named bool) {
	h.out.Intent, h.out.About = chat.Answer, h.asked.Key
	if !named {
		h.acceptAll(v)
		return
	}
	act := obligations.Confirm
	if !obligations.SameValue(h.asked.Value, v) {
		act = obligations.Correct
	}
	h.note(h.asked.Key, valueRead{value: v, from: 0, to: len(strings.TrimRight(h.raw, " \n")), hedged: h.hedged(h.all())}, act, 0)
}

// acceptAll adds a finding that the whole message agrees to a value.
func (h *heard) acceptAll(v json.RawMessage) {
	if e, ok := h.quote(0, len(h.raw)); ok {
		h.accepted(h.asked, v, obligations.Confirm, e, h.hedged(h.all()))
	}
}
