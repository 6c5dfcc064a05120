package admin_test

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
	"quaestor/web"
	"quaestor/web/admin"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

func TestLimitsAreSavedOnThePage(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Limits: settings.Values{ResearchDaily: 200, SessionTurns: 60}})
	page := w.Shows(200, webtest.Request{Path: "/admin/settings"})
	if len(webtest.Marked(page, "never-set")) != 1 || webtest.Attribute(webtest.Marked(page, "limit-researchDaily")[0], "placeholder") != "200" || webtest.Attribute(webtest.Marked(page, "limit-sessionTurns")[0], "value") != "" {
		t.Errorf("before anything is set the page says: %s", webtest.Words(page))
	}

	done := w.Follows(webtest.Filled("/admin/settings/limits", url.Values{"version": {"0"}, "sessionTurns": {"12"}, "keptIdleDays": {"90"}}))

	if len(webtest.Marked(done, "notice")) != 1 || webtest.Attribute(webtest.Marked(done, "limit-sessionTurns")[0], "value") != "12" || !strings.Contains(webtest.Words(webtest.Marked(done, "last-change")[0]), "developer") {
		t.Errorf("after it was saved the page says: %s", webtest.Words(done))
	}
	journal := webtest.Words(webtest.Marked(w.Shows(200, webtest.Request{Path: "/admin/settings/data"}), "journal-line")[0])
	if !strings.Contains(journal, "Turns an interview may take: as the server says → 12") {
		t.Errorf("the journal says %q", journal)
	}
}

func TestRefusedLimitsAreShownAgainAndChangeNothing(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	w.Follows(webtest.Filled("/admin/settings/limits", url.Values{"version": {"0"}, "sessionTurns": {"12"}}))
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
		page := w.Shows(tt.status, webtest.Filled("/admin/settings/limits", tt.fields))
		if len(webtest.Marked(page, "failure")) != 1 || webtest.Attribute(webtest.Marked(page, "limit-sessionMoney")[0], "value") != "1.5" {
			t.Errorf("%s: the page forgot what was typed, or does not say that it is refused", tt.name)
		}
		if tt.fault == "" {
			continue
		}
		input := webtest.Marked(page, "limit-"+tt.fault)[0]
		if len(webtest.Marked(page, "fault-"+tt.fault)) != 1 || webtest.Attribute(input, "aria-invalid") != "true" || webtest.Attribute(input, "value") != tt.fields.Get(tt.fault) {
			t.Errorf("%s: the fault does not stand at its field", tt.name)
		}
	}
	w.Shows(400, webtest.Filled("/admin/settings/limits", url.Values{"version": {"x"}}))
	got := webtest.Fetch[admin.SettingsBody](w, 200, webtest.Request{Path: "/api/v1/settings"})
	if got.Version != 1 || *got.Set.SessionTurns != 12 || got.Set.SessionMoney != nil {
		t.Errorf("there is now %+v", got)
	}
}

// A limit set through one server ends an interview at the next turn on another.
func TestLimitHoldsAtOnceOnEveryServer(t *testing.T) {
	t.Parallel()

	here := webtest.Open(t, webtest.Terms{})
	there := webtest.Open(t, webtest.Terms{Pool: here.Pool})
	session := there.Begin("idea_discovery")
	there.Say(talk.TurnBody{SessionID: session, Message: "A lending library for tools"})
	stopped := func() sessions.StopReason {
		found, err := sessions.Find(t.Context(), here.Pool, obligations.Scope{Tenant: here.Tenant, Session: session})
		if err != nil {
			t.Fatal(err)
		}
		return found.StopReason
	}
	if why := stopped(); why != "" {
		t.Fatalf("the interview ended before there was a limit: %s", why)
	}

	here.Follows(webtest.Filled("/admin/settings/limits", url.Values{"version": {"0"}, "sessionTurns": {"3"}}))
	there.Say(talk.TurnBody{SessionID: session, Message: "Expensive tools stand in a cellar for years"})

	if why := stopped(); why != sessions.EndBudget {
		t.Errorf("the interview is over because of %q, want the budget", why)
	}
}

