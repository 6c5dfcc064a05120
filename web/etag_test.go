package web

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"quaestor/internal/auth"
)

// tag returns the ETag of what is at path.
func (w *world) tag(path string) string {
	w.t.Helper()
	resp := w.do(request{path: path})
	if resp.StatusCode != http.StatusOK || resp.Header.Get("ETag") == "" {
		w.t.Fatalf("%s answered %d with the ETag %q", path, resp.StatusCode, resp.Header.Get("ETag"))
	}
	return resp.Header.Get("ETag")
}

// active returns the address of a context's active objective.
func (w *world) active(contextType string) string {
	w.t.Helper()
	for _, o := range fetch[page[objectiveBody]](w, http.StatusOK, request{path: "/api/v1/objectives"}).Items {
		if o.ContextType == contextType {
			return "/api/v1/objectives/" + o.ID
		}
	}
	w.t.Fatalf("there is no objective %s", contextType)
	return ""
}

// publish publishes a further version of tiny as its editor would.
func (w *world) publish(definition string) {
	w.t.Helper()
	fetch[objectiveBody](w, http.StatusCreated, request{path: "/api/v1/objectives", body: definition, header: map[string]string{"If-Match": w.tag(w.active("tiny"))}})
}

func TestReadersWhoHaveItAreToldSo(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	id := w.begin("business_profile")
	for _, path := range []string{"/api/v1/sessions/" + id, "/api/v1/sessions/" + id + "/obligations", w.active("business_profile"), "/api/v1/objectives", "/api/v1/sessions"} {
		tag := w.tag(path)
		for _, has := range []string{tag, "W/" + tag, `"other", ` + tag, "*"} {
			resp := w.do(request{path: path, header: map[string]string{"If-None-Match": has}})
			body, _ := io.ReadAll(resp.Body)
			if resp.StatusCode != http.StatusNotModified || len(body) != 0 || resp.Header.Get("ETag") != tag {
				t.Errorf("%s for who has %s answered %d, %d bytes, ETag %q; want 304, none, %q", path, has, resp.StatusCode, len(body), resp.Header.Get("ETag"), tag)
			}
		}
	}

	path := "/api/v1/sessions/" + id
	before := w.tag(path)
	w.say(turnBody{SessionID: id, Message: "We bake bread for cafés"})
	if resp := w.do(request{path: path, header: map[string]string{"If-None-Match": before}}); resp.StatusCode != http.StatusOK || resp.Header.Get("ETag") == before {
		t.Errorf("the session after a turn answered %d, ETag %q, want 200 and another than %q", resp.StatusCode, resp.Header.Get("ETag"), before)
	}
	if resp := w.do(request{path: "/api/v1/sessions/0b9f4c3e-0000-4000-8000-000000000000", header: map[string]string{"If-None-Match": "*"}}); resp.StatusCode != http.StatusNotFound {
		t.Errorf("what is not there answered %d, want 404", resp.StatusCode)
	}
}

// Two people edit the same version: the second, who has not seen the first's, is
// told so, reads it and can go on.
func TestNobodyPublishesOverWhatTheyHaveNotSeen(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	publish := func(version, ifMatch string) request {
		q := request{path: "/api/v1/objectives", body: next(tiny, "1.0.0", version)}
		if ifMatch != "" {
			q.header = map[string]string{"If-Match": ifMatch}
		}
		return q
	}
	checkRefusal(t, w, refusal{request: publish("1.0.0", `"any"`), status: 412, code: "precondition_failed", says: []string{"leave If-Match out"}})
	fetch[objectiveBody](w, http.StatusCreated, publish("1.0.0", ""))
	read := w.tag(w.active("tiny"))

	fetch[objectiveBody](w, http.StatusCreated, publish("1.1.0", read))
	checkRefusal(t, w, refusal{request: publish("1.2.0", ""), status: 428, code: "precondition_required", says: []string{"1.1.0", w.active("tiny"), "If-Match"}})
	checkRefusal(t, w, refusal{request: publish("1.2.0", read), status: 412, code: "precondition_failed", says: []string{"1.1.0", w.active("tiny"), "If-Match"}})
	checkRefusal(t, w, refusal{request: publish("1.1.0", ""), status: 409, code: "version_exists"})
	fetch[objectiveBody](w, http.StatusCreated, publish("1.2.0", w.tag(w.active("tiny"))))

	shipped := strings.Replace(next(tiny, "1.0.0", "9.0.0"), `"tiny"`, `"idea_discovery"`, 1)
	fetch[objectiveBody](w, http.StatusCreated, request{path: "/api/v1/objectives", body: shipped}) // nobody's edit is in the way
}

func TestOfManyWhoPublishAtOnceOneWins(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	fetch[objectiveBody](w, http.StatusCreated, request{path: "/api/v1/objectives", body: tiny})
	read := w.tag(w.active("tiny"))
	answers := make([]int, 8)
	var wg sync.WaitGroup
	for i := range answers {
		q := w.build(request{path: "/api/v1/objectives", body: next(tiny, "1.0.0", "1.0."+string(rune('1'+i))), header: map[string]string{"If-Match": read}})
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

	c := openTown(t)
	anna, boss := c.people["anna"], c.people["boss"].as(c.tenant, "rita", auth.Reviewer)
	id := anna.begin("tiny")
	path := "/api/v1/sessions/" + id
	read := boss.tag(path)
	anna.say(turnBody{SessionID: id, Message: "4 people"})

	complete := func(ifMatch string) request {
		return request{method: http.MethodPost, path: path + "/complete", header: map[string]string{"If-Match": ifMatch}}
	}
	checkRefusal(t, boss, refusal{request: complete(read), status: 412, code: "precondition_failed", says: []string{path, "If-Match"}})
	if done := fetch[sessionBody](anna, http.StatusOK, complete(anna.tag(path))); done.Status != "completed" {
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
		if got := matches(tt.list, `"a"`); got != tt.want {
			t.Errorf("matches(%q) = %v, want %v", tt.list, got, tt.want)
		}
	}
}
