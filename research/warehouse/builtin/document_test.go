package builtin

import (
	"testing"

	"quaestor/research/warehouse/guard"
)

// TestKeysPassTheGuard makes sure that what reads keys of documents, and times in numbers and texts, is let through in
// every dialect but that of DuckDB, which parses statements itself.
func TestKeysPassTheGuard(t *testing.T) {
	t.Parallel()

	for _, d := range []guard.Dialect{guard.PostgreSQL, guard.MySQL, guard.MariaDB, guard.ClickHouse, guard.SQLServer, guard.BigQuery, guard.Snowflake} {
		t.Run(string(d), func(t *testing.T) {
			t.Parallel()
			check, err := guard.New(guard.Policy{Dialect: d, Relations: []guard.Relation{{Schema: "w", Name: "events", Columns: []string{"id", "doc", "at_ts", "said_at"}}}})
			if err != nil {
				t.Fatal(err)
			}
			p := PiecesOf(d)
			x := func(name string) string { return "t0." + p.Quote(name) }
			seconds, ok := p.Instant(x("at_ts"), "bigint", 1.7e9, 1.8e9)
			if !ok {
				t.Fatal("seconds are no time")
			}
			digits, ok := p.Instant(x("at_ts"), "integer", 20230101, 20251231)
			if !ok {
				digits = seconds
			}
			text, ok := p.Instant(x("said_at"), "text", 0, 0)
			if !ok {
				t.Fatal("texts are no time")
			}
			for name, expression := range map[string]string{
				"a text": p.Key(x("doc"), []string{"carrier"}, false), "a number": p.Key(x("doc"), []string{"route", "stops"}, true),
				"a document": p.AsText(x("doc")), "seconds": p.Truncate("week", seconds), "a written day": p.Truncate("month", text), "digits": p.Truncate("month", digits), "dates": p.ISODated(x("said_at")),
			} {
				sql := "SELECT " + expression + " AS v\nFROM " + p.Quote("w") + "." + p.Quote("events") + " AS t0"
				if _, err := check.Check(sql); err != nil {
					t.Errorf("%s: %v in\n%s", name, err, sql)
				}
			}
		})
	}
}

// TestDocumentsAreKnown makes sure that documents are known by their types and names.
func TestDocumentsAreKnown(t *testing.T) {
	t.Parallel()

	for typ, want := range map[string]bool{"json": true, "jsonb": true, "VARIANT": true, "Nullable(JSON)": true, "text": false, "integer": false} {
		if got := Document(typ); got != want {
			t.Errorf("Document(%q) = %v", typ, got)
		}
	}
	for name, want := range map[string]bool{"payload": true, "event_properties": true, "datos": true, "city": false} {
		if got := MayBeDocument(name); got != want {
			t.Errorf("MayBeDocument(%q) = %v", name, got)
		}
	}
	for key, want := range map[string]bool{"carrier": true, "temp_zone": true, "1st": false, "a.b": false, "x'": false, "": false} {
		if got := PlainKey(key); got != want {
			t.Errorf("PlainKey(%q) = %v", key, got)
		}
	}
}
