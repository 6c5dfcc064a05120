package talk

import "time"

// Names that the tests of this package need.
type (
	FileBody    = fileBody
	SummaryBody = summaryBody
	TurnBodyOut = turnBodyOut
)

const (
	FoundRows = foundRows
	MaxOpen   = maxOpen
	MaxFrame  = maxFrame
	MaxTurns  = maxTurns
)

// SetFileWait sets how long a file waits for its place among those that are read.
func (s *Handlers) SetFileWait(d time.Duration) { s.fileWait = d }

// ChatViewOf returns the view of a session's page.
var ChatViewOf = (*Handlers).chatView
