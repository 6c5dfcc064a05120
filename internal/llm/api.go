package llm

import (
	"net/http"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"quaestor/internal/secret"
)

// longestRetryDelay is the longest wait between two attempts. A server that asks for
// a longer one with Retry-After is not asked again.
const longestRetryDelay = 2 * time.Second

// newAPI returns openai-go's client for one server. Its services are made one by
// one: openai.NewClient would take the address, the key, the organisation and
// headers from OPENAI_ variables of the environment, and here they come from
// [Options] only.
func newAPI(base string, key secret.Secret, client *http.Client) openai.Client {
	opts := []option.RequestOption{
		option.WithBaseURL(base),
		option.WithHTTPClient(client),
		option.WithHeader("User-Agent", "quaestor"),
		option.WithMaxRetryDelay(longestRetryDelay),
	}
	if !key.IsZero() {
		opts = append(opts, option.WithAPIKey(key.Reveal()))
	}
	return openai.Client{
		Options:    opts,
		Chat:       openai.NewChatService(opts...),
		Embeddings: openai.NewEmbeddingService(opts...),
		Audio:      openai.NewAudioService(opts...),
	}
}
