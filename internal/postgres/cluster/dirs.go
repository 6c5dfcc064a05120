package cluster

import (
	"os"
	"path/filepath"
)

// DefaultDataDir returns where Quaestor keeps its data unless told otherwise:
// /var/lib/quaestor for root (a place that the database's account can reach),
// else $XDG_DATA_HOME/quaestor or ~/.local/share/quaestor. It is empty when the
// user has no home folder, and then --data-dir must be given.
func DefaultDataDir() string {
	if os.Geteuid() == 0 {
		return "/var/lib/quaestor"
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "quaestor")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".local", "share", "quaestor")
}

// SharedDir returns where provisioning puts what every data folder may use:
// $QUAESTOR_RUNTIME_DIR, else the folder "runtime" in [DefaultDataDir]. It is
// empty when there is neither.
func SharedDir() string {
	if dir := os.Getenv("QUAESTOR_RUNTIME_DIR"); dir != "" {
		return dir
	}
	if dir := DefaultDataDir(); dir != "" {
		return filepath.Join(dir, "runtime")
	}
	return ""
}

// ServerDir returns the folder in [SharedDir] that [Provision] is meant to
// fill, or an empty string when there is no shared folder.
func ServerDir() string {
	if dir := SharedDir(); dir != "" {
		return filepath.Join(dir, "pgsql")
	}
	return ""
}
