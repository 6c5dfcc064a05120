package admin_test

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

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/research"
	"quaestor/web/admin"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

func jobAddress(j research.Job) string { return fmt.Sprintf("/admin/jobs/%d", j.ID) }

// Every address below /admin is for owners and admins only, and a form of another
// site is refused whoever it comes from.
func TestOnlyThoseWhoManageComeIn(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	session := w.As(w.Tenant, "ada", auth.Owner).Begin("idea_discovery")
	w.Enqueue(w.Tenant)
	job := jobAddress(w.Jobs(w.Tenant)[0])
	gets := []string{"/admin/jobs", "/admin/jobs?part=now", job, "/admin/settings", "/admin/settings/export", "/admin/settings/delete?session=" + session}
	posts := []string{job + "/retry", job + "/cancel", "/admin/queues/default/pause", "/admin/queues/default/resume", "/admin/settings/tokens",
		"/admin/settings/tokens/" + uuid.NewString() + "/revoke", "/admin/settings/people/role", "/admin/settings/people/remove", "/admin/settings/try/model", "/admin/settings/delete"}
	fields := url.Values{"user": {"ada"}, "role": {"viewer"}, "session": {session}, "sure": {"yes"}}

	for _, role := range []auth.Role{auth.Reviewer, auth.Member, auth.Viewer} {
		who := w.As(w.Tenant, "mia "+string(role), role)
		before := w.Fingerprint()
		for _, path := range gets {
			webtest.CheckRefusal(t, who, webtest.Refusal{Request: webtest.Request{Path: path}, Status: 403, Code: "role_too_low"})
		}
		for _, path := range posts {
			q := webtest.Filled(path, fields)
			q.Header["Accept"] = "application/json"
			webtest.CheckRefusal(t, who, webtest.Refusal{Request: q, Status: 403, Code: "role_too_low"})
		}
		if w.Fingerprint()["public.members"] != before["public.members"] || w.Fingerprint()["river.river_job"] != before["river.river_job"] {
			t.Errorf("a %s changed something", role)
		}
	}
	owner := w.As(w.Tenant, "ada", auth.Owner)
	for _, path := range posts {
		q := webtest.Filled(path, fields)
		q.Header["Accept"], q.Header["Origin"], q.Header["Sec-Fetch-Site"] = "application/json", "http://elsewhere.example", "cross-site"
		webtest.CheckRefusal(t, owner, webtest.Refusal{Request: q, Status: 403, Code: "cross_site"})
	}
	for _, path := range append(gets, posts...) {
		q := webtest.Request{Path: path}
		if strings.Contains(strings.Join(posts, " "), path+" ") {
			q = webtest.Filled(path, fields)
			q.Header["Accept"] = "application/json"
		}
		webtest.CheckRefusal(t, w, webtest.Refusal{Request: q, Status: 401})
	}
}

