package packs

import (
	"slices"
	"strconv"

	"quaestor/research/warehouse"
)

// The placeholders. Every prompt may use those in [general].
const (
	Profile         = "PROFILE"          // what the project states about itself
	PreviousContext = "PREVIOUS_CONTEXT" // what earlier runs found, and people's feedback on it
	Language        = "LANGUAGE"         // the language of the texts that people read
	Dataset         = "DATASET"          // the schemas
	Dialect         = "DIALECT"
	DialectNotes    = "DIALECT_NOTES" // the peculiarities of the dialect
	Filter          = "FILTER"        // the condition on rows, as SQL
	FilterContext   = "FILTER_CONTEXT"
	FilterRule      = "FILTER_RULE" // what the filter means for an author of SQL
	AnalysisAreas   = "ANALYSIS_AREAS"
	Ref             = refName // {{REF:table}}: the qualified name of a table

	SchemaInfo      = "SCHEMA_INFO"      // the catalog; exploration prompt only
	CategoryContext = "CATEGORY_CONTEXT" // the category's addition; exploration prompt only

	TotalQueries = "TOTAL_QUERIES" // prompts of areas only
	QueryResults = "QUERY_RESULTS"

	DiscoveryDate   = "DISCOVERY_DATE" // recommendations only
	InsightsSummary = "INSIGHTS_SUMMARY"
	InsightsData    = "INSIGHTS_DATA"

	maxLookupTables = "MAX_LOOKUP_TABLES"
	maxLookups      = "MAX_LOOKUPS"
	maxSearches     = "MAX_SEARCHES"
	defaultTopK     = "DEFAULT_TOP_K"
	maxTopK         = "MAX_TOP_K"
	maxSteps        = "MAX_STEPS"
	minSteps        = "MIN_STEPS"
)

// limitNames are the bounds that an exploration prompt must mention.
var limitNames = []string{maxLookupTables, maxLookups, maxSearches, defaultTopK, maxTopK, maxSteps}

// Limits returns the values of the bounds: the constants of the code, and the largest and least
// number of steps of a run. If least is 0, its value is empty, which drops the part about it.
func Limits(most, least int) Values {
	v := Values{
		maxLookupTables: strconv.Itoa(warehouse.MaxLookupTables),
		maxLookups:      strconv.Itoa(warehouse.MaxLookups),
		maxSearches:     strconv.Itoa(warehouse.MaxSearches),
		defaultTopK:     strconv.Itoa(warehouse.DefaultSearchTopK),
		maxTopK:         strconv.Itoa(warehouse.MaxSearchTopK),
		maxSteps:        strconv.Itoa(most),
		minSteps:        "",
	}
	if least > 0 {
		v[minSteps] = strconv.Itoa(least)
	}
	return v
}

// general are the placeholders that every prompt may use.
var general = slices.Concat([]string{Profile, PreviousContext, Language, Dataset, Dialect, DialectNotes, Filter, FilterContext, FilterRule, AnalysisAreas, Ref, minSteps}, limitNames)

// promptKind is the purpose of a prompt.
type promptKind int

const (
	basePrompt promptKind = iota
	explorationPrompt
	categoryPrompt
	areaPrompt
	recommendationsPrompt
)

// placeholders returns the names that a prompt of the kind may use.
func (k promptKind) placeholders() []string {
	switch k {
	case basePrompt, categoryPrompt:
		return general
	case explorationPrompt:
		return slices.Concat(general, []string{SchemaInfo, CategoryContext})
	case areaPrompt:
		return slices.Concat(general, []string{TotalQueries, QueryResults})
	case recommendationsPrompt:
		return slices.Concat(general, []string{DiscoveryDate, InsightsSummary, InsightsData})
	}
	return nil
}
