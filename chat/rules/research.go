package rules

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
)

// research notes what the person wants looked up: the obligation they name, a
// question of its own when their words are about something else, or what was asked
// when they only point at it.
func (r *reader) research() {
	words, own := r.wishWords()
	o := r.wanted(own)
	if o != nil && o.ResearchType == obligations.NoResearch && len(own) > 0 && !r.covers(o, own) {
		o = nil // no source knows theirs, but perhaps what others have
	}
	if o == nil {
		if words == "" {
			words = r.countOf()
		}
		if words != "" {
			r.out.Research = append(r.out.Research, chat.ResearchRequest{Query: clip(words, maxQuery)})
		}
		return
	}
	if counting := r.weakWords(); counting != "" && r.told(o.Key) {
		r.out.Research = append(r.out.Research, chat.ResearchRequest{Query: clip(r.toldOf(o.Key)+": "+counting, maxQuery)})
		return
	}
	r.out.About = o.Key
	r.out.Research = append(r.out.Research, chat.ResearchRequest{Key: o.Key, Query: r.query(o, words)})
}

// wanted returns the obligation a wish is about, or nil: the one it names, else
// the one that was asked when its own words, if there are any, are of that
// question.
func (r *reader) wanted(own []string) *obligations.Obligation {
	if h, ok := r.mentioned(0, len(r.u.words), r.spokenOf); ok {
		return h.o
	}
	if r.asked == nil || !r.covers(r.asked, own) {
		return nil
	}
	return r.asked
}

// places are where to look: alone they name no obligation.
var places = set("online web internet google")

// spokenOf reports whether the message names o by more than a place to look.
func (r *reader) spokenOf(o *obligations.Obligation) bool {
	return slices.ContainsFunc(r.cueHits(), func(h cueHit) bool { return h.o == o && (h.to-h.from > 1 || !places[r.u.at(h.from)]) })
}

// covers reports whether all these words, as stems, are of o's name or question.
func (r *reader) covers(o *obligations.Obligation, own []string) bool {
	known := map[string]bool{}
	for _, text := range append([]string{o.Name(), o.Prompt, strings.ReplaceAll(o.Key, "_", " ")}, o.Cues...) {
		for _, w := range cut(text) {
			known[stem(w)] = true
		}
	}
	return !slices.ContainsFunc(own, func(s string) bool { return !known[s] })
}

// maxQuery bounds a query, in runes; search services refuse longer ones.
const maxQuery = 240

// query words what to search for: what the person asked for in their own words, or
// else the name of the obligation and its question; and, set apart so that nobody
// takes it for what is asked, what is known that bears on it.
func (r *reader) query(o *obligations.Obligation, words string) string {
	if words == "" {
		words = o.Name() + "; " + strings.TrimRight(strings.TrimSpace(o.Prompt), "?. ")
	}
	if known := r.context(o); len(known) > 0 {
		words += " Context: " + strings.Join(known, "; ")
	}
	return clip(words, maxQuery)
}

// wishChaff are the words of a wish that say nothing about its subject; wishWeak
// those that say something only beside others.
var (
	wishChaff = set(`can could would will you please someone somebody we i it that this those these them maybe perhaps just also research investigate google look into up search for
	find out do some check online web internet the a an in our data on me us my have want like need to know get and yes no ok okay sorry but sure not let if whether thanks thank now then
	anyway more about u pls plz any chance way mind rather prefer verify double there see ask looked checking looking checked researched figure sources`)
	wishWeak = set("what is are was were how who which where when many much")
	// after a weak word, these make it talk to us: "what you can find", "is there any"
	addressed = set("you u there")
)

// wishWords are the words of the wish that name its subject, as they were typed,
// and the stems of those that say something.
func (r *reader) wishWords() (words string, own []string) {
	p := r.wish()
	if p == nil {
		return "", nil
	}
	if words, own = r.subjectOf(p); len(own) == 0 {
		if q := r.questionBefore(p); q != nil {
			return r.subjectOf(q)
		}
	}
	return words, own
}

// needs open what a wish such as "could you get some?" points back to.
var needs = phrases("i need", "we need", "i want", "we want", "i would like", "we would like", "i wonder", "i am looking for", "we are looking for")

