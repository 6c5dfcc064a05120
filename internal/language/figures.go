package language

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Figure is a number as somebody says it: "about 450 euros a month", "10 to 12 km".
type Figure struct {
	Low, High   float64 // equal but for a range
	Approximate bool    // "about", "or so", or a range that was guessed
	Least, Most bool    // "at least", "at most"
	Currency    string  // ISO 4217, such as "EUR"
	Percent     bool
	Unit        string  // "km", "kg"; or of time: "hour", "day", "month"
	Period      string  // of a rate, "month" for "a month"; see [EveryDay] and [EveryWorkday]
	Times       float64 // how often in that period, 0.5 for "every other week"; 0 is once
	From, To    int     // words, To excluded
	Ordinal     bool    // "3rd", "dritte"
}

// Reader reads figures, dates and times of day in texts of some languages, the first of
// which decides where they differ ("1.500").
type Reader struct {
	lexicons []*Lexicon
}

// NewReader returns a reader of those languages; unknown ones are left out, and all that
// there are follow those named.
func NewReader(languages ...string) *Reader {
	r := new(Reader)
	for _, tag := range append(languages, Languages()...) {
		l := Lexicons()[tag]
		if l == nil || r.knows(tag) {
			continue
		}
		r.lexicons = append(r.lexicons, l)
	}
	return r
}

func (r *Reader) knows(tag string) bool {
	for _, l := range r.lexicons {
		if l.Language == tag {
			return true
		}
	}
	return false
}

// phrase is a text under way: its words, and the same folded.
type phrase struct {
	*Reader

	words  []Word
	folded []string
}

func (r *Reader) phrase(words []Word) *phrase {
	p := &phrase{Reader: r, words: words, folded: make([]string, len(words))}
	for i, w := range words {
		p.folded[i] = Fold(w.Text)
	}
	return p
}

// at returns the folded word i, or nothing beyond the ends.
func (p *phrase) at(i int) string {
	if i < 0 || i >= len(p.folded) {
		return ""
	}
	return p.folded[i]
}

// value returns what the words from i mean as one of kind, and how many they are: the
// longest entry that fits, of the first language that has one.
func (p *phrase) value(kind string, i int) (string, int) {
	if i < 0 {
		return "", 0
	}
	for _, l := range p.lexicons {
		for n := min(l.longest, len(p.folded)-i); n > 0; n-- {
			if v, ok := l.Value(kind, strings.Join(p.folded[i:i+n], "_")); ok {
				return v, n
			}
		}
	}
	return "", 0
}

// has returns how many words from i are one of kind; 0 for none.
func (p *phrase) has(kind string, i int) int {
	_, n := p.value(kind, i)
	return n
}

// trait reports whether the language that is read first has a trait of how it writes or says things.
func (p *phrase) trait(name string) bool { return p.lexicons[0].Has("trait", name) }

// Figures returns the numbers in words, in order, without those of dates with marks and
// of times of day with a colon.
func (r *Reader) Figures(words []Word) []Figure {
	p := r.phrase(words)
	return scan(len(words), p.figure, func(f Figure) int { return f.To })
}

// scan reads from each of so many words in turn, and goes on behind what it reads, where end
// says.
func scan[T any](words int, read func(int) (T, bool), end func(T) int) []T {
	var out []T
	for i := 0; i < words; {
		v, ok := read(i)
		if !ok {
			i++
			continue
		}
		out = append(out, v)
		i = end(v)
	}
	return out
}

// figure reads a figure from word i.
func (p *phrase) figure(i int) (Figure, bool) {
	start, currency := i, ""
	if c, n := p.value("currency", i); n > 0 && (i+n < len(p.words)) {
		currency, i = c, i+n
	}
	below := p.negative(i)
	if below {
		i++
	}
	v, to, ok := p.number(i)
	if !ok {
		return p.single(start)
	}
	if p.has("every", i-1) > 0 && p.has("period", to) > 0 { // "every two weeks" is how often
		return Figure{}, false
	}
	if below {
		v = -v
	}
	f := Figure{Low: v, High: v, Currency: currency, From: start, To: to}
	p.units(&f)
	p.extend(&f)
	if f.Unit == "" && f.Currency == "" && !f.Percent && (p.has("age", start-1) > 0 || p.has("age", f.To) > 0) {
		f.Unit = "year" // "aged 30 to 60" counts nothing else
	}
	p.doubts(&f)
	p.rateBefore(&f)
	return f, true
}

