package web

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"quaestor/internal/auth"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/settings"
)

// age makes an interview as if it was changed days ago last.
func (w *world) age(session string, days int, status string) {
	w.t.Helper()
	super := postgrestest.Superuser(w.t, w.pool)
	defer super.Close()
	tag, err := super.Exec(w.t.Context(), `UPDATE elicitation_sessions SET status = $3, created_at = now() - make_interval(days => $2 + 1), updated_at = now() - make_interval(days => $2, mins => 5) WHERE id = $1`, session, days, status)
	if err != nil || tag.RowsAffected() != 1 {
		w.t.Fatalf("age session %s: %v", session, err)
	}
}

func TestLimitsAreSavedOnThePage(t *testing.T) {
	t.Parallel()

	w := open(t, terms{limits: settings.Values{ResearchDaily: 200, SessionTurns: 60}})
	page := w.shows(200, request{path: "/admin/settings"})
	if len(marked(page, "never-set")) != 1 || attribute(marked(page, "limit-researchDaily")[0], "placeholder") != "200" || attribute(marked(page, "limit-sessionTurns")[0], "value") != "" {
		t.Errorf("before anything is set the page says: %s", words(page))
	}

	done := w.follows(filled("/admin/settings/limits", url.Values{"version": {"0"}, "sessionTurns": {"12"}, "keptIdleDays": {"90"}}))

	if len(marked(done, "notice")) != 1 || attribute(marked(done, "limit-sessionTurns")[0], "value") != "12" || !strings.Contains(words(marked(done, "last-change")[0]), "developer") {
		t.Errorf("after it was saved the page says: %s", words(done))
	}
	journal := words(marked(w.shows(200, request{path: "/admin/settings/data"}), "journal-line")[0])
	if !strings.Contains(journal, "Turns an interview may take: as the server says → 12") {
		t.Errorf("the journal says %q", journal)
	}
}

func TestRefusedLimitsAreShownAgainAndChangeNothing(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	w.follows(filled("/admin/settings/limits", url.Values{"version": {"0"}, "sessionTurns": {"12"}}))
	for _, tt := range []struct {
		name   string
		fields url.Values
		status int
		fault  string // field; empty for none
	}{
		{"below", url.Values{"version": {"1"}, "sessionTurns": {"-3"}, "sessionMoney": {"1.5"}}, 422, "sessionTurns"},
		{"no number", url.Values{"version": {"1"}, "keptJobsDays": {"a week"}, "sessionMoney": {"1.5"}}, 422, "keptJobsDays"},
		{"longer than the queue does", url.Values{"version": {"1"}, "keptJobsDays": {"31"}, "sessionMoney": {"1.5"}}, 422, "keptJobsDays"},
		{"overtaken", url.Values{"version": {"0"}, "sessionTurns": {"13"}, "sessionMoney": {"1.5"}}, 409, ""},
	} {
		page := w.shows(tt.status, filled("/admin/settings/limits", tt.fields))
		if len(marked(page, "failure")) != 1 || attribute(marked(page, "limit-sessionMoney")[0], "value") != "1.5" {
			t.Errorf("%s: the page forgot what was typed, or does not say that it is refused", tt.name)
		}
		if tt.fault == "" {
			continue
		}
		input := marked(page, "limit-"+tt.fault)[0]
		if len(marked(page, "fault-"+tt.fault)) != 1 || attribute(input, "aria-invalid") != "true" || attribute(input, "value") != tt.fields.Get(tt.fault) {
			t.Errorf("%s: the fault does not stand at its field", tt.name)
		}
	}
	w.shows(400, filled("/admin/settings/limits", url.Values{"version": {"x"}}))
	got := fetch[settingsBody](w, 200, request{path: "/api/v1/settings"})
	if got.Version != 1 || *got.Set.SessionTurns != 12 || got.Set.SessionMoney != nil {
		t.Errorf("there is now %+v", got)
	}
}