// Minutes that were used before there was a bound count.
func TestMinutesUsedBeforeTheyWereBoundedCount(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("idea_discovery")
	w.Say(talk.TurnBody{SessionID: session, Message: "A lending library for tools"})
	super := postgrestest.Superuser(t, w.Pool)
	if _, err := super.Exec(t.Context(), `UPDATE turns SET started_at = started_at - (3 - number) * interval '4 minutes' WHERE session_id = $1`, session); err != nil {
		t.Fatal(err)
	}
	super.Close()
	w.Follows(webtest.Filled("/admin/settings/limits", url.Values{"version": {"0"}, "sessionMinutes": {"7.5"}}))

	w.Say(talk.TurnBody{SessionID: session, Message: "Expensive tools stand in a cellar for years"})

	found, err := sessions.Find(t.Context(), w.Pool, obligations.Scope{Tenant: w.Tenant, Session: session})
	if err != nil || found.StopReason != sessions.EndBudget {
		t.Errorf("after eight minutes it is over because of %q, %v", found.StopReason, err)
	}
}

// The server's own word holds where the organisation has none.
func TestServersLimitHoldsUntilTheOrganisationSaysOtherwise(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Limits: settings.Values{SessionTurns: 2}})
	ends := func() sessions.StopReason {
		session := w.Begin("idea_discovery")
		w.Say(talk.TurnBody{SessionID: session, Message: "A lending library for tools"})
		found, err := sessions.Find(t.Context(), w.Pool, obligations.Scope{Tenant: w.Tenant, Session: session})
		if err != nil {
			t.Fatal(err)
		}
		return found.StopReason
	}
	if why := ends(); why != sessions.EndBudget {
		t.Errorf("under the server's limit it is over because of %q", why)
	}
	w.Follows(webtest.Filled("/admin/settings/limits", url.Values{"version": {"0"}, "sessionTurns": {"0"}}))
	if why := ends(); why != "" {
		t.Errorf("without a limit it is over because of %q", why)
	}
}

func TestWhatWouldBeDeletedIsShownAndHasToBeWanted(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	old, held, young := w.Begin("idea_discovery"), w.Begin("business_profile"), w.Begin("project_discovery")
	w.Age(old, 40, "completed")
	w.Age(held, 40, "completed")
	w.Follows(webtest.Filled("/admin/settings/holds", url.Values{"session": {held}, "reason": {"A dispute"}}))
	days := url.Values{"version": {"0"}, "keptFinishedDays": {"30"}}

	preview := w.Shows(200, webtest.Request{Path: "/admin/settings?preview=yes&" + days.Encode()})
	if got := webtest.Words(webtest.Marked(preview, "forecast")[0]); !strings.Contains(got, "1 finished interview last changed before") || !strings.Contains(got, "Held, and so kept: 1 interview over its time") {
		t.Errorf("the preview says %q", got)
	}
	if webtest.Attribute(webtest.Marked(preview, "limit-keptFinishedDays")[0], "value") != "30" {
		t.Error("the preview forgot what was typed")
	}
	if got := webtest.Words(w.Shows(200, webtest.Request{Path: "/admin/settings/forecast?keptFinishedDays=30"})); !strings.Contains(got, "1 finished interview") {
		t.Errorf("the part says %q", got)
	}
	refused := w.Shows(422, webtest.Filled("/admin/settings/limits", days))
	if len(webtest.Marked(refused, "limits-sure")) != 1 || len(webtest.Marked(refused, "fault-sure")) != 1 || webtest.Fetch[admin.SettingsBody](w, 200, webtest.Request{Path: "/api/v1/settings"}).Version != 0 {
		t.Error("days that delete something are saved unasked")
	}
	days.Set("sure", "yes")
	w.Follows(webtest.Filled("/admin/settings/limits", days))
	did, err := settings.Sweep(t.Context(), w.Pool, w.Tenant, settings.Values{KeptFinishedDays: 30})
	if err != nil || did.Finished != 1 {
		t.Fatalf("the sweep deleted %+v, %v", did, err)
	}
	w.Shows(404, webtest.Request{Path: "/s/" + old})
	w.Shows(200, webtest.Request{Path: "/s/" + held})
	w.Shows(200, webtest.Request{Path: "/s/" + young})
	if got := webtest.Words(webtest.Marked(w.Shows(200, webtest.Request{Path: "/admin/settings/data"}), "journal-line")[0]); !strings.Contains(got, "The rules of retention deleted 1 interview: finished long enough ago") || !strings.Contains(got, old) {
		t.Errorf("the journal says %q", got)
	}
}

