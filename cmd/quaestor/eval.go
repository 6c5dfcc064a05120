package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/chat"
	"quaestor/chat/eval"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/migrations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// evalCommand measures interviews. docs/evaluation.md explains the measures.
type evalCommand struct {
	Run         evalRun         `cmd:"" help:"Interview simulated people and write a scorecard."`
	Calibration evalCalibration `cmd:"" help:"Say how honest the confidences of real sessions were."`
	Talks       evalTalks       `cmd:"" help:"Have people talk freely about objectives of unseen domains, and count the faults of every turn."`
	Prompts     evalPrompts     `cmd:"" help:"Interview with scripted models, obedient and others, and say what the prompts and the checks of replies make of them."`
	Compare     evalCompare     `cmd:"" help:"Print two scorecards side by side."`
}

// evalRun interviews simulated people and measures the interviews.
type evalRun struct {
	Context     []string `help:"Only personas of these contexts." placeholder:"CONTEXT"`
	Persona     []string `help:"Only these personas, by name; or files of your own." placeholder:"NAME|FILE"`
	Interviewer string   `help:"rules or model." enum:"rules,model" default:"rules"`
	Turns       int      `help:"Most turns of an interview; 0 means the objective's budget."`
	Parallel    int      `help:"Interviews at once." default:"4"`
	Label       string   `help:"What the scorecard is called; the version when absent."`
	JSON        string   `name:"json" help:"File for the scorecard as JSON." placeholder:"FILE" type:"path"`
	Markdown    string   `name:"markdown" help:"File for the scorecard as Markdown; stdout when neither is given." placeholder:"FILE" type:"path"`
	Transcripts string   `help:"Folder for every conversation as Markdown." placeholder:"DIR" type:"path"`
	Tenant      string   `help:"Tenant whose objectives are used and who keeps the sessions." default:"evaluation"`
}

// Run holds the interviews and writes the scorecard. It fails after that when one of
// the rules that every interview must keep was breached.
func (c evalRun) Run(ctx context.Context, s *Settings, io *streams) error {
	return withPool(ctx, s, io, c.Tenant, func(pool *pgxpool.Pool, t auth.Tenant) error {
		library := objectives.NewLibrary(pool)
		if err := library.Ship(ctx, t.ID); err != nil {
			return err
		}
		personas, err := c.personas(ctx, library, t.ID)
		if err != nil {
			return err
		}
		engine, done, err := c.engine(ctx, s, pool, library)
		if err != nil {
			return err
		}
		defer done()
		card, err := eval.RunAll(ctx, eval.Options{Engine: engine, Tenant: t.ID, Personas: personas, Budget: eval.Budget{Turns: c.Turns}, Parallel: c.Parallel, Label: cmp.Or(c.Label, version())},
			func(held eval.Interview) { c.tell(io.err, held) })
		if err != nil {
			return err
		}
		return c.write(io.out, &card)
	})
}

// personas returns the simulated people that the flags choose: shipped ones that
// match both --context and --persona, and those read from files.
func (c evalRun) personas(ctx context.Context, l *objectives.Library, tenant string) ([]eval.Persona, error) {
	shipped, err := eval.Shipped(time.Now().Year())
	if err != nil {
		return nil, err
	}
	var out []eval.Persona
	for _, p := range shipped {
		if (len(c.Context) == 0 || slices.Contains(c.Context, p.Context)) && (len(c.Persona) == 0 || slices.Contains(c.Persona, p.Name)) {
			out = append(out, p)
		}
	}
	for _, file := range c.Persona {
		if slices.ContainsFunc(shipped, func(p eval.Persona) bool { return p.Name == file }) {
			continue
		}
		p, err := c.read(ctx, l, tenant, file)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		return nil, fault.New(fault.Invalid, "no persona is of that name and context").At("persona")
	}
	return out, nil
}

// read reads a persona from a file. It is checked against the active objective of the
// one context that is asked for.
func (c evalRun) read(ctx context.Context, l *objectives.Library, tenant, file string) (eval.Persona, error) {
	data, err := os.ReadFile(file) // the file the person named
	if err != nil {
		return eval.Persona{}, fault.New(fault.Invalid, "%s is neither a shipped persona nor a file that can be read", file).At("persona").Because(err)
	}
	if len(c.Context) != 1 {
		return eval.Persona{}, fault.New(fault.Invalid, "a persona of your own needs one --context to talk about").At("context")
	}
	o, err := l.Active(ctx, tenant, c.Context[0])
	if err != nil {
		return eval.Persona{}, err
	}
	return eval.ParsePersona(file, data, time.Now().Year(), o.Definition)
}

