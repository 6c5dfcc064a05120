package sessions_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quaestor/obligations"
	"quaestor/sessions"
)

func TestFoldDue(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ turn, folded, want int }{
		{0, 0, 0}, {1, 0, 0}, {19, 0, 0}, {20, 0, 10}, {21, 0, 10}, {29, 0, 10}, {30, 0, 20}, {20, 10, 0}, {29, 10, 0}, {30, 10, 20}, {31, 10, 20},
		{2000, 1970, 1990}, {2000, 0, 1990}, {20, 100, 0}, {20, -1, 10},
	} {
		if got := sessions.FoldDue(tt.turn, tt.folded); got != tt.want {
			t.Errorf("FoldDue(%d, %d) = %d, want %d", tt.turn, tt.folded, got, tt.want)
		}
	}
}

// The ranges of a frontier lie end to end from the first turn to the last, and
// they are few however many turns there are.
func TestFrontierCoversAllTurnsWithFewSummaries(t *testing.T) {
	t.Parallel()

	most := 0
	for turns := 0; turns <= 10_000; turns += sessions.FoldTurns {
		end, each := 0, map[int]int{}
		for _, p := range sessions.Frontier(turns) {
			if p.From != end+1 || p.To <= p.From || (p.From-1)%(p.To-p.From+1) != 0 {
				t.Fatalf("Frontier(%d) holds %+v after turn %d", turns, p, end)
			}
			end = p.To
			if each[p.Level]++; each[p.Level] >= sessions.FoldFan {
				t.Fatalf("Frontier(%d) holds %d of level %d", turns, each[p.Level], p.Level)
			}
		}
		if end != turns {
			t.Fatalf("Frontier(%d) ends at %d", turns, end)
		}
		most = max(most, len(sessions.Frontier(turns)))
	}
	if most > 14 {
		t.Errorf("%d summaries stand for some session, want at most 14", most)
	}
}

// toldAt makes the events of a turn.
func toldAt(turn int, payloads ...sessions.Payload) []sessions.Event {
	return sessions.Events(turn, payloads)
}

func learnt(key, label, value, was string, status obligations.Status) sessions.ObligationEvent {
	l := sessions.ObligationEvent{Key: key, Label: label, Status: status, Confidence: 80}
	if value != "" {
		l.Value = []byte(value)
	}
	if was != "" {
		l.PreviousValue = []byte(was)
	}
	return l
}

func TestStretchSaysWhatWasLearntDisputedAndLeftOpen(t *testing.T) {
	t.Parallel()

	before := map[string]sessions.ObligationState{"old": {Label: "Old", Status: obligations.Satisfied, Value: "kept", Turn: 3}}
	events := slices.Concat(
		toldAt(11, learnt("business", "Business", `"bread"`, "", obligations.Satisfied), learnt("team", "Team", `12`, "", obligations.Partial)),
		toldAt(12, learnt("channels", "Channels", `["street","online"]`, "", obligations.Satisfied)),
		toldAt(14, learnt("team", "Team", `{"min":10,"max":15}`, `12`, obligations.Satisfied)),
		toldAt(15, sessions.ConflictEvent{Conflict: obligations.Conflict{Keys: []string{"business", "channels"}, Status: obligations.ConflictOpen}}),
		toldAt(16, sessions.NegotiationEvent{Key: "team", Negotiation: &obligations.Negotiation{Status: obligations.NegotiationActive}}),
		toldAt(17, learnt("market", "Market", "", "", obligations.Deferred), sessions.ResearchEvent{TaskID: "t1", Key: "market", Query: "cheese\nmarket", Status: "pending"}),
		toldAt(18, sessions.ResearchEvent{TaskID: "t1", Key: "market", Query: "cheese market", Status: "completed", Outcome: "found", Summary: "Cheese is\nlarge (a.example)."}),
		toldAt(18, sessions.ResearchEvent{TaskID: "t2", Query: "milk", Status: "completed", Outcome: "no_evidence", Summary: "I read two sources."}),
		toldAt(19, sessions.ResearchEvent{TaskID: "t3", Query: "butter", Status: "failed"}, sessions.ResearchEvent{TaskID: "t4", Query: "eggs", Status: "running"}),
		toldAt(21, learnt("late", "Late", `"not yet"`, "", obligations.Satisfied)),
		[]sessions.Event{{Turn: 12, Kind: sessions.KindObligation, Data: []byte(`{"type":`)}},
	)

	st := sessions.NewStretch(sessions.SummaryRange{From: 11, To: 20}, before, nil, events)

	want := "Learnt: Business “bread” (turn 11); Channels “street, online” (turn 12). Changed: Team from “12” to “10 to 15” (turn 14). " +
		"Disputed: Business (turn 15, not settled); Channels (turn 15, not settled); Team (turn 16). Left open: Market (deferred, turn 17). " +
		"Looked up: “cheese market”: Cheese is large (a.example); “milk”: nothing to rely on was found; “butter”: failed. To be looked up: “eggs” (running)."
	if got := st.Words(); got != want {
		t.Errorf("Words() = %q\nwant %q", got, want)
	}
	if _, known := st.Known["late"]; known || st.Known["old"].Value != "kept" || len(st.Known) != 5 {
		t.Errorf("Known = %+v, want what was known before, what the stretch told, and nothing later", st.Known)
	}
	if len(before) != 1 {
		t.Errorf("the snapshot before was changed to %+v", before)
	}
	if got := sessions.NewStretch(sessions.SummaryRange{From: 11, To: 20}, before, nil, events).Words(); got != want {
		t.Errorf("the same stretch gives other words: %q", got)
	}
}

