package warehouse

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParseAction(t *testing.T) {
	t.Parallel()

	const sql = "SELECT 1"
	query := Action{Kind: QueryData, Query: sql}
	full := Action{Kind: QueryData, Thinking: "hm", Query: sql, Purpose: "why"}
	lookup := Action{Kind: LookupSchema, Tables: []string{"a.b", "c"}}
	search := Action{Kind: SearchTables, Search: "late orders", TopK: 10}
	done := Action{Kind: Complete, Summary: "all of it"}
	for _, tt := range []struct {
		name, reply string
		want        Action
	}{
		{"query", `{"thinking":"hm","query":"SELECT 1","query_purpose":"why"}`, full},
		{"lookup", `{"lookup_schema":["a.b","c","a.b",""]}`, lookup},
		{"lookup of one", `{"lookup_schema":"a.b, c"}`, lookup},
		{"lookup in an object", `{"lookup_schema":{"tables":["a.b","c"]}}`, lookup},
		{"search", `{"search_tables":"late orders"}`, search},
		{"search for words", `{"search_tables":["late","orders"]}`, search},
		{"search of many", `{"search_tables":"late orders","search_top_k":900}`, Action{Kind: SearchTables, Search: "late orders", TopK: MaxSearchTopK}},
		{"search of a quoted number", `{"search_tables":"late orders","search_top_k":"5"}`, Action{Kind: SearchTables, Search: "late orders", TopK: 5}},
		{"search of none", `{"search_tables":"late orders","search_top_k":-3}`, search},
		{"done", `{"done":true,"summary":"all of it"}`, done},
		{"done in quotes", `{"done":"true","summary":"all of it"}`, done},
		{"legacy query", `{"action":"query_data","thinking":"hm","query":"SELECT 1","query_purpose":"why"}`, full},
		{"legacy lookup", `{"action":"lookup_schema","tables":["a.b","c"]}`, lookup},
		{"legacy search", `{"action":"search_tables","query":"late orders"}`, search},
		{"legacy done", `{"action":"complete","reason":"all of it"}`, done},
		{"legacy in capitals", `{"action":"COMPLETE","summary":"all of it"}`, done},
		{"envelope of a query", `{"name":"query_data","input":{"query":"SELECT 1","purpose":"why","thinking":"hm"}}`, full},
		{"envelope of a lookup", `{"name":"lookup_schema","input":{"tables":["a.b","c"]}}`, lookup},
		{"envelope of a search", `{"name":"search_tables","input":{"query":"late orders","top_k":10}}`, search},
		{"envelope of being done", `{"name":"complete","input":{"summary":"all of it"}}`, done},
		{"envelope with a text", `{"name":"query_data","arguments":"{\"query\":\"SELECT 1\"}"}`, query},
		{"envelope around a message", `{"message":{"query":"SELECT 1"}}`, query},
		{"done before query", `{"query":"SELECT 1","done":true,"summary":"all of it"}`, done},
		{"query before lookup", `{"lookup_schema":["a"],"query":"SELECT 1"}`, query},
		{"lookup before search", `{"search_tables":"x","lookup_schema":["a.b","c"]}`, lookup},
		{"done that is false", `{"done":false,"query":"SELECT 1"}`, query},

		{"fenced", "Here it is:\n```json\n{\"query\":\"SELECT 1\"}\n```\nThat will do.", query},
		{"fenced without a name", "```\n{\"query\":\"SELECT 1\"}\n```", query},
		{"after prose with a stray brace", `I take {this} and { that. {"query":"SELECT 1"}`, query},
		{"before a note", `{"query":"SELECT 1"} {"note":"see {above}"}`, query},
		{"before an object with a name", `{"query":"SELECT 1"} {"name":"orders"}`, query},
		{"a lookup before a note", `{"lookup_schema":["a.b","c"]} {"why":1}`, lookup},
		{"the last of two", `{"query":"SELECT 2"} no, rather {"query":"SELECT 1"}`, query},
		{"after thoughts", `<think>{"query":"DROP TABLE x"}</think>{"query":"SELECT 1"}`, query},
		{"after thoughts that began before", `{"query":"SELECT 2"} so</think>{"query":"SELECT 1"}`, query},
		{"before thoughts without end", `{"query":"SELECT 1"}<think>and {"query":"SELECT 2"}`, query},
		{"in thoughts without end", `<think>{"query":"SELECT 1"}`, query},
		{"done in prose only", `I am done and complete. {"query":"SELECT 1"}`, query},

		{"trailing commas", `{"lookup_schema":["a.b","c",],}`, lookup},
		{"bent quotes", `{“query”:“SELECT 1”}`, query},
		{"bent quotes around keys", `{“query”:"SELECT 1"}`, query},
		{"line ends in strings", "{\"query\":\"SELECT\n1\"}", Action{Kind: QueryData, Query: "SELECT\n1"}},
		{"escapes", `{"query":"SELECT \"a\\b\"\n\t\u00e9\ud83d\ude00\'"}`, Action{Kind: QueryData, Query: "SELECT \"a\\b\"\n\té😀'"}},
		{"half a pair", `{"query":"\ud83d x"}`, Action{Kind: QueryData, Query: "\ufffd x"}},
		{"names of Python", `{"done":False,"note":None,"query":"SELECT 1"}`, query},
		{"braces in strings", `{"query":"SELECT 1","thinking":"a } and a {"}`, Action{Kind: QueryData, Query: sql, Thinking: "a } and a {"}},
		{"other keys", `{"a":{"b":[1,{"c":null}]},"query":"SELECT 1","d":[[],{}]}`, query},
		{"a lookup that holds a number", `{"query":"SELECT 1","lookup_schema":[]}`, query},

		{"cut off behind the query", `{"query":"SELECT 1","thinking":"and the`, query},
		{"cut off behind the last value", `{"query":"SELECT 1"`, query},
		{"cut off in an envelope", `{"name":"query_data","input":{"query":"SELECT 1","purpose":"wh`, query},
		{"cut off behind true", `{"done":true`, Action{Kind: Complete}},
		{"cut off in a note", `{"query":"SELECT 1"} {"note":"and`, query},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := ParseAction(tt.reply, AllActions)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseActionRefuses(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ name, reply, want string }{
		{"nothing", "", "no JSON object"},
		{"prose", "I am done.", "no JSON object"},
		{"a stray brace", "so { it goes", "no JSON object"},
		{"an array", `["done"]`, "no JSON object"},
		{"an object of nothing", `{"note":"x"}`, "asks for nothing"},
		{"an empty query", `{"done":false,"query":""}`, "asks for nothing"},
		{"an unknown action", `{"action":"drop","query":""}`, `no action "drop"`},
		{"an action without its value", `{"action":"query_data"}`, "value of query is missing"},
		{"a lookup of nothing", `{"action":"lookup_schema","tables":[" "]}`, "value of lookup_schema is missing"},
		{"a query that is a number", `{"query":7}`, "query is no string"},
		{"a lookup of numbers", `{"lookup_schema":[1,2]}`, "holds what is no string"},
		{"a query that is cut off", `{"thinking":"x","query":"SELECT`, "the value of query is not closed"},
		{"a query that is cut off after one that is not", `{"query":"SELECT 1"} {"query":"SELECT`, "the value of query is not closed"},
		{"a lookup that is cut off", `{"lookup_schema":["a","b`, "the value of lookup_schema is not closed"},
		{"an envelope that is cut off", `{"name":"query_data","input":{"query":"SELECT`, "the value of query is not closed"},
		{"a key that is cut off", `{"thinking":"x","que`, "a key is not closed"},
		{"done that is cut off", `{"done":tr`, "is not closed"},
		{"too deep", strings.Repeat(`{"a":`, 100) + `{"query":"SELECT 1"}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := ParseAction(tt.reply, AllActions)
			if tt.want == "" {
				return // either is right, as long as it ends
			}
			var fault *ActionError
			if !errors.As(err, &fault) || !IsNoAction(err) || fault.Remedy == "" || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("it is %+v, %v; want %q and a remedy", got, err, tt.want)
			}
		})
	}
}

func TestParseActionAllows(t *testing.T) {
	t.Parallel()

	for _, reply := range []string{`{"done":true}`, `{"search_tables":"x"}`} {
		if _, err := ParseAction(reply, VerifierActions); err == nil || !strings.Contains(err.Error(), "use one of: lookup_schema, query_data") {
			t.Errorf("a verifier may ask %s: %v", reply, err)
		}
	}
	if _, err := ParseAction(`{"query":"SELECT 1"}`, VerifierActions); err != nil {
		t.Error(err)
	}
}

// An action is found whatever stands around it, as long as no other object does.
func TestParseActionProperties(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		sql := rapid.StringMatching(`[a-z {}"'\\\n,:\[\]]{1,40}`).Draw(t, "sql")
		want := strings.TrimSpace(sql) != ""
		noise := rapid.StringMatching(`[a-z {}"',:\[\]\n]{0,30}`)
		reply := noise.Draw(t, "before") + "\n" + fmt.Sprintf(`{"query":%q}`, sql) + "\n" + rapid.StringMatching(`[a-z }"',:\[\]\n]{0,30}`).Draw(t, "after")
		got, err := ParseAction(reply, AllActions)
		if strings.Count(reply[:strings.Index(reply, "{\"query\"")], `"`)%2 == 1 || !want {
			return // a string that begins before it may hide it
		}
		if err != nil || got.Query != sql {
			t.Fatalf("in %q it finds %q, %v", reply, got.Query, err)
		}
	})
}

func FuzzParseAction(f *testing.F) {
	for _, s := range []string{`{"query":"SELECT 1"}`, `{"name":"complete","input":"{}"}`, "{\"a\":[{\"b\":\"\\", "<think></think>{", `{“query”:“x`, `{"lookup_schema":{"tables":[1,`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseAction(s, AllActions)
		if err != nil {
			if !IsNoAction(err) || err.Error() == "" {
				t.Errorf("%q: %v", s, err)
			}
			return
		}
		whole := map[ActionKind]bool{QueryData: a.Query != "", LookupSchema: len(a.Tables) > 0, SearchTables: a.Search != "" && a.TopK > 0 && a.TopK <= MaxSearchTopK, Complete: true}
		if !whole[a.Kind] {
			t.Errorf("%q gives %+v", s, a)
		}
	})
}

// A reply of any shape is read in time that grows with its length.
func BenchmarkParseAction(b *testing.B) {
	const plain = `{"thinking":"Revenue by month tells whether the dip of March is one of all regions or of one; orders has both.","query":"SELECT region, date_trunc('month', placed_at) AS m, sum(total) FROM sales.orders GROUP BY 1, 2","query_purpose":"revenue by month"}`
	prose := strings.Repeat("The {first} table has \"names\" and I wonder about it. ", 400)
	for name, reply := range map[string]string{
		"plain":                  plain,
		"fenced":                 "```json\n" + plain + "\n```",
		"after 20 KB":            prose + plain,
		"envelope":               `{"name":"lookup_schema","input":{"tables":["sales.orders","sales.customers"]}}`,
		"1 MB of nested objects": strings.Repeat(`{"a":`, 200_000),
		"1 MB of open strings":   strings.Repeat(`{"a`, 330_000),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(reply)))
			for b.Loop() {
				_, _ = ParseAction(reply, AllActions)
			}
		})
	}
}
