package share_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
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
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/share"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

// An invitation to talk was once used up by a viewer, who may not talk, and was lost for
// everybody. It is refused to viewers and stays open.
func TestViewerDoesNotUseUpAnInvitationToTalk(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna, viewer, member := c.People["anna"], c.As(c.Tenant, "victor", auth.Viewer), c.As(c.Tenant, "max", auth.Member)
	for _, part := range []sessions.Role{sessions.ContributorRole, sessions.OwnerRole} {
		made := anna.Invites(c.Session, part, "")
		before := c.Fingerprint()

		webtest.CheckRefusal(t, viewer, webtest.Refusal{Request: webtest.Request{Path: "/api/v1/invitations/accept", Body: map[string]string{"token": made.Token}}, Status: 403, Code: "role_too_low"})
		webtest.CheckRefusal(t, viewer, webtest.Refusal{Request: webtest.Request{Path: "/invite/" + made.Token, Body: "", Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}, Status: 403, Code: "role_too_low"})

		if diff := cmp.Diff(before, c.Fingerprint()); diff != "" {
			t.Errorf("a refused acceptance as %s changed tables (-before +after):\n%s", part, diff)
		}
		if part == sessions.ContributorRole {
			member.Accepts(made)
		}
	}
	viewer.Accepts(anna.Invites(c.Session, sessions.ObserverRole, ""))
	if got := anna.People(c.Session); got["max"] != sessions.ContributorRole || got["victor"] != sessions.ObserverRole {
		t.Errorf("the people are %v, want max to contribute and victor to read along", got)
	}
}

// A reviewer may talk in every interview without being one of its participants. What they
// say is recorded as theirs, and not as the interviewed person's.
func TestReviewerTalksInAnInterviewOfAnotherAsThemselves(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna, rita := c.People["anna"], c.As(c.Tenant, "rita", auth.Reviewer)
	id := anna.Begin("business_profile")
	anna.Say(talk.TurnBody{SessionID: id, Message: "We bake bread, and we have 12 employees."})

	rita.Say(talk.TurnBody{SessionID: id, Message: "We have 30 employees."})

	stands := map[string]string{}
	for _, p := range webtest.Fetch[web.Page[web.ObligationBody]](anna, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + id + "/obligations"}).Items {
		if p.Key == "team_size" {
			for _, s := range p.Stands {
				stands[s.Person] = string(s.Value)
			}
		}
	}
	conflicts := webtest.Fetch[web.Page[map[string]any]](anna, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + id + "/conflicts"}).Items
	if diff := cmp.Diff(map[string]string{"anna": "12", "rita": "30"}, stands); diff != "" || len(conflicts) != 1 || conflicts[0]["kind"] != "person" {
		t.Errorf("conflicts %v, the speakers of the sides (-want +got):\n%s", conflicts, diff)
	}
	if got := anna.People(id); len(got) != 1 {
		t.Errorf("the people are %v, want anna alone", got)
	}
}

func TestContributorTalksAndBothSeeWhoSaidWhat(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna, ben := c.People["anna"], c.People["ben"]
	made := anna.Invites(c.Session, sessions.ContributorRole, "Ben")
	if made.State != sessions.InvitationOpen || made.Token == "" || !strings.HasPrefix(made.Link, anna.URL+"/invite/qsi_") || made.InvitedBy != "anna" {
		t.Fatalf("invitation %+v", made)
	}
	annas := anna.Stream(webtest.Request{Path: "/api/v1/sessions/" + c.Session + "/events?after=" + webtest.LastEvent(anna, c.Session)})

	joined := ben.Accepts(made)
	told := annas.Until(sessions.KindParticipant)
	ben.Say(talk.TurnBody{SessionID: c.Session, Message: "our industry is food"})
	seen := annas.Until(sessions.KindDone)

	if joined.SessionID != c.Session || joined.Participant.UserID != "ben" || joined.Participant.Role != sessions.ContributorRole || joined.Participant.Guest {
		t.Errorf("joined %+v", joined)
	}
	if e := told[len(told)-1].Data; e["userId"] != "ben" || e["role"] != "contributor" || e["change"] != "joined" {
		t.Errorf("event %v", e)
	}
	if got := webtest.Pick(seen, sessions.KindSession)[0].Data["userId"]; got != "ben" {
		t.Errorf("anna's page sees a turn of %v, want ben's", got)
	}
	if diff := cmp.Diff(map[string]sessions.Role{"anna": sessions.OwnerRole, "ben": sessions.ContributorRole}, anna.People(c.Session)); diff != "" {
		t.Errorf("people (-want +got):\n%s", diff)
	}
	list := webtest.Fetch[web.Page[web.MessageBody]](ben, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + c.Session + "/messages"}).Items
	if got := list[len(list)-2]; got.UserID != "ben" || got.Content != "our industry is food" {
		t.Errorf("message %+v, want ben's", got)
	}
	wantSpeaker(t, anna, c.Session, "industry", "ben")
}

