package reading

import (
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// lookUp notes what the person wants looked up: the obligation they name, a question of its own
// when their words are about something else, or what was asked when they only point at it.
func (h *heard) lookUp() {
	wish := h.wish()
	words, own := h.subjectOf(wish)
	if len(own) == 0 {
		words, own = h.subjectOf(h.questionBefore(wish))
	}
	o := h.wanted(own)
	if o != nil && o.ResearchType == obligations.NoResearch && len(own) > 0 && !field.OfItsOwn(o.Template, own) {
		o = nil // no source knows theirs, but perhaps what others have
	}
	switch {
	case o != nil:
		h.out.About = o.Key
		h.out.Research = append(h.out.Research, chat.ResearchRequest{Key: o.Key, Query: h.query(o, words)})
	case words != "":
		h.out.Research = append(h.out.Research, chat.ResearchRequest{Query: field.Clip(words, maxQuery)})
	}
}

// wish is the stretch that asks for something to be looked up: of several sentences the first that
// says what; else the whole message.
func (h *heard) wish() wordRange {
	for i := range h.said.Segments {
		if s := &h.said.Segments[i]; s.Act == listening.LookUp {
			return h.within(s.From, s.To)
		}
	}
	return h.all()
}

// questionBefore is the sentence before a wish such as "Can you find out?", which it points back to.
func (h *heard) questionBefore(wish wordRange) wordRange {
	before := wordRange{}
	for _, s := range h.sentences() {
		if s.to > wish.from {
			break
		}
		before = s
	}
	return before
}

// subjectOf returns the words of a stretch that name a subject, as they were typed, and the
// stems of those that say something.
func (h *heard) subjectOf(in wordRange) (words string, own map[string]bool) {
	r := wordRange{in.to, in.from}
	asks := -1
	for i := in.from; i < in.to; i++ {
		w := h.folded()[i]
		switch {
		case !language.IsSaid(w), language.IsWord("wishing", w):
		case language.IsWord("asks", w) || language.IsWord("predicate", w):
			if asks < 0 && language.IsWord("asks", w) && !(i+1 < in.to && language.IsWord("addressing", h.folded()[i+1])) {
				asks = i
			}
		default:
			r.from, r.to = min(r.from, i), i+1
		}
	}
	if r.to <= r.from {
		return "", nil
	}
	if asks >= 0 && asks < r.from {
		r.from = asks
	}
	for r.to < in.to && language.IsWord("predicate", h.folded()[r.to]) {
		r.to++
	}
	own = listening.Stems(h.text(r))
	start, end := h.extent(r)
	return tidy(h.raw[start:end]), own
}

// wanted returns the obligation a wish is about, or nil: the one it names, else the one that was
// asked when its own words, if there are any, are of that question.
func (h *heard) wanted(own map[string]bool) *obligations.Obligation {
	if n, ok := h.mentioned(h.all(), anyOne); ok {
		return n.o
	}
	if h.asked == nil || !field.OfItsOwn(h.asked.Template, own) {
		return nil
	}
	return h.asked
}

// maxQuery bounds a query, in runes; search services refuse longer ones.
const maxQuery = 240

// query words what to search for: what the person asked for in their own words, or
// else the name of the obligation and its question; and, set apart so that nobody
// takes it for what is asked, what is known that bears on it.
func (h *heard) query(o *obligations.Obligation, words string) string {
	if words == "" {
		words = o.Name() + "; " + strings.TrimRight(strings.TrimSpace(o.Prompt), "?. ")
	}
	if known := h.context(o); len(known) > 0 {
		words += " Context: " + strings.Join(known, "; ")
	}
	return field.Clip(words, maxQuery)
}

// context returns up to three settled values that narrow a search for o: what it
// depends on first, then the most important short ones. What research proposes and
// nobody has said yes to narrows nothing.
func (h *heard) context(o *obligations.Obligation) []string {
	var out []string
	add := func(k *obligations.Obligation) {
		if k == nil || k.Value == nil || k.Status != obligations.Satisfied || k.Key == o.Key || len(out) >= 3 || (k.Widget != obligations.Text && k.Widget != obligations.ChoiceOne) {
			return
		}
		if words := field.InEnglish(k.Template, k.Value); len(words) <= 60 {
			out = append(out, strings.ToLower(k.Name())+" "+words)
		}
	}
	for _, key := range o.Dependencies {
		add(h.find(key))
	}
	for i := range h.scene.Obligations {
		if k := &h.scene.Obligations[i]; k.Priority >= 8 && !slices.Contains(o.Dependencies, k.Key) {
			add(k)
		}
	}
	return out
}

// steers notes what the message says of research under way, and reports whether it says that
// and nothing else. Without any there is nothing to direct, and the words mean what they always do.
func (h *heard) steers() bool {
	if len(h.scene.Research.Open()) == 0 {
		return false
	}
	only := true
	for _, s := range h.sentences() {
		wishes := h.wishes(s)
		s = h.courteous(s)
		switch {
		case wishes:
			only = false
		case s.len() == 0:
		case s.len() > longestRequest:
			only = false
		case h.speaksOf(s, "abandon") && (h.speaksOf(s, "searching") || s.len() <= shortDirection):
			h.cancel(s)
		case h.directs(s):
			start, end := h.extent(s)
			h.out.Steering = append(h.out.Steering, chat.ResearchSteering{Task: h.taskMeant(s), Text: tidy(h.raw[start:end])})
		default:
			only = false
		}
	}
	if len(h.out.Steering) == 0 {
		return false
	}
	h.out.Intent = chat.AskResearch
	return only
}

// Bounds of what directs research: in words where it names no search, and in turns since it was
// asked for.
const (
	shortDirection = 6
	lately         = 3
)

// directs reports whether a sentence says where to look: it names the search, or it is short, and
// can be no answer to what was asked.
func (h *heard) directs(s wordRange) bool {
	begins := h.entry("directing", s.from, s.to) > 0
	if h.speaksOf(s, "searching") && (begins || h.speaksOf(s, "directing")) && !language.IsWord("speaker", h.folded()[s.from]) {
		return true
	}
	open := h.scene.Research.Open()
	if len(h.sentences()) > 1 || s.len() < 2 || s.len() > shortDirection || h.scene.Sourceless || open[len(open)-1].Turn < h.scene.Turn-lately || h.asked == nil || !h.asked.Closed() || h.purpose() != sessions.ToAsk {
		return false
	}
	if !begins && h.entry("merely", s.from, s.to)+h.entry("not", s.from, s.to)+h.entry("nought", s.from, s.to) == 0 || h.speaksOf(s, "speaker", "vague", "degree") {
		return false
	}
	from, to := h.bytes(s)
	return h.plain(h.asked.Template, from, to).value == nil
}

// courteous is a sentence without what is only polite at its ends.
func (u *utterance) courteous(s wordRange) wordRange {
	for n := u.entry("courtesy", s.from, s.to); s.len() > 0 && (n > 0 || !language.IsSaid(u.words[s.from].Text)); n = u.entry("courtesy", s.from, s.to) {
		s.from += max(n, 1)
	}
	for n := u.entryBefore("courtesy", s.from, s.to); s.len() > 0 && (n > 0 || !language.IsSaid(u.words[s.to-1].Text)); n = u.entryBefore("courtesy", s.from, s.to) {
		s.to -= max(n, 1)
	}
	return s
}

// cancel notes that one task, or all of them, are not wanted any more.
func (h *heard) cancel(s wordRange) {
	if !h.speaksOf(s, "allofit") {
		h.out.Steering = append(h.out.Steering, chat.ResearchSteering{Task: h.taskMeant(s), Cancel: true})
		return
	}
	for _, f := range h.scene.Research.Open() {
		h.out.Steering = append(h.out.Steering, chat.ResearchSteering{Task: f.ID, Cancel: true})
	}
}

// taskMeant returns the id of the open task that words are about: the one of the obligation they
// name, or whose question shares most of them. Empty stands for the newest.
func (h *heard) taskMeant(s wordRange) string {
	open := h.scene.Research.Open()
	if n, ok := h.mentioned(s, anyOne); ok {
		for _, f := range slices.Backward(open) {
			if f.Key == n.o.Key {
				return f.ID
			}
		}
	}
	best, most := "", 0
	said := listening.Stems(h.text(s))
	for _, f := range slices.Backward(open) {
		n := 0
		for st := range listening.Stems(f.Query) {
			if said[st] {
				n++
			}
		}
		if n > most {
			best, most = f.ID, n
		}
	}
	return best
}
