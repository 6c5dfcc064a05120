package research_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"quaestor/internal/auth"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/tasks"
	"quaestor/web/webtest"
)

// disagreeing returns the sources of the market, made to contradict each other.
func disagreeing() []webtest.Staged {
	out := slices.Clone(webtest.Market)
	out[0].Against, out[1].Against = []int{2}, []int{1}
	return out
}

func TestQuestionIsAskedOnce(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("business_profile")
	question := map[string]any{"query": "How large is the\nmarket for  bicycle repair?"}
	once := map[string]string{"Idempotency-Key": "one"}

	first := w.Do(webtest.Request{Path: webtest.TasksPath, Body: question, Header: once})
	var made tasks.TaskBody
	if err := json.NewDecoder(first.Body).Decode(&made); err != nil || first.StatusCode != http.StatusCreated {
		t.Fatalf("asking answered %d: %v", first.StatusCode, err)
	}
	again := webtest.Fetch[tasks.TaskBody](w, http.StatusOK, webtest.Request{Path: webtest.TasksPath, Body: question, Header: once})

	if want := webtest.TasksPath + "/" + made.ID; first.Header.Get("Location") != want {
		t.Errorf("Location %q, want %q", first.Header.Get("Location"), want)
	}
	if made.Query != "How large is the market for bicycle repair?" || made.Status != research.Pending || made.Trigger != research.UserRequest || made.UserID != "developer" || made.SessionID != "" {
		t.Errorf("made %+v", made)
	}
	if diff := cmp.Diff(made, again); diff != "" {
		t.Errorf("the same request made another task (-first +again):\n%s", diff)
	}
	for name, body := range map[string]map[string]any{"another query": {"query": "What is cheese?"}, "in a session": {"query": question["query"], "sessionId": session}} {
		t.Run(name, func(t *testing.T) {
			webtest.CheckRefusal(t, w, webtest.Refusal{Request: webtest.Request{Path: webtest.TasksPath, Body: body, Header: once}, Status: 422, Code: "idempotency_mismatch", Field: "Idempotency-Key"})
		})
	}
	if other := w.Asks(question); other.ID == made.ID {
		t.Error("a request without an id of its own made no new task")
	}
	var jobs int
	if err := w.Pool.QueryRow(t.Context(), `SELECT count(*) FROM river.river_job WHERE kind = 'research_desk'`).Scan(&jobs); err != nil || jobs != 2 {
		t.Errorf("%d jobs (%v), want 2", jobs, err)
	}
}

func TestQuestionOfASessionIsToldInItsStream(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("business_profile")
	events := w.Stream(webtest.Request{Path: "/api/v1/sessions/" + session + "/events?after=" + webtest.LastEvent(w, session)})

	made := w.Asks(map[string]any{"sessionId": session, "obligationKey": "industry"})
	queued := events.Until(sessions.KindResearch)
	steered := webtest.Fetch[tasks.TaskBody](w, http.StatusOK, webtest.Request{Path: webtest.TasksPath + "/" + made.ID + "/steer", Body: map[string]string{"text": "Germany  only"}})
	redirected := events.Until(sessions.KindResearch)
	over := webtest.Fetch[tasks.TaskBody](w, http.StatusOK, webtest.Request{Method: http.MethodPost, Path: webtest.TasksPath + "/" + made.ID + "/cancel"})
	ended := events.Until(sessions.KindResearch)

	if made.Key != "industry" || made.SessionID != session || made.Query == "" {
		t.Errorf("made %+v", made)
	}
	once := webtest.Request{Path: webtest.TasksPath, Body: map[string]any{"sessionId": session, "obligationKey": "target_market"}, Header: map[string]string{"Idempotency-Key": "one"}}
	first, again := webtest.Fetch[tasks.TaskBody](w, http.StatusCreated, once), webtest.Fetch[tasks.TaskBody](w, http.StatusOK, once)
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("the same request about an obligation made another task (-first +again):\n%s", diff)
	}
	if len(steered.Steering) != 1 || steered.Steering[0].Text != "Germany only" || steered.Steering[0].By != "developer" || over.Status != research.Cancelled {
		t.Errorf("steered %+v, then %+v", steered.Steering, over)
	}
	var stands []string
	for _, list := range [][]webtest.Told{queued, redirected, ended} {
		e := list[len(list)-1].Data
		stands = append(stands, fmt.Sprint(e["taskId"] == made.ID, " ", e["status"], " ", e["steering"]))
	}
	if diff := cmp.Diff([]string{"true pending <nil>", "true pending [Germany only]", "true cancelled [Germany only]"}, stands); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	webtest.CheckRefusal(t, w, webtest.Refusal{Request: webtest.Request{Method: http.MethodPost, Path: webtest.TasksPath + "/" + made.ID + "/cancel"}, Status: 409, Code: "research_over"})
	webtest.CheckRefusal(t, w, webtest.Refusal{Request: webtest.Request{Path: webtest.TasksPath + "/" + made.ID + "/steer", Body: map[string]string{"text": "France"}}, Status: 409, Code: "research_over"})
}