func TestJobsPageShowsTheQueueAndTheServer(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	empty := w.Shows(200, webtest.Request{Path: "/admin/jobs"})
	for _, id := range []string{"no-jobs", "no-tasks", "no-queues"} {
		if len(webtest.Marked(empty, id)) != 1 {
			t.Errorf("an empty queue does not say %s", id)
		}
	}
	w.OpenLane()
	task := w.Enqueue(w.Tenant)
	if _, err := w.Server.Admin.Commands.Queue.Insert(t.Context(), research.FoldersArgs{}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Pool.Exec(t.Context(), `UPDATE river.river_job SET state = 'retryable', attempt = 2, errors = ARRAY[jsonb_build_object('attempt', 2, 'at', now(), 'error', '<b>no</b> answer', 'trace', '')] WHERE kind = 'research_desk'`); err != nil {
		t.Fatal(err)
	}

	root := w.Shows(200, webtest.Request{Path: "/admin/jobs"})

	text := webtest.Words(root)
	for _, want := range []string{"Look something up", "Read folders of documents", "To be retried", "2 of 6", "<b>no</b> answer", "PostgreSQL", "Counts are of all organisations"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q: %s", want, text)
		}
	}
	if rows := webtest.Marked(root, "job"); len(rows) != 2 || !webtest.LeadsTo(root, "/research/"+task) || len(webtest.Marked(root, "pause-default")) != 1 {
		t.Errorf("%d rows, want 2, one leading to its task, and a queue to pause", len(rows))
	}
	part := w.Shows(200, webtest.Request{Path: "/admin/jobs?part=now&state=retryable"})
	if rows := webtest.Marked(part, "job"); len(rows) != 1 || len(webtest.Marked(part, "jobs")) != 0 {
		t.Errorf("the part that changes holds %d jobs that are to be retried, want 1 and no more of the page", len(rows))
	}
	if other := w.Shows(200, webtest.Request{Path: "/admin/jobs?state=completed"}); len(webtest.Marked(other, "no-jobs")) != 1 {
		t.Error("a filter that finds nothing does not say so")
	}
	for of, want := range map[string]int{"tenant": 1, "server": 1, "everybody": 2} {
		if rows := webtest.Marked(w.Shows(200, webtest.Request{Path: "/admin/jobs?of=" + of}), "job"); len(rows) != want {
			t.Errorf("%d jobs of %s, want %d", len(rows), of, want)
		}
	}
	webtest.CheckRefusal(t, w, webtest.Refusal{Request: webtest.Request{Path: "/admin/jobs?cursor=nonsense"}, Status: 400})
	page := w.Shows(200, webtest.Request{Path: jobAddress(w.Jobs(w.Tenant)[1])})
	if got := webtest.Words(webtest.Marked(page, "failures")[0]); !strings.Contains(got, "Attempt 2") || !strings.Contains(got, "<b>no</b> answer") {
		t.Errorf("the job's page tells of its failures: %s", got)
	}
}

func TestJobsAreRetriedCancelledAndQueuesPaused(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	w.OpenLane()
	w.Enqueue(w.Tenant)
	j := w.Jobs(w.Tenant)[0]
	for _, tt := range []struct {
		path string
		want research.JobState
	}{{"/cancel", research.JobCancelled}, {"/cancel", research.JobCancelled}, {"/retry", research.JobAvailable}} {
		resp := w.Do(webtest.Filled(jobAddress(j)+tt.path, nil))
		if resp.StatusCode != http.StatusSeeOther || resp.Header.Get("Location") != jobAddress(j) {
			t.Fatalf("%s answered %d to %s", tt.path, resp.StatusCode, resp.Header.Get("Location"))
		}
		if got := w.Jobs(w.Tenant)[0].State; got != tt.want {
			t.Errorf("after %s the job is %s, want %s", tt.path, got, tt.want)
		}
	}
	for _, tt := range []struct{ do, offers string }{{"pause", "resume-default"}, {"resume", "pause-default"}} {
		if resp := w.Do(webtest.Filled("/admin/queues/default/"+tt.do, nil)); resp.StatusCode != http.StatusSeeOther {
			t.Fatalf("%s answered %d", tt.do, resp.StatusCode)
		}
		if len(webtest.Marked(w.Shows(200, webtest.Request{Path: "/admin/jobs"}), tt.offers)) != 1 {
			t.Errorf("after %s the page does not offer %s", tt.do, tt.offers)
		}
	}
	w.Shows(404, webtest.Filled("/admin/queues/nothing/pause", nil))
	w.Shows(404, webtest.Filled("/admin/jobs/999999/cancel", nil))
	w.Shows(404, webtest.Filled("/admin/jobs/x/cancel", nil))
}

