// Bench measures what a turn costs.
//
// It starts everything itself on loopback and ends it again by process id: a
// private PostgreSQL with fsync on, a scripted model, the real quaestor program,
// and two floors that any chat server would have to pay for as well:
//
//	floor-proxy    net/http between person and model, no database
//	floor-readtx   the same, one batch of reads before the model and one batch of
//	               writes after it
//
// Milliseconds depend on the machine, ratios to the floors of the same run far
// less; so every goal is judged by ratio where there is a floor for it. The
// model's own time is never counted: its pieces carry the instant they were sent.
// See docs/benchmarks.md for what the columns mean.
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

// options say what is measured, and for how long.
type options struct {
	bin      string // quaestor program; empty builds it
	dir      string // where temporary data goes; empty means the system's place
	keep     bool   // leave the temporary data
	only     string // measure these parts only, by name, comma-separated; empty means all
	streams  []int
	patience time.Duration // how long to wait before each load for others to come to rest
	warm     time.Duration // before a window
	window   time.Duration // of each load
	pieces   int           // of a reply
	every    time.Duration // between two pieces, at more than one stream
	flat     int           // clients that never wait
	held     int           // streams and listeners held open
	depth    int           // turns of the long session
	starts   int           // cold starts
	orders   int           // pieces of research whose pick-up is timed
	backlog  int           // pieces of research that pile up
	jobs     int           // empty jobs that pile up
	rows     int           // sessions the table grows to
	floor    floorOptions  // set in a process that is a floor
}

// short makes every part brief: enough to see that it works, too little to
// judge by.
func (o *options) short() {
	o.streams, o.warm, o.window, o.every = []int{1, 20}, 600*time.Millisecond, time.Second, 20*time.Millisecond
	o.held, o.depth, o.starts, o.rows = 100, 60, 1, 2000
	o.orders, o.backlog, o.jobs = 40, 100, 2000
}

func parse(args []string, out io.Writer) (options, error) {
	o := options{}
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(out)
	streams := f.String("streams", "1,50,500", "concurrent streams, one load each")
	brief := f.Bool("short", false, "a smoke run of about a minute; its figures are no measurement")
	f.StringVar(&o.bin, "bin", "", "quaestor program to measure; empty builds it")
	f.StringVar(&o.dir, "dir", "", "folder for temporary data, on the disk to measure")
	f.BoolVar(&o.keep, "keep", false, "leave the temporary data")
	f.StringVar(&o.only, "only", "", "parts to measure: "+strings.Join(partNames(), ","))
	f.DurationVar(&o.patience, "patience", 0, "longest to wait before each load until nothing else uses the machine")
	f.DurationVar(&o.warm, "warm", 5*time.Second, "warm-up before each window")
	f.DurationVar(&o.window, "window", 9*time.Second, "length of each load's window")
	f.IntVar(&o.pieces, "pieces", 40, "pieces of a reply")
	f.DurationVar(&o.every, "every", 100*time.Millisecond, "time between two pieces when there is more than one stream")
	f.IntVar(&o.flat, "flat", 64, "clients that never wait")
	f.IntVar(&o.held, "held", 1000, "streams and listeners held open")
	f.IntVar(&o.depth, "depth", 1000, "turns of the long session")
	f.IntVar(&o.starts, "starts", 5, "cold starts")
	f.IntVar(&o.orders, "orders", 200, "pieces of research whose pick-up is timed")
	f.IntVar(&o.backlog, "backlog", 500, "pieces of research that pile up")
	f.IntVar(&o.jobs, "jobs", 10_000, "empty jobs that pile up")
	f.IntVar(&o.rows, "rows", 100_000, "sessions the table grows to; 1000000 takes some minutes more")
	f.StringVar(&o.floor.kind, "floor", "", "be a floor: proxy or readtx (used by the program itself)")
	f.StringVar(&o.floor.model, "model-url", "", "model of a floor")
	f.StringVar(&o.floor.database, "database-url", "", "database of a floor")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("unknown argument %q", f.Arg(0))
	}
	var err error
	if o.streams, err = numbers(*streams); err == nil && *brief {
		o.short()
	}
	return o, err
}

// numbers reads a list such as "1,50,500".
func numbers(list string) ([]int, error) {
	var out []int
	for _, word := range strings.Split(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("streams must be numbers from 1 on, such as 1,50,500, not %q", list)
		}
		out = append(out, n)
	}
	return out, nil
}

func run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parse(args, out)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	if o.floor.kind != "" {
		return serveFloor(ctx, o.floor, out)
	}
	b := &bench{options: o, out: out, clock: newClock()}
	return b.run(ctx)
}
