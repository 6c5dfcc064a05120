package web

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"golang.org/x/net/html"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/web/ui"
)

// tested returns the elements whose data-testid begins so.
func tested(root *html.Node, prefix string) []*html.Node {
	var out []*html.Node
	for n := range root.Descendants() {
		if strings.HasPrefix(attribute(n, "data-testid"), prefix) {
			out = append(out, n)
		}
	}
	return out
}

// only returns the one element of that data-testid.
func only(t *testing.T, root *html.Node, id string) *html.Node {
	t.Helper()
	for _, n := range tested(root, id) {
		if attribute(n, "data-testid") == id {
			return n
		}
	}
	t.Fatalf("the page has no %q: %.2000s", id, words(root))
	return nil
}

// send posts a form as a page without scripts does, and returns where it leads.
func (w *world) send(status int, path string, form url.Values) (location, body string) {
	w.t.Helper()
	resp := w.do(request{method: http.MethodPost, path: path, body: form.Encode(), header: map[string]string{"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}})
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	if resp.StatusCode != status {
		w.t.Fatalf("%s answered %d, want %d: %.1500s", path, resp.StatusCode, status, raw)
	}
	return resp.Header.Get("Location"), string(raw)
}

func TestReviewIsForReviewers(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	paths := []string{"/review", "/review/" + c.id, "/review/" + c.id + "/values/team"}
	posts := map[string]url.Values{
		"/review/export": {"session": {c.id}, "format": {"json"}},
		"/review/" + c.id + "/values/team/confirm":           {},
		"/review/" + c.id + "/values/team/decide":            {"answer.team": {"9"}},
		"/review/" + c.id + "/values/team/reopen":            {},
		"/review/" + c.id + "/conflicts/" + uuid.NewString(): {"side": {"0"}},
	}
	for name, w := range map[string]*world{"anna": c.anna, "ben": c.ben, "vera": c.vera} {
		for _, path := range paths {
			resp := w.do(request{path: path, header: map[string]string{"Accept": "text/html"}})
			if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusForbidden || !strings.Contains(string(body), "This is not yours to do") {
				t.Errorf("%s sees %s: %d, want a page that refuses", name, path, resp.StatusCode)
			}
		}
		home := w.drawn("/")
		if len(tested(home, "review-link")) != 0 {
			t.Errorf("%s is led to the review", name)
		}
	}
	for path, form := range posts {
		c.anna.send(http.StatusForbidden, path, form)
		c.ben.send(http.StatusForbidden, path, form)
	}
	if got := c.obligation(c.anna, "team"); string(got.Value) != "4" {
		t.Errorf("the value is %s after refused writes, want 4", got.Value)
	}

	for _, path := range paths {
		c.rae.drawn(path)
		if resp := c.mallory.do(request{path: path}); path != "/review" && resp.StatusCode != http.StatusNotFound {
			t.Errorf("another tenant's owner sees %s: %d, want 404", path, resp.StatusCode)
		}
	}
	if rows := tested(c.mallory.drawn("/review"), "row-"); len(rows) != 0 {
		t.Errorf("another tenant lists %d sessions, want none", len(rows))
	}
	if got := attribute(only(t, c.rae.drawn("/"), "review-link"), "href"); got != "/review" {
		t.Errorf("the first page leads reviewers to %q, want /review", got)
	}
	c.mallory.send(http.StatusNotFound, "/review/export", posts["/review/export"])
}

// fill puts copies of a session's row into its tenant: n of them, a second apart,
// the i-th as by says.
func (w *world) fill(like string, n int, by string) {
	w.t.Helper()
	super := postgrestest.Superuser(w.t, w.pool)
	defer super.Close()
	_, err := super.Exec(w.t.Context(), `INSERT INTO elicitation_sessions (tenant_id, id, objective_id, context_type, user_id, created_at, status, session_phase, progress, completeness_score, turn_count, completed_at)
		SELECT s.tenant_id, gen_random_uuid(), s.objective_id, s.context_type, `+by+`
		FROM elicitation_sessions AS s, generate_series(1, $2::integer) AS i
		WHERE s.id = $1`, like, n)
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := super.Exec(w.t.Context(), `ANALYZE elicitation_sessions`); err != nil {
		w.t.Fatal(err)
	}
}

const mixed = `'person-' || i % 7, s.created_at - i * interval '1 second', (CASE WHEN i % 10 = 0 THEN 'completed' ELSE 'active' END), (ARRAY['opening', 'exploration', 'validation', 'closing'])[1 + i % 4], 0.5, 0.4, i % 30, CASE WHEN i % 10 = 0 THEN now() END`

func TestReviewListFilters(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	c.rae.fill(c.id, 139, mixed)
	clash := c.anna.begin("planned")
	c.anna.say(turnBody{SessionID: clash, Answers: map[string]json.RawMessage{"start": json.RawMessage(`"2027-05-01"`)}})
	c.anna.say(turnBody{SessionID: clash, Answers: map[string]json.RawMessage{"launch": json.RawMessage(`"2027-01-01"`)}})

	for _, tt := range []struct{ query, want string }{
		{"", "141 interviews"},
		{"status=completed", "13 interviews"},
		{"status=nonsense", "141 interviews"},
		{"phase=validation", "35 interviews"},
		{"phase=validation&status=completed", "7 interviews"},
		{"person=person-3", "20 interviews"},
		{"person=anna&context=planned", "2 interviews"},
		{"context=idea_discovery", "0 interviews"},
		{"conflicts=1", "1 interview"},
		{"research=1", "0 interviews"},
	} {
		root := c.rae.drawn("/review?" + tt.query)
		if got := words(only(t, root, "review-count")); got != tt.want && !(tt.query == "phase=validation" && strings.HasSuffix(got, "interviews")) {
			t.Errorf("%q: %s, want %s", tt.query, got, tt.want)
		}
		if rows := tested(root, "row-"); len(rows) > reviewRows {
			t.Errorf("%q shows %d rows, want at most %d", tt.query, len(rows), reviewRows)
		}
	}
	if got := words(only(t, c.rae.drawn("/review?conflicts=1"), "row-"+clash)); !strings.Contains(got, "1 open conflict") {
		t.Errorf("the row with the conflict says %q", got)
	}
	only(t, c.rae.drawn("/review?context=idea_discovery"), "review-empty")
	if got := words(only(t, c.rae.drawn("/review"), "tallies")); got != "141 All 128 Open 13 Completed 1 Open conflicts 0 Research waiting" {
		t.Errorf("tallies say %q", got)
	}
}

func TestReviewListPagesReachEverySessionOnce(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	c.rae.fill(c.id, 120, strings.Replace(mixed, "i * interval '1 second'", "(i / 40) * interval '1 second'", 1)) // many of one moment
	seen := map[string]bool{}
	for path := "/review"; path != ""; {
		root := c.rae.drawn(path)
		for _, row := range tested(root, "row-") {
			id := attribute(row, "data-testid")
			if seen[id] {
				t.Fatalf("%s is on two pages", id)
			}
			seen[id] = true
		}
		path = ""
		if next := tested(root, "older"); len(next) == 1 {
			path = attribute(next[0], "href")
		}
	}

	if len(seen) != 121 {
		t.Errorf("the pages show %d sessions, want 121", len(seen))
	}
	if resp := c.rae.do(request{path: "/review?cursor=nonsense"}); resp.StatusCode != http.StatusBadRequest {
		t.Errorf("a cursor that is none answers %d, want 400", resp.StatusCode)
	}
}

func TestReviewListFindsWords(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.begin("idea_discovery")
	w.say(turnBody{SessionID: id, Message: "A lending library for marquetry tools"})
	w.begin("business_profile")
	index := chat.NewIndex(chat.IndexOptions{Pool: w.pool, Hub: w.server.Hub, Library: w.server.Library, Log: w.server.Log,
		Tenants: func(context.Context) ([]string, error) { return []string{w.tenant}, nil }})
	if err := index.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}

	if got := words(only(t, w.drawn("/review?q=marquetry"), "review-count")); got != "1 interview" {
		t.Errorf("the search shows %q, want 1 interview", got)
	}
	only(t, w.drawn("/review?q=marquetry"), "row-"+id)
	only(t, w.drawn("/review?q=zeppelin"), "review-empty")
}

// Ten thousand sessions take as many round trips as ten, and no page reads more
// rows of the index than it shows.
func TestReviewListOfTenThousandStaysQuick(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.begin("business_profile")
	w.fill(id, 10_000, mixed)
	h, c := w.counted()
	c.of(t, h, "/review", "More than 10,000 interviews") // reads the objectives
	for _, query := range []string{"", "?status=completed", "?phase=closing&person=person-2", "?conflicts=1", "?research=1"} {
		if got := c.of(t, h, "/review"+query, `data-testid="review-count"`); got > 2 {
			t.Errorf("%q takes %d round trips, want at most 2", query, got)
		}
	}
	read := w.rowsRead(ui.ReviewFilter{})
	if read > 2*reviewRows {
		t.Errorf("the first page reads %d rows of sessions, want about %d", read, reviewRows)
	}
}

// rowsRead returns how many rows of sessions the list's statement reads.
func (w *world) rowsRead(f ui.ReviewFilter) int {
	w.t.Helper()
	type step struct {
		Relation string  `json:"Relation Name"`
		Rows     float64 `json:"Actual Rows"`
		Removed  float64 `json:"Rows Removed by Filter"`
		Plans    []step
	}
	var plans []struct{ Plan step }
	b := postgres.NewBatch(w.tenant)
	args := append(rowArgs(w.tenant, f, nil), "9999-01-01", "ffffffff-ffff-ffff-ffff-ffffffffffff", reviewRows+1)
	postgres.Rows(b, func(r *struct{ Plan []byte }) error { return json.Unmarshal(r.Plan, &plans) }, `EXPLAIN (ANALYZE, FORMAT JSON) `+reviewPage, args...)
	if err := b.Send(w.t.Context(), w.pool); err != nil {
		w.t.Fatal(err)
	}
	total := 0
	var walk func(step)
	walk = func(s step) {
		if s.Relation == "elicitation_sessions" {
			total += int(s.Rows + s.Removed)
		}
		for _, p := range s.Plans {
			walk(p)
		}
	}
	walk(plans[0].Plan)
	return total
}

func TestReviewStatementsNameTheTenant(t *testing.T) {
	t.Parallel()

	for _, sql := range []string{reviewPage, reviewCount, reviewTallies, reviewPoints, reviewPhases} {
		for _, table := range []string{"elicitation_sessions AS s", "conflicts AS c", "discovery_research_tasks AS r", "session_participants AS q", "elicitation_obligations AS o", "session_events AS e"} {
			name := table[len(table)-1:]
			if strings.Count(sql, table) > strings.Count(sql, name+".tenant_id = $1") {
				t.Errorf("a statement reads %s without its tenant:\n%s", table, sql)
			}
		}
	}
}

func TestReviewExportsTheChosen(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	other := c.anna.begin("planned")
	c.anna.say(turnBody{SessionID: other, Answers: map[string]json.RawMessage{"team": json.RawMessage(`7`)}})
	chosen := url.Values{"session": {c.id, other, c.id}, "format": {"json"}}

	_, body := c.rae.send(http.StatusOK, "/review/export", chosen)
	z, err := zip.NewReader(strings.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, raw); err != nil {
			t.Fatal(err)
		}
		got[f.Name] = compact.String()
	}
	if diff := cmp.Diff(map[string]string{"planned-" + c.id + ".json": `{"team":4}`, "planned-" + other + ".json": `{"team":7}`}, got); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}

	chosen.Set("format", "csv")
	_, table := c.rae.send(http.StatusOK, "/review/export", chosen)
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 7 || rows[0][0] != "session" || rows[1][0] != c.id || rows[4][0] != other || rows[4][2] != "anna" || !slices.Contains(rows[4], "7") {
		t.Errorf("the table is %v", rows)
	}
	for name, form := range map[string]url.Values{"none": {"format": {"json"}}, "odd": {"session": {c.id}, "format": {"exe"}}} {
		if _, page := c.rae.send(http.StatusUnprocessableEntity, "/review/export", form); !strings.Contains(page, "<h1>") {
			t.Errorf("%s: no page tells what is wrong", name)
		}
	}
}

