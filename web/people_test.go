package web

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/auth"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres"
	"quaestor/sessions"
)

// invites makes an invitation to the session of the town and returns it.
func (w *world) invites(session string, role sessions.Role, name string) invitationBody {
	w.t.Helper()
	return fetch[invitationBody](w, http.StatusCreated, request{path: "/api/v1/sessions/" + session + "/invitations", body: map[string]any{"role": role, "name": name}})
}

func (w *world) accepts(i invitationBody) joinedBody {
	w.t.Helper()
	return fetch[joinedBody](w, http.StatusOK, request{path: "/api/v1/invitations/accept", body: map[string]string{"token": i.Token}})
}

// people are the users who take part in a session, with their roles.
func (w *world) people(session string) map[string]sessions.Role {
	w.t.Helper()
	out := map[string]sessions.Role{}
	for _, p := range fetch[page[participantBody]](w, http.StatusOK, request{path: "/api/v1/sessions/" + session + "/participants"}).Items {
		out[p.UserID] = p.Role
	}
	return out
}

// A viewer's token used up an invitation to talk, which nobody could take after
// that: it is refused, and the invitation waits for who may.
func TestViewerDoesNotUseUpAnInvitationToTalk(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	anna, viewer, member := c.people["anna"], c.as(c.tenant, "victor", auth.Viewer), c.as(c.tenant, "max", auth.Member)
	for _, part := range []sessions.Role{sessions.ContributorRole, sessions.OwnerRole} {
		made := anna.invites(c.session, part, "")
		before := c.fingerprint()

		checkRefusal(t, viewer, refusal{request: request{path: "/api/v1/invitations/accept", body: map[string]string{"token": made.Token}}, status: 403, code: "role_too_low"})
		checkRefusal(t, viewer, refusal{request: request{path: "/invite/" + made.Token, body: "", header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}, status: 403, code: "role_too_low"})

		if diff := cmp.Diff(before, c.fingerprint()); diff != "" {
			t.Errorf("a refused acceptance as %s changed tables (-before +after):\n%s", part, diff)
		}
		if part == sessions.ContributorRole {
			member.accepts(made)
		}
	}
	viewer.accepts(anna.invites(c.session, sessions.ObserverRole, ""))
	if got := anna.people(c.session); got["max"] != sessions.ContributorRole || got["victor"] != sessions.ObserverRole {
		t.Errorf("the people are %v, want max to contribute and victor to read along", got)
	}
}

// A reviewer is in no interview's list of people and may talk in all of them; what
// they say is theirs, not the word of whom the interview is with.
func TestReviewerTalksInAnInterviewOfAnotherAsThemselves(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	anna, rita := c.people["anna"], c.as(c.tenant, "rita", auth.Reviewer)
	id := anna.begin("business_profile")
	anna.say(turnBody{SessionID: id, Message: "We bake bread, and we have 12 employees."})

	rita.say(turnBody{SessionID: id, Message: "We have 30 employees."})

	stands := map[string]string{}
	for _, p := range fetch[page[obligationBody]](anna, http.StatusOK, request{path: "/api/v1/sessions/" + id + "/obligations"}).Items {
		if p.Key == "team_size" {
			for _, s := range p.Stands {
				stands[s.Person] = string(s.Value)
			}
		}
	}
	conflicts := fetch[page[map[string]any]](anna, http.StatusOK, request{path: "/api/v1/sessions/" + id + "/conflicts"}).Items
	if diff := cmp.Diff(map[string]string{"anna": "12", "rita": "30"}, stands); diff != "" || len(conflicts) != 1 || conflicts[0]["kind"] != "person" {
		t.Errorf("conflicts %v, who stands for what (-want +got):\n%s", conflicts, diff)
	}
	if got := anna.people(id); len(got) != 1 {
		t.Errorf("the people are %v, want anna alone", got)
	}
}

