package research

// What the tests of this package reach into.
type (
	ResearchReport = researchReport
	ResearchSource = researchSource
)
