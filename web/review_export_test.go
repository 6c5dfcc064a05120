package web

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/sessions"
	"quaestor/web/ui"
)

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

func TestReviewExportsWhatTheFilterFinds(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	c.anna.begin("planned")
	c.rae.fill(c.id, 120, strings.Replace(mixed, "'person-' || i % 7", "'crowd'", 1))
	form := url.Values{"which": {"found"}, "person": {"crowd"}, "format": {"json"}}
	resp := c.rae.do(request{method: http.MethodPost, path: "/review/export", body: form.Encode(), header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}})
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	if len(z.File) != 120 || resp.Header.Get(exportTotal) != "120" || len(resp.TransferEncoding) == 0 {
		t.Errorf("%d files, announced as %q, sent %v; want 120 of them in parts", len(z.File), resp.Header.Get(exportTotal), resp.TransferEncoding)
	}
	form.Set("person", "nobody")
	_, page := c.rae.send(http.StatusUnprocessableEntity, "/review/export", form)
	if !strings.Contains(page, "there is none to export") || !strings.Contains(page, `value="nobody"`) {
		t.Errorf("the list is not shown again with its filter and why nothing was exported: %.300s", page)
	}
	c.mallory.send(http.StatusUnprocessableEntity, "/review/export", url.Values{"which": {"found"}, "format": {"json"}})
}

func TestReviewExportsInEachFormat(t *testing.T) {
	t.Parallel()

	c := openCourt(t)
	for _, f := range ui.ReviewFormats() {
		_, body := c.rae.send(http.StatusOK, "/review/export", url.Values{"which": {"chosen"}, "session": {c.id}, "format": {string(f)}})
		z, err := zip.NewReader(strings.NewReader(body), int64(len(body)))
		switch {
		case f == sessions.CSV:
			if !strings.HasPrefix(body, "session,") {
				t.Errorf("%s begins with %.40q", f, body)
			}
		case err != nil || len(z.File) != 1 || !strings.HasSuffix(z.File[0].Name, "."+f.Extension()) || z.File[0].UncompressedSize64 == 0:
			t.Errorf("%s: %v, %d files", f, err, len(z.File))
		}
	}
	if diff := cmp.Diff(strings.Count(sessions.Formats, ",")+2, len(ui.ReviewFormats())); diff != "" {
		t.Errorf("the formats of many sessions are not those of one: %s", diff)
	}
}
