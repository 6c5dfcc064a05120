package duckdb

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/guard"
)

// Sample is the path that stands for the sample data.
const Sample = "sample"

// Connector opens files and folders. It is safe for concurrent use.
type Connector struct {
	// Child is the command that runs [Child], such as the path of this program with a
	// hidden subcommand.
	Child []string
	// Sample is the folder with the sample data, which make provision fills; empty if there
	// is none.
	Sample string
	// Roots are the folders below which files may be opened; nil means anywhere. Symbolic
	// links are resolved before the check. The sample data is always allowed.
	Roots []string
}

// Built reports whether this program contains the engine.
func Built() bool { return built }

// Kind returns duckdb.
func (c *Connector) Kind() warehouse.Kind { return warehouse.DuckDB }

// Dialect returns DuckDB's.
func (c *Connector) Dialect() guard.Dialect { return guard.DuckDB }

// Fields returns the only setting, the path.
func (c *Connector) Fields() []warehouse.Field {
	return []warehouse.Field{{
		Name: "path", Label: "File or folder", Required: true, Default: Sample,
		Help: "A DuckDB file, or a folder of CSV, Parquet and JSON files, by its full path on this server; or the word sample for the sample data.",
	}}
}

// Grant explains which file permissions are needed, because a file has no roles.
func (c *Connector) Grant(s warehouse.Settings) string {
	p := s.Options["path"]
	if p == "" || p == Sample {
		p = "/path/to/the/data"
	}
	p = "'" + strings.ReplaceAll(p, "'", `'\''`) + "'"
	return "# Files have no roles: being able to read them is all that is needed. They are opened\n" +
		"# for reading whatever their permissions say. As their owner, on the server:\n" +
		"chmod -R u=rwX,go=rX " + p + "\n"
}

// Open implements [warehouse.Connector]. Faults of the path are [*fault.Error]s for the field
// path. The child is started and the data opened before it returns.
func (c *Connector) Open(ctx context.Context, s warehouse.Settings) (warehouse.Conn, error) {
	if !built {
		return nil, fault.New(fault.Unavailable, "this program was built without DuckDB: install g++ and build again")
	}
	place, err := c.place(ctx, s.Options["path"])
	if err != nil {
		return nil, err
	}
	conn := newConn(c, place, s)
	if err := conn.reach(ctx); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

// place is the file or folder that a path stands for.
type place struct {
	file   string   // a DuckDB file; empty for a folder
	folder string   // empty for a file
	tables []source // of a folder
	sample bool     // it is the sample data, which has keys that DuckDB does not know
}

// place resolves a path and checks that it may be read.
func (c *Connector) place(ctx context.Context, path string) (place, error) {
	if path == "" || path == Sample {
		return c.samplePlace(ctx)
	}
	if !filepath.IsAbs(path) {
		return place{}, fault.New(fault.Unprocessable, "the path must begin with /, or be the word sample").At("path")
	}
	real, err := filepath.EvalSymlinks(path)
	switch {
	case os.IsPermission(err):
		return place{}, fault.New(fault.Unprocessable, "this server may not read %s", path).At("path").Because(err)
	case err != nil:
		return place{}, fault.New(fault.Unprocessable, "there is no file or folder %s on this server", path).At("path").Because(err)
	case !c.within(real):
		return place{}, fault.New(fault.Unprocessable, "%s is not in a folder that this server may read data from", path).At("path")
	}
	return placeOf(real)
}

// within reports whether a path without symbolic links is below one of the roots.
func (c *Connector) within(path string) bool {
	for _, root := range c.Roots {
		if r, err := filepath.EvalSymlinks(root); err == nil {
			root = r
		}
		if rel, err := filepath.Rel(root, path); err == nil && rel != ".." && !strings.HasPrefix(rel, "../") {
			return true
		}
	}
	return c.Roots == nil
}

// placeOf returns the file or folder at a path without symbolic links. A single data file becomes
// a folder with one table; any other file is taken for one of DuckDB.
func placeOf(path string) (place, error) {
	info, err := os.Stat(path)
	if err != nil {
		return place{}, fault.New(fault.Unprocessable, "this server cannot read %s", path).At("path").Because(err)
	}
	if info.IsDir() {
		return folderPlace(path)
	}
	if !info.Mode().IsRegular() {
		return place{}, fault.New(fault.Unprocessable, "%s is neither a file nor a folder", path).At("path")
	}
	f, err := os.Open(path)
	if err != nil {
		return place{}, fault.New(fault.Unprocessable, "this server may not read %s", path).At("path").Because(err)
	}
	_ = f.Close()
	if formatOf(path) != "" {
		return place{folder: filepath.Dir(path), tables: sources(filepath.Dir(path), []string{filepath.Base(path)})}, nil
	}
	return place{file: path}, nil
}

// folderPlace returns a folder, with a table for each of its data files. Subfolders and hidden
// files are skipped. Files are in the order of their names.
func folderPlace(path string) (place, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return place{}, fault.New(fault.Unprocessable, "this server may not list %s", path).At("path").Because(err)
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") && formatOf(e.Name()) != "" {
			names = append(names, e.Name())
		}
	}
	switch {
	case len(names) == 0:
		return place{}, fault.New(fault.Unprocessable, "%s holds no CSV, Parquet or JSON files", path).At("path")
	case len(names) > maxFiles:
		return place{}, fault.New(fault.Unprocessable, "%s holds %d files; at most %d are possible", path, len(names), maxFiles).At("path")
	}
	return place{folder: path, tables: sources(path, names)}, nil
}

// describe returns a description of the place for people.
func (p place) describe() string {
	switch {
	case p.sample:
		return "the sample data"
	case p.folder != "":
		return fmt.Sprintf("%d files of %s", len(p.tables), p.folder)
	default:
		return p.file
	}
}
