package repair_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/repair"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// scripted is a warehouse that finds fault with statements by a script, one answer a
// statement, and takes those without one.
type scripted struct {
	dialect guard.Dialect
	faults  []error
	asked   []warehouse.Query
}

func (s *scripted) Dialect() guard.Dialect  { return s.dialect }
func (s *scripted) Filter() guard.Filter    { return guard.Filter{Column: "shop_id", Value: "7"} }
func (s *scripted) Catalog() *catalog.Index { return shop() }
func (s *scripted) Close() error            { return nil }

func (s *scripted) Ask(_ context.Context, q warehouse.Query) (warehouse.Answer, error) {
	s.asked = append(s.asked, q)
	if n := len(s.asked); n <= len(s.faults) && s.faults[n-1] != nil {
		return warehouse.Answer{}, s.faults[n-1]
	}
	return warehouse.Answer{Result: &warehouse.Result{Rows: 1}, Sent: guard.Statement{SQL: q.SQL}}, nil
}

func (s *scripted) Lookup(context.Context, []string) (warehouse.LookupAnswer, error) {
	return warehouse.LookupAnswer{}, errors.New("nobody looks up here")
}

func (s *scripted) Search(context.Context, string, int) ([]warehouse.Hit, error) {
	return nil, errors.New("nobody searches here")
}

func because(class warehouse.ErrorClass, name string) error {
	return warehouse.NewQueryError(class, "the warehouse says so of "+name, name, nil)
}

// model returns a model that gives the replies in order, and what it was asked.
func model(t *testing.T, replies ...string) (*llm.Client, *llmtest.Server) {
	t.Helper()
	server := llmtest.New(t)
	for _, r := range replies {
		server.Enqueue(llmtest.Reply{Text: r, Usage: &llmtest.Usage{PromptTokens: 100, CompletionTokens: 10, TotalTokens: 110}})
	}
	c, err := llm.New(llm.Options{BaseURL: server.URL(), Model: "repairer", Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, server
}

func question(sql string) warehouse.Query {
	return warehouse.Query{SQL: sql, Run: "11111111-1111-1111-1111-111111111111", Step: 4}
}

func TestSoundStatementIsAskedOnce(t *testing.T) {
	t.Parallel()

	src := &scripted{dialect: pg}
	got, fixes, err := repair.Run(t.Context(), repair.Fixer{}, src, question("SELECT 1"), repair.Options{})
	if err != nil || len(fixes) != 0 || len(src.asked) != 1 || got.Sent.SQL != "SELECT 1" {
		t.Errorf("Run = %+v, %v, %v after %d questions", got, fixes, err, len(src.asked))
	}
}

func TestRuleComesBeforeTheModel(t *testing.T) {
	t.Parallel()

	client, server := model(t)
	src := &scripted{dialect: pg, faults: []error{because(column, "amuont"), because(warehouse.DivisionByZero, "")}}
	got, fixes, err := repair.Run(t.Context(), repair.Fixer{Model: client}, src, question("SELECT sum(amuont) / count(discount) FROM sales.orders"), repair.Options{})

	if err != nil || got.Sent.SQL != "SELECT sum(amount) / NULLIF(count(discount), 0) FROM sales.orders" {
		t.Fatalf("Run = %q, %v", got.Sent.SQL, err)
	}
	if len(server.Requests()) != 0 {
		t.Error("the model was asked though rules sufficed")
	}
	var story []string
	for _, f := range fixes {
		story = append(story, fmt.Sprint(f.By, " ", f.Rule, " ", f.Class, " ", f.Works, " ", f.Took > 0, " ", f.Spent.Calls))
	}
	if diff := cmp.Diff([]string{"local column unknown_column false true 0", "local division by zero division_by_zero true true 0"}, story); diff != "" {
		t.Errorf("fixes (-want +got):\n%s", diff)
	}
	for _, q := range src.asked {
		if q.Run != question("").Run || q.Step != 4 {
			t.Errorf("asked as run %q, step %d", q.Run, q.Step)
		}
	}
}

func TestFaultsThatNoStatementCuresComeBackAtOnce(t *testing.T) {
	t.Parallel()

	for _, class := range []warehouse.ErrorClass{warehouse.TimedOut, warehouse.NoPermission, warehouse.OverQuota, warehouse.Unreachable} {
		client, server := model(t, `{"fixed_sql":"SELECT 2"}`)
		src := &scripted{dialect: my, faults: []error{because(class, "")}}
		_, fixes, err := repair.Run(t.Context(), repair.Fixer{Model: client}, src, question("SELECT 1;"), repair.Options{})
		if warehouse.ClassOf(err) != class || len(fixes) != 0 || len(src.asked) != 1 || len(server.Requests()) != 0 {
			t.Errorf("%s: %v after %d questions, %d calls and fixes %v", class, err, len(src.asked), len(server.Requests()), fixes)
		}
	}
	src := &scripted{dialect: my, faults: []error{errors.New("the audit cannot be written")}}
	if _, fixes, err := repair.Run(t.Context(), repair.Fixer{}, src, question("SELECT 1;"), repair.Options{}); err == nil || len(fixes) != 0 || len(src.asked) != 1 {
		t.Errorf("a fault that is not of the warehouse: %v, %v after %d questions", err, fixes, len(src.asked))
	}
}

func TestModelRepairsWhatRulesCannot(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ name, reply string }{
		{"object", `{"fixed_sql": "SELECT sum(amount) FROM sales.orders"}`},
		{"object in prose", "The column {name} is amount.\n```json\n{\"fixed_sql\": \"SELECT sum(amount) FROM sales.orders\"}\n```\nDone {x}"},
		{"fence", "Here:\n```sql\nSELECT sum(amount) FROM sales.orders\n```"},
		{"bare", "SELECT sum(amount) FROM sales.orders\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			client, server := model(t, tt.reply)
			src := &scripted{dialect: pg, faults: []error{because(column, "price")}}
			got, fixes, err := repair.Run(t.Context(), repair.Fixer{Model: client}, src, question("SELECT sum(price) FROM sales.orders"), repair.Options{})
			if err != nil || got.Sent.SQL != "SELECT sum(amount) FROM sales.orders" {
				t.Fatalf("Run = %q, %v", got.Sent.SQL, err)
			}
			if f := fixes[0]; f.By != "repairer" || !f.Works || f.Spent != (warehouse.TokenUsage{In: 100, Out: 10, Calls: 1}) {
				t.Errorf("fix = %+v", f)
			}
			prompt := server.Requests()[0].LastUser()
			for _, want := range []string{"SELECT sum(price) FROM sales.orders", "unknown_column", `"the warehouse says so of price"`, "amount numeric", "shop_id"} {
				if !strings.Contains(prompt, want) {
					t.Errorf("the prompt lacks %q", want)
				}
			}
			for _, gone := range []string{"flights", "What is known to work", "{{", "CustomerName", "What was tried"} {
				if strings.Contains(prompt, gone) {
					t.Errorf("the prompt has %q", gone)
				}
			}
		})
	}
}

