package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Marker in a system message says that the request wants JSON although it names
// no response_format, as happens with servers that know none.
const Marker = "JSON schema"

// maxRequestBytes bounds one request body.
const maxRequestBytes = 64 << 20

// Message is one message of a request, its parts joined to one text.
type Message struct {
	Role    string
	Content string
}

// Request is what a client asked, as recorded.
type Request struct {
	Number         int    // 1 for the first request; 0 after [Server.Forget]
	Path           string // such as "/v1/chat/completions"
	Model          string
	Messages       []Message // empty for embeddings
	Stream         bool
	StreamUsage    bool            // whether a stream was asked to end with its usage
	ResponseFormat string          // "json_schema", "json_object" or ""
	SchemaName     string          // of a json_schema
	Schema         json.RawMessage // of a json_schema
	MaxTokens      int             // from max_tokens or max_completion_tokens; 0 if neither
	Temperature    *float64
	Input          []string    // texts to embed
	Dimensions     int         // of an embedding; 0 if not asked
	Header         http.Header // without Authorization
	HasKey         bool        // whether an Authorization header was there
	Body           []byte      // as received
}

// Structured reports whether the request wants JSON: it names a response_format
// or carries [Marker] in a system message.
func (r Request) Structured() bool {
	return r.ResponseFormat != "" || strings.Contains(r.System(), Marker)
}

// System returns the system and developer messages, joined by line feeds.
func (r Request) System() string {
	var parts []string
	for _, m := range r.Messages {
		if m.Role == "system" || m.Role == "developer" {
			parts = append(parts, m.Content)
		}
	}
	return strings.Join(parts, "\n")
}

// LastUser returns the newest user message, or "".
func (r Request) LastUser() string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == "user" {
			return r.Messages[i].Content
		}
	}
	return ""
}

// requestBody is the wire form of both kinds of request.
type requestBody struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Stream        bool `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	ResponseFormat struct {
		Type       string `json:"type"`
		JSONSchema struct {
			Name   string          `json:"name"`
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	MaxTokens           int             `json:"max_tokens"`
	MaxCompletionTokens int             `json:"max_completion_tokens"`
	Temperature         *float64        `json:"temperature"`
	Input               json.RawMessage `json:"input"`
	Dimensions          int             `json:"dimensions"`
}

// readRequest reads r as a server of the API would.
func readRequest(r *http.Request) (Request, error) {
	raw, err := io.ReadAll(io.LimitReader(r.Body, maxRequestBytes))
	if err != nil {
		return Request{}, fmt.Errorf("read body: %w", err)
	}
	var b requestBody
	if err := json.Unmarshal(raw, &b); err != nil {
		return Request{}, fmt.Errorf("read body as JSON: %w", err)
	}
	header := r.Header.Clone()
	header.Del("Authorization")
	req := Request{
		Path: r.URL.Path, Model: b.Model, Stream: b.Stream, StreamUsage: b.StreamOptions.IncludeUsage,
		ResponseFormat: b.ResponseFormat.Type, SchemaName: b.ResponseFormat.JSONSchema.Name,
		Schema: b.ResponseFormat.JSONSchema.Schema, MaxTokens: max(b.MaxTokens, b.MaxCompletionTokens),
		Temperature: b.Temperature, Input: texts(b.Input), Dimensions: b.Dimensions,
		Header: header, HasKey: r.Header.Get("Authorization") != "", Body: raw,
	}
	for _, m := range b.Messages {
		req.Messages = append(req.Messages, Message{Role: m.Role, Content: strings.Join(texts(m.Content), "")})
	}
	return req, nil
}

// texts reads a string, a list of strings or a list of text parts.
func texts(raw json.RawMessage) []string {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}
	}
	var many []string
	if json.Unmarshal(raw, &many) == nil {
		return many
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(raw, &parts)
	for _, p := range parts {
		many = append(many, p.Text)
	}
	return many
}
