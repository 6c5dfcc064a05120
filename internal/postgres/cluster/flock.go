package cluster

import (
	"errors"
	"os"
	"syscall"

	"quaestor/internal/fault"
)

// tryLock takes the lock file at path and returns it open, or nil when somebody
// else has it. Closing the file, and every copy of it that child processes
// inherited, gives the lock back.
func tryLock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "the lock file %s cannot be opened: %v", path, err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f, nil
	}
	_ = f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, nil
	}
	return nil, fault.New(fault.Unavailable, "the lock file %s cannot be locked: %v", path, err)
}
