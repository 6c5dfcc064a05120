package rules

import (
	"os"
	"strings"

	"quaestor/chat"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// typed reports whether the message is read by what was learned from examples: where the
// objective says what types its values have, and in languages that the tables do not know.
func (h *heard) typed() bool {
	if h.language() != "en" || os.Getenv("TYPED") == "1" {
		return true
	}
	typed := 0
	for i := range h.scene.Obligations {
		if h.scene.Obligations[i].ValueType != "" {
			typed++
		}
	}
	return 2*typed > len(h.scene.Obligations)
}

// How sure it must be that a stretch is no answer, for the tables to leave it alone: more
// for what tables of set phrases would know. They are as low as the tests of answers that
// look like remarks allow.
const (
	surelyAside = 0.92
	surelyWants = 0.97
	fewWords    = 4
	longRemark  = 80 // bytes of a complaint that may well tell something

	encodedAside = 0.45 // beside an open question, with the encoder
)

// besideText are acts that tell nothing of what an open question asks for.
var besideText = map[listening.Act]bool{listening.Question: true, listening.Complaint: true, listening.Human: true, listening.Topic: true, listening.Shorter: true, listening.SmallTalk: true, listening.Feeling: true}

// mark cuts parts where the acts change, and marks those that the listener knows for
// something said to us.
func (h *heard) mark(parts []part) []part {
	if h.purpose() == sessions.ToForm {
		return parts
	}
	var out []part
	for _, p := range parts {
		if p.marked {
			out = append(out, p)
			continue
		}
		at := p.from
		for at < p.to {
			seg := h.segmentAt(h.u.words[at].start)
			to := at + 1
			for to < p.to && h.segmentAt(h.u.words[to].start) == seg {
				to++
			}
			q := part{clause: clause{from: at, to: to, ends: p.ends && to == p.to}}
			if n := len(out); seg != nil {
				q.mark, q.marked = h.aside(seg)
				if q.marked && seg.Act == listening.Question && !h.asksUs(at, to) {
					q.marked = false // the question is another part
				}
				if !q.marked && at > p.from && !out[n-1].marked {
					out[n-1].to, out[n-1].ends = to, q.ends // what is told is not cut
					at = to
					continue
				}
			}
			out = append(out, q)
			at = to
		}
	}
	return out
}

// asksUs reports whether words from to (excluded) have the form of a question: the mark,
// or without one anywhere, a word that opens one.
func (h *heard) asksUs(from, to int) bool {
	if strings.Contains(h.u.raw, "?") {
		return h.u.asks(to - 1)
	}
	c := h.u.body(clause{from: from, to: to})
	return interrogatives[h.u.at(c.from)] && h.u.at(c.from+1) != "not"
}

// aside returns what a segment wants that tells nothing, where that is sure.
func (h *heard) aside(seg *listening.Segment) (mark, bool) {
	m, ok := h.intentOf(seg)
	if !ok {
		return mark{}, false
	}
	if h.listener.Encoded() && h.asked != nil && h.asked.Widget == obligations.Text && besideText[seg.Act] {
		return m, seg.Sure >= encodedAside && (!h.starred(seg) || seg.Sure >= surelyTalk)
	}
	if h.starred(seg) {
		return mark{}, false
	}
	switch seg.Act {
	case listening.Question, listening.Complaint, listening.Human, listening.Topic, listening.Shorter:
		if len(h.words) <= fewWords || seg.Act == listening.Complaint && seg.To-seg.From > longRemark {
			return m, seg.Sure >= surelyWants // most short answers look like remarks
		}
		return m, seg.Sure >= surelyAside
	case listening.SmallTalk, listening.Feeling, listening.Gibberish:
		return m, seg.Sure >= surelyWants && len(h.words) > fewWords
	case listening.Answer, listening.Fact, listening.Correction, listening.Confirm, listening.Deny, listening.Stop, listening.LookUp, listening.Delegate, listening.Unknown, listening.NoPreference, listening.Skip, listening.Later, listening.Repeat, listening.Examples:
		// the tables know the set phrases of these
	}
	return mark{}, false
}

// doubted holds in doubt an open text that was taken for the answer and sounds like something
// else: it is read back before it counts.
func (h *heard) doubted() {
	if h.asked == nil || h.purpose() != sessions.ToAsk {
		return
	}
	least := likelyTalk
	if h.listener.Encoded() {
		least = surely
	}
	for i := range h.out.Findings {
		f := &h.out.Findings[i]
		from := strings.Index(h.said.Text, f.Evidence.Quote)
		if f.Key != h.asked.Key || f.Act != obligations.Tell || from < 0 || h.asked.Widget != obligations.Text && (len(h.asked.Choices) == 0 || ofChoices(h.asked.Template, f.Value)) {
			continue
		}
		nothing, all := 0, 0
		for _, w := range h.words {
			if w.From < from || w.To > from+len(f.Evidence.Quote) {
				continue
			}
			all++
			if seg := h.segmentAt(w.From); seg != nil && !h.starred(seg) && (answersNothing[seg.Act] && seg.Sure >= least || h.listener.Encoded() && seg.Act == listening.Answer && seg.Sure < 0.5) {
				nothing++
			}
		}
		if 2*nothing > all {
			doubt := obligations.Confidence(mostDoubtful)
			f.Grade.Fit = &doubt
		}
	}
}

// beside notes what comes beside that tells nothing.
func (h *heard) beside() {
	for i := range h.said.Segments {
		seg := &h.said.Segments[i]
		if m, ok := h.intentOf(seg); ok {
			h.out.Beside = append(h.out.Beside, chat.Remark{Intent: m.intent, Act: seg.Act.String(), Text: h.said.Text[seg.From:seg.To]})
		}
	}
}