func TestSettingsOverTheAPI(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true, Limits: settings.Values{ResearchDaily: 200}})
	ada, bob := w.As(w.Tenant, "ada", auth.Owner), w.As(w.Tenant, "bob", auth.Reviewer)
	resp := ada.Do(webtest.Request{Path: "/api/v1/settings"})
	tag := resp.Header.Get("ETag")
	put := func(who *webtest.World, tag, body string) int {
		q := webtest.Request{Method: http.MethodPut, Path: "/api/v1/settings", Body: body, Header: map[string]string{}}
		if tag != "" {
			q.Header["If-Match"] = tag
		}
		return who.Do(q).StatusCode
	}
	for _, tt := range []struct {
		name      string
		who       *webtest.World
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
	got := webtest.Fetch[admin.SettingsBody](ada, 200, webtest.Request{Path: "/api/v1/settings"})
	if got.Version != 1 || got.InForce.SessionTurns != 5 || got.InForce.ResearchDaily != 3 || got.ChangedBy != "ada" {
		t.Errorf("in force is %+v", got)
	}
	lines := webtest.Fetch[web.Page[admin.JournalBody]](ada, 200, webtest.Request{Path: "/api/v1/settings/journal"})
	if len(lines.Items) != 1 || lines.Items[0].Kind != settings.Changed || len(lines.Items[0].Detail.Changes) != 2 {
		t.Errorf("the journal says %+v", lines)
	}
	webtest.CheckRefusal(t, ada, webtest.Refusal{Request: webtest.Request{Path: "/api/v1/settings/journal?cursor=x"}, Status: 400})
}

