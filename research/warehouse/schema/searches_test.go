package schema_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quaestor/internal/embedding"
	"quaestor/internal/postgres/cluster"
	"quaestor/research/warehouse/catalog"
)

// searched is a warehouse with searches for its tables.
type searched struct {
	name   string
	tables []catalog.Table
	values map[string]map[string][]string // of tables by column, each twelve times
	asks   []struct{ words, want string }
}

// searches reads the warehouses of testdata/searches.txt.
func searches(t *testing.T) []searched {
	t.Helper()
	data, err := os.ReadFile("testdata/searches.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []searched
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '@':
			out = append(out, searched{name: strings.TrimSpace(line[1:]), values: map[string]map[string][]string{}})
		case line[0] == '?':
			words, want, _ := strings.Cut(line[2:], " = ")
			s := &out[len(out)-1]
			s.asks = append(s.asks, struct{ words, want string }{words, want})
		default:
			s := &out[len(out)-1]
			t := searchedTable(line)
			s.tables = append(s.tables, t)
			s.values[t.Ref()] = searchedValues(t, line)
		}
	}
	return out
}

// searchedTable reads the line of a table.
func searchedTable(line string) catalog.Table {
	parts := strings.Split(line, "|")
	t := describe(strings.Join(parts[:3], "|"))
	for f := range strings.SplitSeq(parts[4], ";") {
		if column, table, ok := strings.Cut(f, ">"); ok {
			t.Foreign = append(t.Foreign, catalog.Foreign{Columns: []string{column}, Table: table, To: []string{column}})
		}
	}
	return t
}

// searchedValues reads the values of a table's columns, twelve rows of each. Columns without any
// have numbers.
func searchedValues(t catalog.Table, line string) map[string][]string {
	out := map[string][]string{}
	for _, c := range t.Columns {
		out[c.Name] = slices.Repeat([]string{"17", "18"}, 6)
	}
	for f := range strings.SplitSeq(strings.Split(line, "|")[3], ";") {
		if column, list, ok := strings.Cut(f, "="); ok {
			values := strings.Split(list, ",")
			out[column] = slices.Repeat(values, 12)[:12]
		}
	}
	return out
}

// tally counts the places at which searches find what they should.
type tally struct{ asks, first, three int }

func (n tally) share() (first, three float64) {
	return float64(n.first) / float64(n.asks), float64(n.three) / float64(n.asks)
}

// measured searches all warehouses and returns the tallies of the searches that weights were set
// with, and of those held back.
func measured(t *testing.T, e embedding.Encoder) (seen, held tally) {
	t.Helper()
	for _, s := range searches(t) {
		l := newLab(t, e, s.tables...)
		l.house.values = s.values
		l.refresh()
		if e != nil {
			l.encode()
		}
		for i, q := range s.asks {
			n := &seen
			if i%2 == 1 {
				n = &held
			}
			n.asks++
			hits := l.search(q.words, 3)
			for _, h := range hits {
				if h.Score < 0 || h.Score > 1 || h.Because == "" {
					t.Errorf("%q finds %+v", q.words, h)
				}
			}
			at := slices.Index(refs(hits), q.want)
			if at == 0 {
				n.first++
			}
			if at >= 0 {
				n.three++
			}
			if at != 0 {
				t.Logf("%s: %q wants %s and finds %q", s.name, q.words, q.want, refs(hits))
			}
		}
	}
	return seen, held
}

// The bounds hold a little below what was measured.
func TestSearchesFindTheirTables(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		name         string
		encoder      embedding.Encoder
		first, three float64
	}{{"by words", nil, 0.92, 0.96}, {"with meaning", lite(t), 0.92, 0.96}} {
		seen, held := measured(t, c.encoder)
		for which, n := range map[string]tally{"set with": seen, "held back": held} {
			first, three := n.share()
			t.Logf("%s, %d searches %s: %.0f %% first, %.0f %% among three", c.name, n.asks, which, 100*first, 100*three)
			if first < c.first || three < c.three {
				t.Errorf("%s, %s: %.2f first, %.2f among three; at least %.2f and %.2f", c.name, which, first, three, c.first, c.three)
			}
		}
		if seen.asks+held.asks < 60 {
			t.Errorf("there are %d searches", seen.asks+held.asks)
		}
	}
}

// lite returns the encoder that comes with the server, which make provision fetches.
func lite(t *testing.T) embedding.Encoder {
	t.Helper()
	dir := filepath.Join(cluster.SharedDir(), "encoder")
	if err := embedding.Check(dir); err != nil {
		t.Fatalf("run make provision: %v", err)
	}
	return embedding.NewLite(dir)
}

// Values that recur make a table found, and those that tell of people do not.
func TestValuesThatFind(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil, catalog.Table{Schema: "shop", Name: "visits", Rows: 12, Columns: []catalog.Column{{Name: "kind", Type: "text"}, {Name: "customer_name", Type: "text"}, {Name: "note", Type: "text"}, {Name: "contact", Type: "text"}}},
		catalog.Table{Schema: "shop", Name: "emergencies", Columns: []catalog.Column{{Name: "id", Type: "int"}}})
	l.house.values = map[string]map[string][]string{"shop.visits": {
		"kind":          slices.Repeat([]string{"checkup", "walk in"}, 6),
		"customer_name": slices.Repeat([]string{"Wilhelmine", "Bartholomew"}, 6),
		"note":          {"alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett", "kilo", "lima"},
		"contact":       slices.Repeat([]string{"ann@example.org", "bob@example.org"}, 6),
	}}
	l.refresh()
	if hits := l.search("checkup", 3); len(hits) != 1 || hits[0].Ref != "shop.visits" || hits[0].Because != "column kind has the value 'checkup'" {
		t.Errorf("got %+v", hits)
	}
	for _, words := range []string{"Wilhelmine", "foxtrot", "ann@example.org", "example"} {
		if hits := l.search(words, 3); len(hits) != 0 {
			t.Errorf("%s finds %+v", words, hits)
		}
	}
	for _, table := range l.load().Tables {
		for column := range table.Categories {
			if column != "kind" {
				t.Errorf("column %s has categories", column)
			}
		}
	}
}
