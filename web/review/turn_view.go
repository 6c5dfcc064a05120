package review

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// ReviewTurnView is what [ReviewTurn] shows: how one turn was answered.
type ReviewTurnView struct {
	Nav      ui.Nav
	Session  sessions.Session
	Title    string // of the objective
	Details  TurnDetails
	Messages []sessions.Message        // of that turn
	Changed  []obligations.StoredEvent // what it changed, oldest first
	Events   []sessions.Event          // what the log says of it, in order
	Calls    []sessions.ModelCall      // of a model, those that are kept
	Known    []obligations.Obligation  // to name others by
	Comments []sessions.Comment        // on that turn
	Refused  Refused                   // a form that could not be done
}

func (v ReviewTurnView) number() int { return v.Details.Turn.Number }

func (v ReviewTurnView) base() string { return "/review/" + url.PathEscape(v.Session.ID) }

// path is where turn n is told of; statePath how the session stood after it.
func (v ReviewTurnView) path(n int) string { return v.base() + "/turns/" + strconv.Itoa(n) }

func (v ReviewTurnView) statePath(n int) string { return v.base() + "?turn=" + strconv.Itoa(n) }

func (v ReviewTurnView) name(key string) string { return ui.Namer(v.Known)(key) }

func (v ReviewTurnView) templateOf(key string) *obligations.Template {
	if o := obligations.Find(v.Known, key); o != nil {
		return o.Template
	}
	return &obligations.Template{Key: key}
}

// callsMissing says why no call of a model is shown, empty when one is.
func (v ReviewTurnView) callsMissing() string {
	switch {
	case len(v.Calls) > 0:
		return ""
	case v.Details.Calls > 0 || v.Details.Turn.Degraded != "":
		return "A model was asked in this turn. Its prompts and answers are not kept, or not any longer."
	}
	return "No model was asked: the built-in rules read the message and worded the answer. What they went by is below."
}

// asked is the question the turn asked, as the log has it; nil for none.
func (v ReviewTurnView) asked() *sessions.Question {
	for _, e := range v.Events {
		var q sessions.QuestionEvent
		if e.Kind == sessions.KindQuestion && json.Unmarshal(e.Data, &q) == nil {
			return &q.Question
		}
	}
	return nil
}

// becauseFacts are what a question was chosen by, figure by figure.
func becauseFacts(b *obligations.Rationale) []ui.Fact {
	if b == nil {
		return nil
	}
	var out []ui.Fact
	for _, f := range []struct {
		name string
		x    float64
	}{{"Priority", b.Priority}, {"Uncertainty", b.Uncertainty}, {"What waits for it", b.Unlocking}, {"How it is learnt", b.Directness}, {"Same topic", b.Topic},
		{"Bearing of the last answer", b.Relation}, {"Effort of answering", b.Cost}, {"Expected gain", b.Gain}} {
		if f.x != 0 {
			out = append(out, ui.Fact{Name: f.name, Value: strconv.FormatFloat(f.x, 'f', -1, 64)})
		}
	}
	return out
}

// changed says in one line what an event changed.
func (v ReviewTurnView) changed(e obligations.StoredEvent) string {
	return eventLine(e, v.templateOf(e.Key), v.name)
}

// read are the pieces of evidence the turn added, with the grade that says how
// they were read.
func read(e obligations.StoredEvent) []obligations.Evidence {
	var out []obligations.Evidence
	for _, ev := range e.Meta.Set.Evidence {
		if ev.Turn == e.Turn && ev.Grade != nil {
			out = append(out, ev)
		}
	}
	return out
}

// purposeNames say what a model was asked for.
var purposeNames = map[string]string{"understand": "Understand the message", "reply": "Word the reply", "model": "Asked of the model"}

func callName(c sessions.ModelCall) string {
	name := purposeNames[c.Purpose]
	if name == "" {
		name = c.Purpose
	}
	if c.Attempt > 1 {
		name += fmt.Sprintf(" (attempt %d)", c.Attempt)
	}
	return name
}

// failureWords say in words what went wrong with a call.
var failureWords = map[string]string{
	"timeout": "It took too long.", "truncated": "The answer broke off.", "not_json": "The answer was no answer of a model.", "empty": "The answer was empty.",
	"limited": "The provider took no more requests.", "refused": "The provider, or the model, refused.", "upstream": "The provider failed.",
	"broken": "The connection failed.", "too_large": "The answer was too long.", "bad_json": "The answer did not have the shape that was asked for.",
	"canceled": "It was stopped: the person ended the turn, or another answer was there first.", "bad_output": "The text could not be passed on.",
	sessions.Unreadable: "This was kept and cannot be read any more.",
}

