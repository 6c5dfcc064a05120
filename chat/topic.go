package chat

import (
	"slices"

	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/sessions"
)

// readTopic notes what the person wants to talk about now, where an interviewer heard only
// that they want to talk about something else: the open obligation whose name, category or
// cues their words share most of. A wish that names nothing of the interview changes nothing.
func readTopic(s *Scene, u Understanding) Understanding {
	if u.First != "" {
		if o := obligations.Find(s.Obligations, u.First); o == nil || o.Resolved() {
			u.First = ""
		}
		return u
	}
	wish := topicWish(s, u)
	if wish == "" {
		return u
	}
	words, best := stemsOf(wish), 0.0
	for j := range s.Obligations {
		o := &s.Obligations[j]
		if o.Resolved() || slices.Contains(s.Asked.Keys(), o.Key) {
			continue
		}
		if near := topical(words, o); near > best {
			best, u.First = near, o.Key
		}
	}
	if u.First != "" {
		f := sessions.FollowUp{Key: u.First, Reason: "the person wants to talk about it", Priority: obligations.HighPriority}
		u.Signals.FollowUps = append(slices.Clone(u.Signals.FollowUps), f)
	}
	return u
}

// topicWish returns the words by which the person asks to talk about something else now, ""
// where they do not: a remark that was heard as that, or a short message with a verb of
// talking and a word for the order, and no answer.
func topicWish(s *Scene, u Understanding) string {
	if i := slices.IndexFunc(u.Beside, func(r Remark) bool { return r.Act == "topic" }); i >= 0 {
		return u.Beside[i].Text
	}
	talk, order := false, false
	words := language.Words(s.Message)
	for _, w := range words {
		talk, order = talk || language.IsWord("talk", w.Text), order || language.IsWord("order", w.Text)
	}
	if !talk || !order || len(words) > longestWish || len(u.Findings) > 0 {
		return ""
	}
	return s.Message
}

// longestWish is how many words, marks included, a wish for another topic has at most.
const longestWish = 16

// topical returns how many of the words name an obligation: its own name counts more than
// the part of the interview that it belongs to, and of two alike the more important wins.
func topical(words []string, o *obligations.Obligation) float64 {
	name, part := append(stemsOf(o.Name()), stemsOf(o.Key)...), stemsOf(o.Category)
	for _, cue := range o.Cues {
		name = append(name, stemsOf(cue)...)
	}
	n := 0.0
	for _, w := range words {
		switch {
		case slices.Contains(name, w):
			n++
		case slices.Contains(part, w):
			n += 0.5
		}
	}
	if n == 0 {
		return 0
	}
	return n + float64(o.Priority)/100
}

// wanted asks what the person wants to talk about now, whatever it waits for: they lead.
func (d *decision) wanted() bool {
	key := d.plan.Understanding.First
	if key == "" || !d.ask(key, sessions.ToAsk) {
		return false
	}
	d.because.Sentence = "The person wants to talk about it first."
	return true
}
