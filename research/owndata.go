package research

import (
	"regexp"
	"strings"

	"quaestor/internal/fault"
)

// A search engine does not know anybody's own data and must not be told about it. So
// a question that asks for one's own data is never searched for: [Due] and [Commands]
// refuse it, and the researcher refuses it once more before a query leaves for an
// engine.

// OwnDataDeclined tells people why their own data is not looked up, and what helps.
const OwnDataDeclined = "your own data can’t be searched from here; connect a warehouse, a database or files under Data to have it explored there"

// The words by which people refer to their own data. The lists are closed on
// purpose: what they miss is treated as an ordinary question, and what they catch
// by mistake is declined with a reason.
const (
	// whose makes data one's own.
	whose = `(?:our|ours|my|mine|your|in-?house|internal|the (?:company|firm|team|shop|business|organi[sz]ation)['’]s|` +
		`unser(?:e[mnrs]?)?|mein(?:e[mnrs]?)?|eigenen?|nos|notre|nuestr[oa]s?|noss[oa]s?)`
	// places hold data.
	places = `(?:(?:data[ -]?)?(?:warehouses?|bases?|lakes?|lakehouses?|marts?)|dwh|crm|erp|cms|pos|(?:crm|erp|sales|order|booking|ticket(?:ing)?|till|accounting|billing|analytics|inventory|hr|back-?office|pos) (?:systems?|software|tools?|database|data)|` +
		`spread-?sheets?|excel(?: (?:sheets?|files?))?|google sheets?|csvs?(?: files?)?|dashboards?|analytics|bookkeeping|accounting|ledgers?|back-?end|` +
		`datenbank(?:en)?|kundendatenbank|warenwirtschaft|kassensystem|buchhaltung|base de (?:données|datos|dados))`
	// makes are products that hold data, by brand.
	makes = `(?:snowflake|big ?query|redshift|click ?house|databricks|postgres(?:ql)?|mysql|mariadb|mongo(?:db)?|sql server|oracle|salesforce|hub ?spot|pipedrive|looker|tableau|power ?bi|metabase|` +
		`google analytics|ga4|matomo|mixpanel|amplitude|stripe|shopify|woocommerce|sap|netsuite|zendesk|datev|lexware|xero|quickbooks|airtable|notion)`
	// contents are what such places hold.
	contents = `(?:data|datas(?:et|ets)|figures|numbers|stat(?:s|istics)|metrics|kpis?|reports?|records|tables?|logs?|books|transactions|orders|invoices|bookings|payments|subscriptions|receipts|` +
		`churn|revenues?|sales|turnover|margins?|profits?|retention|conversions?|usage|sign-?ups|traffic|inventory|payroll|headcount|cash[ -]?flow|accounts?|customer (?:data|list|base|records)|` +
		`daten|zahlen|umsatz|umsätze|kennzahlen|bestellungen|rechnungen|kundenliste|kundendaten|auswertungen|données|chiffres|datos|cifras|dados|números)`
	// verbs are what people do with data, right before the place.
	verbs = `(?:look|looking|check|see|find|search|query|pull|get|fetch|dig|ask|read|verify|analy[sz]e|explore|calculate|count|schau|sieh|such|prüfe?|frag)(?:ing|en|st)?`
)

// ownData are the phrases that refer to one's own data; one of them is enough. They
// are matched against lower-case text with single spaces.
var ownData = []*regexp.Regexp{
	// our data, our own monthly sales figures, in our warehouse
	regexp.MustCompile(`\b` + whose + `(?: own)?(?: [\p{L}\p{N}-]+){0,2}? (?:` + places + `|` + makes + `|` + contents + `)\b`),
	// in the database, from the CRM, through the data
	regexp.MustCompile(`\b(?:in|into|from|inside|within|through|against|on|at|over|using|via|with|check|query|search|ask|in der|aus der|im|aus dem|in den|aus den|in die|dans|en|na|no) (?:(?:the |la |el |a |o |le |les |los |las )?` + places + `|(?:the|die|den) (?:data|numbers|figures|books|records|daten|zahlen))\b`),
	// check that in Snowflake, query BigQuery
	regexp.MustCompile(`\b` + verbs + `(?: (?:it|that|this|them|those|these|up|out|for me|for us|please|das|es|bitte|mal|nach))*(?: (?:in|from|on|inside|against|at|with|into|through|via|using))?(?: the)? ` + makes + `\b`),
	// how many orders we had, what we sold
	regexp.MustCompile(`\b(?:how (?:many|much|often)|what|which|wie ?viele?|was|welche)\b[^.?!;]*\b(?:(?:we|i) (?:had|sold|lost|made|earned|shipped|got|spent|booked|won|invoiced|paid|charged|gained|delivered|served)|(?:did|do|have) (?:we|i) (?:have|sell|sold|lose|lost|make|made|earn|earned|ship|shipped|spend|spent|book|booked|win|won|invoice|pay|paid)|wir (?:hatten|verkauft|verloren|gemacht|verdient|ausgegeben|haben))\b`),
}

