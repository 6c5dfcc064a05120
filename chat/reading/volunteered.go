package reading

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// tellOthers assigns the values of a segment that answer nothing asked to the
// obligations they are of: those it is not sure of are held in doubt, so that they are
// read back rather than asked for.
func (h *heard) tellOthers(seg *listening.Segment) {
	believed := h.listener.Encoded()
	for i := range seg.Values {
		s := &seg.Values[i]
		if s.Answers && seg.Act == listening.Answer && h.asked != nil && h.told(h.asked.Key) {
			continue
		}
		o, sure, named, tells := h.ownerOf(seg, s)
		if !named && !tells && h.mayAnswer(s) || h.used(s) || h.deniedValue(s) {
			continue
		}
		if o == nil || h.told(o.Key) || sure < leastOther {
			continue
		}
		if !named && (!tells || !believed && (!h.alone(seg, s) || !h.unmistakable(s))) && (o.Widget == obligations.Number && !strings.EqualFold(o.Unit, "people") || o.Widget == obligations.Date) {
			continue // a figure in passing is of anything: "a bottle for £38" is no budget
		}
		if !(tells && believed) && o.Widget == obligations.Number && !h.unmistakable(s) && field.CuedBy(o.Template, listening.Stems(h.said.Text[seg.From:seg.To]), h.figureNames()) < 1 {
			continue // a bare figure is of what its clause names
		}
		if !named && (h.asksFigure() && o.Widget == obligations.Number || len(o.Choices) > 0 && field.Kind(o.Template) != listening.YesNo && field.Pick(o.Template, h.choicesSaid(o.Template, s.From, s.To), 1) == nil) {
			continue // a figure that does not fit what was asked, or a choice that is not said
		}
		if field.Kind(o.Template) == listening.Text && (!named || sure < sureOther || h.mayAnswer(s) || h.quoted(s)) {
			continue // an open text may be of anything
		}
		v := h.valueOf(o.Template, field.Kind(o.Template), []listening.Span{*s}, seg)
		if v.value == nil || h.otherScale(o, s) || h.tooRecent(o, v) || o.Unit == "money" && s.Type != listening.Amount || h.unlike(o, s, v) {
			continue
		}
		if o.Value != nil && !o.Hinted() && (obligations.SameValue(o.Value, v.value) || sure < sureOther) {
			continue // it might be another's; a correction says so
		}
		v.loose = true
		fit := obligations.Confidence(0)
		if sure < sureOther || !named {
			fit = min(max(leastHeld, obligations.Of(sure)), mostDoubtful)
		}
		h.noteFitting(o.Key, v, obligations.Tell, fit)
	}
}

// tellHeard holds in doubt what a message tells of open obligations whose question was put to
// it, where its values alone did not show that. A figure or a day needs its field's name, or near
// certainty, for too many that are told in passing are of something else; without an encoder figures and
// choices do not count at all.
func (h *heard) tellHeard() {
	for _, t := range h.toldOf() {
		o, seg := &h.scene.Obligations[t.Field], &h.said.Segments[t.Segment]
		kind := h.kinds[t.Field]
		if _, set := h.phraseAt(seg); set { // "skip" tells of nothing
			continue
		}
		if h.told(o.Key) || o.Value != nil || o.Resolved() || !tells[seg.Act] || h.mayAnswer(&t.Span) || h.used(&t.Span) || h.quotedClosed(&t.Span) {
			continue
		}
		cued := field.CuedBy(o.Template, listening.Stems(h.said.Text[seg.From:seg.To]), h.figureNames()) >= 1
		believed := h.listener.Encoded() && (t.Sure >= surelyFigure || t.Sure >= surelyHeard && (cued || o.Widget != obligations.Number && o.Widget != obligations.Date))
		if !believed && (kind == listening.Text || o.Widget == obligations.Number || len(o.Choices) > 0 && kind != listening.YesNo) {
			continue
		}
		if !believed && o.Widget == obligations.Date && (h.deniedValue(&t.Span) || !cued) {
			continue
		}
		if !cued && kind != listening.Text && o.Widget == obligations.Text && h.spelled(t.Span.From, t.Span.To) < 2 && !h.isName(h.wordsBetween(t.Span.From, t.Span.To)) {
			continue // "a program" is no product's name
		}
		v := h.valueOf(o.Template, kind, []listening.Span{t.Span}, seg)
		if v.value == nil || h.unlike(o, &t.Span, v) || h.tooRecent(o, v) {
			continue
		}
		v.loose = true
		h.noteFitting(o.Key, v, obligations.Tell, min(max(leastHeld, obligations.Of(t.Sure)), mostDoubtful))
	}
}

// surelyHeard is from where what the encoder's states tell of a field is held in doubt whatever it
// is; chosen on the dialogs for training.
const surelyHeard = 0.6

// surelyFigure is the same for a figure or a date whose sentence does not name the field: "an hour each
// way" may be of anything.
const surelyFigure = 0.9

