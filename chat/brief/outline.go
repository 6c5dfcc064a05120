package brief

import (
	"fmt"
	"strings"

	"quaestor/internal/language"
)

// kind is the kind of a block.
type kind int

// The kinds of block.
const (
	heading   kind = iota // at a level, from 1
	paragraph             //
	item                  // of a list, at a level, from 1
	quote                 // somebody's words, set apart
	table                 // rows of a name and a value
)

// block is a part of a written brief, independent of its format. Runs contain no line ends.
// A table has rows, and all other kinds have runs.
type block struct {
	kind  kind
	level int
	runs  []run
	rows  []Fact
}

// run is a piece of text in one style.
type run struct {
	text string
	bold bool
	soft bool   // of minor importance, in a lighter colour
	link string // address; empty for none
}

// sheet collects the blocks of a brief.
type sheet struct{ blocks []block }

// outline returns the blocks of a brief in reading order. All formats are written from
// them.
func outline(b Brief) []block {
	s := &sheet{}
	s.head(1, b.Title)
	s.say(b.Description)
	s.add(block{kind: table, rows: b.About})
	s.part("In short")
	s.say(b.Summary)
	if len(b.Gist) > 0 {
		s.add(block{kind: table, rows: b.Gist})
	}
	s.part("Next steps")
	for _, step := range b.Next {
		s.bullet(1, run{text: step})
	}
	s.known(b)
	s.disputed(b.Disputed)
	s.gaps("What is open", b.Open)
	s.gaps("What was left out", b.Skipped)
	s.research(b)
	s.talk(b)
	return s.blocks
}

// add adds a block.
func (s *sheet) add(b block) { s.blocks = append(s.blocks, b) }

// head adds a heading. Level 1 is the title of the brief.
func (s *sheet) head(level int, text string) {
	s.add(block{kind: heading, level: level, runs: []run{{text: text}}})
}

// part starts a part of the brief.
func (s *sheet) part(title string) { s.head(2, title) }

// say adds a paragraph for each line of text.
func (s *sheet) say(text string) {
	for l := range strings.SplitSeq(text, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			s.add(block{kind: paragraph, runs: []run{{text: l}}})
		}
	}
}

// bullet adds an item of a list.
func (s *sheet) bullet(level int, runs ...run) {
	s.add(block{kind: item, level: level, runs: runs})
}

// known adds what is known, by category.
func (s *sheet) known(b Brief) {
	s.part("What is known")
	if len(b.Known) == 0 {
		s.say("Nothing yet.")
	}
	for _, c := range b.Known {
		s.head(3, c.Name)
		for _, it := range c.Items {
			s.item(it)
		}
	}
}

// item adds a value, and below it what is not settled and the evidence.
func (s *sheet) item(it Item) {
	sure := it.Sure
	if it.Part {
		sure = "known in part, " + sure
	}
	s.bullet(1, run{text: it.Name, bold: true}, run{text: ": "}, run{text: oneLine(it.Value)}, run{text: " (" + sure + ")", soft: true})
	if it.Note != "" {
		s.bullet(2, run{text: it.Note, bold: true})
	}
	for _, e := range it.Evidence {
		s.bullet(2, evidenceRuns(e)...)
	}
	if it.Further > 0 {
		s.bullet(2, run{text: "and " + language.Count(it.Further, "earlier piece") + " of evidence", soft: true})
	}
}

// oneLine puts the lines of a value on one line, separated by slashes.
func oneLine(s string) string {
	lines := strings.FieldsFunc(s, func(r rune) bool { return r == '\n' })
	for i, l := range lines {
		lines[i] = strings.Join(strings.Fields(l), " ")
	}
	return strings.Join(lines, " / ")
}

// evidenceRuns returns a piece of evidence: who, the words, where they are, and any doubt.
func evidenceRuns(e Evidence) []run {
	out := []run{{text: e.How, soft: true}}
	if e.Quote != "" {
		out = append(out, run{text: ": “" + e.Quote + "”"})
	}
	if e.Source != "" {
		out = append(out, run{text: ", in ", soft: true}, run{text: e.Source, link: e.Link})
	}
	if e.Doubt != "" {
		out = append(out, run{text: " " + e.Doubt, bold: true})
	}
	return out
}

