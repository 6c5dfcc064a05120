package web_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"quaestor/internal/auth"
	"quaestor/web"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

func TestReadersWhoHaveItAreToldSo(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	id := w.Begin("business_profile")
	for _, path := range []string{"/api/v1/sessions/" + id, "/api/v1/sessions/" + id + "/obligations", w.Active("business_profile"), "/api/v1/objectives", "/api/v1/sessions"} {
		tag := w.Tag(path)
		for _, has := range []string{tag, "W/" + tag, `"other", ` + tag, "*"} {
			resp := w.Do(webtest.Request{Path: path, Header: map[string]string{"If-None-Match": has}})
			body, _ := io.ReadAll(resp.Body)
			if resp.StatusCode != http.StatusNotModified || len(body) != 0 || resp.Header.Get("ETag") != tag {
				t.Errorf("%s for who has %s answered %d, %d bytes, ETag %q; want 304, none, %q", path, has, resp.StatusCode, len(body), resp.Header.Get("ETag"), tag)
			}
		}
	}

	path := "/api/v1/sessions/" + id
	before := w.Tag(path)
	w.Say(talk.TurnBody{SessionID: id, Message: "We bake bread for the cafés in our town"})
	if resp := w.Do(webtest.Request{Path: path, Header: map[string]string{"If-None-Match": before}}); resp.StatusCode != http.StatusOK || resp.Header.Get("ETag") == before {
		t.Errorf("the session after a turn answered %d, ETag %q, want 200 and another than %q", resp.StatusCode, resp.Header.Get("ETag"), before)
	}
	if resp := w.Do(webtest.Request{Path: "/api/v1/sessions/0b9f4c3e-0000-4000-8000-000000000000", Header: map[string]string{"If-None-Match": "*"}}); resp.StatusCode != http.StatusNotFound {
		t.Errorf("what is not there answered %d, want 404", resp.StatusCode)
	}
}

// Two people edit the same version: the second, who has not seen the first's, is
// told so, reads it and can go on.
func TestNobodyPublishesOverWhatTheyHaveNotSeen(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	publish := func(version, ifMatch string) webtest.Request {
		q := webtest.Request{Path: "/api/v1/objectives", Body: next(webtest.Tiny, "1.0.0", version)}
		if ifMatch != "" {
			q.Header = map[string]string{"If-Match": ifMatch}
		}
		return q
	}
	webtest.CheckRefusal(t, w, webtest.Refusal{Request: publish("1.0.0", `"any"`), Status: 412, Code: "precondition_failed", Says: []string{"leave If-Match out"}})
	webtest.Fetch[web.ObjectiveBody](w, http.StatusCreated, publish("1.0.0", ""))
	read := w.Tag(w.Active("tiny"))

	webtest.Fetch[web.ObjectiveBody](w, http.StatusCreated, publish("1.1.0", read))
	webtest.CheckRefusal(t, w, webtest.Refusal{Request: publish("1.2.0", ""), Status: 428, Code: "precondition_required", Says: []string{"1.1.0", w.Active("tiny"), "If-Match"}})
	webtest.CheckRefusal(t, w, webtest.Refusal{Request: publish("1.2.0", read), Status: 412, Code: "precondition_failed", Says: []string{"1.1.0", w.Active("tiny"), "If-Match"}})
	webtest.CheckRefusal(t, w, webtest.Refusal{Request: publish("1.1.0", ""), Status: 409, Code: "version_exists"})
	webtest.Fetch[web.ObjectiveBody](w, http.StatusCreated, publish("1.2.0", w.Tag(w.Active("tiny"))))

	shipped := strings.Replace(next(webtest.Tiny, "1.0.0", "9.0.0"), `"tiny"`, `"idea_discovery"`, 1)
	webtest.Fetch[web.ObjectiveBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/objectives", Body: shipped}) // nobody's edit is in the way
}

func TestOfManyWhoPublishAtOnceOneWins(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	webtest.Fetch[web.ObjectiveBody](w, http.StatusCreated, webtest.Request{Path: "/api/v1/objectives", Body: webtest.Tiny})
	read := w.Tag(w.Active("tiny"))
	answers := make([]int, 8)
	var wg sync.WaitGroup
	for i := range answers {
		q := w.Build(webtest.Request{Path: "/api/v1/objectives", Body: next(webtest.Tiny, "1.0.0", "1.0."+string(rune('1'+i))), Header: map[string]string{"If-Match": read}})
		wg.Go(func() {
			resp, err := http.DefaultTransport.RoundTrip(q)
			if err != nil {
				t.Error(err)
				return
			}
			answers[i] = resp.StatusCode
			_ = resp.Body.Close()
		})
	}
	wg.Wait()

	won := 0
	for _, status := range answers {
		switch status {
		case http.StatusCreated:
			won++
		case http.StatusPreconditionFailed:
		default:
			t.Errorf("an answer %d, want 201 or 412", status)
		}
	}
	if won != 1 {
		t.Errorf("%d of %d were published, want 1", won, len(answers))
	}
}

func TestSessionIsEndedOnlyAsItWasRead(t *testing.T) {
	t.Parallel()

	c := webtest.OpenTown(t)
	anna, boss := c.People["anna"], c.People["boss"].As(c.Tenant, "rita", auth.Reviewer)
	id := anna.Begin("tiny")
	path := "/api/v1/sessions/" + id
	read := boss.Tag(path)
	anna.Say(talk.TurnBody{SessionID: id, Message: "4 people"})

	complete := func(ifMatch string) webtest.Request {
		return webtest.Request{Method: http.MethodPost, Path: path + "/complete", Header: map[string]string{"If-Match": ifMatch}}
	}
	webtest.CheckRefusal(t, boss, webtest.Refusal{Request: complete(read), Status: 412, Code: "precondition_failed", Says: []string{path, "If-Match"}})
	if done := webtest.Fetch[web.SessionBody](anna, http.StatusOK, complete(anna.Tag(path))); done.Status != "completed" {
		t.Errorf("the session is %s, want completed", done.Status)
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		list string
		want bool
	}{
		{`"a"`, true}, {`W/"a"`, true}, {`"b", "a"`, true}, {`"b","a"`, true}, {`*`, true}, {` "a" `, true},
		{``, false}, {`"b"`, false}, {`a`, false}, {`"A"`, false}, {`"a`, false}, {`"aa"`, false},
	} {
		if got := web.TagMatches(tt.list, `"a"`); got != tt.want {
			t.Errorf("matches(%q) = %v, want %v", tt.list, got, tt.want)
		}
	}
}
