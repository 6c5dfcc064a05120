package admin

// What the tests of this package reach into.
type (
	Archived      = archived
	JournalBody   = journalBody
	ModelBody     = modelBody
	ModelTestBody = modelTestBody
	SettingsBody  = settingsBody
)
