package question_test

import (
	"testing"

	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/question"
)

// survey is a catalog whose columns have the names of measures and of other words that questions consist of.
func survey() *catalog.Index {
	return catalog.NewIndex([]catalog.Table{{Schema: "main", Name: "answers", Rows: 900, Columns: []catalog.Column{
		{Name: "answer_id", Type: "bigint", Key: true}, {Name: "count", Type: "bigint"}, {Name: "average", Type: "double"}, {Name: "value", Type: "double"}, {Name: "growth", Type: "double"}, {Name: "top", Type: "double"}, {Name: "topic", Type: "text"}, {Name: "answered", Type: "date"}}}})
}

// TestWordsOfQuestionsNameColumns holds that a column may have the name of a word that questions are made of.
func TestWordsOfQuestionsNameColumns(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		tag, ask, table, column string
		measure                 question.Measure
		grouped                 bool
	}{
		{"en", "average total in October 2026", "orders", "total", question.Average, false},
		{"en", "What was the highest total?", "orders", "total", question.Highest, false},
		{"en", "total by status in October 2026", "orders", "total", question.Sum, true},
		{"en", "Average order value in October 2026", "orders", "total", question.Average, false},
		{"en", "top 5 customers by total", "orders", "total", question.Sum, true},
		{"en", "top 3 products by quantity", "orders", "quantity", question.Sum, true},
		{"en", "Which customers have the highest total?", "orders", "total", question.Sum, true},
		{"en", "sum of total in October 2026", "orders", "total", question.Sum, false},
		{"en", "total total in October 2026", "orders", "total", question.Sum, false},
		{"en", "What was our total in October 2026?", "orders", "total", question.Sum, false},
		{"en", "average of total by region", "orders", "total", question.Average, true},
		{"en", "average total of West customers", "orders", "total", question.Average, false},
		{"en", "total per month", "orders", "total", question.Sum, true},
		{"de", "Summe total im Oktober 2026", "orders", "total", question.Sum, false},
		{"de", "Durchschnittlicher Bestellwert im Oktober 2026", "orders", "total", question.Average, false},
		{"en", "How many orders in total?", "orders", "", question.Count, false},
		{"en", "total number of orders", "orders", "", question.Count, false},
		{"en", "How many orders with a total over 100?", "orders", "", question.Count, false},
		{"en", "orders per category", "orders", "", question.Count, true},
		{"en", "total quantity in October 2026", "orders", "quantity", question.Sum, false},
		{"en", "highest count by topic", "answers", "count", question.Highest, true},
		{"en", "highest total by region", "orders", "total", question.Highest, true},
		{"en", "largest 5 customers by total", "orders", "total", question.Sum, true},
		{"en", "lowest average", "answers", "average", question.Lowest, false},
		{"en", "average value by topic", "answers", "value", question.Average, true},
		{"en", "average growth in 2026", "answers", "growth", question.Average, false},
		{"en", "average top by topic", "answers", "top", question.Average, true},
	} {
		x := shop()
		if c.table == "answers" {
			x = survey()
		}
		read, unclear := question.Read(question.Text{Words: c.ask, Language: c.tag, Now: sunday}, x)
		if unclear != nil {
			t.Errorf("Read(%q): %v", c.ask, unclear)
			continue
		}
		column := read.ColumnName()
		if read.Table().Name != c.table || column != c.column || read.Measure != c.measure || (read.Group != nil) != c.grouped {
			t.Errorf("Read(%q) is the %s of %q in %s, divided: %v", c.ask, read.Measure, column, read.Table().Name, read.Group != nil)
		}
	}
}

// TestWhatIsNotUnderstoodIsNamed holds that no question is declined for the word “”.
func TestWhatIsNotUnderstoodIsNamed(t *testing.T) {
	t.Parallel()

	for _, ask := range []string{"total", "What is the average?", "orders", "orders with total above 100", "sum of orders", "highest orders in 2026", "What share of orders?", "the most", "average by status"} {
		if read, unclear := question.Read(question.Text{Words: ask, Language: "en", Now: sunday}, shop()); unclear != nil && unclear.Word == "" {
			t.Errorf("Read(%q) is declined as %s, without a word; %v", ask, unclear.Why, read)
		}
	}
}
