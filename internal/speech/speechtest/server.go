// Package speechtest is an OpenAI-compatible API of speech that follows a script. It hears
// what a test has given a number: sound whose samples all have the value of that number
// says the text of the number, in which "|" parts what the sound may be, the likeliest first.
// It speaks every word as half a second of sound.
package speechtest

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"quaestor/internal/audio"
)

// Rate of the sound that the server makes, in samples a second.
const Rate = 24000

// Word is how long the server speaks for each word.
const Word = 500 * time.Millisecond

// unit is the value of the samples of number 1: large enough to survive resampling.
const unit = 200

// Server is the API. It is safe for concurrent use.
type Server struct {
	URL string // base address, for speech.Options

	mu     sync.Mutex
	texts  []string
	spoken []string
	manner string        // of what was spoken last
	speaks int           // status of /audio/speech; guarded by mu
	lasts  int           // sentences that are spoken before a failure; negative for no end
	fails  int           // sentences that fail then; negative for all
	hears  int           // of /audio/transcriptions
	heard  time.Duration // of the sound that was heard last
	gate   chan struct{}
}

// New starts a server that hears the texts by their numbers, from 1 on. It ends with the
// test.
func New(t testing.TB, texts ...string) *Server {
	t.Helper()
	s := &Server{texts: texts, speaks: http.StatusOK, hears: http.StatusOK, lasts: -1}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /audio/speech", s.speak)
	mux.HandleFunc("POST /audio/transcriptions", s.hear)
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	s.URL = srv.URL
	return s
}

// Sound returns sound of that length, at a rate, in which the server hears text n; for 0 it
// hears nothing.
func Sound(n, rate int, d time.Duration) []int16 {
	out := make([]int16, int(d*time.Duration(rate)/time.Second))
	for i := range out {
		out[i] = int16(n * unit)
	}
	return out
}

// Voice returns sound of a second, at a rate, in which a detector finds speech and the server
// hears text n: a vowel, with the number in its middle.
func Voice(n, rate int) []int16 {
	out := make([]int16, rate)
	for i := range out {
		at := float64(i) / float64(rate)
		v := 0.0
		for k := 1.0; k < 12; k++ {
			v += math.Sin(2*math.Pi*k*140*at) / k
		}
		out[i] = int16(5000 * v * (1 + 0.3*math.Sin(2*math.Pi*4*at)))
		if at > 0.45 && at < 0.63 { // shorter than a pause
			out[i] = int16(n * unit)
		}
	}
	return out
}

// Break makes both halves answer with these statuses from now on.
func (s *Server) Break(speaks, hears int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.speaks, s.hears, s.lasts = speaks, hears, -1
}

// BreakAfter lets that many more sentences be spoken, and none after them until [Server.Break].
func (s *Server) BreakAfter(sentences int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lasts, s.fails = sentences, -1
}

// FailOnce lets the next sentence fail, the first time it is asked for.
func (s *Server) FailOnce() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lasts, s.fails = 0, 1
}

// status returns that of the sentence that is to be spoken now. It must hold mu.
func (s *Server) status() int {
	switch {
	case s.lasts > 0:
		s.lasts--
	case s.lasts == 0 && s.fails != 0:
		s.fails--
		return http.StatusServiceUnavailable
	}
	return s.speaks
}

// HoldHearing lets what is heard wait until the function it returns is called.
func (s *Server) HoldHearing() (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	gate := make(chan struct{})
	s.gate = gate
	return func() { close(gate) }
}

// Spoken returns what was said so far.
func (s *Server) Spoken() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.spoken...)
}

// Manner returns the voice and the speed of what was said last, as in "alloy 1.25".
func (s *Server) Manner() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.manner
}

// HeardFor returns how long the sound was that was heard last.
func (s *Server) HeardFor() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heard
}

func (s *Server) speak(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Input, Voice string
		Speed        float64
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	status := s.status()
	if status == http.StatusOK {
		s.spoken, s.manner = append(s.spoken, in.Input), fmt.Sprintf("%s %g", in.Voice, in.Speed)
	}
	s.mu.Unlock()
	if status != http.StatusOK {
		http.Error(w, "no voice", status)
		return
	}
	words := len(strings.Fields(in.Input))
	_, _ = w.Write(wav(words * int(Word.Milliseconds()) * Rate / 1000))
}

func (s *Server) hear(w http.ResponseWriter, r *http.Request) {
	file, _, err := r.FormFile("file")
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	sound, err := io.ReadAll(file)
	s.mu.Lock()
	status, gate := s.hears, s.gate
	s.mu.Unlock()
	if gate != nil {
		select {
		case <-gate:
		case <-r.Context().Done():
		}
	}
	if err != nil || status != http.StatusOK {
		http.Error(w, "no ear", max(status, http.StatusBadRequest))
		return
	}
	if samples, rate, err := audio.ReadWAV(sound); err == nil {
		s.mu.Lock()
		s.heard = audio.Duration(len(samples), rate)
		s.mu.Unlock()
	}
	texts := strings.Split(s.textIn(sound), "|")
	if r.FormValue("stream") == "true" {
		stream(w, texts)
		return
	}
	_ = json.NewEncoder(w).Encode(transcript("", texts))
}

// transcript is what is answered of texts, of which the first is the likeliest.
func transcript(kind string, texts []string) map[string]any {
	out := map[string]any{"text": texts[0]}
	if kind != "" {
		out["type"] = kind
	}
	var more []map[string]string
	for _, t := range texts[1:] {
		more = append(more, map[string]string{"text": t})
	}
	if more != nil {
		out["alternatives"] = more
	}
	return out
}

// stream answers word by word, as servers that stream do.
func stream(w http.ResponseWriter, texts []string) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(event map[string]any) {
		data, _ := json.Marshal(event)
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
		w.(http.Flusher).Flush()
	}
	for i, word := range strings.Fields(texts[0]) {
		if i > 0 {
			word = " " + word
		}
		send(map[string]any{"type": "transcript.text.delta", "delta": word})
	}
	send(transcript("transcript.text.done", texts))
}

// textIn returns the text of the number that stands in the middle of a WAV file.
func (s *Server) textIn(wav []byte) string {
	const head = 44
	if len(wav) < head+2 {
		return ""
	}
	middle := head + (len(wav)-head)/4*2
	n := (int(int16(binary.LittleEndian.Uint16(wav[middle:]))) + unit/2) / unit
	s.mu.Lock()
	defer s.mu.Unlock()
	if n < 1 || n > len(s.texts) {
		return ""
	}
	return s.texts[n-1]
}

// wav is a WAV file of n samples that are all 1.
func wav(n int) []byte {
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00")
	b = binary.LittleEndian.AppendUint32(b, Rate)
	b = binary.LittleEndian.AppendUint32(b, 2*Rate)
	b = append(b, "\x02\x00\x10\x00data"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(2*n))
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-8+2*n))
	for range n {
		b = append(b, 1, 0)
	}
	return b
}
