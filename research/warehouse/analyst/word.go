package analyst

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"quaestor/internal/llm"
	"quaestor/research/warehouse/insight"
	"quaestor/research/warehouse/tokens"
)

// maxWords is how many tokens the answer with the wordings of one area has at most.
const maxWords = 2_500

//go:embed prompts/words.md
var wordsPrompt string

// wordsSchema is the form of the answer.
var wordsSchema = mustSchema("wordings", `{"type": "object", "additionalProperties": false, "required": ["wordings"], "properties": {"wordings": {"type": "array", "maxItems": 12, "items": {
	"type": "object", "additionalProperties": false, "required": ["id", "headline", "text"], "properties": {"id": {"type": "string"}, "headline": {"type": "string"}, "text": {"type": "string"}}}}}}`)

// mustSchema compiles a schema of the program. A mistake in one is a mistake in the program.
func mustSchema(name, schema string) llm.Schema {
	s, err := llm.NewSchema(name, []byte(schema))
	if err != nil {
		panic("analyst: " + err.Error())
	}
	return s
}

// wordable is an insight as the model is told of it.
type wordable struct {
	ID       string              `json:"id"`
	Headline string              `json:"headline"`
	Text     string              `json:"text"`
	Segment  []insight.Condition `json:"segment,omitempty"`
	Figures  []wordableFigure    `json:"figures"`
}

type wordableFigure struct {
	Placeholder string `json:"placeholder"`
	Name        string `json:"name"`
	Value       string `json:"value"`
}

// Room is how many tokens the results of steps may take in the prompt for one area: half of it, which
// leaves the other half for the insights and what is told of earlier runs.
func (m *Model) Room() int { return m.limit() / 2 }

// Word asks the model to say the insights of an area in better words, by their ids. What it says
// is a proposal, which [insight.Insight.Reword] takes or refuses. What does not fit into the window is
// left out: first the results of steps, then what is told of earlier runs. An area whose insights
// alone do not fit is left as it is.
func (m *Model) Word(ctx context.Context, t insight.WordingTask) (insight.Worded, error) {
	messages, size, err := m.wording(&t)
	if err != nil || messages == nil {
		return insight.Worded{}, err
	}
	out := insight.Worded{Wordings: map[string]insight.Wording{}, Results: utf8.RuneCountInString(t.Results), Memory: utf8.RuneCountInString(t.Memory), Prompt: messages[len(messages)-1].Content}
	steady := 0.0
	var answer struct {
		Wordings []struct {
			ID string `json:"id"`
			insight.Wording
		} `json:"wordings"`
	}
	reply, err := m.Client.JSON(ctx, llm.Request{Purpose: "word", Messages: messages, MaxTokens: maxWords, Temperature: &steady}, wordsSchema, &answer)
	out.Spent, out.Reply = spent(&reply, size), reply.Text
	if err != nil {
		return out, fmt.Errorf("word the insights of area %s: %w", t.Area.ID, err)
	}
	for _, w := range answer.Wordings {
		out.Wordings[w.ID] = w.Wording
	}
	return out, nil
}

// wording returns the prompt for a task and its tokens, after it has taken out of the task what does
// not fit. It is nil if the insights alone do not.
func (m *Model) wording(t *insight.WordingTask) ([]llm.Message, int, error) {
	var told []wordable
	for _, i := range t.Insights {
		w := wordable{ID: i.ID, Headline: i.Headline, Text: i.Text, Segment: i.Segment}
		for _, f := range i.Figures {
			w.Figures = append(w.Figures, wordableFigure{"{{" + f.ID + "}}", f.Name, f.String()})
		}
		told = append(told, w)
	}
	for _, leaveOut := range []*string{nil, &t.Results, &t.Memory} {
		if leaveOut != nil {
			*leaveOut = ""
		}
		all := map[string]any{"area": t.Area.Name, "about": t.Area.Description, "language": t.Language, "insights": told}
		if t.Results != "" {
			all["results"] = json.RawMessage(t.Results)
		}
		if t.Memory != "" {
			all["earlier"] = t.Memory
		}
		data, err := json.Marshal(all)
		if err != nil {
			return nil, 0, fmt.Errorf("encode the insights of area %s: %w", t.Area.ID, err)
		}
		messages := []llm.Message{{Role: "system", Content: wordsPrompt}, {Role: "user", Content: "<insights>\n" + string(data) + "\n</insights>"}}
		if size := tokens.Count(wordsPrompt) + tokens.Count(messages[1].Content); size <= m.limit() {
			return messages, size, nil
		}
	}
	return nil, 0, nil
}
