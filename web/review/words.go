package review

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/ui"
)

// segment is a stretch of a message that is marked as a whole, or not at all.
type segment struct {
	Text   string
	Marked bool
	Chosen bool // it is of the evidence that the place names
}

// segments cuts content where the words of citations begin and end. Spans count UTF-16
// units, as scripts of pages do. A span that does not lie in content is ignored, and a
// character of two units is marked when either of them is.
func segments(content string, cites []citation) []segment {
	units := utf16.Encode([]rune(content))
	level := make([]uint8, len(units)) // 1 is marked, 2 is chosen
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
	for i := 1; i < len(units); i++ {
		if utf16.DecodeRune(rune(units[i-1]), rune(units[i])) != utf8.RuneError {
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

// chosenSegment returns the index of the first segment of the chosen evidence, which links
// lead to; -1 when there is none.
func chosenSegment(list []segment) int {
	return slices.IndexFunc(list, func(s segment) bool { return s.Chosen })
}

// hasChosen reports whether the chosen evidence is among cites.
func hasChosen(cites []citation) bool {
	return slices.ContainsFunc(cites, func(c citation) bool { return c.Chosen })
}

// evidenceElsewhere explains why no words are marked for e.
func evidenceElsewhere(e obligations.Evidence) string {
	switch {
	case e.Flag == obligations.FlagQuoteNotFound:
		return "The words of this evidence are not in the conversation."
	case e.Message == "" && e.Proposal == nil:
		return "This evidence rests on no words of the conversation."
	}
	return "The words of this evidence are not among the turns shown here."
}

// claimPath is where the report of research shows the claim that e rests on.
func claimPath(e obligations.Evidence) string {
	return "/research/" + url.PathEscape(e.Task) + "#claim-" + strconv.Itoa(e.Claim)
}

// satisfiedWords explain when an obligation of t counts as known.
func satisfiedWords(t *obligations.Template) string {
	if t.SatisfiedWhen == "" {
		return "It counts as known from a confidence of " + obligations.DefaultSatisfied.String() + "."
	}
	return "It counts as known when " + t.SatisfiedWhen + "."
}

// gradeStep is one reason for the confidence of a piece of evidence.
type gradeStep struct {
	Words  string
	Change string // such as "0.92", "−0.27" or "at most 0.40"
}

// evidenceKindWords explain what evidence of a kind is worth by itself.
var evidenceKindWords = map[obligations.EvidenceKind]string{
	obligations.Stated:           "Said in the person's own words",
	obligations.Accepted:         "The person agreed to what was proposed, which counts for less than saying it unasked",
	obligations.InferredEvidence: "Concluded from other values, which needs somebody's yes",
	obligations.Document:         "It stands in a document",
	obligations.ResearchEvidence: "Found by research, which needs somebody's yes",
	obligations.WidgetInput:      "Picked or entered by the person",
	obligations.Reviewer:         "Decided by a reviewer",
}

// gradeSteps explains how the confidence of a piece of evidence is computed, in the order
// in which it is. Each change is what [obligations.Grade.Confidence] gives with that doubt
// added, so that the steps add up to it. There are none for a nil grade.
func gradeSteps(g *obligations.Grade) []gradeStep {
	if g == nil {
		return nil
	}
	partial := obligations.Grade{Kind: g.Kind}
	before := partial.Confidence()
	out := []gradeStep{{evidenceKindWords[g.Kind], before.String()}}
	step := func(applies bool, words string, set func(*obligations.Grade)) {
		if !applies {
			return
		}
		set(&partial)
		now := partial.Confidence()
		out = append(out, gradeStep{words, changeFigure(int(now) - int(before))})
		before = now
	}
	step(g.Hedged, "It was hedged, with words such as “maybe” or “around”", func(s *obligations.Grade) { s.Hedged = true })
	step(g.Vague, "It is too general to act on", func(s *obligations.Grade) { s.Vague = true })
	step(g.Loose, "It was read from a remark in passing, not from an answer to the question", func(s *obligations.Grade) { s.Loose = true })
	step(g.Disputed, "Other evidence says otherwise", func(s *obligations.Grade) { s.Disputed = true })
	step(g.Agreement > 0, ui.Count(g.Agreement, "further piece")+" of evidence to the same effect", func(s *obligations.Grade) { s.Agreement = g.Agreement })
	step(g.Model != nil, "The model's own figure is "+figure(g.Model)+"; it can lower the confidence, never raise it", func(s *obligations.Grade) { s.Model = g.Model })
	step(g.Fit != nil, "The words do not clearly say it, so it counts for "+figure(g.Fit)+" at most", func(s *obligations.Grade) { s.Fit = g.Fit })
	step(g.Unfound, "The words it quotes are not in the conversation, so it counts for 0.40 at most", func(s *obligations.Grade) { s.Unfound = true })
	return out
}

// figure writes the confidence that a model gave; empty when it gave none.
func figure(c *obligations.Confidence) string {
	if c == nil {
		return ""
	}
	return c.String()
}

// changeFigure writes a change in hundredths, with its sign.
func changeFigure(hundredths int) string {
	switch {
	case hundredths > 0:
		return "+" + obligations.Confidence(hundredths).String()
	case hundredths < 0:
		return "−" + obligations.Confidence(-hundredths).String()
	}
	return "no change"
}

// eventNames name the events of the audit trail.
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

// sourceNames name where a change came from.
var sourceNames = map[string]string{"conversation": "the conversation", "widget": "a field somebody filled in", "reviewer": "a reviewer", "research": "research",
	"model": "the model", "objective": "the objective"}

// eventTitle is the type itself for one that has no name here.
func eventTitle(e obligations.StoredEvent) string { return cmp.Or(eventNames[e.Type], string(e.Type)) }

func eventSource(e obligations.StoredEvent) string { return cmp.Or(sourceNames[e.Source], e.Source) }

// facts are what there is to tell, by name. Nothing is told under a name without a value.
type facts []ui.Fact

func (f *facts) add(name, value string) {
	if value != "" {
		*f = append(*f, ui.Fact{Name: name, Value: value})
	}
}

// eventFacts are what an event of an obligation of t changed, and why; name gives keys
// their labels.
func eventFacts(e obligations.StoredEvent, t *obligations.Template, name func(string) string) []ui.Fact {
	set, w := e.Meta.Set, ui.Phrases()
	var out facts
	out.add("Value", ui.Visible(ui.DisplayValue(t, set.Value)))
	if set.Cleared {
		out.add("Value", "taken back")
	}
	if set.Status != nil && e.OldStatus != e.NewStatus {
		out.add("Status", fromTo(w.Status[e.OldStatus], w.Status[e.NewStatus]))
	}
	if e.OldConfidence != e.NewConfidence {
		out.add("Confidence", fromTo(e.OldConfidence.String(), e.NewConfidence.String()))
	}
	if set.SkipReason != nil {
		out.add("Skipped", w.Skip[*set.SkipReason])
	}
	if set.Attempts != nil {
		out.add("Asked", ui.Count(*set.Attempts, "time"))
	}
	if n := set.Negotiation; n != nil {
		out.add("Dispute", negotiationWords(n))
	}
	if set.MergedInto != nil && *set.MergedInto != "" {
		out.add("Merged into", ui.Visible(name(*set.MergedInto)))
	}
	if len(set.SplitInto) > 0 {
		out.add("Split into", ui.Visible(labels(set.SplitInto, name)))
	}
	if len(set.Evidence) > 0 {
		out.add("By", ui.Visible(set.Evidence[len(set.Evidence)-1].By))
	}
	out.add("Why", ui.Visible(e.Meta.Reason))
	return out
}

// eventLine words what an event of an obligation of t changed in one line, without the
// person, whom the line of a turn goes without.
func eventLine(e obligations.StoredEvent, t *obligations.Template, name func(string) string) string {
	var words []string
	for _, f := range eventFacts(e, t, name) {
		if f.Name != "By" {
			words = append(words, strings.ToLower(f.Name)+" "+f.Value)
		}
	}
	if len(words) == 0 {
		return strings.ToLower(eventTitle(e))
	}
	return strings.Join(words, "; ")
}

// labels returns the labels of keys, in a row.
func labels(keys []string, name func(string) string) string {
	return strings.Join(web.Map(keys, name), ", ")
}

// fromTo words a change; what was empty before is left out.
func fromTo(from, to string) string {
	if from == "" {
		return to
	}
	return from + " → " + to
}

// resolutionWords tell how a dispute ended.
var resolutionWords = map[obligations.Resolution]string{obligations.UserAccepted: "over: the value that was proposed holds",
	obligations.AgentAccepted: "over: the person's value holds", obligations.Compromise: "over: a third value holds"}

// negotiationWords tell where a dispute stands.
func negotiationWords(n *obligations.Negotiation) string {
	if n.Status == obligations.NegotiationResolved {
		return resolutionWords[n.Resolution]
	}
	return ui.DisputeWords(n)
}

// roundWords tell one round of a dispute.
func roundWords(r obligations.Round, t *obligations.Template) string {
	response := map[obligations.Response]string{obligations.Accept: "accepted", obligations.Reject: "rejected", obligations.Modify: "changed"}[r.Response]
	var b strings.Builder
	fmt.Fprintf(&b, "Turn %d: “%s”", r.Turn, ui.DisplayValue(t, r.Proposal))
	if response != "" {
		b.WriteString(" was " + response)
	}
	if len(r.UserValue) > 0 {
		fmt.Fprintf(&b, ", “%s” named instead", ui.DisplayValue(t, r.UserValue))
	}
	if r.Reasoning != "" {
		b.WriteString(": " + r.Reasoning)
	}
	return ui.Visible(b.String())
}

// conflictNames name the kinds of conflicts.
var conflictNames = map[obligations.ConflictKind]string{
	obligations.Changed:         "Two answers to the same question",
	obligations.Constrained:     "Values that do not fit together",
	obligations.AgainstDocument: "A person and a document disagree",
	obligations.AgainstResearch: "A person and research disagree",
	obligations.BetweenPersons:  "People disagree",
}

// conflictTitle names a conflict by its kind and the labels of its obligations.
func conflictTitle(c obligations.Conflict, name func(string) string) string {
	return cmp.Or(conflictNames[c.Kind], "Conflict") + ": " + labels(c.Keys, name)
}

// decidedBy names the person who decided a conflict; empty when no person did.
func decidedBy(c obligations.Conflict) string {
	if c.ResolvedBy == "" {
		return ""
	}
	return "(" + c.ResolvedBy + ")"
}

// turnSummary is what a turn took.
type turnSummary struct {
	Turn  sessions.Turn
	Usage chat.Usage // of a model; the zero value when none was asked
	Cost  *float64   // of this turn; nil where no budget needs it
}

// turnFacts are what a turn took, by name.
func turnFacts(d turnSummary) []ui.Fact {
	t := d.Turn
	out := facts{{Name: "State", Value: turnStates[t.Status]}, {Name: "Answered by", Value: interviewerOf(t)}}
	out.add("Without the model because", ui.Visible(t.Degraded))
	out.add("Said by", ui.Visible(t.User))
	out.add("Begun", ui.When(t.StartedAt))
	if t.FinishedAt != nil {
		out.add("Took", durationWords(t.FinishedAt.Sub(t.StartedAt)))
	}
	if t.Attempt > 1 {
		out.add("Attempts", strconv.Itoa(t.Attempt))
	}
	if d.Usage.Calls > 0 {
		out.add("Model calls", strconv.Itoa(d.Usage.Calls))
		out.add("Tokens", tokenWords(d.Usage.PromptTokens, d.Usage.CompletionTokens))
	} else {
		out.add("Tokens", "none")
	}
	out.add("Question repaired", ui.Visible(d.Usage.Repaired))
	if d.Cost != nil {
		out.add("Cost", moneyWords(*d.Cost))
		out.add("Cost so far", moneyWords(d.Usage.Spent.Money))
	}
	for _, key := range slices.Sorted(maps.Keys(t.Answers)) {
		out.add("Field "+key, ui.Visible(ui.DisplayValue(&obligations.Template{Key: key}, t.Answers[key])))
	}
	return out
}

var turnStates = map[sessions.TurnStatus]string{sessions.TurnRunning: "Running", sessions.TurnDone: "Answered", sessions.TurnStopped: "Stopped by the person", sessions.TurnFailed: "Failed"}

// interviewerOf names what answered the turn, which is nobody while it runs.
func interviewerOf(t sessions.Turn) string {
	if t.Interviewer == "" {
		return "Nobody"
	}
	return ui.InterviewerName(t.Interviewer)
}

// durationWords write a duration in the unit that suits it.
func durationWords(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// moneyWords write a cost without its currency, which is that of the prices the operator
// has set. Four decimals are a hundredth of a cent, near the price of a short call.
func moneyWords(m float64) string { return strconv.FormatFloat(m, 'f', 4, 64) }

// tokenWords write the length of prompts and answers.
func tokenWords(prompt, completion int) string {
	return fmt.Sprintf("%s in, %s out", ui.Thousands(float64(prompt)), ui.Thousands(float64(completion)))
}
