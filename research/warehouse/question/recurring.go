package question

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/research/warehouse/builtin"
)

// Recurring is when rows have to lie within each week and each day: on Saturdays, before noon. The zero value lets all
// rows through.
type Recurring struct {
	Days  []int // of the week, from 1 for Monday, ascending; none means all
	Hours hours // of the day; zero means all
}

// hours are hours of a day, last excluded. They go past midnight where last is before first.
type hours struct{ first, last int }

// Zero reports whether r lets all rows through.
func (r Recurring) Zero() bool { return len(r.Days) == 0 && r.Hours == hours{} }

// weekdays are the names of the days of the week, as [language.Fold] writes them. Recurring ones name all such days
// by themselves; a single one does after words such as "on a".
var (
	weekdays  = map[string]int{"monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6, "sunday": 7, "montag": 1, "dienstag": 2, "mittwoch": 3, "donnerstag": 4, "freitag": 5, "samstag": 6, "sonnabend": 6, "sonntag": 7}
	manyDays  = map[string][]int{"weekends": {6, 7}, "wochenenden": {6, 7}, "workdays": workweek, "werktags": workweek, "werktagen": workweek, "wochentags": workweek}
	workweek  = []int{1, 2, 3, 4, 5}
	anyOfDays = [][]string{{"on", "a"}, {"on", "any"}, {"an", "einem"}, {"on", "every"}, {"on", "each"}, {"every"}, {"each"}, {"jeden"}, {"an", "jedem"}, {"am", "jeweiligen"}}
)

// dayParts are the parts of a day in words. The words before them, which may be needed to tell them from names, are
// parted by a space.
var dayParts = func() map[string]hours {
	out := map[string]hours{}
	for list, h := range map[string]hours{
		"mornings|in the morning|in the mornings|during the morning|in the forenoon|vormittags|am vormittag|an vormittagen": {6, 12},
		"morgens|am morgen|fruehmorgens":                                              {6, 10},
		"at noon|at midday":                                                           {12, 13},
		"mittags|am mittag|over lunch|at lunchtime|ueber mittag":                      {11, 14},
		"afternoons|in the afternoon|in the afternoons|nachmittags|am nachmittag":     {12, 18},
		"evenings|in the evening|in the evenings|abends|am abend":                     {18, 22},
		"nights|at night|in the night|during the night|overnight|nachts|in der nacht": {22, 6},
	} {
		for phrase := range strings.SplitSeq(list, "|") {
			out[phrase] = h
		}
	}
	return out
}()

// recurringAt returns the days of the week or the hours of the day that begin at word i, and how many words they have;
// 0 for none.
func recurringAt(words []language.Word, i int) (token, int) {
	s := recurringReader{}
	for _, w := range words {
		s.low = append(s.low, language.Fold(strings.ReplaceAll(w.Text, "’", "'")))
	}
	if days, end := s.days(i); end > i {
		return token{text: textOf(words[i:end]), sign: skip, recurring: Recurring{Days: days}}, end - i
	}
	if h, end := s.hours(i); end > i {
		return token{text: textOf(words[i:end]), sign: skip, recurring: Recurring{Hours: h}}, end - i
	}
	return token{}, 0
}

// recurringReader reads days and hours that come again.
type recurringReader struct{ low []string }

// word returns word i; empty where there is none.
func (s recurringReader) word(i int) string {
	if i < 0 || i >= len(s.low) {
		return ""
	}
	return s.low[i]
}

// has reports whether some words stand from word i on.
func (s recurringReader) has(i int, phrase ...string) bool {
	return i >= 0 && i+len(phrase) <= len(s.low) && slices.Equal(s.low[i:i+len(phrase)], phrase)
}

// days reads the days of the week from word i on: "Saturdays and Sundays", "montags bis freitags", "on a Saturday".
func (s recurringReader) days(i int) (days []int, end int) {
	if s.has(i, "on", "weekdays") || s.has(i, "an", "wochentagen") {
		return workweek, i + 2
	}
	if s.has(i, "unter", "der", "woche") {
		return workweek, i + 3
	}
	for _, weekend := range [][]string{{"at", "the", "weekend"}, {"on", "the", "weekend"}, {"am", "wochenende"}} {
		if s.has(i, weekend...) {
			return []int{6, 7}, i + len(weekend)
		}
	}
	if m := manyDays[s.word(i)]; m != nil {
		return m, i + 1
	}
	day, at := s.many(i)
	for _, lead := range anyOfDays {
		if d := weekdays[s.word(i+len(lead))]; at == i && s.has(i, lead...) && d > 0 {
			day, at = d, i+len(lead)+1
		}
	}
	if at == i { // "from Monday to Friday"
		from := i
		if w := s.word(i); w == "from" || w == "von" {
			from++
		}
		if first := weekdays[s.word(from)]; first > 0 && s.ranges(from+1) && weekdays[s.word(from+2)] > 0 {
			return daysBetween(first, weekdays[s.word(from+2)]), from + 3
		}
		return nil, i
	}
	days = []int{day}
	for {
		next, end := s.another(at + 1)
		switch w := s.word(at); {
		case end == at+1:
			return sortedDays(days), at
		case s.ranges(at) && len(days) == 1:
			return daysBetween(day, next), end
		case w == "and" || w == "or" || w == "und" || w == "oder" || w == ",":
			days, at = append(days, next), end
		default:
			return sortedDays(days), at
		}
	}
}

// many reads a day of the week in a form that means all such days: "Saturdays", "samstags", "an Samstagen".
func (s recurringReader) many(i int) (day, end int) {
	for _, suffix := range []string{"s", "en"} {
		if name, ok := strings.CutSuffix(s.word(i), suffix); ok && weekdays[name] > 0 {
			return weekdays[name], i + 1
		}
	}
	return 0, i
}

// another reads a further day of a list, which may be a single one: "on a Saturday or Sunday".
func (s recurringReader) another(i int) (day, end int) {
	if day, end = s.many(i); end > i {
		return day, end
	}
	if day = weekdays[s.word(i)]; day > 0 {
		return day, i + 1
	}
	return 0, i
}

// ranges reports whether word i stands between the ends of a range.
func (s recurringReader) ranges(i int) bool {
	return slices.Contains([]string{"to", "through", "till", "until", "bis", "-", "–"}, s.word(i))
}

// daysBetween returns the days from one to another, past the end of the week if need be.
func daysBetween(first, last int) []int {
	out := []int{first}
	for d := first; d != last; {
		d = d%7 + 1
		out = append(out, d)
	}
	return sortedDays(out)
}

// sortedDays returns days in the order of the week, without those that repeat.
func sortedDays(days []int) []int {
	out := slices.Clone(days)
	slices.Sort(out)
	return slices.Compact(out)
}

// hours reads hours of the day from word i on: "before noon", "after 6 pm", "zwischen 8 und 10 Uhr", "vormittags".
func (s recurringReader) hours(i int) (h hours, end int) {
	for n := 3; n > 0; n-- {
		if i+n <= len(s.low) {
			if h, ok := dayParts[strings.Join(s.low[i:i+n], " ")]; ok {
				return h, i + n
			}
		}
	}
	switch s.word(i) {
	case "before", "until", "till", "vor", "bis":
		if n, end := s.clock(i + 1); end > i+1 && n > 0 {
			return hours{0, n}, end
		}
	case "after", "past", "nach", "ab":
		if n, end := s.clock(i + 1); end > i+1 && n > 0 && n < 24 {
			return hours{n, 24}, end
		}
	case "at", "um":
		if n, end := s.clock(i + 1); end > i+1 && n < 24 {
			return hours{n, n + 1}, end
		}
	case "between", "from", "zwischen", "von":
		first, at := s.clock(i + 1)
		if at == i+1 { // the first goes by the mark of the second: between 8 and 10 am
			first, at = s.bare(i+1), i+2
		}
		joins := s.word(at)
		if first < 0 || joins != "and" && joins != "und" && !s.ranges(at) {
			return h, i
		}
		last, end := s.clock(at + 1)
		if end == at+1 || last == first {
			return h, i
		}
		if s.word(at-1) != "am" && first < 12 && last > 12 && s.bare(i+1) == first && s.word(end-1) == "pm" && first+12 < last { // 2 to 5 pm
			first += 12
		}
		return hours{first, last}, end
	}
	return h, i
}

// clockTime matches an hour as it is written with its minutes or its half of the day.
var clockTime = regexp.MustCompile(`^(\d{1,2})(?:[:.]00)?$`)

// bare returns the hour that word i is, without what marks it as one; -1 for none.
func (s recurringReader) bare(i int) int {
	m := clockTime.FindStringSubmatch(s.word(i))
	if m == nil {
		return -1
	}
	n, _ := strconv.Atoi(m[1])
	if n > 24 {
		return -1
	}
	return n
}

// clock reads a full hour that is marked as one at word i: "noon", "6 pm", "18:00", "18 Uhr".
func (s recurringReader) clock(i int) (hour, end int) {
	switch s.word(i) {
	case "noon", "midday", "mittag":
		return 12, i + 1
	case "midnight", "mitternacht":
		return 24, i + 1
	}
	n := s.bare(i)
	if n < 0 {
		return 0, i
	}
	switch s.word(i + 1) {
	case "am", "a.m.":
		return n % 12, i + 2
	case "pm", "p.m.":
		return n%12 + 12, i + 2
	case "uhr", "o'clock", "h":
		return n, i + 2
	}
	if strings.ContainsAny(s.word(i), ":.") {
		return n, i + 1
	}
	return 0, i
}

// recurring reads when within the week and the day rows have to lie. Two that name the same are more than can be read.
func (r *reader) recurring() *Unclear {
	word := ""
	for i := range r.tokens {
		t := &r.tokens[i]
		if t.recurring.Zero() {
			continue
		}
		if r.before(i, not, without) || len(t.recurring.Days) > 0 && len(r.out.Recurring.Days) > 0 || t.recurring.Hours != (hours{}) && r.out.Recurring.Hours != (hours{}) {
			return &Unclear{Why: TooMuch, Word: t.text}
		}
		if word == "" || t.recurring.Hours != (hours{}) {
			word = t.text
		}
		if len(t.recurring.Days) > 0 {
			r.out.Recurring.Days = t.recurring.Days
		} else {
			r.out.Recurring.Hours = t.recurring.Hours
		}
	}
	if word == "" {
		return nil
	}
	if u := r.clock(word); u != nil {
		return u
	}
	if r.out.Recurring.Hours != (hours{}) { // a day knows no hours; another time of the table may
		r.hourly()
	}
	return nil
}

// hourly takes the best time of the table that is more than a day, if the one that was chosen is a day.
func (r *reader) hourly() {
	if !strings.EqualFold(r.out.Clock.column.Type, "date") {
		return
	}
	var best *field
	for i := range r.out.scope.fields {
		f := &r.out.scope.fields[i]
		if f.join < 0 && f.use == builtin.UseTime && !strings.EqualFold(f.column.Type, "date") && (best == nil || clockRank(f) < clockRank(best)) {
			best = f
		}
	}
	if best != nil {
		r.out.Clock = best
	}
}

// recurs returns the conditions on the day of the week and the hour; false if the time does not know them.
func (w *writer) recurs() (list []string, ok bool) {
	if days := w.Recurring.Days; len(days) > 0 {
		x, ok := w.clock.Part(builtin.Weekday)
		if !ok {
			return nil, false
		}
		parts := make([]string, len(days))
		for i, d := range days {
			parts[i] = strconv.Itoa(d)
		}
		list = append(list, x+" IN ("+strings.Join(parts, ", ")+")")
	}
	if h := w.Recurring.Hours; h != (hours{}) {
		x, ok := w.clock.Part(builtin.Hour)
		if !ok {
			return nil, false
		}
		first, last := x+" >= "+strconv.Itoa(h.first), x+" < "+strconv.Itoa(h.last)
		switch {
		case h.last < h.first:
			list = append(list, "("+first+" OR "+last+")")
		case h.first == 0:
			list = append(list, last)
		case h.last == 24:
			list = append(list, first)
		default:
			list = append(list, first, last)
		}
	}
	return list, true
}

// timeless returns why a part of the calendar cannot be told: the times of the table do not know it.
func (w *writer) timeless(part string) *Unclear {
	if part == byHour {
		return &Unclear{Why: NoHours, Word: w.scope.table.Ref()}
	}
	return &Unclear{Why: NoTime, Word: w.Clock.column.Name, Closest: []string{w.scope.table.Ref()}}
}

// recurringPart returns the finest part of the calendar that the question limits.
func (w *writer) recurringPart() string {
	if w.Recurring.Hours != (hours{}) {
		return byHour
	}
	return byWeekday
}

// often words the days and hours: " on a Saturday, from 6 am to 12 pm (by placed at)". Where a period says by which
// column it goes, that is not said again.
func (w *writer) often(l *messages.Language) string {
	r := w.Recurring
	if r.Zero() {
		return ""
	}
	var out string
	if len(r.Days) > 0 {
		names := make([]string, len(r.Days))
		for i, d := range r.Days {
			names[i] = l.Weekday(d)
		}
		out += " " + l.Text("data.days", messages.Args{"days": messages.Text(l.Or(names))})
	}
	if h := r.Hours; h != (hours{}) {
		key := "data.hours-between"
		switch {
		case h.last < h.first:
		case h.first == 0:
			key = "data.hours-before"
		case h.last == 24:
			key = "data.hours-since"
		}
		out += " " + l.Text(key, messages.Args{"first": messages.Text(l.Hour(h.first)), "last": messages.Text(l.Hour(h.last % 24))})
	}
	if w.Period.Zero() {
		out += " " + l.Text("data.by-time", messages.Args{"column": messages.Text(w.Clock.spoken())})
	}
	return out
}
