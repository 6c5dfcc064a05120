package rules

import (
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
)

// Bounds of what is said of research, in runes.
const (
	maxFound      = 600
	maxFoundBrief = 240
	maxSubject    = 80
)

// news says what came of research, unless the question does.
func (w *writer) news() {
	for i, f := range w.plan.News {
		if !w.plan.Asks(f) {
			w.tidings(f, w.scene.Turn+i)
		}
	}
	w.block = w.block || len(w.pieces) > 0 && len(w.plan.News) > 0
}

// tidings says what came of one piece of research: that it is research, what was
// asked, and what the sources say; or that there is nothing to go by.
func (w *writer) tidings(f research.TaskSummary, variant int) {
	subject := w.subject(f.Key, f.Query)
	one := func(templates []string, args ...any) { w.say(templates[variant%len(templates)], args...) }
	switch chat.ResultOf(f) {
	case chat.FoundSomething:
		one([]string{"I looked up %s and found this: %s", "On %s, this is what I found: %s", "I looked into %s; here is what I found: %s"}, subject, w.found(f))
	case chat.Disagreement:
		one([]string{"I looked up %s, and sources disagree: %s", "On %s, my sources do not agree: %s"}, subject, w.found(f))
	case chat.FoundNothing:
		one([]string{"I looked into %s and found nothing that I could rely on.", "I looked up %s, but nothing I found is sound enough to rely on."}, subject)
	case chat.NotPossible:
		one([]string{"I could not get %s looked up; ask me again if it still matters.", "Looking up %s did not work out; ask me again if you still want it."}, subject)
	}
}

// outcomes tells who asks how all research stands, the latest first, after
// what is news. What was cancelled is not told.
func (w *writer) outcomes() {
	if !w.plan.Understanding.AsksAfterResearch() {
		return
	}
	said := len(w.plan.News)
	for _, f := range slices.Backward(w.scene.Research) {
		switch {
		case said >= maxNamed:
			return
		case f.Status == research.Cancelled, w.isNews(f), w.elsewhere(f):
			continue
		case !f.Open():
			w.tidings(f, w.scene.Turn)
		case w.scene.Sourceless:
			w.say("Nothing is connected that I could look %s up in; it is noted.", w.subject(f.Key, f.Query))
		default:
			w.say("I have nothing on %s yet; it is still being looked up.", w.subject(f.Key, f.Query))
		}
		said++
	}
	if said == 0 {
		w.say("I have not looked anything up so far.")
	}
}

// isNews reports whether the turn tells of f anyway.
func (w *writer) isNews(f research.TaskSummary) bool {
	return slices.ContainsFunc(w.plan.News, func(n research.TaskSummary) bool { return n.ID == f.ID })
}

// elsewhere reports whether the person asks after the research on one obligation,
// which has some, and f is other research.
func (w *writer) elsewhere(f research.TaskSummary) bool {
	about := w.plan.Understanding.About
	return about != "" && f.Key != about && slices.ContainsFunc(w.scene.Research, func(f research.TaskSummary) bool { return f.Key == about })
}

// found is what sources say, as a sentence.
func (w *writer) found(f research.TaskSummary) string {
	most := maxFound
	if w.brief() {
		most = maxFoundBrief
	}
	text := strings.TrimPrefix(line(f.Summary, most), "The sources differ. ")
	if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "…") {
		return text
	}
	return text + "."
}

// subject names what is looked up within a sentence.
func (w *writer) subject(key, query string) string {
	if o := w.find(key); o != nil {
		return named(o.Template)
	}
	return "“" + line(query, maxSubject) + "”"
}

// directed says what becomes of research under way.
func (w *writer) directed() {
	for _, st := range w.plan.Steered {
		subject := w.subject(st.Task.Key, st.Task.Query)
		if st.Cancel {
			w.sayOne([]string{"All right, I have stopped looking up %s.", "Fine, I will not look up %s any further."}, subject)
			continue
		}
		if w.scene.Sourceless {
			w.say("I note that for %s, though nothing is connected that I could look it up in: %s.", subject, quoted(strings.TrimSuffix(line(st.Text, maxSaid), ".")))
			continue
		}
		if promise, ok := directedAs(st.Text); ok {
			w.say("I will %s.", strings.TrimSuffix(promise, "."))
			continue
		}
		w.say("I will keep to that for %s: %s.", subject, quoted(strings.TrimSuffix(line(st.Text, maxSaid), ".")))
	}
}

