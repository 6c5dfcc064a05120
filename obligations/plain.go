package obligations

import (
	"encoding/json"
	"unicode/utf8"
)

// decodeEvidence reads what a row keeps as evidence. A turn reads that of all
// obligations with a value, which took encoding/json a thirtieth of its processor
// time; what is not as plain as most of it is left to encoding/json.
func decodeEvidence(body []byte, into *[]Evidence) error {
	if list, ok := plainEvidence(body); ok {
		*into = list
		return nil
	}
	return json.Unmarshal(body, into)
}

func plainEvidence(body []byte) (list []Evidence, ok bool) {
	p := plain{body: body}
	list = []Evidence{}
	p.list(func() {
		var e Evidence
		p.evidence(&e)
		list = append(list, e)
	})
	return list, p.whole()
}

func (p *plain) evidence(e *Evidence) {
	p.object(func(key []byte) {
		switch string(key) {
		case "kind":
			e.Kind = p.kind()
		case "turn":
			e.Turn = p.count()
		case "by":
			e.By = p.text()
		case "message":
			e.Message = p.text()
		case "quote":
			e.Quote = p.text()
		case "source":
			e.Source = p.text()
		case "file":
			e.File = p.text()
		case "flag":
			e.Flag = p.text()
		case "span":
			e.Span = new(Span)
			p.span(e.Span)
		case "grade":
			e.Grade = new(Grade)
			p.grade(e.Grade)
		default:
			p.odd = true
		}
	})
}

func (p *plain) span(s *Span) {
	p.object(func(key []byte) {
		switch string(key) {
		case "start":
			s.Start = p.count()
		case "end":
			s.End = p.count()
		default:
			p.odd = true
		}
	})
}

func (p *plain) grade(g *Grade) {
	p.object(func(key []byte) {
		switch string(key) {
		case "kind":
			g.Kind = p.kind()
		case "hedged":
			g.Hedged = p.yes()
		case "vague":
			g.Vague = p.yes()
		case "loose":
			g.Loose = p.yes()
		case "unfound":
			g.Unfound = p.yes()
		case "disputed":
			g.Disputed = p.yes()
		case "agreement":
			g.Agreement = p.count()
		case "model":
			g.Model = p.confidence()
		default:
			p.odd = true
		}
	})
}

// plain walks through JSON that is as our own rows mostly are: strings without
// escapes, small numbers, no null, no member twice. Where it is not, odd is set and
// nothing that was read counts.
type plain struct {
	body []byte
	at   int
	odd  bool
}

// whole reports whether all of body was read and none of it was odd.
func (p *plain) whole() bool {
	p.space()
	return !p.odd && p.at == len(p.body)
}

// peek returns the current byte, 0 at the end.
func (p *plain) peek() byte {
	if p.at < len(p.body) {
		return p.body[p.at]
	}
	return 0
}

func (p *plain) space() {
	for c := p.peek(); c == ' ' || c == '\n' || c == '\t' || c == '\r'; c = p.peek() {
		p.at++
	}
}

// take moves past c and white space around it, and reports whether it was there.
func (p *plain) take(c byte) bool {
	p.space()
	if p.odd || p.peek() != c {
		return false
	}
	p.at++
	p.space()
	return true
}

// members reads what stands between begin and end, commas between.
func (p *plain) members(begin, end byte, member func()) {
	if !p.take(begin) {
		p.odd = true
		return
	}
	if p.take(end) {
		return
	}
	for member(); p.take(','); {
		member()
	}
	p.odd = !p.take(end) || p.odd
}

func (p *plain) list(item func()) { p.members('[', ']', item) }

// object gives each member's name to member, which reads the value.
func (p *plain) object(member func(key []byte)) {
	var seen [16][]byte
	n := 0
	p.members('{', '}', func() {
		key := p.raw()
		for _, k := range seen[:n] {
			p.odd = p.odd || string(k) == string(key)
		}
		if n == len(seen) || !p.take(':') {
			p.odd = true
			return
		}
		seen[n] = key
		n++
		member(key)
	})
}

// raw reads a string without escapes and returns what stands between its quotes.
func (p *plain) raw() []byte {
	if p.odd || p.peek() != '"' {
		p.odd = true
		return nil
	}
	p.at++
	for from := p.at; p.at < len(p.body); p.at++ {
		switch c := p.body[p.at]; {
		case c == '"':
			p.at++
			return p.body[from : p.at-1]
		case c < ' ' || c == '\\':
			p.odd = true
			return nil
		}
	}
	p.odd = true
	return nil
}

func (p *plain) text() string {
	raw := p.raw()
	p.odd = p.odd || !utf8.Valid(raw)
	return string(raw)
}

// kind reads a kind of evidence; the usual ones take no room of their own.
func (p *plain) kind() EvidenceKind {
	raw := p.raw()
	for _, k := range [...]EvidenceKind{Stated, Accepted, WidgetInput, Document, InferredEvidence, ResearchEvidence, Reviewer} {
		if string(raw) == string(k) {
			return k
		}
	}
	p.odd = true
	return ""
}

// maxDigits is how many digits a number may have to be plain.
const maxDigits = 9

// digits reads digits, without a 0 before others.
func (p *plain) digits() []byte {
	from := p.at
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.at++
	}
	out := p.body[from:p.at]
	p.odd = p.odd || len(out) == 0 || len(out) > maxDigits || len(out) > 1 && out[0] == '0'
	return out
}

// count reads a whole number that is not negative.
func (p *plain) count() int {
	n := 0
	for _, c := range p.digits() {
		n = 10*n + int(c-'0')
	}
	return n
}

// confidence reads a fraction such as 0.95; anything but digits after it is odd to
// whoever reads on.
func (p *plain) confidence() *Confidence {
	from := p.at
	p.digits()
	if p.peek() == '.' {
		for p.at++; p.peek() >= '0' && p.peek() <= '9'; {
			p.at++
		}
	}
	var c Confidence
	if p.odd || p.body[p.at-1] == '.' || c.UnmarshalJSON(p.body[from:p.at]) != nil {
		p.odd = true
		return nil
	}
	return &c
}

func (p *plain) yes() bool {
	for _, word := range [...]string{"true", "false"} {
		if end := p.at + len(word); end <= len(p.body) && string(p.body[p.at:end]) == word {
			p.at = end
			return word == "true"
		}
	}
	p.odd = true
	return false
}
