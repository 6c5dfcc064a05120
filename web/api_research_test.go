package web

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
)

const tasksPath = "/api/v1/research-tasks"

// asks has something looked up and returns the task.
func (w *world) asks(body map[string]any) taskBody {
	w.t.Helper()
	return fetch[taskBody](w, http.StatusCreated, request{path: tasksPath, body: body})
}

// staged is what a task is made to have read.
type staged struct {
	url, title, text string
	failure          string // why it could not be read; empty when it was
	quotes           []string
	against          []int // numbers of claims that say otherwise
}

// stages gives a task what a researcher would have found: each quote is a claim.
func (w *world) stages(id string, outcome research.Outcome, list ...staged) {
	w.t.Helper()
	w.exec(`UPDATE discovery_research_tasks SET status = 'completed', step = 'propose', outcome = $2, summary = 'Two sources give figures.', started_at = now(), completed_at = now(),
		plan = '{"revision": 0, "queries": ["bicycle repair market"], "by": "rules"}' WHERE id = $1`, id, string(outcome))
	w.exec(`INSERT INTO research_searches (tenant_id, task_id, revision, n, query, engine, hits) VALUES ($1, $2, 0, 1, 'bicycle repair market', 'searxng', '[{"url": "https://a.example/", "title": "A"}]')`, w.tenant, id)
	w.exec(`INSERT INTO research_searches (tenant_id, task_id, revision, n, query, engine, failure) VALUES ($1, $2, 0, 1, 'bicycle repair market', 'brave', 'it answered with 429')`, w.tenant, id)
	claim := 0
	for i, s := range list {
		if s.failure != "" {
			w.exec(`INSERT INTO research_sources (tenant_id, task_id, n, revision, url, title, state, failure, reason, read_at) VALUES ($1, $2, $3, 0, $4, $5, 'failed', 'refused', $6, now())`,
				w.tenant, id, i+1, s.url, s.title, s.failure)
			continue
		}
		w.exec(`INSERT INTO research_sources (tenant_id, task_id, n, revision, url, final_url, http_status, media_type, title, state, bytes, sha256, content, published, read_at)
			VALUES ($1, $2, $3, 0, $4, $4, 200, 'text/html', $5, 'read', convert_to('<html>' || $6, 'UTF8'), repeat('ab', 32), $6, '2024-05-12', now())`, w.tenant, id, i+1, s.url, s.title, s.text)
		for _, quote := range s.quotes {
			claim++
			at := len(utf16Of(s.text[:strings.Index(s.text, quote)]))
			w.exec(`INSERT INTO research_claims (tenant_id, task_id, n, source, claim, quote, span_start, span_end, sha256, figures, rank, made_by, against)
				VALUES ($1, $2, $3, $4, 'It says: ' || $5, $5, $6, $7, repeat('ab', 32), '[{"words": "12 million EUR", "value": 12000000, "unit": "EUR", "when": "2024", "approximate": true}]', 0.8, 'extract', $8)`,
				w.tenant, id, claim, i+1, quote, at, at+len(utf16Of(quote)), append([]int{}, s.against...))
		}
	}
}

var market = []staged{
	{url: "https://trade.example/report", title: "Trade report", text: "🚲 Some words before. The market for bicycle repair is about 12 million EUR in 2024. Some words after it.",
		quotes: []string{"The market for bicycle repair is about 12 million EUR in 2024."}},
	{url: "https://city.example/figures", title: "Figures of the city", text: "In 2024 the market for repairs was 30 million EUR, says the office.",
		quotes: []string{"the market for repairs was 30 million EUR"}},
	{url: "https://closed.example/", title: "Closed", failure: "robots.txt does not allow it"},
}

// disagreeing are the sources of the market, which say different things.
func disagreeing() []staged {
	out := slices.Clone(market)
	out[0].against, out[1].against = []int{2}, []int{1}
	return out
}

func TestQuestionIsAskedOnce(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("business_profile")
	question := map[string]any{"query": "How large is the\nmarket for  bicycle repair?"}
	once := map[string]string{"Idempotency-Key": "one"}

	first := w.do(request{path: tasksPath, body: question, header: once})
	var made taskBody
	if err := json.NewDecoder(first.Body).Decode(&made); err != nil || first.StatusCode != http.StatusCreated {
		t.Fatalf("asking answered %d: %v", first.StatusCode, err)
	}
	again := fetch[taskBody](w, http.StatusOK, request{path: tasksPath, body: question, header: once})

	if want := tasksPath + "/" + made.ID; first.Header.Get("Location") != want {
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
			checkRefusal(t, w, refusal{request: request{path: tasksPath, body: body, header: once}, status: 422, code: "idempotency_mismatch", field: "Idempotency-Key"})
		})
	}
	if other := w.asks(question); other.ID == made.ID {
		t.Error("a request without an id of its own made no new task")
	}
	var jobs int
	if err := w.pool.QueryRow(t.Context(), `SELECT count(*) FROM river.river_job WHERE kind = 'research_desk'`).Scan(&jobs); err != nil || jobs != 2 {
		t.Errorf("%d jobs (%v), want 2", jobs, err)
	}
}

