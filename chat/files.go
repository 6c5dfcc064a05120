package chat

import (
	"context"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/google/uuid"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/research/claims"
	"quaestor/sessions"
)

// cleanFiles returns the ids of the files a message brings, each once. Files are
// a session's, so that a message without one brings none.
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

// given returns files of a session by their ids.
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

// filesOf returns the ids of the files that were given with a turn.
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

// pickedOnly reports whether the person filled in widgets and did nothing beside.
func (s *Scene) pickedOnly() bool { return s.Message == "" && len(s.Files) == 0 }

// fromFile returns what f says of o as a file of the scene bears it out; false
// when that is nothing. The words must stand in the text that was read in the
// file; those that do not are flagged. Words that give orders to whoever reads
// them are no evidence. What a person left out, no file brings back, and a file
// that was given before contradicts nobody twice. Of a model, a figure or a date
// has to stand in the words it quotes, and what these do not say outright is put
// to the person.
func fromFile(s *Scene, o *obligations.Obligation, f obligations.Finding) (obligations.Finding, bool) {
	at := slices.IndexFunc(s.Files, func(file sessions.File) bool { return file.ID == f.Evidence.File })
	if at < 0 || f.Value == nil || o.Status == obligations.Skipped {
		return f, false
	}
	file := &s.Files[at]
	if o.Value != nil && !obligations.SameValue(o.Value, f.Value) && givenBefore(file, s.Turn) {
		return f, false
	}
	f.Act, f.Source, f.Evidence.Source = obligations.Tell, "document", file.Name
	span, ok := standing(file.Text, f.Evidence)
	if !ok {
		f.Evidence.Span, f.Evidence.Flag = nil, obligations.FlagQuoteNotFound
		return f, true
	}
	f.Evidence.Span = &span
	f.Evidence.Quote, _ = span.Slice(file.Text)
	if claims.Directs(surroundings(file.Text, span)) {
		return f, false
	}
	if f.Grade.Model == nil {
		return f, true
	}
	return borneOut(o, f)
}

// givenBefore reports whether an earlier turn was given the file.
func givenBefore(f *sessions.File, turn int) bool {
	return slices.ContainsFunc(f.Turns, func(n int) bool { return n < turn })
}

// standing returns where the words of e stand in text: at its own span, else where
// they come first.
func standing(text string, e obligations.Evidence) (obligations.Span, bool) {
	if e.Span != nil {
		if words, ok := e.Span.Slice(text); ok && words == e.Quote {
			return *e.Span, true
		}
	}
	span, _, ok := obligations.Locate(text, e.Quote)
	return span, ok
}

// borneOut holds a model's value against the words it quotes.
func borneOut(o *obligations.Obligation, f obligations.Finding) (obligations.Finding, bool) {
	said := claims.Claim{N: 1, Text: f.Evidence.Quote, Quote: f.Evidence.Quote}
	if claims.CheckAnswer(o, f.Value, []claims.Claim{said}) == nil {
		return f, true
	}
	if o.Widget == obligations.Number || o.Widget == obligations.Date {
		return f, false
	}
	f.Grade.Loose = true
	return f, true
}

// maxAround is how many bytes to either side of a quote are looked at.
const maxAround = 600

// surroundings returns the paragraph a span stands in, or what of it is near.
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

// byteAt returns the byte at which the UTF-16 unit of a text begins.
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
