package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"quaestor/chat"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// TalkDay is the day on which all labelled talks take place, a Tuesday.
var TalkDay = time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)

// TalkObjective returns the objective of a labelled dialog: the shipped one that it names,
// in the dialog's language, or an obligation a field, in order.
func TalkObjective(d *listening.Dialog) *objectives.Definition {
	for _, def := range objectives.Shipped() {
		if def.ContextType == d.Objective {
			return def.In(dialogLanguage(d))
		}
	}
	out := &objectives.Definition{ContextType: "talk", Version: "1.0.0", DisplayName: d.Objective, Description: d.Objective}
	for i, f := range d.Fields {
		t := obligations.Template{Key: f.Key, FieldPath: "talk." + f.Key, Label: f.Label, Prompt: f.Question, ValueType: f.Type.String(), Priority: max(1, 10-i*9/len(d.Fields)), ResearchType: obligations.NoResearch, Widget: obligations.Text}
		switch f.Type {
		case listening.Choice:
			t.Widget, t.Choices = obligations.ChoiceOne, choicesOf(f.Options)
			if f.Many {
				t.Widget = obligations.MultiSelect
			}
		case listening.YesNo:
			t.Widget, t.Choices = obligations.ChoiceOne, choicesOf(yesNoWords(f.Question))
		case listening.Date:
			t.Widget = obligations.Date
		case listening.Amount:
			t.Widget, t.Unit = obligations.Number, "money"
		case listening.Percentage:
			t.Widget, t.Unit = obligations.Number, "percent"
		case listening.Count, listening.Range:
			t.Widget = obligations.Number
		case listening.Measure, listening.Duration:
			t.Widget, t.Unit = obligations.Number, unitOf(d, f.Key)
			d.Fields[i].Unit = t.Unit
		case listening.None, listening.Person, listening.Organisation, listening.Place, listening.Product, listening.Time, listening.Email, listening.Phone, listening.URL, listening.Address, listening.Identifier, listening.List, listening.Text, listening.Confirmation:
		}
		out.Obligations = append(out.Obligations, t)
	}
	out.Completion = obligations.Criteria{MinSatisfied: len(d.Fields)}
	return out
}

func choicesOf(options []string) []obligations.Choice {
	var out []obligations.Choice
	for _, o := range options {
		out = append(out, obligations.Choice{Value: strings.ToLower(o), Label: o})
	}
	return out
}

// yesNoWords returns the two choices of a yes-or-no question, in its language.
func yesNoWords(question string) []string {
	for _, w := range strings.Fields(strings.ToLower(question)) {
		if slices.Contains([]string{"ist", "sind", "haben", "hat", "gibt", "soll", "wird", "werden", "kann", "können", "darf", "möchten", "möchtest", "sie", "du", "der", "die", "das", "ein", "eine"}, strings.Trim(w, "?,.")) {
			return []string{"Ja", "Nein"}
		}
	}
	return []string{"Yes", "No"}
}

// unitOf returns the unit in which most people state a field; none where they are not all of one kind.
func unitOf(d *listening.Dialog, key string) string {
	count := map[string]int{}
	unit := ""
	for _, t := range d.Talks {
		for _, v := range valuesOf(&t, key) {
			if _, u, ok := strings.Cut(v.value, " "); ok {
				if count[u]++; count[u] > count[unit] || unit == "" {
					unit = u
				}
			}
		}
	}
	for other := range count {
		if _, same := language.Convert(other, unit); !same {
			return ""
		}
	}
	return unit
}

// saidValue is a value as a talk marks it.
type saidValue struct {
	value string // normalised; the words where nothing else is given
	words string
}

// valuesOf returns what a person says of a field, in the order of the file.
func valuesOf(t *listening.Talk, key string) []saidValue {
	var out []saidValue
	for _, s := range t.Said {
		out = append(out, valuesIn(&s, key)...)
	}
	return out
}

func valuesIn(s *listening.Said, key string) []saidValue {
	var out []saidValue
	for _, seg := range s.Segments {
		for _, span := range seg.Values {
			if span.Key == key {
				words := s.Text[span.From:span.To]
				v := saidValue{value: span.Value, words: words}
				if v.value == "" {
					v.value = words
				}
				out = append(out, v)
			}
		}
	}
	return out
}

