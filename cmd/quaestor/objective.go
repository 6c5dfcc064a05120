package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// objectiveCommand manages the objectives of a tenant. Everywhere in it CONTEXT names
// the active version of a context and CONTEXT@VERSION a certain one.
type objectiveCommand struct {
	Lint     objectiveLint     `cmd:"" help:"Say what is wrong with an objective's file, and where."`
	Import   objectiveImport   `cmd:"" help:"Publish an objective from a file, or from a JSON Schema."`
	Export   objectiveExport   `cmd:"" help:"Write the active objective of a context to a file."`
	List     objectiveList     `cmd:"" help:"List what there is to talk about."`
	Show     objectiveShow     `cmd:"" help:"Show an objective as it is in effect, with the layer of each obligation."`
	Diff     objectiveDiff     `cmd:"" help:"Say what differs between two objectives or versions."`
	Activate objectiveActivate `cmd:"" help:"Make an older version active again; running sessions keep theirs."`
}

// objectiveLint checks an objective's file.
type objectiveLint struct {
	File   string `arg:"" type:"existingfile" help:"Objective, JSON."`
	Format string `help:"text: a line for each remark, as file:line:column: message. json: a list." enum:"text,json" default:"text"`
}

// Run prints the remarks. It fails when one of them keeps the objective from being
// published. It needs no database.
func (c objectiveLint) Run(io *streams) error {
	data, err := readFile(c.File)
	if err != nil {
		return err
	}
	remarks := withWordings(data, objectives.Lint(data))
	if c.Format == "json" {
		if err := printJSON(io.out, append([]objectives.Diagnostic{}, remarks...)); err != nil {
			return err
		}
	} else {
		for _, r := range remarks {
			_, _ = fmt.Fprintf(io.out, "%s:%s\n", c.File, r) // a closed pipe shows in the last write too
		}
	}
	if objectives.Broken(remarks) {
		return fault.New(fault.Unprocessable, "%s cannot be published", c.File)
	}
	if c.Format == "json" {
		return nil
	}
	doc, err := objectives.ParseDocument(data)
	if err != nil {
		return err
	}
	d := doc.Definition
	_, err = fmt.Fprintf(io.out, "%s: %s %s is fine, %d obligations.\n", c.File, d.ContextType, d.Version, len(d.Obligations))
	return err
}

