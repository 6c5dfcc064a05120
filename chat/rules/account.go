package rules

import (
	"encoding/json"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/sessions"
)

// progress says how far the session is, in words.
func (w *writer) progress() {
	c := w.plan.Completeness
	settled := c.Satisfied + c.Skipped
	w.say("progress", with{"n": messages.Figure(settled), "far": messages.Message{Key: share(c.Progress)}})
	w.ahead()
}

// overview says what the interview is about and how long it takes, and how far it is once something is known.
func (w *writer) overview() {
	if w.plan.Completeness.Satisfied > 0 {
		w.progress()
		return
	}
	a := chat.AgendaOf(w.plan.List, w.plan.Question)
	parts := a.Ahead()
	if len(parts) == 0 {
		parts = w.open()
	}
	for i, p := range parts {
		parts[i] = w.l.Name(p)
	}
	if len(parts) == 0 {
		w.say("aside.how", nil)
		return
	}
	w.say("overview", with{"n": messages.Count(max(a.Minutes, 1)), "parts": w.some(parts, maxOverview)})
}

// maxOverview is how many parts or fields say what an interview is about.
const maxOverview = 6

// maxAhead is how many parts of the interview are named; there are rarely more.
const maxAhead = 4

// ahead says how long the rest will take and which parts it has, or names what is open of
// an interview without parts.
func (w *writer) ahead() {
	a := chat.AgendaOf(w.plan.List, w.plan.Question)
	parts := a.Ahead()
	for i, p := range parts {
		parts[i] = w.l.Name(p)
	}
	if a.Minutes == 0 || len(parts) == 0 {
		w.stillOpen(5)
		return
	}
	w.say("agenda", with{"n": messages.Count(a.Minutes), "parts": w.some(parts, maxAhead)})
	if a.Minutes >= longWay {
		w.sayOnce("progress.stop")
	}
}

// longWay is how many minutes are so many that one hears that they may stop.
const longWay = 8

// stillOpen names what is open, up to so many.
func (w *writer) stillOpen(most int) {
	if open := w.open(); len(open) > 0 {
		w.say("still-open", with{"labels": w.some(open, most)})
	}
}

// beginning is the progress below which there is hardly any.
const beginning = 0.02

// share is the message that words a fraction.
func share(f float64) string {
	for _, s := range []struct {
		below float64
		key   string
	}{{beginning, "share.beginning"}, {0.15, "share.tenth"}, {0.28, "share.quarter"}, {0.4, "share.third"}, {0.58, "share.half"}, {0.7, "share.two-thirds"}, {0.85, "share.three-quarters"}, {0.98, "share.nearly"}} {
		if f < s.below {
			return s.key
		}
	}
	return "share.all"
}

// open lists the names of what is neither known nor left out.
func (w *writer) open() []string {
	var out []string
	for i := range w.plan.List {
		if o := &w.plan.List[i]; !o.Resolved() {
			out = append(out, string(w.nameOf(o.Template)))
		}
	}
	return out
}

// some joins up to n items and counts the rest.
func (w *writer) some(items []string, n int) words { return words(w.l.AndMore(items, n)) }

// recall lists what is known so far.
func (w *writer) recall() {
	groups := w.known(w.shown) // they asked, so they hear it whole
	if len(groups) == 0 {
		w.say("recall.nothing", nil)
		return
	}
	w.say("recall", nil)
	var lines []string
	for _, g := range groups {
		lines = append(lines, g.lines...)
	}
	w.paragraph(strings.Join(lines, "\n"))
}

// recallAsked answers a question what is noted: with the one value it is about, or with all of them.
func (w *writer) recallAsked(r chat.Remark) {
	o := w.find(r.Key)
	if o == nil && r.Unknown {
		w.say("recall.not-that", nil)
		return
	}
	if o == nil {
		o = w.find(w.plan.Understanding.About)
		if o != nil && w.wasAsked(o.Key) {
			o = nil
		}
	}
	switch {
	case o == nil:
		w.recall()
	case o.Value == nil:
		w.say("recall.nothing-for", with{"label": w.named(o.Template)})
	case w.saysFigure(w.scene.Message, o):
		w.say("recall.yes", with{"stated": words(w.noteOf(o, plainLine(w.shown(o))))})
	default:
		w.say("recall.one", with{"stated": words(w.noteOf(o, plainLine(w.shown(o))))})
	}
}