// wantSpeaker checks which person a value is attributed to: in its evidence, in its history
// and in the exports that show evidence.
func wantSpeaker(t *testing.T, w *webtest.World, session, key, user string) {
	t.Helper()
	at := "/api/v1/sessions/" + session
	o := webtest.Fetch[struct {
		Evidence []struct{ By string }
	}](w, http.StatusOK, webtest.Request{Path: at + "/obligations/" + key})
	if len(o.Evidence) == 0 || o.Evidence[len(o.Evidence)-1].By != user {
		t.Errorf("evidence of %s %+v, want %s's", key, o.Evidence, user)
	}
	history := text(w, webtest.Request{Path: at + "/obligations/" + key + "/history"})
	if !strings.Contains(history, `"by":"`+user+`"`) {
		t.Errorf("the history of %s does not name %s: %s", key, user, history)
	}
	for _, format := range []string{"md", "csv"} {
		if got := text(w, webtest.Request{Path: at + "/export?format=" + format}); !strings.Contains(got, user) {
			t.Errorf("the export as %s does not name %s:\n%s", format, user, got)
		}
	}
}

func text(w *webtest.World, q webtest.Request) string {
	w.T.Helper()
	raw, err := io.ReadAll(w.Do(q).Body)
	if err != nil {
		w.T.Fatal(err)
	}
	return string(raw)
}

