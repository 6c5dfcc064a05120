//go:build !linux

package duckdb

import (
	"os/exec"
	"syscall"
)

// apart asks for nothing where a child cannot be tied to its parent; it ends when
// its input does.
func apart() *syscall.SysProcAttr { return nil }

// killGroup ends a child, which starts no other.
func killGroup(c *exec.Cmd) { _ = c.Process.Kill() }
