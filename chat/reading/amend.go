package reading

import (
	"cmp"
	"slices"
	"strings"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// amendment is a sentence that adds something to a list, or takes something off it: "oh and also
// social media", "take families off the list".
type amendment struct {
	item    wordRange
	of      *obligations.Obligation // what it names; nil for nothing
	removes bool
	plain   bool // it says so in so many words, and not only "also" or "too"
	told    bool // by a verb: "add", "take"
}

// longestItem bounds, in words, what is added to a list or taken off it, and longestUnled where only
// the end of the message says so: "pensioners as well".
const (
	longestItem  = 8
	longestUnled = 4
)

// amended reads the sentences that add to a list or take something off it. What is meant is the
// field that the sentence names, else what is read back, else the list that has such a choice or
// item, else the one that was told last. It reports whether there was one.
func (h *heard) amended() bool {
	found := false
	var before amendment
	for _, s := range h.amendingSentences() {
		from, to := h.bytes(s)
		if seg := h.segmentAt(from); h.asks(s) || h.isSettled(from, to) || seg != nil && seg.Act == listening.Stop && seg.Sure >= surelyTalk {
			continue
		}
		a, ok := h.amendmentIn(s)
		if !ok {
			before = amendment{}
			continue
		}
		if a.of == nil && a.told && before.told {
			a.of = h.amendedLast // "take Priya out and add the trustees"
		}
		before = a
		done := a.removes && h.takeOff(a, s) || !a.removes && h.addTo(a, s)
		if o := h.droppedField(a, s); !done && o != nil {
			h.deny(o)
			from, done = h.beginOfMention(o, s), true
		}
		if !done && a.removes && a.of != nil && a.of.Value != nil { // it is not there
			done, h.which = true, true
		}
		if done {
			h.settled = append(h.settled, byteRange{from, to})
			found = true
		}
	}
	if found {
		h.hearBeside()
	}
	return found
}

// amendingSentences returns the sentences, joined where a comma, dot or dash only parts "and one
// more" from what that is.
func (h *heard) amendingSentences() []wordRange {
	var out []wordRange
	for _, s := range h.sentences() {
		if n := len(out); n > 0 && h.leadsTo("adding", out[n-1]) && out[n-1].to+1 == s.from && !h.asks(out[n-1]) {
			out[n-1].to = s.to
			continue
		}
		out = append(out, h.cutAtActs(s)...)
	}
	return out
}

// cutAtActs cuts a sentence before an "and" behind which another item is added or taken off: "take
// Priya out and add the trustees".
func (h *heard) cutAtActs(s wordRange) []wordRange {
	for i := s.from + 1; i+1 < s.to; i++ {
		if isMark(h.folded()[i], ",") && h.partsActs(wordRange{s.from, i}, wordRange{i + 1, s.to}) {
			return append([]wordRange{{s.from, i}}, h.cutAtActs(wordRange{i + 1, s.to})...)
		}
		if language.IsWord("part", h.folded()[i]) && h.entry("adding", i+1, s.to)+h.entry("removing", i+1, s.to) > 0 && h.isAmending(wordRange{s.from, i}) {
			return append([]wordRange{{s.from, i}}, h.cutAtActs(wordRange{i + 1, s.to})...)
		}
	}
	return []wordRange{s}
}

// partsActs reports whether a comma between two stretches parts two acts on lists.
func (h *heard) partsActs(before, behind wordRange) bool {
	rest := h.courteous(behind)
	return rest.len() > 0 && h.entry("removing", rest.from, rest.to) > 0 && h.isAmending(rest) || h.entryBefore("offlist", before.from, before.to) > 0 && h.isAmending(before)
}

// isAmending reports whether a stretch adds an item or takes one off.
func (h *heard) isAmending(s wordRange) bool {
	_, ok := h.amendmentIn(s)
	return ok
}

// leadsTo reports whether a stretch is a lead of a kind and nothing else.
func (h *heard) leadsTo(kind string, s wordRange) bool {
	c := h.courteous(s)
	n := h.entry(kind, c.from, c.to)
	return n > 0 && h.courteous(wordRange{c.from + n, c.to}).len() == 0
}

// amendmentIn reads a sentence that amends a list.
func (h *heard) amendmentIn(s wordRange) (amendment, bool) {
	a := amendment{}
	c := h.spoken(s)
	if colon := h.colonIn(c); colon > 0 { // "target market: add guest houses"
		if o := h.namedIn(wordRange{c.from, colon}); o != nil && h.entry("adding", colon+1, c.to)+h.entry("removing", colon+1, c.to) > 0 {
			a.of, c.from = o, colon+1
		}
	}
	h.fieldBefore(&c, &a)
	led, adds := h.amendmentLead(&c, &a)
	closed := h.amendmentEnd(&c, &a, &adds)
	if !led && !closed {
		return a, false
	}
	if adds {
		a.removes = false
	}
	h.fieldBehind(&c, &a)
	if adds = adds || h.speaksOf(wordRange{s.from, c.from}, "omitted") && a.of != nil; !adds && !a.removes {
		return a, false
	}
	a.item = h.bareItem(c)
	alone := h.spoken(s) == h.spoken(h.all())
	if n := a.item.len(); n == 0 || n > longestItem || h.unfitItem(a) || !led && (!alone || n > longestUnled) {
		return a, false
	}
	return a, true
}

// colonIn returns the first colon of a stretch; 0 for none.
func (h *heard) colonIn(s wordRange) int {
	for i := s.from + 1; i < s.to-1; i++ {
		if isMark(h.folded()[i], ":") {
			return i
		}
	}
	return 0
}

// amendmentLead cuts what leads to an amendment off the beginning of a sentence: "oh and also",
// "add", "take". led tells whether there was something, adds whether it adds.
func (h *heard) amendmentLead(c *wordRange, a *amendment) (led, adds bool) {
	interjected := false
	for c.len() > 1 {
		w := h.folded()[c.from]
		n := 1
		switch {
		case h.entry("adding", c.from, c.to) > 0:
			n = h.entry("adding", c.from, c.to)
			led, adds, a.plain, a.told = true, true, true, true
		case h.entry("removing", c.from, c.to) > 0 && !led:
			n = h.entry("removing", c.from, c.to)
			led, a.removes, a.plain, a.told = true, true, true, true
		case h.entry("placing", c.from, c.to) > 0 && !led:
			n = h.entry("placing", c.from, c.to)
			led, a.told = true, true
		case w == "plus", h.lexical("also", w):
			led, adds = true, true
		case h.lexical("also", w+"_"+h.folded()[c.from+1]):
			n, led, adds = 2, true, true
		case language.IsWord("part", w) && interjected: // "oh and"
			led, adds, a.plain = true, true, true
		case language.IsWord("part", w) && (h.lexical("also", h.folded()[c.from+1]) || h.entry("adding", c.from+1, c.to) > 0): // "and also"
		case isMark(w, ",:-–—"):
		case h.entry("courtesy", c.from, c.to) > 0 && !language.IsWord("part", w):
			n = h.entry("courtesy", c.from, c.to)
			interjected = true
		case language.IsWord("yes", w) && h.purpose() == sessions.ToConfirm:
			interjected = true
		default:
			return led, adds
		}
		c.from = min(c.from+n, c.to-1)
	}
	return led, adds
}

// amendmentEnd cuts what ends an amendment off the end of a sentence: "too", "to the list", "off
// the list". It reports whether there was something.
func (h *heard) amendmentEnd(c *wordRange, a *amendment, adds *bool) bool {
	closed := false
	for c.len() > 1 {
		switch {
		case h.entryBefore("onlist", c.from, c.to) > 0:
			c.to -= h.entryBefore("onlist", c.from, c.to)
			closed, *adds, a.plain = true, true, true
		case h.entryBefore("offlist", c.from, c.to) > 0 && !*adds:
			c.to -= h.entryBefore("offlist", c.from, c.to)
			closed, a.removes, a.plain = true, true, true
		case h.entryBefore("too", c.from, c.to) > 0:
			c.to -= h.entryBefore("too", c.from, c.to)
			closed, *adds = true, *adds || !a.removes
		case h.entryBefore("courtesy", c.from, c.to) > 0:
			c.to -= h.entryBefore("courtesy", c.from, c.to)
		case isMark(h.folded()[c.to-1], ",.!-–—"):
			c.to--
		default:
			return closed
		}
	}
	return closed
}

// fieldBefore reads the field that a sentence names before it says what to do: "in Users take Priya
// out".
func (h *heard) fieldBefore(c *wordRange, a *amendment) {
	if a.of != nil || c.len() < 3 || !language.IsWord("boundary", h.folded()[c.from]) {
		return
	}
	for i := c.from + 2; i < min(c.to-1, c.from+2+longestHeading); i++ {
		if h.entry("adding", i, c.to)+h.entry("removing", i, c.to)+h.entry("placing", i, c.to) == 0 {
			continue
		}
		if o := h.namedIn(wordRange{c.from + 1, i}); o != nil {
			a.of, c.from = o, i
		}
		return
	}
}

// fieldBehind reads the field that a sentence names behind a preposition, "to the target market",
// or in front of it, "to the sales channels: flyers", and leaves the item.
func (h *heard) fieldBehind(c *wordRange, a *amendment) {
	if a.of != nil {
		return
	}
	for i := c.from; i < c.to-1; i++ {
		if !language.IsWord("boundary", h.folded()[i]) {
			continue
		}
		end := c.to
		if colon := h.colonIn(*c); colon > i {
			end = colon
		}
		name := wordRange{i + 1, end}
		if name.len() > longestHeading {
			continue
		}
		o := h.namedIn(name)
		switch {
		case o == nil:
		case i == c.from && end < c.to:
			a.of, a.plain, c.from = o, true, end+1
			return
		case i > c.from && end == c.to:
			a.of, a.plain, c.to = o, true, i
			out := h.entryBefore("offlist", c.from, c.to)
			a.removes = a.removes || out > 0 || language.IsWord("awayfrom", h.folded()[i])
			c.to -= out
			return
		}
	}
}

// bareItem returns an item without its article and what is polite around it.
func (h *heard) bareItem(c wordRange) wordRange {
	c = h.courteous(c)
	for c.len() > 1 && (language.IsWord("article", h.folded()[c.from]) || h.folded()[c.from] == "the" || language.IsWord("also", h.folded()[c.from]) || language.IsWord("owner", h.folded()[c.from]) || language.IsWord("part", h.folded()[c.from])) {
		c.from++
	}
	return c
}

// unfitItem reports whether what would be added is no item: it asks, denies, speaks of the talk, or
// is a figure or a sentence of its own.
func (h *heard) unfitItem(a amendment) bool {
	first := h.folded()[a.item.from]
	switch {
	case a.removes && a.told && a.item.len() == 1 && language.IsWord("topic", first): // "throw that out"
		return false
	case !a.removes && h.speaksOf(a.item, "not"): // "the car is no part of it"
		return true
	case language.IsWord("asks", first), language.IsWord("no", first), language.IsWord("topic", first) && a.item.len() == 1, h.speaksOf(a.item, "lastsaid", "condition", "addressing"):
		return true
	case !a.told && slices.ContainsFunc(h.folded()[a.item.from:a.item.to], func(w string) bool { return language.IsWord("asks", w) }): // a sentence of its own
		return true
	case !a.told && (language.IsWord("speaker", first) || language.IsWord("topic", first) && !language.IsWord("article", first) || h.speaksOf(a.item, "being")):
		return true
	case a.of == nil && (len(h.stemsIn(a.item)) == 0 || len(h.values.Figures(h.words[a.item.from:a.item.to])) > 0):
		return true
	}
	return false
}

// isList reports whether something may be added to what o holds.
func isList(o *obligations.Obligation) bool {
	kind := field.Kind(o.Template)
	return o.Widget == obligations.MultiSelect || o.Widget == obligations.Text && (kind == listening.Text || kind == listening.List || kind == listening.Product)
}

// heldLists returns the lists and texts that hold something, what was told last first; what is read
// back goes before all others.
func (h *heard) heldLists() []*obligations.Obligation {
	var out []*obligations.Obligation
	for i := range h.scene.Obligations {
		if o := &h.scene.Obligations[i]; o.Value != nil && !o.Hinted() && isList(o) {
			out = append(out, o)
		}
	}
	slices.SortStableFunc(out, func(a, b *obligations.Obligation) int {
		return cmp.Or(btoi(h.readBack(b))-btoi(h.readBack(a)), cmp.Compare(lastTurn(b), lastTurn(a)))
	})
	return out
}

// readBack reports whether the value of o is read back.
func (h *heard) readBack(o *obligations.Obligation) bool {
	return h.purpose() == sessions.ToConfirm && h.asked != nil && h.asked.Key == o.Key
}

// addTo adds an item to the list that is meant, and reports whether there is one.
func (h *heard) addTo(a amendment, s wordRange) bool {
	o := a.of
	if o == nil {
		o = h.listFor(a)
	}
	if o == nil || !isList(o) || h.told(o.Key) && h.lists[o.Key] == nil {
		return false
	}
	from, to := h.bytes(a.item)
	added := trimmed(h.raw[from:to])
	at := valueRead{sure: 1}
	at.from, at.to = h.bytes(s)
	if o.Widget == obligations.MultiSelect {
		picked := field.Texts(field.Pick(o.Template, h.choicesSaid(o.Template, from, to), 1))
		if len(picked) == 0 {
			picked = h.itemsBetween(from, to)
		}
		held := field.Texts(h.listOf(o))
		list := slices.Clone(held)
		for _, p := range picked {
			if !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
		at.value = field.Encode(list)
	} else if held := field.Text(h.listOf(o)); held != "" && !o.Hinted() {
		if strings.Contains(strings.ToLower(held), strings.ToLower(added)) {
			added = ""
		}
		at.value = field.Encode(strings.TrimRight(strings.TrimRight(held, " .;,")+"; "+added, " ;"))
	} else {
		at.value = field.Encode(added)
	}
	act := obligations.Correct
	switch {
	case o.Value == nil || o.Hinted():
		act = obligations.Tell
	case obligations.SameValue(o.Value, at.value):
		act = obligations.Confirm
	}
	return h.amend(o, at, act)
}

// itemsBetween returns what a few words list.
func (h *heard) itemsBetween(from, to int) []string {
	var out []string
	for _, part := range field.Items(h.raw[from:to]) {
		if part = trimmed(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// listFor returns the list that an item joins which no field is named for; nil where it may be an
// answer to what was asked.
func (h *heard) listFor(a amendment) *obligations.Obligation {
	from, to := h.bytes(a.item)
	says := func(o *obligations.Obligation) bool {
		return len(o.Choices) > 0 && field.Pick(o.Template, h.choicesSaid(o.Template, from, to), 1) != nil
	}
	beside := h.spoken(h.all()).len() > h.spoken(wordRange{a.item.from, a.item.to}).len()+longestUnled
	if h.asked != nil && h.asking() && h.purpose() != sessions.ToConfirm && (says(h.asked) || isList(h.asked) && (!a.plain || beside)) {
		return nil
	}
	lists := h.heldLists()
	for _, o := range lists {
		if says(o) || h.readBack(o) && h.joins(o, from, to) {
			return o
		}
	}
	last := h.lastTold()
	for _, o := range lists {
		takes := o.Widget == obligations.Text || o.AllowOther && a.plain
		if takes && (a.plain || lastTurn(o) == last) && h.joins(o, from, to) {
			return o
		}
	}
	return nil
}

// joins reports whether an item may be one of those that o holds: of a list that was told last, or
// of what it fits.
func (h *heard) joins(o *obligations.Obligation, from, to int) bool {
	believed := otherAnswers
	if len(o.Choices) == 0 && field.TakesSeveral(o.Template) && lastTurn(o) == h.lastTold() || !h.listener.Encoded() {
		believed = namedAnswers
	}
	return h.fitted(o, from, to, believed).Asked >= leastFit
}

// lastTold returns the turn of the latest value.
func (h *heard) lastTold() int {
	last := 0
	for i := range h.scene.Obligations {
		last = max(last, lastTurn(&h.scene.Obligations[i]))
	}
	return last
}
