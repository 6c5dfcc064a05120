package llmtest

import (
	"encoding/json"
	"strings"
)

// whole answers in one JSON document.
func (o *output) whole() {
	if !o.opened() {
		return
	}
	o.w.Header().Set("Content-Type", "application/json")
	body := o.document()
	half := len(body) / 2
	switch o.reply.Fault {
	case CleanCloseMidStream, EarlyDone:
		_, _ = o.w.Write(body[:half])
	case ResetMidStream:
		_, _ = o.w.Write(body[:half])
		o.reset()
	case BadChunk:
		_, _ = o.w.Write(append([]byte("{]"), body...))
	case HugeLine:
		_, _ = o.w.Write([]byte(`{"choices":[{"message":{"content":"`))
		o.fill(hugeLineBytes)
		_, _ = o.w.Write([]byte(`"}}]}`))
	case StallMid:
		_, _ = o.w.Write(body[:half])
		o.flush()
		<-o.ctx.Done()
	case EndlessText:
		for o.ctx.Err() == nil {
			o.fill(64 << 10)
			o.flush()
		}
	case SlowDrip:
		o.drip(body)
	default:
		_, _ = o.w.Write(body)
	}
}

// document returns the body of a whole answer.
func (o *output) document() []byte {
	text := strings.Join(o.reply.pieces(), "")
	message := map[string]any{"role": "assistant", "content": text}
	finish := o.reply.finish()
	switch o.reply.Fault {
	case BadUTF8:
		message["content"] = text + invalidMark
	case Refusal:
		message["content"], message["refusal"] = nil, o.reply.errorText()
	case ToolCall:
		message["content"], finish = nil, "tool_calls"
	}
	choices := []any{map[string]any{"index": 0, "message": message, "finish_reason": finish}}
	if o.reply.Fault == EmptyChoices {
		choices = []any{}
	}
	doc := map[string]any{"id": "chatcmpl-0", "object": "chat.completion", "created": o.started.Unix(),
		"model": o.req.Model, "choices": choices}
	if u := o.reply.usage(o.req); u != nil {
		doc["usage"] = u
	}
	if o.reply.Fault == ErrorEvent {
		doc = o.errorEvent()
	}
	b, err := json.Marshal(doc)
	if err != nil {
		return []byte(err.Error())
	}
	return []byte(strings.Replace(string(b), invalidMark, invalidUTF8, 1))
}
