package sessions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/obligations"
)

// How a transcript is folded: the latest turns stay word for word. Of the turns before
// them, FoldTurns at a time become a summary of level 0, and FoldFan neighbours of one
// level become one of the next. A prompt is therefore told of any number of turns by
// few summaries, each few steps away from what was said. The numbers are chosen so that
// transcript and summaries fit a small model's prompt.
const (
	FoldTurns    = 10   // turns in a summary of level 0
	KeepTurns    = 10   // latest turns that are not folded
	FoldFan      = 3    // summaries of one level that become one of the next
	SummaryRunes = 2000 // of everything a prompt is told of earlier turns
	StretchRunes = 600  // of one summary
)

// FoldDue returns the turn up to which a session should be folded after the given turn,
// when it is folded up to folded already; 0 when there is nothing to fold.
func FoldDue(turn, folded int) int {
	to := (turn - KeepTurns) / FoldTurns * FoldTurns
	if to <= max(folded, 0) {
		return 0
	}
	return to
}

// SummaryRange is the place of a summary: its level, 0 for a summary of turns, and its
// first and last turn.
type SummaryRange struct {
	Level    int
	From, To int
}

// leafAfter returns the place of the level-0 summary that starts after that turn.
func leafAfter(turn int) SummaryRange { return SummaryRange{From: turn + 1, To: turn + FoldTurns} }

// Frontier returns the places of the fewest summaries that cover the turns 1 to turns, a
// multiple of [FoldTurns], oldest first. There are at most FoldFan-1 of each level.
func Frontier(turns int) []SummaryRange {
	level, size := 0, FoldTurns
	for size*FoldFan <= turns {
		level, size = level+1, size*FoldFan
	}
	var out []SummaryRange
	for at := 0; level >= 0; level, size = level-1, size/FoldFan {
		for ; at+size <= turns; at += size {
			out = append(out, SummaryRange{Level: level, From: at + 1, To: at + size})
		}
	}
	return out
}

// ObligationState is what a session knew of an obligation after some turn.
type ObligationState struct {
	Label      string                 `json:"label"`
	Status     obligations.Status     `json:"status"`
	Confidence obligations.Confidence `json:"confidence"`
	Value      string                 `json:"value,omitempty"` // in words; empty while unknown
	Turn       int                    `json:"turn"`            // of its last change
	Was        string                 `json:"was,omitempty"`   // the value before the last revision
	Revised    int                    `json:"revisedTurn,omitempty"`
	Disputed   int                    `json:"disputedTurn,omitempty"` // last turn it was negotiated or in conflict
	Clash      bool                   `json:"clash,omitempty"`        // a conflict over it was open
}

// Lookup is a research task that was ordered or changed during a stretch.
type Lookup struct {
	Task   string `json:"taskId"`
	Key    string `json:"key,omitempty"`
	Type   string `json:"taskType"`
	Query  string `json:"query"`
	Status string `json:"status"`
	Turn   int    `json:"turn"` // of its latest event

	Outcome string `json:"outcome,omitempty"` // found, contradicting or no_evidence, once it is completed
	Summary string `json:"summary,omitempty"` // its result, with sources
}

// Bounds of what is kept with one summary: runes of an obligation's texts, research
// tasks, and runes of their results.
const (
	maxKnownRunes  = 160
	maxLookups     = 20
	maxLookupRunes = 300
)

// SummaryInput is what one summary is made of: turns, or summaries one level below.
type SummaryInput struct {
	SummaryRange
	Messages []Message                  // for level 0
	Parts    []Summary                  // for higher levels, oldest first
	Known    map[string]ObligationState // by key, after the last turn
	Research []Lookup
}

// NewStretch returns the turns at p ready to be folded. What was known before them is
// brought up to date by their events.
func NewStretch(p SummaryRange, before map[string]ObligationState, messages []Message, events []Event) SummaryInput {
	st := SummaryInput{SummaryRange: p, Messages: messages, Known: map[string]ObligationState{}}
	maps.Copy(st.Known, before)
	for _, e := range events {
		if e.Turn >= p.From && e.Turn <= p.To {
			st.note(e)
		}
	}
	return st
}

// note applies an event to the stretch. An event that cannot be decoded is ignored, as a
// summary can do without it.
func (st *SummaryInput) note(e Event) {
	switch e.Kind {
	case KindObligation:
		var told toldObligation
		if json.Unmarshal(e.Data, &told) == nil && told.Key != "" {
			st.Known[told.Key] = told.onto(st.Known[told.Key], e.Turn)
		}
	case KindNegotiation, KindConflict:
		st.noteDispute(e)
	case KindResearch:
		var told Lookup
		if json.Unmarshal(e.Data, &told) == nil {
			told.Query, told.Turn, told.Summary = short(told.Query), e.Turn, language.Clip(oneLine(told.Summary), maxLookupRunes)
			st.Research = noteLookup(st.Research, told)
		}
	case KindSession, KindDelta, KindMessage, KindQuestion, KindCompleteness, KindPhase, KindMemory, KindHandover, KindRecording, KindSpeech, KindError, KindDone:
	}
}