// Requests that must be refused, and must leave no trace.
func TestPeopleRefusals(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna, ben, mallory := c.People["anna"], c.People["ben"], c.People["mallory"]
	olga := c.As(c.Tenant, "olga", auth.Member)
	olga.Accepts(anna.Invites(c.Session, sessions.ObserverRole, ""))
	carl := c.As(c.Tenant, "carl", auth.Member)
	carl.Accepts(anna.Invites(c.Session, sessions.ContributorRole, ""))
	at := "/api/v1/sessions/" + c.Session
	used, open := anna.Invites(c.Session, sessions.ContributorRole, ""), anna.Invites(c.Session, sessions.ContributorRole, "")
	dora := c.As(c.Tenant, "dora", auth.Member)
	gone := dora.Accepts(used).Participant.ID
	fetchNothing(anna, webtest.Request{Method: http.MethodDelete, Path: at + "/participants/" + gone})
	revoked, expired := anna.Invites(c.Session, sessions.ContributorRole, ""), anna.Invites(c.Session, sessions.ContributorRole, "")
	fetchNothing(anna, webtest.Request{Method: http.MethodDelete, Path: at + "/invitations/" + revoked.ID})
	c.Exec(`UPDATE session_invitations SET expires_at = now() - interval '1 second' WHERE id = $1`, expired.ID)
	secret, _, err := auth.NewTicket(auth.Invitation, c.Tenant)
	if err != nil {
		t.Fatal(err)
	}
	other, _, err := auth.NewTicket(auth.Invitation, uuid.NewString())
	if err != nil {
		t.Fatal(err)
	}
	accept := func(token string) webtest.Request {
		return webtest.Request{Path: "/api/v1/invitations/accept", Body: map[string]string{"token": token}}
	}
	ask := func(role string) webtest.Request {
		return webtest.Request{Path: at + "/invitations", Body: map[string]any{"role": role}}
	}
	say := webtest.Request{Path: webtest.ChatPath, Body: map[string]any{"sessionId": c.Session, "message": "Hello"}}
	carls := carl.People(c.Session)
	before := c.Fingerprint()
	for _, tt := range []struct {
		name    string
		who     *webtest.World
		request webtest.Request
		status  int
		code    string
	}{
		{"observer talks", olga, say, 403, "observer"},
		{"observer stops a turn", olga, webtest.Request{Method: "POST", Path: at + "/turns/1/stop"}, 403, "observer"},
		{"observer completes", olga, webtest.Request{Method: "POST", Path: at + "/complete"}, 403, "observer"},
		{"observer invites", olga, ask("observer"), 403, "observer"},
		{"observer sees invitations", olga, webtest.Request{Path: at + "/invitations"}, 403, "not_an_owner"},
		{"observer removes somebody", olga, webtest.Request{Method: "DELETE", Path: at + "/participants/" + gone}, 403, ""},
		{"contributor invites", carl, ask("observer"), 403, "not_an_owner"},
		{"contributor revokes", carl, webtest.Request{Method: "DELETE", Path: at + "/invitations/" + open.ID}, 403, "not_an_owner"},
		{"who was removed talks", dora, say, 404, "session_not_found"},
		{"who was removed reads", dora, webtest.Request{Path: at + "/messages"}, 404, "session_not_found"},
		{"who was removed streams", dora, webtest.Request{Path: at + "/events"}, 404, "session_not_found"},
		{"member invites to another's", ben, ask("observer"), 404, "session_not_found"},
		{"foreign tenant invites", mallory, ask("observer"), 404, "session_not_found"},
		{"foreign tenant lists people", mallory, webtest.Request{Path: at + "/participants"}, 404, "session_not_found"},
		{"foreign tenant lists invitations", mallory, webtest.Request{Path: at + "/invitations"}, 404, "session_not_found"},
		{"foreign tenant revokes", mallory, webtest.Request{Method: "DELETE", Path: at + "/invitations/" + open.ID}, 404, "session_not_found"},
		{"foreign tenant accepts", mallory, accept(open.Token), 404, "invitation_not_found"},
		{"used", ben, accept(used.Token), 409, "invitation_used"},
		{"revoked", ben, accept(revoked.Token), 409, "invitation_revoked"},
		{"expired", ben, accept(expired.Token), 409, "invitation_expired"},
		{"never made", ben, accept(secret), 404, "invitation_not_found"},
		{"of no tenant", ben, accept(other), 404, "invitation_not_found"},
		{"nonsense", ben, accept("qsi_nonsense"), 404, "invitation_not_found"},
		{"takes part already", carl, accept(open.Token), 409, "takes_part_already"},
		{"owner accepts", anna, accept(open.Token), 409, "takes_part_already"},
		{"owner leaves", anna, webtest.Request{Method: "DELETE", Path: at + "/participants/me"}, 409, "owner_stays"},
		{"nobody of that id", anna, webtest.Request{Method: "DELETE", Path: at + "/participants/" + uuid.NewString()}, 404, "participant_not_found"},
		{"no id", anna, webtest.Request{Method: "DELETE", Path: at + "/participants/x"}, 404, "participant_not_found"},
		{"no invitation of that id", anna, webtest.Request{Method: "DELETE", Path: at + "/invitations/x"}, 404, "invitation_not_found"},
		{"revoked twice", anna, webtest.Request{Method: "DELETE", Path: at + "/invitations/" + revoked.ID}, 404, "invitation_not_found"},
		{"role that is none", anna, ask("boss"), 422, ""},
		{"no time at all", anna, webtest.Request{Path: at + "/invitations", Body: map[string]any{"role": "observer", "expiresInMinutes": 0}}, 422, ""},
		{"expiry beyond bounds", anna, webtest.Request{Path: at + "/invitations", Body: map[string]any{"role": "observer", "expiresInMinutes": 43201}}, 422, ""},
		{"page of one that was used", c.People["nobody"], webtest.Request{Path: "/invite/" + used.Token}, 409, "invitation_used"},
		{"page of one never made", c.People["nobody"], webtest.Request{Path: "/invite/" + secret}, 404, "invitation_not_found"},
		{"posted from another site", c.People["nobody"], webtest.Request{Path: "/invite/" + open.Token, Body: "", Header: map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}}, 403, "cross_site"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			webtest.CheckRefusal(t, tt.who, webtest.Refusal{Request: tt.request, Status: tt.status, Code: tt.code})
		})
	}
	if resp := c.Do(webtest.Request{Path: "/invite/" + open.Token}); resp.StatusCode != http.StatusOK {
		t.Errorf("the page of an open invitation answered %d", resp.StatusCode)
	}
	if diff := cmp.Diff(before, c.Fingerprint()); diff != "" {
		t.Errorf("refusals changed tables (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]sessions.Role{"anna": "owner", "olga": "observer", "carl": "contributor"}, carls); diff != "" {
		t.Errorf("people (-want +got):\n%s", diff)
	}
	wantRejoin(t, c, dora, open)
}

// wantRejoin checks that a person who was removed can come back by another invitation.
func wantRejoin(t *testing.T, c *webtest.Town, who *webtest.World, open share.InvitationBody) {
	t.Helper()
	who.Accepts(open)
	who.Say(talk.TurnBody{SessionID: c.Session, Message: "I am back"})
}

func fetchNothing(w *webtest.World, q webtest.Request) {
	w.T.Helper()
	resp := w.Do(q)
	if resp.StatusCode != http.StatusNoContent {
		raw, _ := io.ReadAll(resp.Body)
		w.T.Fatalf("%s answered %d: %s", q.Path, resp.StatusCode, raw)
	}
}

