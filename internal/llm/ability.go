package llm

import (
	"net/http"
	"strings"
	"sync/atomic"
)

// feature is a part of a request that not every server knows.
type feature uint32

// The features a request may use. What a server refuses once is not sent again.
const (
	schemaFormat   feature = 1 << iota // response_format json_schema
	objectFormat                       // response_format json_object
	streamUsage                        // stream_options
	shortMaxTokens                     // max_tokens, which newer models want as max_completion_tokens
	temperature
	dimensions
)

// featureNames are the words by which a refusal names a feature.
var featureNames = []struct {
	feature feature
	names   []string
}{
	{schemaFormat, []string{"response_format", "json_schema"}},
	{objectFormat, []string{"response_format", "json_object"}},
	{streamUsage, []string{"stream_options"}},
	{shortMaxTokens, []string{"max_tokens"}},
	{temperature, []string{"temperature"}},
	{dimensions, []string{"dimensions", "matryoshka"}},
}

// abilities remembers which features one server refused. The zero value trusts
// it with all. It is safe for concurrent use.
type abilities struct {
	refused atomic.Uint32
}

// allow reports whether f may be sent.
func (a *abilities) allow(f feature) bool { return a.refused.Load()&uint32(f) == 0 }

// refuse notes features that the server is known not to take.
func (a *abilities) refuse(f feature) { a.refused.Or(uint32(f)) }

// learn takes a refusal's status and text and reports whether it named a feature
// that was sent, which is then remembered.
func (a *abilities) learn(status int, text string, sent feature) bool {
	if status != http.StatusBadRequest && status != http.StatusNotFound && status != http.StatusUnprocessableEntity {
		return false
	}
	for _, f := range featureNames {
		if sent&f.feature == 0 {
			continue
		}
		for _, name := range f.names {
			if strings.Contains(text, name) {
				a.refuse(f.feature)
				return true
			}
		}
	}
	return false
}
