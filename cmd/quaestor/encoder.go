package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"quaestor/chat/rules"
	"quaestor/internal/embedding"
	"quaestor/internal/listening"
	"quaestor/internal/llm"
	"quaestor/internal/postgres/cluster"
)

// encoderDir returns the folder where provisioning puts the weights of the text
// encoder.
func encoderDir() string { return filepath.Join(cluster.SharedDir(), "encoder") }

// newEncoder returns the text encoder: the model that the settings name, else the one
// that was provisioned, whose weights are read at first use or by [loadEncoder]. It is
// nil when there is neither; search then goes by words.
func newEncoder(s *Settings) (embedding.Encoder, error) {
	if s.EmbeddingModel != "" {
		return remoteEncoder(s)
	}
	if _, err := os.Stat(encoderDir()); err != nil {
		return nil, nil
	}
	return embedding.NewLite(encoderDir()), nil
}

// newListener returns what understands people: with the encoder in this process, where
// there is one, else by the words alone.
func newListener(e embedding.Encoder) *listening.Listener {
	lite, _ := e.(*embedding.Lite)
	return listening.New(lite)
}

// newRules returns the interviewer without a model for a command that has no encoder yet.
func newRules(s *Settings) (*rules.Interviewer, error) {
	e, err := newEncoder(s)
	if err != nil {
		return nil, err
	}
	return rules.New(newListener(e)), nil
}

// loadEncoder loads the weights of the listener's encoder while the server starts,
// so that no search waits for them and the memory they take shows at once. wait
// returns when that is over. A failure is only logged: search then goes by words, and
// the next encoding tries again.
func loadEncoder(l *listening.Listener, log *slog.Logger) (wait func()) {
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := l.Load(context.Background()); err != nil {
			log.Warn("text encoder cannot be used", "err", err)
		}
	})
	return wg.Wait
}

// remoteEncoder returns the encoder behind an API.
func remoteEncoder(s *Settings) (embedding.Encoder, error) {
	client, err := encoderClient(s)
	if err != nil {
		return nil, err
	}
	remote, err := embedding.NewRemote(client, s.EmbeddingDimension)
	if err != nil {
		return nil, fmt.Errorf("text encoder: %w", err)
	}
	return remote, nil
}

// encoderClient returns a client of the API that encodes texts.
func encoderClient(s *Settings) (*llm.Client, error) {
	key := s.EmbeddingKey
	if key.IsZero() && s.EmbeddingURL == "" { // without an address of its own it is at the interviewer's, and its key fits
		key = s.ModelKey
	}
	client, err := llm.New(llm.Options{BaseURL: cmp.Or(s.EmbeddingURL, s.ModelURL), Key: key, Model: s.EmbeddingModel})
	if err != nil {
		return nil, fmt.Errorf("text encoder: %w", err)
	}
	return client, nil
}

// checkEncoder reports the text encoder to the doctor.
func checkEncoder(ctx context.Context, s *Settings) finding {
	if s.EmbeddingModel != "" {
		return checkRemoteEncoder(ctx, s)
	}
	if err := embedding.Check(encoderDir()); err != nil {
		return finding{"note", "text encoder: " + words(err) + "; search goes by words", "make provision, or set QUAESTOR_EMBEDDING_MODEL"}
	}
	return finding{"ok", "text encoder: " + embedding.LiteName + " in " + encoderDir(), ""}
}

// checkRemoteEncoder asks the API that encodes texts whether it is there and accepts
// the key. Trouble is only a warning: without it search goes by words.
func checkRemoteEncoder(ctx context.Context, s *Settings) finding {
	client, err := encoderClient(s)
	if err == nil {
		_, err = embedding.NewRemote(client, s.EmbeddingDimension)
	}
	if err != nil {
		return finding{"bad", words(err), ""}
	}
	at := "text encoder: model " + s.EmbeddingModel + " at " + shownValue(cmp.Or(s.EmbeddingURL, s.ModelURL))
	if err := askModel(ctx, client); err != nil {
		return finding{"warn", at + " " + modelTrouble(err) + "; search goes by words meanwhile", modelRemedy("QUAESTOR_EMBEDDING_MODEL", "QUAESTOR_EMBEDDING_URL", "QUAESTOR_EMBEDDING_KEY")(err)}
	}
	return finding{"ok", at + " answers", ""}
}