// single reads one of a length of time: "an hour", "a good hour", "a solid month".
func (p *phrase) single(i int) (Figure, bool) {
	n := p.has("article", i)
	if n == 0 {
		return Figure{}, false
	}
	at, v, part := i+n, 1.0, false
	if p.has("period", at) == 0 || len(p.at(at)) < 3 {
		if s, k := p.value("half", at); k > 0 { // "eine halbe Stunde"
			v, _ = strconv.ParseFloat(s, 64)
			part = true
		}
		at++
	}
	unit, k := p.value("period", at)
	if k == 0 || len(p.at(at)) < 4 || strings.HasSuffix(p.at(at), "ly") || at > i+n && p.has("next", i+n)+p.has("last", i+n)+p.has("ordinal", i+n) > 0 || p.has("per", i-1) > 0 && p.at(i-1) != "a" || p.has("ago", at+k) > 0 {
		return Figure{}, false
	}
	f := Figure{Low: v, High: v, Unit: unit, From: i, To: at + k, Approximate: at > i+n && !part}
	if h, n := p.andHalf(f.To); n > 0 { // "an hour and a half"
		f.Low, f.High, f.To = f.Low+h, f.High+h, f.To+n
	}
	p.rate(&f)
	p.rateBefore(&f)
	return f, true
}

// negative reports whether word i is a minus before a number.
func (p *phrase) negative(i int) bool {
	if p.has("minus", i) > 0 {
		return true
	}
	sign := p.at(i) == "-" || p.at(i) == "−"
	return sign && p.glued(i+1) && (i == 0 || p.words[i].Spaced)
}

// number reads a number in digits or words from word i, and returns where it ends.
func (p *phrase) number(i int) (float64, int, bool) {
	if i >= len(p.words) {
		return 0, i, false
	}
	if r := []rune(p.words[i].Text)[0]; unicode.IsDigit(r) {
		return p.digits(i)
	}
	return p.spelled(i)
}

// digits reads "1.5k", "150'000", "2,3 Mio".
func (p *phrase) digits(i int) (float64, int, bool) {
	text, to := p.grouped(i)
	v, ok := p.parse(text)
	if !ok {
		return 0, i, false
	}
	if p.at(to) == "/" && p.glued(to) && p.glued(to+1) { // "1/2"
		if d, err := strconv.ParseFloat(p.at(to+1), 64); err == nil && d > 0 && d <= 10 && v < d {
			return v / d, to + 2, true
		}
	}
	for {
		s, n := p.value("scale", to)
		if n == 0 || !p.scales(to, p.at(to)) {
			break
		}
		scale, _ := strconv.ParseFloat(s, 64)
		v, to = v*scale, to+n
	}
	if h, n := p.andHalf(to); n > 0 {
		v, to = v+h, to+n
	}
	return v, to, true
}

// grouped returns the digits from word i on, with those after spaces that make up
// thousands, "1 000 000", and where they end.
func (p *phrase) grouped(i int) (string, int) {
	text, to := p.words[i].Text, i+1
	digits := func(s string) bool { return strings.Trim(s, "0123456789") == "" }
	if !digits(text) || len(text) > 3 || text[0] == '0' {
		return text, to
	}
	for to < min(len(p.words), i+maxGroups) && p.words[to].Spaced && len(p.words[to].Text) == 3 && digits(p.words[to].Text) {
		text, to = text+p.words[to].Text, to+1
	}
	return text, to
}

// maxGroups bounds the groups of three digits of a number: more are a list.
const maxGroups = 5

// glued reports whether word i follows the one before without a space.
func (p *phrase) glued(i int) bool { return i < len(p.words) && !p.words[i].Spaced }

// scales reports whether a short word is a scale where it stands: "5m" and "5 k", but not
// "5 m" and "5 t".
func (p *phrase) scales(i int, word string) bool {
	if len(word) > 1 {
		return true
	}
	return p.glued(i) && (word != "t" && word != "m" && word != "b" || word == "m" && p.pricey(i)) || word == "k"
}

// pricey reports whether a figure before word i is money, so that "m" are millions.
func (p *phrase) pricey(i int) bool {
	return p.has("currency", i-2) > 0 || p.has("currency", i+1) > 0
}

