package speech

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/secret"
)

// tone is a WAV file of a few silent samples.
func tone() []byte {
	return append([]byte("RIFF\x34\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80\x3e\x00\x00\x00\x7d\x00\x00\x02\x00\x10\x00data\x10\x00\x00\x00"), make([]byte, 16)...)
}

// provider is an API that speaks and hears, and remembers what it was asked.
func provider(t *testing.T) (*Voice, *[]string) {
	t.Helper()
	var asked []string
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/audio/speech", func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Model, Input, Voice string
			Speed               float64
		}
		_ = json.NewDecoder(r.Body).Decode(&in)
		asked = append(asked, fmt.Sprintf("%s: %s (%s, %g) %s", in.Model, in.Input, in.Voice, in.Speed, r.Header.Get("Authorization")))
		_, _ = w.Write(tone())
	})
	mux.HandleFunc("POST /v1/audio/transcriptions", func(w http.ResponseWriter, r *http.Request) {
		file, head, err := r.FormFile("file")
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		raw, _ := io.ReadAll(file)
		asked = append(asked, r.FormValue("model")+": "+head.Filename+" "+r.FormValue("language"))
		_ = json.NewEncoder(w).Encode(map[string]string{"text": " " + string(raw[8:12]) + " "})
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return New(Options{URL: srv.URL + "/v1/", Key: secret.New("open sesame")}), &asked
}

func TestProviderSpeaksAndHears(t *testing.T) {
	t.Parallel()

	v, asked := provider(t)

	wav, err := v.Speak(t.Context(), "A phrase")
	if err != nil || string(wav) != string(tone()) {
		t.Fatalf("Speak = %d bytes, %v", len(wav), err)
	}
	heard, err := v.Hear(t.Context(), wav)
	if err != nil || heard != "WAVE" {
		t.Errorf("Hear = %q, %v", heard, err)
	}
	if _, err := v.In("de-AT").Hear(t.Context(), wav); err != nil {
		t.Errorf("Hear in German: %v", err)
	}
	if _, err := v.With(Manner{Name: "nova", Speed: 1.25}).In("de").Speak(t.Context(), "Hallo"); err != nil {
		t.Errorf("Speak in a manner: %v", err)
	}
	want := "tts-1: A phrase (alloy, 0) Bearer open sesame|whisper-1: speech.wav |whisper-1: speech.wav de|tts-1: Hallo (nova, 1.25) Bearer open sesame"
	if got := strings.Join(*asked, "|"); got != want {
		t.Errorf("the provider was asked %q, want %q", got, want)
	}
}

func TestProviderThatFailsIsWorded(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		kind   fault.Kind
		says   string
	}{
		{"bad key", status(401), fault.Unavailable, "refuses the key"},
		{"no model", status(404), fault.Unavailable, "no such address or model"},
		{"limited", status(429), fault.Limited, "no more requests"},
		{"redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) }, fault.Unavailable, "status 302"},
		{"no WAV", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>password hunter2")) }, fault.Unavailable, "not with a WAV"},
		{"too much", func(w http.ResponseWriter, _ *http.Request) {
			for range MaxAudio/(1<<20) + 1 {
				_, _ = w.Write(make([]byte, 1<<20))
			}
		}, fault.Unavailable, "more than"},
		{"silent", func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}, fault.Unavailable, "in time"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			srv := httptest.NewServer(tt.answer)
			t.Cleanup(srv.Close)
			limit := time.Duration(0)
			if tt.name == "silent" {
				limit = 100 * time.Millisecond
			}
			_, err := New(Options{URL: srv.URL, Limit: limit}).Speak(t.Context(), "A phrase")
			if !fault.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("Speak: %v, want %s with %q", err, tt.kind, tt.says)
			}
		})
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "password hunter2", code) }
}

func TestHearingWithoutWordsIsNoFault(t *testing.T) {
	t.Parallel()

	for body, want := range map[string]string{`{"text":""}`: "", `{}`: "not with what it heard", `nonsense`: "not with what it heard"} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) }))
		heard, err := New(Options{URL: srv.URL}).Hear(t.Context(), tone())
		srv.Close()
		if heard != "" || (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s is heard as %q, %v", body, heard, err)
		}
	}
}