func TestContributorTalksAndBothSeeWhoSaidWhat(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	anna, ben := c.people["anna"], c.people["ben"]
	made := anna.invites(c.session, sessions.ContributorRole, "Ben")
	if made.State != sessions.InvitationOpen || made.Token == "" || !strings.HasPrefix(made.Link, anna.url+"/invite/qsi_") || made.InvitedBy != "anna" {
		t.Fatalf("invitation %+v", made)
	}
	annas := anna.stream(request{path: "/api/v1/sessions/" + c.session + "/events?after=" + lastEvent(anna, c.session)})

	joined := ben.accepts(made)
	told := annas.until(sessions.KindParticipant)
	ben.say(turnBody{SessionID: c.session, Message: "we are in the food industry"})
	seen := annas.until(sessions.KindDone)

	if joined.SessionID != c.session || joined.Participant.UserID != "ben" || joined.Participant.Role != sessions.ContributorRole || joined.Participant.Guest {
		t.Errorf("joined %+v", joined)
	}
	if e := told[len(told)-1].Data; e["userId"] != "ben" || e["role"] != "contributor" || e["change"] != "joined" {
		t.Errorf("event %v", e)
	}
	if got := pick(seen, sessions.KindSession)[0].Data["userId"]; got != "ben" {
		t.Errorf("anna's page sees a turn of %v, want ben's", got)
	}
	if diff := cmp.Diff(map[string]sessions.Role{"anna": sessions.OwnerRole, "ben": sessions.ContributorRole}, anna.people(c.session)); diff != "" {
		t.Errorf("people (-want +got):\n%s", diff)
	}
	list := fetch[page[messageBody]](ben, http.StatusOK, request{path: "/api/v1/sessions/" + c.session + "/messages"}).Items
	if got := list[len(list)-2]; got.UserID != "ben" || got.Content != "we are in the food industry" {
		t.Errorf("message %+v, want ben's", got)
	}
	wantSpeaker(t, anna, c.session, "industry", "ben")
}

// wantSpeaker checks who said the value of a key: in its evidence, its history
// and the exports that show evidence.
func wantSpeaker(t *testing.T, w *world, session, key, user string) {
	t.Helper()
	at := "/api/v1/sessions/" + session
	o := fetch[struct {
		Evidence []struct{ By string }
	}](w, http.StatusOK, request{path: at + "/obligations/" + key})
	if len(o.Evidence) == 0 || o.Evidence[len(o.Evidence)-1].By != user {
		t.Errorf("evidence of %s %+v, want %s's", key, o.Evidence, user)
	}
	history := text(w, request{path: at + "/obligations/" + key + "/history"})
	if !strings.Contains(history, `"by":"`+user+`"`) {
		t.Errorf("the history of %s does not name %s: %s", key, user, history)
	}
	for _, format := range []string{"md", "csv"} {
		if got := text(w, request{path: at + "/export?format=" + format}); !strings.Contains(got, user) {
			t.Errorf("the export as %s does not name %s:\n%s", format, user, got)
		}
	}
}

