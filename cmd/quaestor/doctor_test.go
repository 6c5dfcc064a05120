package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres/postgrestest"
)

// refusing returns the address of a model's server that answers with status alone.
func refusing(t *testing.T, status int) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	t.Cleanup(srv.Close)
	return srv.URL + "/v1"
}

func TestDoctorAsksTheModel(t *testing.T) {
	t.Parallel()

	url := postgrestest.URL(t)
	for _, tt := range []struct {
		name, address string
		well          bool
		says          []string
	}{
		{"it answers", llmtest.New(t).URL(), true, []string{"ok    interviewer: model fake", "answers"}},
		{"it has no list", refusing(t, 404), true, []string{"ok    interviewer: model fake", "answers"}},
		{"another key", refusing(t, 401), false, []string{"bad   interviewer: model fake", "refuses the key (status 401)", "OPENAI_API_KEY"}},
		{"trouble", refusing(t, 503), false, []string{"bad   interviewer: model fake", "status 503", "provider"}},
		{"nobody there", "http://127.0.0.1:1/v1", false, []string{"bad   interviewer: model fake", "does not answer (connection refused)", "OPENAI_BASE_URL"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			var out bytes.Buffer
			err := run(t.Context(), []string{"doctor", "--database-url", url, "--data-dir", t.TempDir(), "--model", "fake", "--model-url", tt.address, "--model-key", "geheim"}, &out, io.Discard)
			if (err == nil) != tt.well {
				t.Errorf("doctor = %v, want well %v", err, tt.well)
			}
			for _, part := range tt.says {
				if !strings.Contains(out.String(), part) {
					t.Errorf("it does not say %q:\n%s", part, out.String())
				}
			}
			if strings.Contains(out.String(), "geheim") {
				t.Errorf("it says the key:\n%s", out.String())
			}
		})
	}
}

// A text encoder on a server of its own is asked too; without it the product works.
func TestDoctorAsksTheTextEncoder(t *testing.T) {
	t.Parallel()

	url := postgrestest.URL(t)
	for address, says := range map[string]string{
		refusing(t, 404):        "ok    text encoder: model tiny at",
		refusing(t, 401):        "refuses the key (status 401); search goes by words meanwhile",
		"http://127.0.0.1:1/v1": "QUAESTOR_EMBEDDING_URL",
	} {
		var out bytes.Buffer
		err := run(t.Context(), []string{"doctor", "--database-url", url, "--data-dir", t.TempDir(), "--embedding-model", "tiny", "--embedding-url", address, "--embedding-key", "geheim"}, &out, io.Discard)
		if err != nil || !strings.Contains(out.String(), says) || strings.Contains(out.String(), "geheim") {
			t.Errorf("doctor = %v, want it well and to say %q:\n%s", err, says, out.String())
		}
	}
}

// More connections than the database takes were found out under load, request by
// request.
func TestMoreConnectionsThanTheDatabaseTakesAreRefused(t *testing.T) {
	t.Parallel()

	url := postgrestest.URL(t)
	for _, command := range []string{"serve", "work", "doctor"} {
		var out bytes.Buffer
		err := run(t.Context(), []string{command, "--addr", "127.0.0.1:0", "--database-url", url, "--data-dir", t.TempDir(), "--max-conns", "400"}, &out, io.Discard)
		if err == nil {
			t.Fatalf("%s took 400 connections", command)
		}
		if said := words(err) + out.String(); !strings.Contains(said, "--max-conns (QUAESTOR_MAX_CONNS): must be at most ") || !strings.Contains(said, "max_connections") {
			t.Errorf("%s says %q", command, said)
		}
	}
}

func TestDoctorSeesAFolderThatCannotBeMade(t *testing.T) {
	t.Parallel()

	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := run(t.Context(), []string{"doctor", "--data-dir", filepath.Join(file, "data")}, &out, io.Discard)
	if err == nil || !strings.Contains(out.String(), "bad   data cannot be kept in") || !strings.Contains(out.String(), "QUAESTOR_DATA_DIR") {
		t.Errorf("doctor = %v:\n%s", err, out.String())
	}
}

// A port that was taken was found out after the database had been made and started.
func TestTakenPortIsRefusedBeforeTheDatabaseIsMade(t *testing.T) {
	t.Parallel()

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	dir := filepath.Join(t.TempDir(), "data")
	for addr, want := range map[string]string{
		l.Addr().String():    "--addr (QUAESTOR_ADDR): another program listens on " + l.Addr().String() + " already; end it, or choose another port",
		"127.0.0.1:99999":    `--addr (QUAESTOR_ADDR): must be host:port, such as 127.0.0.1:8080, not "127.0.0.1:99999"`,
		"localhost:nonsense": `--addr (QUAESTOR_ADDR): must be host:port, such as 127.0.0.1:8080, not "localhost:nonsense"`,
	} {
		err := run(t.Context(), []string{"serve", "--addr", addr, "--data-dir", dir}, io.Discard, io.Discard)
		if err == nil || words(err) != want {
			t.Errorf("serve on %s: %v, want %q", addr, err, want)
		}
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the data folder was made before")
	}
}

// A restored dump lacks what belongs to the server it came from. The doctor says so,
// migrate repairs it, and the doctor is content.
func TestDoctorSeesTheRoleOfARestoredDump(t *testing.T) {
	t.Parallel()

	url := postgrestest.URL(t)
	super := postgrestest.Superuser(t, postgrestest.Open(t, url))
	defer super.Close()
	if _, err := super.Exec(t.Context(), `DROP OWNED BY quaestor_app`); err != nil {
		t.Fatal(err)
	}
	says := func(command, want string) {
		t.Helper()
		var out bytes.Buffer
		err := run(t.Context(), []string{command, "--database-url", url, "--data-dir", t.TempDir()}, &out, io.Discard)
		if err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%s says, with %v, not %q:\n%s", command, err, want, out.String())
		}
	}
	says("doctor", "warn  role: the role quaestor_app lacks")
	says("migrate", "newest schema")
	says("doctor", "ok    role: quaestor_app is there")
}