// lookups says what the objective has looked up from now on.
func (w *writer) lookups() {
	var subjects []string
	for _, o := range w.plan.Research.Orders {
		if o.Trigger == research.Collection {
			subjects = append(subjects, w.subject(o.Key, o.Query))
		}
	}
	if len(subjects) > 0 && w.plan.Ends == "" {
		w.sayOne([]string{"Meanwhile I look up %s; you can judge what turns up.", "I will see what I can find on %s, and you can tell me whether it is right."}, list(subjects, "and"))
	}
}

// wishes says what is going to be looked up, and what is not and why.
func (w *writer) wishes() {
	var taken []string
	for _, wish := range w.plan.Understanding.Research {
		if i := slices.IndexFunc(w.plan.Research.Refused, func(r research.DeclinedRequest) bool { return r.Request == research.Request(wish) }); i >= 0 {
			w.declined(w.plan.Research.Refused[i])
			continue
		}
		taken = append(taken, w.subject(wish.Key, wish.Query))
	}
	if len(taken) == 0 {
		return
	}
	subject := list(taken[:min(len(taken), maxNamed)], "and")
	switch {
	case w.scene.Sourceless:
		w.say("Nothing is connected that I could look %s up in; it is noted.", subject)
	case w.plan.Question == nil || w.plan.Question.Purpose == sessions.ToFinish:
		w.say("I have put %s on the research list.", subject)
	default:
		w.sayOne([]string{"I have put %s on the research list; meanwhile, let us go on.", "I will have %s looked up; meanwhile, let us go on."}, subject)
	}
}

// ownData declines to look up what the person's own systems hold.
const ownData = "I can’t search your own data from this conversation. A warehouse, a database or files can be connected under Data and explored there; if you know the answer, just tell me."

// declined says why a wish is not looked up.
func (w *writer) declined(r research.DeclinedRequest) {
	subject := w.subject(r.Request.Key, r.Request.Query)
	switch r.Why {
	case research.Underway:
		w.sayOne([]string{"I am looking up %s already, and will tell you what comes of it.", "You will hear what comes of %s: it is being looked up already."}, subject)
	case research.Known:
		i := slices.IndexFunc(w.scene.Research, func(f research.TaskSummary) bool { return f.ID == r.Had })
		if i >= 0 && !w.isNews(w.scene.Research[i]) {
			w.tidings(w.scene.Research[i], w.scene.Turn)
		}
	case research.OwnSystems:
		w.say(ownData)
	case research.Unknowable:
		w.say("No source but you can know %s, so I will not look that up.", subject)
	case research.TurnFull:
		w.say("That is more than I can have looked up at once; ask me for %s again in a moment.", subject)
	case research.TooMany:
		w.say("%s things are being looked up already, so %s has to wait: ask again once one of them is done, or tell me which to stop.", capital(count(research.MaxOpen)), subject)
	case research.UsedUp:
		w.say("This conversation has used up all its research, so I cannot have %s looked up.", subject)
	}
}

// goesOut reports whether the turn has key looked up, or it is being looked up
// already.
func (w *writer) goesOut(key string) bool {
	if w.scene.Sourceless {
		return false
	}
	return slices.ContainsFunc(w.plan.Research.Orders, func(o research.Order) bool { return o.Key == key }) ||
		slices.ContainsFunc(w.scene.Research.Open(), func(f research.TaskSummary) bool { return f.Key == key })
}

// sided words a conflict between what a person said and what research read: each
// with where it comes from; "" for other conflicts.
func (w *writer) sided(o *obligations.Obligation) string {
	c := w.plan.Conflict
	if c == nil || c.Kind != obligations.AgainstResearch && c.Kind != obligations.AgainstDocument || len(c.Sides) != 2 {
		return ""
	}
	words := make([]string, 2)
	for i, side := range c.Sides {
		words[i] = "you told me " + quoted(show(o.Template, side.Value))
		if len(side.Evidence) == 0 {
			continue
		}
		switch e := side.Evidence[0]; e.Kind {
		case obligations.ResearchEvidence:
			words[i] = lower(chat.SourceOf(e)) + " I read " + quoted(show(o.Template, side.Value))
		case obligations.Document:
			words[i] = "in " + chat.FileLabel(e.Source) + " I read " + quoted(show(o.Template, side.Value))
		default:
		}
	}
	return "For " + named(o.Template) + ", " + words[0] + "; " + words[1] + ". Which of them holds?"
}