func TestInputIsBounded(t *testing.T) {
	t.Parallel()

	v, asked := provider(t)
	for _, text := range []string{"", strings.Repeat("é", MaxText+1)} {
		if _, err := v.Speak(t.Context(), text); !fault.Is(err, fault.Unprocessable) {
			t.Errorf("Speak of %d characters: %v", len(text), err)
		}
	}
	for _, wav := range [][]byte{nil, []byte("RIFF"), []byte(strings.Repeat("x", 100)), append(tone(), make([]byte, MaxAudio)...)} {
		if _, err := v.Hear(t.Context(), wav); !fault.Is(err, fault.Unprocessable) {
			t.Errorf("Hear of %d bytes: %v", len(wav), err)
		}
	}
	if len(*asked) != 0 {
		t.Errorf("the provider was asked %v", *asked)
	}
}

// programs puts scripts on the search path, and nothing else but what they need.
func programs(t *testing.T, scripts map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, script := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "tone.wav"), tone(), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TONE", filepath.Join(dir, "tone.wav"))
	t.Setenv("PATH", dir+":/bin:/usr/bin")
}

func TestProgramsSpeakAndHear(t *testing.T) {
	for name, tt := range map[string]struct{ program, script string }{
		"release 5": {"pocketsphinx", `[ "$1" = single ] && [ -s "$2" ] && printf '{"b":0,"t":"hello old"}\n\n{"t":"friend"}\n'`},
		"before":    {"pocketsphinx_continuous", `[ "$1" = -infile ] && [ -s "$2" ] && printf 'hello old \nfriend\n'`},
	} {
		t.Run(name, func(t *testing.T) {
			programs(t, map[string]string{"flite": `[ "$1" = -f ] && grep -q '^-dash$' "$2" && [ "$3" = -o ] && cp "$TONE" "$4"`, tt.program: tt.script})
			v := New(Options{})
			if v.Speaks() != "flite" || v.Hears() != "pocketsphinx" {
				t.Fatalf("%q speaks and %q hears", v.Speaks(), v.Hears())
			}
			wav, err := v.Speak(t.Context(), "-dash")
			if err != nil {
				t.Fatal(err)
			}
			if heard, err := v.Hear(t.Context(), wav); err != nil || heard != "hello old friend" {
				t.Errorf("Hear = %q, %v", heard, err)
			}
		})
	}
}

func TestFliteSpeaksInAManner(t *testing.T) {
	programs(t, map[string]string{"flite": `cp "$TONE" "$4"; shift 4; echo "$@" >> "$TONE.args"`})
	v := New(Options{})
	for _, m := range []Manner{{}, {Name: "rms", Speed: 0.8}, {Name: "alloy", Speed: 1}} {
		if _, err := v.With(m).In("en").Speak(t.Context(), "A phrase"); err != nil {
			t.Fatal(err)
		}
	}
	args, err := os.ReadFile(os.Getenv("TONE") + ".args")
	if want := "-voice slt\n-voice rms --setf duration_stretch=1.250\n-voice slt\n"; string(args) != want || err != nil {
		t.Errorf("flite was called with\n%s, %v, want\n%s", args, err, want)
	}
}

