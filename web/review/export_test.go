package review

// Names that the tests outside of the package use.

type (
	Filter          = listFilter
	Place           = place
	SuggestionGroup = suggestionGroup
)

const (
	ExportTotal   = exportTotal
	MaxDots       = maxDots
	HistoryEvents = historyEvents
	ListRows      = listRows
)

var (
	ViewOf       = (*Handlers).sessionView
	HistoryUntil = (*Handlers).historyUntil
	Replayed     = (*Handlers).replayed
)
