package review

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// segment is a stretch of a message that is marked as a whole, or not at all.
type segment struct {
	Text   string
	Marked bool
	Chosen bool // it is the evidence that was asked for
}

// segments cuts content where the words of citations begin and end. Spans count
// UTF-16 units; one that does not lie in content is left out.
func segments(content string, cites []citation) []segment {
	units := utf16.Encode([]rune(content))
	level := make([]uint8, len(units)) // 1 marked, 2 chosen
	for _, c := range cites {
		if c.Span == nil || c.Span.Start < 0 || c.Span.End > len(units) {
			continue
		}
		for i := c.Span.Start; i < c.Span.End; i++ {
			level[i] = max(level[i], 1)
			if c.Chosen {
				level[i] = 2
			}
		}
	}
	for i := 1; i < len(units); i++ { // a character of two units is marked as a whole
		if utf16.DecodeRune(rune(units[i-1]), rune(units[i])) != '\uFFFD' {
			whole := max(level[i-1], level[i])
			level[i-1], level[i] = whole, whole
		}
	}
	var out []segment
	for from := 0; from < len(units); {
		to := from + 1
		for to < len(units) && level[to] == level[from] {
			to++
		}
		out = append(out, segment{string(utf16.Decode(units[from:to])), level[from] > 0, level[from] == 2})
		from = to
	}
	return out
}

// anchored reports which segment bears the anchor of the chosen evidence: the
// first of it; -1 when none is chosen.
func anchored(list []segment) int {
	for i, s := range list {
		if s.Chosen {
			return i
		}
	}
	return -1
}

// chosenIn reports whether the chosen evidence is among cites.
func chosenIn(cites []citation) bool {
	for _, c := range cites {
		if c.Chosen {
			return true
		}
	}
	return false
}

// gradeStep is one reason why evidence is as sure as it is.
type gradeStep struct {
	Words  string
	Change string // such as "0.92", "−0.27" or "at most 0.40"
}

// kindOfEvidence says what evidence of a kind is worth by itself.
var kindOfEvidence = map[obligations.EvidenceKind]string{
	obligations.Stated:           "Said in the person's own words",
	obligations.Accepted:         "The person agreed to what was proposed, which counts for less than saying it unasked",
	obligations.InferredEvidence: "Concluded from other values, which needs somebody's yes",
	obligations.Document:         "It stands in a document",
	obligations.ResearchEvidence: "Found by research, which needs somebody's yes",
	obligations.WidgetInput:      "Picked or entered by the person",
	obligations.Reviewer:         "Decided by a reviewer",
}

// gradeSteps explains how the confidence of one piece of evidence is made up, in
// the order it is computed. Nothing for a nil grade.
func gradeSteps(g *obligations.Grade) []gradeStep {
	if g == nil {
		return nil
	}
	so := obligations.Grade{Kind: g.Kind}
	sure := so.Confidence()
	out := []gradeStep{{kindOfEvidence[g.Kind], sure.String()}}
	step := func(is bool, words string, with func(*obligations.Grade)) {
		if !is {
			return
		}
		with(&so)
		now := so.Confidence()
		out = append(out, gradeStep{words, changeFigure(int(now) - int(sure))})
		sure = now
	}
	step(g.Hedged, "It was hedged, with words such as “maybe” or “around”", func(s *obligations.Grade) { s.Hedged = true })
	step(g.Vague, "It is too general to act on", func(s *obligations.Grade) { s.Vague = true })
	step(g.Loose, "It was read from a remark in passing, not from an answer to the question", func(s *obligations.Grade) { s.Loose = true })
	step(g.Disputed, "Other evidence says otherwise", func(s *obligations.Grade) { s.Disputed = true })
	step(g.Agreement > 0, ui.Count(g.Agreement, "further piece")+" of evidence to the same effect", func(s *obligations.Grade) { s.Agreement = g.Agreement })
	step(g.Model != nil, "The model's own figure is "+figure(g.Model)+"; it can lower a value, never lift it", func(s *obligations.Grade) { s.Model = g.Model })
	step(g.Unfound, "The words it quotes are not in the conversation, so it counts for 0.40 at most", func(s *obligations.Grade) { s.Unfound = true })
	return out
}

