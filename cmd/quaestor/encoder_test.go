package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"quaestor/internal/embedding"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/secret"
)

func TestEncoderOfTheSettings(t *testing.T) {
	t.Setenv("QUAESTOR_RUNTIME_DIR", t.TempDir())
	there := llmtest.New(t).URL()

	for _, tt := range []struct {
		name string
		in   Settings
		want string // its name; empty for none
		bad  bool
	}{
		{"nothing is provisioned", Settings{}, "", false},
		{"a model", Settings{EmbeddingModel: "small", ModelURL: there, ModelKey: secret.New("k")}, "small/1536", false},
		{"a model elsewhere", Settings{EmbeddingModel: "small", EmbeddingURL: there, EmbeddingDimension: 512}, "small/512", false},
		{"too many numbers", Settings{EmbeddingModel: "small", ModelURL: "http://127.0.0.1:1/v1", EmbeddingDimension: 3000}, "", true},
		{"no address", Settings{EmbeddingModel: "small", EmbeddingURL: "nonsense"}, "", true},
	} {
		e, err := newEncoder(&tt.in)
		name := ""
		if e != nil {
			name = e.Name()
		}
		if name != tt.want || (err != nil) != tt.bad {
			t.Errorf("%s: encoder %q, %v; want %q", tt.name, name, err, tt.want)
		}
		if mark := checkEncoder(t.Context(), &tt.in).mark; (mark == "bad") != tt.bad || mark == "note" != (tt.in.EmbeddingModel == "") {
			t.Errorf("%s: the doctor says %s", tt.name, mark)
		}
	}
}

func TestServerStartsWithoutItsEncoder(t *testing.T) {
	t.Parallel()

	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	loadEncoder(newListener(embedding.NewLite(t.TempDir())), log)()
	if !strings.Contains(out.String(), "text encoder cannot be used") {
		t.Errorf("the log says %q of an encoder that is not there", out.String())
	}
	out.Reset()
	loadEncoder(newListener(nil), log)()
	if out.Len() > 0 {
		t.Errorf("the log says %q though no encoder is wanted", out.String())
	}
}