// toldObligation is what a snapshot takes from an event "obligation".
type toldObligation struct {
	Key           string                 `json:"key"`
	Label         string                 `json:"label"`
	Status        obligations.Status     `json:"status"`
	Confidence    obligations.Confidence `json:"confidence"`
	Value         json.RawMessage        `json:"value"`
	PreviousValue json.RawMessage        `json:"previousValue"`
}

// onto returns k as it is after the event.
func (t toldObligation) onto(k ObligationState, turn int) ObligationState {
	k.Label, k.Status, k.Confidence, k.Value, k.Turn = short(t.Label), t.Status, t.Confidence, short(rawWords(t.Value)), turn
	if len(t.PreviousValue) > 0 {
		k.Was, k.Revised = short(rawWords(t.PreviousValue)), turn
	}
	return k
}

// noteDispute notes a negotiation or a conflict at its obligations.
func (st *SummaryInput) noteDispute(e Event) {
	var told struct {
		Key    string   `json:"key"`
		Keys   []string `json:"keys"`
		Status string   `json:"status"`
	}
	if json.Unmarshal(e.Data, &told) != nil {
		return
	}
	if told.Key != "" {
		told.Keys = []string{told.Key}
	}
	for _, key := range told.Keys {
		k := st.Known[key]
		k.Label, k.Disputed = cmp.Or(k.Label, key), e.Turn
		if e.Kind == KindConflict {
			k.Clash = told.Status == obligations.ConflictOpen
		}
		st.Known[key] = k
	}
}

// noteLookup appends tasks, each in place of its older state, and keeps the last
// maxLookups.
func noteLookup(list []Lookup, add ...Lookup) []Lookup {
	for _, l := range add {
		list = slices.DeleteFunc(list, func(old Lookup) bool { return old.Task == l.Task })
		list = append(list, l)
	}
	return list[max(0, len(list)-maxLookups):]
}

// Join returns what the last summaries of a line are folded into. ok is false when they
// are not FoldFan of one level.
func Join(line []Summary) (st SummaryInput, ok bool) {
	if len(line) < FoldFan {
		return st, false
	}
	parts := line[len(line)-FoldFan:]
	first, last := parts[0], parts[FoldFan-1]
	if first.Level != last.Level {
		return st, false
	}
	st = SummaryInput{SummaryRange: SummaryRange{Level: last.Level + 1, From: first.From, To: last.To}, Parts: parts, Known: last.Known}
	for _, p := range parts {
		st.Research = noteLookup(st.Research, p.Research...)
	}
	return st, true
}

// Summary returns the summary of the stretch with the given text, as one line of at most
// [StretchRunes].
func (st SummaryInput) Summary(text, by string) Summary {
	return Summary{SummaryRange: st.SummaryRange, Text: language.Clip(oneLine(text), StretchRunes), Known: st.Known, Research: st.Research, By: by}
}

// Words summarises a stretch without a model: what was learnt, revised, disputed and
// left open, with the turns, in at most [StretchRunes]. The same stretch always gives
// the same words.
func (st SummaryInput) Words() string {
	var out []string
	for _, part := range []struct {
		title string
		most  int
		said  func(k ObligationState) string
	}{
		{"Learnt", 9, st.learnt}, {"Changed", 4, st.changed}, {"Disputed", 4, st.disputed}, {"Left open", 6, st.leftOpen},
	} {
		if words := st.tell(part.title, part.most, part.said); words != "" {
			out = append(out, words)
		}
	}
	if words := st.lookedUp(); words != "" {
		out = append(out, words)
	}
	if len(out) == 0 {
		out = append(out, st.nothing())
	}
	return language.Clip(strings.Join(out, " "), StretchRunes)
}

// tell lists the obligations for which said has words, in the order of their turns, at
// most most of them.
func (st SummaryInput) tell(title string, most int, said func(ObligationState) string) string {
	keys := slices.Collect(maps.Keys(st.Known))
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(st.Known[a].Turn, st.Known[b].Turn), cmp.Compare(a, b))
	})
	var list []string
	for _, key := range keys {
		if words := said(st.Known[key]); words != "" {
			list = append(list, words)
		}
	}
	return listed(title, list, most)
}

// listed writes a titled list, and how many entries it leaves out.
func listed(title string, list []string, most int) string {
	if len(list) == 0 {
		return ""
	}
	rest := ""
	if n := len(list) - most; n > 0 {
		list, rest = list[:most], fmt.Sprintf("; and %d more", n)
	}
	return title + ": " + strings.Join(list, "; ") + rest + "."
}