func TestProgramsHearAlternatives(t *testing.T) {
	best := `while [ $# -gt 1 ]; do case "$1" in -hyp) hyp="$2";; -nbestdir) dir="$2";; -nbest) [ "$2" = 4 ] || exit 3;; esac; shift; done
`
	for name, tt := range map[string]struct {
		script string
		want   []string
	}{
		"several": {best + `printf 'for tea (speech -7804)\n' > "$hyp"; printf 'for tea -29353\nforty -29611\n\nfor tee -29700\nfourteen -29701\n' > "$dir/speech.best"`, []string{"for tea", "forty", "for tee", "fourteen"}},
		"silence": {best + `printf ' (speech 0)\n' > "$hyp"`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			programs(t, map[string]string{"pocketsphinx_continuous": "echo forty two", "pocketsphinx_batch": tt.script})
			v := New(Options{})
			if texts, err := v.Transcripts(t.Context(), tone(), Hearing{Alternatives: 3}); err != nil || !slices.Equal(texts, tt.want) {
				t.Errorf("Transcripts = %q, %v, want %q", texts, err, tt.want)
			}
			if texts, err := v.Transcripts(t.Context(), tone(), Hearing{}); err != nil || !slices.Equal(texts, []string{"forty two"}) {
				t.Errorf("without alternatives: %q, %v", texts, err)
			}
		})
	}
}

// Who still speaks is heard by a program only, and one at a time.
func TestHearingOnTheWayCostsNobodyAnything(t *testing.T) {
	remote, _ := provider(t)
	if _, ok := remote.Spare(); ok {
		t.Error("an API is asked on the way")
	}
	programs(t, map[string]string{"pocketsphinx_continuous": "echo we bake"})
	v := New(Options{})
	done, ok := v.Spare()
	if !ok {
		t.Fatal("a program is not asked")
	}
	if _, ok := v.In("en").Spare(); ok {
		t.Error("a second one is heard at the same time")
	}
	done()
	if done, ok = v.In("en").Spare(); !ok {
		t.Fatal("nobody is heard after the first")
	}
	done()
}

func TestProgramsThatFailAreWorded(t *testing.T) {
	for name, tt := range map[string]struct{ script, says string }{
		"fails":         {"exit 3", "flite failed"},
		"writes naught": {"exit 0", "wrote nothing"},
		"writes others": {`printf 'no sound at all, but quite enough bytes for a head' > "$4"`, "not with a WAV"},
	} {
		t.Run(name, func(t *testing.T) {
			programs(t, map[string]string{"flite": tt.script})
			if _, err := New(Options{}).Speak(t.Context(), "A phrase"); !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("Speak: %v, want %q", err, tt.says)
			}
		})
	}
}

// A program that hangs is killed, and so is what it started: that would keep the
// pipe open.
func TestProgramThatHangsIsKilled(t *testing.T) {
	dir := t.TempDir()
	programs(t, map[string]string{"flite": `tail -f /dev/null & echo $! > ` + dir + `/child; wait`})
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()

	_, err := New(Options{}).Speak(ctx, "A phrase")

	if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "too long") {
		t.Errorf("Speak: %v", err)
	}
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("it took %s", took)
	}
	child, err := os.ReadFile(filepath.Join(dir, "child"))
	if err != nil {
		t.Fatal(err)
	}
	state, err := os.ReadFile(filepath.Join("/proc", strings.TrimSpace(string(child)), "stat"))
	if err == nil && !strings.Contains(string(state), ") Z ") {
		t.Errorf("what it started still runs: %s", state)
	}
}

func TestProgramsKnowEnglishOnly(t *testing.T) {
	programs(t, map[string]string{"flite": `exit 0`, "pocketsphinx": `exit 0`})
	for tag, want := range map[string]string{"": "flite", "en-GB": "flite", "de": ""} {
		if v := New(Options{}).In(tag); v.Speaks() != want || (v.Hears() == "") != (want == "") {
			t.Errorf("in %q %q speaks and %q hears", tag, v.Speaks(), v.Hears())
		}
	}
}

func TestWithoutAnythingThereIsNoVoice(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	v := New(Options{})
	if v.Speaks() != "" || v.Hears() != "" {
		t.Errorf("%q speaks and %q hears", v.Speaks(), v.Hears())
	}
	if _, err := v.Speak(t.Context(), "A phrase"); !fault.Is(err, fault.Unavailable) {
		t.Errorf("Speak: %v", err)
	}
	if _, err := v.Hear(t.Context(), tone()); !fault.Is(err, fault.Unavailable) {
		t.Errorf("Hear: %v", err)
	}
}
