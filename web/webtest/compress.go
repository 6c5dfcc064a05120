package webtest

import (
	"bytes"
	"compress/gzip"
	"io"

	"github.com/andybalholm/brotli"
)

// fetched is an answer as it came.
type fetched struct {
	Status       int
	Coding, Vary string
	Sent         int
	Body         []byte
}

// Fetched asks for a path in a coding and unpacks what comes.
func (w *World) Fetched(path, accept string) fetched {
	w.T.Helper()
	resp := w.Do(Request{Path: path, Header: map[string]string{"Accept-Encoding": accept, "Accept": "*/*"}})
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		w.T.Fatal(err)
	}
	out := fetched{Status: resp.StatusCode, Coding: resp.Header.Get("Content-Encoding"), Vary: resp.Header.Get("Vary"), Sent: len(raw), Body: raw}
	var in io.Reader
	switch out.Coding {
	case "gzip":
		in, err = gzip.NewReader(bytes.NewReader(raw))
	case "br":
		in = brotli.NewReader(bytes.NewReader(raw))
	default:
		return out
	}
	if err == nil {
		out.Body, err = io.ReadAll(in)
	}
	if err != nil {
		w.T.Fatalf("%s in %s: %v", path, accept, err)
	}
	return out
}
