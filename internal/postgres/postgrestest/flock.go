package postgrestest

import (
	"errors"
	"os"
	"syscall"
)

// lockFile opens the file at path and locks it: shared or exclusive (LOCK_SH,
// LOCK_EX), without waiting if LOCK_NB is added. The lock lasts until the file
// is closed or the process ends. With LOCK_NB it returns nil when somebody else
// has the lock.
func lockFile(path string, how int) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err == nil {
		return f, nil
	}
	_ = f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, nil
	}
	return nil, err
}
