package web

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/net/html"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/research"
)

// asPage is what a browser says it takes.
var asPage = map[string]string{"Accept": "text/html,application/xhtml+xml"}

// filled is the request of a page's form.
func filled(path string, fields url.Values) request {
	return request{path: path, method: http.MethodPost, body: fields.Encode(),
		header: map[string]string{"Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"}}
}

// shows returns the page of an answer that must have the status.
func (w *world) shows(status int, q request) *html.Node {
	w.t.Helper()
	if q.header == nil {
		q.header = asPage
	}
	resp := w.do(q)
	root, err := html.Parse(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	if resp.StatusCode != status {
		w.t.Fatalf("%s answered %d, want %d: %.600s", q.path, resp.StatusCode, status, words(root))
	}
	return root
}

// marked returns the elements with a data-testid; nil when there are none.
func marked(root *html.Node, id string) []*html.Node {
	var out []*html.Node
	for n := range root.Descendants() {
		if attribute(n, "data-testid") == id {
			out = append(out, n)
		}
	}
	return out
}

// enqueue puts the job of a research task on the queue.
func (w *world) enqueue(tenant string) (task string) {
	w.t.Helper()
	task = uuid.NewString()
	err := pgx.BeginFunc(w.t.Context(), w.pool, func(tx pgx.Tx) error {
		return research.Enqueue(w.t.Context(), tx, w.server.Office.Queue, []research.Task{{ID: task, Scope: obligations.Scope{Tenant: tenant}, Order: research.Order{Priority: 10}}})
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return task
}

// follows sends a form that is to be heard and returns the page it leads to.
func (w *world) follows(q request) *html.Node {
	w.t.Helper()
	resp := w.do(q)
	if resp.StatusCode != http.StatusSeeOther {
		root, _ := html.Parse(resp.Body)
		w.t.Fatalf("%s answered %d, want 303: %.600s", q.path, resp.StatusCode, words(root))
	}
	place, _, _ := strings.Cut(resp.Header.Get("Location"), "#")
	return w.shows(200, request{path: place})
}

// jobs are those a tenant may see, newest first.
func (w *world) jobs(tenant string) []research.Job {
	w.t.Helper()
	list, _, err := research.Jobs(w.t.Context(), w.server.Office.Queue, research.JobFilter{Tenant: tenant})
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

func (w *world) openLane() {
	w.t.Helper()
	if _, err := w.pool.Exec(w.t.Context(), `INSERT INTO river.river_queue (name, metadata, updated_at) VALUES ('default', '{}', now())`); err != nil {
		w.t.Fatal(err)
	}
}

func jobAddress(j research.Job) string { return fmt.Sprintf("/admin/jobs/%d", j.ID) }

// Every address below /admin is for owners and admins only, and a form of another
// site is refused whoever it comes from.
func TestOnlyThoseWhoManageComeIn(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	session := w.as(w.tenant, "ada", auth.Owner).begin("idea_discovery")
	w.enqueue(w.tenant)
	job := jobAddress(w.jobs(w.tenant)[0])
	gets := []string{"/admin/jobs", "/admin/jobs?part=now", job, "/admin/settings", "/admin/settings/export", "/admin/settings/delete?session=" + session}
	posts := []string{job + "/retry", job + "/cancel", "/admin/queues/default/pause", "/admin/queues/default/resume", "/admin/settings/tokens",
		"/admin/settings/tokens/" + uuid.NewString() + "/revoke", "/admin/settings/people/role", "/admin/settings/people/remove", "/admin/settings/try/model", "/admin/settings/delete"}
	fields := url.Values{"user": {"ada"}, "role": {"viewer"}, "session": {session}, "sure": {"yes"}}

	for _, role := range []auth.Role{auth.Reviewer, auth.Member, auth.Viewer} {
		who := w.as(w.tenant, "mia "+string(role), role)
		before := w.fingerprint()
		for _, path := range gets {
			checkRefusal(t, who, refusal{request: request{path: path}, status: 403, code: "role_too_low"})
		}
		for _, path := range posts {
			q := filled(path, fields)
			q.header["Accept"] = "application/json"
			checkRefusal(t, who, refusal{request: q, status: 403, code: "role_too_low"})
		}
		if w.fingerprint()["public.members"] != before["public.members"] || w.fingerprint()["river.river_job"] != before["river.river_job"] {
			t.Errorf("a %s changed something", role)
		}
	}
	owner := w.as(w.tenant, "ada", auth.Owner)
	for _, path := range posts {
		q := filled(path, fields)
		q.header["Accept"], q.header["Origin"], q.header["Sec-Fetch-Site"] = "application/json", "http://elsewhere.example", "cross-site"
		checkRefusal(t, owner, refusal{request: q, status: 403, code: "cross_site"})
	}
	for _, path := range append(gets, posts...) {
		q := request{path: path}
		if strings.Contains(strings.Join(posts, " "), path+" ") {
			q = filled(path, fields)
			q.header["Accept"] = "application/json"
		}
		checkRefusal(t, w, refusal{request: q, status: 401})
	}
}

func TestJobsPageShowsTheQueueAndTheServer(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	empty := w.shows(200, request{path: "/admin/jobs"})
	for _, id := range []string{"no-jobs", "no-tasks", "no-queues"} {
		if len(marked(empty, id)) != 1 {
			t.Errorf("an empty queue does not say %s", id)
		}
	}
	w.openLane()
	task := w.enqueue(w.tenant)
	if _, err := w.server.Office.Queue.Insert(t.Context(), research.FoldersArgs{}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := w.pool.Exec(t.Context(), `UPDATE river.river_job SET state = 'retryable', attempt = 2, errors = ARRAY[jsonb_build_object('attempt', 2, 'at', now(), 'error', '<b>no</b> answer', 'trace', '')] WHERE kind = 'research_desk'`); err != nil {
		t.Fatal(err)
	}

	root := w.shows(200, request{path: "/admin/jobs"})

	text := words(root)
	for _, want := range []string{"Look something up", "Read folders of documents", "To be retried", "2 of 6", "<b>no</b> answer", "PostgreSQL", "Counts are of all organisations"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q: %s", want, text)
		}
	}
	if rows := marked(root, "job"); len(rows) != 2 || !leadsTo(root, "/research/"+task) || len(marked(root, "pause-default")) != 1 {
		t.Errorf("%d rows, want 2, one leading to its task, and a queue to pause", len(rows))
	}
	part := w.shows(200, request{path: "/admin/jobs?part=now&state=retryable"})
	if rows := marked(part, "job"); len(rows) != 1 || len(marked(part, "jobs")) != 0 {
		t.Errorf("the part that changes holds %d jobs that are to be retried, want 1 and no more of the page", len(rows))
	}
	if other := w.shows(200, request{path: "/admin/jobs?state=completed"}); len(marked(other, "no-jobs")) != 1 {
		t.Error("a filter that finds nothing does not say so")
	}
	for of, want := range map[string]int{"tenant": 1, "server": 1, "everybody": 2} {
		if rows := marked(w.shows(200, request{path: "/admin/jobs?of=" + of}), "job"); len(rows) != want {
			t.Errorf("%d jobs of %s, want %d", len(rows), of, want)
		}
	}
	checkRefusal(t, w, refusal{request: request{path: "/admin/jobs?cursor=nonsense"}, status: 400})
	page := w.shows(200, request{path: jobAddress(w.jobs(w.tenant)[1])})
	if got := words(marked(page, "failures")[0]); !strings.Contains(got, "Attempt 2") || !strings.Contains(got, "<b>no</b> answer") {
		t.Errorf("the job's page tells of its failures: %s", got)
	}
}

func TestJobsAreRetriedCancelledAndQueuesPaused(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	w.openLane()
	w.enqueue(w.tenant)
	j := w.jobs(w.tenant)[0]
	for _, tt := range []struct {
		path string
		want research.JobState
	}{{"/cancel", research.JobCancelled}, {"/cancel", research.JobCancelled}, {"/retry", research.JobAvailable}} {
		resp := w.do(filled(jobAddress(j)+tt.path, nil))
		if resp.StatusCode != http.StatusSeeOther || resp.Header.Get("Location") != jobAddress(j) {
			t.Fatalf("%s answered %d to %s", tt.path, resp.StatusCode, resp.Header.Get("Location"))
		}
		if got := w.jobs(w.tenant)[0].State; got != tt.want {
			t.Errorf("after %s the job is %s, want %s", tt.path, got, tt.want)
		}
	}
	for _, tt := range []struct{ do, offers string }{{"pause", "resume-default"}, {"resume", "pause-default"}} {
		if resp := w.do(filled("/admin/queues/default/"+tt.do, nil)); resp.StatusCode != http.StatusSeeOther {
			t.Fatalf("%s answered %d", tt.do, resp.StatusCode)
		}
		if len(marked(w.shows(200, request{path: "/admin/jobs"}), tt.offers)) != 1 {
			t.Errorf("after %s the page does not offer %s", tt.do, tt.offers)
		}
	}
	w.shows(404, filled("/admin/queues/nothing/pause", nil))
	w.shows(404, filled("/admin/jobs/999999/cancel", nil))
	w.shows(404, filled("/admin/jobs/x/cancel", nil))
}

// What one organisation does is nothing another sees or touches, and what all
// share belongs to none of them.
func TestOrganisationsDoNotManageEachOther(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	w.openLane()
	ada := w.as(w.tenant, "ada", auth.Owner)
	w.enqueue(w.tenant)
	mine := w.jobs(w.tenant)[0]
	if _, err := w.server.Office.Queue.Insert(t.Context(), research.FoldersArgs{}, nil); err != nil {
		t.Fatal(err)
	}
	servers := w.jobs(w.tenant)[0]
	session := ada.begin("idea_discovery")
	alone := ada.shows(200, request{path: "/admin/jobs"})
	eve := w.as(postgrestest.Tenant(t, w.pool), "eve", auth.Owner)
	before := w.fingerprint()

	if len(marked(alone, "pause-default")) != 1 {
		t.Error("the owner of the only organisation may not pause")
	}
	for _, who := range []*world{eve, ada} {
		root := who.shows(200, request{path: "/admin/jobs"})
		if len(marked(root, "pause-default")) != 0 {
			t.Error("one of two organisations is offered to pause the queue of both")
		}
		for _, path := range []string{"/admin/queues/default/pause", jobAddress(servers) + "/cancel", jobAddress(servers) + "/retry"} {
			if got := words(who.shows(403, filled(path, nil))); !strings.Contains(got, "shared by all organisations") {
				t.Errorf("%s is refused by %q", path, got)
			}
		}
	}
	if root := eve.shows(200, request{path: "/admin/jobs"}); len(marked(root, "job")) != 1 {
		t.Error("eve sees more than the server's job")
	}
	for _, q := range []request{{path: jobAddress(mine)}, filled(jobAddress(mine)+"/cancel", nil), filled(jobAddress(mine)+"/retry", nil),
		filled("/admin/settings/people/remove", url.Values{"user": {"ada"}}), filled("/admin/settings/people/role", url.Values{"user": {"ada"}, "role": {"viewer"}}),
		{path: "/admin/settings/delete?session=" + session}, filled("/admin/settings/delete", url.Values{"session": {session}, "confirm": {"ada"}}),
		{path: "/admin/settings/erase?user=ada"}, filled("/admin/settings/erase", url.Values{"user": {"ada"}, "confirm": {"ada"}}),
		filled("/admin/settings/holds", url.Values{"session": {session}, "reason": {"mine"}}), filled("/admin/settings/holds/"+session+"/release", nil)} {
		eve.shows(404, q)
	}
	shown := ""
	for _, tab := range []string{"", "/people", "/connections", "/data"} {
		shown += words(eve.shows(200, request{path: "/admin/settings" + tab}))
	}
	if strings.Contains(shown, "ada") || !strings.Contains(shown, "shown to who operates it") {
		t.Errorf("eve's settings show the other organisation, or the server's: %s", shown)
	}
	after := w.fingerprint()
	for _, table := range []string{"river.river_job", "public.members", "public.api_tokens", "public.elicitation_sessions", "public.session_holds"} {
		if before[table] != after[table] {
			t.Errorf("%s has changed", table)
		}
	}
}

func TestTokensAreMadeShownOnceAndRevoked(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	ada := w.as(w.tenant, "ada", auth.Owner)

	root := ada.shows(200, filled("/admin/settings/tokens", url.Values{"user": {"bob <b>"}, "role": {"viewer"}, "name": {"laptop"}, "days": {"30"}}))

	token := attribute(marked(root, "token-secret")[0], "value")
	actor, err := auth.Authenticate(t.Context(), w.pool, token)
	if err != nil || actor.User != "bob <b>" || actor.Role != auth.Viewer || actor.Tenant != w.tenant {
		t.Fatalf("the token acts as %+v, %v", actor, err)
	}
	page := ada.shows(200, request{path: "/admin/settings/people"})
	if text := words(page); strings.Contains(text, token) || !strings.Contains(text, "bob <b>") || len(marked(page, "token")) != 2 || len(marked(page, "token-used")) != 2 {
		t.Errorf("the settings list %d tokens, with their secrets: %t", len(marked(page, "token")), strings.Contains(text, token))
	}
	tokens, err := auth.Tokens(t.Context(), w.pool, w.tenant)
	if err != nil {
		t.Fatal(err)
	}
	again := ada.follows(filled("/admin/settings/tokens/"+tokens[0].ID+"/revoke", nil))
	if len(marked(again, "notice")) != 1 || len(marked(again, "token")) != 1 || len(marked(again, "old-token")) != 1 {
		t.Errorf("after revoking, %d tokens work", len(marked(again, "token")))
	}
	if _, err := auth.Authenticate(t.Context(), w.pool, token); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("the revoked token still acts: %v", err)
	}
	for _, tt := range []struct {
		fields url.Values
		says   string
	}{
		{url.Values{"user": {" "}, "role": {"member"}}, "1 to 200 characters"},
		{url.Values{"user": {"bob"}, "role": {"root"}}, "A role is owner"},
		{url.Values{"user": {"bob"}, "role": {"member"}, "days": {"many"}}, "0 to 3650 days"},
		{url.Values{"user": {"bob"}, "role": {"member"}, "days": {"-1"}}, "0 to 3650 days"},
		{url.Values{"user": {"bob"}, "role": {"member"}, "name": {strings.Repeat("é", 201)}}, "at most 200"},
	} {
		page := ada.shows(422, filled("/admin/settings/tokens", tt.fields))
		if got := words(page); !strings.Contains(got, tt.says) || len(marked(page, "failure")) != 1 {
			t.Errorf("%v is refused by %q, want %q", tt.fields, got, tt.says)
		}
		if got := attribute(marked(page, "token-name")[0], "value"); got != tt.fields.Get("name") {
			t.Errorf("%v: the form forgot what was typed: %q", tt.fields, got)
		}
	}
	admin := w.as(w.tenant, "max", auth.Admin)
	if got := words(marked(admin.shows(403, filled("/admin/settings/tokens", url.Values{"user": {"max"}, "role": {"owner"}})), "fault-role")[0]); !strings.Contains(got, "Only an owner makes owners") {
		t.Errorf("an admin who makes an owner reads %q", got)
	}
}

func TestPeopleAreManaged(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	ada, admin := w.as(w.tenant, "ada", auth.Owner), w.as(w.tenant, "max", auth.Admin)
	bob := w.as(w.tenant, "bob", auth.Reviewer)

	if page := ada.follows(filled("/admin/settings/people/role", url.Values{"user": {"bob"}, "role": {"viewer"}})); len(marked(page, "notice")) != 1 {
		t.Error("nothing says that the role is set")
	}
	checkRefusal(t, bob, refusal{request: request{path: "/review"}, status: 403, code: "role_too_low"})
	for _, fields := range []url.Values{{"user": {"ada"}, "role": {"viewer"}}, {"user": {"ada"}, "role": {"admin"}}} {
		if got := words(marked(ada.shows(409, filled("/admin/settings/people/role", fields)), "failure")[0]); !strings.Contains(got, "last owner") {
			t.Errorf("the last owner reads %q", got)
		}
	}
	page := admin.shows(200, request{path: "/admin/settings/people"})
	if len(marked(page, "role-ada")) != 0 || len(marked(page, "role-bob")) != 1 {
		t.Error("an admin is offered to change an owner, or not to change others")
	}
	admin.shows(403, filled("/admin/settings/people/remove", url.Values{"user": {"ada"}}))
	admin.follows(filled("/admin/settings/people/remove", url.Values{"user": {"bob"}}))
	checkRefusal(t, bob, refusal{request: request{path: "/"}, status: 401})
}

func TestPartsAreTried(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	entered, leave := make(chan struct{}), make(chan struct{})
	w.server.Setup = Setup{
		Settings: []Setting{{"QUAESTOR_MODEL", "small <b>", "who interviews"}},
		Parts: []Part{
			{Name: "model", Title: "Model", State: "small at http://127.0.0.1:9", On: true, Try: func(_ context.Context, tenant string) (string, error) {
				return "It answers " + tenant, nil
			}},
			{Name: "encoder", Title: "Encoder", State: "far away", On: true, Remedy: func(error) string { return "Turn it on." }, Try: func(context.Context, string) (string, error) {
				return "", fault.New(fault.Unavailable, "the encoder does not answer").Because(fmt.Errorf("password hunter2"))
			}},
			{Name: "secretive", Title: "Other", On: true, Try: func(context.Context, string) (string, error) { return "", fmt.Errorf("password hunter2") }},
			{Name: "slow", Title: "Slow", On: true, Try: func(ctx context.Context, _ string) (string, error) {
				close(entered)
				<-leave
				return "at last", nil
			}},
			{Name: "web", Title: "Web", State: "set a key"},
		},
	}
	page := w.shows(200, request{path: "/admin/settings/connections"})
	if text := words(page); !strings.Contains(text, "small <b>") || len(marked(page, "try-model")) != 1 || len(marked(page, "try-web")) != 0 || !strings.Contains(text, "Not configured") {
		t.Errorf("the settings show the parts: %s", text)
	}
	for part, want := range map[string]string{"model": "It answers " + w.tenant, "encoder": "The encoder does not answer.", "secretive": "It could not be done"} {
		got := words(marked(w.follows(filled("/admin/settings/try/"+part, nil)), "result-"+part)[0])
		if !strings.Contains(got, want) || strings.Contains(got, "hunter2") {
			t.Errorf("the test of %s says %q, want %q", part, got, want)
		}
	}
	w.shows(404, filled("/admin/settings/try/web", nil))
	w.shows(404, filled("/admin/settings/try/nothing", nil))
	done := make(chan int)
	go func() {
		resp := w.do(filled("/admin/settings/try/slow", nil))
		done <- resp.StatusCode
	}()
	<-entered
	if got := words(marked(w.shows(409, filled("/admin/settings/try/model", nil)), "failure")[0]); !strings.Contains(got, "Another test is running") {
		t.Errorf("a second test reads %q", got)
	}
	close(leave)
	if status := <-done; status != http.StatusSeeOther {
		t.Errorf("the slow test answered %d", status)
	}
	if later := words(marked(w.shows(200, request{path: "/admin/settings/connections"}), "result-encoder")[0]); !strings.Contains(later, "The encoder does not answer.") || !strings.Contains(later, "Turn it on.") || !strings.Contains(later, "by developer") {
		t.Errorf("what a test came to is shown later as %q", later)
	}
}

func TestExportHoldsAllInterviewsOfTheOrganisation(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	ada := w.as(w.tenant, "ada", auth.Owner)
	first, second := ada.begin("idea_discovery"), w.as(w.tenant, "bob", auth.Member).begin("business_profile")
	ada.say(turnBody{SessionID: first, Message: "A lending library for tools"})
	eve := w.as(postgrestest.Tenant(t, w.pool), "eve", auth.Owner)

	got := unzipped(t, ada)

	if len(got) != 2 || got["business_profile-"+second+".json"].Session.UserID != "bob" {
		t.Fatalf("the archive holds %d files", len(got))
	}
	one := got["idea_discovery-"+first+".json"]
	if len(one.Messages) != 3 || one.Messages[1].Content != "A lending library for tools" || len(one.Obligations) == 0 || len(one.History) == 0 {
		t.Errorf("an interview is kept as %d messages, %d obligations, %d lines of history", len(one.Messages), len(one.Obligations), len(one.History))
	}
	if nothing := unzipped(t, eve); len(nothing) != 0 {
		t.Errorf("another organisation's archive holds %d files", len(nothing))
	}
}

func unzipped(t *testing.T, w *world) map[string]archived {
	t.Helper()
	resp := w.do(request{path: "/admin/settings/export"})
	raw, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("the export answered %d, %v", resp.StatusCode, err)
	}
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]archived{}
	for _, f := range z.File {
		if strings.Contains(f.Name, "/") || f.Name == "README.txt" {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var one archived
		if err := json.NewDecoder(r).Decode(&one); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		out[f.Name] = one
	}
	return out
}

// Nothing of a deleted interview is left in any table that has a session, and
// nothing of another is gone.
func TestInterviewIsDeletedWhole(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	ada := w.as(w.tenant, "ada", auth.Owner)
	gone, kept := ada.begin("idea_discovery"), ada.begin("business_profile")
	ada.say(turnBody{SessionID: gone, Message: "A lending library for tools in every block of flats"})
	before := w.rowsOf(kept)
	if n := w.rowsOf(gone); n < 10 {
		t.Fatalf("the interview has %d rows; the test looks in the wrong place", n)
	}
	admin := w.as(w.tenant, "max", auth.Admin)
	sure := url.Values{"session": {gone}, "confirm": {"ada"}}
	admin.shows(403, request{path: "/admin/settings/delete?session=" + gone})
	admin.shows(403, filled("/admin/settings/delete", sure))
	for _, typed := range []string{"", "Ada", "yes"} {
		page := ada.shows(422, filled("/admin/settings/delete", url.Values{"session": {gone}, "confirm": {typed}}))
		if len(marked(page, "fault-confirm")) != 1 || attribute(marked(page, "delete-confirm")[0], "value") != typed {
			t.Errorf("%q is taken for the name, or forgotten", typed)
		}
	}
	lost := ada.shows(404, request{path: "/admin/settings/delete?session=nothing"})
	if len(marked(lost, "fault-session")) != 1 || attribute(marked(lost, "delete-session")[0], "value") != "nothing" {
		t.Error("the form forgot what was typed, or does not say what is wrong with it")
	}
	asked := ada.shows(200, request{path: "/admin/settings/delete?session=" + url.QueryEscape(w.url+"/s/"+gone+"#end")})
	if !strings.Contains(words(asked), gone) || w.rowsOf(gone) == 0 {
		t.Fatal("the question names another interview, or deletes it")
	}

	if page := ada.follows(filled("/admin/settings/delete", sure)); len(marked(page, "notice")) != 1 || !strings.Contains(words(marked(page, "journal-line")[0]), "ada deleted 1 interview: by hand "+gone) {
		t.Errorf("the page after it: %s", words(page))
	}

	if n := w.rowsOf(gone); n != 0 {
		t.Errorf("%d rows of the interview are left", n)
	}
	if n := w.rowsOf(kept); n != before {
		t.Errorf("the other interview has %d rows, before %d", n, before)
	}
	ada.shows(404, request{path: "/s/" + gone})
	ada.shows(404, filled("/admin/settings/delete", sure))
}

// rowsOf counts a session's rows in all tables.
func (w *world) rowsOf(session string) int {
	w.t.Helper()
	super := postgrestest.Superuser(w.t, w.pool)
	defer super.Close()
	rows, err := super.Query(w.t.Context(), `SELECT table_name, column_name FROM information_schema.columns
		WHERE table_schema = 'public' AND (column_name = 'session_id' OR table_name = 'elicitation_sessions' AND column_name = 'id')`)
	if err != nil {
		w.t.Fatal(err)
	}
	places, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct{ Table, Column string }])
	if err != nil || len(places) < 10 {
		w.t.Fatalf("%d tables have a session, %v", len(places), err)
	}
	total := 0
	for _, p := range places {
		n := 0
		if err := super.QueryRow(w.t.Context(), `SELECT count(*) FROM `+p.Table+` WHERE `+p.Column+` = $1`, session).Scan(&n); err != nil {
			w.t.Fatal(err)
		}
		total += n
	}
	return total
}
