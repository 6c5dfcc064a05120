package obligations

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// EvidenceKind says what a value rests on.
type EvidenceKind string

// The kinds of evidence.
const (
	Stated           EvidenceKind = "stated"   // the person said it
	Accepted         EvidenceKind = "accepted" // we proposed it and the person agreed
	InferredEvidence EvidenceKind = "inferred" // it follows from other values
	Document         EvidenceKind = "document" // a document has it
	ResearchEvidence EvidenceKind = "research" // a claim found by research
	WidgetInput      EvidenceKind = "widget"   // picked or typed into a field
	Reviewer         EvidenceKind = "reviewer" // a reviewer decided it
)

// Valid reports whether k is one of the kinds.
func (k EvidenceKind) Valid() bool { _, ok := base[k]; return ok }

// Evidence is one reason to believe a value.
type Evidence struct {
	Kind     EvidenceKind `json:"kind"`
	Turn     int          `json:"turn"`
	By       string       `json:"by,omitempty"`       // the person who said or decided it
	Message  string       `json:"message,omitempty"`  // id of the message quoted, see [MessageID]
	Span     *Span        `json:"span,omitempty"`     // where the quote is in that message
	Quote    string       `json:"quote,omitempty"`    // the words themselves
	Proposal *Proposal    `json:"proposal,omitempty"` // accepted: what we had proposed
	Premises []string     `json:"premises,omitempty"` // inferred: keys of the obligations it follows from
	Because  string       `json:"because,omitempty"`  // inferred: the sentence of the objective's rule it follows by; empty if the interviewer concluded it
	Source   string       `json:"source,omitempty"`   // document or research: address of the source, or name of the file
	File     string       `json:"file,omitempty"`     // document: id of the session's file; Span is in the text extracted from it
	Task     string       `json:"task,omitempty"`     // research: id of the task that found it; Span is in the text it stored of the source
	Claim    int          `json:"claim,omitempty"`    // research: number of the claim in that task
	Details  *Details     `json:"details,omitempty"`  // what the words say of a number or a date beside it; nil for nothing
	Flag     string       `json:"flag,omitempty"`     // what is wrong with the words: one of the Flag… constants; empty when nothing is
	Grade    *Grade       `json:"grade,omitempty"`    // what its confidence was computed from
}

// Proposal is the question a person agreed to.
type Proposal struct {
	Message string          `json:"message"`
	Span    *Span           `json:"span,omitempty"`
	Value   json.RawMessage `json:"value"`
}

// Span is a range of a message in UTF-16 code units, End excluded: the arguments
// of a browser's slice(start, end).
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// What can be wrong with the words of a piece of evidence.
const (
	FlagQuoteNotFound = "quote_not_found" // they are not in the transcript
	FlagUnsupported   = "unsupported"     // they are, and the value does not follow from them
	FlagDoubtful      = "doubtful"        // the value may follow from them: it has to be read back before it counts
)

// Unfounded reports whether e's words were not said, or do not support the value. Such
// evidence is a hint: something to ask about, which nobody is known to have said.
func (e Evidence) Unfounded() bool { return e.Flag == FlagQuoteNotFound || e.Flag == FlagUnsupported }

// Utterance is a message as evidence refers to it.
type Utterance struct {
	ID, Content string
	User        bool // the person's, not Quaestor's
}

// Locate finds quote in content, first exactly, then with letter case and white space
// folded. It returns the span and the words as content has them; ok is false if the
// quote is not there.
func Locate(content, quote string) (span Span, found string, ok bool) {
	quote = strings.TrimSpace(quote)
	if quote == "" {
		return Span{}, "", false
	}
	start := strings.Index(content, quote)
	end := start + len(quote)
	if start < 0 {
		if start, end, ok = foldedIndex(content, quote); !ok {
			return Span{}, "", false
		}
	}
	from := utf16Len(content[:start])
	return Span{from, from + utf16Len(content[start:end])}, content[start:end], true
}

