package claims

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/obligations"
)

// Answer makes a value for o of the claims, without a model. It returns the
// numbers of the claims it rests on; ok is false when no honest value can be had:
// the claims are silent, contradicted, or say several things. The value always
// passes o's own check.
func Answer(o *obligations.Obligation, list []Claim) (value json.RawMessage, used []int, ok bool) {
	if o == nil || o.Template == nil {
		return nil, nil, false
	}
	var v any
	switch voices := voicesOf(list); o.Widget {
	case obligations.Number:
		v, used = numberOf(o.Template, voices)
	case obligations.Date:
		v, used = dateOf(voices)
	case obligations.ChoiceOne:
		v, used = choiceOf(o.Template, voices)
	case obligations.MultiSelect:
		v, used = choicesOf(o.Template, voices)
	case obligations.Text:
		v, used = textOf(voices)
	}
	if len(used) == 0 {
		return nil, nil, false
	}
	value, err := json.Marshal(v)
	if err != nil || o.Check(value) != nil {
		return nil, nil, false
	}
	return value, used, true
}

// voice is a claim that was read.
type voice struct {
	*Claim
	p *passage
}

// disputed reports whether another claim says otherwise.
func (v voice) disputed() bool { return len(v.Against) > 0 }

// voicesOf reads the claims, the best first.
func voicesOf(list []Claim) []voice {
	out := make([]voice, len(list))
	for i := range list {
		out[i] = voice{&list[i], read(list[i].Text)}
		out[i].p.date(list[i].Figures)
	}
	slices.SortStableFunc(out, func(a, b voice) int { return cmp.Compare(b.Rank, a.Rank) })
	return out
}

// reckoned is the number one claim gives.
type reckoned struct {
	voice
	low, high float64
	unit      string
	when      string
}

// numberOf returns the number that the best claims agree on, or the range.
func numberOf(t *obligations.Template, voices []voice) (any, []int) {
	var list []reckoned
	latest := 0
	for _, v := range voices {
		if r, ok := v.reckon(t); ok {
			list = append(list, r)
			latest = max(latest, lastYear(r.when))
		}
	}
	list = slices.DeleteFunc(list, func(r reckoned) bool { return r.when != "" && lastYear(r.when) < latest })
	if len(list) == 0 {
		return nil, nil
	}
	best, used, against := list[0], []int(nil), 0.0
	for _, r := range list {
		switch {
		case r.unit == best.unit && alikeNumbers(r, best):
			if r.disputed() {
				return nil, nil
			}
			used = append(used, r.N)
		case r.Source != best.Source || r.disputed():
			against += r.Rank
		default:
			return nil, nil
		}
	}
	if against > best.Rank/2 {
		return nil, nil
	}
	if best.low < best.high {
		return obligations.Range{Min: best.low, Max: best.high}, used
	}
	return best.low, used
}

func alikeNumbers(a, b reckoned) bool {
	return math.Abs(a.low-b.low) <= sameFigures*math.Abs(b.low) && math.Abs(a.high-b.high) <= sameFigures*math.Abs(b.high)
}

// reckon returns the one number of v that t asks for; false when it gives none,
// several, or a mere bound or forecast.
func (v voice) reckon(t *obligations.Template) (reckoned, bool) {
	units := templateUnits(t.Unit)
	growth := asksGrowth(t)
	var found []reckoned
	for i := range v.p.figures {
		f := &v.p.figures[i]
		factor, ok := v.p.factor(f, t.Unit, units)
		if !ok || f.bound != 0 || f.ordinal || f.ambiguous || f.role == 'f' || f.move != 0 && !(growth && f.move > 0) || f.move == 0 && growth && len(v.p.figures) > 1 {
			continue
		}
		r := reckoned{v, f.Value * factor, f.Value * factor, f.Unit, f.When}
		if n := len(found); f.high && n > 0 && v.p.figures[i-1].low {
			found[n-1].high = r.high
			continue
		}
		found = append(found, r)
	}
	if v.p.doubted(nil) || len(found) == 0 {
		return reckoned{}, false
	}
	last := slices.MaxFunc(found, func(a, b reckoned) int { return cmp.Compare(lastYear(a.when), lastYear(b.when)) })
	for _, r := range found {
		if r.low != last.low && lastYear(r.when) == lastYear(last.when) {
			return reckoned{}, false
		}
	}
	return last, true
}

// asksGrowth reports whether t asks for a change rather than a level.
func asksGrowth(t *obligations.Template) bool {
	return slices.ContainsFunc(stems(t.Prompt+" "+t.Label+" "+strings.ReplaceAll(t.Key, "_", " ")), func(s string) bool { return axes[s].name == "direction" })
}

// people are counts of persons, which "people" takes all of.
var persons = []string{"people", "employees", "staff", "workers", "residents", "inhabitants"}