func TestResearchRefusals(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna := c.People["anna"]
	mine, here := anna.Asks(map[string]any{"query": "What is bread?"}), anna.Asks(map[string]any{"query": "Who sells bread?", "sessionId": c.Session})
	ask := func(fields ...any) webtest.Request {
		body := map[string]any{}
		for i := 0; i+1 < len(fields); i += 2 {
			body[fields[i].(string)] = fields[i+1]
		}
		return webtest.Request{Path: webtest.TasksPath, Body: body}
	}
	with := func(q webtest.Request, key string) webtest.Request {
		q.Header = map[string]string{"Idempotency-Key": key}
		return q
	}
	before := c.Fingerprint()
	for _, tt := range []webtest.Refusal{
		{Name: "nothing asked", Request: ask(), Status: 422, Field: "query"},
		{Name: "blank", Request: ask("query", " \n "), Status: 422, Field: "query"},
		{Name: "long", Request: ask("query", strings.Repeat("x", 1001)), Status: 413, Field: "query", Says: []string{"1000"}},
		{Name: "NUL", Request: webtest.Request{Path: webtest.TasksPath, Body: `{"query":"a\u0000b"}`}, Status: 422, Field: "body.query"},
		{Name: "no JSON", Request: webtest.Request{Path: webtest.TasksPath, Body: `{"query":`}, Status: 400},
		{Name: "unknown kind", Request: ask("query", "x", "taskType", "gossip"), Status: 422, Field: "body.taskType"},
		{Name: "unknown session", Request: ask("query", "x", "sessionId", uuid.NewString()), Status: 404, Code: "session_not_found"},
		{Name: "malformed session", Request: ask("query", "x", "sessionId", "x"), Status: 404, Code: "session_not_found"},
		{Name: "foreign session", Request: ask("query", "x", "sessionId", c.Foreign), Status: 404, Code: "session_not_found"},
		{Name: "completed session", Request: ask("query", "x", "sessionId", c.Completed), Status: 409, Code: "session_completed"},
		{Name: "obligation of no session", Request: ask("obligationKey", "industry"), Status: 422, Field: "sessionId"},
		{Name: "unknown obligation", Request: ask("obligationKey", "nothing", "sessionId", c.Session), Status: 422, Code: "obligation_not_found"},
		{Name: "request id too long", Request: with(ask("query", "x"), strings.Repeat("x", 256)), Status: 422},
		{Name: "request id with spaces", Request: with(ask("query", "x"), "a b"), Status: 422},
		{Name: "viewer asks", Who: "viewer", Request: ask("query", "x"), Status: 403, Code: "role_too_low"},
		{Name: "nobody asks", Who: "nobody", Request: ask("query", "x"), Status: 401, Code: "unauthenticated"},
		{Name: "from another site", Request: webtest.Request{Path: webtest.TasksPath, Body: map[string]string{"query": "x"}, Header: map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}}, Status: 403, Code: "cross_site"},
		{Name: "steered to nothing", Request: webtest.Request{Path: webtest.TasksPath + "/" + mine.ID + "/steer", Body: map[string]string{"text": " "}}, Status: 422, Field: "text"},
		{Name: "steered at length", Request: webtest.Request{Path: webtest.TasksPath + "/" + mine.ID + "/steer", Body: map[string]string{"text": strings.Repeat("x", 301)}}, Status: 413, Field: "text"},
		{Name: "no such source", Request: webtest.Request{Path: webtest.TasksPath + "/" + mine.ID + "/sources/1"}, Status: 404, Code: "research_source_not_found"},
		{Name: "no such source, raw", Request: webtest.Request{Path: webtest.TasksPath + "/" + mine.ID + "/sources/1/raw"}, Status: 404, Code: "research_source_not_found"},
		{Name: "source that cannot be", Request: webtest.Request{Path: webtest.TasksPath + "/" + mine.ID + "/sources/99999999999"}, Status: 422},
		{Name: "source that cannot be, raw", Request: webtest.Request{Path: webtest.TasksPath + "/" + mine.ID + "/sources/99999999999/raw"}, Status: 404},
		{Name: "unknown format", Request: webtest.Request{Path: webtest.TasksPath + "/" + mine.ID + "/report?format=exe"}, Status: 422, Field: "format", Says: []string{"json, md, html or csv"}},
		{Name: "unknown status", Request: webtest.Request{Path: webtest.TasksPath + "?status=gone"}, Status: 422},
		{Name: "bad cursor", Request: webtest.Request{Path: webtest.TasksPath + "?cursor=%21"}, Status: 400, Code: "bad_cursor", Field: "cursor"},
		{Name: "page of another session", Request: webtest.Request{Path: "/s/" + c.Completed + "/research/" + here.ID}, Status: 404, Code: "research_task_not_found"},
		{Name: "form of another session", Request: webtest.Request{Path: "/s/" + c.Completed + "/research/" + here.ID + "/cancel", Body: "", Header: form}, Status: 404, Code: "research_task_not_found"},
		{Name: "form without a question", Request: webtest.Request{Path: "/s/" + c.Session + "/research", Body: "query=+", Header: form}, Status: 422, Field: "query"},
		{Name: "form with NUL", Request: webtest.Request{Path: "/s/" + c.Session + "/research", Body: "query=a%00b", Header: form}, Status: 400, Code: "nul_character", Field: "query"},
		{Name: "form with another's request id", Request: webtest.Request{Path: "/s/" + c.Session + "/research", Body: "query=a&requestId=b", Header: form}, Status: 422, Field: "requestId"},
		{Name: "rejects what was not proposed", Request: webtest.Request{Path: "/s/" + c.Session + "/research/" + here.ID + "/dispute", Body: "reason=no", Header: form}, Status: 409, Code: "nothing_proposed"},
	} {
		t.Run(tt.Name, func(t *testing.T) {
			who := c.People[tt.Who]
			if tt.Who == "" {
				who = anna
			}
			webtest.CheckRefusal(t, who, tt)
		})
	}
	if diff := cmp.Diff(before, c.Fingerprint()); diff != "" {
		t.Errorf("refusals changed tables (-before +after):\n%s", diff)
	}
}