func TestEvidenceGoesIntoThePromptOfAVerification(t *testing.T) {
	t.Parallel()

	evidence := strings.Repeat("-- an old one\n", 4000) + "SELECT amount FROM sales.orders -- {{ORIGINAL_SQL}}"
	for _, d := range repair.Dialects {
		client, server := model(t, `{"fixed_sql":"SELECT 2"}`)
		src := &scripted{dialect: d, faults: []error{because(warehouse.OtherError, "")}}
		if _, _, err := repair.Run(t.Context(), repair.Fixer{Model: client}, src, question("SELECT 1"), repair.Options{Evidence: evidence}); err != nil {
			t.Fatal(err)
		}
		prompt := server.Requests()[0].LastUser()
		if !strings.Contains(prompt, "SELECT amount FROM sales.orders -- {{ORIGINAL_SQL}}") || !strings.Contains(prompt, "What is known to work") || len(prompt) > 40_000 {
			t.Errorf("%s: the prompt of %d bytes is not as it should be with evidence", d, len(prompt))
		}
	}
}

// A prompt without the section would drop the evidence in silence.
func TestEveryDialectsPromptHasEveryPlaceholder(t *testing.T) {
	t.Parallel()

	if len(repair.Dialects) != 9 {
		t.Errorf("%d dialects have a prompt, want 9", len(repair.Dialects))
	}
	for _, d := range repair.Dialects {
		for _, name := range repair.Placeholders {
			if !repair.TemplateUses(d, name) {
				t.Errorf("the prompt of %s lacks {{%s}}", d, name)
			}
		}
	}
}