// What one organisation does is nothing another sees or touches, and what all
// share belongs to none of them.
func TestOrganisationsDoNotManageEachOther(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	w.OpenLane()
	ada := w.As(w.Tenant, "ada", auth.Owner)
	w.Enqueue(w.Tenant)
	mine := w.Jobs(w.Tenant)[0]
	if _, err := w.Server.Admin.Commands.Queue.Insert(t.Context(), research.FoldersArgs{}, nil); err != nil {
		t.Fatal(err)
	}
	servers := w.Jobs(w.Tenant)[0]
	session := ada.Begin("idea_discovery")
	alone := ada.Shows(200, webtest.Request{Path: "/admin/jobs"})
	eve := w.As(postgrestest.Tenant(t, w.Pool), "eve", auth.Owner)
	before := w.Fingerprint()

	if len(webtest.Marked(alone, "pause-default")) != 1 {
		t.Error("the owner of the only organisation may not pause")
	}
	for _, who := range []*webtest.World{eve, ada} {
		root := who.Shows(200, webtest.Request{Path: "/admin/jobs"})
		if len(webtest.Marked(root, "pause-default")) != 0 {
			t.Error("one of two organisations is offered to pause the queue of both")
		}
		for _, path := range []string{"/admin/queues/default/pause", jobAddress(servers) + "/cancel", jobAddress(servers) + "/retry"} {
			if got := webtest.Words(who.Shows(403, webtest.Filled(path, nil))); !strings.Contains(got, "shared by all organisations") {
				t.Errorf("%s is refused by %q", path, got)
			}
		}
	}
	if root := eve.Shows(200, webtest.Request{Path: "/admin/jobs"}); len(webtest.Marked(root, "job")) != 1 {
		t.Error("eve sees more than the server's job")
	}
	for _, q := range []webtest.Request{{Path: jobAddress(mine)}, webtest.Filled(jobAddress(mine)+"/cancel", nil), webtest.Filled(jobAddress(mine)+"/retry", nil),
		webtest.Filled("/admin/settings/people/remove", url.Values{"user": {"ada"}}), webtest.Filled("/admin/settings/people/role", url.Values{"user": {"ada"}, "role": {"viewer"}}),
		{Path: "/admin/settings/delete?session=" + session}, webtest.Filled("/admin/settings/delete", url.Values{"session": {session}, "confirm": {"ada"}}),
		{Path: "/admin/settings/erase?user=ada"}, webtest.Filled("/admin/settings/erase", url.Values{"user": {"ada"}, "confirm": {"ada"}}),
		webtest.Filled("/admin/settings/holds", url.Values{"session": {session}, "reason": {"mine"}}), webtest.Filled("/admin/settings/holds/"+session+"/release", nil)} {
		eve.Shows(404, q)
	}
	shown := ""
	for _, tab := range []string{"", "/people", "/connections", "/data"} {
		shown += webtest.Words(eve.Shows(200, webtest.Request{Path: "/admin/settings" + tab}))
	}
	if strings.Contains(shown, "ada") || !strings.Contains(shown, "shown to who operates it") {
		t.Errorf("eve's settings show the other organisation, or the server's: %s", shown)
	}
	after := w.Fingerprint()
	for _, table := range []string{"river.river_job", "public.members", "public.api_tokens", "public.elicitation_sessions", "public.session_holds"} {
		if before[table] != after[table] {
			t.Errorf("%s has changed", table)
		}
	}
}

func TestTokensAreMadeShownOnceAndRevoked(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	ada := w.As(w.Tenant, "ada", auth.Owner)

	root := ada.Shows(200, webtest.Filled("/admin/settings/tokens", url.Values{"user": {"bob <b>"}, "role": {"viewer"}, "name": {"laptop"}, "days": {"30"}}))

	token := webtest.Attribute(webtest.Marked(root, "token-secret")[0], "value")
	actor, err := auth.Authenticate(t.Context(), w.Pool, token)
	if err != nil || actor.User != "bob <b>" || actor.Role != auth.Viewer || actor.Tenant != w.Tenant {
		t.Fatalf("the token acts as %+v, %v", actor, err)
	}
	page := ada.Shows(200, webtest.Request{Path: "/admin/settings/people"})
	if text := webtest.Words(page); strings.Contains(text, token) || !strings.Contains(text, "bob <b>") || len(webtest.Marked(page, "token")) != 2 || len(webtest.Marked(page, "token-used")) != 2 {
		t.Errorf("the settings list %d tokens, with their secrets: %t", len(webtest.Marked(page, "token")), strings.Contains(text, token))
	}
	tokens, err := auth.Tokens(t.Context(), w.Pool, w.Tenant)
	if err != nil {
		t.Fatal(err)
	}
	again := ada.Follows(webtest.Filled("/admin/settings/tokens/"+tokens[0].ID+"/revoke", nil))
	if len(webtest.Marked(again, "notice")) != 1 || len(webtest.Marked(again, "token")) != 1 || len(webtest.Marked(again, "old-token")) != 1 {
		t.Errorf("after revoking, %d tokens work", len(webtest.Marked(again, "token")))
	}
	if _, err := auth.Authenticate(t.Context(), w.Pool, token); !fault.Is(err, fault.Unauthenticated) {
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
		page := ada.Shows(422, webtest.Filled("/admin/settings/tokens", tt.fields))
		if got := webtest.Words(page); !strings.Contains(got, tt.says) || len(webtest.Marked(page, "failure")) != 1 {
			t.Errorf("%v is refused by %q, want %q", tt.fields, got, tt.says)
		}
		if got := webtest.Attribute(webtest.Marked(page, "token-name")[0], "value"); got != tt.fields.Get("name") {
			t.Errorf("%v: the form forgot what was typed: %q", tt.fields, got)
		}
	}
	admin := w.As(w.Tenant, "max", auth.Admin)
	if got := webtest.Words(webtest.Marked(admin.Shows(403, webtest.Filled("/admin/settings/tokens", url.Values{"user": {"max"}, "role": {"owner"}})), "fault-role")[0]); !strings.Contains(got, "Only an owner makes owners") {
		t.Errorf("an admin who makes an owner reads %q", got)
	}
}

