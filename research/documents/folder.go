package documents

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"

	"quaestor/internal/fault"
)

// The limits of a folder.
const (
	maxFiles   = 5000
	maxFile    = 20 << 20
	maxEntries = 200_000 // of any kind, that are examined
	maxDepth   = 20
	maxPath    = 1024
	keptBytes  = 2 << 20 // size up to which a file's bytes are stored
)

// kinds are the file name extensions that are read.
var kinds = map[string]bool{".txt": true, ".text": true, ".md": true, ".markdown": true, ".html": true, ".htm": true, ".pdf": true, ".docx": true, ".csv": true}

// folder is the result of walking a folder.
type folder struct {
	root     *os.Root
	files    []string        // paths of documents, in order, at most maxFiles
	left     int             // number of documents beyond that
	seen     map[string]bool // all documents, including those beyond maxFiles
	complete bool            // all of the folder was seen
	problems []Problem
	entries  int
}

// openFolder opens dir and guarantees that nothing outside of it is opened: the
// operating system's lookup refuses links that lead out, whenever they are made. A
// missing folder is NotFound.
func openFolder(dir string) (*folder, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.NotFound, "there is no folder of documents").Because(err)
	}
	if err != nil {
		return nil, fmt.Errorf("open folder of documents: %w", err)
	}
	return &folder{root: root, seen: map[string]bool{}, complete: true}, nil
}

// problem records a file that is not read.
func (f *folder) problem(name, format string, args ...any) {
	f.problems = append(f.problems, Problem{shown(name), fmt.Sprintf(format, args...)})
}

// shown returns a name in a form that can be printed and stored.
func shown(name string) string { return strings.Map(printable, clean(name)) }

// printable maps a rune for strings.Map.
func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return unicode.ReplacementChar
}

// walk lists everything in the folder.
func (f *folder) walk(ctx context.Context) error {
	return fs.WalkDir(f.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		f.entries++
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			f.complete = false
			f.problem(name, "it cannot be opened")
			return nil
		case f.entries > maxEntries:
			f.complete = false
			f.problem(name, "the folder has over %d entries; what comes from here on is not looked at", maxEntries)
			return fs.SkipAll
		case name == ".":
			return nil
		case hidden(d.Name()) && d.IsDir():
			return fs.SkipDir
		case hidden(d.Name()):
			return nil
		case d.IsDir() && strings.Count(name, "/") >= maxDepth:
			f.complete = false
			f.problem(name, "it is more than %d folders deep", maxDepth)
			return fs.SkipDir
		case !d.IsDir():
			f.entry(name, d.Type())
		}
		return nil
	})
}

// hidden reports whether people do not see a file of that name: dot files, and the
// temporary files of editors and office programs.
func hidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "~$") || strings.HasSuffix(name, "~")
}

// entry records a file as a document or as a problem.
func (f *folder) entry(name string, mode fs.FileMode) {
	reason := ""
	switch {
	case len(name) > maxPath:
		reason = fmt.Sprintf("its path is longer than %d bytes", maxPath)
	case !utf8.ValidString(name) || shown(name) != name:
		reason = "its name has characters that cannot be shown"
	case mode&fs.ModeSymlink != 0:
		reason = f.link(name)
	case !mode.IsRegular():
		reason = "it is not a file"
	}
	if reason == "" && !kinds[strings.ToLower(path.Ext(name))] {
		reason = "this kind of file is not read"
	}
	if reason != "" {
		f.problem(name, "%s", reason)
		return
	}
	f.seen[name] = true
	if len(f.files) == maxFiles {
		f.left++
		return
	}
	f.files = append(f.files, name)
}

// link returns why a link is not followed, or "" if it leads to a file in the folder.
func (f *folder) link(name string) string {
	info, err := f.root.Stat(name)
	switch {
	case err != nil:
		return "it is a link that leads out of the folder, or nowhere"
	case info.IsDir():
		return "it is a link to a folder"
	case !info.Mode().IsRegular():
		return "it is not a file"
	}
	return ""
}

// content is the content of a file at one moment.
type content struct {
	size     int64
	modified time.Time
	body     []byte // nil if it is too large
}

// errMoving says that a file changed while it was being read.
var errMoving = errors.New("it changed while it was read; it is looked at again next time")

// stat returns the size and the date of a file.
func (f *folder) stat(name string) (content, error) {
	info, err := f.root.Stat(name)
	if err != nil {
		return content{}, err
	}
	return content{size: info.Size(), modified: stored(info.ModTime())}, nil
}

// stored returns a time with the database's precision.
func stored(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// read returns the content of a file. One that is too large has no body; one that
// changes meanwhile is errMoving. Opening never blocks, even if the name now belongs
// to a pipe.
func (f *folder) read(name string) (content, error) {
	file, err := f.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return content{}, err
	}
	defer func() { _ = file.Close() }()
	before, err := file.Stat()
	if err != nil {
		return content{}, err
	}
	if !before.Mode().IsRegular() {
		return content{}, errMoving
	}
	c := content{size: before.Size(), modified: stored(before.ModTime())}
	if c.size > maxFile {
		return c, nil
	}
	if c.body, err = io.ReadAll(io.LimitReader(file, maxFile+1)); err != nil {
		return content{}, err
	}
	after, err := file.Stat()
	if err != nil {
		return content{}, err
	}
	if after.Size() != c.size || int64(len(c.body)) != c.size || !after.ModTime().Equal(before.ModTime()) {
		return content{}, errMoving
	}
	return c, nil
}