func figure(c *obligations.Confidence) string {
	if c == nil {
		return ""
	}
	return c.String()
}

// changeFigure writes a change in hundredths with its sign.
func changeFigure(hundredths int) string {
	switch {
	case hundredths > 0:
		return "+" + obligations.Confidence(hundredths).String()
	case hundredths < 0:
		return "−" + obligations.Confidence(-hundredths).String()
	}
	return "no change"
}

// eventNames say what an event of the audit trail records.
var eventNames = map[obligations.EventType]string{
	obligations.Created:            "Set up",
	obligations.StatusChanged:      "Status changed",
	obligations.ConfidenceUpdated:  "Confidence changed",
	obligations.ValueExtracted:     "Value changed",
	obligations.Negotiated:         "Disputed",
	obligations.DependencyResolved: "Became possible to ask",
	obligations.Merged:             "Merged",
	obligations.Split:              "Split",
}

// sourceNames say where a change came from.
var sourceNames = map[string]string{"conversation": "the conversation", "widget": "a field somebody filled in", "reviewer": "a reviewer", "research": "research",
	"model": "the model", "objective": "the objective"}

// eventTitle names an event.
func eventTitle(e obligations.StoredEvent) string {
	if name := eventNames[e.Type]; name != "" {
		return name
	}
	return string(e.Type)
}

// eventSource says where a change came from.
func eventSource(e obligations.StoredEvent) string {
	if name := sourceNames[e.Source]; name != "" {
		return name
	}
	return e.Source
}

// eventFacts say what an event of an obligation of t changed and why.
func eventFacts(e obligations.StoredEvent, t *obligations.Template, name func(string) string) []ui.Fact {
	set, w := e.Meta.Set, ui.Phrases()
	var out []ui.Fact
	add := func(name, value string) {
		if value != "" {
			out = append(out, ui.Fact{Name: name, Value: ui.Visible(value)})
		}
	}
	add("Value", ui.DisplayValue(t, set.Value))
	if set.Cleared {
		add("Value", "taken back")
	}
	if set.Status != nil && e.OldStatus != e.NewStatus {
		add("Status", fromTo(w.Status[e.OldStatus], w.Status[e.NewStatus]))
	}
	if e.OldConfidence != e.NewConfidence {
		add("Confidence", fromTo(e.OldConfidence.String(), e.NewConfidence.String()))
	}
	if set.SkipReason != nil {
		add("Skipped", w.Skip[*set.SkipReason])
	}
	if set.Attempts != nil {
		add("Asked", ui.Count(*set.Attempts, "time"))
	}
	if n := set.Negotiation; n != nil {
		add("Dispute", negotiationWords(n))
	}
	if set.MergedInto != nil && *set.MergedInto != "" {
		add("Merged into", name(*set.MergedInto))
	}
	if len(set.SplitInto) > 0 {
		add("Split into", joined(set.SplitInto, name))
	}
	if len(set.Evidence) > 0 {
		add("By", set.Evidence[len(set.Evidence)-1].By)
	}
	add("Why", e.Meta.Reason)
	return out
}

func joined(keys []string, name func(string) string) string {
	out := make([]string, len(keys))
	for i, key := range keys {
		out[i] = name(key)
	}
	return strings.Join(out, ", ")
}

func fromTo(from, to string) string {
	if from == "" {
		return to
	}
	return from + " → " + to
}

// negotiationWords says where a dispute stands.
func negotiationWords(n *obligations.Negotiation) string {
	if n.Status == obligations.NegotiationResolved {
		return map[obligations.Resolution]string{obligations.UserAccepted: "over: the value that was proposed holds", obligations.AgentAccepted: "over: the person's value holds",
			obligations.Compromise: "over: a third value holds"}[n.Resolution]
	}
	return ui.DisputeWords(n)
}

