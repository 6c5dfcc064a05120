package language

import (
	"strconv"
	"strings"
)

// The periods of rates beside those of the lexicons: all days of a week, and those that are
// worked. Whoever says "a day" may mean either.
const (
	EveryDay     = "every-day"
	EveryWorkday = "workday"
)

// rate reads how often an amount comes, behind it: "a month", "pro Jahr", "monthly", "twice a week",
// "every other day", "on weekdays".
func (p *phrase) rate(f *Figure) {
	period, times, to := p.rateAt(f.To, f.Currency != "")
	if to == f.To {
		return
	}
	f.Period, f.Times, f.To = period, times, to
	if speed := map[string]string{"mi": "mph", "km": "km/h"}[f.Unit]; speed != "" && f.Period == "hour" {
		f.Unit, f.Period = speed, ""
	}
}

// rateAt reads how often something comes at word i: the period, and how often in it, 0 for once. A
// period alone is enough behind money. to is i where there is none.
func (p *phrase) rateAt(i int, money bool) (period string, times float64, to int) {
	times, to = p.often(i)
	if unit, each, end := p.every(to); end > to {
		period, times, to = unit, times*each, end
	} else {
		n := p.has("per", to)
		unit, k := p.value("period", to+n)
		if k == 0 || n == 0 && !p.adverbial(to) && (!money || len(p.at(to)) < 2) {
			return "", 0, i
		}
		period, to = unit, to+n+k
	}
	if times == 1 {
		times = 0
	}
	return period, times, to
}

// adverbial reports whether word i is a period that says how often: "weekly", "täglich".
func (p *phrase) adverbial(i int) bool {
	return p.has("period", i) > 0 && (strings.HasSuffix(p.at(i), "ly") || strings.HasSuffix(p.at(i), "lich"))
}

// often reads "twice" or "three times" at word i; once where it does not stand there.
func (p *phrase) often(i int) (times float64, to int) {
	if s, n := p.value("times", i); n > 0 {
		v, err := strconv.ParseFloat(s, 64)
		if err == nil {
			return v, i + n
		}
	}
	if v, to, ok := p.number(i); ok && p.has("multiple", to) > 0 {
		return v, to + p.has("multiple", to)
	}
	return 1, i
}

// every reads "every evening", "every other week", "alle zwei Wochen", "on weekdays" at word i:
// the period, and how often in it. to is i where there is none.
func (p *phrase) every(i int) (period string, times float64, to int) {
	if n := p.has("on-workdays", i); n > 0 {
		return EveryWorkday, 1, i + n
	}
	if n := p.has("in-dayparts", i); n > 0 {
		return "day", 1, i + n
	}
	n := p.has("every", i)
	if n == 0 {
		return "", 0, i
	}
	at, each := i+n, 1.0
	if k := p.has("alternate", at); k > 0 {
		each, at = 0.5, at+k
	} else if v, to, ok := p.number(at); ok && v > 1 && p.has("period", to) > 0 {
		each, at = 1/v, to
	}
	switch unit, k := p.value("period", at); {
	case p.has("workday", at) > 0:
		return EveryWorkday, each, at + p.has("workday", at)
	case p.has("daypart", at)+p.has("part-of-day", at) > 0, k > 0 && (unit == "day" || unit == "night"):
		return EveryDay, each, at + max(k, p.has("daypart", at), p.has("part-of-day", at))
	case k > 0:
		return unit, each, at + k
	}
	return "", 0, i
}

// furthestRate is how many words before a figure its rate stands at most: "each month we take in
// about 800".
const furthestRate = 7

// rateBefore reads how often an amount comes where that stands before it, in the same clause.
func (p *phrase) rateBefore(f *Figure) {
	if f.Period != "" || f.Ordinal || f.Percent {
		return
	}
	for i := f.From - 1; i >= max(0, f.From-furthestRate); i-- {
		if strings.Trim(p.at(i), ",.;:!?") == "" || p.has("digit", i) > 0 && p.has("every", i-1) == 0 {
			return
		}
		_, often := p.often(i)
		if period, times, to := p.rateAt(i, false); to > i && to <= f.From && (often > i || p.has("every", i)+p.has("on-workdays", i)+p.has("in-dayparts", i) > 0) {
			f.Period, f.Times, f.From = period, times, i
			return
		}
		if opens := i == 0 || strings.Trim(p.at(i-1), ",.;:!?") == ""; opens && p.adverbial(i) {
			f.Period, _ = p.value("period", i)
			f.From = i
			return
		}
	}
}
