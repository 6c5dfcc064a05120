package chat

import (
	"embed"
	"encoding/json"
	"strings"
	"text/template"

	"quaestor/internal/llm"
	"quaestor/obligations"
	"quaestor/sessions"
)

// PromptVersion names the wording of the prompts, for evaluations that compare
// runs. It rises with every change that alters what a model is told; each file
// says it in its first line.
const PromptVersion = 4

//go:embed prompts/*
var promptFiles embed.FS

var prompts = template.Must(template.New("").Funcs(template.FuncMap{"json": promptJSON, "hole": func() string { return mark }}).ParseFS(promptFiles, "prompts/*.tmpl"))

// The shapes of the model's reading of a message and of its summaries.
var (
	understandSchema = mustSchema("understanding", "prompts/understand.schema.json")
	summarySchema    = mustSchema("summary", "prompts/summary.schema.json")
)

func mustSchema(name, file string) llm.Schema {
	text, err := promptFiles.ReadFile(file)
	if err != nil {
		panic("chat: " + err.Error())
	}
	schema, err := llm.NewSchema(name, text)
	if err != nil {
		panic("chat: " + file + ": " + err.Error())
	}
	return schema
}

// promptLimits are the budgets of a prompt. The code keeps them and the templates
// name them from here, so that the two cannot differ.
type promptLimits struct {
	Messages     int // of the transcript
	Recent       int // of those, the latest: as long as MessageRunes
	MessageRunes int // of a recent one
	OlderRunes   int // of one before them
	SummaryRunes int
	Obligations  int
	Choices      int // of one obligation
	LabelRunes   int // of a choice, a question and other texts of the objective
	ValueRunes   int // of a value or a note
	Notes        int // of each kind in the memory
	Conflicts    int
	Sentences    int // of a reply before its question
	FileRunes    int // of all files of a turn together

	Findings    int // taken from an answer, with what follows
	Premises    int
	Wishes      int
	Proposals   int
	FollowUps   int
	Relations   int
	Preferences int

	StretchRunes     int // of the summary of a stretch, and what it is made of
	FoldMessages     int
	FoldMessageRunes int
}

var limits = promptLimits{
	Messages: 2 * (sessions.KeepTurns + sessions.FoldTurns), Recent: 16, MessageRunes: 600, OlderRunes: 160, SummaryRunes: sessions.SummaryRunes,
	Obligations: 40, Choices: 20, LabelRunes: 300, ValueRunes: 200, Notes: 8, Conflicts: 5, Sentences: 4, FileRunes: 24_000,
	Findings: maxFindings, Premises: 8, Wishes: 3, Proposals: 2, FollowUps: 5, Relations: 5, Preferences: 5,
	StretchRunes: sessions.StretchRunes, FoldMessages: 2 * sessions.FoldTurns, FoldMessageRunes: 400,
}

// promptJSON writes v on one line. It escapes <, > and &, so that no text in the
// data can look like the mark that ends it.
func promptJSON(v any) (string, error) {
	out, err := json.Marshal(v)
	return string(out), err
}

// render fills in a template. Only a fault of the template itself makes it fail,
// which the tests rule out.
func render(name string, data any) string { return strings.TrimSpace(rendered(name, data)) }

// rendered is render with the white space around the text.
func rendered(name string, data any) string {
	var b strings.Builder
	if err := prompts.ExecuteTemplate(&b, name, data); err != nil {
		panic("chat: prompt " + name + ": " + err.Error())
	}
	return b.String()
}

// The rules of reading a message are the same for every turn of a day: only the mark
// is filled in each time.
const todayMark = "\x00today"

var readingRules = render("understand.tmpl", map[string]any{"Limits": limits, "Today": todayMark})

// understandMessages asks what the message of s says about the listed
// obligations.
func understandMessages(s *Scene, listed []*obligations.Obligation) []llm.Message {
	b := newBriefing(s)
	b.list(s, listed)
	system := strings.Replace(readingRules, todayMark, s.Now.Format("Monday, 2 January 2006"), 1)
	if len(s.Files) > 0 {
		b.Files = passages(s, limits.FileRunes)
		system += "\n\n" + render("files.tmpl", nil)
	}
	return conversation(system, b.text(), saidOrStandIn(s))
}

// replyMessages asks for the reply to s that p plans; rules keep their words in w.
func replyMessages(w *wordings, s *Scene, p *Plan) []llm.Message {
	b := newBriefing(s)
	b.enter(s, p.Phase)
	b.Plan = newPlanBrief(s, p)
	return conversation(w.of(newReplyRules(s, p, b.Plan)), b.text(), saidOrStandIn(s))
}

// readAnswer says that the data was read.
var readAnswer = render("read", nil)

// conversation puts the parts of a prompt in their places: the rules alone have
// the system's voice, the data comes as a message of its own, and what the person
// says now is the last one, word for word. The short answer between the two keeps
// to servers that want the speakers to take turns.
func conversation(system, data, message string) []llm.Message {
	return []llm.Message{
		{Role: "system", Content: system},
		{Role: "user", Content: data},
		{Role: "assistant", Content: readAnswer},
		{Role: "user", Content: message},
	}
}

// saidOrStandIn is what the person says, or words for having said nothing.
func saidOrStandIn(s *Scene) string {
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

// clipped returns the first n runes of s, with … when there are more.
func clipped(s string, n int) string {
	at := 0
	for i := range s {
		if at == n {
			return s[:i] + "…"
		}
		at++
	}
	return s
}

// lastMessages returns the latest messages that are not folded into the summary,
// cut to their budget: the older ones shorter.
func lastMessages(s *Scene) []messageBrief {
	list := s.Transcript
	for len(list) > 0 && list[0].Turn <= s.Folded {
		list = list[1:]
	}
	list = list[max(0, len(list)-limits.Messages):]
	var out []messageBrief
	who := speakers(s)
	for i, m := range list {
		most := limits.MessageRunes
		if i < len(list)-limits.Recent {
			most = limits.OlderRunes
		}
		out = append(out, messageBrief{Turn: m.Turn, From: m.Role, By: who[m.User], Text: clipped(m.Content, most)})
	}
	return out
}
