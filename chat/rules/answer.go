package rules

import (
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
)

// answer reads content as the answer to what was asked, after what it says about
// other obligations was set aside. It reports whether anything was found.
func (r *reader) answer(content []clause) bool {
	before := len(r.out.Findings) + len(r.out.Refused)
	if content = r.toThePoint(content); len(content) == 0 {
		return false
	}
	content, earlier := r.parted(content)
	if len(content) > 0 {
		r.answerNow(content)
	}
	r.answerEarlier(earlier)
	return len(r.out.Findings)+len(r.out.Refused) > before
}

// answerNow reads what answers the question now asked, and what comes with it.
func (r *reader) answerNow(content []clause) {
	claims := r.reserve(content, r.claims(content))
	if r.purpose() == sessions.ToForm {
		r.fillForm(content, claims)
	} else if r.asked != nil && r.askable() {
		r.answerAsked(content, claims)
	}
	r.noteClaims(claims)
}

// reserve drops the claims that take what answers the question: the words of one
// of its choices ("we are a small business"), or, where the question is a first
// one that may be answered by anything, all there is when what they would fill
// has to wait for the answer and was not named.
func (r *reader) reserve(content []clause, claims []claim) []claim {
	if r.asked == nil || len(claims) == 0 || r.purpose() == sessions.ToForm {
		return claims
	}
	if r.asked.Widget == obligations.Text && len(r.asked.Dependencies) == 0 && !r.asked.Resolved() && len(r.kept(content, claims)) == 0 {
		return slices.DeleteFunc(claims, func(c claim) bool { return !c.named && slices.Contains(c.o.Dependencies, r.asked.Key) })
	}
	if len(r.asked.Choices) == 0 {
		return slices.DeleteFunc(claims, func(c claim) bool { return !c.named && r.exemplary(c) })
	}
	hits := r.u.named(r.asked.Template, content[0].from, content[len(content)-1].to)
	return slices.DeleteFunc(claims, func(c claim) bool {
		return c.o.Widget == obligations.Text && slices.ContainsFunc(hits, func(h hit) bool { return !h.negated && h.from < c.to && c.from < h.to })
	})
}

// exemplary reports whether what c takes is, word for word, an example of an answer to
// what was asked.
func (r *reader) exemplary(c claim) bool {
	said := r.u.join(c.got.from, c.got.to)
	return slices.ContainsFunc(r.asked.Examples, func(e string) bool { return strings.Join(cut(e), " ") == said })
}

// askable reports whether the last question wanted a value.
func (r *reader) askable() bool {
	return r.purpose() == sessions.ToAsk || r.purpose() == sessions.ToConfirm || r.purpose() == sessions.ToResolve
}

// volunteer reads content for other obligations only.
func (r *reader) volunteer(content []clause) {
	if content = r.toThePoint(content); len(content) > 0 {
		r.noteClaims(r.claims(content))
	}
}

// toThePoint returns content without the sentences that stray.
func (r *reader) toThePoint(content []clause) []clause {
	var out, sentence []clause
	flush := func() {
		if len(sentence) > 0 && !r.stray(sentence[0].from, sentence[len(sentence)-1].to) {
			out = append(out, sentence...)
		} else if len(sentence) > 0 {
			r.strayed = true
		}
		sentence = nil
	}
	for _, c := range content {
		if len(sentence) > 0 && sentence[len(sentence)-1].to != c.from {
			flush()
		}
		if sentence = append(sentence, c); c.ends {
			flush()
		}
	}
	flush()
	return out
}

// answerAsked reads what the claims of other obligations leave over.
func (r *reader) answerAsked(content []clause, claims []claim) {
	if r.asked.Widget == obligations.Text {
		r.answerText(content, claims)
		return
	}
	regions := unclaimed(content, claims)
	if len(regions) == 0 {
		return
	}
	if r.noneApply(regions) {
		return
	}
	if whole := (clause{from: regions[0].from, to: regions[len(regions)-1].to}); len(claims) == 0 && r.take(r.asked, whole.from, whole.to) {
		return
	}
	for _, c := range regions {
		got := r.u.read(r.asked.Template, c.from, c.to, r.scene.Now)
		switch {
		case got.value == nil:
		case !r.told(r.asked.Key):
			r.tell(r.asked.Key, got, obligations.Tell, "")
		case r.asked.Widget == obligations.MultiSelect && ofChoices(r.asked.Template, got.value):
			r.addChoices(r.asked, got)
		}
		if r.told(r.asked.Key) && r.asked.Widget != obligations.MultiSelect {
			return
		}
	}
	if r.told(r.asked.Key) {
		return
	}
	if !r.yesNoAnswer() && len(claims) == 0 {
		r.inTheirWords(content)
	}
}

