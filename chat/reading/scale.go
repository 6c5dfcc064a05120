package reading

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/obligations"
)

// bareFigure is a message's figure without a word or sign for its scale.
var bareFigure = regexp.MustCompile(`\d+(?:[.,]\d+)?`)

// sameScale takes a figure that replaces another for one of the same scale: who said "5 grand"
// and then "make that 6" means six thousand.
func (r *reader) sameScale() {
	for i := range r.out.Findings {
		f := &r.out.Findings[i]
		o := r.find(f.Key)
		if f.Act != obligations.Correct || o == nil || o.Widget != obligations.Number || len(o.Evidence) == 0 {
			continue
		}
		factor := scaleOf(o)
		v, isNumber := field.Upper(f.Value)
		held, wasNumber := field.Upper(o.Value)
		if factor < 1000 && int64(held)%1000 == 0 {
			factor = 1000 // "3000", then "rather 5"
		}
		if factor < 1000 || !isNumber || !wasNumber || v >= held/20 || v*factor > 4*held || v*factor < held/4 || !r.bareIn(f.Evidence.Quote, v) {
			continue
		}
		if scaled := field.Encode(v * factor); o.Check(scaled) == nil {
			f.Value = scaled
		}
	}
}

// dropImprobable drops what cannot be meant: a day gone by for one to come, and a bare figure
// of less than a hundredth in place of a sum of money.
func (r *reader) dropImprobable() {
	r.out.Findings = slices.DeleteFunc(r.out.Findings, func(f obligations.Finding) bool {
		o := r.find(f.Key)
		if o == nil || f.Value == nil || f.Act != obligations.Tell && f.Act != obligations.Correct {
			return false
		}
		if o.Widget == obligations.Date {
			day, now := field.Text(f.Value), r.scene.Now.Format(time.DateOnly)
			if r.confirming(o) {
				return field.LooksAhead(o.Template) && day < now[:len("2006")] // what is put right may be a day of this year that is over
			}
			return field.LooksAhead(o.Template) && day < now[:min(len(day), len(now))]
		}
		if !o.Closed() && r.confirming(o) && r.figureFirst(field.Text(f.Value)) && !r.figureFirst(field.Text(o.Value)) && !r.has("no") && !r.has("not") && !r.has("amend") {
			return true // "two. well, three in July" is no goal
		}
		v, isNumber := field.Upper(f.Value)
		held, wasNumber := field.Upper(o.Value)
		return o.Unit == "money" && f.Act == obligations.Correct && isNumber && wasNumber && held >= 1000 && v > 0 && v < held/100 && r.bareIn(f.Evidence.Quote, v)
	})
}

// figuresIn returns the figures among some words.
func (r *reader) figuresIn(words []language.Word) []language.Figure {
	return language.NewReader(r.language()).Figures(words)
}

// figureFirst reports whether a text begins with a figure.
func (r *reader) figureFirst(s string) bool {
	words := language.Words(s)
	figures := r.figuresIn(words)
	return len(figures) > 0 && figures[0].From == 0 && !language.IsWord("article", words[0].Text)
}

// scaleOf returns how many times larger what o holds is than the figure that was said for it:
// 1000 for "5 grand", 1 where it was said in full.
func scaleOf(o *obligations.Obligation) float64 {
	held, ok := field.Upper(o.Value)
	said, err := strconv.ParseFloat(strings.ReplaceAll(bareFigure.FindString(o.Evidence[len(o.Evidence)-1].Quote), ",", ""), 64)
	if !ok || err != nil || said <= 0 {
		return 1
	}
	return held / said
}

// bareIn reports whether a figure stands in words as it is, with no word of its scale.
func (r *reader) bareIn(words string, v float64) bool {
	figures := r.figuresIn(language.Words(words))
	return len(figures) == 1 && figures[0].Low == v && figures[0].Currency == "" && figures[0].Unit == ""
}

// timeLeft drops the time that somebody has left before they go: "fifteen minutes, then I
// must go" tells nothing of the interview's subject. "Six hours a week, bye" is an answer.
func (r *reader) timeLeft() {
	if r.out.Intent != chat.Leave || r.count() > longestGoodbye || !r.has("countdown") {
		return
	}
	r.out.Findings = slices.DeleteFunc(r.out.Findings, func(f obligations.Finding) bool {
		figures := r.figuresIn(language.Words(f.Evidence.Quote))
		return len(figures) == 1 && language.IsTime(figures[0].Unit) && figures[0].Period == ""
	})
}

// longestGoodbye bounds such a message, in words.
const longestGoodbye = 14
