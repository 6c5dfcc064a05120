package model

import (
	"context"
	"errors"
	"fmt"

	"quaestor/chat"
	"quaestor/internal/llm"
	"quaestor/sessions"
)

// summaryTokens bounds what the model may write for one summary. Models that reason
// first spend most of it on that.
const summaryTokens = 3000

// errEmptySummary is an answer in the right shape without a text.
var errEmptySummary = errors.New("the summary is empty")

var _ chat.Summarizer = (*Model)(nil)

// Summarize has the model sum up a stretch of a transcript. An error wraps an
// [*llm.Error] or reports that the summary is empty.
func (m *Model) Summarize(ctx context.Context, in sessions.SummaryInput) (string, chat.Usage, error) {
	temperature := 0.0
	request := llm.Request{Purpose: "summary", Messages: summaryMessages(in), MaxTokens: summaryTokens, Temperature: &temperature}
	var out struct {
		Summary string `json:"summary"`
	}
	answer, err := m.client.JSON(ctx, request, summarySchema, &out)
	if err == nil && out.Summary == "" {
		err = errEmptySummary
	}
	if err != nil {
		return "", usageOf(answer), fmt.Errorf("sum up turns %d to %d: %w", in.From, in.To, err)
	}
	return out.Summary, usageOf(answer), nil
}

// summaryData is a stretch as prompts/summary_data.tmpl shows it.
type summaryData struct {
	Limits     promptLimits
	From, To   int           // turns of the stretch
	Noted      string        // the summary that the rules extract
	Transcript []messageData // of a stretch of the transcript
	Parts      []partData    // of a stretch of summaries
}

// partData is a summary of a part of the stretch.
type partData struct {
	Turns string `json:"turns"`
	Text  string `json:"text"`
}

// summaryMessages returns the prompt that asks for a summary of in. A stretch has messages
// or, at higher levels, summaries of its parts.
func summaryMessages(in sessions.SummaryInput) []llm.Message {
	d := summaryData{Limits: limits, From: in.From, To: in.To, Noted: in.Words()}
	for _, m := range in.Messages[:min(len(in.Messages), limits.FoldMessages)] {
		d.Transcript = append(d.Transcript, messageData{Turn: m.Turn, From: m.Role, Text: chat.Clip(m.Content, limits.FoldMessageRunes)})
	}
	for _, p := range in.Parts {
		d.Parts = append(d.Parts, partData{fmt.Sprintf("%d to %d", p.From, p.To), p.Text})
	}
	return conversation(render("summary.tmpl", d), render("summary_data.tmpl", d), render("sum up", nil))
}