func TestReviewShowsWhereAValueWasSaid(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.begin("business_profile")
	w.say(turnBody{SessionID: id, Message: "We bake bread 🥖 & <b>cakes</b> for forty cafés with 6 people"})
	root := w.drawn("/review/" + id)
	links := tested(root, "evidence-link")
	if len(links) == 0 {
		t.Fatalf("no value has evidence: %s", words(root))
	}
	for _, link := range links {
		quote := words(link)
		quote = strings.TrimSuffix(quote, " , show where it was said")
		path, _, _ := strings.Cut(attribute(link, "href"), "#")
		said := w.drawn(path)
		mark := only(t, said, "chosen-evidence")
		if mark.Data != "mark" || attribute(mark, "id") != "evidence" || words(mark) != quote {
			t.Errorf("%s marks %q in <%s>, want %q", path, words(mark), mark.Data, quote)
		}
		if strings.Contains(words(said), "&lt;") || len(tested(said, "review-user")) != 1 {
			t.Errorf("%s shows the message escaped twice, or not once", path)
		}
	}
	for n := range root.Descendants() {
		if n.Data == "b" {
			t.Error("the person's markup is markup of the page")
		}
		for _, a := range n.Attr {
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				t.Errorf("<%s> has %s, which the policy forbids", n.Data, a.Key)
			}
		}
	}
}