func TestQuestionOfASessionIsToldInItsStream(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("business_profile")
	events := w.stream(request{path: "/api/v1/sessions/" + session + "/events?after=" + lastEvent(w, session)})

	made := w.asks(map[string]any{"sessionId": session, "obligationKey": "industry"})
	queued := events.until(sessions.KindResearch)
	steered := fetch[taskBody](w, http.StatusOK, request{path: tasksPath + "/" + made.ID + "/steer", body: map[string]string{"text": "Germany  only"}})
	redirected := events.until(sessions.KindResearch)
	over := fetch[taskBody](w, http.StatusOK, request{method: http.MethodPost, path: tasksPath + "/" + made.ID + "/cancel"})
	ended := events.until(sessions.KindResearch)

	if made.Key != "industry" || made.SessionID != session || made.Query == "" {
		t.Errorf("made %+v", made)
	}
	once := request{path: tasksPath, body: map[string]any{"sessionId": session, "obligationKey": "target_market"}, header: map[string]string{"Idempotency-Key": "one"}}
	first, again := fetch[taskBody](w, http.StatusCreated, once), fetch[taskBody](w, http.StatusOK, once)
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("the same request about an obligation made another task (-first +again):\n%s", diff)
	}
	if len(steered.Steering) != 1 || steered.Steering[0].Text != "Germany only" || steered.Steering[0].By != "developer" || over.Status != research.Cancelled {
		t.Errorf("steered %+v, then %+v", steered.Steering, over)
	}
	var stands []string
	for _, list := range [][]told{queued, redirected, ended} {
		e := list[len(list)-1].Data
		stands = append(stands, fmt.Sprint(e["taskId"] == made.ID, " ", e["status"], " ", e["steering"]))
	}
	if diff := cmp.Diff([]string{"true pending <nil>", "true pending [Germany only]", "true cancelled [Germany only]"}, stands); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	checkRefusal(t, w, refusal{request: request{method: http.MethodPost, path: tasksPath + "/" + made.ID + "/cancel"}, status: 409, code: "research_over"})
	checkRefusal(t, w, refusal{request: request{path: tasksPath + "/" + made.ID + "/steer", body: map[string]string{"text": "France"}}, status: 409, code: "research_over"})
}

