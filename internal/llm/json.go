package llm

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/kaptinlin/jsonrepair"
	"github.com/openai/openai-go/v3"

	"quaestor/internal/language"
)

const (
	maxRepairBytes   = 48 << 10 // of one answer's pieces: the repair takes quadratic time on hostile text, 0.4 s for this much
	maxRepairOpeners = 10_000   // braces and brackets in a piece: the repair calls itself for each level
	maxQuotedBytes   = 16 << 10 // of a bad answer that the repair prompt repeats
)

// JSON asks for one JSON object that satisfies s and decodes it into out, a
// pointer, with encoding/json. The server is asked to enforce the schema; if it
// refuses, for any JSON object; if it refuses that too, the schema goes into the
// prompt. Text around the object is passed over and small faults are repaired.
// When no object satisfies s, the model is told every fault and asked once more,
// within the same Options.Total. If that fails too the error is an [*Error] of
// class [BadJSON] and out may be partly filled.
//
// Reply.Text is the object decoded, or, on failure, what the model said. Usage
// and Attempts count both rounds. After a model that fails comes the next of a chain.
func (c *Client) JSON(ctx context.Context, r Request, s Schema, out any) (Reply, error) {
	return c.ask(ctx, r.Purpose, func(m *Client) (Reply, error) { return m.jsonOne(ctx, r, s, out) }, func(Reply) bool { return true })
}

// jsonOne is JSON with the first model alone.
func (c *Client) jsonOne(ctx context.Context, r Request, s Schema, out any) (Reply, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.total, errTotal)
	defer cancel()
	began := time.Now()
	reply, fail := c.askTwice(ctx, r, s, out)
	reply.FirstToken = time.Since(began)
	err := c.finish(r.Purpose, began, &reply, fail)
	return reply, err
}

// askTwice asks, and asks again for a repair when the answer does not do.
func (c *Client) askTwice(ctx context.Context, r Request, s Schema, out any) (Reply, *Error) {
	reply, fail := c.askJSON(ctx, r, s)
	if fail != nil {
		return reply, fail
	}
	problems := s.decode(&reply, out)
	if problems == nil {
		return reply, nil
	}
	first := reply
	r.Messages = append(slices.Clone(r.Messages),
		Message{Role: "assistant", Content: language.HeadBytes(first.Text, maxQuotedBytes)},
		Message{Role: "user", Content: prompt("repair.tmpl", map[string]any{"Problems": problems})})
	reply, fail = c.askJSON(ctx, r, s)
	reply.Usage = reply.Usage.plus(first.Usage)
	reply.Attempts += first.Attempts
	if fail == nil && s.decode(&reply, out) != nil {
		fail = &Error{Class: BadJSON, Reason: "schema"}
	}
	if fail != nil {
		fail.Attempts = reply.Attempts
	}
	return reply, fail
}

// askJSON is one round: a whole answer, with retries.
func (c *Client) askJSON(ctx context.Context, r Request, s Schema) (Reply, *Error) {
	var reply Reply
	fail := c.call(ctx, &reply, func(x *exchange, into *Reply) (fail *Error) {
		*into, fail = x.complete(r, s)
		return fail
	})
	return reply, fail
}

// complete is one attempt of a round.
func (x *exchange) complete(r Request, s Schema) (Reply, *Error) {
	res, err := x.client.api.Chat.Completions.New(x.watch.ctx, x.jsonParams(r, s), x.options()...)
	if fail := x.failure(err); fail != nil {
		return Reply{}, fail
	}
	return readCompletion(res, r)
}

// readCompletion reads a whole answer. With a failure comes no text.
func readCompletion(res *openai.ChatCompletion, r Request) (Reply, *Error) {
	if len(res.Choices) == 0 {
		if raw := res.JSON.ExtraFields["error"].Raw(); raw != "" && raw != "null" {
			return Reply{}, &Error{Class: Broken, Reason: errEvent.Error()}
		}
		return Reply{}, &Error{Class: Empty}
	}
	choice := res.Choices[0]
	reply := Reply{Text: choice.Message.Content, FinishReason: choice.FinishReason, Usage: usageOf(res.Usage)}
	if res.Usage.TotalTokens == 0 && reply.Usage.PromptTokens == 0 {
		reply.Usage = estimate(r.Messages, reply.Text)
	}
	if reply.FinishReason == "" {
		return Reply{}, &Error{Class: Truncated, Reason: "no finish reason"}
	}
	if fail := judgeFinish(reply.FinishReason, reply.Text, choice.Message.Refusal != ""); fail != nil {
		return Reply{Usage: reply.Usage}, fail
	}
	return reply, nil
}

// decode finds the object in reply that satisfies s, puts it into out and in the
// place of reply's text, and returns no problems; else what is wrong.
func (s Schema) decode(reply *Reply, out any) []string {
	doc, problems := s.pick(reply.Text, reply.FinishReason == "length")
	if problems != nil {
		return problems
	}
	if err := json.Unmarshal(doc, out); err != nil {
		return []string{"the JSON object has values of the wrong type or range"}
	}
	reply.Text = string(doc)
	return nil
}

// pick returns the first object in text that satisfies s: as it stands, then
// repaired, then from inside one that does not end. When the text was cut at a
// token limit, an object without an end is not repaired: its last value may be half
// of what was meant.
func (s Schema) pick(text string, cut bool) (json.RawMessage, []string) {
	found := pieces(text)
	var problems []string
	try := func(doc string) bool {
		why := s.problems([]byte(doc))
		if problems == nil {
			problems = why
		}
		return why == nil
	}
	if doc, ok := firstSound(found, false, try); ok {
		return doc, nil
	}
	if doc, ok := firstRepaired(found, cut, try); ok {
		return doc, nil
	}
	if doc, ok := firstSound(found, true, try); ok {
		return doc, nil
	}
	return nil, worded(problems, cut)
}

// firstSound returns the first closed piece that is JSON and passes try.
func firstSound(found []piece, nested bool, try func(string) bool) (json.RawMessage, bool) {
	for _, p := range found {
		if p.closed && p.nested == nested && json.Valid([]byte(p.text)) && try(p.text) {
			return json.RawMessage(p.text), true
		}
	}
	return nil, false
}

// firstRepaired returns the first piece that passes try once it is repaired.
func firstRepaired(found []piece, cut bool, try func(string) bool) (json.RawMessage, bool) {
	left := maxRepairBytes
	for _, p := range found {
		if p.nested || !p.closed && cut || len(p.text) > left {
			continue
		}
		left -= len(p.text)
		if doc, ok := repaired(p.text); ok && try(doc) {
			return json.RawMessage(doc), true
		}
	}
	return nil, false
}

// worded adds to the schema's problems what a schema cannot see.
func worded(problems []string, cut bool) []string {
	if cut {
		problems = append(problems, "the answer was cut off at the token limit; be briefer")
	}
	if len(problems) == 0 {
		problems = []string{"there is no JSON object in it"}
	}
	return problems
}

// repaired returns text as sound JSON, if it can be. The library is given only what
// it can take, and a panic in it counts as a text it cannot repair.
func repaired(text string) (doc string, ok bool) {
	if strings.Count(text, "{")+strings.Count(text, "[") > maxRepairOpeners {
		return "", false
	}
	defer func() {
		if recover() != nil {
			doc, ok = "", false
		}
	}()
	doc, err := jsonrepair.Repair(text)
	return doc, err == nil && json.Valid([]byte(doc))
}