// maxTheirWords bounds, in words, an answer that is no choice.
const maxTheirWords = 40

// inTheirWords takes the whole of an answer in the person's own words, where that was
// offered when the question was asked before.
func (r *reader) inTheirWords(content []clause) {
	t, from, to := r.asked.Template, content[0].from, content[len(content)-1].to
	if !t.AllowOther || r.scene.Asked == nil || r.scene.Asked.Attempt < 2 || to-from > maxTheirWords || r.u.content(from, to) < 2 || r.u.measured(from, to) {
		return
	}
	got := r.u.readText(t, from, to)
	if got.value == nil || got.vague || len(r.u.named(t, from, to)) > 0 {
		return
	}
	if t.Widget == obligations.MultiSelect {
		got.value = encode([]string{text(got.value)})
	}
	r.tell(t.Key, got, obligations.Tell, "")
}

// yesNoAnswer falls back on the yes or no before content that says no more:
// "yes, we do that on our site". It reports whether there was one.
func (r *reader) yesNoAnswer() bool {
	for _, intent := range []chat.Intent{chat.Agree, chat.Disagree} {
		if p := r.marked(intent); p != nil && r.asked.Widget == obligations.ChoiceOne {
			if v := yesNoChoice(r.asked.Template, intent); v != nil {
				return r.tell(r.asked.Key, reading{value: v, from: p.from, to: p.to}, obligations.Tell, "")
			}
		}
	}
	return false
}

// noneApply reads "none of these" to a question with choices: a choice that says
// so, the person's own word where other answers are welcome, else it does not
// apply.
func (r *reader) noneApply(regions []clause) bool {
	t := r.asked.Template
	first, last := regions[0], regions[len(regions)-1]
	if len(t.Choices) == 0 || !r.u.noneOf(first.from, last.to) || len(r.u.named(t, first.from, last.to)) > 0 {
		return false
	}
	r.out.Intent = chat.SkipThis
	r.add(obligations.Finding{Key: t.Key, Act: obligations.Skip, Skip: obligations.NotApplicable, Reason: "none of the choices applies"})
	return true
}

// answerText takes the person's words, from the first clause that is not about
// something else to the last one.
func (r *reader) answerText(content []clause, claims []claim) {
	kept := r.kept(content, claims)
	if at := chat.AnnouncedAt(r.u.raw); at >= 0 {
		kept = slices.DeleteFunc(kept, func(c clause) bool { return r.u.words[c.from].start >= at })
	}
	if len(kept) == 0 {
		return
	}
	if r.missed = r.countsUs(kept[0].from, kept[len(kept)-1].to); r.missed {
		return
	}
	from, to := kept[0].from, kept[len(kept)-1].to
	if p := r.marked(chat.Disagree); p != nil && p.from == 0 && yesNoPrompt(r.asked.Prompt) {
		from = p.from
	}
	rest := r.interrupted(kept)
	if len(rest) > 1 {
		r.takeApart(rest)
		return
	}
	r.take(r.asked, from, min(to, rest[0].to))
}

// interrupted joins kept into the stretches between which something was said to us,
// such as a question: those between stand for themselves.
func (r *reader) interrupted(kept []clause) []clause {
	out := []clause{kept[0]}
	p := r.marked(chat.AskMemory)
	for _, c := range kept[1:] {
		if p != nil && p.from >= out[0].to && c.from >= p.to {
			break // what follows is about what was asked for
		}
		asides, no := r.between(out[len(out)-1].to, c.from)
		if asides && !no { // "families, wait, no, pensioners" is one thing, however it is meant
			out = append(out, c)
		} else {
			out[len(out)-1].to = c.to
		}
	}
	return out
}

