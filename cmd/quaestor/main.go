package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/joho/godotenv"

	"quaestor/internal/fault"
	"quaestor/internal/postgres/cluster"
	"quaestor/research/reader"
	"quaestor/research/warehouse/duckdb"
	"quaestor/sessions/objectives"
)

func main() {
	// The server runs this program again as its own child for work on files that others
	// wrote: reading a document, and running DuckDB. What crashes there does not reach
	// the server. Neither child reads settings.
	if reader.IsChild(os.Args[1:]) {
		os.Exit(reader.Child(os.Stdin, os.Stdout))
	}
	if len(os.Args) == 2 && os.Args[1] == duckdbChild {
		os.Exit(duckdb.Child(os.Stdin, os.Stdout))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	_ = godotenv.Load() // .env in the working folder, if there is one; variables that are set already win
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "quaestor:", words(err))
		os.Exit(1)
	}
}

// streams are where a command writes: results to out, progress and logs to err; and where it reads what
// is typed.
type streams struct {
	out, err io.Writer
	in       io.Reader
}

// run carries out the command in args. It returns when the command is done or when
// ctx ends, and writes nothing but to stdout and stderr, so tests can call it. Only commands
// that ask before they delete read what is typed.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var c cli
	exited := false
	parser, err := kong.New(&c, kong.Name("quaestor"), kong.Description("A conversational discovery server."),
		kong.UsageOnError(), kong.Writers(stdout, stderr), kong.Exit(func(int) { exited = true }),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(&streams{stdout, stderr, os.Stdin}), kong.Vars{"data_dir": cluster.DefaultDataDir()})
	if err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	if len(args) > 0 && args[0] == "help" {
		args = append(args[1:], "--help")
	}
	command, err := parser.Parse(args)
	if exited { // the help has been printed
		return nil
	}
	if err != nil {
		return withHelp(err)
	}
	return command.Run(&c.Settings)
}

// withHelp adds to an error of the command line which help describes the command.
func withHelp(err error) error {
	var wrong *kong.ParseError
	if !errors.As(err, &wrong) {
		return err
	}
	about := "quaestor"
	if path := wrong.Context.Command(); path != "" {
		about += " " + path
	}
	return fmt.Errorf("%w (see: %s --help)", err, about)
}

// words returns err as the operator reads it. A fault's own message leaves out its
// cause, which people who talk must not see; the operator gets it in brackets.
func words(err error) string {
	var all objectives.Faults
	if errors.As(err, &all) {
		return all.Error()
	}
	var f *fault.Error
	if errors.As(err, &f) && errors.Unwrap(f) != nil {
		return err.Error() + " (" + errors.Unwrap(f).Error() + ")"
	}
	return err.Error()
}