// What was ordered in one stretch and ended in another is told as it ended where
// both are summed up together, and never at length.
func TestSummariesHoldWhatCameOfResearch(t *testing.T) {
	t.Parallel()

	made := fold(30, func(turn int) []sessions.Event {
		switch turn {
		case 9:
			return toldAt(turn, sessions.ResearchEvent{TaskID: "t1", Key: "market", Query: "cheese market", Status: "pending"})
		case 14:
			return toldAt(turn, sessions.ResearchEvent{TaskID: "t1", Key: "market", Query: "cheese market", Status: "completed", Outcome: "found", Summary: strings.Repeat("Cheese is large (a.example). ", 90)})
		}
		return nil
	})

	whole := made[len(made)-1]
	if whole.Level != 1 || len(whole.Research) != 1 {
		t.Fatalf("the last summary %+v, want one of level 1 with one task", whole)
	}
	l := whole.Research[0]
	if l.Status != "completed" || l.Outcome != "found" || l.Turn != 14 || !strings.HasPrefix(l.Summary, "Cheese is large (a.example).") || utf8.RuneCountInString(l.Summary) > 300 {
		t.Errorf("the task is kept as %+v", l)
	}
	if !strings.Contains(whole.Text, "Looked up: “cheese market”: Cheese is large (a.example)") || strings.Contains(whole.Text, "To be looked up") {
		t.Errorf("the summary says %q", whole.Text)
	}
}

func TestStretchInWhichNothingWasNoted(t *testing.T) {
	t.Parallel()

	said := []sessions.Message{{Turn: 1, Role: sessions.FromUser, Content: "Hm.\n\nI would rather talk\tabout bread"}, {Turn: 1, Role: sessions.FromAssistant, Content: strings.Repeat("What? ", 50)}}
	for _, tt := range []struct {
		name string
		in   []sessions.Message
		want string
	}{
		{"nothing said", nil, "Nothing new was noted."},
		{"something said", said, "Nothing new was noted; the person said: “Hm. I would rather talk about bread”."},
	} {
		if got := sessions.NewStretch(sessions.SummaryRange{From: 1, To: 10}, nil, tt.in, nil).Words(); got != tt.want {
			t.Errorf("%s: Words() = %q, want %q", tt.name, got, tt.want)
		}
	}
}

// fold folds the first turns of a session without a model, as the worker does,
// and returns what it made.
func fold(turns int, events func(turn int) []sessions.Event) []sessions.Summary {
	var made, line []sessions.Summary
	known := map[string]sessions.ObligationState{}
	for from := 1; from < turns; from += sessions.FoldTurns {
		var told []sessions.Event
		for turn := from; turn < from+sessions.FoldTurns; turn++ {
			told = append(told, events(turn)...)
		}
		st := sessions.NewStretch(sessions.SummaryRange{From: from, To: from + sessions.FoldTurns - 1}, known, nil, told)
		known = st.Known
		leaf := st.Summary(st.Words(), sessions.BuiltIn)
		line = append(line, leaf)
		at := len(made)
		made = append(made, leaf)
		for up, ok := sessions.Join(line); ok; up, ok = sessions.Join(line) {
			whole := up.Summary(up.Words(), sessions.BuiltIn)
			made = append(made, whole)
			line = append(line[:len(line)-len(up.Parts)], whole)
		}
		made[at].SoFar = sessions.SoFar(line)
	}
	return made
}

