package review

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/ui"
)

// turnView is what [turnPage] shows: how one turn was answered.
type turnView struct {
	page
	Details  turnSummary
	Messages []sessions.Message        // of that turn
	Changed  []obligations.StoredEvent // what it changed, oldest first
	Events   []sessions.Event          // its entries in the session's log, in order
	Calls    []sessions.ModelCall      // calls of a model, as far as they are still kept
	Comments []sessions.Comment        // on that turn
	Refusal  formRefusal
}

// number is the number of the turn, from 1.
func (v turnView) number() int { return v.Details.Turn.Number }

// callsMissing explains why no call of a model is shown; empty when one is.
func (v turnView) callsMissing() string {
	switch {
	case len(v.Calls) > 0:
		return ""
	case v.Details.Usage.Calls > 0 || v.Details.Turn.Degraded != "":
		return "A model was asked in this turn. Its prompts and answers are not kept, or no longer kept."
	}
	return "No model was asked: the built-in rules read the message and worded the answer. What they went by is below."
}

// asked returns the question the turn asked, from the log; nil when it asked none.
func (v turnView) asked() *sessions.Question {
	for _, e := range v.Events {
		var q sessions.QuestionEvent
		if e.Kind == sessions.KindQuestion && json.Unmarshal(e.Data, &q) == nil {
			return &q.Question
		}
	}
	return nil
}

// gradedEvidence returns the evidence that a turn's event added and that was kept with its
// grade.
func gradedEvidence(e obligations.StoredEvent) []obligations.Evidence {
	return web.Where(e.Meta.Set.Evidence, func(ev obligations.Evidence) bool { return ev.Turn == e.Turn && ev.Grade != nil })
}

// purposeNames name what a model was asked for.
var purposeNames = map[string]string{"understand": "Understand the message", "reply": "Word the reply", "model": "Asked of the model"}

// callName names a call by its purpose, and by its attempt when it is not the first.
func callName(c sessions.ModelCall) string {
	name := cmp.Or(purposeNames[c.Purpose], c.Purpose)
	if c.Attempt > 1 {
		name += fmt.Sprintf(" (attempt %d)", c.Attempt)
	}
	return name
}

// failureWords word the classes of failed calls.
var failureWords = map[string]string{
	"timeout": "It took too long.", "truncated": "The answer broke off.", "not_json": "The answer was no answer of a model.", "empty": "The answer was empty.",
	"limited": "The provider took no more requests.", "refused": "The provider, or the model, refused.", "upstream": "The provider failed.",
	"broken": "The connection failed.", "too_large": "The answer was too long.", "bad_json": "The answer did not have the shape that was asked for.",
	"canceled": "It was stopped: the person ended the turn, or another answer was there first.", "bad_output": "The text could not be passed on.",
	sessions.Unreadable: "It was kept and can no longer be read.",
}

// callFailure words why a call failed, with its class; empty for a call that did not.
func callFailure(c sessions.ModelCall) string {
	if c.Failure == "" {
		return ""
	}
	return cmp.Or(failureWords[c.Failure], "It failed.") + " (" + c.Failure + ")"
}

// callFacts are what a call took.
func callFacts(c sessions.ModelCall) []ui.Fact {
	var out facts
	out.add("Model", ui.Visible(c.Model))
	out.add("Began", "after "+durationWords(c.Began))
	if c.FirstToken > 0 {
		out.add("First words", "after "+durationWords(c.FirstToken))
	}
	out.add("Took", durationWords(c.Total))
	out.add("Tokens", tokenWords(c.PromptTokens, c.CompletionTokens))
	if c.Money > 0 {
		out.add("Cost", moneyWords(c.Money))
	}
	if c.Tries > 1 {
		out.add("Requests", strconv.Itoa(c.Tries))
	}
	return out
}

// promptPart is a message of a prompt, as it is shown.
type promptPart struct{ Name, Text string }

