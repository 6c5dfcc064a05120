package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/chat"
	"quaestor/chat/eval"
	"quaestor/chat/eval/scripted"
	"quaestor/chat/model"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/listening"
	"quaestor/internal/listening/dialogs"
	"quaestor/internal/llm"
	"quaestor/migrations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// evalPrompts measures the prompts of the interviewer with a model, and the checks of what
// it says.
type evalPrompts struct {
	Behaviour []string      `help:"Scripted models: obedient, wordy, disobedient, weak, foreign, injected; or real, which is the configured one. All scripted ones when absent." placeholder:"NAME"`
	Talks     int           `help:"Most talks of a model; 0 means all." default:"0"`
	Parallel  int           `help:"Talks at once." default:"4"`
	First     time.Duration `help:"Time of a scripted model to its first token." default:"0s"`
	Every     time.Duration `help:"Time between two tokens of a scripted model." default:"0s"`
	Against   string        `help:"Report of another version of the prompts, to print beside this one." placeholder:"FILE" type:"existingfile"`
	JSON      string        `name:"json" help:"File for the report as JSON." placeholder:"FILE" type:"path"`
	Show      string        `help:"File for the talks." placeholder:"FILE" type:"path"`
	Tenant    string        `help:"Tenant who keeps the sessions." default:"evaluation"`
}

// Run holds the talks with each model and prints the reports side by side.
func (c evalPrompts) Run(ctx context.Context, s *Settings, streams *streams) error {
	list, err := eval.Dialogs(dialogs.HeldOut, "heldout-*/*.txt")
	if err != nil {
		return err
	}
	var shown *os.File
	if c.Show != "" {
		if shown, err = os.Create(c.Show); err != nil {
			return fault.New(fault.Invalid, "the file for the talks cannot be written").At("show").Because(err)
		}
		defer shown.Close() //nolint:errcheck // what could not be written is told by writing
	}
	return withPool(ctx, s, streams, c.Tenant, func(pool *pgxpool.Pool, t auth.Tenant) error {
		library := objectives.NewLibrary(pool)
		if err := library.Ship(ctx, t.ID); err != nil {
			return err
		}
		var reports []eval.PromptReport
		for _, name := range c.names() {
			r, err := c.measure(ctx, s, pool, library, t.ID, name, list, shown)
			if err != nil {
				return err
			}
			reports = append(reports, r)
		}
		return c.write(streams, reports)
	})
}

// names returns the models to measure.
func (c evalPrompts) names() []string {
	if len(c.Behaviour) > 0 {
		return c.Behaviour
	}
	var out []string
	for _, b := range scripted.Behaviours {
		out = append(out, string(b))
	}
	return out
}

// measure holds the talks with one model.
func (c evalPrompts) measure(ctx context.Context, s *Settings, pool *pgxpool.Pool, library *objectives.Library, tenant, name string, list []*listening.Dialog, shown *os.File) (eval.PromptReport, error) {
	client, done, err := c.client(ctx, s, name, list)
	if err != nil {
		return eval.PromptReport{}, err
	}
	defer done()
	var mu sync.Mutex // guards tokens
	var tokens chat.Usage
	engine, end, err := c.engine(ctx, s, pool, library, model.New(client, nil), func(r chat.TurnReport) {
		mu.Lock()
		defer mu.Unlock()
		tokens.CompletionTokens += r.Usage.CompletionTokens
		tokens.Unsaid += r.Usage.Unsaid
	})
	if err != nil {
		return eval.PromptReport{}, err
	}
	defer end()
	host := func(ctx context.Context, contextType, language string) (eval.Host, error) {
		return eval.NewEngineHostIn(ctx, engine, tenant, "talk", contextType, language)
	}
	r, err := eval.RunPrompts(ctx, eval.PromptOptions{Host: host, Dialogs: list, Talks: c.Talks, Parallel: c.Parallel}, func(person, said, reply string) {
		if shown != nil {
			_, _ = fmt.Fprintf(shown, "%s, %s\n> %s\n%s\n\n", name, person, said, reply) // for reading only; the report is what counts
		}
	})
	mu.Lock()
	defer mu.Unlock()
	r.Label, r.Version, r.Calls, r.Written, r.Unsaid = name, model.PromptVersion, s.ModelCalls, tokens.CompletionTokens, tokens.Unsaid
	if name != "real" {
		r.First = c.First
	}
	return r, err
}

// client returns a client of the model of that name, and what ends the model.
func (c evalPrompts) client(ctx context.Context, s *Settings, name string, list []*listening.Dialog) (*llm.Client, func(), error) {
	if name == "real" {
		if s.Model == "" {
			return nil, nil, fault.New(fault.Invalid, "no model is configured; set OPENAI_BASE_URL and the model").At("behaviour")
		}
		client, err := newClient(s)
		return client, func() {}, err
	}
	if !slices.Contains(scripted.Behaviours, scripted.Behaviour(name)) {
		return nil, nil, fault.New(fault.Invalid, "%s is none of obedient, wordy, disobedient, weak, foreign, injected, real", name).At("behaviour")
	}
	var defs []*objectives.Definition
	for _, d := range objectives.Shipped() {
		defs = append(defs, d.In("en"), d.In("de"))
	}
	m := scripted.New(list, defs)
	m.Behaviour, m.Pace = scripted.Behaviour(name), scripted.Pace{First: c.First, Every: c.Every}
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // listens at once
	if err != nil {
		return nil, nil, err
	}
	server := &http.Server{Handler: m, ReadHeaderTimeout: 5 * time.Second}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(l) }) // until it is closed
	client, err := llm.New(llm.Options{BaseURL: "http://" + l.Addr().String() + "/v1", Model: name, Retries: -1})
	return client, func() { _ = server.Close(); serving.Wait() }, err
}

// engine returns an engine as a server has it, with a model and without jobs.
func (c evalPrompts) engine(ctx context.Context, s *Settings, pool *pgxpool.Pool, library *objectives.Library, m chat.Interviewer, observe func(chat.TurnReport)) (*chat.Engine, func(), error) {
	log := slog.New(slog.DiscardHandler)
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
	engine, err := chat.New(chat.Options{Pool: pool, Hub: hub, Library: library, Queue: queue, Rules: without, Model: m, Instance: instance, Log: log,
		Tenants: tenantIDs(pool), ModelCalls: s.ModelCalls, QuestionWait: s.QuestionWait, TurnLimit: s.TurnLimit, Observe: observe, Researchable: func() bool { return false }})
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

// write prints the reports, those of another version beside them, and keeps them as JSON.
func (c evalPrompts) write(streams *streams, reports []eval.PromptReport) error {
	if c.JSON != "" {
		text, err := json.MarshalIndent(reports, "", "  ")
		if err != nil {
			return err
		}
		if err := writeFile(c.JSON, append(text, '\n')); err != nil {
			return fault.New(fault.Invalid, "the file for the report cannot be written").At("json").Because(err)
		}
	}
	if c.Against != "" {
		text, err := os.ReadFile(c.Against)
		var before []eval.PromptReport
		if err == nil {
			err = json.Unmarshal(text, &before)
		}
		if err != nil {
			return fault.New(fault.Invalid, "is no report of eval prompts").At("against").Because(err)
		}
		reports = append(before, reports...)
	}
	return eval.PromptsMarkdown(streams.out, reports)
}
