package cluster

import (
	"io"
	"os"
	"strings"

	"quaestor/internal/fault"
)

// maxLogBytes is when a start sets the log aside; one older log is kept.
const maxLogBytes = 5 << 20

// openLog opens the server's log for appending.
func openLog(path string) (*os.File, error) {
	if st, err := os.Stat(path); err == nil && st.Size() > maxLogBytes {
		_ = os.Rename(path, path+".1") // a log that cannot be set aside only grows
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "the log %s cannot be written: %v", path, err)
	}
	return f, nil
}

// lastComplaint returns the line of the log that best explains why the server did not
// start.
func lastComplaint(path string) string {
	const tailBytes = 4096
	f, err := os.Open(path)
	if err != nil {
		return "it left no log"
	}
	defer func() { _ = f.Close() }()
	if st, err := f.Stat(); err == nil && st.Size() > tailBytes {
		_, _ = f.Seek(-tailBytes, io.SeekEnd)
	}
	b, err := io.ReadAll(f)
	if err != nil {
		return "its log cannot be read"
	}
	return complaint(string(b))
}

// complaint returns the last line that names a fatal error, else the last line.
func complaint(text string) string {
	found := ""
	for line := range strings.Lines(text) {
		for _, mark := range []string{"PANIC:", "FATAL:", "error:"} {
			if i := strings.Index(line, mark); i >= 0 {
				found = strings.TrimSpace(line[i+len(mark):])
			}
		}
	}
	if found != "" {
		return found
	}
	return lastLine(text, "it said nothing")
}