var form = map[string]string{"Content-Type": "application/x-www-form-urlencoded"}

// Every route of research is probed by people of every role, with a task of a session and
// with one that belongs to none.
func TestResearchByRole(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna := c.People["anna"]
	people := map[string]*webtest.World{"anna": anna, "stranger": c.People["ben"], "foreign": c.People["mallory"], "nobody": c.People["nobody"], "viewer": c.People["viewer"],
		"owner": c.People["boss"], "reviewer": c.As(c.Tenant, "rita", auth.Reviewer), "observer": c.As(c.Tenant, "olga", auth.Member), "contributor": c.As(c.Tenant, "carl", auth.Member)}
	people["observer"].Accepts(anna.Invites(c.Session, sessions.ObserverRole, ""))
	people["contributor"].Accepts(anna.Invites(c.Session, sessions.ContributorRole, ""))
	here, alone := anna.Asks(map[string]any{"query": "Who sells bread?", "sessionId": c.Session}).ID, anna.Asks(map[string]any{"query": "What is bread?"}).ID
	for _, id := range []string{here, alone} {
		c.Stages(id, research.Found, webtest.Market...)
	}
	const ok, no, gone, who = 200, 403, 404, 401
	reads := map[string]int{"anna": ok, "contributor": ok, "observer": ok, "reviewer": ok, "owner": ok, "stranger": gone, "viewer": gone, "foreign": gone, "nobody": who}
	writes := with(reads, "observer", no)
	for name := range writes {
		if writes[name] == ok {
			writes[name] = 409 // it is over
		}
	}
	readsAlone := with(with(reads, "contributor", gone), "observer", gone)
	writesAlone := with(with(writes, "contributor", gone), "observer", gone)
	asked := with(with(with(map[string]int{}, "anna", 201), "contributor", 201), "observer", no)
	for name, status := range map[string]int{"reviewer": 201, "owner": 201, "stranger": gone, "viewer": no, "foreign": gone, "nobody": who} {
		asked[name] = status
	}
	listed := map[string]int{"anna": ok, "contributor": ok, "observer": ok, "reviewer": ok, "owner": ok, "stranger": ok, "viewer": ok, "foreign": ok, "nobody": who}
	unheld := map[string]int{}
	for name, status := range reads {
		if unheld[name] = status; status == ok {
			unheld[name] = 422 // there is no value to confirm
		}
	}
	type probe struct {
		method, path string
		body         any
		here, alone  map[string]int
	}
	probes := []probe{
		{"get", "/api/v1/sessions/{id}/research-tasks", nil, reads, nil},
		{"get", webtest.TasksPath, nil, listed, nil},
		{"post", webtest.TasksPath, map[string]any{"query": "x", "sessionId": c.Session}, asked, nil},
		{"get", webtest.TasksPath + "/{id}", nil, reads, readsAlone},
		{"get", webtest.TasksPath + "/{id}/report", nil, reads, readsAlone},
		{"get", webtest.TasksPath + "/{id}/sources/{n}", nil, reads, readsAlone},
		{"get", webtest.TasksPath + "/{id}/sources/{n}/raw", nil, reads, readsAlone},
		{"post", webtest.TasksPath + "/{id}/cancel", nil, writes, writesAlone},
		{"post", webtest.TasksPath + "/{id}/again", nil, writes, writesAlone},
		{"post", webtest.TasksPath + "/{id}/steer", map[string]string{"text": "x"}, writes, writesAlone},
		{"post", "/api/v1/sessions/{id}/obligations/pricing_strategy/confirm", map[string]any{}, with(unheld, "observer", no), nil},
		{"get", "/research/{id}", nil, reads, readsAlone},
		{"get", "/research/{id}/sources/{n}", nil, reads, readsAlone},
		{"get", "/research/{id}/report", nil, reads, readsAlone},
		{"get", "/research/{id}/sources/{n}/raw", nil, reads, readsAlone},
		{"post", "/research/{id}/cancel", "", writes, writesAlone},
		{"post", "/research/{id}/steer", "text=x", writes, writesAlone},
		{"post", "/research/{id}/again", "", writes, writesAlone},
	}
	for _, p := range probes {
		for id, want := range map[string]map[string]int{here: p.here, alone: p.alone} {
			task := id
			if strings.Contains(p.path, "/sessions/") {
				id = c.Session
			}
			address := strings.NewReplacer("{id}", id, "{n}", "1").Replace(p.path)
			for _, name := range slices.Sorted(maps.Keys(want)) {
				q := webtest.Request{Method: strings.ToUpper(p.method), Path: address, Body: p.body}
				if _, isForm := p.body.(string); isForm {
					q.Header = form
				}
				status, says := answerOf(people[name], q)
				if status != want[name] {
					t.Errorf("%s of %s, by %s: %d, want %d: %.300s", p.method+" "+p.path, map[string]string{here: "the session", alone: "its own"}[task], name, status, want[name], says)
				}
				if status == gone && strings.Contains(p.path, "{id}") && !strings.Contains(p.path, "/sessions/{id}") {
					q.Path = strings.Replace(address, id, uuid.NewString(), 1)
					if _, none := answerOf(people[name], q); none != says {
						t.Errorf("%s by %s tells that the task is there:\n%s\nand of none:\n%s", p.path, name, says, none)
					}
				}
			}
		}
	}
	checkProbed(t, c.World, func(method, path string) bool {
		return slices.ContainsFunc(probes, func(p probe) bool { return p.method == method && p.path == path })
	})
}