func text(w *world, q request) string {
	w.t.Helper()
	raw, err := io.ReadAll(w.do(q).Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(raw)
}

// lastEvent returns the number of the session's last event.
func lastEvent(w *world, session string) string {
	w.t.Helper()
	s := w.stream(request{path: "/api/v1/sessions/" + session + "/events"})
	turns := fetch[sessionBody](w, http.StatusOK, request{path: "/api/v1/sessions/" + session}).TurnCount
	last := ""
	for range turns {
		events := s.until(sessions.KindDone)
		last = events[len(events)-1].ID
	}
	return last
}

// What must not be possible, with what must not change by trying.
func TestPeopleRefusals(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	anna, ben, mallory := c.people["anna"], c.people["ben"], c.people["mallory"]
	olga := c.as(c.tenant, "olga", auth.Member)
	olga.accepts(anna.invites(c.session, sessions.ObserverRole, ""))
	carl := c.as(c.tenant, "carl", auth.Member)
	carl.accepts(anna.invites(c.session, sessions.ContributorRole, ""))
	at := "/api/v1/sessions/" + c.session
	used, open := anna.invites(c.session, sessions.ContributorRole, ""), anna.invites(c.session, sessions.ContributorRole, "")
	dora := c.as(c.tenant, "dora", auth.Member)
	gone := dora.accepts(used).Participant.ID
	fetchNothing(anna, request{method: http.MethodDelete, path: at + "/participants/" + gone})
	revoked, expired := anna.invites(c.session, sessions.ContributorRole, ""), anna.invites(c.session, sessions.ContributorRole, "")
	fetchNothing(anna, request{method: http.MethodDelete, path: at + "/invitations/" + revoked.ID})
	c.exec(`UPDATE session_invitations SET expires_at = now() - interval '1 second' WHERE id = $1`, expired.ID)
	secret, _, err := auth.NewTicket(auth.Invitation, c.tenant)
	if err != nil {
		t.Fatal(err)
	}
	other, _, err := auth.NewTicket(auth.Invitation, uuid.NewString())
	if err != nil {
		t.Fatal(err)
	}
	accept := func(token string) request {
		return request{path: "/api/v1/invitations/accept", body: map[string]string{"token": token}}
	}
	ask := func(role string) request {
		return request{path: at + "/invitations", body: map[string]any{"role": role}}
	}
	say := request{path: chatPath, body: map[string]any{"sessionId": c.session, "message": "Hello"}}
	carls := carl.people(c.session)
	before := c.fingerprint()
	for _, tt := range []struct {
		name    string
		who     *world
		request request
		status  int
		code    string
	}{
		{"observer talks", olga, say, 403, "observer"},
		{"observer stops a turn", olga, request{method: "POST", path: at + "/turns/1/stop"}, 403, "observer"},
		{"observer completes", olga, request{method: "POST", path: at + "/complete"}, 403, "observer"},
		{"observer invites", olga, ask("observer"), 403, "observer"},
		{"observer sees invitations", olga, request{path: at + "/invitations"}, 403, "not_an_owner"},
		{"observer removes somebody", olga, request{method: "DELETE", path: at + "/participants/" + gone}, 403, ""},
		{"contributor invites", carl, ask("observer"), 403, "not_an_owner"},
		{"contributor revokes", carl, request{method: "DELETE", path: at + "/invitations/" + open.ID}, 403, "not_an_owner"},
		{"who was removed talks", dora, say, 404, "session_not_found"},
		{"who was removed reads", dora, request{path: at + "/messages"}, 404, "session_not_found"},
		{"who was removed streams", dora, request{path: at + "/events"}, 404, "session_not_found"},
		{"member invites to another's", ben, ask("observer"), 404, "session_not_found"},
		{"foreign tenant invites", mallory, ask("observer"), 404, "session_not_found"},
		{"foreign tenant lists people", mallory, request{path: at + "/participants"}, 404, "session_not_found"},
		{"foreign tenant lists invitations", mallory, request{path: at + "/invitations"}, 404, "session_not_found"},
		{"foreign tenant revokes", mallory, request{method: "DELETE", path: at + "/invitations/" + open.ID}, 404, "session_not_found"},
		{"foreign tenant accepts", mallory, accept(open.Token), 404, "invitation_not_found"},
		{"used", ben, accept(used.Token), 409, "invitation_used"},
		{"revoked", ben, accept(revoked.Token), 409, "invitation_revoked"},
		{"expired", ben, accept(expired.Token), 409, "invitation_expired"},
		{"never made", ben, accept(secret), 404, "invitation_not_found"},
		{"of no tenant", ben, accept(other), 404, "invitation_not_found"},
		{"nonsense", ben, accept("qsi_nonsense"), 404, "invitation_not_found"},
		{"takes part already", carl, accept(open.Token), 409, "takes_part_already"},
		{"owner accepts", anna, accept(open.Token), 409, "takes_part_already"},
		{"owner leaves", anna, request{method: "DELETE", path: at + "/participants/me"}, 409, "owner_stays"},
		{"nobody of that id", anna, request{method: "DELETE", path: at + "/participants/" + uuid.NewString()}, 404, "participant_not_found"},
		{"no id", anna, request{method: "DELETE", path: at + "/participants/x"}, 404, "participant_not_found"},
		{"no invitation of that id", anna, request{method: "DELETE", path: at + "/invitations/x"}, 404, "invitation_not_found"},
		{"revoked twice", anna, request{method: "DELETE", path: at + "/invitations/" + revoked.ID}, 404, "invitation_not_found"},
		{"role that is none", anna, ask("boss"), 422, ""},
		{"no time at all", anna, request{path: at + "/invitations", body: map[string]any{"role": "observer", "expiresInMinutes": 0}}, 422, ""},
		{"expiry beyond bounds", anna, request{path: at + "/invitations", body: map[string]any{"role": "observer", "expiresInMinutes": 43201}}, 422, ""},
		{"page of one that was used", c.people["nobody"], request{path: "/invite/" + used.Token}, 409, "invitation_used"},
		{"page of one never made", c.people["nobody"], request{path: "/invite/" + secret}, 404, "invitation_not_found"},
		{"posted from another site", c.people["nobody"], request{path: "/invite/" + open.Token, body: "", header: map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}}, 403, "cross_site"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			checkRefusal(t, tt.who, refusal{request: tt.request, status: tt.status, code: tt.code})
		})
	}
	if resp := c.do(request{path: "/invite/" + open.Token}); resp.StatusCode != http.StatusOK {
		t.Errorf("the page of an open invitation answered %d", resp.StatusCode)
	}
	if diff := cmp.Diff(before, c.fingerprint()); diff != "" {
		t.Errorf("refusals changed tables (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]sessions.Role{"anna": "owner", "olga": "observer", "carl": "contributor"}, carls); diff != "" {
		t.Errorf("people (-want +got):\n%s", diff)
	}
	wantRejoin(t, c, dora, open)
}

