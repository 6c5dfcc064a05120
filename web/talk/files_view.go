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
	Marked      obligations.Span // the words to show; empty for none
	Part        int              // of a long text, from 1; 0 means where the words are
	Nav         ui.Nav
}

// acceptedFiles are the endings a browser offers.
const acceptedFiles = ".txt,.md,.csv,.tsv,.docx,.pdf,text/plain,text/markdown,text/csv"

// FilePath is where the text of a session's file is shown.
func FilePath(session, file string) string { return "/s/" + session + "/files/" + file }

// FileQuotePath is where the words of e are shown in the session's file they stand
// in; empty when e is of no file.
func FileQuotePath(session string, e obligations.Evidence) string {
	if e.File == "" {
		return ""
	}
	if e.Span == nil {
		return FilePath(session, e.File)
	}
	return fmt.Sprintf("%s?from=%d&to=%d#found", FilePath(session, e.File), e.Span.Start, e.Span.End)
}

// FileSize words a number of bytes: "12 KB".
func FileSize(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10) + " bytes"
	case n < 1_000_000:
		return strconv.FormatInt((n+500)/1000, 10) + " KB"
	}
	return strings.TrimSuffix(strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64), ".0") + " MB"
}

// fileKindWords names what a file was read as.
func fileKindWords(f sessions.File) string {
	kind, _, _ := strings.Cut(f.Type, ";")
	switch {
	case kind == "application/pdf":
		return counted("PDF", f.Parts, "page")
	case kind == "text/csv":
		return counted("Table", f.Parts, "row")
	case kind == "text/markdown":
		return "Markdown"
	case strings.HasSuffix(kind, "wordprocessingml.document"):
		return "Word document"
	}
	return "Text"
}

func counted(name string, n int, unit string) string {
	switch n {
	case 0:
		return name
	case 1:
		return name + ", 1 " + unit
	}
	return fmt.Sprintf("%s, %d %ss", name, n, unit)
}

// fileReading is something that was read in a file.
type fileReading struct {
	Obligation *obligations.Obligation
	Evidence   obligations.Evidence
}

// readings lists what the values that are held rest on in the file, in the order
// it stands there.
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
	Marked bool // it is what one came for
	First  bool // of that
}

// shown cuts the part of the text that the page shows where marks begin and end.
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

// parts is how many pages the text takes, at least one.
func (v FileView) parts() int {
	n := 0
	for _, r := range v.File.Text {
		n += max(utf16.RuneLen(r), 1)
	}
	return max((n+ui.PageUnits-1)/ui.PageUnits, 1)
}

// at is the part that is shown, from 1.
func (v FileView) at() int {
	part := v.Part
	if part == 0 {
		part = max(v.Marked.Start, 0)/ui.PageUnits + 1
	}
	return min(max(part, 1), v.parts())
}

func (v FileView) partPath(n int) string {
	return fmt.Sprintf("%s?part=%d", FilePath(v.Session.ID, v.File.ID), n)
}