// templateUnits returns the units of figures that a template's unit takes; nil
// for any.
func templateUnits(unit string) []string {
	switch u := strings.ToLower(strings.TrimSpace(unit)); {
	case u == "":
		return nil
	case u == "money":
		return []string{"money"}
	case currencyCodes[strings.ToUpper(u)] != "":
		return []string{strings.ToUpper(u)}
	case currencySigns[u] != "":
		return []string{currencySigns[u]}
	case u == "people" || u == "persons":
		return persons
	case unitWords[u] != "":
		return []string{unitWords[u]}
	case u == "%" || u == "per cent":
		return []string{"%"}
	case counted[language.Stem(u)] != "":
		return []string{counted[language.Stem(u)]}
	default:
		return []string{u}
	}
}

// fits reports whether a figure's unit is among units.
func fits(unit string, units []string) bool {
	return slices.Contains(units, unit) || slices.Contains(units, "money") && money(unit) && !strings.Contains(unit, "/")
}

// sizes are units of time in terms of another; months and days do not convert.
var sizes = map[string]struct {
	base string
	n    float64
}{"month": {"month", 1}, "quarter": {"month", 3}, "year": {"month", 12}, "decade": {"month", 120}, "second": {"second", 1}, "minute": {"second", 60}, "hour": {"second", 3600}, "day": {"second", 86400}, "week": {"second", 604800}}

// factor returns what turns f into the template's unit, and whether it can be.
func (p *passage) factor(f *figure, name string, units []string) (float64, bool) {
	if units == nil {
		return 1, f.Unit == "" || !physical(f.Unit)
	}
	if fits(f.Unit, units) {
		return 1, true
	}
	from, to := sizes[f.Unit], sizes[units[0]]
	if from.n > 0 && from.base == to.base {
		return from.n / to.n, true
	}
	noun := p.stem(f.to)
	return 1, f.Unit == "" && noun != "" && noun == language.Stem(strings.ToLower(name))
}

// dateOf returns the date that the best claims agree on.
func dateOf(voices []voice) (any, []int) {
	best, used := "", []int(nil)
	for _, v := range voices {
		d, ok := v.only()
		if !ok {
			continue
		}
		switch {
		case best == "":
			best, used = d, []int{v.N}
		case covers(best, d) || covers(d, best):
			best, used = max(best, d), append(used, v.N)
		default:
			return nil, nil
		}
	}
	return best, used
}

// only returns the one date of v as a value.
func (v voice) only() (string, bool) {
	if len(v.p.dates) != 1 || v.p.dates[0].side != '=' || v.disputed() || v.p.doubted(nil) {
		return "", false
	}
	when := v.p.dates[0].when
	if len(when) > 4 && (when[4] != '-' || strings.Contains(when, "–")) || strings.HasPrefix(when, "--") || strings.HasPrefix(when, "FY") {
		return "", false
	}
	return when, true
}

// choiceOf returns the one choice that the claims name.
func choiceOf(t *obligations.Template, voices []voice) (any, []int) {
	forms := namesOf(t.Choices)
	votes, used := make([]float64, len(t.Choices)), map[int][]int{}
	for _, v := range voices {
		if named := v.p.choices(forms); len(named) == 1 && !v.disputed() {
			votes[named[0]] += max(v.Rank, 0.01)
			used[named[0]] = append(used[named[0]], v.N)
		}
	}
	best, all := -1, 0.0
	for i, n := range votes {
		all += n
		if n > 0 && (best < 0 || n > votes[best]) {
			best = i
		}
	}
	if best < 0 || votes[best] < all*2/3 {
		return nil, nil
	}
	return t.Choices[best].Value, used[best]
}

// choicesOf returns every choice that the claims name, in the template's order.
func choicesOf(t *obligations.Template, voices []voice) (any, []int) {
	forms := namesOf(t.Choices)
	named, used := map[int]bool{}, []int(nil)
	for _, v := range voices {
		list := v.p.choices(forms)
		if v.disputed() || len(list) == 0 {
			continue
		}
		for _, i := range list {
			named[i] = true
		}
		used = append(used, v.N)
	}
	var out []string
	for i, c := range t.Choices {
		if named[i] && !slices.Contains(out, c.Value) {
			out = append(out, c.Value)
		}
	}
	return out, used
}

// closeBehind is how near the second claim must rank to be told too.
const closeBehind = 0.8

// textOf returns the text of the best claim, and of the next one when another
// source has it and it is about as good.
func textOf(voices []voice) (any, []int) {
	var texts []string
	var used []int
	var first *voice
	for i, v := range voices {
		switch {
		case v.disputed() || strings.TrimSpace(v.Text) == "":
		case first == nil:
			first, texts, used = &voices[i], append(texts, v.Text), append(used, v.N)
		case len(texts) == 1 && v.Source != first.Source && v.Rank >= closeBehind*first.Rank && !alike(v.p, first.p):
			texts, used = append(texts, v.Text), append(used, v.N)
		}
	}
	return strings.Join(texts, " "), used
}