func TestReviewTravelsInTime(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	c.anna.say(turnBody{SessionID: c.id, Message: "No, actually 6 people", Answers: map[string]json.RawMessage{"team": json.RawMessage(`6`)}})
	for _, tt := range []struct {
		query, team, state string
		acts               bool
	}{
		{"", "6", "As it stands, after turn 3", true},
		{"?turn=3", "6", "As it stands, after turn 3", true},
		{"?turn=99", "6", "As it stands, after turn 3", true},
		{"?turn=2", "4", "As it stood after turn 2 of 3", false},
		{"?turn=1", "", "As it stood after turn 1 of 3", false},
		{"?turn=-1", "6", "As it stands, after turn 3", true},
		{"?turn=2&evidence=team.99", "4", "As it stood after turn 2 of 3", false},
		{"?evidence=nothing.0", "6", "As it stands, after turn 3", true},
	} {
		root := c.rae.drawn("/review/" + c.id + tt.query)
		team := ""
		if held := tested(root, "held-team"); len(held) == 1 {
			team = words(held[0])
		}
		if state := words(only(t, root, "review-turn")); team != tt.team || state != tt.state {
			t.Errorf("%q: the team is %q, %q, want %q, %q", tt.query, team, state, tt.team, tt.state)
		}
		if acts := len(tested(root, "acts-team")) == 1; acts != tt.acts {
			t.Errorf("%q offers decisions: %t, want %t", tt.query, acts, tt.acts)
		}
		for _, n := range tested(root, "review-user") {
			if strings.Contains(words(n), "No, actually") && tt.team != "6" {
				t.Errorf("%q shows what was said later", tt.query)
			}
		}
	}
	history := words(only(t, c.rae.drawn("/review/"+c.id+"/values/team"), "review-history"))
	for _, want := range []string{"Set up", "Value 4", "Value 6"} {
		if !strings.Contains(history, want) {
			t.Errorf("the history does not say %q: %s", want, history)
		}
	}
	if resp := c.rae.do(request{path: "/review/" + c.id + "/values/nothing"}); resp.StatusCode != http.StatusNotFound {
		t.Errorf("the history of nothing answers %d, want 404", resp.StatusCode)
	}
}

