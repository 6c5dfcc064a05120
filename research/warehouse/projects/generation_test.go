package projects_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"pgregory.net/rapid"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/packs"
	"quaestor/research/warehouse/projects"
)

// in runs a step of a generator in a transaction of its own.
func (h house) in(ctx context.Context, step func(tx pgx.Tx) (projects.Project, error)) (p projects.Project, err error) {
	err = postgres.InTx(ctx, h.Pool, h.tenant, func(tx pgx.Tx) error {
		p, err = step(tx)
		return err
	})
	return p, err
}

// pack is one that a generator made.
func pack(t rapid.TB, version string) *packs.Pack {
	builtin, ok := packs.BuiltinBySlug("operations")
	if !ok {
		t.Fatal("there is no pack operations")
	}
	mine := *builtin
	mine.Slug, mine.Version = "made-here", version
	return &mine
}

func TestProjectGoesThroughTheMakingOfAPack(t *testing.T) {
	t.Parallel()

	h := open(t)
	ctx := t.Context()
	p, err := h.Create(ctx, h.tenant, "someone", projects.Spec{Name: "New", Warehouse: h.warehouse}, projects.GenerationPending)
	if err != nil || p.Pack.Slug != projects.DefaultPack {
		t.Fatalf("Create = %+v, %v", p, err)
	}
	if _, err := h.Accept(ctx, h.tenant, p.ID, "someone"); !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "pack_generation_pending") {
		t.Errorf("a step too far: %v", err)
	}
	first, second := uuid.NewString(), uuid.NewString()
	if p, err = h.in(ctx, func(tx pgx.Tx) (projects.Project, error) {
		return h.Generate(ctx, tx, h.tenant, p.ID, "someone", first)
	}); err != nil || p.State != projects.Generation {
		t.Fatalf("Generate = %+v, %v", p, err)
	}
	if p, err = h.in(ctx, func(tx pgx.Tx) (projects.Project, error) {
		return h.GenerationFailed(ctx, tx, h.tenant, p.ID, first, "The sources say nothing.")
	}); err != nil || p.State != projects.GenerationPending || p.GenerationFailure != "The sources say nothing." {
		t.Fatalf("GenerationFailed = %+v, %v", p, err)
	}
	if p, err = h.in(ctx, func(tx pgx.Tx) (projects.Project, error) {
		return h.Generate(ctx, tx, h.tenant, p.ID, "someone", second)
	}); err != nil || p.GenerationFailure != "" {
		t.Fatalf("Generate again = %+v, %v", p, err)
	}
	if _, err := h.in(ctx, func(tx pgx.Tx) (projects.Project, error) {
		return h.Generated(ctx, tx, h.tenant, p.ID, first, pack(t, "1"))
	}); !fault.Is(err, fault.Conflict) {
		t.Errorf("work that is over: %v", err)
	}
	if p, err = h.in(ctx, func(tx pgx.Tx) (projects.Project, error) {
		return h.Generated(ctx, tx, h.tenant, p.ID, second, pack(t, "1"))
	}); err != nil || p.Generated.String() != "made-here@1" {
		t.Fatalf("Generated = %+v, %v", p, err)
	}
	if p, err = h.Accept(ctx, h.tenant, p.ID, "someone"); err != nil || p.State != projects.Ready || p.Pack.String() != "made-here@1" || p.Generated.Slug != "" {
		t.Fatalf("Accept = %+v, %v", p, err)
	}
	if _, err := h.Create(ctx, h.tenant, "someone", h.draft("Other"), projects.Generation); !fault.Is(err, fault.Unprocessable) {
		t.Errorf("a new project in the middle: %v", err)
	}
}

// TestStatesFollowTheWork has a generator, people and the database itself try every step from every
// state in random order: a project is in the state that the work has reached, and in no other.
func TestStatesFollowTheWork(t *testing.T) {
	t.Parallel()

	h := open(t)
	ctx := t.Context()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		p, err := h.Create(ctx, h.tenant, "someone", projects.Spec{Name: fmt.Sprintf("Project %d", n), Warehouse: h.warehouse}, rapid.SampledFrom([]projects.State{"", projects.GenerationPending}).Draw(t, "first"))
		if err != nil {
			t.Fatal(err)
		}
		state, work, made := p.State, "", 0
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			next, want := state, false
			switch what := rapid.SampledFrom([]string{"request", "make", "make late", "fail", "accept", "by hand"}).Draw(t, "step"); what {
			case "request":
				id := uuid.NewString()
				if want = state == projects.GenerationPending || state == projects.GenerationDone; want {
					next, work = projects.Generation, id
				}
				_, err = h.in(ctx, func(tx pgx.Tx) (projects.Project, error) { return h.Generate(ctx, tx, h.tenant, p.ID, "someone", id) })
			case "make", "make late":
				by := work
				if what == "make late" || by == "" {
					by = uuid.NewString()
				}
				if want = state == projects.Generation && by == work; want {
					next, made = projects.GenerationDone, made+1
				}
				_, err = h.in(ctx, func(tx pgx.Tx) (projects.Project, error) {
					return h.Generated(ctx, tx, h.tenant, p.ID, by, pack(t, fmt.Sprintf("%d.%d", n, made)))
				})
			case "fail":
				if want = state == projects.Generation; want {
					next = projects.GenerationPending
				}
				_, err = h.in(ctx, func(tx pgx.Tx) (projects.Project, error) {
					return h.GenerationFailed(ctx, tx, h.tenant, p.ID, work, "It failed.")
				})
			case "accept":
				if want = state == projects.GenerationDone; want {
					next = projects.Ready
				}
				_, err = h.Accept(ctx, h.tenant, p.ID, "someone")
			case "by hand": // past the program, as an administrator of the database
				to := rapid.SampledFrom([]projects.State{projects.Generation, projects.GenerationDone}).Draw(t, "to")
				if to == state {
					continue
				}
				_, err = h.super.Exec(ctx, `UPDATE warehouse_projects SET state = $2 WHERE id = $1`, p.ID, to)
			}
			if (err == nil) != want {
				t.Fatalf("from %s: %v, want it to be possible: %t", state, err, want)
			}
			if state = next; state != projects.Generation {
				work = ""
			}
			now, err := h.Find(ctx, h.tenant, p.ID)
			if err != nil || now.State != state || (now.Generation != "") != (state == projects.Generation) || (now.Generated.Slug != "") != (state == projects.GenerationDone) {
				t.Fatalf("the project is %+v (%v), want the state %s", now, err, state)
			}
			if err := now.State.MayRun(); (err == nil) != (state == projects.Ready) {
				t.Fatalf("%s may run: %v", state, err)
			}
		}
	})
}
