package research_test

import (
	"testing"

	"quaestor/research"
	"quaestor/sessions/objectives"
)

// Requests for one's own data, and requests that only sound like them.
func TestOwnDataIsTold(t *testing.T) {
	t.Parallel()

	for _, text := range []string{
		"Please look that up in our warehouse: churn of customers in Braga",
		"churn in our data warehouse", "check our data", "can you check that in our data?", "look at our numbers for March",
		"look it up in the CRM", "our CRM knows that", "see our CRM", "pull the number from our database", "It's in the database, have a look",
		"search our database for late orders", "query the warehouse", "could you query Snowflake for that", "check in BigQuery how many orders came from Porto",
		"look that up in Salesforce", "get it from HubSpot please", "it should be in our Shopify", "check our Google Analytics", "look into our sales figures",
		"what does our spreadsheet say", "the answer is in my Excel sheet", "look in the spreadsheet", "check our books", "see the company's ERP",
		"find out what our churn is", "look up our revenue of 2024", "check our monthly recurring revenue", "find out our conversion rate", "how much did we sell in May? look it up",
		"look up how many orders we had in March", "find out how many customers we lost last year", "check what we sold on Saturdays", "our internal data would tell",
		"search the data lake", "can you check the data?", "look through the records", "from our analytics", "run a query against the data warehouse", "ask our POS system",
		"use our in-house reports", "check my accounting", "look at our customer list", "our own figures say so", "what do our dashboards show", "look into our order system",
		"Schau bitte in unserer Datenbank nach", "das steht in unseren Daten", "such das in unserem CRM", "prüfe unsere Zahlen", "schau in die Datenbank", "unsere Umsätze 2024", "wie viele Bestellungen wir hatten",
		"regarde dans notre base de données", "mira en nuestros datos", "OUR DATA", "our\nwarehouse", "Look that up in our  Data Warehouse!",
	} {
		if !research.OwnData(text) {
			t.Errorf("%q is not taken for a request for one's own data", text)
		}
	}
	for _, text := range []string{
		"look up public data on bakery sales in Portugal", "what does the market data say", "check the census data for Braga", "find open data about rents",
		"look up the number of bakeries in Braga", "how many people live in Porto", "find out what a CRM costs", "which data warehouse is cheapest", "compare Snowflake with BigQuery",
		"look up whether full-text search works in PostgreSQL", "what do competitors charge", "find our competitors", "look up our competitors' prices", "what is our market like",
		"check the rules for food safety in our industry", "find suppliers near our warehouse", "what does a warehouse for frozen goods cost", "look up rents around our shop", "search for official statistics on tourism",
		"what do customers of bakeries want", "which integrations does Salesforce offer", "find published figures on churn in SaaS", "look up the average churn rate of SaaS companies",
		"can you check the law on data protection", "what does GDPR say about data", "look up trends in our sector", "how much does a baker earn", "find out how much a shop fitting costs", "search for grants in our region",
		"look up industry data on retention", "what software do bakeries use", "Wie viele Bäckereien gibt es in Köln?", "suche nach öffentlichen Daten zu Mieten", "what is the best database for IoT", "",
	} {
		if research.OwnData(text) {
			t.Errorf("%q is taken for a request for one's own data", text)
		}
	}
}

// What is asked of one's own data is a request; what is asked about them, or told, is none.
func TestOwnDataIsAskedFor(t *testing.T) {
	t.Parallel()

	for text, want := range map[string]bool{
		"what's the average arrival delay in our data?":               true,
		"How many customers do we have in our CRM?":                   true,
		"churn of customers in Braga in our warehouse please":         true,
		"Wie viele Flughäfen stehen in unserer Datenbank?":            true,
		"look that up in our warehouse: churn in Braga":               true,
		"What is our data used for?":                                  false,
		"Our data are in Snowflake.":                                  false,
		"We have a database of customers, that is our strength":       false,
		"Wer sieht unsere Daten, und wie lange sind sie gespeichert?": false,
	} {
		if _, got := research.OwnDataRequest(text); got != want {
			t.Errorf("OwnDataRequest(%q) = %t, want %t", text, got, want)
		}
	}
}

// What the objectives that Quaestor comes with have looked up in public can be: their
// questions are not taken for requests for one's own data.
func TestShippedQuestionsAreResearched(t *testing.T) {
	t.Parallel()

	asked := 0
	for _, d := range objectives.Shipped() {
		for i := range d.Obligations {
			o := &d.Obligations[i]
			if !research.Researchable(o) {
				continue
			}
			asked++
			if research.OwnData(o.Prompt) {
				t.Errorf("%s.%s: %q is taken for a request for one's own data", d.ContextType, o.Key, o.Prompt)
			}
		}
	}
	if asked == 0 {
		t.Error("no shipped question is researched")
	}
}
