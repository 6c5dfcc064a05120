package admin

// What the tests of this package reach into.
type (
	Archived     = archived
	JournalBody  = journalBody
	SettingsBody = settingsBody
)
