package rules

import (
	"sync"

	"quaestor/internal/listening"
)

// hearing is the listener of the tests. It has no encoder, so that they say the same on
// every machine.
var hearing = sync.OnceValue(func() *listening.Listener { return listening.New(nil) })
