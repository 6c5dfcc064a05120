package embedding

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"quaestor/internal/fault"
)

// weightFiles is what sha256sum prints of the files that provision.sh puts in
// place.
//
//go:embed weights.sha256
var weightFiles string

// maxFileBytes is more than any of the files has.
const maxFileBytes = 8 << 20

// remedy is what people can do about a folder that does not serve.
const remedy = "run make provision, which needs npm and the network"

// Check reports whether dir holds the weights that [Lite] needs, every byte of
// them; it reads 28 MB. The error is a fault of kind Unavailable that names the
// first file amiss and says what helps.
func Check(dir string) error {
	for _, name := range fileNames() {
		if _, err := readFile(dir, name); err != nil {
			return err
		}
	}
	return nil
}

// fileNames returns the names of all files, the shards in their order.
func fileNames() []string {
	var names []string
	for line := range strings.Lines(weightFiles) {
		names = append(names, strings.Fields(line)[1])
	}
	return names
}

// digestOf returns the hex digest that the named file must have.
func digestOf(name string) string {
	for line := range strings.Lines(weightFiles) {
		if fields := strings.Fields(line); fields[1] == name {
			return fields[0]
		}
	}
	return ""
}

// readFile returns the content of one file of dir once it proved to be the one
// we know.
func readFile(dir, name string) ([]byte, error) {
	if dir == "" {
		return nil, fault.New(fault.Unavailable, "no folder is set for the text encoder's weights; set QUAESTOR_RUNTIME_DIR").Coded("encoder_missing")
	}
	raw, err := readAtMost(filepath.Join(dir, name), maxFileBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault.New(fault.Unavailable, "the text encoder is not installed (%s is missing); %s", name, remedy).Coded("encoder_missing").Because(err)
	case err != nil:
		return nil, fault.New(fault.Unavailable, "the text encoder's file %s cannot be read; see to its permissions", name).Coded("encoder_unreadable").Because(err)
	}
	if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != digestOf(name) {
		return nil, damaged(name, nil)
	}
	return raw, nil
}

// damaged is the fault of a file that is cut, changed or another's.
func damaged(name string, cause error) error {
	return fault.New(fault.Unavailable, "the text encoder's file %s is damaged or of another version; %s", name, remedy).Coded("encoder_damaged").Because(cause)
}

// readAtMost reads a file, and of a longer one than limit just enough to be
// wrong.
func readAtMost(path string, limit int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	var buf bytes.Buffer
	if size, err := file.Stat(); err == nil {
		buf.Grow(int(min(size.Size(), limit)) + bytes.MinRead) // else it doubles its way up
	}
	_, err = buf.ReadFrom(io.LimitReader(file, limit+1))
	return buf.Bytes(), err
}

// shards reads the weights' files one after the other as one stream, holding one
// at a time.
type shards struct {
	dir  string
	left []string
	at   bytes.Reader
}

// newShards returns the stream of the shards in dir.
func newShards(dir string) *shards {
	s := &shards{dir: dir}
	for _, name := range fileNames() {
		if strings.HasPrefix(name, "group1-shard") {
			s.left = append(s.left, name)
		}
	}
	return s
}

// Read implements [io.Reader].
func (s *shards) Read(p []byte) (int, error) {
	for s.at.Len() == 0 {
		if len(s.left) == 0 {
			return 0, io.EOF
		}
		raw, err := readFile(s.dir, s.left[0])
		if err != nil {
			return 0, err
		}
		s.at.Reset(raw)
		s.left = s.left[1:]
	}
	return s.at.Read(p)
}
