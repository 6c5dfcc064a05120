package talk_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/auth"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/talk"
	"quaestor/web/webtest"
)

// upload is a file to send.
type upload struct{ name, body string }

// filing returns a request whose form holds files and other fields.
func filing(t testing.TB, path string, fields map[string]string, files ...upload) webtest.Request {
	t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for name, value := range fields {
		if err := form.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range files {
		h := textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf(`form-data; name="file"; filename=%q`, f.name)}, "Content-Type": {"application/octet-stream"}}
		part, err := form.CreatePart(h)
		if err == nil {
			_, err = io.WriteString(part, f.body)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	return webtest.Request{Path: path, Body: b.String(), Header: map[string]string{"Content-Type": form.FormDataContentType()}}
}

// whole returns the body of a response.
func whole(t testing.TB, resp *http.Response) string {
	t.Helper()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// docx returns a Word document with the given paragraphs.
func docx(t testing.TB, paragraphs ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f, err := z.Create("word/document.xml")
	if err != nil {
		t.Fatal(err)
	}
	body := ""
	for _, p := range paragraphs {
		body += "<w:p><w:r><w:t>" + p + "</w:t></w:r></w:p>"
	}
	_, err = io.WriteString(f, `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`+body+`</w:body></w:document>`)
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFilesAreKeptOnce(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("project_discovery")
	plan := upload{"plan.docx", docx(t, "Budget: EUR 20,000", "It is for small bakeries.")}

	first := webtest.Fetch[web.Page[talk.FileBody]](w, http.StatusCreated, filing(t, w.FilesPath(session), nil, plan, upload{"notes.txt", "Roses want sun."})).Items
	again := webtest.Fetch[web.Page[talk.FileBody]](w, http.StatusOK, filing(t, w.FilesPath(session), nil, upload{"copy.docx", plan.body})).Items

	if len(first) != 2 || !first[0].New || first[0].Name != "plan.docx" || first[0].Size != int64(len(plan.body)) {
		t.Fatalf("sent %+v", first)
	}
	if len(again) != 1 || again[0].New || again[0].ID != first[0].ID || again[0].Name != "plan.docx" {
		t.Errorf("the same content again is %+v, want the first file", again)
	}
	one := webtest.Fetch[talk.FileBody](w, http.StatusOK, webtest.Request{Path: w.FilesPath(session) + "/" + first[0].ID})
	if !strings.Contains(one.Text, "Budget: EUR 20,000") {
		t.Errorf("the text is %q", one.Text)
	}
	if list := webtest.Fetch[web.Page[talk.FileBody]](w, http.StatusOK, webtest.Request{Path: w.FilesPath(session)}).Items; len(list) != 2 || list[0].Text != "" {
		t.Errorf("the list is %+v, want two files without texts", list)
	}
}

func TestFilesThatCannotBeReadAreRefusedWithARemedy(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("project_discovery")
	before := w.Fingerprint()
	png := "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00\x01", 200)
	for _, tt := range []struct {
		name   string
		files  []upload
		status int
		says   string
	}{
		{"a picture", []upload{{"cat.png", png}}, 415, "write down what it shows"},
		{"a picture by another name", []upload{{"cat.txt", png}}, 422, "NUL"},
		{"a sheet", []upload{{"numbers.xlsx", "PK\x03\x04"}}, 415, "save the sheet as CSV"},
		{"an unknown kind", []upload{{"tool.exe", "MZ\x00"}}, 415, "TXT, MD, CSV, DOCX or PDF"},
		{"an archive by another name", []upload{{"plan.docx", "PK\x03\x04 no archive"}}, 415, "TXT, MD, CSV, DOCX or PDF"},
		{"empty", []upload{{"empty.txt", " \n"}}, 422, "empty.txt is empty"},
		{"no words", []upload{{"signs.txt", "-- ** --"}}, 422, "no words"},
		{"locked", []upload{{"secret.docx", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600)}}, 422, "password"},
		{"NUL", []upload{{"nul.txt", "Team\x00 12"}}, 422, "NUL"},
		{"over size", []upload{{"long.txt", strings.Repeat("word ", research.MaxAttachment/5+1)}}, 413, "10 MB"},
		{"one of two", []upload{{"good.txt", "Budget: 20"}, {"cat.png", png}}, 415, "cat.png"},
		{"more than may be sent at once", []upload{{"1.txt", "a1"}, {"2.txt", "a2"}, {"3.txt", "a3"}, {"4.txt", "a4"}, {"5.txt", "a5"}, {"6.txt", "a6"}}, 422, "at most 5"},
		{"none", nil, 422, "no file came"},
	} {
		p := webtest.Fetch[web.Problem](w, tt.status, filing(t, w.FilesPath(session), nil, tt.files...))
		if !strings.Contains(p.Detail, tt.says) || len(p.Errors) != 1 || p.Errors[0].Location != "file" {
			t.Errorf("%s: refused with %q at %+v, want %q at file", tt.name, p.Detail, p.Errors, tt.says)
		}
	}
	webtest.Fetch[web.Problem](w, http.StatusUnsupportedMediaType, webtest.Request{Path: w.FilesPath(session), Body: `{"file":"plan.txt"}`})
	if diff := cmp.Diff(before, w.Fingerprint()); diff != "" {
		t.Errorf("refusals changed rows:\n%s", diff)
	}
}

func TestFilesAreForThoseWhoMayTalk(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	ann := w.As(w.Tenant, "ann", auth.Member)
	session := ann.Begin("project_discovery")
	file := webtest.Fetch[web.Page[talk.FileBody]](ann, http.StatusCreated, filing(t, ann.FilesPath(session), nil, upload{"plan.txt", "Budget: 20"})).Items[0]
	one := ann.FilesPath(session) + "/" + file.ID
	for _, tt := range []struct {
		name   string
		who    *webtest.World
		q      webtest.Request
		status int
	}{
		{"a stranger sends", w.As(w.Tenant, "bo", auth.Member), filing(t, w.FilesPath(session), nil, upload{"x.txt", "x1"}), 404},
		{"a stranger reads", w.As(w.Tenant, "bo", auth.Member), webtest.Request{Path: one}, 404},
		{"a stranger removes", w.As(w.Tenant, "bo", auth.Member), webtest.Request{Method: "DELETE", Path: one}, 404},
		{"a viewer sends", w.As(w.Tenant, "vi", auth.Viewer), filing(t, w.FilesPath(session), nil, upload{"x.txt", "x1"}), 404},
		{"nobody reads", w, webtest.Request{Path: one}, 401},
		{"a reviewer reads", w.As(w.Tenant, "rev", auth.Reviewer), webtest.Request{Path: one}, 200},
		{"another session's", ann, webtest.Request{Path: ann.FilesPath(ann.Begin("idea_discovery")) + "/" + file.ID}, 404},
		{"no id", ann, webtest.Request{Path: ann.FilesPath(session) + "/plan"}, 404},
	} {
		if resp := tt.who.Do(tt.q); resp.StatusCode != tt.status {
			t.Errorf("%s: %d, want %d", tt.name, resp.StatusCode, tt.status)
		}
	}
}

func TestFileStaysOnceItWasGiven(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("project_discovery")
	sent := webtest.Fetch[web.Page[talk.FileBody]](w, http.StatusCreated, filing(t, w.FilesPath(session), nil, upload{"a.txt", "Budget: 20,000"}, upload{"b.txt", "Roses want sun."})).Items
	one := func(i int) webtest.Request {
		return webtest.Request{Method: "DELETE", Path: w.FilesPath(session) + "/" + sent[i].ID}
	}

	events := w.Stream(webtest.Request{Path: webtest.ChatPath, Body: map[string]any{"sessionId": session, "files": []string{sent[0].ID}}}).Rest()

	if files := fmt.Sprint(webtest.Pick(events, sessions.KindSession)[0].Data["files"]); !strings.Contains(files, "a.txt") {
		t.Errorf("the event session has files %s", files)
	}
	learnt := webtest.Pick(events, sessions.KindObligation)
	if len(learnt) == 0 || !strings.Contains(learnt[0].Raw, `"kind":"document"`) || !strings.Contains(learnt[0].Raw, sent[0].ID) {
		t.Errorf("learnt %v, want the budget with the file as evidence", webtest.Raws(learnt))
	}
	if resp := w.Do(one(0)); resp.StatusCode != http.StatusConflict {
		t.Errorf("removing a file that was given: %d, want 409", resp.StatusCode)
	}
	if resp := w.Do(one(1)); resp.StatusCode != http.StatusNoContent {
		t.Errorf("removing one that was not: %d, want 204", resp.StatusCode)
	}
	messages := webtest.Fetch[web.Page[web.MessageBody]](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + session + "/messages"}).Items
	if m := messages[1]; m.ID != "2-user" || m.Content != "" || len(m.Files) != 1 || m.Files[0].Name != "a.txt" {
		t.Errorf("the message of the turn is %+v, want one of the file alone", m)
	}
}