// otherScale reports whether a figure is told in a unit far from that of a field: "four months' wait" is
// no hours of a week.
func (h *heard) otherScale(o *obligations.Obligation, s *listening.Span) bool {
	for _, f := range h.values.Figures(h.wordsBetween(s.From, s.To+closedReach)) {
		factor, ok := language.Convert(f.Unit, field.Unit(o.Template))
		return o.Widget == obligations.Number && ok && (factor > mostLarger || factor < 1/mostLarger)
	}
	return false
}

// quotedClosed reports whether a finding about something that is no open text rests on the
// words of a value.
func (h *heard) quotedClosed(s *listening.Span) bool {
	words := h.said.Text[s.From:s.To]
	return slices.ContainsFunc(h.out.Findings, func(f obligations.Finding) bool {
		o := h.find(f.Key)
		return o != nil && field.Kind(o.Template) != listening.Text && f.Evidence.Quote != "" && (strings.Contains(f.Evidence.Quote, words) || strings.Contains(words, f.Evidence.Quote))
	})
}

// tells are the acts in which something is told beside what was asked.
var tells = map[listening.Act]bool{listening.Answer: true, listening.Fact: true, listening.Feeling: true, listening.Confirm: true, listening.SmallTalk: true, listening.Delegate: true, listening.Unknown: true,
	listening.NoPreference: true, listening.Skip: true, listening.Later: true}

// asksFigure reports whether a figure was asked for and is not told.
func (h *heard) asksFigure() bool {
	return h.asked != nil && h.asking() && h.asked.Widget == obligations.Number && !h.told(h.asked.Key)
}

// unmistakable reports whether a value says by itself what it measures: money by the year, hours.
func (h *heard) unmistakable(s *listening.Span) bool {
	figures := h.values.Figures(h.wordsBetween(s.From, s.To+closedReach))
	return s.Type != listening.Count || len(figures) > 0 && (figures[0].Currency != "" || figures[0].Unit != "" || figures[0].Period != "")
}

// alone reports whether a segment says nothing beside a value: "about 400k a year".
func (h *heard) alone(seg *listening.Segment, s *listening.Span) bool {
	return !slices.ContainsFunc(h.wordsBetween(seg.From, seg.To), func(w language.Word) bool {
		word := language.Fold(w.Text)
		beside := (w.To <= s.From || w.From >= s.To) && h.spelled(w.From, w.To) > 0
		return beside && !slices.ContainsFunc([]string{"loose", "boundary", "about", "opener", "per", "period", "start"}, func(kind string) bool { return h.lexical(kind, word) })
	})
}

// tellChoices holds in doubt the choices of other obligations that a segment names word
// for word.
func (h *heard) tellChoices(seg *listening.Segment) {
	folded := language.Folded(h.wordsBetween(seg.From, seg.To))
	for i := range h.scene.Obligations {
		o := &h.scene.Obligations[i]
		if len(o.Choices) == 0 || o.Value != nil || o.Resolved() || h.told(o.Key) || h.asked != nil && h.asked.Key == o.Key || h.kinds[i] == listening.YesNo {
			continue
		}
		var said []string
		for k := range o.Choices {
			c := &o.Choices[k]
			label := obligations.Choice{Label: c.Label}
			if utf8.RuneCountInString(c.Label) >= leastNamed && field.Said(&label, folded) > 1 && !h.sharedChoice(o, c) {
				said = append(said, c.Value)
			}
		}
		if len(said) == 0 || len(said) > 1 && o.Widget != obligations.MultiSelect {
			continue
		}
		v := valueRead{value: field.Encode(said[0]), from: seg.From, to: seg.To, loose: true}
		if o.Widget == obligations.MultiSelect {
			v.value = field.Encode(said)
		}
		h.note(o.Key, v, obligations.Tell, mostDoubtful)
	}
}

// tellYesNo holds in doubt what a clause says of yes-or-no questions whose words it uses: "we
// have no lift, by the way".
func (h *heard) tellYesNo(seg *listening.Segment) {
	var open []*obligations.Obligation
	share := map[string]int{}
	for i := range h.scene.Obligations {
		o := &h.scene.Obligations[i]
		for st := range listening.Stems(o.Name() + " " + o.Prompt) {
			share[st]++
		}
		if h.kinds[i] == listening.YesNo && o.Value == nil && !o.Resolved() && !h.told(o.Key) && (h.asked == nil || h.asked.Key != o.Key) {
			open = append(open, o)
		}
	}
	for _, c := range h.clausesOf(seg) {
		stems := listening.Stems(h.said.Text[c.From:c.To])
		for _, o := range open {
			weight, named := 0.0, false
			name := listening.Stems(o.Name())
			for st := range listening.Stems(o.Name() + " " + o.Prompt) {
				if stems[st] {
					weight += 1 / math.Sqrt(float64(share[st]))
					named = named || name[st]
				}
			}
			if weight < ofItsWords || !named && weight < 2*ofItsWords || h.told(o.Key) {
				continue
			}
			v := valueRead{from: c.From, to: c.To, loose: true, value: h.plainYesOrNo(o.Template, c.From, c.To)}
			if v.value == nil {
				v.value = field.YesNoChoice(o.Template, true)
			}
			h.note(o.Key, v, obligations.Tell, mostDoubtful-5)
		}
	}
}

