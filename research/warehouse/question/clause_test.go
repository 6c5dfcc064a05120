package question_test

import (
	"strings"
	"testing"

	"quaestor/research/warehouse/question"
)

// TestClauseLeavesOutWhereToLook holds that neither a warehouse's name nor words such as "according to our data" are
// words of the question.
func TestClauseLeavesOutWhereToLook(t *testing.T) {
	t.Parallel()

	for request, want := range map[string]string{
		"please look that up in our Bike shop warehouse: how many orders did we have last week?": "how many orders did we have last week",
		"How many customers could we reach? Please look that up in our Bike shop data":           "How many customers could we reach",
		"How many orders did we have last week, according to our Bike shop data?":                "How many orders did we have last week",
		"According to our data, how many orders did we have last week?":                          "how many orders did we have last week",
		"Wie viele Bestellungen gab es laut unseren Daten im Oktober?":                           "Wie viele Bestellungen gab es im Oktober",
		"Wie viele Bestellungen gab es im Oktober laut unserer Bike shop Datenbank?":             "Wie viele Bestellungen gab es im Oktober",
		"How many orders in the warehouse Bike shop in October?":                                 "How many orders in October",
		"look that up in our own accounting system: how many orders were there?":                 "how many orders were there",
		"How many orders of customers from Bikeshop?":                                            "How many orders of customers from Bikeshop",
	} {
		if got := strings.Join(strings.Fields(question.Clause(request, "Bike shop")), " "); strings.Trim(got, " ,") != want {
			t.Errorf("Clause(%q) = %q, want %q", request, got, want)
		}
	}
}

// TestNameOfTheWarehouseIsNoValue holds that a question that names its warehouse is read like one that does not.
func TestNameOfTheWarehouseIsNoValue(t *testing.T) {
	t.Parallel()

	for _, ask := range []string{"How many orders in October 2026 in Erp?", "How many orders in October 2026 according to our Erp data?", "In our Erp, how many orders did we have in October 2026?", "How many orders in October 2026 according to our data?"} {
		read, unclear := question.Read(question.Text{Words: ask, Language: "en", Now: sunday, Names: []string{"Erp"}}, shop())
		if unclear != nil || len(read.Lookups) > 0 || read.Period.Zero() {
			t.Errorf("Read(%q) = %+v, %v", ask, read, unclear)
		}
	}
}
