package mcp

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/question"
	"quaestor/research/warehouse/runs"
	"quaestor/research/warehouse/schema"
	"quaestor/web"
	"quaestor/web/static"
)

// Path is where clients connect.
const Path = "/mcp"

// Options are what the feature needs beside the server. All fields are required.
type Options struct {
	Engine      *chat.Engine // works the turns
	Connections *connections.Store
	Index       *schema.Index
	Projects    projects.Store
	Commands    runs.Commands        // starts runs
	Warehouses  *question.Warehouses // answers single questions
}

// Handlers answers the requests of this feature. It is safe for concurrent use.
type Handlers struct {
	*web.Server
	Options

	transport http.Handler
}

// instructions tell a model what the tools are for.
const instructions = "Quaestor interviews people and explores data warehouses. To interview: list_objectives, start_interview, then continue_interview with each thing the person says, " +
	"word for word and in their language; show them the reply and the question. read_brief gives the result. To look into data: list_warehouses, search_tables, list_metrics, ask_warehouse, list_projects, start_run, run_status, list_insights, list_findings."

// New returns the feature as part of server s.
func New(s *web.Server, o Options) *Handlers {
	h := &Handlers{Server: s, Options: o}
	server := sdk.NewServer(&sdk.Implementation{Name: "quaestor", Title: "Quaestor", Version: s.Version}, &sdk.ServerOptions{
		Instructions: instructions,
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}}, // the tools never change
	})
	server.AddReceivingMiddleware(visibly)
	h.addInterviewTools(server)
	h.addBriefTools(server)
	h.addWarehouseTools(server)
	h.addMetricTools(server)
	h.addAskTools(server)
	h.addRunTools(server)
	h.addInsightTools(server)
	// Which hosts and origins are answered is decided for all addresses in package web. The
	// SDK's own check would refuse what a proxy on the same machine passes on.
	h.transport = sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server },
		&sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true, DisableLocalhostProtection: true, MaxRequestBodyBytes: web.MaxBody})
	return h
}

// Routes registers the address. Without sessions there is nothing to read or to end, so
// that it takes POST alone.
func (s *Handlers) Routes(r chi.Router) { r.Post(Path, s.Handle(s.serve)) }

// Operations registers nothing: tools are described by the protocol itself.
func (s *Handlers) Operations(huma.API) {}

// assets is empty: the feature has no pages.
var assets = static.New(embed.FS{})

// Assets returns no style sheets and scripts.
func (s *Handlers) Assets() *static.Files { return assets }

// requestKey is where the context of a tool has that of its request. The SDK detaches its
// own, so that a tool would go on for a client that has left.
type requestKey struct{}

// serve passes one message to the transport. A batch is refused: it would make any number
// of calls at once, and the protocol has none since 2025-06-18.
func (s *Handlers) serve(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, web.MaxBody))
	if long := (*http.MaxBytesError)(nil); errors.As(err, &long) {
		return fault.New(fault.TooLarge, "a message has at most %d KiB", web.MaxBody>>10).Coded("body_too_large")
	}
	if err != nil {
		return fault.New(fault.Invalid, "the request's body ended early").Because(err)
	}
	if bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) {
		return fault.New(fault.Invalid, "send one JSON-RPC message a request; batches are not taken").Coded("batch")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.transport.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestKey{}, r.Context())))
	return nil
}
