package sessions_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// speak puts messages into a session as turns that are over, and indexes them.
func (j *journal) speak(s obligations.Scope, first int, texts ...string) {
	j.t.Helper()
	b := postgres.NewBatch(s.Tenant)
	for i, text := range texts {
		_, _ = b.Exec(j.t.Context(), `INSERT INTO turns (tenant_id, session_id, number, user_id, body_hash, first_seq, status, instance_id) VALUES ($1, $2, $3, 'someone', '', 1, 'done', $2)`,
			s.Tenant, s.Session, first+i)
		sessions.AddMessage(b, s, sessions.Message{Turn: first + i, Role: sessions.FromUser, User: "someone", Content: text, Complete: true})
	}
	_, _ = b.Exec(j.t.Context(), `UPDATE elicitation_sessions SET turn_count = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2`, s.Tenant, s.Session, first+len(texts)-1)
	j.send(b)
	j.index(s.Tenant)
}

// index makes everything of a tenant searchable, without vectors.
func (j *journal) index(tenant string) {
	j.t.Helper()
	library := objectives.NewLibrary(j.pool)
	due, err := sessions.Due(j.t.Context(), j.pool, tenant, "", 100)
	if err != nil {
		j.t.Fatal(err)
	}
	for _, u := range due {
		if u.Indexed, err = sessions.Index(j.t.Context(), j.pool, library, u); err != nil {
			j.t.Fatal(err)
		}
		if err := sessions.Indexed(j.t.Context(), j.pool, u, ""); err != nil {
			j.t.Fatal(err)
		}
	}
}

func (j *journal) search(q sessions.Query) []sessions.Hit {
	j.t.Helper()
	if q.Tenant == "" {
		q.Tenant = j.scope.Tenant
	}
	hits, err := sessions.Search(j.t.Context(), j.pool, q)
	if err != nil {
		j.t.Fatalf("search %+v: %v", q, err)
	}
	return hits
}

func keysFound(hits []sessions.Hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, string(h.Kind)+" "+h.Key)
	}
	return out
}

