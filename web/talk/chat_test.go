package talk_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/auth"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/web"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

func TestAnswerIsChangedWhereItStands(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("idea_discovery")
	w.Say(talk.TurnBody{SessionID: id, Message: "A lending library for tools in every block of flats"})
	before := webtest.Fetch[web.SessionBody](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + id})

	status, _ := w.Sent("/s/"+id+"/answers/idea_summary", url.Values{"answer.idea_summary": {"A lending library for ladders"}})

	if status != http.StatusSeeOther {
		t.Errorf("a changed answer is answered %d, want 303", status)
	}
	o := webtest.Fetch[webtest.DisputeSeen](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + id + "/obligations/idea_summary"})
	if string(o.Value) != `"A lending library for ladders"` || o.Status != obligations.Satisfied {
		t.Errorf("the value is %s, %s", o.Value, o.Status)
	}
	if n := o.Negotiation; n == nil || n.Status != obligations.NegotiationResolved || len(n.Rounds) != 1 {
		t.Errorf("the negotiation is %+v, want one round, resolved", n)
	}
	after := webtest.Fetch[web.SessionBody](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + id})
	if after.Question == nil || after.Question.Key != before.Question.Key || after.TurnCount != before.TurnCount+1 {
		t.Errorf("after turn %d %+v is asked, want turn %d and %s still", after.TurnCount, after.Question, before.TurnCount+1, before.Question.Key)
	}
}

// A refused form is shown again with what was typed and the reason, and nothing changes.
func TestRefusedAnswerIsShownAgain(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("idea_discovery")
	w.Say(talk.TurnBody{SessionID: id, Answers: map[string]json.RawMessage{"budget": json.RawMessage(`8000`)}})
	before := w.Fingerprint()

	for _, test := range []struct{ name, key, typed, want string }{
		{"no number", "budget", "much", "A number is needed here"},
		{"out of range", "budget", "-3", "A number is needed here"},
		{"not whole", "market_size", "2.5", "A whole number is needed here"},
		{"the same", "budget", "8000", "noted already"},
		{"nothing", "budget", " ", "Fill this in"},
		{"too long", "idea_summary", strings.Repeat("x", 70<<10), "KiB"},
	} {
		status, page := w.Sent("/s/"+id+"/answers/"+test.key, url.Values{"answer." + test.key: {test.typed}})

		wrong := webtest.TestIDs(t, page, "answer-wrong")
		if status < 400 || status >= 500 || len(wrong) != 1 || !strings.Contains(page, test.want) {
			t.Errorf("%s: %d, %d reasons, want a refusal that says %q", test.name, status, len(wrong), test.want)
		}
		if typed := strings.TrimSpace(test.typed); typed != "" && !strings.Contains(page, typed) {
			t.Errorf("%s: what was typed is gone", test.name)
		}
	}
	if diff := cmp.Diff(before, w.Fingerprint()); diff != "" {
		t.Errorf("a refused answer changed something:\n%s", diff)
	}
}

func TestAnswerIsChangedOnlyByThoseWhoMay(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	ada, bo := w.As(w.Tenant, "ada", auth.Member), w.As(w.Tenant, "bo", auth.Member)
	id := ada.Begin("idea_discovery")
	form := url.Values{"answer.idea_summary": {"Mine now"}}

	for _, test := range []struct {
		name string
		who  *webtest.World
		path string
		want int
	}{
		{"a stranger", bo, "/s/" + id + "/answers/idea_summary", http.StatusNotFound},
		{"of nothing", ada, "/s/" + id + "/answers/nothing", http.StatusNotFound},
		{"a stranger accepts", bo, "/s/" + id + "/obligations/idea_summary/accept", http.StatusNotFound},
		{"a stranger settles", bo, "/s/" + id + "/conflicts/00000000-0000-4000-8000-000000000000/settle", http.StatusNotFound},
	} {
		if status, _ := test.who.Sent(test.path, form); status != test.want {
			t.Errorf("%s: %d, want %d", test.name, status, test.want)
		}
	}
	w.Finishes(id)
	if status, page := ada.Sent("/s/"+id+"/answers/idea_summary", form); status != http.StatusConflict || !strings.Contains(page, "completed") {
		t.Errorf("a completed interview answers %d, want 409", status)
	}
}