// publicData excludes what only sounds like one's own data: published data, and
// buildings.
var publicData = regexp.MustCompile(`\b(?:public(?:ly available)?|published|open|official|government(?:al)?|national|federal|census|market|industry|industry-wide|sector|academic|scientific|third[- ]party|competitors?['’]?s?|öffentliche[nrs]?|amtliche[nrs]?)(?: [\p{L}-]+){0,2} (?:` + contents + `|` + places + `)\b|` +
	`\b(?:near|around|close to|next to|outside|behind|for|to|of) (?:our|my|the|a) (?:warehouses?|bases?)\b`)

// OwnData reports whether text asks for, or refers to, data of the person or their
// organisation: a warehouse, a database, a CRM, "our numbers". English and German
// are covered best.
func OwnData(text string) bool {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	text = publicData.ReplaceAllString(text, "published")
	for _, pattern := range ownData {
		if pattern.MatchString(text) {
			return true
		}
	}
	return false
}

// requests matches the words by which somebody asks for something to be looked up.
var requests = regexp.MustCompile(`(?i)\b(?:look|check|find|search|research|query|pull|dig|investigate|google|see what|get|verify|schau|sieh|such|explor|analy[sz]e|investigate|analysier|untersuch|erkunde|recherchier|prüf|nachsehen|nachschauen|herausfinden|finde)`)

// figureAsked matches the beginning of a question for a figure: "how many", "what's the average".
var figureAsked = regexp.MustCompile(`(?i)^\W*(?:(?:so|and|ok|okay|hey|und|also)[, ]+)*(?:how (?:many|much|often|high|long|large)|what(?:['’]s| is| was| are| were)|which|wie ?(?:viele?|hoch|oft|groß|lange?)|was (?:ist|war|sind|waren)|welche[rsn]?)\b`)

// aboutPrivacy matches what is asked of how data are treated rather than of what is in them.
var aboutPrivacy = regexp.MustCompile(`(?i)\b(?:used|stored|kept|shared|deleted|safe|secure|private|privacy|protected|gdpr|dsgvo|gespeichert|gelöscht|sicher|geschützt|verwendet|weitergegeben)\b`)

// polite matches a wish that is put without a verb: "churn in our warehouse, please".
var polite = regexp.MustCompile(`(?i)\b(?:please|bitte)\b`)

// back matches words that refer to a place named before.
var back = regexp.MustCompile(`(?i)\b(?:there|in it|from it|in them|from them|dort|darin|da drin|daraus)\b`)

// sentences matches the end of a sentence. An abbreviation may split one in two.
var sentences = regexp.MustCompile(`[.!?;\n]+(?:\s|$)`)

// asksOwnData reports whether a request that arose from what somebody said is for
// their own data, judging by its own words or by those of the sentence that asks.
func asksOwnData(query, said string) bool {
	if OwnData(query) {
		return true
	}
	_, asks := OwnDataRequest(said)
	return asks
}

// OwnDataRequest returns the first sentence of what somebody said that asks for
// something to be looked up in their own data, and whether there is one.
func OwnDataRequest(said string) (sentence string, asks bool) {
	owned := OwnData(said)
	for _, sentence := range sentences.Split(said, -1) {
		if !aboutPrivacy.MatchString(sentence) && (requests.MatchString(sentence) || figureAsked.MatchString(sentence) || polite.MatchString(sentence)) && (OwnData(sentence) || owned && back.MatchString(sentence)) {
			return strings.TrimSpace(sentence), true
		}
	}
	return "", false
}

// refuseOwnData returns an Unprocessable fault at field if text asks for one's own
// data.
func refuseOwnData(field, text string) error {
	if !OwnData(text) {
		return nil
	}
	return fault.New(fault.Unprocessable, OwnDataDeclined).At(field).Coded("own_data")
}