// A limit set through one server ends an interview at the next turn on another.
func TestLimitHoldsAtOnceOnEveryServer(t *testing.T) {
	t.Parallel()

	here := open(t, terms{})
	there := open(t, terms{pool: here.pool})
	session := there.begin("idea_discovery")
	there.say(turnBody{SessionID: session, Message: "A lending library for tools"})
	stopped := func() sessions.StopReason {
		found, err := sessions.Find(t.Context(), here.pool, obligations.Scope{Tenant: here.tenant, Session: session})
		if err != nil {
			t.Fatal(err)
		}
		return found.StopReason
	}
	if why := stopped(); why != "" {
		t.Fatalf("the interview ended before there was a limit: %s", why)
	}

	here.follows(filled("/admin/settings/limits", url.Values{"version": {"0"}, "sessionTurns": {"3"}}))
	there.say(turnBody{SessionID: session, Message: "Expensive tools stand in a cellar for years"})

	if why := stopped(); why != sessions.EndBudget {
		t.Errorf("the interview is over because of %q, want the budget", why)
	}
}

// Minutes that were used before there was a bound count.
func TestMinutesUsedBeforeTheyWereBoundedCount(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("idea_discovery")
	w.say(turnBody{SessionID: session, Message: "A lending library for tools"})
	super := postgrestest.Superuser(t, w.pool)
	if _, err := super.Exec(t.Context(), `UPDATE turns SET started_at = started_at - (3 - number) * interval '4 minutes' WHERE session_id = $1`, session); err != nil {
		t.Fatal(err)
	}
	super.Close()
	w.follows(filled("/admin/settings/limits", url.Values{"version": {"0"}, "sessionMinutes": {"7.5"}}))

	w.say(turnBody{SessionID: session, Message: "Expensive tools stand in a cellar for years"})

	found, err := sessions.Find(t.Context(), w.pool, obligations.Scope{Tenant: w.tenant, Session: session})
	if err != nil || found.StopReason != sessions.EndBudget {
		t.Errorf("after eight minutes it is over because of %q, %v", found.StopReason, err)
	}
}

// The server's own word holds where the organisation has none.
func TestServersLimitHoldsUntilTheOrganisationSaysOtherwise(t *testing.T) {
	t.Parallel()

	w := open(t, terms{limits: settings.Values{SessionTurns: 2}})
	ends := func() sessions.StopReason {
		session := w.begin("idea_discovery")
		w.say(turnBody{SessionID: session, Message: "A lending library for tools"})
		found, err := sessions.Find(t.Context(), w.pool, obligations.Scope{Tenant: w.tenant, Session: session})
		if err != nil {
			t.Fatal(err)
		}
		return found.StopReason
	}
	if why := ends(); why != sessions.EndBudget {
		t.Errorf("under the server's limit it is over because of %q", why)
	}
	w.follows(filled("/admin/settings/limits", url.Values{"version": {"0"}, "sessionTurns": {"0"}}))
	if why := ends(); why != "" {
		t.Errorf("without a limit it is over because of %q", why)
	}
}