// Without JavaScript the box is one form: words and files are sent together, and a refused
// form is shown again with what was typed.
func TestFilesGoWithThePlainForm(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("project_discovery")
	path := "/s/" + session + "/say"
	html := func(q webtest.Request) webtest.Request { q.Header["Accept"] = "text/html"; return q }

	refused := w.Do(html(filing(t, path, map[string]string{"message": "Our plan"}, upload{"cat.png", "\x89PNG\r\n\x1a\n"})))
	body := whole(t, refused)
	if refused.StatusCode != http.StatusUnsupportedMediaType || !strings.Contains(body, "Our plan</textarea>") || !strings.Contains(body, "write down what it shows") {
		t.Errorf("a picture: %d, want the page again with the words and the remedy", refused.StatusCode)
	}
	taken := w.Do(html(filing(t, path, map[string]string{"message": "Here is our plan"}, upload{"plan.txt", "Budget: EUR 20,000"})))
	if taken.StatusCode != http.StatusSeeOther {
		t.Fatalf("a plan: %d, want 303: %s", taken.StatusCode, whole(t, taken))
	}
	page := whole(t, w.Do(webtest.Request{Path: "/s/" + session, Header: map[string]string{"Accept": "text/html"}}))
	for _, want := range []string{"plan.txt", "Here is our plan", "In plan.txt I read"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestFilePageShowsTheWords(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("project_discovery")
	text := strings.Repeat("Somebody wrote <b>this</b> long ago.\n", 1500) + "Budget: EUR 20,000\n"
	sent := webtest.Fetch[web.Page[talk.FileBody]](w, http.StatusCreated, filing(t, w.FilesPath(session), nil, upload{"a.txt", text})).Items[0]
	w.Stream(webtest.Request{Path: webtest.ChatPath, Body: map[string]any{"sessionId": session, "files": []string{sent.ID}}}).Rest()
	known := webtest.Fetch[web.Page[web.ObligationBody]](w, http.StatusOK, webtest.Request{Path: "/api/v1/sessions/" + session + "/obligations"}).Items
	var e obligations.Evidence
	for _, o := range known {
		if len(o.Evidence) > 0 && o.Evidence[0].File == sent.ID {
			e = o.Evidence[0]
		}
	}
	if e.Span == nil {
		t.Fatal("nothing rests on the file")
	}
	q := url.Values{"from": {fmt.Sprint(e.Span.Start)}, "to": {fmt.Sprint(e.Span.End)}}

	body := whole(t, w.Do(webtest.Request{Path: "/s/" + session + "/files/" + sent.ID + "?" + q.Encode(), Header: map[string]string{"Accept": "text/html"}}))

	if !strings.Contains(body, `data-testid="found">Budget: EUR 20,000</mark>`) {
		t.Error("the words are not marked")
	}
	if strings.Contains(body, "<b>this</b>") || strings.Count(body, "Somebody wrote") > 700 {
		t.Error("the text is not escaped, or not in parts")
	}
	for _, path := range []string{"?from=x&to=-1", "?from=9999999&to=99999999", "?part=-3", "?part=99"} {
		if resp := w.Do(webtest.Request{Path: "/s/" + session + "/files/" + sent.ID + path}); resp.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", path, resp.StatusCode)
		}
	}
}

// rawForm returns a request with the given multipart body, whose boundary is "b".
func rawForm(path, body string) webtest.Request {
	return webtest.Request{Path: path, Body: body, Header: map[string]string{"Content-Type": "multipart/form-data; boundary=b"}}
}

// TestOtherFormsAreShort sends long forms to an address that takes no files. A server that
// read one to its end, in memory or onto disk, would sign the person in.
func TestOtherFormsAreShort(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	token := w.As(w.Tenant, "ann", auth.Member).Token
	long := strings.Repeat("a", 2<<20)
	part := func(name, value string) string {
		return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n"
	}
	urlencoded := map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	for name, q := range map[string]webtest.Request{
		"fields":     rawForm("/sign-in", part("token", token)+part("more", long)+"--b--\r\n"),
		"a file":     rawForm("/sign-in", part("token", token)+"--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\n"+long+"\r\n--b--\r\n"),
		"urlencoded": {Path: "/sign-in", Body: "token=" + token + "&more=" + long, Header: urlencoded},
	} {
		if resp := w.Do(q); resp.StatusCode < 400 {
			t.Errorf("%s of 2 MB: %d, want a refusal", name, resp.StatusCode)
		}
	}
	if resp := w.Do(webtest.Request{Path: "/sign-in", Body: "token=" + token, Header: urlencoded}); resp.StatusCode >= 400 {
		t.Errorf("a short form: %d", resp.StatusCode)
	}
}

// TestFilesWaitForOneAnother has a reader that does not return, so that another file of
// the same person is refused after its wait.
func TestFilesWaitForOneAnother(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{})
	session := w.Begin("project_discovery")
	began, release := make(chan struct{}, 10), make(chan struct{})
	read := w.Server.Talk.Read
	w.Server.Talk.Read = func(ctx context.Context, name, mediaType string, body []byte) (sessions.File, error) {
		began <- struct{}{}
		<-release
		return read(ctx, name, mediaType, body)
	}
	w.Server.Talk.SetFileWait(50 * time.Millisecond)
	answers := make(chan *http.Response, 1)
	go func() { answers <- w.Do(filing(t, w.FilesPath(session), nil, upload{"first.txt", "Budget: 1"})) }()
	select {
	case <-began:
	case <-time.After(webtest.Patience):
		t.Fatal("the first file was never read")
	}

	resp := w.Do(filing(t, w.FilesPath(session), nil, upload{"late.txt", "Budget: 99"}, upload{"later.txt", "Budget: 100"}))

	if body := whole(t, resp); resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" || !strings.Contains(body, `"code":"files_busy"`) {
		t.Errorf("one more file: %d, Retry-After %q: %s", resp.StatusCode, resp.Header.Get("Retry-After"), body)
	}
	close(release)
	if resp := <-answers; resp.StatusCode != http.StatusCreated {
		t.Errorf("a file that was being read: %d", resp.StatusCode)
	}
	if resp := w.Do(filing(t, w.FilesPath(session), nil, upload{"late.txt", "Budget: 99"})); resp.StatusCode != http.StatusCreated {
		t.Errorf("once they are read: %d", resp.StatusCode)
	}
}

