package eval

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// checker finds the first fault of a persona.
type checker struct {
	persona  *Persona
	template func(key string) *obligations.Template // nil for an unknown key
	err      error
}

// validate returns the first fault of p, with its field, or nil.
func (p *Persona) validate(d *objectives.Definition) error {
	c := checker{persona: p, template: d.Template}
	c.check(strings.TrimSpace(p.About) != "", "about", "must say in a sentence who this is")
	c.check(slices.Contains(kinds, p.Kind), "kind", "must be one of %v, not %q", kinds, p.Kind)
	c.check(p.Forms == "widgets" || p.Forms == "words", "forms", "must be widgets or words, not %q", p.Forms)
	c.check(p.Conflicts == "place" || p.Conflicts == "words", "conflicts", "must be place or words, not %q", p.Conflicts)
	c.facts()
	c.changes()
	c.remarks()
	c.replies()
	return c.err
}

// check notes a fault of field unless ok.
func (c *checker) check(ok bool, field, format string, args ...any) {
	if !ok && c.err == nil {
		c.err = fmt.Errorf(field+": "+format, args...)
	}
}

// facts checks that there are facts, one for each key, and that they can be stored.
func (c *checker) facts() {
	seen := map[string]bool{}
	c.check(len(c.persona.Facts) > 0, "facts", "must hold at least one fact")
	for i, f := range c.persona.Facts {
		at := fmt.Sprintf("facts[%d]", i)
		c.key(at+".key", f.Key)
		c.check(!seen[f.Key], at+".key", "%q stands twice", f.Key)
		seen[f.Key] = true
		c.stance(at, f)
		c.lines(at+".say", f.Say)
		if f.Gold != nil {
			c.value(at+".gold", f.Key, f.Gold)
		}
	}
}

// stance checks that a fact can be said, or that there is nothing to say.
func (c *checker) stance(at string, f PersonaFact) {
	switch f.As {
	case "", Later:
		c.check(f.Gold != nil, at+".gold", "is missing; say as what the person takes the question, or what is true")
		c.check(len(f.Say) > 0 || f.Widget, at+".say", "is missing; only a text or a choice is said as it is stored")
	case Unknown, Declines, NotApplicable:
		c.check(f.Gold == nil && !f.Widget, at+".as", "a person who takes %q as %s holds no value and fills in no widget", f.Key, f.As)
	default:
		c.check(false, at+".as", "must be unknown, declines, not_applicable or later, not %q", f.As)
	}
}

// changes checks corrections and contradictions.
func (c *checker) changes() {
	for i, x := range c.persona.Corrections {
		at := fmt.Sprintf("corrections[%d]", i)
		c.against(at+".was", x.Key, x.Was)
		c.check(len(x.First) > 0, at+".first", "must hold at least one phrasing")
		c.lines(at+".first", x.First)
		c.line(at+".say", x.Say)
		c.when(at+".when", x.When)
	}
	for i, x := range c.persona.Contradictions {
		at := fmt.Sprintf("contradictions[%d]", i)
		c.against(at+".value", x.Key, x.Value)
		c.line(at+".say", x.Say)
		c.when(at+".when", x.When)
	}
}

// against checks a value that must differ from gold.
func (c *checker) against(field, key string, v json.RawMessage) {
	f := c.persona.fact(key)
	c.key(field, key)
	c.check(f != nil && f.Gold != nil, field, "%q needs a fact with gold to differ from", key)
	c.value(field, key, v)
	c.check(f == nil || !obligations.SameValue(f.Gold, v), field, "must differ from gold")
}

// remarks checks the lines that are said beside or instead of an answer.
func (c *checker) remarks() {
	for i, v := range c.persona.Volunteers {
		at := fmt.Sprintf("volunteers[%d]", i)
		c.line(at+".say", v.Say)
		c.when(at+".when", v.When)
		c.check(len(v.Keys) > 0, at+".keys", "must name what is told")
		for _, key := range v.Keys {
			f := c.persona.fact(key)
			c.key(at+".keys", key)
			c.check(f != nil && f.Gold != nil, at+".keys", "%q has no gold to tell", key)
		}
	}
	for name, list := range map[string][]Remark{"asides": c.persona.Asides, "questions": c.persona.Questions} {
		for i, r := range list {
			at := fmt.Sprintf("%s[%d]", name, i)
			c.line(at+".say", r.Say)
			c.when(at+".when", r.When)
		}
	}
}

// replies checks the phrasings, after defaults were filled in.
func (c *checker) replies() {
	r := c.persona.Replies
	for _, x := range []struct {
		field string
		lines []string
	}{{"confirm", r.Confirm}, {"finish", r.Finish}, {"unknown", r.Unknown}, {"decline", r.Decline}, {"notApplicable", r.NotApplicable}, {"later", r.Later}} {
		c.lines("replies."+x.field, x.lines)
	}
}

// key checks that the objective has such an obligation.
func (c *checker) key(field, key string) {
	c.check(c.template(key) != nil, field, "%q is no obligation of %s", key, c.persona.Context)
}

// value checks that v can be stored as the value of key.
func (c *checker) value(field, key string, v json.RawMessage) {
	t := c.template(key)
	if t == nil {
		return
	}
	err := t.Check(v)
	c.check(err == nil, field, "%v", err)
}

// lines checks each of several phrasings.
func (c *checker) lines(field string, list []string) {
	for i, s := range list {
		c.line(fmt.Sprintf("%s[%d]", field, i), s)
	}
}

// line checks that s can be sent as a message and is kept as it is.
func (c *checker) line(field, s string) {
	c.check(strings.TrimSpace(s) != "" && strings.TrimSpace(s) == s, field, "must be words without white space around them")
}

// when checks that a line is due at some time.
func (c *checker) when(field string, w When) {
	c.check((w.Turn > 0) != (w.After != ""), field, "must hold either a turn from 1 on or a key in after")
	if w.After != "" {
		f := c.persona.fact(w.After)
		c.check(f != nil && f.Gold != nil, field+".after", "%q is never told", w.After)
	}
}
