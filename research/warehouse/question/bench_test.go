package question_test

import (
	"fmt"
	"testing"

	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/question"
)

// wide returns a catalog of n tables with 30 columns each, and one that holds late flights.
func wide(n int) *catalog.Index {
	subjects := []string{"ledger", "shipment", "voucher", "machine", "policy", "claim", "meter", "contract", "asset", "booking"}
	parts := []string{"header", "line", "status", "history", "detail", "mapping", "snapshot", "archive", "audit", "config"}
	columns := []string{"id", "created_at", "updated_at", "status", "amount", "quantity", "customer_id", "region", "currency", "note", "valid_from", "valid_to", "unit_price", "tax_rate", "owner"}
	var tables []catalog.Table
	for i := range n {
		t := catalog.Table{Schema: fmt.Sprintf("erp%d", i%20), Name: fmt.Sprintf("%s_%s_%d", subjects[i%10], parts[i/10%10], i), Rows: int64(i) * 100}
		for k := range 30 {
			t.Columns = append(t.Columns, catalog.Column{Name: fmt.Sprintf("%s_%d", columns[k%len(columns)], k/len(columns)), Type: []string{"bigint", "text", "timestamp", "numeric(12,2)"}[k%4]})
		}
		tables = append(tables, t)
	}
	tables = append(tables, catalog.Table{Schema: "ops", Name: "flights", Rows: 3_000_000, Columns: []catalog.Column{
		{Name: "date", Type: "timestamp"}, {Name: "delay", Type: "integer"}, {Name: "origin", Type: "text"}, {Name: "destination", Type: "text"}}})
	return catalog.NewIndex(tables)
}

func TestReadFindsOneTableOfTwoThousand(t *testing.T) {
	t.Parallel()

	read, unclear := question.Read(question.Text{Words: "how many flights were late in March?", Language: "en", Now: today}, wide(2000))
	if unclear != nil {
		t.Fatal(unclear)
	}
	if read.Table().Ref() != "ops.flights" || read.Measure != question.Count || len(read.Filters) != 1 || !read.Period.Yearless {
		t.Errorf("Read = %s of %s with %d filters, a year is missing: %v", read.Measure, read.Table().Ref(), len(read.Filters), read.Period.Yearless)
	}
}

// BenchmarkRead reads a question over a catalog of 2,000 tables with 60,000 columns.
func BenchmarkRead(b *testing.B) {
	x := wide(2000)
	q := question.Text{Words: "how many flights were late in March?", Language: "en", Now: today}
	b.ReportAllocs()
	for b.Loop() {
		if _, unclear := question.Read(q, x); unclear != nil {
			b.Fatal(unclear)
		}
	}
}

// FuzzRead holds that no question breaks the reader.
func FuzzRead(f *testing.F) {
	x := wide(40)
	for _, s := range []string{"how many flights were late in March?", "last 30 days", "Q2 2024", "“", "which \"ATL\" has the most of not", "between 2020 and 2021 over 5", "Wie viele Flüge nach ATL je Monat"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, words string) {
		read, unclear := question.Read(question.Text{Words: words, Language: "en", Now: today}, x)
		if (read == nil) == (unclear == nil) {
			t.Errorf("Read(%q) = %v, %v, want one of them", words, read, unclear)
		}
	})
}