// Whoever sends files that take long to read has one place only, and their organisation leaves one for the
// others.
func TestSlowFilesTakeOnePlaceOfAPerson(t *testing.T) {
	t.Parallel()

	w := webtest.Open(t, webtest.Terms{Tokens: true})
	elsewhere, err := auth.EnsureTenant(t.Context(), w.Pool, "elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Server.Library.Ship(t.Context(), elsewhere.ID); err != nil {
		t.Fatal(err)
	}
	began, release := make(chan string, 10), make(chan struct{})
	read := w.Server.Talk.Read
	w.Server.Talk.Read = func(ctx context.Context, name, mediaType string, body []byte) (sessions.File, error) {
		if strings.HasPrefix(name, "slow") {
			began <- name
			<-release
		}
		return read(ctx, name, mediaType, body)
	}
	w.Server.Talk.SetFileWait(50 * time.Millisecond)
	people := map[string]*webtest.World{"ann": w.As(w.Tenant, "ann", auth.Member), "bob": w.As(w.Tenant, "bob", auth.Member), "cleo": w.As(w.Tenant, "cleo", auth.Member), "eve": w.As(elsewhere.ID, "eve", auth.Member)}
	of := map[string]string{}
	for name, p := range people {
		of[name] = p.Begin("project_discovery")
	}
	send := func(who, file string) int {
		resp := people[who].Do(filing(t, people[who].FilesPath(of[who]), nil, upload{file, "Budget: 7, says " + file}))
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	answers := make(chan int, 2)
	for _, who := range []string{"ann", "bob"} {
		go func() { answers <- send(who, "slow-"+who+".txt") }()
		select {
		case <-began:
		case <-time.After(webtest.Patience):
			t.Fatalf("the file of %s was never read", who)
		}
		if who == "ann" { // there are places, and none of them hers
			if got := send("ann", "another.txt"); got != http.StatusServiceUnavailable {
				t.Errorf("a second file of ann is answered %d, want 503", got)
			}
			if got := send("bob", "quick.txt"); got != http.StatusCreated {
				t.Errorf("a file of bob is answered %d, want 201", got)
			}
		}
	}
	for who, want := range map[string]int{"cleo": http.StatusServiceUnavailable, "eve": http.StatusCreated} {
		if got := send(who, who+".txt"); got != want {
			t.Errorf("while two of an organisation are read, a file of %s is answered %d, want %d", who, got, want)
		}
	}
	close(release)
	for range 2 {
		if got := <-answers; got != http.StatusCreated {
			t.Errorf("a slow file is answered %d", got)
		}
	}
	if got := send("ann", "last.txt"); got != http.StatusCreated {
		t.Errorf("once they are read, a file of ann is answered %d", got)
	}
}
