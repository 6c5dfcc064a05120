package chat

import (
	"slices"

	"quaestor/obligations"
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
	i := slices.IndexFunc(u.Beside, func(r Remark) bool { return r.Act == "topic" })
	if i < 0 {
		return u
	}
	words, best := stemsOf(u.Beside[i].Text), 0.0
	for j := range s.Obligations {
		o := &s.Obligations[j]
		if o.Resolved() || !o.Unlocked || slices.Contains(s.Asked.Keys(), o.Key) {
			continue
		}
		if near := topical(words, o); near > best {
			best, u.First = near, o.Key
		}
	}
	return u
}

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

// wanted asks what the person wants to talk about now.
func (d *decision) wanted() bool {
	if key := d.plan.Understanding.First; key == "" || !d.askWanted(key) {
		return false
	}
	d.because.Sentence = "The person wants to talk about it first."
	return true
}

func (d *decision) askWanted(key string) bool {
	o := obligations.Find(d.plan.List, key)
	if o == nil || o.Resolved() {
		return false
	}
	for _, c := range d.ranked {
		if c.Obligation.Key == key {
			d.ranked = []obligations.Candidate{c}
			return d.next()
		}
	}
	return false
}
