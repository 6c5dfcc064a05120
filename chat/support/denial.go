package support

import "strings"

// deny marks the words that a denial reaches. "Not", "never" and their like deny their
// whole clause ("Saturdays are not possible"), "no", "without" and "except" what follows
// them in it.
func (t text) deny() {
	for i := 0; i < len(t); i++ {
		if _, n := t.kind("nodeny", i); n > 0 {
			i += n - 1
			continue
		}
		reach, n := t.kind("deny", i)
		if n == 0 && strings.HasSuffix(t[i].folded, "n't") {
			reach, n = "clause", 1
		}
		if n == 0 {
			continue
		}
		if reach == "clause" && !t.cuts(i) {
			t.mark(t.clauseStart(i), i)
		}
		end := t.clauseEnd(i + n)
		t.mark(i+n, end)
		i += n - 1
	}
}

// cuts reports whether the "not" at i denies only what follows it: it opens its clause, or
// it parts what holds from what does not: "cash, not cards", "cash not cards".
func (t text) cuts(i int) bool {
	if t[i].folded != "not" && t[i].folded != "nicht" {
		return false
	}
	return i == t.clauseStart(i) || t[i].folded == "not" && i > 0 && !auxiliaries[t[i-1].folded]
}

// auxiliaries are the words that an English "not" belongs to.
var auxiliaries = set("is are was were am be been do does did has have had can could will would shall should may might must i'm we're they're it's that's you're he's she's")

func (t text) mark(from, to int) {
	for i := from; i < to; i++ {
		t[i].denied = true
	}
}

// ends reports whether a clause ends before word i.
func (t text) ends(i int) bool {
	return strings.ContainsAny(t[i].Text, ".!?;:()–—\n") && len(t[i].Text) <= 3 || t.is("contrast", i)
}

// clauseStart returns where the clause of word i begins. What is joined by "and" belongs
// to it when it is a bare word: "Saturdays and Sundays are not possible".
func (t text) clauseStart(i int) int {
	content := 0
	for at := i - 1; at >= 0; at-- {
		switch {
		case t.ends(at), t[at].Text == ",":
			return at + 1
		case joins[t[at].folded] && t.contentIn(t.openBefore(at), at) > 1:
			return at + 1
		case t[at].content:
			content++
		}
	}
	return 0
}

// openBefore returns where the clause before the "and" at i begins.
func (t text) openBefore(i int) int {
	for at := i - 1; at >= 0; at-- {
		if t.ends(at) || t[at].Text == "," {
			return at + 1
		}
	}
	return 0
}

// joins are the words that join two parts of a clause.
var joins = set("and und")

// maxListed is how many words an item of a list has at most, "and" and article included.
const maxListed = 3

// clauseEnd returns where the clause that goes on at i ends. A list that is denied goes
// on beyond its commas when an "or" is in it: "not Mondays, Tuesdays or Fridays".
func (t text) clauseEnd(i int) int {
	for at := i; at < len(t); at++ {
		switch {
		case t.ends(at):
			return at
		case t[at].Text == "," && !t.lists(at+1):
			return at
		case joins[t[at].folded] && t.contentIn(at+1, t.partEnd(at+1)) > 1:
			return at
		}
	}
	return len(t)
}

// lists reports whether a denied list goes on from i to its "or".
func (t text) lists(i int) bool {
	end := i
	for end < len(t) && !t.ends(end) {
		end++
	}
	or := false
	for at := i; at < end; {
		to := t.partEnd(at)
		for k := at; k < to; k++ {
			or = or || t.is("or", k)
		}
		if to-at > maxListed {
			return false
		}
		at = to + 1
	}
	return or
}

// partEnd returns where the part between two commas that begins at i ends.
func (t text) partEnd(i int) int {
	for ; i < len(t) && !t.ends(i) && t[i].Text != ","; i++ {
	}
	return min(i, len(t))
}

func (t text) contentIn(from, to int) int {
	n := 0
	for _, w := range t[min(from, to):to] {
		if w.content {
			n++
		}
	}
	return n
}

// polarity returns +1 for a yes, -1 for a no and 0 for neither. The first word that says
// so decides; a denial without one is a no.
func (t text) polarity() int {
	denied := false
	for i := range t {
		if !t[i].inside {
			continue
		}
		if _, n := t.kind("nodeny", i); n > 0 {
			continue
		}
		yes, no := t.is("yes", i), t.is("no", i) || strings.HasSuffix(t[i].folded, "n't")
		switch {
		case yes && !t[i].denied && !no:
			if !t.deniesLater(i) {
				return 1
			}
		case no:
			return -1
		}
		_, n := t.kind("deny", i)
		denied = denied || n > 0
	}
	if denied {
		return -1
	}
	return 0
}

// deniesLater reports whether the word of assent at i belongs to a denial: "of course
// not", "natürlich nicht".
func (t text) deniesLater(i int) bool {
	for at := i + 1; at < len(t) && at <= i+2; at++ {
		if t[at].Text == "," || t.ends(at) {
			return false
		}
		if reach, n := t.kind("deny", at); n > 0 && reach == "clause" {
			return true
		}
	}
	return false
}

// Assents reports whether a message agrees to what was put to the person: it says yes, in
// one of its words, before any no, or nothing but that it is right.
func Assents(message string) bool {
	t := cut(message)
	for i := range t {
		t[i].inside = true
	}
	switch t.polarity() {
	case 1:
		return true
	case -1:
		return false
	}
	for i := range t {
		if _, n := t.kind("assent", i); n > 0 && !t[i].denied {
			return true
		}
	}
	return false
}