// parse reads digits with marks between them, as the first language writes them unless
// that cannot be.
func (p *phrase) parse(s string) (float64, bool) {
	s = strings.NewReplacer("'", "", "’", "").Replace(s)
	if strings.Contains(s, ":") {
		return 0, false
	}
	decimal, group := ".", ","
	if !p.trait("point") { // as most of Europe
		decimal, group = ",", "."
	}
	dots, commas := strings.Count(s, "."), strings.Count(s, ",")
	switch {
	case dots > 0 && commas > 0:
		decimal, group = ".", ","
		if strings.LastIndex(s, ",") > strings.LastIndex(s, ".") {
			decimal, group = ",", "."
		}
	case dots > 1 || commas > 1:
		if dots > 1 {
			group, decimal = ".", ","
		} else {
			group, decimal = ",", "."
		}
	case dots+commas == 1:
		mark := strings.IndexAny(s, ".,")
		if string(s[mark]) == decimal && mark <= 3 && s[0] != '0' && len(s)-mark-1 == 3 && strings.HasSuffix(s, "0") { // nobody ends decimals with a nought
			decimal, group = group, decimal
		}
		if string(s[mark]) == group && (len(s)-mark-1 != 3 || mark > 3 || s[0] == '0') {
			decimal, group = group, decimal
		}
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, group, ""), decimal, ".")
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsInf(v, 0)
}

// spelled reads a number in words: tens and digits add up, scales multiply.
func (p *phrase) spelled(i int) (float64, int, bool) {
	total, part, seen, to := 0.0, 0.0, false, i
	before := "" // the kind of the numeral before
	for to < len(p.words) {
		v, kind, n := p.numeral(to)
		if n == 0 {
			joins := seen && (p.has("and", to) > 0 || p.at(to) == "-" && p.glued(to) && p.glued(to+1))
			if joins {
				if v, kind, n := p.numeral(to + 1); n > 0 && kind != "half" && fits(part, v, kind, before) {
					to++
					continue
				}
			}
			break
		}
		if seen && !fits(part, v, kind, before) {
			break
		}
		switch {
		case kind == "scale" && v >= 1000:
			total, part = total+max(part, 1)*v, 0
		case kind == "scale":
			part = max(part, 1) * v
		case kind == "collective":
			part = max(part, 1) * v
			if of := p.has("of", to+n); p.has("scale", to+n+of) > 0 && len(p.at(to+n+of)) > 1 { // "a couple of thousand"
				n += of
			}
		default:
			part += v
		}
		seen, to, before = true, to+n, kind
	}
	if !seen {
		return p.halves(i)
	}
	if d, end := p.decimals(to); end > to {
		part, to = part+d, end
	}
	if h, n := p.andHalf(to); n > 0 {
		part, to = part+h, to+n
		if s, n := p.value("scale", to); n > 0 && len(p.at(to)) > 1 { // "two and a half million"
			scale, _ := strconv.ParseFloat(s, 64)
			part, to = part*scale, to+n
		}
	}
	return total + part, to, true
}

// decimals reads "point six four" after a number.
func (p *phrase) decimals(i int) (float64, int) {
	n := p.has("point", i)
	if n == 0 {
		return 0, i
	}
	v, scale, to := 0.0, 0.1, i+n
	for to < len(p.words) {
		s, k := p.value("digit", to)
		d, err := strconv.Atoi(s)
		if k == 0 || err != nil || d > 9 {
			break
		}
		v, scale, to = v+scale*float64(d), scale/10, to+k
	}
	if to == i+n {
		return 0, i
	}
	return math.Round(v*1e9) / 1e9, to
}

// fits reports whether a numeral may follow a part: "twenty" takes "five" and not
// "thirty". before is the kind of the part's last numeral: where ten is one of the tens, it takes "two", too.
func fits(part, v float64, kind, before string) bool {
	switch {
	case kind == "scale" || kind == "collective":
		return part > 0
	case part == 0:
		return true
	}
	return math.Mod(part, 100) == 0 && v < 100 || (math.Mod(part, 100) >= 20 || before == "tens") && math.Mod(part, 10) == 0 && v < 10
}

// numeral reads one word of a number, or an article before a scale: "a hundred".
func (p *phrase) numeral(i int) (v float64, kind string, n int) {
	for _, kind := range []string{"digit", "tens", "scale", "collective"} {
		if s, n := p.value(kind, i); n > 0 && (kind != "scale" || len(p.at(i)) > 1) {
			v, _ := strconv.ParseFloat(s, 64)
			return v, kind, n
		}
	}
	if p.has("article", i) > 0 && p.has("about", i+1) > 0 && p.has("collective", i+2) > 0 { // "a good dozen"
		s, n := p.value("collective", i+2)
		v, _ := strconv.ParseFloat(s, 64)
		return v, "collective", n + 2
	}
	if p.has("article", i) > 0 && (p.has("scale", i+1) > 0 && len(p.at(i+1)) > 1 || p.has("collective", i+1) > 0) {
		s, n := p.value("scale", i+1)
		kind := "scale"
		if n == 0 {
			s, n = p.value("collective", i+1)
			kind = "collective"
		}
		v, _ := strconv.ParseFloat(s, 64)
		return v, kind, n + 1
	}
	if v, ok := p.compound(p.at(i)); ok {
		return v, "compound", 1
	}
	return 0, "", 0
}