// wantRejoin checks that one who was removed comes back by another invitation.
func wantRejoin(t *testing.T, c *town, who *world, open invitationBody) {
	t.Helper()
	who.accepts(open)
	who.say(turnBody{SessionID: c.session, Message: "I am back"})
}

func fetchNothing(w *world, q request) {
	w.t.Helper()
	resp := w.do(q)
	if resp.StatusCode != http.StatusNoContent {
		raw, _ := io.ReadAll(resp.Body)
		w.t.Fatalf("%s answered %d: %s", q.path, resp.StatusCode, raw)
	}
}

// exec changes rows of the world's tenant in a way the product does not.
func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	b := postgres.NewBatch(w.tenant)
	_, _ = b.Exec(w.t.Context(), sql, args...)
	if err := b.Send(w.t.Context(), w.pool); err != nil {
		w.t.Fatal(err)
	}
}

func TestOpenStreamsOfSomebodyRemovedEnd(t *testing.T) {
	t.Parallel()

	c := openTown(t)
	anna, ben := c.people["anna"], c.people["ben"]
	part := ben.accepts(anna.invites(c.session, sessions.ContributorRole, "")).Participant
	bens := ben.stream(request{path: "/api/v1/sessions/" + c.session + "/events"})
	bens.until(sessions.KindParticipant)

	fetchNothing(anna, request{method: http.MethodDelete, path: "/api/v1/sessions/" + c.session + "/participants/" + part.ID})
	rest := bens.rest()

	if len(rest) != 1 || rest[0].Data["change"] != "removed" {
		t.Errorf("after the removal the stream brought %v, want that and its end", raws(rest))
	}
	again := ben.accepts(anna.invites(c.session, sessions.ContributorRole, ""))
	ben.stream(request{path: "/api/v1/sessions/" + c.session + "/events"}).until(sessions.KindParticipant)
	if again.Participant.ID != part.ID {
		t.Errorf("came back as %s, was %s", again.Participant.ID, part.ID)
	}
	fetchNothing(ben, request{method: http.MethodDelete, path: "/api/v1/sessions/" + c.session + "/participants/me"})
	checkRefusal(t, ben, refusal{request: request{path: "/api/v1/sessions/" + c.session}, status: 404, code: "session_not_found"})
}

