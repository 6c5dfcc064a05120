package language

import (
	"io/fs"
	"path"
	"strings"
	"sync"
)

// extension is the data of languages that are not the program's own. It is set before anything is read.
var extension struct {
	sync.Mutex // guards what is below
	files      fs.FS
	read       bool
}

// Extend adds languages to those of the program: the files lexicon/<tag>.txt, patterns/<tag>.txt, gloss/<tag>.txt and
// messages/<tag>.txt of more. It is called once, when a program begins, and panics when a language was read already.
func Extend(more fs.FS) {
	extension.Lock()
	defer extension.Unlock()
	if extension.read || extension.files != nil {
		panic("language: Extend comes before anything is read, and once")
	}
	extension.files = more
}

// DataFiles returns the texts of the files <tag>.txt in a folder of own and in the folder kind of what [Extend] added, by
// their tags. It panics for files that cannot be read: a program without its languages must not start.
func DataFiles(own fs.FS, folder, kind string) map[string]string {
	extension.Lock()
	defer extension.Unlock()
	extension.read = true
	out := make(map[string]string)
	readFiles(out, own, folder)
	if extension.files != nil {
		if _, err := fs.Stat(extension.files, kind); err == nil {
			readFiles(out, extension.files, kind)
		}
	}
	return out
}

func readFiles(out map[string]string, from fs.FS, folder string) {
	names, err := fs.Glob(from, path.Join(folder, "*.txt"))
	if err != nil {
		panic(err)
	}
	for _, n := range names {
		body, err := fs.ReadFile(from, n)
		if err != nil {
			panic(err)
		}
		out[strings.TrimSuffix(path.Base(n), ".txt")] = string(body)
	}
}