// The reason for rejecting a value is not taken for another value.
func TestReasonOfARejectionIsNoValue(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("idea_discovery")
	w.Say(talk.TurnBody{SessionID: id, Message: "A lending library for tools in every block of flats"})

	status, _ := w.Sent("/s/"+id+"/obligations/idea_summary/reject", url.Values{"reason": {"The idea is wrong"}})

	if status != http.StatusSeeOther {
		t.Errorf("it is answered %d, want 303", status)
	}
	o := webtest.Fetch[webtest.DisputeSeen](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + id + "/obligations/idea_summary"})
	if o.Value != nil || len(o.Evidence) != 0 || o.Negotiation == nil || o.Negotiation.Rounds[0].Reasoning != "The idea is wrong" {
		t.Errorf("after the rejection %s is held on %v, in dispute %+v", o.Value, o.Evidence, o.Negotiation)
	}
}

func TestConflictIsSettledOnThePage(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Torn()
	open := webtest.Fetch[web.Page[obligations.Conflict]](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + id + "/conflicts?status=open"})
	if len(open.Items) != 1 {
		t.Fatalf("%d conflicts are open, want 1", len(open.Items))
	}
	settle := "/s/" + id + "/conflicts/" + open.Items[0].ID + "/settle"

	if status, page := w.Sent(settle, url.Values{}); status != http.StatusUnprocessableEntity || len(webtest.TestIDs(t, page, "transcript")) != 1 {
		t.Errorf("without a side it answers %d, want the page again with 422", status)
	}
	if status, _ := w.Sent(settle, url.Values{"side": {"0"}}); status != http.StatusSeeOther {
		t.Errorf("a side is answered %d, want 303", status)
	}
	if status, page := w.Sent(settle, url.Values{"side": {"1"}}); status != http.StatusConflict || !strings.Contains(page, "resolved already") {
		t.Errorf("a settled conflict answers %d, want the page with 409", status)
	}
	o := webtest.Fetch[webtest.DisputeSeen](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + id + "/obligations/budget"})
	if string(o.Value) != "8000" {
		t.Errorf("the budget is %s, want that of the side that was picked", o.Value)
	}
	root := w.Drawn("/s/" + id)
	if n := len(webtest.Pieces(root, "side")); n != 0 {
		t.Errorf("%d statements are to be chosen from, want none", n)
	}
}

// Picking one of several answers is no dispute: the other is removed and asked again.
func TestPickingAmongSeveralAnswersOpensNoDispute(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	c.Anna.Say(talk.TurnBody{SessionID: c.ID, Answers: map[string]json.RawMessage{"start": json.RawMessage(`"2026-03-01"`), "launch": json.RawMessage(`"2025-12-01"`)}})
	open := webtest.Fetch[web.Page[obligations.Conflict]](c.Anna, http.StatusOK, webtest.Request{Path: c.Path + "/conflicts?status=open"}).Items
	side := slices.IndexFunc(open[0].Sides, func(s obligations.Side) bool { return s.Key == "start" })

	status, _ := c.Anna.Sent("/s/"+c.ID+"/conflicts/"+open[0].ID+"/settle", url.Values{"side": {strconv.Itoa(side)}})

	if status != http.StatusSeeOther {
		t.Errorf("it is answered %d, want 303", status)
	}
	if got := webtest.Words(webtest.Only(t, c.Anna.Drawn("/s/"+c.ID), "obligation-launch")); !strings.Contains(got, "Not asked yet") || strings.Contains(got, "disputed") {
		t.Errorf("the row of what was taken out says %q", got)
	}
	if n := len(webtest.Tested(c.Rae.Drawn("/review/"+c.ID), "dispute-launch")); n != 0 {
		t.Errorf("a reviewer is offered %d disputes, want none", n)
	}
}

