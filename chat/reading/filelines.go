package reading

import (
	"iter"
	"strings"

	"quaestor/chat"
	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/research/claims"
)

// fileLine is a line of a file: text[start:end], without the marks before it.
type fileLine struct {
	start, end int
	heading    bool
	directs    bool // it gives orders to whoever reads it, or stands with one that does
}

// maxBlock is how long a paragraph is at most; what is longer is a table, and its
// rows are judged one by one.
const maxBlock = 4000

// linesOf cuts a text into its lines with words, numbered from 0. A paragraph with
// an order to whoever reads it is marked as a whole.
func linesOf(text string) iter.Seq2[int, fileLine] {
	return func(yield func(int, fileLine) bool) {
		n, at := 0, 0
		for block := range strings.SplitAfterSeq(text, "\n\n") {
			directs := len(block) <= maxBlock && claims.Directs(block)
			for raw := range strings.Lines(block) {
				l := unmarked(text, at, at+len(raw))
				l.directs = directs || len(block) > maxBlock && claims.Directs(raw)
				at += len(raw)
				if l.start >= l.end {
					continue
				}
				if !yield(n, l) {
					return
				}
				n++
			}
		}
	}
}

// unmarked returns the line between two bytes without its bullet, its number and
// the marks of a heading, at most as long as is looked at.
func unmarked(text string, start, end int) fileLine {
	raw := strings.TrimRight(clipBytes(text[start:end], maxFileLine), " \t\r\n*_")
	rest := strings.TrimLeft(raw, " \t")
	l := fileLine{heading: strings.HasPrefix(rest, "#")}
	rest = strings.TrimLeft(rest, "#*_->•·–— \t")
	if digits := strings.TrimLeft(rest, "0123456789"); len(digits) < len(rest) && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") ")) {
		rest = strings.TrimLeft(digits[1:], " *_")
	}
	l.start, l.end = start+len(raw)-len(rest), start+len(raw)
	return l
}

// cells reads a row of a table whose cells name what they hold: of two columns the
// name and the value, else "name: value; name: value".
func (f *fileReader) cells(l fileLine) bool {
	row := f.file.Text[l.start:l.end]
	if f.tabular() {
		return f.record(l, row)
	}
	if strings.Count(row, "|") < 1 || !strings.Contains(f.file.Text[max(0, l.start-3):l.start]+row, "|") {
		return false
	}
	parts := strings.Split(strings.Trim(row, "| "), "|")
	if len(parts) != 2 {
		return true // a row of a wider table is no sentence
	}
	if o := f.index.named(parts[0]); o != nil {
		f.value(o, l, parts[1], labelled)
	}
	return true
}

// record reads a row of a CSV file, as the reader of files lays it out.
func (f *fileReader) record(l fileLine, row string) bool {
	cells := strings.Split(row, "; ")
	for _, c := range cells {
		name, value, ok := strings.Cut(c, ": ")
		if !ok {
			name, value, ok = strings.Cut(c, " | ")
		}
		if o := f.index.named(name); ok && o != nil {
			f.value(o, l, value, labelled)
		}
	}
	if len(cells) != 2 {
		return true
	}
	_, name, _ := strings.Cut(cells[0], ": ")
	_, value, _ := strings.Cut(cells[1], ": ")
	if o := f.index.named(name); o != nil {
		f.value(o, l, value, labelled)
	}
	return true
}

// labelEnds part a name from what is told of it.
var labelEnds = []string{":", " – ", " — ", " - ", "\t", " = "}

// maxLabel is how long a name is at most, in bytes.
const maxLabel = 80

// label reads "Team size: 12 people".
func (f *fileReader) label(l fileLine) bool {
	text := f.file.Text[l.start:l.end]
	for _, sign := range labelEnds {
		name, value, ok := strings.Cut(text, sign)
		if !ok || len(name) > maxLabel || strings.TrimSpace(strings.Trim(value, "*_")) == "" {
			continue
		}
		if o := f.index.named(name); o != nil {
			return f.value(o, l, strings.Trim(value, "*_ \t"), labelled)
		}
	}
	return false
}

// under reads the first line under a heading that names something.
func (f *fileReader) under(heading, l fileLine) bool {
	o := f.index.named(strings.TrimRight(f.file.Text[heading.start:heading.end], ": "))
	return o != nil && f.value(o, l, f.file.Text[l.start:l.end], labelled)
}

// value reads words as the value of o; the evidence is the whole line.
func (f *fileReader) value(o *obligations.Obligation, l fileLine, words string, how certainty) bool {
	h := f.reading(clipBytes(strings.TrimSpace(words), maxQuote))
	if h.count() == 0 || h.entry("unsaid", 0, len(h.words)) > 0 {
		return false
	}
	got := h.plain(o.Template, 0, len(h.raw))
	if got.value == nil {
		return false
	}
	f.note(fileFinding{o, got, l.start, l.end, how})
	return true
}

// reading returns a reading of some words of the file, which nothing was asked for.
func (f *fileReader) reading(words string) *heard {
	h := &heard{reader: &reader{scene: f.scene, utterance: cut(words)}, values: language.NewReader(chat.LanguageOf(f.scene))}
	h.said.Text = h.raw
	return h
}