// TalkFault is a kind of fault that a turn may have.
type TalkFault string

// The faults of turns.
const (
	WrongValue        TalkFault = "wrong value"        // something stored for sure that the person did not say
	Junk              TalkFault = "junk in value"      // the value with words around it
	LostFact          TalkFault = "lost fact"          // a value that was told and is not held
	AskedAgain        TalkFault = "asked again"        // a question whose answer was told
	IgnoredQuestion   TalkFault = "ignored question"   // the person asked, and got the next question only
	IgnoredCorrection TalkFault = "ignored correction" // the old value is still held
	StoredRemark      TalkFault = "remark stored"      // a message without a value of the field became its value
)

// TalkTurn is a turn of a talk, judged.
type TalkTurn struct {
	Said     string
	Reply    string
	Asked    string // key that was asked for before, empty for none
	Faults   []TalkFault
	Evidence []string // what the faults are, in words
}

// TalkReport is what became of one talk.
type TalkReport struct {
	Person string
	Turns  []TalkTurn
	Values []TalkValue // at the end, of the fields that were told
	Counts TalkCounts
}

// TalkValue is a value at the end of a talk.
type TalkValue struct {
	Key        string
	Type       listening.Type
	Want       string
	Got        json.RawMessage // nil when nothing is held
	Exact      bool
	Confidence obligations.Confidence
}

// TalkCounts are what the measures of listening are made of.
type TalkCounts struct {
	Remarks, RemarksStored int // messages without a value of what was asked; those that became it
	Questions, Answered    int // asked by the person; answered or declined
	Corrections, Honoured  int
	Facts, Kept            int // told in passing; held or at least not asked again
}

// maxTalkTurns bounds a talk: nobody is asked more often than that.
const maxTalkTurns = 60

// talker is one person's side of a labelled talk under way.
type talker struct {
	dialog   *listening.Dialog
	def      *objectives.Definition
	talk     *listening.Talk
	used     []bool
	truth    map[string][]saidValue // what holds by now, by key; several for lists
	told     map[string]int         // turn in which a key was last told
	repeated map[string]int         // how often a key was asked beyond what the file says
	facts    map[string]bool        // keys told in passing and not asked about since
}

// RunTalk has a person of a labelled dialog talk with rules in memory, and judges every
// turn.
func RunTalk(ctx context.Context, d *listening.Dialog, talk *listening.Talk, rules chat.Interviewer) (TalkReport, error) {
	out := TalkReport{Person: talk.Person}
	def := TalkObjective(d)
	p := &talker{dialog: d, def: def, talk: talk, used: make([]bool, len(talk.Said)), truth: map[string][]saidValue{}, told: map[string]int{}, facts: map[string]bool{}, repeated: map[string]int{}}
	h := chat.NewRehearsal(def, rules, rules)
	turn, err := h.Say(ctx, chat.RehearsalInput{Person: "talk", At: TalkDay})
	for n := 1; err == nil && n <= maxTalkTurns && turn.Ends == ""; n++ {
		q := turn.Question
		said := p.say(q)
		if said == nil {
			break
		}
		before := slices.Clone(h.Obligations())
		if turn, err = h.Say(ctx, chat.RehearsalInput{Person: "talk", Message: said.Text, At: TalkDay.Add(time.Duration(n) * time.Minute)}); err != nil {
			break
		}
		j := judge{p: p, said: said, asked: q, before: before, after: h.Obligations(), turn: turn, n: n, counts: &out.Counts}
		out.Turns = append(out.Turns, j.judge())
	}
	if err != nil {
		return out, fmt.Errorf("talk of %s: %w", talk.Person, err)
	}
	out.Values = p.values(h.Obligations())
	return out, nil
}

