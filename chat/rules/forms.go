package rules

import (
	"encoding/json"
	"slices"
	"strings"

	"quaestor/chat"
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
		if !r.several(c) && r.fillOne(c, fields) {
			continue
		}
		for _, item := range r.u.items(c.from, c.to) {
			r.fillOne(item, fields)
		}
	}
}

// several reports whether c holds more than one figure or date, and may answer several
// fields, or holds none.
func (r *reader) several(c clause) bool {
	dates := r.u.moments(c.from, c.to, r.scene.Now)
	return len(r.u.undated(r.u.quantities(c.from, c.to), dates))+len(dates) != 1
}

// bySentence reads a message with as many sentences as the form has fields, one each
// and in their order, when every one of them is an answer or puts its field aside. It
// reports whether it did.
func (r *reader) bySentence() bool {
	fields, said := r.openFields(nil), r.sentences()
	if len(fields) < 2 || len(said) != len(fields) {
		return false
	}
	got := make([]reading, len(said))
	for i, o := range fields {
		if putsAside(said[i].mark.intent) {
			continue
		}
		got[i] = r.u.read(o.Template, said[i].from, said[i].to, r.scene.Now)
		if said[i].marked || got[i].value == nil || r.yearOnly(o, got[i]) {
			return false
		}
	}
	r.out.Intent = chat.Answer
	for i, o := range fields {
		if got[i].value != nil {
			r.tell(o.Key, got[i], obligations.Tell, "")
		} else {
			r.putAside(o, said[i].mark)
		}
	}
	return true
}

// sentences joins the parts of each sentence. One that only wants something has its
// mark.
func (r *reader) sentences() []part {
	var out []part
	starts := true
	for _, p := range r.parts {
		if starts {
			out = append(out, p)
		} else {
			last := &out[len(out)-1]
			last.to, last.marked, last.mark = p.to, false, mark{}
		}
		starts = p.ends
	}
	return out
}

// putsAside reports whether a sentence puts a question aside.
func putsAside(intent chat.Intent) bool {
	return intent == chat.SkipThis || intent == chat.Later || intent == chat.DontKnow
}

// putAside notes that the person leaves o out, wants to come back to it or does not
// know.
func (r *reader) putAside(o *obligations.Obligation, m mark) {
	f := obligations.Finding{Key: o.Key}
	switch m.intent {
	case chat.SkipThis:
		f.Act, f.Skip, f.Reason = obligations.Skip, m.skip, skipReasons[m.skip]
	case chat.Later:
		f.Act, f.Reason = obligations.Defer, wantsLater
	default:
		f.Act, f.Reason = obligations.Unsure, notKnown
	}
	r.add(f)
}

// countsOther reports whether a figure of item counts what another field asks for: "4
// people" is no amount of money.
func (r *reader) countsOther(item clause, o *obligations.Obligation, fields []*obligations.Obligation) bool {
	if o.Widget != obligations.Number {
		return false
	}
	for _, q := range r.u.quantities(item.from, item.to) {
		noun := stem(q.noun)
		if noun != "" && slices.ContainsFunc(fields, func(f *obligations.Obligation) bool { return f != o && stem(strings.ToLower(f.Unit)) == noun }) {
			return stem(strings.ToLower(o.Unit)) != noun
		}
	}
	return false
}

// yearOnly reports whether a number was read from what is more likely a year.
func (r *reader) yearOnly(o *obligations.Obligation, got reading) bool {
	return o.Widget == obligations.Number && got.to-got.from == 1 && calendarYear(r.u.at(got.from)) && (o.Min == nil || *o.Min < 1000)
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

// fillOne gives an item to the only field that can read it, a year to the only date,
// and reports whether there was one.
func (r *reader) fillOne(item clause, fields []*obligations.Obligation) bool {
	var only *obligations.Obligation
	var value reading
	for _, o := range fields {
		if o.Widget == obligations.Text || r.told(o.Key) {
			continue
		}
		got := r.u.read(o.Template, item.from, item.to, r.scene.Now)
		if got.value == nil || !ofChoices(o.Template, got.value) || r.yearOnly(o, got) || r.countsOther(item, o, fields) {
			continue
		}
		if only != nil {
			return false
		}
		only, value = o, got
	}
	return only != nil && r.tell(only.Key, value, obligations.Tell, "")
}
