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

// sampleFiles maps the files of the sample data to the tables made of them.
var sampleFiles = map[string]string{
	"flights-3m.parquet":  "flights",
	"airports.csv":        "airports",
	"birdstrikes.csv":     "birdstrikes",
	"seattle-weather.csv": "seattle_weather",
}

// sampleName is the name of the file that the sample data is converted to. It changes with the
// layout of the tables.
const sampleName = "sample-1.duckdb"

// sampleScript creates the tables with comments. The types are those detected in the files, except
// that delay and distance take half the space.
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

// samplePlace returns the sample data: the single file that it is converted to on first use, which
// answers several times as fast as the original files, or those if the folder is not writable.
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

// makeSample creates the single file. It is renamed into place when it is complete, so two
// processes may create it at the same time. It takes a minute at most, in a child of its own.
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
	var got openReply
	q := request{Do: "build", Open: openRequest{File: file, Memory: 1 << 30, Scratch: p.scratch}, Text: c.script()}
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

// script returns sampleScript with the paths of the files.
func (c *Connector) script() string {
	at := func(name string) string { return quoteText(filepath.Join(c.Sample, name)) }
	return strings.TrimSpace(fmt.Sprintf(sampleScript, at("flights-3m.parquet"), at("airports.csv"), at("birdstrikes.csv"), at("seattle-weather.csv")))
}

// describeSample adds the foreign keys of the sample data. They are not declared in DuckDB, which
// would keep an index for each.
func describeSample(t *catalog.Table) {
	if t.Name == "flights" {
		t.Foreign = []catalog.Foreign{
			{Columns: []string{"origin"}, Table: "main.airports", To: []string{"iata"}},
			{Columns: []string{"destination"}, Table: "main.airports", To: []string{"iata"}},
		}
	}
}
