package reading

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/research/claims"
	"quaestor/sessions"
)

// Bounds of what is read of one file.
const (
	maxFileLines = 6000 // of the text, as they are cut
	maxFileLine  = 2000 // bytes of one that is looked at
	maxCuedLines = 400  // with words that announce an answer
	maxQuote     = 600  // bytes of evidence
)

// fileFinding is what a file says about an obligation.
type fileFinding struct {
	o          *obligations.Obligation
	got        valueRead
	start, end int // bytes of the words in the file
	how        certainty
}

// certainty is how plainly a file says something: the least first.
type certainty int

const (
	nearest  certainty = iota // the sentence that fits the question best
	passing                   // a sentence with words that announce an answer
	plain                     // "our team is …"
	labelled                  // "Team size: …"
)

// fileReader reads one file for the obligations of a scene.
type fileReader struct {
	scene *chat.Scene
	file  *sessions.File
	index labelIndex
	found []fileFinding
}

// files reads what the files of the turn say, after the message: lines that name
// what they tell, sentences that announce it, and for what is still open the
// sentences that answer it best. What is only near an answer is put to the person.
func (r *reader) files() {
	if len(r.scene.Files) == 0 {
		return
	}
	if slices.Contains([]chat.Intent{"", chat.Unclear, chat.OffTopic, chat.SmallTalk}, r.out.Intent) && len(r.out.Findings) == 0 {
		r.out.Intent, r.out.About = chat.Attached, ""
	}
	index, aside := newLabelIndex(r.scene.Obligations), *r.scene
	aside.Asked = nil // what was asked of the person, no file answers in so many words
	for i := range r.scene.Files {
		f := fileReader{scene: &aside, file: &r.scene.Files[i], index: index}
		f.read()
		for _, got := range f.best() {
			r.fromFile(f.file, got)
		}
	}
}

// fromFile adds what a file says, once for each obligation.
func (r *reader) fromFile(f *sessions.File, got fileFinding) {
	again := slices.ContainsFunc(r.out.Findings, func(g obligations.Finding) bool {
		return g.Key == got.o.Key && g.Evidence.Kind == obligations.Document
	})
	if again || got.o.Check(got.got.value) != nil {
		return
	}
	span := obligations.Span{Start: utf16Units(f.Text[:got.start])}
	span.End = span.Start + utf16Units(f.Text[got.start:got.end])
	e := obligations.Evidence{Kind: obligations.Document, File: f.ID, Source: f.Name, Span: &span, Quote: f.Text[got.start:got.end]}
	grade := obligations.Grade{Kind: e.Kind, Hedged: got.got.hedged, Loose: got.how < plain}
	r.add(obligations.Finding{Key: got.o.Key, Act: obligations.Tell, Value: got.got.value, Evidence: e, Grade: grade, Source: "document", Reason: "it stands in " + f.Name})
}

// utf16Units counts the UTF-16 units of s.
func utf16Units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}

// wanted reports whether files may speak of o: what was left out, taken apart or
// joined with something else is no longer asked.
func wanted(o *obligations.Obligation) bool {
	return o.Status != obligations.Skipped && o.MergedInto == "" && o.SplitInto == nil
}

// best returns one finding for each obligation, in the order of the objective: the
// plainest, of several as plain the first. What a table says in every row, each
// time differently, is no answer. Against a value that is held only plain words
// count.
func (f *fileReader) best() []fileFinding {
	var out []fileFinding
	for i := range f.scene.Obligations {
		o := &f.scene.Obligations[i]
		mine := slices.DeleteFunc(slices.Clone(f.found), func(c fileFinding) bool { return c.o != o })
		slices.SortStableFunc(mine, func(a, b fileFinding) int { return cmp.Compare(b.how, a.how) })
		if len(mine) == 0 || o.Value != nil && mine[0].how < plain {
			continue
		}
		first := mine[0]
		for _, c := range mine[1:] {
			if c.how == first.how && c.how == labelled && !obligations.SameValue(c.got.value, first.got.value) {
				first.how = passing
			}
		}
		if first.how < plain && (o.Value != nil || f.tabular() && mine[0].how == labelled) {
			continue
		}
		out = append(out, first)
	}
	return out
}

func (f *fileReader) tabular() bool { return strings.HasPrefix(f.file.Type, "text/csv") }

// note keeps a finding whose words are no order to whoever reads them. Its words
// are those of the text from start to end, cut to what evidence may quote.
func (f *fileReader) note(c fileFinding) {
	text := f.file.Text
	for c.start < c.end && strings.IndexByte(" \t\n", text[c.start]) >= 0 {
		c.start++
	}
	c.end = c.start + len(strings.TrimRight(clipBytes(text[c.start:c.end], maxQuote), " \t\n"))
	if c.got.value == nil || c.got.vague || c.end <= c.start || claims.Directs(text[c.start:c.end]) {
		return
	}
	f.found = append(f.found, c)
}

func clipBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}

// read goes through the file line by line, then looks for what is still open.
func (f *fileReader) read() {
	cued, under := 0, fileLine{}
	for n, l := range linesOf(f.file.Text) {
		if n >= maxFileLines {
			break
		}
		if l.heading || !l.directs && strings.HasSuffix(f.file.Text[l.start:l.end], ":") {
			under = l
			continue
		}
		switch {
		case l.directs:
		case f.cells(l), f.label(l):
		case under.end > 0 && f.under(under, l):
		case cued < maxCuedLines:
			cued += f.sentences(l)
		}
		under = fileLine{}
	}
	f.nearest()
}

// maxHandover is how many words hand a file over at most.
const maxHandover = 16

// handsOver reports whether the message does no more than hand over the files that
// come with it: nothing, "here is our plan", "it is all in the attached file". Its
// words are no answer to what was asked.
func (r *reader) handsOver() bool {
	switch {
	case len(r.scene.Files) == 0:
		return false
	case r.count() == 0:
		return strings.TrimSpace(r.raw) == ""
	case r.count() > maxHandover, strings.ContainsAny(r.raw, "0123456789"):
		return false
	}
	return r.speaksOf(r.all(), "attached") || r.entry("handing", 0, len(r.words)) > 0 && r.namesFile()
}

// namesFile reports whether the message has a word of a file's name in it, or says nothing that
// could be an answer.
func (r *reader) namesFile() bool {
	for _, f := range r.scene.Files {
		for st := range listening.Stems(strings.TrimSuffix(f.Name, path.Ext(f.Name))) {
			if listening.Stems(r.raw)[st] {
				return true
			}
		}
	}
	return r.count() <= fewWords+1
}