func TestOpenStreamsOfSomebodyRemovedEnd(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna, ben := c.People["anna"], c.People["ben"]
	part := ben.Accepts(anna.Invites(c.Session, sessions.ContributorRole, "")).Participant
	bens := ben.Stream(webtest.Request{Path: "/api/v1/sessions/" + c.Session + "/events"})
	bens.Until(sessions.KindParticipant)

	fetchNothing(anna, webtest.Request{Method: http.MethodDelete, Path: "/api/v1/sessions/" + c.Session + "/participants/" + part.ID})
	rest := bens.Rest()

	if len(rest) != 1 || rest[0].Data["change"] != "removed" {
		t.Errorf("after the removal the stream brought %v, want that and its end", webtest.Raws(rest))
	}
	again := ben.Accepts(anna.Invites(c.Session, sessions.ContributorRole, ""))
	ben.Stream(webtest.Request{Path: "/api/v1/sessions/" + c.Session + "/events"}).Until(sessions.KindParticipant)
	if again.Participant.ID != part.ID {
		t.Errorf("came back as %s, was %s", again.Participant.ID, part.ID)
	}
	fetchNothing(ben, webtest.Request{Method: http.MethodDelete, Path: "/api/v1/sessions/" + c.Session + "/participants/me"})
	webtest.CheckRefusal(t, ben, webtest.Refusal{Request: webtest.Request{Path: "/api/v1/sessions/" + c.Session}, Status: 404, Code: "session_not_found"})
}

func TestTwoPeopleTalkOneAfterTheOther(t *testing.T) {
	t.Parallel()

	model := llmtest.New(t)
	model.OnReply(llmtest.Reply{Text: "One thing after the other, then.", PieceDelay: 300 * time.Millisecond})
	model.OnUnderstand(llmtest.Reply{JSON: webtest.HeardNothing})
	w := webtest.Open(t, webtest.Terms{Tokens: true, Model: model})
	anna, ben := w.As(w.Tenant, "anna", auth.Member), w.As(w.Tenant, "ben", auth.Member)
	session := anna.Begin("business_profile")
	ben.Accepts(anna.Invites(session, sessions.ContributorRole, ""))
	annas := anna.Stream(webtest.Request{Path: "/api/v1/sessions/" + session + "/events"})
	bens := ben.Stream(webtest.Request{Path: "/api/v1/sessions/" + session + "/events"})
	annas.Until(sessions.KindParticipant)
	bens.Until(sessions.KindParticipant)
	running := anna.Stream(webtest.Request{Path: webtest.ChatPath, Body: talk.TurnBody{SessionID: session, Message: "We bake bread", ClientMessageID: "m1"}})
	running.Until(sessions.KindDelta)
	second := webtest.Request{Path: webtest.ChatPath, Body: talk.TurnBody{SessionID: session, Message: "We bake bread", ClientMessageID: "m2"}}

	webtest.CheckRefusal(t, ben, webtest.Refusal{Request: second, Status: 409, Code: "turn_running", Says: []string{"wait"}})
	webtest.CheckRefusal(t, ben, webtest.Refusal{Request: webtest.Request{Path: webtest.ChatPath, Body: talk.TurnBody{SessionID: session, Message: "We bake bread", ClientMessageID: "m1"}}, Status: 422, Code: "idempotency_mismatch"})
	running.Until(sessions.KindDone)
	ben.Stream(second).Until(sessions.KindDone)

	for name, s := range map[string]*webtest.Stream{"anna": annas, "ben": bens} {
		var said []string
		for range 2 {
			for _, e := range webtest.Pick(s.Until(sessions.KindDone), sessions.KindSession) {
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

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	anna, ben := w.As(w.Tenant, "anna", auth.Member), w.As(w.Tenant, "ben", auth.Member)
	session := anna.Begin("business_profile")
	ben.Accepts(anna.Invites(session, sessions.ContributorRole, ""))
	anna.Say(talk.TurnBody{SessionID: session, Message: "our industry is food"})

	first := webtest.Pick(ben.Say(talk.TurnBody{SessionID: session, Message: "no, actually our industry is hospitality"}), sessions.KindConflict)
	list := webtest.Fetch[web.Page[struct {
		Kind       string
		Status     string
		RaisedTurn int
		Sides      []struct {
			Value    any
			Evidence []struct{ By string }
		}
	}]](anna, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + session + "/conflicts"}).Items

	if len(list) != 1 || list[0].Kind != "person" || len(list[0].Sides) != 2 {
		t.Fatalf("conflicts %+v (events %v), want one between persons", list, webtest.Raws(first))
	}
	var by []string
	for _, side := range list[0].Sides {
		for _, e := range side.Evidence {
			by = append(by, e.By)
		}
	}
	if diff := cmp.Diff([]string{"anna", "ben"}, by); diff != "" {
		t.Errorf("the speakers of the sides (-want +got):\n%s", diff)
	}
	anna.Say(talk.TurnBody{SessionID: session, Message: "how far are we?"})
	later := webtest.Fetch[web.Page[struct{ RaisedTurn int }]](anna, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + session + "/conflicts"}).Items
	if len(later) != 1 || list[0].RaisedTurn == 0 || later[0].RaisedTurn != list[0].RaisedTurn {
		t.Errorf("raised in turn %d, later %+v, want once", list[0].RaisedTurn, later)
	}
}

func TestOwnersWordHoldsWhereTheObjectiveSaysSo(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	boss, anna, ben := w.As(w.Tenant, "boss", auth.Owner), w.As(w.Tenant, "anna", auth.Member), w.As(w.Tenant, "ben", auth.Member)
	webtest.Fetch[web.ObjectiveBody](boss, http.StatusCreated, webtest.Request{Path: "/api/v1/objectives", Body: strings.Replace(webtest.Tiny, `"priority":9`, `"priority":9,"merge":"owner"`, 1)})
	session := anna.Begin("tiny")
	ben.Accepts(anna.Invites(session, sessions.ContributorRole, ""))
	anna.Say(talk.TurnBody{SessionID: session, Answers: map[string]json.RawMessage{"team_size": json.RawMessage(`4`)}})

	told := ben.Say(talk.TurnBody{SessionID: session, Answers: map[string]json.RawMessage{"team_size": json.RawMessage(`5`)}})

	got := webtest.Fetch[struct {
		Value  int
		Stands []struct {
			Person string
			Value  int
		}
	}](anna, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + session + "/obligations/team_size"})
	if got.Value != 4 || len(got.Stands) != 2 || got.Stands[1].Person != "ben" || got.Stands[1].Value != 5 {
		t.Errorf("team size %+v, want anna's 4 beside ben's 5", got)
	}
	conflicts := webtest.Fetch[web.Page[struct{ Kind, Status string }]](anna, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + session + "/conflicts"}).Items
	if diff := cmp.Diff([]struct{ Kind, Status string }{{"person", "resolved"}}, conflicts); diff != "" {
		t.Errorf("conflicts (-want +got):\n%s", diff)
	}
	for _, q := range webtest.Pick(told, sessions.KindQuestion) {
		if q.Data["purpose"] == string(sessions.ToResolve) {
			t.Errorf("what the rule settled is asked: %s", q.Raw)
		}
	}
}

