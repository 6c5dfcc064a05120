package talk

import "time"

// What the tests of this package reach into.
type (
	FileBody    = fileBody
	SummaryBody = summaryBody
	TurnBodyOut = turnBodyOut
)

const (
	FoundRows   = foundRows
	MaxOpen     = maxOpen
	MaxFrame    = maxFrame
	MaxReadings = maxReadings
	MaxTurns    = maxTurns
)

// SetFileWait sets how long a file waits for its turn to be read.
func (s *Handlers) SetFileWait(d time.Duration) { s.fileWait = d }

// ChatViewOf reads what the page of a session shows.
var ChatViewOf = (*Handlers).chatView
