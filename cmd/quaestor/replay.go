package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web"
)

// sessionReplay rebuilds a session from its log, or tries its messages on
// another objective or interviewer. It writes nothing.
type sessionReplay struct {
	ID          string `arg:"" help:"Id of the session."`
	Until       int    `help:"Turn to stop after; 0 means the last."`
	Objective   string `help:"Run the messages against this version of the objective, or CONTEXT@VERSION." placeholder:"VERSION"`
	Interviewer string `help:"Run the messages with this interviewer." enum:",rules,model" default:""`
	Format      string `help:"text or json." enum:"text,json" default:"text"`
	Tenant      string `help:"Tenant." default:"development"`
}

// Run prints the rebuilt state, or what came out differently. It fails when the log
// does not lead to the state that is stored: the audit trail has to be sufficient.
func (c sessionReplay) Run(ctx context.Context, s *Settings, io *streams) error {
	if c.Until < 0 {
		return fault.New(fault.Invalid, "must be a turn, or 0 for the last").At("until")
	}
	return withPool(ctx, s, io, c.Tenant, func(pool *pgxpool.Pool, t auth.Tenant) error {
		l := objectives.NewLibrary(pool)
		scope := obligations.Scope{Tenant: t.ID, Session: c.ID}
		r, err := sessions.ReadRecord(ctx, pool, l, scope)
		if err != nil {
			return err
		}
		then, err := r.At(c.Until)
		if err != nil {
			return err
		}
		if c.Objective == "" && c.Interviewer == "" {
			return c.rebuilt(ctx, pool, l, scope, r, then, io.out)
		}
		return c.branched(ctx, s, l, t.ID, r, then, io.out)
	})
}

// rebuilt prints the state after a turn, and after the last turn also whether it
// equals the stored one.
func (c sessionReplay) rebuilt(ctx context.Context, pool *pgxpool.Pool, l *objectives.Library, scope obligations.Scope, r *sessions.Record, then sessions.TurnSnapshot, out io.Writer) error {
	var stored []obligations.Obligation
	b := postgres.NewBatch(scope.Tenant)
	obligations.Load(b, scope, l.Templates(ctx, scope.Tenant), &stored)
	if err := b.Send(ctx, pool); err != nil {
		return err
	}
	// Only the state after the last turn is stored, so only that can be compared.
	latest := then.Turn == r.Session.Turns
	var differ []chat.Difference
	if latest {
		differ = chat.Differences(stored, then.Obligations)
	}
	sameLanguage := then.Turn == 0 || then.Language == r.Session.Language // the first turn records it
	if c.Format == "json" {
		return printJSON(out, map[string]any{"session": r.Session.ID, "turn": then.Turn, "phase": then.Phase, "language": then.Language, "completeness": then.Completeness,
			"memory": then.Memory, "obligations": web.Map(then.Obligations, func(o obligations.Obligation) *obligationJSON { return obligationOf(&o) }), "equalsStored": latest && len(differ) == 0 && sameLanguage})
	}
	if err := printStanding(out, r, then); err != nil || !latest {
		return err
	}
	if len(differ) > 0 {
		_ = printDifferences(out, "STORED", "REPLAYED", differ) // the error below says more
		return fault.New(fault.Internal, "the record of session %s does not give its stored state", r.Session.ID)
	}
	if !sameLanguage {
		return fault.New(fault.Internal, "session %s is stored in the language %q, and its record says %q", r.Session.ID, r.Session.Language, then.Language)
	}
	_, err := fmt.Fprintln(out, "The record gives the stored state, to the last obligation.")
	return err
}

// branched runs the messages of the session again, with another objective or
// interviewer, and prints what came out differently.
func (c sessionReplay) branched(ctx context.Context, s *Settings, l *objectives.Library, tenant string, r *sessions.Record, then sessions.TurnSnapshot, out io.Writer) error {
	d, errObjective := c.definition(ctx, l, tenant, r)
	interviewer, errInterviewer := c.interviewer(s)
	if err := cmp.Or(errObjective, errInterviewer); err != nil {
		return err
	}
	without, err := newRules(s)
	if err != nil {
		return err
	}
	branch, err := chat.Rerun(ctx, r, d, interviewer, without, then.Turn)
	if err != nil {
		return err
	}
	differ := chat.Differences(then.Obligations, branch.Obligations)
	got := d.Completion.Score(branch.Obligations)
	if c.Format == "json" {
		return printJSON(out, map[string]any{"session": r.Session.ID, "turn": then.Turn, "objective": branch.Objective, "interviewer": branch.Interviewer,
			"recorded": then.Completeness, "branch": got, "phase": branch.Session.Phase, "stopReason": branch.Session.StopReason, "differences": web.Map(differ, differenceJSON)})
	}
	fmt.Fprintf(out, "%s, turn %d: the same messages with %s about %s\n", r.Session.ID, then.Turn, branch.Interviewer, branch.Objective)
	fmt.Fprintf(out, "             recorded  branch\nscore        %-8.2f  %.2f\nprogress     %-8.2f  %.2f\nphase        %-8s  %s\n\n",
		then.Completeness.Score, got.Score, then.Completeness.Progress, got.Progress, then.Phase, branch.Session.Phase)
	if len(differ) == 0 {
		_, err = fmt.Fprintln(out, "Nothing differs.")
		return err
	}
	return printDifferences(out, "RECORDED", "BRANCH", differ)
}