// in reports whether a turn lies in the stretch.
func (st SummaryInput) in(turn int) bool { return turn >= st.From && turn <= st.To }

// learnt words a value that was learnt in the stretch and not revised in it.
func (st SummaryInput) learnt(k ObligationState) string {
	if !st.in(k.Turn) || k.Value == "" || st.in(k.Revised) {
		return ""
	}
	doubt := ""
	if k.Status != obligations.Satisfied {
		doubt = ", doubtful"
	}
	return fmt.Sprintf("%s “%s” (turn %d%s)", k.Label, language.Clip(k.Value, 60), k.Turn, doubt)
}

// changed words a value that was revised in the stretch.
func (st SummaryInput) changed(k ObligationState) string {
	if !st.in(k.Revised) {
		return ""
	}
	return fmt.Sprintf("%s from “%s” to “%s” (turn %d)", k.Label, language.Clip(k.Was, 40), language.Clip(cmp.Or(k.Value, "nothing"), 40), k.Revised)
}

// disputed words an obligation that was in dispute in the stretch.
func (st SummaryInput) disputed(k ObligationState) string {
	if !st.in(k.Disputed) {
		return ""
	}
	state := ""
	if k.Clash {
		state = ", not settled"
	}
	return fmt.Sprintf("%s (turn %d%s)", k.Label, k.Disputed, state)
}

// leftOpen words an obligation that came up in the stretch and has no value.
func (st SummaryInput) leftOpen(k ObligationState) string {
	if !st.in(k.Turn) || k.Value != "" {
		return ""
	}
	state := strings.ReplaceAll(string(k.Status), "_", " ")
	return fmt.Sprintf("%s (%s, turn %d)", k.Label, state, k.Turn)
}

// lookedUp words the results of research, and what is still being looked up.
func (st SummaryInput) lookedUp() string {
	var over, open []string
	for _, l := range st.Research {
		switch words := l.ending(); {
		case !st.in(l.Turn):
		case words == "":
			open = append(open, fmt.Sprintf("“%s” (%s)", language.Clip(l.Query, 60), l.Status))
		default:
			over = append(over, fmt.Sprintf("“%s”: %s", language.Clip(l.Query, 60), words))
		}
	}
	return strings.TrimSpace(listed("Looked up", over, 3) + " " + listed("To be looked up", open, 3))
}

// ending words the result of a task; "" while it is open.
func (l Lookup) ending() string {
	switch {
	case l.Status == "completed" && l.Outcome == "no_evidence":
		return "nothing to rely on was found"
	case l.Status == "completed":
		return language.Clip(cmp.Or(strings.TrimSuffix(l.Summary, "."), "done"), 120)
	case l.Status == "failed" || l.Status == "cancelled":
		return l.Status
	}
	return ""
}

// nothing words a stretch without any change by the longest message of the person.
func (st SummaryInput) nothing() string {
	longest := ""
	for _, m := range st.Messages {
		if m.Role == FromUser && len(m.Content) > len(longest) {
			longest = m.Content
		}
	}
	if longest == "" {
		return "Nothing new was noted."
	}
	return "Nothing new was noted; the person said: “" + language.Clip(oneLine(longest), 160) + "”."
}

// SoFar returns what a prompt is told of a line of summaries, oldest first, in at most
// [SummaryRunes]. Each gets an equal share; what a short one leaves over goes to the
// ones before it, so the line is built from its end.
func SoFar(line []Summary) string {
	lines := make([]string, len(line))
	left := SummaryRunes
	for i := len(line) - 1; i >= 0; i-- { // the latest first: older ones leave less and less
		head := fmt.Sprintf("Turns %d to %d: ", line[i].From, line[i].To)
		share := left / (i + 1)
		if i < len(line)-1 {
			share-- // the line's end
		}
		lines[i] = language.Clip(head+oneLine(line[i].Text), share)
		left -= runes(lines[i])
		if i < len(line)-1 {
			left--
		}
	}
	return strings.Join(lines, "\n")
}

// runes returns the length of s in runes.
func runes(s string) int { return len([]rune(s)) }

// oneLine makes one line of s, without control characters.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' }), " ")
}

// short returns s as a snapshot keeps it: one line, not too long.
func short(s string) string { return language.Clip(oneLine(s), maxKnownRunes) }

// rawWords words a value whose template is not at hand.
func rawWords(raw json.RawMessage) string {
	var v any
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil {
		return ""
	}
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case []any:
		words := make([]string, len(v))
		for i := range v {
			words[i] = fmt.Sprint(v[i])
		}
		return strings.Join(words, ", ")
	case map[string]any:
		if low, ok := v["min"]; ok {
			return fmt.Sprintf("%v to %v", low, v["max"])
		}
	}
	return string(raw)
}