// say returns what the person says next, or nil at the end.
func (p *talker) say(q *sessions.Question) *listening.Said {
	switch {
	case q == nil:
		return nil
	case q.Purpose == sessions.ToFinish:
		return nil
	case q.Purpose == sessions.ToConfirm:
		return p.confirm(q)
	case q.Purpose == sessions.ToForm:
		return p.form(q)
	case q.Purpose == sessions.ToApprove:
		s := &listening.Said{Text: p.word("Yes, that's right.", "Ja, das stimmt.")}
		s.Segments = []listening.Segment{{Act: listening.Confirm, To: len(s.Text)}}
		return s
	case q.Purpose == sessions.ToProbe, q.Purpose == sessions.ToWiden:
		s := &listening.Said{Key: q.Key, Text: p.word("That's all.", "Das ist alles.")}
		s.Segments = []listening.Segment{{Act: listening.Unknown, To: len(s.Text)}}
		return s
	}
	return p.next(q.Key, false)
}

// next returns the next message about a key, or one that repeats what was said.
func (p *talker) next(key string, readBack bool) *listening.Said {
	for i := range p.talk.Said {
		s := &p.talk.Said[i]
		if !p.used[i] && s.Key == key && s.ReadBack == readBack {
			p.used[i] = true
			return s
		}
	}
	if readBack {
		return nil
	}
	return p.again(key)
}

// again repeats what holds of a key: in the words it was said in, then as plainly as can
// be, and gives up in the end.
func (p *talker) again(key string) *listening.Said {
	s := &listening.Said{Key: key}
	p.repeated[key]++
	if p.repeated[key] > 2 {
		s.Text = p.word("Skip that one.", "Lassen wir das weg.")
		s.Segments = []listening.Segment{{Act: listening.Skip, To: len(s.Text)}}
		return s
	}
	var words []string
	seg := listening.Segment{Act: listening.Answer}
	for _, v := range p.truth[key] {
		if p.repeated[key] > 1 {
			v.words = p.plainly(key, v)
		}
		at := len(strings.Join(append(words, ""), ", "))
		words = append(words, v.words)
		seg.Values = append(seg.Values, listening.Span{Key: key, Value: v.value, From: at, To: at + len(v.words), Answers: true})
	}
	s.Text = strings.Join(words, ", ")
	if len(words) == 0 {
		s.Text, seg.Act = p.word("I don't know.", "Das weiß ich nicht."), listening.Unknown
	}
	seg.To = len(s.Text)
	s.Segments = []listening.Segment{seg}
	return s
}

// dialogLanguage returns the language that a dialog is in.
func dialogLanguage(d *listening.Dialog) string {
	for _, f := range d.Fields {
		if yesNoWords(f.Question)[0] == "Ja" {
			return "de"
		}
	}
	return "en"
}

// plainly returns a value as nobody could misread it.
func (p *talker) plainly(key string, v saidValue) string {
	f := p.dialog.Field(key)
	switch {
	case f.Type == listening.YesNo && v.value == "yes":
		return p.word("yes", "ja")
	case f.Type == listening.YesNo:
		return p.word("no", "nein")
	case f.Type == listening.Choice:
		return v.value
	}
	return v.words
}

// word returns the English or the German words, as the dialog is.
func (p *talker) word(en, de string) string {
	if dialogLanguage(p.dialog) == "de" {
		return de
	}
	return en
}

// confirm agrees to a proposal that is right, and else says what is.
func (p *talker) confirm(q *sessions.Question) *listening.Said {
	if s := p.next(q.Key, true); s != nil {
		return s
	}
	if p.holds(q.Key, q.Proposal) {
		return &listening.Said{Key: q.Key, ReadBack: true, Text: p.word("Yes.", "Ja."), Segments: []listening.Segment{{Act: listening.Confirm, To: 3}}}
	}
	if len(p.truth[q.Key]) == 0 {
		return &listening.Said{Key: q.Key, ReadBack: true, Text: p.word("No.", "Nein."), Segments: []listening.Segment{{Act: listening.Deny, To: 3}}}
	}
	s := p.again(q.Key)
	lead := p.word("No, ", "Nein, ")
	s.Text, s.ReadBack = lead+s.Text, true
	seg := &s.Segments[0]
	seg.Act, seg.To = listening.Deny, len(s.Text)
	for i := range seg.Values {
		seg.Values[i].From += len(lead)
		seg.Values[i].To += len(lead)
	}
	return s
}

