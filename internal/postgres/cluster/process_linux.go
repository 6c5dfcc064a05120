package cluster

import (
	"fmt"
	"os"
	"syscall"
)

// boundToUs makes the kernel send sig to the child when the thread that started
// it ends; the caller must hold on to that thread.
func boundToUs(attr *syscall.SysProcAttr, sig syscall.Signal) { attr.Pdeathsig = sig }

// worksIn reports whether the process's working folder is dir, as a server's is.
func worksIn(pid int, dir string) bool {
	at, err := os.Stat(fmt.Sprintf("/proc/%d/cwd", pid))
	if err != nil {
		return false
	}
	want, err := os.Stat(dir)
	return err == nil && os.SameFile(at, want)
}

// throughFile returns a path that leads to the folder a child inherits as file
// number n, whatever the permissions of the folders above it.
func throughFile(n int) (string, bool) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		return "", false
	}
	return fmt.Sprintf("/proc/self/fd/%d", n), true
}
