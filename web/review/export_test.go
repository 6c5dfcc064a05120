package review

// What the tests of this package reach into.
type (
	SuggestionGroup = suggestionGroup
)

const (
	ExportTotal = exportTotal
	MaxDots     = maxDots
	ReviewPart  = reviewPart
	ReviewRows  = reviewRows
)

// Methods that tests call.
var (
	ViewOf       = (*Handlers).reviewView
	HistoryUntil = (*Handlers).historyUntil
	Replayed     = (*Handlers).replayed
)
