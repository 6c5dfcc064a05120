// Bench measures what a person and the operator feel of a turn.
//
// It starts everything itself on loopback and ends it again by process id: a
// private PostgreSQL with fsync on, a scripted model that is as slow as real ones
// are, and the real quaestor program. See docs/benchmarks.md for what the columns
// mean.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// options choose what is measured, and for how long.
type options struct {
	bin     string // quaestor program; empty builds it
	dir     string // where temporary data goes; empty means the system's place
	keep    bool   // leave the temporary data
	only    string // measure these parts only, by name, comma-separated; empty means all
	talkers []int
	pace    pace          // of the model
	think   time.Duration // between the end of one turn and the start of the next
	warm    time.Duration // before a window
	window  time.Duration // of each load
	idle    int           // streams, and as many websockets, held open
	rows    int           // sessions the tables grow to
	calls   int           // spoken sessions at once
}

// short makes every part brief: enough to see that it works, too little to
// judge by.
func (o *options) short() {
	o.talkers, o.pace, o.think = []int{1, 10}, pace{first: 50 * time.Millisecond, every: 2 * time.Millisecond}, 100*time.Millisecond
	o.warm, o.window, o.idle, o.rows, o.calls = time.Second, 2*time.Second, 50, 2000, 10
}

// parse reads the command line; help is written to out.
func parse(args []string, out io.Writer) (options, error) {
	o := options{}
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(out)
	talkers := f.String("talkers", "1,50", "people who talk at once, one load each")
	brief := f.Bool("short", false, "a smoke run of about a minute; its figures are no measurement")
	f.StringVar(&o.bin, "bin", "", "quaestor program to measure; empty builds it")
	f.StringVar(&o.dir, "dir", "", "folder for temporary data, on the disk to measure")
	f.BoolVar(&o.keep, "keep", false, "leave the temporary data")
	f.StringVar(&o.only, "only", "", "parts to measure: "+strings.Join(partNames(), ","))
	f.DurationVar(&o.pace.first, "first", 500*time.Millisecond, "time the model takes to its first token")
	f.DurationVar(&o.pace.every, "every", 20*time.Millisecond, "time between two tokens of the model")
	f.DurationVar(&o.think, "think", time.Second, "time a person takes before answering")
	f.DurationVar(&o.warm, "warm", 10*time.Second, "warm-up before each window")
	f.DurationVar(&o.window, "window", 40*time.Second, "length of each load's window")
	f.IntVar(&o.idle, "idle", 1000, "event streams, and as many websockets, held open")
	f.IntVar(&o.rows, "rows", 100_000, "sessions the tables grow to")
	f.IntVar(&o.calls, "calls", 50, "spoken sessions at once")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("unknown argument %q", f.Arg(0))
	}
	var err error
	if o.talkers, err = numbers(*talkers); err == nil && *brief {
		o.short()
	}
	return o, err
}

// numbers reads a list such as "1,50".
func numbers(list string) ([]int, error) {
	var out []int
	for _, word := range strings.Split(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("talkers must be numbers from 1 on, such as 1,50, not %q", list)
		}
		out = append(out, n)
	}
	return out, nil
}

// run is the program.
func run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parse(args, out)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	b := &bench{options: o, out: out, clock: newClock()}
	return b.run(ctx)
}