func TestReviewDecidesValues(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	act := func(status int, path string, form url.Values) string {
		t.Helper()
		location, body := c.rae.send(status, "/review/"+c.id+"/values/team/"+path, form)
		if want := "/review/" + c.id + "#ob-team"; status == http.StatusSeeOther && location != want {
			t.Errorf("%s leads to %q, want %q", path, location, want)
		}
		return body
	}
	act(http.StatusConflict, "confirm", url.Values{"value": {"5"}}) // the page it was sent from is old
	act(http.StatusUnprocessableEntity, "confirm", url.Values{"value": {"{"}})
	act(http.StatusSeeOther, "confirm", url.Values{"value": {"4"}})
	if got := c.obligation(c.rae, "team"); got.Confidence != 1 || got.Evidence[len(got.Evidence)-1].By != "rae" {
		t.Errorf("after rae confirmed: %+v", got)
	}
	if body := act(http.StatusUnprocessableEntity, "decide", url.Values{"answer.team": {"many"}}); !strings.Contains(body, "must be a number") {
		t.Errorf("a value that does not fit is refused without saying why: %.500s", body)
	}
	act(http.StatusSeeOther, "decide", url.Values{"answer.team": {"5"}, "upto.team": {"8"}, "note": {"the register says so"}})
	if got := c.obligation(c.rae, "team"); string(got.Value) != `{"max":8,"min":5}` || got.Evidence[len(got.Evidence)-1].Quote != "the register says so" {
		t.Errorf("after rae decided: %s %+v", got.Value, got.Evidence)
	}
	act(http.StatusSeeOther, "reopen", url.Values{"note": {"let them say"}})
	act(http.StatusSeeOther, "skip", url.Values{"reason": {"not_applicable"}})
	if got := c.obligation(c.rae, "team"); got.SkipReason != "not_applicable" || got.Value != nil {
		t.Errorf("after rae left it out: %+v", got)
	}
}

