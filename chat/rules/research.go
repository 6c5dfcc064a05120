package rules

import (
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/obligations"
)

// research wishes for what the person wants looked up: the obligation they name,
// else the one asked.
func (r *reader) research() {
	o := r.asked
	if h, ok := r.mentioned(0, len(r.u.words), func(*obligations.Obligation) bool { return true }); ok {
		o = h.o
	}
	if o == nil {
		if words := r.wishWords(); words != "" {
			r.out.Research = append(r.out.Research, chat.ResearchWish{Query: clip(words, maxQuery)})
		}
		return
	}
	r.out.About = o.Key
	r.out.Research = append(r.out.Research, chat.ResearchWish{Key: o.Key, Query: r.query(o)})
}

// maxQuery bounds a query, in runes; search services refuse longer ones.
const maxQuery = 240

// query words what to search for: the name of the obligation, what the person
// asked for in their own words, and what is known that bears on it.
func (r *reader) query(o *obligations.Obligation) string {
	parts := []string{o.Name()}
	if words := r.wishWords(); words != "" {
		parts = append(parts, words)
	} else {
		parts = append(parts, strings.TrimRight(strings.TrimSpace(o.Prompt), "?. "))
	}
	parts = append(parts, r.context(o)...)
	return clip(strings.Join(parts, "; "), maxQuery)
}

// wishChaff are the words of a wish that say nothing about its subject.
var wishChaff = set(`can could would will you please someone somebody we i it that this those these them maybe perhaps just also research investigate google look into up search for
	find out do some check online web internet the a an in our data on me us my have want like need to know get and yes no ok sorry but sure not what is let`)

// wishWords are the words of the message that name a subject, as they were
// typed.
func (r *reader) wishWords() string {
	from, to := len(r.u.words), 0
	for i := range r.u.words {
		if !wishChaff[r.u.at(i)] && i < 40 {
			from, to = min(from, i), i+1
		}
	}
	if to-from < 1 || r.lead().intent != chat.AskResearch {
		return ""
	}
	p := r.marked(chat.AskResearch)
	from, to = max(from, p.from), min(to, p.to)
	if from >= to {
		return ""
	}
	start, end := r.u.extent(from, to)
	return tidy(r.u.raw[start:end])
}

// context returns up to three known values that narrow a search for o: what it
// depends on first, then the most important short ones.
func (r *reader) context(o *obligations.Obligation) []string {
	var out []string
	add := func(k *obligations.Obligation) {
		if k == nil || k.Value == nil || k.Key == o.Key || len(out) >= 3 || (k.Widget != obligations.Text && k.Widget != obligations.ChoiceOne) {
			return
		}
		if words := show(k.Template, k.Value); len(words) <= 60 {
			out = append(out, strings.ToLower(k.Name())+" "+words)
		}
	}
	for _, key := range o.Dependencies {
		add(r.find(key))
	}
	for i := range r.scene.Obligations {
		if k := &r.scene.Obligations[i]; k.Priority >= 8 && !slices.Contains(o.Dependencies, k.Key) {
			add(k)
		}
	}
	return out
}