// withWordings adds to the remarks what is wrong with the wordings of the questions.
// These are warnings: an objective with a clumsy question can be published.
func withWordings(data []byte, remarks []objectives.Diagnostic) []objectives.Diagnostic {
	doc, err := objectives.ParseDocument(data)
	if err != nil || doc.Composition != nil { // the lines of a layer's file are not those of the merged objective
		return remarks
	}
	places := objectives.Places(data)
	for _, p := range chat.LintObjective(&doc.Definition) {
		line, column := places.Line(p.Field)
		remarks = append(remarks, objectives.Diagnostic{Severity: objectives.LintWarning, Path: p.Field, Line: line, Column: column,
			Message: fmt.Sprintf("%q: %s", p.Words, p.Hint)})
	}
	slices.SortStableFunc(remarks, func(a, b objectives.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return remarks
}

// readFile reads a file that the person named; the fault repeats its name.
func readFile(file string) ([]byte, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s cannot be read", file).Because(err)
	}
	return data, nil
}

// commandLine is the author of versions released from the command line, where nobody
// has a user name.
const commandLine = "command line"

// objectiveImport publishes an objective from a file.
type objectiveImport struct {
	File       string `arg:"" type:"existingfile" help:"Objective or, with --json-schema, JSON Schema."`
	JSONSchema bool   `name:"json-schema" help:"The file is a JSON Schema (2020-12); make an objective of it."`
	Context    string `help:"Context type of an objective made from a schema." placeholder:"SLUG"`
	Version    string `help:"Version of an objective made from a schema." placeholder:"1.0.0"`
	DryRun     bool   `help:"Print the objective; publish nothing."`
	Tenant     string `help:"Tenant." default:"development"`
}

// Run publishes the file's objective, which becomes the active one of its context.
func (c objectiveImport) Run(ctx context.Context, s *Settings, io *streams) error {
	doc, err := c.read(io)
	if err != nil {
		return err
	}
	if c.DryRun {
		body, err := doc.Definition.JSON()
		if err == nil {
			_, err = io.out.Write(body)
		}
		return err
	}
	return withPool(ctx, s, io, c.Tenant, func(pool *pgxpool.Pool, t auth.Tenant) error {
		o, err := objectives.NewLibrary(pool).Release(ctx, t.ID, doc, objectives.Signature{By: commandLine})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(io.out, "Published %s %s as %s.\n", o.ContextType, o.Version, o.ID)
		return err
	})
}

// read reads the file. What a JSON Schema demands and an interview cannot check is
// noted on stderr.
func (c objectiveImport) read(io *streams) (objectives.Document, error) {
	data, err := readFile(c.File)
	if err != nil {
		return objectives.Document{}, err
	}
	if !c.JSONSchema {
		return objectives.ParseDocument(data)
	}
	d, notes, err := objectives.FromSchema(data, objectives.SchemaOptions{ContextType: c.Context, Version: c.Version})
	for _, n := range notes { // also beside an error: they may explain it
		_, _ = fmt.Fprintf(io.err, "note: %s %s\n", n.Path, n.Message)
	}
	return objectives.Document{Definition: d}, err
}

// objectiveExport writes an objective to a file.
type objectiveExport struct {
	ContextType string `arg:"" help:"Such as business_profile, or business_profile@1.0.0."`
	File        string `arg:"" optional:"" help:"File to write; stdout when absent."`
	Effective   bool   `help:"Write a layer merged with what it lies on, not as it was written."`
	Tenant      string `help:"Tenant." default:"development"`
}

// Run writes the objective as JSON. A layer is written as its author wrote it, so
// that it can be edited and imported again.
func (c objectiveExport) Run(ctx context.Context, s *Settings, io *streams) error {
	return withObjective(ctx, s, io, c.Tenant, c.ContextType, func(o objectives.Objective) error {
		body, err := source(o, c.Effective)
		if err != nil {
			return err
		}
		if c.File == "" {
			_, err = io.out.Write(body)
			return err
		}
		return os.WriteFile(c.File, body, 0o644) // not a secret
	})
}

// source returns an objective as the file it can be imported from.
func source(o objectives.Objective, effective bool) ([]byte, error) {
	if effective || o.Composition == nil {
		return o.Definition.JSON()
	}
	var out bytes.Buffer
	if err := json.Indent(&out, o.Composition.Overlay, "", "  "); err != nil {
		return nil, fmt.Errorf("write layer of %s: %w", o.ContextType, err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// withObjective calls f with the version that name stands for: CONTEXT or
// CONTEXT@VERSION.
func withObjective(ctx context.Context, s *Settings, io *streams, tenant, name string, f func(objectives.Objective) error) error {
	return withPool(ctx, s, io, tenant, func(pool *pgxpool.Pool, t auth.Tenant) error {
		o, err := versionNamed(ctx, pool, t, name)
		if err != nil {
			return err
		}
		return f(o)
	})
}

// versionNamed returns the version that name stands for. The shipped objectives are
// there even in a tenant that was made just now.
func versionNamed(ctx context.Context, pool *pgxpool.Pool, t auth.Tenant, name string) (objectives.Objective, error) {
	l := objectives.NewLibrary(pool)
	if err := l.Ship(ctx, t.ID); err != nil {
		return objectives.Objective{}, err
	}
	contextType, number, _ := strings.Cut(name, "@")
	return l.Version(ctx, t.ID, contextType, number)
}

// objectiveList lists objectives, the active ones or all versions.
type objectiveList struct {
	All    bool   `help:"Every version, not only the active ones."`
	Tenant string `help:"Tenant." default:"development"`
}

// Run prints a table of the objectives.
func (c objectiveList) Run(ctx context.Context, s *Settings, io *streams) error {
	return withPool(ctx, s, io, c.Tenant, func(pool *pgxpool.Pool, t auth.Tenant) error {
		l := objectives.NewLibrary(pool)
		if err := l.Ship(ctx, t.ID); err != nil {
			return err
		}
		which := objectives.OnlyActive
		if c.All {
			which = objectives.AllVersions
		}
		list, err := l.List(ctx, t.ID, which)
		if err != nil {
			return err
		}
		return printTable(io.out, "CONTEXT\tVERSION\tACTIVE\tLAYER\tEXTENDS\tOBLIGATIONS\tNAME", list, func(o objectives.Objective) string {
			return fmt.Sprintf("%s\t%s\t%t\t%s\t%s\t%d\t%s", o.ContextType, o.Version, o.Active, o.Layer, base(o), len(o.Definition.Obligations), o.DisplayName)
		})
	})
}

// base returns the version that o is a layer on, or a dash.
func base(o objectives.Objective) string {
	if o.Composition == nil {
		return "-"
	}
	return o.Composition.Base
}

// objectiveShow shows an objective, merged or layer by layer.
type objectiveShow struct {
	ContextType string `arg:"" help:"Such as business_profile, or business_profile@1.0.0."`
	Layer       string `help:"effective: all layers merged. shipped: the file that comes with the program. tenant: what the tenant wrote." enum:"effective,shipped,tenant" default:"effective"`
	Format      string `help:"text or json; single layers are always json." enum:"text,json" default:"text"`
	Tenant      string `help:"Tenant." default:"development"`
}

// Run prints a table of the effective objective, or the file of a layer. The shipped
// layer is a part of the program and needs no database.
func (c objectiveShow) Run(ctx context.Context, s *Settings, io *streams) error {
	if c.Layer == "shipped" {
		name, _, _ := strings.Cut(c.ContextType, "@")
		body, ok := objectives.ShippedJSON(name)
		if !ok {
			return fault.New(fault.NotFound, "nothing is shipped for %q", name)
		}
		_, err := io.out.Write(body)
		return err
	}
	return withObjective(ctx, s, io, c.Tenant, c.ContextType, func(o objectives.Objective) error {
		switch {
		case c.Layer == "tenant" && o.Layer == obligations.Shipped:
			return fault.New(fault.NotFound, "the tenant has no layer of its own for %s; %s is as shipped", o.ContextType, o.Version)
		case c.Layer == "tenant" || c.Format == "json":
			body, err := source(o, c.Layer == "effective")
			if err == nil {
				_, err = io.out.Write(body)
			}
			return err
		}
		return printObjective(io, o)
	})
}

// printObjective prints an objective for people. WORDINGS counts the question itself
// and its alternatives.
func printObjective(io *streams, o objectives.Objective) error {
	d := o.Definition
	_, err := fmt.Fprintf(io.out, "%s %s: %s\nlayer %s, extends %s, active %t\n\n", o.ContextType, o.Version, o.DisplayName, o.Layer, base(o), o.Active)
	if err != nil {
		return err
	}
	return printTable(io.out, "KEY\tLAYER\tPRIORITY\tWIDGET\tWORDINGS\tQUESTION", d.Obligations, func(t obligations.Template) string {
		return fmt.Sprintf("%s\t%s\t%d\t%s\t%d\t%s", t.Key, o.LayerOf(t.Key), t.Priority, t.Widget, 1+len(d.Pools[t.PoolID]), t.Prompt)
	})
}

// objectiveDiff compares two objectives, each from a file or from the library.
type objectiveDiff struct {
	A      string `arg:"" help:"A file, CONTEXT for the active version, or CONTEXT@VERSION."`
	B      string `arg:"" help:"The same."`
	Format string `help:"text or json." enum:"text,json" default:"text"`
	Tenant string `help:"Tenant." default:"development"`
}

// Run prints what differs. It needs no database to compare two files.
func (c objectiveDiff) Run(ctx context.Context, s *Settings, io *streams) error {
	a, aFile, errA := fromFile(c.A)
	b, bFile, errB := fromFile(c.B)
	err := cmp.Or(errA, errB)
	if err == nil && (!aFile || !bFile) {
		err = withPool(ctx, s, io, c.Tenant, func(pool *pgxpool.Pool, t auth.Tenant) error {
			return errors.Join(fill(ctx, pool, t, c.A, aFile, &a), fill(ctx, pool, t, c.B, bFile, &b))
		})
	}
	if err != nil {
		return err
	}
	d, err := objectives.DiffOf(a, b)
	if err != nil {
		return err
	}
	if c.Format == "json" {
		return printJSON(io.out, d)
	}
	_, err = fmt.Fprint(io.out, d.Text())
	return err
}

// fromFile reads an objective when name is a file, and reports whether it is one.
func fromFile(name string) (*objectives.Definition, bool, error) {
	if _, err := os.Stat(name); err != nil {
		return nil, false, nil
	}
	data, err := readFile(name)
	if err != nil {
		return nil, true, err
	}
	doc, err := objectives.ParseDocument(data)
	return &doc.Definition, true, err
}

// fill sets *to to the version of that name, unless a file has filled it already.
func fill(ctx context.Context, pool *pgxpool.Pool, t auth.Tenant, name string, filled bool, to **objectives.Definition) error {
	if filled {
		return nil
	}
	o, err := versionNamed(ctx, pool, t, name)
	*to = o.Definition
	return err
}

// objectiveActivate makes an older version the active one.
type objectiveActivate struct {
	Version string `arg:"" help:"CONTEXT@VERSION."`
	Tenant  string `help:"Tenant." default:"development"`
}

// Run makes the version the one that new sessions use. It asks for the version by
// number, since the active one is active already.
func (c objectiveActivate) Run(ctx context.Context, s *Settings, io *streams) error {
	if !strings.Contains(c.Version, "@") {
		return fault.New(fault.Invalid, "say which version, as in %s@1.0.0", c.Version)
	}
	return withPool(ctx, s, io, c.Tenant, func(pool *pgxpool.Pool, t auth.Tenant) error {
		o, err := versionNamed(ctx, pool, t, c.Version)
		if err != nil {
			return err
		}
		if o, err = objectives.NewLibrary(pool).Activate(ctx, t.ID, o.ID, objectives.Signature{By: commandLine}); err != nil {
			return err
		}
		_, err = fmt.Fprintf(io.out, "%s %s is active.\n", o.ContextType, o.Version)
		return err
	})
}
