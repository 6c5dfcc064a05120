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
	"quaestor/research/reader"
	"quaestor/research/warehouse/duckdb"
	"quaestor/sessions/objectives"
)

func main() {
	if reader.IsChild(os.Args[1:]) { // the server's own child: it reads one file, where nothing that does can hurt the server
		os.Exit(reader.Child(os.Stdin, os.Stdout))
	}
	if len(os.Args) == 2 && os.Args[1] == duckdbChild { // another: the engine that reads files of data
		os.Exit(duckdb.Child(os.Stdin, os.Stdout))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	_ = godotenv.Load() // .env beside the program, if there is one; what the environment says wins
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "quaestor:", words(err))
		os.Exit(1)
	}
}

// io of a command.
type streams struct {
	out, err io.Writer
}

// run is the program: it carries out args and returns when done, or when ctx
// ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var c cli
	exited := false
	parser, err := kong.New(&c, kong.Name("quaestor"), kong.Description("A conversational discovery server."),
		kong.UsageOnError(), kong.Writers(stdout, stderr), kong.Exit(func(int) { exited = true }),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(&streams{stdout, stderr}), kong.Vars{"data_dir": defaultDataDir()})
	if err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	if len(args) > 0 && args[0] == "help" {
		args = append(args[1:], "--help")
	}
	command, err := parser.Parse(args)
	if exited { // help was asked for and given
		return nil
	}
	if err != nil {
		return withHelp(err)
	}
	return command.Run(&c.Settings)
}

// withHelp adds to what is wrong with a command where it is described.
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

// words returns what to tell people about err: the sentence of a fault, with what
// lies beneath it, else the whole chain.
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
