package mcp

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/web"
)

// Bounds of what tools return. A model reads all of it, so they are narrower than those of
// the API.
const (
	maxRows = 50    // of a list
	maxText = 2_000 // characters of a text within a result
)

// tool describes a tool.
type tool struct {
	name, title, description string
	needs                    auth.Permission // of whoever calls it
	writes                   bool            // it changes something; nothing here deletes
	repeatable               bool            // called again with the same arguments, it changes nothing more
}

// texted is a result with a short text for clients that show no structured content.
type texted interface{ text() string }

// add registers a tool. f runs as the holder of the request's credential, whose permission
// is checked before.
func add[In any, Out texted](s *Handlers, server *sdk.Server, t tool, f func(context.Context, In) (Out, error)) {
	no := false
	described := &sdk.Tool{Name: t.name, Title: t.title, Description: t.description, Annotations: &sdk.ToolAnnotations{
		Title: t.title, ReadOnlyHint: !t.writes, DestructiveHint: &no, IdempotentHint: t.repeatable, OpenWorldHint: &no}}
	sdk.AddTool(server, described, func(ctx context.Context, _ *sdk.CallToolRequest, in In) (*sdk.CallToolResult, Out, error) {
		ctx, end := withRequest(ctx)
		defer end()
		if !t.writes {
			ctx = web.AsRead(ctx)
		}
		out, err := guarded(ctx, t, in, f)
		if err != nil {
			return nil, out, s.refusal(ctx, err)
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: out.text()}}}, out, nil
	})
}

// withRequest returns ctx ending with the request that it is of.
func withRequest(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	request, ok := ctx.Value(requestKey{}).(context.Context)
	if !ok {
		return ctx, cancel
	}
	stop := context.AfterFunc(request, cancel)
	return ctx, func() {
		stop()
		cancel()
	}
}

// guarded calls f for an actor who may use the tool. A panic is an error: the SDK runs tools
// in goroutines of its own, where one would end the program.
func guarded[In, Out any](ctx context.Context, t tool, in In, f func(context.Context, In) (Out, error)) (out Out, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic in tool %s: %v\n%s", t.name, v, debug.Stack())
		}
	}()
	if err := web.Need(web.ActorFrom(ctx), t.needs); err != nil {
		return out, err
	}
	return f(ctx, in)
}

// refusal is the error of a tool as a client reads it: what was wrong, where, and the stable
// name of it. It is logged as a problem of the API is.
func (s *Handlers) refusal(ctx context.Context, err error) error {
	p := web.ProblemOf(err, web.RequestID(ctx))
	web.NoteProblem(ctx, p, err)
	var b strings.Builder
	b.WriteString(web.Sentence(p.Detail))
	for _, e := range p.Errors {
		if len(p.Errors) == 1 && e.Message == p.Detail {
			fmt.Fprintf(&b, " Argument: %s.", e.Location)
			break
		}
		fmt.Fprintf(&b, "\n%s: %s", e.Location, e.Message)
	}
	fmt.Fprintf(&b, " [%s]", p.Code)
	if p.Code == string(fault.Internal) {
		fmt.Fprintf(&b, " request %s", p.Instance)
	}
	return toolError(b.String())
}

// toolError is the text of a tool's error.
type toolError string

func (e toolError) Error() string { return string(e) }

// clip shortens a text to at most most characters, the last of which says that it was cut.
func clip(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	runes := []rune(s)
	return string(runes[:most-1]) + "…"
}

// limitOf returns how many items a list has that a client wants n of: all that fit if n is
// zero.
func limitOf(n int) (int, error) {
	switch {
	case n == 0:
		return maxRows, nil
	case n < 0 || n > maxRows:
		return 0, fault.New(fault.Unprocessable, "is 1 to %d, not %d", maxRows, n).At("limit")
	}
	return n, nil
}

// withoutNUL refuses texts with a NUL character, which the database cannot hold.
func withoutNUL(fields map[string]string) error {
	for name, text := range fields {
		if strings.ContainsRune(text, 0) {
			return fault.New(fault.Invalid, "holds a NUL character; leave it out").At(name).Coded("nul_character")
		}
	}
	return nil
}

// lines joins the lines of a text.
func lines(list []string) string { return strings.Join(list, "\n") }
