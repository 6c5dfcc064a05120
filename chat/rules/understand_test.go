package rules

import (
	"context"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
)

func understand(t testing.TB, s *chat.Scene) chat.Understanding {
	t.Helper()
	u, err := New(chattest.Listener()).Understand(context.Background(), s)
	if err != nil {
		t.Fatalf("Understand(%q) fails: %v", s.Message, err)
	}
	chattest.CheckSound(t, s, u)
	return u
}