// between reports whether something was said to us, and whether no, in the parts from
// word from to (excluded).
func (r *reader) between(from, to int) (asides, no bool) {
	for _, p := range r.parts[:min(len(r.parts), maxParts+1)] { // none after those is marked
		if !p.marked || p.from < from || p.to > to {
			continue
		}
		asides = asides || p.mark.aside != nil || p.mark.strength() > strength[chat.DontKnow]
		no = no || p.mark.intent == chat.Disagree
	}
	return asides, no
}

// takeApart takes stretches of words as one answer, without what was said between
// them.
func (r *reader) takeApart(stretches []clause) {
	var words []string
	whole := reading{from: stretches[0].from, to: stretches[len(stretches)-1].to, vague: true}
	for i, c := range stretches {
		got := r.u.readText(r.asked.Template, c.from, c.to)
		if got.value == nil {
			continue
		}
		said := text(got.value)
		if start, end := r.u.extent(c.from, c.to); i > 0 {
			said = tidy(r.u.raw[start:end])
		}
		words = append(words, said)
		whole.hedged, whole.vague = whole.hedged || got.hedged, whole.vague && got.vague
	}
	if len(words) > 0 {
		whole.value = encode(strings.Join(words, ". "))
		r.tell(r.asked.Key, whole, obligations.Tell, "")
	}
}

// countsUs reports whether words from to (excluded) tell how many of something there
// are around the person, to a question that asks for a name: "about 40 cafés buy from
// us" is no industry.
func (r *reader) countsUs(from, to int) bool {
	if !asksName(r.asked.Template) || to-from > maxOtherWords {
		return false
	}
	us, counted := false, false
	for i := from; i < to; i++ {
		us = us || r.u.at(i) == "us" || r.u.at(i) == "we" || r.u.at(i) == "our"
	}
	for _, q := range r.u.quantities(from, to) {
		counted = counted || q.noun != "" && q.unit == "" && !q.year && len(q.noun) > 2 && q.lo > 1
	}
	return us && counted
}

// asksName reports whether t asks for a name or a term, by its examples.
func asksName(t *obligations.Template) bool {
	long := func(example string) bool {
		words := cut(example)
		return len(words) > 4 || slices.ContainsFunc(words, func(w string) bool { return speakers[w] || isDigit(w) })
	}
	return len(t.Examples) > 1 && !slices.ContainsFunc(t.Examples, long)
}

// kept returns the clauses that are not about something else.
func (r *reader) kept(content []clause, claims []claim) []clause {
	return slices.DeleteFunc(slices.Clone(content), func(c clause) bool {
		return r.claimed(c, claims) || len(claims) > 0 && r.u.leadsIn(c.from, c.to)
	})
}

// claimed reports whether claims leave nothing of c but connecting words.
func (r *reader) claimed(c clause, claims []claim) bool {
	body := r.u.body(c)
	rest, covered := 0, false
	for i := body.from; i < body.to; i++ {
		if slices.ContainsFunc(claims, func(cl claim) bool { return i >= cl.from && i < cl.to }) {
			covered = true
			continue
		}
		if !connecting[r.u.at(i)] && !linkWords[r.u.at(i)] {
			rest++
		}
	}
	return covered && rest == 0
}

var connecting = set("we i our my us the a an have has got with and of about around roughly some by in on for to at plan planning want hope aim aiming hoping it is are am be would like there need needs around maybe probably think guess from until which that only currently now right just also too as well up can could give")

// unclaimed cuts the words that claims took out of content, and joins what stands
// together.
func unclaimed(content []clause, claims []claim) []clause {
	var out []clause
	for _, c := range content {
		for i := c.from; i < c.to; i++ {
			if slices.ContainsFunc(claims, func(cl claim) bool { return i >= cl.from && i < cl.to }) {
				continue
			}
			if n := len(out); n > 0 && out[n-1].to == i {
				out[n-1].to = i + 1
			} else {
				out = append(out, clause{from: i, to: i + 1})
			}
		}
	}
	return out
}