func TestWhatWouldBeDeletedIsShownAndHasToBeWanted(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	old, held, young := w.begin("idea_discovery"), w.begin("business_profile"), w.begin("project_discovery")
	w.age(old, 40, "completed")
	w.age(held, 40, "completed")
	w.follows(filled("/admin/settings/holds", url.Values{"session": {held}, "reason": {"A dispute"}}))
	days := url.Values{"version": {"0"}, "keptFinishedDays": {"30"}}

	preview := w.shows(200, request{path: "/admin/settings?preview=yes&" + days.Encode()})
	if got := words(marked(preview, "forecast")[0]); !strings.Contains(got, "1 finished interview last changed before") || !strings.Contains(got, "Held, and so kept: 1 interview over its time") {
		t.Errorf("the preview says %q", got)
	}
	if attribute(marked(preview, "limit-keptFinishedDays")[0], "value") != "30" {
		t.Error("the preview forgot what was typed")
	}
	if got := words(w.shows(200, request{path: "/admin/settings/forecast?keptFinishedDays=30"})); !strings.Contains(got, "1 finished interview") {
		t.Errorf("the part says %q", got)
	}
	refused := w.shows(422, filled("/admin/settings/limits", days))
	if len(marked(refused, "limits-sure")) != 1 || len(marked(refused, "fault-sure")) != 1 || fetch[settingsBody](w, 200, request{path: "/api/v1/settings"}).Version != 0 {
		t.Error("days that delete something are saved unasked")
	}
	days.Set("sure", "yes")
	w.follows(filled("/admin/settings/limits", days))
	did, err := settings.Sweep(t.Context(), w.pool, w.tenant, settings.Values{KeptFinishedDays: 30})
	if err != nil || did.Finished != 1 {
		t.Fatalf("the sweep deleted %+v, %v", did, err)
	}
	w.shows(404, request{path: "/s/" + old})
	w.shows(200, request{path: "/s/" + held})
	w.shows(200, request{path: "/s/" + young})
	if got := words(marked(w.shows(200, request{path: "/admin/settings/data"}), "journal-line")[0]); !strings.Contains(got, "The rules of retention deleted 1 interview: finished long enough ago") || !strings.Contains(got, old) {
		t.Errorf("the journal says %q", got)
	}
}

func TestSettingsOverTheAPI(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true, limits: settings.Values{ResearchDaily: 200}})
	ada, bob := w.as(w.tenant, "ada", auth.Owner), w.as(w.tenant, "bob", auth.Reviewer)
	resp := ada.do(request{path: "/api/v1/settings"})
	tag := resp.Header.Get("ETag")
	put := func(who *world, tag, body string) int {
		q := request{method: http.MethodPut, path: "/api/v1/settings", body: body, header: map[string]string{}}
		if tag != "" {
			q.header["If-Match"] = tag
		}
		return who.do(q).StatusCode
	}
	for _, tt := range []struct {
		name      string
		who       *world
		tag, body string
		want      int
	}{
		{"a reviewer", bob, tag, `{"sessionTurns": 5}`, 403},
		{"unconditional", ada, "", `{"sessionTurns": 5}`, 428},
		{"stale", ada, `"other"`, `{"sessionTurns": 5}`, 412},
		{"out of bounds", ada, tag, `{"sessionTurns": -5}`, 422},
		{"jobs kept longer than the queue does", ada, tag, `{"keptJobsDays": 31}`, 422},
		{"unknown", ada, tag, `{"sessionTurn": 5}`, 422},
		{"well", ada, tag, `{"sessionTurns": 5, "researchDaily": 3}`, 200},
		{"overtaken", ada, tag, `{"sessionTurns": 6}`, 412},
	} {
		if got := put(tt.who, tt.tag, tt.body); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
	got := fetch[settingsBody](ada, 200, request{path: "/api/v1/settings"})
	if got.Version != 1 || got.InForce.SessionTurns != 5 || got.InForce.ResearchDaily != 3 || got.ChangedBy != "ada" {
		t.Errorf("in force is %+v", got)
	}
	lines := fetch[page[journalBody]](ada, 200, request{path: "/api/v1/settings/journal"})
	if len(lines.Items) != 1 || lines.Items[0].Kind != settings.Changed || len(lines.Items[0].Detail.Changes) != 2 {
		t.Errorf("the journal says %+v", lines)
	}
	checkRefusal(t, ada, refusal{request: request{path: "/api/v1/settings/journal?cursor=x"}, status: 400})
}

