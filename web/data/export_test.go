package data

// What the tests of this package reach into.
type (
	DriftBody       = driftBody
	ExplorationStep = explorationStep
	PackDraftBody   = packDraftBody
	PromptsBody     = promptsBody
	SectionBody     = sectionBody
	GrantBody       = grantBody
	MakeBody        = makeBody
	OpinionBody     = opinionBody
	PackBody        = packBody
	PackContent     = packContent
	Refreshing      = refreshing
	StatementBody   = statementBody
	TableBody       = tableBody
)

// What findings are on the wire.
type (
	InsightBody        = insightBody
	RecommendationBody = recommendationBody
	FigureAgainBody    = figureAgainBody
	ComparisonBody     = comparisonBody
)
