package chattest

import (
	"sync"

	"quaestor/internal/listening"
)

// Listener is the listener of the tests. It has no encoder, so that they say the same on
// every machine.
var Listener = sync.OnceValue(func() *listening.Listener { return listening.New(nil) })
