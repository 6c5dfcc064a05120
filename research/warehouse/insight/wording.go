package insight

import (
	"math"
	"strings"

	"quaestor/internal/language"
)

// recordsOf is what the records of a table are called, given its name as people say it: orders, or weather records.
func recordsOf(say string) string {
	switch {
	case strings.HasSuffix(say, "s") && !strings.HasSuffix(say, "ss") && !strings.HasSuffix(say, "us"), strings.HasSuffix(say, "en"), strings.HasSuffix(say, "people"):
		return say
	}
	return say + " records"
}

// isPlural reports whether one says "have" of what is named so.
func isPlural(say string) bool {
	return strings.HasSuffix(say, "s") && !strings.HasSuffix(say, "ss") && !strings.HasSuffix(say, "us") || strings.HasSuffix(say, "en")
}

// perfect is a verb in the perfect that agrees with a subject.
func perfect(subject, verb string) string {
	if isPlural(subject) {
		return "have " + verb
	}
	return "has " + verb
}

// was is the past of to be that agrees with a subject.
func was(subject string) string {
	if isPlural(subject) {
		return "were"
	}
	return "was"
}

// span is the time for which an amount per time is told: so long that there is more than one in it.
type span struct {
	days float64
	word string
	unit Unit
}

var (
	perDay   = span{1, "day", PerDay}
	perWeek  = span{7, "week", PerWeek}
	perMonth = span{30, "month", PerMonth}
)

// spanOf is the span for what happens so often a day.
func spanOf(perDayRate float64) span {
	switch {
	case perDayRate <= 0 || perDayRate >= 1:
		return perDay
	case perDayRate*perWeek.days >= 1:
		return perWeek
	}
	return perMonth
}

// scale writes an expression per day as one per span.
func (p span) scale(expr string) string {
	if p.days == 1 {
		return expr
	}
	return point(p.days) + " * (" + expr + ")"
}

// rated is the span in which a change of a count is told; per day of everything else.
func (k *candidate) rated() span {
	if k.v.m.kind != counted {
		return perDay
	}
	of := k.cube.all
	if k.cell != nil {
		of = k.cell
	}
	a, _, ad := k.sum(of, k.in)
	b, _, bd := k.sum(of, k.before)
	return spanOf(min(a/max(ad, 1), b/max(bd, 1)))
}

// unitOf is the unit of the figures of a measure that is told per span.
func (m *measure) unitOf(p span) Unit {
	if u := m.unit(); u != PerDay {
		return u
	}
	return p.unit
}

// does says of records that a share counts them: "have no coupon code". It is empty for a share whose meaning only
// its name tells.
type does struct{ now, then string }

// doesMissing, doesDated, doesValue and doesFlag are the verbs of the shares that are made of columns.
func doesMissing(say string) does { return does{"have no " + say, "had no " + say} }

func doesDated(say string) does {
	return does{"have a date for “" + say + "”", "had a date for “" + say + "”"}
}

func doesValue(condition string) does { return does{"have " + condition, "had " + condition} }

func doesFlag(say string) does {
	switch rest, ok := strings.CutPrefix(flagged(say), " that have "); {
	case ok:
		return does{"have " + rest, "had " + rest}
	default:
		rest, _ = strings.CutPrefix(flagged(say), " that are ")
		return does{"are " + rest, "were " + rest}
	}
}

// moved is how a share went: up or down from what it was.
func moved(d float64) string {
	if d < 0 {
		return "down from"
	}
	return "up from"
}