// compound reads a number that is written as one word: "fünfundzwanzig",
// "zweitausenddreihundert".
func (p *phrase) compound(word string) (float64, bool) {
	if len(word) < 7 {
		return 0, false
	}
	for _, l := range p.lexicons {
		total, part, rest, pieces := 0.0, 0.0, word, 0
		for rest != "" {
			v, kind, n := l.piece(rest)
			if n == 0 {
				break
			}
			switch {
			case kind == "scale" && v >= 1000:
				total, part = total+max(part, 1)*v, 0
			case kind == "scale":
				part = max(part, 1) * v
			case kind != "and":
				part += v
			}
			rest = rest[n:]
			pieces++
		}
		if rest == "" && pieces > 1 {
			return total + part, true
		}
	}
	return 0, false
}

// piece returns the longest number word that rest begins with.
func (l *Lexicon) piece(rest string) (float64, string, int) {
	for n := len(rest); n >= 3; n-- {
		for _, kind := range []string{"digit", "tens", "scale", "and", "article"} {
			s, ok := l.Value(kind, rest[:n])
			if !ok || kind == "article" && n != 3 {
				continue
			}
			v, _ := strconv.ParseFloat(s, 64)
			return v, kind, n
		}
	}
	return 0, "", 0
}

// halves reads "half a million", "half an hour", "anderthalb".
func (p *phrase) halves(i int) (float64, int, bool) {
	s, n := p.value("half", i)
	if n == 0 {
		return 0, i, false
	}
	v, _ := strconv.ParseFloat(s, 64)
	to := i + n
	if p.has("article", to) > 0 {
		to++
	}
	if s, n := p.value("scale", to); n > 0 && len(p.at(to)) > 1 {
		scale, _ := strconv.ParseFloat(s, 64)
		return v * scale, to + n, true
	}
	if s, n := p.value("collective", to); n > 0 {
		scale, _ := strconv.ParseFloat(s, 64)
		return v * scale, to + n, true
	}
	counted := p.has("period", to) > 0 || p.has("unit", to) > 0 || v >= 1
	return v, to, counted
}

// andHalf reads "and a half" after a number.
func (p *phrase) andHalf(i int) (float64, int) {
	n := p.has("and", i)
	if n == 0 {
		return 0, 0
	}
	n += p.has("article", i+n)
	s, k := p.value("half", i+n)
	if k == 0 || p.has("past", i+n+k) > 0 || p.has("to", i+n+k) > 0 && p.at(i+n+k) != "of" {
		return 0, 0
	}
	v, _ := strconv.ParseFloat(s, 64)
	return v, n + k
}

// units reads what stands after a number: currency, percent, a unit, and how often.
func (p *phrase) units(f *Figure) {
	if n := p.has("suffix", f.To); n > 0 && p.glued(f.To) && p.at(f.To) != "." {
		f.Ordinal = true
		f.To += n
		return
	}
	i := f.To
	if p.at(i) == "-" && p.glued(i) && p.glued(i+1) && (p.has("period", i+1) > 0 || p.has("unit", i+1) > 0) { // "a 3-hour tour"
		i++
	}
	if p.at(i) == "." && p.glued(i) && p.at(i+1) == "-" && p.glued(i+1) { // "50.-"
		i += 2
	}
	currency, n := p.value("currency", i)
	switch {
	case n > 0:
		f.Currency, f.To = currency, i+n
	case p.has("percent", i) > 0:
		f.Percent, f.To = true, i+p.has("percent", i)
	case p.has("subunit", i) > 0 && (len(p.at(i)) > 1 || p.glued(i)):
		f.Currency, _ = p.value("subunit", i)
		f.Low, f.High, f.To = f.Low/100, f.High/100, i+1
	case p.has("period", i) > 0 && (len(p.at(i)) > 1 || p.glued(i) || p.at(i) == "h"):
		f.Unit, n = p.value("period", i)
		f.To = i + n
		if h, n := p.andHalf(f.To); n > 0 {
			f.Low, f.High, f.To = f.Low+h, f.High+h, f.To+n
		}
	case p.has("unit", i) > 0 && f.Currency == "":
		f.Unit, n = p.value("unit", i)
		f.To = i + n
	}
	p.rate(f)
}

