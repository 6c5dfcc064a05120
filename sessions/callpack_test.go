package sessions_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/sessions"
)

// talked adds turns to the journal's transcript, up to the message of the last.
func (j *journal) talked(turns int) {
	b := postgres.NewBatch(j.scope.Tenant)
	for turn := 1; turn <= turns; turn++ {
		sessions.AddMessage(b, j.scope, sessions.Message{Turn: turn, Role: sessions.FromUser, User: "someone", Content: fmt.Sprintf("In %d we sold \"%d\" loaves <of> bread.", 1900+turn, turn*7919), Complete: true})
		if turn < turns {
			sessions.AddMessage(b, j.scope, sessions.Message{Turn: turn, Role: sessions.FromAssistant, Content: fmt.Sprintf("Thank you.\nWhat of %d?", 1901+turn), Complete: true})
		}
	}
	j.send(b)
}

// prompts returns both calls of a turn that was asked for what was said before.
func (j *journal) prompts(turn int) []sessions.ModelCall {
	var said strings.Builder
	for n := max(1, turn-20); n < turn; n++ {
		fmt.Fprintf(&said, "{\"turn\":%d,\"from\":\"user\",\"text\":\"In %d we sold \\\"%d\\\" loaves <of> bread.\"}\n", n, 1900+n, n*7919)
	}
	at := time.Now().Round(time.Microsecond)
	prompt := []sessions.CallMessage{{Role: "user", Content: "<data name=\"transcript\">\n" + said.String() + "</data>"}, {Role: "user", Content: "Ünd?"}}
	return []sessions.ModelCall{
		{Scope: j.scope, Turn: turn, Attempt: 1, N: 1, Purpose: "understand", Model: "m", Rules: "Read.", Prompt: prompt, Response: `{"findings":[]}`, PromptTokens: 7, CompletionTokens: 1,
			Money: 0.125, Tries: 1, At: at, Total: 300 * time.Millisecond},
		{Scope: j.scope, Turn: turn, Attempt: 1, N: 2, Purpose: "reply", Model: "m", Rules: "Write.", Prompt: prompt, Response: "Go", Cut: true, PromptTokens: 8, CompletionTokens: 2,
			Tries: 2, Failure: "timeout", At: at.Add(time.Second), Began: time.Second, FirstToken: 5 * time.Millisecond, Total: time.Minute},
	}
}

// store keeps calls as a call log does, and returns how many rows that took.
func (j *journal) store(calls []sessions.ModelCall) int {
	j.t.Helper()
	packs := sessions.PackCalls(calls)
	words, b := postgres.NewBatch(j.scope.Tenant), postgres.NewBatch(j.scope.Tenant)
	for _, p := range packs {
		p.QueueWords(words)
	}
	j.send(words)
	var by sessions.Packer
	for _, p := range packs {
		hash, rules, used := p.Rules()
		sessions.SavePromptRules(b, hash, rules, used)
		if err := p.Save(b, hash, &by); err != nil {
			j.t.Fatal(err)
		}
	}
	j.send(b)
	return len(packs)
}

func (j *journal) calls(turn int) []sessions.ModelCall {
	j.t.Helper()
	var out []sessions.ModelCall
	b := postgres.NewBatch(j.scope.Tenant)
	sessions.LoadCalls(b, j.scope, turn, &out)
	j.send(b)
	return out
}

// sameCalls compares instants by what they are.
var sameCalls = cmp.Options{cmpopts.EquateApproxTime(0), cmpopts.EquateEmpty()}

func TestCallsAreReadAsTheyWereKept(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	j.talked(30)
	for _, turn := range []int{1, 2, 22, 23, 24, 30} {
		want := j.prompts(turn)
		if rows := j.store(want); rows != 1 {
			t.Errorf("turn %d takes %d rows, want one for both calls", turn, rows)
		}
		j.store(want) // again

		if diff := cmp.Diff(want, j.calls(turn), sameCalls); diff != "" {
			t.Errorf("calls of turn %d (-want +got):\n%s", turn, diff)
		}
	}
	if got := j.calls(3); len(got) != 0 {
		t.Errorf("turn 3 has %d calls, want none", len(got))
	}
}

