package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quaestor/web"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

func TestHomeTakesThreeRoundTripsForAnyNumberOfSessions(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	for _, contextType := range []string{"business_profile", "idea_discovery", "project_discovery"} {
		for range 3 {
			w.Begin(contextType)
		}
		h, c := w.Counted()
		if got := c.Of(t, h, "/", contextType, `data-testid="continue-`); got > 3 {
			t.Errorf("with sessions of %s the first page takes %d round trips, want at most 3", contextType, got)
		}
	}
}

// What a session was begun with stays readable: the version is retired, and read
// once.
func TestHomeReadsRetiredObjectivesOnce(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	webtest.Fetch[web.ObjectiveBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/objectives", Body: webtest.Tiny})
	w.Begin("tiny")
	w.Publish(next(webtest.Tiny, "1.0.0", "1.1.0"))
	h, c := w.Counted()

	c.Of(t, h, "/", "Tiny")
	if got := c.Of(t, h, "/", "Tiny"); got > 3 {
		t.Errorf("the first page takes %d round trips, want at most 3", got)
	}
}

func TestConversationTakesThreeRoundTrips(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("business_profile")
	w.Say(talk.TurnBody{SessionID: id, Message: "We bake bread for the cafés in our town"})
	h, c := w.Counted()

	for _, when := range []string{"first", "again"} {
		if got := c.Of(t, h, "/s/"+id, "We bake bread for the cafés in our town", `data-testid="obligation-`); got > 3 {
			t.Errorf("the page takes %d round trips the %s time, want at most 3", got, when)
		}
	}
}

// next is an objective under its next version.
func next(definition, old, version string) string {
	return strings.Replace(definition, fmt.Sprintf(`"version":%q`, old), fmt.Sprintf(`"version":%q`, version), 1)
}
