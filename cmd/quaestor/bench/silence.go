package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// silence is a SearXNG server that finds nothing.
type silence struct {
	server *http.Server
	url    string
	ended  chan struct{} // closed when the server has ended
}

func startSilence() (*silence, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the search engine: %w", err)
	}
	s := &silence{url: "http://" + l.Addr().String(), ended: make(chan struct{})}
	s.server = &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"query":"","number_of_results":0,"results":[],"unresponsive_engines":[]}`)
	})}
	go func() {
		defer close(s.ended)
		_ = s.server.Serve(l)
	}()
	return s, nil
}

// close waits for the server to be gone. Closing none is fine.
func (s *silence) close() error {
	if s == nil {
		return nil
	}
	err := s.server.Close()
	<-s.ended
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