func TestPeopleAreManaged(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	ada, admin := w.As(w.Tenant, "ada", auth.Owner), w.As(w.Tenant, "max", auth.Admin)
	bob := w.As(w.Tenant, "bob", auth.Reviewer)

	if page := ada.Follows(webtest.Filled("/admin/settings/people/role", url.Values{"user": {"bob"}, "role": {"viewer"}})); len(webtest.Marked(page, "notice")) != 1 {
		t.Error("nothing says that the role is set")
	}
	webtest.CheckRefusal(t, bob, webtest.Refusal{Request: webtest.Request{Path: "/review"}, Status: 403, Code: "role_too_low"})
	for _, fields := range []url.Values{{"user": {"ada"}, "role": {"viewer"}}, {"user": {"ada"}, "role": {"admin"}}} {
		if got := webtest.Words(webtest.Marked(ada.Shows(409, webtest.Filled("/admin/settings/people/role", fields)), "failure")[0]); !strings.Contains(got, "last owner") {
			t.Errorf("the last owner reads %q", got)
		}
	}
	page := admin.Shows(200, webtest.Request{Path: "/admin/settings/people"})
	if len(webtest.Marked(page, "role-ada")) != 0 || len(webtest.Marked(page, "role-bob")) != 1 {
		t.Error("an admin is offered to change an owner, or not to change others")
	}
	admin.Shows(403, webtest.Filled("/admin/settings/people/remove", url.Values{"user": {"ada"}}))
	admin.Follows(webtest.Filled("/admin/settings/people/remove", url.Values{"user": {"bob"}}))
	webtest.CheckRefusal(t, bob, webtest.Refusal{Request: webtest.Request{Path: "/"}, Status: 401})
}

