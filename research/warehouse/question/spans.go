package question

import (
	"slices"
	"strings"
	"time"

	"quaestor/internal/language"
)

// spanReader reads what is a span of time and no date of a calendar: "last 30 days", "the week before
// last", "the first week of October", "weeks 40 to 46", "between 1 and 15 October".
type spanReader struct {
	reader *language.Reader
	words  []language.Word
	low    []string // as [language.Fold] writes the words
	now    time.Time
	today  time.Time
}

func spansIn(reader *language.Reader, words []language.Word, now time.Time) *spanReader {
	s := &spanReader{reader: reader, words: words, now: now, today: now.Truncate(24 * time.Hour)}
	for _, w := range words {
		s.low = append(s.low, language.Fold(w.Text))
	}
	return s
}

// at returns the span that begins at word i, and how many words it has; 0 for none.
func (s *spanReader) at(i int) (token, int) {
	lead := 0 // "in the year to date"
	for _, in := range [][2]string{{"in", "the"}, {"in", "der"}, {"im", ""}} {
		if s.word(i) == in[0] && (in[1] == "" || s.word(i+1) == in[1]) {
			lead = 1 + len(strings.Fields(in[1]))
		}
	}
	for _, read := range []func(int) (from, to time.Time, end int){s.edge, s.rolling, s.beforeLast, s.weekOf, s.toDate, s.weeks, s.days} {
		if from, to, end := read(i + lead); end > i+lead {
			return token{text: textOf(s.words[i+lead : end]), sign: between, date: &language.DateValue{ISO: day(from) + "/" + day(to)}}, end - i
		}
	}
	if end := s.severalDays(i); end > i {
		return token{text: textOf(s.words[i:end]), part: between, date: &language.DateValue{ISO: day(s.today)}}, end - i
	}
	return token{}, 0
}

// word returns word i; empty behind the last.
func (s *spanReader) word(i int) string {
	if i < 0 || i >= len(s.low) {
		return ""
	}
	return s.low[i]
}

// Words of spans in English and German.
var (
	lastWords   = setOf("last past previous letzte letzten letzter letztes letztem vergangene vergangenen vergangener vergangenes vorige vorigen")
	joins       = setOf("to until till through and bis und - –")
	ofWords     = setOf("of in im vom von des der the den from")
	ordinalWord = map[string]int{"first": 1, "erste": 1, "ersten": 1, "erster": 1, "erstes": 1, "1st": 1, "second": 2, "zweite": 2, "zweiten": 2, "third": 3, "dritte": 3, "dritten": 3, "fourth": 4, "vierte": 4, "vierten": 4}
	spanUnits   = func() map[string]string {
		out := map[string]string{}
		for unit, words := range map[string]string{"day": "day days tag tage tagen", "week": "week weeks woche wochen", "fortnight": "fortnight fortnights", "month": "month months monat monate monaten monats",
			"quarter": "quarter quarters quartal quartale quartalen", "year": "year years jahr jahre jahren jahres", "weekend": "weekend wochenende"} {
			for w := range strings.FieldsSeq(words) {
				out[w] = unit
			}
		}
		return out
	}()
)

