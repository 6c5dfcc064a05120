package llm

import (
	"encoding/json"
	"errors"
)

// errBadChunk says that a piece of a stream is not the JSON it should be.
var errBadChunk = errors.New("bad chunk")

// chunk is what one event of a stream says, as far as it matters here.
type chunk struct {
	content []byte // the text as it stands in the event, quotes included; nil if none
	plain   bool   // content needs no unescaping
	finish  string // finish reason, "" if none yet
	chosen  bool   // there is a choice
	usage   Usage
	total   int  // tokens in all, by the server's own sum
	counted bool // usage was there
	refusal bool // the model declined
	failed  bool // the event is an error
}

// readChunk decodes one event's data. It reads the first choice's delta.content,
// delta.refusal and finish_reason, the usage and whether there is an error, and
// passes over the rest without keeping it; all of data must be sound JSON. The
// result points into data.
func readChunk(data []byte) (chunk, error) {
	var ch chunk
	c := cursor{b: data}
	c.space()
	for more := c.open('{', '}'); more; more = c.next('}') {
		switch key := c.key(); string(key) {
		case "choices":
			ch.readChoices(&c)
		case "usage":
			ch.readUsage(&c)
		case "error":
			ch.failed = !c.null()
			if ch.failed {
				c.skip(0)
			}
		default:
			c.skip(0)
		}
	}
	c.space()
	if c.bad || c.i != len(data) {
		return chunk{}, errBadChunk
	}
	return ch, nil
}

// readChoices reads the first choice and skips the others.
func (ch *chunk) readChoices(c *cursor) {
	if c.null() {
		return
	}
	first := true
	for more := c.open('[', ']'); more; more = c.next(']') {
		if first {
			ch.chosen = true
			ch.readChoice(c)
			first = false
			continue
		}
		c.skip(0)
	}
}

// readChoice reads one choice. A finish reason comes with the last piece or after
// it, depending on the server.
func (ch *chunk) readChoice(c *cursor) {
	for more := c.open('{', '}'); more; more = c.next('}') {
		switch key := c.key(); string(key) {
		case "delta":
			ch.readDelta(c)
		case "message": // of an answer that comes whole
			ch.readDelta(c)
		case "finish_reason":
			if !c.null() {
				raw, _ := c.text()
				ch.finish = finishReason(raw)
			}
		default:
			c.skip(0)
		}
	}
}

// readDelta reads what a choice adds. Reasoning that some servers send beside the
// content is passed over.
func (ch *chunk) readDelta(c *cursor) {
	if c.null() {
		return
	}
	for more := c.open('{', '}'); more; more = c.next('}') {
		switch key := c.key(); string(key) {
		case "content":
			if !c.null() {
				ch.content, ch.plain = c.text()
			}
		case "refusal":
			if !c.null() {
				raw, _ := c.text()
				ch.refusal = len(raw) > len(`""`)
			}
		default:
			c.skip(0)
		}
	}
}

// readUsage reads the token counts. Some servers send them once at the end, some
// with each piece; the last ones stand.
func (ch *chunk) readUsage(c *cursor) {
	if c.null() {
		return
	}
	for more := c.open('{', '}'); more; more = c.next('}') {
		switch key := c.key(); string(key) {
		case "prompt_tokens":
			ch.usage.PromptTokens = c.count()
			ch.counted = true
		case "completion_tokens":
			ch.usage.CompletionTokens = c.count()
			ch.counted = true
		case "total_tokens":
			ch.total = c.count()
		case "prompt_tokens_details":
			ch.readDetails(c)
		default:
			c.skip(0)
		}
	}
}

// readDetails reads how many tokens of the prompt the server had from before. What
// is no object says nothing about that.
func (ch *chunk) readDetails(c *cursor) {
	if c.peek() != '{' {
		c.skip(0)
		return
	}
	for more := c.open('{', '}'); more; more = c.next('}') {
		switch key := c.key(); string(key) {
		case "cached_tokens":
			if b := c.peek(); b != '-' && (b < '0' || b > '9') {
				c.skip(0)
				continue
			}
			ch.usage.CachedTokens = c.count()
		default:
			c.skip(0)
		}
	}
}

// unquoted returns the text of a JSON string, quotes included, with bad UTF-8
// replaced.
func unquoted(raw []byte) (string, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", errBadChunk
	}
	return s, nil
}

// finishReason returns the reason in raw, a JSON string. The usual ones are
// constants, so that the end of a stream costs no memory either.
func finishReason(raw []byte) string {
	if len(raw) < len(`""`) {
		return ""
	}
	switch reason := raw[1 : len(raw)-1]; string(reason) {
	case "stop":
		return "stop"
	case "length":
		return "length"
	default:
		return string(reason)
	}
}
