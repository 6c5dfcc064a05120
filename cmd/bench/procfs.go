package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of CPU time in /proc: USER_HZ, which is 100 on every platform that Go
// supports.
const tick = 10 * time.Millisecond

// process is what /proc/PID/stat tells about a process.
type process struct {
	parent int
	cpu    time.Duration // its own
	reaped time.Duration // of its children that ended
}

// readProcess reads /proc/PID/stat.
func readProcess(pid int) (process, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return process{}, err
	}
	return parseProcess(string(raw))
}

// parseProcess reads a line of /proc/PID/stat. The name in it may hold blanks and
// brackets, so the fields are counted from its last bracket on.
func parseProcess(line string) (process, error) {
	f := strings.Fields(line[strings.LastIndexByte(line, ')')+1:])
	if len(f) < 15 {
		return process{}, fmt.Errorf("cannot read %q", line)
	}
	var n [15]int
	for i := 1; i < len(n); i++ {
		n[i], _ = strconv.Atoi(f[i]) // large unsigned fields are not ours
	}
	return process{parent: n[1], cpu: time.Duration(n[11]+n[12]) * tick, reaped: time.Duration(n[13]+n[14]) * tick}, nil
}

// family returns the CPU time of a process and of all its children, those that
// ended included.
func family(pid int) (time.Duration, error) {
	head, err := readProcess(pid)
	if err != nil {
		return 0, err
	}
	total := head.cpu + head.reaped
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0, err
	}
	for _, e := range entries {
		child, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		p, err := readProcess(child)
		if errors.Is(err, fs.ErrNotExist) || err == nil && p.parent != pid {
			continue
		}
		total += p.cpu
	}
	return total, nil
}

// machine returns the CPU time that all processes together have used.
func machine() (time.Duration, error) {
	raw, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, err
	}
	line, _, _ := bytes.Cut(raw, []byte("\n"))
	return busyTime(string(line))
}

// busyTime adds up the first line of /proc/stat, without the times of waiting.
func busyTime(line string) (time.Duration, error) {
	f := strings.Fields(line)
	if len(f) < 8 || f[0] != "cpu" {
		return 0, fmt.Errorf("cannot read %q", line)
	}
	total := 0
	for i, word := range f[1:8] {
		const idle, iowait = 3, 4
		if n, err := strconv.Atoi(word); err == nil && i != idle && i != iowait {
			total += n
		}
	}
	return time.Duration(total) * tick, nil
}

// resident returns the memory of a process that is in RAM, in bytes.
func resident(pid int) (int64, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, err
	}
	f := strings.Fields(string(raw))
	if len(f) < 2 {
		return 0, fmt.Errorf("cannot read %q", raw)
	}
	pages, err := strconv.ParseInt(f[1], 10, 64)
	return pages * int64(os.Getpagesize()), err
}

// cost is CPU time by its user: the server, PostgreSQL, the bench itself, and all
// processes together.
type cost struct{ server, postgres, ours, all time.Duration }

// minus returns the time used since d.
func (c cost) minus(d cost) cost {
	return cost{c.server - d.server, c.postgres - d.postgres, c.ours - d.ours, c.all - d.all}
}

// others is what processes outside of the run used.
func (c cost) others() time.Duration { return max(c.all-c.server-c.postgres-c.ours, 0) }

// spent returns the CPU time used so far.
func (b *bench) spent(s *server) (cost, error) {
	own, errOwn := readProcess(os.Getpid())
	server, errServer := family(s.pid())
	postgres, errPostgres := family(b.postmaster)
	all, errAll := machine()
	return cost{server, postgres, own.cpu, all}, cmp.Or(errOwn, errServer, errPostgres, errAll)
}