func TestTwoPeopleTalkOneAfterTheOther(t *testing.T) {
	t.Parallel()

	model := llmtest.New(t)
	model.OnReply(llmtest.Reply{Text: "One thing after the other, then.", PieceDelay: 300 * time.Millisecond})
	model.OnUnderstand(llmtest.Reply{JSON: heardNothing})
	w := open(t, terms{tokens: true, model: model})
	anna, ben := w.as(w.tenant, "anna", auth.Member), w.as(w.tenant, "ben", auth.Member)
	session := anna.begin("business_profile")
	ben.accepts(anna.invites(session, sessions.ContributorRole, ""))
	annas := anna.stream(request{path: "/api/v1/sessions/" + session + "/events"})
	bens := ben.stream(request{path: "/api/v1/sessions/" + session + "/events"})
	annas.until(sessions.KindParticipant)
	bens.until(sessions.KindParticipant)
	running := anna.stream(request{path: chatPath, body: turnBody{SessionID: session, Message: "We bake bread", ClientMessageID: "m1"}})
	running.until(sessions.KindDelta)
	second := request{path: chatPath, body: turnBody{SessionID: session, Message: "We bake bread", ClientMessageID: "m2"}}

	checkRefusal(t, ben, refusal{request: second, status: 409, code: "turn_running", says: []string{"wait"}})
	checkRefusal(t, ben, refusal{request: request{path: chatPath, body: turnBody{SessionID: session, Message: "We bake bread", ClientMessageID: "m1"}}, status: 422, code: "idempotency_mismatch"})
	running.until(sessions.KindDone)
	ben.stream(second).until(sessions.KindDone)

	for name, s := range map[string]*stream{"anna": annas, "ben": bens} {
		var said []string
		for range 2 {
			for _, e := range pick(s.until(sessions.KindDone), sessions.KindSession) {
				said = append(said, e.Data["userId"].(string)+": "+e.Data["message"].(string))
			}
		}
		if diff := cmp.Diff([]string{"anna: We bake bread", "ben: We bake bread"}, said); diff != "" {
			t.Errorf("%s's page (-want +got):\n%s", name, diff)
		}
	}
}

func TestDisagreementOfTwoPeopleIsAConflictRaisedOnce(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	anna, ben := w.as(w.tenant, "anna", auth.Member), w.as(w.tenant, "ben", auth.Member)
	session := anna.begin("business_profile")
	ben.accepts(anna.invites(session, sessions.ContributorRole, ""))
	anna.say(turnBody{SessionID: session, Message: "we are in the food industry"})

	first := pick(ben.say(turnBody{SessionID: session, Message: "no, actually we are in hospitality"}), sessions.KindConflict)
	list := fetch[page[struct {
		Kind       string
		Status     string
		RaisedTurn int
		Sides      []struct {
			Value    any
			Evidence []struct{ By string }
		}
	}]](anna, http.StatusOK, request{path: "/api/v1/sessions/" + session + "/conflicts"}).Items

	if len(list) != 1 || list[0].Kind != "person" || len(list[0].Sides) != 2 {
		t.Fatalf("conflicts %+v (events %v), want one between persons", list, raws(first))
	}
	var by []string
	for _, side := range list[0].Sides {
		for _, e := range side.Evidence {
			by = append(by, e.By)
		}
	}
	if diff := cmp.Diff([]string{"anna", "ben"}, by); diff != "" {
		t.Errorf("who stands for what (-want +got):\n%s", diff)
	}
	anna.say(turnBody{SessionID: session, Message: "how far are we?"})
	later := fetch[page[struct{ RaisedTurn int }]](anna, http.StatusOK, request{path: "/api/v1/sessions/" + session + "/conflicts"}).Items
	if len(later) != 1 || list[0].RaisedTurn == 0 || later[0].RaisedTurn != list[0].RaisedTurn {
		t.Errorf("raised in turn %d, later %+v, want once", list[0].RaisedTurn, later)
	}
}

