package llmtest

import (
	"encoding/json"
	"strings"
)

// invalidUTF8 takes the place of a mark inside a chunk that JSON cannot carry.
const (
	invalidMark = "@@invalid@@"
	invalidUTF8 = "\xff\xfe"
)

// delta is the new part of one streamed chunk.
type delta struct {
	Role      string `json:"role,omitempty"`
	Content   string `json:"content,omitempty"`
	Refusal   string `json:"refusal,omitempty"`
	ToolCalls []any  `json:"tool_calls,omitempty"`
}

// stream answers as server-sent events.
func (o *output) stream() {
	if !o.opened() {
		return
	}
	o.w.Header().Set("Content-Type", "text/event-stream")
	o.w.Header().Set("Cache-Control", "no-store")
	if o.whole200() {
		return
	}
	pieces := o.reply.pieces()
	if o.reply.Fault == BadUTF8 && len(pieces) > 0 {
		pieces = append([]string{pieces[0] + invalidMark}, pieces[1:]...)
	}
	half := (len(pieces) + 1) / 2
	for i, piece := range pieces {
		if i > 0 && !o.wait(o.reply.PieceDelay) {
			return
		}
		if i == half && o.broken(piece) {
			return
		}
		o.chunk(delta{Content: piece}, "", i)
	}
	if len(pieces) <= half && o.broken("") || !o.until(o.reply.Until) {
		return
	}
	o.ending()
}

// whole200 gives the answers that have no pieces and reports whether it did.
func (o *output) whole200() bool {
	switch o.reply.Fault {
	case EmptyChoices:
		o.event(map[string]any{"id": "chatcmpl-0", "object": "chat.completion.chunk", "choices": []any{}})
		o.line("[DONE]")
	case Refusal:
		o.chunk(delta{Role: "assistant", Refusal: o.reply.errorText()}, "", 0)
		o.ending()
	case ToolCall:
		call := map[string]any{"index": 0, "id": "call_1", "type": "function",
			"function": map[string]any{"name": "again", "arguments": "{}"}}
		o.chunk(delta{Role: "assistant", ToolCalls: []any{call}}, "", 0)
		o.chunk(delta{}, "tool_calls", 0)
		o.line("[DONE]")
	case EndlessText:
		for i := 0; o.ctx.Err() == nil && o.wait(o.reply.PieceDelay); i++ {
			o.chunk(delta{Content: strings.Repeat("and on ", 64)}, "", i)
		}
	default:
		return false
	}
	return true
}

// broken plays a fault that comes half-way, before piece, and reports whether
// the answer ends with it.
func (o *output) broken(piece string) bool {
	switch o.reply.Fault {
	case CleanCloseMidStream:
	case EarlyDone:
		o.line("[DONE]")
	case ResetMidStream:
		o.reset()
	case ErrorEvent:
		o.event(o.errorEvent())
	case BadChunk:
		o.line(`{"id":"chatcmpl-0","choices":[{"index":0,"delta":{"content":`)
	case HugeLine:
		_, _ = o.w.Write([]byte(`data: {"choices":[{"index":0,"delta":{"content":"`))
		o.fill(hugeLineBytes)
		_, _ = o.w.Write([]byte("\"}}]}\n\n"))
	case StallMid:
		<-o.ctx.Done()
	case DuplicateChunk:
		o.chunk(delta{Content: piece}, "", 1)
		return false
	default:
		return false
	}
	return true
}

// errorEvent is an error inside an answer.
func (o *output) errorEvent() map[string]any {
	return map[string]any{"error": map[string]any{"message": o.reply.errorText(), "type": "server_error"}}
}

// ending sends the finish reason, the usage and the closing mark.
func (o *output) ending() {
	o.chunk(delta{}, o.reply.finish(), 1)
	switch o.reply.Fault {
	case DuplicateChunk:
		o.chunk(delta{}, o.reply.finish(), 1)
	case StallAfterFinish:
		<-o.ctx.Done()
		return
	case ResetAfterFinish:
		o.reset()
		return
	}
	if u := o.reply.usage(o.req); u != nil && o.req.StreamUsage {
		o.event(map[string]any{"id": "chatcmpl-0", "object": "chat.completion.chunk", "choices": []any{}, "usage": u})
	}
	o.line("[DONE]")
}

// chunk sends one piece. A finish reason of "" is sent as null.
func (o *output) chunk(d delta, finish string, n int) {
	model := o.req.Model
	if o.reply.Fault == ChangedModel && n > 0 {
		model = "another-model"
	}
	choice := map[string]any{"index": 0, "delta": d, "finish_reason": nil}
	if finish != "" {
		choice["finish_reason"] = finish
	}
	o.event(map[string]any{"id": "chatcmpl-0", "object": "chat.completion.chunk", "created": o.started.Unix(), "model": model, "choices": []any{choice}})
}

// event sends v as one event.
func (o *output) event(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		return
	}
	o.line(string(b))
}

// line sends one event's data.
func (o *output) line(data string) {
	raw := []byte("data: " + strings.Replace(data, invalidMark, invalidUTF8, 1) + "\n\n")
	if o.reply.Fault == SlowDrip {
		o.drip(raw)
		return
	}
	_, _ = o.w.Write(raw)
	o.flush()
}
