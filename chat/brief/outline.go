package brief

import (
	"fmt"
	"strings"

	"quaestor/internal/language"
)

// kind says what a block is.
type kind int

const (
	heading   kind = iota // of the depth level, from 1
	paragraph             // words
	item                  // of a list, at the depth level, from 1
	quote                 // what somebody said, set apart
	table                 // rows of a name and a value
)

// block is a piece of a written brief. Runs hold no line ends.
type block struct {
	kind  kind
	level int
	runs  []run
	rows  []Fact
}

// run is a stretch of words of one look.
type run struct {
	text string
	bold bool
	soft bool   // said aside, in a quieter tone
	link string // address it leads to; empty for none
}

// sheet gathers the blocks of a brief.
type sheet struct{ blocks []block }

// outline lays a brief out, in the order it is read.
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

func (s *sheet) add(b block) { s.blocks = append(s.blocks, b) }

func (s *sheet) head(level int, text string) {
	s.add(block{kind: heading, level: level, runs: []run{{text: text}}})
}

func (s *sheet) part(title string) { s.head(2, title) }

// say adds a paragraph for each line of text.
func (s *sheet) say(text string) {
	for l := range strings.SplitSeq(text, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			s.add(block{kind: paragraph, runs: []run{{text: l}}})
		}
	}
}

func (s *sheet) bullet(level int, runs ...run) {
	s.add(block{kind: item, level: level, runs: runs})
}

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

func (s *sheet) item(it Item) {
	sure := it.Sure
	if it.Part {
		sure = "known in part, " + sure
	}
	s.bullet(1, run{text: it.Name, bold: true}, run{text: ": "}, run{text: oneLine(it.Value)}, run{text: fmt.Sprintf(" (%s, %s)", sure, it.Figure), soft: true})
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

// oneLine keeps the lines of a value apart where all has to stand on one.
func oneLine(s string) string {
	lines := strings.FieldsFunc(s, func(r rune) bool { return r == '\n' })
	for i, l := range lines {
		lines[i] = strings.Join(strings.Fields(l), " ")
	}
	return strings.Join(lines, " / ")
}

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

func (s *sheet) disputed(list []Dispute) {
	if len(list) == 0 {
		return
	}
	s.part("What is disputed or does not agree")
	for _, d := range list {
		s.head(3, d.Name)
		s.say(d.Why)
		for _, side := range d.Sides {
			words := run{text: side.Words, soft: true}
			if side.Words != "" {
				words.text = " (" + side.Words + ")"
			}
			runs := []run{{text: oneLine(side.Value)}, words}
			if side.Held {
				runs = append(runs, run{text: " It holds for now.", bold: true})
			}
			s.bullet(1, runs...)
		}
	}
}

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

func (s *sheet) research(b Brief) {
	if len(b.Research) == 0 {
		return
	}
	s.part("What was looked up")
	if b.Untold > 0 {
		s.say("The latest are told here; there are " + language.Count(b.Untold, "earlier one") + ".")
	}
	for _, l := range b.Research {
		s.lookup(l)
	}
	s.say(sourcesNote)
}

// sourcesNote stands below what research found.
const sourcesNote = "Words in quotation marks and titles are those of the sources. Others wrote them; that they stand there was checked, whether they are true was not."

func (s *sheet) lookup(l Lookup) {
	s.head(3, l.Question)
	s.add(block{kind: paragraph, runs: []run{{text: l.State, bold: true}, {text: after(". ", oneLine(l.Summary))}}})
	if l.Proposal != "" {
		s.add(block{kind: paragraph, runs: []run{{text: "Proposed: ", soft: true}, {text: l.Proposal}}})
	}
	for _, c := range l.Claims {
		s.bullet(1, run{text: c.Text}, run{text: after(" “", c.Quote) + closing(c.Quote)}, run{text: fmt.Sprintf(" [source %d]", c.Source), soft: true})
	}
	for _, src := range l.Sources {
		runs := []run{{text: fmt.Sprintf("Source %d: ", src.N), soft: true}, {text: src.Name, link: src.Link}}
		if src.Published != "" {
			runs = append(runs, run{text: ", published " + src.Published, soft: true})
		}
		s.bullet(2, runs...)
	}
}

// after is s with words in front; nothing when s is empty.
func after(front, s string) string {
	if s == "" {
		return ""
	}
	return front + s
}

func closing(quoted string) string {
	if quoted == "" {
		return ""
	}
	return "”"
}

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