// questionBefore returns the question that a wish such as "Can you find out?"
// points back to: the part right before it that asks something we cannot answer
// ourselves, or says what is needed; nil for none.
func (r *reader) questionBefore(p *part) *part {
	for i := 1; i < len(r.parts); i++ {
		q := &r.parts[i-1]
		points := r.u.asks(q.to-1) || r.u.starts(q.from, q.to, needs) > 0
		if &r.parts[i] == p && points && (!q.marked || q.mark.intent == chat.OffTopic) {
			return q
		}
	}
	return nil
}

// subjectOf are the words of p that name a subject, as they were typed, and the
// stems of those that say something.
func (r *reader) subjectOf(p *part) (words string, own []string) {
	from, to := p.to, p.from
	for i := p.from; i < p.to && i < p.from+40; i++ {
		switch w := r.u.at(i); {
		case wishChaff[w], wishWeak[w] && addressed[r.u.at(i+1)]:
		case wishWeak[w]:
			from, to = min(from, i), i+1
		default:
			from, to = min(from, i), i+1
			own = append(own, r.u.words[i].stem)
		}
	}
	if len(own) == 0 {
		return "", nil
	}
	start, end := r.u.extent(from, to)
	return tidy(r.u.raw[start:end]), own
}

// wish returns the first part that asks for something to be looked up, or nil.
func (r *reader) wish() *part {
	for i := range r.parts {
		if p := &r.parts[i]; p.marked && p.mark.intent == chat.AskResearch && !p.mark.steers && !p.mark.cancels && !p.mark.follows {
			return p
		}
	}
	return nil
}

