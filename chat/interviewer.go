package chat

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/sessions/settings"
)

// Interviewer understands what a person said and words the reply. It decides nothing:
// what to ask, what changes and when the session ends is worked out by the rules in
// obligations and by [Decide]. chat/model implements it with a language model, chat/rules
// without one.
type Interviewer interface {
	// Name returns a name such as "rules" or "model gpt-4o", which is shown to people
	// and kept with each turn.
	Name() string

	// Understand reads the person's message in its scene. It is not called when the
	// person brings nothing at all. Its result is screened afterwards, see [Screen].
	Understand(ctx context.Context, s *Scene) (Understanding, error)

	// Reply words the answer that p plans and passes it to say piece by piece as it is
	// made. An error means that the reply is not whole: what was passed on must not be
	// kept as a complete message.
	Reply(ctx context.Context, s *Scene, p *Plan, say func(text string) error) (Usage, error)
}

// Converser is an interviewer that can understand and reply in one go: it acknowledges what
// the person says while it says what it understood.
type Converser interface {
	Interviewer

	// Converse words the acknowledgement of the message and passes it to say piece by piece,
	// as [Interviewer.Reply] does, and returns what the message means. p is the likely plan;
	// its question is not asked. The usage is set on error, too. An error that wraps
	// [ErrUnread] means that the words are whole and only the understanding is missing.
	Converse(ctx context.Context, s *Scene, p *Plan, say func(text string) error) (Understanding, error)
}

// ErrUnread is the error of [Converser.Converse] when what was understood cannot be read.
var ErrUnread = errors.New("what was understood cannot be read")

// Summarizer sums up stretches of a transcript. chat/model implements it; without one,
// summaries are extracts that the rules make, [sessions.SummaryInput.Words].
type Summarizer interface {
	// Name returns the name that is kept with each summary.
	Name() string

	// Summarize returns the stretch in a few sentences. The usage is set on error, too.
	Summarize(ctx context.Context, in sessions.SummaryInput) (string, Usage, error)
}

// Comparer tells how near texts are in meaning. chat/rules implements it, with the text
// encoder that it understands people by.
type Comparer interface {
	// Comparing returns the comparison, or nil when there is no text encoder. It fails to
	// 0 once ctx is over.
	Comparing(ctx context.Context) Similarity
}

// similarity returns how an interviewer compares texts; nil when it cannot.
func similarity(ctx context.Context, by Interviewer) Similarity {
	if c, ok := by.(Comparer); ok {
		return c.Comparing(ctx)
	}
	return nil
}

// Scene is all that a turn reads. It is loaded once and not changed afterwards.
type Scene struct {
	Scope        obligations.Scope
	Turn         int
	Attempt      int // of the turn, from 1; 0 outside of turns
	Now          time.Time
	Person       string        // id of the person who is talking
	Part         sessions.Role // theirs in the session; none for somebody who may speak in sessions of others
	Session      sessions.Session
	Objective    *objectives.Definition
	Obligations  []obligations.Obligation
	Transcript   []sessions.Message // the latest messages before this turn, oldest first
	Summary      string             // of what came before them; empty if nothing did
	Folded       int                // the last turn that Summary covers; 0 for none
	Memory       sessions.Memory
	Asked        *sessions.Question         // what the previous turn asked; nil if nothing
	Conflicts    []obligations.Conflict     // the open ones
	Research     research.History           // tasks that are over, and tasks in progress
	Sourceless   bool                       // no source for research is connected
	Unresearched bool                       // nothing is looked up unasked: no source is connected, or the organisation lets no research begin
	Data         research.DataAccess        // whether the person's own data may be asked; found out only when the message is about it
	Message      string                     // what the person says now; may be empty
	Answers      map[string]json.RawMessage // filled-in widgets, by obligation key
	Files        []sessions.File            // given with the message, including their texts
	Reviewer     bool                       // the person reviews sessions of others, and so may query warehouses and start runs
	Voice        bool                       // the reply will be spoken
	Bounds       objectives.Budget          // what the organisation sets beside the objective's budget
	Contact      string                     // whom the organisation names for people who ask for a human being; empty for nobody
	Spent        BudgetUse                  // used up so far, the pause before this turn included; zero where no budget needs it

	policy settings.StoredPolicy // what the organisation has set; Bounds is part of it
}

// budget returns what bounds the session: the tighter of its objective's budget and the
// organisation's.
func (s *Scene) budget() objectives.Budget { return s.Objective.Budget.Within(s.Bounds) }

// MessageID returns the id of the person's message in this turn.
func (s *Scene) MessageID() string { return sessions.MessageID(s.Turn, sessions.FromUser) }

