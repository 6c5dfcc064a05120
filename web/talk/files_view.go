package talk

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// FileView is what [FilePage] shows.
type FileView struct {
	Session     sessions.Session
	File        sessions.File
	Obligations []obligations.Obligation
	Marked      obligations.Span // the words that the address leads to; empty for none
	Part        int              // of a long text, from 1; 0 means the part with the marked words
	Nav         ui.Nav
}

// acceptedFiles is the accept attribute of the field for files. It follows what
// [research.ReadAttachment] reads; the server decides in the end.
const acceptedFiles = ".txt,.md,.csv,.tsv,.docx,.pdf,text/plain,text/markdown,text/csv"

// FilePath is the address of the page of a session's file.
func FilePath(session, file string) string { return "/s/" + session + "/files/" + file }

// FileQuotePath is the address at which the words of e are shown in their file; empty when
// e does not come from a file.
func FileQuotePath(session string, e obligations.Evidence) string {
	if e.File == "" {
		return ""
	}
	if e.Span == nil {
		return FilePath(session, e.File)
	}
	return fmt.Sprintf("%s?from=%d&to=%d#found", FilePath(session, e.File), e.Span.Start, e.Span.End)
}

// FileSize words a number of bytes, such as "12 KB", in powers of ten as the file managers
// of most systems do. files.js does the same.
func FileSize(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10) + " bytes"
	case n < 1_000_000:
		return strconv.FormatInt((n+500)/1000, 10) + " KB"
	}
	return strings.TrimSuffix(strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64), ".0") + " MB"
}

// fileKindWords names the kind of a file, with its pages or rows.
func fileKindWords(f sessions.File) string {
	kind, _, _ := strings.Cut(f.Type, ";")
	switch {
	case kind == "application/pdf":
		return withParts("PDF", f.Parts, "page")
	case kind == "text/csv":
		return withParts("Table", f.Parts, "row")
	case kind == "text/markdown":
		return "Markdown"
	case strings.HasSuffix(kind, "wordprocessingml.document"):
		return "Word document"
	}
	return "Text"
}

// withParts adds the number of parts to a name, if it is known.
func withParts(name string, n int, part string) string {
	if n == 0 {
		return name
	}
	return name + ", " + ui.Count(n, part)
}

// fileReading is a piece of evidence from a file, with the obligation that rests on it.
type fileReading struct {
	Obligation *obligations.Obligation
	Evidence   obligations.Evidence
}

// readings lists the evidence for present values that comes from the file, in the order
// of the text.
func (v FileView) readings() []fileReading {
	var out []fileReading
	for i := range v.Obligations {
		for _, e := range v.Obligations[i].Evidence {
			if e.File == v.File.ID && e.Span != nil {
				out = append(out, fileReading{&v.Obligations[i], e})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b fileReading) int { return a.Evidence.Span.Start - b.Evidence.Span.Start })
	return out
}

// fileStretch is a piece of a file's text.
type fileStretch struct {
	Text   string
	Used   bool // a value rests on it
	Marked bool // it is within [FileView.Marked]
	First  bool // it is the first piece that is marked
}

// shown returns the part of the text that the page shows, cut where evidence or the marked
// words begin and end. Mark 0 is of the marked words, the others of the readings.
func (v FileView) shown() []fileStretch {
	units := utf16.Encode([]rune(v.File.Text))
	from, to := ui.WholeCharacter(units, (v.at()-1)*ui.PageUnits), ui.WholeCharacter(units, min(v.at()*ui.PageUnits, len(units)))
	var marks []ui.Mark
	for i, r := range v.readings() {
		marks = append(marks, ui.Mark{N: i + 1, Quote: r.Evidence.Quote, Span: *r.Evidence.Span})
	}
	if words, ok := v.Marked.Slice(v.File.Text); ok {
		marks = append(marks, ui.Mark{N: 0, Quote: words, Span: v.Marked})
	}
	var out []fileStretch
	first := true
	for _, s := range ui.Passages(units, marks, from, to) {
		f := fileStretch{Text: s.Text, Used: len(s.Marks) > 0, Marked: slices.Contains(s.Marks, 0)}
		f.First, first = f.Marked && first, first && !f.Marked
		out = append(out, f)
	}
	return out
}

// parts returns the number of parts of the text, of [ui.PageUnits] each and at least one.
func (v FileView) parts() int {
	n := 0
	for _, r := range v.File.Text {
		n += max(utf16.RuneLen(r), 1)
	}
	return max((n+ui.PageUnits-1)/ui.PageUnits, 1)
}

// at returns the part that is shown, from 1.
func (v FileView) at() int {
	part := v.Part
	if part == 0 {
		part = max(v.Marked.Start, 0)/ui.PageUnits + 1
	}
	return min(max(part, 1), v.parts())
}

// partPath is the address of part n of the text, from 1.
func (v FileView) partPath(n int) string {
	return fmt.Sprintf("%s?part=%d", FilePath(v.Session.ID, v.File.ID), n)
}