// context returns up to three settled values that narrow a search for o: what it
// depends on first, then the most important short ones. What research proposes and
// nobody has said yes to narrows nothing.
func (r *reader) context(o *obligations.Obligation) []string {
	var out []string
	add := func(k *obligations.Obligation) {
		if k == nil || k.Value == nil || k.Status != obligations.Satisfied || k.Key == o.Key || len(out) >= 3 || (k.Widget != obligations.Text && k.Widget != obligations.ChoiceOne) {
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

// direct marks the parts of a message that are about research under way. Without
// any there is nothing to direct, and the words mean what they always do.
func (r *reader) direct(parts []part) {
	if len(r.scene.Research.Open()) == 0 {
		return
	}
	for i := range parts {
		p := &parts[i]
		body := r.u.body(p.clause)
		if body.len() > maxIntentWords {
			continue
		}
		words := trimFillers(strings.Fields(r.u.join(body.from, body.to)))
		switch d := directions(); {
		case d.cancels.fits(words):
			p.marked, p.mark = true, mark{intent: chat.AskResearch, cancels: true}
		case d.steers.fits(words), len(parts) == 1 && d.leans.fits(words) && r.unasked(p.clause), (!p.marked || p.mark.intent == chat.OffTopic) && len(parts) == 1 && r.inPassing(words, p.clause):
			p.marked, p.mark = true, mark{intent: chat.AskResearch, steers: true}
		}
	}
}

// unasked reports whether c can be no answer to what was asked, and research that can be
// done was asked for lately.
func (r *reader) unasked(c clause) bool {
	open := r.scene.Research.Open()
	if r.scene.Sourceless || open[len(open)-1].Turn < r.scene.Turn-lately || r.scene.Asked != nil && !r.asksOpenly() {
		return false
	}
	for _, key := range r.scene.Asked.Keys() {
		o := r.find(key)
		if o != nil && (!o.Closed() || r.u.read(o.Template, c.from, c.to, r.scene.Now).value != nil) {
			return false
		}
	}
	return r.asked == nil || r.asked.Closed()
}

// asksOpenly reports whether the last question wanted something new.
func (r *reader) asksOpenly() bool {
	return r.purpose() == sessions.ToAsk || r.purpose() == sessions.ToForm
}

// maxBare bounds what is taken for a word about research though it does not say
// so, in words; lately how many turns ago the research was asked for at most.
const (
	maxBare = 6
	lately  = 3
)

// undirected follow "not" in answers.
var undirected = set("really yet much many sure at that exactly quite very now so a any always often yes no as only just all")

// inPassing reports whether a few words alone, such as "not Amazon", are rather
// about research that was asked for lately than an answer to what was asked since.
func (r *reader) inPassing(words []string, c clause) bool {
	open := r.scene.Research.Open()
	if len(words) < 2 || len(words) > maxBare || open[len(open)-1].Turn < r.scene.Turn-lately || r.scene.Asked != nil && !r.asksOpenly() || r.scene.Sourceless {
		return false
	}
	if directions().without.fits(words) && !undirected[words[1]] {
		if words[0] == "without" && r.asked != nil && !r.asked.Closed() {
			return false
		}
		return r.asked == nil || r.u.read(r.asked.Template, c.from, c.to, r.scene.Now).value == nil || !r.asked.Closed()
	}
	return directions().only.fits(words) && r.asked == nil
}

// directed notes what the message says of research under way, and reports whether
// it says that and nothing else.
func (r *reader) directed() bool {
	only := true
	for i := range r.parts {
		p := &r.parts[i]
		switch {
		case p.marked && p.mark.cancels:
			r.cancel(p)
		case p.marked && p.mark.steers:
			r.out.Steering = append(r.out.Steering, chat.ResearchSteering{Task: r.meant(p.clause), Text: r.where(p.clause)})
		case !p.marked || strength[p.mark.intent] > strength[chat.Agree]:
			only = false
		}
	}
	if len(r.out.Steering) == 0 {
		return false
	}
	r.out.Intent = chat.AskResearch
	return only
}

// cancel notes that one task, or all of them, are not wanted any more.
func (r *reader) cancel(p *part) {
	for i := p.from; i < p.to; i++ {
		if w := r.u.at(i); w == "all" || w == "everything" {
			for _, f := range r.scene.Research.Open() {
				r.out.Steering = append(r.out.Steering, chat.ResearchSteering{Task: f.ID, Cancel: true})
			}
			return
		}
	}
	r.out.Steering = append(r.out.Steering, chat.ResearchSteering{Task: r.meant(p.clause), Cancel: true})
}

// meant returns the id of the open task that words are about: the one of the
// obligation they name, or whose question shares most of them. Empty stands for
// the newest.
func (r *reader) meant(c clause) string {
	open := r.scene.Research.Open()
	if h, ok := r.mentioned(c.from, c.to, func(*obligations.Obligation) bool { return true }); ok {
		for _, f := range slices.Backward(open) {
			if f.Key == h.o.Key {
				return f.ID
			}
		}
	}
	best, most := "", 0
	for _, f := range slices.Backward(open) {
		if n := r.shared(c, f.Query); n > most {
			best, most = f.ID, n
		}
	}
	return best
}

// shared counts the words of c that say something and stand in text.
func (r *reader) shared(c clause, text string) int {
	there := map[string]bool{}
	for _, w := range cut(text) {
		there[stem(w)] = true
	}
	n := 0
	for i := c.from; i < c.to; i++ {
		if w := r.u.at(i); !wishChaff[w] && !wishWeak[w] && there[r.u.words[i].stem] {
			n++
		}
	}
	return n
}

// where is where to look, as it was typed, without the words around it that are
// only polite.
func (r *reader) where(c clause) string {
	c = r.u.body(c)
	for c.len() > 1 && leadFillers[r.u.at(c.from)] {
		c.from++
	}
	for c.len() > 1 && trailFillers[r.u.at(c.to-1)] {
		c.to--
	}
	start, end := r.u.extent(c.from, c.to)
	return tidy(r.u.raw[start:end])
}

// maxSaid bounds what is said back of what a task is told, in runes.
const maxSaid = 120

// directives are the openings of what the person says of research that read as
// ours once "I will" stands before them.
var directives = set("look focus concentrate restrict limit narrow search stick keep ignore exclude skip check leave")

// directedAs words what a task is told: "I will look at Germany only".
func directedAs(text string) (promise string, ok bool) {
	text = line(text, maxSaid)
	first, _, _ := strings.Cut(text, " ")
	if !directives[strings.ToLower(first)] {
		return text, false
	}
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(r)) + text[size:], true
}