// What comes after a turn changes nothing of what its calls are read with.
func TestCallsAreReadAfterTheTalkWentOn(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	j.talked(5)
	want := j.prompts(5)
	j.store(want)
	b := postgres.NewBatch(j.scope.Tenant)
	sessions.AddMessage(b, j.scope, sessions.Message{Turn: 5, Role: sessions.FromAssistant, Content: "Go", Complete: true})
	j.send(b)
	later := want[1]
	later.N = 3
	j.store([]sessions.ModelCall{later})
	want = append(want, later)
	b = postgres.NewBatch(j.scope.Tenant)
	sessions.AddMessage(b, j.scope, sessions.Message{Turn: 6, Role: sessions.FromUser, User: "someone", Content: "On", Complete: true})
	j.send(b)

	if diff := cmp.Diff(want, j.calls(5), sameCalls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

// A transcript is in every prompt, and its bytes are kept once.
func TestCallsRepeatNothingThatWasSaid(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	j.talked(21)
	calls := j.prompts(21)
	j.store(calls)

	var size int
	if err := postgrestest.Superuser(t, j.pool).QueryRow(t.Context(), `SELECT octet_length(packed) FROM turn_prompts WHERE session_id = $1`, j.scope.Session).Scan(&size); err != nil {
		t.Fatal(err)
	}
	if said := len(calls[0].Prompt[0].Content); size > said/3 {
		t.Errorf("two prompts of %d bytes take %d, want a third at most", said, size)
	}
}

func TestCallsOfOneTurnThatAreFarApartGoByThemselves(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	j.talked(1)
	calls := j.prompts(1)
	calls[1].At = calls[0].At.Add(-time.Hour)
	again := calls[0]
	again.Attempt, again.N, again.At = 2, 3, again.At.Add(time.Minute)
	calls = append(calls, again)

	if rows := j.store(calls); rows != 3 {
		t.Errorf("%d rows, want 3: one for each time or attempt", rows)
	}
	got := j.calls(1)
	if len(got) != 3 || got[0].N != 1 || got[1].N != 2 || got[2].Attempt != 2 {
		t.Errorf("read %+v, want the calls by attempt and beginning", got)
	}
	if n, err := sessions.PruneCalls(t.Context(), j.pool, j.scope.Tenant, calls[0].At); n != 1 || err != nil {
		t.Errorf("PruneCalls = %d, %v, want the one from before", n, err)
	}
	if got := j.calls(1); len(got) != 2 || got[0].Rules != "Read." {
		t.Errorf("%+v are left", got)
	}
}

// Rows from before calls were packed are read and pruned with the others.
func TestCallsFromBeforePacksAreRead(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	j.talked(1)
	for _, statement := range []string{
		`INSERT INTO prompt_texts (tenant_id, sha256, content) VALUES ($1, sha256($2::uuid::text::bytea), 'Be brief.')`,
		`INSERT INTO turn_calls (tenant_id, session_id, turn, attempt, n, purpose, model, rules, prompt, response, cut, prompt_tokens, completion_tokens, money, tries, began_ms, total_ms, at)
		 VALUES ($1, $2::uuid, 1, 1, 2, 'reply', 'old', sha256($2::uuid::text::bytea), '[{"role":"user","content":"Hi"}]', 'Hello', false, 1, 1, 0, 1, 500, 10, now())`,
	} {
		if _, err := postgrestest.Superuser(t, j.pool).Exec(t.Context(), statement, j.scope.Tenant, j.scope.Session); err != nil {
			t.Fatal(err)
		}
	}
	j.store(j.prompts(1))

	got := j.calls(1)
	if len(got) != 3 || got[1].Model != "old" || got[1].Rules != "Be brief." || got[1].Prompt[0].Content != "Hi" {
		t.Errorf("read %+v, want the old call second", got)
	}
	if n, err := sessions.PruneCalls(t.Context(), j.pool, j.scope.Tenant, time.Now().Add(time.Hour)); n != 3 || err != nil {
		t.Errorf("PruneCalls = %d, %v, want 3", n, err)
	}
	if got := j.calls(1); len(got) != 0 {
		t.Errorf("%+v are left", got)
	}
}

func TestCallsWithoutTheirRulesAreRefused(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	j.talked(1)
	p := sessions.PackCalls(j.prompts(1))[0]
	hash, _, _ := p.Rules()
	b := postgres.NewBatch(j.scope.Tenant)
	if err := p.Save(b, hash, new(sessions.Packer)); err != nil {
		t.Fatal(err)
	}
	if err := b.Send(context.Background(), j.pool); postgres.Code(err) != "23502" {
		t.Errorf("Send = %v, want 23502", err)
	}
}

func TestCallsThatCannotBeReadDoNotHideTheOthers(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	j.talked(2)
	j.store(j.prompts(2))
	if _, err := postgrestest.Superuser(t, j.pool).Exec(t.Context(), "UPDATE messages SET content = content || '!' WHERE session_id = $1 AND turn = 1", j.scope.Session); err != nil {
		t.Fatal(err)
	}
	again := j.prompts(2)
	for i := range again {
		again[i].Attempt = 2
	}
	j.store(again)

	list := j.calls(2)
	if len(list) != 3 || list[0].Failure != sessions.Unreadable || list[1].Purpose != "understand" || list[2].Purpose != "reply" {
		t.Errorf("of one pack that cannot be read and one that can %+v is left", list)
	}
}

func TestCallsOfADeletedSessionGoWithIt(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	j.talked(1)
	calls := j.prompts(1)
	j.store(calls)
	super := postgrestest.Superuser(t, j.pool)
	if _, err := super.Exec(t.Context(), `DELETE FROM elicitation_sessions WHERE id = $1`, j.scope.Session); err != nil {
		t.Fatal(err)
	}
	j.store(calls) // that come late

	var rows int
	if err := super.QueryRow(t.Context(), `SELECT count(*) FROM turn_prompts WHERE session_id = $1`, j.scope.Session).Scan(&rows); err != nil || rows != 0 {
		t.Errorf("%d rows are left, %v", rows, err)
	}
}

func TestCallIsChecked(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		purpose, model string
		fine           bool
	}{{"reply", "m", true}, {"", "m", false}, {"reply", "", false}, {strings.Repeat("x", 41), "m", false}, {"reply", strings.Repeat("x", 201), false}} {
		c := sessions.ModelCall{Purpose: tt.purpose, Model: tt.model}
		if err := c.Check(); (err == nil) != tt.fine {
			t.Errorf("Check of purpose %q and model %q = %v", tt.purpose, tt.model, err)
		}
	}
}

// Packs are read with the words they were written with: other words need another
// format.
func TestCommonWordsOfPacksStay(t *testing.T) {
	t.Parallel()

	words, err := os.ReadFile("callpack.txt")
	if err != nil {
		t.Fatal(err)
	}
	const want = "c66331f1230b553b9b00e395cd52dddd3aa9a86e76f86347427a4b1055fd235a"
	if got := fmt.Sprintf("%x", sha256.Sum256(words)); got != want {
		t.Errorf("callpack.txt is %s, want %s: what is kept could not be read any more", got, want)
	}
}