// roundWords tells one round of a dispute.
func roundWords(r obligations.Round, t *obligations.Template) string {
	said := map[obligations.Response]string{obligations.Accept: "accepted", obligations.Reject: "rejected", obligations.Modify: "changed"}[r.Response]
	var b strings.Builder
	fmt.Fprintf(&b, "Turn %d: “%s”", r.Turn, ui.DisplayValue(t, r.Proposal))
	if said != "" {
		b.WriteString(" was " + said)
	}
	if len(r.UserValue) > 0 {
		fmt.Fprintf(&b, ", “%s” named instead", ui.DisplayValue(t, r.UserValue))
	}
	if r.Reasoning != "" {
		b.WriteString(": " + r.Reasoning)
	}
	return ui.Visible(b.String())
}

// conflictNames say what kind of values cannot both hold.
var conflictNames = map[obligations.ConflictKind]string{
	obligations.Changed:         "Two answers to the same question",
	obligations.Constrained:     "Values that do not fit together",
	obligations.AgainstDocument: "A person and a document disagree",
	obligations.AgainstResearch: "A person and research disagree",
	obligations.BetweenPersons:  "People disagree",
}

func conflictTitle(c obligations.Conflict, name func(string) string) string {
	title := conflictNames[c.Kind]
	if title == "" {
		title = "Conflict"
	}
	return title + ": " + joined(c.Keys, name)
}

// sideWords says in a few words what a side of a conflict rests on.
func sideWords(s obligations.Side, t *obligations.Template, name func(string) string) string {
	if len(s.Evidence) == 0 {
		return ""
	}
	return ui.EvidenceIntro(s.Evidence[len(s.Evidence)-1], t, "", name)
}

// TurnDetails is what a turn took.
type TurnDetails struct {
	Turn             sessions.Turn
	Calls            int
	PromptTokens     int
	CompletionTokens int
	Repaired         string   // rules that the reply's question broke
	Money            *float64 // what the turn cost; nil where no budget asks
	Spent            *float64 // what the session had cost by then
}

// TurnFacts tell what a turn took, by name.
func TurnFacts(d TurnDetails) []ui.Fact {
	t := d.Turn
	out := []ui.Fact{{Name: "State", Value: turnStates[t.Status]}, {Name: "Answered by", Value: interviewerOf(t)}}
	add := func(name, value string) {
		if value != "" {
			out = append(out, ui.Fact{Name: name, Value: value})
		}
	}
	add("Without the model because", ui.Visible(t.Degraded))
	add("Said by", ui.Visible(t.User))
	add("Begun", ui.When(t.StartedAt))
	if t.FinishedAt != nil {
		add("Took", secondsWords(t.FinishedAt.Sub(t.StartedAt)))
	}
	if t.Attempt > 1 {
		add("Attempts", strconv.Itoa(t.Attempt))
	}
	if d.Calls > 0 {
		add("Model calls", strconv.Itoa(d.Calls))
		add("Tokens", fmt.Sprintf("%s in, %s out", ui.Thousands(float64(d.PromptTokens)), ui.Thousands(float64(d.CompletionTokens))))
	} else {
		add("Tokens", "none")
	}
	add("Question mended", ui.Visible(d.Repaired))
	add("Cost", moneyWords(d.Money))
	add("Cost so far", moneyWords(d.Spent))
	for _, key := range slices.Sorted(maps.Keys(t.Answers)) {
		add("Field "+key, ui.Visible(ui.DisplayValue(&obligations.Template{Key: key}, t.Answers[key])))
	}
	return out
}

var turnStates = map[sessions.TurnStatus]string{sessions.TurnRunning: "Running", sessions.TurnDone: "Answered", sessions.TurnStopped: "Stopped by the person", sessions.TurnFailed: "Failed"}

func interviewerOf(t sessions.Turn) string {
	if t.Interviewer == "" {
		return "Nobody"
	}
	return ui.InterviewerName(t.Interviewer)
}

func secondsWords(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// moneyWords writes a cost; its currency is that of the prices, which are the
// operator's.
func moneyWords(m *float64) string {
	if m == nil {
		return ""
	}
	return strconv.FormatFloat(*m, 'f', 4, 64)
}