func callFailure(c sessions.ModelCall) string {
	if c.Failure == "" {
		return ""
	}
	words := failureWords[c.Failure]
	if words == "" {
		words = "It failed."
	}
	return words + " (" + c.Failure + ")"
}

// callFacts are what a call took.
func callFacts(c sessions.ModelCall) []ui.Fact {
	out := []ui.Fact{{Name: "Model", Value: ui.Visible(c.Model)}, {Name: "Began", Value: "after " + secondsWords(c.Began)}}
	if c.FirstToken > 0 {
		out = append(out, ui.Fact{Name: "First words", Value: "after " + secondsWords(c.FirstToken)})
	}
	out = append(out, ui.Fact{Name: "Took", Value: secondsWords(c.Total)},
		ui.Fact{Name: "Tokens", Value: fmt.Sprintf("%s in, %s out", ui.Thousands(float64(c.PromptTokens)), ui.Thousands(float64(c.CompletionTokens)))})
	if c.Money > 0 {
		out = append(out, ui.Fact{Name: "Cost", Value: moneyWords(&c.Money)})
	}
	if c.Tries > 1 {
		out = append(out, ui.Fact{Name: "Requests", Value: strconv.Itoa(c.Tries)})
	}
	return out
}

// promptPart is a message of a prompt as it is shown.
type promptPart struct{ Name, Text string }

// promptParts are the messages of a call's prompt, the rules first.
func promptParts(c sessions.ModelCall) []promptPart {
	var out []promptPart
	if c.Rules != "" {
		out = append(out, promptPart{"Rules", c.Rules})
	}
	for i, m := range c.Prompt {
		name := "Data of the interview"
		switch {
		case m.Role == "assistant":
			name = "Answer that the data was read"
		case i == len(c.Prompt)-1:
			name = "What the person said"
		}
		out = append(out, promptPart{name, m.Content})
	}
	return out
}

// size says how long a text is.
func size(s string) string { return ui.Count(utf8.RuneCountInString(s), "character") }

// logNames name what the log tells.
var logNames = map[sessions.Kind]string{
	sessions.KindSession: "The turn began", sessions.KindMessage: "The reply", sessions.KindQuestion: "What is asked", sessions.KindObligation: "A value changed",
	sessions.KindNegotiation: "A dispute moved", sessions.KindConflict: "A conflict", sessions.KindCompleteness: "How far the interview is", sessions.KindPhase: "Another phase",
	sessions.KindResearch: "Research", sessions.KindMemory: "What is kept in mind", sessions.KindParticipant: "Somebody came or left", sessions.KindError: "The turn failed",
	sessions.KindDone: "The turn ended",
}

func logName(e sessions.Event) string {
	if name := logNames[e.Kind]; name != "" {
		return name
	}
	return string(e.Kind)
}

// indented is JSON as people read it.
func indented(raw json.RawMessage) string {
	var x any
	if json.Unmarshal(raw, &x) != nil {
		return string(raw)
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if enc.Encode(x) != nil {
		return string(raw)
	}
	return strings.TrimSpace(b.String())
}

// Size of the picture of a turn's calls, in its own units.
const (
	fallWidth, fallLeft, fallRight = 640, 8, 632
	fallRow, fallTop               = 44, 8
)

// waterfall is a turn's calls on the clock.
type waterfall struct {
	Calls []sessions.ModelCall
	Whole time.Duration // of the turn, or of the last call when that is later
}

func (v ReviewTurnView) waterfall() waterfall {
	w := waterfall{Calls: v.Calls}
	if t := v.Details.Turn; t.FinishedAt != nil {
		w.Whole = t.FinishedAt.Sub(t.StartedAt)
	}
	for _, c := range v.Calls {
		w.Whole = max(w.Whole, c.Began+c.Total)
	}
	w.Whole = max(w.Whole, time.Millisecond)
	return w
}

func (w waterfall) height() int { return fallTop + len(w.Calls)*fallRow + 24 }

// x is the place of a moment across the picture.
func (w waterfall) x(at time.Duration) float64 {
	return fallLeft + float64(min(max(at, 0), w.Whole))/float64(w.Whole)*(fallRight-fallLeft)
}

// width of a stretch; a short one can be seen all the same.
func (w waterfall) width(from, to time.Duration) float64 { return max(w.x(to)-w.x(from), 2) }

func (w waterfall) y(row int) int { return fallTop + row*fallRow }

// describe says in words what the picture shows.
func (w waterfall) describe() string {
	out := fmt.Sprintf("The turn took %s.", secondsWords(w.Whole))
	for _, c := range w.Calls {
		out += fmt.Sprintf(" %s began after %s and took %s", callName(c), secondsWords(c.Began), secondsWords(c.Total))
		if c.FirstToken > 0 {
			out += ", its first words came after " + secondsWords(c.FirstToken)
		}
		out += "."
	}
	return out
}
