package llm

import (
	"slices"
	"time"

	"github.com/openai/openai-go/v3"
)

// Message is one message of a conversation.
type Message struct {
	Role    string `json:"role"` // "system", "user" or "assistant"
	Content string `json:"content"`
}

// Request is one question to the model.
type Request struct {
	Purpose     string // a short fixed word for metrics, such as "reply"; not sent
	Messages    []Message
	MaxTokens   int      // of the answer; zero leaves it to the server
	Temperature *float64 // nil leaves it to the server
}

// Usage counts tokens.
type Usage struct {
	PromptTokens     int
	CachedTokens     int // of PromptTokens: those the server had from before, which cost less; 0 when it does not say
	CompletionTokens int
	Estimated        bool // counted from bytes because the server did not say
}

// Reply is a model's answer.
type Reply struct {
	Text         string
	Model        string // the name of the one that answered, or failed last
	Usage        Usage
	FinishReason string // "stop", or "length" when MaxTokens cut the text
	Attempts     int
	FirstToken   time.Duration // from the call to the first text; for an answer that is not streamed, to its end
	Total        time.Duration
}

// streamParams is r as a request for a stream. openai-go adds that it is one.
func (x *exchange) streamParams(r Request) openai.ChatCompletionNewParams {
	params := x.chatParams(r.Messages, r)
	if x.client.refused.allow(streamUsage) {
		x.sent |= streamUsage
		params.StreamOptions.IncludeUsage = openai.Bool(true)
	}
	return params
}

// jsonParams is r as a request for JSON, on the highest rung the server has not
// refused: a strict schema, any JSON object, or instructions in words alone.
func (x *exchange) jsonParams(r Request, s Schema) openai.ChatCompletionNewParams {
	if x.client.refused.allow(schemaFormat) {
		params := x.chatParams(r.Messages, r)
		x.sent |= schemaFormat
		params.ResponseFormat.OfJSONSchema = &openai.ResponseFormatJSONSchemaParam{
			JSONSchema: openai.ResponseFormatJSONSchemaJSONSchemaParam{Name: s.name, Strict: openai.Bool(s.strict), Schema: s.raw},
		}
		return params
	}
	params := x.chatParams(instructed(r.Messages, s.instruction()), r)
	if x.client.refused.allow(objectFormat) {
		x.sent |= objectFormat
		params.ResponseFormat.OfJSONObject = &openai.ResponseFormatJSONObjectParam{Type: "json_object"}
	}
	return params
}

// chatParams is what both kinds of chat request have in common, and notes the
// features it uses.
func (x *exchange) chatParams(messages []Message, r Request) openai.ChatCompletionNewParams {
	params := openai.ChatCompletionNewParams{Model: x.client.model, Messages: chatMessages(messages)}
	x.sent = 0
	if most := x.client.most; most > 0 && (r.MaxTokens <= 0 || r.MaxTokens > most) {
		r.MaxTokens = most
	}
	switch {
	case r.MaxTokens <= 0:
	case !x.client.official && x.client.refused.allow(shortMaxTokens):
		x.sent |= shortMaxTokens
		params.SetExtraFields(map[string]any{"max_tokens": r.MaxTokens}) // deprecated by OpenAI, and all that many other servers know
	default:
		params.MaxCompletionTokens = openai.Int(int64(r.MaxTokens))
	}
	if r.Temperature != nil && x.client.refused.allow(temperature) {
		x.sent |= temperature
		params.Temperature = openai.Float(*r.Temperature)
	}
	return params
}

// chatMessages returns list as openai-go takes it.
func chatMessages(list []Message) []openai.ChatCompletionMessageParamUnion {
	out := make([]openai.ChatCompletionMessageParamUnion, len(list))
	for i, m := range list {
		switch m.Role {
		case "system":
			out[i] = openai.SystemMessage(m.Content)
		case "assistant":
			out[i] = openai.AssistantMessage(m.Content)
		default:
			out[i] = openai.UserMessage(m.Content)
		}
	}
	return out
}

// instructed returns messages with text added to the first system message, or
// put before all if there is none.
func instructed(messages []Message, text string) []Message {
	i := slices.IndexFunc(messages, func(m Message) bool { return m.Role == "system" })
	if i < 0 {
		return slices.Insert(slices.Clone(messages), 0, Message{Role: "system", Content: text})
	}
	out := slices.Clone(messages)
	out[i].Content += "\n\n" + text
	return out
}

// usageOf reads the server's count; what is negative or absurd is 0.
func usageOf(u openai.CompletionUsage) Usage {
	count := func(n int64) int {
		if n < 0 || n > 1e9 {
			return 0
		}
		return int(n)
	}
	return Usage{
		PromptTokens:     count(u.PromptTokens),
		CachedTokens:     count(u.PromptTokensDetails.CachedTokens),
		CompletionTokens: count(u.CompletionTokens),
	}
}

// estimate counts usage at 3.1 bytes a token, as measured on mixed text.
func estimate(messages []Message, answer string) Usage {
	var prompt int
	for _, m := range messages {
		prompt += len(m.Content)
	}
	return Usage{PromptTokens: tokensOf(prompt), CompletionTokens: tokensOf(len(answer)), Estimated: true}
}

// tokensOf returns about how many tokens n bytes of text are.
func tokensOf(n int) int { return (n*10 + 30) / 31 }

// plus adds two counts.
func (u Usage) plus(v Usage) Usage {
	return Usage{
		PromptTokens:     u.PromptTokens + v.PromptTokens,
		CachedTokens:     u.CachedTokens + v.CachedTokens,
		CompletionTokens: u.CompletionTokens + v.CompletionTokens,
		Estimated:        u.Estimated || v.Estimated,
	}
}
