package chat

import (
	"context"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/google/uuid"

	"quaestor/chat/support"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/research/claims"
	"quaestor/sessions"
)

// cleanFiles returns the ids of the files that a message brings, each once. Files belong
// to a session, so a message that names none brings none.
func cleanFiles(in Input) ([]string, error) {
	if len(in.Files) == 0 {
		return nil, nil
	}
	var out []string
	for _, id := range in.Files {
		known, err := uuid.Parse(id)
		if err != nil {
			return nil, fault.New(fault.Unprocessable, "files are named by their ids; send each to /api/v1/sessions/{id}/files first").At("files").Coded("file_not_found")
		}
		if !slices.Contains(out, known.String()) {
			out = append(out, known.String())
		}
	}
	switch {
	case len(out) > sessions.MaxGiven:
		return nil, fault.New(fault.Unprocessable, "at most %d files go into one message; send the others with the next", sessions.MaxGiven).At("files")
	case in.SessionID == "":
		return nil, fault.New(fault.Unprocessable, "files are of a session; name it").At("sessionId")
	}
	return out, nil
}

// given returns the files of a session with those ids.
func (e *Engine) given(ctx context.Context, s obligations.Scope, ids []string) ([]sessions.File, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := sessions.PickFiles(ctx, e.Pool, s, ids)
	if fault.Is(err, fault.NotFound) {
		return nil, fault.New(fault.Unprocessable, "the session has no such file; send it to /api/v1/sessions/%s/files first", s.Session).At("files").Coded("file_not_found")
	}
	return list, err
}

// filesOf returns the ids of the files that came with a turn.
func filesOf(turn int, given []sessions.TurnFile) []string {
	var ids []string
	for _, g := range given {
		if g.Turn == turn {
			ids = append(ids, g.File.ID)
		}
	}
	return ids
}

// mute reports whether the person brings nothing at all.
func (s *Scene) mute() bool { return s.Message == "" && len(s.Answers)+len(s.Files) == 0 }

// widgetsOnly reports whether the person filled in widgets and did nothing else.
func (s *Scene) widgetsOnly() bool { return s.Message == "" && len(s.Files) == 0 }

// ReadIn returns the name of the file of this turn in which the value of o was read, or
// "" when it was not read in one.
func (s *Scene) ReadIn(o *obligations.Obligation) string {
	for _, e := range o.Evidence {
		if e.Kind == obligations.Document && e.Turn == s.Turn && len(s.Files) > 0 {
			return e.Source
		}
	}
	return ""
}

// screenFileFinding returns a finding about o that was read in a file of the scene, as far
// as the file supports it, and false when it does not count:
//
//   - A quote that is not in the file's text is flagged.
//   - Words in a paragraph that gives orders to its reader are no evidence.
//   - A file does not bring back what the person left out.
//   - A file that was given before contradicts nobody twice.
//   - A number or a date from a model must be in the words it quotes. Other values that
//     are not plainly in them are put to the person, and are hints when the words do not
//     support them at all.
func screenFileFinding(s *Scene, o *obligations.Obligation, f obligations.Finding, similar Similarity) (obligations.Finding, bool) {
	at := slices.IndexFunc(s.Files, func(file sessions.File) bool { return file.ID == f.Evidence.File })
	if at < 0 || f.Value == nil || o.Status == obligations.Skipped {
		return f, false
	}
	file := &s.Files[at]
	if o.Value != nil && !obligations.SameValue(o.Value, f.Value) && givenBefore(file, s.Turn) {
		return f, false
	}
	f.Act, f.Source, f.Evidence.Source = obligations.Tell, "document", file.Name
	span, ok := quoteIn(file.Text, f.Evidence)
	if !ok {
		f.Evidence.Span, f.Evidence.Flag = nil, obligations.FlagQuoteNotFound
		return f, true
	}
	f.Evidence.Span = &span
	f.Evidence.Quote, _ = span.Slice(file.Text)
	f.Evidence.Details = obligations.ReadDetails(o.Template, f.Value, file.Text, span, s.Now)
	if claims.Directs(surroundings(file.Text, span)) {
		return f, false
	}
	if f.Grade.Model == nil {
		return f, true
	}
	claimed := quoteSupports(o, f)
	if o.Widget == obligations.Number || o.Widget == obligations.Date {
		return f, claimed
	}
	level := support.Of(support.Statement{Template: o.Template, Value: f.Value, Quote: f.Evidence.Quote, Context: surroundings(file.Text, span), Asked: true, Now: s.Now, Similar: similar})
	if level == support.Full && claimed {
		return f, true
	}
	f.Grade.Loose, f.Evidence.Flag = true, obligations.FlagDoubtful
	if level == support.None && !claimed {
		f.Evidence.Flag = obligations.FlagUnsupported
	}
	return f, true
}

// givenBefore reports whether the file came with an earlier turn.
func givenBefore(f *sessions.File, turn int) bool {
	return slices.ContainsFunc(f.Turns, func(n int) bool { return n < turn })
}

// quoteIn returns the place of e's quote in text: its own span if that holds the quote,
// else the first occurrence.
func quoteIn(text string, e obligations.Evidence) (obligations.Span, bool) {
	if e.Span != nil {
		if words, ok := e.Span.Slice(text); ok && words == e.Quote {
			return *e.Span, true
		}
	}
	span, _, ok := obligations.Locate(text, e.Quote)
	return span, ok
}

// quoteSupports reports whether a model's value is plainly in the words it quotes.
func quoteSupports(o *obligations.Obligation, f obligations.Finding) bool {
	said := claims.Claim{N: 1, Text: f.Evidence.Quote, Quote: f.Evidence.Quote}
	return claims.CheckAnswer(o, f.Value, []claims.Claim{said}) == nil
}

// maxAround is how many bytes on either side of a quote belong to its surroundings: about
// a long paragraph.
const maxAround = 600

// surroundings returns the paragraph around a span, as far as it is near.
func surroundings(text string, span obligations.Span) string {
	from, to := byteAt(text, span.Start), byteAt(text, span.End)
	start, end := max(0, from-maxAround), min(len(text), to+maxAround)
	if at := strings.LastIndex(text[start:from], "\n\n"); at >= 0 {
		start += at
	}
	if at := strings.Index(text[to:end], "\n\n"); at >= 0 {
		end = to + at
	}
	return strings.ToValidUTF8(text[start:end], "")
}

// byteAt returns the byte offset of a UTF-16 unit of text.
func byteAt(text string, unit int) int {
	n := 0
	for i, r := range text {
		if n >= unit {
			return i
		}
		n += max(utf16.RuneLen(r), 1)
	}
	return len(text)
}
