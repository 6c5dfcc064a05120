package review_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"quaestor/web/talk"
	"quaestor/web/webtest"
)

// What came up is proposed in the objective's own words where it has some, and only
// reviewers read what was said.
func TestWordingIsProposedInTheObjectivesWords(t *testing.T) {
	t.Parallel()

	c := webtest.OpenCourt(t)
	c.Anna.Say(talk.TurnBody{SessionID: c.ID, Message: "One more thing we must not forget: the launch party in the café of Mister Almeida."})
	came := webtest.EmergentIn(c.Anna, c.ID)
	draft := webtest.Fetch[struct {
		Label, Prompt string
		Background    []json.RawMessage
	}](c.Rae, http.StatusOK, webtest.Request{Path: c.Path + "/obligations/" + came.Key + "/wording"})
	if draft.Label != "Launch" || draft.Prompt != "What should be known about “Launch”?" || len(draft.Background) != 1 {
		t.Errorf("the draft is %+v", draft)
	}
	for who, w := range map[string]*webtest.World{"anna": c.Anna, "ben": c.Ben} {
		resp := w.Do(webtest.Request{Path: c.Path + "/obligations/" + came.Key + "/wording"})
		if resp.StatusCode != http.StatusForbidden && resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s gets the draft: %d", who, resp.StatusCode)
		}
		resp = w.Do(webtest.Request{Path: "/review/" + c.ID + "/values/" + came.Key + "/wording"})
		if resp.StatusCode != http.StatusForbidden && resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s gets the editor: %d", who, resp.StatusCode)
		}
	}
}
