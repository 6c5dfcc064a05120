package web

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
	"quaestor/research/reader"
	"quaestor/sessions"
)

// reading returns what reads files in these tests: all but PDFs, which take a
// process of their own.
func reading(t testing.TB) ReadFile {
	t.Helper()
	r, err := reader.New(reader.Options{InProcess: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return func(ctx context.Context, name, mediaType string, body []byte) (sessions.File, error) {
		return research.ReadAttachment(ctx, r, name, mediaType, body)
	}
}

// upload is a file on its way.
type upload struct{ name, body string }

// filing returns a request that sends files in a form with other fields.
func filing(t testing.TB, path string, fields map[string]string, files ...upload) request {
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
	return request{path: path, body: b.String(), header: map[string]string{"Content-Type": form.FormDataContentType()}}
}

func (w *world) filesPath(session string) string { return "/api/v1/sessions/" + session + "/files" }

// whole returns the body of an answer.
func whole(t testing.TB, resp *http.Response) string {
	t.Helper()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// docx returns a Word document of paragraphs.
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

	w := open(t, terms{})
	session := w.begin("project_discovery")
	plan := upload{"plan.docx", docx(t, "Budget: EUR 20,000", "It is for small bakeries.")}

	first := fetch[page[fileBody]](w, http.StatusCreated, filing(t, w.filesPath(session), nil, plan, upload{"notes.txt", "Roses want sun."})).Items
	again := fetch[page[fileBody]](w, http.StatusOK, filing(t, w.filesPath(session), nil, upload{"copy.docx", plan.body})).Items

	if len(first) != 2 || !first[0].New || first[0].Name != "plan.docx" || first[0].Size != int64(len(plan.body)) {
		t.Fatalf("sent %+v", first)
	}
	if len(again) != 1 || again[0].New || again[0].ID != first[0].ID || again[0].Name != "plan.docx" {
		t.Errorf("the same content again is %+v, want the first file", again)
	}
	one := fetch[fileBody](w, http.StatusOK, request{path: w.filesPath(session) + "/" + first[0].ID})
	if !strings.Contains(one.Text, "Budget: EUR 20,000") {
		t.Errorf("the text is %q", one.Text)
	}
	if list := fetch[page[fileBody]](w, http.StatusOK, request{path: w.filesPath(session)}).Items; len(list) != 2 || list[0].Text != "" {
		t.Errorf("the list is %+v, want two files without texts", list)
	}
}

func TestFilesThatCannotBeReadAreRefusedWithARemedy(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("project_discovery")
	before := w.fingerprint()
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
		p := fetch[problem](w, tt.status, filing(t, w.filesPath(session), nil, tt.files...))
		if !strings.Contains(p.Detail, tt.says) || len(p.Errors) != 1 || p.Errors[0].Location != "file" {
			t.Errorf("%s: refused with %q at %+v, want %q at file", tt.name, p.Detail, p.Errors, tt.says)
		}
	}
	fetch[problem](w, http.StatusUnsupportedMediaType, request{path: w.filesPath(session), body: `{"file":"plan.txt"}`})
	if diff := cmp.Diff(before, w.fingerprint()); diff != "" {
		t.Errorf("refusals changed rows:\n%s", diff)
	}
}

func TestFilesAreForThoseWhoMayTalk(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	ann := w.as(w.tenant, "ann", auth.Member)
	session := ann.begin("project_discovery")
	file := fetch[page[fileBody]](ann, http.StatusCreated, filing(t, ann.filesPath(session), nil, upload{"plan.txt", "Budget: 20"})).Items[0]
	one := ann.filesPath(session) + "/" + file.ID
	for _, tt := range []struct {
		name   string
		who    *world
		q      request
		status int
	}{
		{"a stranger sends", w.as(w.tenant, "bo", auth.Member), filing(t, w.filesPath(session), nil, upload{"x.txt", "x1"}), 404},
		{"a stranger reads", w.as(w.tenant, "bo", auth.Member), request{path: one}, 404},
		{"a stranger removes", w.as(w.tenant, "bo", auth.Member), request{method: "DELETE", path: one}, 404},
		{"a viewer sends", w.as(w.tenant, "vi", auth.Viewer), filing(t, w.filesPath(session), nil, upload{"x.txt", "x1"}), 404},
		{"nobody reads", w, request{path: one}, 401},
		{"a reviewer reads", w.as(w.tenant, "rev", auth.Reviewer), request{path: one}, 200},
		{"another session's", ann, request{path: ann.filesPath(ann.begin("idea_discovery")) + "/" + file.ID}, 404},
		{"no id", ann, request{path: ann.filesPath(session) + "/plan"}, 404},
	} {
		if resp := tt.who.do(tt.q); resp.StatusCode != tt.status {
			t.Errorf("%s: %d, want %d", tt.name, resp.StatusCode, tt.status)
		}
	}
}

func TestFileStaysOnceItWasGiven(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("project_discovery")
	sent := fetch[page[fileBody]](w, http.StatusCreated, filing(t, w.filesPath(session), nil, upload{"a.txt", "Budget: 20,000"}, upload{"b.txt", "Roses want sun."})).Items
	one := func(i int) request { return request{method: "DELETE", path: w.filesPath(session) + "/" + sent[i].ID} }

	events := w.stream(request{path: chatPath, body: map[string]any{"sessionId": session, "files": []string{sent[0].ID}}}).rest()

	if files := fmt.Sprint(pick(events, sessions.KindSession)[0].Data["files"]); !strings.Contains(files, "a.txt") {
		t.Errorf("the event session has files %s", files)
	}
	learnt := pick(events, sessions.KindObligation)
	if len(learnt) == 0 || !strings.Contains(learnt[0].Raw, `"kind":"document"`) || !strings.Contains(learnt[0].Raw, sent[0].ID) {
		t.Errorf("learnt %v, want the budget with the file as evidence", raws(learnt))
	}
	if resp := w.do(one(0)); resp.StatusCode != http.StatusConflict {
		t.Errorf("removing a file that was given: %d, want 409", resp.StatusCode)
	}
	if resp := w.do(one(1)); resp.StatusCode != http.StatusNoContent {
		t.Errorf("removing one that was not: %d, want 204", resp.StatusCode)
	}
	messages := fetch[page[messageBody]](w, http.StatusOK, request{path: "/api/v1/sessions/" + session + "/messages"}).Items
	if m := messages[1]; m.ID != "2-user" || m.Content != "" || len(m.Files) != 1 || m.Files[0].Name != "a.txt" {
		t.Errorf("the message of the turn is %+v, want one of the file alone", m)
	}
}

// Without scripts the box is one form: words and files go together, and what is
// refused is shown again with what was typed.
func TestFilesGoWithThePlainForm(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("project_discovery")
	path := "/s/" + session + "/say"
	html := func(q request) request { q.header["Accept"] = "text/html"; return q }

	refused := w.do(html(filing(t, path, map[string]string{"message": "Our plan"}, upload{"cat.png", "\x89PNG\r\n\x1a\n"})))
	body := whole(t, refused)
	if refused.StatusCode != http.StatusUnsupportedMediaType || !strings.Contains(body, "Our plan</textarea>") || !strings.Contains(body, "write down what it shows") {
		t.Errorf("a picture: %d, want the page again with the words and the remedy", refused.StatusCode)
	}
	taken := w.do(html(filing(t, path, map[string]string{"message": "Here is our plan"}, upload{"plan.txt", "Budget: EUR 20,000"})))
	if taken.StatusCode != http.StatusSeeOther {
		t.Fatalf("a plan: %d, want 303: %s", taken.StatusCode, whole(t, taken))
	}
	page := whole(t, w.do(request{path: "/s/" + session, header: map[string]string{"Accept": "text/html"}}))
	for _, want := range []string{"plan.txt", "Here is our plan", "In plan.txt I read"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestFilePageShowsTheWords(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("project_discovery")
	text := strings.Repeat("Somebody wrote <b>this</b> long ago.\n", 1500) + "Budget: EUR 20,000\n"
	sent := fetch[page[fileBody]](w, http.StatusCreated, filing(t, w.filesPath(session), nil, upload{"a.txt", text})).Items[0]
	w.stream(request{path: chatPath, body: map[string]any{"sessionId": session, "files": []string{sent.ID}}}).rest()
	known := fetch[page[obligationBody]](w, http.StatusOK, request{path: "/api/v1/sessions/" + session + "/obligations"}).Items
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

	body := whole(t, w.do(request{path: "/s/" + session + "/files/" + sent.ID + "?" + q.Encode(), header: map[string]string{"Accept": "text/html"}}))

	if !strings.Contains(body, `data-testid="found">Budget: EUR 20,000</mark>`) {
		t.Error("the words are not marked")
	}
	if strings.Contains(body, "<b>this</b>") || strings.Count(body, "Somebody wrote") > 700 {
		t.Error("the text is not escaped, or not in parts")
	}
	for _, path := range []string{"?from=x&to=-1", "?from=9999999&to=99999999", "?part=-3", "?part=99"} {
		if resp := w.do(request{path: "/s/" + session + "/files/" + sent.ID + path}); resp.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", path, resp.StatusCode)
		}
	}
}

// rawForm returns a request with a form as it is given, between boundaries.
func rawForm(path, body string) request {
	return request{path: path, body: body, header: map[string]string{"Content-Type": "multipart/form-data; boundary=b"}}
}

// TestOtherFormsAreShort sends long forms where no files are taken: one that is
// kept whole, or on the disk, would be acted upon.
func TestOtherFormsAreShort(t *testing.T) {
	t.Parallel()

	w := open(t, terms{tokens: true})
	token := w.as(w.tenant, "ann", auth.Member).token
	long := strings.Repeat("a", 2<<20)
	part := func(name, value string) string {
		return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n"
	}
	urlencoded := map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	for name, q := range map[string]request{
		"fields":     rawForm("/sign-in", part("token", token)+part("more", long)+"--b--\r\n"),
		"a file":     rawForm("/sign-in", part("token", token)+"--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\n"+long+"\r\n--b--\r\n"),
		"urlencoded": {path: "/sign-in", body: "token=" + token + "&more=" + long, header: urlencoded},
	} {
		if resp := w.do(q); resp.StatusCode < 400 {
			t.Errorf("%s of 2 MB: %d, want a refusal", name, resp.StatusCode)
		}
	}
	if resp := w.do(request{path: "/sign-in", body: "token=" + token, header: urlencoded}); resp.StatusCode >= 400 {
		t.Errorf("a short form: %d", resp.StatusCode)
	}
}

// TestFilesWaitForOneAnother has a reader that holds every file, so that those after
// the first wait until they are told to come back.
func TestFilesWaitForOneAnother(t *testing.T) {
	t.Parallel()

	w := open(t, terms{})
	session := w.begin("project_discovery")
	began, release := make(chan struct{}, 10), make(chan struct{})
	read := w.server.Read
	w.server.Read = func(ctx context.Context, name, mediaType string, body []byte) (sessions.File, error) {
		began <- struct{}{}
		<-release
		return read(ctx, name, mediaType, body)
	}
	w.server.fileWait = 50 * time.Millisecond
	answers := make(chan *http.Response, maxReadings)
	for i := range maxReadings {
		go func() {
			answers <- w.do(filing(t, w.filesPath(session), nil, upload{fmt.Sprintf("%d.txt", i), fmt.Sprintf("Budget: %d", i)}))
		}()
	}
	for range maxReadings {
		select {
		case <-began:
		case <-time.After(patience):
			t.Fatal("the first files were never read")
		}
	}

	resp := w.do(filing(t, w.filesPath(session), nil, upload{"late.txt", "Budget: 99"}, upload{"later.txt", "Budget: 100"}))

	if body := whole(t, resp); resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" || !strings.Contains(body, `"code":"files_busy"`) {
		t.Errorf("one more file: %d, Retry-After %q: %s", resp.StatusCode, resp.Header.Get("Retry-After"), body)
	}
	close(release)
	for range maxReadings {
		if resp := <-answers; resp.StatusCode != http.StatusCreated {
			t.Errorf("a file that was being read: %d", resp.StatusCode)
		}
	}
	if resp := w.do(filing(t, w.filesPath(session), nil, upload{"late.txt", "Budget: 99"})); resp.StatusCode != http.StatusCreated {
		t.Errorf("once they are read: %d", resp.StatusCode)
	}
}
