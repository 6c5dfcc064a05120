//go:build duckdb && cgo

package duckdb_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/duckdb"
)

// sampleFolder makes a folder like that of the sample data, with a row or two of
// each file.
func sampleFolder(t testing.TB) string {
	t.Helper()
	folder := t.TempDir()
	write(t, folder, "airports.csv", "iata,name,city,state,country,latitude,longitude\nSEA,Seattle-Tacoma,Seattle,WA,USA,47.4,-122.3\nLAX,Los Angeles,Los Angeles,CA,USA,33.9,-118.4\n")
	write(t, folder, "birdstrikes.csv", "Airport Name,Flight Date,Cost Total $,Speed IAS in knots\r\nX,1990-01-08,10,300\r\n")
	write(t, folder, "seattle-weather.csv", "date,precipitation,temp_max,temp_min,wind,weather\n2012-01-01,0.0,12.8,5.0,4.7,drizzle\n")
	script := "COPY (SELECT TIMESTAMP '2001-01-01 00:01:00' AS date, 33 AS delay, 2176 AS distance, 'SEA' AS origin, 'LAX' AS destination) TO '" + filepath.Join(folder, "flights-3m.parquet") + "'"
	if err := duckdb.Make(newConnector(t), filepath.Join(t.TempDir(), "x.duckdb"), script); err != nil {
		t.Fatal(err)
	}
	return folder
}

// openSample opens the sample data of a folder.
func openSample(t testing.TB, folder string) *duckdb.Conn {
	t.Helper()
	c := newConnector(t)
	c.Sample, c.Roots = folder, []string{"/nowhere"}
	conn, err := c.Open(t.Context(), warehouse.Settings{Options: map[string]string{"path": "sample"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn.(*duckdb.Conn)
}

func TestSample(t *testing.T) {
	t.Parallel()

	folder := sampleFolder(t)
	for range 2 { // made, and found made
		conn := openSample(t, folder)
		list := tables(t, conn)
		if len(list) != 4 || list[2].Name != "flights" || len(list[2].Foreign) != 2 || list[2].Foreign[0].Table != "main.airports" || list[2].Comment == "" {
			t.Fatalf("the tables are %v", list)
		}
		if got := must(t, conn, `SELECT a.city, f.delay, b."Cost Total $", w.date FROM flights f JOIN airports a ON a.iata = f.origin, birdstrikes b, seattle_weather w`); got != "Seattle|33|10|t1325376000000000\n" {
			t.Errorf("a query gives %q", got)
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 5 {
		t.Errorf("the folder holds %v (%v)", entries, err)
	}
}

// Where the one file cannot be made, the files themselves are read.
func TestSampleOfFiles(t *testing.T) {
	t.Parallel()

	folder := sampleFolder(t)
	write(t, folder, "flights-3m.parquet", "damaged")
	conn := openSample(t, folder)
	if got := must(t, conn, "SELECT count(*) FROM airports"); got != "2\n" {
		t.Errorf("a query gives %q", got)
	}
	if list := tables(t, conn); len(list) != 4 || !strings.Contains(list[2].Comment, "cannot be read") {
		t.Errorf("the tables are %v", list)
	}
}

// A header is a name, whatever it holds.
func TestHostileHeader(t *testing.T) {
	t.Parallel()

	folder := t.TempDir()
	trace := filepath.Join(folder, "trace")
	write(t, folder, "a.csv", `"x': 'VARCHAR'}); COPY (SELECT 1) TO '`+trace+`'; --",b`+"\n1,2\n")
	write(t, folder, "b.jsonl", `{"x': 'VARCHAR'}); COPY (SELECT 1) TO '`+trace+`'; --": 1}`+"\n")
	write(t, folder, "star*.csv", "a\n1\n")
	conn := open(t, folder, warehouse.Limits{})
	if list := tables(t, conn); len(list) != 3 || !strings.HasPrefix(list[0].Columns[0].Name, "x': ") || !strings.HasPrefix(list[1].Columns[0].Name, "x': ") || list[2].Columns != nil {
		t.Errorf("the tables are %v", list)
	}
	if _, err := os.Stat(trace); err == nil {
		t.Error("a header was run")
	}
}
