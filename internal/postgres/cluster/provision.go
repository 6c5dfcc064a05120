package cluster

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"io"
	"os/exec"
	"strings"
	"time"

	"quaestor/internal/fault"
)

//go:embed provision.sh
var provisionScript string

// Provision returns the bin folder of a PostgreSQL server with pgvector,
// building a private copy under dest when the machine has none. It is quick
// (under 0.2 s) when there is one, and two calls at once do not clash. Progress
// is written to progress in plain sentences; nil discards it. The error is a
// fault of kind Unavailable whose message names the remedy.
func Provision(ctx context.Context, dest string, progress io.Writer) (string, error) {
	if dest == "" {
		return "", fault.New(fault.Invalid, "there is no folder to provision into; set QUAESTOR_RUNTIME_DIR")
	}
	if progress == nil {
		progress = io.Discard
	}
	var out, said bytes.Buffer
	cmd := exec.CommandContext(ctx, "bash", "-s", "--", dest)
	cmd.Stdin = strings.NewReader(provisionScript)
	cmd.Stdout = &out
	cmd.Stderr = io.MultiWriter(progress, &said)
	cmd.WaitDelay = 5 * time.Second // a compiler may outlive the script that is cut off
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", fault.New(fault.Unavailable, "provisioning needs bash; install it or set DATABASE_URL").Because(err)
	case err != nil:
		return "", fault.New(fault.Unavailable, "%s", lastLine(said.String(), "PostgreSQL could not be provisioned")).Because(err)
	}
	return strings.TrimSpace(out.String()), nil
}

// lastLine returns the last line of text that is not blank, or otherwise.
func lastLine(text, otherwise string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return last
	}
	return otherwise
}