// engine returns an engine as a server has it, but without the server: turns are
// taken through it directly, and its queue works no jobs. done waits for running
// turns and closes it.
func (c evalRun) engine(ctx context.Context, s *Settings, pool *pgxpool.Pool, library *objectives.Library) (engine *chat.Engine, done func(), err error) {
	log := slog.New(slog.DiscardHandler)
	var model chat.Interviewer
	if c.Interviewer == "model" {
		if model, err = (sessionReplay{Interviewer: "model"}).interviewer(s); err != nil {
			return nil, nil, err
		}
	}
	without, err := newRules(s)
	if err != nil {
		return nil, nil, err
	}
	queue, err := research.NewQueue(ctx, pool, research.QueueOptions{Schema: migrations.RiverSchema, Workers: -1, Log: log})
	if err != nil {
		return nil, nil, err
	}
	instance := uuid.NewString()
	hub := sessions.NewHub(pool, log, instance)
	engine, err = chat.New(chat.Options{Pool: pool, Hub: hub, Library: library, Queue: queue, Rules: without, Model: model, Instance: instance, Log: log,
		Tenants: tenantIDs(pool), ModelCalls: s.ModelCalls, QuestionWait: s.QuestionWait, TurnLimit: s.TurnLimit})
	if err != nil {
		hub.Close()
		return nil, nil, err
	}
	return engine, func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.DrainLimit)
		defer cancel()
		engine.Drain(end)
		hub.Close()
	}, nil
}

// tell reports an interview when it ends: a line of progress on out, and its
// transcript if those are kept. A transcript that cannot be written does not stop the
// measuring.
func (c evalRun) tell(out io.Writer, held eval.Interview) {
	verdict := "ok"
	if n := len(held.Result.Breaches()); n > 0 {
		verdict = fmt.Sprintf("%d breaches", n)
	}
	_, _ = fmt.Fprintf(out, "%s/%s: %d turns, %s, %s\n", held.Persona.Context, held.Persona.Name, held.Result.Turns, held.Result.Stop, verdict) // progress only; the results come later
	if c.Transcripts == "" {
		return
	}
	var page bytes.Buffer
	err := held.Transcript.Markdown(&page)
	if err == nil {
		err = writeFile(filepath.Join(c.Transcripts, held.Persona.Context+"-"+held.Persona.Name+".md"), page.Bytes())
	}
	if err != nil {
		_, _ = fmt.Fprintf(out, "transcript: %v\n", err) // see above
	}
}

// writeFile writes a file that others may read, and makes its folder.
func writeFile(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil { // holds no secrets
		return err
	}
	return os.WriteFile(file, data, 0o644) // not a secret
}

// write writes the scorecard in the forms asked for, Markdown on out when none is, and
// returns a fault when there were breaches.
func (c evalRun) write(out io.Writer, card *eval.Scorecard) error {
	for file, form := range map[string]func(io.Writer) error{c.JSON: card.JSON, c.Markdown: card.Markdown} {
		if file == "" {
			continue
		}
		var b bytes.Buffer
		if err := form(&b); err != nil {
			return err
		}
		if err := writeFile(file, b.Bytes()); err != nil {
			return fault.New(fault.Invalid, "%s cannot be written", file).Because(err)
		}
	}
	if c.JSON == "" && c.Markdown == "" {
		if err := card.Markdown(out); err != nil {
			return err
		}
	}
	// Breaches are counted last: the scorecard that explains them is written by now.
	breaches := 0
	for i := range card.Runs {
		breaches += len(card.Runs[i].Breaches())
	}
	if breaches > 0 {
		return fault.New(fault.Conflict, "%d breaches of what must hold; the scorecard names them", breaches)
	}
	return nil
}

// evalCalibration measures how honest the confidences of real sessions were, by what
// people confirmed and rejected.
type evalCalibration struct {
	Context string `help:"Only sessions of this context."`
	Format  string `help:"md or json." enum:"md,json" default:"md"`
	Tenant  string `help:"Tenant." default:"development"`
}

// Run prints the Brier score, the expected calibration error and the reliability bins
// of the values that were confirmed or rejected.
func (c evalCalibration) Run(ctx context.Context, s *Settings, io *streams) error {
	return withPool(ctx, s, io, c.Tenant, func(pool *pgxpool.Pool, t auth.Tenant) error {
		got, err := eval.CalibrationOf(ctx, pool, t.ID, c.Context)
		if err != nil {
			return err
		}
		if c.Format == "json" {
			return printJSON(io.out, got)
		}
		return got.Markdown(io.out)
	})
}

// evalCompare compares two scorecards.
type evalCompare struct {
	First string `arg:"" type:"existingfile" help:"Scorecard, JSON."`
	Other string `arg:"" type:"existingfile" help:"Scorecard, JSON."`
}

// Run prints two scorecards side by side. It needs no database.
func (c evalCompare) Run(io *streams) error {
	var cards [2]eval.Scorecard
	for i, file := range []string{c.First, c.Other} {
		data, err := readFile(file)
		if err != nil {
			return err
		}
		if cards[i], err = eval.ReadScorecard(data); err != nil {
			return err
		}
	}
	return eval.Compare(io.out, &cards[0], &cards[1])
}