// plus returns t moved by n units. A day that a month does not have is its last one.
func plus(t time.Time, unit string, n int) time.Time {
	months := map[string]int{"month": 1, "quarter": 3, "year": 12}[unit] * n
	if months == 0 {
		return t.AddDate(0, 0, n*map[string]int{"day": 1, "week": 7, "fortnight": 14}[unit])
	}
	first := time.Date(t.Year(), t.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	return first.AddDate(0, 0, min(t.Day(), first.AddDate(0, 1, -1).Day())-1)
}

// start returns the first day of the unit in which t lies.
func start(t time.Time, unit string) time.Time {
	switch unit {
	case "week":
		return t.AddDate(0, 0, -(int(t.Weekday()+6) % 7))
	case "weekend":
		return start(t, "week").AddDate(0, 0, 5)
	case "month":
		return t.AddDate(0, 0, 1-t.Day())
	case "quarter":
		return time.Date(t.Year(), (t.Month()-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC)
	case "year":
		return time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return t
}

// counted reads a number and a unit at word i: "7 days", "three months", "half year"; n is 0 for none.
func (s *spanReader) counted(i int) (n int, unit string, end int) {
	if w := s.word(i); w == "half" || w == "halben" || w == "halbe" || w == "halbes" {
		if spanUnits[s.word(i+1)] == "year" {
			return 6, "month", i + 2
		}
	}
	if i >= len(s.words) {
		return 0, "", i
	}
	figures := language.NewReader("en", "de").Figures(s.words[i:])
	if len(figures) == 0 || figures[0].From != 0 || figures[0].Low != figures[0].High || figures[0].Low < 1 || figures[0].Low > 1000 || figures[0].Low != float64(int(figures[0].Low)) {
		return 0, "", i
	}
	for k := i + 1; k <= i+figures[0].To && k < len(s.words); k++ {
		if unit := spanUnits[s.word(k)]; unit != "" && unit != "weekend" {
			return int(figures[0].Low), unit, k + 1
		}
	}
	return 0, "", i
}

// dateBehind reads the date behind words such as "of the" from word i; its span is zero for none.
func (s *spanReader) dateBehind(i int) (Period, int) {
	if !ofWords[s.word(i)] {
		return Period{}, i
	}
	for ofWords[s.word(i)] {
		i++
	}
	return s.dateAt(i)
}

// dateAt reads a date at word i.
func (s *spanReader) dateAt(i int) (Period, int) {
	if i >= len(s.words) {
		return Period{}, i
	}
	dates := s.reader.Dates(s.words[i:], s.now, language.Behind)
	if len(dates) == 0 || dates[0].From != 0 {
		return Period{}, i
	}
	return dateSpan(&dates[0]), i + dates[0].To
}

// edge reads the first or last of a longer span: "the last 10 days of October", "the second week of
// November 2026", "the first half of May".
func (s *spanReader) edge(i int) (from, to time.Time, end int) {
	last, nth := lastWords[s.word(i)], ordinalWord[s.word(i)]
	if !last && nth == 0 {
		return from, to, 0
	}
	n, unit, at := s.counted(i + 1)
	switch w := s.word(i + 1); {
	case n > 0 && nth > 1: // the second 3 days
		return from, to, 0
	case n > 0:
	case w == "half" || w == "haelfte":
		unit, at = "half", i+2
	case spanUnits[w] != "" && spanUnits[w] != "weekend":
		n, unit, at = 1, spanUnits[w], i+2
	default:
		return from, to, 0
	}
	p, end := s.dateBehind(at)
	if p.From.IsZero() {
		return from, to, 0
	}
	switch {
	case unit == "half" && p.To.Equal(plus(p.From, "month", 1)):
		middle := p.From.AddDate(0, 0, 15)
		if nth == 1 {
			return p.From, middle, end
		}
		return middle, p.To, end
	case unit == "half" && p.To.Equal(plus(p.From, "year", 1)):
		middle := plus(p.From, "month", 6)
		if nth == 1 {
			return p.From, middle, end
		}
		return middle, p.To, end
	case unit == "half":
		return from, to, 0
	case last:
		from, to = plus(p.To, unit, -n), p.To
	default:
		from = plus(p.From, unit, (nth-1)*n)
		to = plus(from, unit, n)
	}
	if from.Before(p.From) || to.After(p.To) {
		return from, to, 0
	}
	return from, to, end
}

// rolling reads days, weeks, months or years up to today, which is the last day of them: "last 7
// days", "the past half year".
func (s *spanReader) rolling(i int) (from, to time.Time, end int) {
	if !lastWords[s.word(i)] {
		return from, to, 0
	}
	n, unit, end := s.counted(i + 1)
	if n == 0 && spanUnits[s.word(i+1)] == "fortnight" {
		n, unit, end = 1, "fortnight", i+2
	}
	if n == 0 {
		return from, to, 0
	}
	to = s.today.AddDate(0, 0, 1)
	return plus(to, unit, -n), to, end
}

// beforeLast reads "the week before last", "vorletzte Woche".
func (s *spanReader) beforeLast(i int) (from, to time.Time, end int) {
	unit := spanUnits[s.word(i)]
	switch {
	case unit != "" && s.word(i+1) == "before" && s.word(i+2) == "last":
		end = i + 3
	case strings.HasPrefix(s.word(i), "vorletzt") && spanUnits[s.word(i+1)] != "":
		unit, end = spanUnits[s.word(i+1)], i+2
	default:
		return from, to, 0
	}
	if unit == "weekend" {
		from = start(s.today, unit).AddDate(0, 0, -14)
		return from, from.AddDate(0, 0, 2), end
	}
	from = plus(start(s.today, unit), unit, -2)
	return from, plus(from, unit, 1), end
}

// weekOf reads a week by one of its days: "the week of 16 November", "week beginning 16 November",
// "Woche vom 16. November".
func (s *spanReader) weekOf(i int) (from, to time.Time, end int) {
	if spanUnits[s.word(i)] != "week" {
		return from, to, 0
	}
	at, first := i+1, false
	for setOf("beginning starting commencing ab")[s.word(at)] {
		at, first = at+1, true
	}
	for setOf("of from on with vom von dem the")[s.word(at)] {
		at++
	}
	p, end := s.dateAt(at)
	if at == i+1 || p.From.IsZero() || !p.To.Equal(p.From.AddDate(0, 0, 1)) {
		return from, to, 0
	}
	if from = p.From; !first {
		from = start(from, "week")
	}
	return from, from.AddDate(0, 0, 7), end
}

// toDate reads a unit from its beginning to today: "year to date", "MTD".
func (s *spanReader) toDate(i int) (from, to time.Time, end int) {
	unit, end := spanUnits[s.word(i)], i+3
	if short := map[string]string{"ytd": "year", "qtd": "quarter", "mtd": "month", "wtd": "week"}[s.word(i)]; short != "" {
		unit, end = short, i+1
	} else if unit == "" || unit == "day" || s.word(i+1) != "to" || s.word(i+2) != "date" {
		return from, to, 0
	}
	return start(s.today, unit), s.today.AddDate(0, 0, 1), end
}

// weeks reads calendar weeks as ISO 8601 counts them: "weeks 40 to 46 of 2026", "KW 40 bis KW 46".
func (s *spanReader) weeks(i int) (from, to time.Time, end int) {
	named := setOf("week weeks kw kws kalenderwoche kalenderwochen woche wochen")
	if !named[s.word(i)] {
		return from, to, 0
	}
	first, at := digits(s.word(i+1), 53), i+2
	if first == 0 || !joins[s.word(at)] {
		return from, to, 0
	}
	if at++; named[s.word(at)] {
		at++
	}
	last := digits(s.word(at), 53)
	if last < first {
		return from, to, 0
	}
	year, now := s.now.ISOWeek()
	if first > now {
		year--
	}
	at++
	behind := at
	for ofWords[s.word(behind)] {
		behind++
	}
	if y := digits(s.word(behind), 2200); y > 1900 {
		year, at = y, behind+1
	}
	monday := start(time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC), "week")
	return monday.AddDate(0, 0, 7*(first-1)), monday.AddDate(0, 0, 7*last), at
}

// days reads days of one month, which is said once: "between 1 and 15 October", "1.–15. Oktober",
// "October 1 to 15, 2026".
func (s *spanReader) days(i int) (from, to time.Time, end int) {
	first, at := s.dayOfMonth(i)
	if first == 0 {
		return s.daysBehind(i)
	}
	if !joins[s.word(at)] || (s.word(at) == "and" || s.word(at) == "und") && !s.ranged(i) {
		return from, to, 0
	}
	at++
	for s.word(at) == "the" || s.word(at) == "zum" || s.word(at) == "dem" {
		at++
	}
	p, end := s.dateAt(at)
	last, _ := s.dayOfMonth(at)
	if last == 0 || p.From.Day() != last || !p.To.Equal(p.From.AddDate(0, 0, 1)) || first >= last {
		return from, to, 0
	}
	return p.From.AddDate(0, 0, first-last), p.To, end
}

// daysBehind reads days behind their month: "October 1 to 15, 2026".
func (s *spanReader) daysBehind(i int) (from, to time.Time, end int) {
	if !language.IsWord("month", s.word(i)) {
		return from, to, 0
	}
	first, at := s.dayOfMonth(i + 1)
	if first == 0 || !joins[s.word(at)] || (s.word(at) == "and" || s.word(at) == "und") && !s.ranged(i) {
		return from, to, 0
	}
	last, end := s.dayOfMonth(at + 1)
	if last <= first || language.IsWord("month", s.word(end)) {
		return from, to, 0
	}
	tail := end
	if s.word(tail) == "," {
		tail++
	}
	text := s.word(i)
	if y := digits(s.word(tail), 2200); y > 1900 {
		text, end = text+" "+s.word(tail), tail+1
	}
	dates := s.reader.Dates(language.Words(text), s.now, language.Behind)
	if len(dates) == 0 {
		return from, to, 0
	}
	p := dateSpan(&dates[0])
	if to = p.From.AddDate(0, 0, last); to.After(p.To) {
		return from, to, 0
	}
	return p.From.AddDate(0, 0, first-1), to, end
}

// severalDays finds days of one month that are no range: "on 1 and 15 October".
func (s *spanReader) severalDays(i int) (end int) {
	first, at := s.dayOfMonth(i)
	if w := s.word(at); first == 0 || w != "and" && w != "und" && w != "or" && w != "oder" && w != "," {
		return 0
	}
	if last, _ := s.dayOfMonth(at + 1); last == 0 {
		return 0
	}
	if p, end := s.dateAt(at + 1); !p.From.IsZero() && p.To.Equal(p.From.AddDate(0, 0, 1)) {
		return end
	}
	return 0
}

// ranged reports whether word i is the first end of a range: "between 1 and 15".
func (s *spanReader) ranged(i int) bool {
	for i--; s.word(i) == "the" || s.word(i) == "dem"; i-- {
	}
	return setOf("between from zwischen vom von")[s.word(i)]
}

// dayOfMonth reads the number of a day at word i: "1", "1st", "1."; 0 for none.
func (s *spanReader) dayOfMonth(i int) (n, end int) {
	w := s.word(i)
	for _, suffix := range []string{"st", "nd", "rd", "th", "."} {
		w = strings.TrimSuffix(w, suffix)
	}
	if n = digits(w, 31); n == 0 {
		return 0, i
	}
	end = i + 1
	if next := s.word(end); next == "." || slices.Contains([]string{"st", "nd", "rd", "th"}, next) && !s.words[end].Spaced {
		end++
	}
	return n, end
}

// digits returns the number that a word is, from 1 to a most; 0 for another word.
func digits(w string, most int) int {
	n := 0
	for _, r := range w {
		if r < '0' || r > '9' || n > most {
			return 0
		}
		n = 10*n + int(r-'0')
	}
	if n > most {
		return 0
	}
	return n
}

// partOfDate returns which part of itself a date is limited to, "the end of October": since for the
// beginning, until for the end, between for the middle, and empty for none.
func partOfDate(words []language.Word, d language.DateValue) sign {
	for kind, part := range map[string]sign{"early": since, "mid": between, "late": until} {
		if language.IsWord(kind, words[d.From].Text) {
			return part
		}
		for _, r := range language.All() {
			if _, n := r.Value(kind+"-of", language.Fold(words[d.From].Text)); n {
				return part
			}
		}
	}
	return ""
}

// weekAgo returns the week of "two weeks ago", which is no day; nil for another date.
func weekAgo(words []language.Word, d language.DateValue) *language.DateValue {
	weeks, ago := false, false
	for _, w := range words[d.From:d.To] {
		low := language.Fold(w.Text)
		weeks, ago = weeks || spanUnits[low] == "week", ago || low == "ago" || low == "vor"
	}
	p := dateSpan(&d)
	if !weeks || !ago || !p.To.Equal(p.From.AddDate(0, 0, 1)) {
		return nil
	}
	from := start(p.From, "week")
	return &language.DateValue{ISO: day(from), End: day(from.AddDate(0, 0, 6)), From: d.From, To: d.To}
}
