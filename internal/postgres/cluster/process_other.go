//go:build unix && !linux

package cluster

import "syscall"

// boundToUs does nothing: only Linux can end a child with its parent. The next
// Start adopts a server that was left behind.
func boundToUs(*syscall.SysProcAttr, syscall.Signal) {}

// worksIn believes postmaster.pid: there is no portable way to ask.
func worksIn(int, string) bool { return true }

// throughFile reports that there is no way around a closed folder.
func throughFile(int) (string, bool) { return "", false }
