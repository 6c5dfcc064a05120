package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"quaestor/internal/embedding"
	"quaestor/internal/llm"
	"quaestor/internal/postgres/cluster"
)

// encoderDir is where provisioning puts the weights of the text encoder.
func encoderDir() string { return filepath.Join(cluster.SharedDir(), "encoder") }

// newEncoder returns the text encoder of the settings: the model named there,
// else the one that was provisioned, which is read when it is first used, or by
// [warm]. It is nil when there is neither: search goes by words then.
func newEncoder(s *Settings) (embedding.Encoder, error) {
	if s.EmbeddingModel != "" {
		return remoteEncoder(s)
	}
	if _, err := os.Stat(encoderDir()); err != nil {
		return nil, nil
	}
	return embedding.NewLite(encoderDir()), nil
}

// warm has the encoder read its weights while the server starts, so that it is ready
// with all the memory they take, and no search waits for them. wait returns when that
// is over. A failure is logged and costs nothing else: search goes by words, and
// whoever encodes next tries again.
func warm(e embedding.Encoder, log *slog.Logger) (wait func()) {
	lite, ok := e.(*embedding.Lite)
	if !ok {
		return func() {}
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := lite.Load(context.Background()); err != nil {
			log.Warn("text encoder cannot be used", "err", err)
		}
	})
	return wg.Wait
}

func remoteEncoder(s *Settings) (embedding.Encoder, error) {
	client, err := newEncoderClient(s)
	if err != nil {
		return nil, err
	}
	remote, err := embedding.NewRemote(client, s.EmbeddingDimension)
	if err != nil {
		return nil, fmt.Errorf("text encoder: %w", err)
	}
	return remote, nil
}

// newEncoderClient returns a client of the model that encodes texts.
func newEncoderClient(s *Settings) (*llm.Client, error) {
	key := s.EmbeddingKey
	if key.IsZero() && s.EmbeddingURL == "" { // it is the interviewer's server
		key = s.ModelKey
	}
	client, err := llm.New(llm.Options{BaseURL: cmp.Or(s.EmbeddingURL, s.ModelURL), Key: key, Model: s.EmbeddingModel})
	if err != nil {
		return nil, fmt.Errorf("text encoder: %w", err)
	}
	return client, nil
}

// checkEncoder asks the server of the model that encodes texts, if there is one.
func checkEncoder(ctx context.Context, s *Settings) finding {
	if s.EmbeddingModel != "" {
		return checkRemoteEncoder(ctx, s)
	}
	if err := embedding.Check(encoderDir()); err != nil {
		return finding{"note", "text encoder: " + words(err) + "; search goes by words", "make provision, or set QUAESTOR_EMBEDDING_MODEL"}
	}
	return finding{"ok", "text encoder: " + embedding.LiteName + " in " + encoderDir(), ""}
}

func checkRemoteEncoder(ctx context.Context, s *Settings) finding {
	if _, err := remoteEncoder(s); err != nil {
		return finding{"bad", words(err), ""}
	}
	client, err := newEncoderClient(s)
	if err != nil {
		return finding{"bad", words(err), ""}
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, modelLimit)
	defer cancel()
	at := "text encoder: model " + s.EmbeddingModel + " at " + shownValue(cmp.Or(s.EmbeddingURL, s.ModelURL))
	if err := client.Check(ctx); err != nil {
		return finding{"bad", at + " " + modelTrouble(err) + "; search goes by words in its place", modelRemedy("QUAESTOR_EMBEDDING_MODEL", "QUAESTOR_EMBEDDING_URL", "QUAESTOR_EMBEDDING_KEY")(err)}
	}
	return finding{"ok", at + " answers", ""}
}
