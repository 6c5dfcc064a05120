package duckdb

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quaestor/internal/fault"
	"quaestor/research/warehouse/catalog"
)

// sampleFiles are the files of the sample data, and the tables they are.
var sampleFiles = map[string]string{
	"flights-3m.parquet":  "flights",
	"airports.csv":        "airports",
	"birdstrikes.csv":     "birdstrikes",
	"seattle-weather.csv": "seattle_weather",
}

// sampleName is what the file is called that the sample data is made into. Another
// layout gets another name.
const sampleName = "sample-1.duckdb"

// sampleScript makes the tables, with what is known of them: the types are those
// that are found in the files, but delay and distance take half the room.
const sampleScript = `
CREATE TABLE flights AS SELECT "date", CAST(delay AS INTEGER) AS delay, CAST(distance AS INTEGER) AS distance, origin, destination FROM read_parquet(%s) ORDER BY "date";
CREATE TABLE airports AS FROM read_csv(%s, types = {'iata': 'VARCHAR'});
ALTER TABLE airports ADD PRIMARY KEY (iata);
CREATE TABLE birdstrikes AS FROM read_csv(%s, types = {'Flight Date': 'DATE'});
CREATE TABLE seattle_weather AS FROM read_csv(%s, types = {'date': 'DATE'});
COMMENT ON TABLE flights IS 'Flights within the United States, January to June 2001: a sample of three million';
COMMENT ON COLUMN flights.date IS 'scheduled departure';
COMMENT ON COLUMN flights.delay IS 'of the arrival, in minutes; early ones are negative';
COMMENT ON COLUMN flights.distance IS 'in miles';
COMMENT ON COLUMN flights.origin IS 'IATA code, airports.iata';
COMMENT ON COLUMN flights.destination IS 'IATA code, airports.iata';
COMMENT ON TABLE airports IS 'Airports of the United States and its territories';
COMMENT ON TABLE birdstrikes IS 'Strikes of birds and other wildlife that were reported to the FAA';
COMMENT ON COLUMN birdstrikes."Cost Total $" IS 'US dollars';
COMMENT ON TABLE seattle_weather IS 'Weather of Seattle by day, 2012 to 2015';
COMMENT ON COLUMN seattle_weather.precipitation IS 'millimetres';
COMMENT ON COLUMN seattle_weather.temp_max IS 'degrees Celsius';
COMMENT ON COLUMN seattle_weather.temp_min IS 'degrees Celsius';
COMMENT ON COLUMN seattle_weather.wind IS 'speed';
CHECKPOINT;`

// samplePlace returns where the sample data is: the one file that it is made into
// at the first use, which answers several times as fast as the files it comes from,
// or these, when the folder cannot be written.
func (c *Connector) samplePlace(ctx context.Context) (place, error) {
	for name := range sampleFiles {
		if _, err := os.Stat(filepath.Join(c.Sample, name)); c.Sample == "" || err != nil {
			return place{}, fault.New(fault.Unprocessable, "the sample data is not on this machine; run make provision to get it").At("path")
		}
	}
	made := filepath.Join(c.Sample, sampleName)
	if _, err := os.Stat(made); err == nil || c.makeSample(ctx, made) == nil {
		return place{file: made, sample: true}, nil
	}
	p := place{folder: c.Sample, sample: true}
	for name, table := range sampleFiles {
		p.tables = append(p.tables, source{Path: filepath.Join(c.Sample, name), Name: table, Format: formatOf(name)})
	}
	return p, nil
}

// makeSample makes the one file. It is there when it is whole; of two who make it at
// once, one is used.
func (c *Connector) makeSample(ctx context.Context, made string) error {
	folder, err := os.MkdirTemp(c.Sample, ".made-")
	if err != nil {
		return fmt.Errorf("make the sample data: %w", err)
	}
	defer os.RemoveAll(folder) //nolint:errcheck // a temporary folder
	file := filepath.Join(folder, sampleName)
	p, err := startProcess(c.Child)
	if err != nil {
		return err
	}
	defer p.close()
	var got opened
	q := request{Do: "build", Open: opening{File: file, Memory: 1 << 30, Scratch: p.scratch}, Text: c.script()}
	if err := p.ask(ctx, q, time.Minute, only(frameOpened, &got)); err != nil {
		return fmt.Errorf("make the sample data: %w", err)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		return fmt.Errorf("make the sample data: %w", err)
	}
	if err := os.Rename(file, made); err != nil {
		return fmt.Errorf("make the sample data: %w", err)
	}
	return nil
}

// script is sampleScript with the files in it.
func (c *Connector) script() string {
	at := func(name string) string { return quoteText(filepath.Join(c.Sample, name)) }
	return strings.TrimSpace(fmt.Sprintf(sampleScript, at("flights-3m.parquet"), at("airports.csv"), at("birdstrikes.csv"), at("seattle-weather.csv")))
}

// describeSample adds the keys of the sample data, which DuckDB is not told to hold
// because it would keep an index for each.
func describeSample(t *catalog.Table) {
	if t.Name == "flights" {
		t.Foreign = []catalog.Foreign{
			{Columns: []string{"origin"}, Table: "main.airports", To: []string{"iata"}},
			{Columns: []string{"destination"}, Table: "main.airports", To: []string{"iata"}},
		}
	}
}