func TestSearchFindsWords(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	other := j.another("somebody else", "idea_discovery")
	j.speak(j.scope, 1, "We sell bicycles to commuters.", "Our warehouse is in Ghent.", "Repairs are done by two mechanics.")
	j.speak(other, 1, "An app for cyclists; warehouses come later.")

	for _, tt := range []struct {
		name string
		in   sessions.Query
		want []string
	}{
		{"a word", sessions.Query{Words: "Ghent"}, []string{"message 2-user"}},
		{"another form of it", sessions.Query{Words: "mechanic"}, []string{"message 3-user"}},
		{"either", sessions.Query{Words: "mechanics or bicycle", Session: j.scope.Session}, []string{"message 1-user", "message 3-user"}},
		{"a phrase", sessions.Query{Words: `"two mechanics"`}, []string{"message 3-user"}},
		{"a phrase that is not there", sessions.Query{Words: `"mechanics two"`}, nil},
		{"without", sessions.Query{Words: "warehouse -Ghent"}, []string{"message 1-user"}},
		{"one person's", sessions.Query{Words: "warehouse", User: "someone"}, []string{"message 2-user"}},
		{"one session's", sessions.Query{Words: "warehouse", Session: other.Session}, []string{"message 1-user"}},
		{"one kind", sessions.Query{Words: "warehouse", Kind: sessions.FoundObligation}, nil},
		{"nothing asked", sessions.Query{Words: " \t"}, nil},
		{"no words", sessions.Query{Words: `"" & | ! <->`}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			got := keysFound(j.search(tt.in))
			slices.Sort(got)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSearchKeepsTenantsApart(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	j.speak(j.scope, 1, "Our warehouse is in Ghent.")
	neighbour := postgrestest.Tenant(t, j.pool)

	if hits := j.search(sessions.Query{Tenant: neighbour, Words: "Ghent"}); len(hits) != 0 {
		t.Errorf("another tenant finds %+v", hits)
	}
	if hits := j.search(sessions.Query{Words: "Ghent"}); len(hits) != 1 {
		t.Errorf("the tenant itself finds %+v", hits)
	}
}

func TestHighlightsAreStretchesOfTheSnippet(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	j.speak(j.scope, 1, "Ça alors 🚲! We sell <b>bicycles</b> and one more bicycle & \ue000that\ue001 is it.")
	hits := j.search(sessions.Query{Words: "bicycle"})

	if len(hits) != 1 {
		t.Fatalf("found %+v, want one", hits)
	}
	units := utf16.Encode([]rune(hits[0].Snippet))
	var got []string
	for _, s := range hits[0].Highlights {
		got = append(got, string(utf16.Decode(units[s.Start:s.End])))
	}
	if diff := cmp.Diff([]string{"bicycles", "bicycle"}, got); diff != "" {
		t.Errorf("highlights of %q (-want +got):\n%s", hits[0].Snippet, diff)
	}
	if strings.ContainsAny(hits[0].Snippet, "\ue000\ue001") {
		t.Errorf("marks were left in %q", hits[0].Snippet)
	}
}

func TestHostileQueriesAreHarmless(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	j.speak(j.scope, 1, "Our warehouse is in Ghent.")
	vector := slices.Repeat([]float32{0.1}, 8)

	for _, words := range []string{
		`'`, `''; DROP TABLE messages; --`, `"unclosed`, `\`, `%`, `a:*`, `!!`, `& | ! ( ) <-> :`, "\x00", "\xff\xfe", "\ufffd", "a\u0000b",
		strings.Repeat("x", 10_240), strings.Repeat("x ", 5_120), strings.Repeat("or ", 3_400), strings.Repeat("-", 10_240), strings.Repeat(`"`, 10_240),
		strings.Repeat("ж", 5_000), "\ue000 \ue001", "StartSel=<script>", "$1", "${1}", "%s%n",
	} {
		for _, q := range []sessions.Query{{Words: words}, {Words: words, Encoder: "one", Vector: vector}} {
			q.Tenant = j.scope.Tenant
			if _, err := sessions.Search(t.Context(), j.pool, q); err != nil {
				t.Errorf("search %.40q: %v", words, err)
			}
		}
	}
}

// axis is a vector along one axis.
func axis(n int) []float32 {
	v := make([]float32, 8)
	v[n] = 1
	return v
}

// encode gives the messages of a session vectors, the nth along axis n mod 8.
func (j *journal) encode(s obligations.Scope, encoder string) {
	j.t.Helper()
	texts, err := sessions.LoadUnencoded(j.t.Context(), j.pool, s, encoder, 1000)
	if err != nil {
		j.t.Fatal(err)
	}
	texts = slices.DeleteFunc(texts, func(u sessions.PendingVector) bool { return u.Kind != string(sessions.FoundMessage) })
	vectors := make([][]float32, len(texts))
	for i := range texts {
		vectors[i] = axis(i % 8)
	}
	if err := sessions.SaveVectors(j.t.Context(), j.pool, s, encoder, texts, vectors); err != nil {
		j.t.Fatal(err)
	}
}

func TestSearchByMeaningComparesVectorsOfOneEncoderOnly(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	j.speak(j.scope, 1, "We sell bicycles.", "Our warehouse is in Ghent.")
	j.encode(j.scope, "one")

	for _, tt := range []struct {
		name, encoder string
		vector        []float32
		want          []string
	}{
		{"its encoder", "one", axis(1), []string{"message 2-user"}},
		{"another encoder", "two", axis(1), nil},
		{"too far off", "one", axis(5), nil},
		{"no vector", "one", nil, nil},
	} {
		if diff := cmp.Diff(tt.want, keysFound(j.search(sessions.Query{Words: "quuux", Encoder: tt.encoder, Vector: tt.vector}))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	if got := keysFound(j.search(sessions.Query{Words: "bicycles", Encoder: "one", Vector: axis(1)})); len(got) != 2 || got[0] != "message 1-user" && got[0] != "message 2-user" {
		t.Errorf("both rankings give %v, want both messages", got)
	}
}

func TestEncodingIsDueAgainForAnotherEncoderAndForOtherWords(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	j.speak(j.scope, 1, "We sell bicycles.")
	all, err := sessions.LoadUnencoded(t.Context(), j.pool, j.scope, "one", 1000)
	if err != nil {
		t.Fatal(err)
	}
	if err := sessions.SaveVectors(t.Context(), j.pool, j.scope, "one", all, make([][]float32, len(all))); err != nil {
		t.Fatal(err)
	}
	j.exec(`UPDATE search_texts SET content = 'Something else' WHERE tenant_id = $1 AND session_id = $2 AND kind = 'session'`, j.scope.Tenant, j.scope.Session)

	for encoder, want := range map[string]int{"one": 1, "two": len(all)} {
		got, err := sessions.LoadUnencoded(t.Context(), j.pool, j.scope, encoder, 1000)
		if err != nil || len(got) != want {
			t.Errorf("%d texts have no vector of %s (%v), want %d", len(got), encoder, err, want)
		}
	}
	due := func(encoder string) int {
		list, err := sessions.Due(t.Context(), j.pool, j.scope.Tenant, encoder, 10)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	if n, m := due(""), due("two"); n != 0 || m != 1 {
		t.Errorf("due without an encoder %d, with another one %d; want 0 and 1", n, m)
	}
}

func TestMessagesOfARunningTurnWait(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	j.speak(j.scope, 1, "We sell bicycles.")
	b := postgres.NewBatch(j.scope.Tenant)
	_, _ = b.Exec(t.Context(), `INSERT INTO turns (tenant_id, session_id, number, user_id, body_hash, first_seq, instance_id) VALUES ($1, $2, 2, 'someone', '', 1, $2)`, j.scope.Tenant, j.scope.Session)
	sessions.AddMessage(b, j.scope, sessions.Message{Turn: 2, Role: sessions.FromUser, Content: "And tricycles.", Complete: true})
	_, _ = b.Exec(t.Context(), `UPDATE elicitation_sessions SET turn_count = 2 WHERE tenant_id = $1 AND id = $2`, j.scope.Tenant, j.scope.Session)
	j.send(b)
	j.index(j.scope.Tenant)

	if hits := j.search(sessions.Query{Words: "tricycles"}); len(hits) != 0 {
		t.Errorf("found %+v while the turn runs", hits)
	}
	j.exec(`UPDATE turns SET status = 'failed' WHERE tenant_id = $1 AND session_id = $2 AND number = 2`, j.scope.Tenant, j.scope.Session)
	j.index(j.scope.Tenant)
	if got := keysFound(j.search(sessions.Query{Words: "tricycles"})); !slices.Equal(got, []string{"message 2-user"}) {
		t.Errorf("found %v after the turn", got)
	}
}

// crowd fills a tenant with texts and vectors, most of them about nothing. The vectors
// go every way: along a line, as neighbours of neighbours, an index may miss whole
// stretches. It is made anew, which is quicker than filling it.
func (j *journal) crowd(n int) {
	j.t.Helper()
	owner := postgrestest.Superuser(j.t, j.pool)
	var definition string
	if err := owner.QueryRow(j.t.Context(), `SELECT pg_get_indexdef('embeddings_near'::regclass)`).Scan(&definition); err != nil {
		j.t.Fatal(err)
	}
	own := func(sql string) {
		if _, err := owner.Exec(j.t.Context(), sql); err != nil {
			j.t.Fatal(err)
		}
	}
	own(`DROP INDEX embeddings_near`)
	j.exec(`INSERT INTO search_texts (tenant_id, session_id, kind, key, user_id, at, content)
		SELECT $1, $2, 'message', i || '-crowd', 'someone', now(), CASE WHEN i % 1000 = 0 THEN 'the needle ' ELSE 'some hay ' END || i || repeat(' and more of what people say', 12)
		FROM generate_series(1, $3::int) AS i`, j.scope.Tenant, j.scope.Session, n)
	j.exec(`INSERT INTO embeddings (tenant_id, session_id, kind, key, user_id, encoder, digest, embedding)
		SELECT $1, $2, 'message', i || '-crowd', 'someone', 'one', '',
			('[' || (SELECT string_agg((x - floor(x) - 0.5)::text, ',' ORDER BY k) FROM generate_series(1, 8) AS k, LATERAL (SELECT sin(i * 12.9898 + k * 78.233) * 43758.5453 AS x) AS noise)
				|| repeat(',0', 1528) || ']')::halfvec FROM generate_series(1, $3::int) AS i`,
		j.scope.Tenant, j.scope.Session, n)
	own(`SET max_parallel_maintenance_workers = 0; SET maintenance_work_mem = '256MB'; ` + definition + `; ANALYZE search_texts, embeddings`)
}

func TestTenThousandTextsAreSearchedByIndex(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	j.crowd(10_000)
	vector := []float32{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}
	for _, tt := range []struct{ name, search, query, index string }{
		{"words", "needle", `SELECT t.key FROM search_texts AS t WHERE t.tenant_id = '` + j.scope.Tenant + `'
			ORDER BY ts_rank_cd(t.words, (SELECT current_search())) DESC LIMIT 200`, "search_texts_words"},
		{"meaning", "", `SELECT e.key FROM embeddings AS e WHERE e.tenant_id = '` + j.scope.Tenant + `' AND e.encoder = 'one'
			ORDER BY e.embedding <=> '` + obligations.VectorText(vector) + `'::halfvec(1536) LIMIT 200`, "embeddings_near"},
	} {
		if plan := j.explain(tt.search, tt.query); !strings.Contains(plan, tt.index) || strings.Contains(plan, "Seq Scan") {
			t.Errorf("%s: the plan does without %s:\n%s", tt.name, tt.index, plan)
		}
	}
	if got := j.search(sessions.Query{Words: "needle"}); len(got) != 10 {
		t.Errorf("found %d needles, want 10", len(got))
	}

	query := sessions.Query{Words: "quuux", Encoder: "one", Vector: vector, Max: 20}
	near := keysFound(j.search(query))
	query.Session = j.scope.Session // compares all
	exact := keysFound(j.search(query))
	missed := slices.DeleteFunc(slices.Clone(exact), func(key string) bool { return slices.Contains(near, key) })
	if len(exact) != 20 || len(missed) > 5 {
		t.Errorf("of the %d nearest the index missed %v", len(exact), missed)
	}
	if got := keysFound(j.search(query)); !slices.Equal(got, exact) {
		t.Error("searching again gives another order")
	}
}

// explain says how the database would answer a query while it searches for words.
func (j *journal) explain(words, query string) string {
	j.t.Helper()
	var plan []string
	b := postgres.NewBatch(j.scope.Tenant)
	_, _ = b.Exec(j.t.Context(), `SELECT set_config('app.search', $1, true)`, words)
	postgrestest.Rows[struct{ Line string }](b, func(r *struct{ Line string }) error {
		plan = append(plan, r.Line)
		return nil
	}, `EXPLAIN `+query)
	j.send(b)
	return strings.Join(plan, "\n")
}