func TestSessionsAreHeldAndDeletedOverTheAPI(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	ada, bob, cleo := w.As(w.Tenant, "ada", auth.Owner), w.As(w.Tenant, "bob", auth.Reviewer), w.As(w.Tenant, "cleo", auth.Member)
	session := "/api/v1/sessions/" + cleo.Begin("idea_discovery")
	status := func(who *webtest.World, method, path, body string) int {
		q := webtest.Request{Method: method, Path: path}
		if body != "" {
			q.Body = body
		}
		return who.Do(q).StatusCode
	}
	for _, tt := range []struct {
		name               string
		who                *webtest.World
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

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	ada, bob := w.As(w.Tenant, "ada", auth.Owner), w.As(w.Tenant, "bob", auth.Member)
	theirs, kept := bob.Begin("idea_discovery"), ada.Begin("idea_discovery")
	if got := webtest.Words(webtest.Marked(ada.Shows(200, webtest.Request{Path: "/admin/settings/erase?user=bob"}), "erase-goes")[0]); !strings.Contains(got, "1 interview they began") || !strings.Contains(got, "all of their tokens") {
		t.Errorf("the question says %q", got)
	}
	if page := ada.Shows(404, webtest.Request{Path: "/admin/settings/erase?user=nobody"}); len(webtest.Marked(page, "fault-user")) != 1 {
		t.Error("who is not there is not said to be at fault")
	}
	if page := ada.Shows(422, webtest.Filled("/admin/settings/erase", url.Values{"user": {"bob"}, "confirm": {"Bob"}})); len(webtest.Marked(page, "fault-confirm")) != 1 || w.RowsOf(theirs) == 0 {
		t.Error("another name is taken for theirs")
	}
	w.As(w.Tenant, "max", auth.Admin).Shows(403, webtest.Filled("/admin/settings/erase", url.Values{"user": {"bob"}, "confirm": {"bob"}}))

	ada.Follows(webtest.Filled("/admin/settings/erase", url.Values{"user": {"bob"}, "confirm": {"bob"}}))

	if w.RowsOf(theirs) != 0 || w.RowsOf(kept) == 0 {
		t.Error("something of theirs is left, or somebody else's is gone")
	}
	webtest.CheckRefusal(t, bob, webtest.Refusal{Request: webtest.Request{Path: "/"}, Status: 401})
}

func TestTokenIsRotated(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	ada, bob := w.As(w.Tenant, "ada", auth.Owner), w.As(w.Tenant, "bob", auth.Reviewer)
	tokens, err := auth.Tokens(t.Context(), w.Pool, w.Tenant)
	if err != nil || tokens[0].User != "bob" || tokens[0].Used != nil {
		t.Fatalf("the tokens are %+v, %v", tokens, err)
	}
	bob.Shows(200, webtest.Request{Path: "/review"})
	if tokens, err = auth.Tokens(t.Context(), w.Pool, w.Tenant); err != nil || tokens[0].Used == nil {
		t.Errorf("the use of bob's token is not noted: %+v, %v", tokens[0], err)
	}
	w.As(w.Tenant, "max", auth.Admin).Shows(404, webtest.Filled("/admin/settings/tokens/nothing/rotate", nil))

	made := ada.Shows(200, webtest.Filled("/admin/settings/tokens/"+tokens[0].ID+"/rotate", nil))

	if len(webtest.Marked(made, "replaced")) != 1 {
		t.Error("nothing says that the old token has ended")
	}
	webtest.CheckRefusal(t, bob, webtest.Refusal{Request: webtest.Request{Path: "/review"}, Status: 401})
	bob.Token = webtest.Attribute(webtest.Marked(made, "token-secret")[0], "value")
	bob.Shows(200, webtest.Request{Path: "/review"})
	ada.Shows(404, webtest.Filled("/admin/settings/tokens/"+tokens[0].ID+"/rotate", nil))
}

// The archive has rows of every table that has tenants, of the tenant alone, and no
// secrets.
func TestExportHoldsEveryTable(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	ada := w.As(w.Tenant, "ada", auth.Owner)
	session := ada.Begin("idea_discovery")
	ada.Say(talk.TurnBody{SessionID: session, Message: "A lending library for tools"})
	eve := w.As(postgrestest.Tenant(t, w.Pool), "eve", auth.Owner)
	eve.Do(webtest.Request{Path: "/admin/settings/export"})
	resp := ada.Do(webtest.Request{Path: "/admin/settings/export"})
	raw, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("the export answered %d, %v", resp.StatusCode, err)
	}
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	super := postgrestest.Superuser(t, w.Pool)
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
		if err := super.QueryRow(t.Context(), `SELECT count(*) FROM `+name+` WHERE tenant_id = $1`, w.Tenant).Scan(&want); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(string(text), "\n"); got != want {
			t.Errorf("%s: %d rows, want %d", name, got, want)
		}
		if strings.Contains(string(text), eve.TenantOf()) || strings.Contains(string(text), "token_hash") {
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

func TestFinishedJobsAreListedByTheirEnd(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	for range 3 {
		w.Enqueue(w.Tenant)
	}
	list := w.Jobs(w.Tenant) // newest first
	for _, i := range []int{2, 0} {
		if resp := w.Do(webtest.Filled(jobAddress(list[i])+"/cancel", nil)); resp.StatusCode != http.StatusSeeOther {
			t.Fatalf("cancel answered %d", resp.StatusCode)
		}
	}
	rows := webtest.Marked(w.Shows(200, webtest.Request{Path: "/admin/jobs?order=ended"}), "job")
	if len(rows) != 2 || !strings.Contains(webtest.Words(rows[0]), strconv.FormatInt(list[0].ID, 10)) || !strings.Contains(webtest.Words(rows[1]), strconv.FormatInt(list[2].ID, 10)) {
		t.Errorf("%d jobs are listed by their end", len(rows))
	}
	first, next, err := research.Jobs(t.Context(), w.Server.Admin.Commands.Queue, research.JobFilter{Tenant: w.Tenant, Ended: true, Max: 1})
	if err != nil || len(first) != 1 || first[0].ID != list[0].ID {
		t.Fatalf("the first page is %+v, %v", first, err)
	}
	if second, end, err := research.Jobs(t.Context(), w.Server.Admin.Commands.Queue, research.JobFilter{Tenant: w.Tenant, Ended: true, Max: 1, Cursor: next}); err != nil || len(second) != 1 || second[0].ID != list[2].ID || end != "" {
		t.Errorf("the second page is %+v, %q, %v", second, end, err)
	}
	if got := webtest.Words(webtest.Marked(w.Shows(200, webtest.Request{Path: jobAddress(list[1])}), "job-args")[0]); !strings.Contains(got, "task") || !strings.Contains(got, list[1].Task) {
		t.Errorf("the job was queued with %q", got)
	}
}
