package cluster

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// pidFile is what a running server writes about itself to postmaster.pid.
type pidFile struct {
	pid    int
	socket string // folder of the unix socket; empty until it is open
	status string // "starting", "ready", "stopping", "standby"; empty at first
}

// parsePidFile reads postmaster.pid: one value a line, later lines missing while
// the server starts. It reports whether there is a process id in it.
func parsePidFile(text string) (pidFile, bool) {
	lines := strings.Split(text, "\n")
	line := func(n int) string { // numbered from 1
		if n > len(lines) {
			return ""
		}
		return strings.TrimSpace(lines[n-1])
	}
	pid, err := strconv.Atoi(line(1))
	if err != nil || pid <= 1 {
		return pidFile{}, false
	}
	return pidFile{pid: pid, socket: line(5), status: line(8)}, true
}

// readPidFile returns the postmaster.pid of the cluster in dir, and false when no server
// was started or the last one was shut down.
func readPidFile(dir string) (pidFile, bool) {
	b, err := os.ReadFile(filepath.Join(dir, "postmaster.pid"))
	if err != nil {
		return pidFile{}, false
	}
	return parsePidFile(string(b))
}

// running returns the server that runs on the cluster in dir, if one does. The file may
// be left from a crash, so its process must exist and, where that can be seen, work in
// dir.
func running(dir string) (pidFile, bool) {
	p, ok := readPidFile(dir)
	if !ok || !alive(p.pid) || !worksIn(p.pid, dir) {
		return pidFile{}, false
	}
	return p, true
}

// alive reports whether a process of that id exists.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || err == syscall.EPERM
}
