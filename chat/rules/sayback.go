package rules

import (
	"encoding/json"
	"slices"
	"strings"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
)

// sayAnswer says back the answer to the one thing that was asked a moment ago, and so without
// its name: a figure or a date as it was understood, a choice by its words, a short text in the
// person's own.
func (w *writer) sayAnswer(o *obligations.Obligation) {
	value := words(plainLine(w.shown(o)))
	switch {
	case len(o.Choices) > 0:
		w.sayChoice(o)
	case o.Widget == obligations.Text:
		w.sayText(o)
	case rough(o):
		w.say("noted.rough", with{"what": value})
	default:
		w.say("noted.figure", with{"what": value})
	}
}

// sayText says a free text back in a few words, every other time at most: whoever hears each
// answer again hears a parrot.
func (w *writer) sayText(o *obligations.Obligation) {
	g := words(w.gist(o))
	if o.Vague() && slices.Contains(w.plan.Question.Keys(), o.Key) {
		w.say("doubt.vague", nil)
		return
	}
	if g == "" || !language.StandsAlone(w.l.Tag(), string(g)) || w.addressed(o) || w.hurried() || w.saidBackLast() || len(strings.Fields(w.scene.Message)) > maxEchoed {
		w.sayTakenIn()
		return
	}
	w.say("noted.said", with{"what": g})
}

// addressed reports whether a text speaks to whoever asks: "put it where you like" is said to them.
func (w *writer) addressed(o *obligations.Obligation) bool {
	return slices.ContainsFunc(language.Words(field.Text(o.Value)), func(word language.Word) bool { return language.IsWord("addressing", word.Text) })
}

// maxEchoed is from how many words on a message is no longer told by a few of them.
const maxEchoed = 25

// saidBackLast reports whether the reply before said an answer back.
func (w *writer) saidBackLast() bool {
	last := w.scene.LastReply()
	return last != nil && slices.ContainsFunc(w.l.Wordings("noted.said", nil, w.manner()), func(c messages.Wording) bool { return c.SaidIn(last.Content) })
}

// sayTakenIn says only that an answer was heard. Who likes it short hears the next question at
// once, and so does who was met with a word already.
func (w *writer) sayTakenIn() {
	if len(w.pieces) == 0 && !w.hurried() {
		w.say("noted.bare", nil)
	}
}

// maxChoiceWords is how many words of a choice are said as if they were the person's own.
const maxChoiceWords = 3

// sayChoice says what a choice was taken for, unless it is a yes or a no, which needs no saying.
func (w *writer) sayChoice(o *obligations.Obligation) {
	shown := plainLine(w.shown(o))
	switch short := len(strings.Fields(shown)) <= maxChoiceWords; {
	case o.Widget != obligations.MultiSelect && (o.Pick(field.Text(o.Value)) == nil || field.IsYesNo(o.Template)):
		w.sayTakenIn()
	case short || w.saidInMessage(shown):
		w.say("noted.figure", with{"what": words(w.l.Name(shown))})
	default:
		w.say("noted.choice", with{"what": words(w.l.Quoted(shown))})
	}
}

func (w *writer) saidInMessage(text string) bool {
	return strings.Contains(strings.ToLower(w.scene.Message), strings.ToLower(text))
}

// rough reports whether o holds one figure that was said with doubt.
func rough(o *obligations.Obligation) bool {
	var n float64
	if o.Widget != obligations.Number || json.Unmarshal(o.Value, &n) != nil || len(o.Evidence) == 0 {
		return false
	}
	g := o.Evidence[len(o.Evidence)-1].Grade
	return g != nil && g.Hedged
}

// sayDated says that words may mean another day than was taken, or that of several months one was.
func (w *writer) sayDated(list []obligations.Change) {
	for i := range list {
		o := &list[i].After
		if o.Widget != obligations.Date || len(o.Evidence) == 0 {
			continue
		}
		quote := o.Evidence[len(o.Evidence)-1].Quote
		for _, d := range language.NewReader(w.l.Tag()).Dates(language.Words(quote), w.scene.Now, language.Ahead) {
			switch {
			case d.Other != "":
				w.say("doubt.date", with{"day": words(w.l.Date(d.Other))})
				return
			case d.Through != "" && field.Text(o.Value) == d.Through:
				w.say("doubt.period", nil)
				return
			}
		}
	}
}

// wholePeriods are the messages for a period as a whole, "a whole week".
var wholePeriods = map[string]string{
	"day": "period.whole.day", "week": "period.whole.week", "fortnight": "period.whole.fortnight", "month": "period.whole.month", "quarter": "period.whole.quarter", "year": "period.whole.year",
}

// sayConverted says what a figure was worked out for that was said for another length
// of time.
func (w *writer) sayConverted(list []obligations.Change) {
	for i := range list {
		if o := &list[i].After; o.Widget == obligations.Number && len(o.Evidence) > 0 && w.wasConverted(o) {
			said := field.Clip(o.Evidence[len(o.Evidence)-1].Quote, maxStated)
			w.say("doubt.converted", with{"said": messages.Quote(said), "period": messages.Message{Key: wholePeriods[field.Period(o.Template)]}})
			return
		}
	}
}

// wasConverted reports whether the latest quote of o gives its figure for another length
// of time than is asked.
func (w *writer) wasConverted(o *obligations.Obligation) bool {
	quote := o.Evidence[len(o.Evidence)-1].Quote
	return slices.ContainsFunc(language.NewReader(w.l.Tag()).Figures(language.Words(quote)), func(f language.Figure) bool {
		_, _, same, ok := field.OfPeriod(o.Template, &f)
		return ok && !same
	})
}