func TestOwnersWordHoldsWhereTheObjectiveSaysSo(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	boss, anna, ben := w.as(w.tenant, "boss", auth.Owner), w.as(w.tenant, "anna", auth.Member), w.as(w.tenant, "ben", auth.Member)
	fetch[objectiveBody](boss, http.StatusCreated, request{path: "/api/v1/objectives", body: strings.Replace(tiny, `"priority":9`, `"priority":9,"merge":"owner"`, 1)})
	session := anna.begin("tiny")
	ben.accepts(anna.invites(session, sessions.ContributorRole, ""))
	anna.say(turnBody{SessionID: session, Answers: map[string]json.RawMessage{"team_size": json.RawMessage(`4`)}})

	told := ben.say(turnBody{SessionID: session, Answers: map[string]json.RawMessage{"team_size": json.RawMessage(`5`)}})

	got := fetch[struct {
		Value  int
		Stands []struct {
			Person string
			Value  int
		}
	}](anna, http.StatusOK, request{path: "/api/v1/sessions/" + session + "/obligations/team_size"})
	if got.Value != 4 || len(got.Stands) != 2 || got.Stands[1].Person != "ben" || got.Stands[1].Value != 5 {
		t.Errorf("team size %+v, want anna's 4 beside ben's 5", got)
	}
	conflicts := fetch[page[struct{ Kind, Status string }]](anna, http.StatusOK, request{path: "/api/v1/sessions/" + session + "/conflicts"}).Items
	if diff := cmp.Diff([]struct{ Kind, Status string }{{"person", "resolved"}}, conflicts); diff != "" {
		t.Errorf("conflicts (-want +got):\n%s", diff)
	}
	for _, q := range pick(told, sessions.KindQuestion) {
		if q.Data["purpose"] == string(sessions.ToResolve) {
			t.Errorf("what the rule settled is asked: %s", q.Raw)
		}
	}
}

// closedPool is a pool of the world's database that answers nothing.
func closedPool(t *testing.T, w *world) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.NewWithConfig(t.Context(), w.pool.Config())
	if err != nil {
		t.Fatal(err)
	}
	pool.Close()
	return pool
}

func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return srv.URL
}

func TestWebsocketsOfAnObserverReadAndEndWithTheirPart(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("business_profile")
	b := w.browser()
	b.open("/invite/"+w.invites(session, sessions.ObserverRole, "").Token, url.Values{"name": {"Ben"}})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, w.socketURL(session), &websocket.DialOptions{HTTPHeader: http.Header{"Cookie": {b.cookie()}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.CloseNow() }()
	s := &socket{t, ctx, conn}
	s.until(sessions.KindParticipant)
	before := w.fingerprint()
	for _, frame := range []string{`{"type":"message","message":"Hello"}`, `{"type":"stop","turn":1}`} {
		s.send(frame)
		frames := s.until("problem")
		if got := frames[len(frames)-1].Data["code"]; got != "observer" {
			t.Errorf("%s: code %v, want observer", frame, got)
		}
	}
	if diff := cmp.Diff(before, w.fingerprint()); diff != "" {
		t.Errorf("an observer changed tables (-before +after):\n%s", diff)
	}

	b.open("/s/"+session+"/leave", url.Values{})
	s.until(sessions.KindParticipant)

	if _, _, err := conn.Read(ctx); websocket.CloseStatus(err) == -1 && !strings.Contains(err.Error(), "EOF") {
		t.Errorf("after leaving the websocket gave %v, want its end", err)
	}
}