// promptParts are the messages of a call's prompt, the rules first. The last message is the
// person's; those before it are the data of the interview, which the model acknowledges.
func promptParts(c sessions.ModelCall) []promptPart {
	var out []promptPart
	if c.Rules != "" {
		out = append(out, promptPart{"Rules", c.Rules})
	}
	for i, m := range c.Prompt {
		name := "Data of the interview"
		switch {
		case m.Role == "assistant":
			name = "Acknowledgement of the data"
		case i == len(c.Prompt)-1:
			name = "What the person said"
		}
		out = append(out, promptPart{name, m.Content})
	}
	return out
}

// lengthWords is the length of a text.
func lengthWords(s string) string { return ui.Count(utf8.RuneCountInString(s), "character") }

// eventKindNames name the entries of the log.
var eventKindNames = map[sessions.Kind]string{
	sessions.KindSession: "The turn began", sessions.KindMessage: "The reply", sessions.KindQuestion: "What is asked", sessions.KindObligation: "A value changed",
	sessions.KindNegotiation: "A dispute moved", sessions.KindConflict: "A conflict", sessions.KindCompleteness: "How far the interview is", sessions.KindPhase: "Another phase",
	sessions.KindResearch: "Research", sessions.KindMemory: "What is kept in mind", sessions.KindParticipant: "Somebody came or left", sessions.KindReopened: "The interview was reopened", sessions.KindHandover: "A wish for a human being",
	sessions.KindRecording: "Whether somebody may be recorded", sessions.KindSpeech: "How the interview sounds",
	sessions.KindError: "The turn failed",
	sessions.KindDone:  "The turn ended",
}

// entryName is the kind itself for one that has no name here.
func entryName(e sessions.Event) string { return cmp.Or(eventKindNames[e.Kind], string(e.Kind)) }

// indented returns JSON over several lines, and with the characters that it holds as
// escapes; what is not JSON stays as it is.
func indented(raw json.RawMessage) string {
	var x any
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if json.Unmarshal(raw, &x) != nil || enc.Encode(x) != nil {
		return string(raw)
	}
	return strings.TrimSpace(b.String())
}

// Size of the picture of a turn's calls, in its own units: its width, the left and right
// ends of the bars, the height of a call's row, and the space above the first.
const (
	waterfallWidth, waterfallLeft, waterfallRight = 640, 8, 632
	waterfallRow, waterfallTop                    = 44, 8
)

// waterfall is a turn's calls of a model on a common clock, as a picture shows them.
type waterfall struct {
	Calls []sessions.ModelCall
	Whole time.Duration // of the turn, or until the last call ended when that is later
}

// waterfall returns the calls on the clock of the turn. One that still runs, or was taken
// over, ends with its last call.
func (v turnView) waterfall() waterfall {
	w := waterfall{v.Calls, time.Millisecond} // x divides by it
	if t := v.Details.Turn; t.FinishedAt != nil {
		w.Whole = max(w.Whole, t.FinishedAt.Sub(t.StartedAt))
	}
	for _, c := range v.Calls {
		w.Whole = max(w.Whole, c.Began+c.Total)
	}
	return w
}

// height leaves room for the scale below the rows.
func (w waterfall) height() int { return waterfallTop + len(w.Calls)*waterfallRow + 24 }

// x is where a moment of the turn is across the picture. Moments outside of the turn are at
// its ends.
func (w waterfall) x(at time.Duration) float64 {
	return waterfallLeft + float64(min(max(at, 0), w.Whole))/float64(w.Whole)*(waterfallRight-waterfallLeft)
}

// width is the width of a stretch of time, at least 2 so that it can be seen.
func (w waterfall) width(from, to time.Duration) float64 { return max(w.x(to)-w.x(from), 2) }

// y is the top of a row, from 0.
func (w waterfall) y(row int) int { return waterfallTop + row*waterfallRow }

// describe tells in words what the picture shows, for people who cannot see it.
func (w waterfall) describe() string {
	out := fmt.Sprintf("The turn took %s.", durationWords(w.Whole))
	for _, c := range w.Calls {
		out += fmt.Sprintf(" %s began after %s and took %s", callName(c), durationWords(c.Began), durationWords(c.Total))
		if c.FirstToken > 0 {
			out += ", its first words came after " + durationWords(c.FirstToken)
		}
		out += "."
	}
	return out
}
