package postgrestest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"quaestor/migrations"
)

const (
	templatePrefix = "template_"
	clonePrefix    = "test_"
)

// keptTemplates is how many older templates stay: a process that began before the
// migrations were edited still clones from its own.
const keptTemplates = 3

// template makes the migrated template, if no other process has, and returns its
// name.
func template(ctx context.Context, super string) (string, error) {
	name := templatePrefix + migrations.Hash() + "_" + sourceHash()
	err := withServer(ctx, super, func(conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(hashtext('quaestor test template'))`); err != nil {
			return err
		}
		var known bool
		err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, name).Scan(&known)
		if err != nil || known {
			return err
		}
		return buildTemplate(ctx, super, name)
	})
	if err != nil {
		return "", fmt.Errorf("test template %s: %w", name, err)
	}
	return name, nil
}

// buildTemplate migrates a database under another name and gives it its own when
// it is complete. Nobody may connect to it then: a clone needs it idle.
func buildTemplate(ctx context.Context, super, name string) error {
	building := templatePrefix + "building"
	if err := dropOldTemplates(ctx, super, building); err != nil {
		return err
	}
	if err := onServer(ctx, super, `CREATE DATABASE `+building); err != nil {
		return err
	}
	if err := migrations.Up(ctx, at(super, building)); err != nil {
		return err
	}
	if err := onServer(ctx, super, `ALTER DATABASE `+building+` WITH ALLOW_CONNECTIONS false`); err != nil {
		return err
	}
	return onServer(ctx, super, `ALTER DATABASE `+building+` RENAME TO `+name)
}

// dropOldTemplates drops what a killed process left unfinished, and all complete
// templates but the newest.
func dropOldTemplates(ctx context.Context, super, building string) error {
	if err := drop(ctx, super, building); err != nil {
		return err
	}
	return dropTemplates(ctx, super, keptTemplates)
}

// dropTemplates drops all templates but the newest ones, as many as keep says.
func dropTemplates(ctx context.Context, super string, keep int) error {
	names, err := databases(ctx, super, templatePrefix+"%")
	if err != nil {
		return err
	}
	for _, name := range names[min(keep, len(names)):] {
		if err := drop(ctx, super, name); err != nil {
			return fmt.Errorf("drop %s: %w", name, err)
		}
	}
	return nil
}

// sourceHash stands for what shapes the schema beside the SQL files: the code
// that applies them and the version of River, whose tables come along. Where
// there is no source to read, it is the hash of nothing.
func sourceHash() string {
	root := moduleRoot()
	paths, _ := filepath.Glob(filepath.Join(root, "migrations", "*.go")) // fails on a malformed pattern only
	h := sha256.New()
	for _, path := range append(paths, filepath.Join(root, "go.mod")) {
		if b, err := os.ReadFile(path); err == nil {
			_, _ = h.Write(b)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:4])
}

// cloneName returns the name of this process's database n.
func cloneName(n int64) string {
	return fmt.Sprintf("%s%d_%d", clonePrefix, os.Getpid(), n)
}

// madeBy returns the process that made the database of that name.
func madeBy(name string) (pid int, ok bool) {
	rest, ok := strings.CutPrefix(name, clonePrefix)
	if !ok {
		return 0, false
	}
	digits, _, _ := strings.Cut(rest, "_")
	pid, err := strconv.Atoi(digits)
	return pid, err == nil && pid > 1
}

// clone makes a database from the template. Copying files takes half the time of
// writing the copy to the log, which is the default.
func clone(ctx context.Context, super, template, name string) error {
	return onServer(ctx, super, `CREATE DATABASE `+name+` TEMPLATE `+template+` STRATEGY FILE_COPY`)
}

// drop drops a database and ends the connections to it.
func drop(ctx context.Context, super, name string) error {
	return onServer(ctx, super, `DROP DATABASE IF EXISTS `+pgx.Identifier{name}.Sanitize()+` WITH (FORCE)`)
}

// databases returns the names that are LIKE the pattern, newest first.
func databases(ctx context.Context, super, pattern string) ([]string, error) {
	var names []string
	err := withServer(ctx, super, func(conn *pgx.Conn) error {
		rows, err := conn.Query(ctx, `SELECT datname FROM pg_database WHERE datname LIKE $1 ORDER BY oid DESC`, strings.ReplaceAll(pattern, "_", `\_`))
		if err != nil {
			return err
		}
		names, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	return names, err
}

// onServer runs one statement outside any test's database.
func onServer(ctx context.Context, super, sql string) error {
	return withServer(ctx, super, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, sql)
		return err
	})
}

func withServer(ctx context.Context, super string, f func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, at(super, "postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // also after ctx has ended
	return f(conn)
}

// at returns the address with another database.
func at(super, database string) string {
	u, err := url.Parse(super)
	if err != nil {
		panic(err) // the cluster's own address
	}
	u.Path = "/" + database
	return u.String()
}
