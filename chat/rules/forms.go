package rules

import (
	"slices"

	"quaestor/chat"
	"quaestor/obligations"
)

// fillForm reads a typed answer to a form: one piece a field in order, else what
// the claims leave over, piece by piece. claims already hold what cues announce.
func (r *reader) fillForm(content []clause, claims []claim) {
	fields := r.openFields(claims)
	if len(fields) == 0 {
		return
	}
	from, to := content[0].from, content[len(content)-1].to
	if len(claims) == 0 && (r.inOrder(r.u.segments(from, to), fields) || r.inOrder(r.u.items(from, to), fields)) {
		return
	}
	r.placeAll(unclaimed(content, claims), fields)
}

// segments cuts words from to (excluded) at commas and at the ends of sentences. What
// counts the same people stays together ("4 full time, 2 part time"), and so does what is
// added up.
func (u *utterance) segments(from, to int) []clause {
	var out []clause
	start := from
	for i := from + 1; i <= to; i++ {
		if i < to && !u.parted(i) {
			continue
		}
		c := u.body(clause{from: start, to: i})
		if n := len(out); n > 0 && (u.kindsOf(out[n-1].from, i) || u.goesOn(out[n-1], c.from, c.to)) {
			out[n-1].to = i
		} else if c.from < c.to {
			out = append(out, c)
		}
		start = i
	}
	return out
}

// bySentence reads a message with as many sentences as the form has fields, one each
// and in their order, when every one of them is an answer or puts its field aside. It
// reports whether it did.
func (r *reader) bySentence() bool {
	fields := r.openFields(nil)
	if len(fields) < 2 {
		return false
	}
	return r.oneEach(r.sentences(), fields) || slices.ContainsFunc(r.parts, func(p part) bool { return putsAside(p.mark.intent) }) && r.oneEach(r.parts, fields)
}

// oneEach reads said as the answers to fields, one each, when every one of them is one.
func (r *reader) oneEach(said []part, fields []*obligations.Obligation) bool {
	if len(said) != len(fields) {
		return false
	}
	got := make([]reading, len(said))
	for i, o := range fields {
		if putsAside(said[i].mark.intent) {
			continue
		}
		got[i] = r.u.read(o.Template, said[i].from, said[i].to, r.scene.Now)
		if said[i].marked || got[i].value == nil || r.misplaced(said[i].clause, o, got[i], fields) {
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

// leastInOrder is how many pieces have to be read in their order before the order says
// that those after them, which cannot be read, belong to the fields after theirs.
const leastInOrder = 2

// inOrder reads as many pieces as there are fields, one each. The last ones may say
// nothing that any field could hold; they stay open.
func (r *reader) inOrder(pieces []clause, fields []*obligations.Obligation) bool {
	if len(pieces) != len(fields) {
		return false
	}
	got := make([]reading, len(pieces))
	told := 0
	for i, o := range fields {
		got[i] = r.u.read(o.Template, pieces[i].from, pieces[i].to, r.scene.Now)
		switch {
		case got[i].value == nil && (told < leastInOrder || !got[i].found() && r.readable(pieces[i], fields)):
			return false
		case got[i].value != nil && (told < i || r.misplaced(pieces[i], o, got[i], fields)):
			return false
		case got[i].value != nil:
			told++
		}
	}
	for i, g := range got[:told] {
		r.tell(fields[i].Key, g, obligations.Tell, "")
	}
	return true
}

// readable reports whether any of fields can hold what p says.
func (r *reader) readable(p clause, fields []*obligations.Obligation) bool {
	return slices.ContainsFunc(fields, func(o *obligations.Obligation) bool {
		return r.u.read(o.Template, p.from, p.to, r.scene.Now).value != nil
	})
}