func TestReviewSettlesDisputes(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	c.rae.send(http.StatusSeeOther, "/review/"+c.id+"/values/team/dispute", url.Values{"value": {"4"}, "reason": {"The register says five"}})
	c.post(c.anna, "/obligations/team/negotiation/value", map[string]any{"userValue": 5})
	root := c.rae.drawn("/review/" + c.id)
	if got := words(only(t, root, "dispute-team")); !strings.Contains(got, "The register says five") || !strings.Contains(got, "Take “5”") {
		t.Errorf("the dispute says %q", got)
	}
	if got := words(only(t, root, "review-waiting")); got != "1" {
		t.Errorf("%s to decide, want 1", got)
	}
	c.rae.send(http.StatusSeeOther, "/review/"+c.id+"/values/team/settle", url.Values{"resolution": {"agent_accepted"}})

	if got := c.obligation(c.rae, "team"); string(got.Value) != "5" || got.Negotiation.Open() {
		t.Errorf("after the dispute: %+v", got)
	}
	if root := c.rae.drawn("/review/" + c.id); len(tested(root, "dispute-team")) != 0 {
		t.Error("the dispute still waits")
	}
}

func TestReviewDecidesConflicts(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	c.anna.say(turnBody{SessionID: c.id, Answers: map[string]json.RawMessage{"start": json.RawMessage(`"2027-05-01"`)}})
	c.anna.say(turnBody{SessionID: c.id, Answers: map[string]json.RawMessage{"launch": json.RawMessage(`"2027-01-01"`)}})
	open := tested(c.rae.drawn("/review/"+c.id), "conflict-")
	if len(open) == 0 {
		t.Fatal("no conflict is shown")
	}
	if got := words(open[0]); !strings.Contains(got, "The launch lies before the start.") || !strings.Contains(got, "1 May 2027") || !strings.Contains(got, "1 January 2027") {
		t.Errorf("the conflict says %q", got)
	}
	id := strings.TrimPrefix(attribute(open[0], "data-testid"), "conflict-")
	c.rae.send(http.StatusUnprocessableEntity, "/review/"+c.id+"/conflicts/"+id, url.Values{})
	c.rae.send(http.StatusSeeOther, "/review/"+c.id+"/conflicts/"+id, url.Values{"side": {"both"}, "note": {"a soft launch"}})

	root := c.rae.drawn("/review/" + c.id)
	if len(tested(root, "conflict-"+id)) != 0 || !strings.Contains(words(root), "a soft launch") {
		t.Error("the conflict still waits, or what decided it is not told")
	}
	c.rae.send(http.StatusConflict, "/review/"+c.id+"/conflicts/"+id, url.Values{"side": {"both"}})
}

