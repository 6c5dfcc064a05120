package llmtest

import "encoding/json"

// Fault is one way for an answer to go wrong.
type Fault string

// The faults of the wire. "Mid" ones come after about half of the pieces.
const (
	CleanCloseMidStream Fault = "clean_close"  // ends in good order, without a finish reason
	EarlyDone           Fault = "early_done"   // says [DONE] without a finish reason
	HTML200             Fault = "html"         // status 200 and a web page
	EmptyChoices        Fault = "empty"        // well formed, with no choices
	ResetMidStream      Fault = "reset"        // the connection is reset
	ErrorEvent          Fault = "error_event"  // an error inside a 200 answer
	BadChunk            Fault = "bad_chunk"    // JSON that does not parse
	HugeLine            Fault = "huge_line"    // one line of 10 MB
	StallBeforeFirst    Fault = "stall_first"  // nothing, not even headers
	StallMid            Fault = "stall_mid"    // silence after the first pieces
	BadUTF8             Fault = "bad_utf8"     // bytes that are not UTF-8 inside the text
	SlowDrip            Fault = "slow_drip"    // one byte a packet
	EndlessText         Fault = "endless"      // text that never ends
	DuplicateChunk      Fault = "duplicate"    // one piece and the ending sent twice
	ChangedModel        Fault = "other_model"  // another model's name from the second piece on
	ToolCall            Fault = "tool_call"    // ends with tool_calls and no text
	Refusal             Fault = "refusal"      // the refusal field instead of content
	StallAfterFinish    Fault = "stall_finish" // silence after the finish reason
	ResetAfterFinish    Fault = "reset_finish" // reset after the finish reason
)

// The faults of the text: the wire is sound, what it says is not what was asked.
const (
	ThinkBlock Fault = "think"       // a <think> block, braces inside, before the text
	Prose      Fault = "prose"       // sentences, braces among them, around the text
	Fenced     Fault = "fenced"      // the text in a Markdown code fence
	TwoObjects Fault = "two_objects" // another JSON object after the text
	WrongKeys  Fault = "wrong_keys"  // JSON with every top-level key renamed
	WrongTypes Fault = "wrong_types" // JSON with every top-level value of another type
)

// distorted returns r with a fault of the text worked into what it says.
func (r Reply) distorted() Reply {
	text := r.body()
	switch r.Fault {
	case ThinkBlock:
		text = "<think>The person {probably} means {\"draft\": true}.</think>\n" + text
	case Prose:
		text = "Sure, here {as asked} it is:\n\n" + text + "\n\nTell me if {anything} is missing."
	case Fenced:
		text = "```json\n" + text + "\n```"
	case TwoObjects:
		text += "\n" + `{"done": true}`
	case WrongKeys:
		text = remade(text, func(key string, v any) (string, any) { return "x_" + key, v })
	case WrongTypes:
		text = remade(text, func(key string, v any) (string, any) { return key, otherType(v) })
	default:
		return r
	}
	r.Text, r.JSON, r.Pieces = text, nil, nil
	return r
}

// remade returns the JSON object text with each top-level member changed.
func remade(text string, change func(string, any) (string, any)) string {
	var in map[string]any
	if json.Unmarshal([]byte(text), &in) != nil {
		return text
	}
	out := make(map[string]any, len(in))
	for k, v := range in {
		k, v = change(k, v)
		out[k] = v
	}
	b, err := json.Marshal(out)
	if err != nil {
		return text
	}
	return string(b)
}

// otherType returns a value whose JSON type differs from v's.
func otherType(v any) any {
	if _, ok := v.(string); ok {
		return map[string]any{"value": v}
	}
	return "not what was asked"
}
