package cluster

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
)

// Server is an installed PostgreSQL.
type Server struct {
	Bin     string // folder of initdb and postgres, absolute
	Version string // such as "15.18"
	Major   int
	Vector  string // version of pgvector that comes with it; empty if none
}

// Candidate is a place where a server was looked for.
type Candidate struct {
	Server
	Why string // why it cannot be used, as a sentence for people; empty if it can
}

// FindOptions configure where [Find] and [Candidates] look.
type FindOptions struct {
	Bin     string // use this folder or none; empty means $QUAESTOR_PG_BIN, and if that is empty too, search
	DataDir string // its pgsql folder is searched as well; may be empty
	Major   int    // accept this major version only; zero accepts any supported one
}

// Find returns the newest usable server; a private copy is preferred to a
// system's server of the same major. When there is none the error is a fault
// of kind Unavailable that says what would help.
func Find(ctx context.Context, o FindOptions) (Server, error) {
	all := Candidates(ctx, o)
	for _, c := range all {
		if c.Why == "" {
			return c.Server, nil
		}
	}
	if o.bin() != "" {
		return Server{}, fault.New(fault.Unavailable, "QUAESTOR_PG_BIN cannot be used: %s", all[0].Why)
	}
	if o.Major != 0 {
		return Server{}, fault.New(fault.Unavailable,
			"the data was made by PostgreSQL %d, and no server of that version with pgvector was found; install postgresql-%d and run `make provision`", o.Major, o.Major)
	}
	return Server{}, fault.New(fault.Unavailable,
		"no PostgreSQL %d or newer with pgvector was found; run `make provision`, or set DATABASE_URL", postgres.MinVersion)
}

// Candidates returns every server that was looked at, newest major first, with
// the reason why it cannot be used, if any. It runs "postgres --version" and
// "pg_config --sharedir" of each.
func Candidates(ctx context.Context, o FindOptions) []Candidate {
	if bin := o.bin(); bin != "" {
		return []Candidate{inspect(ctx, bin, o.Major)}
	}
	var list []Candidate
	for _, bin := range binDirs(o.DataDir) {
		list = append(list, inspect(ctx, bin, o.Major))
	}
	slices.SortStableFunc(list, func(a, b Candidate) int { return cmp.Compare(b.Major, a.Major) })
	return list
}

func (o FindOptions) bin() string { return cmp.Or(o.Bin, os.Getenv("QUAESTOR_PG_BIN")) }

// binDirs returns the folders that hold a postgres program, private copies
// first, each once.
func binDirs(dataDir string) []string {
	var patterns []string
	if dataDir != "" {
		patterns = append(patterns, filepath.Join(dataDir, "pgsql/usr/lib/postgresql/*/bin"))
	}
	if dir := ServerDir(); dir != "" {
		patterns = append(patterns, filepath.Join(dir, "usr/lib/postgresql/*/bin"))
	}
	patterns = append(patterns,
		"/var/lib/quaestor/runtime/pgsql/usr/lib/postgresql/*/bin", // root's serves everybody
		"/usr/lib/postgresql/*/bin",
		"/opt/homebrew/opt/postgresql@*/bin",
		"/usr/local/opt/postgresql@*/bin",
		"/usr/pgsql-*/bin")
	var dirs []string
	add := func(dir string) {
		if isProgram(filepath.Join(dir, "postgres")) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for _, p := range patterns {
		found, _ := filepath.Glob(p) // fails on a malformed pattern only, and ours are not
		for _, dir := range found {
			add(dir)
		}
	}
	if onPath := pathDir(); onPath != "" {
		add(onPath)
	}
	return dirs
}

// pathDir returns the folder of the postgres program on PATH, links resolved.
func pathDir() string {
	program, err := exec.LookPath("postgres")
	if err != nil {
		return ""
	}
	program, err = filepath.EvalSymlinks(program)
	if err != nil {
		return ""
	}
	return filepath.Dir(program)
}

func isProgram(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0
}

// inspect looks at one bin folder. A major other than zero is required.
func inspect(ctx context.Context, bin string, major int) Candidate {
	c := Candidate{Server: Server{Bin: bin}}
	for _, name := range []string{"initdb", "postgres"} {
		if !isProgram(filepath.Join(bin, name)) {
			c.Why = fmt.Sprintf("%s has no program %s", bin, name)
			return c
		}
	}
	out, err := exec.CommandContext(ctx, filepath.Join(bin, "postgres"), "--version").Output()
	if err != nil {
		c.Why = fmt.Sprintf("the server in %s does not run: %v", bin, err)
		return c
	}
	c.Version, c.Major = parseVersion(string(out))
	c.Vector = vectorVersion(ctx, bin, c.Major)
	c.Why = c.Server.unfit(major)
	return c
}

// unfit returns why s cannot be used, or an empty string.
func (s Server) unfit(major int) string {
	switch {
	case s.Major == 0:
		return fmt.Sprintf("the server in %s does not tell its version", s.Bin)
	case s.Major < postgres.MinVersion:
		return fmt.Sprintf("PostgreSQL %s in %s is older than %d", s.Version, s.Bin, postgres.MinVersion)
	case major != 0 && s.Major != major:
		return fmt.Sprintf("PostgreSQL %s in %s cannot open data made by PostgreSQL %d", s.Version, s.Bin, major)
	case s.Vector == "":
		return fmt.Sprintf("PostgreSQL %s in %s has no pgvector; run `make provision`", s.Version, s.Bin)
	case older(s.Vector, oldestVector):
		return fmt.Sprintf("PostgreSQL %s in %s has pgvector %s, and %s is the oldest that will do", s.Version, s.Bin, s.Vector, oldestVector)
	}
	return ""
}

// vectorVersion returns the version of pgvector that the server in bin would
// load, or an empty string.
func vectorVersion(ctx context.Context, bin string, major int) string {
	shares := []string{
		filepath.Join(bin, "../share/postgresql"),
		filepath.Join(bin, "../../../../share/postgresql", strconv.Itoa(major)),
	}
	if out, err := exec.CommandContext(ctx, filepath.Join(bin, "pg_config"), "--sharedir").Output(); err == nil {
		shares = []string{strings.TrimSpace(string(out))}
	}
	for _, share := range shares {
		b, err := os.ReadFile(filepath.Join(share, "extension", "vector.control"))
		if err == nil {
			return parseControl(string(b))
		}
	}
	return ""
}