func TestPartsAreTried(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	entered, leave := make(chan struct{}), make(chan struct{})
	w.Server.Admin.Setup = admin.Setup{
		Settings: []admin.Setting{{Variable: "QUAESTOR_MODEL", Value: "small <b>", Help: "who interviews"}},
		Parts: []admin.Part{
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
	page := w.Shows(200, webtest.Request{Path: "/admin/settings/connections"})
	if text := webtest.Words(page); !strings.Contains(text, "small <b>") || len(webtest.Marked(page, "try-model")) != 1 || len(webtest.Marked(page, "try-web")) != 0 || !strings.Contains(text, "Not configured") {
		t.Errorf("the settings show the parts: %s", text)
	}
	for part, want := range map[string]string{"model": "It answers " + w.Tenant, "encoder": "The encoder does not answer.", "secretive": "It could not be done"} {
		got := webtest.Words(webtest.Marked(w.Follows(webtest.Filled("/admin/settings/try/"+part, nil)), "result-"+part)[0])
		if !strings.Contains(got, want) || strings.Contains(got, "hunter2") {
			t.Errorf("the test of %s says %q, want %q", part, got, want)
		}
	}
	w.Shows(404, webtest.Filled("/admin/settings/try/web", nil))
	w.Shows(404, webtest.Filled("/admin/settings/try/nothing", nil))
	done := make(chan int)
	go func() {
		resp := w.Do(webtest.Filled("/admin/settings/try/slow", nil))
		done <- resp.StatusCode
	}()
	<-entered
	if got := webtest.Words(webtest.Marked(w.Shows(409, webtest.Filled("/admin/settings/try/model", nil)), "failure")[0]); !strings.Contains(got, "Another test is running") {
		t.Errorf("a second test reads %q", got)
	}
	close(leave)
	if status := <-done; status != http.StatusSeeOther {
		t.Errorf("the slow test answered %d", status)
	}
	if later := webtest.Words(webtest.Marked(w.Shows(200, webtest.Request{Path: "/admin/settings/connections"}), "result-encoder")[0]); !strings.Contains(later, "The encoder does not answer.") || !strings.Contains(later, "Turn it on.") || !strings.Contains(later, "by developer") {
		t.Errorf("what a test came to is shown later as %q", later)
	}
}

func TestExportHoldsAllInterviewsOfTheOrganisation(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	ada := w.As(w.Tenant, "ada", auth.Owner)
	first, second := ada.Begin("idea_discovery"), w.As(w.Tenant, "bob", auth.Member).Begin("business_profile")
	ada.Say(talk.TurnBody{SessionID: first, Message: "A lending library for tools"})
	eve := w.As(postgrestest.Tenant(t, w.Pool), "eve", auth.Owner)

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

func unzipped(t *testing.T, w *webtest.World) map[string]admin.Archived {
	t.Helper()
	resp := w.Do(webtest.Request{Path: "/admin/settings/export"})
	raw, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("the export answered %d, %v", resp.StatusCode, err)
	}
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]admin.Archived{}
	for _, f := range z.File {
		if strings.Contains(f.Name, "/") || f.Name == "README.txt" {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var one admin.Archived
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

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	ada := w.As(w.Tenant, "ada", auth.Owner)
	gone, kept := ada.Begin("idea_discovery"), ada.Begin("business_profile")
	ada.Say(talk.TurnBody{SessionID: gone, Message: "A lending library for tools in every block of flats"})
	before := w.RowsOf(kept)
	if n := w.RowsOf(gone); n < 10 {
		t.Fatalf("the interview has %d rows; the test looks in the wrong place", n)
	}
	admin := w.As(w.Tenant, "max", auth.Admin)
	sure := url.Values{"session": {gone}, "confirm": {"ada"}}
	admin.Shows(403, webtest.Request{Path: "/admin/settings/delete?session=" + gone})
	admin.Shows(403, webtest.Filled("/admin/settings/delete", sure))
	for _, typed := range []string{"", "Ada", "yes"} {
		page := ada.Shows(422, webtest.Filled("/admin/settings/delete", url.Values{"session": {gone}, "confirm": {typed}}))
		if len(webtest.Marked(page, "fault-confirm")) != 1 || webtest.Attribute(webtest.Marked(page, "delete-confirm")[0], "value") != typed {
			t.Errorf("%q is taken for the name, or forgotten", typed)
		}
	}
	lost := ada.Shows(404, webtest.Request{Path: "/admin/settings/delete?session=nothing"})
	if len(webtest.Marked(lost, "fault-session")) != 1 || webtest.Attribute(webtest.Marked(lost, "delete-session")[0], "value") != "nothing" {
		t.Error("the form forgot what was typed, or does not say what is wrong with it")
	}
	asked := ada.Shows(200, webtest.Request{Path: "/admin/settings/delete?session=" + url.QueryEscape(w.URL+"/s/"+gone+"#end")})
	if !strings.Contains(webtest.Words(asked), gone) || w.RowsOf(gone) == 0 {
		t.Fatal("the question names another interview, or deletes it")
	}

	if page := ada.Follows(webtest.Filled("/admin/settings/delete", sure)); len(webtest.Marked(page, "notice")) != 1 || !strings.Contains(webtest.Words(webtest.Marked(page, "journal-line")[0]), "ada deleted 1 interview: by hand "+gone) {
		t.Errorf("the page after it: %s", webtest.Words(page))
	}

	if n := w.RowsOf(gone); n != 0 {
		t.Errorf("%d rows of the interview are left", n)
	}
	if n := w.RowsOf(kept); n != before {
		t.Errorf("the other interview has %d rows, before %d", n, before)
	}
	ada.Shows(404, webtest.Request{Path: "/s/" + gone})
	ada.Shows(404, webtest.Filled("/admin/settings/delete", sure))
}
