package documents_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/research/documents"
	"quaestor/research/search"
)

// library fills a folder with a few documents about a bakery.
func library(l *lab) {
	l.write("prices.md", "# Price list\n\nA loaf of rye bread costs 3 EUR.\n\n## Wholesale\n\nShops pay 2 EUR a loaf from 100 loaves on.")
	l.write("people.txt", "The bakery employs 42 people in Ghent.")
	l.write("sales.csv", "month: January, loaves: 9000\nmonth: February, loaves: 9500")
	l.write("plans.md", "# Plans\n\nA second oven is bought in 2027. The warehouse moves to Antwerp.")
}

func TestSearchFindsPassages(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil)
	library(l)
	l.sync()

	for _, tt := range []struct {
		query string
		want  []string // the first ones
		all   bool
	}{
		{"Ghent", []string{"people.txt"}, true},
		{"How many people does the bakery employ in Ghent?", []string{"people.txt"}, true},
		{"loaf price for shops", []string{"prices.md"}, true},
		{"ovens", []string{"plans.md"}, true},
		{"warehouse or Ghent", []string{"people.txt", "plans.md"}, true},
		{"loaves in February", []string{"sales.csv"}, false},
		{"wholesale", []string{"prices.md"}, true},
		{"quuux", nil, true},
		{"", nil, true},
		{"?! -- ...", nil, true},
	} {
		got := paths(l.search(tt.query))
		if !tt.all {
			got = got[:min(len(got), len(tt.want))]
		}
		slices.Sort(got)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.query, diff)
		}
	}
}

func TestPassagesAreStretchesOfTheirDocument(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil)
	l.write("long.md", "# Bread\n\n"+strings.Repeat("Rye bread — très bien — is baked at 240 °C. ", 200)+"\n\n## Storage\n\nBread is stored dry.")
	l.sync()

	got := l.search("bread stored dry")
	if len(got) < 5 || got[0].Heading != "Bread > Storage" || got[0].Title != "Bread" || got[0].Published != "2025-03-01" {
		t.Fatalf("found %d, the first is %+v", len(got), got[0])
	}
	d := l.find(got[0].Document)
	for _, p := range got {
		if d.Text[p.Start:p.End] != p.Content || p.SHA256 != d.SHA256 || p.Score <= 0 {
			t.Errorf("passage %d says %.40q, its document %.40q", p.N, p.Content, d.Text[p.Start:p.End])
		}
	}
}

func TestSearchIsTheSameEveryTime(t *testing.T) {
	t.Parallel()

	e, _ := encoder(t, "one")
	l := newLab(t, e)
	for i := range 30 {
		l.write(fmt.Sprintf("%02d.txt", i), "The same bread for everybody.")
	}
	l.sync()
	first, err := l.docs.Search(t.Context(), l.tenant, "bread for everybody", 7)
	if err != nil || len(first) != 7 {
		t.Fatalf("found %d, %v", len(first), err)
	}
	for range 5 {
		again, err := l.docs.Search(t.Context(), l.tenant, "bread for everybody", 7)
		if diff := cmp.Diff(first, again); err != nil || diff != "" {
			t.Errorf("%v (-first +again):\n%s", err, diff)
		}
	}
}

func TestHostileQueriesAreHarmless(t *testing.T) {
	t.Parallel()

	e, _ := encoder(t, "one")
	l := newLab(t, e)
	library(l)
	l.sync()
	for _, query := range []string{
		`'`, `''; DROP TABLE research_documents; --`, `"unclosed`, `\`, `%`, `a:*`, `!!`, `& | ! ( ) <-> :`, "\x00", "\xff\xfe", "\ufffd", "a\u0000b", "bread -bread", "or or or", "the of and",
		strings.Repeat("x", 10_240), strings.Repeat("x ", 5_120), strings.Repeat("or ", 3_400), strings.Repeat("-", 10_240), strings.Repeat(`"`, 10_240), strings.Repeat("ж", 5_000),
		"StartSel=<script>", "$1", "${1}", "%s%n", "a-b-c-d-e-f-" + strings.Repeat("-g", 500),
	} {
		if _, err := l.docs.Search(t.Context(), l.tenant, query, 1_000_000); err != nil {
			t.Errorf("search %.40q: %v", query, err)
		}
	}
	if got := l.search("Ghent"); len(got) == 0 {
		t.Error("nothing is left")
	}
}

func TestEngine(t *testing.T) {
	t.Parallel()

	l := newLab(t, nil)
	library(l)
	l.write("untitled.txt", "\nRye bread, again: "+strings.Repeat("bread and ", 300))
	l.sync()
	e := l.docs.Engine()

	hits, err := e.Search(t.Context(), search.Query{Tenant: l.tenant, Words: "rye bread", Max: 5})
	if err != nil || len(hits) != 2 {
		t.Fatalf("found %+v, %v; want two documents", hits, err)
	}
	for _, h := range hits {
		id, ok := documents.ID(h.URL)
		d := l.find(id)
		wantTitle := map[string]string{"prices.md": "Price list", "untitled.txt": "untitled.txt"}[d.Path]
		if !ok || documents.URL(id) != h.URL || h.Engine != "documents" || h.Engine != e.Name() || h.Title != wantTitle || !strings.Contains(strings.ToLower(h.Snippet), "rye bread") ||
			strings.Contains(h.Snippet, "\n") || len([]rune(h.Snippet)) > 1000 || h.Published != "2025-03-01" {
			t.Errorf("hit %+v of %s", h, d.Path)
		}
	}
	if hits, err := e.Search(t.Context(), search.Query{Tenant: l.tenant, Words: "rye bread", Max: 1}); err != nil || len(hits) != 1 {
		t.Errorf("Max 1 gives %d hits, %v", len(hits), err)
	}
	if _, err := e.Search(t.Context(), search.Query{Words: "rye bread"}); err == nil {
		t.Error("a search without a tenant is no error")
	}
	if _, ok := documents.ID("https://example.com/"); ok {
		t.Error("a web address is taken for a document")
	}
}

