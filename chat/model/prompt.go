package model

import (
	"embed"
	"encoding/json"
	"strings"
	"text/template"

	"quaestor/chat"
	"quaestor/internal/llm"
	"quaestor/obligations"
	"quaestor/sessions"
)

// PromptVersion names the wording of the prompts, so that evaluations can tell
// which wording they compare. It rises with every change to what a model is told.
// Each file in prompts states it on its first line.
const PromptVersion = 7

//go:embed prompts/*
var promptFiles embed.FS

// prompts are the templates. They are embedded and tested, so that a fault in them stops the
// program at its start.
var prompts = template.Must(template.New("").Funcs(template.FuncMap{"json": promptJSON}).ParseFS(promptFiles, "prompts/*.tmpl"))

// The JSON Schemas that the model's answers must satisfy.
var (
	understandSchema = mustSchema("understanding", "prompts/understand.schema.json")
	summarySchema    = mustSchema("summary", "prompts/summary.schema.json")
)

// mustSchema returns the JSON Schema in a file. It panics when that is invalid.
func mustSchema(name, file string) llm.Schema {
	text, err := promptFiles.ReadFile(file)
	if err != nil {
		panic("chat/model: " + err.Error())
	}
	schema, err := llm.NewSchema(name, text)
	if err != nil {
		panic("chat/model: " + file + ": " + err.Error())
	}
	return schema
}

// promptLimits bounds what a prompt shows and what is taken from an answer. The
// templates name the limits from here, so that prompt and code cannot differ.
type promptLimits struct {
	Messages     int // shown of the transcript
	Recent       int // of those, the latest, which are shown up to MessageRunes
	MessageRunes int // shown of a recent message
	OlderRunes   int // shown of an older one
	SummaryRunes int
	Obligations  int
	Choices      int // of one obligation
	LabelRunes   int // of a choice, a question and other texts of the objective
	ValueRunes   int // of a value or a note
	Notes        int // of each kind in the memory
	Conflicts    int
	Sentences    int // of a reply before its question
	FileRunes    int // of all files of a turn together

	Findings    int // taken from one answer, like all that follow
	Premises    int
	Requests    int
	Proposals   int
	FollowUps   int
	Relations   int
	Preferences int

	StretchRunes     int // of one summary
	FoldMessages     int // shown to the model that writes it
	FoldMessageRunes int
}

// limits keeps both prompts of a turn below 96 KiB beside the person's message, which
// TestPromptsAreBounded checks. English text of that size has some 25,000 tokens, which
// fits a window of 32,000. Within it the numbers are judgement: the latest 16 messages are
// enough to resolve "that one" and "as I said", and 40 obligations are nearly twice what a
// shipped objective asks.
var limits = promptLimits{
	Messages: 2 * (sessions.KeepTurns + sessions.FoldTurns), Recent: 16, MessageRunes: 600, OlderRunes: 160, SummaryRunes: sessions.SummaryRunes,
	Obligations: 40, Choices: 20, LabelRunes: 300, ValueRunes: 200, Notes: 8, Conflicts: 5, Sentences: 4, FileRunes: 24_000,
	Findings: chat.MaxFindings, Premises: 8, Requests: 3, Proposals: 2, FollowUps: 5, Relations: 5, Preferences: 5,
	StretchRunes: sessions.StretchRunes, FoldMessages: 2 * sessions.FoldTurns, FoldMessageRunes: 400,
}

// promptJSON writes v on one line. It escapes <, > and &, so that no text in the
// data can imitate the tag that ends the data.
func promptJSON(v any) (string, error) {
	out, err := json.Marshal(v)
	return string(out), err
}

// render executes a template and trims the white space around its text. It panics
// when the template itself is wrong, which the tests rule out.
func render(name string, data any) string {
	var b strings.Builder
	if err := prompts.ExecuteTemplate(&b, name, data); err != nil {
		panic("chat/model: prompt " + name + ": " + err.Error())
	}
	return strings.TrimSpace(b.String())
}