// Intent is what the person wants with a message.
type Intent string

// The intents. A message of any intent may contain values.
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
	AskMeta     Intent = "meta"       // asks about the interview or the interviewer
	SmallTalk   Intent = "small_talk" // greetings, thanks, weather
	OffTopic    Intent = "off_topic"  // something else altogether
	Leave       Intent = "leave"      // wants to stop for now
	Finish      Intent = "finish"     // wants to be done with it
	Unclear     Intent = "unclear"    // cannot be read
	Attached    Intent = "attached"   // gives files and says nothing
	Opened      Intent = "opened"     // no message: the interviewer opens
)

// Understanding is what a message means.
type Understanding struct {
	Intent    Intent
	First     string                         // obligation key that the person wants to talk about now; empty for none
	About     string                         // obligation key the intent is about; empty means what was asked
	Findings  []obligations.Finding          // what it says about obligations
	Touched   []string                       // keys it seems to speak of, in a provisional understanding
	Refused   []InvalidAnswer                // answers that cannot be the value asked for
	Research  []ResearchRequest              // what the person wants looked up
	Steering  []ResearchSteering             // what they say about research in progress
	Figure    *FigureRemark                  // what they say of what their own data told; nil for nothing
	Proposals []obligations.EmergentQuestion // what they want to be asked that no obligation covers; the evidence is not checked yet
	Signals   sessions.Signals               // what is worth remembering
	Beside    []Remark                       // what else it says that is no answer, in order
	Usage     Usage
	Degraded  string // why the rules read it although a model is configured; empty otherwise
}

// Remark is a part of a message that tells nothing of what is to be known.
type Remark struct {
	Intent Intent // what the person wants with it
	Act    string // what it does, such as "question" or "feeling"
	About  string // of a question: what it wants to know, such as "reader"; empty where that is not sure
	Text   string

	Key     string // of a question what is noted: the obligation it is about; empty for everything
	Unknown bool   // of a question what is noted: it is about something that nothing noted speaks of
}

// InvalidAnswer is an answer that cannot be the value asked for, with advice.
type InvalidAnswer struct {
	Key    string
	Text   string // what the person gave
	Remedy string // one sentence on what would be right
}

// ResearchRequest is something the person wants looked up.
type ResearchRequest struct {
	Key   string // of the obligation it would answer; may be empty
	Query string
	Of    string // id of the task whose question of their own data is asked again; empty for none
}

// Usage counts what a model read and wrote in a turn.
type Usage struct {
	Calls            int `json:"calls,omitempty"`
	PromptTokens     int `json:"promptTokens,omitempty"`
	CompletionTokens int `json:"completionTokens,omitempty"`

	By string `json:"-"` // name of the interviewer whose words they are, where another model stepped in; empty for the one that was asked

	Repaired string     `json:"repaired,omitempty"` // rules of [LintQuestion] that the reply broke, separated by commas; the plan's question was asked instead
	Unsaid   int        `json:"unsaid,omitempty"`   // tokens, about, that the model wrote of its reply and nobody was shown
	Spent    *BudgetUse `json:"spent,omitempty"`    // used up by the session, this turn included; nil where no budget needs it
}

// Plan is what a turn does: what changes, what is asked, whether the session ends. Code
// decides it, and the interviewer words it.
type Plan struct {
	Understanding Understanding            // in a provisional plan without findings, and mostly without an intent
	Changes       []obligations.Change     // without the change that a question was asked
	List          []obligations.Obligation // the obligations with those changes
	Question      *sessions.Question       // what to ask; nil when there is nothing to ask
	Conflict      *obligations.Conflict    // to raise with that question; nil for none
	Phase         sessions.Phase           // after the changes
	PhaseBefore   sessions.Phase
	Completeness  obligations.Completeness
	Digression    bool                   // the question was asked before and does not count as asked again
	Returning     bool                   // the person comes back after a pause
	Left          int                    // questions left in the budget, when the person should know; else 0
	Followed      []string               // keys whose follow-ups the question settles
	Research      research.Agenda        // what will be looked up, and the requests that will not
	Steered       []SteeredTask          // tasks in progress that are told something
	News          []research.TaskSummary // tasks that are over and that the person has not heard of
	Ends          sessions.StopReason    // why this turn ends or pauses the session; empty when it goes on

	Course sessions.Course // what the turn does beside its question

	AcknowledgeOnly bool   // the reply acknowledges the message and asks nothing: what it asks is not decided
	Begun           bool   // the message is acknowledged already; the reply goes on with the rest
	Said            string // the words it was acknowledged with, for an interviewer that must not repeat them
	Care            bool   // the person tells of a feeling: one question about that may take the place of the plan's
}
