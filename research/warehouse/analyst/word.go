package analyst

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"quaestor/internal/llm"
	"quaestor/research/warehouse"
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

// Word asks the model to say the insights of an area in better words, by their ids. What it says
// is a proposal, which [insight.Insight.Reword] takes or refuses. An area whose insights do not
// fit into the window is left as it is.
func (m *Model) Word(ctx context.Context, a warehouse.Area, list []insight.Insight, language string) (map[string]insight.Wording, warehouse.TokenUsage, error) {
	var told []wordable
	for _, i := range list {
		w := wordable{ID: i.ID, Headline: i.Headline, Text: i.Text, Segment: i.Segment}
		for _, f := range i.Figures {
			w.Figures = append(w.Figures, wordableFigure{"{{" + f.ID + "}}", f.Name, f.String()})
		}
		told = append(told, w)
	}
	data, err := json.Marshal(map[string]any{"area": a.Name, "about": a.Description, "language": language, "insights": told})
	if err != nil {
		return nil, warehouse.TokenUsage{}, fmt.Errorf("encode the insights of area %s: %w", a.ID, err)
	}
	messages := []llm.Message{{Role: "system", Content: wordsPrompt}, {Role: "user", Content: "<insights>\n" + string(data) + "\n</insights>"}}
	size := tokens.Count(wordsPrompt) + tokens.Count(messages[1].Content)
	if size > m.limit() {
		return nil, warehouse.TokenUsage{}, nil
	}
	steady := 0.0
	var answer struct {
		Wordings []struct {
			ID string `json:"id"`
			insight.Wording
		} `json:"wordings"`
	}
	reply, err := m.Client.JSON(ctx, llm.Request{Purpose: "word", Messages: messages, MaxTokens: maxWords, Temperature: &steady}, wordsSchema, &answer)
	cost := spent(&reply, size)
	if err != nil {
		return nil, cost, fmt.Errorf("word the insights of area %s: %w", a.ID, err)
	}
	out := map[string]insight.Wording{}
	for _, w := range answer.Wordings {
		out[w.ID] = w.Wording
	}
	return out, cost, nil
}