// definition returns the objective to run the messages against: the session's own,
// another version of its context, or one of another context. A version that is
// missing is Invalid, and the fault lists those there are.
func (c sessionReplay) definition(ctx context.Context, l *objectives.Library, tenant string, r *sessions.Record) (*objectives.Definition, error) {
	if c.Objective == "" {
		return r.Objective.Definition, nil
	}
	contextType, version, both := strings.Cut(c.Objective, "@")
	if !both {
		contextType, version = r.Session.ContextType, c.Objective
	}
	all, err := l.List(ctx, tenant, objectives.AllVersions)
	if err != nil {
		return nil, err
	}
	var there []string
	for _, o := range all {
		if o.ContextType == contextType && o.Version == version {
			return o.Definition, nil
		}
		there = append(there, o.ContextType+"@"+o.Version)
	}
	return nil, fault.New(fault.Invalid, "there is no objective %s@%s; there are %s", contextType, version, strings.Join(there, ", ")).At("objective")
}

// interviewer returns the interviewer to run the messages with: the rules, unless the
// model is asked for.
func (c sessionReplay) interviewer(s *Settings) (chat.Interviewer, error) {
	if c.Interviewer != "model" {
		return newRules(s)
	}
	model, err := newModel(s, nil)
	if err == nil && model == nil {
		err = fault.New(fault.Invalid, "no model is configured; set QUAESTOR_MODEL, and OPENAI_BASE_URL and OPENAI_API_KEY as it needs").At("interviewer")
	}
	return model, err
}

// printStanding prints where the session stood after a turn, for people.
func printStanding(out io.Writer, r *sessions.Record, then sessions.TurnSnapshot) error {
	fmt.Fprintf(out, "%s about %s %s, after turn %d of %d\nphase %s, progress %.2f, score %.2f\n\n", r.Session.ID, r.Session.ContextType, r.Objective.Version,
		then.Turn, r.Session.Turns, then.Phase, then.Completeness.Progress, then.Completeness.Score)
	err := printTable(out, "OBLIGATION\tSTATUS\tCONFIDENCE\tVALUE", then.Obligations, func(o obligations.Obligation) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s", o.Key, o.Status, o.Confidence, o.Value)
	})
	if err == nil {
		_, err = fmt.Fprintln(out)
	}
	return err
}

// printDifferences prints the obligations that differ, with the two states side by
// side under the names first and other.
func printDifferences(out io.Writer, first, other string, list []chat.Difference) error {
	return printTable(out, "OBLIGATION\t"+first+"\t"+other, list, func(d chat.Difference) string {
		return d.Key + "\t" + inShort(d.First) + "\t" + inShort(d.Other)
	})
}

// inShort returns the state of an obligation on one line; nil is a dash.
func inShort(o *obligations.Obligation) string {
	if o == nil {
		return "–"
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", o.Status, o.Confidence, o.Value))
}

// obligationJSON is an obligation in the output for programs.
type obligationJSON struct {
	Key        string                 `json:"key"`
	Status     obligations.Status     `json:"status"`
	Confidence obligations.Confidence `json:"confidence"`
	Value      json.RawMessage        `json:"value,omitempty"`
}

// obligationOf returns an obligation for programs, and nil, which is null, for nil.
func obligationOf(o *obligations.Obligation) *obligationJSON {
	if o == nil {
		return nil
	}
	return &obligationJSON{o.Key, o.Status, o.Confidence, o.Value}
}

// differenceJSON returns a difference for programs, as what was recorded and what the
// branch came to.
func differenceJSON(d chat.Difference) map[string]any {
	return map[string]any{"key": d.Key, "recorded": obligationOf(d.First), "branch": obligationOf(d.Other)}
}

// printJSON writes v as indented JSON.
func printJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