// Slice returns the part of content that s names; ok is false if s does not lie within
// content.
func (s Span) Slice(content string) (string, bool) {
	units := utf16.Encode([]rune(content))
	if s.Start < 0 || s.End > len(units) || s.Start >= s.End {
		return "", false
	}
	return string(utf16.Decode(units[s.Start:s.End])), true
}

// Check verifies evidence against the transcript: its quote must occur in a message of
// the person. If it does, the evidence gets the exact span and words of the latest such
// message. If it does not, the evidence is flagged and its confidence capped. Evidence
// that quotes nobody (inferred, document, research, widget, reviewer) is returned
// unchanged.
func Check(e Evidence, transcript []Utterance) Evidence {
	if e.Kind != Stated && e.Kind != Accepted {
		return e
	}
	for i := len(transcript) - 1; i >= 0; i-- {
		m := transcript[i]
		if !m.User || (e.Message != "" && e.Message != m.ID) {
			continue
		}
		if span, words, ok := Locate(m.Content, e.Quote); ok {
			e.Message, e.Span, e.Quote = m.ID, &span, words
			return e
		}
	}
	e.Span, e.Flag = nil, FlagQuoteNotFound
	g := Grade{Kind: e.Kind}
	if e.Grade != nil {
		g = *e.Grade
	}
	g.Unfound = true
	e.Grade = &g
	return e
}

// Sound reports whether e is complete enough to satisfy an obligation: its quote was
// found and supports the value, or its premises or its source are named.
func (e Evidence) Sound() bool {
	switch e.Kind {
	case Stated:
		return e.Span != nil && e.Flag == ""
	case Accepted: // in the person's words, or by pressing a button
		return e.Proposal != nil && e.Flag == "" && (e.Span != nil || e.Message == "" && e.Quote == "")
	case WidgetInput, Reviewer:
		return true
	case InferredEvidence:
		return len(e.Premises) > 0
	case Document, ResearchEvidence:
		return e.Source != "" && e.Quote != "" && e.Flag == ""
	}
	return false
}

func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

// foldedIndex finds quote in content with case and white space folded, and returns the
// byte range of the match in content.
func foldedIndex(content, quote string) (start, end int, ok bool) {
	hay, at := fold(content)
	needle, _ := fold(quote)
	i := strings.Index(hay, needle)
	if needle == "" || i < 0 {
		return 0, 0, false
	}
	last := at[i+len(needle)-1]
	_, size := utf8.DecodeRuneInString(content[last:])
	return at[i], last + size, true
}

// fold lowers case, turns each run of white space into one space and typographic
// quotes and dashes into plain ones; at maps every byte of the result to the byte
// of content its rune starts at.
func fold(content string) (folded string, at []int) {
	var b strings.Builder
	for f := (foldIterator{text: content}); ; {
		r, from, ok := f.next()
		if !ok {
			return b.String(), at
		}
		n := b.Len()
		b.WriteRune(r)
		for range b.Len() - n {
			at = append(at, from)
		}
	}
}

// sameFolded reports whether fold yields the same for a and b, without allocating.
func sameFolded(a, b string) bool {
	x, y := foldIterator{text: a}, foldIterator{text: b}
	for {
		r, _, more := x.next()
		q, _, also := y.next()
		if r != q || more != also {
			return false
		}
		if !more {
			return true
		}
	}
}

// foldIterator iterates over a text as [fold] describes.
type foldIterator struct {
	text  string
	at    int
	space bool // within a run of white space
}

// next returns the next rune and its byte offset; ok is false at the end.
func (f *foldIterator) next() (r rune, from int, ok bool) {
	for f.at < len(f.text) {
		r, size := utf8.DecodeRuneInString(f.text[f.at:])
		from, f.at = f.at, f.at+size
		if !unicode.IsSpace(r) {
			f.space = false
			return unicode.ToLower(unstyled(r)), from, true
		}
		if !f.space {
			f.space = true
			return ' ', from, true
		}
	}
	return 0, f.at, false
}

func unstyled(r rune) rune {
	switch r {
	case '‘', '’', 'ʼ':
		return '\''
	case '“', '”', '„':
		return '"'
	case '–', '—', '‑':
		return '-'
	}
	return r
}
