package rules

import (
	"quaestor/obligations"
)

var (
	earlierAnd   = phrases("and", "also", "oh", "oh and", "but")
	earlierLeads = phrases("to answer", "answering", "in answer to", "as for", "back to", "going back to", "coming back to", "to come back to", "to go back to", "returning to", "the answer to", "my answer to")
	earlierHints = phrases("about", "on", "regarding", "concerning", "re", "for") // with a comma or a colon after the name
	earlierNames = phrases("your earlier question", "your previous question", "your first question", "your other question", "the earlier question", "the previous question", "the other question",
		"that earlier question", "that other question", "your question before", "your question from before", "your question earlier", "your question from earlier", "the question before",
		"the question from before", "the question from earlier", "the question earlier", "the one before", "the question you asked before", "the question you asked earlier",
		"what you asked before", "what you asked earlier", "what you asked me before", "what you asked me earlier", "your question of before", "an earlier question", "your earlier one")
)

// toEarlier counts the words from i on that turn to a question asked before: "and to
// answer your earlier question". The question as a thing spoken of does not: "they work
// on the question before lunch".
func (u *utterance) toEarlier(i, to int) int {
	at := i + u.starts(i, to, earlierAnd)
	lead := u.starts(at, to, earlierLeads)
	at += max(lead, u.starts(at, to, earlierHints))
	n := u.starts(at, to, earlierNames)
	if n == 0 || at == i || lead == 0 && !breaks(u.gap(at+n), ",:-–—") {
		return 0
	}
	return at + n - i
}

// parted cuts off what content says in answer to an earlier question. What follows such
// words is no answer to the question now asked.
func (r *reader) parted(content []clause) (now, earlier []clause) {
	for k, c := range content {
		for i := c.from; i < c.to; i++ {
			n := r.u.toEarlier(i, c.to)
			if n == 0 {
				continue
			}
			now = content[:k:k]
			if i > c.from {
				now = append(now, clause{from: c.from, to: i})
			}
			if i+n < c.to {
				earlier = append(earlier, clause{from: i + n, to: c.to, ends: c.ends})
			}
			return now, append(earlier, content[k+1:]...)
		}
	}
	return content, nil
}

// answerEarlier reads content as the answer to a question asked before. Where it cannot
// be told to which, it is left aside.
func (r *reader) answerEarlier(content []clause) {
	if len(content) == 0 {
		return
	}
	claims := r.claims(content)
	r.noteClaims(claims)
	kept := r.kept(content, claims)
	if len(kept) == 0 {
		return
	}
	r.missed = true
	from, to := kept[0].from, kept[len(kept)-1].to
	var fits *obligations.Obligation
	var got reading
	for i := range r.scene.Obligations {
		o := &r.scene.Obligations[i]
		if !r.leftOpen(o) {
			continue
		}
		said := r.u.read(o.Template, from, to, r.scene.Now)
		if said.value == nil || said.vague || !ofChoices(o.Template, said.value) {
			continue
		}
		if fits != nil {
			return
		}
		fits, got = o, said
	}
	if fits != nil && r.tell(fits.Key, got, obligations.Tell, "") {
		r.missed = false
		r.loosen()
	}
}

// leftOpen reports whether o was asked before and got no answer.
func (r *reader) leftOpen(o *obligations.Obligation) bool {
	return o.Attempts > 0 && o.Value == nil && o.Status != obligations.Skipped && !r.asksFor(o) && !r.told(o.Key)
}