func TestSessionsAreHeldAndDeletedOverTheAPI(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	ada, bob, cleo := w.as(w.tenant, "ada", auth.Owner), w.as(w.tenant, "bob", auth.Reviewer), w.as(w.tenant, "cleo", auth.Member)
	session := "/api/v1/sessions/" + cleo.begin("idea_discovery")
	status := func(who *world, method, path, body string) int {
		q := request{method: method, path: path}
		if body != "" {
			q.body = body
		}
		return who.do(q).StatusCode
	}
	for _, tt := range []struct {
		name               string
		who                *world
		method, path, body string
		want               int
	}{
		{"a member holds", cleo, http.MethodPut, session + "/hold", `{"reason": "mine"}`, 403},
		{"without a reason", bob, http.MethodPut, session + "/hold", `{"reason": ""}`, 422},
		{"a reviewer holds", bob, http.MethodPut, session + "/hold", `{"reason": "A dispute"}`, 204},
		{"held", ada, http.MethodDelete, session, "", 409},
		{"held with the person", ada, http.MethodDelete, "/api/v1/people/cleo/data", "", 409},
		{"let go", bob, http.MethodDelete, session + "/hold", "", 204},
		{"let go twice", bob, http.MethodDelete, session + "/hold", "", 404},
		{"a reviewer deletes", bob, http.MethodDelete, session, "", 403},
		{"an owner deletes", ada, http.MethodDelete, session, "", 204},
		{"twice", ada, http.MethodDelete, session, "", 404},
		{"nobody's data", ada, http.MethodDelete, "/api/v1/people/nobody/data", "", 404},
		{"the last owner's data", ada, http.MethodDelete, "/api/v1/people/ada/data", "", 409},
	} {
		if got := status(tt.who, tt.method, tt.path, tt.body); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestPersonIsErasedByNameOnly(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	ada, bob := w.as(w.tenant, "ada", auth.Owner), w.as(w.tenant, "bob", auth.Member)
	theirs, kept := bob.begin("idea_discovery"), ada.begin("idea_discovery")
	if got := words(marked(ada.shows(200, request{path: "/admin/settings/erase?user=bob"}), "erase-goes")[0]); !strings.Contains(got, "1 interview they began") || !strings.Contains(got, "all of their tokens") {
		t.Errorf("the question says %q", got)
	}
	if page := ada.shows(404, request{path: "/admin/settings/erase?user=nobody"}); len(marked(page, "fault-user")) != 1 {
		t.Error("who is not there is not said to be at fault")
	}
	if page := ada.shows(422, filled("/admin/settings/erase", url.Values{"user": {"bob"}, "confirm": {"Bob"}})); len(marked(page, "fault-confirm")) != 1 || w.rowsOf(theirs) == 0 {
		t.Error("another name is taken for theirs")
	}
	w.as(w.tenant, "max", auth.Admin).shows(403, filled("/admin/settings/erase", url.Values{"user": {"bob"}, "confirm": {"bob"}}))

	ada.follows(filled("/admin/settings/erase", url.Values{"user": {"bob"}, "confirm": {"bob"}}))

	if w.rowsOf(theirs) != 0 || w.rowsOf(kept) == 0 {
		t.Error("something of theirs is left, or somebody else's is gone")
	}
	checkRefusal(t, bob, refusal{request: request{path: "/"}, status: 401})
}

func TestTokenIsRotated(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	ada, bob := w.as(w.tenant, "ada", auth.Owner), w.as(w.tenant, "bob", auth.Reviewer)
	tokens, err := auth.Tokens(t.Context(), w.pool, w.tenant)
	if err != nil || tokens[0].User != "bob" || tokens[0].Used != nil {
		t.Fatalf("the tokens are %+v, %v", tokens, err)
	}
	bob.shows(200, request{path: "/review"})
	if tokens, err = auth.Tokens(t.Context(), w.pool, w.tenant); err != nil || tokens[0].Used == nil {
		t.Errorf("the use of bob's token is not noted: %+v, %v", tokens[0], err)
	}
	w.as(w.tenant, "max", auth.Admin).shows(404, filled("/admin/settings/tokens/nothing/rotate", nil))

	made := ada.shows(200, filled("/admin/settings/tokens/"+tokens[0].ID+"/rotate", nil))

	if len(marked(made, "replaced")) != 1 {
		t.Error("nothing says that the old token has ended")
	}
	checkRefusal(t, bob, refusal{request: request{path: "/review"}, status: 401})
	bob.token = attribute(marked(made, "token-secret")[0], "value")
	bob.shows(200, request{path: "/review"})
	ada.shows(404, filled("/admin/settings/tokens/"+tokens[0].ID+"/rotate", nil))
}

// The archive has rows of every table that has tenants, of the tenant alone, and no
// secrets.
func TestExportHoldsEveryTable(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	ada := w.as(w.tenant, "ada", auth.Owner)
	session := ada.begin("idea_discovery")
	ada.say(turnBody{SessionID: session, Message: "A lending library for tools"})
	eve := w.as(postgrestest.Tenant(t, w.pool), "eve", auth.Owner)
	eve.do(request{path: "/admin/settings/export"})
	resp := ada.do(request{path: "/admin/settings/export"})
	raw, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("the export answered %d, %v", resp.StatusCode, err)
	}
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	super := postgrestest.Superuser(t, w.pool)
	tables := 0
	for _, f := range z.File {
		name, ok := strings.CutPrefix(strings.TrimSuffix(f.Name, ".jsonl"), "tables/")
		if !ok {
			continue
		}
		tables++
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		if err := super.QueryRow(t.Context(), `SELECT count(*) FROM `+name+` WHERE tenant_id = $1`, w.tenant).Scan(&want); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(string(text), "\n"); got != want {
			t.Errorf("%s: %d rows, want %d", name, got, want)
		}
		if strings.Contains(string(text), eve.tenantOf()) || strings.Contains(string(text), "token_hash") {
			t.Errorf("%s holds what it must not", name)
		}
		for line := range strings.Lines(string(text)) {
			if !json.Valid([]byte(line)) {
				t.Fatalf("%s: %s is no JSON", name, line)
			}
		}
	}
	want := 0
	if err := super.QueryRow(t.Context(), `SELECT count(DISTINCT table_name) FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'tenant_id' AND table_name <> 'obligation_trail'`).Scan(&want); err != nil || tables != want {
		t.Errorf("%d tables are exported of %d, %v", tables, want, err)
	}
}

// tenantOf is the id of the tenant a world's token is of.
func (w *world) tenantOf() string {
	w.t.Helper()
	a, err := auth.Authenticate(w.t.Context(), w.pool, w.token)
	if err != nil {
		w.t.Fatal(err)
	}
	return a.Tenant
}

func TestFinishedJobsAreListedByTheirEnd(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	for range 3 {
		w.enqueue(w.tenant)
	}
	list := w.jobs(w.tenant) // newest first
	for _, i := range []int{2, 0} {
		if resp := w.do(filled(jobAddress(list[i])+"/cancel", nil)); resp.StatusCode != http.StatusSeeOther {
			t.Fatalf("cancel answered %d", resp.StatusCode)
		}
	}
	rows := marked(w.shows(200, request{path: "/admin/jobs?order=ended"}), "job")
	if len(rows) != 2 || !strings.Contains(words(rows[0]), strconv.FormatInt(list[0].ID, 10)) || !strings.Contains(words(rows[1]), strconv.FormatInt(list[2].ID, 10)) {
		t.Errorf("%d jobs are listed by their end", len(rows))
	}
	first, next, err := research.Jobs(t.Context(), w.server.Office.Queue, research.JobFilter{Tenant: w.tenant, Ended: true, Max: 1})
	if err != nil || len(first) != 1 || first[0].ID != list[0].ID {
		t.Fatalf("the first page is %+v, %v", first, err)
	}
	if second, end, err := research.Jobs(t.Context(), w.server.Office.Queue, research.JobFilter{Tenant: w.tenant, Ended: true, Max: 1, Cursor: next}); err != nil || len(second) != 1 || second[0].ID != list[2].ID || end != "" {
		t.Errorf("the second page is %+v, %q, %v", second, end, err)
	}
	if got := words(marked(w.shows(200, request{path: jobAddress(list[1])}), "job-args")[0]); !strings.Contains(got, "task") || !strings.Contains(got, list[1].Task) {
		t.Errorf("the job was queued with %q", got)
	}
}