// saysFigure reports whether a text has the figure that o holds.
func (w *writer) saysFigure(text string, o *obligations.Obligation) bool {
	var held float64
	if o.Widget != obligations.Number || json.Unmarshal(o.Value, &held) != nil {
		return false
	}
	return slices.ContainsFunc(language.NewReader(w.l.Tag()).Figures(language.Words(text)), func(f language.Figure) bool { return f.Low == held })
}

// memoryAsked is the first question of the message what is noted.
func (w *writer) memoryAsked() chat.Remark {
	for _, r := range w.plan.Understanding.Beside {
		if r.Intent == chat.AskMemory {
			return r
		}
	}
	return chat.Remark{}
}

// group is the values of one category.
type group struct {
	category string
	lines    []string
}

// known groups the values held by category, in the order of the objective, each as value words it.
func (w *writer) known(value func(*obligations.Obligation) string) []group {
	var out []group
	for _, o := range inSummary(w.plan.List) {
		if n := len(out); n == 0 || out[n-1].category != o.Category {
			out = append(out, group{category: o.Category})
		}
		n := len(out) - 1
		key := "held"
		if o.Status != obligations.Satisfied {
			key = "held.uncertain"
		}
		line := w.l.Text(key, with{"label": words("**" + plainLine(o.Name()) + "**"), "value": words(plainLine(value(o)))})
		out[n].lines = append(out[n].lines, "- "+line)
	}
	return out
}

// summary lists the values by category and names what is open; for who has little time or
// strength it is a sentence.
func (w *writer) summary() {
	if w.brief() {
		w.recap()
		return
	}
	groups := w.known(func(o *obligations.Obligation) string { return chat.FirstWords(w.shown(o), maxRecapped) })
	if len(groups) > 0 {
		w.say("summary", nil)
	}
	for _, g := range groups {
		text := strings.Join(g.lines, "\n")
		if g.category != "" && len(groups) > 1 {
			text = "**" + plainLine(g.category) + "**\n\n" + text
		}
		w.paragraph(text)
	}
	w.stillOpen(6)
}

// maxRecapped is how many words of each value the summary has.
const maxRecapped = 12

// farewell closes the turn that ends or pauses the session.
func (w *writer) farewell() {
	switch w.plan.Ends {
	case sessions.EndCompleted:
		if missing := w.missing(); len(missing) > 0 {
			w.say("end.without", with{"labels": w.some(missing, 3)})
		} else if len(w.open()) > 0 { // not everything, but all that is required
			w.say("end.enough", nil)
		} else {
			w.say("end.complete", nil)
		}
		w.learnt()
	case sessions.EndLeft:
		w.say("end.left", nil)
	case sessions.EndRefused:
		w.say("end.refused", nil)
	case sessions.EndHandedOver:
		if w.scene.Session.StopReason == sessions.EndHandedOver {
			w.say("end.handed-over-again", nil)
		} else {
			w.say("end.handed-over", nil)
		}
	case sessions.EndBudget:
		w.say("end.budget", nil)
	case sessions.EndError:
		w.say("end.error", nil)
	}
	if w.plan.Ends != sessions.EndLeft && w.plan.Ends != sessions.EndRefused { // who leaves is not told what is missing
		w.stillOpen(5)
	}
	if w.plan.Ends == sessions.EndCompleted {
		w.say("end.next", nil)
	}
}

// missing names the required points that are not known.
func (w *writer) missing() []string {
	var out []string
	for _, key := range w.plan.Completeness.MissingKeys {
		if o := w.find(key); o != nil {
			out = append(out, string(w.named(o.Template)))
		}
	}
	return out
}

// inSummary returns what a summary of list shows, line by line: by category, in the
// order of the objective.
func inSummary(list []obligations.Obligation) []*obligations.Obligation {
	var out []*obligations.Obligation
	at := map[string]int{}
	for i := range list {
		o := &list[i]
		if o.Value == nil || o.Status == obligations.Skipped {
			continue
		}
		if _, ok := at[o.Category]; !ok {
			at[o.Category] = len(at)
		}
		out = append(out, o)
	}
	slices.SortStableFunc(out, func(a, b *obligations.Obligation) int { return at[a.Category] - at[b.Category] })
	return out
}
