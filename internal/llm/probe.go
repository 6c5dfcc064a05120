package llm

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"strings"

	"quaestor/internal/language"
)

// Format is a way of asking for JSON.
type Format string

// The formats, the strictest first.
const (
	SchemaFormat Format = "json_schema" // the server enforces a schema
	ObjectFormat Format = "json_object" // the server enforces JSON, the prompt names the schema
	TextFormat   Format = "text"        // the prompt alone asks for JSON
)

// beyond returns the features that a server of format f does not take.
func (f Format) beyond() feature {
	switch f {
	case ObjectFormat:
		return schemaFormat
	case TextFormat:
		return schemaFormat | objectFormat
	case SchemaFormat:
	}
	return 0
}

// Capabilities are what [Client.Probe] found out about a model and its server.
type Capabilities struct {
	Format  Format   // by which it answers in JSON; empty when it does not at all
	Usage   bool     // the server counts tokens, of streams too
	Context int      // tokens of a prompt and its answer; 0 when the server does not tell
	Offered []string // names of models that the server lists, at most 20; empty when it lists none
}

// Bounds of a probe. Models that reason first spend most tokens on that.
const (
	probeTokens    = 2000
	maxOffered     = 20
	maxOfferedName = 100 // characters
)

// probeSchema is of an answer that nobody would give to the probe's question unasked, so
// that a server which takes a schema and does nothing with it is found out.
var probeSchema = must(NewSchema("probe", []byte(`{"type":"object","properties":{"colour":{"type":"string"}},"required":["colour"],"additionalProperties":false}`)))

func must(s Schema, err error) Schema {
	if err != nil {
		panic(err)
	}
	return s
}

// Probe finds out what the model and its server can do, with the list of models and two or
// more short questions, which cost what they cost. The error is an [*Error] that tells why the
// model cannot be used; what was found out before it is returned too. An error of class
// [BadJSON] means that it talks, and answers in JSON in no way. Only the first model of a
// chain is probed. What the client learns it keeps, so a client that is not in use yet is
// probed.
func (c *Client) Probe(ctx context.Context) (Capabilities, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.total, errTotal)
	defer cancel()
	var out Capabilities
	list, fail := c.list(ctx)
	if fail != nil && !excusable(fail) {
		return out, fail
	}
	out.read(list, c.model)
	streamed, err := c.streamOne(ctx, probeRequest(), func(string) error { return nil })
	if err != nil {
		return out, err
	}
	whole, fail := c.probeJSON(ctx, &out)
	if fail != nil {
		return out, fail
	}
	out.Usage = !streamed.Usage.Estimated && !whole.Usage.Estimated
	return out, nil
}

func probeRequest() Request {
	return Request{Purpose: "probe", Messages: []Message{{Role: "user", Content: "Which colour has a clear sky at noon? Answer with one word."}}, MaxTokens: probeTokens}
}

// probeJSON goes down the formats until an answer satisfies the schema.
func (c *Client) probeJSON(ctx context.Context, out *Capabilities) (Reply, *Error) {
	for {
		var read struct{}
		reply, fail := c.askJSON(ctx, probeRequest(), probeSchema)
		format := c.format()
		if fail == nil && probeSchema.decode(&reply, &read) == nil {
			out.Format = format
			return reply, nil
		}
		if fail != nil && !misunderstood(fail) {
			return reply, fail
		}
		switch format {
		case SchemaFormat:
			c.refused.refuse(schemaFormat)
		case ObjectFormat:
			c.refused.refuse(objectFormat)
		case TextFormat:
			if fail == nil {
				fail = &Error{Class: BadJSON, Reason: "schema"}
			}
			return reply, fail
		}
	}
}

// format returns the highest that the server has not refused.
func (c *Client) format() Format {
	switch {
	case c.refused.allow(schemaFormat):
		return SchemaFormat
	case c.refused.allow(objectFormat):
		return ObjectFormat
	}
	return TextFormat
}

// misunderstood reports whether a request may have failed because of its format alone,
// although the refusal did not say so.
func misunderstood(e *Error) bool {
	switch e.Status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError, http.StatusNotImplemented:
		return true
	}
	return e.Class == Empty || e.Class == Truncated
}

// read takes from a list of models what it tells about the one called name. Servers name
// the size of the context differently, and many do not tell it.
func (p *Capabilities) read(list []byte, name string) {
	var doc struct {
		Data []map[string]any `json:"data"`
	}
	if json.Unmarshal(list, &doc) != nil {
		return
	}
	for _, entry := range doc.Data {
		id, _ := entry["id"].(string)
		if id = strings.TrimSpace(id); id == "" {
			continue
		}
		if len(p.Offered) < maxOffered {
			p.Offered = append(p.Offered, language.Head(id, maxOfferedName))
		}
		if id == name {
			p.Context = contextOf(entry)
		}
	}
}

// contextNames are the fields of a model's entry that tell the size of its context: of
// OpenRouter and Together, vLLM, Groq, Mistral and LM Studio, Anthropic; in meta llama.cpp's.
var contextNames = []string{"context_length", "max_model_len", "context_window", "max_context_length", "max_input_tokens", "n_ctx", "n_ctx_train"}

// contextOf returns the size of a context that an entry tells, in tokens; 0 for none.
func contextOf(entry map[string]any) int {
	for _, name := range contextNames {
		if n, ok := entry[name].(float64); ok && n >= 1 && n <= math.MaxInt32 {
			return int(n)
		}
	}
	if meta, ok := entry["meta"].(map[string]any); ok {
		return contextOf(meta)
	}
	return 0
}