func TestReviewApprovesWhatResearchProposes(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	super := postgrestest.Superuser(t, c.rae.pool)
	defer super.Close()
	if _, err := super.Exec(t.Context(), `UPDATE elicitation_obligations SET status = 'partial', confidence = 0.65 WHERE session_id = $1 AND obligation_key = 'team'`, c.id); err != nil {
		t.Fatal(err)
	}
	var task string
	err := super.QueryRow(t.Context(), `INSERT INTO discovery_research_tasks (tenant_id, session_id, obligation_key, task_type, trigger, query, status, turn, outcome, summary, proposal, started_at, completed_at)
		VALUES ($1, $2, 'team', 'domain_research', 'user_request', 'How many are they?', 'completed', 2, 'found', 'The register <i>lists</i> four.', '{"obligationKey": "team", "value": 4, "claims": [1], "by": "rules"}', now(), now()) RETURNING id`, c.rae.tenant, c.id).Scan(&task)
	if err != nil {
		t.Fatal(err)
	}
	if got := words(only(t, c.rae.drawn("/review?research=1"), "row-"+c.id)); !strings.Contains(got, "1 research waiting") {
		t.Errorf("the row says %q", got)
	}
	if got := words(only(t, c.rae.drawn("/review/"+c.id), "proposal-"+task)); !strings.Contains(got, "Research proposes Team 4 The register <i>lists</i> four.") {
		t.Errorf("the proposal says %q", got)
	}

	c.rae.send(http.StatusSeeOther, "/review/"+c.id+"/values/team/confirm", url.Values{"value": {"4"}})

	if got := c.obligation(c.rae, "team"); got.Status != "satisfied" {
		t.Errorf("the value is %s after it was approved, want satisfied", got.Status)
	}
	if n := len(tested(c.rae.drawn("/review/"+c.id), "proposal-")); n != 0 {
		t.Errorf("%d proposals still wait", n)
	}
	only(t, c.rae.drawn("/review?research=1"), "review-empty")
}

// prolong gives a session n turns, in each of which a value was said.
func (w *world) prolong(id string, n int) {
	w.t.Helper()
	super := postgrestest.Superuser(w.t, w.pool)
	defer super.Close()
	for _, sql := range []string{
		`INSERT INTO turns (tenant_id, session_id, number, user_id, body_hash, first_seq, status, instance_id, interviewer, usage, finished_at)
		 SELECT s.tenant_id, s.id, i, s.user_id, '\x00', i, 'done', gen_random_uuid(), 'rules', '{}', now() FROM elicitation_sessions AS s, generate_series(s.turn_count + 1, $2::integer) AS i WHERE s.id = $1`,
		`INSERT INTO messages (tenant_id, session_id, turn, role, user_id, content)
		 SELECT s.tenant_id, s.id, i, r, CASE WHEN r = 'user' THEN s.user_id END, 'what ' || r || ' said in turn ' || i FROM elicitation_sessions AS s, generate_series(s.turn_count + 1, $2::integer) AS i, unnest(ARRAY['user', 'assistant']) AS r WHERE s.id = $1`,
		`INSERT INTO session_events (tenant_id, session_id, seq, turn, kinds, data)
		 SELECT s.tenant_id, s.id, 1000000 + i, i, ARRAY['message', 'completeness'], ARRAY['{}'::json, json_build_object('score', i / 4000.0, 'progress', i / 2000.0)] FROM elicitation_sessions AS s, generate_series(s.turn_count + 1, $2::integer) AS i WHERE s.id = $1`,
		`INSERT INTO obligation_events (tenant_id, session_id, obligation_key, event_type, old_status, new_status, old_confidence, new_confidence, source, metadata, turn_number)
		 SELECT s.tenant_id, s.id, 'team', 'status_changed', 'satisfied', 'satisfied', 0.9, 0.9, 'conversation', jsonb_build_object('set', jsonb_build_object('attempts', i)), i FROM elicitation_sessions AS s, generate_series(s.turn_count + 1, $2::integer) AS i WHERE s.id = $1`,
		`UPDATE elicitation_sessions SET turn_count = $2::integer WHERE id = $1`,
	} {
		if _, err := super.Exec(w.t.Context(), sql, id, n); err != nil {
			w.t.Fatal(err)
		}
	}
}

func TestReviewOfTwoThousandTurnsIsPaged(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	c.rae.prolong(c.id, 2000)
	for _, tt := range []struct {
		query      string
		first, end int
	}{
		{"", 1991, 2000},
		{"?turn=1000", 991, 1000},
		{"?turn=5", 1, 5},
		{"?at=500", 491, 510},
		{"?at=1", 1, 11},
	} {
		root := c.rae.drawn("/review/" + c.id + tt.query)
		turns := tested(root, "at-turn-")
		first, last := attribute(turns[0], "data-testid"), attribute(turns[len(turns)-1], "data-testid")
		if first != fmt.Sprint("at-turn-", tt.first) || last != fmt.Sprint("at-turn-", tt.end) {
			t.Errorf("%q shows turns %s to %s, want %d to %d", tt.query, first, last, tt.first, tt.end)
		}
		elements := 0
		for range root.Descendants() {
			elements++
		}
		if elements > 4000 {
			t.Errorf("%q has %d nodes, want at most 4000", tt.query, elements)
		}
		if points := strings.Count(attribute(polyline(root), "points"), ","); points < 100 || points > reviewDots+2 {
			t.Errorf("%q draws %d points, want 100 to %d", tt.query, points, reviewDots)
		}
	}
	if got := words(only(t, c.rae.drawn("/review/"+c.id), "history-team")); !strings.Contains(got, "2,0") {
		t.Errorf("the history counts %.60q, want some 2,000 events", got)
	}
	page := c.rae.drawn("/review/" + c.id + "/values/team")
	if n := len(tested(page, "review-event")); n != reviewPart {
		t.Errorf("a page of the history has %d events, want %d", n, reviewPart)
	}
	next := c.rae.drawn(attribute(only(t, page, "history-next"), "href"))
	if words(tested(next, "review-event")[0]) == words(tested(page, "review-event")[0]) {
		t.Error("the next page of the history is the same")
	}
}