func TestConversationIsShownInParts(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("idea_discovery")
	for range talk.MaxTurns + 5 {
		w.Say(talk.TurnBody{SessionID: id, Message: "Why do you ask?"})
	}

	root := w.Drawn("/s/" + id)
	if got := len(webtest.Pieces(root, "message-assistant")); got != talk.MaxTurns {
		t.Errorf("the page shows %d replies, want %d", got, talk.MaxTurns)
	}
	links := webtest.Pieces(root, "earlier")
	if len(links) != 1 {
		t.Fatalf("%d links to earlier messages, want 1", len(links))
	}
	part := w.Drawn(webtest.Attribute(links[0], "href"))
	if got := len(webtest.Pieces(part, "message-assistant")); got != 6 {
		t.Errorf("the part before shows %d replies, want 6", got)
	}
	if len(webtest.Pieces(part, "earlier")) != 0 {
		t.Error("there is nothing before the first turn")
	}
	for _, before := range []string{"", "0", "-1", "x", "99999999999"} {
		if status := w.Do(webtest.Request{Path: "/s/" + id + "/messages?before=" + before}).StatusCode; status != http.StatusBadRequest {
			t.Errorf("before=%s: %d, want 400", before, status)
		}
	}
}

// A person who comes back after days is reminded of where the interview was. A person who
// was here just now is not.
func TestWelcomeBack(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("idea_discovery")
	w.Say(talk.TurnBody{SessionID: id, Message: "A lending library for tools in every block of flats"})
	if n := len(webtest.Pieces(w.Drawn("/s/"+id), "welcome")); n != 0 {
		t.Errorf("%d welcomes at once, want none", n)
	}

	super := postgrestest.Superuser(t, w.Pool) // messages are not changed by anybody else
	if _, err := super.Exec(t.Context(), `UPDATE messages SET created_at = created_at - interval '3 days' WHERE session_id = $1`, id); err != nil {
		t.Fatal(err)
	}

	cards := webtest.Pieces(w.Drawn("/s/"+id), "welcome")
	if len(cards) != 1 {
		t.Fatalf("%d welcomes after three days, want 1", len(cards))
	}
	told := webtest.Words(cards[0])
	for _, want := range []string{"3 days ago", "1 of ", "The idea", "The problem"} {
		if !strings.Contains(told, want) {
			t.Errorf("the welcome says %q, want %q in it", told, want)
		}
	}
}

// A refused message is still in the box.
func TestRefusedMessageStaysInTheBox(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("idea_discovery")
	long := strings.Repeat("We lend tools. ", 5000)

	status, page := w.Sent("/s/"+id+"/say", url.Values{"message": {long}})

	if status != http.StatusRequestEntityTooLarge || len(webtest.TestIDs(t, page, "refused-message")) != 1 {
		t.Errorf("a message that is too long answers %d, want the page with 413", status)
	}
	if box := webtest.TestIDs(t, page, "composer"); len(box) != 1 || !strings.Contains(webtest.Words(box[0]), "We lend tools. We lend tools.") {
		t.Error("what was typed is not in the box")
	}
}

// A person who is asked which of two values holds, and gives a third one, is not asked
// again.
func TestThirdValueSettlesAConflict(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Torn()
	w.Say(talk.TurnBody{SessionID: id, UserID: "developer", Message: "Budget: 12000", Answers: map[string]json.RawMessage{"budget": json.RawMessage(`12000`)}})

	if open := webtest.Fetch[web.Page[obligations.Conflict]](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + id + "/conflicts?status=open"}); len(open.Items) != 0 {
		t.Errorf("%+v is open, want nothing", open.Items)
	}
	if o := webtest.Fetch[webtest.DisputeSeen](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + id + "/obligations/budget"}); string(o.Value) != "12000" {
		t.Errorf("the budget is %s, want the third value", o.Value)
	}
}
