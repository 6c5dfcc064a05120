package chat

import (
	"context"
	"encoding/json"
	"time"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/sessions/settings"
)

// Interviewer understands what a person said and words the reply. It decides
// nothing: what to ask, what changes and when the session ends is worked out by
// the rules in obligations and by [Decide]. There are two: one with a model, one
// with rules only.
type Interviewer interface {
	// Name is shown to people and kept with each turn, such as "rules" or
	// "model gpt-4o".
	Name() string

	// Understand reads the person's message in its scene. It is not called for
	// the opening turn, which has no message. The evidence it returns is checked
	// against the transcript afterwards.
	Understand(ctx context.Context, s *Scene) (Understanding, error)

	// Reply words the turn's answer as the plan says and passes it on piece by
	// piece as it is made. An error means the reply is not whole: what was passed
	// on must not be kept as a complete message. The plan may be left without its
	// list, see recall.
	Reply(ctx context.Context, s *Scene, p *Plan, say func(text string) error) (Usage, error)
}

// Scene is all a turn reads. It is loaded once and never changed.
type Scene struct {
	Scope       obligations.Scope
	Turn        int
	Attempt     int // of the turn, from 1; 0 for a scene that is no turn's
	Now         time.Time
	Person      string        // who is talking
	Part        sessions.Role // theirs in the session; none for one who speaks in sessions of others
	Session     sessions.Session
	Objective   *objectives.Definition
	Obligations []obligations.Obligation
	Transcript  []sessions.Message // the latest messages before this turn, oldest first
	Summary     string             // of what came before them; empty if nothing did
	Folded      int                // last turn that Summary covers; 0 for none
	Memory      sessions.Memory
	Asked       *sessions.Question         // what the previous turn asked; nil if nothing
	Conflicts   []obligations.Conflict     // those still open
	Research    research.History           // what was looked up so far, and what is being looked up
	Sourceless  bool                       // nothing is connected that something could be looked up in
	Message     string                     // what the person says now; empty when the interviewer opens
	Answers     map[string]json.RawMessage // filled-in widgets, by obligation key
	Files       []sessions.File            // given with the message, with their texts
	Voice       bool                       // the reply will be spoken
	Bounds      objectives.Budget          // what the organisation sets beside the objective's budget
	Spent       BudgetUse                  // what the session has used up, this turn's pause included; zero where no budget asks

	policy settings.Saved // what the organisation has set; Bounds come of it

	told *told // for both prompts of the turn; nil in scenes that were not loaded
}

// budget is what bounds the session: the tighter of what its objective and the
// organisation say.
func (s *Scene) budget() objectives.Budget { return s.Objective.Budget.Within(s.Bounds) }

// MessageID is the id of the message the person says now.
func (s *Scene) MessageID() string { return sessions.MessageID(s.Turn, sessions.FromUser) }

// Intent is what the person wants with a message.
type Intent string

// The intents. A message may carry values whatever its intent.
const (
	Answer      Intent = "answer"     // gives information
	Agree       Intent = "agree"      // "yes", "that's right"
	Disagree    Intent = "disagree"   // "no", "that's wrong", without the right value
	Correction  Intent = "correction" // "no, actually …", with the right value
	SkipThis    Intent = "skip"       // does not apply, or will not say
	Later       Intent = "later"      // wants to come back to it
	DontKnow    Intent = "dont_know"  // cannot say
	AskWhy      Intent = "why"        // "why do you ask?"
	AskHelp     Intent = "help"       // "what do you mean?", "for example?"
	AskRepeat   Intent = "repeat"     // "say that again"
	AskResearch Intent = "research"   // "can you look that up?"
	AskProgress Intent = "progress"   // "how far are we?"
	AskMemory   Intent = "memory"     // "what do you know about me?"
	SmallTalk   Intent = "small_talk" // greetings, thanks, weather
	OffTopic    Intent = "off_topic"  // something else altogether
	Leave       Intent = "leave"      // wants to stop for now
	Finish      Intent = "finish"     // wants to be done with it
	Unclear     Intent = "unclear"    // cannot be read
	Attached    Intent = "attached"   // gives files, and says nothing beside that
	Opened      Intent = "opened"     // no message: the interviewer opens
)

// Understanding is what a message says.
type Understanding struct {
	Intent    Intent
	About     string                         // obligation key the intent is about; empty means what was asked
	Findings  []obligations.Finding          // what it says about obligations
	Touched   []string                       // keys it seems to speak of, while it is not understood yet
	Refused   []Refusal                      // answers that cannot be taken as they are
	Research  []ResearchRequest              // what the person wants looked up
	Steering  []ResearchSteering             // what they say of research under way
	Proposals []obligations.EmergentQuestion // what the person wants to be asked that no obligation covers; the evidence is not checked yet
	Signals   sessions.Signals               // what is worth remembering
	Usage     Usage
	Degraded  string // why the rules read it though a model is configured; empty otherwise
}

// Refusal is an answer that cannot be the value asked for, with what would be.
type Refusal struct {
	Key    string
	Text   string // what the person gave
	Remedy string // one sentence: what would be right
}

// ResearchRequest is something the person wants looked up.
type ResearchRequest struct {
	Key   string // obligation it would answer; may be empty
	Query string
}

// Usage counts what a model was given and gave.
type Usage struct {
	Calls            int `json:"calls,omitempty"`
	PromptTokens     int `json:"promptTokens,omitempty"`
	CompletionTokens int `json:"completionTokens,omitempty"`

	Repaired string     `json:"repaired,omitempty"` // rules of [LintQuestion] that the reply's question broke, so that the plan's was asked; comma between
	Spent    *BudgetUse `json:"spent,omitempty"`    // what the session has used up by this turn; nil where no budget asks
}

// Plan is what the reply must do. Code decides it; the interviewer words it.
type Plan struct {
	Understanding Understanding            // without findings, and mostly without an intent, while the head start ran out before it was there
	Changes       []obligations.Change     // what this turn is about to change, the asking left out
	List          []obligations.Obligation // the obligations with those changes; nil while a model words the plan, see recall
	Question      *sessions.Question       // what to ask; nil when there is nothing to ask
	Conflict      *obligations.Conflict    // to raise with that question; nil for none
	Phase         sessions.Phase           // after the changes
	PhaseBefore   sessions.Phase
	Completeness  obligations.Completeness
	Digression    bool                   // the question is the one asked before, which a digression left open
	Returning     bool                   // the person comes back after having left
	Left          int                    // questions left, to be told the person; 0 when that need not be said
	Followed      []string               // keys whose follow-ups the question settles
	Research      research.Agenda        // what is going to be looked up, and the requests that are not
	Steered       []SteeredTask          // research under way that is told something
	News          []research.TaskSummary // research that is over, to be told the person
	Ends          sessions.StopReason    // stop reason when this turn ends or pauses the session; empty when it goes on
}