// crowd fills a tenant with passages, most of them about nothing. The index of the
// vectors is made anew, which is quicker than filling it.
func (l *lab) crowd(n int) {
	l.t.Helper()
	owner := postgrestest.Superuser(l.t, l.pool)
	own := func(sql string, args ...any) {
		l.t.Helper()
		if _, err := owner.Exec(l.t.Context(), sql, args...); err != nil {
			l.t.Fatal(err)
		}
	}
	var definition string
	if err := owner.QueryRow(l.t.Context(), `SELECT pg_get_indexdef('research_vectors_near'::regclass)`).Scan(&definition); err != nil {
		l.t.Fatal(err)
	}
	own(`DROP INDEX research_vectors_near`)
	own(`INSERT INTO research_documents (tenant_id, path, state, sha256, content, modified, read_at, checked_at)
		SELECT $1, i || '.txt', 'read', 'x', 'x', now(), now(), now() FROM generate_series(0, 19) AS i`, l.tenant)
	own(`INSERT INTO research_passages (tenant_id, document_id, n, start_byte, end_byte, heading, content)
		SELECT $1, d.id, i, 0, octet_length(c.text), '', c.text
		FROM generate_series(1, $2::int) AS i
		JOIN research_documents AS d ON d.tenant_id = $1 AND d.path = (i % 20) || '.txt'
		CROSS JOIN LATERAL (SELECT CASE WHEN i % 1000 = 0 THEN 'the needle ' ELSE 'some hay ' END || i || repeat(' and more of what documents say', 10)) AS c (text)`,
		l.tenant, n)
	own(`INSERT INTO research_vectors (tenant_id, document_id, n, encoder, digest, embedding)
		SELECT tenant_id, document_id, n, 'one/256', digest, ('[' || sin(n) || ',' || cos(n) || ',' || sin(n * 0.7) || ',' || cos(n * 1.3) || repeat(',0', 1532) || ']')::halfvec
		FROM research_passages`)
	own(`SET max_parallel_maintenance_workers = 0; SET maintenance_work_mem = '512MB'; ` + definition + `; ANALYZE research_passages, research_documents, research_vectors`)
}

// explain says how the database would answer a query while it searches for words.
func (l *lab) explain(words, query string) string {
	l.t.Helper()
	var plan []string
	b := postgres.NewBatch(l.tenant)
	_, _ = b.Exec(l.t.Context(), `SELECT set_config('app.search', $1, true)`, words)
	postgrestest.Rows[struct{ Line string }](b, func(r *struct{ Line string }) error {
		plan = append(plan, r.Line)
		return nil
	}, `EXPLAIN `+query)
	if err := b.Send(l.t.Context(), l.pool); err != nil {
		l.t.Fatal(err)
	}
	return strings.Join(plan, "\n")
}

func TestTwentyThousandPassagesAreSearchedByIndex(t *testing.T) {
	t.Parallel()

	e, _ := encoder(t, "one")
	l := newLab(t, e)
	l.crowd(20_000)
	vector := `'[0.5,0.5,0.5,0.5` + strings.Repeat(",0", 1532) + `]'::halfvec(1536)`
	for _, tt := range []struct{ name, search, query, index string }{
		{"words", "needle or haystack", `SELECT p.document_id, p.n FROM research_passages AS p WHERE p.tenant_id = '` + l.tenant + `'
			ORDER BY ts_rank(p.words, (SELECT current_search()), 1) DESC, p.document_id, p.n LIMIT 200`, "research_passages_words"},
		{"meaning", "", `SELECT v.document_id, v.n, (1 - (v.embedding <=> ` + vector + `))::float8 FROM research_vectors AS v WHERE v.tenant_id = '` + l.tenant + `' AND v.encoder = 'one/256'
			ORDER BY v.embedding <=> ` + vector + ` LIMIT 200`, "research_vectors_near"},
	} {
		if plan := l.explain(tt.search, tt.query); !strings.Contains(plan, tt.index) || strings.Contains(plan, "Seq Scan") {
			t.Errorf("%s: the plan does without %s:\n%s", tt.name, tt.index, plan)
		}
	}
	if got := l.search("where is the needle?"); len(got) != 20 {
		t.Errorf("found %d needles, want 20", len(got))
	}
	if got := l.search("some hay and the needle of which more documents say"); len(got) != 20 {
		t.Errorf("common words find %d passages, want 20", len(got))
	}
}