// closedPool is a closed pool of the world's database: every query fails.
func closedPool(t *testing.T, w *webtest.World) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.NewWithConfig(t.Context(), w.Pool.Config())
	if err != nil {
		t.Fatal(err)
	}
	pool.Close()
	return pool
}

func TestWebsocketsOfAnObserverReadAndEndWithTheirPart(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("business_profile")
	b := w.Browser()
	b.Open("/invite/"+w.Invites(session, sessions.ObserverRole, "").Token, url.Values{"name": {"Ben"}})
	ctx, cancel := context.WithTimeout(t.Context(), webtest.Patience)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, w.SocketURL(session), &websocket.DialOptions{HTTPHeader: http.Header{"Cookie": {b.Cookie()}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.CloseNow() }()
	s := &webtest.Socket{T: t, Ctx: ctx, Conn: conn}
	s.Until(sessions.KindParticipant)
	before := w.Fingerprint()
	for _, frame := range []string{`{"type":"message","message":"Hello"}`, `{"type":"stop","turn":1}`} {
		s.Send(frame)
		frames := s.Until("problem")
		if got := frames[len(frames)-1].Data["code"]; got != "observer" {
			t.Errorf("%s: code %v, want observer", frame, got)
		}
	}
	if diff := cmp.Diff(before, w.Fingerprint()); diff != "" {
		t.Errorf("an observer changed tables (-before +after):\n%s", diff)
	}

	b.Open("/s/"+session+"/leave", url.Values{})
	s.Until(sessions.KindParticipant)

	if _, _, err := conn.Read(ctx); websocket.CloseStatus(err) == -1 && !strings.Contains(err.Error(), "EOF") {
		t.Errorf("after leaving the websocket gave %v, want its end", err)
	}
}