// sentences words a change. mix is the dimension whose mix of values explains it, if one does.
func (s *source) sentences(out *Insight, k *candidate, mix *part, per span) {
	m, seg := k.v.m, k.segment()
	lasting := s.lasting(k.in)
	subject := language.UpperFirst(m.say) + seg.said()
	others := "all other " + s.fact.noun
	_, rest := figureOf(out.Figures, "rest_was")
	switch {
	case mix != nil:
		out.Kind = Shift
		out.Headline = s.levelled(k, subject) + ", because the share of " + mix.said() + " changed"
		out.Text = subject + " went from {{was}} to {{now}}. Within each " + mix.d.name() + " little changed; what changed is how many " + s.fact.noun + " each has."
	case m.kind == counted && s.shifted(k):
		out.Kind = Shift
		out.Headline = "From {{from}} to {{until}}, " + s.fact.noun + seg.said() + " made up {{share_now}} of all " + s.fact.noun
		if lasting {
			out.Headline = "Since {{from}}, " + s.fact.noun + seg.said() + " have made up {{share_now}} of all " + s.fact.noun
		}
		out.Headline += ", " + moved(k.size) + " {{share_was}}"
		out.Text = "There were {{now}} " + s.fact.noun + seg.said() + " a " + per.word + " in the period, and {{was}} before. Of " + others + " there were {{rest_now}} a " + per.word + ", and {{rest_was}} before: the whole changed less than the mix."
	case m.kind == counted:
		s.sentencesOfCount(out, k, per)
	case m.kind.isShare() && m.does.now != "":
		out.Headline = "From {{from}} to {{until}}, {{now}} of " + s.fact.noun + seg.said() + " " + m.does.then
		if lasting {
			out.Headline = "Since {{from}}, {{now}} of " + s.fact.noun + seg.said() + " " + m.does.now
		}
		out.Headline += ", " + moved(k.size) + " {{was}}"
		out.Text = "That is a difference of {{change}}."
		if rest {
			out.Text += " Among " + others + " it went from {{rest_was}} to {{rest_now}}."
		}
	default:
		out.Headline = s.levelled(k, subject)
		each := ""
		if m.kind == summed {
			each = " a day"
		}
		out.Text = "It was {{now}}" + each + " in the period, and {{was}}" + each + " before."
		if m.kind.isShare() {
			out.Text += " That is a difference of {{change}}."
		}
		if rest {
			out.Text += " For " + others + " it went from {{rest_was}} to {{rest_now}}" + each + "."
		}
	}
	if k.mirror != nil {
		out.Text += " At the same time, the share of " + s.fact.noun + k.mirror.segment().said() + " went from {{other_was}} to {{other_now}}."
	}
	if k.onset.days() > surelyDated {
		out.Text += " It began on a day from {{onset_from}} to {{onset_until}}."
	}
	if _, ok := s.most[columnOf(m)]; ok {
		out.Text += " Outliers of " + m.col.say + " are left out."
	}
	out.Text += " The period is compared with the days from {{before_from}} to {{before_until}}."
	if m.kind == dated {
		out.Text += " Records too recent to have their date yet are left out."
	}
	out.Key = key(string(out.Kind), s.fact.ref, m.key, seg)
}

// sentencesOfCount words a change of how many records there are.
func (s *source) sentencesOfCount(out *Insight, k *candidate, per span) {
	seg := k.segment()
	word := "more "
	if k.size < 0 {
		word = "fewer "
	}
	out.Headline = "From {{from}} to {{until}}, there were {{change}} " + word + s.fact.noun + seg.said() + " than before"
	if s.lasting(k.in) {
		out.Headline = "Since {{from}}, there have been {{change}} " + word + s.fact.noun + seg.said() + " than before"
	}
	out.Text = "There were {{now}} a " + per.word + " in the period, and {{was}} before."
	if len(seg) > 0 {
		out.Text += " Of all other " + s.fact.noun + " there were {{rest_now}} a " + per.word + ", and {{rest_was}} before."
	}
	now, ok := figureOf(out.Figures, "sum_now")
	if was, _ := figureOf(out.Figures, "sum_was"); ok && now >= 1 && was >= 1 {
		out.Text += " " + language.UpperFirst(s.mainSum().say) + " went from {{sum_was}} to {{sum_now}} a day."
	}
}

// levelled says that a level rose or fell: of an average, a sum, or a share that has a name of its own.
func (s *source) levelled(k *candidate, subject string) string {
	fallen, lower := "risen", "higher"
	if k.size < 0 {
		fallen, lower = "fallen", "lower"
	}
	m := k.v.m
	if m.kind.isShare() {
		if s.lasting(k.in) {
			return subject + " has " + fallen + " to {{now}} since {{from}}, from {{was}}"
		}
		return subject + " was {{now}} from {{from}} to {{until}}, " + moved(k.size) + " {{was}}"
	}
	if s.lasting(k.in) {
		return subject + " " + perfect(m.say, fallen) + " by {{change}} since {{from}}"
	}
	return subject + " " + was(m.say) + " {{change}} " + lower + " from {{from}} to {{until}} than before"
}

// turned says how something went before a day and since.
func turned(subject, say string, before, after float64, day string) string {
	now := map[string]string{"rose": perfect(say, "risen"), "fell": perfect(say, "fallen"), "level": perfect(say, "been level")}
	first := course(before)
	if first == "level" {
		first = was(say) + " level"
	}
	return subject + " " + first + " until " + day + " and " + now[course(after)] + " since"
}

// hastened says that something goes the same way as before, but faster or more slowly.
func hastened(subject, say string, after float64, faster bool, day string) string {
	verb := map[string]string{"rose": "risen", "fell": "fallen", "level": "been level"}[course(after)]
	pace := "more slowly"
	if faster {
		pace = "faster"
	}
	return subject + " " + perfect(say, verb) + " " + pace + " since " + day + " than before"
}

// course says which way something went, given the logarithm of its ratio: rose, fell or level.
func course(v float64) string {
	switch {
	case v > 0.05:
		return "rose"
	case v < -0.05:
		return "fell"
	default:
		return "level"
	}
}

// decimals is how many digits behind the point a small number needs for three that say something.
func decimals(v float64) int {
	if v == 0 {
		return 0
	}
	return min(max(2-int(math.Floor(math.Log10(math.Abs(v)))), 0), 9)
}
