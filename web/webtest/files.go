package webtest

import (
	"context"
	"testing"

	"quaestor/research"
	"quaestor/research/reader"
	"quaestor/sessions"
	"quaestor/web/talk"
)

// reading returns what reads files in these tests: all but PDFs, which take a
// process of their own.
func reading(t testing.TB) talk.ReadFile {
	t.Helper()
	r, err := reader.New(reader.Options{InProcess: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return func(ctx context.Context, name, mediaType string, body []byte) (sessions.File, error) {
		return research.ReadAttachment(ctx, r, name, mediaType, body)
	}
}

func (w *World) FilesPath(session string) string { return "/api/v1/sessions/" + session + "/files" }
