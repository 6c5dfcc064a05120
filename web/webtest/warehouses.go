package webtest

import (
	"io"
	"net/url"
)

// SendForm posts a form as a browser does.
func (w *World) SendForm(path string, form url.Values) (int, string, string) {
	w.T.Helper()
	resp := w.Do(Request{Path: path, Body: form.Encode(), Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html", "Origin": w.URL}})
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		w.T.Fatal(err)
	}
	return resp.StatusCode, resp.Header.Get("Location"), string(raw)
}
