package static

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// asset is one file as it is served.
type asset struct {
	file string // hashed name, such as "app.1f2e3d4c.css"
	body []byte
}

// bundle is all files of a folder.
type bundle struct {
	shared *Files           // whose modules these may import; nil for none
	byName map[string]asset // by the name in the folder
	byFile map[string]asset // by the hashed name
}

func newBundle(files fs.FS, shared *Files) (*bundle, error) {
	b := &bundle{shared: shared, byName: map[string]asset{}, byFile: map[string]asset{}}
	own, err := fs.Glob(files, "*.*")
	if err != nil {
		return nil, err
	}
	others, err := fs.Glob(files, "vendor/*.*")
	if err != nil {
		return nil, err
	}
	for _, name := range append(own, others...) {
		if _, err := b.add(files, name, nil); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// importLine matches the place of a module's name in a static import.
var importLine = regexp.MustCompile(`(?m)^(import .*|\} from |import )"(\./|\.\./static/)([a-z]+\.js)";`)

// add hashes the file called name after the modules it imports; above lists
// those that are waiting for it.
func (b *bundle) add(files fs.FS, name string, above []string) (asset, error) {
	if a, ok := b.byName[name]; ok {
		return a, nil
	}
	if slices.Contains(above, name) {
		return asset{}, fmt.Errorf("modules import each other in a circle: %s", strings.Join(append(above, name), " > "))
	}
	body, err := fs.ReadFile(files, name)
	if err != nil {
		return asset{}, err
	}
	if body, err = b.rename(files, name, body, append(above, name)); err != nil {
		return asset{}, err
	}
	sum := sha256.Sum256(body)
	ext := path.Ext(name)
	a := asset{file: strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:4]) + ext, body: body}
	b.byName[name], b.byFile[a.file] = a, a
	return a, nil
}

// imported returns the module that is imported from a folder: its own, or that of this
// package.
func (b *bundle) imported(files fs.FS, folder, name string, above []string) (asset, error) {
	if folder == "./" {
		return b.add(files, name, above)
	}
	if b.shared != nil {
		if a, ok := b.shared.bundle().byName[name]; ok {
			return a, nil
		}
	}
	return asset{}, fmt.Errorf("there is no shared module %s", name)
}

// rename replaces the names of imported modules by their hashed ones.
func (b *bundle) rename(files fs.FS, name string, body []byte, above []string) ([]byte, error) {
	if path.Ext(name) != ".js" {
		return body, nil
	}
	var failed error
	out := importLine.ReplaceAllFunc(body, func(line []byte) []byte {
		m := importLine.FindSubmatch(line)
		a, err := b.imported(files, string(m[2]), string(m[3]), above)
		if err != nil && failed == nil {
			failed = fmt.Errorf("%s: %w", name, err)
		}
		return fmt.Appendf(nil, `%s"./%s";`, m[1], a.file)
	})
	return out, failed
}
