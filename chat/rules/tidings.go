package rules

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/language/messages"
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
	for _, f := range w.plan.News {
		if !w.plan.Asks(f) {
			w.tidings(f)
		}
	}
	w.block = w.block || len(w.pieces) > 0 && len(w.plan.News) > 0
}

// tidings says what came of one piece of research: that it is research, what was
// asked, and what the sources say; or that there is nothing to go by.
func (w *writer) tidings(f research.TaskSummary) {
	subject := w.subject(f.Key, f.Query)
	if f.Kind.OwnData() && f.Summary != "" {
		w.say("found.own-data", with{"subject": subject, "text": words(w.found(f))})
		return
	}
	switch chat.ResultOf(f) {
	case chat.FoundSomething:
		w.say("found", with{"subject": subject, "text": words(w.found(f))})
	case chat.Disagreement:
		w.say("found.disagreement", with{"subject": subject, "text": words(w.found(f))})
	case chat.FoundNothing:
		w.say("found.nothing", with{"subject": subject})
	case chat.NotPossible:
		w.say("found.impossible", with{"subject": subject})
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
			w.tidings(f)
		case w.scene.Sourceless && !f.Kind.OwnData():
			w.say("research.sourceless", with{"subject": w.subject(f.Key, f.Query)})
		default:
			w.say("research.pending", with{"subject": w.subject(f.Key, f.Query)})
		}
		said++
	}
	if said == 0 {
		w.say("research.none", nil)
	}
}

// figure answers what the person says of what their own data told: what they say against it is noted beside it, and
// what they want to hear is told again.
func (w *writer) figure() {
	f := w.plan.Understanding.Figure
	if f == nil {
		return
	}
	switch {
	case f.Act == chat.RepeatedFigure && f.Task.Open():
		w.say("research.pending", with{"subject": w.subject(f.Task.Key, f.Task.Query)})
	case f.Act == chat.RepeatedFigure && !w.isNews(f.Task):
		w.tidings(f.Task)
	case f.Act == chat.DisputedFigure:
		key := "figure.disputed"
		switch {
		case f.Kept:
			key = "figure.kept"
		case f.Task.Kind == research.WarehouseDiscovery:
			key = "figure.disputed-run"
		}
		w.say(key, with{"said": words(w.quoted(strings.TrimRight(line(f.Said, maxSaid), ".!?"))), "text": words(w.found(f.Task))})
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
func (w *writer) subject(key, query string) words {
	if o := w.find(key); o != nil {
		return w.named(o.Template)
	}
	return words(w.l.Quoted(line(query, maxSubject)))
}

// directed says what becomes of research under way.
func (w *writer) directed() {
	for _, st := range w.plan.Steered {
		subject := w.subject(st.Task.Key, st.Task.Query)
		if st.Cancel {
			w.say("research.stopped", with{"subject": subject})
			continue
		}
		said := words(w.quoted(strings.TrimSuffix(line(st.Text, maxSaid), ".")))
		if w.scene.Sourceless {
			w.say("research.steered-sourceless", with{"subject": subject, "text": said})
			continue
		}
		if promise, ok := directedAs(st.Text); ok {
			w.say("research.steered-promise", with{"promise": words(strings.TrimSuffix(promise, "."))})
			continue
		}
		w.say("research.steered", with{"subject": subject, "text": said})
	}
}

// lookups says what the objective has looked up from now on.
func (w *writer) lookups() {
	var subjects []string
	for _, o := range w.plan.Research.Orders {
		if o.Trigger == research.Collection {
			subjects = append(subjects, string(w.subject(o.Key, o.Query)))
		}
	}
	if len(subjects) > 0 && w.plan.Ends == "" {
		w.say("research.ordered", with{"subjects": messages.And(subjects)})
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
		if asked := w.askedOfData(wish); asked != nil {
			if asked.Kind == research.WarehouseDiscovery {
				w.say("research.discovery", nil)
				continue
			}
			w.say("research.own-data-asked", with{"subject": w.subject(asked.Key, asked.Query)})
			continue
		}
		taken = append(taken, string(w.subject(wish.Key, wish.Query)))
	}
	if len(taken) == 0 {
		return
	}
	subject := messages.And(taken[:min(len(taken), maxNamed)])
	switch {
	case w.scene.Sourceless:
		w.say("research.sourceless", with{"subject": subject})
	case w.plan.Question == nil || w.plan.Question.Purpose == sessions.ToFinish:
		w.say("research.listed", with{"subject": subject})
	default:
		w.say("research.meanwhile", with{"subject": subject})
	}
}

// askedOfData returns the order that asks the person's own data for what they wish; nil if it is
// looked up elsewhere.
func (w *writer) askedOfData(wish chat.ResearchRequest) *research.Order {
	for i := range w.plan.Research.Orders {
		if o := &w.plan.Research.Orders[i]; o.Kind.OwnData() && o.Trigger == research.UserRequest && o.Key == wish.Key {
			return o
		}
	}
	return nil
}

// declined says why a wish is not looked up.
func (w *writer) declined(r research.DeclinedRequest) {
	subject := w.subject(r.Request.Key, r.Request.Query)
	switch r.Why {
	case research.Underway:
		w.say("research.underway", with{"subject": subject})
	case research.Known:
		i := slices.IndexFunc(w.scene.Research, func(f research.TaskSummary) bool { return f.ID == r.Had })
		if i >= 0 && !w.isNews(w.scene.Research[i]) {
			w.tidings(w.scene.Research[i])
		}
	case research.OwnSystems:
		if r.Data == nil || r.Data.None() {
			w.say("research.own-data", nil)
		} else {
			w.say("research.own-data-closed", with{"text": words(r.Data.In(w.l))})
		}
	case research.Unknowable:
		w.say("research.unknowable", with{"subject": subject})
	case research.TurnFull:
		w.say("research.turn-full", with{"subject": subject})
	case research.TooMany:
		w.say("research.too-many", with{"n": messages.Count(research.MaxOpen), "subject": subject})
	case research.UsedUp:
		w.say("research.used-up", with{"subject": subject})
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
	sides := make([]messages.Message, 2)
	for i, side := range c.Sides {
		value := with{"value": words(w.quotedAs(o, field.InWords(w.l, sessions.Currency{}, o.Template, side.Value)))}
		sides[i] = messages.Message{Key: "resolve.told", Args: value}
		if len(side.Evidence) == 0 {
			continue
		}
		switch e := side.Evidence[0]; e.Kind {
		case obligations.ResearchEvidence:
			sides[i].Key = "resolve.site"
			if value["site"] = words(chat.SiteName(e.Source)); chat.FromDocuments(e.Source) {
				sides[i].Key = "resolve.documents"
			}
		case obligations.Document:
			value["file"], sides[i].Key = words(chat.FileLabel(e.Source)), "resolve.file"
		default:
		}
	}
	return w.l.Text("resolve.sources", with{"label": w.named(o.Template), "first": sides[0], "second": sides[1]})
}

// maxSaid bounds what is said back of what a task is told, in runes.
const maxSaid = 120

// directedAs words what a task is told: "I will look at Germany only".
func directedAs(text string) (promise string, ok bool) {
	text = line(text, maxSaid)
	first, _, _ := strings.Cut(text, " ")
	if !language.IsWord("directing", first) {
		return text, false
	}
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(r)) + text[size:], true
}
