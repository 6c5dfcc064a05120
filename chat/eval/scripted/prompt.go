package scripted

import (
	"encoding/json"
	"regexp"
	"strings"
)

// prompt is what the script takes from a request.
type prompt struct {
	name     string // of the objective
	language string // in English
	message  string // the person's
	plan     plan
	known    []choiceList // the obligations that the message is read for
	oneCall  bool         // the answer meets the message and says what it means
	asked    string       // key that was asked last
}

type plan struct {
	Intent   string `json:"intent"`
	Greeting string `json:"greeting"`
	Ends     string `json:"ends"`
	Question *struct {
		Purpose  string            `json:"purpose"`
		Key      string            `json:"key"`
		Label    string            `json:"label"`
		Prompt   string            `json:"prompt"`
		Proposal any               `json:"proposal"`
		Values   []json.RawMessage `json:"values"`
	} `json:"question"`
}

// choiceList is an obligation with its choices.
type choiceList struct {
	Key     string `json:"key"`
	Widget  string `json:"widget"`
	Value   any    `json:"value"`
	Choices []struct {
		Value string `json:"value"`
		Label string `json:"label"`
	} `json:"choices"`
}

var block = regexp.MustCompile(`(?s)<data name="([^"]+)"[^>]*>\n(.*?)\n</data>`)

// readPrompt reads a request of chat/model.
func readPrompt(c completion) prompt {
	p := prompt{message: strings.TrimSpace(c.Messages[len(c.Messages)-1].Content), oneCall: strings.Contains(c.Messages[0].Content, "=====")}
	for _, m := range c.Messages {
		for _, b := range block.FindAllStringSubmatch(m.Content, -1) {
			p.take(b[1], b[2])
		}
	}
	return p
}

// take reads a block of data. What is no JSON of ours is left out.
func (p *prompt) take(name, body string) {
	switch name {
	case "interview":
		var i struct{ Name, Language string }
		_ = json.Unmarshal([]byte(body), &i)
		p.name, p.language = i.Name, i.Language
	case "plan":
		_ = json.Unmarshal([]byte(body), &p.plan)
	case "asked":
		var q struct{ Key string }
		_ = json.Unmarshal([]byte(body), &q)
		p.asked = q.Key
	case "obligations":
		for line := range strings.Lines(body) {
			var o choiceList
			if json.Unmarshal([]byte(line), &o) == nil {
				p.known = append(p.known, o)
			}
		}
	}
}
