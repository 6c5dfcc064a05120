package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/erasure"
	"quaestor/internal/fault"
	"quaestor/internal/postgres/connect"
	"quaestor/migrations"
	"quaestor/research"
	"quaestor/research/documents"
)

// organisationCommand lists organisations, and erases them.
type organisationCommand struct {
	List  organisationList  `cmd:"" help:"List the organisations by name."`
	Erase organisationErase `cmd:"" help:"Delete an organisation for good, with everything it has. Backups still hold it."`
}

// withOwner is [withDatabase] with a connection of the role that owns the tables.
func withOwner(ctx context.Context, s *Settings, io *streams, f func(conn *pgx.Conn, d *database, log *slog.Logger) error) error {
	return withDatabase(ctx, s, io, func(d *database, log *slog.Logger) (err error) {
		c, err := connect.Config(d.url)
		if err != nil {
			return err
		}
		conn, err := pgx.ConnectConfig(ctx, c.ConnConfig)
		if err != nil {
			return fmt.Errorf("connect as the owner of the tables: %w", err)
		}
		defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
		return f(conn, d, log)
	})
}

// organisationList lists the organisations.
type organisationList struct{}

// Run prints a table of the organisations.
func (organisationList) Run(ctx context.Context, s *Settings, io *streams) error {
	return withOwner(ctx, s, io, func(conn *pgx.Conn, _ *database, _ *slog.Logger) error {
		list, err := erasure.List(ctx, conn)
		if err != nil {
			return err
		}
		return printTable(io.out, "NAME\tID\tSTATE", list, func(o erasure.Organisation) string {
			state := "in use"
			if o.Begun != nil {
				state = "being erased since " + o.Begun.Format(time.DateTime)
			}
			return fmt.Sprintf("%s\t%s\t%s", o.Name, o.ID, state)
		})
	})
}

// organisationErase deletes an organisation.
type organisationErase struct {
	Name           string `arg:"" help:"Name of the organisation, from the list."`
	Yes            bool   `help:"Do not ask for the name to be typed."`
	KeepFiles      bool   `help:"Leave the folders of its own files, of documents and warehouses, as they are."`
	IncludeHeld    bool   `help:"Erase it although interviews of it are held back from deletion."`
	IncludeDefault bool   `help:"Erase it although it is the only one, or the one that everybody on this machine acts in during development."`
}

// Run asks for the name to be typed, unless told not to, and erases the organisation. It may run while
// servers do, and goes on with an erasure that was interrupted.
func (c organisationErase) Run(ctx context.Context, s *Settings, io *streams) error {
	return withOwner(ctx, s, io, func(conn *pgx.Conn, d *database, log *slog.Logger) error {
		o, err := erasure.Find(ctx, conn, c.Name)
		if err != nil {
			return err
		}
		if err := c.mayErase(o); err != nil {
			return err
		}
		folders := c.folders(s, o)
		if err := c.confirm(o, folders, io); err != nil {
			return err
		}
		pool, err := connect.Open(ctx, d.url, connect.Options{MaxConns: 4})
		if err != nil {
			return err
		}
		defer pool.Close()
		queue, err := research.NewQueue(ctx, pool, research.QueueOptions{Log: quiet(log), Schema: migrations.RiverSchema, Workers: -1})
		if err != nil {
			return err
		}
		rows := 0
		err = erasure.Erase(ctx, erasure.Options{Conn: conn, Queue: queue, RiverSchema: migrations.RiverSchema, Folders: folders, Told: func(e erasure.Emptied) {
			rows += e.Rows
			_, _ = fmt.Fprintf(io.err, "%s: %d\n", e.Table, e.Rows) // progress
		}}, o.ID)
		if err != nil {
			return fmt.Errorf("%w; the organisation is closed: give the same command again to go on", err)
		}
		_, err = fmt.Fprintf(io.out, "Organisation %s is erased: %d rows. Backups still hold it, and servers that run may keep parts of it in memory until they are started again.\n", o.Name, rows)
		return err
	})
}

// mayErase returns a fault that names the flag by which an organisation is erased all the same. One whose
// erasure has begun goes on.
func (c organisationErase) mayErase(o erasure.Organisation) error {
	switch {
	case o.Begun != nil:
		return nil
	case (o.Only || o.Name == developmentTenant) && !c.IncludeDefault:
		return fault.New(fault.Conflict, "%s is the only organisation, or the one that everybody on this machine acts in during development; if you mean it, add --include-default", o.Name)
	case o.Held > 0 && !c.IncludeHeld:
		return fault.New(fault.Conflict, "%d interviews of %s are held back from deletion; release them, or add --include-held", o.Held, o.Name)
	}
	return nil
}

// folders returns the folders of the organisation's own files that are there: of documents, which is called
// by its name and would be given to the next organisation of that name, and of warehouses. In development
// both are shared with other things of this machine, and are not deleted.
func (c organisationErase) folders(s *Settings, o erasure.Organisation) []string {
	var out []string
	if c.KeepFiles || o.Name == developmentTenant {
		return nil
	}
	if root := s.documentsDir(); root != "" {
		if folder, err := documents.FolderOf(root, o.Name); err == nil { // a name that makes no folder has none
			out = append(out, folder)
		}
	}
	if s.WarehouseDir != "" {
		out = append(out, filepath.Join(s.WarehouseDir, o.ID))
	}
	return slices.DeleteFunc(out, func(folder string) bool { _, err := os.Lstat(folder); return err != nil })
}

// confirm asks for the name of the organisation to be typed. Any other answer, and none, is a Conflict.
func (c organisationErase) confirm(o erasure.Organisation, folders []string, io *streams) error {
	if c.Yes {
		return nil
	}
	_, _ = fmt.Fprintf(io.err, "This deletes %s for good: %d interviews, %d people, and everything else it has.\n", o.Name, o.Interviews, o.People)
	for _, folder := range folders {
		_, _ = fmt.Fprintf(io.err, "It deletes the files in %s.\n", folder)
	}
	_, _ = fmt.Fprint(io.err, "Type the name of the organisation to go on: ")
	line, err := bufio.NewReader(limited(io.in)).ReadString('\n')
	if strings.TrimRight(line, "\r\n") == o.Name {
		return nil
	}
	if err != nil && line == "" {
		return fault.New(fault.Conflict, "nothing was typed, and nothing is erased; scripts add --yes")
	}
	return fault.New(fault.Conflict, "that is not its name; nothing is erased")
}

// limited reads no more of what is typed than a name can take.
func limited(in io.Reader) io.Reader { return io.LimitReader(in, 4096) }