// extend reads the other end of a range: "10 to 12", "10, or maybe 12".
func (p *phrase) extend(f *Figure) {
	i := f.To
	if p.at(i) == "," {
		i++
	}
	n := p.has("rangeto", i)
	if n == 0 {
		return
	}
	and, or := p.has("and", i) > 0, p.has("or", i) > 0
	between := p.has("between", f.From-1) > 0
	if and && !between {
		return
	}
	if i > f.To && !or {
		return
	}
	i += n
	if word := p.at(i - n); word == "-" && p.has("rangeto", i) > 0 { // "zehn- bis fünfzehntausend"
		i += p.has("rangeto", i)
	}
	for range 2 {
		if p.has("about", i) > 0 {
			i += p.has("about", i)
		}
	}
	currency := ""
	if c, n := p.value("currency", i); n > 0 {
		currency, i = c, i+n
	}
	v, to, ok := p.number(i)
	if !ok {
		return
	}
	g := Figure{Low: v, High: v, Currency: currency, To: to}
	p.units(&g)
	low := f.Low
	if s := p.scaleOf(to - 1); s > 0 && p.has("scale", f.To-1) == 0 && low < g.High/s && g.High/s < 1000 { // "10 to 12k", "two or three hundred"
		low *= s
	}
	if g.Ordinal || low > g.High || low == g.High || f.Unit != "" && g.Unit != "" && f.Unit != g.Unit {
		return
	}
	f.Low, f.High, f.To = low, g.High, g.To
	f.Unit, f.Percent, f.Period = first(g.Unit, f.Unit), f.Percent || g.Percent, first(g.Period, f.Period)
	f.Currency = first(f.Currency, g.Currency)
	f.Approximate = f.Approximate || or
}

// scaleOf returns the scale that word i is, or that a number written as one word ends with:
// 1000 of "fünfzehntausend"; 0 for none.
func (p *phrase) scaleOf(i int) float64 {
	if s, n := p.value("scale", i); n > 0 {
		scale, _ := strconv.ParseFloat(s, 64)
		return scale
	}
	word := p.at(i)
	if _, ok := p.compound(word); !ok {
		return 0
	}
	for _, l := range p.lexicons {
		for n := 3; n < len(word); n++ {
			if s, ok := l.Value("scale", word[n:]); ok {
				scale, _ := strconv.ParseFloat(s, 64)
				return scale
			}
		}
	}
	return 0
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// doubts looks around a figure for what makes it about, at least or at most.
func (p *phrase) doubts(f *Figure) {
	for i := f.From; i < f.To-1; i++ { // "a good dozen"
		f.Approximate = f.Approximate || p.has("about", i) > 0 && unicode.IsLetter([]rune(p.words[i].Text)[0]) && f.Low == f.High
	}
	for i := max(0, f.From-3); i < f.From; i++ {
		switch to := f.From; {
		case i+p.has("least", i) == to:
			f.Least = true
		case i+p.has("most", i) == to:
			f.Most = true
		case p.has("about", i) > 0 && i+p.has("about", i) <= to:
			f.Approximate = true
		}
	}
	for _, i := range []int{f.To, f.To + 1} {
		if p.has("about", i) > 1 && (i == f.To || p.at(f.To) == ",") || p.at(f.To) == "ish" {
			f.Approximate = true
		}
	}
	p.doubtsAtEnd(f)
	if p.at(f.To) == "ish" || p.at(f.To) == "+" && p.glued(f.To) {
		f.Least = p.at(f.To) == "+"
		f.To++
	}
}

// doubtsAtEnd looks at what ends a clause right behind a figure: "20000 perhaps", "80000 at most".
func (p *phrase) doubtsAtEnd(f *Figure) {
	for _, x := range []struct {
		kind string
		is   *bool
	}{{"most", &f.Most}, {"least", &f.Least}, {"hedge", &f.Approximate}} {
		i := f.To
		if p.at(i) == "," {
			i++
		}
		n := p.has(x.kind, i)
		if end := p.at(i + n); n > 0 && unicode.IsLetter([]rune(p.at(i))[0]) && strings.Trim(end, ",.;:!?") == "" {
			*x.is = true
		}
	}
}