func TestLoopEnds(t *testing.T) {
	t.Parallel()

	fixed := func(n int) string { return fmt.Sprintf(`{"fixed_sql":"SELECT price + %d FROM sales.orders"}`, n) }
	changing := []error{because(column, "price"), because(syntax, ""), because(function, "f"), because(column, "price"), because(syntax, ""), because(function, "g"), because(syntax, "")}
	same := []error{because(column, "price"), because(column, "price"), because(column, "price"), because(column, "price")}
	for _, tt := range []struct {
		name         string
		faults       []error
		replies      []string
		tries        int
		asked, calls int
	}{
		{"after five tries", changing, []string{fixed(1), fixed(2), fixed(3), fixed(4), fixed(5), fixed(6)}, 0, 6, 5},
		{"after the tries given", changing, []string{fixed(1), fixed(2), fixed(3)}, 2, 3, 2},
		{"at the class that stays twice", same, []string{fixed(1), fixed(2), fixed(3)}, 0, 3, 2},
		{"at a statement that was tried", changing, []string{fixed(1), `{"fixed_sql":"select  PRICE from sales.orders -- again"}`, fixed(3)}, 0, 2, 2},
		{"at a reply without a statement", same, []string{"I cannot."}, 0, 1, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			client, server := model(t, tt.replies...)
			src := &scripted{dialect: pg, faults: tt.faults}
			_, fixes, err := repair.Run(t.Context(), repair.Fixer{Model: client}, src, question("SELECT price FROM sales.orders"), repair.Options{Tries: tt.tries})
			if err == nil {
				t.Fatal("Run found an answer")
			}
			if len(src.asked) != tt.asked || len(server.Requests()) != tt.calls || len(fixes) != tt.calls {
				t.Errorf("%d questions, %d calls and %d fixes; want %d and %d", len(src.asked), len(server.Requests()), len(fixes), tt.asked, tt.calls)
			}
			spent := warehouse.TokenUsage{}
			for _, f := range fixes {
				spent = spent.Add(f.Spent)
			}
			if spent.In != 100*tt.calls || spent.Calls != tt.calls {
				t.Errorf("spent %+v for %d calls", spent, tt.calls)
			}
		})
	}
}

func TestEarlierAttemptsAreTold(t *testing.T) {
	t.Parallel()

	client, server := model(t, `{"fixed_sql":"SELECT cost FROM sales.orders"}`, `{"fixed_sql":"SELECT amount FROM sales.orders"}`)
	src := &scripted{dialect: duck, faults: []error{because(column, "price"), because(column, "cost")}}
	if _, _, err := repair.Run(t.Context(), repair.Fixer{Model: client}, src, question("SELECT price FROM sales.orders"), repair.Options{}); err != nil {
		t.Fatal(err)
	}
	if prompt := server.Requests()[1].LastUser(); !strings.Contains(prompt, "1. SELECT price FROM sales.orders\n   failed: unknown_column") {
		t.Errorf("the second prompt does not tell of the first statement:\n%s", prompt)
	}
}

func TestModelThatFailsLeavesTheFault(t *testing.T) {
	t.Parallel()

	server := llmtest.New(t)
	server.Enqueue(llmtest.Status(500, 0))
	client, err := llm.New(llm.Options{BaseURL: server.URL(), Model: "repairer", Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	src := &scripted{dialect: pg, faults: []error{because(column, "price")}}
	_, fixes, err := repair.Run(t.Context(), repair.Fixer{Model: client}, src, question("SELECT price FROM sales.orders"), repair.Options{})
	if warehouse.ClassOf(err) != column || len(fixes) != 1 || fixes[0].Works || !strings.Contains(fixes[0].Error, "(the model: ") {
		t.Errorf("Run = %+v, %v", fixes, err)
	}
}

func TestWithoutAModelOnlyRulesRepair(t *testing.T) {
	t.Parallel()

	src := &scripted{dialect: pg, faults: []error{because(column, "price")}}
	_, fixes, err := repair.Run(t.Context(), repair.Fixer{}, src, question("SELECT price FROM sales.orders"), repair.Options{})
	if warehouse.ClassOf(err) != column || len(fixes) != 0 || len(src.asked) != 1 {
		t.Errorf("Run = %v, %v after %d questions", fixes, err, len(src.asked))
	}
}

func TestCancelledIsNotRepaired(t *testing.T) {
	t.Parallel()

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	src := &scripted{dialect: pg, faults: []error{because(syntax, "")}}
	if _, fixes, err := repair.Run(ctx, repair.Fixer{}, src, question("SELECT 1;"), repair.Options{}); err == nil || len(fixes) != 0 || len(src.asked) != 1 {
		t.Errorf("Run = %v, %v after %d questions", fixes, err, len(src.asked))
	}
}

func TestUnknownTableIsShownWithThoseLikeIt(t *testing.T) {
	t.Parallel()

	client, server := model(t, `{"fixed_sql":"SELECT count(*) FROM a.events"}`)
	src := &scripted{dialect: pg, faults: []error{because(table, "events")}}
	if _, _, err := repair.Run(t.Context(), repair.Fixer{Model: client}, src, question("SELECT count(*) FROM events"), repair.Options{}); err != nil {
		t.Fatal(err)
	}
	if prompt := server.Requests()[0].LastUser(); !strings.Contains(prompt, `There is no table "events". Tables like it: a.events, b.events`) {
		t.Errorf("the prompt does not name the candidates:\n%s", prompt)
	}
}

func FuzzStatementIn(f *testing.F) {
	for _, seed := range []string{`{"fixed_sql":"SELECT 1"}`, "```sql\nSELECT 1\n```", "SELECT 1", `{{"fixed_sql":`, "{"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		if len(reply) > 4000 {
			return
		}
		if got := repair.StatementIn(reply); got != strings.TrimSpace(got) {
			t.Errorf("StatementIn(%q) = %q with space around it", reply, got)
		}
	})
}