func TestFoldedSummariesAreBoundedAtAnyDepth(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"bread", strings.Repeat("grün & <b> ", 40), strings.Repeat("语", 900), "a\nb\x00c\u2028d", ""})
		made := fold(10*rapid.IntRange(1, 120).Draw(t, "stretches"), func(turn int) []sessions.Event {
			key := fmt.Sprint("key_", rapid.IntRange(0, 60).Draw(t, "key"))
			was := ""
			if rapid.Bool().Draw(t, "revised") {
				was = fmt.Sprintf("%q", text.Draw(t, "was"))
			}
			return toldAt(turn, learnt(key, text.Draw(t, "label"), fmt.Sprintf("%q", text.Draw(t, "value")), was, obligations.Satisfied))
		})
		for _, m := range made {
			if n := utf8.RuneCountInString(m.Text); n > sessions.StretchRunes || n == 0 {
				t.Fatalf("turns %d to %d are summed up in %d characters", m.From, m.To, n)
			}
			if n := utf8.RuneCountInString(m.SoFar); n > sessions.SummaryRunes || (n == 0) != (m.Level > 0) {
				t.Fatalf("level %d, turns up to %d are told in %d characters", m.Level, m.To, n)
			}
			if m.Level == 0 && (!strings.HasPrefix(m.SoFar, "Turns 1 to ") || !strings.Contains(m.SoFar, fmt.Sprintf(" to %d: ", m.To)) || strings.ContainsRune(m.Text, 0)) {
				t.Fatalf("turns up to %d are told as %.80q", m.To, m.SoFar)
			}
		}
	})
}

// What was said last of the first turns is still told after two thousand.
func TestWhatWasLearntEarlyIsToldLate(t *testing.T) {
	t.Parallel()

	made := fold(1990, func(turn int) []sessions.Event {
		switch turn {
		case 4:
			return toldAt(turn, learnt("business", "Business", `"sourdough bread"`, "", obligations.Satisfied))
		case 1985:
			return toldAt(turn, learnt("team", "Team", `14`, `12`, obligations.Satisfied))
		}
		return nil
	})
	last := made[len(made)-1]
	for last.Level > 0 {
		made = made[:len(made)-1]
		last = made[len(made)-1]
	}
	for _, part := range []string{"Business “sourdough bread” (turn 4)", "Team from “12” to “14” (turn 1985)", "Turns 1 to ", " to 1990: "} {
		if !strings.Contains(last.SoFar, part) {
			t.Errorf("after 1990 turns %q is not told:\n%s", part, last.SoFar)
		}
	}
}

func TestJoinTakesWholeGroupsOnly(t *testing.T) {
	t.Parallel()

	at := func(level, from, to int, research ...sessions.Lookup) sessions.Summary {
		return sessions.Summary{SummaryRange: sessions.SummaryRange{Level: level, From: from, To: to}, Known: map[string]sessions.ObligationState{fmt.Sprint(to): {}}, Research: research}
	}
	for _, tt := range []struct {
		name string
		in   []sessions.Summary
		want sessions.SummaryRange
	}{
		{"too few", []sessions.Summary{at(0, 1, 10), at(0, 11, 20)}, sessions.SummaryRange{}},
		{"of two levels", []sessions.Summary{at(1, 1, 30), at(0, 31, 40), at(0, 41, 50)}, sessions.SummaryRange{}},
		{"a group", []sessions.Summary{at(1, 1, 30), at(0, 31, 40, sessions.Lookup{Task: "a", Status: "pending"}), at(0, 41, 50, sessions.Lookup{Task: "b"}), at(0, 51, 60, sessions.Lookup{Task: "a", Status: "completed"})},
			sessions.SummaryRange{Level: 1, From: 31, To: 60}},
	} {
		got, ok := sessions.Join(tt.in)
		if got.SummaryRange != tt.want || ok != (tt.want != sessions.SummaryRange{}) {
			t.Errorf("%s: Join() = %+v, %t, want %+v", tt.name, got.SummaryRange, ok, tt.want)
		}
		if ok {
			want := []sessions.Lookup{{Task: "b"}, {Task: "a", Status: "completed"}}
			if diff := cmp.Diff(want, got.Research); diff != "" || got.Known["60"] != (sessions.ObligationState{}) || len(got.Known) != 1 {
				t.Errorf("%s: known %v, research (-want +got):\n%s", tt.name, got.Known, diff)
			}
		}
	}
}