// disputed adds the disputes with their sides.
func (s *sheet) disputed(list []Dispute) {
	if len(list) == 0 {
		return
	}
	s.part("What is disputed or does not agree")
	for _, d := range list {
		s.head(3, d.Name)
		s.say(d.Why)
		for _, side := range d.Sides {
			runs := []run{{text: oneLine(side.Value)}, {text: around(" (", side.Words, ")"), soft: true}}
			if side.Held {
				runs = append(runs, run{text: " It holds for now.", bold: true})
			}
			s.bullet(1, runs...)
		}
	}
}

// gaps adds a part that lists what is not known. Without any it adds nothing.
func (s *sheet) gaps(title string, list []Gap) {
	if len(list) == 0 {
		return
	}
	s.part(title)
	for _, g := range list {
		runs := []run{{text: g.Name, bold: true}, {text: ": " + g.Why}}
		if g.Needed {
			runs = append(runs, run{text: " The interview is not complete without it."})
		}
		s.bullet(1, runs...)
		if g.Question != "" {
			s.bullet(2, run{text: "The question: " + g.Question, soft: true})
		}
	}
}

// research adds what was looked up, and the note on whose words these are.
func (s *sheet) research(b Brief) {
	if len(b.Research) == 0 {
		return
	}
	s.part("What was looked up")
	if b.Omitted > 0 {
		s.say("The latest are told here; there are " + language.Count(b.Omitted, "earlier one") + ".")
	}
	for _, l := range b.Research {
		s.lookup(l)
	}
	s.say(sourcesNote)
}

// sourcesNote is printed below what research found.
const sourcesNote = "Words in quotation marks and titles are those of the sources. Others wrote them; that they stand there was checked, whether they are true was not."

// lookup adds a piece of research: state, summary, proposal, claims and their sources.
func (s *sheet) lookup(l Lookup) {
	s.head(3, l.Question)
	s.add(block{kind: paragraph, runs: []run{{text: l.State, bold: true}, {text: around(". ", oneLine(l.Summary), "")}}})
	if l.Proposal != "" {
		words := "Proposed: "
		if l.Refused {
			words = "Proposed, and turned down: "
		}
		s.add(block{kind: paragraph, runs: []run{{text: words, soft: true}, {text: l.Proposal}}})
	}
	if l.Disputed != "" {
		s.add(block{kind: paragraph, runs: []run{{text: "Disputed: ", soft: true}, {text: around("“", l.Disputed, "”")}}})
	}
	for _, c := range l.Claims {
		s.bullet(1, run{text: c.Text}, run{text: around(" “", c.Quote, "”")}, run{text: fmt.Sprintf(" [source %d]", c.Source), soft: true})
	}
	for _, src := range l.Sources {
		runs := []run{{text: fmt.Sprintf("Source %d: ", src.N), soft: true}, {text: src.Name, link: src.Link}}
		if src.Published != "" {
			runs = append(runs, run{text: ", published " + src.Published, soft: true})
		}
		s.bullet(2, runs...)
	}
}

// around returns s between two texts, and "" for "".
func around(before, s, after string) string {
	if s == "" {
		return ""
	}
	return before + s + after
}

// talk adds the conversation. Messages are quotes, so that they cannot pass for parts of the
// brief.
func (s *sheet) talk(b Brief) {
	if len(b.Talk) == 0 {
		return
	}
	s.part("The conversation")
	if b.Earlier {
		s.say("It began earlier; these are its latest turns.")
	}
	for _, t := range b.Talk {
		s.add(block{kind: paragraph, runs: []run{{text: t.Who, bold: true}, {text: fmt.Sprintf(" (turn %d)", t.Turn), soft: true}}})
		for l := range strings.SplitSeq(t.Text, "\n") {
			if l = strings.TrimSpace(l); l != "" {
				s.add(block{kind: quote, runs: []run{{text: l}}})
			}
		}
	}
}