// ofItsWords is how much a clause must say of a question's own words, one that no other
// question has counting 1, where one of them is of its name; else twice that.
const ofItsWords = 0.7

// clausesOf cuts a segment at its commas and sentences.
func (h *heard) clausesOf(seg *listening.Segment) []listening.Segment {
	var out []listening.Segment
	words := h.wordsBetween(seg.From, seg.To)
	begun := 0
	for i := 0; i <= len(words); i++ {
		if i < len(words) && !isMark(words[i].Text, ",.;:!?\n") && language.Fold(words[i].Text) != "but" && language.Fold(words[i].Text) != "aber" {
			continue
		}
		if i > begun {
			out = append(out, listening.Segment{Act: seg.Act, From: words[begun].From, To: words[i-1].To})
		}
		begun = i + 1
	}
	return out
}

// leastNamed is how many letters a choice has that is hardly said by chance.
const leastNamed = 4

// sharedChoice reports whether a choice is one of another obligation, too.
func (h *heard) sharedChoice(o *obligations.Obligation, c *obligations.Choice) bool {
	for i := range h.scene.Obligations {
		if other := &h.scene.Obligations[i]; other.Key != o.Key && slices.ContainsFunc(other.Choices, func(x obligations.Choice) bool { return strings.EqualFold(x.Label, c.Label) }) {
			return true
		}
	}
	return false
}

// From where a value that was not asked for is held in doubt, and for sure. Of the values
// above the second, training/fields.py printed 75 to 87 of 100 right.
const (
	leastOther = 0.35
	sureOther  = 0.6
	surelyTold = 0.8 // where no word names the field
)

// ownerOf returns the obligation that a value is of, how likely that is, whether words near
// the value name it, and whether they or what the message says tell it; nil for none.
func (h *heard) ownerOf(seg *listening.Segment, s *listening.Span) (o *obligations.Obligation, sure float64, named, tells bool) {
	c := h.owners(seg, s)
	i, sure := c.Choose()
	if i < 0 {
		return nil, 0, false, false
	}
	f := &c.Features[slices.Index(c.Index, i)]
	return &h.scene.Obligations[i], sure, f.Named(), f.Tells() && sure >= surelyTold
}

// used reports whether a closed value was read from the words of a marked one already.
func (h *heard) used(s *listening.Span) bool {
	words := h.said.Text[s.From:s.To]
	return slices.ContainsFunc(h.out.Findings, func(f obligations.Finding) bool {
		o := h.find(f.Key)
		return o != nil && o.Closed() && len(o.Choices) == 0 && strings.Contains(f.Evidence.Quote, words)
	})
}

// unlike reports whether a value that was told in passing cannot be of o: a day gone by for
// one to come, or a price by the day or the month for a sum.
func (h *heard) unlike(o *obligations.Obligation, s *listening.Span, v valueRead) bool {
	switch o.Widget {
	case obligations.Date:
		return field.LooksAhead(o.Template) && field.Text(v.value) < h.scene.Now.Format("2006")
	case obligations.Number:
		figures := h.values.Figures(h.wordsBetween(s.From, s.To+closedReach))
		return o.Unit == "money" && len(figures) > 0 && (figures[0].Period == "day" || figures[0].Period == "hour" || figures[0].Period != "" && field.Period(o.Template) == "")
	case obligations.Text, obligations.ChoiceOne, obligations.MultiSelect:
	}
	return false
}

// quoted reports whether a finding rests on the words of a value already.
func (h *heard) quoted(s *listening.Span) bool {
	words := h.said.Text[s.From:s.To]
	return slices.ContainsFunc(h.out.Findings, func(f obligations.Finding) bool {
		return f.Evidence.Quote != "" && (strings.Contains(f.Evidence.Quote, words) || strings.Contains(words, f.Evidence.Quote))
	})
}

// mayAnswer reports whether a value is of the kind that is asked for: unless another field
// is named beside it, it is part of the answer.
func (h *heard) mayAnswer(s *listening.Span) bool {
	if h.asked == nil || !h.asking() || h.purpose() == sessions.ToForm || !h.told(h.asked.Key) && !h.refused(h.asked.Key) {
		return false
	}
	return listening.Compatible(s.Type, field.Kind(h.asked.Template)) >= 0.6
}

// fields returns the obligations as a listener knows them.
func (r *reader) fields() []listening.Field {
	last := ""
	if list := r.answeredLast(); len(list) > 0 {
		last = list[0].Key
	}
	out := make([]listening.Field, len(r.scene.Obligations))
	for i := range out {
		o := &r.scene.Obligations[i]
		f := listening.Field{Key: o.Key, Type: field.Kind(o.Template), Name: o.Name(), Question: o.Prompt, Cues: o.Cues, Unit: o.Unit, Open: o.Value == nil && o.Status != obligations.Skipped,
			Asked: r.asked != nil && r.asked.Key == o.Key, Last: o.Key == last}
		for _, c := range o.Choices {
			f.Options = append(append(f.Options, c.Label), c.Synonyms...)
		}
		if o.Value != nil {
			f.Held = field.InEnglish(o.Template, o.Value)
		}
		out[i] = f
	}
	return out
}
