package obligations

import (
	"encoding/json"
	"unicode/utf8"
)

// decodeEvidence decodes the evidence column. Every turn decodes it for all obligations
// that have a value, and encoding/json took a thirtieth of a turn's processor time for it.
// Anything out of the ordinary is left to encoding/json.
func decodeEvidence(body []byte, into *[]Evidence) error {
	if list, ok := plainEvidence(body); ok {
		*into = list
		return nil
	}
	return json.Unmarshal(body, into)
}

func plainEvidence(body []byte) (list []Evidence, ok bool) {
	p := plainParser{body: body}
	list = []Evidence{}
	p.list(func() {
		var e Evidence
		p.evidence(&e)
		list = append(list, e)
	})
	return list, p.whole()
}

func (p *plainParser) evidence(e *Evidence) {
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
		case "details":
			e.Details = new(Details)
			p.details(e.Details)
		case "grade":
			e.Grade = new(Grade)
			p.grade(e.Grade)
		default:
			p.odd = true
		}
	})
}

func (p *plainParser) details(d *Details) {
	p.object(func(key []byte) {
		switch string(key) {
		case "currency":
			d.Currency = p.text()
		case "period":
			d.Period = p.text()
		case "unit":
			d.Unit = p.text()
		case "approximate":
			d.Approximate = p.yes()
		case "least":
			d.Least = p.yes()
		case "most":
			d.Most = p.yes()
		default:
			p.odd = true
		}
	})
}

func (p *plainParser) span(s *Span) {
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

func (p *plainParser) grade(g *Grade) {
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

// plainParser parses JSON as our own rows usually have it: strings without escapes, small
// numbers, no null, no member twice. If it meets anything else, odd is set and nothing
// parsed so far counts.
type plainParser struct {
	body []byte
	at   int
	odd  bool
}

// whole reports whether all of body was parsed and none of it was odd.
func (p *plainParser) whole() bool {
	p.space()
	return !p.odd && p.at == len(p.body)
}

// peek returns the current byte, or 0 at the end.
func (p *plainParser) peek() byte {
	if p.at < len(p.body) {
		return p.body[p.at]
	}
	return 0
}

func (p *plainParser) space() {
	for c := p.peek(); c == ' ' || c == '\n' || c == '\t' || c == '\r'; c = p.peek() {
		p.at++
	}
}

// take consumes c and the white space around it, and reports whether it was there.
func (p *plainParser) take(c byte) bool {
	p.space()
	if p.odd || p.peek() != c {
		return false
	}
	p.at++
	p.space()
	return true
}

// members parses the comma-separated items between begin and end.
func (p *plainParser) members(begin, end byte, member func()) {
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

func (p *plainParser) list(item func()) { p.members('[', ']', item) }

// object calls member with each member's name; member must parse the value.
func (p *plainParser) object(member func(key []byte)) {
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

// raw parses a string without escapes and returns its content.
func (p *plainParser) raw() []byte {
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

func (p *plainParser) text() string {
	raw := p.raw()
	p.odd = p.odd || !utf8.Valid(raw)
	return string(raw)
}

// kind parses a kind of evidence without allocating for the usual ones.
func (p *plainParser) kind() EvidenceKind {
	raw := p.raw()
	for _, k := range [...]EvidenceKind{Stated, Accepted, WidgetInput, Document, InferredEvidence, ResearchEvidence, Reviewer} {
		if string(raw) == string(k) {
			return k
		}
	}
	p.odd = true
	return ""
}

// maxDigits is the most digits a number may have here: nine always fit an int32.
const maxDigits = 9

// digits parses digits without a leading zero.
func (p *plainParser) digits() []byte {
	from := p.at
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.at++
	}
	out := p.body[from:p.at]
	p.odd = p.odd || len(out) == 0 || len(out) > maxDigits || len(out) > 1 && out[0] == '0'
	return out
}

// count parses a non-negative whole number.
func (p *plainParser) count() int {
	n := 0
	for _, c := range p.digits() {
		n = 10*n + int(c-'0')
	}
	return n
}

// confidence parses a fraction such as 0.95. Anything but digits after the point makes the
// rest odd.
func (p *plainParser) confidence() *Confidence {
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

func (p *plainParser) yes() bool {
	for _, word := range [...]string{"true", "false"} {
		if end := p.at + len(word); end <= len(p.body) && string(p.body[p.at:end]) == word {
			p.at = end
			return word == "true"
		}
	}
	p.odd = true
	return false
}