// form answers the first field of a form in words, as people do who do not fill it in.
func (p *talker) form(q *sessions.Question) *listening.Said {
	for _, f := range q.Fields {
		if len(p.truth[f.Key]) == 0 {
			return p.next(f.Key, false)
		}
	}
	return p.next(q.Fields[0].Key, false)
}

// hear notes what a message says to be true.
func (p *talker) hear(said *listening.Said, n int) {
	fresh := map[string]bool{}
	for _, seg := range said.Segments {
		for _, span := range seg.Values {
			words := said.Text[span.From:span.To]
			v := saidValue{value: span.Value, words: words}
			if v.value == "" {
				v.value = words
			}
			f := p.dialog.Field(span.Key)
			several := f.Many || f.Type == listening.List
			if !fresh[span.Key] && (!several || seg.Act != listening.Correction) || !several {
				p.truth[span.Key] = nil
			}
			fresh[span.Key] = true
			if v.value == "none" {
				p.truth[span.Key] = nil
				delete(p.told, span.Key)
				continue
			}
			p.truth[span.Key] = append(p.truth[span.Key], v)
			p.told[span.Key] = n
		}
	}
}

// holds reports whether v is what the person says of key.
func (p *talker) holds(key string, v json.RawMessage) bool {
	f := p.dialog.Field(key)
	return v != nil && f != nil && len(p.truth[key]) > 0 && sameValue(f, p.inLabels(key, v), p.truth[key])
}

// inLabels returns a value with the labels of its choices, in lower case, in their place:
// dialogs know options by what people read.
func (p *talker) inLabels(key string, v json.RawMessage) json.RawMessage {
	at := slices.IndexFunc(p.def.Obligations, func(t obligations.Template) bool { return t.Key == key })
	if at < 0 || len(p.def.Obligations[at].Choices) == 0 {
		return v
	}
	label := func(s string) string {
		for _, c := range p.def.Obligations[at].Choices {
			if c.Value == s {
				return strings.ToLower(c.Label)
			}
		}
		return s
	}
	var one string
	var many []string
	switch {
	case json.Unmarshal(v, &one) == nil:
		v, _ = json.Marshal(label(one))
	case json.Unmarshal(v, &many) == nil:
		for i := range many {
			many[i] = label(many[i])
		}
		v, _ = json.Marshal(many)
	}
	return v
}

// values returns what is held at the end of what was told.
func (p *talker) values(list []obligations.Obligation) []TalkValue {
	var out []TalkValue
	for _, f := range p.dialog.Fields {
		truth := p.truth[f.Key]
		if len(truth) == 0 {
			continue
		}
		v := TalkValue{Key: f.Key, Type: f.Type}
		for i, t := range truth {
			v.Want += strings.Repeat("; ", min(i, 1)) + t.value
		}
		if o := obligations.Find(list, f.Key); o != nil && o.Value != nil && o.Status != obligations.Skipped {
			v.Got, v.Confidence = o.Value, o.Confidence
			v.Exact = sameValue(&f, p.inLabels(f.Key, o.Value), truth)
		}
		out = append(out, v)
	}
	return out
}

// sameValue reports whether v is what truth says, exactly but for case, articles and
// punctuation, and with figures compared as figures.
func sameValue(f *listening.DialogField, v json.RawMessage, truth []saidValue) bool {
	switch f.Type {
	case listening.Choice, listening.YesNo:
		return sameChoices(f, v, truth)
	case listening.Amount, listening.Count, listening.Measure, listening.Percentage, listening.Duration, listening.Range:
		marked := truth[len(truth)-1].value
		low, high, ok := boundsOf(marked)
		gotLow, gotHigh, held := figureIn(v)
		switch {
		case !ok || !held:
			return false
		}
		if _, unit, said := strings.Cut(marked, " "); said {
			unit, _, _ = strings.Cut(unit, "/")
			if factor, ok := language.Convert(strings.TrimSuffix(unit, "s"), f.Unit); ok {
				low, high = low*factor, high*factor
			}
		}
		switch {
		case strings.HasPrefix(marked, "<="):
			return ok && held && near(high, gotHigh)
		case strings.HasPrefix(marked, ">="):
			return ok && held && near(low, gotLow)
		}
		return ok && held && near(low, gotLow) && near(high, gotHigh)
	case listening.Date:
		return strings.Trim(truth[len(truth)-1].value, "~<>=") == textIn(v)
	case listening.Time:
		want := strings.Trim(truth[len(truth)-1].value, "~<>=")
		return strings.Contains(want, textIn(v)) && textIn(v) != ""
	case listening.List:
		return sameItems(textIn(v), truth)
	case listening.Text:
		return alike(textIn(v), truth)
	case listening.None, listening.Person, listening.Organisation, listening.Place, listening.Product, listening.Email, listening.Phone, listening.URL, listening.Address, listening.Identifier, listening.Confirmation:
	}
	last := truth[len(truth)-1]
	got := bare(textIn(v))
	return got == bare(last.words) || got == bare(last.value)
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-3*math.Abs(a) }

