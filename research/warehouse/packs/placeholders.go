package packs

import (
	"slices"
	"strconv"

	"quaestor/research/warehouse"
)

// The placeholders. Every prompt may use those of [general].
const (
	Profile         = "PROFILE"          // what the project says about itself
	PreviousContext = "PREVIOUS_CONTEXT" // what earlier runs found, and what people thought of it
	Language        = "LANGUAGE"         // in which people read the texts
	Dataset         = "DATASET"          // the schemas
	Dialect         = "DIALECT"
	DialectNotes    = "DIALECT_NOTES" // what is different about the dialect
	Filter          = "FILTER"        // the condition on rows, as SQL
	FilterContext   = "FILTER_CONTEXT"
	FilterRule      = "FILTER_RULE" // what follows of it for whoever writes SQL
	AnalysisAreas   = "ANALYSIS_AREAS"
	Ref             = refName // {{REF:table}}: a table, qualified

	SchemaInfo      = "SCHEMA_INFO"      // the catalog; of the exploration prompt
	CategoryContext = "CATEGORY_CONTEXT" // the exploration prompt of the category

	TotalQueries = "TOTAL_QUERIES" // of the prompt of an area
	QueryResults = "QUERY_RESULTS"

	DiscoveryDate   = "DISCOVERY_DATE" // of the recommendations
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

// limitNames are the bounds that an exploration prompt must name.
var limitNames = []string{maxLookupTables, maxLookups, maxSearches, defaultTopK, maxTopK, maxSteps}

// Limits returns the values of the bounds: those of the code, and the steps that a
// run may and must take. A least number of 0 is empty, so that a part on it goes.
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

// general are the placeholders of every prompt.
var general = slices.Concat([]string{Profile, PreviousContext, Language, Dataset, Dialect, DialectNotes, Filter, FilterContext, FilterRule, AnalysisAreas, Ref, minSteps}, limitNames)

// promptKind is what a prompt is for.
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