func TestResearchRefusals(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	anna := c.people["anna"]
	mine, here := anna.asks(map[string]any{"query": "What is bread?"}), anna.asks(map[string]any{"query": "Who sells bread?", "sessionId": c.session})
	ask := func(fields ...any) request {
		body := map[string]any{}
		for i := 0; i+1 < len(fields); i += 2 {
			body[fields[i].(string)] = fields[i+1]
		}
		return request{path: tasksPath, body: body}
	}
	with := func(q request, key string) request {
		q.header = map[string]string{"Idempotency-Key": key}
		return q
	}
	before := c.fingerprint()
	for _, tt := range []refusal{
		{name: "nothing asked", request: ask(), status: 422, field: "query"},
		{name: "blank", request: ask("query", " \n "), status: 422, field: "query"},
		{name: "long", request: ask("query", strings.Repeat("x", 1001)), status: 413, field: "query", says: []string{"1000"}},
		{name: "NUL", request: request{path: tasksPath, body: `{"query":"a\u0000b"}`}, status: 422, field: "body.query"},
		{name: "no JSON", request: request{path: tasksPath, body: `{"query":`}, status: 400},
		{name: "unknown kind", request: ask("query", "x", "taskType", "gossip"), status: 422, field: "body.taskType"},
		{name: "unknown session", request: ask("query", "x", "sessionId", uuid.NewString()), status: 404, code: "session_not_found"},
		{name: "malformed session", request: ask("query", "x", "sessionId", "x"), status: 404, code: "session_not_found"},
		{name: "foreign session", request: ask("query", "x", "sessionId", c.foreign), status: 404, code: "session_not_found"},
		{name: "completed session", request: ask("query", "x", "sessionId", c.completed), status: 409, code: "session_completed"},
		{name: "obligation of no session", request: ask("obligationKey", "industry"), status: 422, field: "sessionId"},
		{name: "unknown obligation", request: ask("obligationKey", "nothing", "sessionId", c.session), status: 422, code: "obligation_not_found"},
		{name: "request id too long", request: with(ask("query", "x"), strings.Repeat("x", 256)), status: 422},
		{name: "request id with spaces", request: with(ask("query", "x"), "a b"), status: 422},
		{name: "viewer asks", who: "viewer", request: ask("query", "x"), status: 403, code: "role_too_low"},
		{name: "nobody asks", who: "nobody", request: ask("query", "x"), status: 401, code: "unauthenticated"},
		{name: "from another site", request: request{path: tasksPath, body: map[string]string{"query": "x"}, header: map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}}, status: 403, code: "cross_site"},
		{name: "steered to nothing", request: request{path: tasksPath + "/" + mine.ID + "/steer", body: map[string]string{"text": " "}}, status: 422, field: "text"},
		{name: "steered at length", request: request{path: tasksPath + "/" + mine.ID + "/steer", body: map[string]string{"text": strings.Repeat("x", 301)}}, status: 413, field: "text"},
		{name: "no such source", request: request{path: tasksPath + "/" + mine.ID + "/sources/1"}, status: 404, code: "research_source_not_found"},
		{name: "no such source, raw", request: request{path: tasksPath + "/" + mine.ID + "/sources/1/raw"}, status: 404, code: "research_source_not_found"},
		{name: "source that cannot be", request: request{path: tasksPath + "/" + mine.ID + "/sources/99999999999"}, status: 422},
		{name: "source that cannot be, raw", request: request{path: tasksPath + "/" + mine.ID + "/sources/99999999999/raw"}, status: 404},
		{name: "unknown format", request: request{path: tasksPath + "/" + mine.ID + "/report?format=exe"}, status: 422, field: "format", says: []string{"json, md, html or csv"}},
		{name: "unknown status", request: request{path: tasksPath + "?status=gone"}, status: 422},
		{name: "bad cursor", request: request{path: tasksPath + "?cursor=%21"}, status: 400, code: "bad_cursor", field: "cursor"},
		{name: "page of another session", request: request{path: "/s/" + c.completed + "/research/" + here.ID}, status: 404, code: "research_task_not_found"},
		{name: "form of another session", request: request{path: "/s/" + c.completed + "/research/" + here.ID + "/cancel", body: "", header: form}, status: 404, code: "research_task_not_found"},
		{name: "form without a question", request: request{path: "/s/" + c.session + "/research", body: "query=+", header: form}, status: 422, field: "query"},
		{name: "form with NUL", request: request{path: "/s/" + c.session + "/research", body: "query=a%00b", header: form}, status: 400, code: "nul_character", field: "query"},
		{name: "form with another's request id", request: request{path: "/s/" + c.session + "/research", body: "query=a&requestId=b", header: form}, status: 422, field: "requestId"},
		{name: "rejects what was not proposed", request: request{path: "/s/" + c.session + "/research/" + here.ID + "/dispute", body: "reason=no", header: form}, status: 409, code: "nothing_proposed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			who := c.people[tt.who]
			if tt.who == "" {
				who = anna
			}
			checkRefusal(t, who, tt)
		})
	}
	if diff := cmp.Diff(before, c.fingerprint()); diff != "" {
		t.Errorf("refusals changed tables (-before +after):\n%s", diff)
	}
}

var form = map[string]string{"Content-Type": "application/x-www-form-urlencoded"}

