package main

import (
	"os"
	"path/filepath"
	"testing"

	"quaestor/internal/fault"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
)

func TestFilesAreAnOrganisationsOwn(t *testing.T) {
	t.Parallel()

	root := t.TempDir()
	for _, name := range []string{"ours", "theirs"} {
		if err := os.MkdirAll(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(root, "theirs"), filepath.Join(root, "ours", "link")); err != nil {
		t.Fatal(err)
	}
	served := &Settings{Auth: "tokens", WarehouseDir: root}
	for path, want := range map[string]bool{
		"sample":                                   true,
		filepath.Join(root, "ours"):                true,
		filepath.Join(root, "ours", "sales.csv"):   true,
		filepath.Join(root, "theirs", "sales.csv"): false,
		filepath.Join(root, "ours", "link"):        false,
		root + "/ours/../theirs":                   false,
		root:                                       false,
		"/etc/passwd":                              false,
	} {
		err := served.allowWarehouse("ours", warehouse.DuckDB, map[string]string{"path": path})
		if (err == nil) != want || err != nil && !fault.Is(err, fault.Unprocessable) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := (&Settings{Auth: "tokens"}).allowWarehouse("ours", warehouse.DuckDB, map[string]string{"path": "/etc"}); err == nil {
		t.Error("files are offered though no folder is set")
	}
	if err := (&Settings{Auth: "development"}).allowWarehouse("ours", warehouse.DuckDB, map[string]string{"path": "/etc"}); err != nil {
		t.Errorf("in development: %v", err)
	}
	if err := served.allowWarehouse("ours", warehouse.PostgreSQL, map[string]string{"path": "/etc"}); err != nil {
		t.Errorf("another make: %v", err)
	}
}

func TestKeysAreMadeBesideAPrivateDatabaseOnly(t *testing.T) {
	t.Parallel()

	dir := t.TempDir()
	s := &Settings{DataDir: dir}
	if sealer, err := s.sealer(); err != nil || !sealer.Ready() {
		t.Fatalf("%v, %v", sealer.Ready(), err)
	}
	if _, err := os.Stat(filepath.Join(dir, "secrets.json")); err != nil {
		t.Error(err)
	}
	outside := &Settings{DataDir: dir, DatabaseURL: secret.New("postgres://elsewhere/db")}
	if sealer, err := outside.sealer(); err != nil || sealer.Ready() {
		t.Errorf("an outside database: ready %v, %v", sealer.Ready(), err)
	}
	outside.SecretsFile = filepath.Join(dir, "secrets.json")
	if sealer, err := outside.sealer(); err != nil || !sealer.Ready() {
		t.Errorf("with a file: ready %v, %v", sealer.Ready(), err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bad.json"), []byte("sesame"), 0o600); err != nil {
		t.Fatal(err)
	}
	outside.SecretsFile = filepath.Join(dir, "bad.json")
	if _, err := outside.sealer(); !fault.Is(err, fault.Invalid) {
		t.Errorf("a file of something else: %v", err)
	}
}

func TestGovernanceNeedsAnAddress(t *testing.T) {
	t.Parallel()

	for url, want := range map[string]int{"": 0, "https://governance.example.org/sql": 1} {
		if see, err := (&Settings{GovernanceURL: url}).governance(); err != nil || len(see) != want {
			t.Errorf("%q: %d, %v", url, len(see), err)
		}
	}
	for _, url := range []string{"governance", "ftp://x/y", "https://"} {
		if _, err := (&Settings{GovernanceURL: url}).governance(); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q: %v", url, err)
		}
	}
}
