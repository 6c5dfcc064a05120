package obligations

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Stored returns o as [Load] gives it back after [Save], without asking the
// database; ok is false where that is not certain.
func Stored(o Obligation) (out Obligation, ok bool) {
	n := storing{ok: true}
	o.Value = n.value(o.Value)
	o.Evidence = each(o.Evidence, n.evidence)
	o.Stands = each(o.Stands, n.stand)
	o.Negotiation = n.negotiation(o.Negotiation)
	return o, n.ok
}

// storing brings JSON into the form it has in the database.
type storing struct{ ok bool }

// each returns a copy of list with f done to all of it; nil for an empty list.
func each[T any](list []T, f func(*T)) []T {
	if len(list) == 0 {
		return nil
	}
	list = slices.Clone(list)
	for i := range list {
		f(&list[i])
	}
	return list
}

func (n *storing) evidence(e *Evidence) {
	if e.Proposal != nil {
		p := *e.Proposal
		p.Value = n.orNull(p.Value)
		e.Proposal = &p
	}
}

func (n *storing) stand(c *Contribution) {
	c.Value = n.orNull(c.Value)
	n.evidence(&c.Evidence)
}

func (n *storing) negotiation(was *Negotiation) *Negotiation {
	if was == nil {
		return nil
	}
	is := *was
	is.FinalValue = n.value(is.FinalValue)
	is.Rounds = each(is.Rounds, func(r *Round) { r.Proposal, r.UserValue = n.orNull(r.Proposal), n.value(r.UserValue) })
	is.Refused = each(is.Refused, func(r *Refused) { r.Value = n.orNull(r.Value) })
	return &is
}

// orNull is value for what is written even when there is nothing: as null.
func (n *storing) orNull(v json.RawMessage) json.RawMessage {
	if v == nil {
		return json.RawMessage("null")
	}
	return n.value(v)
}

func (n *storing) value(v json.RawMessage) json.RawMessage {
	if v == nil || !n.ok {
		return v
	}
	out, ok := StoredJSON(v)
	n.ok = ok
	if bytes.Equal(out, v) {
		return v
	}
	return out
}

// StoredJSON returns v as PostgreSQL writes a jsonb that was made from it; ok is
// false for what it may write in another way, or refuse.
func StoredJSON(v []byte) (out []byte, ok bool) {
	d := json.NewDecoder(bytes.NewReader(v))
	d.UseNumber()
	var x any
	if err := d.Decode(&x); err != nil || d.More() {
		return nil, false
	}
	return appendStored(make([]byte, 0, len(v)+8), x)
}

// odd are characters the database refuses, or that stand for what could not be
// read.
const odd = "\x00\uFFFD"

// plainNumber matches numbers that are kept digit by digit.
var plainNumber = regexp.MustCompile(`^(0|-?[1-9][0-9]{0,30})(\.[0-9]{1,30})?$`)

func appendStored(b []byte, x any) ([]byte, bool) {
	switch x := x.(type) {
	case nil:
		return append(b, "null"...), true
	case bool:
		return fmt.Append(b, x), true
	case json.Number:
		return append(b, x...), plainNumber.MatchString(x.String())
	case string:
		return appendText(b, x), !strings.ContainsAny(x, odd)
	case []any:
		return appendList(b, x)
	case map[string]any:
		return appendObject(b, x)
	}
	return b, false
}

func appendList(b []byte, list []any) ([]byte, bool) {
	b = append(b, '[')
	for i, x := range list {
		if i > 0 {
			b = append(b, ", "...)
		}
		var ok bool
		if b, ok = appendStored(b, x); !ok {
			return b, false
		}
	}
	return append(b, ']'), true
}

// appendObject writes short keys before long ones, as jsonb keeps them.
func appendObject(b []byte, object map[string]any) ([]byte, bool) {
	keys := make([]string, 0, len(object))
	for k := range object {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
	b = append(b, '{')
	for i, k := range keys {
		if i > 0 {
			b = append(b, ", "...)
		}
		var ok bool
		b = append(appendText(b, k), ": "...)
		if b, ok = appendStored(b, object[k]); !ok || strings.ContainsAny(k, odd) {
			return b, false
		}
	}
	return append(b, '}'), true
}

// escaped are the characters that stand in JSON with a backslash and a letter.
var escaped = map[byte]byte{'\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't', '"': '"', '\\': '\\'}

func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		c := s[i]
		switch short, ok := escaped[c]; {
		case ok:
			b = append(b, '\\', short)
		case c < ' ':
			b = fmt.Appendf(b, `\u%04x`, c)
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
