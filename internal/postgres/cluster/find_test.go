package cluster_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/postgres/cluster"
)

// fakeServer makes a bin folder whose programs only tell their version. An empty
// vector leaves the extension out.
func fakeServer(t *testing.T, version, vector string) string {
	t.Helper()
	root := t.TempDir()
	bin, extension := filepath.Join(root, "bin"), filepath.Join(root, "share/postgresql/extension")
	for _, dir := range []string{bin, extension} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script := fmt.Sprintf("#!/bin/sh\necho 'postgres (PostgreSQL) %s'\n", version)
	for _, name := range []string{"initdb", "postgres"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if vector != "" {
		control := fmt.Sprintf("comment = 'vectors'\ndefault_version = '%s'\n", vector)
		if err := os.WriteFile(filepath.Join(extension, "vector.control"), []byte(control), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return bin
}

func TestFind(t *testing.T) {
	t.Parallel()

	tests := []struct {
		name            string
		version, vector string
		major           int
		want            string // part of the error; empty for none
	}{
		{"good", "17.2 (Debian 17.2-1)", "0.8.0", 0, ""},
		{"right major", "16.4", "0.6.0", 16, ""},
		{"wrong major", "17.2", "0.8.0", 15, "cannot open data made by PostgreSQL 15"},
		{"old", "14.9", "0.8.0", 0, "older than 15"},
		{"no vector", "15.18", "", 0, "has no pgvector; run `make provision`"},
		{"old vector", "15.18", "0.4.4", 0, "0.5.0 is the oldest"},
		{"no version", "unknown", "0.8.0", 0, "does not tell its version"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			bin := fakeServer(t, tt.version, tt.vector)
			s, err := cluster.Find(t.Context(), cluster.FindOptions{Bin: bin, Major: tt.major})
			if tt.want == "" {
				if err != nil || s.Bin != bin || s.Vector != tt.vector {
					t.Errorf("Find = %+v, %v, want the server in %s", s, err, bin)
				}
				return
			}
			if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Find: %v, want %q", err, tt.want)
			}
		})
	}
}

func TestFindNothingThere(t *testing.T) {
	t.Parallel()

	_, err := cluster.Find(t.Context(), cluster.FindOptions{Bin: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "has no program initdb") {
		t.Errorf("Find: %v, want a missing program", err)
	}
}

func TestCandidatesNewestFirst(t *testing.T) {
	t.Parallel()

	list := cluster.Candidates(t.Context(), cluster.FindOptions{})
	if len(list) == 0 {
		t.Fatal("no candidates on a provisioned machine")
	}
	for i := 1; i < len(list); i++ {
		if list[i-1].Major < list[i].Major {
			t.Errorf("%s (%d) comes before %s (%d)", list[i-1].Bin, list[i-1].Major, list[i].Bin, list[i].Major)
		}
	}
}

func TestStartWithoutVector(t *testing.T) {
	t.Parallel()

	dir := openDir(t)
	_, err := cluster.Start(t.Context(), cluster.Options{DataDir: dir, Bin: fakeServer(t, "15.18", "")})
	if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "has no pgvector; run `make provision`") {
		t.Errorf("Start: %v, want a word on pgvector", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "pg")); !os.IsNotExist(err) {
		t.Errorf("folder pg: %v, want none", err)
	}
}

func TestStartWithClosedPrograms(t *testing.T) {
	t.Parallel()

	if os.Getuid() != 0 {
		return // only root's database runs as somebody else
	}
	bin := fakeServer(t, "15.18", "0.8.0")
	shut := openDir(t)
	if err := os.Rename(filepath.Dir(bin), filepath.Join(shut, "server")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(shut, 0o700); err != nil {
		t.Fatal(err)
	}

	_, err := cluster.Start(t.Context(), cluster.Options{DataDir: openDir(t), Bin: filepath.Join(shut, "server/bin")})
	if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "chmod o+x "+shut) {
		t.Errorf("Start: %v, want the closed folder %s and its remedy", err, shut)
	}
}

func TestProvisionIsQuickWhenDone(t *testing.T) {
	t.Parallel()

	var said strings.Builder
	began := time.Now()
	bin, err := cluster.Provision(t.Context(), cluster.ServerDir(), &said)
	t.Logf("provisioned in %v", time.Since(began))
	if err != nil || strings.Contains(bin, "\n") || !filepath.IsAbs(bin) {
		t.Fatalf("Provision = %q, %v, want one folder", bin, err)
	}
	if said.Len() != 0 {
		t.Errorf("it said %q, want nothing", said.String())
	}
	if _, err := os.Stat(filepath.Join(bin, "postgres")); err != nil {
		t.Error(err)
	}
}

func TestProvisionErrors(t *testing.T) {
	t.Setenv("QUAESTOR_PG_BIN", "/nowhere")

	if _, err := cluster.Provision(t.Context(), t.TempDir(), nil); !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "QUAESTOR_PG_BIN is /nowhere") {
		t.Errorf("Provision: %v, want a word on QUAESTOR_PG_BIN", err)
	}
	if _, err := cluster.Provision(t.Context(), "", nil); !fault.Is(err, fault.Invalid) {
		t.Errorf("Provision without a folder: %v, want Invalid", err)
	}
}

func TestDirs(t *testing.T) {
	t.Setenv("QUAESTOR_RUNTIME_DIR", "/srv/shared")

	if got := cluster.SharedDir(); got != "/srv/shared" {
		t.Errorf("SharedDir() = %s, want /srv/shared", got)
	}
	if got := cluster.ServerDir(); got != "/srv/shared/pgsql" {
		t.Errorf("ServerDir() = %s, want /srv/shared/pgsql", got)
	}
	if got := cluster.DefaultDataDir(); !filepath.IsAbs(got) {
		t.Errorf("DefaultDataDir() = %s, want an absolute path", got)
	}
}
