package rules

import (
	"strings"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
)

// progress says how far the session is, in words.
func (w *writer) progress() {
	c := w.plan.Completeness
	settled := c.Satisfied + c.Skipped
	far := share(c.Progress)
	if c.Progress >= beginning && far != share(float64(settled)/float64(max(c.Total, 1))) {
		far = "which by their weight is " + far
	}
	w.say("%s of %s points are settled, %s.", figureOrWord(settled), figure(float64(c.Total)), far)
	if open := w.open(); len(open) > 0 {
		w.say("Still open: %s.", some(open, 5))
	}
}

func figureOrWord(n int) string {
	if n == 0 {
		return "None"
	}
	return figure(float64(n))
}

// beginning is the progress below which there is hardly any.
const beginning = 0.02

// share words a fraction.
func share(f float64) string {
	for _, s := range []struct {
		below float64
		words string
	}{{beginning, "so we are at the very beginning"}, {0.15, "about a tenth"}, {0.28, "about a quarter"}, {0.4, "about a third"}, {0.58, "about half"}, {0.7, "about two thirds"}, {0.85, "about three quarters"}, {0.98, "nearly all"}} {
		if f < s.below {
			return s.words
		}
	}
	return "all of it"
}

// open lists the names of what is neither known nor left out.
func (w *writer) open() []string {
	var out []string
	for i := range w.plan.List {
		if o := &w.plan.List[i]; !o.Resolved() {
			out = append(out, lower(o.Name()))
		}
	}
	return out
}

// some joins up to n items and counts the rest.
func some(items []string, n int) string {
	if len(items) <= n+1 {
		return list(items, "and")
	}
	return strings.Join(items[:n], ", ") + " and " + count(len(items)-n) + " more"
}

// recall lists what is known so far.
func (w *writer) recall() {
	groups := w.known()
	if len(groups) == 0 {
		w.say("So far I have nothing noted.")
		return
	}
	w.say("Here is what I have so far:")
	var lines []string
	for _, g := range groups {
		lines = append(lines, g.lines...)
	}
	w.paragraph(strings.Join(lines, "\n"))
	if beside := chat.Recall(w.scene.Memory, w.label); len(beside) > 0 {
		w.paragraph(toYou.Replace(strings.Join(beside, " ")))
	}
}

// recallOne says what is held of the one thing the person asks about, and reports
// whether there is one.
func (w *writer) recallOne() bool {
	o := w.find(w.plan.Understanding.About)
	if o == nil || w.wasAsked(o.Key) {
		return false
	}
	if o.Value == nil {
		w.say("I have nothing noted for %s yet.", named(o.Template))
		return true
	}
	w.say("This is what I have: %s.", statement(o))
	return true
}

// toYou turns what is noted about the person into words to them.
var toYou = strings.NewReplacer("”: the person was ", "”: you were ", "”: the person wants ", "”: you want ", "”: the person ", "”: you ")

// label is the name of an obligation; "" for a key that is none.
func (w *writer) label(key string) string {
	if o := w.find(key); o != nil {
		return o.Name()
	}
	return ""
}

// group is the values of one category.
type group struct {
	category string
	lines    []string
}

// known groups the values held by category, in the order of the objective.
func (w *writer) known() []group {
	var out []group
	for _, o := range inSummary(w.plan.List) {
		if n := len(out); n == 0 || out[n-1].category != o.Category {
			out = append(out, group{category: o.Category})
		}
		n := len(out) - 1
		line := "- **" + plainLine(o.Name()) + "**: " + plainLine(shown(o))
		if o.Status != obligations.Satisfied {
			line += " (not certain yet)"
		}
		out[n].lines = append(out[n].lines, line)
	}
	return out
}

// summary lists the values by category and names what is open.
func (w *writer) summary() {
	groups := w.known()
	if len(groups) > 0 {
		w.say("Here is what I have noted:")
	}
	for _, g := range groups {
		text := strings.Join(g.lines, "\n")
		if g.category != "" && len(groups) > 1 {
			text = "**" + plainLine(g.category) + "**\n\n" + text
		}
		w.paragraph(text)
	}
	if open := w.open(); len(open) > 0 {
		w.say("Still open: %s.", some(open, 6))
	}
}

// farewell closes the turn that ends or pauses the session.
func (w *writer) farewell() {
	switch w.plan.Ends {
	case sessions.EndCompleted:
		if missing := w.missing(); len(missing) > 0 {
			w.say("Thank you. I have closed it without %s, as you wish.", some(missing, 3))
		} else if len(w.open()) > 0 { // not everything, but all that is required
			w.sayOne([]string{"Thank you, that is enough to go on with.", "Thank you, what is needed is there."})
		} else {
			w.sayOne([]string{"Thank you, that completes it.", "Thank you, that is everything I need."})
		}
		w.say("%s points are settled and ready to be used.", figureOrWord(w.plan.Completeness.Satisfied))
	case sessions.EndLeft:
		w.sayOne([]string{"Of course, let us stop here. Everything is kept, and we can go on whenever you like.", "All right, we stop here. Nothing is lost; just write again when you want to go on."})
	case sessions.EndRefused:
		w.say("I understand, and I will not press you. I will leave it as it is.")
	case sessions.EndHandedOver:
		if w.scene.Session.StopReason == sessions.EndHandedOver {
			w.say("I have nothing more to ask. A reviewer goes on from here; if you want to add something, just write it.")
		} else {
			w.say("I have asked what I can. A reviewer will look at what is still open and go on from here.")
		}
	case sessions.EndBudget:
		w.say("We have used up the questions set aside for this conversation. Everything is kept.")
	case sessions.EndError:
		w.say("I have to stop here for now. Everything is kept.")
	}
	if open := w.open(); len(open) > 0 {
		w.say("Still open: %s.", some(open, 5))
	}
}

// missing names the required points that are not known.
func (w *writer) missing() []string {
	var out []string
	for _, key := range w.plan.Completeness.MissingKeys {
		if o := w.find(key); o != nil {
			out = append(out, named(o.Template))
		}
	}
	return out
}