func with(m map[string]int, name string, status int) map[string]int {
	out := maps.Clone(m)
	out[name] = status
	return out
}

// answerOf returns the status of an answer, and what it says but for the
// request's own id.
func answerOf(w *webtest.World, q webtest.Request) (int, string) {
	w.T.Helper()
	resp := w.Do(q)
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		w.T.Fatal(err)
	}
	return resp.StatusCode, strings.ReplaceAll(string(raw), resp.Header.Get("X-Request-ID"), "")
}

// checkProbed fails for a described route of research that no probe is about.
func checkProbed(t *testing.T, w *webtest.World, probed func(method, path string) bool) {
	t.Helper()
	d, _ := w.Description()
	for path, methods := range d.Paths {
		for method := range methods {
			if strings.Contains(path, "research") && !probed(method, path) {
				t.Errorf("%s %s is not probed", method, path)
			}
		}
	}
}

func TestTasksAreListedByWhoMaySeeThem(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna, ben, carl := c.People["anna"], c.People["ben"], c.As(c.Tenant, "carl", auth.Member)
	carl.Accepts(anna.Invites(c.Session, sessions.ContributorRole, ""))
	var own, shared []string
	for i := range 3 {
		own = append(own, anna.Asks(map[string]any{"query": fmt.Sprintf("What is bread %d?", i)}).ID)
		shared = append(shared, anna.Asks(map[string]any{"query": fmt.Sprintf("Who sells bread %d?", i), "sessionId": c.Session}).ID)
	}
	bens := ben.Asks(map[string]any{"query": "What is cheese?"}).ID
	carls := carl.Asks(map[string]any{"query": "Who sells cheese?", "sessionId": c.Session}).ID
	webtest.Fetch[tasks.TaskBody](anna, 200, webtest.Request{Method: http.MethodPost, Path: webtest.TasksPath + "/" + own[0] + "/cancel"})
	newest := func(lists ...[]string) []string { // asked one after the other: own and shared in turn
		var out []string
		for i := 2; i >= 0; i-- {
			for _, list := range lists {
				out = append(out, list[i])
			}
		}
		return out
	}
	for _, tt := range []struct {
		name  string
		who   *webtest.World
		query string
		want  []string
	}{
		{"one's own and those of one's session", anna, "", append([]string{carls}, newest(shared, own)...)},
		{"mine", anna, "&mine=true", newest(shared, own)},
		{"of a session one takes part in", carl, "", append([]string{carls}, shared[2], shared[1], shared[0])},
		{"mine of it", carl, "&mine=true", []string{carls}},
		{"a stranger's", ben, "", []string{bens}},
		{"everybody's, for reviewers", c.People["boss"], "", append([]string{carls, bens}, newest(shared, own)...)},
		{"by status", anna, "&status=cancelled", []string{own[0]}},
		{"of another tenant", c.People["mallory"], "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, limit := range []int{1, 2, 50} {
				var got []string
				cursor := ""
				for range 30 {
					p := webtest.Fetch[web.Page[tasks.TaskBody]](tt.who, 200, webtest.Request{Path: fmt.Sprintf("%s?limit=%d%s&cursor=%s", webtest.TasksPath, limit, tt.query, cursor)})
					for _, one := range p.Items {
						got = append(got, one.ID)
					}
					if cursor = p.NextCursor; cursor == "" {
						break
					}
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("by %d (-want +got):\n%s", limit, diff)
				}
			}
		})
	}
}