// Every route of research by who asks for it: what belongs to a session, and a
// question of its own.
func TestResearchByRole(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	anna := c.people["anna"]
	people := map[string]*world{"anna": anna, "stranger": c.people["ben"], "foreign": c.people["mallory"], "nobody": c.people["nobody"], "viewer": c.people["viewer"],
		"owner": c.people["boss"], "reviewer": c.as(c.tenant, "rita", auth.Reviewer), "observer": c.as(c.tenant, "olga", auth.Member), "contributor": c.as(c.tenant, "carl", auth.Member)}
	people["observer"].accepts(anna.invites(c.session, sessions.ObserverRole, ""))
	people["contributor"].accepts(anna.invites(c.session, sessions.ContributorRole, ""))
	here, alone := anna.asks(map[string]any{"query": "Who sells bread?", "sessionId": c.session}).ID, anna.asks(map[string]any{"query": "What is bread?"}).ID
	for _, id := range []string{here, alone} {
		c.stages(id, research.Found, market...)
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
		{"get", tasksPath, nil, listed, nil},
		{"post", tasksPath, map[string]any{"query": "x", "sessionId": c.session}, asked, nil},
		{"get", tasksPath + "/{id}", nil, reads, readsAlone},
		{"get", tasksPath + "/{id}/report", nil, reads, readsAlone},
		{"get", tasksPath + "/{id}/sources/{n}", nil, reads, readsAlone},
		{"get", tasksPath + "/{id}/sources/{n}/raw", nil, reads, readsAlone},
		{"post", tasksPath + "/{id}/cancel", nil, writes, writesAlone},
		{"post", tasksPath + "/{id}/steer", map[string]string{"text": "x"}, writes, writesAlone},
		{"post", "/api/v1/sessions/{id}/obligations/industry/confirm", map[string]any{}, with(unheld, "observer", no), nil},
		{"get", "/research/{id}", nil, reads, readsAlone},
		{"get", "/research/{id}/sources/{n}", nil, reads, readsAlone},
		{"get", "/research/{id}/report", nil, reads, readsAlone},
		{"get", "/research/{id}/sources/{n}/raw", nil, reads, readsAlone},
		{"post", "/research/{id}/cancel", "", writes, writesAlone},
		{"post", "/research/{id}/steer", "text=x", writes, writesAlone},
	}
	for _, p := range probes {
		for id, want := range map[string]map[string]int{here: p.here, alone: p.alone} {
			task := id
			if strings.Contains(p.path, "/sessions/") {
				id = c.session
			}
			address := strings.NewReplacer("{id}", id, "{n}", "1").Replace(p.path)
			for _, name := range slices.Sorted(maps.Keys(want)) {
				q := request{method: strings.ToUpper(p.method), path: address, body: p.body}
				if _, isForm := p.body.(string); isForm {
					q.header = form
				}
				status, says := answerOf(people[name], q)
				if status != want[name] {
					t.Errorf("%s of %s, by %s: %d, want %d: %.300s", p.method+" "+p.path, map[string]string{here: "the session", alone: "its own"}[task], name, status, want[name], says)
				}
				if status == gone && strings.Contains(p.path, "{id}") && !strings.Contains(p.path, "/sessions/{id}") {
					q.path = strings.Replace(address, id, uuid.NewString(), 1)
					if _, none := answerOf(people[name], q); none != says {
						t.Errorf("%s by %s tells that the task is there:\n%s\nand of none:\n%s", p.path, name, says, none)
					}
				}
			}
		}
	}
	checkProbed(t, c.world, func(method, path string) bool {
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
func answerOf(w *world, q request) (int, string) {
	w.t.Helper()
	resp := w.do(q)
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return resp.StatusCode, strings.ReplaceAll(string(raw), resp.Header.Get("X-Request-Id"), "")
}

// checkProbed fails for a described route of research that no probe is about.
func checkProbed(t *testing.T, w *world, probed func(method, path string) bool) {
	t.Helper()
	d, _ := w.description()
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

	c := openTown(t)
	anna, ben, carl := c.people["anna"], c.people["ben"], c.as(c.tenant, "carl", auth.Member)
	carl.accepts(anna.invites(c.session, sessions.ContributorRole, ""))
	var own, shared []string
	for i := range 3 {
		own = append(own, anna.asks(map[string]any{"query": fmt.Sprintf("What is bread %d?", i)}).ID)
		shared = append(shared, anna.asks(map[string]any{"query": fmt.Sprintf("Who sells bread %d?", i), "sessionId": c.session}).ID)
	}
	bens := ben.asks(map[string]any{"query": "What is cheese?"}).ID
	carls := carl.asks(map[string]any{"query": "Who sells cheese?", "sessionId": c.session}).ID
	fetch[taskBody](anna, 200, request{method: http.MethodPost, path: tasksPath + "/" + own[0] + "/cancel"})
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
		who   *world
		query string
		want  []string
	}{
		{"one's own and those of one's session", anna, "", append([]string{carls}, newest(shared, own)...)},
		{"mine", anna, "&mine=true", newest(shared, own)},
		{"of a session one takes part in", carl, "", append([]string{carls}, shared[2], shared[1], shared[0])},
		{"mine of it", carl, "&mine=true", []string{carls}},
		{"a stranger's", ben, "", []string{bens}},
		{"everybody's, for reviewers", c.people["boss"], "", append([]string{carls, bens}, newest(shared, own)...)},
		{"by status", anna, "&status=cancelled", []string{own[0]}},
		{"of another tenant", c.people["mallory"], "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, limit := range []int{1, 2, 50} {
				var got []string
				cursor := ""
				for range 30 {
					p := fetch[page[taskBody]](tt.who, 200, request{path: fmt.Sprintf("%s?limit=%d%s&cursor=%s", tasksPath, limit, tt.query, cursor)})
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
