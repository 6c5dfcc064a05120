package web_test

import (
	"testing"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/telemetry"
	"quaestor/web"
)

// One person has as many streams as they may, and others have theirs.
func TestStreamsOfOnePersonAreBounded(t *testing.T) {
	t.Parallel()

	s := web.New(web.Options{Metrics: telemetry.NewMetrics("test")})
	ada := web.WithActor(t.Context(), auth.Actor{Tenant: "acme", User: "ada"})
	var closed []func()
	for {
		done, err := s.Streaming(ada)
		if err != nil {
			if !fault.Is(err, fault.Limited) {
				t.Errorf("the last is refused as %v", err)
			}
			break
		}
		if closed = append(closed, done); len(closed) > 5000 {
			t.Fatal("nothing bounds them")
		}
	}
	for _, other := range []auth.Actor{{Tenant: "acme", User: "ben"}, {Tenant: "other", User: "ada"}} {
		if _, err := s.Streaming(web.WithActor(t.Context(), other)); err != nil {
			t.Errorf("%v has none, and is refused one: %v", other, err)
		}
	}
	closed[0]()
	if _, err := s.Streaming(ada); err != nil {
		t.Errorf("one was closed, and another is refused: %v", err)
	}
}