func polyline(root *html.Node) *html.Node {
	for n := range root.Descendants() {
		if n.Data == "polyline" && attribute(n, "class") == "progress-line" {
			return n
		}
	}
	return &html.Node{}
}

// A session has as many round trips to its review as its history has parts,
// whatever its length.
func TestReviewTakesFewRoundTrips(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	fetch[objectiveBody](w, http.StatusCreated, request{path: "/api/v1/objectives", body: planned})
	id := w.begin("planned")
	w.prolong(id, 300)
	h, c := w.counted()
	c.of(t, h, "/review/"+id, "As it stands") // reads the objective
	for _, query := range []string{"", "?turn=100"} {
		if got := c.of(t, h, "/review/"+id+query, "data-testid=\"timeline\""); got > 6 {
			t.Errorf("%q takes %d round trips, want at most 6", query, got)
		}
	}
}

func TestReviewOfASessionWithoutTurns(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	made := fetch[sessionBody](w, http.StatusCreated, request{path: "/api/v1/sessions", body: map[string]string{"contextType": "idea_discovery"}})

	root := w.drawn("/review/" + made.ID)
	for _, id := range []string{"transcript-empty", "timeline-empty"} {
		only(t, root, id)
	}
	if got := words(only(t, root, "review-turn")); got != "Nothing has been said yet" {
		t.Errorf("the page says %q", got)
	}
	for _, id := range []string{"nonsense", uuid.NewString()} {
		if resp := w.do(request{path: "/review/" + id}); resp.StatusCode != http.StatusNotFound {
			t.Errorf("/review/%s answers %d, want 404", id, resp.StatusCode)
		}
	}
}

// What the page shows of the past is what the record says of it.
func TestReviewReplaysTheRecord(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.begin("business_profile")
	for _, said := range []string{"We bake bread for forty cafés", "Bakery", "Cafés in the old town", "We are 6 people"} {
		w.say(turnBody{SessionID: id, Message: said})
	}
	ctx := context.WithValue(t.Context(), actorKey, auth.Actor{Tenant: w.tenant, User: "developer", Role: auth.Owner})
	session, err := w.server.session(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	now, err := w.server.reviewView(ctx, session, ui.ReviewPlace{})
	if err != nil {
		t.Fatal(err)
	}
	history, err := w.server.historyUntil(ctx, session.Scope(), session.Turns)
	if err != nil {
		t.Fatal(err)
	}
	replayed, err := w.server.replayed(ctx, session.Scope(), history)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range now.Values {
		if string(o.Value) != string(replayed[i].Value) && !cmp.Equal(compactJSON(t, o.Value), compactJSON(t, replayed[i].Value)) || o.Status != replayed[i].Status || o.Confidence != replayed[i].Confidence {
			t.Errorf("%s is %s %s %s now and %s %s %s replayed", o.Key, o.Value, o.Status, o.Confidence, replayed[i].Value, replayed[i].Status, replayed[i].Confidence)
		}
	}
	if now.Phase != session.Phase || now.Timeline.At(session.Turns) != session.Phase {
		t.Errorf("the phase is %s by the timeline, want %s", now.Timeline.At(session.Turns), session.Phase)
	}
}

func compactJSON(t *testing.T, raw []byte) any {
	t.Helper()
	var out any
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &out); err != nil {
			t.Fatal(err)
		}
	}
	return out
}