// textIn returns a value as text; lists joined by semicolons.
func textIn(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	var list []string
	if json.Unmarshal(v, &list) == nil {
		return strings.Join(list, "; ")
	}
	return string(v)
}

func figureIn(v json.RawMessage) (low, high float64, ok bool) {
	if json.Unmarshal(v, &low) == nil {
		return low, low, true
	}
	var r obligations.Range
	if json.Unmarshal(v, &r) == nil {
		return r.Min, r.Max, true
	}
	return 0, 0, false
}

// boundsOf reads a figure as talks mark it: "~450 EUR/month", "10..12 km", ">=5".
func boundsOf(marked string) (low, high float64, ok bool) {
	figure := strings.TrimLeft(marked, "~<>=")
	if at := strings.IndexAny(figure, " /%"); at >= 0 {
		figure = figure[:at]
	}
	from, to, ranged := strings.Cut(figure, "..")
	low, err := strconv.ParseFloat(from, 64)
	if high = low; ranged && err == nil {
		high, err = strconv.ParseFloat(to, 64)
	}
	return low, high, err == nil
}

func sameChoices(f *listening.DialogField, v json.RawMessage, truth []saidValue) bool {
	var got []string
	if json.Unmarshal(v, &got) != nil {
		got = []string{textIn(v)}
	}
	var want []string
	for _, t := range truth {
		w := strings.ToLower(t.value)
		if f.Type == listening.YesNo && yesNoWords(f.Question)[0] == "Ja" {
			w = map[string]string{"yes": "ja", "no": "nein"}[w]
		}
		want = append(want, w)
	}
	if !f.Many {
		want = want[len(want)-1:]
	}
	slices.Sort(want)
	slices.Sort(got)
	return slices.Equal(slices.Compact(want), got)
}

// bare returns s in lower case without what does not count: articles and punctuation.
func bare(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune(" .,;:!?\"'“”’()\n", r) })
	words = slices.DeleteFunc(words, func(w string) bool {
		return slices.Contains([]string{"the", "a", "an", "der", "die", "das", "den", "dem", "ein", "eine", "einen", "my", "our", "mein", "meine", "unser", "unsere"}, w)
	})
	return strings.Join(words, " ")
}

// sameItems reports whether s lists just the items.
func sameItems(s string, truth []saidValue) bool {
	rest := " " + bare(s) + " "
	for _, t := range truth {
		item := bare(t.value)
		at := strings.Index(rest, " "+item+" ")
		if at < 0 {
			return false
		}
		rest = rest[:at] + " " + rest[at+len(item)+1:]
	}
	left := strings.Fields(rest)
	left = slices.DeleteFunc(left, func(w string) bool { return slices.Contains([]string{"and", "und", "or", "oder", "plus", "&"}, w) })
	return len(left) == 0
}

// alike reports whether most words of an open text are those that were said, and not
// many more.
func alike(s string, truth []saidValue) bool {
	var want []string
	for _, t := range truth {
		want = append(want, strings.Fields(bare(t.value))...)
	}
	got := strings.Fields(bare(s))
	common := 0
	rest := slices.Clone(want)
	for _, w := range got {
		if i := slices.Index(rest, w); i >= 0 {
			common++
			rest = slices.Delete(rest, i, i+1)
		}
	}
	if len(got) == 0 || len(want) == 0 {
		return false
	}
	return 2*float64(common)/float64(len(got)+len(want)) >= 0.7
}
