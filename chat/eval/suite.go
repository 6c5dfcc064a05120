package eval

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// Options configures a set of interviews.
type Options struct {
	Engine   *chat.Engine
	Tenant   string    // whose active objectives are used
	Personas []Persona // nil means all that are shipped
	Budget   Budget    // zero means each objective's own
	Parallel int       // interviews held at once; zero means 4
	Label    string    // title of the scorecard, such as a version; may be empty
}

// Interview is an interview and its measurement.
type Interview struct {
	Session    obligations.Scope
	Persona    *Persona
	Transcript Transcript
	Result     Result
}

// RunAll interviews every persona, each in a session of its own that stays in the database,
// and returns the scorecard. progress may be nil; it is called after each interview, never
// concurrently. The first interview that fails ends the others, and its error is returned.
func RunAll(ctx context.Context, o Options, progress func(Interview)) (Scorecard, error) {
	if o.Personas == nil {
		var err error
		if o.Personas, err = Shipped(time.Now().Year()); err != nil {
			return Scorecard{}, err
		}
	}
	s := suite{Options: o, progress: progress}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(cmp.Or(o.Parallel, 4), 1))
	for i := range o.Personas {
		group.Go(func() error { return s.interview(ctx, &o.Personas[i]) })
	}
	err := group.Wait()
	return NewScorecard(o.Label, o.Engine.Interviewer(), s.results), err
}

// suite collects results.
type suite struct {
	Options
	progress func(Interview)

	mu      sync.Mutex
	results []Result // guarded by mu
}

// interview runs one interview in a session of its own and collects its result.
func (s *suite) interview(ctx context.Context, p *Persona) error {
	held := Interview{Persona: p}
	d, err := s.definition(ctx, p.Context)
	if err != nil {
		return err
	}
	if err := p.validate(d); err != nil {
		return fmt.Errorf("persona %s/%s does not fit the objective: %w", p.Context, p.Name, err)
	}
	host, err := NewEngineHost(ctx, s.Engine, s.Tenant, "eval-"+p.Name, p.Context)
	if err != nil {
		return err
	}
	held.Session = host.Scope()
	if held.Transcript, err = Run(ctx, host, p, s.Budget.of(d)); err != nil {
		return err
	}
	if held.Result, err = Measure(p, d, &held.Transcript); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.results = append(s.results, held.Result)
	if s.progress != nil {
		s.progress(held)
	}
	return nil
}

// definition returns the tenant's active objective of a context type.
func (s *suite) definition(ctx context.Context, contextType string) (*objectives.Definition, error) {
	o, err := s.Engine.Library.Active(ctx, s.Tenant, contextType)
	if err != nil {
		return nil, err
	}
	return s.Engine.Library.Definition(ctx, s.Tenant, o.ID)
}

// ordered sorts results by context and persona.
func ordered(list []Result) []Result {
	out := slices.Clone(list)
	slices.SortFunc(out, func(a, b Result) int {
		return cmp.Or(cmp.Compare(a.Context, b.Context), cmp.Compare(a.Persona, b.Persona))
	})
	return out
}