// understandMessages returns the prompt that asks what the message of s means for
// the listed obligations.
func understandMessages(s *chat.Scene, listed []*obligations.Obligation) []llm.Message {
	d := newPromptData(s, s.Session.Phase)
	d.addObligations(listed, len(s.Obligations))
	system := render("understand.tmpl", map[string]any{"Limits": limits, "Today": today(s)})
	if len(s.Files) > 0 {
		d.Files = passages(s, limits.FileRunes)
		system += "\n\n" + render("files.tmpl", nil)
	}
	return conversation(system, render("data.tmpl", d), messageOrStandIn(s))
}

// replyRules is what prompts/reply.tmpl and converse.tmpl choose their instructions by.
type replyRules struct {
	Limits    promptLimits
	Language  string // that the interview is held in, in English
	Asked     bool   // that language was asked for
	Intent    string
	Plan      *planData
	Voice     bool
	Manner    chat.ConversationStyle // how the person wants to be talked to
	Returning bool
	Said      string // what has been said of the reply
	Care      bool   // the person tells of a feeling
	Hurry     bool   // the person says that they have little time

	AcknowledgeOnly bool // the question is not decided

	Mark  string // of converse.tmpl: the line after which the reading comes
	Today string // of converse.tmpl
}

// replyMessages returns the prompt that asks for the reply to s which p plans.
func replyMessages(s *chat.Scene, p *chat.Plan) []llm.Message {
	d, rules := replyData(s, p)
	return conversation(render("reply.tmpl", rules), render("data.tmpl", d), messageOrStandIn(s))
}

// converseMessages returns the prompt that asks for the acknowledgement of the message of s
// and for what it means for the listed obligations.
func converseMessages(s *chat.Scene, p *chat.Plan, listed []*obligations.Obligation) []llm.Message {
	d, rules := replyData(s, p)
	d.addObligations(listed, len(s.Obligations))
	rules.AcknowledgeOnly, rules.Mark, rules.Today = true, readingMark, today(s)
	return conversation(render("converse.tmpl", rules), render("data.tmpl", d), messageOrStandIn(s))
}

// replyData returns the data of a reply and what its instructions are chosen by.
func replyData(s *chat.Scene, p *chat.Plan) (*promptData, replyRules) {
	d := newPromptData(s, p.Phase)
	d.Plan, d.Said = newPlanData(s, p), chat.Clip(p.Said, limits.MessageRunes)
	return d, replyRules{Limits: limits, Language: d.Interview.Language, Asked: s.Session.LanguageSource == sessions.LanguageAsked, Intent: string(p.Understanding.Intent),
		Plan: d.Plan, Voice: s.Voice, Manner: chat.StyleOf(s.Memory.Note(p.Understanding.Signals)), Returning: p.Returning,
		Said: p.Said, Care: p.Care, Hurry: p.Understanding.Signals.Course.Hurry > 0, AcknowledgeOnly: p.AcknowledgeOnly}
}

// today words the date of a turn for a model.
func today(s *chat.Scene) string { return s.Now.Format("Monday, 2 January 2006") }

// conversation arranges the parts of a prompt. Only our rules speak as the system;
// the data comes as a message of its own, and what the person says now is the last
// message, word for word. The short answer between the two is for servers that
// insist on alternating speakers.
func conversation(system, data, message string) []llm.Message {
	return []llm.Message{
		{Role: "system", Content: system},
		{Role: "user", Content: data},
		{Role: "assistant", Content: render("read", nil)},
		{Role: "user", Content: message},
	}
}

// messageOrStandIn returns the person's message, or a sentence that describes what
// they did instead of typing one.
func messageOrStandIn(s *chat.Scene) string {
	switch {
	case s.Message != "":
		return s.Message
	case len(s.Files) > 0:
		return render("gave files", nil)
	case len(s.Answers) > 0:
		return render("filled in", nil)
	}
	return render("opened", nil)
}
