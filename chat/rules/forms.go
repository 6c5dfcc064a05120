package rules

import (
	"encoding/json"
	"slices"

	"quaestor/obligations"
)

// fillForm reads a typed answer to a form: one item a field in order, else what
// the claims leave over, field by field. claims already hold what cues announce.
func (r *reader) fillForm(content []clause, claims []claim) {
	fields := r.openFields(claims)
	if len(fields) == 0 {
		return
	}
	if len(claims) == 0 && r.inOrder(content, fields) {
		return
	}
	for _, c := range unclaimed(content, claims) {
		for _, item := range r.u.items(c.from, c.to) {
			r.fillOne(item, fields)
		}
	}
}

// openFields returns the fields of the form that no claim answers.
func (r *reader) openFields(claims []claim) []*obligations.Obligation {
	var out []*obligations.Obligation
	for _, key := range r.scene.Asked.Keys() {
		taken := false
		for _, c := range claims {
			taken = taken || c.o.Key == key
		}
		if o := r.find(key); o != nil && !taken {
			out = append(out, o)
		}
	}
	return out
}

// inOrder reads as many items as there are fields, one each.
func (r *reader) inOrder(content []clause, fields []*obligations.Obligation) bool {
	items := r.u.items(content[0].from, content[len(content)-1].to)
	if len(items) != len(fields) {
		return false
	}
	got := make([]reading, len(items))
	for i, o := range fields {
		got[i] = r.u.read(o.Template, items[i].from, items[i].to, r.scene.Now)
		if got[i].value == nil {
			return false
		}
	}
	for i, o := range fields {
		r.tell(o.Key, got[i], obligations.Tell, "")
	}
	return true
}

// ofChoices reports whether v is made of t's choices only, where it has any: what
// fits no field is not forced into one that takes other answers.
func ofChoices(t *obligations.Template, v json.RawMessage) bool {
	switch t.Widget {
	case obligations.ChoiceOne:
		return t.Pick(text(v)) != nil
	case obligations.MultiSelect:
		var values []string
		return json.Unmarshal(v, &values) == nil && !slices.ContainsFunc(values, func(s string) bool { return t.Pick(s) == nil })
	case obligations.Text, obligations.Date, obligations.Number:
	}
	return true
}

// fillOne gives an item to the only field that can read it.
func (r *reader) fillOne(item clause, fields []*obligations.Obligation) {
	var only *obligations.Obligation
	var value reading
	for _, o := range fields {
		if o.Widget == obligations.Text || r.told(o.Key) {
			continue
		}
		got := r.u.read(o.Template, item.from, item.to, r.scene.Now)
		if got.value == nil || !ofChoices(o.Template, got.value) {
			continue
		}
		if only != nil {
			return
		}
		only, value = o, got
	}
	if only != nil {
		r.tell(only.Key, value, obligations.Tell, "")
	}
}
