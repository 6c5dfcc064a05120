package webtest

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
)

// Browser is somebody who follows links and keeps cookies, and has no token.
type Browser struct {
	W    *World
	Http *http.Client
}

func (w *World) Browser() *Browser {
	w.T.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		w.T.Fatal(err)
	}
	return &Browser{w, &http.Client{Jar: jar, Timeout: Patience}}
}

// Open returns a page, after posting form to it if there is one.
func (b *Browser) Open(address string, form url.Values) (status int, path, body string) {
	b.W.T.Helper()
	r, err := http.NewRequestWithContext(b.W.T.Context(), http.MethodGet, b.W.URL+address, nil)
	if form != nil {
		r, err = http.NewRequestWithContext(b.W.T.Context(), http.MethodPost, b.W.URL+address, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if err != nil {
		b.W.T.Fatal(err)
	}
	r.Header.Set("Accept", "text/html")
	resp, err := b.Http.Do(r)
	if err != nil {
		b.W.T.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		b.W.T.Fatal(err)
	}
	return resp.StatusCode, resp.Request.URL.Path, string(raw)
}

// Cookie is what the browser sends with a request to the server.
func (b *Browser) Cookie() string {
	u, _ := url.Parse(b.W.URL)
	var parts []string
	for _, c := range b.Http.Jar.Cookies(u) {
		parts = append(parts, c.Name+"="+c.Value)
	}
	return strings.Join(parts, "; ")
}
